// Traces of calls: what a service really received, one call a row, and the formulas that turn a row into dimensions.
//
// Read: CSV with a header (RFC 4180: quoted fields, CRLF, byte order mark) and JSON Lines (one object a line; nested
// values become columns `a.b` and `a[0]`). A cell keeps its text; what it means is decided by the formula that uses it.
// Cost: one pass over the file, 16 bytes a cell, the file kept in memory.
// Errors name file, line and column and what would be right. Tests: tests/import.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dimgate/result.hpp"

namespace dimgate {

/// Rows of named cells, with the place of each in the file.
class Table {
 public:
  Table();
  ~Table();
  Table(Table&&) noexcept;
  Table& operator=(Table&&) noexcept;

  [[nodiscard]] const std::string& file() const noexcept;
  [[nodiscard]] std::size_t rows() const noexcept;
  [[nodiscard]] const std::vector<std::string>& columns() const noexcept;
  [[nodiscard]] std::optional<std::size_t> find(std::string_view column) const noexcept;
  /// The text of a cell; nullopt where a JSON row has no such key (or null).
  [[nodiscard]] std::optional<std::string_view> cell(std::size_t row, std::size_t column) const noexcept;
  /// An error at that cell.
  [[nodiscard]] Error error_at(std::size_t row, std::size_t column, std::string message) const;
  [[nodiscard]] unsigned line(std::size_t row) const noexcept;
  /// "TIMESTAMP, ContextTokens": for messages.
  [[nodiscard]] std::string column_list() const;

  struct Impl;
  explicit Table(std::unique_ptr<Impl> impl) noexcept;

 private:
  std::unique_ptr<Impl> impl_;
};

/// Text already in memory; `file` is for messages. A table without a row is an error ("empty trace").
Result<Table> read_csv(std::string text, std::string file);
Result<Table> read_json_lines(std::string text, std::string file);
/// A file: JSON Lines if its name ends in .jsonl, .ndjson or .json, or its first character is `{`; else CSV.
Result<Table> read_table(const std::string& path);
/// The whole file, or an error that names it and says why.
Result<std::string> read_file(const std::string& path);

/// `--batch COLUMN:1s`: consecutive rows whose COLUMN falls into the same window form one call.
/// Windows: `ms`, `s`, `m`, `h` (COLUMN is a date and time, or a number of seconds), or a bare number (COLUMN's own
/// unit).
struct Batch {
  std::string column;
  /// Width of a window in nanoseconds of a time, or in units of the column where `own_unit`.
  std::int64_t width = 0;
  bool own_unit = false;
};
Result<Batch> parse_batch(std::string_view text);

/// `--bind NAME=EXPR`: a dimension and the formula over the columns that gives it.
struct Bind {
  std::string dim;
  std::string formula;
};
Result<Bind> parse_bind(std::string_view text);

/// Values of the dimensions, call by call.
class Calls {
 public:
  Calls(std::vector<std::string> dims, std::vector<std::int64_t> values, std::vector<std::uint32_t> lines,
        std::vector<bool> constant)
      : dims_(std::move(dims)), values_(std::move(values)), lines_(std::move(lines)), constant_(std::move(constant)) {}
  [[nodiscard]] const std::vector<std::string>& dims() const noexcept { return dims_; }
  [[nodiscard]] std::size_t size() const noexcept { return lines_.size(); }
  [[nodiscard]] std::span<const std::int64_t> operator[](std::size_t call) const noexcept {
    return std::span(values_).subspan(call * dims_.size(), dims_.size());
  }
  /// All values, call after call, dims().size() each.
  [[nodiscard]] std::span<const std::int64_t> values() const noexcept { return values_; }
  /// True if the dimension was bound to a formula without columns (`B=1`): no policy pads it.
  [[nodiscard]] bool is_constant(std::size_t dim) const noexcept { return constant_[dim]; }
  /// The line of the file where a call (the first row of its batch) stands.
  [[nodiscard]] unsigned line(std::size_t call) const noexcept { return lines_[call]; }

 private:
  std::vector<std::string> dims_;
  std::vector<std::int64_t> values_;
  std::vector<std::uint32_t> lines_;
  std::vector<bool> constant_;
};

struct CallOptions {
  std::vector<Bind> binds;           // each dimension once; its order is that of Calls::dims
  std::optional<Batch> batch;        // then formulas use count(), max(column), min(column)
  std::optional<std::size_t> first;  // only the first N calls
};

/// True if the formula reads and every column it names is there: how a default binding is chosen.
bool can_bind(const Table& table, const std::string& formula, bool batched);

/// Evaluates the binds on every call. A formula is written in the guard language over column names; its value must be
/// an integer that fits int64. Errors: a malformed formula, a column that is not there (those present are listed), text
/// where a number is needed, a value that is undefined (a zero divisor) or no integer.
Result<Calls> bind_calls(const Table& table, const CallOptions& options);

}  // namespace dimgate
