// The value of every traced term under the hints, by node id: computed once, when the term is built, from its operands'
// values. So no decision ever walks a term, and a wrong canonical form would show as a value that differs from the
// reference evaluator's (tests/trace compare them).
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "dimgate/expr.hpp"

namespace dimgate {

/// A value under the hints. Bools are 0 and 1.
struct HintValue {
  enum class State : std::uint8_t {
    unset,      // not computed yet
    unbacked,   // reads a symbol without a hint
    undefined,  // divides by zero
    value,
  };
  State state = State::unset;
  Integer value = {};

  static HintValue unbacked() { return {State::unbacked, {}}; }
  static HintValue undefined() { return {State::undefined, {}}; }
  static HintValue of(Integer v) { return {State::value, std::move(v)}; }
  [[nodiscard]] bool has_value() const noexcept { return state == State::value; }
};

class HintTable {
 public:
  [[nodiscard]] bool is_set(Expr e) const noexcept {
    return e.id() < slots_.size() && slots_[e.id()].state != HintValue::State::unset;
  }
  [[nodiscard]] HintValue get(Expr e) const {
    if (!is_set(e)) return {};
    const Slot& s = slots_[e.id()];
    if (s.state != HintValue::State::value) return {s.state, {}};
    return HintValue::of(s.big ? bigs_.at(e.id()) : Integer(s.small));
  }
  void set(Expr e, const HintValue& v) {
    if (e.id() >= slots_.size()) slots_.resize(e.id() + 1 + slots_.size() / 2);
    Slot& s = slots_[e.id()];
    s.state = v.state;
    s.big = !v.value.is_small();
    if (s.big)
      bigs_.insert_or_assign(e.id(), v.value);
    else
      s.small = v.value.small();
  }

 private:
  struct Slot {
    std::int64_t small = 0;
    HintValue::State state = HintValue::State::unset;
    bool big = false;
  };
  std::vector<Slot> slots_;
  std::unordered_map<std::uint32_t, Integer> bigs_;
};

/// op(a, b) under the hints. Undefined wins over unbacked only where the divisor itself is 0.
HintValue apply(Op op, const HintValue& a, const HintValue& b);

}  // namespace dimgate
