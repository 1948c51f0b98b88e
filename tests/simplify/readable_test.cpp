// How what stays is written: extrema that are decided, remainders and minima, slots that facts say in terms of others;
// sizes of pipelines in few words.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>

#include "dimgate/simplify.hpp"
#include "support/brute_force.hpp"

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

std::vector<Texts> table(const char* name) {
  std::ifstream in(std::string(DIMGATE_SOURCE_DIR "/tests/data/simplify/") + name);
  REQUIRE(in);
  std::vector<Texts> out;
  for (std::string line; std::getline(in, line);) out.push_back(split(line, "\t"));
  return out;
}

struct Question {
  Context ctx;
  Facts facts{ctx};
  std::vector<Expr> guards;
  NativeProver prover;
  Question(const Texts& fact_texts, const Texts& guard_texts) {
    for (const std::string& t : fact_texts) facts.assume(read(t));
    for (const std::string& t : guard_texts) guards.push_back(read(t));
  }
  Expr read(const std::string& text) {
    auto e = parse(ctx, text);
    REQUIRE_MESSAGE(e.ok(), text, ": ", e.ok() ? "" : e.error().to_string());
    return *e;
  }
  std::vector<Expr> conjuncts() { return minimise(prover, facts, guards).readable; }
  std::string written() {
    std::string out;
    for (const Expr e : conjuncts()) out += (out.empty() ? "" : " and ") + to_pretty(ctx, e);
    return out.empty() ? "True" : out;
  }
};

std::string written(const Texts& facts, const Texts& guards) { return Question(facts, guards).written(); }

}  // namespace

TEST_CASE("a slot that a fact says in terms of others") {
  CHECK(written({"n == b"}, {"n*2 + b == 9"}) == "n == 3");
  CHECK(written({"b == n"}, {"n + b <= 9"}) == "n <= 4");
  CHECK(written({"n == b"}, {"n*2 + b == 10"}) == "False");
  CHECK(written({"n == 2*b + 1"}, {"n - 2*b == c"}) == "c == 1");
}

TEST_CASE("extrema, absolute values and branches that facts and guards decide") {
  CHECK(written({"x <= y"}, {"min(x, y) == z"}) == "x == z");
  CHECK(written({}, {"x <= y", "min(x, y) == z"}) == "x <= y and x == z");
  CHECK(written({"u0 >= 0", "u1 >= 0", "u0 + u1 <= 7312"}, {"Min(7312, u0 + u1) == Min(7312, u0)"}) == "u1 == 0");
  CHECK(written({"w >= 32", "h >= 1"}, {"h == (max(1, w) + 40)//48"}) == "h == (w + 40)//48");
  CHECK(written({"a <= b"}, {"abs(b - a) + c <= d"}) == "b - a + c <= d");
  CHECK(written({"a <= b"}, {"(a if a <= b else c) + c*d >= 4"}) == "a + c*d >= 4");
  CHECK(written({}, {"min(x, y) == z"}) == "min(x, y) == z");
}

TEST_CASE("remainders and minima for what the canonical form splits") {
  CHECK(written({}, {"s0 + s1 + (s1//8)*(-8) == 5"}) == "s0 + s1 % 8 == 5");
  CHECK(written({}, {"16*n*m == 32*((n*m)//2)"}) == "m*n % 2 == 0");
  CHECK(written({}, {"2*min(a, b) + 2*c == 2*d"}) == "d == c + min(a, b)");
  CHECK(written({}, {"x - max(-a, -b) == 3*y"}) == "x + min(a, b) == 3*y");
}

TEST_CASE("400 exclusions are one membership") {
  Texts guards;
  for (int k = 0; k < 400; ++k) guards.push_back("s != " + std::to_string(7 * k));
  const std::string text = written({}, guards);
  CHECK(text.starts_with("s not in {0, 7, 14, "));
  CHECK(text.find(" and ") == std::string::npos);
}

TEST_CASE("sizes of pipelines are written in few words, with their points") {
  std::size_t longest = 0;
  for (const Texts& row : table("pipelines.tsv")) {
    CAPTURE(row[1]);
    Question q(split(row[0], "; "), split(row[1], "; "));
    const std::vector<Expr> conjuncts = q.conjuncts();
    longest = std::max(longest, q.written().size());
    const std::vector<Expr> declared = test::formulas_of(q.facts);
    const std::vector<Expr> symbols = test::symbols_of_all(q.ctx, q.guards);
    const auto holds = [&](const std::vector<Expr>& es, const Assignment& at) {
      return std::all_of(es.begin(), es.end(), [&](Expr e) { return evaluate(q.ctx, e, at).is_true(); });
    };
    std::vector<Expr> all = symbols;
    for (const Expr s : test::symbols_of_all(q.ctx, declared))
      if (std::find(all.begin(), all.end(), s) == all.end()) all.push_back(s);
    test::for_each_point(q.ctx, all, {1, all.size() == 1 ? 600 : 40}, [&](const Assignment& at) {
      if (holds(declared, at)) CHECK(holds(conjuncts, at) == holds(q.guards, at));
      return true;
    });
  }
  CHECK(longest <= 160);
}

TEST_CASE("the congruence of a pipeline's size") {
  for (const Texts& row : table("pipeline_bounds.tsv")) {
    CAPTURE(row[1]);
    Question q(split(row[0], "; "), {});
    const Bounds b = q.prover.bound(q.facts, q.read(row[1]));
    CHECK(b.congruence.modulus.to_string() == row[2]);
    CHECK(b.congruence.residue.to_string() == row[3]);
  }
}
