#include "import/literal.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string>

namespace dimgate::logs {

namespace {

bool name_start(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool name_part(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

constexpr std::size_t kLongestPart = 1024;  // of brackets in a source

/// From the bracket that `text` begins with to behind its own closing one, quoted texts passed over; 0: none.
std::size_t bracketed(std::string_view text) {
  std::string open;
  text = text.substr(0, kLongestPart);
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\'' || c == '"') {
      for (++at; at < text.size() && text[at] != c; ++at)
        if (text[at] == '\\') ++at;
    } else if (c == '(' || c == '[') {
      open += c == '(' ? ')' : ']';
    } else if (c == ')' || c == ']') {
      if (open.empty() || open.back() != c) return 0;
      open.pop_back();
      if (open.empty()) return at + 1;
    }
  }
  return 0;
}

/// The length of `['…']`, `[12]` or `[list(dict.keys(L['d']))[0]]` at the start; 0: none.
std::size_t subscript(std::string_view text) { return text.size() < 3 || text[0] != '[' ? 0 : bracketed(text); }

/// Functions by which a front end reaches what it looks at: `___from_numpy(L['n'])`, `list(dict.keys(L['d']))[0]`.
bool reaches(std::string_view name) {
  static constexpr std::string_view names[] = {"type", "list", "tuple", "super", "dict.keys"};
  return std::find(std::begin(names), std::end(names), name) != std::end(names) ||
         name == "cast_symbool_to_symint_guardless" || name.starts_with("___odict_getitem") ||
         name.starts_with("___tuple_iterator_getitem") || name.starts_with("___dict_getitem") ||
         name.starts_with("___set_getitem") || name.starts_with("___from_numpy") || name.starts_with("___as_tensor") ||
         name == "__as_tensor" || name == "___get_type";
}

/// The length of the source that `text` begins with; 0: none.
std::size_t source_length(std::string_view text) {
  if (text.empty() || !name_start(text[0])) return 0;
  std::size_t at = 0;
  while (at < text.size() && (name_part(text[at]) || (text[at] == '.' && text.substr(0, at) == "dict"))) ++at;
  if (at + 1 < text.size() && text[at] == '(' && text[at + 1] != ')' && reaches(text.substr(0, at)))
    at += bracketed(text.substr(at));
  while (at < text.size()) {
    if (text[at] == '.' && at + 1 < text.size() && name_start(text[at + 1])) {
      ++at;
      while (at < text.size() && name_part(text[at])) ++at;
      continue;
    }
    const std::size_t length = subscript(text.substr(at));
    if (length == 0) break;
    at += length;
  }
  return at;
}

}  // namespace

std::string_view plain_scalar(std::string_view text) {
  std::string_view name = text;
  if (name.starts_with("numpy."))
    name.remove_prefix(6);
  else if (name.starts_with("np."))
    name.remove_prefix(3);
  else
    return text;
  if (name == "True_" || name == "False_") return name.substr(0, name.size() - 1);
  if (name == "nan" || name == "inf") return name;
  for (const std::string_view type : {"int", "uint", "float", "bool", "longlong", "ulonglong", "str_"}) {
    const std::size_t open = name.find('(');
    if (name.starts_with(type) && name.ends_with(')') && open != std::string_view::npos)
      return name.substr(open + 1, name.size() - open - 2);
  }
  return text;
}

Literal literal_kind(std::string_view text) {
  if (const std::string_view plain = plain_scalar(text); plain != text) text = plain;
  if (text == "True" || text == "False") return Literal::boolean;
  if (text == "None") return Literal::none;
  if (text.empty()) return Literal::other;
  const std::size_t prefix = text[0] == 'b' || text[0] == 'r' ? 1 : 0;
  if (text.size() > prefix + 1 && (text[prefix] == '\'' || text[prefix] == '"') && text.back() == text[prefix])
    return Literal::text;
  if (text == "inf" || text == "nan" || text == "-inf" || text.starts_with("float(")) return Literal::real;
  std::string_view digits = text;
  if (digits[0] == '-' || digits[0] == '+') digits.remove_prefix(1);
  if (digits.empty() || (std::isdigit(static_cast<unsigned char>(digits[0])) == 0 && digits[0] != '.'))
    return Literal::other;
  if (std::all_of(digits.begin(), digits.end(),
                  [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }))
    return Literal::integer;
  return std::all_of(digits.begin(), digits.end(),
                     [](char c) {
                       return std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.' || c == 'e' || c == 'E' ||
                              c == '-' || c == '+';
                     })
             ? Literal::real
             : Literal::other;
}

bool is_source(std::string_view text) { return !text.empty() && source_length(text) == text.size(); }

std::string_view first_source(std::string_view guard) {
  for (std::size_t at = 0; at < guard.size();) {
    const std::size_t length = source_length(guard.substr(at));
    if (length == 0) {
      ++at;
      continue;
    }
    const std::string_view found = guard.substr(at, length);
    const bool called = at + length < guard.size() && guard[at + length] == '(';
    if (!called && found != "and" && found != "or" && found != "not" && found != "in") return found;
    at += length;
  }
  return {};
}

bool is_int_relation(std::string_view guard) {
  bool compares = false;
  for (std::size_t at = 0; at < guard.size();) {
    const std::size_t length = source_length(guard.substr(at));
    if (length != 0) {
      const std::string_view found = guard.substr(at, length);
      at += length;
      if (at < guard.size() && guard[at] == '(') {
        static constexpr std::string_view functions[] = {
            "Eq",  "Ne",  "Lt",  "Le",  "Gt", "Ge",  "Mod", "PythonMod", "Max",     "Min",        "FloorDiv",
            "max", "min", "Not", "And", "Or", "abs", "Abs", "CleanDiv",  "CeilDiv", "IntTrueDiv", "ToFloat"};
        if (std::find(std::begin(functions), std::end(functions), found) == std::end(functions)) return false;
        compares = compares || (found.size() == 2 && found != "Or");
      }
      continue;
    }
    const char c = guard[at++];
    if (c == '<' || c == '>' || c == '=' || c == '!') compares = true;
    if (std::string_view("<>=!+-*/%(), 0123456789~&|").find(c) == std::string_view::npos) return false;
  }
  return compares && !first_source(guard).empty();
}

std::string_view first_shape_source(std::string_view guard, int& index) {
  std::size_t at = std::string_view::npos;
  std::string_view question;
  for (const std::string_view one : {".size()[", ".stride()[", ".shape[", ".storage_offset()", ".numel()"})
    if (const std::size_t found = guard.find(one); found < at) {
      at = found;
      question = one;
    }
  if (at == std::string_view::npos) return {};
  if (question.ends_with('[')) {
    index = 0;
    std::from_chars(guard.data() + at + question.size(), guard.data() + guard.size(), index);
  }
  for (std::size_t from = 0; from < at; ++from)  // the longest source that ends there
    if ((from == 0 || !name_part(guard[from - 1])) && source_length(guard.substr(from, at - from)) == at - from)
      return guard.substr(from, at - from);
  return {};
}

}  // namespace dimgate::logs
