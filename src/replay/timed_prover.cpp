#include <chrono>

#include "dimgate/replay.hpp"

namespace dimgate {

namespace {

class Stopwatch {
 public:
  explicit Stopwatch(double& into) : into_(into), start_(std::chrono::steady_clock::now()) {}
  ~Stopwatch() { into_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  double& into_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace

Proof TimedProver::prove(const Facts& facts, Expr claim, const Budget& budget) {
  const Stopwatch watch(seconds_);
  return inner_->prove(facts, claim, budget);
}

SatResult TimedProver::satisfiable(const Facts& facts, const Budget& budget) {
  const Stopwatch watch(seconds_);
  return inner_->satisfiable(facts, budget);
}

Bounds TimedProver::bound(const Facts& facts, Expr term, const Budget& budget) {
  const Stopwatch watch(seconds_);
  return inner_->bound(facts, term, budget);
}

}  // namespace dimgate
