// What is written is the answer to itself, whatever the order of guards and facts, and true where the guards are.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <random>
#include <string>

#include "dimgate/simplify.hpp"
#include "support/brute_force.hpp"
#include "support/random_formula.hpp"

using namespace dimgate;

namespace {

using Texts = std::vector<std::string>;

Texts split(const std::string& text, const std::string& by) {
  Texts out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(by, at), text.size());
    out.push_back(text.substr(at, end - at));
    at = end + by.size();
  }
  return out;
}

/// What people see, as they would put it in again: everything read anew, by a context of its own.
Texts simplified(const Texts& facts, const Texts& guards) {
  Context ctx;
  ParseOptions options;
  options.sort = Sort::Bool;
  const auto read = [&](const std::string& text) {
    auto e = parse(ctx, text, options);
    REQUIRE_MESSAGE(e.ok(), text, ": ", e.ok() ? "" : e.error().to_string());
    return *e;
  };
  Facts known(ctx);
  for (const std::string& f : facts) known.assume(read(f));
  std::vector<Expr> set;
  for (const std::string& g : guards) set.push_back(read(g));
  NativeProver prover;
  Texts out;
  for (const Expr e : minimise(prover, known, set).readable) out.push_back(to_pretty(ctx, e));
  return out;
}

void check_stays(Texts facts, Texts guards, std::uint64_t seed) {
  const Texts once = simplified(facts, guards);
  CHECK(simplified(facts, once) == once);
  std::mt19937_64 rng(seed);
  for (int k = 0; k < 2; ++k) {
    std::shuffle(facts.begin(), facts.end(), rng);
    std::shuffle(guards.begin(), guards.end(), rng);
    CHECK(simplified(facts, guards) == once);
  }
}

}  // namespace

TEST_CASE("sets that changed when they were simplified again") {
  std::ifstream in(DIMGATE_SOURCE_DIR "/tests/data/simplify/again.tsv");
  REQUIRE(in);
  std::uint64_t seed = 0;
  for (std::string line; std::getline(in, line);) {
    CAPTURE(line);
    const std::size_t tab = line.find('\t');
    check_stays(split(line.substr(0, tab), "; "), split(line.substr(tab + 1), "; "), ++seed);
  }
  CHECK(seed > 80);
}

TEST_CASE("random sets: simplified again, and shuffled, they are the same; their points stay") {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Context ctx;
    const std::vector<Expr> ints = {ctx.symbol("a"), ctx.symbol("L['x'].size()[0]"), ctx.symbol("c")};
    test::RandomOptions options;
    options.ints = ints;
    options.constant = 8;
    options.products = seed % 3 == 0;
    options.symbolic_divisors = seed % 2 == 0;
    test::RandomFormulas random(ctx, options, seed);
    Facts facts(ctx);
    Texts fact_texts, texts;
    for (std::int64_t k = random.number(0, 2); k > 0; --k) facts.assume(random.fact());
    for (FactId id = 0; id < facts.size(); ++id) fact_texts.push_back(to_text(ctx, facts[id].formula));
    std::vector<Expr> guards;
    for (std::int64_t k = random.number(1, 5); k > 0; --k) {
      guards.push_back(random.number(0, 1) != 0 ? random.fact() : random.formula(2));
      texts.push_back(to_text(ctx, guards.back()));
    }
    CAPTURE(seed);
    std::string all;
    for (const std::string& t : fact_texts) all += "fact " + t + "; ";
    for (const std::string& t : texts) all += t + "; ";
    CAPTURE(all);
    check_stays(fact_texts, texts, seed);
    NativeProver prover;
    const std::vector<Expr> written = minimise(prover, facts, guards).readable;
    const std::vector<Expr> declared = test::formulas_of(facts);
    const auto holds = [&](const std::vector<Expr>& es, const Assignment& at) {
      return std::all_of(es.begin(), es.end(), [&](Expr e) { return evaluate(ctx, e, at).is_true(); });
    };
    test::for_each_point(ctx, ints, {-7, 9}, [&](const Assignment& at) {
      if (holds(declared, at)) CHECK(holds(written, at) == holds(guards, at));
      return true;
    });
  }
}
