#include <bit>

#include "expr/names.hpp"
#include "guard/kind_parts.hpp"

namespace dimgate::guards {

using namespace parts;

Guard type(Context& ctx, std::string_view x, std::string_view n) {
  return made(named(ctx, "type(" + std::string(x) + ")", text(ctx, n)), GuardKind::type,
              "type of " + display(x) + " is " + std::string(n), 0.5);
}

Guard identity(Context& ctx, std::string_view x, std::string_view n) {
  return made(named(ctx, "id(" + std::string(x) + ")", text(ctx, n)), GuardKind::identity,
              display(x) + " is " + std::string(n), 0.5);
}

Guard is_none(Context& ctx, std::string_view x) {
  Guard g = type(ctx, x, "NoneType");
  g.reason = display(x) + " is None";
  return g;
}

Guard is_not_none(Context& ctx, std::string_view x) {
  return made(ctx.make(Op::Ne, {name(ctx, "type(" + std::string(x) + ")"), text(ctx, "NoneType")}), GuardKind::type,
              display(x) + " is not None", 0.5);
}

Guard equals(Context& ctx, std::string_view x, std::int64_t v) {
  return made(is(ctx, std::string(x), v), GuardKind::value, display(x) + " is " + std::to_string(v));
}

Guard equals(Context& ctx, std::string_view x, bool v) {
  return made(flag_is(ctx, std::string(x), v), GuardKind::value, display(x) + " is " + (v ? "True" : "False"));
}

Guard equals_text(Context& ctx, std::string_view x, std::string_view v) {
  return made(named(ctx, std::string(x), text(ctx, v)), GuardKind::value, display(x) + " is " + detail::quoted(v));
}

Guard same_float(Context& ctx, std::string_view x, double v) {
  return made(ctx.make(Op::SameBits, {ctx.symbol(x, Sort::Float), ctx.floating(v)}), GuardKind::value,
              display(x) + " is " + detail::float_spelling(std::bit_cast<std::uint64_t>(v)) + ", bit for bit");
}

Guard is_nan(Context& ctx, std::string_view x, bool v) {
  const Expr p = ctx.make(Op::IsNan, {ctx.symbol(x, Sort::Float)});
  return made(v ? p : ctx.make(Op::Not, {p}), GuardKind::value, display(x) + (v ? " is" : " is not") + " a NaN");
}

Guard one_of(Context& ctx, std::string_view x, std::span<const std::int64_t> values) {
  std::vector<Expr> parts;
  std::string list;
  for (const std::int64_t v : values) {
    parts.push_back(ctx.integer(v));
    list += (list.empty() ? "" : ", ") + std::to_string(v);
  }
  return made(in(ctx, number(ctx, std::string(x)), parts), GuardKind::membership,
              display(x) + " is one of {" + list + "}", static_cast<double>(values.size()));
}

Guard one_of(Context& ctx, std::string_view x, Names values) {
  std::vector<Expr> parts;
  std::string list;
  for (const std::string& v : values) {
    parts.push_back(text(ctx, v));
    list += (list.empty() ? "" : ", ") + detail::quoted(v);
  }
  return made(in(ctx, name(ctx, std::string(x)), parts), GuardKind::membership,
              display(x) + " is one of {" + list + "}", static_cast<double>(values.size()));
}

}  // namespace dimgate::guards
