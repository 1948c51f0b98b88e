// A program while it is being written: the tables of a ProgramCode (code.hpp) as vectors.
//
// `freeze` copies them into one block: what a program keeps is neither more nor scattered. Guards that each have one
// test, in order, need no table that says so. Linear. Tested with all that makes programs.
#pragma once

#include <memory>
#include <vector>

#include "program/code.hpp"

namespace dimgate {
class Jit;
}

namespace dimgate::detail {

struct Draft {
  struct Big {
    bool negative = false;
    std::vector<std::uint64_t> limbs;
  };
  std::vector<Instr> code;
  std::vector<Range> ranges;
  std::vector<Congruent> mods;
  std::vector<Pair> pairs;
  std::vector<RegisterLoad> loads;
  std::vector<Magic> magics;
  std::vector<PresenceWord> needs;
  std::vector<Range> shadowed;
  std::vector<std::uint32_t> test_guards;
  std::vector<std::uint32_t> test_begin;  // one more than there are tests, or nothing
  std::vector<std::uint32_t> order;
  std::vector<SlotIndex> slots;
  std::vector<std::uint64_t> marks;
  std::vector<Pinned> pinned;
  std::vector<Big> bigs;
  std::vector<std::vector<std::int64_t>> sets;
  std::vector<std::vector<SlotIndex>> lists;

  std::uint32_t registers = 0;
  std::uint32_t bits = 64;
  std::uint32_t guard_count = 0;
  bool exact = false;
  bool never = false;
};

/// Renames virtual registers to few real ones (a register is reused after its last reader; blocks of `Distinct` stay
/// together) and counts them; marks last reads. Jumps go forward, so one pass over the line suffices.
void allocate_registers(Draft& draft);

/// The block: bytecode only.
std::unique_ptr<ProgramCode> freeze(const Draft& draft);
/// Another with the same tables: without steps, machine code and strict check.
std::unique_ptr<ProgramCode> copy_tables(const ProgramCode& code);
/// What can be changed and frozen again.
Draft thaw(const ProgramCode& code);

/// The program: as machine code if there is a `jit` that can make it, else as steps.
Program finish(const Draft& draft, Jit* jit = nullptr);

}  // namespace dimgate::detail
