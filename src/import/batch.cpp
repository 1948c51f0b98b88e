#include "import/batch.hpp"

#include <charconv>
#include <chrono>

#include "base/ascii.hpp"
#include "import/values.hpp"

namespace dimgate {

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

/// Eats exactly `n` digits.
bool digits(std::string_view& text, std::size_t n, int& out) {
  if (text.size() < n) return false;
  out = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (!is_digit(text[i])) return false;
    out = out * 10 + (text[i] - '0');
  }
  text.remove_prefix(n);
  return true;
}

bool eat(std::string_view& text, char c) {
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

/// `.97996` as nanoseconds; digits past the ninth are dropped (times are floored).
bool fraction(std::string_view& text, std::int64_t& out) {
  out = 0;
  if (!eat(text, '.')) return true;
  std::int64_t unit = kSecond / 10;
  std::size_t n = 0;
  for (; !text.empty() && is_digit(text.front()); text.remove_prefix(1), ++n) {
    out += unit * (text.front() - '0');
    unit /= 10;
  }
  return n > 0;
}

std::optional<std::int64_t> seconds_and(std::int64_t seconds, std::int64_t nanoseconds) {
  std::int64_t out;
  if (__builtin_mul_overflow(seconds, kSecond, &out) || __builtin_add_overflow(out, nanoseconds, &out)) return {};
  return out;
}

std::optional<std::int64_t> parse_number_of_seconds(std::string_view text) {
  const bool negative = eat(text, '-');
  std::int64_t whole = 0, part = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), whole);
  if (error != std::errc{} || !is_digit(text.front())) return {};
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (!fraction(text, part) || !text.empty()) return {};
  return negative ? seconds_and(-whole, -part) : seconds_and(whole, part);
}

std::int64_t floor_quotient(std::int64_t a, std::int64_t b) { return a / b - ((a % b != 0 && a < 0) ? 1 : 0); }

}  // namespace

std::optional<std::int64_t> parse_time(std::string_view text) {
  text = trimmed(text);
  std::string_view rest = text;
  int year, month, day, hour, minute, second;
  if (!digits(rest, 4, year) || !eat(rest, '-')) return parse_number_of_seconds(text);
  if (!digits(rest, 2, month) || !eat(rest, '-') || !digits(rest, 2, day)) return {};
  if (!eat(rest, ' ') && !eat(rest, 'T')) return {};
  if (!digits(rest, 2, hour) || !eat(rest, ':') || !digits(rest, 2, minute) || !eat(rest, ':')) return {};
  std::int64_t part = 0;
  if (!digits(rest, 2, second) || !fraction(rest, part)) return {};
  int offset = 0;
  if (!eat(rest, 'Z') && !rest.empty()) {
    const bool west = rest.front() == '-';
    int hours, minutes;
    if (!eat(rest, '-') && !eat(rest, '+')) return {};
    if (!digits(rest, 2, hours)) return {};
    eat(rest, ':');
    if (!digits(rest, 2, minutes)) return {};
    offset = (hours * 60 + minutes) * (west ? -60 : 60);
  }
  if (!rest.empty()) return {};
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok() || hour > 23 || minute > 59 || second > 60) return {};
  const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  return seconds_and(days * 86400 + hour * 3600 + minute * 60 + second - offset, part);
}

Result<Batch> parse_batch(std::string_view text) {
  const auto bad = [&] {
    return Error{"--batch " + std::string(text) +
                 ": expected COLUMN:WIDTH, such as TIMESTAMP:1s (units ms, s, m, h, or none "
                 "for the column's own)"};
  };
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return bad();
  Batch batch{std::string(text.substr(0, colon)), 0, false};
  const std::string_view width = text.substr(colon + 1);
  const auto [end, error] = std::from_chars(width.data(), width.data() + width.size(), batch.width);
  if (error != std::errc{} || batch.width <= 0) return bad();
  const std::string_view unit(end, static_cast<std::size_t>(width.data() + width.size() - end));
  std::int64_t scale = 1;
  if (unit.empty()) {
    batch.own_unit = true;
  } else if (unit == "ms") {
    scale = kSecond / 1000;
  } else if (unit == "s") {
    scale = kSecond;
  } else if (unit == "m") {
    scale = 60 * kSecond;
  } else if (unit == "h") {
    scale = 3600 * kSecond;
  } else {
    return bad();
  }
  if (__builtin_mul_overflow(batch.width, scale, &batch.width)) return bad();
  return batch;
}

Result<std::vector<std::size_t>> batch_starts(const Table& table, const std::optional<Batch>& batch, std::size_t most) {
  std::vector<std::size_t> starts;
  if (!batch) {
    const std::size_t n = std::min(table.rows(), most);
    starts.resize(n + 1);
    for (std::size_t i = 0; i <= n; ++i) starts[i] = i;
    return starts;
  }
  const auto column = table.find(batch->column);
  if (!column)
    return Error{"--batch: no column '" + batch->column + "'; the columns are " + table.column_list(), table.file()};
  std::int64_t window = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto text = table.cell(row, *column);
    if (!text)
      return table.error_at(row, *column, "no value in column '" + batch->column + "', which --batch groups by");
    std::optional<std::int64_t> value;
    if (batch->own_unit) {
      const std::string_view number = trimmed(*text);
      std::int64_t v;
      const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), v);
      if (error == std::errc{} && end == number.data() + number.size()) value = v;
    } else {
      value = parse_time(*text);
    }
    if (!value)
      return table.error_at(
          row, *column,
          "'" + std::string(text->substr(0, 60)) + "' in column '" + batch->column + "' is no " +
              (batch->own_unit ? "integer" : "time; expected 2023-11-16 18:17:03.97 or a number of seconds"));
    const std::int64_t at = floor_quotient(*value, batch->width);
    if (starts.empty() || at != window) {
      if (starts.size() == most) {
        starts.push_back(row);
        return starts;
      }
      starts.push_back(row);
      window = at;
    }
  }
  starts.push_back(table.rows());
  return starts;
}

}  // namespace dimgate
