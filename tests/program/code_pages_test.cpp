// Memory for machine code: what is handed out keeps its bytes, is reused, and is left alone once there was a fork.
#include "program/code_pages.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <vector>

#ifdef __linux__
#include <sys/wait.h>
#include <unistd.h>
#endif

using dimgate::detail::CodePages;

namespace {

std::vector<std::uint8_t> filled(std::size_t size, std::uint8_t with) { return std::vector<std::uint8_t>(size, with); }
bool holds(const void* at, std::size_t size, std::uint8_t with) {
  return std::memcmp(at, filled(size, with).data(), size) == 0;
}

}  // namespace

TEST_CASE("code pages: neighbours keep their bytes, freed units are used again") {
  CodePages pages;
  struct One {
    const void* at;
    std::size_t size;
    std::uint8_t with;
  };
  std::vector<One> alive;
  std::size_t bytes = 0;
  for (unsigned round = 0; round < 4000; ++round) {
    const std::size_t size = 1 + round * 37 % 700;
    const auto with = static_cast<std::uint8_t>(round);
    const void* const at = pages.add(filled(size, with).data(), size);
    if (at == nullptr) return;  // a kernel that gives no such memory
    REQUIRE(reinterpret_cast<std::uintptr_t>(at) % CodePages::kUnit == 0);
    alive.push_back({at, size, with});
    bytes += CodePages::units(size) * CodePages::kUnit;
    if (round % 3 == 2) {
      const std::size_t k = round * 7919 % alive.size();
      bytes -= CodePages::units(alive[k].size) * CodePages::kUnit;
      pages.remove(alive[k].at);
      alive.erase(alive.begin() + static_cast<std::ptrdiff_t>(k));
    }
    CHECK(pages.bytes() == bytes);
  }
  for (const One& one : alive) CHECK(holds(one.at, one.size, one.with));
  for (const One& one : alive) pages.remove(one.at);
  CHECK(pages.bytes() == 0);
  pages.remove(nullptr);  // not ours: nothing happens
  const void* const large = pages.add(filled(3 << 20, 9).data(), 3 << 20);
  if (large != nullptr) CHECK(holds(large, 3 << 20, 9));
}

#ifdef __linux__
TEST_CASE("code pages: after a fork neither side writes where the other runs") {
  CodePages pages;
  const void* const kept = pages.add(filled(64, 1).data(), 64);
  const void* const dropped = pages.add(filled(64, 2).data(), 64);
  if (kept == nullptr) return;
  int ready[2], go[2];
  REQUIRE((pipe(ready) == 0 && pipe(go) == 0));
  const pid_t child = fork();
  if (child == 0) {
    // The parent frees and fills meanwhile; what this process has must stay.
    char byte = 0;
    bool good = read(go[0], &byte, 1) == 1;
    good = good && holds(kept, 64, 1) && holds(dropped, 64, 2);
    for (int i = 0; i < 100; ++i) good = good && pages.add(filled(64, 4).data(), 64) != kept;
    good = write(ready[1], &byte, 1) == 1 && good;
    _exit(good ? 0 : 1);
  }
  pages.remove(dropped);
  std::vector<const void*> mine;
  for (int i = 0; i < 100; ++i) mine.push_back(pages.add(filled(64, 3).data(), 64));
  char byte = 'x';
  REQUIRE(write(go[1], &byte, 1) == 1);
  REQUIRE(read(ready[0], &byte, 1) == 1);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 0));
  for (const void* at : mine) CHECK((at == nullptr || holds(at, 64, 3)));
  CHECK(holds(kept, 64, 1));
}
#endif
