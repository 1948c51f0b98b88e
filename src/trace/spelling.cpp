// From a canonical formula to one that a person would write: terms moved to the side where they are positive, residues
// as `%`, equalities with the simpler side on the right. Linear in the formula. The result has the same canonical form,
// which tests/trace/spelling_test.cpp checks on random formulas.
#include "trace/spelling.hpp"

#include "expr/comparisons.hpp"
#include "expr/node_map.hpp"

namespace dimgate {

namespace {

using Terms = SmallVector<Expr, 4>;

/// A sum as what is added and what is taken away; every entry is positive.
struct Sum {
  Terms plus, minus;
  Terms negated;  // of each in `minus`: with its sign
  Integer constant = 0;
};

class Speller {
 public:
  explicit Speller(Context& ctx) : ctx_(ctx) {}

  Expr run(Expr e) {
    if (e.size() == 0) return e;
    SmallVector<std::pair<Expr, bool>, 16> stack{{e, false}};
    while (!stack.empty()) {
      const auto [n, ready] = stack.back();
      if (done_.contains(n.node())) {
        stack.pop_back();
        continue;
      }
      if (!ready) {
        stack.back().second = true;
        for (std::size_t i = n.size(); i-- > 0;)
          if (n[i].size() != 0) stack.emplace_back(n[i], false);
        continue;
      }
      stack.pop_back();
      done_.try_emplace(n.node(), spell(n));
    }
    return of(e);
  }

 private:
  Expr of(Expr e) const { return e.size() == 0 ? e : *done_.find(e.node()); }  // leaves are as they are

  /// c * atoms, its operands spelled, without the sign.
  Expr without_sign(Expr product, const Integer& c) {
    Terms args;
    if (!abs(c).is_one()) args.push_back(ctx_.integer(abs(c)));
    for (std::size_t i = 1; i < product.size(); ++i) args.push_back(of(product[i]));
    return args.size() == 1 ? args[0] : ctx_.make(Op::Mul, args);
  }

  /// -2*y as written; -1*y as -y.
  Expr with_sign(Expr product) {
    Terms args;
    if (product[0].integer() != Integer(-1)) args.push_back(product[0]);
    for (std::size_t i = 1; i < product.size(); ++i) args.push_back(of(product[i]));
    const Expr rest = args.size() == 1 ? args[0] : ctx_.make(Op::Mul, args);
    return product[0].integer() == Integer(-1) ? ctx_.make(Op::Neg, {rest}) : rest;
  }

  /// Splits a canonical sum (or any term as a sum of one).
  Sum split(Expr e) {
    Sum sum;
    const auto take = [&](Expr t) {
      if (t.is_int()) {
        sum.constant += t.integer();
      } else if (t.is(Op::Mul) && t[0].is_int() && t.size() >= 2) {
        const Expr magnitude = without_sign(t, t[0].integer());
        if (t[0].integer().sign() > 0) {
          sum.plus.push_back(magnitude);
        } else {
          sum.minus.push_back(magnitude);
          sum.negated.push_back(with_sign(t));
        }
      } else {
        sum.plus.push_back(of(t));
      }
    };
    if (e.is(Op::Add))
      for (std::size_t i = 0; i < e.size(); ++i) take(e[i]);
    else
      take(e);
    return sum;
  }

  Expr join(std::span<const Expr> terms) {
    if (terms.empty()) return {};
    return terms.size() == 1 ? terms[0] : ctx_.make(Op::Add, terms);
  }

  /// terms + constant.
  Expr with_constant(std::span<const Expr> terms, const Integer& c) {
    const Expr sum = join(terms);
    if (!sum) return ctx_.integer(c);
    if (c.is_zero()) return sum;
    if (c.sign() < 0) return ctx_.make(Op::Sub, {sum, ctx_.integer(-c)});
    Terms all;
    all.append(terms.begin(), terms.end());
    all.push_back(ctx_.integer(c));
    return ctx_.make(Op::Add, all);
  }

  Expr write(const Sum& s) {
    Expr out;
    if (s.plus.empty() && !s.minus.empty() && s.constant.sign() <= 0) {
      out = s.negated[0];
      for (std::size_t i = 1; i < s.minus.size(); ++i) out = ctx_.make(Op::Sub, {out, s.minus[i]});
      return s.constant.is_zero() ? out : ctx_.make(Op::Sub, {out, ctx_.integer(-s.constant)});
    }
    if (s.minus.empty()) return with_constant(s.plus, s.constant);
    // a + 3 - b, a - b - 3
    out = s.constant.sign() > 0 ? with_constant(s.plus, s.constant) : join(s.plus);
    for (const Expr m : s.minus) out = ctx_.make(Op::Sub, {out, m});
    return s.constant.sign() < 0 ? ctx_.make(Op::Sub, {out, ctx_.integer(-s.constant)}) : out;
  }

  /// sum op 0 with the subtracted terms on the other side.
  Expr comparison(Op op, Sum s) {
    if (s.plus.empty()) {
      std::swap(s.plus, s.minus);
      s.constant = -s.constant;
      op = mirrored(op);
    }
    Expr left, right;
    if (s.minus.empty() || s.constant.sign() <= 0) {
      left = join(s.plus);
      right = with_constant(s.minus, -s.constant);
    } else {
      left = with_constant(s.plus, s.constant);
      right = join(s.minus);
    }
    return ctx_.make(op, {left, right});
  }

  Expr spell(Expr e) {
    switch (e.op()) {
      case Op::Add:
        return write(split(e));
      case Op::Mul:
        if (e[0].is_int() && e[0].integer() == Integer(-1)) return write(split(e));
        break;
      case Op::Eq:
      case Op::Ne:
      case Op::Lt:
      case Op::Le:
      case Op::Gt:
      case Op::Ge:
        if (e[0].sort() == Sort::Int && e[1].is_int() && !e[0].is_int()) {
          Sum s = split(e[0]);
          s.constant -= e[1].integer();
          if (!s.plus.empty() || !s.minus.empty()) return comparison(e.op(), std::move(s));
        }
        break;
      case Op::Divides:
        if (e[0].is_int() && e[0].integer().sign() > 0)
          return ctx_.make(Op::Eq, {ctx_.make(Op::Mod, {of(e[1]), of(e[0])}), ctx_.integer(0)});
        break;
      case Op::Not:
        if (e[0].is(Op::Divides) && e[0][0].is_int() && e[0][0].integer().sign() > 0)
          return ctx_.make(Op::Ne, {ctx_.make(Op::Mod, {of(e[0][1]), of(e[0][0])}), ctx_.integer(0)});
        break;
      default:
        break;
    }
    Terms args;
    args.reserve(e.size());
    for (std::size_t i = 0; i < e.size(); ++i) args.push_back(of(e[i]));
    return ctx_.make(e.op(), args);
  }

  Context& ctx_;
  NodeMap<Expr> done_;
};

}  // namespace

Expr spelled(Context& ctx, Expr canonical) { return Speller(ctx).run(canonical); }
std::string spelled_text(Context& ctx, Expr canonical) { return to_text(ctx, spelled(ctx, canonical)); }

}  // namespace dimgate
