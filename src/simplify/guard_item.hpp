// One guard as minimise and the readable form see it: what it says about single slots as sets, and the rest.
#pragma once

#include <span>
#include <vector>

#include "simplify/questions.hpp"

namespace dimgate::simplify {

struct GuardItem {
  Expr raw;
  Expr canonical;
  double cost = 1;
  std::vector<std::pair<Expr, IntSet>> slots;  // conjuncts about one Int symbol, as the set they allow
  std::vector<std::pair<Expr, Expr>> parts;    // the slots of these conjuncts, and each as written
  std::vector<Expr> rest;                      // other conjuncts, as written where that is possible
  std::vector<Expr> symbols;
};

GuardItem read_guard(Context& ctx, Expr guard);

/// Work to check: reading slots, divisions, nodes. Any fixed positive scale.
double default_cost(Context& ctx, Expr guard);

}  // namespace dimgate::simplify
