// Budgets that do not abandon a component: after the dear questions of a large component have used theirs up, each
// guard is still asked about with the few nearest in shape; and what a solver is asked is bounded by steps of its own.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "dimgate/simplify.hpp"

using namespace dimgate;

namespace {

std::string x(int i) { return "x" + std::to_string(i); }

std::size_t kept(const std::vector<std::string>& texts) {
  Context ctx;
  const Facts facts(ctx);
  std::vector<Expr> guards;
  for (const std::string& t : texts) guards.push_back(*parse(ctx, t));
  NativeProver prover;
  const Minimised m = minimise(prover, facts, guards);
  CHECK_FALSE(m.contradictory);
  CHECK(m.readable.size() <= m.kept.size());
  return m.kept.size();
}

/// `relation` between every two of n symbols, the later on the left.
std::vector<std::string> every_two(int n, const std::string& relation) {
  std::vector<std::string> out;
  for (int j = 1; j < n; ++j)
    for (int i = 0; i < j; ++i) out.push_back(x(j) + relation + x(i));
  return out;
}

}  // namespace

TEST_CASE("equal in pairs: a tree of equalities stays") {
  CHECK(kept(every_two(40, " == ")) == 39);
  CHECK(kept(every_two(60, " == ")) == 59);
}

TEST_CASE("ranges of slots that equal one slot: one range stays") {
  for (const char* range : {"2 <= ", "8 <= "}) {
    std::vector<std::string> guards;
    for (int i = 0; i < 160; ++i) guards.push_back(range + x(i) + " <= 4096");
    for (int i = 1; i < 160; ++i) guards.push_back(x(i) + " == x0");
    CHECK(kept(guards) == 160);
  }
}

TEST_CASE("ranges along a chain of equal slots: one range stays") {
  std::vector<std::string> guards;
  for (int i = 0; i < 160; ++i) guards.push_back("2 <= " + x(i) + " <= 4096");
  for (int i = 1; i < 160; ++i) guards.push_back(x(i) + " == " + x(i - 1));
  CHECK(kept(guards) == 160);
}

TEST_CASE("ordered in pairs: the chain stays") { CHECK(kept(every_two(40, " <= ")) == 39); }

TEST_CASE("differences in pairs: a tree of them stays") {
  std::vector<std::string> guards;
  for (int j = 1; j < 40; ++j)
    for (int i = 0; i < j; ++i) guards.push_back(x(j) + " == " + x(i) + " + " + std::to_string(3 * (j - i)));
  CHECK(kept(guards) == 39);
}
