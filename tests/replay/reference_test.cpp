// Every policy's counts against a plain restatement of its rule on concrete numbers: no symbols, no guards, no cache.
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <set>

#include "dimgate/replay.hpp"
#include "policy/toy_model.hpp"

using namespace dimgate;
using namespace dimgate::testing;

namespace {

using Values = std::vector<std::int64_t>;

/// A program on two sizes, twice: as a model, and as what it does to concrete sizes.
struct Program2 {
  ToyModel::Body body;
  /// nullopt: raises. Else the branches it takes (what the artifact depends on), and the sizes of its results.
  struct Run {
    std::string path;
    std::string artifact;
    Values results;
  };
  std::function<std::optional<Run>(std::int64_t, std::int64_t)> concrete;
};

void results(Tracer& t, const std::string& op, const SymTensor& x, std::initializer_list<SymInt> sizes) {
  SymTensor last = x;
  for (const SymInt& s : sizes) last = t.record(op, {}, std::span(&last, 1), {s}, "float32");
  t.output(last);
}

Program2 branching() {
  return {[](Tracer& t, std::span<const SymInt> d) {
            const SymTensor x = t.input("x", {d[0], d[1]});
            t.require(d[0] % 7 != 6, [] { return std::string("seven"); });
            std::string op = "f";
            if (d[1] > 9) op += "L";
            if ((d[0] + d[1]) % 3 == 0) op += "3";
            if (d[0] * 2 <= d[1]) (void)0;  // a branch without a difference
            results(t, op, x, {d[0] / 3, d[1] + d[0]});
          },
          [](std::int64_t a, std::int64_t b) -> std::optional<Program2::Run> {
            if (a % 7 == 6) return std::nullopt;
            std::string op = "f";
            if (b > 9) op += "L";
            if ((a + b) % 3 == 0) op += "3";
            return Program2::Run{op + (a * 2 <= b ? "h" : ""), op, {a, b, a / 3, b + a}};
          }};
}

struct Counts {
  std::uint64_t hits = 0, compiles = 0, shared = 0, fallbacks = 0, rejected = 0, traces = 0;
  friend bool operator==(const Counts&, const Counts&) = default;
};

Counts exact(const Program2& p, const std::vector<Values>& calls,
             const std::function<std::optional<Values>(Values)>& pad) {
  Counts c;
  std::set<Values> compiled, refused;
  for (const Values& call : calls) {
    const auto run = pad(call);
    if (!run) {
      p.concrete(call[0], call[1]) ? ++c.fallbacks : ++c.rejected;
    } else if (!p.concrete((*run)[0], (*run)[1])) {
      ++c.rejected;
      c.traces += refused.insert(*run).second ? 1 : 0;
    } else if (compiled.insert(*run).second) {
      ++c.compiles, ++c.traces;
    } else {
      ++c.hits;
    }
  }
  return c;
}

/// `key`: what a lookup compares; a new key costs a trace, a new artifact a compile.
Counts keyed(const Program2& p, const std::vector<Values>& calls,
             const std::function<std::string(const Values&, const Program2::Run&)>& key) {
  Counts c;
  std::set<std::string> keys, artifacts;
  std::set<Values> refused;
  for (const Values& call : calls) {
    const auto run = p.concrete(call[0], call[1]);
    if (!run) {
      ++c.rejected;
      c.traces += refused.insert(call).second ? 1 : 0;
    } else if (!keys.insert(key(call, *run)).second) {
      ++c.hits;
    } else {
      ++c.traces;
      artifacts.insert(run->artifact).second ? ++c.compiles : ++c.shared;
    }
  }
  return c;
}

/// An entry of automatic dynamic shapes accepts what takes the same decisions under the same plan.
Counts automatic(const Program2& p, const std::vector<Values>& calls, std::size_t limit) {
  struct Entry {
    std::vector<int> plan;  // for each dim: -1 constant, else the dim whose symbol it has
    Values at;
    std::string decisions;
  };
  const auto decisions = [&](const Program2::Run& run) {
    std::string out = run.path;
    for (const std::int64_t size : run.results) out += size == 0 ? 'o' : size == 1 ? 'i' : '-';
    return out;
  };
  const auto accepts = [&](const Entry& e, const Values& v, const Program2::Run& run) {
    for (std::size_t i = 0; i < v.size(); ++i) {
      if (e.plan[i] < 0 ? v[i] != e.at[i] : v[i] < 2) return false;
      if (e.plan[i] >= 0 && v[i] != v[static_cast<std::size_t>(e.plan[i])]) return false;
    }
    return decisions(run) == e.decisions;
  };
  Counts c;
  std::vector<Entry> entries;
  std::set<Values> refused;
  std::vector<std::pair<std::int64_t, bool>> state;
  for (const Values& call : calls) {
    const auto run = p.concrete(call[0], call[1]);
    if (run && std::any_of(entries.begin(), entries.end(), [&](const Entry& e) { return accepts(e, call, *run); })) {
      ++c.hits;
      continue;
    }
    if (refused.contains(call)) {
      ++c.rejected;
      continue;
    }
    if (limit != 0 && entries.size() >= limit) {
      run ? ++c.fallbacks : ++c.rejected;
      continue;
    }
    if (state.empty())
      for (const std::int64_t v : call) state.emplace_back(v, false);
    else
      for (std::size_t i = 0; i < call.size(); ++i) state[i].second |= state[i].first != call[i];
    ++c.traces;
    if (!run) {
      ++c.rejected;
      refused.insert(call);
      continue;
    }
    Entry e{{}, call, decisions(*run)};
    for (std::size_t i = 0; i < call.size(); ++i) {
      e.plan.push_back(!state[i].second || call[i] < 2 ? -1 : static_cast<int>(i));
      for (std::size_t j = 0; j < i && e.plan[i] >= 0; ++j)
        if (e.plan[j] == static_cast<int>(j) && call[j] == call[i]) e.plan[i] = static_cast<int>(j);
    }
    entries.push_back(std::move(e));
    ++c.compiles;
  }
  return c;
}

std::int64_t pow2_up(std::int64_t v) {
  std::int64_t p = 1;
  while (p < v) p *= 2;
  return v == 0 ? 0 : p;
}

}  // namespace

TEST_CASE("counts of every policy equal a plain restatement of its rule (random calls)") {
  const Program2 program = branching();
  const ToyModel model({"a", "b"}, program.body);
  for (unsigned seed = 1; seed <= 12; ++seed) {
    CAPTURE(seed);
    std::mt19937 rng(seed);
    std::string csv = "a,b\n";
    std::vector<Values> calls;
    for (int i = 0; i < 250; ++i) {
      calls.push_back(
          {static_cast<std::int64_t>(rng() % (4 + 2 * seed)), static_cast<std::int64_t>(rng() % (3 + 3 * seed))});
      csv += std::to_string(calls.back()[0]) + "," + std::to_string(calls.back()[1]) + "\n";
    }
    const auto shape = [](const Values& v) { return std::to_string(v[0]) + "x" + std::to_string(v[1]); };
    std::map<std::string, Counts> want;
    want["eager"] = exact(program, calls, [](const Values&) { return std::nullopt; });
    want["static"] = exact(program, calls, [](Values v) { return std::optional(v); });
    want["pow2"] = exact(program, calls, [](Values v) { return std::optional(Values{pow2_up(v[0]), pow2_up(v[1])}); });
    want["pow2(b)"] = exact(program, calls, [](Values v) { return std::optional(Values{v[0], pow2_up(v[1])}); });
    want["bucket:5"] =
        exact(program, calls, [](Values v) { return std::optional(Values{(v[0] + 4) / 5 * 5, (v[1] + 4) / 5 * 5}); });
    want["pad_to:8"] = exact(
        program, calls, [](Values v) { return v[0] > 8 || v[1] > 8 ? std::nullopt : std::optional(Values{8, 8}); });
    want["whitelist"] = keyed(program, calls, [&](const Values& v, const Program2::Run&) { return shape(v); });
    want["symbolic"] = keyed(program, calls, [&](const Values&, const Program2::Run& r) { return r.path; });
    want["symbolic+merge"] = want["symbolic"];
    want["auto_dynamic:inf"] = automatic(program, calls, 0);
    want["auto_dynamic"] = automatic(program, calls, 8);
    want["auto_dynamic:3"] = automatic(program, calls, 3);

    std::string policies;
    for (const auto& [name, counts] : want) policies += (policies.empty() ? "" : ",") + name;
    const Table table = read_csv(csv, "t").value();
    CallOptions options;
    options.binds = {{"a", "a"}, {"b", "b"}};
    NativeProver prover;
    ReplayOptions replay;
    replay.measure_lookup = false;
    const auto got =
        compare(model, bind_calls(table, options).value(), parse_policies(policies).value(), prover, "t", replay);
    REQUIRE_MESSAGE(got.ok(), (got.ok() ? std::string() : got.error().to_string()));
    for (const PolicyRow& r : got->rows) {
      CAPTURE(r.policy);
      const Counts& w = want[r.policy];
      CHECK(r.hits == w.hits);
      CHECK(r.compiles == w.compiles);
      CHECK(r.shared == w.shared);
      CHECK(r.fallbacks == w.fallbacks);
      CHECK(r.rejected == w.rejected);
      CHECK(r.traces == w.traces);
    }
  }
}

TEST_CASE("symbolic entries do not depend on the order of the calls") {
  const Program2 program = branching();
  const ToyModel model({"a", "b"}, program.body);
  std::set<std::set<std::string>> plain;
  std::set<std::size_t> merged;
  for (unsigned seed = 1; seed <= 5; ++seed) {
    std::vector<Values> calls;
    for (std::int64_t a = 0; a < 12; ++a)
      for (std::int64_t b = 0; b < 26; ++b) calls.push_back({a, b});
    std::shuffle(calls.begin(), calls.end(), std::mt19937(seed));
    NativeProver prover;
    Frame one(model, prover, "symbolic"), two(model, prover, "symbolic+merge");
    for (const Values& v : calls) one.call(v), two.call(v);
    std::set<std::string> guards;
    for (const Policy::Shown& entry : one.policy->show(*one.cache->entries())) {
      std::string text;
      for (const std::string& g : entry.guards) text += g + ";";
      guards.insert(text);
    }
    plain.insert(guards);
    const auto entries = two.policy->show(*two.cache->entries());
    std::set<std::string> artifacts;
    for (const Policy::Shown& entry : entries) artifacts.insert(entry.fingerprint);
    CHECK(artifacts.size() == entries.size());  // one entry for each artifact
    merged.insert(entries.size());
  }
  CHECK(plain.size() == 1);
  CHECK(merged == std::set<std::size_t>{4});
}
