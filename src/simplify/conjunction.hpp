// A conjunction being written readably: a set for each slot, and the clauses that no set of one slot can say.
//
// Each step keeps the truth of the whole under the facts: clauses with a boolean structure as unions of boxes; linear
// equations in solved form, values that are known put into the other clauses; what that cannot see is guessed from
// values and adopted only if proved. Cost: a few rounds, near-linear in the clauses; guessing: see guess.hpp.
// Tested by tests/simplify/minimise_test.cpp and equations_test.cpp.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "simplify/equations.hpp"
#include "simplify/guard_item.hpp"
#include "simplify/guess.hpp"
#include "simplify/questions.hpp"
#include "simplify/write_set.hpp"

namespace dimgate::simplify {

class Conjunction {
 public:
  Conjunction(Questions& questions, std::vector<Obligation>* obligations)
      : questions_(questions), ctx_(questions.context()), obligations_(obligations) {}
  void add(const GuardItem& item);
  std::vector<Expr> write();

 private:
  struct Equation {
    Expr clause;
    LinearEquation linear;
  };
  void restrict(Expr x, const IntSet& set);
  std::vector<Expr> slots_in_order();
  void write_slot(Expr x, std::vector<Expr>& out);
  Form as_said(Expr x, Form form);
  [[nodiscard]] Box domain_with_sets(const Variables& vars);
  void join_clauses();
  bool clauses_by_boxes();
  void note_clause(Expr clause, const std::vector<Expr>& parts);
  Expr spell_clause(Expr clause);
  // conjunction_equations.cpp
  bool solve_equations();
  bool solve_group(const std::vector<Equation>& group, std::vector<Expr>& clauses);
  bool restrict_to(Expr x, std::int64_t v);
  bool move_set(Expr later, Expr earlier);
  bool place_known_values();
  // conjunction_rewrites.cpp
  std::vector<Expr> rest_about(std::span<const Expr> symbols, std::size_t without);
  Expr decided(Expr choice, std::span<const Expr> premises, std::size_t& questions);
  bool decide_choices();
  void read_clauses_again();
  bool place_by_facts();
  Expr shorter_by_facts(Expr clause);

  Questions& questions_;
  Context& ctx_;
  std::vector<Obligation>* obligations_;
  std::unordered_map<Expr, IntSet> sets_;
  std::unordered_map<Expr, std::vector<Expr>> said_;  // by slot: the conjuncts that its set came from
  std::vector<Expr> clauses_;
  std::vector<Expr> unset_;
  std::unordered_set<Expr> known_;
  Guesses guesses_;
};

}  // namespace dimgate::simplify
