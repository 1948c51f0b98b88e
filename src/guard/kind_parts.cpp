#include "guard/kind_parts.hpp"

#include "expr/names.hpp"

namespace dimgate::guards {

std::string display(std::string_view path) {
  const bool local = path.starts_with("L['") || path.starts_with("L[\"");
  const std::size_t end = local ? path.find(path[2], 3) : std::string_view::npos;
  if (end == std::string_view::npos || end + 1 >= path.size() || path[end + 1] != ']') return std::string(path);
  return std::string(path.substr(3, end - 3)) + std::string(path.substr(end + 2));
}

namespace parts {

Guard made(Expr formula, GuardKind kind, std::string says, double cost) {
  Guard g;
  g.formula = formula;
  g.kind = kind;
  g.reason = std::move(says);
  g.cost = cost;
  return g;
}

Expr number(Context& ctx, const std::string& slot) { return ctx.symbol(slot, Sort::Int); }
Expr name(Context& ctx, const std::string& slot) { return ctx.symbol(slot, Sort::Enum); }
Expr truth(Context& ctx, const std::string& slot) { return ctx.symbol(slot, Sort::Bool); }
Expr text(Context& ctx, std::string_view s) { return ctx.enumeration(detail::enum_name_of_string(s)); }
Expr is(Context& ctx, const std::string& slot, std::int64_t v) {
  return ctx.make(Op::Eq, {number(ctx, slot), ctx.integer(v)});
}
Expr flag_is(Context& ctx, const std::string& slot, bool v) {
  const Expr s = truth(ctx, slot);
  return v ? s : ctx.make(Op::Not, {s});
}
Expr named(Context& ctx, const std::string& slot, Expr constant) {
  return ctx.make(Op::Eq, {name(ctx, slot), constant});
}
Expr all(Context& ctx, const std::vector<Expr>& parts) {
  return parts.size() == 1 ? parts.front() : ctx.make(Op::And, parts);
}
std::string at(std::string_view x, std::string_view what, std::size_t i) {
  return std::string(x) + "." + std::string(what) + "()[" + std::to_string(i) + "]";
}

std::string joined(Names names) {
  std::string out;
  for (const std::string& n : names) out += (out.empty() ? "" : ", ") + display(n);
  return out;
}

Expr in(Context& ctx, Expr subject, std::vector<Expr> values) {
  values.insert(values.begin(), subject);
  return ctx.make(Op::In, values);
}

std::string contains(std::string_view d, std::string_view key) {
  return "___dict_contains(" + std::string(key) + ", " + std::string(d) + ")";
}

}  // namespace parts

}  // namespace dimgate::guards
