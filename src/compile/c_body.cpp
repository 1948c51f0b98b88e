#include "compile/c_body.hpp"

namespace dimgate::lowering {

std::string c_literal(std::int64_t v) {
  if (v == INT64_MIN) return "INT64_MIN";
  return "INT64_C(" + std::to_string(v) + ")";
}
std::string c_literal(std::uint64_t v) { return "UINT64_C(" + std::to_string(v) + ")"; }

// NOLINTNEXTLINE(readability-function-size): one case an instruction
std::string CBody::statement(const Instr& i) {
  switch (i.code) {
    case Code::Pass:
      return "return -1;";
    case Code::Fail:
    case Code::Need:
      return {};
    case Code::Jump:
      return go(i);
    case Code::Ranges: {
      std::string out;
      for (std::uint32_t k = i.b; k < i.b + i.c; ++k) {
        const detail::Range& r = p_.ranges[k];
        const std::string below = std::to_string(p_.first_guard(r.below)),
                          above = std::to_string(p_.first_guard(r.above));
        out += (k == i.b ? "" : "\n  ") + std::string("if (") + holds(r, true) + ") return ";
        if (below != above)
          out.append(c_slot(r.slot)).append(" < ").append(c_literal(r.lo)).append(" ? ").append(below).append(" : ");
        out.append(above).append(";");
      }
      return out;
    }
    case Code::NotRanges: {
      std::string out;
      for (std::uint32_t k = i.b; k < i.b + i.c; ++k)
        out += (k == i.b ? "" : "\n  ") + std::string("if (") + holds(p_.ranges[k], false) + ") " +
               fail(p_.ranges[k].below);
      return out;
    }
    case Code::PairsEq:
    case Code::PairsNe:
    case Code::PairsLt:
    case Code::PairsLe: {
      const char* op = i.code == Code::PairsEq   ? " != "
                       : i.code == Code::PairsNe ? " == "
                       : i.code == Code::PairsLt ? " >= "
                                                 : " > ";
      std::string out;
      for (std::uint32_t k = i.b; k < i.b + i.c; ++k)
        out += (k == i.b ? "" : "\n  ") + std::string("if (") + c_slot(p_.pairs[k].left) + op +
               c_slot(p_.pairs[k].right) + ") " + fail(p_.pairs[k].test);
      return out;
    }
    case Code::Loads: {
      std::string out;
      for (std::uint32_t k = i.b; k < i.b + i.c; ++k)
        out += (k == i.b ? "" : "\n  ") + set_truth(p_.loads[k].reg, c_slot(p_.loads[k].slot));
      return out;
    }
    case Code::DivOr:
    case Code::ModOr:
    case Code::CeilDivOr: {
      Instr target = i;
      target.a = static_cast<std::uint32_t>(i.imm);
      const char* name = i.code == Code::DivOr ? "div" : i.code == Code::ModOr ? "mod" : "ceildiv";
      return "if (" + compare_imm(i.c, "==", 0) + ") " + go(target) + "\n  " + binary(name, i);
    }
    case Code::Mods: {
      std::string out;
      for (std::uint32_t k = i.b; k < i.b + i.c; ++k)
        out += (k == i.b ? "" : "\n  ") + std::string("if (") + holds(p_.mods[k], true) + ") " + fail(p_.mods[k].test);
      return out;
    }
    case Code::Load:
      return set_truth(i.a, c_slot(i.b));
    case Code::LoadBool:
      return set_truth(i.a, c_slot(i.b) + " == 1 ? 2 : " + c_slot(i.b) + " == 0 ? 0 : 1");
    case Code::Const:
      return set_truth(i.a, c_literal(i.imm));
    case Code::BigConst: {
      if (!wide_) return leaves_ = true, "goto wide;";
      const detail::BigInt& b = p_.bigs[i.b];
      std::string out = "{ static const uint32_t k[] = {";
      for (const std::uint64_t limb : b.limbs)
        out += std::to_string(limb & 0xffffffffU) + "U, " + std::to_string(limb >> 32) + "U, ";
      out += "}; " + use("dg_big") + "(" + address(i.a) + ", k, " + std::to_string(2 * b.limbs.size()) + ", " +
             (b.negative ? "1" : "0") + "); }";
      use("dg_set");
      use("dg_wide_neg");
      return out;
    }
    case Code::Move:
      return reg(i.a) + " = " + reg(i.b) + ";";
    case Code::Add:
      return binary("add", i);
    case Code::AddI:
      return immediate("add", i);
    case Code::Sub:
      return binary("sub", i);
    case Code::Neg:
      if (wide_) return "{ dg_wide k = " + reg(i.b) + "; " + use("dg_wide_neg") + "(&k); " + reg(i.a) + " = k; }";
      return operation("sub", i.a, "0", reg(i.b));
    case Code::Mul:
      return binary("mul", i);
    case Code::MulI:
      return immediate("mul", i);
    case Code::Div:
      return division("div", i);
    case Code::DivPow2:
    case Code::DivMagic:
    case Code::DivI:
      return immediate("div", i);
    case Code::Mod:
      return division("mod", i);
    case Code::ModPow2:
    case Code::ModMagic:
    case Code::ModI:
      return immediate("mod", i);
    case Code::CeilDiv:
      return division("ceildiv", i);
    case Code::CeilDivI:
      return immediate("ceildiv", i);
    case Code::Min:
      return extreme(i, "<", false);
    case Code::Max:
      return extreme(i, ">", false);
    case Code::MinI:
      return extreme(i, "<", true);
    case Code::MaxI:
      return extreme(i, ">", true);
    case Code::Abs: {
      const std::string negate =
          wide_ ? "{ dg_wide k = " + reg(i.b) + "; " + use("dg_wide_neg") + "(&k); " + reg(i.a) + " = k; }"
                : operation("sub", i.a, "0", reg(i.b));
      return "if (" + compare_imm(i.b, "<", 0) + ") { " + negate + " } else { " + reg(i.a) + " = " + reg(i.b) + "; }";
    }
    case Code::Select:
      return reg(i.a) + " = " + low(i.b) + " == 2 ? " + reg(i.c) + " : " + reg(static_cast<std::uint32_t>(i.imm)) + ";";
    case Code::Choose:
      return set_truth(i.a, low(i.b) + " == 2 ? " + low(i.c) + " : " + low(i.b) + " == 0 ? " +
                                low(static_cast<std::uint32_t>(i.imm)) + " : 1");
    case Code::NonZero:
      return set_truth(i.a, compare_imm(i.b, "!=", 0) + " ? 2 : 1");
    case Code::Mask:
      return set_truth(i.a, low(i.c) + " == 2 ? " + low(i.b) + " : 1");
    case Code::Not:
      return set_truth(i.a, "2 - " + low(i.b));
    case Code::Iff:
      return set_truth(i.a,
                       low(i.b) + " == 1 || " + low(i.c) + " == 1 ? 1 : " + low(i.b) + " == " + low(i.c) + " ? 2 : 0");
    case Code::StrictOr:
      return set_truth(i.a, low(i.b) + " == 1 || " + low(i.c) + " == 1 ? 1 : " + low(i.b) + " == 2 || " + low(i.c) +
                                " == 2 ? 2 : 0");
    case Code::SetEq:
      return set_if(i.a, compare(i.b, "==", i.c));
    case Code::SetNe:
      return set_if(i.a, compare(i.b, "!=", i.c));
    case Code::SetLt:
      return set_if(i.a, compare(i.b, "<", i.c));
    case Code::SetLe:
      return set_if(i.a, compare(i.b, "<=", i.c));
    case Code::SetEqI:
      return set_if(i.a, compare_imm(i.b, "==", i.imm));
    case Code::SetNeI:
      return set_if(i.a, compare_imm(i.b, "!=", i.imm));
    case Code::SetLtI:
      return set_if(i.a, compare_imm(i.b, "<", i.imm));
    case Code::SetGtI:
      return set_if(i.a, compare_imm(i.b, ">", i.imm));
    case Code::SetEqF:
      return set_if(i.a, use("dg_double") + "(" + low(i.b) + ") == dg_double(" + low(i.c) + ")");
    case Code::SetNan:
      return set_if(i.a, use("dg_double") + "(" + low(i.b) + ") != dg_double(" + low(i.b) + ")");
    case Code::SetIn:
      // A wide number that int64 does not hold is in no set.
      if (wide_) {
        use("dg_set");
        use("dg_compare");
        use("dg_compare_small");
        return set_if(i.a, use("dg_is_small") + "(" + address(i.b) + ") && " + member(low(i.b), i.c, false));
      }
      return set_if(i.a, member(reg(i.b), i.c, false));
    case Code::Distinct:
      if (wide_) use("dg_compare");
      return set_if(
          i.a, use(wide_ ? "dg_wide_distinct" : "dg_distinct") + "(" + address(i.b) + ", " + std::to_string(i.c) + ")");
    case Code::JIfEq:
    case Code::JUnlessEq:
      return jump(i, compare(i.b, "==", i.c));
    case Code::JIfNe:
    case Code::JUnlessNe:
      return jump(i, compare(i.b, "!=", i.c));
    case Code::JIfLt:
    case Code::JUnlessLt:
      return jump(i, compare(i.b, "<", i.c));
    case Code::JIfLe:
    case Code::JUnlessLe:
      return jump(i, compare(i.b, "<=", i.c));
    case Code::JIfEqI:
    case Code::JUnlessEqI:
      return jump(i, compare_imm(i.b, "==", i.imm));
    case Code::JIfNeI:
    case Code::JUnlessNeI:
      return jump(i, compare_imm(i.b, "!=", i.imm));
    case Code::JIfLtI:
    case Code::JUnlessLtI:
      return jump(i, compare_imm(i.b, "<", i.imm));
    case Code::JIfGtI:
    case Code::JUnlessGtI:
      return jump(i, compare_imm(i.b, ">", i.imm));
    case Code::JIfRange:
    case Code::JUnlessRange:
      return jump(i, holds(p_.ranges[i.b], i.x != 0));
    case Code::JIfMod:
    case Code::JUnlessMod:
      return jump(i, holds(p_.mods[i.b], i.x != 0));
    case Code::JIfIn:
    case Code::JUnlessIn:
      return jump(i, member(c_slot(i.b), i.c, i.x != 0));
    case Code::JIfSlotEq:
    case Code::JUnlessSlotEq:
      return jump(i, c_slot(i.b) + " == " + c_slot(i.c));
    case Code::JIfSlotNe:
    case Code::JUnlessSlotNe:
      return jump(i, c_slot(i.b) + " != " + c_slot(i.c));
    case Code::JIfSlotLt:
    case Code::JUnlessSlotLt:
      return jump(i, c_slot(i.b) + " < " + c_slot(i.c));
    case Code::JIfSlotLe:
    case Code::JUnlessSlotLe:
      return jump(i, c_slot(i.b) + " <= " + c_slot(i.c));
    case Code::JIfSlotsDiffer:
    case Code::JUnlessSlotsDiffer: {
      const std::string call =
          use("dg_slots_differ") + "(s, list" + std::to_string(i.b) + ", " + std::to_string(p_.lists[i.b].size()) + ")";
      return jump(i, (i.x != 0 ? "!" : "") + call);
    }
  }
  return {};
}

}  // namespace dimgate::lowering
