// The shipped traces by the names that torch_2_13_counts.tsv gives them, ready to replay.
#pragma once

#include <doctest/doctest.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dimgate/replay.hpp"
#include "models.hpp"

namespace dimgate::testing {

class Shipped {
 public:
  Shipped() { models::register_models(registry_); }
  [[nodiscard]] const Model& model(const std::string& name) const { return *registry_.require(name).value(); }

  /// The calls of a trace; `crop`: image sizes floored to multiples of 32.
  Calls calls(const Model& model, const std::string& trace, std::size_t first, bool crop = false) {
    const bool batched = trace.ends_with("_batched");
    std::string file = batched ? trace.substr(0, trace.size() - 8) : trace;
    if (file == "coco") file = "coco_val2017_sizes";
    auto it = tables_.find(file);
    if (it == tables_.end()) {
      auto table = read_table(DIMGATE_SOURCE_DIR "/tests/data/traces/" + file + ".csv");
      REQUIRE(table.ok());
      it = tables_.emplace(file, std::move(table).value()).first;
    }
    CallOptions options;
    options.first = first;
    if (batched) options.batch = parse_batch("TIMESTAMP:1s").value();
    if (crop) options.binds = {{"H", "height//32*32"}, {"W", "width//32*32"}};
    const auto bound = add_default_binds(model, it->second, options);
    REQUIRE_MESSAGE(bound.ok(), (bound.ok() ? std::string() : bound.error().to_string()));
    return bind_calls(it->second, options).value();
  }

  Comparison compare(const Model& model, const Calls& calls, const std::string& policies) {
    NativeProver prover;
    ReplayOptions options;
    options.measure_lookup = false;
    auto result = dimgate::compare(model, calls, parse_policies(policies).value(), prover, "trace", options);
    REQUIRE_MESSAGE(result.ok(), (result.ok() ? std::string() : result.error().to_string()));
    for (const PolicyRow& r : result->rows) CHECK(r.calls == r.hits + r.compiles + r.shared + r.fallbacks + r.rejected);
    return std::move(result).value();
  }

 private:
  ModelRegistry registry_;
  std::map<std::string, Table> tables_;
};

}  // namespace dimgate::testing
