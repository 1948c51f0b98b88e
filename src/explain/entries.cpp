#include "explain/entries.hpp"

#include "dimgate/expr.hpp"
#include "dimgate/facts.hpp"
#include "dimgate/simplify.hpp"
#include "import/log_text.hpp"

namespace dimgate::explain {

namespace {

using logs::after;
using logs::before;
using logs::trimmed;

constexpr std::size_t kShown = 64;

/// `4, None, s0` -> `source.size()[0] == 4`, …; None is not checked.
void sizes(std::string_view list, const std::string& source, const char* what, std::vector<std::string>& out) {
  for (std::size_t i = 0; !list.empty(); ++i) {
    const std::string_view item = trimmed(before(list, ","));
    if (!item.empty() && item != "None")
      out.push_back(source + "." + what + "()[" + std::to_string(i) + "] == " + std::string(item));
    const std::size_t comma = list.find(',');
    if (comma == std::string_view::npos) break;
    list.remove_prefix(comma + 1);
  }
}

std::size_t items(std::string_view list) {
  if (trimmed(list).empty()) return 0;
  std::size_t count = 1;
  for (const char c : list) count += c == ',' ? 1 : 0;
  return count;
}

/// `check_tensor(L['x'], Tensor, DispatchKeySet(…), torch.float32, device=None, requires_grad=False, size=[…], …)`
std::vector<std::string> tensor_parts(std::string_view text) {
  std::vector<std::string> out;
  const std::string_view inside = text.substr(13);
  const std::size_t set = inside.find(", DispatchKeySet(");
  if (set == std::string_view::npos) return out;
  const std::string_view head = inside.substr(0, set);
  const std::size_t type = head.rfind(", ");
  if (type == std::string_view::npos) return out;
  const std::string source(head.substr(0, type));
  out.push_back(source + ".__class__ == '" + std::string(head.substr(type + 2)) + "'");
  const std::string_view keys = before(after(inside, "DispatchKeySet("), ")");
  out.push_back(source + ".dispatch_keys == '" + std::string(keys) + "'");
  const std::string_view rest = after(after(inside, "DispatchKeySet("), "), ");
  if (rest.starts_with("torch.")) out.push_back(source + ".dtype == " + std::string(before(rest, ",")));
  if (const std::string_view device = before(after(rest, "device="), ", requires_grad="); !device.empty())
    out.push_back(source + ".device == " + (device == "None" ? std::string("None") : "'" + std::string(device) + "'"));
  if (const std::string_view grad = before(after(rest, "requires_grad="), ","); grad == "True" || grad == "False")
    out.push_back(source + ".requires_grad == " + std::string(grad));
  const std::string_view size = before(after(rest, "size=["), "]");
  if (logs::has(rest, "size=[")) out.push_back(source + ".dim() == " + std::to_string(items(size)));
  sizes(size, source, "size", out);
  sizes(before(after(rest, "stride=["), "]"), source, "stride", out);
  return out;
}

}  // namespace

std::vector<std::string> formulas_of(const LoggedGuard& guard) {
  if (guard.text.empty()) return {};
  if (guard.text.starts_with("check_tensor(")) return tensor_parts(guard.text);
  std::string text = guard.text.substr(0, guard.text.find(", type=<"));
  text = text.substr(0, text.find(" (HINT:"));
  if (text.starts_with("___check_global_state()")) text = "___check_global_state()";
  return {text};
}

EntryReport take_apart(const std::string& compile_id, const EntryGuards& entry, Prover& prover) {
  EntryReport out;
  out.compile_id = compile_id;
  out.guards = entry.guards.size();
  Context ctx;
  std::vector<Expr> formulas;
  std::vector<std::string> texts;
  for (const LoggedGuard& guard : entry.guards) {
    const auto pieces = formulas_of(guard);
    bool parsed = !pieces.empty();
    for (const std::string& piece : pieces) {
      const auto formula = parse(ctx, piece);
      if (!formula || formula->sort() != Sort::Bool) {
        parsed = false;
        continue;
      }
      formulas.push_back(*formula);
      texts.push_back(piece);
    }
    if (!parsed && out.not_parsed.size() < kShown)
      out.not_parsed.push_back(guard.kind.empty() ? guard.text : guard.kind + ": " + guard.text);
  }
  out.formulas = formulas.size();
  Facts facts(ctx);
  const Minimised small = minimise(prover, facts, formulas);
  out.kept = small.kept.size();
  for (const DroppedGuard& dropped : small.dropped) {
    if (out.implied.size() >= kShown) break;
    EntryReport::Implied implied{texts[dropped.guard], {}};
    for (const std::size_t by : dropped.implied_by) implied.by.push_back(texts[by]);
    out.implied.push_back(std::move(implied));
  }
  for (const Expr& conjunct : small.readable) {
    if (out.readable.size() >= kShown) break;
    out.readable.push_back(to_text(ctx, conjunct));
  }
  return out;
}

}  // namespace dimgate::explain
