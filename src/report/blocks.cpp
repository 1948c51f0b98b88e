// The JSON of tiles, tables and charts; texts are cut on a character's boundary. Checked by
// tests/report/report_test.cpp.
#include "report/blocks.hpp"

#include <array>
#include <cmath>
#include <cstdio>

namespace dimgate::report {

namespace {

constexpr std::size_t kShown = 4096;
constexpr std::size_t kFormula = 2000;  // bytes of text up to which a formula is also set as mathematics

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

}  // namespace

std::string shown(std::string_view text) {
  if (text.size() <= kShown) return std::string(text);
  std::size_t end = kShown;
  while (end > kShown - 4 && continues(text[end])) --end;
  return std::string(text.substr(0, end)) + " … (cut: " + std::to_string(text.size()) + " bytes in all)";
}

std::string counted(std::uint64_t n, const std::string& one, const std::string& many) {
  return std::to_string(n) + " " + (n == 1 ? one : many.empty() ? one + "s" : many);
}

std::string duration(double seconds) {
  std::array<char, 32> text{};
  if (seconds >= 1)
    std::snprintf(text.data(), text.size(), "%.2f s", seconds);
  else if (seconds >= 1e-3)
    std::snprintf(text.data(), text.size(), "%.1f ms", seconds * 1e3);
  else
    std::snprintf(text.data(), text.size(), "%.1f us", seconds * 1e6);
  return text.data();
}

Json tile(std::string label, std::string value, std::string note) {
  return {{"label", std::move(label)}, {"value", std::move(value)}, {"note", std::move(note)}};
}

Json table(std::string caption, const std::vector<std::string>& columns, Json rows) {
  Json titles = Json::array();
  for (const std::string& column : columns) {
    const bool number = column.starts_with("#");
    titles.push_back({{"title", number ? column.substr(1) : column}, {"num", number}});
  }
  return {{"type", "table"}, {"caption", std::move(caption)}, {"columns", titles}, {"rows", std::move(rows)}};
}

Json section(std::string id, std::string title, std::string text, Json blocks) {
  return {{"id", std::move(id)}, {"title", std::move(title)}, {"text", std::move(text)}, {"blocks", std::move(blocks)}};
}

Json to_json(const Chart& chart) {
  Json series = Json::array();
  for (const Chart::Series& one : chart.series) series.push_back({{"name", one.name}, {"points", one.points}});
  return {{"type", "chart"},        {"kind", chart.kind}, {"title", chart.title}, {"about", chart.about},
          {"x", chart.x},           {"y", chart.y},       {"log", chart.log},     {"wide", chart.wide},
          {"labels", chart.labels}, {"series", series},   {"table", chart.table}};
}

Json formula(const Context& ctx, Expr e, std::string_view text) {
  std::string own = text.empty() ? to_pretty(ctx, e) : std::string(text);
  Json out{{"text", shown(own)}};
  if (own.size() <= kFormula) {
    out["latex"] = to_latex(ctx, e);
    out["mathml"] = to_mathml(ctx, e);
  }
  return out;
}

}  // namespace dimgate::report
