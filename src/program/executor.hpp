// The interpreter's state, and what its instructions have in common. Included through execute.hpp.
#pragma once

#include <algorithm>
#include <cmath>

#include "program/machine.hpp"

namespace dimgate::detail {

/// Registers [first, first + count) pairwise different; may reorder them.
template <class Cell, class Less>
bool all_different(Cell* first, std::uint32_t count, Less less) noexcept {
  if (count <= 16) {
    for (std::uint32_t i = 0; i < count; ++i)
      for (std::uint32_t j = 0; j < i; ++j)
        if (!less(first[i], first[j]) && !less(first[j], first[i])) return false;
    return true;
  }
  // Heap sort: in place, no allocation, n log n at worst.
  std::make_heap(first, first + count, less);
  std::sort_heap(first, first + count, less);
  for (std::uint32_t i = 1; i < count; ++i)
    if (!less(first[i - 1], first[i])) return false;
  return true;
}

inline bool is_nan_bits(std::int64_t bits) noexcept {
  return (static_cast<std::uint64_t>(bits) << 1) > (std::uint64_t{0x7ff} << 53);
}

/// Slots pairwise different; all present. No early exit: the lists are short and usually differ.
template <class In>
bool slots_differ(std::span<const SlotIndex> list, const In& in) noexcept {
  bool equal = false;
  for (std::size_t j = 1; j < list.size(); ++j) {
    const std::int64_t v = in.raw(list[j]);
    for (std::size_t k = 0; k < j; ++k) equal |= in.raw(list[k]) == v;
  }
  return !equal;
}

template <class M, class In>
struct Executor {
  using Cell = typename M::Cell;
  using Number = typename M::Number;
  using Ops = typename M::Ops;

  const ProgramCode& p;
  const In& in;
  Cell* r;
  std::vector<std::uint32_t>* failed;  // null: stop at the first
  std::int32_t found = kPass;          // of the last run

  [[nodiscard]] bool has(SlotIndex s) const noexcept {
    if constexpr (M::kPartial) return in.has(s);
    return true;
  }
  template <class Condition>
  [[nodiscard]] int on(std::uint32_t b, std::uint32_t c, Condition condition) const noexcept {
    if (!M::defined(r[b]) || !M::defined(r[c])) return kUndefined;
    return truth(condition(M::number(r[b]), M::number(r[c])));
  }
  template <class Condition>
  [[nodiscard]] int on(std::uint32_t b, Condition condition) const noexcept {
    if (!M::defined(r[b])) return kUndefined;
    return truth(condition(M::number(r[b])));
  }
  template <class Condition>
  [[nodiscard]] int on_slots(const Instr& i, Condition condition) const noexcept {
    if (!has(i.b) || !has(i.c)) return kUndefined;
    return truth(condition(in.raw(i.b), in.raw(i.c)));
  }
  [[nodiscard]] int range(const Instr& i) const noexcept {
    const Range& t = p.ranges[i.b];
    return has(t.slot) ? truth(t.holds(in.raw(t.slot)) != (i.x != 0)) : kUndefined;
  }
  [[nodiscard]] int mod(const Instr& i) const noexcept {
    const Congruent& t = p.mods[i.b];
    return has(t.slot) ? truth(t.holds(in.raw(t.slot)) != (i.x != 0)) : kUndefined;
  }
  [[nodiscard]] int member(const Instr& i) const noexcept {
    if (!has(i.b)) return kUndefined;
    return truth(std::ranges::binary_search(p.sets[i.c], in.raw(i.b)) != (i.x != 0));
  }
  [[nodiscard]] int slots_differ(const Instr& i) const noexcept {
    const std::span<const SlotIndex> list = p.lists[i.b];
    if constexpr (M::kPartial)
      for (const SlotIndex s : list)
        if (!in.has(s)) return kUndefined;
    return truth(detail::slots_differ(list, in) != (i.x != 0));
  }
  [[nodiscard]] int truth_of(std::uint32_t b) const noexcept { return static_cast<int>(Ops::low(M::number(r[b]))); }

  template <class Op>
  [[nodiscard]] bool arith(const Instr& i, Op op) noexcept {
    if constexpr (M::kPartial) {
      if (!M::defined(r[i.b]) || !M::defined(r[i.c])) return M::set_undefined(r[i.a]), true;
    }
    Number out{};
    if (!op(out, M::number(r[i.b]), M::number(r[i.c]))) return false;
    M::set(r[i.a], out);
    return true;
  }
  template <class Op>
  [[nodiscard]] bool arith_imm(const Instr& i, Op op) noexcept {
    if constexpr (M::kPartial) {
      if (!M::defined(r[i.b])) return M::set_undefined(r[i.a]), true;
    }
    Number out{};
    if (!op(out, M::number(r[i.b]), Number(i.imm))) return false;
    M::set(r[i.a], out);
    return true;
  }
  template <class Op>
  [[nodiscard]] bool divide(const Instr& i, Op op) noexcept {
    if (M::number(r[i.c]) == 0) return M::set_undefined(r[i.a]), true;
    return arith(i, op);
  }

  /// False if a pair fails and that ends the run: the test is in `found`.
  template <class Fails, class Condition>
  [[nodiscard]] bool pairs(const Instr& i, Fails fails, Condition condition) noexcept {
    const Pair* const end = p.pairs.data() + i.b + i.c;
    for (const Pair* q = end - i.c; q != end; ++q) {
      if (has(q->left) && has(q->right) && condition(in.raw(q->left), in.raw(q->right))) continue;
      found = static_cast<std::int32_t>(q->test);
      if (fails(q->test)) return false;
    }
    return true;
  }

  /// kPass, the first failing test, or kLeave.
  std::int32_t run() noexcept;
  bool step_value(const Instr& i) noexcept;
};

}  // namespace dimgate::detail
