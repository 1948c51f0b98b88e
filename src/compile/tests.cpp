#include <algorithm>

#include "compile/lowering.hpp"

namespace dimgate::lowering {
namespace {

SlotSort slot_sort(Sort s) noexcept {
  switch (s) {
    case Sort::Int:
      return SlotSort::integer;
    case Sort::Bool:
      return SlotSort::boolean;
    case Sort::Float:
      return SlotSort::floating;
    case Sort::Enum:
      return SlotSort::name;
  }
  return SlotSort::integer;
}

}  // namespace

// A guard's conjuncts, whatever connective spells them: `not (a or b)` is two tests. Equal tests of several guards are
// one. A conjunction that an earlier guard was already split into is a test of its own here: splitting it again for
// every guard would not be linear.
void Lowering::split(std::span<const Expr> guards) {
  struct Item {
    const Node* node;
    bool polarity;
  };
  std::vector<Item> stack;
  for (std::uint32_t g = 0; g < guards.size(); ++g) {
    stack.push_back({guards[g].node(), true});
    while (!stack.empty()) {
      Item item = stack.back();
      stack.pop_back();
      while (item.node->op == Op::Not) item = {item.node->args()[0], !item.polarity};
      const Op op = item.node->op;
      if (op == Op::BoolConst && (item.node->bits != 0) == item.polarity) continue;
      const bool opens = item.polarity ? op == Op::And : op == Op::Or || op == Op::Implies;
      if (opens) {
        std::uint32_t& by = info_[item.node].opened[item.polarity ? 1 : 0];
        if (by == g) continue;
        if (by == kNone) {
          by = g;
          for (std::uint32_t k = item.node->size; k-- > 0;)
            stack.push_back({item.node->args()[k], op == Op::Implies ? k == 0 : item.polarity});
          continue;
        }
      }
      std::uint32_t& test = info_[item.node].test[item.polarity ? 1 : 0];
      if (test == kNone) {
        test = static_cast<std::uint32_t>(tests_.size());
        tests_.push_back({item.node, item.polarity, g, {}});
      } else if (Test& t = tests_[test]; t.guard != g && (t.more.empty() || t.more.back() != g)) {
        t.more.push_back(g);
      }
    }
  }
}

bool Lowering::analyse() {
  std::vector<std::pair<const Node*, std::uint32_t>>& stack = walk_stack_;
  std::vector<SlotIndex> used;
  bool edges = false;
  for (const Test& test : tests_) {
    if (++info_[test.node].parents > 1) continue;
    stack.emplace_back(test.node, 0);
    while (!stack.empty()) {
      auto& [node, next] = stack.back();
      if (next < node->size) {
        const Node* child = node->args()[next++];
        if (++info_[child].parents == 1) stack.emplace_back(child, 0);
        continue;
      }
      const Node* done = node;
      stack.pop_back();
      post_order_.push_back(done);
      if (done->op != Op::Symbol) continue;
      const std::string& name = ctx_.symbol_name(Expr(done));
      const SlotIndex slot = layout_.find(name);
      if (slot == kNoSlot) {
        refuse("no slot for symbol `" + name + "`: add it to the layout before compiling");
        return false;
      }
      if (layout_[slot].sort != slot_sort(done->sort)) {
        refuse("symbol `" + name + "` is " + std::string(to_string(done->sort)) + ", its slot holds " +
               std::string(to_string(layout_[slot].sort)));
        return false;
      }
      info_.at(done).slot = slot;
      used.push_back(slot);
      edges = edges || layout_[slot].edge != kNoSlot;
    }
  }
  if (!edges) return true;  // every level is 0, nothing a gate
  std::vector<bool> is_gate(layout_.size(), false);
  for (const SlotIndex s : used)
    for (SlotIndex up = layout_[s].edge; up != kNoSlot && !is_gate[up]; up = layout_[up].edge) is_gate[up] = true;
  for (const Node* n : post_order_) {
    NodeInfo& info = info_.at(n);
    if (n->op == Op::Symbol) {
      const SlotIndex slot = info.slot;
      info.level = layout_.depth(slot);
      info.gate = is_gate[slot];
    }
    for (std::uint32_t k = 0; k < n->size; ++k) {
      const NodeInfo& child = info_.at(n->args()[k]);
      info.level = std::max(info.level, child.level);
      info.gate = info.gate || child.gate;
    }
  }
  return true;
}

}  // namespace dimgate::lowering
