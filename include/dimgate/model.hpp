// Model: a shape program that `trace` and `compare` can run, and the registry that finds one by name.
//
// A model names its dims (`B`, `L`; `B`, `C`, `H`, `W`) and traces itself on any SymInts in their place: symbols with
// hints, constants, or one symbol for several dims. It uses the public headers only (docs/examples/models).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dimgate/result.hpp"
#include "dimgate/trace.hpp"

namespace dimgate {

/// A free dim of a model's input.
struct ModelDim {
  std::string name;     // the symbol: "L"
  std::string source;   // where the front end reads it: "x.size()[1]"
  std::string meaning;  // "prompt length"
  /// Default bindings, best first: formulas over trace columns ("ContextTokens", "height//32*32", "1"). The first
  /// whose columns all exist is used.
  std::vector<std::string> bindings;
  /// The same for traces joined by --batch ("max(ContextTokens)", "count()"); empty: as `bindings`.
  std::vector<std::string> batched_bindings = {};
  /// A value to trace with where no call is at hand.
  std::int64_t example = 2;
};

class Model {
 public:
  virtual ~Model() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;
  /// One line for people.
  [[nodiscard]] virtual std::string_view summary() const = 0;
  [[nodiscard]] virtual std::span<const ModelDim> dims() const = 0;
  /// Calls that between them take the model's branches, one value a dim; by default the dims' examples.
  [[nodiscard]] virtual std::vector<std::vector<std::int64_t>> examples() const;
  /// Facts over the dims that callers keep (the frame's precondition), as text. None by default.
  [[nodiscard]] virtual std::vector<std::string> facts() const { return {}; }
  /// Appends the program for `dims` (one SymInt each, in the order of `dims()`) and its outputs. Throws ShapeError
  /// where eager would fail.
  virtual void trace(Tracer& tracer, std::span<const SymInt> dims) const = 0;
};

/// Models by name. Not global: whoever needs one makes it and fills it.
class ModelRegistry {
 public:
  /// A second model of the same name replaces the first.
  void add(std::unique_ptr<Model> model);
  [[nodiscard]] const Model* find(std::string_view name) const;
  /// In order of name.
  [[nodiscard]] std::vector<const Model*> all() const;
  /// The model, or an error that lists the known names and the nearest one.
  [[nodiscard]] Result<const Model*> require(std::string_view name) const;

 private:
  std::vector<std::unique_ptr<Model>> models_;  // sorted by name
};

}  // namespace dimgate
