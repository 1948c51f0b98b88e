// Machine code of tests on slots.
#include <algorithm>

#include "program/jit_emitter.hpp"

namespace dimgate::detail {

void JitEmitter::need(const Instr& i) {
  for (std::uint32_t k = i.b; k < i.b + i.c; ++k) {
    const PresenceWord& w = p_.needs[k];
    const Mem word = Mem{rsi, static_cast<std::int32_t>(w.word * 8)};
    if (w.mask <= INT32_MAX) {
      a_.mov(rax, word);
      a_.op_imm(Op::and_, rax, static_cast<std::int32_t>(w.mask));
      a_.op_imm(Op::cmp, rax, static_cast<std::int32_t>(w.mask));
    } else if (w.mask == ~std::uint64_t{0}) {
      a_.mov(rcx, w.mask);
      a_.op(Op::cmp, rcx, word);
    } else {
      a_.mov(rcx, w.mask);
      a_.mov(rax, rcx);
      a_.op(Op::and_, rax, word);
      a_.op(Op::cmp, rax, rcx);
    }
    a_.j(Condition::ne, leave_);
  }
}

/// Jumps out where the slot is outside (`outside_fails`), or where it is inside (to `below`).
void JitEmitter::range(const Range& r, bool outside_fails, Label below, Label above) {
  const Mem v = slot(r.slot);
  const auto hi = static_cast<std::int64_t>(static_cast<std::uint64_t>(r.lo) + r.width);
  const bool from_min = r.lo == INT64_MIN, to_max = hi == INT64_MAX;
  if (from_min && to_max) {
    if (!outside_fails) a_.jmp(below);
    return;
  }
  if (r.width == 0) {
    compare_mem(v, r.lo);
    // One value: where both ends are different tests, below and above are told apart.
    if (outside_fails && r.below != r.above) {
      a_.j(Condition::l, below);
      a_.j(Condition::g, above);
    } else {
      a_.j(outside_fails ? Condition::ne : Condition::e, below);
    }
    return;
  }
  if (to_max) {
    compare_mem(v, r.lo);
    a_.j(outside_fails ? Condition::l : Condition::ge, below);
    return;
  }
  if (from_min) {
    compare_mem(v, hi);
    a_.j(outside_fails ? Condition::g : Condition::le, outside_fails ? above : below);
    return;
  }
  if (outside_fails && r.below != r.above) {
    compare_mem(v, r.lo);
    a_.j(Condition::l, below);
    compare_mem(v, hi);
    a_.j(Condition::g, above);
    return;
  }
  a_.mov(rax, v);
  if (fits(r.lo) && r.lo != 0) {
    a_.op_imm(Op::sub, rax, static_cast<std::int32_t>(r.lo));
  } else if (r.lo != 0) {
    a_.mov(rcx, r.lo);
    a_.op(Op::sub, rax, rcx);
  }
  if (r.width <= INT32_MAX) {
    a_.op_imm(Op::cmp, rax, static_cast<std::int32_t>(r.width));
  } else {
    a_.mov(rcx, r.width);
    a_.op(Op::cmp, rax, rcx);
  }
  a_.j(outside_fails ? Condition::a : Condition::be, below);
}

bool JitEmitter::range_jump(const Instr& i) {
  // Jumps where (inside != x) is true, or where it is not: so where it is outside, or inside.
  const bool jump_if_inside = (i.code == Code::JIfRange) != (i.x != 0);
  range(p_.ranges[i.b], !jump_if_inside, target(i.a), target(i.a));
  return true;
}

/// Jumps where congruence is `want`.
void JitEmitter::congruence(const Congruent& c, bool want, Label to) {
  const std::uint64_t modulus = c.modulus, residue = c.remainder();
  if (modulus == 1) {
    if (want) a_.jmp(to);
    return;
  }
  if ((modulus & (modulus - 1)) == 0) {
    const auto mask = static_cast<std::int64_t>(modulus - 1);
    if (residue == 0 && fits(mask)) {
      a_.test(slot(c.slot), static_cast<std::int32_t>(mask));
    } else {
      a_.mov(rax, mask);
      a_.op(Op::and_, rax, slot(c.slot));
      if (residue <= INT32_MAX) {
        a_.op_imm(Op::cmp, rax, static_cast<std::int32_t>(residue));
      } else {
        a_.mov(rcx, residue);
        a_.op(Op::cmp, rax, rcx);
      }
    }
    a_.j(want ? Condition::e : Condition::ne, to);
    return;
  }
  // (v + 2^63 - residue) * inverse = v * inverse + constant
  a_.mov(rax, c.inverse);
  a_.op(Op::imul, rax, slot(c.slot));
  const auto constant = static_cast<std::int64_t>(((std::uint64_t{1} << 63) - c.residue) * c.inverse);
  if (fits(constant)) {
    a_.op_imm(Op::add, rax, static_cast<std::int32_t>(constant));
  } else {
    a_.mov(rcx, constant);
    a_.op(Op::add, rax, rcx);
  }
  if (c.shift != 0) a_.shift(Shift::ror, rax, c.shift);
  if (c.limit <= INT32_MAX) {
    a_.op_imm(Op::cmp, rax, static_cast<std::int32_t>(c.limit));
  } else {
    a_.mov(rcx, c.limit);
    a_.op(Op::cmp, rax, rcx);
  }
  a_.j(want ? Condition::be : Condition::a, to);
}

/// Decision by halving; few values in a row.
void JitEmitter::member(const Mem& value, std::span<const std::int64_t> set, Label found, Label absent) {
  constexpr std::size_t kInARow = 4;
  struct Part {
    std::size_t begin, end;
    Label at;
  };
  std::vector<Part> parts{{0, set.size(), Label()}};
  while (!parts.empty()) {
    const Part part = parts.back();
    parts.pop_back();
    if (part.at.is_valid()) a_.bind(part.at);
    if (part.end - part.begin <= kInARow) {
      for (std::size_t k = part.begin; k < part.end; ++k) {
        compare_mem(value, set[k]);
        a_.j(Condition::e, found);
      }
      a_.jmp(absent);
      continue;
    }
    const std::size_t middle = part.begin + (part.end - part.begin) / 2;
    const Label upper = a_.new_label();
    compare_mem(value, set[middle]);
    a_.j(Condition::ge, upper);
    // The lower half follows at once.
    parts.push_back({middle, part.end, upper});
    parts.push_back({part.begin, middle, Label()});
  }
}

/// Four to a vector. Each value beyond the first four meets the vectors in front of its own; within a vector the
/// rotations by one and two meet all pairs. Equality is gathered in ymm15 and looked at once.
void JitEmitter::slots_differ_by_vectors(std::span<const SlotIndex> list, Label on_equal) {
  const auto vector = [](std::size_t k) { return x86::Vector{static_cast<std::uint8_t>(k)}; };
  constexpr x86::Vector one{13}, two{14}, any{15};
  a_.vpxor(any, any, any);
  const auto meet = [&](x86::Vector a, x86::Vector b) {
    a_.vpcmpeqq(two, a, b);
    a_.vpor(any, any, two);
  };
  const std::size_t whole = list.size() / 4;
  for (std::size_t k = 0; k <= whole; ++k) {
    const std::size_t first = 4 * k, last = std::min(first + 4, list.size());
    for (std::size_t j = first; k != 0 && j < last; ++j) {
      a_.vpbroadcastq(one, slot(list[j]));
      for (std::size_t before = 0; before < k; ++before) meet(one, vector(before));
    }
    if (k == whole) {
      for (std::size_t j = first + 1; j < last; ++j) {
        a_.mov(rax, slot(list[j]));
        for (std::size_t i = first; i < j; ++i) {
          a_.op(Op::cmp, rax, slot(list[i]));
          a_.j(Condition::e, on_equal);
        }
      }
      break;
    }
    if (list[first + 3] == list[first] + 3 && list[first + 2] == list[first] + 2 &&
        list[first + 1] == list[first] + 1) {
      a_.vmovdqu(vector(k), slot(list[first]));
    } else {
      a_.vmovq_x(vector(k), slot(list[first]));
      a_.vpinsrq_x(vector(k), vector(k), slot(list[first + 1]), 1);
      a_.vmovq_x(one, slot(list[first + 2]));
      a_.vpinsrq_x(one, one, slot(list[first + 3]), 1);
      a_.vinserti128(vector(k), vector(k), one, 1);
    }
    for (const std::uint8_t rotation : {std::uint8_t{0b00111001}, std::uint8_t{0b01001110}}) {
      a_.vpermq(one, vector(k), rotation);
      meet(one, vector(k));
    }
  }
  a_.vptest(any, any);
  a_.vzeroupper();
  a_.j(Condition::ne, on_equal);
}

void JitEmitter::slots_differ(const Instr& i) {
  const std::span<const SlotIndex> list = p_.lists[i.b];
  const Label after = a_.new_label();
  // Where two are equal the condition is x != 0.
  const bool jump_if_differ = (i.code == Code::JIfSlotsDiffer) != (i.x != 0);
  Label on_equal = jump_if_differ ? after : target(i.a);
  constexpr std::size_t kFewest = 8, kMost = 52;  // 13 vectors
  if (vectors_ && list.size() >= kFewest && list.size() <= kMost)
    slots_differ_by_vectors(list, on_equal);
  else
    for (std::size_t j = 1; j < list.size(); ++j) {
      a_.mov(rax, slot(list[j]));
      for (std::size_t k = 0; k < j; ++k) {
        a_.op(Op::cmp, rax, slot(list[k]));
        a_.j(Condition::e, on_equal);
      }
    }
  if (jump_if_differ) a_.jmp(target(i.a));
  a_.bind(after);
}

/// Few registers pair by pair; more are left to the interpreter, which sorts.
bool JitEmitter::distinct(const Instr& i) {
  constexpr std::uint32_t kMost = 16;
  if (i.c > kMost) return false;
  const Label equal = a_.new_label(), after = a_.new_label();
  for (std::uint32_t j = 1; j < i.c; ++j)
    for (std::uint32_t k = 0; k < j; ++k) {
      compare(i.b + j, i.b + k);
      a_.j(Condition::e, equal);
    }
  put_imm(i.a, kTrue);
  a_.jmp(after);
  a_.bind(equal);
  put_imm(i.a, kFalse);
  a_.bind(after);
  return true;
}

}  // namespace dimgate::detail
