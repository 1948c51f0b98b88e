#include "dimgate/program.hpp"

#include <algorithm>

#include "program/execute.hpp"
#include "program/fast.hpp"
#include "program/jit.hpp"
#include "program/steps.hpp"
#include "program/strict.hpp"

namespace dimgate {

using namespace detail;  // NOLINT: this file is the room's face

namespace {

std::shared_ptr<const ProgramCode> empty_code() {
  auto code = std::make_shared<ProgramCode>();
  code->code.push_back({.code = Code::Pass});
  code->test_begin.push_back(0);
  code->exact = true;
  return code;
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

}  // namespace

std::int32_t detail::check_otherwise(const ProgramCode& p, const SnapshotView& at) noexcept {
  if (p.strict) return p.strict->check(at);
  const RowInput in{at};
  std::int32_t test = kLeave;
  if (p.run == nullptr)
    test = p.registers <= kStepRegisters ? run_total<kStepRegisters>(p, in)
           : p.registers <= 1024         ? run_total<1024>(p, in)
                                         : run_total<kMaxRegisters>(p, in);
  if (test == kLeave) test = run_partial(p, in, nullptr);
  return test < 0 ? test : p.first_guard(static_cast<std::uint32_t>(test));
}

Program::Program() : Program(empty_code()) {}
Program::Program(std::shared_ptr<const ProgramCode> code) : code_(std::move(code)) {
  const ProgramCode& p = *code_;
  if (p.strict) return;
  if (p.run != nullptr) {
    run_ = p.run;
    slot_limit_ = p.slot_limit;
  } else if (p.run_steps != nullptr) {
    steps_ = p.run_steps;
    slot_limit_ = p.steps_limit;
  }
}
Program::~Program() = default;
Program::Program(const Program&) = default;
Program& Program::operator=(const Program&) = default;
Program::Program(Program&&) noexcept = default;
Program& Program::operator=(Program&&) noexcept = default;

std::int32_t Program::check_slowly(SnapshotView at) const noexcept {
  static_assert(kLeft == kLeave);
  return check_otherwise(*code_, at);
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
    guards.insert(guards.end(), p.test_guards.begin() + p.test_begin[t], p.test_guards.begin() + p.test_begin[t + 1]);
  std::ranges::sort(guards);
  const auto dead = std::ranges::unique(guards);
  guards.erase(dead.begin(), dead.end());
  return guards;
}

std::size_t Program::guard_count() const noexcept { return code_->guard_count; }
std::span<const std::uint32_t> Program::order() const noexcept { return code_->order; }
std::span<const SlotIndex> Program::slots() const noexcept { return code_->slots; }
std::span<const Pinned> Program::pinned() const noexcept { return code_->pinned; }
bool Program::is_exact() const noexcept { return code_->exact; }
bool Program::is_never() const noexcept { return code_->never; }
bool Program::is_native() const noexcept { return code_->native != nullptr; }
bool Program::is_strict() const noexcept { return code_->strict != nullptr; }
unsigned Program::bits() const noexcept { return code_->bits; }

std::size_t Program::bytes() const noexcept {
  const ProgramCode& p = *code_;
  const auto of = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  std::size_t n = sizeof p + of(p.steps) + of(p.code) + of(p.ranges) + of(p.mods) + of(p.needs) + of(p.pairs) +
                  of(p.loads) + of(p.magics) + of(p.bigs) + of(p.sets) + of(p.lists) + of(p.shadowed) +
                  of(p.test_guards) + of(p.test_begin) + of(p.order) + of(p.slots) + of(p.pinned);
  for (const auto& v : p.bigs) n += of(v.limbs);
  for (const auto& v : p.sets) n += of(v);
  for (const auto& v : p.lists) n += of(v);
  if (p.native) n += sizeof *p.native + p.native->bytes;
  return n;
}

}  // namespace dimgate
