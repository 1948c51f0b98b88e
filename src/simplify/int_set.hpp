// An exact set of integers: finitely many ranges, each filtered by residue classes.
//
// This is what one slot's guards denote as long as they use constants only, so joining, comparing and reading back such
// guards needs no prover. Invariants: pieces ascend and do not touch unless their residues differ; finite ends are
// elements; a finite piece that is no longer than its modulus is spelled as plain ranges. Finite ends lie within
// +-kFar; an operation that would leave that, need a modulus above Residues::kMaxModulus or more than kMaxPieces
// pieces says nullopt ("cannot"), and the caller asks a prover instead. Cost: linear in pieces times modulus.
// Tested by tests/simplify/int_set_test.cpp.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "simplify/residues.hpp"

namespace dimgate::simplify {

class IntSet {
 public:
  static constexpr std::int64_t kMinusInf = std::numeric_limits<std::int64_t>::min();
  static constexpr std::int64_t kPlusInf = std::numeric_limits<std::int64_t>::max();
  static constexpr std::int64_t kFar = std::int64_t{1} << 60;
  static constexpr std::size_t kMaxPieces = 1U << 17;

  struct Piece {
    std::int64_t lo = kMinusInf, hi = kPlusInf;
    Residues residues;
    [[nodiscard]] bool is_point() const noexcept { return lo == hi; }
    friend bool operator==(const Piece&, const Piece&) = default;
  };

  /// The empty set.
  IntSet() = default;
  static IntSet all() { return range(kMinusInf, kPlusInf); }
  static IntSet point(std::int64_t v) { return range(v, v); }
  /// lo <= x <= hi; empty if lo > hi. Finite ends within +-kFar.
  static IntSet range(std::int64_t lo, std::int64_t hi);
  static IntSet of(const Residues& residues);

  [[nodiscard]] std::span<const Piece> pieces() const noexcept { return pieces_; }
  [[nodiscard]] bool is_empty() const noexcept { return pieces_.empty(); }
  [[nodiscard]] bool is_all() const noexcept;
  [[nodiscard]] bool is_point() const noexcept { return pieces_.size() == 1 && pieces_[0].is_point(); }
  [[nodiscard]] bool contains(std::int64_t x) const noexcept;
  /// Ends of the hull; kMinusInf, kPlusInf where unbounded. The set must not be empty.
  [[nodiscard]] std::int64_t lo() const noexcept { return pieces_.front().lo; }
  [[nodiscard]] std::int64_t hi() const noexcept { return pieces_.back().hi; }
  /// Number of elements; nullopt if infinite or above `limit`.
  [[nodiscard]] std::optional<std::uint64_t> count(std::uint64_t limit = 1U << 20) const;
  /// The elements, ascending. Only where count() is small.
  [[nodiscard]] std::vector<std::int64_t> elements() const;
  /// Up to `limit` elements: the ends of pieces and those next to them, nearest 0 first where unbounded.
  [[nodiscard]] std::vector<std::int64_t> samples(std::size_t limit) const;
  /// Smallest element > x and largest < x, if any; exact for every |x| <= 4*kFar, so for every finite end.
  [[nodiscard]] std::optional<std::int64_t> after(std::int64_t x) const;
  [[nodiscard]] std::optional<std::int64_t> before(std::int64_t x) const;
  [[nodiscard]] std::string to_string() const;  // "{[4,inf]%4:0}", for tests and logs

  friend std::optional<IntSet> intersect(const IntSet& a, const IntSet& b);
  friend std::optional<IntSet> unite(const IntSet& a, const IntSet& b);
  friend std::optional<IntSet> subtract(const IntSet& a, const IntSet& b);
  friend std::optional<IntSet> complement(const IntSet& a);
  /// a within b.
  friend std::optional<bool> is_subset(const IntSet& a, const IntSet& b);
  friend bool operator==(const IntSet&, const IntSet&) = default;

  /// Appends pieces in ascending order, keeping the invariants.
  class Builder {
   public:
    void append(std::int64_t lo, std::int64_t hi, const Residues& residues);
    [[nodiscard]] bool overflowed() const noexcept { return pieces_.size() > kMaxPieces; }
    IntSet take();

   private:
    void append_plain(std::int64_t lo, std::int64_t hi);
    std::vector<Piece> pieces_;
  };

 private:
  std::vector<Piece> pieces_;
};

inline constexpr std::int64_t kMinusInf = IntSet::kMinusInf;
inline constexpr std::int64_t kPlusInf = IntSet::kPlusInf;

/// Same elements, whatever the pieces look like.
std::optional<bool> same_set(const IntSet& a, const IntSet& b);

}  // namespace dimgate::simplify
