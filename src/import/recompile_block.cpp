// `Recompiling function …`: TORCH_LOGS=recompiles and recompiles_verbose, 2.0 to 2.13.
#include "import/log_blocks.hpp"
#include "import/log_text.hpp"

namespace dimgate::logs {

namespace {

constexpr std::string_view kHeader = "Recompiling function ";
constexpr std::string_view kOneLine = "('Recompiling function ";  // 2.0: a tuple

class RecompileBlock final : public Block {
 public:
  RecompileBlock(std::string_view name_and_place, std::string_view artifact) : artifact_(artifact) {
    const std::size_t in = name_and_place.rfind(" in ");
    out_.function = kept(name_and_place.substr(0, in));
    if (in != std::string_view::npos) out_.place = kept(trimmed(name_and_place.substr(in + 4)));
    out_.verbose = artifact == "recompiles_verbose";
  }

  std::string_view take(const Head& head) override {
    if (head.artifact != artifact_) return {};
    const std::string_view text = trimmed(head.text);
    if (text.empty()) return artifact_.empty() ? std::string_view{} : "blank line of a recompile";
    if (text.starts_with("triggered by the following guard failure")) {
      if (const std::string_view rest = trimmed(after(text, ": ")); !rest.empty()) add(rest);
      return "recompile: triggered by";
    }
    if (text.starts_with("guard ") && text.ends_with(" failures:")) {
      out_.verbose = true;
      ids_ = false;
      position_ = "#" + std::string(text.substr(6, text.size() - 16));
      return "recompile: guard N failures";
    }
    if (text.starts_with(kHeader) || text.starts_with(kOneLine)) return {};
    if (text.starts_with("- ") || text == "-") return bullet(head.text.substr(head.text.find('-') + 1));
    if (artifact_.empty()) return {};
    stack(head.text);
    return "recompile: continued";
  }

  bool finish(LogEventBody& body) override {
    body = std::move(out_);
    return true;
  }

  void add(std::string_view text) {
    if (out_.reasons.size() >= kKeepLines) return;
    std::string_view rest = text;
    const std::string_view entry = take_entry(rest);
    FailedGuard reason = parse_failed_guard(rest.substr(0, kKeep * 4));
    reason.entry = entry.empty() ? position_ : std::string(entry);
    out_.reasons.push_back(std::move(reason));
  }

 private:
  std::string_view bullet(std::string_view text) {
    if (text.starts_with(" ")) text.remove_prefix(1);
    if (text.starts_with("The following environment variable")) return "recompile: hint";
    std::string_view rest = text;
    if (!take_entry(rest).empty()) {
      ids_ = true;
      add(text);
      return "recompile: reason";
    }
    if (ids_ || text.starts_with("User stack trace:") || text.starts_with("  File ")) {  // lines of a stack
      stack(text);
      return "recompile: continued";
    }
    add(text);
    return "recompile: reason";
  }
  void stack(std::string_view text) {
    if (out_.reasons.empty()) return;
    std::string& stack = out_.reasons.back().stack;
    if (stack.size() + text.size() > kKeep) return;
    if (!stack.empty()) stack += '\n';
    stack += text;
  }

  std::string artifact_;
  Recompile out_;
  std::string position_;  // "#0" of "guard 0 failures:"
  bool ids_ = false;      // the reasons name their entries
};

}  // namespace

Opened open_recompile(const Head& head, const ReadOptions& /*options*/) {
  const std::string_view text = trimmed(head.text);
  if (text.starts_with(kHeader))
    return {std::make_unique<RecompileBlock>(text.substr(kHeader.size()), head.artifact), "recompile"};
  if (text.starts_with(kOneLine)) {
    const std::string_view rest = text.substr(kOneLine.size());
    auto block = std::make_unique<RecompileBlock>(before(rest, "', "), head.artifact);
    std::string_view reason = after(rest, "guard failure: ");
    if (reason.ends_with(")")) reason.remove_suffix(1);
    if (reason.ends_with("\"") || reason.ends_with("'")) reason.remove_suffix(1);
    block->add(reason);
    return {std::move(block), "recompile (one line)"};
  }
  return {};
}

std::string kept(std::string_view text) { return std::string(text.substr(0, kKeep)); }

}  // namespace dimgate::logs
