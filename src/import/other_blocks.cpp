// Recompiles told in other words: the profiler's table (`Function | Recompiles | Recompile Reasons`), and JAX's
// `TRACING CACHE MISS` with the reasons under it.
#include <charconv>

#include "import/log_blocks.hpp"
#include "import/log_text.hpp"

namespace dimgate::logs {

namespace {

/// The text of a table's row between two columns.
std::string_view cell(std::string_view row, std::size_t from, std::size_t to) {
  if (from >= row.size()) return {};
  std::string_view text = row.substr(from, to == std::string_view::npos ? to : to - from);
  while (!text.empty() && (text.back() == '|' || text.back() == ' ')) text.remove_suffix(1);
  while (!text.empty() && (text.front() == '|' || text.front() == ' ')) text.remove_prefix(1);
  return text;
}

/// `forward (/x/a.py:131)`, a number, one reason a line. A row tells of many recompiles at once: one event with all
/// their reasons.
class TableBlock final : public Block {
 public:
  explicit TableBlock(std::string_view header) {
    grid_ = header.starts_with("|");
    const std::size_t number = header.find("Recompiles");
    number_ = header.rfind("  ", number) == std::string_view::npos ? number : header.rfind("  ", number) + 2;
    if (grid_) number_ = header.rfind('|', number) + 1;
    reason_ = header.find("Recompile Reasons");
    if (grid_) reason_ = header.rfind('|', reason_) + 1;
  }
  std::string_view take(const Head& head) override {
    const std::string_view text = head.text;
    if (head.form != Head::Form::bare || done_) return {};
    if (trimmed(text).empty()) {
      done_ = !rows_.empty();
      return done_ ? std::string_view{} : "recompile table: rule";
    }
    if (text.find_first_not_of("-=+ |") == std::string_view::npos) return "recompile table: rule";
    if (grid_ && !text.starts_with("|")) return {};
    return row(text);
  }
  bool finish(LogEventBody& body) override {
    if (rows_.empty()) return false;
    body = std::move(rows_.front());
    return true;
  }
  void more(std::vector<LogEventBody>& bodies) override {
    for (std::size_t i = 1; i < rows_.size(); ++i) bodies.emplace_back(std::move(rows_[i]));
  }

 private:
  std::string_view row(std::string_view text) {
    const std::string_view name = cell(text, 0, number_);
    if (!name.empty() && rows_.size() < kKeepLines) {
      Recompile& out = rows_.emplace_back();
      const std::size_t open = name.rfind(" (");
      out.function = kept(name.substr(0, open));
      if (open != std::string_view::npos && name.ends_with(")"))
        out.place = kept(name.substr(open + 2, name.size() - open - 3));
    }
    if (rows_.empty()) return {};
    if (std::string_view reason = cell(text, reason_, std::string_view::npos); !reason.empty()) {
      const std::string_view entry = take_entry(reason);
      FailedGuard guard = parse_failed_guard(reason.substr(0, 4 * kKeep));
      guard.entry = entry;
      if (++reasons_ < kKeepLines) rows_.back().reasons.push_back(std::move(guard));
    }
    return "recompile table: row";
  }

  std::vector<Recompile> rows_;
  std::size_t number_ = 0, reason_ = 0, reasons_ = 0;
  bool grid_ = false, done_ = false;
};

class JaxBlock final : public Block {
 public:
  explicit JaxBlock(std::string_view text) : out_{"JAX", kept(text)} {}
  std::string_view take(const Head& head) override {
    if (!head.text.starts_with("  ")) return {};
    if (out_.text.size() < kKeep) out_.text += "; " + kept(trimmed(head.text));
    return "JAX: reason";
  }
  bool finish(LogEventBody& body) override {
    body = std::move(out_);
    return true;
  }

 private:
  OtherRetrace out_;
};

}  // namespace

Opened open_other(const Head& head, const ReadOptions& /*options*/) {
  const std::string_view text = trimmed(head.text);
  if (const std::size_t at = head.text.find("TRACING CACHE MISS at "); at != std::string_view::npos && at < 64)
    return {std::make_unique<JaxBlock>(trimmed(head.text.substr(at))), "JAX: tracing cache miss"};
  if ((text.starts_with("Function ") || text.starts_with("| Function ")) && has(text, "Recompiles ") &&
      text.find("Recompile Reasons") != std::string_view::npos)
    return {std::make_unique<TableBlock>(head.text), "recompile table: header"};
  return {};
}

}  // namespace dimgate::logs
