// The demo's scenes say what the library does. With DIMGATE_REPORT_DEMO=FILE the page is written there, for the browser
// test.
#include "report/demo.hpp"

#include <cstdlib>
#include <fstream>

#include "cli/fixture.hpp"

using namespace dimgate;
using namespace dimgate::report;
using cli::has;

TEST_CASE("demo: tracing records exactly the branches, and simplification keeps what they mean") {
  NativeProver prover;
  FormulaTable formulas;
  const Json scene = tracing_scene(prover, formulas);
  REQUIRE(scene["ok"] == true);
  std::vector<std::string> notes;
  std::size_t recorded = 0;
  for (const Json& step : scene["steps"]) {
    recorded += step["recorded"].size();
    CHECK((step["recorded"].empty() == !has(step["note"], "recorded as a guard")));
  }
  CHECK(recorded == 2);  // n % 8 != 0, and the bound on the blocks; the rest is known from them
  CHECK(scene["steps"][3]["value"] == "True");
  CHECK(has(scene["steps"][3]["note"], "settled"));
  CHECK(has(scene["steps"][6]["note"], "known"));
  std::vector<std::string> after;
  for (const Json& f : scene["after"]) after.push_back(formulas.json()[f.get<std::size_t>()]["text"]);
  CHECK(after == std::vector<std::string>{"n <= 4095", "n % 8 != 0"});
}

TEST_CASE("demo: checks stop at the first guard that is not true") {
  FormulaTable formulas;
  const Json scene = checking_scene(formulas);
  REQUIRE(scene["checks"].size() == 4);
  const std::vector<std::string> verdicts{"hit", "recompile", "recompile", "recompile"};
  for (std::size_t i = 0; i < 4; ++i) {
    const Json& check = scene["checks"][i];
    CHECK(check["verdict"] == verdicts[i]);
    CHECK(check["steps"].size() == scene["guards"].size());
    std::size_t fails = 0;
    std::string last;
    for (const Json& step : check["steps"]) {
      const std::string state = step["state"];
      if (state == "fails") {
        ++fails;
        CHECK(!step["failure"].get<std::string>().empty());
      }
      if (last == "fails" || last == "not read") CHECK(state == "not read");
      last = state;
    }
    CHECK(fails == (i == 0 ? 0 : 1));
  }
  CHECK(has(scene["checks"][1].dump(), "(2, 3)"));
  CHECK(has(scene["checks"][1].dump(), "(2, 4)"));
}

TEST_CASE("demo: six calls, static and with a symbol") {
  FormulaTable formulas;
  const Json scene = stream_scene(formulas);
  const auto outcomes = [&](std::size_t run) {
    std::vector<std::string> out;
    for (const Json& call : scene["runs"][run]["calls"]) out.push_back(call["outcome"]);
    return out;
  };
  CHECK(outcomes(0) == std::vector<std::string>{"first compile", "hit", "recompile", "hit", "recompile", "hit"});
  CHECK(outcomes(1) == std::vector<std::string>{"first compile", "hit", "hit", "hit", "recompile", "hit"});
  CHECK(scene["runs"][0]["calls"][5]["entries"].size() == 3);
  CHECK(scene["runs"][1]["calls"][5]["entries"].size() == 2);
  CHECK(scene["runs"][0]["counts"] == "3 compiles (2 recompiles), 3 hits, hit rate 50.00%");
}

TEST_CASE("demo: each guard of the four families holds, and catches its change") {
  FormulaTable formulas;
  const Json scene = families_scene(formulas);
  std::map<std::string, int> families;
  for (const Json& row : scene["rows"]) {
    ++families[row["family"]];
    CHECK_MESSAGE(row["holds"] == true, row.dump());
    CHECK_MESSAGE(!row["catches"].get<std::string>().empty(), row.dump());
  }
  CHECK(families.size() == 4);
}

TEST_CASE("demo: the loop's curves end where the counts do") {
  const Json scene = training_scene();
  const Json& rows = scene["charts"][0]["table"]["rows"];
  REQUIRE(rows.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    const Json& made = scene["charts"][1]["series"][i]["points"];
    CHECK(made.size() == rows[i][1].get<std::size_t>());
    CHECK(made.back()[1] == rows[i][4]);
    CHECK(rows[i][2].get<int>() + rows[i][3].get<int>() + rows[i][5].get<int>() == rows[i][1].get<int>());
  }
  CHECK(rows[2][4].get<int>() < rows[0][4].get<int>());  // a symbol recompiles less often
  CHECK(rows[1][5].get<int>() > 0);                      // a limit runs eagerly
}

TEST_CASE("demo: the page") {
  NativeProver prover;
  const std::string page = demo_html(prover);
  CHECK(page.size() < 600'000);
  CHECK(page == demo_html(prover));
  if (const char* path = std::getenv("DIMGATE_REPORT_DEMO")) std::ofstream(path) << page;
}
