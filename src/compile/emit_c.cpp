// C from bytecode, one statement an instruction: a fast function in int64 that leaves for a wide one when a number does
// not fit. Only helpers that are used are emitted, so that strict warnings stay silent.
#include <array>
#include <bit>
#include <set>

#include "compile/c_helpers.hpp"
#include "dimgate/compile.hpp"
#include "program/code.hpp"

namespace dimgate {
namespace {

using detail::Code;
using detail::Instr;
using detail::ProgramCode;

std::string literal(std::int64_t v) {
  if (v == INT64_MIN) return "INT64_MIN";
  return "INT64_C(" + std::to_string(v) + ")";
}
std::string literal(std::uint64_t v) { return "UINT64_C(" + std::to_string(v) + ")"; }
std::string slot(SlotIndex s) { return "s[" + std::to_string(s) + "]"; }

/// Writes one of the two functions.
class Body {
 public:
  Body(const ProgramCode& p, bool wide, std::set<std::string>& helpers) : p_(p), wide_(wide), helpers_(helpers) {}

  std::string text() {
    std::vector<bool> target(p_.code.size(), false);
    for (const Instr& i : p_.code)
      if ((i.code >= Code::JIfEq || i.code == Code::Jump) && p_.code[i.a].code != Code::Fail) target[i.a] = true;
    for (const Instr& i : p_.code)
      if (i.code == Code::DivOr || i.code == Code::ModOr || i.code == Code::CeilDivOr)
        target[static_cast<std::size_t>(i.imm)] = p_.code[static_cast<std::size_t>(i.imm)].code != Code::Fail;
    std::string out;
    if (p_.registers != 0) {
      out += wide_ ? "  dg_wide r[" : "  int64_t r[";
      out += std::to_string(p_.registers) + "];\n";
    }
    for (std::size_t at = 0; at < p_.code.size(); ++at) {
      if (p_.code[at].code == Code::Fail) continue;  // jumps to it return instead
      if (target[at]) out += "l" + std::to_string(at) + ":;\n";
      const std::string s = statement(p_.code[at]);
      if (!s.empty()) out += "  " + s + "\n";
    }
    if (leaves_) out += "wide:\n  return NAME_wide(s);\n";
    return out;
  }
  [[nodiscard]] bool leaves() const noexcept { return leaves_; }

 private:
  std::string use(const char* helper) {
    helpers_.insert(helper);
    return helper;
  }
  static std::string reg(std::uint32_t r) { return "r[" + std::to_string(r) + "]"; }
  static std::string address(std::uint32_t r) { return "&r[" + std::to_string(r) + "]"; }
  std::string fail(std::uint32_t test) const { return "return " + std::to_string(p_.first_guard(test)) + ";"; }
  std::string go(const Instr& i) const {
    if (p_.code[i.a].code == Code::Fail) return fail(p_.code[i.a].a);
    return "goto l" + std::to_string(i.a) + ";";
  }
  std::string set_truth(std::uint32_t r, const std::string& truth) {
    if (!wide_) return reg(r) + " = " + truth + ";";
    return use("dg_set") + "(" + address(r) + ", " + truth + ");";
  }
  /// The 0, 1 or 2, or the raw bits, in a register.
  std::string low(std::uint32_t r) { return wide_ ? use("dg_low") + "(" + address(r) + ")" : reg(r); }
  std::string set_if(std::uint32_t r, const std::string& condition) {
    return set_truth(r, "(" + condition + ") ? 2 : 0");
  }

  std::string compare(std::uint32_t b, const char* op, std::uint32_t c) {
    if (!wide_) return reg(b) + " " + op + " " + reg(c);
    return use("dg_compare") + "(" + address(b) + ", " + address(c) + ") " + op + " 0";
  }
  std::string compare_imm(std::uint32_t b, const char* op, std::int64_t v) {
    if (!wide_) return reg(b) + " " + op + " " + literal(v);
    use("dg_compare");
    use("dg_set");
    return use("dg_compare_small") + "(" + address(b) + ", " + literal(v) + ") " + op + " 0";
  }
  std::string operation(const char* name, std::uint32_t a, const std::string& b, const std::string& c) {
    if (wide_)
      return use(("dg_wide_" + std::string(name)).c_str()) + "(&r[" + std::to_string(a) + "], " + b + ", " + c + ");";
    leaves_ = true;
    return "if (!" + use(("dg_" + std::string(name)).c_str()) + "(&r[" + std::to_string(a) + "], " + b + ", " + c +
           ")) goto wide;";
  }
  std::string binary(const char* name, const Instr& i) {
    return wide_ ? operation(name, i.a, address(i.b), address(i.c)) : operation(name, i.a, reg(i.b), reg(i.c));
  }
  std::string immediate(const char* name, const Instr& i) {
    if (!wide_) return operation(name, i.a, reg(i.b), literal(i.imm));
    return "{ dg_wide k; " + use("dg_set") + "(&k, " + literal(i.imm) + "); " +
           operation(name, i.a, address(i.b), "&k") + " }";
  }
  std::string division(const char* name, const Instr& i) {
    return "if (" + compare_imm(i.c, "==", 0) + ") { " + set_truth(i.a, "0") + " } else { " + binary(name, i) + " }";
  }
  std::string extreme(const Instr& i, const char* op, bool imm) {
    const std::string cond = imm ? compare_imm(i.b, op, i.imm) : compare(i.b, op, i.c);
    const std::string other = !imm ? reg(i.a) + " = " + reg(i.c) + ";" : set_truth(i.a, literal(i.imm));
    return "if (" + cond + ") " + reg(i.a) + " = " + reg(i.b) + "; else { " + other + " }";
  }

  std::string holds(const detail::Range& r, bool negated) const {
    const auto hi = static_cast<std::int64_t>(static_cast<std::uint64_t>(r.lo) + r.width);
    const std::string v = slot(r.slot);
    if (r.width == 0) return v + (negated ? " != " : " == ") + literal(r.lo);
    if (hi == INT64_MAX && r.lo == INT64_MIN) return negated ? "0" : "1";
    if (hi == INT64_MAX) return v + (negated ? " < " : " >= ") + literal(r.lo);
    if (r.lo == INT64_MIN) return v + (negated ? " > " : " <= ") + literal(hi);
    return "(uint64_t)" + v + " - (uint64_t)" + literal(r.lo) + (negated ? " > " : " <= ") + literal(r.width);
  }
  std::string holds(const detail::Congruent& c, bool negated) {
    const std::uint64_t bias = (std::uint64_t{1} << 63) % c.modulus;
    const std::uint64_t residue = c.residue >= bias ? c.residue - bias : c.residue + (c.modulus - bias);
    const std::string k = literal(static_cast<std::int64_t>(c.modulus));
    const char* op = negated ? " != " : " == ";
    if (residue == 0) return slot(c.slot) + " % " + k + op + "0";
    return use("dg_residue") + "(" + slot(c.slot) + ", " + k + ")" + op + literal(static_cast<std::int64_t>(residue));
  }
  std::string member(const std::string& v, std::uint32_t set, bool negated) {
    const std::vector<std::int64_t>& values = p_.sets[set];
    std::string out;
    if (values.size() > 8) {
      out = use("dg_member") + "(" + v + ", set" + std::to_string(set) + ", " + std::to_string(values.size()) + ")";
    } else {
      for (const std::int64_t x : values) out += (out.empty() ? "" : " || ") + v + " == " + literal(x);
      if (out.empty()) out = "0";
      if (values.size() > 1) out = "(" + out + ")";
    }
    return negated ? "!(" + out + ")" : out;
  }
  std::string jump(const Instr& i, const std::string& condition) {
    const bool unless = (static_cast<unsigned>(i.code) - static_cast<unsigned>(Code::JIfEq)) % 2 == 1;
    return "if (" + (unless ? "!(" + condition + ")" : condition) + ") " + go(i);
  }
  std::string statement(const Instr& i);

  const ProgramCode& p_;
  bool wide_;
  std::set<std::string>& helpers_;
  bool leaves_ = false;
};

// NOLINTNEXTLINE(readability-function-size): one case an instruction
std::string Body::statement(const Instr& i) {
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
        out += below == above ? below : slot(r.slot) + " < " + literal(r.lo) + " ? " + below + " : " + above;
        out += ";";
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
        out += (k == i.b ? "" : "\n  ") + std::string("if (") + slot(p_.pairs[k].left) + op + slot(p_.pairs[k].right) +
               ") " + fail(p_.pairs[k].test);
      return out;
    }
    case Code::Loads: {
      std::string out;
      for (std::uint32_t k = i.b; k < i.b + i.c; ++k)
        out += (k == i.b ? "" : "\n  ") + set_truth(p_.loads[k].reg, slot(p_.loads[k].slot));
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
      return set_truth(i.a, slot(i.b));
    case Code::LoadBool:
      return set_truth(i.a, slot(i.b) + " == 1 ? 2 : " + slot(i.b) + " == 0 ? 0 : 1");
    case Code::Const:
      return set_truth(i.a, literal(i.imm));
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
    case Code::DivI:
      return immediate("div", i);
    case Code::Mod:
      return division("mod", i);
    case Code::ModPow2:
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
      return jump(i, member(slot(i.b), i.c, i.x != 0));
    case Code::JIfSlotEq:
    case Code::JUnlessSlotEq:
      return jump(i, slot(i.b) + " == " + slot(i.c));
    case Code::JIfSlotNe:
    case Code::JUnlessSlotNe:
      return jump(i, slot(i.b) + " != " + slot(i.c));
    case Code::JIfSlotLt:
    case Code::JUnlessSlotLt:
      return jump(i, slot(i.b) + " < " + slot(i.c));
    case Code::JIfSlotLe:
    case Code::JUnlessSlotLe:
      return jump(i, slot(i.b) + " <= " + slot(i.c));
    case Code::JIfSlotsDiffer:
    case Code::JUnlessSlotsDiffer: {
      const std::string call =
          use("dg_slots_differ") + "(s, list" + std::to_string(i.b) + ", " + std::to_string(p_.lists[i.b].size()) + ")";
      return jump(i, (i.x != 0 ? "!" : "") + call);
    }
  }
  return {};
}

std::string replace_name(std::string text, std::string_view name) {
  constexpr std::string_view kName = "NAME_wide";
  for (std::size_t at = text.find(kName); at != std::string::npos; at = text.find(kName, at))
    text.replace(at, 4, name), at += name.size();
  return text;
}

}  // namespace

std::string emit_c(const Program& program, std::string_view name) {
  const ProgramCode& p = program.code();
  std::set<std::string> helpers;
  Body fast(p, false, helpers);
  const std::string fast_text = fast.text();
  std::string wide_text;
  if (fast.leaves()) wide_text = Body(p, true, helpers).text();

  std::string out = "#include <stdint.h>\n";
  if (helpers.contains("dg_double")) out += "#include <string.h>\n";
  out += "\n";
  // Two's complement in 32-bit limbs, one more than the bound asks for so that the sign always fits.
  const std::size_t limbs = p.bits / 32 + 2;
  if (fast.leaves())
    out += "enum { dg_limbs = " + std::to_string(limbs) + " };\ntypedef struct { uint32_t v[dg_limbs]; } dg_wide;\n\n";
  out += lowering::c_helpers(helpers);
  for (std::size_t k = 0; k < p.sets.size(); ++k) {
    const std::string set = "set" + std::to_string(k);
    if (p.sets[k].size() <= 8) continue;
    out += "static const int64_t " + set + "[] = {";
    for (const std::int64_t v : p.sets[k]) out += literal(v) + ", ";
    out += "};\n";
  }
  for (std::size_t k = 0; k < p.lists.size(); ++k) {
    out += "static const uint32_t list" + std::to_string(k) + "[] = {";
    for (const SlotIndex s : p.lists[k]) out += std::to_string(s) + ", ";
    out += "};\n";
  }
  const std::string parameters = "(const int64_t* s) {\n  (void)s;\n";
  if (fast.leaves()) out += "static int " + std::string(name) + "_wide" + parameters + wide_text + "}\n\n";
  out += "int " + std::string(name) + "(const int64_t* s);\n";
  out += "int " + std::string(name) + parameters + replace_name(fast_text, name) + "}\n";
  return out;
}

Result<std::string> emit_c(Context& ctx, std::span<const Expr> guards, const Layout& layout, std::string_view name) {
  const Result<Program> program = compile(ctx, guards, layout);
  if (!program) return program.error();
  std::string out = "/* Guards, checked by " + std::string(name) +
                    ": -1 if all are true, else the index of the first found that is not.\n   Slots:\n";
  for (const SlotIndex s : program->slots())
    out +=
        "     s[" + std::to_string(s) + "]  " + layout[s].name + "  (" + std::string(to_string(layout[s].sort)) + ")\n";
  bool names = false;
  for (const SlotIndex s : program->slots()) names = names || layout[s].sort == SlotSort::name;
  if (names) {
    out += "   Names:\n";
    for (std::size_t id = 0; id < layout.names().size(); ++id)
      out += "     " + std::to_string(id) + "  " + layout.names().name(static_cast<std::int64_t>(id)) + "\n";
  }
  // What a front end calls its sources must neither end the comment nor look like another.
  for (std::size_t at = 3; at + 1 < out.size(); ++at)
    if ((out[at] == '*' && out[at + 1] == '/') || (out[at] == '/' && out[at + 1] == '*')) out.insert(at + 1, " ");
  return out + "*/\n" + emit_c(*program, name);
}

}  // namespace dimgate
