// Many rows at once: runs of ranges and congruences go column by column over blocks of rows (the compiler vectorises
// those loops); whatever else the program has runs row by row, only where the runs left a row standing.
#include <algorithm>
#include <array>
#include <cstring>

#include "program/execute.hpp"
#include "program/fast.hpp"

namespace dimgate {

using namespace detail;  // NOLINT

namespace {

constexpr std::size_t kBlock = 256;
constexpr std::size_t kGathered = 512;  // most slots of a row that is copied for the engines that read snapshots

bool is_run(Code c) noexcept {
  return c == Code::Need || c == Code::Ranges || c == Code::NotRanges || c == Code::Mods ||
         (c >= Code::PairsEq && c <= Code::PairsLe);
}

/// Clears what fails in rows [0, n) of the columns, which start `begin` rows in.
template <class Holds>
void mask(const ColumnInput& in, SlotIndex slot, std::size_t begin, std::size_t n, std::uint8_t* pass,
          Holds holds) noexcept {
  if (!in.has(slot)) {
    std::memset(pass, 0, n);
    return;
  }
  const std::int64_t* const column = in.columns[slot] + begin;
  for (std::size_t i = 0; i < n; ++i) pass[i] &= static_cast<std::uint8_t>(holds(column[i]));
}

template <class Holds>
void mask(const ColumnInput& in, const Pair& pair, std::size_t begin, std::size_t n, std::uint8_t* pass,
          Holds holds) noexcept {
  if (!in.has(pair.left) || !in.has(pair.right)) {
    std::memset(pass, 0, n);
    return;
  }
  const std::int64_t* const a = in.columns[pair.left] + begin;
  const std::int64_t* const b = in.columns[pair.right] + begin;
  for (std::size_t i = 0; i < n; ++i) pass[i] &= static_cast<std::uint8_t>(holds(a[i], b[i]));
}

void mask_run(const ProgramCode& p, const Instr& run, const ColumnInput& in, std::size_t begin, std::size_t n,
              std::uint8_t* pass) noexcept {
  for (std::uint32_t k = run.b; k < run.b + run.c; ++k) switch (run.code) {
      case Code::Ranges: {
        const Range& q = p.ranges[k];
        mask(in, q.slot, begin, n, pass, [&](std::int64_t v) { return q.holds(v); });
        break;
      }
      case Code::NotRanges: {
        const Range& q = p.ranges[k];
        mask(in, q.slot, begin, n, pass, [&](std::int64_t v) { return !q.holds(v); });
        break;
      }
      case Code::Mods: {
        const Congruent& q = p.mods[k];
        mask(in, q.slot, begin, n, pass, [&](std::int64_t v) { return q.holds(v); });
        break;
      }
      case Code::PairsEq:
        mask(in, p.pairs[k], begin, n, pass, [](auto a, auto b) { return a == b; });
        break;
      case Code::PairsNe:
        mask(in, p.pairs[k], begin, n, pass, [](auto a, auto b) { return a != b; });
        break;
      case Code::PairsLt:
        mask(in, p.pairs[k], begin, n, pass, [](auto a, auto b) { return a < b; });
        break;
      case Code::PairsLe:
        mask(in, p.pairs[k], begin, n, pass, [](auto a, auto b) { return a <= b; });
        break;
      default:
        return;
    }
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

/// A row as a snapshot, for the engines that read those. Every slot is present.
bool run_gathered(const ProgramCode& p, std::span<const std::int64_t* const> columns, std::size_t row) noexcept {
  static constexpr auto kAll = [] {
    std::array<std::uint64_t, kGathered / 64> ones{};
    ones.fill(~std::uint64_t{0});
    return ones;
  }();
  std::int64_t values[kGathered];
  for (const SlotIndex s : p.slots) values[s] = columns[s][row];
  std::int32_t t = kLeave;
  if (p.run != nullptr) {
    t = p.run(values, kAll.data());
  } else if (p.registers <= 64) {
    std::int64_t registers[64];
    t = run_fast(p, RowInput{{values, kAll.data(), kGathered}}, registers);
  }
  return t == kLeave ? run_row(p, ColumnInput{columns, row}) : t == kPass;
}

}  // namespace

void Program::check_batch(std::span<const std::int64_t* const> columns, std::size_t rows,
                          std::uint8_t* pass) const noexcept {
  const ProgramCode& p = *code_;
  const ColumnInput all{columns, 0};
  // Runs in front (with the `Need`s between them) are done by column; `rest` says whether more follows.
  std::size_t runs = 0;
  while (is_run(p.code[runs].code)) ++runs;
  const bool rest = p.code[runs].code != Code::Pass;
  const bool gathered = (p.slots.empty() || p.slots.back() < kGathered) &&
                        std::ranges::all_of(p.slots, [&](SlotIndex s) { return all.has(s); });
  for (std::size_t begin = 0; begin < rows; begin += kBlock) {
    const std::size_t n = std::min(kBlock, rows - begin);
    std::uint8_t* const out = pass + begin;
    std::memset(out, 1, n);
    for (std::size_t k = 0; k < runs; ++k) {
      mask_run(p, p.code[k], all, begin, n, out);
      if (std::memchr(out, 1, n) == nullptr) break;
    }
    if (!rest) continue;
    for (std::size_t i = 0; i < n; ++i)
      if (out[i] != 0)
        out[i] = (gathered ? run_gathered(p, columns, begin + i) : run_row(p, {columns, begin + i})) ? 1 : 0;
  }
}

}  // namespace dimgate
