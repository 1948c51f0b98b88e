// Programs by the tests they share: each shared test is evaluated once a lookup and strikes out, 64 entries a word, all
// that want it otherwise.
//
// An atom is a test on one slot (range, residue) or a comparison of two. It has two sets of entries: those that need it
// true and those that need it false; an undefined atom strikes out both. A set is kept in blocks of 4,096 entries as a
// summary word, which of the block's 64 words have a bit, and those words: memory grows with the tests of the entries.
// Comparisons of slots are looked at only where the single-slot atoms left somebody standing; who then stands is
// checked, in rank order. After Lakshman and Stiliadis 1998 and Baboescu and Varghese 2001 (aggregated bit vectors).
// Immutable once built. Tested by tests/program/dispatch_test.cpp against a scan.
#pragma once

#include <array>
#include <vector>

#include "program/candidates.hpp"

namespace dimgate::detail {

class BitIndex {
 public:
  /// `ranks`: of the entries that are in it, ascending.
  BitIndex(std::span<const Program* const> programs, std::vector<std::uint32_t> ranks);
  /// The lowest rank below `best` that accepts, else `best`.
  [[nodiscard]] std::uint32_t find(Candidates& c, std::uint32_t best) const noexcept;
  [[nodiscard]] std::size_t bytes() const noexcept;
  [[nodiscard]] std::size_t atoms() const noexcept { return atoms_.size(); }

  static constexpr std::size_t kBlock = 4096, kMostAtoms = 2048;

 private:
  struct Atom {
    enum class Kind : std::uint8_t { range, congruence, equal, less } kind = Kind::range;
    SlotIndex left = 0, right = 0;
    std::int64_t lo = 0;
    std::uint64_t width = 0;
    Congruent congruent;
    [[nodiscard]] int truth(SnapshotView at) const noexcept;
    [[nodiscard]] bool is_pair() const noexcept { return kind >= Kind::equal; }
  };
  /// Entries of one block that need an atom to be `wanted`.
  struct Use {
    std::uint32_t atom = 0;
    std::uint32_t words = 0;  // first of popcount(summary) words
    std::uint64_t summary = 0;
    int wanted = 0;
  };
  struct Block {
    std::uint32_t first_use = 0, first_pair = 0, last_use = 0;
    std::uint32_t entries = 0;
  };
  struct Wanted {
    Atom atom;
    int truth;
  };
  struct Memo;
  static void tests_of(const ProgramCode& p, std::vector<Wanted>& out);
  void strike(const Use& use, std::array<std::uint64_t, 64>& alive) const noexcept;

  std::vector<std::uint32_t> ranks_;
  std::vector<Atom> atoms_;
  std::vector<Block> blocks_;
  std::vector<Use> uses_;
  std::vector<std::uint64_t> words_;
};

}  // namespace dimgate::detail
