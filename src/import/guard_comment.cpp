#include "import/guard_comment.hpp"

#include "import/log_text.hpp"

namespace dimgate::logs {

namespace {

/// Where a `#` with a blank before it stands outside quotes.
std::size_t comment_start(std::string_view text) {
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0) {
      if (c == '\\')
        ++i;
      else if (c == quote)
        quote = 0;
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == '#' && i > 0 && text[i - 1] == ' ') {
      return i;
    }
  }
  return quote == 0                                    ? std::string_view::npos
         : text.find("  # ") == std::string_view::npos ? std::string_view::npos
                                                       : text.find("  # ") + 2;
}

/// `file.py:12 in fn`: a colon with digits, then " in ".
bool is_place(std::string_view text) {
  const std::size_t in = text.find(" in ");
  const std::string_view head = text.substr(0, in);
  const std::size_t colon = head.rfind(':');
  if (in == std::string_view::npos || colon == std::string_view::npos || colon + 1 == head.size()) return false;
  for (const char c : head.substr(colon + 1))
    if (c < '0' || c > '9') return false;
  return head.find(' ') == std::string_view::npos || head.find('/') != std::string_view::npos ||
         head.find('\\') != std::string_view::npos;
}

/// "file.py:12 in fn" of "file.py:12 in fn (user code shown is …) and …".
std::string_view only_place(std::string_view text) {
  const std::size_t in = text.find(" in ");
  if (in == std::string_view::npos) return text;
  const std::size_t end = text.find(' ', in + 4);
  return text.substr(0, end);
}

}  // namespace

Commented split_comment(std::string_view text) {
  Commented out;
  const std::size_t at = comment_start(text);
  out.guard = trimmed(text.substr(0, at));
  if (at == std::string_view::npos) return out;
  const std::string_view comment = trimmed(text.substr(at + 1));
  std::size_t from = 0;  // the last "  # " whose rest is a place; the user's line may hold one of its own
  for (std::size_t next = comment.find("  # "); next != std::string_view::npos; next = comment.find("  # ", next + 1)) {
    if (!is_place(comment.substr(next + 4))) continue;
    from = next + 4;
    break;
  }
  if (from == 0) {
    if (is_place(comment))
      out.place = only_place(comment);
    else
      out.user_line = comment;
    return out;
  }
  out.user_line = trimmed(comment.substr(0, from - 4));
  out.place = only_place(comment.substr(from));
  out.rest = comment.substr(from + out.place.size());
  return out;
}

}  // namespace dimgate::logs
