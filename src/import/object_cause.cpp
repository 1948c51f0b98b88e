// Objects and containers: types, identities, keys, lengths, attributes.
#include <algorithm>

#include "import/cause_forms.hpp"
#include "import/literal.hpp"
#include "import/log_text.hpp"

namespace dimgate::logs {

using std::string;
using std::string_view;

namespace {

string_view without_not(string_view guard) { return guard.starts_with("not ") ? guard.substr(4) : guard; }

/// `___check_type_id(S, 88), type=<class 'tuple'>`, `___check_obj_id(S, 140)`
std::optional<Cause> checked(string_view guard) {
  for (const auto& [name, kind] : {std::pair{string_view("___check_type_id("), CauseKind::python_type},
                                   std::pair{string_view("___check_obj_id("), CauseKind::object_identity}}) {
    const std::size_t at = guard.find(name);
    if (at == string_view::npos) continue;
    const string_view inside = guard.substr(at + name.size());
    const std::size_t comma = inside.rfind(", ", inside.find("), type="));
    Cause cause = made(kind, inside.substr(0, comma));
    const string_view type = between(guard, "type=<class '", "'>");
    if (!type.empty()) {
      cause.expected = type;
    } else if (comma != string_view::npos) {
      cause.expected = inside.substr(comma + 2, inside.find(')', comma) - comma - 2);
    }
    return cause;
  }
  if (guard.starts_with("__nn_module_guard_")) {  // 2.0, 2.1: the module, or what it holds, is another
    const string_view inside = between(guard, "(", ", debug_msg=");
    Cause cause = made(CauseKind::object_identity, inside.empty() ? between(guard, "(", ")") : inside);
    cause.expected = "the same module";
    return cause;
  }
  if (guard.starts_with("TYPE_MISMATCH(") && guard.ends_with(')'))
    return made(CauseKind::python_type, guard.substr(14, guard.size() - 15));
  return std::nullopt;
}

/// `not ___dict_contains('k', d)`, `set.__contains__(s, 'k')`
std::optional<Cause> contains(string_view guard) {
  const string_view call = without_not(guard);
  const bool item_last = call.starts_with("set.__contains__(");
  if (!item_last && !call.starts_with("___dict_contains(") && !call.starts_with("___set_contains("))
    return std::nullopt;
  Cause cause = made(CauseKind::dict_key_presence);
  const std::size_t open = call.find('(') + 1;
  const string_view inside = call.substr(open, call.rfind(')') - open);
  const std::size_t comma = item_last ? inside.find(", ") : inside.rfind(", ");
  if (comma == string_view::npos) return cause;
  const string_view first = inside.substr(0, comma);
  const string_view second = inside.substr(comma + 2);
  cause.source = item_last ? first : second;
  cause.expected = (guard.starts_with("not ") ? "without " : "with ") + string(item_last ? second : first);
  return cause;
}

/// `list(dict.keys(d)) == ['a']`, `list(dict.keys(d))[0] == 'a'`, `d.keys() == {'a'}`, `___dict_version(d) == 4`
std::optional<Cause> keys(string_view guard) {
  const std::size_t at = guard.rfind(" == ");
  const string_view left = guard.substr(0, at);
  const bool listed = has(left, ".keys()") || left.starts_with("list(dict.keys(") || left.starts_with("dict.keys(");
  if (!listed && !guard.starts_with("___dict_version(") && !guard.starts_with("___dict_keys") &&
      !guard.starts_with("___key_to_id") && !guard.starts_with("dict_keys") && !has(guard, "__dict_const_keys"))
    return std::nullopt;
  Cause cause = made(CauseKind::dict_keys);
  if (at != string_view::npos) cause.expected = guard.substr(at + 4);
  string_view source = left;
  if (source.starts_with("list(") && source.ends_with(']')) source = source.substr(0, source.rfind('['));
  for (const string_view call : {"list(", "set(", "dict.keys(", "___dict_version(", "___key_to_id("})
    if (source.starts_with(call) && source.ends_with(')'))
      source = source.substr(call.size(), source.size() - call.size() - 1);
  if (source.ends_with(".keys()")) source.remove_suffix(7);
  if (is_source(source)) cause.source = source;
  return cause;
}

/// `len(xs) == 3`, `len(d) != 3` (2.13: the check that failed, of a dict), `not xs`, `___tuple_iterator_len(it) == 2`
std::optional<Cause> length(string_view guard) {
  const string_view call = without_not(guard);
  if (call.starts_with("len(") || call.starts_with("___tuple_iterator_len(")) {
    Cause cause = made(CauseKind::container_length);
    const std::size_t open = call.find('(') + 1;
    std::size_t op = string_view::npos;
    for (const string_view sign : {" == ", " != ", " <= ", " >= ", " < ", " > "}) op = std::min(op, call.rfind(sign));
    const std::size_t close = call.rfind(')', op);
    if (close != string_view::npos && close > open) cause.source = call.substr(open, close - open);
    for (const string_view sign : {" == ", " != "})
      if (op != string_view::npos && call.substr(op).starts_with(sign)) cause.expected = call.substr(op + 4);
    return cause;
  }
  if (!guard.starts_with("not ") || !is_source(call)) return std::nullopt;
  Cause cause = made(CauseKind::container_length, call);
  cause.expected = "0";
  return cause;
}

/// `hasattr(x, 'y') == False`, `not hasattr(x, 'y')`
std::optional<Cause> attribute(string_view guard) {
  const string_view call = without_not(guard);
  if (!call.starts_with("hasattr(")) return std::nullopt;
  Cause cause = made(CauseKind::missing);
  const std::size_t close = call.rfind(')');
  const string_view inside = call.substr(8, close == string_view::npos ? close : close - 8);
  const std::size_t comma = inside.rfind(", ");
  cause.source = inside.substr(0, comma);
  if (comma == string_view::npos) return cause;
  const bool there = guard.starts_with("not ") == guard.ends_with("== False");
  cause.expected = (there ? "with " : "without ") + string(inside.substr(comma + 2));
  return cause;
}

}  // namespace

std::optional<Cause> object_form(string_view guard) {
  for (const auto form : {checked, contains, keys, length, attribute})
    if (auto cause = form(guard)) return cause;
  return std::nullopt;
}

/// The source that a sentence speaks of: what follows `KeyError on `, the first name with brackets.
std::optional<Cause> said_form(string_view guard) {
  const auto about = [&](CauseKind kind, string_view phrase) {
    const string_view rest = after(guard, phrase);
    const string_view source = phrase.empty() ? string_view{} : rest.substr(0, rest.find(' '));
    return made(kind, is_source(source) ? source : string_view{});
  };
  if (guard.starts_with("name '") && has(guard, "is not defined")) return made(CauseKind::broken_guard);
  if (has(guard, "weakref") || has(guard, "invalidated") || has(guard, "no longer alive") || has(guard, "deallocated"))
    return about(CauseKind::weakref, has(guard, "because ") ? "because " : "weakref to ");
  for (const string_view phrase : {"KeyError on ", "IndexError on ", "getattr failed on source "})
    if (guard.starts_with(phrase)) return about(CauseKind::missing, phrase);
  if (has(guard, "KeyError") || has(guard, "AttributeError") || has(guard, "has no attribute") ||
      has(guard, "IndexError") || has(guard, "not found") || has(guard, "missing"))
    return made(CauseKind::missing);
  return std::nullopt;
}

}  // namespace dimgate::logs
