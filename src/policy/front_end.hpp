// What policies share: one trace of the subject's model in a Context of its own, and the entry made of it.
#pragma once

#include <vector>

#include "dimgate/policy.hpp"
#include "dimgate/trace.hpp"

namespace dimgate {

/// What stands for a dim while tracing.
struct DimPlan {
  enum class Kind : std::uint8_t {
    constant,  // the value
    symbol,    // a symbol with the value as its hint
    same,      // the symbol of an earlier dim
  } kind = Kind::constant;
  std::int64_t value = 0;
  std::size_t same_as = 0;
};

/// A trace and all it made. Freed as a whole.
class TraceRun {
 public:
  /// Symbols are named as the dims. `prepare` runs after the symbols are made, before the model; `finish` after it.
  using Step = std::function<void(TraceRun&)>;
  TraceRun(const Subject& subject, std::span<const DimPlan> plan, bool declare_facts, const Step& prepare = {},
           const Step& finish = {});

  Context context;
  Tracer tracer;
  std::vector<SymInt> dims;
  TraceOutcome outcome;

  /// The symbol called as dim i, whether the trace used it or not.
  [[nodiscard]] Expr symbol(std::size_t dim);
  /// `dim == value` for every dim.
  [[nodiscard]] std::vector<Expr> pins(std::span<const std::int64_t> values);
  /// The formulas of the lookup guards (run-time asserts left out), in order.
  [[nodiscard]] std::vector<Expr> guard_formulas() const;
  /// The answer where the trace did not succeed.
  [[nodiscard]] MissAnswer failure() const;
  /// An entry under `guards`; the error where they do not compile.
  [[nodiscard]] Result<NewEntry> entry(std::span<const Expr> guards, ArtifactRef artifact, std::string label);

 private:
  const Subject* subject_;
};

/// Some entry of a cache still has the artifact: it was not evicted.
bool holds_artifact(const EntrySet& entries, const ArtifactRef& artifact);

/// The dims' values in a miss.
std::vector<std::int64_t> values_of(const Subject& subject, SnapshotView at);
/// Every dim a constant; every dim a symbol.
std::vector<DimPlan> constants(std::span<const std::int64_t> values);
std::vector<DimPlan> symbols(std::span<const std::int64_t> values);

}  // namespace dimgate
