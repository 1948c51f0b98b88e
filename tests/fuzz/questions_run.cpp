// Questions of every verb against enumeration, as many as wanted: DIMGATE_QUESTIONS (default 10^5) questions from seed
// DIMGATE_SEED (default 1), DIMGATE_PROVER native (default), z3 or chain (native, then Z3). Prints wrong answers as
// they are found and last the counts; exit 1 if there were any.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "fuzz/questions.hpp"
#ifdef DIMGATE_WITH_SOLVER
#include "dimgate/solver.hpp"
#endif

namespace {

std::uint64_t number(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

}  // namespace

int main() {
  using namespace dimgate;
  const std::uint64_t wanted = number("DIMGATE_QUESTIONS", 100'000), first = number("DIMGATE_SEED", 1);
  const char* name = std::getenv("DIMGATE_PROVER");
  const std::string which = name != nullptr ? name : "native";
  NativeProver native;
  Prover* prover = &native;
#ifdef DIMGATE_WITH_SOLVER
  const std::unique_ptr<Prover> z3 = make_z3_prover({.rlimit = 100'000});
  ChainProver chain({&native, z3.get()});
  if (which == "z3") prover = z3.get();
  if (which == "chain") prover = &chain;
#endif
  test::QuestionTally tally;
  const auto start = std::chrono::steady_clock::now();
  std::uint64_t seed = first;
  for (; tally.asked() < wanted; ++seed)
    if (const auto wrong = test::ask_seed(*prover, seed, 6, seed % 4 == 0, tally)) {
      std::printf("seed %llu: %s\n", static_cast<unsigned long long>(seed), wrong->c_str());
      std::fflush(stdout);
    }
  std::printf("%sprover %s, seeds %llu to %llu, %.0f s\n", tally.to_string().c_str(), prover->name().c_str(),
              static_cast<unsigned long long>(first), static_cast<unsigned long long>(seed - 1),
              std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  return tally.wrong() == 0 ? 0 : 1;
}
