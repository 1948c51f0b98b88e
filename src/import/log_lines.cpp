// Messages of one line: TORCH_LOGS=dynamic and the like.
#include <charconv>

#include "import/guard_comment.hpp"
#include "import/log_blocks.hpp"
#include "import/log_text.hpp"

namespace dimgate::logs {

namespace {

/// `user line  # file.py:3 in f (torch/x.py:1 in g), for more info …` -> the user's line and place.
void user_part(std::string_view rest, std::string& user_line, std::string& place) {
  rest = trimmed(before(rest, ", for more info"));
  const std::string text = " " + std::string(rest.substr(0, kKeep));  // the comment may begin at once
  const Commented parts = split_comment(text);
  if (!parts.place.empty()) {
    user_line = parts.guard;
    place = parts.place;
  } else if (rest.starts_with("at ")) {  // 2.2 to 2.4: `at x.py:52 in forward (…)`
    place = kept(trimmed(before(rest.substr(3), " (")));
  }
}

bool read_symbol(std::string_view text, std::string_view word, SymbolCreated& out) {
  std::string_view rest = text.substr(word.size());
  out.backed = word == "create_symbol ";
  out.symbol = kept(before(rest, " "));
  if (out.symbol.empty()) return false;
  rest.remove_prefix(std::min(rest.size(), out.symbol.size()));
  if (out.backed) {
    if (!rest.starts_with(" = ")) return false;
    rest.remove_prefix(3);
    out.value = kept(before(rest, " for "));
    rest = after(rest, " for ");
  }
  std::size_t range = std::string_view::npos;
  for (std::size_t at = rest.find(" ["); at != std::string_view::npos; at = rest.find(" [", at + 1))
    if (at + 2 < rest.size() && (rest[at + 2] == '-' || (rest[at + 2] >= '0' && rest[at + 2] <= '9'))) {
      range = at;
      break;
    }
  if (range == std::string_view::npos) return false;
  const std::size_t close = rest.find(']', range);
  if (close == std::string_view::npos) return false;
  out.source = kept(rest.substr(0, range));
  out.range = kept(rest.substr(range + 1, close - range));
  std::string user_line;
  user_part(rest.substr(close + 1), user_line, out.place);
  return true;
}

}  // namespace

std::string_view read_line(const Head& head, LogEventBody& body, bool& has_event) {
  const std::string_view text = trimmed(head.text);
  has_event = true;
  for (const std::string_view word :
       {std::string_view("create_symbol "), std::string_view("create_unbacked_symint "),
        std::string_view("create_unbacked_symbol "), std::string_view("create_unbacked_symfloat "),
        std::string_view("create_unbacked_symbool ")})
    if (text.starts_with(word)) {
      SymbolCreated out;
      if (!read_symbol(text, word, out)) return {};
      body = std::move(out);
      return "create_symbol";
    }
  if (text.starts_with("eval ") || text.starts_with("runtime_assert ")) {
    const bool suppressed = text.starts_with("eval [guard suppressed] ");
    const std::size_t word = suppressed ? 24 : text.find(' ') + 1;
    const std::size_t end = text.find(" [", word);
    if (end == std::string_view::npos) return {};
    GuardAdded out;
    out.runtime_assert = text[0] == 'r';
    out.expr = kept(text.substr(word, end - word));
    const std::string_view rest = text.substr(end + 1);
    if (!rest.starts_with("[guard added")) {
      has_event = false;
      return rest.starts_with("[statically known]") || rest.starts_with("[trivial]") ? "eval: statically known"
                                                                                     : std::string_view{};
    }
    if (suppressed) {  // decided, and not made a guard
      has_event = false;
      return "eval: guard suppressed";
    }
    user_part(after(rest, "]"), out.user_line, out.place);
    out.branch = has(rest, " in evaluate_expr)");
    body = std::move(out);
    return "eval: guard added";
  }
  if (text.starts_with("set_replacement ")) {
    Replacement out;
    const std::string_view rest = text.substr(16);
    out.symbol = kept(before(rest, " = "));
    const std::string_view by = after(rest, " = ");
    if (by.empty()) return {};
    const std::size_t reason = by.find(" (");
    const bool named = reason != std::string_view::npos && has(by.substr(reason), ") VR[");
    out.by = kept(trimmed(named ? by.substr(0, reason) : by));
    if (named) out.reason = kept(before(by.substr(reason + 2), ")"));
    body = std::move(out);
    return "set_replacement";
  }
  if (text.starts_with("marking ") && has(text, " as dynamic")) {
    MarkedDynamic out;
    out.source = kept(before(text.substr(8), " as dynamic"));
    out.why = kept(before(after(text, " as dynamic (from "), ")"));
    body = std::move(out);
    return "marking as dynamic";
  }
  if (text.starts_with("automatic dynamic ")) {
    MarkedDynamic out;
    const std::string_view rest = text.substr(18);
    const std::size_t at = std::min(rest.find(" size("), std::min(rest.find(" dim "), rest.find(" stride(")));
    out.source = kept(rest.substr(0, at));
    out.why = kept(text);
    if (const std::string_view dim = after(rest, " size("); !dim.empty())
      std::from_chars(dim.data(), dim.data() + dim.size(), out.dim);
    body = std::move(out);
    return "automatic dynamic";
  }
  if (has(text, " out of the last ") && has(text, "triggered tf.function retracing")) {
    body = OtherRetrace{"TensorFlow", kept(text)};
    return "TensorFlow: retracing";
  }
  if (text == "create_env") {
    body = CompileStart{{}, {}, true};
    return "create_env";
  }
  if (text == "produce_guards" || text.starts_with("produce_guards ")) {
    body = GuardsProduced{};
    return "produce_guards";
  }
  if (text.starts_with("Ignored guard ")) {
    body = LogNote{"a guard was ignored, so a wrong entry may serve: " + kept(before(text.substr(14), ", this could"))};
    return "ignored guard";
  }
  if (const std::size_t at = text.find("We have observed ");
      at != std::string_view::npos && has(text, " distinct sizes")) {
    body =
        LogNote{"CUDA graphs are recorded for each size: " + kept(before(text.substr(at + 17), " distinct sizes")) +
                " distinct sizes; pad to few, or torch._inductor.config.triton.cudagraph_skip_dynamic_graphs = True"};
    return "CUDA graphs: distinct sizes";
  }
  has_event = false;
  if (text.starts_with("CUDAGraph supports dynamic shapes by recording")) return "CUDA graphs: distinct sizes";
  if (text.starts_with("track_symint ")) return "track_symint";
  if (text.starts_with("compute_unbacked_bindings ")) return "compute_unbacked_bindings";
  if (text.starts_with("propagate_real_tensors ")) return "propagate_real_tensors";
  if (text.starts_with("could not evaluate ")) return "could not evaluate";
  if (text.starts_with("RecursionError in ")) return "RecursionError";
  if (text.starts_with("lru_cache_stats ") || has(text, ": CacheInfo(hits=")) return "lru_cache_stats";
  if (has(text, " FrameStateSizeEntry(")) return "frame state";
  if (head.form == Head::Form::glog && has(head.logger, "symbolic_shapes") &&
      (head.text.empty() || head.text.starts_with("  ") || text.starts_with("User Stack") ||
       text.starts_with("Stack (") || text.starts_with("For C++ stack trace") || text.starts_with("C++ stack trace")))
    return "stack under a decision";
  if (text.starts_with("constrain_symbol_range ") || text.starts_with("rename_unbacked_to ")) return "symbol range";
  return {};
}

}  // namespace dimgate::logs
