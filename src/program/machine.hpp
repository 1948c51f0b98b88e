// What registers hold on each path, and how they compute.
//
// Total:   int64, every slot read is present; an operation that overflows returns false.
// Partial<Number>: a number and whether it is undefined; slots may be absent. With int64 an overflow returns false,
// with a wide number (machine_wide.cpp) nothing overflows: the width was bounded when the program was built. A truth is
// 0, 1, 2 (see code.hpp) on every path.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "program/code.hpp"

namespace dimgate::detail {

enum Truth : int { kFalse = 0, kUndefined = 1, kTrue = 2 };
constexpr int truth(bool b) noexcept { return b ? kTrue : kFalse; }

/// The checked operations on int64.
struct Checked {
  using Number = std::int64_t;
  static bool add(Number& r, Number a, Number b) noexcept { return !__builtin_add_overflow(a, b, &r); }
  static bool sub(Number& r, Number a, Number b) noexcept { return !__builtin_sub_overflow(a, b, &r); }
  static bool mul(Number& r, Number a, Number b) noexcept { return !__builtin_mul_overflow(a, b, &r); }
  static bool floor_div(Number& r, Number a, Number b) noexcept {
    if (b == -1) return sub(r, 0, a);
    const Number q = a / b;
    r = q - static_cast<Number>(q * b != a && (a < 0) != (b < 0));
    return true;
  }
  static bool floor_mod(Number& r, Number a, Number b) noexcept {
    if (b == -1) return r = 0, true;
    const Number m = a % b;
    r = m != 0 && (m < 0) != (b < 0) ? m + b : m;
    return true;
  }
  static bool ceil_div(Number& r, Number a, Number b) noexcept {
    if (b == -1) return sub(r, 0, a);
    const Number q = a / b;
    r = q + static_cast<Number>(q * b != a && (a < 0) == (b < 0));
    return true;
  }
  static bool big(Number&, const BigInt&) noexcept { return false; }
  static std::int64_t low(Number a) noexcept { return a; }
};

/// Registers without definedness.
struct Total {
  static constexpr bool kPartial = false;
  using Ops = Checked;
  using Cell = std::int64_t;
  using Number = std::int64_t;
  static constexpr bool defined(Cell) noexcept { return true; }
  static const Number& number(const Cell& c) noexcept { return c; }
  static void set(Cell& c, Number v) noexcept { c = v; }
  static void set_undefined(Cell& c) noexcept { c = 0; }
};

/// Registers with definedness. `Ops` computes on numbers.
template <class O>
struct Partial {
  static constexpr bool kPartial = true;
  using Ops = O;
  using Number = typename O::Number;
  struct Cell {
    Number value{};
    bool defined = false;
  };
  static bool defined(const Cell& c) noexcept { return c.defined; }
  static const Number& number(const Cell& c) noexcept { return c.value; }
  static void set(Cell& c, const Number& v) noexcept { c.value = v, c.defined = true; }
  static void set_undefined(Cell& c) noexcept { c.value = 0, c.defined = false; }
};

/// One row of a snapshot.
struct RowInput {
  SnapshotView view;
  [[nodiscard]] bool has(SlotIndex s) const noexcept { return view.has(s); }
  [[nodiscard]] std::int64_t raw(SlotIndex s) const noexcept { return view.values[s]; }
  [[nodiscard]] bool has_all(const PresenceWord* words, std::uint32_t count) const noexcept {
    const std::size_t limit = (view.size + 63) / 64;
    for (std::uint32_t i = 0; i < count; ++i) {
      const PresenceWord& w = words[i];
      if (w.word >= limit || (view.present[w.word] & w.mask) != w.mask) return false;
    }
    return true;
  }
};

/// One row of columns; a null column is absent.
struct ColumnInput {
  std::span<const std::int64_t* const> columns;
  std::size_t row = 0;
  [[nodiscard]] bool has(SlotIndex s) const noexcept { return s < columns.size() && columns[s] != nullptr; }
  [[nodiscard]] std::int64_t raw(SlotIndex s) const noexcept { return columns[s][row]; }
  [[nodiscard]] bool has_all(const PresenceWord* words, std::uint32_t count) const noexcept {
    for (std::uint32_t i = 0; i < count; ++i)
      for (std::uint64_t m = words[i].mask; m != 0; m &= m - 1)
        if (!has(words[i].word * 64 + static_cast<SlotIndex>(std::countr_zero(m)))) return false;
    return true;
  }
};

// What `execute` returns beside kPass and tests (>= 0).
inline constexpr std::int32_t kLeave = -2;  // this path cannot go on: a slot is absent, or a number overflowed

/// Runs on wide numbers: total on any input. `failed`, if given, collects every failing test instead of stopping.
std::int32_t execute_wide(const ProgramCode& p, const RowInput& in, std::vector<std::uint32_t>* failed) noexcept;
std::int32_t execute_wide(const ProgramCode& p, const ColumnInput& in, std::vector<std::uint32_t>* failed) noexcept;

}  // namespace dimgate::detail
