// Calls as points and guards as JSON formulas, for the page to evaluate. Deep and long formulas are left out and
// counted. Checked by tests/report/evaluator_test.cpp.
#include "report/regions.hpp"

#include <algorithm>

namespace dimgate::report {

namespace {

constexpr std::size_t kDepth = 48;
constexpr std::size_t kFormulaBytes = 64000;  // of the formula's JSON
constexpr std::size_t kRegionEntries = 3000;
constexpr std::size_t kRegionPoints = 4000;

/// Brackets open at once; a formula within kDepth may be walked by recursion.
std::size_t depth_of(const std::string& json) {
  std::size_t now = 0;
  std::size_t most = 0;
  bool text = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (json[i] == '"') text = !text;
    if (text && json[i] == '\\') ++i;
    if (text) continue;
    if (json[i] == '[') most = std::max(most, ++now);
    if (json[i] == ']') --now;
  }
  return most;
}

Json shorter(const Json& node) {
  const std::string& op = node["op"].get_ref<const std::string&>();
  if (op == "Int") return node["value"].is_number() ? node["value"] : Json::array({"#", node["value"]});
  if (op == "Bool") return node["value"];
  if (op == "Symbol") return Json::array({"$", node["name"]});
  if (op == "Enum") return Json::array({"@", node["name"]});
  Json out = Json::array({op});
  for (const Json& operand : node["args"]) out.push_back(shorter(operand));
  return out;
}

}  // namespace

std::optional<Json> compact(const Context& ctx, Expr e) {
  const std::string text = to_json(ctx, e);
  if (text.size() > kFormulaBytes || depth_of(text) > kDepth) return std::nullopt;
  if (text.find(R"("op": "Float")") != std::string::npos || text.find(R"("sort": "Float")") != std::string::npos)
    return std::nullopt;
  const Json read = Json::parse(text, nullptr, false);
  if (read.is_discarded()) return std::nullopt;  // a name that is not UTF-8
  return shorter(read);
}

void Regions::point(const std::vector<std::int64_t>& values, std::uint64_t count) { points_[values] += count; }

std::size_t Regions::set(std::string name) {
  sets_.push_back({std::move(name)});
  return sets_.size() - 1;
}

bool Regions::entry(std::size_t set, const std::string& name, const std::vector<std::string>& guards) {
  Set& into = sets_[set];
  if (into.entries.size() >= kRegionEntries) {
    ++into.left_out;
    return false;
  }
  Context ctx;
  Json formulas = Json::array();
  bool all = true;
  for (const std::string& text : guards) {
    ParseOptions options;
    options.sort = Sort::Bool;
    const auto formula = parse(ctx, text, options);
    const auto small = formula ? compact(ctx, *formula) : std::nullopt;
    if (small)
      formulas.push_back(Json::array({*small, shown(text)}));
    else
      all = false;
  }
  into.entries.push_back({{"name", shown(name)}, {"guards", std::move(formulas)}, {"all", all}});
  return all;
}

Json Regions::json(const std::string& title, bool folded) const {
  std::vector<std::pair<std::uint64_t, const std::vector<std::int64_t>*>> order;
  for (const auto& [values, count] : points_) order.emplace_back(count, &values);
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  Json points = Json::array();
  for (std::size_t i = 0; i < order.size() && i < kRegionPoints; ++i) {
    Json point = *order[i].second;
    point.push_back(order[i].first);
    points.push_back(std::move(point));
  }
  Json sets = Json::array();
  for (const Set& one : sets_)
    sets.push_back({{"name", one.name}, {"entries", one.entries}, {"left_out", one.left_out}});
  return {{"type", "regions"},        {"title", title}, {"dims", dims_},   {"points", points},
          {"shapes", points_.size()}, {"sets", sets},   {"folded", folded}};
}

}  // namespace dimgate::report
