// Many rows at once: runs of ranges and congruences go column by column over blocks of rows (the compiler vectorises
// those loops); whatever else the program has runs row by row, only where the runs left a row standing.
#include <algorithm>
#include <cstring>

#include "program/execute.hpp"

namespace dimgate {

using namespace detail;  // NOLINT

namespace {

constexpr std::size_t kBlock = 256;

void mask_range(const Range& r, const std::int64_t* column, std::size_t n, std::uint8_t* pass) noexcept {
  const auto lo = static_cast<std::uint64_t>(r.lo);
  for (std::size_t i = 0; i < n; ++i)
    pass[i] &= static_cast<std::uint8_t>(static_cast<std::uint64_t>(column[i]) - lo <= r.width);
}

void mask_mod(const Congruent& c, const std::int64_t* column, std::size_t n, std::uint8_t* pass) noexcept {
  for (std::size_t i = 0; i < n; ++i) pass[i] &= static_cast<std::uint8_t>(c.holds(column[i]));
}

template <class M, std::size_t N>
[[gnu::noinline]] std::int32_t run_with(const ProgramCode& p, const ColumnInput& in) noexcept {
  typename M::Cell registers[N];
  return Executor<M, ColumnInput>{p, in, registers, nullptr}.run();
}

bool run_row(const ProgramCode& p, const ColumnInput& in) noexcept {
  std::int32_t t = p.registers <= 32 ? run_with<Total, 32>(p, in) : run_with<Total, kMaxRegisters>(p, in);
  if (t == kLeave)
    t = p.registers <= 64 ? run_with<Partial<Checked>, 64>(p, in) : run_with<Partial<Checked>, kMaxRegisters>(p, in);
  if (t == kLeave) t = execute_wide(p, in, nullptr);
  return t == kPass;
}

}  // namespace

void Program::check_batch(std::span<const std::int64_t* const> columns, std::size_t rows,
                          std::uint8_t* pass) const noexcept {
  const ProgramCode& p = *code_;
  const ColumnInput all{columns, 0};
  // Runs in front (with the `Need`s between them) are done by column; `rest` says whether more follows.
  std::size_t runs = 0;
  while (p.code[runs].code == Code::Need || p.code[runs].code == Code::Ranges || p.code[runs].code == Code::Mods)
    ++runs;
  const bool rest = p.code[runs].code != Code::Pass;
  for (std::size_t begin = 0; begin < rows; begin += kBlock) {
    const std::size_t n = std::min(kBlock, rows - begin);
    std::uint8_t* const out = pass + begin;
    std::memset(out, 1, n);
    for (std::size_t k = 0; k < runs; ++k) {
      const Instr& i = p.code[k];
      for (std::uint32_t t = i.b; t < i.b + i.c; ++t) {
        if (i.code == Code::Need) break;
        const SlotIndex slot = i.code == Code::Ranges ? p.ranges[t].slot : p.mods[t].slot;
        if (!all.has(slot)) {
          std::memset(out, 0, n);
        } else if (i.code == Code::Ranges) {
          mask_range(p.ranges[t], columns[slot] + begin, n, out);
        } else {
          mask_mod(p.mods[t], columns[slot] + begin, n, out);
        }
      }
      if (std::memchr(out, 1, n) == nullptr) break;
    }
    if (!rest) continue;
    for (std::size_t i = 0; i < n; ++i)
      if (out[i] != 0) out[i] = run_row(p, ColumnInput{columns, begin + i}) ? 1 : 0;
  }
}

}  // namespace dimgate
