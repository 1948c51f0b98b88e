// TORCH_LOGS=guards: `GUARDS:` lists (to 2.4) and `TREE_GUARD_MANAGER:` trees (2.4 on).
#include <cstdlib>

#include "import/guard_comment.hpp"
#include "import/guard_lines.hpp"
#include "import/log_blocks.hpp"
#include "import/log_text.hpp"

namespace dimgate::logs {

namespace {
constexpr std::size_t kTensors = 64;  // guards on tensors, where the others are only counted
}

std::string_view GuardLines::take(std::string_view text) {
  const std::string_view line = trimmed(text);
  if (line.empty()) return "guards: blank line";
  if (line == "GUARDS:") {
    python_ = false;
    return "guards: header";
  }
  if (line == "TREE_GUARD_MANAGER:") {
    out_.tree = true;
    python_ = false;
    return "guards: tree";
  }
  if (const std::size_t at = line.find("latency = "); line.starts_with("Guard ") && at != std::string_view::npos) {
    out_.latency_us = std::strtod(std::string(line.substr(at + 10, 32)).c_str(), nullptr);
    return "guards: latency";
  }
  if (line.starts_with("Python shape guard function:")) {
    python_ = true;
    return "guards: python shape guard";
  }
  std::size_t at = 0;
  while (at + 1 < text.size() && (text[at] == '|' || text[at] == ' ')) ++at;
  if (text.substr(at).starts_with("+- ")) {
    python_ = false;
    node(text.substr(at + 3));
    return "guards: node";
  }
  if (python_) return "guards: python shape guard";
  if (out_.tree) return {};
  add("", text);
  return "guards: guard";
}

void GuardLines::node(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() &&
         ((text[end] >= 'A' && text[end] <= 'Z') || text[end] == '_' || (text[end] >= '0' && text[end] <= '9')))
    ++end;
  if (end < 2) return;
  const std::string_view kind = text.substr(0, end);
  const std::string_view rest = text.substr(end);
  if (rest.starts_with(": "))
    add(kind, rest.substr(2));
  else if (trimmed(rest).empty())
    add(kind, {});  // a later mention of a relation: NO_TENSOR_ALIASING
}

void GuardLines::add(std::string_view kind, std::string_view text) {
  ++out_.count;
  if (out_.guards.size() >= (texts_ ? kKeepLines : kTensors)) return;
  if (!texts_ && kind != "TENSOR_MATCH" && !text.starts_with("check_tensor(")) return;
  const Commented parts = split_comment(text.substr(0, 4 * kKeep));
  out_.guards.push_back(
      {std::string(kind), std::string(parts.guard), std::string(parts.user_line), std::string(parts.place)});
}

namespace {

class GuardsBlock final : public Block {
 public:
  GuardsBlock(const Head& head, bool texts) : artifact_(head.artifact), lines_(texts) { lines_.take(head.text); }
  std::string_view take(const Head& head) override {
    if (head.artifact != artifact_) return {};
    const std::string_view line = trimmed(head.text);
    if ((line == "GUARDS:" && !lines_.empty()) || (line == "TREE_GUARD_MANAGER:" && lines_.tree())) return {};
    if (line.starts_with("Python shape guard function:") && lines_.tree()) return {};  // of the next entry
    if (artifact_.empty() && head.form == Head::Form::bare && !looks_like_guards(head.text)) return {};
    return lines_.take(head.text);
  }
  bool finish(LogEventBody& body) override {
    body = lines_.finish();
    return true;
  }

 private:
  [[nodiscard]] bool looks_like_guards(std::string_view text) const {
    const std::string_view line = trimmed(text);
    return line.starts_with("+- ") || line.starts_with("| ") || line == "TREE_GUARD_MANAGER:" ||
           line.starts_with("Guard latency") || line.starts_with("Guard eval latency") ||
           (!lines_.tree() && has(text, "  # "));
  }
  std::string artifact_;
  GuardLines lines_;
};

}  // namespace

Opened open_guards(const Head& head, const ReadOptions& options) {
  if (!head.artifact.empty() && head.artifact != "guards") return {};
  const std::string_view line = trimmed(head.text);
  if (line != "GUARDS:" && line != "TREE_GUARD_MANAGER:" && !line.starts_with("Python shape guard function:"))
    return {};
  return {std::make_unique<GuardsBlock>(head, options.guards), "guards: header"};
}

}  // namespace dimgate::logs
