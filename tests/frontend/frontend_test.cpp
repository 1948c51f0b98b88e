// What a front end need not remember: rank, dtype, facts, run-time asserts, sharing.
#include "dimgate/frontend.hpp"

#include <doctest/doctest.h>

#include "dimgate/shape.hpp"

using namespace dimgate;

namespace {

/// A front end over a matrix `x` and an int `n`, and its cache.
struct Served {
  explicit Served(FrontEnd::Trace trace, FrontEndOptions options = {}, FrontEnd::Build build = {})
      : front_end(layout(), prover, std::move(trace), std::move(build), std::move(options)),
        cache(front_end),
        reader(cache),
        at(front_end.layout().size()) {}
  static Layout layout() {
    Layout l;
    l.add_tensor("x", 2);
    l.add("n");
    l.add("flag", SlotSort::boolean);
    return l;
  }
  Cache::Answer call(std::vector<std::int64_t> sizes, const char* dtype = "torch.float32") {
    set_tensor(front_end.layout(), "x", sizes, dtype, at);
    return reader.lookup(at);
  }
  Outcome outcome(std::vector<std::int64_t> sizes, const char* dtype = "torch.float32") {
    return call(std::move(sizes), dtype).outcome();
  }
  NativeProver prover;
  FrontEnd front_end;
  Cache cache;
  CacheReader reader;
  Snapshot at;
};

void relu(TracedCall& call) { call.output(shape::relu(call.tensor("x"))); }

/// Rows padded to an even count, at most 1024 of them declared.
void padded(TracedCall& call) {
  const SymTensor x = call.tensor("x");
  call.tracer.declare_range(x.size(0), 1, 1024);
  call.output(x.size(0) % 2 == 0 ? x : shape::pad(x, {0, 0, 0, 1}));
}

}  // namespace

TEST_CASE("frontend: rank and dtype of what was traced are guards") {
  Served s(relu);
  CHECK(s.outcome({4, 64}) == Outcome::compiled);
  CHECK(s.outcome({6, 64}) == Outcome::hit);
  CHECK(s.outcome({4, 64}, "torch.float16") == Outcome::compiled);
  CHECK(s.outcome({4}) == Outcome::compiled);  // rank 1 is another entry
  CHECK(s.outcome({4, 64}) == Outcome::hit);
  const Cache::Answer third = s.call({4, 64, 5});  // no slots for a third size
  CHECK(third.outcome() == Outcome::fallback);
  CHECK(third.reason().find("x has 3 dims") != std::string::npos);
}

TEST_CASE("frontend: a negative size is an error, warm as cold") {
  Served s(relu);
  CHECK(s.outcome({-4, 64}) == Outcome::error);
  CHECK(s.outcome({4, 64}) == Outcome::compiled);
  CHECK(s.outcome({-4, 64}) == Outcome::error);
  CHECK(s.outcome({INT64_MIN, 64}) == Outcome::error);
  CHECK(s.outcome({0, 0}) == Outcome::hit);
}

TEST_CASE("frontend: a call that breaks a declared fact runs the fallback, and is traced only while nothing is known") {
  Served s(padded);
  CHECK(s.outcome({5000, 64}) == Outcome::fallback);  // no entry knows the fact yet
  CHECK(s.front_end.traces() == 1);
  CHECK(s.outcome({4, 64}) == Outcome::compiled);
  CHECK(s.outcome({1024, 64}) == Outcome::hit);
  CHECK(s.outcome({1, 64}) == Outcome::compiled);
  const Cache::Answer far = s.call({5000, 64});
  CHECK(far.outcome() == Outcome::fallback);
  CHECK(far.reason().find("<= 1024") != std::string::npos);
  CHECK(s.outcome({0, 64}) == Outcome::fallback);
  CHECK(s.outcome({INT64_MAX, 64}) == Outcome::fallback);
  CHECK(s.front_end.traces() == 3);
  CHECK(s.cache.statistics().precondition_failures == 3);
  // The entry itself demands it: nobody else need look.
  for (const EntryRef& e : s.cache.entries()->entries) CHECK(e->program.check(s.at) != kPass);
}

TEST_CASE("frontend: facts that the guards imply are not checked twice") {
  Served s([](TracedCall& call) {
    const SymTensor x = call.tensor("x");
    call.tracer.declare_range(x.size(0), 1, 1024);
    call.output(x);
    (void)x.size(0).to_int();
    (void)x.size(1).to_int();
  });
  CHECK(s.outcome({4, 64}) == Outcome::compiled);
  CHECK(s.cache.entries()->entries.front()->program.is_exact());
}

TEST_CASE("frontend: shape errors reject, missing facts and failed builds are errors, absent slots fall back") {
  Served s(
      [](TracedCall& call) {
        const SymTensor x = call.tensor("x");
        if (x.size(0) == 1) throw ShapeError("one row", {});
        if (x.size(0) == 2 && call.tracer.unbacked_size("u") > 3) return;
        if (x.size(0) == 3) (void)call.integer("n");
        if (x.size(0) == 4) (void)call.integer("no such slot");
        call.output(x);
      },
      {},
      [](TracedCall& call, const Fingerprint&) -> Result<Built> {
        if (call.recorded().size() == 4) return Error{"no compiler"};
        return Built{};
      });
  CHECK(s.outcome({1, 8}) == Outcome::rejected);
  CHECK(s.outcome({1, 8}) == Outcome::rejected);
  CHECK(s.front_end.traces() == 1);
  CHECK(s.outcome({2, 8}) == Outcome::error);
  const Cache::Answer absent = s.call({3, 8});
  CHECK(absent.outcome() == Outcome::fallback);
  CHECK(absent.reason().find("the call has no n") != std::string::npos);
  CHECK(s.call({4, 8}).reason().find("no slot 'no such slot'") != std::string::npos);
  CHECK(s.call({9, 8}).reason() == "no compiler");
}

TEST_CASE("frontend: an empty or short snapshot falls back") {
  Served s(relu);
  CHECK(s.reader.lookup(Snapshot()).outcome() == Outcome::fallback);
  CHECK(s.reader.lookup(Snapshot(2)).outcome() == Outcome::fallback);
  CHECK(s.outcome({4, 64}) == Outcome::compiled);
  CHECK(s.reader.lookup(Snapshot()).outcome() == Outcome::fallback);
  Snapshot one = s.at;
  one.unset(s.front_end.layout().find("x.size()[1]"));
  CHECK(s.reader.lookup(one).outcome() == Outcome::fallback);
}

TEST_CASE("frontend: run-time asserts stand with the entry and are no part of its guards") {
  Served s([](TracedCall& call) {
    const SymTensor x = call.tensor("x");
    const SymInt u = call.tracer.unbacked_size("u");
    call.tracer.declare_range(u, 0, 100);
    call.tracer.require(u <= x.size(0), [] { return "more chosen than there are"; });
    call.output(shape::slice(x, 0, 0, u));
  });
  const Cache::Answer a = s.call({8, 64});
  REQUIRE(a.outcome() == Outcome::compiled);
  REQUIRE(a.entry()->asserts != nullptr);
  const RuntimeAsserts& asserts = *a.entry()->asserts;
  CHECK(asserts.unbacked == std::vector<std::string>{"u"});
  const auto broken = [&](std::vector<std::int64_t> u) { return asserts.broken(s.at, u); };
  CHECK(broken({8}) == nullptr);
  CHECK(broken({0}) == nullptr);
  CHECK(broken({9}) != nullptr);
  CHECK(broken({-1}) != nullptr);
  CHECK(broken({}) != nullptr);  // nobody said how many
  for (const std::string& g : a.entry()->guard_texts) CHECK(g.find("u ") == std::string::npos);
  CHECK(s.outcome({200, 64}) == Outcome::hit);
  CHECK(broken({101}) != nullptr);
  CHECK(broken({100}) == nullptr);
}

TEST_CASE("frontend: equal programs are built once, merged where asked, and built again when they were evicted") {
  const auto branching = [](TracedCall& call) {
    const SymTensor x = call.tensor("x");
    if (x.size(0) > 4 && x.size(0) > 8) (void)0;
    call.output(shape::relu(x));
  };
  int builds = 0;
  const FrontEnd::Build build = [&](TracedCall&, const Fingerprint& f) {
    ++builds;
    return Built{std::make_shared<std::size_t>(f.symbols.size()), sizeof(std::size_t)};
  };
  Served apart(branching, {}, build);
  CHECK(apart.outcome({2, 64}) == Outcome::compiled);
  CHECK(apart.outcome({6, 64}) == Outcome::shared);
  CHECK(apart.outcome({9, 64}) == Outcome::shared);
  CHECK(builds == 1);
  const auto entries = apart.cache.entries();
  CHECK(entries->entries.size() == 3);
  CHECK(*entries->entries[0]->artifact->as<std::size_t>() == 2);
  CHECK(entries->entries[0]->binding == std::vector<SlotIndex>{apart.front_end.layout().find("x.size()[0]"),
                                                               apart.front_end.layout().find("x.size()[1]")});
  for (EntryId id = 1; id <= 3; ++id) apart.cache.evict(id, "test");
  CHECK(apart.outcome({2, 64}) == Outcome::compiled);
  CHECK(builds == 2);

  Served merged(branching, {.merge = true}, build);
  for (const std::int64_t rows : {2, 6, 9}) merged.outcome({rows, 64});
  CHECK(merged.cache.entries()->entries.size() == 1);
  CHECK(merged.front_end.show(*merged.cache.entries()).front().joined == 3);
  CHECK(merged.outcome({INT64_MAX, 64}) == Outcome::hit);

  Served alone(branching, {.share = false}, build);
  CHECK(alone.outcome({2, 64}) == Outcome::compiled);
  CHECK(alone.outcome({6, 64}) == Outcome::compiled);
}

TEST_CASE("frontend: entries of other ranks or flags are never joined") {
  Served s(
      [](TracedCall& call) {
        (void)call.constant("flag");
        call.output(shape::relu(call.tensor("x")));
      },
      {.merge = true});
  s.at.set_bool(s.front_end.layout().find("flag"), true);
  CHECK(s.outcome({2, 64}) == Outcome::compiled);
  s.at.set_bool(s.front_end.layout().find("flag"), false);
  CHECK(s.outcome({2, 64}) == Outcome::shared);
  CHECK(s.outcome({2, 64}, "torch.float16") == Outcome::compiled);
  CHECK(s.outcome({2}) == Outcome::compiled);
  CHECK(s.cache.entries()->entries.size() == 4);
  CHECK(s.outcome({3, 64}) == Outcome::hit);
}
