// MiniDynamo, the small engine that explains guards: a picture of the call's attributes is taken when code is compiled,
// and the code may run only while the attributes are still so. Here it stands on the library: the picture is a
// described world, its guards come from a GuardBuilder, the slot that holds the code is a Cache.
//
// With `slots` = 1 it is the original, which forgets the old code when it compiles; with more it keeps what it
// compiled; with `symbolic_last` the last size is a symbol, so no guard asks for it. Run by `dimgate demo`, tested by
// tests/cli.
#pragma once

#include <iosfwd>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dimgate/cache.hpp"
#include "dimgate/described_world.hpp"

namespace dimgate::demo {

struct MiniOptions {
  std::size_t slots = 1;
  bool symbolic_last = false;
  /// What of a tensor the compiled code relies on: shape, device, dtype.
  std::vector<std::string> required = {"shape", "device", "dtype"};
};

class MiniDynamo {
 public:
  explicit MiniDynamo(MiniOptions options = {});
  ~MiniDynamo();
  MiniDynamo(const MiniDynamo&) = delete;
  MiniDynamo& operator=(const MiniDynamo&) = delete;

  /// "RECOMPILE -> opt_(2, 3)_cuda_float32" or "CACHE_HIT -> opt_(2, 3)_cuda_float32".
  std::string forward(const TensorDescription& x);
  /// Why the last call was compiled: the failing guard of the newest entry; empty for a hit and for the first call.
  [[nodiscard]] const std::string& why() const;
  [[nodiscard]] CacheStatistics statistics() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// One line a call, then the hit rate, as the original prints them.
void run_simulation(MiniDynamo& engine, std::span<const TensorDescription> stream, std::ostream& out);

/// The six calls: (2, 3) cuda twice, (2, 4) cuda twice, (2, 4) cpu twice.
std::vector<TensorDescription> article_stream();

/// The whole demonstration; false if a count is not what it should be.
bool run_demo(std::ostream& out);

}  // namespace dimgate::demo
