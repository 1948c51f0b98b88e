// prove, equal, bound, sat: verdicts, exit codes, JSON, and errors with their place.
#include "cli/fixture.hpp"

namespace dimgate::cli {
namespace {

using nlohmann::json;

TEST_CASE("prove") {
  CHECK(dimgate_run({"prove", "-a", "x >= 2", "-a", "y >= x", "y >= 1"}).exit == kFine);
  const Ran no = dimgate_run({"prove", "-a", "x >= 2", "x >= 5"});
  CHECK(no.exit == kNo);
  CHECK(no.out.rfind("refuted: x = ", 0) == 0);
  CHECK(dimgate_run({"prove", "--no-z3", "x**3 + y**3 + z**3 != 33"}).exit == kUnknown);
}

TEST_CASE("prove says what is missing") {
  const Ran r = dimgate_run({"prove", "12*b % 48 == 0"});
  CHECK(r.exit == kNo);
  CHECK(r.talk == "`b % 4 == 0` would prove it\n");
  CHECK(json::parse(dimgate_run({"prove", "--json", "12*b % 48 == 0"}).out)["would_prove"] == "b % 4 == 0");
}

TEST_CASE("prove --json") {
  const Ran yes = dimgate_run({"prove", "--json", "-a", "x >= 2", "-a", "z == 1", "x >= 1"});
  const json j = json::parse(yes.out);
  CHECK(j["verdict"] == "proved");
  CHECK(j["used"] == json::array({"x >= 2"}));
  const json n = json::parse(dimgate_run({"prove", "--json", "x == 3"}).out);
  CHECK(n["verdict"] == "refuted");
  CHECK(n["counterexample"]["x"] != 3);
  CHECK(json::parse(dimgate_run({"prove", "--json", "--no-z3", "x**3 + y**3 + z**3 != 33"}).out).contains("reason"));
}

TEST_CASE("equal") {
  CHECK(dimgate_run({"equal", "x//2//3", "x//6"}).exit == kFine);
  CHECK(dimgate_run({"equal", "(x//-2)//-3", "x//6"}).exit == kNo);
  const Ran mixed = dimgate_run({"equal", "x + 1", "x >= 1"});
  CHECK(mixed.exit == kBadInput);
  CHECK(has(mixed.talk, "one sort"));
}

TEST_CASE("bound") {
  const Ran r = dimgate_run({"bound", "-a", "a >= 1", "-a", "a % 4 == 3", "a"});
  CHECK(r.exit == kFine);
  CHECK(r.out.rfind("[3,inf] (4,3)", 0) == 0);
  const json j = json::parse(dimgate_run({"bound", "--json", "-a", "a >= 1", "a"}).out);
  CHECK(j["lo"] == 1);
  CHECK(j["hi"].is_null());
  const json big = json::parse(dimgate_run({"bound", "--json", "-a", "a == 2**70", "a"}).out);
  CHECK(big["lo"] == "1180591620717411303424");
  CHECK(dimgate_run({"bound", "a > 1"}).exit == kBadInput);
}

TEST_CASE("sat") {
  CHECK(dimgate_run({"sat", "x >= 1", "x <= 3"}).exit == kFine);
  const Ran none = dimgate_run({"sat", "--json", "-a", "x >= 1", "y == 2", "x <= 0"});
  CHECK(none.exit == kNo);
  CHECK(json::parse(none.out)["core"] == json::array({"x >= 1", "x <= 0"}));
  CHECK(dimgate_run({"sat"}).exit == kFine);
}

TEST_CASE("bad formulas and contradictory facts are one line with place and remedy") {
  const Ran bad = dimgate_run({"prove", "-a", "x >= 0", "-a", "x + ", "x >= 1"});
  CHECK(bad.exit == kBadInput);
  CHECK(has(bad.talk, "FACT 2:1:"));
  CHECK(is_one_line(bad.talk));
  CHECK(bad.out.empty());
  const Ran sorts = dimgate_run({"prove", "-a", "d == torch.float32", "d >= 1"});
  CHECK(sorts.exit == kBadInput);
  CHECK(has(sorts.talk, "CLAIM:1:"));
  const Ran contradiction = dimgate_run({"prove", "-a", "x >= 3", "-a", "y == 1", "-a", "x <= 2", "y >= 0"});
  CHECK(contradiction.exit == kBadInput);
  CHECK(has(contradiction.talk, "contradictory facts: `x >= 3`, `x <= 2`"));
  CHECK(is_one_line(contradiction.talk));
  CHECK(dimgate_run({"prove", "x + 1"}).exit == kBadInput);
}

}  // namespace
}  // namespace dimgate::cli
