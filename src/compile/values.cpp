// Terms as registers.
#include "compile/lowering.hpp"

namespace dimgate::lowering {
namespace {

constexpr std::size_t kMaxLoads = 256;  // a phase: their registers are all alive at once
constexpr Magnitude kSlotMagnitude = Magnitude::of(std::numeric_limits<std::int64_t>::min());

}  // namespace

Value Lowering::constant(std::int64_t v) {
  Value c;
  c.is_imm = true;
  c.imm = v;
  c.magnitude = Magnitude::of(v);
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
  const NodeInfo& info = info_of(n);
  if (info.value != kNone) return values_[info.value];
  if (info.leaf() != kNone && info.leaf_atom() == atom_) return values_[info.leaf()];
  Value v;
  v.reg = fresh();
  if (n->op == Op::Symbol && n->sort != Sort::Bool && phase_loads_.size() < kMaxLoads) {
    // Loaded with others where the phase's general code starts: good from here on, whatever is jumped over.
    phase_loads_.push_back({v.reg, slot_of(n)});
    v.magnitude = kSlotMagnitude;
    return keep(n, v);
  }
  if (n->op == Op::Symbol) {
    emit(n->sort == Sort::Bool ? Code::LoadBool : Code::Load, v.reg, slot_of(n));
    v.magnitude = kSlotMagnitude;
  } else {
    Draft::Big big{n->integer->sign() < 0, {}};
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
    v.magnitude = Magnitude::of(*n->integer);
    if (v.magnitude.bit_length() > options_.max_bits)
      refuse("a constant needs " + std::to_string(v.magnitude.bit_length()) + " bits, more than " +
             std::to_string(options_.max_bits));
    largest_ = larger(largest_, v.magnitude);
    emit(Code::BigConst, v.reg, static_cast<std::uint32_t>(out_.bigs.size()));
    out_.bigs.push_back(std::move(big));
  }
  return conditional_ ? keep_for_atom(n, v) : keep(n, v);
}

Value Lowering::value(const Node* root) {
  if (is_kept(root)) return values_[info_of(root).value];
  if (root->op <= Op::Symbol) return operand(root);
  std::vector<std::pair<const Node*, std::uint32_t>>& stack = walk_stack_;
  const std::size_t bottom = stack.size();
  stack.emplace_back(root, 0);
  while (stack.size() > bottom && !error_) {
    auto& [n, next] = stack.back();
    if (next < n->size) {
      const Node* child = n->args()[next++];
      if (child->op > Op::Symbol && !is_kept(child)) stack.emplace_back(child, 0);
      continue;
    }
    const Node* done = n;
    stack.pop_back();
    if (is_kept(done)) continue;
    const Value v = build(done);
    if (v.magnitude.bit_length() > options_.max_bits) {
      refuse("a term needs " + std::to_string(v.magnitude.bit_length()) + " bits, more than " +
             std::to_string(options_.max_bits));
      break;
    }
    largest_ = larger(largest_, v.magnitude);
    keep(done, v);
  }
  if (error_) return constant(0);
  return values_[info_of(root).value];
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

}  // namespace dimgate::lowering
