// Every engine against the reference evaluator: random formulas, int64 edges, zero divisors, missing slots.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "compile/random_formula.hpp"
#include "dimgate/compile.hpp"
#include "expr/evaluate.hpp"

using namespace dimgate;
using dimgate::testing::Inputs;
using dimgate::testing::RandomFormula;
using dimgate::testing::World;

namespace {

struct Tally {
  std::shared_ptr<Jit> jit = Jit::create();
  std::size_t programs = 0, native = 0, refused = 0, checks = 0, passed = 0;
};

void compare(std::uint64_t seed, int depth, std::size_t guards, std::size_t inputs, Tally& tally) {
  World world;
  RandomFormula random(world, seed);
  std::vector<Expr> set;
  for (std::size_t i = 0; i < guards; ++i) set.push_back(random.boolean(depth));
  const auto program = compile(world.ctx, set, world.layout);
  ++tally.programs;
  if (!program) {
    ++tally.refused;
    CHECK_MESSAGE(program.error().message.find("bits") != std::string::npos, program.error().message);
    return;
  }
  const Program native = tally.jit ? tally.jit->translate(*program) : *program;
  tally.native += native.is_native() ? 1 : 0;
  Evaluator reference(world.ctx, set);
  std::vector<std::vector<std::int64_t>> columns(world.layout.size());
  std::vector<std::uint8_t> expected;
  Inputs in;
  for (std::size_t k = 0; k < inputs; ++k) {
    const bool whole = k % 3 != 0;
    random.fill(in, whole ? 0 : 15);
    const std::vector<Value> values = reference.all(in.assignment);
    std::vector<std::uint32_t> failing;
    for (std::uint32_t g = 0; g < set.size(); ++g)
      if (!values[g].is_true()) failing.push_back(g);
    const std::int32_t got = program->check(in.snapshot);
    const bool right =
        failing.empty() ? got == kPass : got >= 0 && std::ranges::count(failing, static_cast<std::uint32_t>(got)) == 1;
    const std::int32_t machine = native.check(in.snapshot);
    if (!right || machine != got || program->failing(in.snapshot) != failing) {
      std::string text = "seed " + std::to_string(seed) + ", at " + to_string(world.layout, in.snapshot) + ": got " +
                         std::to_string(got) + ", machine code " + std::to_string(machine) + ", failing";
      for (const std::uint32_t g : program->failing(in.snapshot)) text += " " + std::to_string(g);
      text += "\n";
      for (std::uint32_t g = 0; g < set.size(); ++g)
        text += "  " + to_text(world.ctx, set[g]) + " is " + values[g].to_string() + "\n";
      FAIL(text << program->disassemble());
    }
    ++tally.checks;
    if (failing.empty()) ++tally.passed;
    if (whole) {
      for (SlotIndex s = 0; s < world.layout.size(); ++s) columns[s].push_back(in.snapshot.raw(s));
      expected.push_back(failing.empty() ? 1 : 0);
    }
  }
  std::vector<const std::int64_t*> pointers;
  for (const auto& c : columns) pointers.push_back(c.data());
  std::vector<std::uint8_t> pass(expected.size(), 7);
  program->check_batch(pointers, pass.size(), pass.data());
  if (pass != expected) FAIL("batch differs, seed " << seed << "\n" << program->disassemble());
}

/// DIMGATE_TEST_SCALE multiplies the amount of work: 1 in the usual run.
std::uint64_t scale() {
  const char* s = std::getenv("DIMGATE_TEST_SCALE");
  return s != nullptr ? std::strtoull(s, nullptr, 10) : 1;
}

}  // namespace

TEST_CASE("programs agree with the reference on random formulas") {
  Tally tally;
  std::uint64_t seed = 1;
  for (std::uint64_t i = 0; i < 1500 * scale(); ++i) compare(seed++, 2, 1, 40, tally);
  for (std::uint64_t i = 0; i < 1500 * scale(); ++i) compare(seed++, 3, 2, 40, tally);
  for (std::uint64_t i = 0; i < 400 * scale(); ++i) compare(seed++, 5, 1 + i % 8, 60, tally);
  MESSAGE(tally.programs << " programs, " << tally.native << " as machine code, " << tally.refused << " refused, "
                         << tally.checks << " checks, " << tally.passed << " passed");
  CHECK(tally.passed * 10 > tally.checks);
  CHECK(tally.refused * 20 < tally.programs);
  if (tally.jit) {
    CHECK(tally.native * 10 > tally.programs * 9);
    CHECK(tally.jit->bytes() < 1000);  // all went back
  }
}
