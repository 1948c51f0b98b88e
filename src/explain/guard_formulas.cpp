#include "explain/guard_formulas.hpp"

#include <algorithm>
#include <map>

#include "import/json_text.hpp"
#include "import/literal.hpp"
#include "import/log_text.hpp"

namespace dimgate::explain {

namespace {

using logs::after;
using logs::before;
using logs::has;
using logs::trimmed;

constexpr std::size_t kPairs = 128;

std::string in_quotes(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 32 ? ' ' : c;
  }
  return out + "'";
}

/// Parts of `a, b[1, 2], f(c, d)` at the outermost level.
std::vector<std::string> parts(std::string_view list) {
  std::vector<std::string> out;
  int depth = 0;
  char quote = 0;
  std::size_t from = 0;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    const char c = i < list.size() ? list[i] : ',';
    if (quote != 0) {
      if (i == list.size()) break;
      if (c == '\\')
        ++i;
      else if (c == quote)
        quote = 0;
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if (c == ')' || c == ']' || c == '}') {
      --depth;
    } else if (c == ',' && depth == 0) {
      if (const std::string_view part = trimmed(list.substr(from, i - from)); !part.empty()) out.emplace_back(part);
      from = i + 1;
    }
  }
  return out;
}

/// `4, None, s0` -> `S.size()[0] == 4`, …; None is not checked.
void dims(std::string_view list, const std::string& source, const char* what, std::vector<std::string>& out) {
  const std::vector<std::string> items = parts(list);
  for (std::size_t i = 0; i < items.size(); ++i)
    if (items[i] != "None") out.push_back(source + "." + what + "()[" + std::to_string(i) + "] == " + items[i]);
}

/// `check_tensor(L['x'], Tensor, DispatchKeySet(…), torch.float32, device=None, requires_grad=False, size=[…], …)`
std::vector<std::string> tensor(std::string_view text) {
  std::vector<std::string> out;
  const std::string_view inside = text.substr(13);
  const std::size_t set = inside.find(", DispatchKeySet(");
  if (set == std::string_view::npos) return out;
  const std::string_view head = inside.substr(0, set);
  const std::size_t type = head.rfind(", ");
  if (type == std::string_view::npos) return out;
  const std::string source(head.substr(0, type));
  out.push_back(source + ".__class__ == " + in_quotes(head.substr(type + 2)));
  out.push_back(source + ".dispatch_keys == " + in_quotes(before(after(inside, "DispatchKeySet("), ")")));
  const std::string_view rest = after(after(inside, "DispatchKeySet("), "), ");
  if (rest.starts_with("torch.")) out.push_back(source + ".dtype == " + std::string(before(rest, ",")));
  if (const std::string_view device = before(after(rest, "device="), ", requires_grad="); !device.empty())
    out.push_back(source + ".device == " + (device == "None" ? std::string("None") : in_quotes(device)));
  if (const std::string_view grad = before(after(rest, "requires_grad="), ","); grad == "True" || grad == "False")
    out.push_back(source + ".requires_grad == " + std::string(grad));
  const std::string_view size = before(after(rest, "size=["), "]");
  if (has(rest, "size=[")) out.push_back(source + ".dim() == " + std::to_string(parts(size).size()));
  dims(size, source, "size", out);
  dims(before(after(rest, "stride=["), "]"), source, "stride", out);
  return out;
}

/// `___check_type_id(S, 123), type=<class 'tuple'>` -> S, 123, tuple.
struct Checked {
  std::string source, id, type;
};
Checked checked(std::string_view text, std::string_view call) {
  const std::string_view inside = text.substr(call.size());
  const std::size_t close = std::min(inside.find("), type=<"), inside.rfind(')'));
  const std::size_t comma = inside.rfind(", ", close);
  if (close == std::string_view::npos || comma == std::string_view::npos) return {};
  return {std::string(inside.substr(0, comma)), std::string(inside.substr(comma + 2, close - comma - 2)),
          std::string(before(after(inside.substr(close), "type=<class '"), "'>"))};
}

std::string value_of(const simdjson::dom::element& value) {
  if (value.is_bool()) return logs::is_true(value) ? "True" : "False";
  if (value.is_null()) return "None";
  std::string text = logs::json_text(value, 1024);
  return logs::json_int(value) ? text : in_quotes(text);
}

/// `___check_global_state() against {"grad_mode": true, …}`; without the state it is one question.
std::vector<std::string> global_state(std::string_view text) {
  logs::JsonText json;
  const auto state = json.object(after(text, " against "));
  std::vector<std::string> out;
  if (!state) return {"global_state.unchanged == True"};
  for (const auto& [key, value] : *state) {
    const std::string name = "global_state." + std::string(key);
    if (const auto parts_of = logs::object_in(value)) {
      for (const auto& [part, inner] : *parts_of)
        out.push_back(name + "." + std::string(part) + " == " + value_of(inner));
    } else {
      out.push_back(name + " == " + value_of(value));
    }
  }
  return out;
}

/// `n == np.int64(3)` -> `n == 3`; an object that is known by what it prints (`device(type='cuda')`, `<Color.RED: 1>`)
/// is a name.
std::string compared(const std::string& guard) {
  const std::size_t equals = guard.find(" == ");
  if (equals == std::string::npos || !logs::is_source(guard.substr(0, equals))) return guard;
  const std::string left = guard.substr(0, equals + 4);
  const std::string right = guard.substr(equals + 4);
  for (const std::string_view object : {"device(", "<", "slice(", "range(", "torch.Size(", "{"})
    if (right.starts_with(object)) return left + in_quotes(right);
  return left + std::string(logs::plain_scalar(right));
}

/// `check_no_aliasing(a, b, c)` -> all different objects.
std::string no_aliasing(std::string_view text) {
  std::string inside;
  for (const std::string& source : parts(text.substr(18, text.rfind(')') - 18)))
    inside += (inside.empty() ? "id(" : ", id(") + source + ")";
  return "distinct(" + inside + ")";
}

/// If `a` and `b` are one object, they have one `what`.
LanguageFact same_object(const std::string& a, const std::string& b, const std::string& what) {
  LanguageFact out{"implies(id(", "one object has one "};
  out.formula.append(a).append(") == id(").append(b).append("), ");
  out.formula.append(a).append(what).append(" == ").append(b).append(what).append(")");
  out.origin += what.substr(what[0] == '.' ? 1 : 0);
  return out;
}

}  // namespace

std::vector<std::string> formulas_of(const LoggedGuard& guard) {
  const std::string_view text = trimmed(guard.text);
  if (text.empty()) return {};
  if (text.starts_with("check_tensor(")) return tensor(text);
  if (text.starts_with("check_no_aliasing(") && text.ends_with(")")) return {no_aliasing(text)};
  if (text.starts_with("___check_global_state()")) return global_state(text);
  if (text.starts_with("___check_torch_function_mode_stack()")) return {"torch_function_mode_stack.unchanged == True"};
  if (text.starts_with("___check_type_id(")) {
    const Checked type = checked(text, "___check_type_id(");
    return {"type(" + type.source + ") == " + in_quotes((type.type.empty() ? "" : type.type + "@") + type.id)};
  }
  if (text.starts_with("___check_obj_id(")) {
    const Checked object = checked(text, "___check_obj_id(");
    return {"id(" + object.source + ") == " + object.id};
  }
  if (const std::string_view ids = after(text, "top_saved_tensors_hooks ids == "); !ids.empty())
    return {"saved_tensors_hooks.ids == " + (ids == "None" ? std::string("None") : in_quotes(ids))};
  const bool absent = text.starts_with("not ___dict_contains(");
  if (absent || text.starts_with("___dict_contains(")) {
    const std::vector<std::string> inside = parts(text.substr(absent ? 21 : 17, text.rfind(')') - (absent ? 21 : 17)));
    if (inside.size() == 2) return {inside[1] + ".has_key(" + inside[0] + ") == " + (absent ? "False" : "True")};
  }
  if (const std::size_t is = text.find(" is "); guard.kind == "OBJECT_ALIASING" && is != std::string_view::npos)
    return {"id(" + std::string(text.substr(0, is)) + ") == id(" + std::string(text.substr(is + 4)) + ")"};
  const bool negated = text.starts_with("not ");
  const std::string_view call = negated ? text.substr(4) : text;
  if (call.starts_with("__") && call.ends_with(")") && !has(call, " == "))  // a question: one Bool symbol
    return {std::string(call) + " == " + (negated ? "False" : "True")};
  std::string plain(text.substr(0, text.find(", type=<")));
  return {compared(plain.substr(0, plain.find(" (HINT:")))};
}

std::vector<LanguageFact> facts_about(const std::vector<std::string>& formulas) {
  std::vector<LanguageFact> out;
  std::map<std::string, std::string> types;                              // source -> formula
  std::map<std::string, std::map<std::string, std::string>> properties;  // source -> ".dtype" -> value
  for (const std::string& formula : formulas) {
    const std::size_t equals = formula.rfind(" == ");
    if (equals == std::string::npos) continue;
    const std::string left = formula.substr(0, equals);
    if (left.starts_with("type(") && left.ends_with(")")) types[left.substr(5, left.size() - 6)] = formula;
    for (const char* what : {".dtype", ".dim()", ".requires_grad", ".size()[", ".dispatch_keys"})
      if (const std::size_t at = left.rfind(what); at != std::string::npos && at > 0)
        properties[left.substr(0, at)][left.substr(at)] = formula.substr(equals + 4);
  }
  for (const std::string& formula : formulas) {
    if (formula.starts_with("id(") && formula.find(") == ") != std::string::npos) {
      const std::string source = formula.substr(3, formula.rfind(") == ") - 3);
      if (const auto type = types.find(source); type != types.end())
        out.push_back({"implies(" + formula + ", " + type->second + ")", "an object has one type"});
    }
    if (!formula.starts_with("distinct(id(")) continue;
    std::vector<std::string> sources;
    for (const std::string& one : parts(std::string_view(formula).substr(9, formula.size() - 10)))
      if (one.starts_with("id(") && one.ends_with(")")) sources.push_back(one.substr(3, one.size() - 4));
    for (std::size_t a = 0; a < sources.size(); ++a)
      for (std::size_t b = a + 1; b < sources.size() && out.size() < kPairs; ++b)
        for (const auto& [what, value] : properties[sources[a]]) {
          const auto other = properties[sources[b]].find(what);
          if (other == properties[sources[b]].end() || other->second == value) continue;
          out.push_back(same_object(sources[a], sources[b], what));
          break;
        }
  }
  return out;
}

}  // namespace dimgate::explain
