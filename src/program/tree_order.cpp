#include "program/tree_order.hpp"

#include <algorithm>
#include <map>

namespace dimgate::detail {
namespace {

class Ordering {
 public:
  Ordering(std::span<const TreeUnit> units, std::span<const GuardTree::Slot> slots, const TreeCounts* counts)
      : units_(units), slots_(slots), counts_(counts), read_(slots.size(), false), done_(units.size(), false) {
    for (std::uint32_t u = 0; u < units.size(); ++u) index_gates(u);
  }

  std::vector<std::uint32_t> run() {
    // One object after another; then what relates several; then data.
    std::vector<std::vector<std::uint32_t>> objects;
    std::map<std::string, std::size_t> known;
    std::vector<std::uint32_t> relations, data;
    for (std::uint32_t u = 0; u < units_.size(); ++u) {
      if (units_[u].from_data) {
        data.push_back(u);
      } else if (units_[u].object.empty()) {
        relations.push_back(u);
      } else {
        const auto [it, is_new] = known.try_emplace(units_[u].object, objects.size());
        if (is_new) objects.emplace_back();
        objects[it->second].push_back(u);
      }
    }
    std::vector<bool> placed(objects.size(), false);
    for (std::size_t n = 0; n < objects.size(); ++n) {
      const std::size_t next = best_object(objects, placed);
      placed[next] = true;
      place(objects[next]);
    }
    place(relations);
    place(data);
    return std::move(order_);
  }

 private:
  /// Tests that look at a slot and what makes it readable alone decide whether slots below may be read.
  void index_gates(std::uint32_t u) {
    for (const SlotIndex s : units_[u].slots) {
      const std::vector<SlotIndex> chain = edges(s);
      const bool alone = std::ranges::all_of(
          units_[u].slots, [&](SlotIndex o) { return o == s || std::ranges::find(chain, o) != chain.end(); });
      if (alone) gates_[s].push_back(u);
    }
  }

  /// Edges above the slot, nearest first; a cycle (edges set by hand) is cut.
  [[nodiscard]] std::vector<SlotIndex> edges(SlotIndex s) const {
    std::vector<SlotIndex> out;
    while (s < slots_.size() && slots_[s].edge != kNoSlot && slots_[s].edge < slots_.size() && out.size() < 64)
      out.push_back(s = slots_[s].edge);
    return out;
  }

  [[nodiscard]] bool ready(std::uint32_t u) const {
    for (const SlotIndex s : units_[u].slots)
      for (const SlotIndex above : edges(s))
        if (const auto it = gates_.find(above); it != gates_.end())
          for (const std::uint32_t g : it->second)
            if (g != u && !done_[g]) return false;
    return true;
  }

  /// Reading what nobody before it read, and evaluating.
  [[nodiscard]] double cost(std::uint32_t u) const {
    double sum = units_[u].evaluation;
    for (const SlotIndex s : units_[u].slots) {
      if (!read_[s]) sum += slots_[s].read_cost;
      for (const SlotIndex e : edges(s))
        if (!read_[e]) sum += slots_[e].read_cost;
    }
    return sum;
  }

  /// Laplace's estimate around a small prior, so that a test that never ran is no certainty.
  [[nodiscard]] double failing(std::uint32_t u) const {
    constexpr double kPrior = 0.01, kWeight = 1.0;
    if (counts_ == nullptr) return kPrior;
    const auto runs = static_cast<double>(counts_->runs[u]), failures = static_cast<double>(counts_->failures[u]);
    return (failures + kPrior * kWeight) / (runs + kWeight);
  }

  /// Expected cost of the object's tests over the chance that one of them fails.
  [[nodiscard]] double object_ratio(const std::vector<std::uint32_t>& units) const {
    double sum = 0, pass = 1;
    for (const std::uint32_t u : units) {
      sum += pass * cost(u);
      pass *= 1 - std::min(failing(u), 0.999);
    }
    return sum / std::max(1 - pass, 1e-9);
  }

  /// The cheapest object that waits for no other; if all do (edges set by hand in a ring), the first.
  [[nodiscard]] std::size_t best_object(const std::vector<std::vector<std::uint32_t>>& objects,
                                        const std::vector<bool>& placed) const {
    std::size_t best = objects.size(), first = objects.size();
    double least = 0;
    for (std::size_t i = 0; i < objects.size(); ++i) {
      if (placed[i]) continue;
      if (first == objects.size()) first = i;
      if (!object_ready(objects[i])) continue;
      const double ratio = object_ratio(objects[i]);
      if (best == objects.size() || ratio < least) best = i, least = ratio;
    }
    return best == objects.size() ? first : best;
  }

  [[nodiscard]] bool object_ready(const std::vector<std::uint32_t>& units) const {
    for (const std::uint32_t u : units)
      for (const SlotIndex s : units_[u].slots)
        for (const SlotIndex above : edges(s))
          if (const auto it = gates_.find(above); it != gates_.end())
            for (const std::uint32_t g : it->second)
              if (!done_[g] && std::ranges::find(units, g) == units.end() && !units_[g].object.empty() &&
                  !units_[g].from_data)
                return false;
    return true;
  }

  void place(std::vector<std::uint32_t> units) {
    while (!units.empty()) {
      std::size_t best = units.size();
      double least = 0;
      for (std::size_t i = 0; i < units.size(); ++i) {
        if (!ready(units[i])) continue;
        const double ratio = cost(units[i]) / failing(units[i]);
        if (best == units.size() || ratio < least) best = i, least = ratio;
      }
      if (best == units.size()) best = 0;
      const std::uint32_t u = units[best];
      order_.push_back(u);
      done_[u] = true;
      for (const SlotIndex s : units_[u].slots) {
        read_[s] = true;
        for (const SlotIndex e : edges(s)) read_[e] = true;
      }
      units.erase(units.begin() + static_cast<std::ptrdiff_t>(best));
    }
  }

  std::span<const TreeUnit> units_;
  std::span<const GuardTree::Slot> slots_;
  const TreeCounts* counts_;
  std::vector<bool> read_, done_;
  std::map<SlotIndex, std::vector<std::uint32_t>> gates_;
  std::vector<std::uint32_t> order_;
};

}  // namespace

std::vector<std::uint32_t> tree_order(std::span<const TreeUnit> units, std::span<const GuardTree::Slot> slots,
                                      const TreeCounts* counts) {
  return Ordering(units, slots, counts).run();
}

}  // namespace dimgate::detail
