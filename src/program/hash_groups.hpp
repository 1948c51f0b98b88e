// Programs by the values, or residues, that their tests pin: one probe a group finds the only ones that can accept.
//
// A group is a list of columns (slot, modulus): the key is each slot's value, or its residue where modulus > 1.
// Programs with equal keys are chained in rank order. Tested by tests/program/dispatch_test.cpp against a scan.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "program/candidates.hpp"

namespace dimgate::detail {

/// What a program pins: S[slot] (mod modulus) == value; modulus 0: the value itself.
struct KeyPart {
  SlotIndex slot = 0;
  std::uint64_t modulus = 0;
  std::int64_t value = 0;
};

/// The parts a program can be grouped by: its pinned slots and its congruences.
std::vector<KeyPart> key_of(const ProgramCode& p);

class HashGroups {
 public:
  /// True if taken in: false if it pins nothing, or would need one group too many, or (unless `any_length`) if many
  /// share its key already, so that another index would tell them apart better.
  bool add(std::uint32_t rank, const Program& program, bool any_length);
  /// The lowest rank below `best` that accepts, else `best`.
  [[nodiscard]] std::uint32_t find(Candidates& c, std::uint32_t best) const noexcept;
  /// One group holds all that was added: equal keys are neighbours in a chain, other keys exclude each other.
  [[nodiscard]] bool is_one() const noexcept { return groups_.size() == 1; }
  /// Ranks that have a key of their own or are the first with it.
  void each_first(const std::function<void(std::uint32_t)>& visit) const;
  void shrink();
  [[nodiscard]] std::size_t bytes() const noexcept;

 private:
  static constexpr std::size_t kMostGroups = 24;  // each costs a probe a lookup
  static constexpr std::uint32_t kLong = 8;

  struct Column {
    SlotIndex slot;
    std::uint64_t modulus;
  };
  struct Place {
    std::uint32_t tag = 0;          // upper half of the hash
    std::uint32_t first = kNoRank;  // index into `chain`
  };
  /// An entry, in the order they were added. Its key is keys[index * columns ...].
  struct Link {
    std::uint32_t rank;
    std::uint32_t next;    // one with the same hash, or kNoRank
    std::uint32_t last;    // of the first of a chain: the last
    std::uint16_t length;  // of the first of a chain
    bool whole;            // its key is all it demands
  };
  struct Group {
    std::vector<Column> columns;
    std::vector<Place> table;  // open addressing, a power of two
    std::vector<Link> chain;
    std::vector<std::int64_t> keys;
    std::size_t used = 0;
  };
  static constexpr std::size_t kMostColumns = 64;
  static void insert(Group& g, std::uint64_t h, std::uint32_t link);
  static std::uint32_t find_in(const Group& g, Candidates& c, std::uint32_t best) noexcept;

  std::vector<Group> groups_;
};

}  // namespace dimgate::detail
