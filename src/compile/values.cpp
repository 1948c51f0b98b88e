// Terms as registers.
#include <algorithm>
#include <bit>

#include "compile/lowering.hpp"

namespace dimgate::lowering {
namespace {

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr std::size_t kMaxLoads = 256;           // a phase: their registers are all alive at once
constexpr std::uint32_t kMaxFloatDistinct = 64;  // compared pair by pair: IEEE equality is no order

const Integer& slot_magnitude() {
  static const Integer bound = abs(Integer(std::numeric_limits<std::int64_t>::min()));
  return bound;
}

const Integer& larger(const Integer& a, const Integer& b) { return a < b ? b : a; }

}  // namespace

Value Lowering::constant(std::int64_t v) {
  Value c;
  c.is_imm = true;
  c.imm = v;
  c.magnitude = abs(Integer(v));
  return c;
}

Value Lowering::truth_constant(int t) {
  Value c;
  c.is_imm = true;
  c.imm = t;
  c.partial = t == 1;
  return c;
}

Reg Lowering::in_register(const Value& v) {
  if (!v.is_imm) return v.reg;
  const Reg r = fresh();
  emit(Code::Const, r, 0, 0, v.imm);
  return r;
}

Reg Lowering::both(Reg a, Reg b) {
  if (a == kNoReg || a == b) return b;
  if (b == kNoReg) return a;
  const Reg r = fresh();
  emit(Code::Min, r, a, b);
  return r;
}

Value Lowering::masked(Reg truth, Reg defined, bool partial) {
  Value v;
  v.partial = partial || defined != kNoReg;
  v.reg = truth;
  if (defined != kNoReg) {
    v.reg = fresh();
    emit(Code::Mask, v.reg, truth, defined);
  }
  return v;
}

/// The value of a leaf or of a node whose value is kept; else lowered now.
Value Lowering::operand(const Node* n) {
  switch (n->op) {
    case Op::IntConst: {
      if (n->integer->is_small()) return constant(n->integer->small());
      break;
    }
    case Op::BoolConst:
      return truth_constant(n->bits != 0 ? 2 : 0);
    case Op::FloatConst:
      return constant(static_cast<std::int64_t>(n->bits));
    case Op::EnumConst:
      return constant(layout_.names().intern(ctx_.enum_name(Expr(n))));
    case Op::Symbol:
      break;
    default:
      return value(n);
  }
  if (const auto it = memo_.find(n); it != memo_.end()) return it->second;
  if (const auto it = leaves_.find(n); it != leaves_.end()) return it->second;
  Value v;
  v.reg = fresh();
  if (n->op == Op::Symbol && n->sort != Sort::Bool && phase_loads_.size() < kMaxLoads) {
    // Loaded with others where the phase's general code starts: good from here on, whatever is jumped over.
    phase_loads_.push_back({v.reg, slot_of(n)});
    v.magnitude = slot_magnitude();
    memo_.emplace(n, v);
    return v;
  }
  if (n->op == Op::Symbol) {
    emit(n->sort == Sort::Bool ? Code::LoadBool : Code::Load, v.reg, slot_of(n));
    v.magnitude = slot_magnitude();
  } else {
    detail::BigInt big{n->integer->sign() < 0, {}};
    Integer rest = abs(*n->integer);
    const Integer base = pow(Integer(2), 32);
    for (std::size_t k = 0; !rest.is_zero(); ++k) {
      const auto part = static_cast<std::uint64_t>(floor_mod(rest, base).small());
      if (k % 2 == 0)
        big.limbs.push_back(part);
      else
        big.limbs.back() |= part << 32;
      rest = floor_div(rest, base);
    }
    v.magnitude = abs(*n->integer);
    if (v.magnitude.bit_length() > options_.max_bits)
      refuse("a constant needs " + std::to_string(v.magnitude.bit_length()) + " bits, more than " +
             std::to_string(options_.max_bits));
    largest_ = larger(largest_, v.magnitude);
    emit(Code::BigConst, v.reg, static_cast<std::uint32_t>(out_.bigs.size()));
    out_.bigs.push_back(std::move(big));
  }
  (conditional_ ? leaves_ : memo_).emplace(n, v);
  return v;
}

Value Lowering::value(const Node* root) {
  if (const auto it = memo_.find(root); it != memo_.end()) return it->second;
  if (root->op <= Op::Symbol) return operand(root);
  std::vector<std::pair<const Node*, std::uint32_t>> stack{{root, 0}};
  while (!stack.empty() && !error_) {
    auto& [n, next] = stack.back();
    if (next < n->size) {
      const Node* child = n->args()[next++];
      if (child->op > Op::Symbol && !memo_.contains(child)) stack.emplace_back(child, 0);
      continue;
    }
    const Node* done = n;
    stack.pop_back();
    if (memo_.contains(done)) continue;
    const Value v = build(done);
    if (v.magnitude.bit_length() > options_.max_bits) {
      refuse("a term needs " + std::to_string(v.magnitude.bit_length()) + " bits, more than " +
             std::to_string(options_.max_bits));
      break;
    }
    largest_ = larger(largest_, v.magnitude);
    memo_.emplace(done, v);
  }
  if (error_) return constant(0);
  return memo_.at(root);
}

Value Lowering::build(const Node* n) {
  switch (n->op) {
    case Op::Add:
    case Op::Sub:
    case Op::Neg:
      return build_sum(n);
    case Op::Mul:
      return build_product(n);
    case Op::FloorDiv:
    case Op::Mod:
    case Op::CeilDiv:
      return build_division(n);
    case Op::Min:
    case Op::Max:
    case Op::Abs:
      return build_extreme(n);
    case Op::Pow:
      return build_power(n);
    case Op::Ite:
      return build_choice(n);
    case Op::Eq:
    case Op::Ne:
    case Op::Lt:
    case Op::Le:
    case Op::Gt:
    case Op::Ge:
    case Op::SameBits:
    case Op::IsNan:
    case Op::Divides:
      return build_comparison(n);
    case Op::Distinct:
      return build_distinct(n);
    case Op::In:
      return build_member(n);
    case Op::And:
    case Op::Or:
    case Op::Not:
    case Op::Implies:
    case Op::Iff:
      return build_connective(n);
    case Op::IntConst:
    case Op::BoolConst:
    case Op::FloatConst:
    case Op::EnumConst:
    case Op::Symbol:
      return operand(n);
  }
  return constant(0);
}

/// code(a, b) for a commutative code with an immediate twin right after it where b may be a constant.
Value Lowering::binary(Code code, const Value& a, const Value& b, Integer magnitude) {
  Value v;
  v.defined = both(a.defined, b.defined);
  v.magnitude = std::move(magnitude);
  v.reg = fresh();
  const bool has_twin = code != Code::Sub;
  if (has_twin && (a.is_imm || b.is_imm)) {
    const Value& reg = a.is_imm ? b : a;
    const Value& imm = a.is_imm ? a : b;
    const Code twin = code == Code::Add   ? Code::AddI
                      : code == Code::Mul ? Code::MulI
                      : code == Code::Min ? Code::MinI
                                          : Code::MaxI;
    const Reg r = in_register(reg);
    emit(twin, v.reg, r, 0, imm.imm);
  } else {
    const Reg l = in_register(a), r = in_register(b);
    emit(code, v.reg, l, r);
  }
  return v;
}

Value Lowering::build_sum(const Node* n) {
  Value sum = operand(n->args()[0]);
  if (n->op == Op::Neg) {
    if (sum.is_imm && sum.imm != std::numeric_limits<std::int64_t>::min()) {
      sum.imm = -sum.imm;
      return sum;
    }
    Value v = sum;
    v.is_imm = false;
    const Reg r = in_register(sum);
    v.reg = fresh();
    emit(Code::Neg, v.reg, r);
    return v;
  }
  for (std::uint32_t k = 1; k < n->size && !error_; ++k) {
    Value x = operand(n->args()[k]);
    const Integer magnitude = sum.magnitude + x.magnitude;
    if (sum.is_imm && x.is_imm) {
      const Integer folded = n->op == Op::Add ? Integer(sum.imm) + Integer(x.imm) : Integer(sum.imm) - Integer(x.imm);
      if (folded.is_small()) {
        const Reg defined = both(sum.defined, x.defined);
        sum = constant(folded.small());
        sum.defined = defined;
        continue;
      }
    }
    if (n->op == Op::Sub && x.is_imm && x.imm != std::numeric_limits<std::int64_t>::min()) {
      x.imm = -x.imm;
      sum = binary(Code::Add, sum, x, magnitude);
    } else {
      sum = binary(n->op == Op::Add ? Code::Add : Code::Sub, sum, x, magnitude);
    }
  }
  return sum;
}

Value Lowering::build_product(const Node* n) {
  Value product = operand(n->args()[0]);
  for (std::uint32_t k = 1; k < n->size && !error_; ++k) {
    const Value x = operand(n->args()[k]);
    const Integer magnitude = product.magnitude * x.magnitude;
    if (magnitude.bit_length() > options_.max_bits) {
      refuse("a product needs " + std::to_string(magnitude.bit_length()) + " bits, more than " +
             std::to_string(options_.max_bits));
      break;
    }
    if (product.is_imm && x.is_imm) {
      const Integer folded = Integer(product.imm) * Integer(x.imm);
      if (folded.is_small()) {
        const Reg defined = both(product.defined, x.defined);
        product = constant(folded.small());
        product.defined = defined;
        continue;
      }
    }
    product = binary(Code::Mul, product, x, magnitude);
  }
  return product;
}

Value Lowering::build_division(const Node* n) {
  const Value a = operand(n->args()[0]), b = operand(n->args()[1]);
  Value v;
  v.magnitude = n->op == Op::Mod ? b.magnitude : a.magnitude;
  if (b.is_imm) {
    if (b.imm == 0) {  // undefined, whatever a is
      v = constant(0);
      v.defined = fresh();
      emit(Code::Const, v.defined, 0, 0, 1);
      return v;
    }
    const bool power = b.imm > 0 && (b.imm & (b.imm - 1)) == 0 && n->op != Op::CeilDiv;
    const Code code = n->op == Op::FloorDiv ? (power ? Code::DivPow2 : Code::DivI)
                      : n->op == Op::Mod    ? (power ? Code::ModPow2 : Code::ModI)
                                            : Code::CeilDivI;
    const Reg r = in_register(a);
    v.reg = fresh();
    emit(code, v.reg, r, 0, b.imm,
         static_cast<std::uint16_t>(power ? std::countr_zero(static_cast<std::uint64_t>(b.imm)) : 0));
    v.defined = both(a.defined, b.defined);
    return v;
  }
  const Reg l = in_register(a), r = in_register(b);
  if (const auto it = leave_at_.find(n); it != leave_at_.end()) {
    v.reg = fresh();
    emit(n->op == Op::FloorDiv ? Code::DivOr
         : n->op == Op::Mod    ? Code::ModOr
                               : Code::CeilDivOr,
         v.reg, l, r, it->second);
    v.defined = both(a.defined, b.defined);
    return v;
  }
  const Reg non_zero = fresh();
  emit(Code::NonZero, non_zero, r);
  v.reg = fresh();
  emit(n->op == Op::FloorDiv ? Code::Div : n->op == Op::Mod ? Code::Mod : Code::CeilDiv, v.reg, l, r);
  v.defined = both(both(a.defined, b.defined), non_zero);
  return v;
}

Value Lowering::build_extreme(const Node* n) {
  Value best = operand(n->args()[0]);
  if (n->op == Op::Abs) {
    if (best.is_imm && best.imm != std::numeric_limits<std::int64_t>::min()) {
      best.imm = best.imm < 0 ? -best.imm : best.imm;
      return best;
    }
    Value v = best;
    v.is_imm = false;
    const Reg r = in_register(best);
    v.reg = fresh();
    emit(Code::Abs, v.reg, r);
    return v;
  }
  for (std::uint32_t k = 1; k < n->size && !error_; ++k) {
    const Value x = operand(n->args()[k]);
    best = binary(n->op == Op::Min ? Code::Min : Code::Max, best, x, larger(best.magnitude, x.magnitude));
  }
  return best;
}

// By squaring, from the highest bit of the exponent down: no intermediate is larger than the result.
Value Lowering::build_power(const Node* n) {
  const Value base = operand(n->args()[0]);
  const Node* e = n->args()[1];
  if (e->op != Op::IntConst || e->integer->sign() < 0) {
    refuse("an exponent must be a constant >= 0");
    return constant(0);
  }
  const Integer& exponent = *e->integer;
  if (exponent.is_zero()) {  // 1, 0 ** 0 too; but undefined where the base is, a missing slot included
    if (!base.is_imm) return binary(Code::Add, binary(Code::Mul, base, constant(0), 0), constant(1), 1);
    Value one = constant(1);
    one.defined = base.defined;
    return one;
  }
  if (base.is_imm && (base.imm == 0 || base.imm == 1)) return base;
  if (base.is_imm && base.imm == -1) {
    Value v = constant(floor_mod(exponent, Integer(2)).is_zero() ? 1 : -1);
    v.defined = base.defined;
    return v;
  }
  if (base.magnitude.bit_length() <= 1 && base.magnitude <= Integer(1)) {
    // |base| <= 1: the power is the base or its square.
    return floor_mod(exponent, Integer(2)).is_zero() ? binary(Code::Mul, base, base, base.magnitude) : base;
  }
  if (!exponent.is_small() || exponent.small() > static_cast<std::int64_t>(options_.max_bits)) {
    refuse("a power with exponent " + exponent.to_string() + " needs more than " + std::to_string(options_.max_bits) +
           " bits");
    return constant(0);
  }
  const auto count = static_cast<unsigned>(exponent.small());
  if (base.magnitude.bit_length() * count > options_.max_bits + count) {
    refuse("a power needs about " + std::to_string(std::size_t{base.magnitude.bit_length()} * count) +
           " bits, more than " + std::to_string(options_.max_bits));
    return constant(0);
  }
  Value v = base;
  for (int bit = 30 - std::countl_zero(count); bit >= 0; --bit) {
    v = binary(Code::Mul, v, v, v.magnitude * v.magnitude);
    if (((count >> bit) & 1U) != 0) v = binary(Code::Mul, v, base, v.magnitude * base.magnitude);
  }
  return v;
}

Value Lowering::build_choice(const Node* n) {
  const Value c = operand(n->args()[0]), x = operand(n->args()[1]), y = operand(n->args()[2]);
  const bool truth = n->sort == Sort::Bool;
  Value v;
  v.magnitude = larger(x.magnitude, y.magnitude);
  const Reg cond = in_register(c), rx = in_register(x), ry = in_register(y);
  v.reg = fresh();
  if (truth) {
    emit(Code::Choose, v.reg, cond, rx, ry);
    v.partial = c.partial || x.partial || y.partial;
    return v;
  }
  emit(Code::Select, v.reg, cond, rx, ry);
  if (c.partial || x.defined != kNoReg || y.defined != kNoReg) {
    const Reg dx = x.defined != kNoReg ? x.defined : in_register(truth_constant(2));
    const Reg dy = y.defined != kNoReg ? y.defined : in_register(truth_constant(2));
    v.defined = fresh();
    emit(Code::Choose, v.defined, cond, dx, dy);
  }
  return v;
}

Value Lowering::build_comparison(const Node* n) {
  const Sort sort = n->args()[0]->sort;
  if (n->op == Op::Divides) {  // k | e: e % k == 0
    const Value k = operand(n->args()[0]), e = operand(n->args()[1]);
    largest_ = larger(largest_, larger(k.magnitude, e.magnitude));
    const Reg rk = in_register(k), re = in_register(e);
    const Reg non_zero = fresh(), rest = fresh(), t = fresh();
    emit(Code::NonZero, non_zero, rk);
    emit(Code::Mod, rest, re, rk);
    emit(Code::SetEqI, t, rest, 0, 0);
    return masked(t, both(both(k.defined, e.defined), non_zero), false);
  }
  if (n->op == Op::IsNan) {
    const Value x = operand(n->args()[0]);
    const Reg r = in_register(x), t = fresh();
    emit(Code::SetNan, t, r);
    return masked(t, x.defined, false);
  }
  const Value l = operand(n->args()[0]), r = operand(n->args()[1]);
  const Reg t = fresh();
  if (sort == Sort::Bool) {
    const Reg a = in_register(l), b = in_register(r);
    emit(Code::Iff, t, a, b);
    Value v = masked(t, kNoReg, l.partial || r.partial);
    if (n->op == Op::Ne) {
      v.reg = fresh();
      emit(Code::Not, v.reg, t);
    }
    return v;
  }
  if (sort == Sort::Float && n->op != Op::SameBits) {
    const Reg a = in_register(l), b = in_register(r);
    emit(Code::SetEqF, t, a, b);
    Reg result = t;
    if (n->op == Op::Ne) {
      result = fresh();
      emit(Code::Not, result, t);
    }
    return masked(result, both(l.defined, r.defined), false);
  }
  const bool equality = n->op == Op::Eq || n->op == Op::Ne || n->op == Op::SameBits;
  if (r.is_imm && equality) {
    const Reg a = in_register(l);
    emit(n->op == Op::Ne ? Code::SetNeI : Code::SetEqI, t, a, 0, r.imm);
  } else if (r.is_imm && n->op == Op::Lt) {
    const Reg a = in_register(l);
    emit(Code::SetLtI, t, a, 0, r.imm);
  } else if (r.is_imm && n->op == Op::Gt) {
    const Reg a = in_register(l);
    emit(Code::SetGtI, t, a, 0, r.imm);
  } else if (r.is_imm && n->op == Op::Le && r.imm != kMax) {
    const Reg a = in_register(l);
    emit(Code::SetLtI, t, a, 0, r.imm + 1);
  } else if (r.is_imm && n->op == Op::Ge && r.imm != std::numeric_limits<std::int64_t>::min()) {
    const Reg a = in_register(l);
    emit(Code::SetGtI, t, a, 0, r.imm - 1);
  } else {
    const Reg a = in_register(l), b = in_register(r);
    switch (n->op) {
      case Op::Ne:
        emit(Code::SetNe, t, a, b);
        break;
      case Op::Lt:
        emit(Code::SetLt, t, a, b);
        break;
      case Op::Le:
        emit(Code::SetLe, t, a, b);
        break;
      case Op::Gt:
        emit(Code::SetLt, t, b, a);
        break;
      case Op::Ge:
        emit(Code::SetLe, t, b, a);
        break;
      default:
        emit(Code::SetEq, t, a, b);
        break;
    }
  }
  return masked(t, both(l.defined, r.defined), false);
}

Value Lowering::build_distinct(const Node* n) {
  const Sort sort = n->args()[0]->sort;
  std::vector<Value> values(n->size);
  Reg defined = kNoReg;
  bool partial = false;
  for (std::uint32_t k = 0; k < n->size; ++k) {
    values[k] = operand(n->args()[k]);
    defined = both(defined, values[k].defined);
    partial = partial || values[k].partial;
    // The block of registers below lives through the whole program: keep the bound honest.
    largest_ = larger(largest_, values[k].magnitude);
  }
  if (error_) return constant(0);
  if (sort == Sort::Int || sort == Sort::Enum) {
    const Reg block = next_reg_;
    next_reg_ += n->size;
    for (std::uint32_t k = 0; k < n->size; ++k) {
      if (values[k].is_imm)
        emit(Code::Const, block + k, 0, 0, values[k].imm);
      else
        emit(Code::Move, block + k, values[k].reg);
    }
    const Reg t = fresh();
    emit(Code::Distinct, t, block, n->size);
    return masked(t, defined, false);
  }
  // Some two equal, strictly; then negated. One operand alone is distinct where it is defined.
  if (n->size > kMaxFloatDistinct) {
    refuse("distinct of more than " + std::to_string(kMaxFloatDistinct) + " floats or truth values");
    return constant(0);
  }
  std::vector<Reg> regs(n->size);
  for (std::uint32_t k = 0; k < n->size; ++k) regs[k] = in_register(values[k]);
  const Code equal = sort == Sort::Float ? Code::SetEqF : Code::Iff;
  Reg some = kNoReg;
  for (std::uint32_t i = 0; i < n->size; ++i)
    for (std::uint32_t j = 0; j < std::max<std::uint32_t>(i, 1); ++j) {
      if (i == 0 && n->size > 1) continue;
      Reg t = fresh();
      emit(equal, t, regs[i], regs[j]);
      if (n->size == 1) {
        // x == x is false for a NaN: only its definedness counts.
        const Reg no = fresh(), both_ways = fresh();
        emit(Code::Not, no, t);
        emit(Code::Min, both_ways, t, no);
        t = both_ways;
      }
      if (some == kNoReg) {
        some = t;
      } else {
        const Reg next = fresh();
        emit(Code::StrictOr, next, some, t);
        some = next;
      }
    }
  const Reg result = fresh();
  emit(Code::Not, result, some);
  return masked(result, defined, partial);
}

Value Lowering::build_member(const Node* n) {
  const Sort sort = n->args()[0]->sort;
  const Value e = operand(n->args()[0]);
  Reg defined = e.defined;
  bool partial = e.partial;
  std::vector<Value> values(n->size - 1);
  bool constants = sort == Sort::Int || sort == Sort::Enum;
  for (std::uint32_t k = 1; k < n->size; ++k) {
    values[k - 1] = operand(n->args()[k]);
    defined = both(defined, values[k - 1].defined);
    partial = partial || values[k - 1].partial;
    constants = constants && values[k - 1].is_imm;
  }
  if (error_) return constant(0);
  const Reg r = in_register(e);
  if (constants) {
    std::vector<std::int64_t> set;
    for (const Value& v : values) set.push_back(v.imm);
    std::ranges::sort(set);
    const auto dead = std::ranges::unique(set);
    set.erase(dead.begin(), dead.end());
    const Reg t = fresh();
    emit(Code::SetIn, t, r, static_cast<std::uint32_t>(out_.sets.size()), 0);
    out_.sets.push_back(std::move(set));
    if (sort == Sort::Bool) return masked(t, defined, partial);
    return masked(t, defined, false);
  }
  const Code equal = sort == Sort::Float ? Code::SetEqF : sort == Sort::Bool ? Code::Iff : Code::SetEq;
  Reg some = kNoReg;
  for (const Value& v : values) {
    const Reg other = in_register(v);
    const Reg t = fresh();
    emit(equal, t, r, other);
    if (some == kNoReg) {
      some = t;
    } else {
      const Reg next = fresh();
      emit(Code::StrictOr, next, some, t);
      some = next;
    }
  }
  if (some == kNoReg) {
    // Member of nothing: false where defined. 2 - max(t, 2 - t) is 0 for a definite truth, 1 for undefined.
    const Reg same = fresh(), not_same = fresh(), either = fresh(), no = fresh();
    emit(equal, same, r, r);
    emit(Code::Not, not_same, same);
    emit(Code::Max, either, same, not_same);
    emit(Code::Not, no, either);
    some = no;
  }
  return masked(some, defined, partial);
}

Value Lowering::build_connective(const Node* n) {
  if (n->op == Op::Not) {
    Value v = operand(n->args()[0]);
    if (v.is_imm) return truth_constant(2 - static_cast<int>(v.imm));
    const Reg r = v.reg;
    v.reg = fresh();
    emit(Code::Not, v.reg, r);
    return v;
  }
  if (n->op == Op::Iff) return build_comparison(n);
  if (n->size == 0) return truth_constant(n->op == Op::And ? 2 : 0);
  Value all = operand(n->args()[0]);
  if (n->op == Op::Implies) {
    const Reg r = in_register(all), no = fresh();
    emit(Code::Not, no, r);
    all.is_imm = false;
    all.reg = no;
  }
  for (std::uint32_t k = 1; k < n->size && !error_; ++k) {
    const Value x = operand(n->args()[k]);
    const bool partial = all.partial || x.partial;
    all = binary(n->op == Op::And ? Code::Min : Code::Max, all, x, 0);
    all.partial = partial;
  }
  return all;
}

}  // namespace dimgate::lowering
