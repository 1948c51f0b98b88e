// Bool terms as jumps.
#include <algorithm>

#include "compile/lowering.hpp"

namespace dimgate::lowering {
namespace {

constexpr std::size_t kMaxPairwise = 64;  // slots compared pair by pair in one instruction

bool all_symbols(const Node* n) {
  for (std::uint32_t k = 0; k < n->size; ++k)
    if (n->args()[k]->op != Op::Symbol) return false;
  return true;
}

}  // namespace

void Lowering::jump(Code if_code, Sense sense, Label target, std::uint32_t b, std::uint32_t c, std::int64_t imm,
                    std::uint16_t x) {
  const auto code = static_cast<Code>(static_cast<unsigned>(if_code) + (sense == Sense::jump_unless ? 1U : 0U));
  emit(code, target, b, c, imm, x);
}

SlotIndex Lowering::slot_of(const Node* symbol) {
  const SlotIndex s = info_of(symbol).slot();
  note(s);
  return s;
}

/// Lowered as jumps: a connective with one parent (more: its value is kept).
bool Lowering::is_connective(const Node* n) const {
  switch (n->op) {
    case Op::Not:
    case Op::And:
    case Op::Or:
    case Op::Implies:
      return info_of(n).parents < 2;
    default:
      return false;
  }
}

/// Costs one instruction and no register wherever it is needed.
bool Lowering::is_cheap_atom(const Node* n) const {
  while (n->op == Op::Not) n = n->args()[0];
  if (n->op == Op::BoolConst || (n->op == Op::Symbol && n->sort == Sort::Bool)) return true;
  if (n->op < Op::Eq) return false;
  if (as_range(n, true) || as_congruence(n, true)) return true;
  return as_pair(n, true).has_value();
}

// Computes, now and unconditionally, every value below that has several parents: later code may then be skipped without
// taking a value away from anybody. Each node is visited once in the whole compilation. `direct`: reached through
// connectives only, so that a cheap atom is lowered as a jump again wherever it stands.
void Lowering::hoist(const Node* root) {
  std::vector<HoistItem>& stack = hoist_stack_;
  stack.assign(1, {root, true});
  while (!stack.empty() && !error_) {
    const auto [n, direct] = stack.back();
    stack.pop_back();
    if (n->size == 0 || is_kept(n)) continue;
    if (direct && is_cheap_atom(n)) continue;
    if (info_of(n).parents > 1) {
      value(n);  // and with it everything below
      continue;
    }
    const bool below = direct && is_connective(n);
    for (std::uint32_t k = n->size; k-- > 0;) stack.push_back({n->args()[k], below});
  }
}

void Lowering::branch(const Node* root, bool polarity, Sense sense, Label target) {
  if (is_connective(root)) {
    const Node* inner = root;
    while (inner->op == Op::Not) inner = inner->args()[0];
    if (is_connective(inner)) hoist(inner), conditional_ = true;
  }
  std::vector<BranchTask>& stack = branch_stack_;
  stack.assign(1, {root, polarity, sense, target});
  while (!stack.empty() && !error_) {
    const BranchTask t = stack.back();
    stack.pop_back();
    if (t.node == nullptr) {
      bind(t.target);
      continue;
    }
    if (!is_connective(t.node)) {
      atom(t.node, t.polarity, t.sense, t.target);
      ++atom_;
      continue;
    }
    const Node* n = t.node;
    const Node* const* args = n->args();
    if (n->op == Op::Not) {
      stack.push_back({args[0], !t.polarity, t.sense, t.target});
      continue;
    }
    const auto child_polarity = [&](std::uint32_t k) { return (n->op == Op::Implies && k == 0) != t.polarity; };
    // Wanted truth needs every child to have its own (`and` true, `or` false) or one child.
    const bool needs_all = (n->op == Op::And) == t.polarity;
    const bool jump_if = t.sense == Sense::jump_if;
    if (n->size == 0) {  // `and` of nothing is true, `or` of nothing false
      if (needs_all == jump_if) emit(Code::Jump, t.target);
      continue;
    }
    if (needs_all != jump_if) {
      // Each child decides alone: leave at the first one missing, or jump at the first one there.
      for (std::uint32_t k = n->size; k-- > 0;) stack.push_back({args[k], child_polarity(k), t.sense, t.target});
      continue;
    }
    // The last child decides; an earlier one may end it the other way.
    const Label end = new_label();
    stack.push_back({nullptr, false, Sense::jump_if, end});
    stack.push_back({args[n->size - 1], child_polarity(n->size - 1), t.sense, t.target});
    const Sense other = jump_if ? Sense::jump_unless : Sense::jump_if;
    for (std::uint32_t k = n->size - 1; k-- > 0;) stack.push_back({args[k], child_polarity(k), other, end});
  }
  conditional_ = false;
  ++atom_;
}

bool Lowering::slot_atom(const Node* n, bool polarity, Sense sense, Label target) {
  if (const auto r = as_range(n, polarity)) {
    note(r->slot);
    out_.ranges.push_back({r->slot, 0, 0, r->lo, r->width});
    jump(Code::JIfRange, sense, target, static_cast<std::uint32_t>(out_.ranges.size() - 1), 0, 0, r->outside ? 1 : 0);
    return true;
  }
  if (const auto c = as_congruence(n, polarity)) {
    note(c->slot);
    out_.mods.push_back(detail::Congruent::make(c->slot, 0, c->modulus, c->residue));
    jump(Code::JIfMod, sense, target, static_cast<std::uint32_t>(out_.mods.size() - 1), 0, 0, c->differs ? 1 : 0);
    return true;
  }
  if (const auto pair = as_pair(n, polarity)) {
    const Code code = pair->code == Code::PairsEq   ? Code::JIfSlotEq
                      : pair->code == Code::PairsNe ? Code::JIfSlotNe
                      : pair->code == Code::PairsLt ? Code::JIfSlotLt
                                                    : Code::JIfSlotLe;
    const SlotIndex l = slot_of(pair->left), r = slot_of(pair->right);
    jump(code, sense, target, l, r);
    return true;
  }
  if (n->size == 0) return false;
  const Node* const* args = n->args();
  const Sort sort = args[0]->sort;
  if (sort != Sort::Int && sort != Sort::Enum) return false;
  switch (n->op) {
    case Op::Distinct: {
      if (!all_symbols(n) || n->size > kMaxPairwise) return false;
      std::vector<SlotIndex> list(n->size);
      for (std::uint32_t k = 0; k < n->size; ++k) list[k] = slot_of(args[k]);
      out_.lists.push_back(std::move(list));
      jump(Code::JIfSlotsDiffer, sense, target, static_cast<std::uint32_t>(out_.lists.size() - 1), 0, 0,
           polarity ? 0 : 1);
      return true;
    }
    case Op::In: {
      if (args[0]->op != Op::Symbol) return false;
      std::vector<std::int64_t> set;
      for (std::uint32_t k = 1; k < n->size; ++k) {
        const Node* v = args[k];
        if (v->op == Op::EnumConst)
          set.push_back(layout_.names().intern(ctx_.enum_name(Expr(v))));
        else if (v->op == Op::IntConst && v->integer->is_small())
          set.push_back(v->integer->small());
        else if (v->op != Op::IntConst)  // a constant beyond int64 is no slot's value
          return false;
      }
      std::ranges::sort(set);
      const auto dead = std::ranges::unique(set);
      set.erase(dead.begin(), dead.end());
      out_.sets.push_back(std::move(set));
      jump(Code::JIfIn, sense, target, slot_of(args[0]), static_cast<std::uint32_t>(out_.sets.size() - 1), 0,
           polarity ? 0 : 1);
      return true;
    }
    default:
      return false;
  }
}

// Divisions that only this atom uses, through strict operators, need no register that says whether they are defined:
// where one is not, neither is the atom.
void Lowering::leave_where_undefined(const Node* atom, Label target) {
  std::vector<const Node*>& stack = leave_stack_;
  stack.assign(1, atom);
  while (!stack.empty()) {
    const Node* n = stack.back();
    stack.pop_back();
    for (std::uint32_t k = 0; k < n->size; ++k) {
      const Node* child = n->args()[k];
      if (child->op < Op::Add || child->op > Op::Abs || info_of(child).parents > 1 || is_kept(child)) continue;
      if (child->op == Op::FloorDiv || child->op == Op::Mod || child->op == Op::CeilDiv)
        info_.at(child).leave() = target;
      stack.push_back(child);
    }
  }
}

void Lowering::compare_atom(const Node* n, bool polarity, Sense sense, Label target) {
  // Undefined operands: neither truth value.
  const Label undefined = sense == Sense::jump_if ? new_label() : target;
  leave_where_undefined(n, undefined);
  Value l = operand(n->args()[0]), r = operand(n->args()[1]);
  if (error_) return;
  const Reg defined = both(l.defined, r.defined);
  if (defined != kNoReg) emit(Code::JUnlessEqI, undefined, defined, 0, 2);
  Op op = n->op;
  if (!polarity) {
    op = op == Op::Eq   ? Op::Ne
         : op == Op::Ne ? Op::Eq
         : op == Op::Lt ? Op::Ge
         : op == Op::Ge ? Op::Lt
         : op == Op::Le ? Op::Gt
                        : Op::Le;
  }
  if (l.is_imm && r.is_imm) {
    const bool holds = op == Op::Eq   ? l.imm == r.imm
                       : op == Op::Ne ? l.imm != r.imm
                       : op == Op::Lt ? l.imm < r.imm
                       : op == Op::Le ? l.imm <= r.imm
                       : op == Op::Gt ? l.imm > r.imm
                                      : l.imm >= r.imm;
    if (holds == (sense == Sense::jump_if)) emit(Code::Jump, target);
  } else {
    if (l.is_imm) {
      std::swap(l, r);
      op = op == Op::Lt ? Op::Gt : op == Op::Gt ? Op::Lt : op == Op::Le ? Op::Ge : op == Op::Ge ? Op::Le : op;
    }
    if (r.is_imm && op == Op::Le && r.imm != kMax) op = Op::Lt, ++r.imm;
    if (r.is_imm && op == Op::Ge && r.imm != kMin) op = Op::Gt, --r.imm;
    if (r.is_imm && op != Op::Le && op != Op::Ge) {
      const Code code = op == Op::Eq   ? Code::JIfEqI
                        : op == Op::Ne ? Code::JIfNeI
                        : op == Op::Lt ? Code::JIfLtI
                                       : Code::JIfGtI;
      jump(code, sense, target, l.reg, 0, r.imm);
    } else {
      Reg a = in_register(l), b = in_register(r);
      if (op == Op::Gt || op == Op::Ge) std::swap(a, b);
      const Code code = op == Op::Eq                   ? Code::JIfEq
                        : op == Op::Ne                 ? Code::JIfNe
                        : op == Op::Lt || op == Op::Gt ? Code::JIfLt
                                                       : Code::JIfLe;
      jump(code, sense, target, a, b);
    }
  }
  if (sense == Sense::jump_if) bind(undefined);
}

void Lowering::atom(const Node* n, bool polarity, Sense sense, Label target) {
  while (n->op == Op::Not && !is_kept(n)) n = n->args()[0], polarity = !polarity;
  if (n->op == Op::BoolConst) {
    if (((n->bits != 0) == polarity) == (sense == Sense::jump_if)) emit(Code::Jump, target);
    return;
  }
  const bool kept = is_kept(n);
  if (!kept && slot_atom(n, polarity, sense, target)) return;
  if (!kept && n->op >= Op::Eq && n->op <= Op::Ge && n->args()[0]->sort == Sort::Int) {
    compare_atom(n, polarity, sense, target);
    return;
  }
  const Value v = operand(n);
  if (error_) return;
  if (v.is_imm) {
    const bool holds = v.imm == (polarity ? 2 : 0);
    if (holds == (sense == Sense::jump_if)) emit(Code::Jump, target);
    return;
  }
  jump(Code::JIfEqI, sense, target, v.reg, 0, polarity ? 2 : 0);
}

}  // namespace dimgate::lowering
