// Minimise, slot by slot: what exact sets of one slot's values show, without a prover.
//
// A guard about single slots goes if, on each, the facts and the other guards still standing leave only values it
// allows. On a crowded slot (more than kCrowd guards) guards that exclude a few values each (`x != c`) are counted by
// value instead of being intersected, so n guards on one slot cost n log n. Sets that do not fit are left out of the
// premises: fewer guards go, never a wrong one.
#pragma once

#include <unordered_map>
#include <vector>

#include "simplify/minimise_state.hpp"

namespace dimgate::simplify {

class SlotStage {
 public:
  SlotStage(MinimiseState& state, Questions& questions) : state_(state), questions_(questions) {}

  void run();
  /// What facts and standing guards about x alone allow.
  [[nodiscard]] const IntSet& allowed(Expr x) const;
  [[nodiscard]] bool knows(Expr x) const { return slots_.contains(x); }
  /// The same without one guard (a superset where that is dear to find out).
  [[nodiscard]] IntSet allowed_without(Expr x, std::size_t guard);
  /// Facts and standing guards whose sets imply guard g: appended to its reason. False where they do not suffice
  /// (some were dropped for the sake of guards about several slots).
  bool explain(std::size_t g);

 private:
  static constexpr std::size_t kCrowd = 64;
  static constexpr std::uint64_t kFewHoles = 8;

  struct Member {
    std::size_t guard;
    const IntSet* set;
    bool holes;  // counted by value
  };
  struct Slot {
    std::vector<Member> members;  // in processing order
    std::vector<IntSet> after;    // after[k]: the solid sets of members k.. together
    IntSet kept;                  // domain and the solid processed ones that stay; at the end with holes
    std::unordered_map<std::int64_t, std::size_t> excluded;  // by how many standing hole members
    std::size_t next = 0;
  };
  void collect();
  bool prepare(Expr x, Slot& slot);
  bool is_implied(const Slot& slot);
  void process(std::size_t i);
  bool explain_slot(std::size_t g, Expr x, const IntSet& wanted);
  static std::vector<std::int64_t> holes_of(const IntSet& set, const IntSet& domain);

  MinimiseState& state_;
  Questions& questions_;
  std::unordered_map<Expr, Slot> slots_;
  std::vector<Expr> slot_order_;
};

}  // namespace dimgate::simplify
