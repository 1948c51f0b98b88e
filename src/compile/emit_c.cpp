// C from bytecode, one statement an instruction: a fast function in int64 that leaves for a wide one when a number does
// not fit. Only helpers that are used are emitted, so that strict warnings stay silent.
#include <set>

#include "compile/c_body.hpp"
#include "compile/c_helpers.hpp"
#include "dimgate/compile.hpp"

namespace dimgate {
namespace {

using detail::ProgramCode;

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
  lowering::CBody fast(p, false, helpers);
  const std::string fast_text = fast.text();
  std::string wide_text;
  if (fast.leaves()) wide_text = lowering::CBody(p, true, helpers).text();

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
    for (const std::int64_t v : p.sets[k]) out += lowering::c_literal(v) + ", ";
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
