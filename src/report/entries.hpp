// The block "entries": each entry's guards before and after simplification, each guard to be opened.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "dimgate/simplify.hpp"
#include "report/blocks.hpp"

namespace dimgate::report {

/// A guard as recorded.
struct GuardShown {
  Expr formula;        // null: outside the language
  std::string text;    // as logged or printed
  std::string kind;    // "shape", "TENSOR_MATCH"
  std::string where;   // "model.py:12 in forward"
  std::string line;    // the program's own line
  std::string why;     // why it exists: "branch taken"
  std::string remove;  // what would remove it
  double cost = 0;     // estimated, in units of one simple test
};

/// Formulas are stored once for the page, and guards name them by number.
class FormulaTable {
 public:
  std::size_t add(const Context& ctx, Expr e, const std::string& text);
  [[nodiscard]] Json json() const { return all_; }

 private:
  std::map<std::string, std::size_t> index_;
  Json all_ = Json::array();
};

/// One entry. `minimal` is that of the guards with a formula, in order; `facts` name what a proof used.
Json entry_json(Context& ctx, const Facts& facts, const std::string& title, const std::string& note,
                const std::vector<GuardShown>& guards, const Minimised& minimal, FormulaTable& formulas);
Json entries_block(Json entries, std::uint64_t left_out);

}  // namespace dimgate::report
