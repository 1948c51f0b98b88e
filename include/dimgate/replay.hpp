// Replay: drives a model's shape program with the calls of a trace under several policies and says what each costs.
//
// Every call is looked up in a Cache whose MissHandler is the policy; what a served call would compute does not
// matter, only whether it hits, compiles, shares, falls back or is rejected. Costs are counts times `--cost`.
// A call that runs eagerly is rejected too where eager execution raises a shape error (found by tracing the model on
// constants, once a shape). Tested by tests/replay, against PyTorch's own counts among others.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dimgate/import.hpp"
#include "dimgate/model.hpp"
#include "dimgate/policy.hpp"
#include "dimgate/prove.hpp"
#include "dimgate/result.hpp"

namespace dimgate {

/// Adds up the time that another prover takes.
class TimedProver final : public Prover {
 public:
  explicit TimedProver(Prover& inner) : inner_(&inner) {}
  [[nodiscard]] std::string name() const override { return inner_->name(); }
  [[nodiscard]] bool has_solver() const override { return inner_->has_solver(); }
  Proof prove(const Facts& facts, Expr claim, const Budget& budget = {}) override;
  SatResult satisfiable(const Facts& facts, const Budget& budget = {}) override;
  Bounds bound(const Facts& facts, Expr term, const Budget& budget = {}) override;
  [[nodiscard]] double seconds() const noexcept { return seconds_; }

 private:
  Prover* inner_;
  double seconds_ = 0;
};

/// The model's default binding for every dim that `options` does not bind, and all of them in the model's order.
/// Errors: a bind to a dim the model does not have (those it has are listed); no default fits the trace's columns.
Status add_default_binds(const Model& model, const Table& table, CallOptions& options);

/// One policy's row.
struct PolicyRow {
  std::string policy;
  std::uint64_t calls = 0;
  std::uint64_t traces = 0;    // how often the front end ran
  std::uint64_t compiles = 0;  // artifacts built
  std::uint64_t shared = 0;    // traced, artifact known
  std::uint64_t hits = 0;
  std::uint64_t fallbacks = 0;
  std::uint64_t rejected = 0;
  std::uint64_t evictions = 0;
  double hit_rate = 0;  // hits / (calls - rejected)
  std::uint64_t entries = 0;
  double guards_per_entry = 0;
  std::uint64_t bytes = 0;
  double lookup_ns = 0;      // measured over all calls, in their order
  double solver_ms = 0;      // in the solver (Z3)
  double padding_waste = 0;  // (padded - real) / padded elements of served calls
  // where costs are given
  std::optional<double> estimated_total_s;
  std::optional<std::uint64_t> break_even;  // first call (from 1) from which it stays below eager; none: never
  std::optional<double> longest_stall_s;    // the longest that one call takes
  std::optional<double> p99_s;              // 99th percentile of a call's time (nearest rank)
  std::vector<Policy::Shown> shown;
  std::vector<std::size_t> compiled_at;  // calls (from 0) that built an artifact
  std::string first_rejection;           // "FILE:LINE: ..." of the first rejected call
  std::string error;                     // "FILE:LINE: ..." of the call it could not go on with: `calls` end there
};

struct Comparison {
  std::string model;
  std::string trace;
  std::size_t calls = 0;
  std::optional<EntryLimit> limit;
  std::vector<PolicyRow> rows;
};

struct ReplayOptions {
  std::optional<Costs> costs;
  std::optional<EntryLimit> limit;      // of each policy's cache; none: it grows
  const TimedProver* solver = nullptr;  // for solver_ms
  bool measure_lookup = true;
  bool batch = true;               // many calls at once where they hit; false: call by call, the reference
  std::vector<std::string> facts;  // beside the model's own
  /// Called now and then: policy, calls done, calls in all.
  std::function<void(const std::string&, std::size_t, std::size_t)> progress;
  /// Makes what watches a policy's cache; null: nobody.
  std::function<std::shared_ptr<CacheObserver>(const std::string& policy, const Layout& layout)> observe;
  Log log;  // topic simplify
};

/// A policy that cannot go on (a missing fact, say) ends its own row. Errors: a negative size, facts that contradict
/// each other, no policy that could go on, and a model that rejects every call (the first one's reason).
Result<Comparison> compare(const Model& model, const Calls& calls, std::span<const PolicySpec> policies, Prover& prover,
                           const std::string& trace_name, const ReplayOptions& options = {});

/// The table for people.
std::string to_text(const Comparison& comparison);
/// The JSON object of schema 1. `details`: also guards, break-even, longest stall and p99.
std::string to_json(const Comparison& comparison, bool details = false);

// ---- check ---------------------------------------------------------------------------------------

/// What a guard set says to every row of a table whose columns are named as its symbols.
struct CheckReport {
  struct Failing {
    std::size_t guard = 0;                                    // index in the list
    bool undefined = false;                                   // neither true nor false (a zero divisor, no value)
    std::vector<std::pair<std::string, std::string>> values;  // symbol and value seen, "missing" where there is none
  };
  struct Input {
    unsigned line = 0;
    std::vector<Failing> failing;  // empty: every guard holds
  };
  std::vector<Input> inputs;
  std::size_t holding = 0;
};
/// A JSON row without a key, and an empty CSV cell, are missing values: guards that need them fail closed. Errors: a
/// symbol without a column (those present are listed), text where a number is needed.
Result<CheckReport> check_inputs(Context& ctx, std::span<const Expr> guards, const Table& inputs);

}  // namespace dimgate
