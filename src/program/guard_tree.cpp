#include "dimgate/guard_tree.hpp"

#include <algorithm>

#include "program/tree_order.hpp"

namespace dimgate {

GuardTree::GuardTree(std::vector<detail::TreeUnit> units, std::vector<Program> programs, std::vector<Slot> slots,
                     TreeOrder order)
    : units_(std::make_shared<const std::vector<detail::TreeUnit>>(std::move(units))),
      programs_(std::make_shared<const std::vector<Program>>(std::move(programs))),
      slots_(std::make_shared<const std::vector<Slot>>(std::move(slots))),
      order_(order) {
  arrange(nullptr);
}

void GuardTree::arrange(const TreeCounts* counts) {
  std::vector<std::uint32_t> order;
  if (order_ == TreeOrder::recorded) {
    for (std::uint32_t i = 0; i < units_->size(); ++i) order.push_back(i);
  } else {
    order = detail::tree_order(*units_, *slots_, counts);
  }
  tests_.clear();
  reads_.clear();
  for (const std::uint32_t u : order) {
    const detail::TreeUnit& unit = (*units_)[u];
    detail::TreeTest t = unit.test;
    t.first_slot = static_cast<std::uint32_t>(reads_.size());
    t.slots = static_cast<std::uint32_t>(unit.slots.size());
    reads_.insert(reads_.end(), unit.slots.begin(), unit.slots.end());
    tests_.push_back(t);
  }
}

std::int32_t GuardTree::check(LazySnapshot& at, TreeCounts* counts) const noexcept {
  for (const detail::TreeTest& t : tests_) {
    const bool holds = detail::holds(t, reads_.data() + t.first_slot,
                                     t.program < 0 ? nullptr : &(*programs_)[static_cast<std::size_t>(t.program)], at);
    if (counts != nullptr) {
      ++counts->runs[t.unit];
      if (!holds) ++counts->failures[t.unit];
    }
    if (!holds) return static_cast<std::int32_t>(t.guard);
  }
  return kPass;
}

GuardTree GuardTree::adapted(const TreeCounts& counts) const {
  GuardTree out = *this;
  if (units_ != nullptr && counts.runs.size() == units_->size() && counts.failures.size() == units_->size())
    out.arrange(&counts);
  return out;
}

std::size_t GuardTree::guard_count() const noexcept {
  std::size_t n = 0;
  for (const detail::TreeTest& t : tests_) n = std::max<std::size_t>(n, t.guard + 1);
  return n;
}

std::vector<std::uint32_t> GuardTree::order() const {
  std::vector<std::uint32_t> out;
  for (const detail::TreeTest& t : tests_) out.push_back(t.guard);
  return out;
}

std::size_t GuardTree::bytes() const noexcept {
  std::size_t n = sizeof *this + tests_.capacity() * sizeof(detail::TreeTest) + reads_.capacity() * sizeof(SlotIndex);
  if (units_ != nullptr) {
    n += units_->capacity() * sizeof(detail::TreeUnit) + slots_->capacity() * sizeof(Slot);
    for (const Program& p : *programs_) n += p.bytes();
  }
  return n;
}

AdaptiveTree::AdaptiveTree(GuardTree tree, std::uint64_t period)
    : tree_(std::move(tree)), period_(std::max<std::uint64_t>(period, 1)), left_(period_) {
  counts_.reset(tree_.units());
}

std::int32_t AdaptiveTree::check(LazySnapshot& at) {
  const std::int32_t verdict = tree_.check(at, &counts_);
  if (verdict != kPass && --left_ == 0) {
    tree_ = tree_.adapted(counts_);
    if (period_ < (std::uint64_t{1} << 40)) period_ *= 2;
    left_ = period_;
  }
  return verdict;
}

bool pins_dead_identity(const Program& program, const Layout& layout, const IdentityTable& identities) {
  return std::ranges::any_of(program.pinned(), [&](const Pinned& p) {
    return p.slot < layout.size() && layout[p.slot].source.property == Property::identity &&
           identities.is_dead(p.value);
  });
}

}  // namespace dimgate
