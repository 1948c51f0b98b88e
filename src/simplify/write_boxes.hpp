// Unions of boxes as readable conjunctions: what all boxes share comes first, then one disjunction of what is left.
#pragma once

#include <vector>

#include "simplify/questions.hpp"

namespace dimgate::simplify {

/// Conjuncts that together hold exactly on the union, given that the domain holds. Boxes are minimised already.
std::vector<Expr> write_boxes(const Variables& vars, std::vector<Box> boxes, const Box& domain);

}  // namespace dimgate::simplify
