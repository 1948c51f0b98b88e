// All engines and the reference on random formulas and inputs: what the test in CI, the long run and the fuzzer share.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "compile/random_formula.hpp"
#include "dimgate/compile.hpp"
#include "expr/reference.hpp"

namespace dimgate::testing {

struct Tally {
  std::shared_ptr<Jit> jit = Jit::create();
  std::size_t programs = 0, native = 0, refused = 0, inputs = 0, passed = 0;
  std::size_t checks = 0;  // answers of one engine compared with the reference's
};

/// One set of guards on many inputs: interpreter, machine code, all failing guards, batch. What reproduces a
/// difference, or nullopt.
inline std::optional<std::string> differs(std::uint64_t seed, int depth, std::size_t guards, std::size_t inputs,
                                          Tally& tally) {
  World world;
  RandomFormula random(world, seed);
  std::vector<Expr> set;
  for (std::size_t i = 0; i < guards; ++i) set.push_back(random.boolean(depth));
  const auto program = compile(world.ctx, set, world.layout);
  ++tally.programs;
  if (!program) {
    ++tally.refused;
    if (program.error().message.find("bits") != std::string::npos) return std::nullopt;
    return "seed " + std::to_string(seed) + ": refused: " + program.error().message;
  }
  const Program native = tally.jit ? tally.jit->translate(*program) : *program;
  tally.native += native.is_native() ? 1 : 0;
  ReferenceEvaluator reference(world.ctx, set);
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
    const std::int32_t got = program->check(in.snapshot), machine = native.check(in.snapshot);
    const bool right =
        failing.empty() ? got == kPass : got >= 0 && std::ranges::count(failing, static_cast<std::uint32_t>(got)) == 1;
    if (!right || machine != got || program->failing(in.snapshot) != failing) {
      std::string text = "seed " + std::to_string(seed) + ", depth " + std::to_string(depth) + ", at " +
                         to_string(world.layout, in.snapshot) + ": got " + std::to_string(got) + ", machine code " +
                         std::to_string(machine) + ", failing";
      for (const std::uint32_t g : program->failing(in.snapshot)) text += " " + std::to_string(g);
      text += "\n";
      for (std::uint32_t g = 0; g < set.size(); ++g)
        text += "  " + to_text(world.ctx, set[g]) + " is " + values[g].to_string() + "\n";
      return text + program->disassemble();
    }
    ++tally.inputs;
    tally.checks += 3;
    tally.passed += failing.empty() ? 1 : 0;
    if (whole) {
      for (SlotIndex s = 0; s < world.layout.size(); ++s) columns[s].push_back(in.snapshot.raw(s));
      expected.push_back(failing.empty() ? 1 : 0);
    }
  }
  std::vector<const std::int64_t*> pointers;
  for (const auto& c : columns) pointers.push_back(c.data());
  for (const Program* p : {&*program, &native}) {
    std::vector<std::uint8_t> pass(expected.size(), 7);
    p->check_batch(pointers, pass.size(), pass.data());
    tally.checks += pass.size();
    if (pass != expected) return "batch differs, seed " + std::to_string(seed) + "\n" + program->disassemble();
  }
  return std::nullopt;
}

}  // namespace dimgate::testing
