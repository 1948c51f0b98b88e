#include "emit.hpp"

#include <stdexcept>

namespace frontend {

namespace {

using dimgate::Context;
using dimgate::Expr;
using dimgate::ProgramNode;
using dimgate::ShapeProgram;
using dimgate::SymInt;
using dimgate::ValueId;

class Emitter {
 public:
  Emitter(Context& ctx, const ShapeProgram& program) : ctx_(ctx), program_(program) {}

  std::string run(const std::vector<Expr>& symbols) {
    out_ = "#include <stdlib.h>\n#include <string.h>\n";
    out_ += dimgate::c_prelude();
    out_ +=
        "\nint run(const int64_t* slots, const float* const* inputs, const float* const* parameters, float** outputs) "
        "{\n  (void)slots; (void)inputs; (void)parameters;\n";
    for (std::size_t k = 0; k < symbols.size(); ++k)
      line("const int64_t " + dimgate::c_identifier(ctx_.symbol_name(symbols[k])) + " = slots[" + std::to_string(k) +
           "];");
    for (ValueId v = 0; v < program_.values().size(); ++v)
      for (std::size_t d = 0; d < program_.value(v).dims.size(); ++d)
        size_variable(dim(v, d), program_.value(v).dims[d]);
    std::size_t inputs = 0, parameters = 0;
    for (const ProgramNode& n : program_.nodes()) {
      if (n.op == "input" || n.op == "parameter") {
        const bool input = n.op == "input";
        line("const float* " + value(n.results[0]) + " = " + (input ? "inputs[" : "parameters[") +
             std::to_string(input ? inputs++ : parameters++) + "];");
      } else {
        node(n);
      }
    }
    for (std::size_t i = 0; i < program_.outputs().size(); ++i)
      line("outputs[" + std::to_string(i) + "] = copy_of(" + value(program_.outputs()[i]) + ", " +
           count(program_.outputs()[i]) + ");");
    for (const ValueId v : owned_) line("free(" + value(v) + ");");
    out_ += "  return 0;\n}\n";
    const std::string helper =
        "static float* copy_of(const float* from, int64_t n) {\n"
        "  float* p = malloc((size_t)n * sizeof(float) + 1);\n"
        "  if (p) memcpy(p, from, (size_t)n * sizeof(float));\n  return p;\n}\n";
    return out_.insert(out_.find("\nint run("), "\n" + helper);
  }

 private:
  static std::string value(ValueId v) { return "v" + std::to_string(v); }
  static std::string dim(ValueId v, std::size_t d) { return "n" + std::to_string(v) + "_" + std::to_string(d); }
  std::size_t rank(ValueId v) const { return program_.value(v).dims.size(); }
  void line(const std::string& s) { out_.append(2 + 2 * depth_, ' ').append(s) += '\n'; }

  void size_variable(const std::string& name, Expr e) {
    const std::string checked = "s_" + name;
    line("const dg_value " + checked + " = " + dimgate::to_c(ctx_, e) + ";");
    line("if (" + checked + ".status != 0) return 1;");
    line("const int64_t " + name + " = " + checked + ".value;");
    line("(void)" + name + ";");
  }
  std::string attribute(const ProgramNode& n, std::string_view name, std::size_t i) {
    for (const dimgate::Attribute& a : n.attributes)
      if (a.name == name && i < a.numbers.size()) {
        const std::string variable = "a" + std::to_string(attributes_++);
        size_variable(variable, a.numbers[i].expr(ctx_));
        return variable;
      }
    return "0";
  }
  std::string count(ValueId v) const {
    std::string s = "(int64_t)1";
    for (std::size_t d = 0; d < rank(v); ++d) s += " * " + dim(v, d);
    return s;
  }
  /// The element of v at the given indices, one a dim.
  std::string element(ValueId v, const std::vector<std::string>& index) const {
    std::string at = "0";
    for (std::size_t d = 0; d < index.size(); ++d) at = "(" + at + ") * " + dim(v, d) + " + " + index[d];
    return value(v) + "[" + at + "]";
  }
  void allocate(ValueId v) {
    line("float* " + value(v) + " = malloc((size_t)(" + count(v) + ") * sizeof(float) + 1);");
    owned_.push_back(v);
  }
  /// Opens a loop over every dim of v; the indices are i0, i1, …
  std::vector<std::string> open(ValueId v) {
    std::vector<std::string> index;
    for (std::size_t d = 0; d < rank(v); ++d) {
      const std::string i = "i" + std::to_string(d);
      line("for (int64_t " + i + " = 0; " + i + " < " + dim(v, d) + "; ++" + i + ") {");
      ++depth_;
      index.push_back(i);
    }
    return index;
  }
  void close(std::size_t loops) {
    while (loops-- > 0) {
      --depth_;
      line("}");
    }
  }

  void node(const ProgramNode& n) {
    const ValueId out = n.results.at(0);
    const auto operand = [&](std::size_t i) { return n.operands.at(i); };
    line("// " + n.op);
    if (n.op == "reshape") {  // the same elements in the same order
      line("float* " + value(out) + " = copy_of(" + value(operand(0)) + ", " + count(out) + ");");
      owned_.push_back(out);
      return;
    }
    // Numbers that the loops need come before them.
    const std::string before = n.op == "pad" ? attribute(n, "amounts", 2 * (rank(out) - 1)) : "";
    allocate(out);
    const std::vector<std::string> i = open(out);
    if (n.op == "relu") {
      const std::string x = element(operand(0), i);
      line(element(out, i) + " = " + x + " > 0 ? " + x + " : 0;");
    } else if (n.op == "add") {
      std::string sum;
      for (const ValueId v : n.operands) {
        std::vector<std::string> at(i.end() - static_cast<std::ptrdiff_t>(rank(v)), i.end());
        for (std::size_t d = 0; d < at.size(); ++d) at[d] = "(" + dim(v, d) + " == 1 ? 0 : " + at[d] + ")";
        sum += (sum.empty() ? "" : " + ") + element(v, at);
      }
      line(element(out, i) + " = " + sum + ";");
    } else if (n.op == "linear") {
      std::vector<std::string> row = i;
      row.back() = "k";
      line("float sum = " + element(operand(2), {i.back()}) + ";");
      line("for (int64_t k = 0; k < " + dim(operand(1), 1) + "; ++k) sum += " + element(operand(0), row) + " * " +
           element(operand(1), {i.back(), "k"}) + ";");
      line(element(out, i) + " = sum;");
    } else if (n.op == "mean") {
      const auto d = static_cast<std::size_t>(n.attributes.at(0).numbers.at(0).to_int());
      std::vector<std::string> at = i;
      at[d] = "k";
      line("float sum = 0;");
      line("for (int64_t k = 0; k < " + dim(operand(0), d) + "; ++k) sum += " + element(operand(0), at) + ";");
      line(element(out, i) + " = sum / (float)" + dim(operand(0), d) + ";");
    } else if (n.op == "pad") {  // of the first dim
      std::vector<std::string> at = i;
      at[0] = "from";
      line("const int64_t from = i0 - " + before + ";");
      line(element(out, i) + " = from >= 0 && from < " + dim(operand(0), 0) + " ? " + element(operand(0), at) +
           " : 0;");
    } else if (n.op == "slice") {  // from the front
      line(element(out, i) + " = " + element(operand(0), i) + ";");
    } else if (n.op == "cat") {  // along the first dim
      std::vector<std::string> at = i;
      at[0] = "i0 - " + dim(operand(0), 0);
      line(element(out, i) + " = i0 < " + dim(operand(0), 0) + " ? " + element(operand(0), i) + " : " +
           element(operand(1), at) + ";");
    } else {
      throw std::runtime_error("this front end has no loops for operator " + n.op);
    }
    close(rank(out));
  }

  Context& ctx_;
  const ShapeProgram& program_;
  std::string out_;
  std::size_t depth_ = 0, attributes_ = 0;
  std::vector<ValueId> owned_;
};

}  // namespace

std::string emit(Context& ctx, const ShapeProgram& program, const std::vector<Expr>& symbols) {
  return Emitter(ctx, program).run(symbols);
}

std::vector<std::string> parameters_of(const ShapeProgram& program) {
  std::vector<std::string> names;
  for (const ProgramNode& n : program.nodes())
    if (n.op == "parameter") names.push_back(n.name);
  return names;
}

}  // namespace frontend
