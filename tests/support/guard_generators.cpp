#include "support/guard_generators.hpp"

#include <random>
#include <string>

namespace dimgate::test {

namespace {

class Maker {
 public:
  Maker(Context& ctx, std::uint64_t seed) : ctx_(ctx), rng_(seed) {}
  std::int64_t pick(std::int64_t lo, std::int64_t hi) { return std::uniform_int_distribution(lo, hi)(rng_); }
  Expr size(std::size_t tensor, std::size_t dim) {
    return ctx_.symbol("L['x" + std::to_string(tensor) + "'].size()[" + std::to_string(dim) + "]");
  }
  Expr number(std::int64_t v) { return ctx_.integer(v); }
  Expr le(Expr a, Expr b) { return ctx_.make(Op::Le, {a, b}); }
  Expr ge(Expr a, Expr b) { return ctx_.make(Op::Ge, {a, b}); }
  Expr ne(Expr a, Expr b) { return ctx_.make(Op::Ne, {a, b}); }
  Expr eq(Expr a, Expr b) { return ctx_.make(Op::Eq, {a, b}); }
  Expr add(Expr a, Expr b) { return ctx_.make(Op::Add, {a, b}); }
  Expr mul(Expr a, Expr b) { return ctx_.make(Op::Mul, {a, b}); }
  Expr mod(Expr a, std::int64_t m) { return ctx_.make(Op::Mod, {a, number(m)}); }

 private:
  Context& ctx_;
  std::mt19937_64 rng_;
};

}  // namespace

std::vector<Expr> independent_guards(Context& ctx, std::size_t count, std::uint64_t seed) {
  Maker m(ctx, seed);
  std::vector<Expr> out;
  for (std::size_t slot = 0; out.size() < count; ++slot) {
    const Expr x = m.size(slot, 0);
    const std::int64_t lo = m.pick(1, 40);
    const std::int64_t hi = lo + m.pick(50, 5000);
    const std::int64_t k = std::int64_t{1} << m.pick(1, 5);
    const std::int64_t weaker = hi + m.pick(1, 100);
    for (const Expr g :
         {m.ge(x, m.number(lo)), m.le(m.add(x, m.number(7)), m.number(weaker + 7)), m.le(x, m.number(hi)),
          m.eq(m.mod(x, 2 * k), m.number(0)), m.eq(m.mod(x, k), m.number(0)), m.ne(x, m.number(0))})
      if (out.size() < count) out.push_back(g);
  }
  return out;
}

std::vector<Expr> chained_guards(Context& ctx, std::size_t count, std::uint64_t seed) {
  Maker m(ctx, seed);
  std::vector<Expr> out;
  for (std::size_t component = 0; out.size() < count; ++component) {
    std::vector<Expr> a;
    for (std::size_t i = 0; i < 6; ++i) a.push_back(m.size(component, i));
    const std::int64_t lo = m.pick(1, 9);
    const std::int64_t k = m.pick(2, 8);
    const Expr all[16] = {
        m.ge(a[0], m.number(lo)),
        m.le(a[0], a[1]),
        m.le(m.add(a[1], m.number(k)), a[2]),
        m.le(a[2], a[3]),
        m.eq(a[4], m.mul(m.number(2), a[3])),
        m.ge(a[3], m.number(lo)),              // implied along the chain
        m.le(a[0], a[3]),                      // implied
        m.ne(a[2], a[0]),                      // implied: a[2] >= a[0] + k
        m.ge(m.mul(a[0], a[1]), m.number(1)),  // implied: both >= 1
        m.eq(m.mod(a[4], 2), m.number(0)),     // implied by the equation
        m.le(a[5], m.number(500)),
        m.ne(a[5], m.add(a[1], m.number(m.pick(1000, 2000)))),  // needed
        m.eq(m.mod(a[5], 4), m.number(0)),
        m.le(m.add(a[0], a[1]), m.add(a[2], a[3])),  // implied
        m.ge(a[4], m.number(2)),                     // implied
        m.le(a[5], m.add(a[4], m.number(600))),      // implied: a[5] <= 500
    };
    for (const Expr g : all)
      if (out.size() < count) out.push_back(g);
  }
  return out;
}

std::vector<Expr> dense_guards(Context& ctx, std::size_t count, std::uint64_t seed,
                               std::vector<std::pair<Expr, Value>>* point) {
  Maker m(ctx, seed);
  const std::size_t slots = count / 8 + 4;
  std::vector<Expr> x;
  std::vector<std::int64_t> v;  // the hidden point
  for (std::size_t i = 0; i < slots; ++i) {
    x.push_back(m.size(i, 0));
    v.push_back(8 * m.pick(1, 200));
    if (point != nullptr) point->emplace_back(x[i], Value::of(v[i]));
  }
  std::vector<Expr> out;
  while (out.size() < count) {
    const auto i = static_cast<std::size_t>(m.pick(0, static_cast<std::int64_t>(slots) - 1));
    const auto j = static_cast<std::size_t>(m.pick(0, static_cast<std::int64_t>(slots) - 1));
    const auto k = static_cast<std::size_t>(m.pick(0, static_cast<std::int64_t>(slots) - 1));
    switch (m.pick(0, 6)) {
      case 0:
        out.push_back(m.le(x[i], m.add(x[j], m.number(v[i] - v[j] + m.pick(0, 50)))));
        break;
      case 1:
        out.push_back(m.ne(x[i], m.add(x[j], m.number(v[i] - v[j] + m.pick(1, 500)))));
        break;
      case 2:
        out.push_back(m.ge(m.add(x[i], x[j]), m.number(v[i] + v[j] - m.pick(0, 300))));
        break;
      case 3:
        out.push_back(m.eq(m.mod(x[i], 8), m.number(0)));
        break;
      case 4:
        out.push_back(m.le(x[i], m.number(v[i] + m.pick(0, 1000))));
        break;
      case 5:
        out.push_back(m.ge(m.mul(x[i], x[j]), m.number(m.pick(0, 8))));
        break;
      default:
        out.push_back(m.le(m.add(x[i], x[j]), m.add(x[k], m.number(v[i] + v[j] - v[k] + m.pick(0, 9)))));
        break;
    }
  }
  return out;
}

MixedGuards mixed_guards(Context& ctx, std::size_t count, std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  const auto below = [&](std::uint64_t n) { return static_cast<std::int64_t>(rng() % n); };
  std::vector<Expr> symbols;
  std::vector<std::int64_t> value;  // the hidden point that makes every guard true
  for (int i = 0; i < 1000; ++i) {
    symbols.push_back(ctx.symbol("L['x" + std::to_string(i) + "'].size()[0]"));
    value.push_back(1 + below(500));
  }
  struct Base {  // what a later guard can be weaker than
    int kind;
    Expr term;
    std::int64_t bound, modulus;
  };
  std::vector<Base> bases;
  MixedGuards out;
  const auto residue = [&](Expr term, std::int64_t modulus, std::int64_t r) {
    return ctx.make(Op::Eq, {ctx.make(Op::Mod, {term, ctx.integer(modulus)}), ctx.integer(r)});
  };
  while (out.guards.size() < count) {
    const bool implied = !bases.empty() && rng() % 3 == 0;
    if (implied) {
      const Base& b = bases[static_cast<std::size_t>(below(bases.size()))];
      if (b.kind == 1)
        out.guards.push_back(residue(b.term, b.modulus / 2, b.bound % (b.modulus / 2)));
      else
        out.guards.push_back(ctx.make(Op::Ge, {b.term, ctx.integer(b.bound - 1 - below(5))}));
      out.implied.push_back(true);
      continue;
    }
    const std::int64_t draws = 1 + below(3);
    std::vector<Expr> terms;
    std::int64_t sum = 0, product = 1;
    for (std::int64_t i = 0; i < draws; ++i) {
      const auto at = static_cast<std::size_t>(below(1000));
      terms.push_back(symbols[at]);
      sum += value[at];
      product *= value[at];
    }
    const int kind = static_cast<int>(below(3));
    const Op op = kind == 2 ? Op::Mul : Op::Add;
    const Expr term = terms.size() == 1 ? terms[0] : ctx.make(op, terms);
    if (kind == 1) {
      const std::int64_t modulus = 8 << below(3);
      bases.push_back({kind, term, sum % modulus, modulus});
      out.guards.push_back(residue(term, modulus, sum % modulus));
    } else {
      const std::int64_t bound = (kind == 2 ? product : sum) - below(4);
      bases.push_back({kind, term, bound, 0});
      out.guards.push_back(ctx.make(Op::Ge, {term, ctx.integer(bound)}));
    }
    out.implied.push_back(false);
  }
  return out;
}

}  // namespace dimgate::test
