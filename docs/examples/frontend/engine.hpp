// Compiles the network on demand and serves calls from a guarded cache.
#pragma once

#include <string>
#include <vector>

#include "dimgate/frontend.hpp"
#include "network.hpp"

namespace frontend {

class Engine {
 public:
  explicit Engine(Weights<Array> weights);
  ~Engine();

  /// The result, however it came about. Throws std::runtime_error where eager would fail as well (a rejected call).
  Array call(const Array& x);

  [[nodiscard]] dimgate::CacheStatistics statistics() const { return cache_.statistics(); }
  /// The guards of the entries, in lookup order.
  [[nodiscard]] std::vector<std::string> guards() const;

 private:
  Weights<Array> weights_;
  dimgate::NativeProver prover_;
  dimgate::FrontEnd front_end_;
  dimgate::Cache cache_;
  dimgate::CacheReader reader_;
  dimgate::Snapshot snapshot_;
};

}  // namespace frontend
