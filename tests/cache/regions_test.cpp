#include "dimgate/regions.hpp"

#include <thread>

#include "cache/fixture.hpp"

using namespace dimgate;
using dimgate::testing::Frame;

namespace {

/// A program of additions over one value, some of which print (and so cannot be compiled).
struct Program7 : RegionCompiler, RegionRun {
  const Frame frame{"v"};
  std::vector<bool> prints;
  std::vector<std::string> compiled_regions;
  std::string log;
  std::int64_t v = 0;
  Snapshot at{1};

  static std::string name(const Region& r) { return std::to_string(r.begin) + "-" + std::to_string(r.end); }
  RegionAnswer compile(const Region& r, const Miss& m) override {
    for (std::size_t i = r.begin; i < r.end; ++i)
      if (prints[i]) return RegionAnswer::breaks(i, "operation " + std::to_string(i) + " prints");
    compiled_regions.push_back(name(r));
    return {MissAnswer::compile(frame.entry({"v == " + std::to_string(m.inputs.raw(0))})), {}};
  }
  SnapshotView inputs(const Region&) override {
    at.set(0, v);
    return at;
  }
  void work(const Region& r) {
    for (std::size_t i = r.begin; i < r.end; ++i) v = v * 2 + static_cast<std::int64_t>(i);
  }
  void compiled(const Region& r, const Entry& e) override {
    CHECK(e.program.check(inputs(r)) == kPass);
    work(r), log += "[" + name(r) + "]";
  }
  void eager(const Region& r, const std::string&) override { work(r), log += "(" + name(r) + ")"; }

  std::string run(RegionReader& reader, std::int64_t from) {
    log.clear(), v = from;
    const Status s = reader.run(*this);
    REQUIRE_MESSAGE(s.ok(), (s.ok() ? "" : s.error().to_string()));
    std::int64_t expected = from;
    for (std::size_t i = 0; i < prints.size(); ++i) expected = expected * 2 + static_cast<std::int64_t>(i);
    CHECK(v == expected);
    return log;
  }
};

}  // namespace

TEST_CASE("an operation that cannot be compiled runs eagerly, its neighbours stay compiled and guarded") {
  Program7 p;
  p.prints = {false, false, false, true, false, true, true};
  RegionChain chain(7, p);
  RegionReader reader(chain);
  CHECK(p.run(reader, 1) == "[0-3](3-4)[4-5](5-6)(6-7)");
  CHECK(p.run(reader, 1) == "[0-3](3-4)[4-5](5-6)(6-7)");
  CHECK(chain.graph_breaks() == 3);
  CHECK(chain.regions()[1] == Region{3, 4, true, "operation 3 prints"});
  CHECK(p.compiled_regions == std::vector<std::string>{"0-3", "4-5"});
  CHECK(p.run(reader, 2) == "[0-3](3-4)[4-5](5-6)(6-7)");  // other values: both regions recompile, no more breaks
  CHECK(chain.regions().size() == 5);
  CHECK(chain.statistics(0)->hits == 1);
  CHECK(chain.statistics(0)->recompiles == 1);
  CHECK(!chain.statistics(3).has_value());
}

TEST_CASE("a chain that compiles as a whole has no break; an empty one runs nothing") {
  Program7 p;
  p.prints.assign(4, false);
  RegionChain chain(4, p);
  RegionReader reader(chain);
  CHECK(p.run(reader, 1) == "[0-4]");
  CHECK(chain.graph_breaks() == 0);
  p.prints.clear();
  RegionChain none(0, p);
  RegionReader nobody(none);
  CHECK(p.run(nobody, 1).empty());
}

TEST_CASE("limits and modes hold in each region") {
  Program7 p;
  p.prints = {false, true, false};
  RegionChain chain(3, p, {.max_entries = 1});
  RegionReader reader(chain);
  CHECK(p.run(reader, 1) == "[0-1](1-2)[2-3]");
  CHECK(p.run(reader, 9) == "(0-1)(1-2)(2-3)");
  CHECK(p.run(reader, 1) == "[0-1](1-2)[2-3]");
}

TEST_CASE("a break outside of the region is an error, and ends the run") {
  struct Wrong : Program7 {
    RegionAnswer compile(const Region&, const Miss&) override { return RegionAnswer::breaks(9, "?"); }
  } p;
  p.prints.assign(2, false);
  RegionChain chain(2, p);
  RegionReader reader(chain);
  const Status s = reader.run(p);
  REQUIRE(!s.ok());
  CHECK(s.error().message == "operation 9 is not in the region of operations 0 to 2");
}

TEST_CASE("threads that run while regions are cut do every operation once") {
  Program7 shared;
  shared.prints.assign(40, false);
  for (std::size_t i = 3; i < 40; i += 4) shared.prints[i] = true;
  std::mutex mutex;
  struct Locked : RegionCompiler {
    Program7* p;
    std::mutex* m;
    RegionAnswer compile(const Region& r, const Miss& miss) override {
      const std::lock_guard lock(*m);
      return p->compile(r, miss);
    }
  } compiler;
  compiler.p = &shared, compiler.m = &mutex;
  RegionChain chain(40, compiler);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      struct Sum : RegionRun {
        std::int64_t v = 0;
        std::size_t next = 0;
        bool bad = false;
        Snapshot at{1};
        SnapshotView inputs(const Region&) override {
          at.set(0, v);
          return at;
        }
        void work(const Region& r) {
          bad = bad || r.begin != next;
          next = r.end;
          v += static_cast<std::int64_t>(r.end - r.begin);
        }
        void compiled(const Region& r, const Entry&) override { work(r); }
        void eager(const Region& r, const std::string&) override { work(r); }
      };
      RegionReader reader(chain);
      for (int i = 0; i < 20; ++i) {
        Sum sum;
        if (!reader.run(sum).ok() || sum.bad || sum.v != 40) ++wrong;
      }
    });
  for (auto& t : threads) t.join();
  CHECK(wrong == 0);
  CHECK(chain.graph_breaks() == 10);
}
