// Remedies that hold. A size is marked dynamic only together with all that move with it; where the
// program made a size a number again, `mark_dynamic` would raise and another way is named; a size of 0 or 1 has an
// entry of its own. A number is not put in a tensor where the program needs its value. What the log shows is
// dynamic_seen.hpp; what applies when, and which measured program shows it, docs/reading-logs.md.
// tests/explain/remedies_test.cpp compares with what was measured.
#include "explain/checked_remedy.hpp"

#include "explain/values.hpp"
#include "import/log_text.hpp"

namespace dimgate::explain {

namespace {

using logs::has;
using Sizes = std::set<std::pair<std::string, int>>;

std::string list_of(const std::set<int>& dims) {
  if (dims.size() == 1) return std::to_string(*dims.begin());
  std::string out;
  for (const int dim : dims) out += (out.empty() ? "[" : ", ") + std::to_string(dim);
  return out + "]";
}

/// `torch._dynamo.mark_dynamic(x, 0) and torch._dynamo.mark_dynamic(y, [0, 1])`, `first` first.
std::string marks(const Sizes& sizes, const std::string& first, const char* how) {
  std::map<std::string, std::set<int>> dims;
  for (const auto& [source, dim] : sizes) dims[source].insert(dim);
  std::string out;
  const auto add = [&](const std::string& source) {
    out += (out.empty() ? "torch._dynamo." : " and torch._dynamo.") + std::string(how) + "(" + source + ", " +
           list_of(dims.at(source)) + ")";
  };
  if (dims.count(first) != 0) add(first);
  for (const auto& [source, unused] : dims)
    if (source != first) add(source);
  return out;
}

/// `TORCH_COMPILE_DYNAMIC_SOURCES="L['x'],L['y']"`; empty: a source that cannot be written there.
std::string sources(const Sizes& sizes, const std::string& first) {
  std::string out;
  std::set<std::string> there;
  const auto add = [&](const std::string& source) {
    if (!there.insert(source).second) return true;
    if (source.empty() || has(source, "\"") || has(source, ",") || has(source, "(")) return false;
    const std::size_t end = std::min(source.find_first_of(".["), source.size());
    out += (out.empty() ? "" : ",");
    out += source.starts_with("L[") || source.starts_with("G[")
               ? source
               : "L['" + source.substr(0, end) + "']" + source.substr(end);
    return true;
  };
  if (!add(first)) return {};
  for (const auto& [source, dim] : sizes)
    if (!add(source)) return {};
  return "TORCH_COMPILE_DYNAMIC_SOURCES=\"" + out + "\"";
}

Remedy for_size(const FailedGuard& sample, const GroupFacts& facts, const DynamicSeen& seen) {
  const std::string& source = sample.cause.source;
  Sizes own;
  std::set<int> small;  // dims in which a size of 0 or 1 occurs
  for (const auto& [dim, values] : facts.values) {
    std::size_t others = values.size();
    for (const std::int64_t value : {0, 1})
      if (values.count(value) != 0) {
        small.insert(dim);
        --others;
      }
    if (small.count(dim) == 0 || others > 1) own.insert({source, dim});
  }
  const std::string apart =
      "a size of 0 or 1 gets an entry of its own, marked or not: pad to 2 or more (a last batch: drop_last=True)";
  Sizes moving = seen.moving_sizes(facts.compiles);
  Sizes together = own;
  std::string constant;
  for (const auto& size : moving) {
    const std::string slot = size.first + ".size()[" + std::to_string(size.second) + "]";
    const std::string line = seen.made_constant(slot, false);
    if (!line.empty() && own.count(size) != 0) constant = line;
    const auto values = seen.values(slot, facts.compiles);
    if (values.count(0) != 0 || values.count(1) != 0)
      small.insert(-1);
    else
      together.insert(size);
  }
  if (!constant.empty())
    return {"the program makes a size of " + source + " a number" + (constant == "?" ? "" : " at `" + constant + "`") +
                ", so mark_dynamic would raise: it is tied to a size that does not move with it; pad both to one size, "
                "or torch.compile(dynamic=True)",
            true, sources(together, source)};
  if (!small.empty()) {
    if (own.empty()) return {apart};
    return {apart + "; for the other sizes " + marks(together, source, "maybe_mark_dynamic"), true,
            sources(together, source)};
  }
  // Logged, and yet no size became a symbol: the program asked for static sizes.
  const bool off =
      seen.logged(facts.compiles) && facts.compiles.size() > 2 && !seen.guards_logged(facts.compiles) && moving.empty();
  if (off)
    return {
        "torch.compile(dynamic=True): no size became dynamic in this log (dynamic=False, or "
        "automatic_dynamic_shapes is off)",
        true, sources(together, source)};
  return {marks(together, source, "mark_dynamic"), true, sources(together, source)};
}

/// Words of a line that needs a number's value: bounds, counts and shapes.
bool needs_value(const std::string& line, const std::string& source) {
  for (const char* word : {"range(", "scale_factor", "size=", ".view(", ".reshape(", ".expand(", ".repeat(", "arange(",
                           "zeros(", "ones(", "empty(", "full(", ".unfold(", ".split(", ".chunk(", "F.pad(", "kernel"})
    if (has(line, word)) return true;
  const std::string name = source.substr(source.rfind('.') == std::string::npos ? 0 : source.rfind('.') + 1);
  for (const std::string& slice : {":" + name, name + ":", ": " + name})
    if (has(line, "[") && has(line, slice)) return true;
  return false;
}

/// `n`, `cfg['k']`: an argument, whose numbers PyTorch makes dynamic by itself from the second value on.
bool argument(const std::string& source) {
  return !source.starts_with("G[") && !source.starts_with("self") && !source.starts_with("L['self']") &&
         source.find('.') == std::string::npos && !has(source, "___stack");
}

Remedy for_number(const FailedGuard& sample, const GroupFacts& facts, const DynamicSeen& seen) {
  const std::string& source = sample.cause.source;
  if (has(source, "___stack"))
    return {
        "a graph break left this value: torch._dynamo.config.capture_scalar_outputs = True keeps .item() in the "
        "graph, so that nothing is resumed with it (TORCH_LOGS=graph_breaks names the break)"};
  if (has(sample.user_line, "range("))
    return {"the loop is unrolled, so each value of " + source + " is a program of its own (" + sample.user_line +
                "): write it as one tensor operation, or call with few values",
            false};
  const std::string constant = seen.made_constant(source, true);
  const bool again = argument(source) && facts.compiles.size() > 2 && needs_value(sample.user_line, source) &&
                     sample.cause.kind == CauseKind::float_value;
  if (!constant.empty() || again)
    return {"the program needs the value of " + source +
                (constant.empty() || constant == "?" ? "" : " at `" + constant + "`") +
                " itself, so each is a program of its own: round it to few values",
            false};
  if (argument(source))
    return {"torch.compile(dynamic=True): " + source + " is a symbol from the first call on" +
                (needs_value(sample.user_line, source) ? "" : " (before 2.6: a 0-dim tensor in its place)"),
            true, sources({}, source)};
  if (sample.cause.kind == CauseKind::int_value &&
      (source.starts_with("self") || source.starts_with("L['self'].") || has(source, "._modules[")))
    return {"keep " + source +
            " in a tensor (register_buffer), or torch._dynamo.config.allow_unspec_int_on_nn_module = True"};
  return {"keep the number " + source + " in a tensor"};
}

}  // namespace

Remedy checked_remedy(const FailedGuard& sample, const GroupFacts& facts, const DynamicSeen& seen) {
  Remedy plain = remedy_for(sample, facts.system);
  if (facts.system == "dimgate") return plain;
  switch (sample.cause.kind) {
    case CauseKind::tensor_size:
      return has(sample.text, "Guard failed on a parameter") ? plain : for_size(sample, facts, seen);
    case CauseKind::int_value:
    case CauseKind::float_value:
      return for_number(sample, facts, seen);
    default:
      return plain;
  }
}

}  // namespace dimgate::explain
