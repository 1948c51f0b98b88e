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

/// Read where it stands: nothing need be known of it.
bool is_small_constant(const Node* n) noexcept {
  return n->size == 0 && n->op < Op::Symbol && (n->op != Op::IntConst || n->integer->is_small());
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
        std::uint32_t& by = info_[item.node].opened(item.polarity);
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

// Slots are usually added in the order in which their symbols first come up, so that the one behind the furthest that
// was found, or the one with the symbol's own number, is often it: a comparison of names instead of a search.
SlotIndex Lowering::find_slot(const Node* symbol) {
  const std::string& name = ctx_.symbol_name(Expr(symbol));
  SlotIndex slot = kNoSlot;
  for (const SlotIndex guess : {next_slot_, SlotIndex{symbol->index}})
    if (guess < layout_.size() && layout_[guess].name == name) slot = guess;
  if (slot == kNoSlot) slot = layout_.find(name);
  if (slot != kNoSlot) next_slot_ = std::max(next_slot_, slot + 1);
  return slot;
}

/// Notes the slot of a symbol. False if it has none that fits.
bool Lowering::place_symbol(const Node* symbol, NodeInfo& info) {
  const SlotIndex slot = find_slot(symbol);
  if (slot == kNoSlot) {
    refuse("no slot for symbol `" + ctx_.symbol_name(Expr(symbol)) + "`: add it to the layout before compiling");
    return false;
  }
  if (layout_[slot].sort != slot_sort(symbol->sort)) {
    refuse("symbol `" + ctx_.symbol_name(Expr(symbol)) + "` is " + std::string(to_string(symbol->sort)) +
           ", its slot holds " + std::string(to_string(layout_[slot].sort)));
    return false;
  }
  info.slot() = slot;
  edges_ = edges_ || layout_[slot].edge != kNoSlot;
  return true;
}

bool Lowering::analyse() {
  std::vector<std::pair<const Node*, std::uint32_t>>& stack = walk_stack_;
  for (const Test& test : tests_) {
    NodeInfo& root = info_[test.node];
    if (++root.parents > 1) continue;
    if (test.node->op == Op::Symbol && !place_symbol(test.node, root)) return false;
    stack.emplace_back(test.node, 0);
    while (!stack.empty()) {
      auto& [node, next] = stack.back();
      if (next == node->size) {
        post_order_.push_back(node);
        stack.pop_back();
        continue;
      }
      const Node* child = node->args()[next++];
      if (is_small_constant(child)) continue;
      NodeInfo& info = info_[child];
      if (++info.parents > 1) continue;
      if (child->size != 0) {
        stack.emplace_back(child, 0);
        continue;
      }
      post_order_.push_back(child);
      if (child->op == Op::Symbol && !place_symbol(child, info)) return false;
    }
  }
  if (edges_) find_levels();
  return true;
}

/// How deep in the readable-edges each node reads, and whether something becomes readable by what it reads. (Without
/// edges: 0, and nothing.)
void Lowering::find_levels() {
  std::vector<bool> is_gate(layout_.size(), false);
  for (const Node* n : post_order_) {
    if (n->op != Op::Symbol) continue;
    for (SlotIndex up = layout_[info_.at(n).slot()].edge; up != kNoSlot && !is_gate[up]; up = layout_[up].edge)
      is_gate[up] = true;
  }
  for (const Node* n : post_order_) {
    NodeInfo& info = info_.at(n);
    if (n->op == Op::Symbol) {
      info.level = layout_.depth(info.slot()) & 0x7fffffffU;
      info.gate = is_gate[info.slot()] ? 1 : 0;
    }
    for (std::uint32_t k = 0; k < n->size; ++k) {
      if (is_small_constant(n->args()[k])) continue;
      const NodeInfo& child = info_.at(n->args()[k]);
      if (child.level > info.level) info.level = child.level;
      info.gate = info.gate | child.gate;
    }
  }
}

}  // namespace dimgate::lowering
