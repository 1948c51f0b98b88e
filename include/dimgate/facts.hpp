// What is known: formulas with a standing, and the cheap abstract values that follow from them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dimgate/expr.hpp"

namespace dimgate {

/// The integers x with lo <= x <= hi; a missing end is unbounded. Empty only where `is_empty`.
struct Interval {
  std::optional<Integer> lo, hi;
  static Interval all() { return {}; }
  static Interval point(Integer v) { return {v, v}; }
  static Interval at_least(Integer v) { return {std::move(v), std::nullopt}; }
  static Interval at_most(Integer v) { return {std::nullopt, std::move(v)}; }
  [[nodiscard]] bool is_empty() const { return lo && hi && *lo > *hi; }
  [[nodiscard]] bool is_point() const { return lo && hi && *lo == *hi; }
  [[nodiscard]] bool contains(const Integer& v) const { return (!lo || *lo <= v) && (!hi || v <= *hi); }
  [[nodiscard]] Interval intersect(const Interval& o) const;
  [[nodiscard]] Interval join(const Interval& o) const;
  [[nodiscard]] std::string to_string() const;  // "[1,inf]", "[-inf,3]"
  friend bool operator==(const Interval&, const Interval&) = default;
};
Interval operator+(const Interval& a, const Interval& b);
Interval operator-(const Interval& a);
Interval operator*(const Interval& a, const Interval& b);
/// Hull of { x // y | x in a, y in b, y != 0 }.
Interval floor_div(const Interval& a, const Interval& b);

/// The integers x with x == residue (mod modulus). modulus 0: the constant residue; modulus 1: every integer.
/// Invariant: modulus >= 0, and 0 <= residue < modulus where modulus > 0.
struct Congruence {
  Integer modulus = 1, residue = 0;
  static Congruence all() { return {}; }
  static Congruence constant(Integer c) { return {0, std::move(c)}; }
  static Congruence of(const Integer& modulus, const Integer& residue);
  [[nodiscard]] bool is_all() const { return modulus.is_one(); }
  [[nodiscard]] bool contains(const Integer& v) const;
  /// nullopt: no common integer (Chinese remainder theorem).
  [[nodiscard]] std::optional<Congruence> intersect(const Congruence& o) const;
  [[nodiscard]] Congruence join(const Congruence& o) const;
  [[nodiscard]] std::string to_string() const;  // "(4,3)", "(0,7)", "(1,0)"
  friend bool operator==(const Congruence&, const Congruence&) = default;
};
Congruence operator+(const Congruence& a, const Congruence& b);
Congruence operator*(const Congruence& a, const Congruence& b);

/// intrinsic: implied by the slot's type (`size >= 0`). checked: declared by the caller and compiled into the frame's
/// precondition. trusted: the caller vouches for it; strict mode still checks it.
/// assumed: holds only for the branch being looked at (an earlier guard of the path, a case split); a proof that
/// uses it depends on it staying.
enum class Standing : std::uint8_t { intrinsic, checked, trusted, assumed };

using FactId = std::uint32_t;

/// A formula taken to be true, with where it came from.
struct Fact {
  Expr formula;    // as declared (raw)
  Expr canonical;  // what provers read
  Standing standing = Standing::checked;
  std::string origin;  // free text: source line, guard text
};

/// A set of facts, closed under nothing: just the facts, in order, with push and pop.
/// Provers keep what they derived beside it and follow `size()` and `generation()`.
class Facts {
 public:
  explicit Facts(Context& ctx) : ctx_(&ctx) {}

  /// Adds a fact (any order, duplicates are fine). No consistency check: see `Prover::consistent`.
  FactId assume(Expr formula, Standing standing = Standing::checked, std::string origin = {});
  void push() { levels_.push_back(facts_.size()); }
  void pop();

  [[nodiscard]] Context& context() const noexcept { return *ctx_; }
  [[nodiscard]] std::span<const Fact> all() const noexcept { return facts_; }
  [[nodiscard]] std::size_t size() const noexcept { return facts_.size(); }
  [[nodiscard]] const Fact& operator[](FactId id) const { return facts_[id]; }
  /// Changes whenever a fact that was there before is gone (pop), so that caches know.
  [[nodiscard]] std::uint64_t generation() const noexcept { return generation_; }
  /// Values at which every fact is true (what a front end saw while tracing), if known. A prover checks them before it
  /// relies on them; they only make refutations cheaper, never a proof.
  void set_witness(Expr symbol, Value value);
  [[nodiscard]] const Assignment* witness() const noexcept { return witness_symbols_.empty() ? nullptr : &witness_; }
  [[nodiscard]] std::span<const Expr> witness_symbols() const noexcept { return witness_symbols_; }
  /// A place for what a prover derived from these facts, so that it dies with them. Only provers touch it.
  [[nodiscard]] std::shared_ptr<void>& derived() const noexcept { return derived_.slot; }

 private:
  Context* ctx_;
  std::vector<Fact> facts_;
  std::vector<std::size_t> levels_;
  std::uint64_t generation_ = 0;
  Assignment witness_;
  std::vector<Expr> witness_symbols_;  // in canonical order
  struct Derived {                     // not copied: a copy derives for itself
    Derived() = default;
    Derived(const Derived&) {}
    Derived(Derived&&) noexcept = default;
    Derived& operator=(const Derived& other) {
      if (this != &other) slot.reset();
      return *this;
    }
    Derived& operator=(Derived&&) noexcept = default;
    ~Derived() = default;
    std::shared_ptr<void> slot;
  };
  mutable Derived derived_;
};

}  // namespace dimgate
