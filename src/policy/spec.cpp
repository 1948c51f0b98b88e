#include <algorithm>
#include <charconv>

#include "dimgate/policy.hpp"

namespace dimgate {

namespace {

constexpr std::string_view kKnown =
    "eager, static, pow2, bucket:N, pad_to:N, whitelist, auto_dynamic:N (or :inf), symbolic, symbolic+merge; pow2(L) "
    "and the "
    "like pad only the dims named";
constexpr std::string_view kKnownForWorlds = "eager, strict, static, auto_dynamic:N (or :inf), symbolic";

std::string_view known(CallKind calls) { return calls == CallKind::dims ? kKnown : kKnownForWorlds; }

bool is_for(const PolicySpec& spec, CallKind calls) {
  if (calls == CallKind::dims) return spec.kind != PolicySpec::Kind::strict;
  return !spec.pads() && !spec.merge && spec.kind != PolicySpec::Kind::whitelist;
}

Error bad(std::string_view text, std::string why) {
  return {"--policies: '" + std::string(text) + "' " + std::move(why)};
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// Pieces between commas that stand in no parentheses.
std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> out;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i == text.size() || (text[i] == ',' && depth == 0)) {
      out.push_back(trimmed(text.substr(begin, i - begin)));
      begin = i + 1;
    } else if (text[i] == '(') {
      ++depth;
    } else if (text[i] == ')') {
      --depth;
    }
  }
  return out;
}

}  // namespace

std::string_view default_policies(CallKind calls) noexcept {
  if (calls == CallKind::worlds) return "eager,strict,static,auto_dynamic,symbolic";
  return "eager,static,pow2,bucket:64,whitelist,auto_dynamic,symbolic,symbolic+merge";
}

Result<PolicySpec> parse_policy(std::string_view whole, CallKind calls) {
  using Kind = PolicySpec::Kind;
  PolicySpec spec;
  spec.text = whole;
  std::string_view name = whole, number, dims;
  const std::size_t close = name.rfind(')');
  if (const std::size_t colon = name.rfind(':');
      colon != std::string_view::npos && (close == std::string_view::npos || colon > close)) {
    number = name.substr(colon + 1);
    name = name.substr(0, colon);
    if (number.empty()) return bad(whole, "ends in ':'; expected a number after it");
  }
  if (const std::size_t open = name.find('('); open != std::string_view::npos) {
    if (name.back() != ')') return bad(whole, "lacks its `)`");
    dims = name.substr(open + 1, name.size() - open - 2);
    name = name.substr(0, open);
    if (trimmed(dims).empty()) return bad(whole, "names no dim in its parentheses");
  }
  if (name == "eager")
    spec.kind = Kind::eager;
  else if (name == "static")
    spec.kind = Kind::exact;
  else if (name == "pow2")
    spec.kind = Kind::pow2;
  else if (name == "bucket")
    spec.kind = Kind::bucket;
  else if (name == "pad_to")
    spec.kind = Kind::pad_to;
  else if (name == "whitelist")
    spec.kind = Kind::whitelist;
  else if (name == "auto_dynamic")
    spec.kind = Kind::auto_dynamic;
  else if (name == "symbolic" || name == "symbolic+merge")
    spec.kind = Kind::symbolic;
  else if (name == "strict")
    spec.kind = Kind::strict;
  else
    return bad(whole, "is no policy; there are " + std::string(known(calls)));
  spec.merge = name == "symbolic+merge";
  if (!is_for(spec, calls))
    return bad(whole, std::string("is no policy for ") +
                          (calls == CallKind::dims ? "a model's calls" : "whole worlds") + "; there are " +
                          std::string(known(calls)));

  const bool needs_number = spec.kind == Kind::bucket || spec.kind == Kind::pad_to;
  if (needs_number && number.empty()) return bad(whole, "needs a number, such as " + std::string(name) + ":64");
  if (!number.empty() && !needs_number && spec.kind != Kind::auto_dynamic) return bad(whole, "takes no number");
  if (!dims.empty() && !spec.pads()) return bad(whole, "takes no dims; only pow2, bucket and pad_to do");
  if (spec.kind == Kind::auto_dynamic) spec.number = 8;
  if (spec.kind == Kind::strict) spec.number = 64;
  if (spec.kind == Kind::auto_dynamic && number == "inf") {
    spec.number = 0;
  } else if (!number.empty()) {
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), spec.number);
    if (error != std::errc{} || end != number.data() + number.size() || spec.number < 1)
      return bad(whole, "has no positive number after the ':'");
  }
  if (!dims.empty())
    for (const std::string_view dim : split(dims)) spec.dims.emplace_back(dim);
  return spec;
}

Result<std::vector<PolicySpec>> parse_policies(std::string_view text, CallKind calls) {
  std::vector<PolicySpec> out;
  for (const std::string_view piece : split(text)) {
    if (piece.empty()) return bad(text, "has an empty place; there are " + std::string(known(calls)));
    auto spec = parse_policy(piece, calls);
    if (!spec) return spec.error();
    if (std::any_of(out.begin(), out.end(), [&](const PolicySpec& s) { return s.text == spec->text; }))
      return bad(text, "names " + spec->text + " twice");
    out.push_back(std::move(*spec));
  }
  return out;
}

}  // namespace dimgate
