// Bool terms as registers that hold 0 (false), 1 (undefined) or 2 (true).
#include <algorithm>

#include "compile/lowering.hpp"

namespace dimgate::lowering {
namespace {

constexpr std::uint32_t kMaxFloatDistinct = 64;  // compared pair by pair: IEEE equality is no order

}  // namespace

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
    all = binary(n->op == Op::And ? Code::Min : Code::Max, all, x, {});
    all.partial = partial;
  }
  return all;
}

}  // namespace dimgate::lowering
