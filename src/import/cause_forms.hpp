// The forms a failed guard is written in, by what it looks at. Each takes a guard without its comment and blanks around
// it; nullopt: not such a form. The texts are those of torch/csrc/dynamo/guards.cpp and torch/_dynamo/guards.py, 2.0 to
// 2.13. No quoting rules hold in them: `tensor 'kwargs['x']' ...` nests. Names of the user's may hold any word, so a
// word counts only where no formula over a name can stand. O(length). Tested by tests/import/cause_test.cpp.
#pragma once

#include <optional>
#include <string_view>

#include "dimgate/logs.hpp"

namespace dimgate::logs {

Cause made(CauseKind kind, std::string_view source = {});
/// What stands after `from` and before the next `to`; empty: not both there.
std::string_view between(std::string_view text, std::string_view from, std::string_view to);

/// `tensor 'x' size mismatch at index 0. expected 4, actual 5`, aliasing, tensors of another Python type.
std::optional<Cause> tensor_form(std::string_view guard);
/// Grad mode, default dtype and device, hooks, function modes, backends.
std::optional<Cause> state_form(std::string_view guard);
/// Types, identities, keys, lengths, attributes: `___check_type_id(x, 88)`, `len(xs) == 3`.
std::optional<Cause> object_form(std::string_view guard);
/// Formulas over sizes and ints: `x.size()[0] % 8 == 0`, `2 <= n`.
std::optional<Cause> shape_form(std::string_view guard);
std::optional<Cause> int_form(std::string_view guard);
/// `x == 3`, `x is None`, `isnan(x)`.
std::optional<Cause> value_form(std::string_view guard);
/// What is said in words: dead objects, keys and attributes that are not there, guards that broke.
std::optional<Cause> said_form(std::string_view guard);

}  // namespace dimgate::logs
