// Parts that guards of all families are put together from: typed symbols, the usual comparisons, the words a person
// reads. Private to src/guard.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dimgate/guard_kinds.hpp"
#include "guard/pieces.hpp"

namespace dimgate::guards::parts {

using detail::tuple_text;

Guard made(Expr formula, GuardKind kind, std::string says, double cost = 1);

Expr number(Context& ctx, const std::string& slot);
Expr name(Context& ctx, const std::string& slot);
Expr truth(Context& ctx, const std::string& slot);
Expr text(Context& ctx, std::string_view s);
Expr is(Context& ctx, const std::string& slot, std::int64_t v);
/// `slot` or `not slot`.
Expr flag_is(Context& ctx, const std::string& slot, bool v);
Expr named(Context& ctx, const std::string& slot, Expr constant);
Expr all(Context& ctx, const std::vector<Expr>& parts);
Expr in(Context& ctx, Expr subject, std::vector<Expr> values);

/// x.what()[i]
std::string at(std::string_view x, std::string_view what, std::size_t i);
std::string joined(Names names);
/// The slot that says whether the dictionary `d` has the key, written as Python writes it.
std::string contains(std::string_view d, std::string_view key);

}  // namespace dimgate::guards::parts
