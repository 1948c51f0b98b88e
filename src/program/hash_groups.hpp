// Programs by the values, or residues, that their tests pin: one probe a group finds the only ones that can accept.
//
// A group is a list of columns (slot, modulus): the key is each slot's value, or its residue where modulus > 1.
// Programs with equal keys are chained in rank order. Tested by tests/program/dispatch_test.cpp against a scan.
#pragma once

#include <span>
#include <vector>

#include "program/code.hpp"

namespace dimgate::detail {

inline constexpr std::uint32_t kNoRank = 0xffffffffU;

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
  [[nodiscard]] std::uint32_t find(std::span<const Program* const> programs, SnapshotView at,
                                   std::uint32_t best) const noexcept;
  [[nodiscard]] std::size_t bytes() const noexcept;

 private:
  static constexpr std::size_t kMostGroups = 24;  // each costs a probe a lookup
  static constexpr std::uint32_t kLong = 8;

  struct Column {
    SlotIndex slot;
    std::uint64_t modulus;
  };
  struct Place {
    std::uint64_t hash = 0;
    std::uint32_t first = kNoRank;  // index into `chain_`
    std::uint32_t last = kNoRank;
    std::uint32_t length = 0;
  };
  struct Link {
    std::uint32_t rank;
    std::uint32_t next;  // index into `chain_`, or kNoRank
  };
  struct Group {
    std::vector<Column> columns;
    std::vector<Place> table;  // open addressing, a power of two
    std::size_t keys = 0;
  };
  static bool hash(const Group& g, SnapshotView at, std::uint64_t& h) noexcept;
  static void insert(Group& g, Place place);

  std::vector<Group> groups_;
  std::vector<Link> chain_;
};

}  // namespace dimgate::detail
