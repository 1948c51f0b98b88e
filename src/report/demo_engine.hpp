// The small engine of the demo: one frame whose guards come from a GuardBuilder, with all it compiled kept.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "dimgate/cache.hpp"
#include "dimgate/described_world.hpp"
#include "dimgate/guard.hpp"

namespace dimgate::report {

class DemoEngine final : MissHandler {
 public:
  /// `symbolic`: names of sizes that no guard fixes ("L['x'].size()[1]"). `uses`: what the compiled code relies on.
  DemoEngine(std::vector<std::string> uses, std::set<std::string> symbolic, std::size_t limit = SIZE_MAX);

  struct Call {
    Outcome outcome = Outcome::fallback;
    std::string entry;                                        // label of the entry that serves
    std::vector<std::pair<std::string, std::string>> failed;  // newest entry first: its label, what failed
    std::vector<std::pair<std::string, std::vector<std::string>>> entries;  // after the call: label, guards
  };
  Call call(const World& world, const std::string& label);
  [[nodiscard]] CacheStatistics statistics() const { return cache_.statistics(); }

 private:
  MissAnswer miss(const Miss& miss) override;

  std::vector<std::string> uses_;
  std::set<std::string> symbolic_;
  Context ctx_;
  WorldLayout layout_;
  struct Kept {
    std::string label;
    GuardSet guards;
  };
  std::vector<Kept> kept_;
  std::string label_;
  std::vector<std::pair<std::string, std::string>> failed_;
  Cache cache_;
  CacheReader reader_;
};

}  // namespace dimgate::report
