// Symbolic entries: the guard is the path condition of the trace, minimised; a known fingerprint builds nothing.
#include "policy/policies.hpp"

namespace dimgate {

namespace {

FrontEndOptions options_of(bool merge, const Log& log) {
  FrontEndOptions options;
  options.merge = merge;
  options.label = "symbolic";
  options.on_minimised = [log](const Context& ctx, std::span<const Expr> recorded, const Minimised& minimal) {
    log_minimised(log, ctx, recorded, minimal);
  };
  return options;
}

}  // namespace

SymbolicPolicy::SymbolicPolicy(bool merge, Subject subject)
    : subject_(std::move(subject)),
      front_end_(
          subject_.layout(), *subject_.prover,
          [this](TracedCall& call) {
            std::vector<SymInt> dims;
            for (const ModelDim& dim : subject_.model->dims()) dims.push_back(call.integer(dim.name));
            declare_facts(call.tracer, subject_);
            subject_.model->trace(call.tracer, dims);
          },
          {}, options_of(merge, subject_.log)) {}

MissAnswer SymbolicPolicy::miss(const Miss& miss) {
  MissAnswer answer = front_end_.miss(miss);
  traces_ = front_end_.traces();
  return answer;
}

}  // namespace dimgate
