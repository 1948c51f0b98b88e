// Guards: formulas with a reason to exist. A guard set is their conjunction.
#pragma once

#include <cstdint>
#include <source_location>
#include <span>
#include <string>
#include <vector>

#include "dimgate/expr.hpp"

namespace dimgate {

/// What a guard looks at. The article's four families are `family(kind)`.
enum class GuardKind : std::uint8_t {
  // tensor
  shape,
  rank,
  stride,
  contiguity,
  storage_offset,
  dtype,
  device,
  requires_grad,
  layout,
  storage,
  aliasing,  // which tensors share storage or are one object
  overlap,
  data,  // a declared value derived from elements: read last
  // frame
  code,
  caller,
  closure,
  type,
  identity,
  attribute,
  module_global,
  value,
  // global state
  grad_mode,
  inference_mode,
  autocast,
  deterministic,
  default_dtype,
  default_device,
  threads,
  precision,       // tf32 and reduced-precision reductions
  function_modes,  // the stack of function modes
  environment,
  flag,
  // container
  length,
  keys,
  key_order,
  membership,
  version,
};
enum class GuardFamily : std::uint8_t { frame, tensor, global, container };
std::string_view to_string(GuardKind kind) noexcept;
GuardFamily family(GuardKind kind) noexcept;

/// A place in the program being compiled: C++ (std::source_location) or the front end's own.
struct Location {
  std::string file;
  unsigned line = 0;
  std::string function;
  static Location here(std::source_location at = std::source_location::current()) {
    return {at.file_name(), at.line(), at.function_name()};
  }
  [[nodiscard]] std::string to_string() const;  // "file:line in function"; empty if unknown
};

struct Guard {
  Expr formula;  // raw: as it was decided
  GuardKind kind = GuardKind::shape;
  Location where;
  std::string reason;           // "branch taken", "cat: sizes must agree", "value of a loop bound", ...
  double cost = 1.0;            // relative: reading the slots and evaluating
  bool runtime_assert = false;  // must run before any result is published; not part of the lookup
};

/// A conjunction of guards, in the order they were recorded.
class GuardSet {
 public:
  void add(Guard g) { guards_.push_back(std::move(g)); }
  [[nodiscard]] std::span<const Guard> all() const noexcept { return guards_; }
  [[nodiscard]] std::size_t size() const noexcept { return guards_.size(); }
  [[nodiscard]] bool empty() const noexcept { return guards_.empty(); }
  [[nodiscard]] const Guard& operator[](std::size_t i) const { return guards_[i]; }
  Guard& operator[](std::size_t i) { return guards_[i]; }
  void clear() { guards_.clear(); }
  /// The conjunction of the lookup guards (run-time asserts left out); `True` if there are none.
  [[nodiscard]] Expr formula(Context& ctx) const;

 private:
  std::vector<Guard> guards_;
};

/// The GuardKind that a formula's symbols suggest (`….stride()[i]` -> stride, ...).
GuardKind kind_of(const Context& ctx, Expr formula);
/// Estimated cost of evaluating: nodes, divisions weighed, slots to read.
double estimated_cost(Context& ctx, Expr formula);

}  // namespace dimgate
