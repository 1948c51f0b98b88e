// A set of residue classes: the integers x with x mod m in R, for one modulus m.
//
// Meaning: floor remainder, so negative integers are covered. Invariant: m is the smallest period of the set (so equal
// sets are equal values), 1 <= m <= kMaxModulus. Cost: a word for m <= 64, else m bits. Operations that would need a
// larger modulus say nullopt. Tested by tests/simplify/int_set_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace dimgate::simplify {

class Residues {
 public:
  static constexpr std::uint32_t kMaxModulus = 1U << 16;

  /// Every integer.
  Residues() : word_(1) {}
  static Residues all() { return {}; }
  static Residues none();
  /// x == residue (mod modulus); modulus in [1, kMaxModulus].
  static Residues only(std::uint32_t modulus, std::int64_t residue);
  /// x mod modulus is one of those r for which keep(r).
  template <class Keep>
  static Residues where(std::uint32_t modulus, Keep keep) {
    Residues out(modulus);
    for (std::uint32_t r = 0; r < modulus; ++r)
      if (keep(r)) out.set(r);
    out.reduce();
    return out;
  }

  [[nodiscard]] std::uint32_t modulus() const noexcept { return modulus_; }
  [[nodiscard]] bool has(std::uint32_t r) const noexcept {
    return modulus_ <= 64 ? (word_ >> r & 1) != 0 : (words_[r / 64] >> (r % 64) & 1) != 0;
  }
  [[nodiscard]] bool contains(std::int64_t x) const noexcept;
  [[nodiscard]] std::uint32_t count() const noexcept;  // residues in the set
  [[nodiscard]] bool is_all() const noexcept { return modulus_ == 1 && word_ == 1; }
  [[nodiscard]] bool is_none() const noexcept { return modulus_ == 1 && word_ == 0; }
  /// Smallest element >= x, largest <= x. The set must not be empty.
  [[nodiscard]] std::int64_t next(std::int64_t x) const noexcept;
  [[nodiscard]] std::int64_t previous(std::int64_t x) const noexcept;
  [[nodiscard]] std::vector<std::uint32_t> residues() const;

  [[nodiscard]] Residues complement() const;
  friend std::optional<Residues> intersect(const Residues& a, const Residues& b);
  friend std::optional<Residues> unite(const Residues& a, const Residues& b);
  friend bool operator==(const Residues&, const Residues&) = default;

 private:
  explicit Residues(std::uint32_t modulus);
  void set(std::uint32_t r) noexcept {
    if (modulus_ <= 64)
      word_ |= std::uint64_t{1} << r;
    else
      words_[r / 64] |= std::uint64_t{1} << (r % 64);
  }
  void reduce();

  std::uint32_t modulus_ = 1;
  std::uint64_t word_ = 0;            // modulus <= 64
  std::vector<std::uint64_t> words_;  // modulus > 64
};

/// Floor remainder for a positive modulus.
inline std::uint32_t floor_residue(std::int64_t x, std::uint32_t modulus) noexcept {
  const std::int64_t r = x % static_cast<std::int64_t>(modulus);
  return static_cast<std::uint32_t>(r < 0 ? r + modulus : r);
}

}  // namespace dimgate::simplify
