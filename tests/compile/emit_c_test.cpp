// Emitted C, compiled with every warning an error and loaded, against the interpreter (and so against the reference).
#include <dlfcn.h>
#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "compile/random_formula.hpp"
#include "dimgate/compile.hpp"

using namespace dimgate;
using dimgate::testing::Inputs;
using dimgate::testing::RandomFormula;
using dimgate::testing::World;

namespace {

const char* compiler() {
  const char* cc = std::getenv("CC");
  return cc != nullptr ? cc : "cc";
}

/// A directory that goes with the test.
struct Scratch {
  std::filesystem::path path;
  Scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "dimgate-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path = name;
  }
  ~Scratch() { std::filesystem::remove_all(path); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
};

/// Writes, compiles and loads; the library stays loaded.
void* load(const Scratch& scratch, const std::string& source, const std::string& extra) {
  const std::string c = (scratch.path / "guards.c").string(), so = (scratch.path / "guards.so").string();
  std::ofstream(c) << source;
  const std::string command = std::string(compiler()) +
                              " -std=c11 -O1 -Wall -Wextra -Wpedantic -Wshadow -Wconversion " +
                              "-Wno-sign-conversion -Werror " + extra + " -shared -fPIC -o " + so + " " + c;
  REQUIRE_MESSAGE(std::system(command.c_str()) == 0, source);
  void* library = dlopen(so.c_str(), RTLD_NOW);
  REQUIRE_MESSAGE(library != nullptr, dlerror());
  return library;
}

}  // namespace

TEST_CASE("emitted C compiles without warnings and agrees with the interpreter") {
  // The portable overflow tests are what other compilers see: `extra` hides the builtins from the second build.
  for (const std::string extra : {"", "-U__GNUC__"}) {
    World world;
    RandomFormula random(world, extra.empty() ? 21 : 22);
    std::vector<Program> programs;
    std::string source;
    for (int i = 0; i < 60; ++i) {
      std::vector<Expr> guards;
      for (std::size_t k = 1 + random.below(3); k-- > 0;) guards.push_back(random.boolean(2 + i % 3));
      auto p = compile(world.ctx, guards, world.layout);
      if (!p) continue;
      programs.push_back(*p);
    }
    const Scratch scratch;
    std::size_t checks = 0, passed = 0;
    for (std::size_t i = 0; i < programs.size(); ++i) {
      // One translation unit each: helpers are static and named alike. Concatenated under one compiler call.
      const std::string file = (scratch.path / ("p" + std::to_string(i) + ".c")).string();
      std::ofstream(file) << emit_c(programs[i], "check" + std::to_string(i));
      source += " " + file;
    }
    const std::string so = (scratch.path / "all.so").string();
    const std::string command = std::string(compiler()) + " -std=c11 -O1 -Wall -Wextra -Wpedantic -Wshadow -Werror " +
                                extra + " -shared -fPIC -o " + so + source;
    REQUIRE(std::system(command.c_str()) == 0);
    void* library = dlopen(so.c_str(), RTLD_NOW);
    REQUIRE_MESSAGE(library != nullptr, dlerror());
    Inputs in;
    for (std::size_t i = 0; i < programs.size(); ++i) {
      using Check = int (*)(const std::int64_t*);
      const auto check = reinterpret_cast<Check>(dlsym(library, ("check" + std::to_string(i)).c_str()));
      REQUIRE(reinterpret_cast<const void*>(check) != nullptr);
      for (int k = 0; k < 500; ++k) {
        random.fill(in, 0);
        const int got = check(in.snapshot.view().values);
        CHECK_MESSAGE(got == programs[i].check(in.snapshot), programs[i].disassemble());
        ++checks;
        passed += got == kPass ? 1 : 0;
      }
    }
    CHECK(passed * 20 > checks);
    dlclose(library);
  }
}

TEST_CASE("the comment names slots and names, and cannot be closed by a source") {
  Context ctx;
  Layout layout;
  layout.add("L['*/ int x; /*']");
  layout.add("x.dtype");
  const Expr a = ctx.symbol("L['*/ int x; /*']");
  const std::vector<Expr> guards{
      ctx.make(Op::Gt, {ctx.make(Op::Mul, {a, a}), a}),
      ctx.make(Op::Eq, {ctx.symbol("x.dtype", Sort::Enum), ctx.enumeration("torch.float32")})};
  const auto text = emit_c(ctx, guards, layout, "check");
  REQUIRE(text.ok());
  CHECK(text->find("s[1]  x.dtype  (Enum)") != std::string::npos);
  CHECK(text->find("0  torch.float32") != std::string::npos);
  const Scratch scratch;
  void* library = load(scratch, *text, "");
  const auto check = reinterpret_cast<int (*)(const std::int64_t*)>(dlsym(library, "check"));
  const auto at = [&](std::int64_t x, std::int64_t dtype) {
    const std::int64_t s[] = {x, dtype};
    return check(s);
  };
  CHECK(at(INT64_MIN, 0) == -1);
  CHECK(at(1, 0) == 0);
  CHECK(at(2, 1) == 1);
  dlclose(library);
  CHECK(!emit_c(ctx, {&a, 1}, layout, "check").ok());
}
