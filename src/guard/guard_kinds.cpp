#include "dimgate/guard_kinds.hpp"

#include <bit>

#include "expr/names.hpp"
#include "guard/pieces.hpp"

namespace dimgate::guards {

using namespace detail;

namespace {

Guard made(Expr formula, GuardKind kind, std::string says, double cost = 1) {
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
Expr text(Context& ctx, std::string_view s) { return ctx.enumeration(enum_name_of_string(s)); }
Expr is(Context& ctx, const std::string& slot, std::int64_t v) {
  return ctx.make(Op::Eq, {number(ctx, slot), ctx.integer(v)});
}
/// `slot` or `not slot`.
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

Guard sized(Context& ctx, std::string_view x, std::string_view what, std::string_view says, GuardKind kind,
            std::span<const std::optional<std::int64_t>> values) {
  std::vector<Expr> parts;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i]) parts.push_back(is(ctx, at(x, what, i), *values[i]));
  return made(all(ctx, parts), kind, std::string(says) + " of " + display(x) + " is " + tuple_text(values),
              static_cast<double>(parts.size()));
}

std::string joined(Names names) {
  std::string out;
  for (const std::string& n : names) out += (out.empty() ? "" : ", ") + display(n);
  return out;
}

Guard distinct_names(Context& ctx, Names paths, std::string_view function, std::string_view says) {
  std::vector<Expr> parts;
  for (const std::string& p : paths) parts.push_back(name(ctx, std::string(function) + "(" + p + ")"));
  return made(parts.empty() ? ctx.boolean(true) : ctx.make(Op::Distinct, parts), GuardKind::aliasing,
              joined(paths) + std::string(says), static_cast<double>(parts.size()));
}

Expr in(Context& ctx, Expr subject, std::vector<Expr> values) {
  values.insert(values.begin(), subject);
  return ctx.make(Op::In, values);
}

}  // namespace

std::string display(std::string_view path) {
  const bool local = path.starts_with("L['") || path.starts_with("L[\"");
  const std::size_t end = local ? path.find(path[2], 3) : std::string_view::npos;
  if (end == std::string_view::npos || end + 1 >= path.size() || path[end + 1] != ']') return std::string(path);
  return std::string(path.substr(3, end - 3)) + std::string(path.substr(end + 2));
}

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
  return made(named(ctx, std::string(x), text(ctx, v)), GuardKind::value, display(x) + " is " + quoted(v));
}

Guard same_float(Context& ctx, std::string_view x, double v) {
  return made(ctx.make(Op::SameBits, {ctx.symbol(x, Sort::Float), ctx.floating(v)}), GuardKind::value,
              display(x) + " is " + float_spelling(std::bit_cast<std::uint64_t>(v)) + ", bit for bit");
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
    list += (list.empty() ? "" : ", ") + quoted(v);
  }
  return made(in(ctx, name(ctx, std::string(x)), parts), GuardKind::membership,
              display(x) + " is one of {" + list + "}", static_cast<double>(values.size()));
}

Guard length(Context& ctx, std::string_view x, std::int64_t n) {
  return made(is(ctx, "len(" + std::string(x) + ")", n), GuardKind::length,
              "length of " + display(x) + " is " + std::to_string(n));
}

Guard length_at_least(Context& ctx, std::string_view x, std::int64_t n) {
  return made(ctx.make(Op::Ge, {number(ctx, "len(" + std::string(x) + ")"), ctx.integer(n)}), GuardKind::length,
              "length of " + display(x) + " is at least " + std::to_string(n));
}

namespace {
std::string contains(std::string_view d, std::string_view key) {
  return "___dict_contains(" + std::string(key) + ", " + std::string(d) + ")";
}
std::string has(std::string_view o, std::string_view attribute) {
  return "hasattr(" + std::string(o) + ", " + quoted(attribute) + ")";
}
}  // namespace

Guard has_key(Context& ctx, std::string_view d, std::string_view key) {
  return made(flag_is(ctx, contains(d, key), true), GuardKind::keys, display(d) + " has the key " + std::string(key),
              2);
}

Guard lacks_key(Context& ctx, std::string_view d, std::string_view key) {
  return made(flag_is(ctx, contains(d, key), false), GuardKind::keys, display(d) + " has no key " + std::string(key),
              2);
}

Guard key_order(Context& ctx, std::string_view d, Names keys) {
  std::string list = "[";
  for (const std::string& k : keys) list += (list.size() > 1 ? ", " : "") + k;
  list += "]";
  return made(named(ctx, "list(" + std::string(d) + ".keys())", ctx.enumeration(list)), GuardKind::key_order,
              "keys of " + display(d) + " are " + list + " in this order", 8);
}

Guard version(Context& ctx, std::string_view d, std::int64_t n) {
  return made(is(ctx, "___dict_version(" + std::string(d) + ")", n), GuardKind::version,
              display(d) + " has not changed since version " + std::to_string(n));
}

Guard has_attribute(Context& ctx, std::string_view o, std::string_view attribute) {
  return made(flag_is(ctx, has(o, attribute), true), GuardKind::attribute,
              display(o) + " has the attribute " + std::string(attribute), 2);
}

Guard lacks_attribute(Context& ctx, std::string_view o, std::string_view attribute) {
  return made(flag_is(ctx, has(o, attribute), false), GuardKind::attribute,
              display(o) + " has no attribute " + std::string(attribute), 2);
}

Guard code(Context& ctx, std::string_view identity) {
  return made(named(ctx, "frame.code", text(ctx, identity)), GuardKind::code, "the code is " + std::string(identity),
              0.5);
}

Guard caller(Context& ctx, std::string_view context) {
  return made(named(ctx, "frame.caller", text(ctx, context)), GuardKind::caller, "called from " + std::string(context),
              0.5);
}

Guard flag(Context& ctx, std::string_view slot, bool v) {
  return made(flag_is(ctx, std::string(slot), v), kind_of_global(slot), std::string(slot) + " is " + (v ? "on" : "off"),
              0.5);
}

Guard setting(Context& ctx, std::string_view slot, std::string_view v) {
  return made(named(ctx, std::string(slot), text(ctx, v)), kind_of_global(slot),
              std::string(slot) + " is " + std::string(v), 0.5);
}

Guard threads(Context& ctx, std::int64_t n) {
  return made(is(ctx, "num_threads", n), GuardKind::threads, "there are " + std::to_string(n) + " threads", 0.5);
}

Guard function_modes(Context& ctx, Names modes) {
  std::string list = "[";
  for (const std::string& m : modes) list += (list.size() > 1 ? ", " : "") + quoted(m);
  list += "]";
  return made(named(ctx, "function_modes", ctx.enumeration(list)), GuardKind::function_modes,
              "the stack of function modes is " + list, 0.5);
}

Guard environment(Context& ctx, std::string_view variable, std::string_view v) {
  const Expr there = flag_is(ctx, contains("environ", quoted(variable)), true);
  const Expr equal = named(ctx, "environ[" + quoted(variable) + "]", text(ctx, v));
  return made(ctx.make(Op::And, {there, equal}), GuardKind::environment,
              "environment variable " + std::string(variable) + " is " + quoted(v), 40);
}

Guard environment_unset(Context& ctx, std::string_view variable) {
  return made(flag_is(ctx, contains("environ", quoted(variable)), false), GuardKind::environment,
              "environment variable " + std::string(variable) + " is not set", 20);
}

}  // namespace dimgate::guards
