// The list of facts with push and pop; what follows from them is computed by the prover's index. Checked by
// tests/prove/native_test.cpp.
#include "dimgate/facts.hpp"

#include <algorithm>
#include <cassert>

namespace dimgate {

FactId Facts::assume(Expr formula, Standing standing, std::string origin) {
  if (facts_.capacity() == 0) facts_.reserve(4);
  facts_.emplace_back(formula, ctx_->canonical(formula), standing, std::move(origin));
  return static_cast<FactId>(facts_.size() - 1);
}

void Facts::set_witness(Expr symbol, Value value) {
  witness_.set(symbol, std::move(value));
  const auto at = std::lower_bound(witness_symbols_.begin(), witness_symbols_.end(), symbol,
                                   [&](Expr a, Expr b) { return ctx_->order(a, b) < 0; });
  if (at == witness_symbols_.end() || !(*at == symbol)) witness_symbols_.insert(at, symbol);
  ++generation_;
}

void Facts::pop() {
  assert(!levels_.empty() && "pop without push");
  if (facts_.size() > levels_.back()) ++generation_;
  facts_.resize(levels_.back());
  levels_.pop_back();
}

}  // namespace dimgate
