#include <charconv>
#include <cmath>

#include "dimgate/policy.hpp"

namespace dimgate {

namespace {

std::optional<double> parse_seconds(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || !std::isfinite(value) || value < 0) return {};
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (unit.empty() || unit == "s") return value;
  if (unit == "ms") return value * 1e-3;
  if (unit == "us") return value * 1e-6;
  if (unit == "ns") return value * 1e-9;
  return {};
}

std::optional<double> find(const std::map<std::string, double, std::less<>>& of, std::string_view policy) {
  const auto it = of.find(policy);
  if (it == of.end()) return {};
  return it->second;
}

}  // namespace

std::optional<double> Costs::compile_for(std::string_view policy) const {
  const auto own = find(compile_of, policy);
  return own ? own : compile;
}

std::optional<double> Costs::run_for(std::string_view policy) const {
  const auto own = find(run_of, policy);
  return own ? own : run;
}

Result<Costs> parse_costs(std::string_view text) {
  Costs costs;
  const auto bad = [&](std::string_view piece, const std::string& why) {
    return Error{
        "--cost '" + std::string(piece) + "': " + why +
        "; expected C=SECONDS (a compile), R=SECONDS (a compiled run), E=SECONDS (an eager run) or POLICY.R=SECONDS, "
        "such as C=2.5,R=4ms,E=20ms,static.R=3ms"};
  };
  while (true) {
    const std::string_view piece = text.substr(0, text.find(','));
    const std::size_t equals = piece.find('=');
    if (equals == std::string_view::npos) return bad(piece, "no `=`");
    std::string_view key = piece.substr(0, equals), policy;
    if (const std::size_t dot = key.rfind('.'); dot != std::string_view::npos) {
      policy = key.substr(0, dot);
      key = key.substr(dot + 1);
    }
    const auto seconds = parse_seconds(piece.substr(equals + 1));
    if (!seconds) return bad(piece, "no time after the `=`");
    if (policy.empty()) {
      if (key == "C")
        costs.compile = seconds;
      else if (key == "R")
        costs.run = seconds;
      else if (key == "E")
        costs.eager = seconds;
      else
        return bad(piece, "unknown cost '" + std::string(key) + "'");
    } else if (key == "C") {
      costs.compile_of[std::string(policy)] = *seconds;
    } else if (key == "R") {
      costs.run_of[std::string(policy)] = *seconds;
    } else {
      return bad(piece, "only C and R may differ by policy");
    }
    if (piece.size() == text.size()) return costs;
    text.remove_prefix(piece.size() + 1);
  }
}

}  // namespace dimgate
