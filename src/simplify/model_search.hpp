// Looks for values that make some formulas true (and, to show that a guard is needed, one of them not true).
//
// Search by small repairs from a point that satisfies each slot's own set: fast where guards are loosely coupled, and
// it keeps most questions from the prover. A point found is checked exactly, so `needed` is proved; not finding one
// means nothing. Work is bounded per call. Deterministic. Tested through minimise (bench: generators).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dimgate/expr.hpp"
#include "simplify/questions.hpp"
#include "simplify/tape.hpp"

namespace dimgate::simplify {

class ModelSearch {
 public:
  struct Slot {
    Expr symbol;
    IntSet domain = IntSet::all();    // by facts
    IntSet allowed = IntSet::all();   // and by the slot's own guards
    std::vector<std::int64_t> start;  // values to start from, best first
  };

  /// `constraints`: canonical or raw formulas over the slots. Slots may also be Bool (0/1).
  ModelSearch(Context& ctx, std::vector<Slot> slots, std::span<const Expr> constraints);

  /// Finds a point where all constraints are true; or takes the one given.
  bool find_base();
  bool set_base(const std::vector<std::pair<Expr, Value>>& model);
  [[nodiscard]] bool has_base() const noexcept { return has_base_; }
  [[nodiscard]] const Point& point() const noexcept { return point_; }
  /// True: values were found under which every active constraint but i is true and i is not.
  bool is_needed(std::size_t i);
  /// Values worth trying for a slot when constraint i is to fail: beyond its own set's ends.
  void set_outside(std::size_t i, std::size_t slot, std::vector<std::int64_t> values);
  /// A constraint that was dropped binds no more.
  void deactivate(std::size_t i) { active_[i] = 0; }
  /// Only `listed` constraints and those from `always` on bind, from now on; slots are held to their domains only.
  void activate_only(std::span<const std::size_t> listed, std::size_t always);

 private:
  struct Difference {  // lhs - rhs of a comparison inside a constraint
    Tape lhs, rhs;
    std::vector<std::uint32_t> slots;
  };
  struct Constraint {
    Tape tape;
    std::vector<std::uint32_t> slots;
    std::vector<Difference> differences;
    std::vector<std::pair<std::uint32_t, std::vector<std::int64_t>>> outside;
  };
  [[nodiscard]] bool holds(std::size_t c);
  bool settle(std::uint64_t& steps);
  bool repair(std::size_t failing, std::span<const std::uint32_t> frozen, std::uint64_t& steps);
  void candidates(const Constraint& c, std::uint32_t slot, std::vector<std::int64_t>& out);
  void assign(std::uint32_t slot, std::int64_t v);
  std::size_t count_broken(std::uint32_t slot, std::size_t except, std::size_t limit, std::vector<std::size_t>* which);

  Context& ctx_;
  std::vector<Slot> slots_;
  std::vector<Constraint> constraints_;
  std::vector<char> active_;
  std::vector<std::vector<std::uint32_t>> touching_;  // constraints by slot
  std::vector<std::int64_t> value_;
  Point point_;
  std::vector<Tape::Cell> stack_;
  bool has_base_ = false;
  bool wide_ = false;  // guards about single slots may be inactive: try all of the domain
};

}  // namespace dimgate::simplify
