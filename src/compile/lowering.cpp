#include "compile/lowering.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "dimgate/expr.hpp"
#include "program/draft.hpp"

namespace dimgate::lowering {
void Lowering::finish() {
  emit(Code::Pass);
  // Tests in runs know themselves which they are: only those that a jump leads to have an end of their own.
  std::vector<bool> is_used(labels_.size(), false);
  for (const Instr& i : out_.code)
    if (const Label to = detail::jump_of(i); to != detail::kNoJump) is_used[to] = true;
  for (std::uint32_t t = 0; t < tests_.size(); ++t) {
    if (!is_used[fail_labels_[t]]) continue;
    bind(fail_labels_[t]);
    emit(Code::Fail, t);
  }
  for (Instr& i : out_.code) {
    if (i.code >= Code::JIfEq || i.code == Code::Jump)
      i.a = labels_[i.a];
    else if (i.code == Code::DivOr || i.code == Code::ModOr || i.code == Code::CeilDivOr)
      i.imm = labels_[static_cast<std::size_t>(i.imm)];
  }

  out_.registers = next_reg_;
  out_.bits = std::max(64U, largest_.bit_length());
  detail::allocate_registers(out_);
  out_.guard_count = static_cast<std::uint32_t>(guards_.size());
  out_.test_begin.push_back(0);
  for (const Test& t : tests_) {
    out_.test_guards.push_back(t.guard);
    out_.test_guards.insert(out_.test_guards.end(), t.more.begin(), t.more.end());
    out_.test_begin.push_back(static_cast<std::uint32_t>(out_.test_guards.size()));
  }
  for (std::uint32_t w = 0; w < needed_.size(); ++w)
    for (std::uint64_t m = needed_[w]; m != 0; m &= m - 1)
      out_.slots.push_back(w * 64 + static_cast<SlotIndex>(std::countr_zero(m)));
  for (const SlotIndex s : out_.slots) out_.marks.push_back(layout_.mark(s));
  std::ranges::sort(out_.pinned, {}, &Pinned::slot);

  // Guards in the order of the first test that can fail them; those without a test never fail and come last.
  std::vector<bool> listed(guards_.size(), false);
  const auto list = [&](std::uint32_t test) {
    for (std::uint32_t k = out_.test_begin[test]; k < out_.test_begin[test + 1]; ++k)
      if (const std::uint32_t g = out_.test_guards[k]; !listed[g]) listed[g] = true, out_.order.push_back(g);
  };
  for (const Instr& i : out_.code) {
    if (i.code == Code::Ranges) {
      for (std::uint32_t k = i.b; k < i.b + i.c; ++k) list(out_.ranges[k].below), list(out_.ranges[k].above);
    } else if (i.code == Code::NotRanges) {
      for (std::uint32_t k = i.b; k < i.b + i.c; ++k) list(out_.ranges[k].below);
    } else if (i.code >= Code::PairsEq && i.code <= Code::PairsLe) {
      for (std::uint32_t k = i.b; k < i.b + i.c; ++k) list(out_.pairs[k].test);
    } else if (i.code == Code::Mods) {
      for (std::uint32_t k = i.b; k < i.b + i.c; ++k) list(out_.mods[k].test);
    } else if ((i.code >= Code::JIfEq || i.code == Code::Jump) && out_.code[i.a].code == Code::Fail) {
      list(out_.code[i.a].a);
      if (i.code == Code::Jump && &i != out_.code.data()) out_.never = out_.never || is_unconditional(i);
    }
  }
  for (std::uint32_t g = 0; g < guards_.size(); ++g)
    if (!listed[g]) out_.order.push_back(g);
}

// A jump to a failure that no earlier jump can pass over.
bool Lowering::is_unconditional(const Instr& at) const {
  const auto index = static_cast<std::uint32_t>(&at - out_.code.data());
  return std::none_of(out_.code.begin(), out_.code.begin() + index, [&](const Instr& i) {
    return (i.code >= Code::JIfEq || i.code == Code::Jump) && i.a > index && out_.code[i.a].code != Code::Fail;
  });
}

std::string Lowering::describe_guard(std::uint32_t guard) const {
  std::string text = "guard " + std::to_string(guard);
  constexpr std::uint32_t kLongest = 40;
  if (guards_[guard].node()->weight <= kLongest) text += " `" + to_text(ctx_, guards_[guard]) + "`";
  return text;
}

Result<Program> Lowering::run(std::span<const Expr> guards) {
  guards_ = guards;
  for (std::uint32_t g = 0; g < guards.size(); ++g)
    if (guards[g].sort() != Sort::Bool)
      return Error{describe_guard(g) + " is " + std::string(to_string(guards[g].sort())) + ", a guard must be Bool"};
  std::size_t weight = 0;
  for (const Expr g : guards) weight += std::min<std::size_t>(g.node()->weight, 1 << 20);
  info_.prepare(ctx_.node_count(), weight);
  const std::size_t n = guards.size();
  tests_.reserve(n);
  post_order_.reserve(std::min(ctx_.node_count(), weight));
  labels_.reserve(2 * n);
  fail_labels_.reserve(n);
  out_.code.reserve(3 * n + 4);
  values_.reserve(n);
  out_.test_guards.reserve(n);
  out_.test_begin.reserve(n + 1);
  out_.order.reserve(n);
  split(guards);
  if (!analyse()) return *error_;
  needed_.assign((layout_.size() + 63) / 64, 0);
  phase_.assign(needed_.size(), 0);
  for (std::size_t t = 0; t < tests_.size(); ++t) fail_labels_.push_back(new_label());
  lower_tests();
  if (error_) return *error_;
  finish();
  const std::size_t bytes = detail::exact_bytes(out_.registers, out_.bits);
  if (out_.registers > detail::kMaxRegisters || bytes > detail::kMaxRegisterBytes || out_.bits > detail::kMaxBits)
    return Error{"the guards need " + std::to_string(out_.registers) + " values of " + std::to_string(out_.bits) +
                 " bits at once, more than the exact path has room for; split the largest guard"};
  // What lowering needed makes room for the program: memory that was touched is touched again.
  info_ = {};
  post_order_ = {};
  values_ = {};
  tests_ = {};
  return detail::finish(out_, options_.jit.get());
}

}  // namespace dimgate::lowering

namespace dimgate {

Result<Program> compile(Context& ctx, std::span<const Expr> guards, const Layout& layout,
                        const CompileOptions& options) {
  CompileOptions bounded = options;
  bounded.max_bits = std::min(bounded.max_bits, detail::kMaxBits);
  return lowering::Lowering(ctx, layout, bounded).run(guards);
}

}  // namespace dimgate
