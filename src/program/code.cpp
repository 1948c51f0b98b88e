#include "program/code.hpp"

#include <bit>

namespace dimgate::detail {
namespace {

std::string reg(std::uint32_t r) { return "r" + std::to_string(r); }
std::string slot(SlotIndex s) { return "s" + std::to_string(s); }

std::string text(const Range& r) {
  const std::string lo = std::to_string(r.lo);
  const std::string hi = std::to_string(static_cast<std::int64_t>(static_cast<std::uint64_t>(r.lo) + r.width));
  std::string out = slot(r.slot) + " in [" + lo + ", " + hi + "] else " + std::to_string(r.below);
  if (r.above != r.below) out += "/" + std::to_string(r.above);
  return out;
}

std::string text(const Congruent& c) {
  return slot(c.slot) + " % " + std::to_string(c.modulus) + " == " + std::to_string(c.remainder()) + " else " +
         std::to_string(c.test);
}

/// Of an odd number, modulo 2^64.
std::uint64_t inverse_of(std::uint64_t odd) noexcept {
  std::uint64_t inverse = odd;  // right in the lowest 3 bits; each step doubles them
  for (int i = 0; i < 5; ++i) inverse *= 2 - odd * inverse;
  return inverse;
}

}  // namespace

std::string_view to_string(Code code) noexcept {
  static constexpr std::string_view kNames[] = {
#define DIMGATE_CODE(name) #name,
      DIMGATE_CODES(DIMGATE_CODE)
#undef DIMGATE_CODE
  };
  return kNames[static_cast<std::size_t>(code)];
}

Congruent Congruent::make(SlotIndex slot, std::uint32_t test, std::uint64_t modulus, std::uint64_t residue) noexcept {
  Congruent c;
  c.slot = slot;
  c.test = test;
  c.modulus = modulus;
  const std::uint64_t bias = (std::uint64_t{1} << 63) % modulus;
  c.residue = residue >= modulus - bias ? residue - (modulus - bias) : residue + bias;
  c.shift = static_cast<std::uint32_t>(std::countr_zero(modulus));
  c.inverse = inverse_of(modulus >> c.shift);
  c.limit = (~std::uint64_t{0} - c.residue) / modulus;
  return c;
}

Magic Magic::make(std::int64_t d) noexcept {
  __extension__ using Wide = unsigned __int128;
  const auto u = static_cast<std::uint64_t>(d);
  const auto l = static_cast<std::uint32_t>(std::bit_width(u - 1));
  return {static_cast<std::uint64_t>(((Wide{1} << (63 + l)) + u - 1) / u), l - 1};
}

}  // namespace dimgate::detail

namespace dimgate {

using namespace detail;  // NOLINT

std::string Program::disassemble() const {
  const ProgramCode& p = *code_;
  std::string out;
  for (std::size_t at = 0; at < p.code.size(); ++at) {
    const Instr& i = p.code[at];
    const std::string_view name = to_string(i.code);
    out += std::to_string(at) + "  " + std::string(name);
    const auto add = [&out](const std::string& s) { out += " " + s; };
    if (name.starts_with("J") && i.code != Code::Jump) {
      const bool imm = name.ends_with("I");
      if (name.ends_with("Range"))
        add((i.x != 0 ? "not " : "") + text(p.ranges[i.b]));
      else if (name.ends_with("Mod"))
        add((i.x != 0 ? "not " : "") + text(p.mods[i.b]));
      else if (name.ends_with("In"))
        add(slot(i.b) + (i.x != 0 ? " not" : "") + " in set" + std::to_string(i.c));
      else if (name.ends_with("SlotsDiffer"))
        add((i.x != 0 ? "not list" : "list") + std::to_string(i.b));
      else if (name.find("Slot") != std::string_view::npos)
        add(slot(i.b) + " " + slot(i.c));
      else
        add(reg(i.b) + " " + (imm ? std::to_string(i.imm) : reg(i.c)));
      add("-> " + std::to_string(i.a));
    } else {
      switch (i.code) {
        case Code::Pass:
          break;
        case Code::Fail:
          add(std::to_string(i.a));
          break;
        case Code::Jump:
          add("-> " + std::to_string(i.a));
          break;
        case Code::Need:
          for (std::uint32_t k = i.b; k < i.b + i.c; ++k)
            for (std::uint64_t m = p.needs[k].mask; m != 0; m &= m - 1)
              add(slot(p.needs[k].word * 64 + static_cast<SlotIndex>(std::countr_zero(m))));
          break;
        case Code::Ranges:
          for (std::uint32_t k = i.b; k < i.b + i.c; ++k) add("{" + text(p.ranges[k]) + "}");
          break;
        case Code::NotRanges:
          for (std::uint32_t k = i.b; k < i.b + i.c; ++k) add("{not " + text(p.ranges[k]) + "}");
          break;
        case Code::PairsEq:
        case Code::PairsNe:
        case Code::PairsLt:
        case Code::PairsLe:
          for (std::uint32_t k = i.b; k < i.b + i.c; ++k)
            add("{" + slot(p.pairs[k].left) + " " + slot(p.pairs[k].right) + " else " +
                std::to_string(p.pairs[k].test) + "}");
          break;
        case Code::Loads:
          for (std::uint32_t k = i.b; k < i.b + i.c; ++k) add(reg(p.loads[k].reg) + "=" + slot(p.loads[k].slot));
          break;
        case Code::DivOr:
        case Code::ModOr:
        case Code::CeilDivOr:
          add(reg(i.a) + " = " + reg(i.b) + " " + reg(i.c) + " or -> " + std::to_string(i.imm));
          break;
        case Code::Mods:
          for (std::uint32_t k = i.b; k < i.b + i.c; ++k) add("{" + text(p.mods[k]) + "}");
          break;
        case Code::Load:
        case Code::LoadBool:
          add(reg(i.a) + " = " + slot(i.b));
          break;
        case Code::Const:
          add(reg(i.a) + " = " + std::to_string(i.imm));
          break;
        case Code::BigConst:
          add(reg(i.a) + " = big" + std::to_string(i.b));
          break;
        case Code::Select:
        case Code::Choose:
          add(reg(i.a) + " = " + reg(i.b) + " ? " + reg(i.c) + " : " + reg(static_cast<Reg>(i.imm)));
          break;
        case Code::Distinct:
          add(reg(i.a) + " = " + reg(i.b) + ".." + std::to_string(i.c));
          break;
        case Code::SetIn:
          add(reg(i.a) + " = " + reg(i.b) + " in set" + std::to_string(i.c));
          break;
        case Code::Move:
        case Code::Neg:
        case Code::Abs:
        case Code::Not:
        case Code::NonZero:
        case Code::SetNan:
          add(reg(i.a) + " = " + reg(i.b));
          break;
        default:
          add(reg(i.a) + " = " + reg(i.b) + " " +
              (name.ends_with("I") || name.ends_with("Pow2") || name.ends_with("Magic") ? std::to_string(i.imm)
                                                                                        : reg(i.c)));
      }
    }
    out += "\n";
  }
  return out;
}

}  // namespace dimgate
