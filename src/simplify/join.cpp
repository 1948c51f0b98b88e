// The simplest formula found with the same T as a disjunction.
#include <algorithm>

#include "dimgate/simplify.hpp"
#include "simplify/affine.hpp"
#include "simplify/forms.hpp"
#include "simplify/guard_item.hpp"
#include "simplify/readable.hpp"
#include "simplify/write_boxes.hpp"

namespace dimgate {

namespace simplify {

namespace {

constexpr std::size_t kAskedBoxes = 8;    // unions up to which the prover is asked to drop literals
constexpr std::uint64_t kPolished = 400;  // reading cost up to which the result is made readable once more
constexpr std::uint64_t kMaxPoints = 1U << 16;

// The conjunction that one box stands for.
Expr spell_box(const Variables& vars, const Box& box, const Box& domain) {
  return make_and(vars.context(), write_boxes(vars, {box}, domain));
}

// Unions whose boxes are single points: an affine relation plus the hull's ranges, if these hold on exactly the
// points (counted over the hull, so no prover is needed).
std::optional<std::vector<Expr>> affine_points(const Variables& vars, const std::vector<Box>& boxes,
                                               const Box& domain) {
  if (boxes.size() < 3) return std::nullopt;
  Context& ctx = vars.context();
  std::vector<VarId> order;
  for (const auto& [v, set] : boxes[0]) order.push_back(v);
  if (order.size() < 2) return std::nullopt;
  std::sort(order.begin(), order.end(), [&](VarId a, VarId b) { return vars.before(a, b); });
  std::vector<std::vector<Integer>> rows;
  std::vector<IntSet> hull(order.size());
  std::vector<Expr> symbols;
  for (const VarId v : order) {
    if (vars.is_literal(v) || vars.symbol(v).sort() != Sort::Int) return std::nullopt;
    symbols.push_back(vars.symbol(v));
  }
  AffineHull relations(order.size());
  for (const Box& b : boxes) {
    if (b.size() != order.size()) return std::nullopt;
    std::vector<Integer> row;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const auto it = b.find(order[i]);
      if (it == b.end() || !std::get<IntSet>(it->second).is_point()) return std::nullopt;
      const std::int64_t v = std::get<IntSet>(it->second).lo();
      row.emplace_back(v);
      auto grown = unite(hull[i], IntSet::point(v));
      if (!grown) return std::nullopt;
      hull[i] = std::move(*grown);
    }
    relations.add(row);
    rows.push_back(std::move(row));
  }
  if (relations.rank() == order.size()) return std::nullopt;
  const std::vector<LinearEquation> equations = relations.equations(symbols);
  // Count the points of the independent slots' sets that give integers inside the dependent ones' hulls.
  std::vector<Expr> out;
  for (const LinearEquation& e : equations) {
    if (e.terms.size() < 2 || !e.terms[0].first.is_one()) return std::nullopt;
    out.push_back(spell_equation(ctx, e));
  }
  std::vector<std::size_t> free;
  for (std::size_t i = 0; i < symbols.size(); ++i)
    if (std::none_of(equations.begin(), equations.end(),
                     [&](const auto& e) { return e.terms[0].second == symbols[i]; }))
      free.push_back(i);
  std::uint64_t points = 1;
  for (const std::size_t i : free) {
    const auto n = hull[i].count(kMaxPoints);
    if (!n || points * *n > kMaxPoints) return std::nullopt;
    points *= *n;
  }
  if (points != rows.size()) return std::nullopt;  // rows are distinct, so the free slots' sets give exactly them
  for (const std::size_t i : free) {
    const Box::const_iterator d = domain.find(order[i]);
    const IntSet around = d != domain.end() ? std::get<IntSet>(d->second) : IntSet::all();
    for (const Expr c : write_boxes(vars, {Box{{order[i], hull[i]}}}, Box{{order[i], around}})) out.push_back(c);
  }
  order_conjuncts(ctx, out);
  return out;
}

// Leaves out literals of a box where the prover shows that the union already covers the rest.
void drop_literals(Questions& questions, const Variables& vars, std::vector<Box>& boxes, const Box& domain,
                   std::vector<Obligation>& obligations) {
  if (boxes.size() < 2 || boxes.size() > kAskedBoxes) return;
  Context& ctx = questions.context();
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    std::vector<VarId> order;
    for (const auto& [v, set] : boxes[i]) order.push_back(v);
    std::sort(order.begin(), order.end(), [&](VarId a, VarId b) { return vars.before(a, b); });
    for (const VarId v : order) {
      if (!vars.is_literal(v)) continue;
      Box wider = boxes[i];
      wider.erase(v);
      std::vector<Expr> any;
      for (const Box& b : boxes) any.push_back(spell_box(vars, b, domain));
      const Expr claim = make_or(ctx, any);
      const auto answer = questions.implied(std::vector<Expr>{spell_box(vars, wider, domain)}, claim);
      if (!answer.proved()) continue;
      obligations.push_back(
          obligation(ctx, claim, answer, "covers " + claim_text(ctx, spell_box(vars, wider, domain))));
      boxes[i] = std::move(wider);
    }
  }
}

}  // namespace

}  // namespace simplify

Joined join(Prover& prover, const Facts& facts, std::span<const Expr> parts) {
  using namespace simplify;
  Context& ctx = facts.context();
  Joined out;
  const SimplifyOptions options;
  Questions questions(prover, facts, options);
  Variables vars(ctx);
  std::vector<Box> boxes;
  bool fits = true;
  for (const Expr p : parts) {
    auto some = to_boxes(vars, p, kMaxBoxes);
    if (!some || boxes.size() + some->size() > kMaxBoxes) {
      fits = false;
      break;
    }
    boxes.insert(boxes.end(), std::make_move_iterator(some->begin()), std::make_move_iterator(some->end()));
  }
  const std::string whole = parts.size() <= 8 ? claim_text(ctx, make_or(ctx, parts))
                                              : "the disjunction of " + std::to_string(parts.size()) + " guards";
  if (!fits) {  // too many combinations: the parts as they are
    std::vector<Expr> any(parts.begin(), parts.end());
    order_conjuncts(ctx, any);
    out.formula = make_or(ctx, any);
    out.obligations.push_back(exact_obligation(whole, "canonical", "the parts, joined as they are"));
    return out;
  }
  const Box domain = questions.domain_box(vars);
  boxes = minimise_boxes(vars, std::move(boxes), domain);
  if (auto points = affine_points(vars, boxes, domain)) {
    out.formula = make_and(ctx, *points);
    out.obligations.push_back(exact_obligation(claim_text(ctx, out.formula), "box", "the same points as " + whole));
    return out;
  }
  drop_literals(questions, vars, boxes, domain, out.obligations);
  boxes = minimise_boxes(vars, std::move(boxes), domain);
  std::vector<Expr> conjuncts = write_boxes(vars, boxes, domain);
  out.formula = make_and(ctx, conjuncts);
  out.obligations.push_back(exact_obligation(claim_text(ctx, out.formula), "box", "the same as " + whole));
  if (boxes.size() <= kAskedBoxes && reading_cost(out.formula) <= kPolished) {
    const bool relations =
        std::any_of(conjuncts.begin(), conjuncts.end(), [&](Expr e) { return symbols_of(ctx, e).size() > 1; });
    if (relations) out.formula = readable(prover, facts, out.formula, &out.obligations);
  }
  return out;
}

}  // namespace dimgate
