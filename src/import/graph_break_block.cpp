// TORCH_LOGS=graph_breaks, and the warning about `.item()`.
#include "import/log_blocks.hpp"
#include "import/log_text.hpp"

namespace dimgate::logs {

namespace {

class GraphBreakBlock final : public Block {
 public:
  explicit GraphBreakBlock(const Head& head) : logger_(head.logger), artifact_(head.artifact) { read(head.text); }
  std::string_view take(const Head& head) override {
    if (head.form == Head::Form::bare || head.logger != logger_ || head.artifact != artifact_) return {};
    if (head.text.starts_with("Graph break")) return {};
    read(head.text);
    return "graph break: line";
  }
  bool finish(LogEventBody& body) override {
    body = std::move(out_);
    return true;
  }

 private:
  void read(std::string_view text) {
    const std::string_view line = trimmed(text);
    if (const std::string_view hint = after(line, "Hint: "); line.starts_with("Hint: ")) {
      if (out_.hints.size() < 8) out_.hints.push_back(kept(hint));
    } else if (line.starts_with("Explanation: ")) {
      out_.explanation = kept(line.substr(13));
    } else if (line.starts_with("For more details about this graph break")) {
      out_.link = kept(trimmed(after(line, "visit: ")));
    } else if (line.starts_with("Graph break in user code at ")) {
      out_.place = kept(line.substr(28));
    } else if (const std::string_view reason = after(line, "Graph Break Reason: "); !reason.empty()) {
      out_.reason = kept(reason);
      what_follows_ = has(reason, "Encountered graph break when attempting to trace ");
    } else if (what_follows_ && !line.empty()) {  // what could not be traced, in a line of its own
      out_.reason = kept(line);
      what_follows_ = false;
    } else if (const std::string_view old = after(line, "Reason: "); !old.empty() && out_.reason.empty()) {
      out_.reason = kept(old);
    } else if (line.starts_with("Graph break") && out_.reason.empty()) {
      out_.reason = kept(trimmed(after(line, line.starts_with("Graph break: ") ? "Graph break: " : "Graph break ")));
    } else if (line.starts_with("File \"") && out_.place.empty()) {
      out_.place = kept(before(line.substr(6), "\""));
      const std::string_view number = before(after(line, "\", line "), ",");
      if (!number.empty()) out_.place += ":" + kept(number);
    }
  }
  GraphBreak out_;
  bool what_follows_ = false;
  std::string logger_, artifact_;
};

}  // namespace

Opened open_graph_break(const Head& head, const ReadOptions& /*options*/) {
  if (!head.text.starts_with("Graph break")) return {};
  return {std::make_unique<GraphBreakBlock>(head), "graph break"};
}

}  // namespace dimgate::logs
