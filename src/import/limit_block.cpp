// `torch._dynamo hit config.recompile_limit (8)` and the lines under it.
#include <charconv>

#include "import/log_blocks.hpp"
#include "import/log_text.hpp"

namespace dimgate::logs {

namespace {

class LimitBlock final : public Block {
 public:
  explicit LimitBlock(std::string_view text) {
    const std::string_view rest = after(text, "hit config.");
    out_.limit = kept(before(rest, " "));
    const std::string_view number = after(rest, "(");
    std::from_chars(number.data(), number.data() + number.size(), out_.number);
  }
  std::string_view take(const Head& head) override {
    const std::string_view text = trimmed(head.text);
    const bool bare = head.form == Head::Form::bare;
    if (text.starts_with("function: '")) {
      const std::string_view rest = text.substr(11);
      out_.function = kept(before(rest, "' ("));
      out_.place = kept(before(after(rest, "' ("), ")"));
      return "limit: function";
    }
    if (text.starts_with("last reason:") || text.starts_with("reasons:")) {
      std::string_view rest = trimmed(after(text, ":"));
      if (rest.starts_with("reasons:")) rest = trimmed(after(rest, ":"));  // 2.0
      if (rest.starts_with("[\"") || rest.starts_with("['")) {             // a list of one text
        rest.remove_prefix(2);
        if (rest.ends_with("']") || rest.ends_with("\"]")) rest.remove_suffix(2);
      }
      const std::string_view entry = take_entry(rest);
      out_.last_reason = parse_failed_guard(rest.substr(0, kKeep * 4));
      out_.last_reason.entry = entry;
      return "limit: reason";
    }
    if (text.starts_with("To log all recompil") || text.starts_with("To diagnose recompil") ||
        text.starts_with("to diagnose recompil"))
      return "limit: advice";
    if (bare || head.level != 'W') return {};
    if (text.starts_with("User stack trace:")) {
      stack_ = true;
      return "limit: stack";
    }
    return stack_ && head.text.starts_with("  ") ? "limit: stack" : std::string_view{};
  }
  bool finish(LogEventBody& body) override {
    body = std::move(out_);
    return true;
  }

 private:
  LimitHit out_;
  bool stack_ = false;
};

}  // namespace

Opened open_limit(const Head& head, const ReadOptions& /*options*/) {
  const std::string_view text = trimmed(head.text);
  if (!has(text, "torch._dynamo hit config.") || !has(text, "_limit (")) return {};
  return {std::make_unique<LimitBlock>(text), "limit"};
}

}  // namespace dimgate::logs
