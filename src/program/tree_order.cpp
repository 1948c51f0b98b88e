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
    // An object holds all that hangs together by edges, so that placing one changes nothing for another.
    std::vector<std::pair<double, std::size_t>> ranked;
    for (std::size_t i = 0; i < objects.size(); ++i) ranked.emplace_back(best_chain(objects[i]).first, i);
    std::ranges::sort(ranked);
    for (const auto& [r, i] : ranked) place(objects[i]);
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

  /// The test and those that have to come before it and have not, in recorded order.
  [[nodiscard]] std::vector<std::uint32_t> closure(std::uint32_t u) const {
    std::vector<std::uint32_t> out{u};
    for (std::size_t i = 0; i < out.size(); ++i)
      for (const SlotIndex s : units_[out[i]].slots)
        for (const SlotIndex above : edges(s))
          if (const auto it = gates_.find(above); it != gates_.end())
            for (const std::uint32_t g : it->second)
              if (!done_[g] && std::ranges::find(out, g) == out.end()) out.push_back(g);
    return out;
  }

  /// Reading what nobody before them read, evaluating; over the chance that one of them fails.
  [[nodiscard]] double ratio(const std::vector<std::uint32_t>& units) const {
    double sum = 0, pass = 1;
    std::vector<SlotIndex> read;
    const auto reads = [&](SlotIndex s) {
      if (read_[s] || std::ranges::find(read, s) != read.end()) return;
      read.push_back(s);
      sum += slots_[s].read_cost;
    };
    for (const std::uint32_t u : units) {
      sum += units_[u].evaluation;
      pass *= 1 - std::min(failing(u), 0.999);
      for (const SlotIndex s : units_[u].slots) {
        reads(s);
        for (const SlotIndex e : edges(s)) reads(e);
      }
    }
    return sum / std::max(1 - pass, 1e-9);
  }

  /// Laplace's estimate around a small prior, so that a test that never ran is no certainty.
  [[nodiscard]] double failing(std::uint32_t u) const {
    constexpr double kPrior = 0.01, kWeight = 1.0;
    if (counts_ == nullptr) return kPrior;
    const auto runs = static_cast<double>(counts_->runs[u]), failures = static_cast<double>(counts_->failures[u]);
    return (failures + kPrior * kWeight) / (runs + kWeight);
  }

  /// The best chain of tests among them: a test with all that must come before it.
  [[nodiscard]] std::pair<double, std::vector<std::uint32_t>> best_chain(
      const std::vector<std::uint32_t>& units) const {
    std::pair<double, std::vector<std::uint32_t>> best{0, {}};
    for (const std::uint32_t u : units) {
      if (done_[u]) continue;
      std::vector<std::uint32_t> chain = closure(u);
      const double r = ratio(chain);
      if (best.second.empty() || r < best.first) best = {r, std::move(chain)};
    }
    return best;
  }

  void place(const std::vector<std::uint32_t>& units) {
    for (auto chain = best_chain(units).second; !chain.empty(); chain = best_chain(units).second) {
      // The deepest gates first. A ring (edges set by hand) is broken at the test recorded first.
      for (std::size_t i = chain.size(); i-- > 0;) {
        const std::uint32_t u = next_of(chain);
        order_.push_back(u);
        done_[u] = true;
        for (const SlotIndex s : units_[u].slots) {
          read_[s] = true;
          for (const SlotIndex e : edges(s)) read_[e] = true;
        }
        std::erase(chain, u);
      }
    }
  }

  /// The test of a chain that waits for none of the others; of several the best.
  [[nodiscard]] std::uint32_t next_of(const std::vector<std::uint32_t>& chain) const {
    std::uint32_t best = chain.front();
    double least = -1;
    for (const std::uint32_t u : chain) {
      if (closure(u).size() > 1) continue;
      const double r = ratio({u});
      if (least < 0 || r < least || (r == least && u < best)) best = u, least = r;
    }
    return best;
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
