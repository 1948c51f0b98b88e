#include "support/random_formula.hpp"

namespace dimgate::test {

std::int64_t RandomFormulas::number(std::int64_t lo, std::int64_t hi) {
  if (!from_bytes_) return std::uniform_int_distribution(lo, hi)(rng_);
  if (choices_.empty()) return lo;
  const std::int64_t value = lo + choices_.front() % (hi - lo + 1);
  choices_ = choices_.subspan(1);
  return value;
}

Expr RandomFormulas::division(Op op, int depth) {
  const Expr divisor = options_.symbolic_divisors && number(0, 2) == 0 ? term(below(depth)) : constant();
  return ctx_.make(op, {term(below(depth)), divisor});
}

// Where(c, x, y); Piecewise((x, c), (y, d), (z, True)); the same without a default, which is undefined where no case
// holds.
Expr RandomFormulas::conditional(int depth) {
  const Expr c = formula(depth - 1);
  const Expr x = term(below(depth)), y = term(below(depth));
  const std::int64_t shape = number(0, 3);
  if (shape <= 1) return ctx_.make(Op::Ite, {c, x, y});
  const Expr zero = ctx_.integer(0);
  const Expr last = shape == 2 ? term(below(depth)) : ctx_.make(Op::Ite, {ctx_.make(Op::Divides, {zero, zero}), y, y});
  return ctx_.make(Op::Ite, {c, x, ctx_.make(Op::Ite, {formula(below(depth)), y, last})});
}

Expr RandomFormulas::term(int depth) {
  if (depth <= 0) return number(0, 2) == 0 ? constant() : symbol();
  if (options_.conditionals && number(0, 2) == 0) return conditional(depth);
  switch (number(0, 13)) {
    case 0:
    case 1:
      return ctx_.make(Op::Add, {term(below(depth)), term(below(depth))});
    case 2:
      return ctx_.make(Op::Sub, {term(below(depth)), term(below(depth))});
    case 3:
      return ctx_.make(Op::Mul, {constant(), term(below(depth))});
    case 4:
      return options_.products ? ctx_.make(Op::Mul, {term(below(depth)), term(below(depth))})
                               : ctx_.make(Op::Mul, {constant(), term(below(depth))});
    case 5:
    case 6:
      return division(Op::FloorDiv, depth);
    case 7:
    case 8:
      return division(Op::Mod, depth);
    case 9:
      return division(Op::CeilDiv, depth);
    case 10:
      return ctx_.make(number(0, 1) == 0 ? Op::Min : Op::Max, {term(below(depth)), term(below(depth))});
    case 11:
      return ctx_.make(number(0, 1) == 0 ? Op::Abs : Op::Neg, {term(below(depth))});
    case 12:
      return ctx_.make(Op::Ite, {formula(below(depth)), term(below(depth)), term(below(depth))});
    default:
      return options_.products ? ctx_.make(Op::Pow, {term(below(depth)), ctx_.integer(number(0, 2))}) : symbol();
  }
}

Expr RandomFormulas::formula(int depth) {
  static constexpr Op kComparisons[] = {Op::Eq, Op::Ne, Op::Lt, Op::Le, Op::Gt, Op::Ge};
  if (depth <= 0) {
    if (!options_.bools.empty() && number(0, 3) == 0) return pick(options_.bools);
    return ctx_.make(kComparisons[number(0, 5)], {symbol(), number(0, 1) == 0 ? constant() : symbol()});
  }
  switch (number(0, 11)) {
    case 0:
      return ctx_.make(Op::And, {formula(below(depth)), formula(below(depth))});
    case 1:
      return ctx_.make(Op::Or, {formula(below(depth)), formula(below(depth))});
    case 2:
      return ctx_.make(Op::Not, {formula(below(depth))});
    case 3:
      return ctx_.make(Op::Implies, {formula(below(depth)), formula(below(depth))});
    case 4:
      return ctx_.make(number(0, 1) == 0 ? Op::Iff : Op::Eq, {formula(below(depth)), formula(below(depth))});
    case 5:
      return ctx_.make(Op::Ite, {formula(below(depth)), formula(below(depth)), formula(below(depth))});
    case 6:
      return ctx_.make(Op::Divides, {constant(), term(below(depth))});
    case 7:
      return ctx_.make(Op::In, {term(below(depth)), constant(), constant()});
    case 8:
      return ctx_.make(Op::Distinct, {term(below(depth)), term(below(depth)), constant()});
    default:
      return ctx_.make(kComparisons[number(0, 5)], {term(below(depth)), term(below(depth))});
  }
}

Expr RandomFormulas::fact() {
  const Expr s = symbol();
  const Expr k = ctx_.integer(number(2, 4));
  switch (number(0, 4)) {
    case 0:
      return ctx_.make(Op::Ge, {s, constant()});
    case 1:
      return ctx_.make(Op::Le, {s, constant()});
    case 2:
      return ctx_.make(Op::Eq, {ctx_.make(Op::Mod, {s, k}), ctx_.integer(number(0, 1))});
    case 3:
      return ctx_.make(Op::Le, {s, ctx_.make(Op::Add, {symbol(), constant()})});
    default:
      return ctx_.make(Op::Eq, {s, ctx_.make(Op::Add, {ctx_.make(Op::Mul, {k, symbol()}), constant()})});
  }
}

}  // namespace dimgate::test
