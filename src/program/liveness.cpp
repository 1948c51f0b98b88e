#include "program/liveness.hpp"

namespace dimgate::detail {
namespace {

/// Sets of registers; those of instructions that are jumped to are kept.
class Liveness {
 public:
  explicit Liveness(const ProgramCode& p)
      : p_(p), words_((p.registers + 63) / 64), live_(words_, 0), kept_at_(p.code.size(), kNone) {
    for (const Instr& i : p.code)
      if (const std::uint32_t to = jump_of(i); to != kNoJump && !ends(p.code[to])) kept_at_[to] = 0;
  }

  std::vector<bool> run() {
    std::vector<bool> last(p_.code.size(), false);
    for (std::size_t at = p_.code.size(); at-- > 0;) {
      const Instr& i = p_.code[at];
      if (ends(i) || i.code == Code::Jump) live_.assign(words_, 0);
      if (const std::uint32_t to = jump_of(i); to != kNoJump && !ends(p_.code[to]))
        for (std::size_t w = 0; w < words_; ++w) live_[w] |= kept_[kept_at_[to] + w];
      const unsigned reads = reads_of(i.code);
      // Where it jumps it has written nothing.
      if (writes_register(i.code) && jump_of(i) == kNoJump) drop(i.a);
      last[at] = reads != 0 && !has(i.b);
      if (i.code == Code::Loads)
        for (std::uint32_t k = i.b; k < i.b + i.c; ++k) drop(p_.loads[k].reg);
      if (i.code == Code::Distinct)
        for (std::uint32_t k = 0; k < i.c; ++k) add(i.b + k);
      if (reads > 0) add(i.b);
      if (reads > 1) add(i.c);
      if (reads > 2) add(static_cast<Reg>(i.imm));
      if (kept_at_[at] == kNone) continue;
      kept_at_[at] = static_cast<std::uint32_t>(kept_.size());
      kept_.insert(kept_.end(), live_.begin(), live_.end());
    }
    return last;
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffffU;
  static bool ends(const Instr& i) noexcept { return i.code == Code::Pass || i.code == Code::Fail; }
  [[nodiscard]] bool has(Reg r) const { return ((live_[r / 64] >> (r % 64)) & 1) != 0; }
  void add(Reg r) { live_[r / 64] |= std::uint64_t{1} << (r % 64); }
  void drop(Reg r) { live_[r / 64] &= ~(std::uint64_t{1} << (r % 64)); }

  const ProgramCode& p_;
  std::size_t words_;
  std::vector<std::uint64_t> live_, kept_;
  std::vector<std::uint32_t> kept_at_;  // by instruction: where its set is in `kept_`; kNone: nobody jumps to it
};

}  // namespace

std::uint32_t jump_of(const Instr& i) noexcept {
  if (i.code >= Code::JIfEq || i.code == Code::Jump) return i.a;
  if (i.code == Code::DivOr || i.code == Code::ModOr || i.code == Code::CeilDivOr)
    return static_cast<std::uint32_t>(i.imm);
  return kNoJump;
}

std::vector<bool> last_reads(const ProgramCode& p) { return Liveness(p).run(); }

}  // namespace dimgate::detail
