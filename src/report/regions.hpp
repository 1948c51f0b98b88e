// Shapes as points, and guards as regions over two of the dims: page/regions.js evaluates each guard at each shape.
// Formulas too deep, or too many, are left out and counted. Tested by tests/report (the page's answers against
// `evaluate`).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "report/blocks.hpp"

namespace dimgate::report {

/// A formula for page/evaluate.js: a number, a truth value, ["$", symbol], ["@", constant], [operator, operands...].
/// nullopt: deeper than 48, longer than 64,000 bytes, or with floats.
std::optional<Json> compact(const Context& ctx, Expr e);

/// The block "regions".
class Regions {
 public:
  explicit Regions(std::vector<std::string> dims) : dims_(std::move(dims)) {}
  void point(const std::vector<std::int64_t>& values, std::uint64_t count = 1);
  /// A set of entries drawn together: a policy, a function. Returns its index.
  std::size_t set(std::string name);
  /// An entry as texts over the dims. False: one does not read, or none is left to draw.
  bool entry(std::size_t set, const std::string& name, const std::vector<std::string>& guards);
  [[nodiscard]] bool empty() const { return dims_.empty() || (points_.empty() && sets_.empty()); }
  /// `folded`: closed until someone opens it.
  [[nodiscard]] Json json(const std::string& title, bool folded = false) const;

 private:
  struct Set {
    std::string name;
    Json entries = Json::array();
    std::uint64_t left_out = 0;
  };
  std::vector<std::string> dims_;
  std::map<std::vector<std::int64_t>, std::uint64_t> points_;
  std::vector<Set> sets_;
};

}  // namespace dimgate::report
