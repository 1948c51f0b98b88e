// One function of emitted C: the fast one or the wide one, statement by statement.
#pragma once

#include <set>
#include <string>

#include "program/code.hpp"

namespace dimgate::lowering {

using detail::Code;
using detail::Instr;
using detail::ProgramCode;

std::string c_literal(std::int64_t v);
std::string c_literal(std::uint64_t v);
inline std::string c_slot(SlotIndex s) { return "s[" + std::to_string(s) + "]"; }

/// Writes one of the two functions.
class CBody {
 public:
  CBody(const ProgramCode& p, bool wide, std::set<std::string>& helpers) : p_(p), wide_(wide), helpers_(helpers) {}

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
    if (!wide_) return reg(b) + " " + op + " " + c_literal(v);
    use("dg_compare");
    use("dg_set");
    return use("dg_compare_small") + "(" + address(b) + ", " + c_literal(v) + ") " + op + " 0";
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
    if (!wide_) return operation(name, i.a, reg(i.b), c_literal(i.imm));
    return "{ dg_wide k; " + use("dg_set") + "(&k, " + c_literal(i.imm) + "); " +
           operation(name, i.a, address(i.b), "&k") + " }";
  }
  std::string division(const char* name, const Instr& i) {
    return "if (" + compare_imm(i.c, "==", 0) + ") { " + set_truth(i.a, "0") + " } else { " + binary(name, i) + " }";
  }
  std::string extreme(const Instr& i, const char* op, bool imm) {
    const std::string cond = imm ? compare_imm(i.b, op, i.imm) : compare(i.b, op, i.c);
    const std::string other = !imm ? reg(i.a) + " = " + reg(i.c) + ";" : set_truth(i.a, c_literal(i.imm));
    return "if (" + cond + ") " + reg(i.a) + " = " + reg(i.b) + "; else { " + other + " }";
  }

  std::string holds(const detail::Range& r, bool negated) const {
    const auto hi = static_cast<std::int64_t>(static_cast<std::uint64_t>(r.lo) + r.width);
    const std::string v = c_slot(r.slot);
    if (r.width == 0) return v + (negated ? " != " : " == ") + c_literal(r.lo);
    if (hi == INT64_MAX && r.lo == INT64_MIN) return negated ? "0" : "1";
    if (hi == INT64_MAX) return v + (negated ? " < " : " >= ") + c_literal(r.lo);
    if (r.lo == INT64_MIN) return v + (negated ? " > " : " <= ") + c_literal(hi);
    return "(uint64_t)" + v + " - (uint64_t)" + c_literal(r.lo) + (negated ? " > " : " <= ") + c_literal(r.width);
  }
  std::string holds(const detail::Congruent& c, bool negated) {
    const std::uint64_t modulus = c.modulus, residue = c.remainder();
    const std::string k = c_literal(static_cast<std::int64_t>(modulus));
    const char* op = negated ? " != " : " == ";
    if (residue == 0) return c_slot(c.slot) + " % " + k + op + "0";
    return use("dg_residue") + "(" + c_slot(c.slot) + ", " + k + ")" + op +
           c_literal(static_cast<std::int64_t>(residue));
  }
  std::string member(const std::string& v, std::uint32_t set, bool negated) {
    const std::span<const std::int64_t> values = p_.sets[set];
    std::string out;
    if (values.size() > 8) {
      out = use("dg_member") + "(" + v + ", set" + std::to_string(set) + ", " + std::to_string(values.size()) + ")";
    } else {
      for (const std::int64_t x : values) out += (out.empty() ? "" : " || ") + v + " == " + c_literal(x);
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

}  // namespace dimgate::lowering
