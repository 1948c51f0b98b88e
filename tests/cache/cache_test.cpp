#include <algorithm>
#include <stdexcept>

#include "cache/fixture.hpp"

using namespace dimgate;
using dimgate::testing::Frame;
using dimgate::testing::Scripted;

namespace {

/// `n == v` for the value seen.
Scripted static_handler(const Frame& f) {
  Scripted h;
  h.on_miss = [&f](const Miss& m) { return MissAnswer::compile(f.entry({"n == " + std::to_string(m.inputs.raw(0))})); };
  return h;
}

std::vector<EntryId> order_of(const Cache& c) {
  std::vector<EntryId> ids;
  for (const EntryRef& e : c.entries()->entries) ids.push_back(e->id);
  return ids;
}

}  // namespace

TEST_CASE("sizes 2,3,4,4,5,5,6 under static guards: five entries, two hits") {
  const Frame f{"n"};
  Scripted h = static_handler(f);
  Cache cache(h);
  CacheReader reader(cache);
  std::string outcomes;
  for (const std::int64_t n : {2, 3, 4, 4, 5, 5, 6}) {
    const auto a = reader.lookup(f.at({n}));
    outcomes += to_string(a.outcome()).front();
    REQUIRE(a.entry() != nullptr);
    CHECK(a.entry()->program.check(f.at({n})) == kPass);
  }
  CHECK(outcomes == "ccchchc");
  const CacheStatistics s = cache.statistics();
  CHECK(s.compiles == 5);
  CHECK(s.recompiles == 4);
  CHECK(s.hits == 2);
  CHECK(s.misses == 5);
  CHECK(s.calls() == 7);
  CHECK(cache.entries()->version == 5);
  CHECK(cache.events().size() == 5);
  CHECK(cache.bytes() > 0);
}

TEST_CASE("limit 2 with ten distinct values: two compiles, eight fallbacks, earlier entries still hit") {
  const Frame f{"n"};
  Scripted h = static_handler(f);
  Cache cache(h, {.max_entries = 2, .on_limit = OnLimit::fallback});
  CacheReader reader(cache);
  for (std::int64_t n = 0; n < 10; ++n) (void)reader.lookup(f.at({n}));
  CHECK(cache.statistics().compiles == 2);
  CHECK(cache.statistics().fallbacks == 8);
  CHECK(cache.statistics().limit_fallbacks == 8);
  CHECK(reader.lookup(f.at({0})).outcome() == Outcome::hit);
  CHECK(reader.lookup(f.at({1})).outcome() == Outcome::hit);
  CHECK(reader.lookup(f.at({7})).reason() == "limit of 2 entries reached");
}

TEST_CASE("eviction takes the least recently hit, and is logged") {
  const Frame f{"n"};
  Scripted h = static_handler(f);
  Cache cache(h, {.max_entries = 2, .on_limit = OnLimit::evict});
  CacheReader reader(cache);
  for (const std::int64_t n : {1, 2, 1, 3}) (void)reader.lookup(f.at({n}));
  CHECK(order_of(cache) == std::vector<EntryId>{1, 3});
  CHECK(reader.lookup(f.at({2})).outcome() == Outcome::compiled);
  CHECK(order_of(cache) == std::vector<EntryId>{3, 4});
  CHECK(cache.statistics().evictions == 2);
  const auto events = cache.events();
  CHECK(std::ranges::count_if(events, [](const CacheEvent& e) { return e.kind == CacheEvent::Kind::evict; }) == 2);
  CHECK(std::ranges::is_sorted(events, {}, &CacheEvent::version));
}

TEST_CASE("an answer keeps its entry alive through eviction and replacement") {
  const Frame f{"n"};
  Scripted h = static_handler(f);
  Cache cache(h, {.max_entries = 1, .on_limit = OnLimit::evict});
  CacheReader reader(cache);
  auto first = reader.lookup(f.at({1}));
  std::weak_ptr<const Artifact> artifact = first.entry()->artifact;
  (void)reader.lookup(f.at({2}));
  CHECK(first.entry()->label == "n == 1");
  CHECK(!artifact.expired());
  auto moved = std::move(first);
  CHECK(first.entry() == nullptr);
  CHECK(moved.entry()->id == 1);
  moved = {};
  (void)reader.lookup(f.at({3}));  // the next change collects
  CHECK(artifact.expired());
}

TEST_CASE("a new entry must accept the inputs it was made for; the error names the guard") {
  const Frame f{"n", "m"};
  Scripted h;
  h.on_miss = [&](const Miss&) { return MissAnswer::compile(f.entry({"n > 0", "m // n == 7"})); };
  Cache cache(h);
  CacheReader reader(cache);
  const auto a = reader.lookup(f.at({2, 3}));
  CHECK(a.outcome() == Outcome::error);
  CHECK(a.entry() == nullptr);
  CHECK(a.reason() == "the new entry does not accept the inputs it was made for: guard 1 `m // n == 7` is not true");
  CHECK(cache.entries()->entries.empty());
  CHECK(cache.statistics().errors == 1);
  CHECK(cache.statistics().compiles == 0);
}

TEST_CASE("a rejection is remembered by the slot values and traced once") {
  const Frame f{"n", "m"};
  int traced = 0;
  Scripted h;
  h.on_miss = [&](const Miss&) { return ++traced, MissAnswer::reject("cat: sizes must agree"); };
  Cache cache(h);
  CacheReader reader(cache);
  for (int i = 0; i < 3; ++i) {
    const auto a = reader.lookup(f.at({2, 3}));
    CHECK(a.outcome() == Outcome::rejected);
    CHECK(a.reason() == "cat: sizes must agree");
  }
  (void)reader.lookup(f.at({2}));  // m absent is another call than m == 0
  (void)reader.lookup(f.at({2, 0}));
  CHECK(traced == 3);
  CHECK(cache.statistics().rejected == 5);
  CHECK(cache.statistics().traces == 3);
}

TEST_CASE("rejections are bounded: the oldest are forgotten") {
  const Frame f{"n"};
  int traced = 0;
  Scripted h;
  h.on_miss = [&](const Miss&) { return ++traced, MissAnswer::reject("no"); };
  Cache cache(h, {.max_rejections = 2});
  CacheReader reader(cache);
  for (const std::int64_t n : {1, 2, 3, 3, 2, 1}) (void)reader.lookup(f.at({n}));
  CHECK(traced == 4);
}

TEST_CASE("a failed precondition runs the fallback, whatever entries there are") {
  const Frame f{"n"};
  Scripted h;
  h.on_miss = [&](const Miss&) { return MissAnswer::compile(f.entry({})); };
  Cache cache(h);
  cache.set_precondition(f.program({"n >= 1"}));
  CacheReader reader(cache);
  CHECK(reader.lookup(f.at({3})).outcome() == Outcome::compiled);
  CHECK(reader.lookup(f.at({0})).outcome() == Outcome::fallback);
  CHECK(reader.lookup(f.at({})).outcome() == Outcome::fallback);  // missing: not true
  CHECK(reader.peek(f.at({0})).entry() == nullptr);
  CHECK(reader.peek(f.at({9})).entry() != nullptr);
  CHECK(cache.statistics().precondition_failures == 2);
  CHECK(cache.statistics().calls() == 3);
}

TEST_CASE("specific entries go before general ones, ties by age; the general one may come first or last") {
  const Frame f{"n"};
  Scripted h;
  Cache cache(h);
  NewEntry general = f.entry({"n >= 0"});
  const EntryId g = *cache.insert(std::move(general));
  const EntryId other = *cache.insert(f.entry({"n == -5"}));
  NewEntry narrow = f.entry({"0 <= n", "n <= 9"});
  narrow.inside = {g};
  const EntryId n = *cache.insert(std::move(narrow));
  CHECK(order_of(cache) == std::vector<EntryId>{other, n, g});
  NewEntry exact = f.entry({"n == 3"});
  exact.inside = {n};  // hence in g too
  const EntryId e = *cache.insert(std::move(exact));
  CHECK(order_of(cache) == std::vector<EntryId>{other, e, n, g});
  NewEntry all = f.entry({"n >= -100"});
  all.contains = {g, other};
  const EntryId a = *cache.insert(std::move(all));
  CHECK(order_of(cache) == std::vector<EntryId>{other, e, n, g, a});
  CHECK(cache.retire(n, "test"));
  CHECK(!cache.retire(n, "test"));
  CHECK(order_of(cache) == std::vector<EntryId>{other, e, g, a});  // e is still inside g
  CacheReader reader(cache);
  CHECK(reader.lookup(f.at({3})).entry()->id == e);
  CHECK(reader.lookup(f.at({4})).entry()->id == g);
  CHECK(reader.lookup(f.at({-5})).entry()->id == other);
  CHECK(reader.lookup(f.at({-6})).entry()->id == a);
  CHECK(cache.invalidate([](const Entry& x) { return x.label == "n == 3"; }, "object died") == 1);
  CHECK(reader.lookup(f.at({3})).entry()->id == g);
}

TEST_CASE("(3, 4) static, then general: (3, 4) keeps its own entry as long as it exists") {
  const Frame f{"a", "b"};
  Scripted h;
  h.on_miss = [&](const Miss& m) {
    if (m.first) return MissAnswer::compile(f.entry({"a == 3", "b == 4"}));
    NewEntry general = f.entry({"a >= 2", "b >= 2"});
    for (const EntryRef& e : m.entries.entries) general.contains.push_back(e->id);
    return MissAnswer::compile(std::move(general));
  };
  Cache cache(h);
  CacheReader reader(cache);
  CHECK(reader.lookup(f.at({3, 4})).entry()->id == 1);
  CHECK(reader.lookup(f.at({5, 6})).entry()->id == 2);
  for (int i = 0; i < 10; ++i) {
    CHECK(reader.lookup(f.at({4, 3})).entry()->id == 2);
    CHECK(reader.lookup(f.at({3, 4})).entry()->id == 1);  // however hot the general one is
  }
  CHECK(cache.evict(1, "test"));
  CHECK(reader.lookup(f.at({3, 4})).entry()->id == 2);
  CHECK(cache.statistics().compiles == 2);
}

TEST_CASE("joining: the new entry and what it replaces change in one version") {
  const Frame f{"n"};
  Scripted h;
  h.on_miss = [&](const Miss& m) {
    NewEntry e = f.entry({"1 <= n", "n <= " + std::to_string(m.inputs.raw(0))});
    for (const EntryRef& old : m.entries.entries) e.retires.push_back(old->id);
    return MissAnswer::share(std::move(e));
  };
  Cache cache(h, {.max_entries = 1, .on_limit = OnLimit::evict});
  CacheReader reader(cache);
  for (const std::int64_t n : {1, 2, 3}) CHECK(reader.lookup(f.at({n})).outcome() == Outcome::shared);
  CHECK(cache.entries()->entries.size() == 1);
  CHECK(cache.statistics().evictions == 0);
  CHECK(cache.statistics().shared == 3);
  CHECK(cache.statistics().compiles == 0);
  CHECK(cache.entries()->version == 3);
  CHECK(reader.lookup(f.at({1})).outcome() == Outcome::hit);
}

TEST_CASE("modes") {
  const Frame f{"n"};
  const auto run = [&](CacheMode mode) {
    Scripted h = static_handler(f);
    Cache cache(h, {.mode = mode});
    CacheReader reader(cache);
    std::string out;
    for (const std::int64_t n : {1, 1, 2}) out += to_string(reader.lookup(f.at({n})).outcome()).front();
    return out;
  };
  CHECK(run(CacheMode::normal) == "chc");
  CHECK(run(CacheMode::force_eager) == "fff");
  CHECK(run(CacheMode::eager_on_recompile) == "chf");
  CHECK(run(CacheMode::fail_on_recompile) == "che");
  CHECK(run(CacheMode::run_only) == "fff");
}

TEST_CASE("a handler may fail, throw, count sightings, or look into its own cache") {
  const Frame f{"n"};
  Scripted h;
  Cache cache(h);
  CacheReader reader(cache);
  h.on_miss = [](const Miss&) { return MissAnswer::fail("out of memory"); };
  CHECK(reader.lookup(f.at({1})).reason() == "out of memory");
  h.on_miss = [](const Miss&) -> MissAnswer { throw std::runtime_error("front end"); };
  CHECK_THROWS_AS((void)reader.lookup(f.at({1})), std::runtime_error);
  CHECK(cache.statistics().errors == 1);
  h.on_miss = [&](const Miss& m) {  // admission on the second sighting
    return m.sightings < 2 ? MissAnswer::fall_back("first sighting") : MissAnswer::compile(f.entry({"n == 7"}));
  };
  CHECK(reader.lookup(f.at({7})).outcome() == Outcome::fallback);
  CHECK(reader.lookup(f.at({7})).outcome() == Outcome::compiled);
  h.on_miss = [&](const Miss&) {
    CHECK(reader.lookup(f.at({7})).outcome() == Outcome::hit);
    CHECK(reader.lookup(f.at({8})).outcome() == Outcome::error);
    return MissAnswer::fall_back();
  };
  CHECK(reader.lookup(f.at({9})).outcome() == Outcome::fallback);
}

TEST_CASE("an entry that can never serve is refused") {
  const Frame f{"n"};
  Scripted h;
  Cache cache(h, {.max_entries = 1});
  CHECK(!cache.insert(f.entry({"n < 0", "n > 0"})).ok());
  CHECK(cache.insert(f.entry({"n < 0"})).ok());
  CHECK(cache.insert(f.entry({"n > 0"})).error().message == "the cache's limit leaves no room for another entry");
}

TEST_CASE("a limit in bytes evicts or falls back") {
  const Frame f{"n"};
  Scripted h;
  h.on_miss = [&](const Miss& m) {
    NewEntry e = f.entry({"n == " + std::to_string(m.inputs.raw(0))});
    auto artifact = std::make_shared<Artifact>();
    artifact->bytes = 100'000;
    e.artifact = artifact;
    return MissAnswer::compile(std::move(e));
  };
  Cache evicting(h, {.max_bytes = 250'000, .on_limit = OnLimit::evict});
  CacheReader a(evicting);
  for (std::int64_t n = 0; n < 5; ++n) CHECK(a.lookup(f.at({n})).outcome() == Outcome::compiled);
  CHECK(evicting.entries()->entries.size() == 2);
  Cache falling(h, {.max_bytes = 250'000});
  CacheReader b(falling);
  for (std::int64_t n = 0; n < 5; ++n) (void)b.lookup(f.at({n}));
  CHECK(falling.statistics().compiles == 2);
  CHECK(falling.statistics().fallbacks == 3);
}

TEST_CASE("a batch ends at the first row that no entry serves or that breaks the precondition; counted as one by one") {
  const Frame f{"n"};
  Scripted h;
  h.on_miss = [&](const Miss& m) {
    const std::int64_t n = m.inputs.raw(0);
    return MissAnswer::compile(f.entry({"n // 10 == " + std::to_string(n / 10)}));
  };
  Cache batched(h), single(h);
  for (Cache* c : {&batched, &single}) c->set_precondition(f.program({"n % 7 != 0"}));
  CacheReader many(batched), one(single);
  std::uint64_t state = 1;
  std::vector<std::int64_t> column(3000);
  for (std::size_t k = 0; k < column.size(); ++k) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    column[k] = static_cast<std::int64_t>((state >> 33) % (k / 10 + 1));
  }
  std::size_t served = 0;
  for (std::size_t at = 0; at < column.size();) {
    const std::int64_t* const from = column.data() + at;
    const std::size_t n = many.try_hits(std::span(&from, 1), std::min<std::size_t>(100, column.size() - at));
    served += n;
    for (std::size_t k = 0; k < n; ++k) CHECK(one.lookup(f.at({column[at + k]})).outcome() == Outcome::hit);
    at += n;
    if (n == 100 || at == column.size()) continue;
    const Outcome a = one.lookup(f.at({column[at]})).outcome(), b = many.lookup(f.at({column[at]})).outcome();
    CHECK(a == b);
    CHECK(a != Outcome::hit);  // else the batch would have gone on
    ++at;
  }
  CHECK(served > 1000);
  const CacheStatistics a = batched.statistics(), b = single.statistics();
  CHECK(a.calls() == column.size());
  CHECK(a.hits == b.hits);
  CHECK(a.compiles == b.compiles);
  CHECK(a.precondition_failures == b.precondition_failures);
  CHECK(a.precondition_failures > 100);
  const auto x = batched.entries(), y = single.entries();
  REQUIRE(x->entries.size() == y->entries.size());
  CHECK(x->entries.size() > 20);
  for (std::size_t k = 0; k < x->entries.size(); ++k) {
    CHECK(x->entries[k]->hits == y->entries[k]->hits);
    CHECK(x->entries[k]->last_hit == y->entries[k]->last_hit);
  }
}

TEST_CASE("a batch in a cache that never looks serves nothing") {
  const Frame f{"n"};
  Scripted h;
  CacheOptions options;
  options.mode = CacheMode::force_eager;
  Cache cache(h, options);
  REQUIRE(cache.insert(f.entry({})).ok());
  CacheReader reader(cache);
  const std::int64_t value = 1;
  const std::int64_t* const column = &value;
  CHECK(reader.try_hits(std::span(&column, 1), 1) == 0);
  CHECK(cache.statistics().calls() == 0);
}

TEST_CASE(
    "programs of another layout are refused, by miss and by insertion; a longer layout of the same slots is not") {
  Frame frame{"rows", "cols"}, other{"cols", "rows"}, longer{"rows", "cols", "more"};
  Scripted handler;
  Cache cache(handler);
  CacheReader reader(cache);
  handler.on_miss = [&](const Miss&) { return MissAnswer::compile(frame.entry({"rows == 4", "cols == 64"})); };
  CHECK(reader.lookup(frame.at({4, 64})).outcome() == Outcome::compiled);
  handler.on_miss = [&](const Miss&) { return MissAnswer::compile(other.entry({"cols == 64", "rows == 4"})); };
  const Cache::Answer refused = reader.lookup(frame.at({64, 4}));
  CHECK(refused.outcome() == Outcome::error);
  CHECK(refused.reason().find("another layout: slot 0") != std::string::npos);
  CHECK(!cache.insert(other.entry({"rows == 9"})).ok());
  CHECK(cache.insert(longer.entry({"more == 1", "cols == 3"})).ok());
  Layout flag;  // the same name, another sort
  flag.add("rows", SlotSort::boolean);
  Context ctx;
  NewEntry entry;
  entry.program = *compile(ctx, *parse_list(ctx, "rows", {.sort = Sort::Bool}), flag);
  CHECK(!cache.insert(std::move(entry)).ok());
  CHECK(cache.entries()->entries.size() == 2);
}

TEST_CASE("facts that came with an entry: calls that break them fall back, and nobody is asked") {
  Frame frame{"n"};
  Scripted handler;
  int asked = 0;
  handler.on_miss = [&](const Miss& miss) {
    ++asked;
    NewEntry e = frame.entry({"n == " + std::to_string(miss.inputs.raw(0)), "n <= 100"});
    e.facts = {frame.program({"n <= 100"}), {"n <= 100"}};
    return MissAnswer::compile(std::move(e));
  };
  Cache cache(handler);
  CacheReader reader(cache);
  CHECK(reader.lookup(frame.at({101})).outcome() == Outcome::error);  // the handler's own mistake is told
  CHECK(asked == 1);
  CHECK(reader.lookup(frame.at({3})).outcome() == Outcome::compiled);
  const Cache::Answer beyond = reader.lookup(frame.at({101}));
  CHECK(beyond.outcome() == Outcome::fallback);
  CHECK(beyond.reason() == "the call breaks the declared fact n <= 100");
  CHECK(reader.lookup(Snapshot()).outcome() == Outcome::fallback);
  CHECK(asked == 2);
  CHECK(reader.lookup(frame.at({100})).outcome() == Outcome::compiled);
  CHECK(cache.statistics().precondition_failures == 2);
  CHECK(cache.statistics().calls() == 5);
}

TEST_CASE("an artifact's destructor may ask the cache: it runs without any lock of it") {
  struct Asks {
    Cache** cache;
    int* died;
    ~Asks() {
      ++*died;
      if (*cache != nullptr) (void)(*cache)->statistics(), (void)(*cache)->entries();
    }
  };
  Frame frame{"n"};
  Scripted handler;
  Cache* present = nullptr;
  int died = 0;
  const auto entry = [&](const std::string& guard) {
    NewEntry e = frame.entry({guard});
    auto artifact = std::make_shared<Artifact>();
    artifact->payload = std::shared_ptr<const void>(std::make_shared<Asks>(Asks{&present, &died}));
    e.artifact = std::move(artifact);
    return e;
  };
  died = 0;
  handler.on_miss = [&](const Miss& miss) {
    return MissAnswer::compile(entry("n == " + std::to_string(std::min<std::int64_t>(miss.inputs.raw(0), 90))));
  };
  CacheOptions options;
  options.max_entries = 1;
  options.on_limit = OnLimit::evict;
  {
    Cache cache(handler, options);
    CacheReader reader(cache);
    present = &cache;
    for (std::int64_t n = 0; n < 6; ++n) CHECK(reader.lookup(frame.at({n})).outcome() == Outcome::compiled);
    CHECK(reader.lookup(frame.at({99})).outcome() == Outcome::error);  // refused: its artifact goes at once
    CHECK(cache.retire(6, "test"));
    CHECK(cache.insert(entry("n == 7")).ok());
    CHECK(cache.invalidate([](const Entry&) { return true; }, "test") == 1);
    present = nullptr;
  }
  CHECK(died >= 8);
}
