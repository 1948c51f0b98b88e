// Compiles that fail: `Error while creating guard:` with its traceback, and the exceptions themselves.
#include <algorithm>
#include <array>

#include "import/log_blocks.hpp"
#include "import/log_text.hpp"

namespace dimgate::logs {

namespace {

bool in_dotted_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

/// `torch.x.ConstraintViolationError: message` -> the name without modules; empty: no exception of the front end.
std::string_view exception(std::string_view text, std::string_view& message) {
  std::size_t end = 0;
  while (end < text.size() && in_dotted_name(text[end])) ++end;
  if (end == 0 || !text.substr(end).starts_with(":")) return {};
  std::string_view name = text.substr(0, end);
  const std::string_view said = trimmed(text.substr(end + 1));
  if (name == "AssertionError" && said.starts_with("expected size ") && has(said, "==")) {
    message = said;  // compiled code met a tensor of another layout than it was compiled for
    return "assert_size_stride";
  }
  const bool ours = name.starts_with("torch.");
  name = name.substr(name.rfind('.') + 1);
  static constexpr std::array<std::string_view, 9> known{
      "ConstraintViolationError",    "RecompileError",         "FailOnRecompileLimitHit",
      "GuardOnDataDependentSymNode", "TorchRuntimeError",      "BackendCompilerFailed",
      "InternalTorchDynamoError",    "RecompileLimitExceeded", "UserError"};
  if (!ours && std::find(known.begin(), known.end(), name) == known.end()) return {};
  if (name.empty() || name[0] < 'A' || name[0] > 'Z') return {};
  message = trimmed(text.substr(end + 1));
  return name;
}

class ErrorBlock final : public Block {
 public:
  explicit ErrorBlock(const Head& head) : logger_(head.logger), bare_(head.form == Head::Form::bare) {
    read(head.text);
  }
  std::string_view take(const Head& head) override {
    const std::string_view line = trimmed(head.text);
    if (bare_) {
      if (head.form != Head::Form::bare || line.empty()) return {};
      if (line.starts_with("triggered by the following guard failure") && out_.type == "RecompileError")
        return "error: detail";
      if (line.starts_with("- ") || line == "Suggested fixes:" || (fixes_ && has(line, " = "))) {
        read(head.text);
        return "error: detail";
      }
      return {};
    }
    if (head.logger != logger_ || head.level != 'E' || line == "Error while creating guard:") return {};
    read(head.text);
    return "error: line";
  }
  bool finish(LogEventBody& body) override {
    if (out_.type.empty()) return false;
    body = std::move(out_);
    return true;
  }

 private:
  void read(std::string_view text) {
    const std::string_view line = trimmed(text);
    if (line == "Created at:") created_ = true;
    if (created_) return;
    if (out_.type.empty()) {
      std::string_view message;
      const std::string_view name = exception(line, message);
      if (name.empty()) return;
      out_.type = name;
      out_.message = kept(message);
      return;
    }
    if (out_.type == "RecompileError" && out_.function.empty())
      out_.function = kept(before(after(out_.message, "Recompiling function "), " in "));
    if (line.starts_with("File \"")) {  // the user's stack: the last is the innermost
      out_.function = kept(after(line, ", in "));
    } else if (line == "Suggested fixes:") {
      fixes_ = true;
    } else if (out_.details.size() < 64 && (line.starts_with("- ") || (fixes_ && has(line, " = ")))) {
      out_.details.push_back(kept(line.starts_with("- ") ? line.substr(2) : line));
    }
  }
  CompileFailed out_;
  std::string logger_;
  bool bare_, fixes_ = false, created_ = false;
};

}  // namespace

Opened open_error(const Head& head, const ReadOptions& /*options*/) {
  const std::string_view line = trimmed(head.text);
  std::string_view message;
  if (line == "Error while creating guard:" || !exception(line, message).empty())
    return {std::make_unique<ErrorBlock>(head), "error"};
  return {};
}

}  // namespace dimgate::logs
