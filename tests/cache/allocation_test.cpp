// Hits allocate nothing: counted by replacing operator new in this program.
#include <atomic>
#include <cstdlib>
#include <new>

#include "cache/fixture.hpp"

// Once inlined, the pair below looks mismatched to gcc.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"

namespace {
std::atomic<std::size_t> allocations{0};
}

void* operator new(std::size_t n) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  if (void* p = std::malloc(n != 0 ? n : 1)) return p;
  throw std::bad_alloc();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }

using namespace dimgate;
using dimgate::testing::Frame;
using dimgate::testing::Scripted;

TEST_CASE("hits and checks allocate nothing, on the fast, the partial and the exact path") {
  const Frame f{"n", "m", "k"};
  Scripted h;
  Cache cache(h);
  for (int i = 0; i < 64; ++i) REQUIRE(cache.insert(f.entry({"n == " + std::to_string(i), "m >= 2"})).ok());
  REQUIRE(cache.insert(f.entry({"n * m * k >= 9223372036854775807 or n % m == 3"})).ok());
  REQUIRE(cache.insert(f.entry({"n < 0", "k == 1 or m == 1"})).ok());
  CacheReader reader(cache);
  const Snapshot hit = f.at({63, 5, 1});
  const Snapshot wide = f.at({INT64_MAX, INT64_MAX, INT64_MAX});  // overflows int64
  const Snapshot partial = f.at({-1, 1});                         // k is absent, m decides
  const Snapshot miss = f.at({100, 50, 1});
  REQUIRE(allocations > 0);  // the counter counts
  (void)reader.lookup(hit);
  const std::size_t before = allocations;
  std::size_t good = 0;
  for (int i = 0; i < 100; ++i) {
    good += reader.lookup(hit).outcome() == Outcome::hit ? 1 : 0;
    good += reader.lookup(wide).outcome() == Outcome::hit ? 1 : 0;
    good += reader.lookup(partial).outcome() == Outcome::hit ? 1 : 0;
    good += reader.peek(miss).entry() == nullptr ? 1 : 0;
  }
  const std::size_t after = allocations;
  CHECK(after == before);
  CHECK(good == 400);
}
