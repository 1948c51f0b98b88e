// SymInt and SymBool: the numbers a front end computes shapes with.
//
// They behave like integers and truth values in ordinary C++ (`if (n % 8 != 0) …`, `a / b`, `max(a, b)`), except that
// they may stand for a term over symbols. Arithmetic builds canonical terms and decides nothing (but `/` and `%`
// decide that the divisor is not 0). Turning a SymBool into a `bool` is a *decision*: the Tracer answers it from
// facts and earlier decisions, or takes the branch of the hints and records that branch's exact condition as a guard.
//
// `/` and `%` are floor division and its remainder (Python's) for any signs; C++'s own differ for negatives.
// `&&` and `||` are C++'s (short-circuit, each operand a decision); `sym_and`, `sym_or` build one formula.
//
// A SymInt without symbols is a plain exact integer and needs no Tracer. All handles die with their Tracer's Context.
// Comparing costs a hash lookup when the same terms met before. Tested by tests/trace.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <source_location>
#include <string>
#include <vector>

#include "dimgate/expr.hpp"

namespace dimgate {

class Tracer;
class SymInt;
class SymBool;
struct SymOps;

/// An integer: a constant, or a canonical term of a Tracer's Context.
class SymInt {
 public:
  SymInt() noexcept = default;
  template <std::integral T>
    requires(!std::same_as<T, bool>)
  SymInt(T value) : value_(exact(value)) {}            // NOLINT: integers are SymInts
  SymInt(Integer value) : value_(std::move(value)) {}  // NOLINT
  /// The term `e` (any Int term of the tracer's Context; it is made canonical).
  SymInt(Tracer& tracer, Expr e);

  [[nodiscard]] bool is_const() const noexcept { return node_ == nullptr; }
  /// The value; only where is_const().
  [[nodiscard]] const Integer& constant() const noexcept { return value_; }
  /// The canonical term; null where is_const().
  [[nodiscard]] Expr term() const noexcept { return Expr(node_); }
  /// The canonical term in `ctx`, a constant included.
  [[nodiscard]] Expr expr(Context& ctx) const { return node_ ? Expr(node_) : ctx.integer(value_); }
  [[nodiscard]] Tracer* tracer() const noexcept { return tracer_; }
  /// The value as a number: a constant's own, else the hint's value v with the guard `term == v`.
  [[nodiscard]] std::int64_t to_int(std::source_location at = std::source_location::current()) const;
  /// The value under the hints; nothing is recorded. nullopt: not backed by hints, or undefined there.
  [[nodiscard]] std::optional<Integer> hint() const;
  /// Same constant or same canonical term. (Not provable equality: that is a decision, `==`.)
  [[nodiscard]] bool same_term(const SymInt& o) const noexcept {
    return node_ == o.node_ && (node_ != nullptr || value_ == o.value_);
  }
  [[nodiscard]] std::string to_string() const;

  SymInt& operator+=(const SymInt& b);
  SymInt& operator-=(const SymInt& b);
  SymInt& operator*=(const SymInt& b);

 private:
  friend class Tracer;
  friend struct SymOps;
  template <std::integral T>
  static Integer exact(T v) {
    if constexpr (std::unsigned_integral<T> && sizeof(T) == 8)
      return Integer::from_u64(v);
    else
      return Integer(static_cast<std::int64_t>(v));
  }
  Integer value_;
  const detail::Node* node_ = nullptr;
  Tracer* tracer_ = nullptr;
};

/// An operand that remembers where it was written, so that a decision can name the line.
struct Located {
  SymInt value;
  std::source_location at;
  Located(const SymInt& v, std::source_location where = std::source_location::current())  // NOLINT
      : value(v), at(where) {}
  template <std::integral T>
    requires(!std::same_as<T, bool>)
  Located(T v, std::source_location where = std::source_location::current()) : value(v), at(where) {}  // NOLINT
};

/// A truth value: a constant, or a canonical formula of a Tracer's Context, and where it was written.
class SymBool {
 public:
  template <std::same_as<bool> T>
  SymBool(T value, std::source_location at = std::source_location::current())  // NOLINT: truth values are SymBools
      : value_(value), at_(at) {}
  SymBool(Tracer& tracer, Expr e, std::source_location at = std::source_location::current());

  [[nodiscard]] bool is_const() const noexcept { return node_ == nullptr; }
  [[nodiscard]] bool constant() const noexcept { return value_; }
  [[nodiscard]] Expr expr(Context& ctx) const { return node_ ? Expr(node_) : ctx.boolean(value_); }
  [[nodiscard]] Tracer* tracer() const noexcept { return tracer_; }
  [[nodiscard]] std::source_location at() const noexcept { return at_; }

  /// Decides (see the top). Throws TraceError where nothing can decide.
  explicit operator bool() const { return node_ ? decide() : value_; }
  /// What facts and earlier decisions imply; records nothing.
  [[nodiscard]] std::optional<bool> known() const;
  /// The value under the hints; records nothing. nullopt: not backed, or undefined there.
  [[nodiscard]] std::optional<bool> hint() const;
  /// As a decision, but where it is neither known nor backed take `fallback` and record it as a run-time assert.
  [[nodiscard]] bool value_or(bool fallback) const;
  [[nodiscard]] std::string to_string() const;

 private:
  friend class Tracer;
  friend struct SymOps;
  [[nodiscard]] bool decide() const;
  const detail::Node* node_ = nullptr;
  Tracer* tracer_ = nullptr;
  bool value_ = false;
  std::uint32_t id_ = 0;  // of the node, which may have left the caches
  std::source_location at_;
};

SymInt operator+(const SymInt& a, const SymInt& b);
SymInt operator-(const SymInt& a, const SymInt& b);
SymInt operator*(const SymInt& a, const SymInt& b);
SymInt operator-(const SymInt& a);
/// Floor division and its remainder. A divisor that is 0 under the hints is a ShapeError; one that is not known to be
/// != 0 records that guard.
SymInt operator/(const Located& a, const Located& b);
SymInt operator%(const Located& a, const Located& b);
SymInt ceildiv(const Located& a, const Located& b);
SymInt min(const SymInt& a, const SymInt& b);
SymInt max(const SymInt& a, const SymInt& b);
SymInt abs(const SymInt& a);
/// `condition ? a : b` as a term: no decision.
SymInt where(const SymBool& condition, const SymInt& a, const SymInt& b);

SymBool operator==(const Located& a, const Located& b);
SymBool operator!=(const Located& a, const Located& b);
SymBool operator<(const Located& a, const Located& b);
SymBool operator<=(const Located& a, const Located& b);
SymBool operator>(const Located& a, const Located& b);
SymBool operator>=(const Located& a, const Located& b);

SymBool operator!(const SymBool& p);
/// One formula, one decision.
SymBool sym_and(const SymBool& a, const SymBool& b);
SymBool sym_or(const SymBool& a, const SymBool& b);

using Shape = std::vector<SymInt>;
/// "(B, 3, H)".
std::string to_string(const Shape& shape);

}  // namespace dimgate
