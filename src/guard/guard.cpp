// Guards and guard sets: their conjunction and their places.
#include "dimgate/guard.hpp"

namespace dimgate {

namespace {

/// "void ns::UNet::trace(Tracer&) const" -> "UNet::trace": the last two components of the qualified name.
std::string short_function(const std::string& pretty) {
  // Compilers append "[with T = …]"; parameters start at the first parenthesis after the name.
  std::string s = pretty.substr(0, pretty.find(" [with"));
  int angle = 0;
  std::size_t end = s.size();
  for (std::size_t i = 0; i < s.size(); ++i) {
    if (s[i] == '<') ++angle;
    if (s[i] == '>' && angle > 0) --angle;
    if (s[i] == '(' && angle == 0) {
      if (s.compare(i, 11, "(anonymous ") == 0) {  // "(anonymous namespace)::" is part of the name
        i = s.find(')', i);
        continue;
      }
      end = i;
      break;
    }
  }
  s.resize(end);
  angle = 0;
  int components = 0;
  std::size_t begin = 0;
  for (std::size_t i = s.size(); i-- > 0;) {
    if (s[i] == '>') ++angle;
    if (s[i] == '<' && angle > 0) --angle;
    if (angle > 0) continue;
    if (s[i] == ' ' || s[i] == '*' || s[i] == '&') {
      begin = i + 1;
      break;
    }
    if (s[i] == ':' && i > 0 && s[i - 1] == ':' && ++components == 2) {
      begin = i + 1;
      break;
    }
  }
  s.erase(0, begin);
  if (const auto brace = s.find("}::"); s.starts_with('{') && brace != std::string::npos) s.erase(0, brace + 3);
  return s;
}

}  // namespace

std::string Location::to_string() const {
  std::string out = file;
  if (line != 0) out += (out.empty() ? "line " : ":") + std::to_string(line);
  if (!function.empty()) out += (out.empty() ? "in " : " in ") + short_function(function);
  return out;
}

Expr GuardSet::formula(Context& ctx) const {
  std::vector<Expr> parts;
  parts.reserve(guards_.size());
  for (const Guard& g : guards_)
    if (!g.runtime_assert) parts.push_back(g.formula);
  if (parts.empty()) return ctx.boolean(true);
  if (parts.size() == 1) return parts.front();
  return ctx.make(Op::And, parts);
}

}  // namespace dimgate
