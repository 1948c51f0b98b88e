// Reading formulas as boxes: which variables there are, and what sets a formula allows them.
#include <algorithm>

#include "simplify/box.hpp"
#include "simplify/forms.hpp"
#include "simplify/unary.hpp"

namespace dimgate::simplify {

VarId Variables::of_symbol(Expr symbol) {
  const auto [it, fresh] = ids_.try_emplace(symbol, static_cast<VarId>(vars_.size()));
  if (fresh) vars_.push_back({symbol, false, true, {}});
  return it->second;
}

VarId Variables::of_literal(Expr formula, bool& flipped) {
  const Expr canonical = ctx_.canonical(formula);
  auto it = literals_.find(canonical);
  if (it == literals_.end()) {
    const Expr negated = ctx_.negate(canonical);
    const bool second = ctx_.order(negated, canonical) < 0;
    const auto v = static_cast<VarId>(vars_.size());
    vars_.push_back({second ? negated : canonical, true, canonical.is_total(), {}});
    literals_.try_emplace(negated, v, !second);
    it = literals_.insert_or_assign(canonical, std::pair{v, second}).first;
  }
  Variable& var = vars_[it->second.first];
  flipped = it->second.second;
  var.total = var.total || formula.is_total();
  Expr& spelled = var.spelled[flipped ? 1 : 0];
  if (spelled == formula) return it->second.first;
  if (!spelled || reading_cost(formula) < reading_cost(spelled) ||
      (reading_cost(formula) == reading_cost(spelled) && ctx_.order(formula, spelled) < 0))
    spelled = formula;
  return it->second.first;
}

Expr Variables::literal(VarId v, bool negated) const {
  const Variable& var = vars_[v];
  if (var.spelled[negated ? 1 : 0]) return var.spelled[negated ? 1 : 0];
  return negated ? ctx_.negate(var.key) : var.key;
}

ValueSet Variables::full(VarId v) const {
  if (vars_[v].literal) return Mask{static_cast<std::uint8_t>(vars_[v].total ? 3 : 7)};
  if (vars_[v].key.sort() == Sort::Enum) return NameSet{};
  return IntSet::all();
}

bool Variables::before(VarId a, VarId b) const {
  if (vars_[a].literal != vars_[b].literal) return vars_[b].literal;
  if (!vars_[a].literal) return ctx_.symbol_name(vars_[a].key) < ctx_.symbol_name(vars_[b].key);
  return ctx_.order(vars_[a].key, vars_[b].key) < 0;
}

std::vector<std::uint32_t> Variables::ranks() const {
  std::vector<VarId> order(vars_.size());
  for (VarId v = 0; v < order.size(); ++v) order[v] = v;
  std::sort(order.begin(), order.end(), [this](VarId a, VarId b) { return before(a, b); });
  std::vector<std::uint32_t> rank(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) rank[order[i]] = i;
  return rank;
}

namespace {

constexpr int kMaxDepth = 60;
constexpr std::uint32_t kMaxVisits = 400'000;  // shared subformulas are read once for every place they stand in

class Reader {
 public:
  Reader(Variables& vars, std::size_t limit) : vars_(vars), limit_(limit) {}

  // Boxes of T(e), or of F(e) where `negated`.
  std::optional<std::vector<Box>> read(Expr e, bool negated, int depth) {
    if (++visits_ > kMaxVisits) return std::nullopt;  // the next formula up becomes a literal as a whole
    switch (e.op()) {
      case Op::BoolConst:
        return e.is_true() != negated ? std::vector<Box>{Box{}} : std::vector<Box>{};
      case Op::Not:
        if (depth > kMaxDepth) return literal(e, negated);
        return read(e[0], !negated, depth + 1);
      case Op::And:
      case Op::Or:
      case Op::Implies: {
        if (auto one = one_symbol(e, negated)) return one;
        if (depth > kMaxDepth) return literal(e, negated);
        const bool conjunction = e.is(Op::And) != negated;
        auto out = junction(e, negated, conjunction, depth);
        if (!out) return literal(e, negated);
        return out;
      }
      default:
        if (auto one = one_symbol(e, negated)) return one;
        if (auto name = one_name(e, negated)) return name;
        return literal(e, negated);
    }
  }

 private:
  std::optional<std::vector<Box>> junction(Expr e, bool negated, bool conjunction, int depth) {
    std::vector<Box> out;                  // disjunction: all boxes; conjunction: parts of one box each
    std::vector<std::vector<Box>> unions;  // conjunction: the other parts
    for (std::size_t i = 0; i < e.size(); ++i) {
      const bool flip = e.is(Op::Implies) && i == 0;
      auto part = read(e[i], negated != flip, depth + 1);
      if (!part) return std::nullopt;
      if (conjunction && part->size() != 1) {
        if (part->empty()) return std::vector<Box>{};
        unions.push_back(std::move(*part));
        continue;
      }
      out.insert(out.end(), std::make_move_iterator(part->begin()), std::make_move_iterator(part->end()));
      if (!conjunction && out.size() > limit_) return std::nullopt;
    }
    if (!conjunction) return out;
    // In a balanced tree, so that n exclusions of single values cost n log n.
    while (out.size() > 1) {
      std::vector<Box> next;
      for (std::size_t i = 0; i < out.size(); i += 2) {
        if (i + 1 == out.size()) {
          next.push_back(std::move(out[i]));
          break;
        }
        auto both = meet(out[i], out[i + 1]);
        if (!both) return std::nullopt;
        if (both->empty) return std::vector<Box>{};
        next.push_back(std::move(both->box));
      }
      out = std::move(next);
    }
    if (out.empty()) out.emplace_back();
    for (const std::vector<Box>& part : unions) {
      if (out.size() * part.size() > limit_) return std::nullopt;
      std::vector<Box> next;
      for (const Box& a : out)
        for (const Box& b : part) {
          auto both = meet(a, b);
          if (!both) return std::nullopt;
          if (!both->empty) next.push_back(std::move(both->box));
        }
      out = std::move(next);
    }
    return out;
  }

  // The one Int symbol of e, if the formula is about a single slot.
  std::optional<std::vector<Box>> one_symbol(Expr e, bool negated) {
    if (e.node()->weight > kMaxWeight) return std::nullopt;
    const Expr x = only_symbol(e);
    if (!x || x.sort() != Sort::Int) return std::nullopt;
    auto truth = unary_truth(e, x);
    if (!truth) return std::nullopt;
    IntSet set = negated ? std::move(truth->is_false) : std::move(truth->is_true);
    if (set.is_empty()) return std::vector<Box>{};
    if (set.is_all()) return std::vector<Box>{Box{}};
    return std::vector<Box>{Box{{vars_.of_symbol(x), std::move(set)}}};
  }

  static Expr only_symbol(Expr e) {
    Expr found;
    std::vector<Expr> todo{e};
    while (!todo.empty()) {
      const Expr t = todo.back();
      todo.pop_back();
      if (t.is_symbol()) {
        if (found && found != t) return {};
        found = t;
      }
      for (std::size_t i = 0; i < t.size(); ++i) todo.push_back(t[i]);
    }
    return found;
  }

  // symbol == 'a', symbol in {'a', 'b'} and their negations.
  std::optional<std::vector<Box>> one_name(Expr e, bool negated) {
    if (!e.is(Op::Eq) && !e.is(Op::Ne) && !e.is(Op::In)) return std::nullopt;
    if (e.size() < 2 || e[0].sort() != Sort::Enum) return std::nullopt;
    Expr symbol = e[0];
    std::vector<std::string> names;
    for (std::size_t i = 1; i < e.size(); ++i) {
      Expr c = e[i];
      if (!e.is(Op::In) && symbol.is(Op::EnumConst)) std::swap(symbol, c);
      if (!symbol.is_symbol() || !c.is(Op::EnumConst)) return std::nullopt;
      names.push_back(vars_.context().enum_name(c));
    }
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    const bool all_but = e.is(Op::Ne) != negated;
    return std::vector<Box>{Box{{vars_.of_symbol(symbol), NameSet{all_but, std::move(names)}}}};
  }

  std::vector<Box> literal(Expr e, bool negated) {
    bool flipped = false;
    const VarId v = vars_.of_literal(e, flipped);
    return {Box{{v, Mask{static_cast<std::uint8_t>(flipped != negated ? 2 : 1)}}}};
  }

  Variables& vars_;
  std::size_t limit_;
  std::uint32_t visits_ = 0;
};

}  // namespace

std::optional<std::vector<Box>> to_boxes(Variables& vars, Expr formula, std::size_t limit) {
  Reader reader(vars, limit);
  auto boxes = reader.read(formula, false, 0);
  if (boxes && boxes->size() > limit) return std::nullopt;
  return boxes;
}

std::optional<Meet> meet(const Box& a, const Box& b) {
  Meet out{a, false};
  for (const auto& [v, set] : b) {
    const auto it = out.box.find(v);
    if (it == out.box.end()) {
      out.box.emplace(v, set);
      out.empty = out.empty || is_empty(set);
      continue;
    }
    auto both = intersect(it->second, set);
    if (!both) return std::nullopt;
    it->second = std::move(*both);
    out.empty = out.empty || is_empty(it->second);
  }
  return out;
}

}  // namespace dimgate::simplify
