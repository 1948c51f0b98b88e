// Integer terms as registers.
#include <algorithm>
#include <bit>

#include "compile/lowering.hpp"

namespace dimgate::lowering {
/// code(a, b) for a commutative code with an immediate twin right after it where b may be a constant.
Value Lowering::binary(Code code, const Value& a, const Value& b, Magnitude magnitude) {
  Value v;
  v.defined = both(a.defined, b.defined);
  v.magnitude = magnitude;
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
    const Magnitude magnitude = sum.magnitude + x.magnitude;
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
    const Magnitude magnitude = product.magnitude * x.magnitude;
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
    const bool power = b.imm > 0 && (b.imm & (b.imm - 1)) == 0;
    const Reg r = in_register(a);
    v.reg = fresh();
    if (n->op == Op::CeilDiv) {
      emit(Code::CeilDivI, v.reg, r, 0, b.imm);
    } else if (power) {
      emit(n->op == Op::Mod ? Code::ModPow2 : Code::DivPow2, v.reg, r, 0, b.imm,
           static_cast<std::uint16_t>(std::countr_zero(static_cast<std::uint64_t>(b.imm))));
    } else if (b.imm >= 3) {
      emit(n->op == Op::Mod ? Code::ModMagic : Code::DivMagic, v.reg, r, static_cast<std::uint32_t>(out_.magics.size()),
           b.imm);
      out_.magics.push_back(detail::Magic::make(b.imm));
    } else {
      emit(n->op == Op::Mod ? Code::ModI : Code::DivI, v.reg, r, 0, b.imm);
    }
    v.defined = both(a.defined, b.defined);
    return v;
  }
  const Reg l = in_register(a), r = in_register(b);
  if (const Label leave = info_of(n).leave(); leave != kNone) {
    v.reg = fresh();
    emit(n->op == Op::FloorDiv ? Code::DivOr : n->op == Op::Mod ? Code::ModOr : Code::CeilDivOr, v.reg, l, r, leave);
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
  Value base = operand(n->args()[0]);
  const Node* e = n->args()[1];
  if (e->op != Op::IntConst || e->integer->sign() < 0) {
    refuse("an exponent must be a constant >= 0");
    return constant(0);
  }
  const Integer& exponent = *e->integer;
  if (exponent.is_zero()) {  // 1, 0 ** 0 too; but undefined where the base is, a missing slot included
    if (!base.is_imm)
      return binary(Code::Add, binary(Code::Mul, base, constant(0), {}), constant(1), Magnitude::of(std::int64_t{1}));
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
  if (base.magnitude.bit_length() <= 1) {
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

}  // namespace dimgate::lowering
