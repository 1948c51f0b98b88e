// Random formulas for property tests: every operator that shape guards use, small constants, zero divisors included.
#pragma once

#include <initializer_list>
#include <random>
#include <vector>

#include "dimgate/expr.hpp"

namespace dimgate::test {

class RandomFormula {
 public:
  RandomFormula(Context& ctx, std::vector<Expr> symbols, unsigned seed)
      : ctx_(ctx), symbols_(std::move(symbols)), rng_(seed) {}

  int pick(int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(rng_); }
  /// Divisors are constants (possibly 0) unless `wild`, where any term may divide.
  bool wild = false;
  /// Products of two terms that both vary.
  bool products = false;

  Expr constant(int lo, int hi) { return ctx_.integer(pick(lo, hi)); }
  Expr symbol() { return symbols_[static_cast<std::size_t>(pick(0, static_cast<int>(symbols_.size()) - 1))]; }
  Expr term(int depth) {
    if (depth == 0) return pick(0, 4) == 0 ? constant(-6, 9) : symbol();
    const Expr a = term(depth - 1);
    switch (pick(0, 10)) {
      case 0:
        return ctx_.make(Op::Add, {a, term(depth - 1)});
      case 1:
        return ctx_.make(Op::Sub, {a, term(depth - 1)});
      case 2:
        return ctx_.make(Op::Mul, {constant(-3, 4), a});
      case 3:
        return ctx_.make(Op::FloorDiv, {a, divisor(depth)});
      case 4:
        return ctx_.make(Op::Mod, {a, divisor(depth)});
      case 5:
        return ctx_.make(Op::CeilDiv, {a, divisor(depth)});
      case 6:
        return ctx_.make(Op::Min, {a, term(depth - 1)});
      case 7:
        return ctx_.make(Op::Max, {a, term(depth - 1)});
      case 8:
        return products ? ctx_.make(Op::Mul, {a, term(depth - 1)}) : ctx_.make(Op::Neg, {a});
      case 9:
        return ctx_.make(Op::Ite, {atom(0), a, term(depth - 1)});
      default:
        return ctx_.make(Op::Abs, {a});
    }
  }
  Expr atom(int depth) {
    static constexpr Op kOps[] = {Op::Eq, Op::Ne, Op::Lt, Op::Le, Op::Gt, Op::Ge};
    switch (pick(0, 9)) {
      case 0:
        return ctx_.make(Op::Eq, {ctx_.make(Op::Mod, {symbol(), constant(1, 6)}), constant(0, 3)});
      case 1:
        return ctx_.make(Op::In, {term(depth), constant(-4, 4), constant(0, 9)});
      case 2:
        return ctx_.make(Op::Divides, {constant(wild ? 0 : 1, 5), term(depth)});
      default:
        return ctx_.make(kOps[pick(0, 5)], {term(depth), pick(0, 2) == 0 ? term(depth) : constant(-8, 12)});
    }
  }
  Expr formula(int depth, int term_depth = 1) {
    if (depth == 0) return atom(term_depth);
    switch (pick(0, 4)) {
      case 0:
      case 1:
        return ctx_.make(Op::And, {formula(depth - 1, term_depth), formula(depth - 1, term_depth)});
      case 2:
        return ctx_.make(Op::Or, {formula(depth - 1, term_depth), formula(depth - 1, term_depth)});
      case 3:
        return ctx_.make(Op::Not, {formula(depth - 1, term_depth)});
      default:
        return ctx_.make(Op::Implies, {formula(depth - 1, term_depth), formula(depth - 1, term_depth)});
    }
  }

 private:
  Expr divisor(int depth) { return wild && pick(0, 1) == 0 ? term(depth - 1) : constant(wild ? 0 : 1, 5); }

  Context& ctx_;
  std::vector<Expr> symbols_;
  std::mt19937 rng_;
};

/// Every point of a box: calls f(assignment) with all symbols running through lo..hi.
template <class F>
void for_each_point(const std::vector<Expr>& symbols, int lo, int hi, F f) {
  Assignment at;
  std::vector<int> v(symbols.size(), lo);
  while (true) {
    for (std::size_t i = 0; i < symbols.size(); ++i) at.set(symbols[i], Value::of(v[i]));
    f(at);
    std::size_t i = 0;
    while (i < v.size() && v[i] == hi) v[i++] = lo;
    if (i == v.size()) return;
    ++v[i];
  }
}

}  // namespace dimgate::test
