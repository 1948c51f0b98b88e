// Sums spelled with remainders and minima; when it is tried and what it costs: spell.hpp.
#include "simplify/spell.hpp"

#include <algorithm>
#include <unordered_map>

#include "simplify/affine.hpp"
#include "simplify/forms.hpp"

namespace dimgate::simplify {

namespace {

using Terms = std::vector<std::pair<Integer, Expr>>;

// sum of coefficient*monomial, and a number
struct Sum {
  Terms terms;
  Integer constant;
};

class Speller {
 public:
  explicit Speller(Context& ctx) : ctx_(ctx) {}

  Expr formula(Expr e) {
    switch (e.op()) {
      case Op::Eq:
      case Op::Ne:
      case Op::Le:
      case Op::Ge:
        if (e[0].sort() == Sort::Int && e[1].is_int()) return relation(e);
        break;
      case Op::Divides:
        if (e[0].is_int()) return residue(e, Op::Eq);
        break;
      case Op::Not:
        if (e[0].is(Op::Divides) && e[0][0].is_int()) return residue(e[0], Op::Ne);
        break;
      default:
        break;
    }
    return rebuilt(e);
  }

  Expr term(Expr e) {
    const auto [it, fresh] = memo_.try_emplace(e);
    if (!fresh) return it->second;
    const Expr out = spell_term(e);
    return memo_[e] = out;
  }

 private:
  Expr rebuilt(Expr e) {
    if (e.size() == 0) return e;
    std::vector<Expr> parts;
    for (std::size_t i = 0; i < e.size(); ++i) parts.push_back(e[i].sort() == Sort::Bool ? formula(e[i]) : term(e[i]));
    return ctx_.make(e.op(), parts);
  }

  Expr spell_term(Expr e) {
    if (e.is(Op::Add) || (e.is(Op::Mul) && e[0].is_int())) return sum(folded(read(e)));
    if (e.is(Op::Max)) return maximum(Integer(1), e);
    return rebuilt(e);
  }

  static Sum read(Expr e) {
    Sum out;
    const auto add = [&](Expr t) {
      if (t.is_int())
        out.constant += t.integer();
      else
        out.terms.emplace_back(coefficient(t), t);
    };
    if (e.is(Op::Add))
      for (std::size_t i = 0; i < e.size(); ++i) add(e[i]);
    else
      add(e);
    return out;
  }
  static Integer coefficient(Expr t) { return t.is(Op::Mul) && t[0].is_int() ? t[0].integer() : Integer(1); }
  static std::vector<Expr> factors(Expr t) {
    std::vector<Expr> out;
    if (!t.is(Op::Mul)) return {t};
    for (std::size_t i = t[0].is_int() ? 1 : 0; i < t.size(); ++i) out.push_back(t[i]);
    return out;
  }

  // The terms with their coefficients taken out, and k*(e//k) - e as -(e % k) where that leaves fewer terms.
  // Terms that are remainders already hold no place in the canonical sum.
  Sum folded(Sum s) {
    Terms remainders;
    for (bool again = true; again;) {
      again = false;
      for (std::size_t i = 0; i < s.terms.size() && !again; ++i) {
        const auto [c, t] = s.terms[i];
        const auto found = division(t, c);
        if (!found) continue;
        std::vector<Expr> parts{ctx_.make(Op::Mul, {ctx_.integer(found->times), found->quotient[0]})};
        for (std::size_t k = 0; k < s.terms.size(); ++k)
          if (k != i) parts.push_back(s.terms[k].second);
        const Sum rest = read(ctx_.canonical(parts.size() == 1 ? parts[0] : ctx_.make(Op::Add, parts)));
        if (rest.terms.size() >= s.terms.size()) continue;
        remainders.emplace_back(-found->times,
                                ctx_.make(Op::Mod, {term(found->quotient[0]), term(found->quotient[1])}));
        const Integer constant = s.constant + rest.constant;
        s = rest;
        s.constant = constant;
        again = true;
      }
    }
    Sum out;
    out.constant = s.constant;
    for (const auto& [c, t] : s.terms) {
      const std::vector<Expr> all = factors(t);
      if (all.size() == 1 && all[0].is(Op::Max)) {
        Integer shift = 0;
        auto [sign, spelled] = extremum(c, all[0], shift);
        out.terms.emplace_back(sign, spelled);
        out.constant += shift;
        continue;
      }
      std::vector<Expr> written;
      for (const Expr f : all) written.push_back(term(f));
      out.terms.emplace_back(c, written.size() == 1 ? written[0] : ctx_.make(Op::Mul, written));
    }
    out.terms.insert(out.terms.end(), remainders.begin(), remainders.end());
    return out;
  }

  struct Division {
    Integer times;
    Expr quotient;
  };
  // c*(e//k) = times*k*(e//k), where the whole term is that.
  static std::optional<Division> division(Expr t, const Integer& c) {
    const std::vector<Expr> all = factors(t);
    if (all.size() == 1 && all[0].is(Op::FloorDiv) && all[0][1].is_int() && !all[0][1].integer().is_zero() &&
        floor_mod(c, all[0][1].integer()).is_zero())
      return Division{floor_div(c, all[0][1].integer()), all[0]};
    if (all.size() == 2)
      for (const std::size_t k : {0, 1})
        if (all[k].is(Op::FloorDiv) && all[k][1] == all[1 - k]) return Division{c, all[k]};
    return std::nullopt;
  }

  // c*max(...) as the sign and spelling that read best; `shift`: what is to be added besides.
  std::pair<Integer, Expr> extremum(const Integer& c, Expr maximum_of, Integer& shift) {
    const Expr high = maximum(Integer(1), maximum_of);
    // min(u - a, u - b) for -max(a, b) = min(-a, -b), with u so that the one operand that varies begins with no number
    std::vector<Expr> negative;
    Integer u = 0;
    std::size_t varying = 0;
    for (std::size_t i = 0; i < maximum_of.size(); ++i) {
      const Expr n = ctx_.canonical(ctx_.make(Op::Neg, {maximum_of[i]}));
      negative.push_back(n);
      if (n.is_int()) continue;
      ++varying;
      u = -read(n).constant;
    }
    if (varying != 1) u = 0;
    std::vector<Expr> written;
    for (const Expr n : negative)
      written.push_back(term(u.is_zero() ? n : ctx_.canonical(ctx_.make(Op::Add, {n, ctx_.integer(u)}))));
    const Expr low = ctx_.make(Op::Min, written);
    const bool flip = reading_cost(low) + minus_signs(low) < reading_cost(high) + minus_signs(high) ||
                      (reading_cost(low) + minus_signs(low) == reading_cost(high) + minus_signs(high) && c.sign() < 0);
    if (!flip) return {c, high};
    shift = c * u;  // c*max = -c*min(...) with min(...) = u - max
    return {-c, low};
  }
  static std::uint32_t minus_signs(Expr e) {
    std::uint32_t n = 0;
    for (std::size_t i = 0; i < e.size(); ++i) {
      const Integer c = coefficient(e[i].is(Op::Add) ? e[i][0] : e[i]);
      if (!e[i].is_int() && (c.sign() < 0 || e[i].is(Op::Neg))) n += 4;
    }
    return n;
  }
  Expr maximum(const Integer&, Expr e) { return rebuilt(e); }

  // a + 2*b - 3, what is positive first.
  Expr sum(const Sum& s) {
    std::vector<Expr> plus, minus;
    for (const auto& [c, t] : s.terms) {
      if (c.is_zero()) continue;
      (c.sign() > 0 ? plus : minus).push_back(scaled(c, t));
    }
    plus.insert(plus.end(), minus.begin(), minus.end());
    if (!s.constant.is_zero() || plus.empty()) plus.push_back(ctx_.integer(s.constant));
    return plus.size() == 1 ? plus[0] : ctx_.make(Op::Add, plus);
  }
  Expr scaled(const Integer& c, Expr t) {
    if (c.is_one()) return t;
    std::vector<Expr> parts{ctx_.integer(c)};
    if (t.is(Op::Mul))
      for (std::size_t i = 0; i < t.size(); ++i) parts.push_back(t[i]);
    else
      parts.push_back(t);
    return ctx_.make(Op::Mul, parts);
  }

  // Positive coefficients on both sides, divided by what they share.
  Expr relation(Expr e) {
    Sum s = folded(read(e[0]));
    Integer constant = e[1].integer() - s.constant;
    Integer g = constant;
    for (const auto& [c, t] : s.terms) g = gcd(g, c);
    if (g > Integer(1) &&
        std::none_of(s.terms.begin(), s.terms.end(), [](const auto& t) { return t.first.is_zero(); })) {
      for (auto& [c, t] : s.terms) c = floor_div(c, g);
      constant = floor_div(constant, g);
    }
    return spell_relation(ctx_, e.op(), s.terms, constant);
  }

  // divides(k, e + c) as e % k == -c.
  Expr residue(Expr divides, Op op) {
    const Integer k = divides[0].integer();
    Sum s = folded(read(divides[1]));
    if (k.sign() <= 0 || s.terms.empty()) return op == Op::Eq ? divides : ctx_.make(Op::Not, {divides});
    const Integer r = floor_mod(-s.constant, k);
    s.constant = 0;
    const bool opposite = std::all_of(s.terms.begin(), s.terms.end(), [](const auto& t) { return t.first.sign() < 0; });
    if (opposite)
      for (auto& [c, t] : s.terms) c = -c;
    return ctx_.make(op,
                     {ctx_.make(Op::Mod, {sum(s), ctx_.integer(k)}), ctx_.integer(opposite ? floor_mod(-r, k) : r)});
  }

  Context& ctx_;
  std::unordered_map<Expr, Expr> memo_;
};

}  // namespace

Expr spell(Context& ctx, Expr canonical) {
  if (canonical.node()->weight > kMaxSpelledWeight) return {};
  const Expr out = Speller(ctx).formula(canonical);
  return out && ctx.canonical(out) == ctx.canonical(canonical) ? out : Expr{};
}

}  // namespace dimgate::simplify
