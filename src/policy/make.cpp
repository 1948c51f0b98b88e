#include <algorithm>

#include "policy/policies.hpp"

namespace dimgate {

bool Policy::shape(std::span<const std::int64_t> call, std::span<std::int64_t> run) const {
  std::copy(call.begin(), call.end(), run.begin());
  return true;
}

std::vector<Policy::Shown> Policy::show(const EntrySet& entries) const {
  std::vector<Shown> out;
  for (const EntryRef& e : entries.entries)
    out.push_back({e->guard_texts, e->artifact ? e->artifact->fingerprint : std::string(), 1});
  return out;
}

Result<std::unique_ptr<Policy>> make_policy(const PolicySpec& spec, const Subject& subject) {
  const auto dims = subject.model->dims();
  for (const std::string& name : spec.dims)
    if (std::none_of(dims.begin(), dims.end(), [&](const ModelDim& d) { return d.name == name; })) {
      std::string known;
      for (const ModelDim& d : dims) known += (known.empty() ? "" : ", ") + d.name;
      return Error{"--policies: " + spec.text + ": no dim '" + name + "'; the dims of " +
                   std::string(subject.model->name()) + " are " + known};
    }
  std::unique_ptr<Policy> policy;
  switch (spec.kind) {
    case PolicySpec::Kind::eager:
      policy = std::make_unique<EagerPolicy>();
      break;
    case PolicySpec::Kind::whitelist:
      policy = std::make_unique<WhitelistPolicy>(subject);
      break;
    case PolicySpec::Kind::auto_dynamic:
      policy = std::make_unique<AutoDynamicPolicy>(static_cast<std::size_t>(spec.number), subject);
      break;
    case PolicySpec::Kind::symbolic:
      policy = std::make_unique<SymbolicPolicy>(spec.merge, subject);
      break;
    default:
      policy = std::make_unique<ExactPolicy>(spec, subject);
      break;
  }
  return policy;
}

}  // namespace dimgate
