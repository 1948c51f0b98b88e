// Guards as a tree over the objects they look at, checked while slots are read.
//
// The tests of one object stand together, cheap to dear by (cost of reading what is new + cost of evaluating) / chance
// to fail; tests that make a slot readable come before those that read it (type, rank, size; presence, value); objects
// are ordered the same way; then the tests that relate several objects; those on values derived from elements last.
// The check stops at the first test that is not true, so what stands behind it is not read. A test over a slot that is
// absent is undefined and fails, whatever was skipped before. Order never changes the verdict: it is a conjunction.
// A tree is immutable and may be run by any number of threads, each with its own LazySnapshot and TreeCounts.
// Costs: about 2 ns a test `slot == constant` beside the read; nothing allocates, locks or throws.
// Built by `compile_tree` (compile_tree.hpp). Tested by tests/compile, against the plain conjunction.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dimgate/identity.hpp"
#include "dimgate/lazy_snapshot.hpp"
#include "dimgate/program.hpp"

namespace dimgate {

namespace detail {

/// One conjunct of one guard.
struct TreeTest {
  std::uint32_t guard = 0;       // index in the list that was compiled
  std::uint32_t unit = 0;        // index of the conjunct, counted through all guards
  std::uint32_t first_slot = 0;  // of GuardTree's slot list
  std::uint32_t slots = 0;
  std::int32_t program = -1;  // -1: lo <= slot <= hi (raw bits) on the one slot
  std::int64_t lo = 0, hi = 0;
};

/// What ordering needs to know of a test.
struct TreeUnit {
  TreeTest test;
  std::vector<SlotIndex> slots;
  double evaluation = 1;
  std::string object;      // of its slots; empty: several
  bool from_data = false;  // a slot is derived from elements
};

}  // namespace detail

/// What one reader observed; feeds `GuardTree::adapted`.
struct TreeCounts {
  std::vector<std::uint64_t> runs, failures;  // by unit
  void reset(std::size_t units) { runs.assign(units, 0), failures.assign(units, 0); }
};

enum class TreeOrder : std::uint8_t {
  tree,      // as above
  recorded,  // as the guards stand in the list: to compare with
};

class GuardTree {
 public:
  GuardTree() = default;  // no guards: passes
  struct Slot {
    SlotIndex edge;
    double read_cost;
    std::string object;
  };
  /// Units in recorded order, programs their tests refer to, what the layout says of slots. Called by compile_tree.
  GuardTree(std::vector<detail::TreeUnit> units, std::vector<Program> programs, std::vector<Slot> slots,
            TreeOrder order = TreeOrder::tree);

  /// kPass, or the index of the guard whose test was the first not true.
  [[nodiscard]] std::int32_t check(LazySnapshot& at) const noexcept { return check(at, nullptr); }
  /// `counts` (reset to `units()`) is added to.
  std::int32_t check(LazySnapshot& at, TreeCounts* counts) const noexcept;

  /// The same guards in the order that `counts` suggests.
  [[nodiscard]] GuardTree adapted(const TreeCounts& counts) const;
  [[nodiscard]] std::size_t units() const noexcept { return units_ == nullptr ? 0 : units_->size(); }
  [[nodiscard]] std::size_t guard_count() const noexcept;
  /// Guard of each test, in the order they run.
  [[nodiscard]] std::vector<std::uint32_t> order() const;
  /// Guard of a unit.
  [[nodiscard]] std::uint32_t guard_of(std::size_t unit) const noexcept { return (*units_)[unit].test.guard; }
  [[nodiscard]] std::size_t bytes() const noexcept;

 private:
  friend class TreeDispatch;
  void arrange(const TreeCounts* counts);
  std::shared_ptr<const std::vector<detail::TreeUnit>> units_;
  std::shared_ptr<const std::vector<Program>> programs_;
  std::shared_ptr<const std::vector<Slot>> slots_;
  std::vector<detail::TreeTest> tests_;  // in running order
  std::vector<SlotIndex> reads_;         // their slots
  TreeOrder order_ = TreeOrder::tree;
};

/// A tree that follows what fails: after `period` failures (then twice as many, ...) it is put in the order observed.
/// One thread. Rearranging allocates and happens on a failing check only.
class AdaptiveTree {
 public:
  explicit AdaptiveTree(GuardTree tree, std::uint64_t period = 64);
  std::int32_t check(LazySnapshot& at);
  [[nodiscard]] const GuardTree& tree() const noexcept { return tree_; }
  [[nodiscard]] const TreeCounts& counts() const noexcept { return counts_; }

 private:
  GuardTree tree_;
  TreeCounts counts_;
  std::uint64_t period_, left_;
};

/// The first of several entries that accepts, over slots that are read once for all of them.
///
/// A test that several entries share (the same bound on the same slot) runs once a lookup: where it fails, all entries
/// that have it are out. Tests run by depth of their slots' edges, so none reads past an edge. Cost: one run of each
/// distinct test, and a bit test for each entry and 64 tests. Beyond 4096 entries or distinct tests: entry by entry.
class TreeDispatch {
 public:
  static constexpr std::int32_t kMiss = -1;
  TreeDispatch() = default;
  explicit TreeDispatch(std::vector<GuardTree> entries);
  /// Behind the others. Rebuilds what entries share: linear in all tests.
  void append(GuardTree entry);
  /// Rank of the entry, or kMiss. Starts reading from `source` anew. Allocates nothing.
  std::int32_t find(LazySnapshot& at, SlotSource& source) const noexcept;
  [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }
  [[nodiscard]] const GuardTree& operator[](std::size_t i) const noexcept { return entries_[i]; }
  /// Different tests of all entries together.
  [[nodiscard]] std::size_t distinct_tests() const noexcept { return shared_.size(); }

 private:
  static constexpr std::size_t kMostWords = 64;
  struct Shared {
    detail::TreeTest test;
    const Program* program = nullptr;  // of an entry's tree; null: the test is inline
  };
  void share();
  [[nodiscard]] std::int32_t scan(LazySnapshot& at) const noexcept;
  std::vector<GuardTree> entries_;
  std::vector<Shared> shared_;           // in running order
  std::vector<SlotIndex> reads_;         // their slots
  std::vector<std::uint64_t> tests_of_;  // bits of shared_, test_words_ for each entry
  std::vector<std::uint64_t> users_of_;  // bits of entries, entry_words_ for each test
  std::size_t test_words_ = 0, entry_words_ = 0;
};

/// True if the program demands an identity that is dead: it can never pass again.
bool pins_dead_identity(const Program& program, const Layout& layout, const IdentityTable& identities);

}  // namespace dimgate
