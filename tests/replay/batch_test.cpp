// Calls looked up many at once against call by call: nothing that a comparison says may differ.
#include <doctest/doctest.h>

#include <random>

#include "dimgate/observe.hpp"
#include "dimgate/replay.hpp"
#include "policy/toy_model.hpp"

using namespace dimgate;
using namespace dimgate::testing;

namespace {

/// Every change and every miss of the caches, with the clock and the hits so far.
class Recorder final : public CacheObserver {
 public:
  explicit Recorder(std::string& out) : out_(&out) {}
  void changed(const CacheEvent& event, const Entry& entry) override {
    *out_ += "v" + std::to_string(event.version) + " e" + std::to_string(event.entry) + " hits " +
             std::to_string(entry.hits.load()) + " at " + std::to_string(entry.last_hit.load()) + "\n";
  }
  void missed(const MissRecord& m) override {
    *out_ += "miss " + std::to_string(m.clock) + " " + std::string(to_string(m.outcome)) + " after " +
             std::to_string(m.hits) + "\n";
    for (const EntryRef& e : m.entries->entries)
      *out_ += " " + std::to_string(e->hits.load()) + "@" + std::to_string(e->last_hit.load());
  }
  [[nodiscard]] bool wants_nearest() const override { return false; }

 private:
  std::string* out_;
};

/// Branches, refusals and a product: several entries whatever the policy.
ToyModel branching() {
  return ToyModel({"n", "m"}, [](Tracer& t, std::span<const SymInt> d) {
    t.require(d[0] % 7 != 3, [] { return std::string("n % 7 is 3"); });
    const SymTensor x = t.input("x", {d[0], d[1]});
    if (d[0] > 20)
      ToyModel::copy(t, x, "long");
    else if (d[0] * d[1] > 30)
      ToyModel::copy(t, x, "large");
    else
      ToyModel::copy(t, x, d[1] == 1 ? "one" : "copy");
  });
}

/// Stretches in which few shapes repeat, then others: long runs of hits, and misses in all places of a block.
Calls random_calls(std::mt19937_64& rng, std::size_t n) {
  std::vector<std::int64_t> values;
  std::vector<std::uint32_t> lines;
  std::int64_t base = 0, spread = 1;
  while (lines.size() < n) {
    if (rng() % 300 == 0)
      base = static_cast<std::int64_t>(rng() % 40), spread = 1 + static_cast<std::int64_t>(rng() % 9);
    values.push_back(base + static_cast<std::int64_t>(rng()) % spread * static_cast<std::int64_t>(rng() % 2));
    if (values.back() < 0) values.back() = -values.back();
    values.push_back(static_cast<std::int64_t>(rng() % 3));
    lines.push_back(static_cast<std::uint32_t>(lines.size() + 2));
  }
  return {{"n", "m"}, std::move(values), std::move(lines), {false, false}};
}

std::string all_of(const PolicyRow& r) {
  std::string out = r.policy;
  for (const std::uint64_t v :
       {r.calls, r.traces, r.compiles, r.shared, r.hits, r.fallbacks, r.rejected, r.evictions, r.entries})
    out += " " + std::to_string(v);
  for (const std::size_t at : r.compiled_at) out += " @" + std::to_string(at);
  out += " " + r.first_rejection;
  for (const Policy::Shown& shown : r.shown)
    for (const std::string& guard : shown.guards) out += "\n" + guard;
  return out;
}

}  // namespace

TEST_CASE("calls looked up in batches: every count, miss and sum as call by call") {
  NativeProver prover;
  const ToyModel model = branching();
  const auto policies =
      parse_policies(
          "eager,static,pow2,bucket:4,pad_to:24,whitelist,auto_dynamic:2,auto_dynamic,symbolic,symbolic+merge")
          .value();
  std::uint64_t hits = 0, misses = 0;
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    std::mt19937_64 rng(seed);
    const Calls calls = random_calls(rng, 1 + rng() % 6000);
    std::string seen[2];
    Comparison rows[2];
    for (const bool batch : {false, true}) {
      ReplayOptions options;
      options.batch = batch;
      options.measure_lookup = false;
      options.costs = parse_costs("C=2,R=0.004,E=0.02").value();
      if (seed % 2 == 0) options.facts = {"n != 11"};
      static constexpr const char* kLimits[] = {"2", "3:lru", "1:fifo", "4:frequency", "3:benefit", "2:bypass"};
      if (seed > 12) options.limit = parse_entry_limit(kLimits[seed % 6]).value();
      options.observe = [&](const std::string&, const Layout&) { return std::make_shared<Recorder>(seen[batch]); };
      auto c = compare(model, calls, policies, prover, "t", options);
      REQUIRE(c.ok());
      rows[batch] = *std::move(c);
    }
    CHECK(seen[0] == seen[1]);
    REQUIRE(rows[0].rows.size() == rows[1].rows.size());
    for (std::size_t k = 0; k < rows[0].rows.size(); ++k) {
      const PolicyRow &a = rows[0].rows[k], &b = rows[1].rows[k];
      CHECK(all_of(a) == all_of(b));
      CHECK(a.padding_waste == b.padding_waste);  // bit for bit: the same sums in the same order
      CHECK(a.estimated_total_s == b.estimated_total_s);
      CHECK(a.break_even == b.break_even);
      CHECK(a.longest_stall_s == b.longest_stall_s);
      CHECK(a.p99_s == b.p99_s);
      hits += a.hits, misses += a.calls - a.hits;
    }
  }
  CHECK(hits > 50'000);
  CHECK(misses > 5'000);
}

TEST_CASE("progress is told in batches too, and rises") {
  NativeProver prover;
  const ToyModel model({"n"});
  const std::size_t n = 10'000;
  const Calls calls({"n"}, std::vector<std::int64_t>(n, 5), std::vector<std::uint32_t>(n, 2), {false});
  std::vector<std::size_t> done;
  ReplayOptions options;
  options.progress = [&](const std::string&, std::size_t at, std::size_t all) {
    CHECK(all == n);
    done.push_back(at);
  };
  REQUIRE(compare(model, calls, parse_policies("static").value(), prover, "t", options).ok());
  CHECK(done.size() >= 5);
  CHECK(std::ranges::is_sorted(done));
}
