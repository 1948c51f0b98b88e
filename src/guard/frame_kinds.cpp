#include "expr/names.hpp"
#include "guard/kind_parts.hpp"

namespace dimgate::guards {

using namespace parts;

Guard code(Context& ctx, std::string_view identity) {
  return made(named(ctx, "frame.code", text(ctx, identity)), GuardKind::code, "the code is " + std::string(identity),
              0.5);
}

Guard caller(Context& ctx, std::string_view context) {
  return made(named(ctx, "frame.caller", text(ctx, context)), GuardKind::caller, "called from " + std::string(context),
              0.5);
}

Guard flag(Context& ctx, std::string_view slot, bool v) {
  return made(flag_is(ctx, std::string(slot), v), detail::kind_of_global(slot),
              std::string(slot) + " is " + (v ? "on" : "off"), 0.5);
}

Guard setting(Context& ctx, std::string_view slot, std::string_view v) {
  return made(named(ctx, std::string(slot), text(ctx, v)), detail::kind_of_global(slot),
              std::string(slot) + " is " + std::string(v), 0.5);
}

Guard threads(Context& ctx, std::int64_t n) {
  return made(is(ctx, "num_threads", n), GuardKind::threads, "there are " + std::to_string(n) + " threads", 0.5);
}

Guard function_modes(Context& ctx, Names modes) {
  std::string list = "[";
  for (const std::string& m : modes) list += (list.size() > 1 ? ", " : "") + detail::quoted(m);
  list += "]";
  return made(named(ctx, "function_modes", ctx.enumeration(list)), GuardKind::function_modes,
              "the stack of function modes is " + list, 0.5);
}

Guard environment(Context& ctx, std::string_view variable, std::string_view v) {
  const Expr there = flag_is(ctx, contains("environ", detail::quoted(variable)), true);
  const Expr equal = named(ctx, "environ[" + detail::quoted(variable) + "]", text(ctx, v));
  return made(ctx.make(Op::And, {there, equal}), GuardKind::environment,
              "environment variable " + std::string(variable) + " is " + detail::quoted(v), 40);
}

Guard environment_unset(Context& ctx, std::string_view variable) {
  return made(flag_is(ctx, contains("environ", detail::quoted(variable)), false), GuardKind::environment,
              "environment variable " + std::string(variable) + " is not set", 20);
}

}  // namespace dimgate::guards
