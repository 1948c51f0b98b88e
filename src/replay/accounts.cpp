// What counts cost: seconds of every call, and from them the total, the longest stall, the 99th percentile and the call
// from which a policy stays cheaper than eager.
#include <algorithm>
#include <cmath>

#include "replay/run.hpp"

namespace dimgate {

std::optional<std::vector<double>> call_seconds(const std::vector<CallRecord>& calls, const Costs& costs,
                                                std::string_view policy, double lookup_s) {
  using Kind = CallRecord::Kind;
  const auto compile = costs.compile_for(policy), run = costs.run_for(policy);
  std::vector<double> seconds(calls.size());
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const Kind kind = calls[i].kind;
    if (kind == Kind::rejected) continue;
    if (kind == Kind::fallback) {
      if (!costs.eager) return {};
      seconds[i] = *costs.eager;
      continue;
    }
    if (!run || (kind == Kind::compiled && !compile)) return {};
    seconds[i] = lookup_s + *run * calls[i].stretch + (kind == Kind::compiled ? *compile : 0);
  }
  return seconds;
}

void account(const std::vector<CallRecord>& calls, const Costs& costs, PolicyRow& row) {
  auto seconds = call_seconds(calls, costs, row.policy, row.lookup_ns * 1e-9);
  if (!seconds) return;
  double total = 0;
  for (const double s : *seconds) total += s;
  row.estimated_total_s = total;

  if (costs.eager) {  // eager pays for every call that is not rejected
    double policy_sum = 0, eager_sum = 0;
    std::optional<std::uint64_t> from;
    for (std::size_t i = 0; i < calls.size(); ++i) {
      policy_sum += (*seconds)[i];
      if (calls[i].kind != CallRecord::Kind::rejected) eager_sum += *costs.eager;
      if (policy_sum < eager_sum) {
        if (!from) from = i + 1;
      } else {
        from.reset();
      }
    }
    row.break_even = from;
  }

  std::vector<double> served;
  for (std::size_t i = 0; i < calls.size(); ++i)
    if (calls[i].kind != CallRecord::Kind::rejected) served.push_back((*seconds)[i]);
  if (served.empty()) return;
  const auto rank = static_cast<std::size_t>(std::ceil(0.99 * static_cast<double>(served.size()))) - 1;
  std::nth_element(served.begin(), served.begin() + static_cast<std::ptrdiff_t>(rank), served.end());
  row.p99_s = served[rank];
  row.longest_stall_s = *std::max_element(served.begin(), served.end());
}

}  // namespace dimgate
