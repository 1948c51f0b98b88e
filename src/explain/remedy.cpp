// What to change, in the front end's own words. docs/reading-logs.md lists the same table; causes that have no remedy
// are named there.
#include "dimgate/explain.hpp"
#include "import/log_text.hpp"

namespace dimgate {

namespace {

using logs::has;

/// `self.step`, `L['self'].step`: an attribute of a module.
bool on_module(const std::string& source) {
  return source.starts_with("self.") || source.starts_with("L['self'].") || has(source, "._modules[");
}
bool global(const std::string& source) { return source.starts_with("G["); }

/// `TORCH_COMPILE_DYNAMIC_SOURCES="L['x']"`; `x` is how newer logs write `L['x']`.
std::string dynamic_sources(const std::string& source) {
  if (source.empty() || has(source, "\"")) return {};
  if (source.starts_with("L[") || source.starts_with("G[")) return "TORCH_COMPILE_DYNAMIC_SOURCES=\"" + source + "\"";
  const std::size_t end = std::min(source.find_first_of(".["), source.size());
  return "TORCH_COMPILE_DYNAMIC_SOURCES=\"L['" + source.substr(0, end) + "']" + source.substr(end) + "\"";
}

std::string dim(const Cause& cause) {
  return cause.source + ", " + (cause.index < 0 ? std::string("DIM") : std::to_string(cause.index));
}

/// The divisor of `… % 8) == 0`, `Mod(x, 8)`; empty: none.
std::string divisor(const std::string& guard) {
  std::size_t at = guard.find(" % ");
  if (at != std::string::npos) {
    at += 3;
  } else {
    at = guard.find("Mod(");
    if (at == std::string::npos) return {};
    at = guard.find(", ", at);
    if (at == std::string::npos) return {};
    at += 2;
  }
  std::size_t end = at;
  while (end < guard.size() && guard[end] >= '0' && guard[end] <= '9') ++end;
  return guard.substr(at, end - at);
}

/// 512 of `2 <= x.size()[1] <= 512`; empty: no bound, or none that is a number.
std::string upper_bound(const std::string& guard) {
  const std::size_t at = guard.rfind(" <= ");
  if (at == std::string::npos || at == guard.find(" <= ")) return {};
  const std::string bound = guard.substr(at + 4);
  return bound.find_first_not_of("0123456789") == std::string::npos ? bound : std::string();
}

/// 4 of `x.size()[0] == 4`, `Eq(L['x'].size()[0], 4)`; empty: another formula.
std::string only_value(const std::string& guard, const std::string& name) {
  const std::size_t at = guard.find(name.substr(name.find(".size()[")));
  const bool eq = guard.starts_with("Eq(") && guard.ends_with(")");
  const std::string_view sign = eq ? ", " : " == ";
  const std::size_t value = guard.find(sign);
  if (at == std::string::npos || value == std::string::npos || value < at) return {};
  const std::string right = guard.substr(value + sign.size(), guard.size() - value - sign.size() - (eq ? 1 : 0));
  const std::string left = guard.substr(eq ? 3 : 0, value - (eq ? 3 : 0));
  const bool plain = left.find_first_of("+*/% <>") == std::string::npos;
  return plain && !right.empty() && right.find_first_not_of("0123456789") == std::string::npos ? right : std::string();
}

/// A guard failed, so the log refutes it: it is never stated as a `torch._check`.
Remedy for_shape_guard(const FailedGuard& reason) {
  const Cause& cause = reason.cause;
  const std::string number = divisor(cause.expected);
  if (!number.empty() && number != "0" && !has(cause.expected, " > ") && !has(cause.expected, " <= "))
    return {"pad " + cause.source + " so that size " + std::to_string(cause.index) + " is a multiple of " + number};
  if (has(cause.expected, ".stride()[")) return {"call " + cause.source + ".contiguous() before the compiled function"};
  const std::string name = cause.source + ".size()[" + std::to_string(cause.index) + "]";
  const bool low = has(reason.text, "0/1 specialization") || cause.expected.starts_with("2 <= ");
  const std::string most = upper_bound(cause.expected);
  const std::string apart = "sizes 0 and 1 get entries of their own: torch._dynamo.decorators.mark_unbacked(" +
                            dim(cause) + "), or keep the size above 1 (pad, drop_last)";
  const std::string line = reason.user_line.empty() ? std::string() : " at `" + reason.user_line + "`";
  const std::string at_most = "keep " + name + " at or below " + most +
                              " (split longer inputs), or take out the branch" + line +
                              ": each side is a program of its own";
  if (low && most.empty()) return {apart};
  if (low && (cause.actual == "0" || cause.actual == "1")) return {apart};
  if (low && cause.actual.empty()) return {apart + "; were it sizes above " + most + ", " + at_most};
  if (low) return {at_most};
  if (const std::string value = only_value(cause.expected, name); !value.empty())
    return {"the program makes " + name + " the constant " + value + " (a branch, int(), a view)" + line +
            ": take it out, or pad to " + value};
  return {"both sides of a branch" + line +
          " are called, and each is a program of its own: take it out, or pad to sizes on one side"};
}

/// In the words of a front end on dimgate; empty: the same advice as elsewhere.
Remedy own_remedy(const FailedGuard& reason) {
  const std::string_view kind = kind_of_change(reason);
  const Cause& cause = reason.cause;
  if (kind == "size" || kind == "stride" || kind == "int")
    return {"trace " + cause.source +
            " as a symbol (Tracer::size, policy symbolic) and keep its SymInt: to_int() and a loop "
            "bound make it a constant"};
  if (kind == "divisibility") {
    std::string k = divisor(cause.expected);
    if (k.empty() || k.size() > 9 || k == "0") k = "8";
    return {"round up without a branch, (n + " + std::to_string(std::stol(k) - 1) + ") / " + k + " * " + k +
            " rather than `if (n % " + k + " != 0)`: one entry serves every size"};
  }
  if (kind == "range")
    return {"a branch of the program decides on " + cause.source +
                ": both sides need an entry, unless one is ruled out by "
                "Tracer::declare",
            false};
  if (kind == "relational shape")
    return {"a branch of the program compares two sizes: declare what holds (Tracer::declare), or accept both entries",
            false};
  return {};
}

Remedy for_global_state(const Cause& cause) {
  for (const std::string& flag : cause.flags)
    if (flag == "grad_mode")
      return {
          "each grad mode is a program of its own, so splitting train and eval saves nothing: call it always under "
          "one (torch.no_grad, torch.enable_grad), or accept one entry for each",
          false};
  for (const std::string& flag : cause.flags)
    if (flag.starts_with("autocast"))
      return {"enter autocast inside the compiled function, or call it always under the same autocast"};
  std::string names;
  for (const std::string& flag : cause.flags) names += (names.empty() ? "" : ", ") + flag;
  return {"set " + (names.empty() ? std::string("global state") : names) + " once, before the first compiled call"};
}

Remedy for_identity(const FailedGuard& reason) {
  const Cause& cause = reason.cause;
  std::string object = cause.source;
  if (const std::size_t code = object.find(".__code__"); code != std::string::npos) {
    object.resize(code);
    return {object +
                " is another function, and each function is a program of its own; if its source is run again for "
                "each call (exec, a reloaded module), define it once",
            false};
  }
  const std::string type = cause.expected.substr(cause.expected.rfind('.') + 1);
  if (!type.empty() && has(reason.user_line, type + "."))
    return {"each member of " + type + " that " + object + " takes is a program of its own", false};
  return {"hoist the object: make " + object + " once, outside the loop, and reuse it"};
}

Remedy for_length(const FailedGuard& reason) {
  const std::string& source = reason.cause.source;
  if (has(source, ".state[") || source.ends_with(".state"))
    return {
        "the optimizer makes its state in its first step: take one step uncompiled, then compile; keep the "
        "learning rate in a tensor, or each value recompiles as well"};
  return {"fix the length of " + source +
          ": pad the list to one length with a tensor of its own for each place (one tensor twice is aliasing), or fix "
          "the key set of a dict"};
}

}  // namespace

Remedy remedy_for(const FailedGuard& reason, std::string_view system) {
  if (system == "dimgate")
    if (Remedy own = own_remedy(reason); !own.text.empty()) return own;
  const Cause& cause = reason.cause;
  const std::string& source = cause.source;
  switch (cause.kind) {
    case CauseKind::tensor_size:
      if (has(reason.text, "Guard failed on a parameter"))
        return {"torch._dynamo.config.force_parameter_static_shapes = False"};
      return {"torch._dynamo.mark_dynamic(" + dim(cause) + ")", true, dynamic_sources(source)};
    case CauseKind::tensor_stride:
      return {"call " + source +
              (source.ends_with("]")
                   ? ".contiguous() and of every tensor that comes with it, before the compiled function"
                   : ".contiguous() before the compiled function")};
    case CauseKind::tensor_rank:
      return {"reshape " + source + " to one rank before the compiled function"};
    case CauseKind::tensor_dtype:
      return {"cast " + source + " to one dtype before the compiled function (" + cause.expected +
              (cause.actual.empty() ? "" : " or " + cause.actual) + ")"};
    case CauseKind::tensor_device:
      return {"move " + source + " to one device before the compiled function"};
    case CauseKind::tensor_dispatch_keys:
      if (!has(cause.expected, "Autograd") || !has(cause.actual, "Autograd"))
        return {"make " + source +
                " outside torch.inference_mode, and call under torch.no_grad rather than inference_mode: inference "
                "tensors and calls have entries of their own"};
      return {"make " + source + " the same way each time: plain (not conjugate, sparse or meta) tensors"};
    case CauseKind::tensor_python_type:
      return {"pass " + source + " always as the same type (a Tensor or a Parameter, not now one and now the other)"};
    case CauseKind::tensor_aliasing:
      return {"pass distinct tensors, or clone the one that is passed twice"};
    case CauseKind::requires_grad:
      return {"set " + source + ".requires_grad the same way each time, before the first compiled call"};
    case CauseKind::shape_guard:
      return for_shape_guard(reason);
    case CauseKind::shape_guard_duck:
      return {
          "equal sizes became one symbol: torch.fx.experimental._config.use_duck_shape = False, or mark_dynamic "
          "each dim"};
    case CauseKind::shape_guard_int:
      return {"torch.compile(dynamic=True), and keep " + source + " on one side of the branch" +
              (reason.user_line.empty() ? std::string() : " at `" + reason.user_line + "`") +
              ": each side is a program of its own"};
    case CauseKind::int_value:
      if (has(reason.user_line, "range("))
        return {"the loop is unrolled, so each value of " + source + " is a program of its own (" + reason.user_line +
                    "): write it as one tensor operation, or call with few values",
                false};
      if (on_module(source))
        return {"torch._dynamo.config.allow_unspec_int_on_nn_module = True, or keep " + source + " in a tensor"};
      if (global(source)) return {"pass the global " + source + " as an argument, or keep it in a tensor"};
      if (has(source, "__defaults__") || has(source, "__closure__") || has(source, "cell_contents"))
        return {"hoist the function: make it once, and pass the number as a tensor rather than an int"};
      return {"pass a tensor rather than an int for " + source + " (or mark it dynamic: torch.compile(dynamic=True))",
              true, dynamic_sources(source)};
    case CauseKind::float_value:
      return {"pass a tensor rather than a float for " + source};
    case CauseKind::bool_value:
      return {"each value of " + source + " is a program of its own: keep it in a tensor (torch.tensor(" + source +
              "), made outside) and make the branch a torch.where"};
    case CauseKind::str_value:
      return {"each value of " + source +
                  " is a program of its own, one compile a value: choose outside the compiled function only to keep "
                  "each function's entries few",
              false};
    case CauseKind::none_ness:
      return {"pass " + source + " always (an empty or neutral tensor in place of None)"};
    case CauseKind::python_type:
      return {"pass " + source + " always as the same type"};
    case CauseKind::object_identity:
      return for_identity(reason);
    case CauseKind::container_length:
      return for_length(reason);
    case CauseKind::dict_keys:
    case CauseKind::dict_key_presence:
      return {"fix the key set of " + (source.empty() ? std::string("the dict") : source) +
              ": always the same keys in the same order"};
    case CauseKind::missing:
      return {"set the attribute or key once, before the first compiled call"};
    case CauseKind::backend:
      return {"hoist the backend: make the backend object once and pass the same one to every torch.compile"};
    case CauseKind::default_device:
      return {"set the default device once, before the first compiled call"};
    case CauseKind::global_state:
      return for_global_state(cause);
    case CauseKind::hooks:
      return {"enter torch.autograd.graph.saved_tensors_hooks the same way for every call, outside the loop"};
    case CauseKind::dim_marking:
      return {"mark the tensor the same way for every call, the first compiled one included"};
    case CauseKind::constant_value:
      if (cause.expected.starts_with("torch."))
        return {"each value of " + source + " is a program of its own: pass one (" + cause.expected + ")", false};
      break;
    case CauseKind::torch_function_mode:
    case CauseKind::weakref:
    case CauseKind::broken_guard:
    case CauseKind::unrecognised:
      break;
  }
  return {"no remedy known", false};
}

}  // namespace dimgate
