// CSV as RFC 4180 has it, with a header. Quoted fields are unescaped in place (text only gets shorter), so that every
// cell is a view into the file's own text and its place is its address.
#include <algorithm>

#include "import/table.hpp"

namespace dimgate {

namespace {

class CsvReader {
 public:
  explicit CsvReader(Table::Impl& table) : table_(table), text_(table.text) {
    if (std::string_view(text_).starts_with("\xEF\xBB\xBF")) at_ = line_start_ = 3;
  }

  std::optional<Error> read() {
    std::vector<std::string_view> fields;
    bool header = true;
    while (at_ < text_.size()) {
      const std::size_t start = line_start_;
      const unsigned line = line_;
      if (auto error = record(fields)) return error;
      if (fields.size() == 1 && fields[0].empty()) continue;  // blank line
      if (header) {
        if (auto error = name_columns(fields, start, line)) return error;
        header = false;
        continue;
      }
      if (fields.size() != table_.names.size())
        return table_.error(
            line, 1,
            std::to_string(fields.size()) + " fields where the header names " + std::to_string(table_.names.size()));
      for (std::size_t i = 0; i < fields.size(); ++i) table_.cells[i].push_back(fields[i]);
      table_.lines.push_back(line);
      table_.starts.push_back(start);
    }
    return std::nullopt;
  }

 private:
  /// One record into `fields`; leaves at_ behind its line end.
  std::optional<Error> record(std::vector<std::string_view>& fields) {
    fields.clear();
    for (;;) {
      if (at_ < text_.size() && text_[at_] == '"') {
        if (auto error = quoted(fields)) return error;
      } else {
        const std::size_t begin = at_;
        while (at_ < text_.size() && text_[at_] != ',' && text_[at_] != '\n') ++at_;
        std::size_t end = at_;
        if (end > begin && text_[end - 1] == '\r' && (at_ == text_.size() || text_[at_] == '\n')) --end;
        fields.emplace_back(text_.data() + begin, end - begin);
      }
      if (at_ < text_.size() && text_[at_] == ',') {
        ++at_;
        continue;
      }
      if (at_ < text_.size()) next_line();
      return std::nullopt;
    }
  }

  std::optional<Error> quoted(std::vector<std::string_view>& fields) {
    const std::size_t begin = at_;
    const unsigned line = line_;
    const auto column = static_cast<unsigned>(begin - line_start_) + 1;
    std::size_t out = begin + 1;
    for (++at_;;) {
      if (at_ >= text_.size())
        return table_.error(line, column, "this quote is never closed; expected a `\"` before the end");
      const char c = text_[at_];
      if (c == '"') {
        if (at_ + 1 >= text_.size() || text_[at_ + 1] != '"') break;
        ++at_;
      }
      text_[out++] = c;
      if (c == '\n') {
        next_line();
      } else {
        ++at_;
      }
    }
    ++at_;
    fields.emplace_back(text_.data() + begin + 1, out - begin - 1);
    if (at_ < text_.size() && text_[at_] == '\r' && (at_ + 1 == text_.size() || text_[at_ + 1] == '\n')) ++at_;
    if (at_ < text_.size() && text_[at_] != ',' && text_[at_] != '\n')
      return table_.error(line_, static_cast<unsigned>(at_ - line_start_) + 1,
                          "expected `,` or the line's end after a quoted field");
    return std::nullopt;
  }

  std::optional<Error> name_columns(const std::vector<std::string_view>& fields, std::size_t start, unsigned line) {
    for (const std::string_view field : fields) {
      const std::size_t begin = std::min(field.find_first_not_of(" \t"), field.size());
      std::string name(field.substr(begin, field.find_last_not_of(" \t") + 1 - begin));
      const auto column = static_cast<unsigned>(field.data() - text_.data()) - static_cast<unsigned>(start) + 1;
      if (name.empty())
        return table_.error(line, column, "a column without a name; the first line must name every column");
      if (!table_.by_name.emplace(name, table_.names.size()).second)
        return table_.error(line, column, "column '" + name + "' is named twice");
      table_.names.push_back(std::move(name));
    }
    table_.cells.resize(table_.names.size());
    return std::nullopt;
  }

  void next_line() {
    line_start_ = ++at_;
    ++line_;
  }

  Table::Impl& table_;
  std::string& text_;
  std::size_t at_ = 0, line_start_ = 0;
  unsigned line_ = 1;
};

}  // namespace

Result<Table> read_csv(std::string text, std::string file) {
  auto impl = std::make_unique<Table::Impl>();
  impl->file = std::move(file);
  impl->text = std::move(text);
  if (auto error = CsvReader(*impl).read()) return *std::move(error);
  return finish_table(std::move(impl));
}

}  // namespace dimgate
