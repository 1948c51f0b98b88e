// Looks for values that make some formulas true (and, to show that a guard is needed, one of them not true).
//
// Search by small repairs from a point that satisfies each slot's own set (min-conflicts: Minton et al. 1992): fast
// where guards are loosely coupled, and it keeps most questions from the prover. A point found is checked exactly, so
// `needed` is proved; not finding one means nothing. Where no point satisfies all (`find_base` gave up), the nearest
// one found is where the questions about a few neighbours (`fails_beside`) start from. Work is bounded per call.
// Deterministic. Tested in tests/simplify/search_test.cpp and through minimise (bench: generators).
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
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
  /// True: values were found under which the listed constraints are true, and so are those among [facts_begin,
  /// facts_end) that are connected with them, and i is not. What was asked before makes no difference.
  bool fails_beside(std::size_t i, std::span<const std::size_t> near, std::size_t facts_begin, std::size_t facts_end);
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
  struct Residue {  // modulus divides term, inside a constraint
    Tape term;
    std::int64_t modulus;
    std::vector<std::uint32_t> slots;
  };
  struct Constraint {
    Tape tape;
    std::vector<std::uint32_t> slots;
    std::vector<Difference> differences;
    std::vector<Residue> residues;
    std::vector<std::pair<std::uint32_t, std::vector<std::int64_t>>> outside;
  };
  static constexpr std::size_t kNone = ~std::size_t{0};
  [[nodiscard]] bool holds(std::size_t c);
  [[nodiscard]] bool fails(std::size_t c);
  [[nodiscard]] bool held(std::size_t c);
  void read_constraint(Constraint& c, Expr e, const std::unordered_map<Expr, std::uint32_t>& ids);
  bool settle(std::span<const std::size_t> scope, std::uint64_t& steps);
  bool mend(std::size_t c, std::uint64_t& steps);
  bool approach(std::size_t c, std::uint64_t& steps);
  void move(std::uint32_t slot, std::int64_t v);
  void connect_facts(std::size_t begin, std::size_t end, std::vector<std::size_t>& scope);
  bool roots(const Difference& d, std::uint32_t slot, std::vector<std::int64_t>& out);
  void shifts(const Residue& r, std::uint32_t slot, std::vector<std::int64_t>& out);
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
  std::vector<std::int64_t> raw_, values_;  // of candidates() and mend(), kept for their room
  std::vector<std::int64_t> period_;        // by slot: a step that no residue about it notices
  std::vector<char> held_;    // by constraint, at the values that fails_beside starts from: 1 true, 2 not, 0 not asked
  std::vector<char> beside_;  // what is active in fails_beside, all 0 between calls
  std::vector<char> queued_;  // by constraint, all 0 between calls
  std::vector<std::uint64_t> rest_until_;  // by slot
  std::uint64_t turn_ = 0;
  std::vector<std::pair<std::uint32_t, std::int64_t>> trail_;  // slots that settle moved, with their values before
  std::size_t negated_ = kNone;                                // this constraint must fail instead
  bool has_base_ = false;
  bool wide_ = false;  // guards about single slots may be inactive: try all of the domain
};

}  // namespace dimgate::simplify
