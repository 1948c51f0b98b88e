#include "simplify/equations.hpp"

#include <algorithm>

namespace dimgate::simplify {

namespace {

using Row = std::vector<Integer>;  // coefficients by column, then the constant

void make_primitive(Row& row) {
  Integer g = 0;
  for (const Integer& c : row) g = gcd(g, c);
  if (g.is_zero()) return;
  const auto lead = std::find_if(row.begin(), row.end(), [](const Integer& c) { return !c.is_zero(); });
  if (lead->sign() < 0) g = -g;
  for (Integer& c : row) c = floor_div(c, g);
}

// row := row without column p, by a multiple of pivot.
void eliminate(Row& row, const Row& pivot, std::size_t p) {
  const Integer f = row[p];
  if (f.is_zero()) return;
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = row[i] * pivot[p] - pivot[i] * f;
}

void reduce(std::vector<Row>& rows) {
  std::size_t rank = 0;
  for (std::size_t p = 0; rank < rows.size() && p + 1 < rows[0].size(); ++p) {
    const auto found = std::find_if(rows.begin() + static_cast<std::ptrdiff_t>(rank), rows.end(),
                                    [p](const Row& r) { return !r[p].is_zero(); });
    if (found == rows.end()) continue;
    std::swap(*found, rows[rank]);
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (i != rank) eliminate(rows[i], rows[rank], p);
    for (Row& r : rows) make_primitive(r);
    ++rank;
  }
}

}  // namespace

std::optional<LinearEquation> linear_equation(Expr canonical) {
  if (!canonical.is(Op::Eq) || canonical[0].sort() != Sort::Int || !canonical[1].is_int()) return std::nullopt;
  LinearEquation out;
  out.constant = canonical[1].integer();
  const Expr sum = canonical[0];
  if (!sum.is(Op::Add)) return std::nullopt;
  for (std::size_t i = 0; i < sum.size(); ++i) {
    const Expr t = sum[i];
    if (t.is_symbol())
      out.terms.emplace_back(1, t);
    else if (t.is(Op::Mul) && t.size() == 2 && t[0].is_int() && t[1].is_symbol())
      out.terms.emplace_back(t[0].integer(), t[1]);
    else
      return std::nullopt;
  }
  return out;
}

std::optional<std::vector<LinearEquation>> solved_form(Context& ctx, std::span<const LinearEquation> equations) {
  std::vector<LinearEquation> out(equations.begin(), equations.end());
  if (equations.empty() || equations.size() > kMostEquations) return out;
  std::vector<Expr> columns;  // the last name first: it is the one that depends
  for (const LinearEquation& e : equations)
    for (const auto& [c, x] : e.terms) columns.push_back(x);
  std::sort(columns.begin(), columns.end(), [&](Expr a, Expr b) { return ctx.order(a, b) > 0; });
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  std::vector<Row> rows;
  for (const LinearEquation& e : equations) {
    Row row(columns.size() + 1);
    for (const auto& [c, x] : e.terms)
      row[static_cast<std::size_t>(std::find(columns.begin(), columns.end(), x) - columns.begin())] += c;
    row.back() = e.constant;
    rows.push_back(std::move(row));
  }
  reduce(rows);
  out.clear();
  for (const Row& row : rows) {
    LinearEquation e;
    Integer g = 0;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (row[i].is_zero()) continue;
      e.terms.emplace_back(row[i], columns[i]);
      g = gcd(g, row[i]);
    }
    e.constant = row.back();
    if (e.terms.empty() && e.constant.is_zero()) continue;
    if (e.terms.empty() || !floor_mod(e.constant, g).is_zero()) return std::nullopt;
    out.push_back(std::move(e));
  }
  return out;
}

}  // namespace dimgate::simplify
