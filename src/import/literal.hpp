// Small questions about Python texts in guards: which literal, a source or not. O(length), no allocation.
// Tested by tests/import/cause_test.cpp.
#pragma once

#include <string_view>

namespace dimgate::logs {

enum class Literal { boolean, integer, real, text, none, other };
Literal literal_kind(std::string_view text);

/// `np.int64(3)` -> `3`: what a NumPy scalar prints itself as; anything else as it is.
std::string_view plain_scalar(std::string_view text);
/// `L['self'].step`, `fn.__defaults__[0]`, `x`, `cfg['a b'][0].y`: names, attributes and subscripts, and what a front
/// end reaches objects by: `___from_numpy(L['n'])`, `type(x).cache`, `d[list(dict.keys(d))[0]]`.
bool is_source(std::string_view text);
/// A comparison (`0 <= i <= 3`, `Ne(i, 3)`, `(i % 2) == 0`) over names and integers only.
bool is_int_relation(std::string_view guard);
/// The first name (with its attributes and subscripts) of a formula; empty: none.
std::string_view first_source(std::string_view guard);
/// The tensor before the first `.size()[i]`, `.stride()[i]`, `.storage_offset()`, ...; index gets i.
std::string_view first_shape_source(std::string_view guard, int& index);

}  // namespace dimgate::logs
