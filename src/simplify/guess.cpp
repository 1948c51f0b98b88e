#include "simplify/guess.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "simplify/affine.hpp"
#include "simplify/forms.hpp"
#include "simplify/grid.hpp"
#include "simplify/slot_relations.hpp"
#include "simplify/tape.hpp"
#include "simplify/write_set.hpp"

namespace dimgate::simplify {

namespace {

constexpr std::size_t kMaxClauses = 256;  // beyond that a set is read as it stands
constexpr std::size_t kMaxSlots = Grid::kMaxSlots;
constexpr std::uint32_t kMaxClauseWeight = 200;

bool is_linear_equation(Expr canonical) {
  if (!canonical.is(Op::Eq)) return false;
  std::vector<Expr> todo{canonical[0]};
  while (!todo.empty()) {
    const Expr t = todo.back();
    todo.pop_back();
    const bool linear =
        t.is_symbol() || t.is_int() || t.is(Op::Add) || (t.is(Op::Mul) && t.size() == 2 && t[0].is_int());
    if (!linear) return false;
    for (std::size_t i = 0; i < t.size(); ++i) todo.push_back(t[i]);
  }
  return true;
}

class Guesser {
 public:
  Guesser(Questions& questions, std::unordered_map<Expr, IntSet>& sets, std::vector<Expr>& clauses,
          std::vector<Obligation>* obligations)
      : questions_(questions), ctx_(questions.context()), sets_(sets), clauses_(clauses), obligations_(obligations) {}

  Guesses run() {
    if (clauses_.empty() || clauses_.size() > kMaxClauses) return {};
    split_clauses();
    find_equations();
    return std::move(guesses_);
  }

 private:
  const IntSet& set_of(Expr x) {
    const auto it = sets_.find(x);
    return it != sets_.end() ? it->second : questions_.domain(x);
  }

  std::optional<Grid> grid_for(const std::vector<Expr>& symbols, std::span<const Expr> formulas,
                               const std::size_t* sizes = Grid::kFull) {
    return Grid::around(ctx_, symbols, formulas, sizes, [this](Expr x) -> const IntSet& { return set_of(x); });
  }

  // What is spelled of the slots' own sets. A set that an equation implies is no premise any more: no circles.
  std::vector<Expr> set_premises(const std::vector<Expr>& symbols) {
    std::vector<Expr> out;
    for (const Expr s : symbols) {
      if (s.sort() != Sort::Int || guesses_.implied_slots.contains(s)) continue;
      const Form f = write_set(ctx_, s, set_of(s), questions_.domain(s));
      out.insert(out.end(), f.conjuncts.begin(), f.conjuncts.end());
    }
    return out;
  }

  // What was implied was the larger set.
  void narrow(Expr x, IntSet set) {
    guesses_.implied_slots.erase(x);
    sets_.insert_or_assign(x, std::move(set));
  }

  void note(Expr claim, const Questions::Answer& a, const char* why) {
    if (obligations_ != nullptr) obligations_->push_back(obligation(ctx_, claim, a, why));
  }

  // ---- a clause as one condition per slot ----------------------------------------------------------

  // By canonical order, what is about one slot first: a set that it narrows helps the others.
  void split_clauses() {
    std::sort(clauses_.begin(), clauses_.end(),
              [&](Expr a, Expr b) { return ctx_.order(ctx_.canonical(a), ctx_.canonical(b)) < 0; });
    std::stable_partition(clauses_.begin(), clauses_.end(), [&](Expr e) { return symbols_of(ctx_, e).size() < 2; });
    std::erase_if(clauses_, [&](Expr e) { return split(e); });
    for (Expr& e : clauses_) e = relation_for(e);
  }

  // ---- a clause as a relation of two slots ---------------------------------------------------------

  // x % y == 0, x < y and their like where the clause says the same in another way; else the clause.
  Expr relation_for(Expr clause) {
    const std::vector<Expr> symbols = symbols_of(ctx_, clause);
    if (symbols.size() != 2 || clause.node()->weight > kMaxClauseWeight || !compares_slots(clause)) return clause;
    const auto grid = grid_for(symbols, std::vector<Expr>{clause});
    const Tape tape(clause);
    if (!grid || !tape.has()) return clause;
    const std::vector<char> truth = truth_on(*grid, tape);
    if (std::set<char>(truth.begin(), truth.end()).size() != 2) return clause;  // also where a value overflows
    for (const Expr relation : relations_of(ctx_, grid->symbols)) {
      if (reading_cost(relation) >= reading_cost(clause)) continue;
      const Tape other(relation);
      if (!other.has()) continue;
      if (truth_on(*grid, other) == truth ? adopt_relation(clause, relation, {}) : adopt_with_sign(clause, relation))
        return relation;
    }
    return clause;
  }

  // `sign`: null, or what the clause says besides.
  bool adopt_relation(Expr clause, Expr relation, Expr sign) {
    std::vector<Expr> with = set_premises(symbols_of(ctx_, clause)), without = with;
    with.push_back(clause);
    without.push_back(relation);
    if (sign) without.push_back(sign);
    const auto back = questions_.implied(without, clause);
    if (!back.proved()) return false;
    const auto forth = questions_.implied(with, sign ? make_and(ctx_, std::vector<Expr>{relation, sign}) : relation);
    if (!forth.proved()) return false;
    note(clause, back, "implied by its readable form");
    note(relation, forth, "readable form of a clause");
    return true;
  }

  // x//y >= 1 under x >= 0 is y <= x with y >= 1, and x >= 0 follows from that.
  bool adopt_with_sign(Expr clause, Expr relation) {
    const std::vector<Expr> symbols = symbols_of(ctx_, clause);
    for (const std::size_t k : {0, 1}) {
      const Expr y = symbols[k], other = symbols[1 - k];
      const auto positive = intersect(set_of(y), IntSet::range(1, IntSet::kPlusInf));
      if (!positive || positive->is_empty() || set_of(y).lo() >= 1) continue;
      const Form spelled = write_set(ctx_, y, *positive, questions_.domain(y));
      const Form known = write_set(ctx_, other, set_of(other), questions_.domain(other));
      if (spelled.conjuncts.empty()) continue;
      const Expr sign = make_and(ctx_, spelled.conjuncts);
      // The other slot's set must follow, or the two be shorter than the clause.
      bool shorter = reading_cost(relation) + reading_cost(sign) + 2 < reading_cost(clause);
      std::optional<Questions::Answer> free;
      if (!known.conjuncts.empty()) {
        free = questions_.implied(std::vector<Expr>{relation, sign}, make_and(ctx_, known.conjuncts));
        if (!free->proved()) free.reset();
      }
      if ((!free && !shorter) || !adopt_relation(clause, relation, sign)) continue;
      narrow(y, *positive);
      if (free) {
        note(make_and(ctx_, known.conjuncts), *free, "implied by the readable form of a clause");
        guesses_.implied_slots.insert(other);
      }
      return true;
    }
    return false;
  }

  bool split(Expr clause) {
    const std::vector<Expr> symbols = symbols_of(ctx_, clause);
    if (symbols.empty() || symbols.size() > kMaxSlots || clause.node()->weight > kMaxClauseWeight) return false;
    const Tape tape(clause);
    if (!tape.has()) return false;
    if (symbols.size() > 1) {
      const auto coarse = grid_for(symbols, std::vector<Expr>{clause}, Grid::kCoarse);
      if (!coarse || !product_on(*coarse, tape)) return false;
    }
    const auto grid = grid_for(symbols, std::vector<Expr>{clause});
    if (!grid) return false;
    const auto on_grid = product_on(*grid, tape);
    if (!on_grid || (*on_grid)[0].empty()) return false;
    const std::vector<std::set<std::int64_t>>& seen = *on_grid;
    std::vector<std::pair<Expr, IntSet>> guess;
    for (std::size_t i = 0; i < seen.size(); ++i) {
      if (seen[i].size() == grid->values[i].size()) continue;
      auto set = guess_set(clause, grid->values[i], seen[i], set_of(grid->symbols[i]));
      if (!set) return false;
      guess.emplace_back(grid->symbols[i], std::move(*set));
    }
    return adopt_split(clause, symbols, guess);
  }

  // The values of each slot among the points where the clause is true, if those points are their product.
  std::optional<std::vector<std::set<std::int64_t>>> product_on(const Grid& grid, const Tape& tape) {
    std::vector<std::set<std::int64_t>> seen(grid.symbols.size());
    std::vector<char> truth;
    std::vector<Tape::Cell> stack;
    bool usable = true;
    grid.for_each([&](const Point& p, const std::vector<std::int64_t>& v) {
      const Tape::Cell c = tape.run(p, stack);
      usable = usable && c.state != Tape::State::overflow;
      const bool yes = c.state == Tape::State::value && c.v == 1;
      truth.push_back(yes ? 1 : 0);
      if (yes)
        for (std::size_t i = 0; i < v.size(); ++i) seen[i].insert(v[i]);
    });
    if (!usable) return std::nullopt;
    std::size_t n = 0;
    bool product = true;
    grid.for_each([&](const Point&, const std::vector<std::int64_t>& v) {
      bool all = true;
      for (std::size_t i = 0; i < v.size() && all; ++i) all = seen[i].contains(v[i]);
      product = product && all == (truth[n] != 0);
      ++n;
    });
    if (!product) return std::nullopt;
    return seen;
  }

  // A range or a residue class that agrees with the values seen.
  std::optional<IntSet> guess_set(Expr clause, const std::vector<std::int64_t>& all, const std::set<std::int64_t>& yes,
                                  const IntSet& allowed) {
    const auto fits = [&](const IntSet& s) {
      return std::all_of(all.begin(), all.end(), [&](std::int64_t v) { return s.contains(v) == yes.contains(v); });
    };
    std::vector<IntSet> tries;
    const std::int64_t lo = *yes.begin() == all.front() ? IntSet::kMinusInf : *yes.begin();
    const std::int64_t hi = *yes.rbegin() == all.back() ? IntSet::kPlusInf : *yes.rbegin();
    tries.push_back(IntSet::range(lo, hi));
    if (yes.size() + 2 >= all.size()) {  // all but one or two values
      IntSet without = IntSet::all();
      for (const std::int64_t v : all)
        if (!yes.contains(v)) without = subtract(without, IntSet::point(v)).value_or(without);
      tries.push_back(without);
    }
    std::vector<std::int64_t> moduli;
    collect_constants(clause, moduli);
    for (const std::int64_t m : moduli) {
      if (m < 2 || m > static_cast<std::int64_t>(Residues::kMaxModulus)) continue;
      const auto modulus = static_cast<std::uint32_t>(m);
      std::vector<char> hit(modulus, 0);
      for (const std::int64_t v : yes) hit[floor_residue(v, modulus)] = 1;
      const IntSet r = IntSet::of(Residues::where(modulus, [&](std::uint32_t k) { return hit[k] != 0; }));
      tries.push_back(r);
      if (const auto both = intersect(r, tries[0])) tries.push_back(*both);
    }
    for (const IntSet& t : tries) {
      if (!fits(t)) continue;
      return intersect(t, allowed);
    }
    return std::nullopt;
  }

  bool adopt_split(Expr clause, const std::vector<Expr>& symbols, std::vector<std::pair<Expr, IntSet>>& guess) {
    std::vector<Expr> with = set_premises(symbols);
    std::vector<Expr> without = with;
    std::vector<Expr> claims;
    for (const auto& [x, set] : guess)
      for (const Expr e : write_set(ctx_, x, set, set_of(x)).conjuncts) claims.push_back(e);
    // The other way first: it fails soonest for a wrong guess.
    without.insert(without.end(), claims.begin(), claims.end());
    const auto back = questions_.implied(without, clause);
    if (!back.proved()) return false;
    with.push_back(clause);
    std::vector<Questions::Answer> forth;
    for (const Expr c : claims) {
      forth.push_back(questions_.implied(with, c));
      if (!forth.back().proved()) return false;
    }
    note(clause, back, "implied by its readable form");
    for (std::size_t i = 0; i < claims.size(); ++i) note(claims[i], forth[i], "readable form of a clause");
    for (auto& [x, set] : guess) narrow(x, std::move(set));
    return true;
  }

  // ---- linear equations ----------------------------------------------------------------------------

  void find_equations() {
    std::map<std::vector<std::string>, std::vector<Expr>> groups;  // clauses by the slots they are about
    for (const Expr c : clauses_) {
      std::vector<std::string> names;
      for (const Expr s : symbols_of(ctx_, c)) names.push_back(ctx_.symbol_name(s));
      if (names.size() < 2 || names.size() > kMaxSlots || c.node()->weight > kMaxClauseWeight) continue;
      std::sort(names.begin(), names.end());
      groups[names].push_back(c);
    }
    for (auto& [names, group] : groups) equations_of(symbols_of(ctx_, group[0]), group);
  }

  void equations_of(const std::vector<Expr>& symbols, const std::vector<Expr>& group) {
    if (std::all_of(group.begin(), group.end(), [this](Expr c) { return is_linear_equation(ctx_.canonical(c)); }))
      return;
    const auto grid = grid_for(symbols, group);
    if (!grid) return;
    std::vector<Tape> tapes;
    for (const Expr c : group) {
      tapes.emplace_back(c);
      if (!tapes.back().has()) return;
    }
    AffineHull hull(grid->symbols.size());
    std::size_t rows = 0;
    std::vector<Tape::Cell> stack;
    grid->for_each([&](const Point& p, const std::vector<std::int64_t>& v) {
      if (hull.rank() == v.size()) return;
      for (const Tape& t : tapes) {
        const Tape::Cell c = t.run(p, stack);
        if (c.state != Tape::State::value || c.v != 1) return;
      }
      hull.add(std::vector<Integer>(v.begin(), v.end()));
      ++rows;
    });
    if (rows < hull.rank() + 2 || hull.rank() == grid->symbols.size()) return;
    std::vector<Expr> equations;
    for (const LinearEquation& e : hull.equations(grid->symbols)) {
      if (e.terms.size() < 2) return;  // a constant: the slot's own set says so
      equations.push_back(spell_equation(ctx_, e));
    }
    adopt_equations(grid->symbols, group, equations);
  }

  void adopt_equations(const std::vector<Expr>& symbols, const std::vector<Expr>& group,
                       const std::vector<Expr>& equations) {
    std::vector<Expr> premises = set_premises(symbols);
    const std::vector<Expr> own = premises;
    premises.insert(premises.end(), group.begin(), group.end());
    std::vector<Questions::Answer> answers;
    for (const Expr e : equations) {
      answers.push_back(questions_.implied(premises, e));
      if (!answers.back().proved()) return;
    }
    // Which clauses and slot sets do the equations make redundant?
    std::vector<Expr> left;
    std::vector<Obligation> notes;
    for (std::size_t i = 0; i < group.size(); ++i) {
      std::vector<Expr> rest = own;
      rest.insert(rest.end(), equations.begin(), equations.end());
      rest.insert(rest.end(), left.begin(), left.end());
      const auto a = questions_.implied(rest, group[i]);
      if (a.proved())
        notes.push_back(obligation(ctx_, group[i], a, "implied by the equation found"));
      else
        left.push_back(group[i]);
    }
    std::unordered_set<Expr> free;
    for (std::size_t k = symbols.size(); k-- > 0;) {
      const Expr s = symbols[k];
      const Form form = write_set(ctx_, s, set_of(s), questions_.domain(s));
      if (form.conjuncts.empty() || guesses_.implied_slots.contains(s)) continue;
      std::vector<Expr> rest = equations;
      rest.insert(rest.end(), left.begin(), left.end());
      for (const Expr t : symbols) {
        if (t == s || free.contains(t) || guesses_.implied_slots.contains(t)) continue;
        const Form f = write_set(ctx_, t, set_of(t), questions_.domain(t));
        rest.insert(rest.end(), f.conjuncts.begin(), f.conjuncts.end());
      }
      const Expr claim = make_and(ctx_, form.conjuncts);
      const auto a = questions_.implied(rest, claim);
      if (!a.proved()) continue;
      free.insert(s);
      notes.push_back(obligation(ctx_, claim, a, "implied by the equation found"));
    }
    std::uint64_t before = 0;
    std::uint64_t after = 0;
    for (const Expr c : group) before += reading_cost(c) + 2;
    for (const Expr s : free) before += write_set(ctx_, s, set_of(s), questions_.domain(s)).cost + 2;
    for (const Expr e : equations) after += reading_cost(e) + 2;
    for (const Expr c : left) after += reading_cost(c) + 2;
    if (after >= before) return;
    for (std::size_t i = 0; i < equations.size(); ++i) note(equations[i], answers[i], "equation between slots");
    if (obligations_ != nullptr) obligations_->insert(obligations_->end(), notes.begin(), notes.end());
    for (const Expr c : group)
      if (std::find(left.begin(), left.end(), c) == left.end()) std::erase(clauses_, c);
    clauses_.insert(clauses_.end(), equations.begin(), equations.end());
    guesses_.implied_slots.insert(free.begin(), free.end());
  }

  Questions& questions_;
  Context& ctx_;
  std::unordered_map<Expr, IntSet>& sets_;
  std::vector<Expr>& clauses_;
  std::vector<Obligation>* obligations_;
  Guesses guesses_;
};

}  // namespace

Guesses guess_simpler(Questions& questions, std::unordered_map<Expr, IntSet>& sets, std::vector<Expr>& clauses,
                      std::vector<Obligation>* obligations) {
  return Guesser(questions, sets, clauses, obligations).run();
}

}  // namespace dimgate::simplify
