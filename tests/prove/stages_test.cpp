// Each stage decides what it is there for, names the facts it used, and never says more than enumeration.
#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <random>

#include "dimgate/prove.hpp"
#include "prove/difference_stage.hpp"
#include "prove/lattice_stage.hpp"
#include "prove/stage.hpp"
#include "support/brute_force.hpp"

using namespace dimgate;

namespace {

struct Answer {
  std::string stage, used;
};

Answer ask(const std::vector<std::string>& facts, const std::string& claim) {
  Context ctx;
  Facts known(ctx);
  for (const std::string& f : facts) known.assume(*parse(ctx, f));
  NativeProver prover;
  const Proof p = prover.prove(known, *parse(ctx, claim));
  Answer a{p.proved() ? p.stage : "not proved", ""};
  for (const FactId f : p.used) a.used += (a.used.empty() ? "" : ", ") + to_text(ctx, known[f].formula);
  return a;
}

using Stage = std::optional<FactIndex::Ids> (*)(const Facts&, FactIndex&, std::span<const FactId>, Expr);

// Random facts and claims of the stage's shape: what it says follows holds on every point of a box, from the facts it
// names alone.
int never_says_more(Stage stage, const std::vector<const char*>& shapes) {
  int said = 0;
  std::mt19937_64 rng(3);
  const auto pick = [&](std::string shape) {
    for (std::size_t at = 0; (at = shape.find('#', at)) != std::string::npos; ++at)
      shape.replace(at, 1, std::to_string(static_cast<int>(rng() % 13) - 6));
    for (std::size_t at = 0; (at = shape.find('K', at)) != std::string::npos; ++at)
      shape.replace(at, 1, std::to_string(2 + rng() % 5));
    for (std::size_t at = 0; (at = shape.find('?', at)) != std::string::npos; ++at)
      shape.replace(at, 1, std::string(1, static_cast<char>('a' + rng() % 4)));
    return shape;
  };
  for (int i = 0; i < 1500; ++i) {
    Context ctx;
    Facts facts(ctx);
    std::vector<FactId> ids;
    for (std::uint64_t n = 1 + rng() % 4; n > 0; --n)
      ids.push_back(facts.assume(*parse(ctx, pick(shapes[rng() % shapes.size()]))));
    const Expr claim = *parse(ctx, pick(shapes[rng() % shapes.size()]));
    const auto why = stage(facts, FactIndex::of(facts), ids, ctx.canonical(claim));
    if (!why) continue;
    ++said;
    std::vector<Expr> used;
    for (const FactId f : *why) used.push_back(facts[f].formula);
    INFO(to_text(ctx, claim));
    CHECK(test::prove(ctx, used, claim, {-8, 8}).holds);
  }
  return said;
}

}  // namespace

TEST_CASE("equalities and congruences meet in the lattice") {
  Answer a = ask({"x % 3 == 2", "y % 5 == 3", "x == y", "z >= 1"}, "x % 15 == 8");
  CHECK(a.stage == "lattice");
  CHECK(a.used == "x % 3 == 2, y % 5 == 3, x == y");
  CHECK(ask({"2*a + 3*b == 7", "b % 2 == 1"}, "a % 3 == 2").stage == "lattice");
  CHECK(ask({"a + b == 4", "a - b == 2"}, "a == 3").stage == "lattice");
  CHECK(ask({"a + b == 4", "a - b == 2"}, "a != 4").stage == "lattice");
  CHECK(ask({"6*a + 4*b == c"}, "c % 2 != 1").stage == "lattice");
  CHECK(ask({"a*b + c == 8", "c % 4 == 0"}, "a*b % 4 == 0").stage == "lattice");
  CHECK(ask({"x % 3 == 2", "x == y"}, "y % 6 == 2").stage == "not proved");
}

TEST_CASE("chains of differences are paths") {
  Answer a = ask({"a <= b", "b <= c - 1", "c <= d", "e <= a"}, "a < d");
  CHECK(a.stage == "differences");
  CHECK(a.used == "a <= b, b <= c - 1, c <= d");
  CHECK(ask({"a + b <= 7", "a - b <= 0"}, "a <= 3 and b - a >= 0").stage == "differences");
  CHECK(ask({"a <= b", "b <= c", "c <= a"}, "a - c == 0").stage == "differences");
  CHECK(ask({"a <= b", "b <= c"}, "a < c").stage == "not proved");
}

TEST_CASE("no stage says more than enumeration, nor rests on facts that do not suffice") {
  CHECK(never_says_more(implied_by_lattice, {"(K*? + ?) % K == 1", "? + # == ?", "? % K == 0", "? - K*? == #",
                                             "? % K != 1", "? + ? != #"}) > 20);
  CHECK(never_says_more(implied_by_differences,
                        {"? - ? <= #", "? + ? >= #", "? <= #", "? - ? == #", "? >= #", "? < ?", "? != ?"}) > 20);
}

TEST_CASE("docs/prover.md names every stage and the file it stands in") {
  std::ifstream in(DIMGATE_SOURCE_DIR "/docs/prover.md");
  const std::string page{std::istreambuf_iterator<char>(in), {}};
  REQUIRE(!page.empty());
  for (const ProofStageInfo& stage : kProofStages) {
    INFO(stage.name);
    CHECK(page.find("`" + std::string(stage.name) + "`") != std::string::npos);
    CHECK(std::ifstream(std::string(DIMGATE_SOURCE_DIR "/") + std::string(stage.file)).good());
    const std::string file(stage.file.substr(stage.file.rfind('/') + 1));
    CHECK(page.find(file.substr(0, file.find('.'))) != std::string::npos);
  }
}
