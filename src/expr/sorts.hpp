// Sort inference: a symbol's sort comes from its uses.
//
// Nodes that must have the same sort (the sides of `==`, the branches of a choice, all uses of a symbol) form
// classes (union-find, near-linear). A class with two sorts is an error that names both places; a class with none is
// Int, or Enum if it was compared with `is`. Tests: tests/expr/sorts_test.cpp.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dimgate/expr.hpp"
#include "expr/lexer.hpp"
#include "expr/syntax.hpp"

namespace dimgate::detail {

/// A fault at a place in one of the texts; `{}` in the message stands for the place `other`, if there is one.
struct SortFault {
  std::uint32_t text = 0;
  std::uint32_t at = 0;
  std::string message;
  bool has_other = false;
  std::uint32_t other_text = 0;
  std::uint32_t other_at = 0;
};

/// The sort of each symbol of `syntax`. `declared[i]` is the sort symbol i already has in the Context;
/// `wanted[t]` the sort that the formulas of text t must have.
bool infer_sorts(const Syntax& syntax, std::span<const std::string_view> texts,
                 std::span<const std::optional<Sort>> declared, std::span<const std::optional<Sort>> wanted,
                 std::vector<Sort>& sorts, SortFault& fault);

}  // namespace dimgate::detail
