// The record of what a front end traced: operators with their attributes, operands and result shapes.
//
// Terms are canonical *without* facts: what the path decided never rewrites a recorded term, so that two traces that
// ran the same operators on the same terms record the same program whatever they branched on. The fingerprint is the
// whole byte string of that record (program, baked constants, outputs, slot binding), with symbols and inputs renamed
// by first use; equal bytes mean the same artifact, a hash only finds candidates. Tested by tests/trace.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dimgate/guard.hpp"
#include "dimgate/sym.hpp"

namespace dimgate {

/// A result (or input) of the program: its index in `ShapeProgram::values`.
using ValueId = std::uint32_t;

/// An operator's attribute: a name and numbers, terms or a word (`pads` 0, (-W) % 32; `mode` "nearest").
struct Attribute {
  std::string name;
  std::vector<SymInt> numbers;
  std::string text = {};
};

struct ProgramValue {
  std::vector<Expr> dims;  // canonical; an Int scalar has its value as `scalar` and no dims
  Expr scalar = {};        // null for tensors
  std::string dtype;       // "float32", "int64"
  std::uint32_t node = 0;  // the node that made it
};

struct ProgramNode {
  std::string op;  // "input", "conv2d", "cat", "assert", …
  std::vector<Attribute> attributes;
  std::vector<ValueId> operands;
  std::vector<ValueId> results;
  std::string name = {};  // of an input or parameter
  Location where = {};
};

/// Bytes that identify the artifact, and how its slots are named here.
struct Fingerprint {
  std::string bytes;
  /// The symbols in the order of their first use: what the artifact's k-th slot is in this frame.
  std::vector<Expr> symbols;
};

class ShapeProgram {
 public:
  [[nodiscard]] std::span<const ProgramNode> nodes() const noexcept { return nodes_; }
  [[nodiscard]] std::span<const ProgramValue> values() const noexcept { return values_; }
  [[nodiscard]] const ProgramValue& value(ValueId id) const { return values_[id]; }
  [[nodiscard]] std::span<const ValueId> outputs() const noexcept { return outputs_; }
  /// Constants that the front end baked into the artifact beside the operators.
  [[nodiscard]] std::span<const Attribute> baked() const noexcept { return baked_; }

  /// Appends a node; its results are new values.
  ValueId add_value(ProgramValue v);
  void add_node(ProgramNode n) { nodes_.push_back(std::move(n)); }
  void add_output(ValueId v) { outputs_.push_back(v); }
  void bake(Attribute a) { baked_.push_back(std::move(a)); }

  /// Linear in the program's distinct terms. Depends on no name of a symbol or input and on no location.
  [[nodiscard]] Fingerprint fingerprint(Context& ctx) const;
  /// One line an operator, for people.
  [[nodiscard]] std::string to_text(Context& ctx) const;

 private:
  std::vector<ProgramNode> nodes_;
  std::vector<ProgramValue> values_;
  std::vector<ValueId> outputs_;
  std::vector<Attribute> baked_;
};

}  // namespace dimgate
