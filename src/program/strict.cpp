#include "program/strict.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "program/draft.hpp"
#include "program/steps.hpp"

namespace dimgate {

using namespace detail;  // NOLINT: this file is part of the room's face

namespace {

std::string list(const std::vector<std::uint32_t>& guards) {
  std::string out;
  for (const std::uint32_t g : guards) out += (out.empty() ? "" : " ") + std::to_string(g);
  return out.empty() ? "none" : out;
}

std::string verdict_text(std::int32_t guard) { return guard == kPass ? "pass" : "guard " + std::to_string(guard); }

}  // namespace

bool StrictCheck::batch_passes(SnapshotView at) const {
  std::vector<const std::int64_t*> columns(at.size, nullptr);
  for (SlotIndex i = 0; i < at.size; ++i)
    if (at.has(i)) columns[i] = at.values + i;
  std::uint8_t pass = 2;
  native_.check_batch(columns, 1, &pass);
  return pass == 1;
}

std::int32_t StrictCheck::check(SnapshotView at) const noexcept {
  const std::int32_t plain = plain_.check(at), native = native_.check(at);
  const std::vector<std::uint32_t> failing = plain_.failing(at), expected = reference_.failing(at);
  const bool batch = batch_passes(at);
  const bool right = plain == kPass
                         ? expected.empty()
                         : plain >= 0 && std::ranges::binary_search(expected, static_cast<std::uint32_t>(plain));
  if (right && native == plain && failing == expected && batch == expected.empty()) return plain;
  on_difference_("engines differ: reference fails " + list(expected) + "; interpreter " + verdict_text(plain) +
                 ", machine code " + verdict_text(native) + ", batch " + (batch ? "pass" : "fail") + ", all failing " +
                 list(failing) + "\n" + reference_.describe(at) + "\n" + plain_.disassemble());
  // Whatever the handler does, nothing is accepted that one engine refuses.
  if (expected.empty() && native == kPass && batch) return plain;
  return !expected.empty() ? static_cast<std::int32_t>(expected.front()) : native >= 0 ? native : 0;
}

void StrictCheck::check_rows(std::span<const std::int64_t* const> columns, std::size_t rows,
                             std::uint8_t* pass) const noexcept {
  Snapshot at(columns.size());
  for (std::size_t row = 0; row < rows; ++row) {
    for (SlotIndex s = 0; s < columns.size(); ++s)
      if (columns[s] != nullptr) at.set(s, columns[s][row]);
    pass[row] = check(at) == kPass ? 1 : 0;
  }
}

Program strict(const Program& program, const std::shared_ptr<Jit>& jit, Reference reference,
               OnDifference on_difference) {
  auto bare = copy_tables(program.code()), code = copy_tables(program.code());
  make_steps(*bare);
  const Program plain{std::move(bare)};
  const Program native = program.is_native() && !program.is_strict() ? program : jit ? jit->translate(plain) : plain;
  if (!on_difference) on_difference = abort_on_difference;
  // No steps: `strict` answers.
  code->strict = std::make_unique<const StrictCheck>(plain, native, std::move(reference), std::move(on_difference));
  return Program(std::move(code));
}

void abort_on_difference(const std::string& reproducer) {
  std::fputs(("dimgate: strict mode: " + reproducer).c_str(), stderr);
  std::abort();
}

}  // namespace dimgate
