#include "guard/kind_parts.hpp"

namespace dimgate::guards {

using namespace parts;

namespace {
Guard distinct_names(Context& ctx, Names paths, std::string_view function, std::string_view says) {
  std::vector<Expr> parts;
  for (const std::string& p : paths) parts.push_back(name(ctx, std::string(function) + "(" + p + ")"));
  return made(parts.empty() ? ctx.boolean(true) : ctx.make(Op::Distinct, parts), GuardKind::aliasing,
              joined(paths) + std::string(says), static_cast<double>(parts.size()));
}
}  // namespace

Guard no_aliasing(Context& ctx, Names tensors) { return distinct_names(ctx, tensors, "storage", " share no storage"); }

Guard same_storage(Context& ctx, std::string_view x, std::string_view y) {
  return made(
      ctx.make(Op::Eq, {name(ctx, "storage(" + std::string(x) + ")"), name(ctx, "storage(" + std::string(y) + ")")}),
      GuardKind::aliasing, display(x) + " and " + display(y) + " share storage", 2);
}

Guard distinct_objects(Context& ctx, Names objects) {
  return distinct_names(ctx, objects, "id", " are different objects");
}

Guard same_object(Context& ctx, std::string_view x, std::string_view y) {
  return made(ctx.make(Op::Eq, {name(ctx, "id(" + std::string(x) + ")"), name(ctx, "id(" + std::string(y) + ")")}),
              GuardKind::aliasing, display(x) + " is " + display(y), 2);
}

namespace {
std::string overlap_slot(std::string_view x, std::string_view y) {
  return "___overlap(" + std::string(x) + ", " + std::string(y) + ")";
}
}  // namespace

Guard no_overlap(Context& ctx, std::string_view x, std::string_view y) {
  return made(flag_is(ctx, overlap_slot(x, y), false), GuardKind::overlap,
              display(x) + " and " + display(y) + " do not overlap", 50);
}

Guard overlapping(Context& ctx, std::string_view x, std::string_view y) {
  return made(flag_is(ctx, overlap_slot(x, y), true), GuardKind::overlap,
              display(x) + " and " + display(y) + " overlap", 50);
}

Guard ranges_apart(Context& ctx, std::string_view x, std::int64_t rx, std::string_view y, std::int64_t ry) {
  // end = offset + sum of (size - 1) * stride, the last element; non-negative strides are part of the claim.
  std::vector<Expr> parts;
  const auto span = [&](std::string_view t, std::int64_t r) {
    const Expr first = number(ctx, std::string(t) + ".storage_offset()");
    std::vector<Expr> sum{first};
    for (std::size_t i = 0; i < static_cast<std::size_t>(r > 0 ? r : 0); ++i) {
      const Expr step = number(ctx, at(t, "stride", i));
      parts.push_back(ctx.make(Op::Ge, {step, ctx.integer(0)}));
      sum.push_back(ctx.make(Op::Mul, {ctx.make(Op::Sub, {number(ctx, at(t, "size", i)), ctx.integer(1)}), step}));
    }
    return std::pair(first, sum.size() == 1 ? first : ctx.make(Op::Add, sum));
  };
  const auto [x_first, x_last] = span(x, rx);
  const auto [y_first, y_last] = span(y, ry);
  parts.push_back(ctx.make(Op::Or, {ctx.make(Op::Lt, {x_last, y_first}), ctx.make(Op::Lt, {y_last, x_first})}));
  return made(all(ctx, parts), GuardKind::overlap, "the ranges of " + display(x) + " and " + display(y) + " are apart",
              3.0 * static_cast<double>(rx + ry));
}

}  // namespace dimgate::guards
