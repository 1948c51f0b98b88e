#include "guard/kind_parts.hpp"

namespace dimgate::guards {

using namespace parts;

namespace {
Guard sized(Context& ctx, std::string_view x, std::string_view what, std::string_view says, GuardKind kind,
            std::span<const std::optional<std::int64_t>> values) {
  std::vector<Expr> parts;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i]) parts.push_back(is(ctx, at(x, what, i), *values[i]));
  return made(all(ctx, parts), kind, std::string(says) + " of " + display(x) + " is " + tuple_text(values),
              static_cast<double>(parts.size()));
}
}  // namespace

Guard shape(Context& ctx, std::string_view x, std::span<const std::optional<std::int64_t>> sizes) {
  return sized(ctx, x, "size", "shape", GuardKind::shape, sizes);
}

Guard shape_in(Context& ctx, std::string_view x, std::span<const std::vector<std::int64_t>> shapes) {
  std::vector<Expr> cases;
  std::string list;
  double cost = 0;
  for (const std::vector<std::int64_t>& s : shapes) {
    std::vector<Expr> parts{is(ctx, std::string(x) + ".dim()", static_cast<std::int64_t>(s.size()))};
    for (std::size_t i = 0; i < s.size(); ++i) parts.push_back(is(ctx, at(x, "size", i), s[i]));
    cost += static_cast<double>(parts.size());
    cases.push_back(all(ctx, parts));
    const std::vector<std::optional<std::int64_t>> sizes(s.begin(), s.end());
    list += (list.empty() ? "" : ", ") + tuple_text(sizes);
  }
  return made(cases.size() == 1 ? cases.front() : ctx.make(Op::Or, cases), GuardKind::shape,
              "shape of " + display(x) + " is one of " + list, cost);
}

Guard rank(Context& ctx, std::string_view x, std::int64_t r) {
  return made(is(ctx, std::string(x) + ".dim()", r), GuardKind::rank,
              "rank of " + display(x) + " is " + std::to_string(r));
}

Guard stride(Context& ctx, std::string_view x, std::span<const std::optional<std::int64_t>> strides) {
  return sized(ctx, x, "stride", "strides", GuardKind::stride, strides);
}

Guard contiguous(Context& ctx, std::string_view x, std::int64_t r) {
  const auto n = static_cast<std::size_t>(r > 0 ? r : 0);
  std::vector<Expr> compact, empty;
  std::vector<Expr> after;  // sizes behind dimension i
  for (std::size_t i = n; i-- > 0;) {
    const Expr size = number(ctx, at(x, "size", i));
    const Expr expected = after.empty() ? ctx.integer(1) : after.size() == 1 ? after.front() : ctx.make(Op::Mul, after);
    compact.push_back(ctx.make(Op::Or, {ctx.make(Op::Eq, {size, ctx.integer(1)}),
                                        ctx.make(Op::Eq, {number(ctx, at(x, "stride", i)), expected})}));
    empty.push_back(ctx.make(Op::Eq, {size, ctx.integer(0)}));
    after.push_back(size);
  }
  const Expr rank = is(ctx, std::string(x) + ".dim()", r);
  if (n == 0) return made(rank, GuardKind::contiguity, display(x) + " is contiguous");
  empty.push_back(all(ctx, compact));
  return made(ctx.make(Op::And, {rank, ctx.make(Op::Or, empty)}), GuardKind::contiguity, display(x) + " is contiguous",
              3.0 * static_cast<double>(n));
}

Guard storage_offset(Context& ctx, std::string_view x, std::int64_t offset) {
  return made(is(ctx, std::string(x) + ".storage_offset()", offset), GuardKind::storage_offset,
              "storage offset of " + display(x) + " is " + std::to_string(offset));
}

Guard aligned(Context& ctx, std::string_view x, std::int64_t elements) {
  const Expr rest = ctx.make(Op::Mod, {number(ctx, std::string(x) + ".storage_offset()"), ctx.integer(elements)});
  return made(ctx.make(Op::Eq, {rest, ctx.integer(0)}), GuardKind::storage_offset,
              "storage offset of " + display(x) + " is a multiple of " + std::to_string(elements), 6);
}

Guard dtype(Context& ctx, std::string_view x, std::string_view n) {
  return made(named(ctx, std::string(x) + ".dtype", text(ctx, n)), GuardKind::dtype,
              "dtype of " + display(x) + " is " + std::string(n));
}

Guard dtype_in(Context& ctx, std::string_view x, Names names) {
  std::vector<Expr> values;
  std::string list;
  for (const std::string& n : names) values.push_back(text(ctx, n)), list += (list.empty() ? "" : ", ") + n;
  return made(in(ctx, name(ctx, std::string(x) + ".dtype"), values), GuardKind::dtype,
              "dtype of " + display(x) + " is one of " + list, static_cast<double>(names.size()));
}

Guard device(Context& ctx, std::string_view x, std::string_view n) {
  return made(named(ctx, std::string(x) + ".device", text(ctx, n)), GuardKind::device,
              display(x) + " is on " + std::string(n));
}

Guard device_type(Context& ctx, std::string_view x, std::string_view n) {
  return made(named(ctx, std::string(x) + ".device.type", text(ctx, n)), GuardKind::device,
              display(x) + " is on a " + std::string(n) + " device");
}

Guard requires_grad(Context& ctx, std::string_view x, bool v) {
  return made(flag_is(ctx, std::string(x) + ".requires_grad", v), GuardKind::requires_grad,
              display(x) + (v ? " requires" : " does not require") + " grad");
}

Guard layout(Context& ctx, std::string_view x, std::string_view n) {
  return made(named(ctx, std::string(x) + ".layout", text(ctx, n)), GuardKind::layout,
              "layout of " + display(x) + " is " + std::string(n));
}

Guard storage(Context& ctx, std::string_view x, std::string_view identity) {
  return made(named(ctx, "storage(" + std::string(x) + ")", text(ctx, identity)), GuardKind::storage,
              display(x) + " lies in " + std::string(identity));
}

Guard storage_bytes_at_least(Context& ctx, std::string_view x, std::int64_t bytes) {
  const Expr extent = number(ctx, std::string(x) + ".untyped_storage().nbytes()");
  return made(ctx.make(Op::Ge, {extent, ctx.integer(bytes)}), GuardKind::storage,
              "storage of " + display(x) + " has at least " + std::to_string(bytes) + " bytes");
}

namespace {
Guard data(Context& ctx, Op op, std::string_view x, std::string_view what, std::int64_t k, std::string_view says) {
  const std::string slot = std::string(x) + "." + std::string(what) + "()";
  return made(ctx.make(op, {number(ctx, slot), ctx.integer(k)}), GuardKind::data,
              display(slot) + std::string(says) + std::to_string(k), 1000);
}
}  // namespace

Guard data_at_most(Context& ctx, std::string_view x, std::string_view what, std::int64_t k) {
  return data(ctx, Op::Le, x, what, k, " is at most ");
}
Guard data_equals(Context& ctx, std::string_view x, std::string_view what, std::int64_t k) {
  return data(ctx, Op::Eq, x, what, k, " is ");
}

}  // namespace dimgate::guards
