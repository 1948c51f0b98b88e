// Questions of every verb with conditionals in every place, held against enumeration: a seeded run for every test run;
// tests/fuzz/questions.cpp says what is asked. The long run is build/tests/fuzz/questions (questions_run.cpp), the one
// without a seed fuzz_questions.cpp.
#include <doctest/doctest.h>

#include <cstdlib>

#include "fuzz/questions.hpp"
#ifdef DIMGATE_WITH_SOLVER
#include "dimgate/solver.hpp"
#endif

using namespace dimgate;

namespace {

std::uint64_t setting(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

void ask_many(Prover& prover, std::uint64_t count) {
  const std::uint64_t seed = setting("DIMGATE_FUZZ_SEED", 1);
  test::QuestionTally tally;
  for (std::uint64_t i = 0; i < count; ++i)
    if (const auto wrong = test::ask_seed(prover, seed * 1'000'003 + i, 6, i % 4 == 0, tally))
      FAIL_CHECK("question " << i << " of seed " << seed << ": " << *wrong);
  MESSAGE(tally.to_string());
  CHECK(tally.wrong() == 0);
  CHECK(tally.prove.decided * 2 > tally.prove.asked);
  CHECK(tally.bound.decided * 3 > tally.bound.asked);
}

}  // namespace

TEST_CASE("random questions of every verb are answered as enumeration answers them: native") {
  NativeProver prover;
  ask_many(prover, setting("DIMGATE_FUZZ_COUNT", 1500));
}

#ifdef DIMGATE_WITH_SOLVER
TEST_CASE("random questions of every verb are answered as enumeration answers them: with Z3") {
  NativeProver native;
  const auto z3 = make_z3_prover({.rlimit = 100'000});
  ChainProver chain({&native, z3.get()});
  ask_many(chain, setting("DIMGATE_FUZZ_COUNT", 100));
  ask_many(*z3, setting("DIMGATE_FUZZ_COUNT", 100));
}
#endif
