// The pages that machine code lives on: never writable and executable at one address, given back when the last entry
// and the last reader inside are gone, and done without where the kernel refuses them.
#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "dimgate/cache.hpp"
#include "dimgate/dispatch.hpp"
#include "program/build.hpp"

#ifdef __linux__
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

using namespace dimgate;
using dimgate::testing::bounds_program;

#ifdef __linux__

namespace {

/// Lines of the process's map that contain the text.
std::size_t mapped(std::string_view text) {
  std::size_t n = 0;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) n += line.find(text) != std::string::npos ? 1 : 0;
  return n;
}
/// Valgrind maps pages of its own, writable and executable, in this process.
bool under_valgrind() { return mapped("/valgrind/") != 0; }

}  // namespace

TEST_CASE("no mapping is writable and executable; the code's own is executable only") {
  const std::shared_ptr<Jit> jit = Jit::create();
  if (!jit) return;
  std::vector<Program> programs;
  for (std::int64_t i = 0; i < 2000; ++i) programs.push_back(jit->translate(bounds_program({{0, i, i + 3}})));
  std::size_t ours = 0;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    char* rest = nullptr;
    const std::uint64_t begin = std::strtoull(line.c_str(), &rest, 16), end = std::strtoull(rest + 1, &rest, 16);
    const std::string_view permissions = std::string_view(rest).substr(1, 4);
    for (const Program& p : programs) {
      REQUIRE(p.is_native());
      const auto at = reinterpret_cast<std::uint64_t>(p.code().run);
      if (at < begin || at >= end) continue;
      ++ours;
      CHECK(permissions.substr(0, 3) == "r-x");
    }
  }
  if (!under_valgrind()) CHECK(mapped(" rwx") == 0);
  CHECK(ours == programs.size());
}

namespace {

/// From here on the kernel refuses executable pages to this process, as a hardened one does.
bool refuse_executable_pages() {
  const auto is = [](std::uint32_t k, std::uint8_t yes, std::uint8_t no) {
    return sock_filter BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, k, yes, no);
  };
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      is(SYS_mmap, 1, 0),
      is(SYS_mprotect, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args[2])),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program{sizeof filter / sizeof filter[0], filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

}  // namespace

TEST_CASE("where executable pages are refused the interpreter serves, with the same answers") {
  if (under_valgrind()) return;
  const std::shared_ptr<Jit> jit = Jit::create();
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {  // doctest stays out of it: only the exit code speaks
    if (!refuse_executable_pages()) _exit(77);
    if (Jit::create() != nullptr) _exit(1);
    const Program p = bounds_program({{0, 3, 9}});
    // A Jit made before may have room left, or not; either way the program is right.
    std::vector<Program> programs;
    for (int i = 0; i < 20'000; ++i) programs.push_back(jit ? jit->translate(p) : p);
    if (jit && programs.back().is_native()) _exit(2);
    Snapshot s(1);
    for (std::int64_t v = 0; v < 12; ++v) {
      s.set(0, v);
      if (programs.back().check(s) != (v >= 3 && v <= 9 ? kPass : 0)) _exit(3);
      if (programs.front().check(s) != programs.back().check(s)) _exit(4);
    }
    _exit(0);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  if (WEXITSTATUS(status) == 77)
    MESSAGE("no seccomp filters here: not tried");
  else
    CHECK(WEXITSTATUS(status) == 0);
}

#endif

TEST_CASE("code of a dead entry goes back when no reader is inside any more") {
  const std::shared_ptr<Jit> jit = Jit::create();
  if (!jit) return;
  const std::size_t before = jit->bytes();
  struct Handler : MissHandler {
    explicit Handler(Jit& j) : jit(&j) {}
    MissAnswer miss(const Miss& m) override {
      NewEntry e;
      e.program = jit->translate(bounds_program({{0, m.inputs.raw(0), m.inputs.raw(0)}}));
      return MissAnswer::compile(std::move(e));
    }
    Jit* jit;
  } handler(*jit);
  {
    Cache cache(handler);
    CacheReader reader(cache), other(cache);
    Snapshot s(1);
    for (std::int64_t i = 0; i < 100; ++i) {
      s.set(0, i);
      CHECK(reader.lookup(s).outcome() == Outcome::compiled);
    }
    const std::size_t full = jit->bytes();
    CHECK(full >= before + 100 * 16);
    s.set(0, 42);
    {
      const Cache::Answer inside = other.lookup(s);
      REQUIRE(inside.outcome() == Outcome::hit);
      CHECK(cache.invalidate([](const Entry&) { return true; }, "test") == 100);
      s.set(0, 1000);
      (void)reader.lookup(s);
      // The one inside may still be run.
      s.set(0, 42);
      CHECK(inside.entry()->program.check(s) == kPass);
    }
    // Nobody is inside: the next changes of the table take out what is left of the old versions.
    for (std::int64_t i = 2000; i < 2004; ++i) {
      s.set(0, i);
      (void)reader.lookup(s), (void)other.lookup(s);
      (void)cache.invalidate([](const Entry&) { return true; }, "test");
    }
    CHECK(jit->bytes() < before + (full - before) / 4);
  }
  CHECK(jit->bytes() == before);
}
