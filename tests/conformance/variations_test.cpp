// The native prover on variations of the facts file: the answers stay what the rows say, whatever the names, the order,
// the sides, the position of each symbol on the number line, and what else is known; with other constants nothing
// contradicts enumeration. DIMGATE_FUZZ_SEED varies the variations.
#include "conformance/variations.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <iostream>

#include "support/brute_force.hpp"

using namespace dimgate;
using namespace dimgate::conformance;

namespace {

std::uint64_t seed() {
  const char* text = std::getenv("DIMGATE_FUZZ_SEED");
  return text == nullptr ? 1 : std::strtoull(text, nullptr, 10);
}

const std::vector<Row>& rows() {
  static const std::vector<Row> all = *read_rows(DIMGATE_SOURCE_DIR "/tests/data/conformance/peer_facts.tsv");
  return all;
}

bool is_verdict(const Row& row) { return row.kind == "prove" || row.kind == "equiv" || row.kind == "sat"; }

Facts facts_of(Context& ctx, const Question& q) {
  Facts facts(ctx);
  for (const Expr f : q.facts) facts.assume(f);
  return facts;
}

struct Counts {
  int asked = 0, weaker = 0;
};

// proved, refuted or unknown, as the row's kind asks.
Verdict answer(Context& ctx, const Question& q, const std::string& kind) {
  NativeProver prover;
  Facts facts = facts_of(ctx, q);
  if (q.right) return prover.prove_equal(facts, q.claim, q.right).verdict;
  if (kind == "prove") return prover.prove(facts, q.claim).verdict;
  facts.assume(q.claim);
  return prover.satisfiable(facts).verdict;
}

Verdict expected(const Row& row) {
  return row.expected == "valid" || row.expected == "sat" ? Verdict::proved : Verdict::refuted;
}

void weaker(Counts& counts, const std::string& what, const Row& row, const std::string& command) {
  ++counts.weaker;
  if (std::getenv("DIMGATE_SHOW") != nullptr) std::cout << what << " " << row.id << command << "\n";
}

void check_verdict(Context& ctx, const Question& q, const Row& row, const std::string& what, Counts& counts) {
  const Verdict got = answer(ctx, q, row.kind);
  ++counts.asked;
  if (got == Verdict::unknown)
    weaker(counts, what, row, to_command(ctx, q));
  else
    CHECK_MESSAGE(got == expected(row), what << " " << row.id << to_command(ctx, q));
}

void check_bounds(Context& ctx, const Question& q, const Row& row, const std::string& what, Counts& counts) {
  NativeProver prover;
  const Bounds got = prover.bound(facts_of(ctx, q), q.claim);
  ++counts.asked;
  std::string interval = got.interval.to_string(), congruence = got.congruence.to_string();
  CHECK_FALSE(got.empty);
  if ((row.kind == "bounds" ? interval : congruence) != row.expected)
    weaker(counts, what + " " + row.kind + " " + interval + congruence + " for " + row.expected, row,
           to_command(ctx, q));
}

void report(const char* what, const Counts& counts, int allowed_percent) {
  MESSAGE(std::string(what) << ": " << counts.weaker << " of " << counts.asked << " weaker");
  CHECK(counts.weaker * 100 <= counts.asked * allowed_percent);
}

Counts check_all(Variation how, const char* what, int rounds) {
  Counts counts;
  for (int round = 0; round < rounds; ++round)
    for (const Row& row : rows()) {
      if (row.kind == "redundant") continue;
      std::mt19937_64 rng(seed() * 1000 + static_cast<std::uint64_t>(round));
      Context from, to;
      const Question q = vary(to, from, read_question(from, row), how, rng, "");
      if (is_verdict(row))
        check_verdict(to, q, row, what, counts);
      else
        check_bounds(to, q, row, what, counts);
    }
  return counts;
}

}  // namespace

TEST_CASE("other names, orders and facts about other symbols change no answer") {
  report("renamed", check_all(Variation::renamed, "renamed", 3), 0);
}

TEST_CASE("sides swapped change no answer") { report("swapped", check_all(Variation::swapped, "swapped", 1), 0); }

TEST_CASE("symbols moved along the number line change no answer") {
  report("moved", check_all(Variation::moved, "moved", 4), 3);
}

TEST_CASE("two rows at once are as valid as both") {
  Counts counts;
  const auto& all = rows();
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::mt19937_64 rng(seed() * 7919 + i);
    const Row &one = all[i], &two = all[rng() % all.size()];
    if (one.kind != "prove" || two.kind != "prove") continue;
    Context first, second, to;
    Question q = vary(to, first, read_question(first, one), Variation::renamed, rng, "p_");
    const Question r = vary(to, second, read_question(second, two), Variation::renamed, rng, "q_");
    q.facts.insert(q.facts.end(), r.facts.begin(), r.facts.end());
    q.claim = to.make(Op::And, {q.claim, r.claim});
    NativeProver prover;
    const Verdict got = prover.prove(facts_of(to, q), q.claim).verdict;
    ++counts.asked;
    const bool valid = one.expected == "valid" && two.expected == "valid";
    if (got == Verdict::unknown)
      weaker(counts, "joined", one, to_command(to, q));
    else
      CHECK_MESSAGE((got == Verdict::proved) == valid, one.id << "+" << two.id << to_command(to, q));
  }
  report("joined", counts, 0);
}

TEST_CASE("other constants: nothing contradicts enumeration, and little is left open") {
  Counts counts;
  for (int round = 0; round < 3; ++round)
    for (const Row& row : rows()) {
      if (row.kind == "redundant") continue;
      std::mt19937_64 rng(seed() * 104729 + static_cast<std::uint64_t>(round));
      Context from, to;
      const Question q = vary(to, from, read_question(from, row), Variation::constants, rng, "");
      std::vector<Expr> all = q.facts;
      all.push_back(q.claim);
      const std::size_t symbols = test::symbols_of_all(to, all).size();
      const std::int64_t radius = symbols <= 1 ? 200 : symbols == 2 ? 30 : symbols == 3 ? 9 : symbols == 4 ? 4 : 2;
      const test::Box box{-radius, radius};
      const Facts facts = facts_of(to, q);
      NativeProver prover;
      INFO(row.id << to_command(to, q));
      ++counts.asked;
      if (q.claim.sort() == Sort::Int && !q.right) {
        const test::BruteForce want = test::bound(to, q.facts, q.claim, box);
        const Bounds got = prover.bound(facts, q.claim);
        if (!want.least) continue;
        REQUIRE_FALSE(got.empty);
        CHECK(got.interval.contains(*want.least));
        CHECK(got.interval.contains(*want.greatest));
        CHECK(got.congruence.contains(*want.least));
        if (!got.congruence.modulus.is_zero())
          CHECK(floor_mod(want.gcd_of_differences, got.congruence.modulus).is_zero());
        if ((got.interval.lo && !got.tight_lo) || (got.interval.hi && !got.tight_hi))
          weaker(counts, "constants: ends", row, to_command(to, q));
        continue;
      }
      Expr claim = q.claim;
      if (q.right) claim = to.make(Op::Eq, {q.claim, q.right});
      if (row.kind == "sat") {
        Facts more = facts;
        more.assume(claim);
        const SatResult got = prover.satisfiable(more);
        const test::BruteForce want = test::prove(to, all, to.boolean(true), box);
        if (got.verdict == Verdict::refuted) CHECK_FALSE(want.satisfiable);
        if (got.verdict == Verdict::unknown) weaker(counts, "constants", row, to_command(to, q));
        continue;
      }
      const Proof got = prover.prove(facts, claim);
      if (got.verdict == Verdict::unknown) weaker(counts, "constants", row, to_command(to, q));
      if (got.proved()) CHECK(test::prove(to, q.facts, claim, box).holds);
      if (got.refuted()) {
        Assignment at;
        for (const auto& [s, v] : got.counterexample) at.set(s, v);
        for (const Expr f : q.facts) CHECK(evaluate(to, f, at).is_true());
        CHECK_FALSE(evaluate(to, claim, at).is_true());
      }
    }
  report("constants", counts, 3);
}
