#include "dimgate/program.hpp"

#include <algorithm>

#include "program/draft.hpp"
#include "program/execute.hpp"
#include "program/fast.hpp"
#include "program/steps.hpp"
#include "program/strict.hpp"

namespace dimgate {

using namespace detail;  // NOLINT: this file is the room's face

namespace {

std::unique_ptr<ProgramCode> empty_code() {
  Draft draft;
  draft.code.push_back({.code = Code::Pass});
  draft.exact = true;
  return freeze(draft);
}

template <class M, std::size_t N>
[[gnu::noinline]] std::int32_t run_with(const ProgramCode& p, const RowInput& in,
                                        std::vector<std::uint32_t>* failed) noexcept {
  typename M::Cell registers[N];
  return Executor<M, RowInput>{p, in, registers, failed}.run();
}

template <std::size_t N>
[[gnu::noinline]] std::int32_t run_total(const ProgramCode& p, const RowInput& in) noexcept {
  std::int64_t registers[N];
  return run_fast(p, in, registers);
}

using PartialInt = Partial<Checked>;

std::int32_t run_partial(const ProgramCode& p, const RowInput& in, std::vector<std::uint32_t>* failed) noexcept {
  std::int32_t result =
      p.registers <= 64 ? run_with<PartialInt, 64>(p, in, failed) : run_with<PartialInt, kMaxRegisters>(p, in, failed);
  if (result == kLeave) {
    if (failed != nullptr) failed->clear();
    result = execute_wide(p, in, failed);
  }
  return result;
}

/// With definedness, if need be on wide numbers.
std::int32_t check_exactly(const ProgramCode& p, const RowInput& in) noexcept {
  const std::int32_t test = run_partial(p, in, nullptr);
  return test < 0 ? test : p.first_guard(static_cast<std::uint32_t>(test));
}

/// Any program on any snapshot.
std::int32_t check_otherwise(const ProgramCode& p, const SnapshotView& at) noexcept {
  if (p.strict) return p.strict->check(at);
  const RowInput in{at};
  std::int32_t test = kLeave;
  if (p.run == nullptr)
    test = p.registers <= kStepRegisters ? run_total<kStepRegisters>(p, in) : run_total<kMaxRegisters>(p, in);
  if (test == kLeave) return check_exactly(p, in);
  return test < 0 ? test : p.first_guard(static_cast<std::uint32_t>(test));
}

}  // namespace

std::int32_t detail::check_left(const std::int64_t* values, const std::uint64_t* present,
                                const ProgramCode* program) noexcept {
  // No slot beyond the limit is read.
  return check_exactly(*program, {{values, present, program->slot_limit}});
}

ProgramCode::ProgramCode() noexcept = default;
ProgramCode::~ProgramCode() = default;

Program::Program() : Program(empty_code()) {}
Program::Program(std::unique_ptr<ProgramCode> code) : code_(code.release()) {
  const ProgramCode& p = *code_;
  if (p.strict || p.run == nullptr) return;
  run_ = p.run;
  steps_ = p.steps.get();
  slot_limit_ = p.slot_limit;
}
Program::~Program() {
  if (code_ != nullptr && code_->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) delete code_;
}
Program::Program(const Program& o) noexcept
    : run_(o.run_), steps_(o.steps_), slot_limit_(o.slot_limit_), code_(o.code_) {
  code_->owners.fetch_add(1, std::memory_order_relaxed);
}
Program& Program::operator=(const Program& o) noexcept { return *this = Program(o); }
Program::Program(Program&& o) noexcept
    : run_(o.run_), steps_(o.steps_), slot_limit_(o.slot_limit_), code_(std::exchange(o.code_, nullptr)) {}
Program& Program::operator=(Program&& o) noexcept {
  std::swap(run_, o.run_);
  std::swap(steps_, o.steps_);
  std::swap(slot_limit_, o.slot_limit_);
  std::swap(code_, o.code_);
  return *this;
}
std::int32_t Program::check_slowly(const std::int64_t* values, const std::uint64_t* present,
                                   std::size_t size) const noexcept {
  return check_otherwise(*code_, {values, present, size});
}

std::vector<std::uint32_t> Program::failing(SnapshotView at) const {
  const ProgramCode& p = *code_;
  std::vector<std::uint32_t> tests;
  const RowInput in{at};
  run_partial(p, in, &tests);
  for (const Range& r : p.shadowed)
    if (!in.has(r.slot) || !r.holds(in.raw(r.slot))) tests.push_back(r.below);
  std::vector<std::uint32_t> guards;
  for (const std::uint32_t t : tests)
    if (p.test_begin.empty())
      guards.push_back(t);
    else
      guards.insert(guards.end(), p.test_guards.begin() + p.test_begin[t], p.test_guards.begin() + p.test_begin[t + 1]);
  std::ranges::sort(guards);
  const auto dead = std::ranges::unique(guards);
  guards.erase(dead.begin(), dead.end());
  return guards;
}

std::size_t Program::guard_count() const noexcept { return code_->guard_count; }
std::span<const std::uint32_t> Program::order() const noexcept { return code_->order; }
std::span<const SlotIndex> Program::slots() const noexcept { return code_->slots; }
std::span<const std::uint64_t> Program::slot_marks() const noexcept { return code_->marks; }
std::span<const Pinned> Program::pinned() const noexcept { return code_->pinned; }
bool Program::is_exact() const noexcept { return code_->exact; }
bool Program::is_never() const noexcept { return code_->never; }
bool Program::is_native() const noexcept { return code_->native.is_there(); }
bool Program::is_strict() const noexcept { return code_->strict != nullptr; }
unsigned Program::bits() const noexcept { return code_->bits; }

std::size_t Program::bytes() const noexcept {
  const ProgramCode& p = *code_;
  return p.block_bytes + p.step_count * sizeof(Step) + p.native.bytes() + (p.strict ? sizeof *p.strict : 0);
}

}  // namespace dimgate
