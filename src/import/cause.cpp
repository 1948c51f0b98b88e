// The kind of cause behind a failed guard, from its text.
#include "import/cause_forms.hpp"
#include "import/guard_comment.hpp"
#include "import/log_text.hpp"

namespace dimgate {

using std::string_view;

namespace logs {

Cause made(CauseKind kind, string_view source) {
  Cause cause;
  cause.kind = kind;
  cause.source = source;
  return cause;
}

string_view between(string_view text, string_view from, string_view to) {
  const std::size_t a = text.find(from);
  if (a == string_view::npos) return {};
  const std::size_t start = a + from.size();
  const std::size_t b = text.find(to, start);
  return b == string_view::npos ? string_view{} : text.substr(start, b - start);
}

}  // namespace logs

Cause classify_guard(string_view guard) {
  while (!guard.empty() && guard.back() == ' ') guard.remove_suffix(1);
  while (!guard.empty() && guard.front() == ' ') guard.remove_prefix(1);
  for (const auto form : {logs::tensor_form, logs::state_form, logs::object_form, logs::shape_form, logs::value_form,
                          logs::said_form, logs::int_form})
    if (auto cause = form(guard)) return *cause;
  Cause cause = logs::made(CauseKind::unrecognised);
  cause.expected = guard;
  return cause;
}

FailedGuard parse_failed_guard(string_view text) {
  FailedGuard out;
  out.text = text;
  const logs::Commented parts = logs::split_comment(text);
  if (!parts.user_line.starts_with("duck sizing added ")) out.user_line = parts.user_line;
  out.place = parts.place;
  out.branch = logs::has(text, " in evaluate_expr)");
  // A range that two lines made: the first is where the value is first used, the second decided.
  if (const std::size_t second = parts.rest.rfind(" and "); second != string_view::npos) {
    const std::string line = " # " + std::string(parts.rest.substr(second + 5));
    const logs::Commented decided = logs::split_comment(line);  // views into it
    if (!decided.place.empty()) {
      out.user_line = decided.user_line;
      out.place = decided.place;
    } else if (logs::has(decided.user_line, "  #")) {  // the log was cut
      out.user_line = logs::before(decided.user_line, "  #");
      out.place.clear();
    }
  }
  out.cause = classify_guard(parts.guard);
  return out;
}

}  // namespace dimgate
