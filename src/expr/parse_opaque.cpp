// What the language does not know in a text that others wrote: the smallest formula around it is an opaque atom.
//
// An opaque operand has no node. An operator that makes a number or a name of it is opaque as well; one that makes a
// formula becomes a Bool symbol named by the whole text, and so does an opaque operand where a formula is asked for.
// So nothing is known of the number inside, not even that it is one. Tests: tests/expr/language_test.cpp.
#include "expr/names.hpp"
#include "expr/operator_parser.hpp"

namespace dimgate::detail {

bool OperatorParser::refuse(std::uint32_t place, std::string message, Operand& out) {
  if (!opaque_) return fail(place, std::move(message));
  out.kind = Operand::Kind::opaque;
  return true;
}

bool OperatorParser::any_opaque(std::span<const Operand> args) {
  for (const Operand& a : args)
    if (a.kind == Operand::Kind::opaque) return true;
  return false;
}

std::uint32_t OperatorParser::opaque_formula(const Operand& of) {
  out_.leftovers = true;
  const std::uint32_t made =
      out_.add_symbol(normal_text(tokens_, of.begin, of.end), text_, tokens_.tokens[of.begin].begin);
  out_.nodes[made].formula = true;
  return made;
}

void OperatorParser::settle(Operand& formula) {
  if (formula.kind != Operand::Kind::opaque) return;
  formula.index = opaque_formula(formula);
  formula.kind = Operand::Kind::node;
}

void OperatorParser::combine_opaque(Op op, Operands args, Operand& out, bool& done) {
  const OpInfo& row = info(op);
  if (row.args == ArgSorts::bools) {
    for (Operand& a : args) settle(a);
    return;
  }
  if (row.args == ArgSorts::condition_then_same) settle(args[0]);
  if (!any_opaque(args)) return;
  done = true;
  out.kind = Operand::Kind::opaque;
  // A number (or name) stays opaque; a formula ends here.
  if (row.args != ArgSorts::condition_then_same && row.result == Sort::Bool) settle(out);
}

}  // namespace dimgate::detail
