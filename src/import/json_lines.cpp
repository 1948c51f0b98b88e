// JSON Lines: one object a line. nlohmann's event parser (explicit stack, so depth is no matter) feeds cells; a nested
// value becomes the column of its path: {"x": {"shape": [2, 3]}} gives `x.shape[0]` and `x.shape[1]`.
#include <charconv>
#include <cstring>
#include <nlohmann/json.hpp>

#include "import/table.hpp"

namespace dimgate {

namespace {

using nlohmann::json;

/// Every column costs 16 bytes a row, so that a new key in every row would take memory quadratic in the file.
constexpr std::size_t kMostColumns = 4096;

class RowBuilder {
 public:
  using number_integer_t = json::number_integer_t;
  using number_unsigned_t = json::number_unsigned_t;
  using number_float_t = json::number_float_t;
  using string_t = json::string_t;
  using binary_t = json::binary_t;

  explicit RowBuilder(Table::Impl& table) : table_(table) {}

  void begin_row(std::size_t row) { row_ = row, path_.clear(), levels_.clear(), problem_.clear(), at_ = 0; }
  [[nodiscard]] const std::string& problem() const { return problem_; }
  [[nodiscard]] std::size_t position() const { return at_; }

  bool null() { return begin_value(true); }
  bool boolean(bool v) { return put(v ? "true" : "false"); }
  bool number_integer(number_integer_t v) { return put(std::to_string(v)); }
  bool number_unsigned(number_unsigned_t v) { return put(std::to_string(v)); }
  bool number_float(number_float_t, const string_t& text) { return put(text); }
  bool string(string_t& text) { return put(text); }
  bool binary(binary_t&) { return false; }
  bool start_object(std::size_t) { return begin_value(false) && open(false); }
  bool start_array(std::size_t) { return begin_value(false) && open(true); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(string_t& name) {
    path_.resize(levels_.back().length);
    if (!path_.empty()) path_ += '.';
    path_ += name;
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const json::exception& error) {
    at_ = position;
    problem_ = error.what();
    // "[json.exception.parse_error.101] parse error at line 1, column 5: syntax error ..." -> what follows the place
    if (const auto colon = problem_.find(": "); colon != std::string::npos) problem_.erase(0, colon + 2);
    return false;
  }

 private:
  struct Level {
    std::size_t length;  // of the path of the container itself
    bool array;
    std::size_t next;  // index of the next element
  };

  bool begin_value(bool scalar) {
    if (levels_.empty()) {
      if (!scalar) return true;
      return fail("expected an object: one call a line, such as {\"length\": 12}");
    }
    if (levels_.back().array) {
      path_.resize(levels_.back().length);
      path_ += '[' + std::to_string(levels_.back().next++) + ']';
    }
    return true;
  }
  bool open(bool array) {
    if (levels_.empty() && array) return fail("expected an object: one call a line, such as {\"length\": 12}");
    levels_.push_back({path_.size(), array, 0});
    return true;
  }
  bool close() {
    path_.resize(levels_.back().length);
    levels_.pop_back();
    return true;
  }
  bool fail(std::string message) {
    problem_ = std::move(message);
    at_ = 1;
    return false;
  }

  bool put(std::string_view value) {
    if (!begin_value(true)) return false;
    auto [it, added] = table_.by_name.emplace(path_, table_.names.size());
    if (added) {
      if (table_.names.size() == kMostColumns)
        return fail("more than 4096 different keys; a trace has one key a quantity");
      table_.names.push_back(path_);
      table_.cells.emplace_back();
    }
    auto& column = table_.cells[it->second];
    if (column.size() > row_) return fail("key '" + path_ + "' stands twice in this object");
    column.resize(row_ + 1);
    auto* text = static_cast<char*>(table_.decoded.allocate(value.size() + 1, 1));
    std::memcpy(text, value.data(), value.size());
    column[row_] = {text, value.size()};
    return true;
  }

  Table::Impl& table_;
  std::size_t row_ = 0;
  std::string path_;
  std::vector<Level> levels_;
  std::string problem_;
  std::size_t at_ = 0;
};

}  // namespace

Result<Table> read_json_lines(std::string text, std::string file) {
  auto impl = std::make_unique<Table::Impl>();
  impl->file = std::move(file);
  impl->text = std::move(text);
  RowBuilder builder(*impl);
  const std::string_view all = impl->text;
  unsigned line = 0;
  for (std::size_t start = all.starts_with("\xEF\xBB\xBF") ? 3 : 0, end = 0; start < all.size(); start = end + 1) {
    end = std::min(all.find('\n', start), all.size());
    ++line;
    const std::string_view row = all.substr(start, end - start);
    if (row.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    builder.begin_row(impl->lines.size());
    if (!json::sax_parse(row.begin(), row.end(), &builder))
      return impl->error(line, static_cast<unsigned>(builder.position()), builder.problem());
    impl->lines.push_back(line);
    impl->starts.push_back(start);
  }
  return finish_table(std::move(impl));
}

}  // namespace dimgate
