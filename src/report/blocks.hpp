// What a page is made of. page/blocks.js draws each; the shapes of the JSON are fixed here.
//
// A page: {"schema": 1, "title", "lead", "tiles": [{"label", "value", "note"}], "sections": [{"id", "title", "text",
// "blocks": [...]}]}. Tested by tests/report.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dimgate/expr.hpp"
#include "report/page.hpp"

namespace dimgate::report {

/// At most 4,096 bytes of a text, cut between characters, with its whole length beside it.
std::string shown(std::string_view text);
/// "1 guard", "3 guards"; "2 entries".
std::string counted(std::uint64_t n, const std::string& one, const std::string& many = {});
/// "12.3 ms", "4.5 s".
std::string duration(double seconds);

Json tile(std::string label, std::string value, std::string note = {});
/// Columns whose title begins with `#` hold numbers and stand to the right.
Json table(std::string caption, const std::vector<std::string>& columns, Json rows);
Json section(std::string id, std::string title, std::string text, Json blocks);

/// A chart and the table behind it. kind: "line" (steps), "bar" (horizontal; y are labels), "timeline" (x a number, y a
/// row). `about` says in a sentence what it shows, for those who do not see it.
struct Chart {
  std::string kind, title, about, x, y;
  bool log = false;                 // the axis of values is logarithmic
  bool wide = false;                // over the whole width
  std::vector<std::string> labels;  // bar, timeline: the rows
  struct Series {
    std::string name;
    Json points = Json::array();  // [x, y] or [x, y, text]; bar: values, one a label
  };
  std::vector<Series> series;
  Json table;  // from `table`
};
Json to_json(const Chart& chart);

/// {"text", "latex", "mathml"}; `text` replaces the formula's own (the one logged). Long ones have text alone.
Json formula(const Context& ctx, Expr e, std::string_view text = {});

}  // namespace dimgate::report
