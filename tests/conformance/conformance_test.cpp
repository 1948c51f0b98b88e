// The runner is strict: it tells weaker from contradicting, refuses bad files with their line, and the shipped facts
// hold.
#include <doctest/doctest.h>

#include <cstdio>
#include <fstream>

#include "conformance/judge.hpp"
#ifdef DIMGATE_HAS_Z3
#include "dimgate/solver.hpp"
#endif

namespace dimgate::conformance {
namespace {

// Says the same to every question.
class Parrot final : public Prover {
 public:
  Verdict verdict = Verdict::unknown;
  Bounds bounds;
  [[nodiscard]] std::string name() const override { return "parrot"; }
  Proof prove(const Facts&, Expr, const Budget&) override { return {.verdict = verdict}; }
  SatResult satisfiable(const Facts&, const Budget&) override { return {.verdict = verdict}; }
  Bounds bound(const Facts&, Expr, const Budget&) override { return bounds; }
};

Grade grade(Prover& prover, const std::string& kind, const std::string& query, const std::string& expected) {
  Row row;
  row.line = 2;
  row.assumptions = {"a >= 1"};
  row.kind = kind;
  row.query = query;
  row.expected = expected;
  const Result<Judgement> j = judge(prover, row, "test");
  REQUIRE(j.ok());
  return j->grade;
}

struct File {
  std::string path = "conformance_test.tsv";
  explicit File(const std::string& text) { std::ofstream(path) << text; }
  ~File() { std::remove(path.c_str()); }
};

TEST_CASE("opposite verdicts contradict, unknown is weaker") {
  Parrot p;
  for (const char* expected : {"valid", "not valid", "never", "sometimes"})
    CHECK(grade(p, "prove", "a >= 0", expected) == Grade::weaker);
  p.verdict = Verdict::refuted;  // refutes everything, finds nothing satisfiable
  CHECK(grade(p, "prove", "a >= 0", "valid") == Grade::contradicts);
  CHECK(grade(p, "prove", "a >= 0", "not valid") == Grade::exact);
  CHECK(grade(p, "prove", "a >= 0", "never") == Grade::exact);
  CHECK(grade(p, "prove", "a >= 0", "sometimes") == Grade::contradicts);
  CHECK(grade(p, "sat", "a >= 0", "unsat") == Grade::exact);
  CHECK(grade(p, "sat", "a >= 0", "sat") == Grade::contradicts);
  CHECK(grade(p, "equiv", "(a+1)//2 === a-a//2", "valid") == Grade::contradicts);
  p.verdict = Verdict::proved;
  CHECK(grade(p, "prove", "a >= 0", "valid") == Grade::exact);
  for (const char* expected : {"not valid", "never", "sometimes"})
    CHECK(grade(p, "prove", "a >= 0", expected) == Grade::contradicts);
}

TEST_CASE("intervals and classes that leave a value out contradict, wider ones are weaker") {
  Parrot p;
  CHECK(grade(p, "bounds", "a", "[1,inf]") == Grade::weaker);
  CHECK(grade(p, "congr", "a", "(4,3)") == Grade::weaker);
  CHECK(grade(p, "congr", "a", "(1,0)") == Grade::exact);
  p.bounds.interval = {Integer(1), Integer(9)};
  CHECK(grade(p, "bounds", "a", "[1,9]") == Grade::exact);
  CHECK(grade(p, "bounds", "a", "[2,9]") == Grade::weaker);
  CHECK(grade(p, "bounds", "a", "[0,9]") == Grade::contradicts);
  CHECK(grade(p, "bounds", "a", "[1,inf]") == Grade::contradicts);
  p.bounds.congruence = Congruence::of(4, 3);
  CHECK(grade(p, "congr", "a", "(8,3)") == Grade::weaker);
  CHECK(grade(p, "congr", "a", "(0,7)") == Grade::weaker);
  CHECK(grade(p, "congr", "a", "(2,1)") == Grade::contradicts);
  CHECK(grade(p, "congr", "a", "(0,8)") == Grade::contradicts);
  p.bounds.empty = true;
  CHECK(grade(p, "bounds", "a", "[1,9]") == Grade::contradicts);
}

TEST_CASE("too many redundant facts contradict") {
  Parrot p;
  p.verdict = Verdict::proved;
  Row row{.line = 2, .kind = "redundant", .query = "x >= 3; y >= 2; x == y", .expected = "1"};
  CHECK(judge(p, row, "test")->grade == Grade::contradicts);
  p.verdict = Verdict::unknown;
  CHECK(judge(p, row, "test")->grade == Grade::weaker);
}

TEST_CASE("bad files name their line") {
  const std::string head = "id\tsource\tassumptions\tkind\tquery\texpected\n";
  const auto message = [&](const std::string& text) {
    const File file(text);
    const auto rows = read_rows(file.path);
    return rows.ok() ? std::string("fine") : rows.error().to_string();
  };
  CHECK(message(head + "A1\tme\t\tprove\tx >= 0\tvalid\n") == "fine");
  CHECK(message(head + "A1\tme\t\tguess\tx >= 0\tvalid\n").find("conformance_test.tsv:2: unknown kind `guess`") == 0);
  CHECK(message(head + "\nA1\tme\n").find("conformance_test.tsv:3: only 2 cells") == 0);
  CHECK(message("A1\tme\t\tprove\tx\tvalid\n").find("conformance_test.tsv:1: the first row must name") == 0);
  CHECK(message(head).find("no facts") != std::string::npos);
  CHECK(read_rows("no such file").error().to_string().find("cannot open") != std::string::npos);

  Parrot p;
  const auto row_error = [&](const Row& row) { return judge(p, row, "f.tsv").error().to_string(); };
  CHECK(row_error({.line = 7, .kind = "prove", .query = "x >=", .expected = "valid"}).find("f.tsv:7: `x >=`") == 0);
  CHECK(row_error({.line = 7, .kind = "prove", .query = "x >= 0", .expected = "maybe"})
            .find("f.tsv:7: expected is `maybe`") == 0);
  CHECK(row_error({.line = 7, .kind = "bounds", .query = "x", .expected = "[1;2]"}).find("f.tsv:7: expected is") == 0);
  CHECK(row_error({.line = 7, .kind = "prove", .query = "x + 1", .expected = "valid"}).find("is not a formula") !=
        std::string::npos);
}

// What the file promises of dimgate itself.
struct Tally {
  int exact = 0;
  int contradicts = 0;
};

Tally tally(Prover& prover) {
  const std::string path = DIMGATE_SOURCE_DIR "/tests/data/conformance/peer_facts.tsv";
  const auto rows = read_rows(path);
  REQUIRE(rows.ok());
  REQUIRE(rows->size() == 315);
  Tally out;
  for (const Row& row : *rows) {
    const auto j = judge(prover, row, path);
    REQUIRE(j.ok());
    CAPTURE(row.id);
    CHECK(j->grade != Grade::contradicts);
    out.exact += j->grade == Grade::exact;
  }
  return out;
}

TEST_CASE("the shipped facts, natively") {
  NativeProver native;
  CHECK(tally(native).exact >= 250);
}

#ifdef DIMGATE_HAS_Z3
TEST_CASE("the shipped facts, with Z3") {
  NativeProver native;
  const auto z3 = make_z3_prover();
  ChainProver both({&native, z3.get()});
  CHECK(tally(both).exact >= 250);
}
#endif

}  // namespace
}  // namespace dimgate::conformance
