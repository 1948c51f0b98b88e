// ShapeProgram: its values and its text for people.
#include "dimgate/shape_program.hpp"

#include "trace/spelling.hpp"

namespace dimgate {

ValueId ShapeProgram::add_value(ProgramValue v) {
  values_.push_back(std::move(v));
  return static_cast<ValueId>(values_.size() - 1);
}

namespace {

std::string dims_text(Context& ctx, const ProgramValue& v) {
  if (v.scalar) return spelled_text(ctx, v.scalar);
  std::string out = "(";
  for (std::size_t i = 0; i < v.dims.size(); ++i) out += (i == 0 ? "" : ", ") + spelled_text(ctx, v.dims[i]);
  return out + (v.dims.size() == 1 ? ",)" : ")");
}

}  // namespace

std::string ShapeProgram::to_text(Context& ctx) const {
  std::string out;
  for (const ProgramNode& n : nodes_) {
    for (std::size_t i = 0; i < n.results.size(); ++i) {
      const ProgramValue& v = values_[n.results[i]];
      out += (i == 0 ? "" : ", ") + std::string("%") + std::to_string(n.results[i]) + " " + v.dtype + dims_text(ctx, v);
    }
    out += (n.results.empty() ? "" : " = ") + n.op;
    if (!n.name.empty()) out += " " + n.name;
    for (const ValueId id : n.operands) out += " %" + std::to_string(id);
    for (const Attribute& a : n.attributes) {
      out += " " + a.name + "=";
      if (!a.text.empty()) out += a.text;
      if (!a.numbers.empty()) out += to_string(a.numbers);
    }
    out += '\n';
  }
  out += "return";
  for (const ValueId id : outputs_) out += " %" + std::to_string(id);
  return out + '\n';
}

}  // namespace dimgate
