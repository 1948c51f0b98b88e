#include "dimgate/facts.hpp"

#include <cassert>

namespace dimgate {

FactId Facts::assume(Expr formula, Standing standing, std::string origin) {
  facts_.push_back({formula, ctx_->canonical(formula), standing, std::move(origin)});
  return static_cast<FactId>(facts_.size() - 1);
}

void Facts::pop() {
  assert(!levels_.empty() && "pop without push");
  if (facts_.size() > levels_.back()) ++generation_;
  facts_.resize(levels_.back());
  levels_.pop_back();
}

}  // namespace dimgate
