// Tests on one slot, recognised by shape: exact for every int64 value of the slot, over the unbounded integers.
#include "compile/lowering.hpp"
#include "expr/comparisons.hpp"

namespace dimgate::lowering {
namespace {

constexpr std::uint32_t kMaxWeight = 16;  // patterns are small; larger terms are lowered as they are

/// a * symbol + b; a == 0: the constant b (and then symbol is null).
struct Affine {
  const Node* symbol = nullptr;
  Integer a = 0, b = 0;
};

// Recursion is bounded by kMaxWeight.
std::optional<Affine> affine(const Node* n) {
  if (n->weight > kMaxWeight) return std::nullopt;
  switch (n->op) {
    case Op::IntConst:
      return Affine{nullptr, 0, *n->integer};
    case Op::Symbol:
      return n->sort == Sort::Int ? std::optional(Affine{n, 1, 0}) : std::nullopt;
    case Op::Neg: {
      auto x = affine(n->args()[0]);
      if (x) x->a = -x->a, x->b = -x->b;
      return x;
    }
    case Op::Add:
    case Op::Sub: {
      auto sum = affine(n->args()[0]);
      for (std::uint32_t k = 1; sum && k < n->size; ++k) {
        const auto x = affine(n->args()[k]);
        if (!x || (x->symbol && sum->symbol && x->symbol != sum->symbol)) return std::nullopt;
        if (x->symbol) sum->symbol = x->symbol;
        sum->a = n->op == Op::Add ? sum->a + x->a : sum->a - x->a;
        sum->b = n->op == Op::Add ? sum->b + x->b : sum->b - x->b;
      }
      return sum;
    }
    case Op::Mul: {
      auto product = affine(n->args()[0]);
      for (std::uint32_t k = 1; product && k < n->size; ++k) {
        auto x = affine(n->args()[k]);
        if (!x || (x->symbol && product->symbol)) return std::nullopt;
        if (x->symbol) std::swap(*product, *x);
        product->a *= x->b;
        product->b *= x->b;
      }
      return product;
    }
    default:
      return std::nullopt;
  }
}

/// [lo, hi] cut to int64, as a range; outside of everything if empty.
SlotRange cut(SlotIndex slot, const Integer& lo, const Integer& hi, bool outside) {
  const Integer l = lo < Integer(kMin) ? Integer(kMin) : lo;
  const Integer h = hi > Integer(kMax) ? Integer(kMax) : hi;
  if (l > h) return {slot, kMin, ~std::uint64_t{0}, !outside};
  return {slot, l.small(), static_cast<std::uint64_t>(h.small()) - static_cast<std::uint64_t>(l.small()), outside};
}

Op negated(Op op) noexcept {
  switch (op) {
    case Op::Eq:
      return Op::Ne;
    case Op::Ne:
      return Op::Eq;
    case Op::Lt:
      return Op::Ge;
    case Op::Ge:
      return Op::Lt;
    case Op::Le:
      return Op::Gt;
    default:
      return Op::Le;
  }
}

/// Raw bits of a constant that is compared by bits: a name is compared by its id.
std::optional<std::int64_t> raw_constant(Context& ctx, const Layout& layout, const Node* n) {
  switch (n->op) {
    case Op::EnumConst:
      return layout.names().intern(ctx.enum_name(Expr(n)));
    case Op::FloatConst:
      return static_cast<std::int64_t>(n->bits);
    case Op::IntConst:
      return n->integer->to_int64();
    default:
      return std::nullopt;
  }
}

/// IEEE equality with this double is equality of bits: neither zero (it has two signs) nor a NaN.
bool equal_by_bits(std::uint64_t bits) noexcept {
  const std::uint64_t magnitude = bits << 1;
  return magnitude != 0 && magnitude <= (std::uint64_t{0x7ff} << 53);
}

// Most terms are no affine ones, and most that are, are a symbol or a constant: seen without arithmetic.
bool may_be_affine(const Node* n) noexcept {
  switch (n->op) {
    case Op::IntConst:
    case Op::Symbol:
    case Op::Neg:
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
      return n->weight <= kMaxWeight;
    default:
      return false;
  }
}

/// slot `op` c, where that is some value of an int64.
std::optional<SlotRange> compared(SlotIndex slot, Op op, std::int64_t c) noexcept {
  const auto between = [slot](std::int64_t lo, std::int64_t hi) {
    return SlotRange{slot, lo, static_cast<std::uint64_t>(hi) - static_cast<std::uint64_t>(lo), false};
  };
  switch (op) {
    case Op::Eq:
      return between(c, c);
    case Op::Ne:
      return SlotRange{slot, c, 0, true};
    case Op::Le:
      return between(kMin, c);
    case Op::Ge:
      return between(c, kMax);
    case Op::Lt:
      if (c == kMin) return std::nullopt;
      return between(kMin, c - 1);
    default:
      if (c == kMax) return std::nullopt;
      return between(c + 1, kMax);
  }
}

}  // namespace

std::optional<SlotRange> Lowering::as_range(const Node* n, bool polarity) const {
  const auto slot = [&](const Node* symbol) { return info_of(symbol).slot(); };
  if (n->op == Op::Symbol && n->sort == Sort::Bool) return SlotRange{slot(n), polarity ? 1 : 0, 0, false};
  if (n->op == Op::SameBits || ((n->op == Op::Eq || n->op == Op::Ne) && n->args()[0]->sort != Sort::Int)) {
    const Node *l = n->args()[0], *r = n->args()[1];
    if (l->sort == Sort::Bool) return std::nullopt;
    if (r->op == Op::Symbol) std::swap(l, r);
    const auto raw = raw_constant(ctx_, layout_, r);
    if (l->op != Op::Symbol || !raw) return std::nullopt;
    if (n->op != Op::SameBits && r->op == Op::FloatConst && !equal_by_bits(r->bits)) return std::nullopt;
    return SlotRange{slot(l), *raw, 0, (n->op != Op::Ne) != polarity};
  }
  if (n->op < Op::Eq || n->op > Op::Ge) return std::nullopt;
  const Node *left = n->args()[0], *right = n->args()[1];
  if (!may_be_affine(left) || !may_be_affine(right)) return std::nullopt;
  const Op op = polarity ? n->op : negated(n->op);
  if (left->op == Op::Symbol) {
    if (right->op == Op::Symbol && right != left) return std::nullopt;
    if (right->op == Op::IntConst && right->integer->is_small())
      if (const auto r = compared(slot(left), op, right->integer->small())) return r;
  } else if (right->op == Op::Symbol && left->op == Op::IntConst && left->integer->is_small()) {
    if (const auto r = compared(slot(right), mirrored(op), left->integer->small())) return r;
  }
  const auto l = affine(left);
  if (!l) return std::nullopt;
  const auto r = affine(right);
  if (!r || (l->symbol && r->symbol && l->symbol != r->symbol)) return std::nullopt;
  // a * x  op  c
  const Integer a = l->a - r->a, c = r->b - l->b;
  const Node* symbol = l->symbol ? l->symbol : r->symbol;
  if (!symbol || a.is_zero()) return std::nullopt;
  const SlotIndex x = slot(symbol);
  const Integer low(kMin), high(kMax);
  switch (op) {
    case Op::Eq:
    case Op::Ne: {
      const bool outside = (n->op == Op::Ne) == polarity;
      if (!floor_mod(c, a).is_zero()) return cut(x, 1, 0, outside);
      const Integer v = floor_div(c, a);
      return cut(x, v, v, outside);
    }
    case Op::Le:
      return a.sign() > 0 ? cut(x, low, floor_div(c, a), false) : cut(x, ceil_div(c, a), high, false);
    case Op::Lt:
      return a.sign() > 0 ? cut(x, low, ceil_div(c, a) - 1, false) : cut(x, floor_div(c, a) + 1, high, false);
    case Op::Ge:
      return a.sign() > 0 ? cut(x, ceil_div(c, a), high, false) : cut(x, low, floor_div(c, a), false);
    default:
      return a.sign() > 0 ? cut(x, floor_div(c, a) + 1, high, false) : cut(x, low, ceil_div(c, a) - 1, false);
  }
}

std::optional<SlotPair> Lowering::as_pair(const Node* n, bool polarity) const {
  const bool compares = n->op >= Op::Eq && n->op <= Op::Ge;
  if (!compares && n->op != Op::SameBits) return std::nullopt;
  const Node *l = n->args()[0], *r = n->args()[1];
  if (l->op != Op::Symbol || r->op != Op::Symbol || l->sort == Sort::Bool) return std::nullopt;
  if (l->sort == Sort::Float && n->op != Op::SameBits) return std::nullopt;
  const Op op = !compares ? (polarity ? Op::Eq : Op::Ne) : polarity ? n->op : negated(n->op);
  switch (op) {
    case Op::Eq:
      return SlotPair{Code::PairsEq, l, r};
    case Op::Ne:
      return SlotPair{Code::PairsNe, l, r};
    case Op::Lt:
      return SlotPair{Code::PairsLt, l, r};
    case Op::Le:
      return SlotPair{Code::PairsLe, l, r};
    case Op::Gt:
      return SlotPair{Code::PairsLt, r, l};
    default:
      return SlotPair{Code::PairsLe, r, l};
  }
}

std::optional<SlotCongruence> Lowering::as_congruence(const Node* n, bool polarity) const {
  const Node* term = nullptr;
  Integer modulus, residue = 0;
  if (n->op == Op::Divides) {
    if (n->args()[0]->op != Op::IntConst) return std::nullopt;
    modulus = *n->args()[0]->integer;
    term = n->args()[1];
  } else if (n->op == Op::Eq || n->op == Op::Ne) {
    const Node *l = n->args()[0], *r = n->args()[1];
    if (r->op == Op::Mod) std::swap(l, r);
    if (l->op != Op::Mod) return std::nullopt;
    if (r->op != Op::IntConst || l->args()[1]->op != Op::IntConst) return std::nullopt;
    modulus = *l->args()[1]->integer;
    residue = *r->integer;
    term = l->args()[0];
    // A residue that the modulus cannot leave makes the comparison constant: not a congruence.
    if (!modulus.is_zero() && floor_mod(residue, modulus) != residue) return std::nullopt;
  } else {
    return std::nullopt;
  }
  if (term->op == Op::Symbol && modulus.is_small() && !modulus.is_zero() && modulus.small() != kMin) {
    const std::int64_t m = modulus.small() < 0 ? -modulus.small() : modulus.small();
    const Integer r = floor_mod(residue, Integer(m));
    return SlotCongruence{info_of(term).slot(), static_cast<std::uint64_t>(m), static_cast<std::uint64_t>(r.small()),
                          (n->op != Op::Ne) != polarity};
  }
  if (!may_be_affine(term)) return std::nullopt;
  const auto x = affine(term);
  if (modulus.is_zero() || !modulus.is_small() || modulus.small() == kMin || !x || !x->symbol || x->a.is_zero())
    return std::nullopt;
  // a*x + b == residue (mod m)  <=>  x == ((residue - b)/g) * (a/g)^-1 (mod m/g), g = gcd(a, m), if g divides.
  const Integer m = abs(modulus), want = floor_mod(residue - x->b, m);
  Integer g, inverse, unused;
  extended_gcd(floor_mod(x->a, m), m, g, inverse, unused);
  if (!floor_mod(want, g).is_zero()) return std::nullopt;
  const Integer reduced = floor_div(m, g);
  const Integer r = floor_mod(floor_div(want, g) * inverse, reduced);
  return SlotCongruence{info_of(x->symbol).slot(), static_cast<std::uint64_t>(reduced.small()),
                        static_cast<std::uint64_t>(r.small()), (n->op != Op::Ne) != polarity};
}

}  // namespace dimgate::lowering
