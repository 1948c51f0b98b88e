#include "replay/run.hpp"

#include <algorithm>
#include <array>
#include <chrono>

namespace dimgate {

namespace {

constexpr std::size_t kProgressEvery = 1024;
constexpr std::size_t kBlock = 1024;  // most calls looked up at once
constexpr std::size_t kWorth = 8;     // fewer are looked up one by one

/// Elements of a shape. A double: only ratios and sums of them are asked for.
double elements(std::span<const std::int64_t> shape) {
  double n = 1;
  for (const std::int64_t v : shape) n *= static_cast<double>(v);
  return n;
}

/// padded / real; an empty call that is padded costs what its padding costs.
double stretch_of(double real, double padded) {
  if (real == padded) return 1;
  return padded / (real > 0 ? real : 1);
}

class Runner {
 public:
  Runner(const ReplayInput& input, Policy& policy, const ReplayOptions& options, PolicyRow& row)
      : input_(input),
        policy_(policy),
        options_(options),
        row_(row),
        cache_(policy, cache_options(input, options, row.policy)),
        reader_(cache_) {
    const std::size_t dims = input.calls->dims().size();
    snapshot_.resize(dims);
    shape_.resize(dims);
  }

  std::vector<CallRecord> run() {
    const Calls& calls = *input_.calls;
    std::vector<CallRecord> records(calls.size());
    std::size_t told = 0;  // calls at which progress is due
    std::size_t run = 0;   // hits since the last call that was none
    for (std::size_t i = 0; i < calls.size();) {
      if (options_.progress && i >= told) options_.progress(row_.policy, i, calls.size()), told = i + kProgressEvery;
      if (options_.batch && run >= kWorth) {
        const std::size_t served = hits(i, std::min(run, kBlock), records);
        i += served;
        run += served;
        if (served != 0) continue;
      }
      if (const auto problem = one(i, records[i])) {
        row_.error = problem->to_string();
        records.resize(i);
        break;
      }
      run = records[i].kind == CallRecord::Kind::hit ? run + 1 : 0;
      ++i;
    }
    row_.calls = records.size();
    row_.traces = policy_.traces();
    row_.evictions = cache_.statistics().evictions;
    const std::uint64_t counted = row_.calls - row_.rejected;
    row_.hit_rate = counted == 0 ? 0 : static_cast<double>(row_.hits) / static_cast<double>(counted);
    row_.padding_waste = padded_ > 0 ? (padded_ - real_) / padded_ : 0;
    const auto entries = cache_.entries();
    row_.shown = policy_.show(*entries);
    row_.entries = row_.shown.size();
    std::size_t guards = 0;
    for (const Policy::Shown& entry : row_.shown) guards += entry.guards.size();
    row_.guards_per_entry = row_.entries == 0 ? 0 : static_cast<double>(guards) / static_cast<double>(row_.entries);
    row_.bytes = entries->entries.empty() ? 0 : cache_.bytes();
    if (options_.measure_lookup && !entries->entries.empty()) row_.lookup_ns = measure();
    return records;
  }

 private:
  static CacheOptions cache_options(const ReplayInput& input, const ReplayOptions& replay, const std::string& policy) {
    CacheOptions options;
    if (replay.observe) options.observer = replay.observe(policy, input.subject->layout());
    if (replay.limit) replay.limit->apply(replay.costs.value_or(Costs{}), policy, options);
    options.max_rejections = SIZE_MAX;
    options.max_events = 0;
    return options;
  }

  /// Puts the shape that runs into the snapshot. False: the call does not come to the cache.
  bool present(std::size_t call) {
    if (!input_.allowed[call] || !policy_.shape((*input_.calls)[call], shape_)) return false;
    for (std::size_t d = 0; d < shape_.size(); ++d) snapshot_.set(static_cast<SlotIndex>(d), shape_[d]);
    return true;
  }

  /// The hits from call `first` on, of at most `most` calls, as `one` would count them: how many. It ends where a call
  /// does not come to the cache or misses: what the handler then makes is for the next lookup to see.
  std::size_t hits(std::size_t first, std::size_t most, std::vector<CallRecord>& records) {
    const std::size_t dims = shape_.size();
    most = std::min(most, input_.calls->size() - first);
    if (columns_.empty()) {
      values_.resize(dims * kBlock);
      for (std::size_t d = 0; d < dims; ++d) columns_.push_back(values_.data() + d * kBlock);
    }
    std::size_t rows = 0;
    for (; rows < most; ++rows) {
      const std::size_t call = first + rows;
      if (!input_.allowed[call] || !policy_.shape((*input_.calls)[call], shape_)) break;
      for (std::size_t d = 0; d < dims; ++d) values_[d * kBlock + rows] = shape_[d];
      padded_elements_[rows] = elements(shape_);
    }
    const std::size_t served = reader_.try_hits(columns_, rows);
    for (std::size_t k = 0; k < served; ++k)
      add_served(elements((*input_.calls)[first + k]), padded_elements_[k], records[first + k]);
    row_.hits += served;
    return served;
  }

  void add_served(double real, double padded, CallRecord& record) {
    real_ += real;
    padded_ += padded;
    record.stretch = stretch_of(real, padded);
  }

  std::optional<Error> one(std::size_t call, CallRecord& record) {
    const auto real = (*input_.calls)[call];
    Outcome outcome = Outcome::fallback;
    if (present(call)) {
      const Cache::Answer answer = reader_.lookup(snapshot_);
      outcome = answer.outcome();
      if (outcome == Outcome::error) return Error{answer.reason(), input_.trace, input_.calls->line(call)};
      if (outcome == Outcome::rejected) reject(call, answer.reason(), record);
    }
    switch (outcome) {
      case Outcome::hit:
        ++row_.hits, record.kind = CallRecord::Kind::hit;
        break;
      case Outcome::compiled:
        ++row_.compiles, record.kind = CallRecord::Kind::compiled;
        row_.compiled_at.push_back(call);
        break;
      case Outcome::shared:
        ++row_.shared, record.kind = CallRecord::Kind::shared;
        break;
      case Outcome::fallback:
        if (const std::string* why = input_.eager->error(real)) {
          reject(call, *why, record);
        } else {
          ++row_.fallbacks, record.kind = CallRecord::Kind::fallback;
        }
        return std::nullopt;
      default:
        return std::nullopt;
    }
    add_served(elements(real), elements(shape_), record);
    return std::nullopt;
  }

  void reject(std::size_t call, const std::string& why, CallRecord& record) {
    if (row_.rejected++ == 0) row_.first_rejection = Error{why, input_.trace, input_.calls->line(call)}.to_string();
    record.kind = CallRecord::Kind::rejected;
  }

  /// Nanoseconds of a lookup in the final cache: all calls again, without asking the policy.
  double measure() {
    constexpr std::size_t kMost = 1 << 20;
    std::vector<std::int64_t> shapes;
    const std::size_t dims = shape_.size();
    for (std::size_t i = 0; i < input_.calls->size() && i < kMost; ++i)
      if (present(i)) shapes.insert(shapes.end(), shape_.begin(), shape_.end());
    const std::size_t n = dims == 0 ? 0 : shapes.size() / dims;
    if (n == 0) return 0;
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t d = 0; d < dims; ++d) snapshot_.set(static_cast<SlotIndex>(d), shapes[i * dims + d]);
      reader_.peek(snapshot_);
    }
    const auto spent = std::chrono::steady_clock::now() - start;
    return std::chrono::duration<double, std::nano>(spent).count() / static_cast<double>(n);
  }

  const ReplayInput& input_;
  Policy& policy_;
  const ReplayOptions& options_;
  PolicyRow& row_;
  Cache cache_;
  CacheReader reader_;
  Snapshot snapshot_;
  std::vector<std::int64_t> shape_;
  std::vector<std::int64_t> values_;                 // of a block, column by column
  std::vector<const std::int64_t*> columns_;         // into it
  std::array<double, kBlock> padded_elements_ = {};  // of each call of a block
  double real_ = 0, padded_ = 0;
};

}  // namespace

Result<std::vector<CallRecord>> run_policy(const ReplayInput& input, const PolicySpec& spec,
                                           const ReplayOptions& options, PolicyRow& row) {
  auto policy = make_policy(spec, *input.subject);
  if (!policy) return policy.error();
  row.policy = spec.text;
  const double before = options.solver ? options.solver->seconds() : 0;
  std::vector<CallRecord> records = Runner(input, **policy, options, row).run();
  if (options.solver) row.solver_ms = (options.solver->seconds() - before) * 1e3;
  return records;
}

}  // namespace dimgate
