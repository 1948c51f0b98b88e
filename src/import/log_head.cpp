#include "import/log_head.hpp"

#include <algorithm>
#include <array>

namespace dimgate::logs {

namespace {

constexpr std::size_t kLongestHost = 240;

bool digit(char c) { return c >= '0' && c <= '9'; }
bool word(char c) { return digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// True if `text` has the form of `shape`: 'd' a digit, anything else itself.
bool like(std::string_view text, std::string_view shape) {
  if (text.size() < shape.size()) return false;
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (shape[i] == 'd' ? !digit(text[i]) : text[i] != shape[i]) return false;
  return true;
}

/// "rank6", "rank=6", "RANK 6": the digits after the first "rank" that has any.
std::string_view rank_in(std::string_view host) {
  for (std::size_t at = 0; at + 4 < host.size(); ++at) {
    if ((host[at] != 'r' && host[at] != 'R') || (host.substr(at, 4) != "rank" && host.substr(at, 4) != "RANK"))
      continue;
    std::size_t from = at + 4;
    while (from < host.size() && (host[from] == '=' || host[from] == ' ' || host[from] == '_')) ++from;
    std::size_t to = from;
    while (to < host.size() && digit(host[to])) ++to;
    if (to > from) return host.substr(from, to - from);
  }
  return {};
}

bool is_compile_id(std::string_view inside) {
  if (inside.empty() || inside.size() > 40 || inside.find('/') == std::string_view::npos) return false;
  return std::all_of(inside.begin(), inside.end(),
                     [](char c) { return digit(c) || c == '/' || c == '_' || c == '!' || c == '-'; });
}

/// Takes `[0/1]` and `[__name]` groups off the text.
void take_groups(Head& head, std::string_view rest) {
  for (;;) {
    if (rest.empty() || rest[0] != '[') break;
    const std::size_t close = rest.find(']');
    if (close == std::string_view::npos) break;
    const std::string_view inside = rest.substr(1, close - 1);
    if (inside.starts_with("__") && std::all_of(inside.begin(), inside.end(), word)) {
      head.artifact = inside.substr(2);
    } else if (head.compile_id.empty() && is_compile_id(inside)) {
      head.compile_id = inside;
    } else {
      break;
    }
    rest.remove_prefix(close + 1);
    if (!rest.empty() && rest[0] == ' ') rest.remove_prefix(1);
  }
  head.text = rest;
}

/// `V0703 10:34:13.273000 123 path.py:12] text` at the start of `text`.
bool glog(std::string_view text, Head& head) {
  if (text.size() < 16 || std::string_view("VIWECDF").find(text[0]) == std::string_view::npos) return false;
  if (!like(text.substr(1), "dddd dd:dd:dd")) return false;
  const std::size_t end = text.find("] ");
  std::size_t close = end;
  if (end == std::string_view::npos) {  // an empty message may lose its blank
    if (text.back() != ']') return false;
    close = text.size() - 1;
  }
  std::string_view middle = text.substr(1, close - 1);
  middle.remove_prefix(std::min(middle.size(), middle.find(' ') + 1));  // the date
  const std::size_t time_end = middle.find(' ');
  if (time_end == std::string_view::npos) return false;
  head.stamp = text.substr(1, 5 + time_end);
  middle.remove_prefix(time_end);
  middle.remove_prefix(std::min(middle.find_first_not_of(' '), middle.size()));
  const std::size_t process_end = middle.find(' ');
  if (process_end == std::string_view::npos) return false;
  head.process = middle.substr(0, process_end);
  std::string_view file = middle.substr(process_end + 1);
  const std::size_t colon = file.rfind(':');
  if (colon == std::string_view::npos || colon + 1 == file.size() ||
      !std::all_of(file.begin() + static_cast<std::ptrdiff_t>(colon) + 1, file.end(), digit))
    return false;
  head.form = Head::Form::glog;
  head.level = text[0];
  head.logger = file.substr(0, colon);
  take_groups(head, end == std::string_view::npos ? std::string_view{} : text.substr(end + 2));
  return true;
}

char level_of(std::string_view name) {
  if (name == "DEBUG") return 'V';
  if (name == "INFO") return 'I';
  if (name == "WARNING") return 'W';
  if (name == "ERROR") return 'E';
  return name == "CRITICAL" ? 'C' : 0;
}

void set_logger(Head& head, std::string_view logger) {
  const std::size_t private_part = logger.rfind(".__");
  if (private_part != std::string_view::npos) head.artifact = logger.substr(private_part + 3);
  head.logger = logger.substr(0, private_part);
}

/// `torch.x.y - DEBUG - text` and `torch.x.y:guards.py:2590 text`: as a program's own layout and pytest write it.
bool laid_out(std::string_view text, Head& head) {
  std::size_t end = 0;
  while (end < text.size() && (word(text[end]) || text[end] == '.')) ++end;
  std::string_view rest = text.substr(end);
  if (rest.starts_with(" - ")) {
    const std::size_t close = rest.find(" - ", 3);
    if (close == std::string_view::npos || level_of(rest.substr(3, close - 3)) == 0) return false;
    head.level = level_of(rest.substr(3, close - 3));
    rest.remove_prefix(close + 3);
  } else {
    const std::size_t file = rest.find(".py:");
    if (rest.empty() || rest[0] != ':' || file == std::string_view::npos || file > 80) return false;
    std::size_t at = file + 4;
    while (at < rest.size() && digit(rest[at])) ++at;
    if (at == file + 4 || !rest.substr(at).starts_with(" ")) return false;
    rest.remove_prefix(at + 1);
  }
  set_logger(head, text.substr(0, end));
  take_groups(head, rest);
  return true;
}

/// `torch.x.y: [DEBUG] text`, with or without a level and `0.0: `.
bool named(std::string_view text, Head& head) {
  if (!text.starts_with("torch.")) return false;
  if (laid_out(text, head)) return true;
  const std::size_t colon = text.find(": ");
  if (colon == std::string_view::npos || !std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(colon),
                                                      [](char c) { return word(c) || c == '.'; }))
    return false;
  std::string_view rest = text.substr(colon + 2);
  if (rest.empty() || rest[0] != '[') return false;
  const std::size_t close = rest.find(']');
  if (close == std::string_view::npos || level_of(rest.substr(1, close - 1)) == 0) return false;
  head.level = level_of(rest.substr(1, close - 1));
  set_logger(head, text.substr(0, colon));
  rest.remove_prefix(close + 1);
  if (!rest.empty() && rest[0] == ' ') rest.remove_prefix(1);
  std::size_t at = 0;  // `0.0: `: the frame, as early versions wrote it
  while (at < rest.size() && (digit(rest[at]) || rest[at] == '.')) ++at;
  if (at >= 3 && rest.substr(at).starts_with(": ") && rest.substr(0, at).find('.') != std::string_view::npos)
    rest.remove_prefix(at + 2);
  head.text = rest;
  return true;
}

/// `[2023-11-06 14:54:08,549] [0/1] torch.x.__y: [DEBUG] text` at the start of `text`.
bool dated(std::string_view text, Head& head) {
  if (!like(text, "[dddd-dd-dd dd:dd:dd")) return false;
  const std::size_t close = text.find("] ");
  if (close == std::string_view::npos || close > 40) return false;
  std::string_view rest = text.substr(close + 2);
  Head found;
  take_groups(found, rest);
  rest = found.text;
  if (!named(rest, found)) return false;
  found.form = Head::Form::dated;
  found.stamp = text.substr(1, close - 1);
  found.rank = head.rank;
  head = found;
  return true;
}

/// `INFO:torch.x.y:text`
bool colons(std::string_view text, Head& head) {
  const std::size_t first = text.find(':');
  if (first == std::string_view::npos || level_of(text.substr(0, first)) == 0) return false;
  const std::string_view rest = text.substr(first + 1);
  if (!rest.starts_with("torch.")) return false;
  const std::size_t second = rest.find(':');
  if (second == std::string_view::npos) return false;
  head.form = Head::Form::named;
  head.level = level_of(text.substr(0, first));
  set_logger(head, rest.substr(0, second));
  take_groups(head, rest.substr(second + 1));
  return true;
}

}  // namespace

double seconds_of(std::string_view stamp) {
  static constexpr std::array<int, 12> before_month{0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
  const auto number = [&](std::size_t at, std::size_t digits) {
    int value = 0;
    for (std::size_t i = at; i < at + digits; ++i) value = value * 10 + (stamp[i] - '0');
    return value;
  };
  const bool year = like(stamp, "dddd-dd-dd dd:dd:dd");
  if (!year && !like(stamp, "dddd dd:dd:dd")) return -1;
  const std::size_t month_at = year ? 5 : 0;
  const int month = number(month_at, 2);
  const int day = number(month_at + (year ? 3 : 2), 2);
  if (month < 1 || month > 12 || day < 1 || day > 31) return -1;
  int days = before_month.at(static_cast<std::size_t>(month - 1)) + day - 1;
  if (year) {  // leap days between 1970 and 2099: one in four years
    const int since = number(0, 4) - 1970;
    days += since * 365 + (since + (month > 2 ? 2 : 1)) / 4;
  } else if (month > 2) {
    ++days;  // without a year, as if it were a leap year
  }
  const std::size_t at = year ? 11 : 5;
  double out = days * 86400.0 + number(at, 2) * 3600 + number(at + 3, 2) * 60 + number(at + 6, 2);
  double unit = 0.1;
  for (std::size_t i = at + 9; i < stamp.size() && digit(stamp[i]) && (stamp[at + 8] == '.' || stamp[at + 8] == ',');
       ++i, unit /= 10)
    out += unit * (stamp[i] - '0');
  return out;
}

Head parse_head(std::string_view line) {
  Head head;
  if (glog(line, head)) return head;
  const std::string_view start = line.substr(0, kLongestHost);
  for (std::size_t at = 0; at < start.size(); ++at) {
    const char before = at == 0 ? ' ' : start[at - 1];
    if (word(before) || before == '.' || before == '/') continue;
    const char c = start[at];
    const std::string_view rest = line.substr(at);
    const bool found =
        (c >= 'C' && c <= 'W' && (glog(rest, head) || colons(rest, head))) || (c == '[' && dated(rest, head));
    if (!found && c == 't' && named(rest, head)) head.form = Head::Form::named;
    if (head.form == Head::Form::bare) continue;
    head.rank = rank_in(start.substr(0, at));
    return head;
  }
  std::string_view text = line;
  while (text.starts_with("> ") || text.starts_with("# ")) text.remove_prefix(2);
  if (text.starts_with("[rank") || text.starts_with("[trainer")) {
    const std::size_t close = text.find("]:");
    if (close != std::string_view::npos && close < 24) {
      head.rank = rank_in(text.substr(0, close));
      text.remove_prefix(close + 2);
      if (text.starts_with(" ") && !text.starts_with("    ")) text.remove_prefix(1);
    }
  }
  head.text = text;
  return head;
}

}  // namespace dimgate::logs
