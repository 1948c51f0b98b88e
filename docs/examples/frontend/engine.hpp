// Compiles the network on demand and serves calls from a guarded cache.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "dimgate/cache.hpp"
#include "dimgate/prove.hpp"
#include "network.hpp"

namespace frontend {

/// A loaded function and how to call it.
struct Compiled;

class Engine final : private dimgate::MissHandler {
 public:
  explicit Engine(Weights<Array> weights);
  ~Engine() override;

  /// The result, however it came about. Throws std::runtime_error where eager would fail as well (a rejected call).
  Array call(const Array& x);

  [[nodiscard]] dimgate::CacheStatistics statistics() const { return cache_.statistics(); }
  /// The guards of the entries, in lookup order.
  [[nodiscard]] std::vector<std::string> guards() const;

 private:
  dimgate::MissAnswer miss(const dimgate::Miss& miss) override;

  Weights<Array> weights_;
  dimgate::NativeProver prover_;
  dimgate::Layout layout_;
  std::map<std::string, dimgate::ArtifactRef> artifacts_;  // by fingerprint
  dimgate::Cache cache_;
  dimgate::CacheReader reader_;
  dimgate::Snapshot snapshot_;
};

}  // namespace frontend
