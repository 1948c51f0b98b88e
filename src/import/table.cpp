#include "import/table.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace dimgate {

Table::Table() : impl_(std::make_unique<Impl>()) {}
Table::Table(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}
Table::~Table() = default;
Table::Table(Table&&) noexcept = default;
Table& Table::operator=(Table&&) noexcept = default;

const std::string& Table::file() const noexcept { return impl_->file; }
std::size_t Table::rows() const noexcept { return impl_->lines.size(); }
const std::vector<std::string>& Table::columns() const noexcept { return impl_->names; }
unsigned Table::line(std::size_t row) const noexcept { return impl_->lines[row]; }

std::optional<std::size_t> Table::find(std::string_view column) const noexcept {
  const auto it = std::find(impl_->names.begin(), impl_->names.end(), column);
  if (it == impl_->names.end()) return std::nullopt;
  return static_cast<std::size_t>(it - impl_->names.begin());
}

std::optional<std::string_view> Table::cell(std::size_t row, std::size_t column) const noexcept {
  const auto& cells = impl_->cells[column];
  if (row >= cells.size() || cells[row].data() == nullptr) return std::nullopt;
  return cells[row];
}

Error Table::error_at(std::size_t row, std::size_t column, std::string message) const {
  unsigned at = 0;
  const std::string_view text = impl_->text;
  const char* begin = text.data() + impl_->starts[row];
  if (const auto value = cell(row, column)) {
    if (value->data() >= text.data() && value->data() <= text.data() + text.size()) {
      at = static_cast<unsigned>(value->data() - begin) + 1;
    } else {  // JSON: where the key stands in its line
      const std::string_view line =
          text.substr(impl_->starts[row], text.find('\n', impl_->starts[row]) - impl_->starts[row]);
      const std::string& name = impl_->names[column];
      const std::string key = '"' + name.substr(name.rfind('.') == std::string::npos ? 0 : name.rfind('.') + 1) + '"';
      if (const auto found = line.find(key); found != std::string_view::npos) at = static_cast<unsigned>(found) + 1;
    }
  }
  return impl_->error(impl_->lines[row], at, std::move(message));
}

std::string Table::column_list() const {
  std::string out;
  for (const std::string& name : impl_->names) {
    if (out.size() > 400) return out + ", ...";
    if (!out.empty()) out += ", ";
    out += name;
  }
  return out.empty() ? "none" : out;
}

Result<Table> finish_table(std::unique_ptr<Table::Impl> impl) {
  if (impl->lines.empty())
    return impl->error(
        0, 0, "empty trace: a trace needs a header row and at least one call (CSV), or one JSON object a line");
  return Table(std::move(impl));
}

Result<std::string> read_file(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return Error{"is a directory; name a file in it", path};
  struct Closer {
    void operator()(std::FILE* f) const { std::fclose(f); }
  };
  std::unique_ptr<std::FILE, Closer> file(std::fopen(path.c_str(), "rb"));
  if (!file) return Error{std::string("cannot be opened: ") + std::strerror(errno) + "; check the path", path};
  std::string text;
  if (const auto size = std::filesystem::file_size(path, ignored); !ignored) text.reserve(size + 1);
  char buffer[1U << 16U];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, file.get())) text.append(buffer, n);
  if (std::ferror(file.get()) != 0) return Error{std::string("cannot be read: ") + std::strerror(errno), path};
  return text;
}

Result<Table> read_table(const std::string& path) {
  auto text = read_file(path);
  if (!text) return text.error();
  const auto ends_with = [&](std::string_view tail) {
    return path.size() >= tail.size() && std::string_view(path).substr(path.size() - tail.size()) == tail;
  };
  const std::size_t first = text->find_first_not_of(" \t\r\n");
  const bool json = ends_with(".jsonl") || ends_with(".ndjson") || ends_with(".json") ||
                    (first != std::string::npos && (*text)[first] == '{');
  return json ? read_json_lines(std::move(*text), path) : read_csv(std::move(*text), path);
}

}  // namespace dimgate
