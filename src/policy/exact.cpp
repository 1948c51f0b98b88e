// One compile for each new shape. Padding comes first: the cache is asked for the shape that would run, so that an
// entry's guard is simply that shape. Rounding never overflows: a dim too large to round up falls back.
#include <algorithm>
#include <bit>

#include "policy/policies.hpp"

namespace dimgate {

ExactPolicy::ExactPolicy(PolicySpec spec, Subject subject) : spec_(std::move(spec)), subject_(std::move(subject)) {
  const auto dims = subject_.model->dims();
  for (std::size_t i = 0; i < dims.size(); ++i)
    padded_.push_back(
        spec_.pads() && subject_.free[i] &&
        (spec_.dims.empty() || std::find(spec_.dims.begin(), spec_.dims.end(), dims[i].name) != spec_.dims.end()));
}

bool ExactPolicy::shape(std::span<const std::int64_t> call, std::span<std::int64_t> run) const {
  for (std::size_t i = 0; i < call.size(); ++i) {
    run[i] = call[i];
    if (!padded_[i]) continue;
    const auto v = static_cast<std::uint64_t>(call[i]);
    switch (spec_.kind) {
      case PolicySpec::Kind::pow2:
        if (v > std::uint64_t{1} << 62U) return false;
        if (v > 0) run[i] = static_cast<std::int64_t>(std::bit_ceil(v));
        break;
      case PolicySpec::Kind::bucket: {
        const std::int64_t over = call[i] % spec_.number;
        if (over != 0 && __builtin_add_overflow(call[i], spec_.number - over, &run[i])) return false;
        break;
      }
      case PolicySpec::Kind::pad_to:
        if (call[i] > spec_.number) return false;
        run[i] = spec_.number;
        break;
      default:
        break;
    }
  }
  return true;
}

MissAnswer ExactPolicy::miss(const Miss& miss) {
  ++traces_;
  const std::vector<std::int64_t> values = values_of(subject_, miss.inputs);
  TraceRun run(subject_, constants(values), false);
  if (!run.outcome.ok()) return run.failure();
  auto entry = run.entry(run.pins(values), std::make_shared<Artifact>(), {});
  return entry ? MissAnswer::compile(std::move(*entry)) : MissAnswer::fail(entry.error().to_string());
}

}  // namespace dimgate
