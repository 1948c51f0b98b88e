// Many rows at once: runs of ranges and congruences go column by column over blocks of rows (the compiler vectorises
// those loops); whatever else the program has runs row by row, only where the runs left a row standing.
#include <algorithm>
#include <array>
#include <cstring>

#include "program/batch_kernels.hpp"
#include "program/execute.hpp"
#include "program/fast.hpp"
#include "program/strict.hpp"

namespace dimgate {

using namespace detail;  // NOLINT

namespace {

constexpr std::size_t kMaskedRows = 256;
constexpr std::size_t kGathered = 512;  // most slots of a row that is copied for the engines that read snapshots

bool is_run(Code c) noexcept {
  return c == Code::Need || c == Code::Ranges || c == Code::NotRanges || c == Code::Mods ||
         (c >= Code::PairsEq && c <= Code::PairsLe);
}

/// Clears what fails in rows [begin, begin + n) of the columns.
void mask_run(const ProgramCode& p, const Instr& run, const ColumnInput& in, std::size_t begin, std::size_t n,
              std::uint8_t* pass) noexcept {
  const BatchKernels& kernels = batch_kernels();
  const auto column = [&](SlotIndex s) { return in.has(s) ? in.columns[s] + begin : nullptr; };
  const auto pair = [&](const Pair& q, auto kernel) {
    const std::int64_t *a = column(q.left), *b = column(q.right);
    if (a == nullptr || b == nullptr)
      std::memset(pass, 0, n);
    else
      kernel(a, b, n, pass);
  };
  for (std::uint32_t k = run.b; k < run.b + run.c; ++k) switch (run.code) {
      case Code::Ranges:
      case Code::NotRanges: {
        const Range& q = p.ranges[k];
        const std::int64_t* const c = column(q.slot);
        if (c == nullptr)
          std::memset(pass, 0, n);
        else
          (run.code == Code::Ranges ? kernels.inside : kernels.outside)(c, n, pass, static_cast<std::uint64_t>(q.lo),
                                                                        q.width);
        break;
      }
      case Code::Mods: {
        const Congruent& q = p.mods[k];
        const std::int64_t* const c = column(q.slot);
        if (c == nullptr)
          std::memset(pass, 0, n);
        else
          kernels.congruent(c, n, pass, q.inverse, ((std::uint64_t{1} << 63) - q.residue) * q.inverse, q.shift,
                            q.limit);
        break;
      }
      case Code::PairsEq:
        pair(p.pairs[k], kernels.equal);
        break;
      case Code::PairsNe:
        pair(p.pairs[k], kernels.differ);
        break;
      case Code::PairsLt:
        pair(p.pairs[k], kernels.less);
        break;
      case Code::PairsLe:
        pair(p.pairs[k], kernels.at_most);
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
  if (p.run != nullptr) return p.run(values, kAll.data(), p.steps.get()) == kPass;
  std::int32_t t = kLeave;
  if (p.registers <= 64) {
    std::int64_t registers[64];
    t = run_fast(p, RowInput{{values, kAll.data(), kGathered}}, registers);
  }
  return t == kLeave ? run_row(p, ColumnInput{columns, row}) : t == kPass;
}

}  // namespace

void Program::check_batch(std::span<const std::int64_t* const> columns, std::size_t rows,
                          std::uint8_t* pass) const noexcept {
  const ProgramCode& p = *code_;
  if (p.strict) {
    p.strict->check_rows(columns, rows, pass);
    return;
  }
  const ColumnInput all{columns, 0};
  // Runs in front (with the `Need`s between them) are done by column; `rest` says whether more follows.
  std::size_t runs = 0;
  while (is_run(p.code[runs].code)) ++runs;
  const bool rest = p.code[runs].code != Code::Pass;
  const bool gathered = (p.slots.empty() || p.slots.back() < kGathered) &&
                        std::ranges::all_of(p.slots, [&](SlotIndex s) { return all.has(s); });
  for (std::size_t begin = 0; begin < rows; begin += kMaskedRows) {
    const std::size_t n = std::min(kMaskedRows, rows - begin);
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
