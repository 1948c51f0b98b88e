// What policies share: one trace of the subject's model under a plan for its dims.
#pragma once

#include <vector>

#include "dimgate/frontend.hpp"
#include "dimgate/policy.hpp"

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

/// A trace of the model.
class TraceRun : public TracedCall {
 public:
  /// Symbols are named as the dims. `prepare` runs after the symbols are made, before the model; `finish` after it.
  using Step = std::function<void(TraceRun&)>;
  TraceRun(const Subject& subject, std::span<const DimPlan> plan, bool with_facts, const Step& prepare = {},
           const Step& finish = {});

  std::vector<SymInt> dims;

  /// The symbol called as dim i, whether the trace used it or not.
  [[nodiscard]] Expr symbol(std::size_t dim);
  /// `dim == value` for every dim.
  [[nodiscard]] std::vector<Expr> pins(std::span<const std::int64_t> values);
  /// An entry under `guards` over the subject's layout; the error where they do not compile.
  [[nodiscard]] Result<NewEntry> entry(std::span<const Expr> guards, ArtifactRef artifact, std::string label) {
    return TracedCall::entry(subject_->layout(), guards, std::move(artifact), std::move(label));
  }

 private:
  const Subject* subject_;
};

/// Declares the subject's facts. Throws what declaring throws, and TraceError for a fact that does not read.
void declare_facts(Tracer& tracer, const Subject& subject);
/// The dims' values in a miss.
std::vector<std::int64_t> values_of(const Subject& subject, SnapshotView at);
/// Every dim a constant; every dim a symbol.
std::vector<DimPlan> constants(std::span<const std::int64_t> values);
std::vector<DimPlan> symbols(std::span<const std::int64_t> values);

}  // namespace dimgate
