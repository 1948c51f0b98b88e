#include "expr/names.hpp"
#include "guard/kind_parts.hpp"

namespace dimgate::guards {

using namespace parts;

Guard length(Context& ctx, std::string_view x, std::int64_t n) {
  return made(is(ctx, "len(" + std::string(x) + ")", n), GuardKind::length,
              "length of " + display(x) + " is " + std::to_string(n));
}

Guard length_at_least(Context& ctx, std::string_view x, std::int64_t n) {
  return made(ctx.make(Op::Ge, {number(ctx, "len(" + std::string(x) + ")"), ctx.integer(n)}), GuardKind::length,
              "length of " + display(x) + " is at least " + std::to_string(n));
}

namespace {
std::string has(std::string_view o, std::string_view attribute) {
  return "hasattr(" + std::string(o) + ", " + detail::quoted(attribute) + ")";
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

}  // namespace dimgate::guards
