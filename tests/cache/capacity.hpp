// The capacity sweep: hit rates of a static policy (one entry for each input) under a limit of entries, by eviction.
//
// Each cell replays a trace of tests/data/traces through a Cache. Belady's rates (evict what is called again latest)
// are computed from the calls alone; with bypass an input may also get no entry. Shared by the test and the benchmark.
#pragma once

#include <functional>
#include <map>
#include <queue>
#include <unordered_map>

#include "dimgate/cache.hpp"
#include "dimgate/eviction.hpp"
#include "dimgate/import.hpp"
#include "program/build.hpp"

namespace dimgate::testing {

struct CapacityTrace {
  std::string name;
  std::size_t dims = 1;
  std::vector<std::int64_t> values;     // dims a call
  std::vector<std::size_t> identities;  // a call: its inputs, numbered by first appearance
  [[nodiscard]] std::size_t size() const { return identities.size(); }
};

inline CapacityTrace capacity_trace(std::string name, const std::string& file, std::vector<Bind> binds,
                                    std::optional<Batch> batch = {}, std::optional<std::size_t> first = {}) {
  const auto table = read_table(std::string(DIMGATE_SOURCE_DIR) + "/tests/data/traces/" + file).value();
  const auto calls = bind_calls(table, {.binds = std::move(binds), .batch = std::move(batch), .first = first}).value();
  CapacityTrace out{.name = std::move(name), .dims = calls.dims().size()};
  out.values.assign(calls.values().begin(), calls.values().end());
  std::map<std::vector<std::int64_t>, std::size_t> known;
  for (std::size_t i = 0; i < calls.size(); ++i)
    out.identities.push_back(known.try_emplace({calls[i].begin(), calls[i].end()}, known.size()).first->second);
  return out;
}

inline std::vector<CapacityTrace> capacity_traces(std::optional<std::size_t> first = {}) {
  const auto second = parse_batch("TIMESTAMP:1s").value();
  const std::vector<Bind> batched{{"B", "count()"}, {"L", "max(ContextTokens)"}};
  std::vector<CapacityTrace> out;
  out.push_back(capacity_trace("code", "azure_llm_2023_code.csv", {{"L", "ContextTokens"}}, {}, first));
  out.push_back(capacity_trace("conv", "azure_llm_2023_conv.csv", {{"L", "ContextTokens"}}, {}, first));
  out.push_back(capacity_trace("code, batched", "azure_llm_2023_code.csv", batched, second, first));
  out.push_back(capacity_trace("conv, batched", "azure_llm_2023_conv.csv", batched, second, first));
  out.push_back(capacity_trace("arxiv", "arxiv_summarization_lengths.csv", {{"L", "num_prefill_tokens"}}, {}, first));
  out.push_back(capacity_trace("image sizes", "coco_val2017_sizes.csv", {{"W", "width"}, {"H", "height"}}, {}, first));
  return out;
}

/// Hits of the trace in a cache of `capacity` entries.
inline std::uint64_t hits(const CapacityTrace& trace, std::size_t capacity, std::shared_ptr<Eviction> eviction) {
  struct Static : MissHandler {
    std::unordered_map<std::size_t, Program> programs;  // compiling is not what is measured
    std::size_t identity = 0;
    MissAnswer miss(const Miss& m) override {
      auto& program = programs[identity];
      if (program.guard_count() == 0) {
        std::vector<SlotBounds> bounds;
        for (SlotIndex s = 0; s < m.inputs.size; ++s) bounds.push_back({s, m.inputs.raw(s), m.inputs.raw(s)});
        program = bounds_program(bounds);
      }
      NewEntry e;
      e.program = program;
      return MissAnswer::compile(std::move(e));
    }
  } handler;
  Cache cache(handler,
              {.max_entries = capacity, .on_limit = OnLimit::evict, .max_events = 0, .eviction = std::move(eviction)});
  CacheReader reader(cache);
  Snapshot at(trace.dims);
  for (std::size_t i = 0; i < trace.size(); ++i) {
    handler.identity = trace.identities[i];
    for (std::size_t d = 0; d < trace.dims; ++d) at.set(static_cast<SlotIndex>(d), trace.values[i * trace.dims + d]);
    (void)reader.lookup(at);
  }
  return cache.statistics().hits;
}

inline std::uint64_t belady(const CapacityTrace& trace, std::size_t capacity, bool bypass) {
  const std::size_t n = trace.size();
  std::vector<std::size_t> next(n, n);
  std::unordered_map<std::size_t, std::size_t> seen;
  for (std::size_t i = n; i-- > 0;) {
    if (const auto it = seen.find(trace.identities[i]); it != seen.end()) next[i] = it->second;
    seen[trace.identities[i]] = i;
  }
  std::unordered_map<std::size_t, std::size_t> inside;            // identity -> its next call
  std::priority_queue<std::pair<std::size_t, std::size_t>> last;  // (next call, identity); outdated ones are skipped
  std::uint64_t served = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t id = trace.identities[i];
    if (const auto it = inside.find(id); it != inside.end()) {
      ++served;
    } else if (inside.size() >= capacity) {
      while (true) {
        const auto top = inside.find(last.top().second);
        if (top != inside.end() && top->second == last.top().first) break;
        last.pop();
      }
      if (bypass && next[i] >= last.top().first) continue;
      inside.erase(last.top().second);
    }
    inside[id] = next[i];
    last.emplace(next[i], id);
  }
  return served;
}

}  // namespace dimgate::testing
