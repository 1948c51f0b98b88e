#include <algorithm>

#include "replay/run.hpp"

namespace dimgate {

namespace {

/// Dims are sizes: the first negative one is an error at its line.
std::optional<Error> find_negative(const Calls& calls, const std::string& trace) {
  for (std::size_t i = 0; i < calls.size(); ++i)
    for (std::size_t d = 0; d < calls.dims().size(); ++d)
      if (calls[i][d] < 0)
        return Error{calls.dims()[d] + " is " + std::to_string(calls[i][d]) +
                         " here, and a size is never negative; check --bind " + calls.dims()[d],
                     trace, calls.line(i)};
  return std::nullopt;
}

void check_precondition(const Program& precondition, const Calls& calls, std::vector<bool>& allowed) {
  constexpr std::size_t kBlock = 1024;
  const std::size_t dims = calls.dims().size();
  std::vector<std::int64_t> values(dims * kBlock);
  std::vector<const std::int64_t*> columns;
  for (std::size_t d = 0; d < dims; ++d) columns.push_back(values.data() + d * kBlock);
  std::vector<std::uint8_t> pass(kBlock);
  for (std::size_t begin = 0; begin < calls.size(); begin += kBlock) {
    const std::size_t n = std::min(kBlock, calls.size() - begin);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t d = 0; d < dims; ++d) values[d * kBlock + i] = calls[begin + i][d];
    precondition.check_batch(columns, n, pass.data());
    for (std::size_t i = 0; i < n; ++i) allowed[begin + i] = pass[i] != 0;
  }
}

}  // namespace

Result<Comparison> compare(const Model& model, const Calls& calls, std::span<const PolicySpec> policies, Prover& prover,
                           const std::string& trace_name, const ReplayOptions& options) {
  const auto dims = model.dims();
  if (!std::equal(dims.begin(), dims.end(), calls.dims().begin(), calls.dims().end(),
                  [](const ModelDim& d, const std::string& name) { return d.name == name; }))
    return Error{"the calls do not bind the dims of " + std::string(model.name()) + " in their order"};
  if (calls.size() == 0) return Error{"empty trace: no call is left to replay", trace_name};
  if (auto negative = find_negative(calls, trace_name)) return *std::move(negative);

  Subject subject;
  subject.model = &model;
  subject.prover = &prover;
  for (std::size_t d = 0; d < dims.size(); ++d) subject.free.push_back(!calls.is_constant(d));
  subject.log = options.log;
  subject.facts = model.facts();
  subject.facts.insert(subject.facts.end(), options.facts.begin(), options.facts.end());
  const auto precondition = compile_facts(subject);
  if (!precondition) return precondition.error();

  EagerCheck eager(subject);
  ReplayInput input{&calls, &subject, std::vector<bool>(calls.size()), &eager, trace_name};
  check_precondition(*precondition, calls, input.allowed);

  Comparison out;
  out.model = model.name();
  out.trace = trace_name;
  out.calls = calls.size();
  out.limit = options.limit;
  for (const PolicySpec& spec : policies) {
    PolicyRow& row = out.rows.emplace_back();
    auto records = run_policy(input, spec, options, row);
    if (!records) return records.error();
    if (options.costs && row.error.empty()) account(*records, *options.costs, row);
  }
  if (!out.rows.empty() && std::ranges::none_of(out.rows, [](const PolicyRow& r) { return r.error.empty(); }))
    return Error{out.rows.front().policy + ": " + out.rows.front().error};
  if (!out.rows.empty() && std::all_of(out.rows.begin(), out.rows.end(),
                                       [](const PolicyRow& r) { return r.error.empty() && r.rejected == r.calls; }))
    return Error{"every call is rejected by " + std::string(model.name()) +
                 "; the first: " + out.rows.front().first_rejection};
  return out;
}

}  // namespace dimgate
