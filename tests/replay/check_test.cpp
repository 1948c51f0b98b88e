#include <doctest/doctest.h>

#include <random>

#include "dimgate/replay.hpp"

using namespace dimgate;

namespace {

Result<CheckReport> check(const char* guards, std::string csv) {
  Context ctx;
  ParseOptions options;
  options.sort = Sort::Bool;
  const auto formulas = parse_list(ctx, guards, options).value();
  return check_inputs(ctx, formulas, read_csv(std::move(csv), "in.csv").value());
}

}  // namespace

TEST_CASE("every input: holds, or all failing guards with what was seen") {
  const auto report = check("s0 % 8 == 0\ns1 == 2*s0\n12 // s0 > 0", "s0,s1\n8,16\n9,16\n0,0\n");
  REQUIRE(report.ok());
  CHECK(report->holding == 1);
  CHECK(report->inputs[0].failing.empty());
  REQUIRE(report->inputs[1].failing.size() == 2);
  CHECK(report->inputs[1].failing[1].guard == 1);
  CHECK(report->inputs[1].failing[1].values ==
        std::vector<std::pair<std::string, std::string>>{{"s1", "16"}, {"s0", "9"}});
  REQUIRE(report->inputs[2].failing.size() == 1);
  CHECK(report->inputs[2].failing[0].undefined);
  CHECK(report->inputs[2].line == 4);
}

TEST_CASE("missing values fail closed, numbers of any size are exact, other sorts are read") {
  const auto report = check("n > 0 or n <= 0", "n,m\n1,1\n,1\n99999999999999999999999,1\n");
  REQUIRE(report.ok());
  CHECK(report->holding == 2);
  CHECK(report->inputs[1].failing[0].values[0].second == "missing");
  CHECK(check("dtype == torch.float32 and flag and not isnan(eps)",
              "dtype,flag,eps\ntorch.float32,true,1e-5\ntorch.float16,1,0\n")
            ->holding == 1);
  CHECK(check("L['x'].size()[0] >= 2", "L['x'].size()[0]\n3\n")->holding == 1);
}

TEST_CASE("errors list the columns or name the cell") {
  CHECK(check("s9 == 1", "s0,s1\n1,2\n").error().to_string() ==
        "in.csv: no column 's9', which a guard reads; the columns are s0, s1");
  CHECK(check("s0 == 1", "s0\n1\ntwo\n").error().to_string() == "in.csv:3:1: 'two' in column 's0' is no integer");
}

TEST_CASE("agrees with the reference evaluator on random inputs") {
  Context ctx;
  ParseOptions options;
  options.sort = Sort::Bool;
  const auto guards = parse_list(ctx, "a % b != 1\na*b < 40\nmax(a, b) // 3 >= 1 or a == b\n", options).value();
  std::mt19937 rng(3);
  std::string csv = "a,b\n";
  std::vector<std::pair<int, int>> rows;
  for (int i = 0; i < 500; ++i) {
    rows.emplace_back(static_cast<int>(rng() % 21) - 10, static_cast<int>(rng() % 21) - 10);
    csv += std::to_string(rows.back().first) + "," + std::to_string(rows.back().second) + "\n";
  }
  const auto report = check_inputs(ctx, guards, read_csv(csv, "r").value());
  REQUIRE(report.ok());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Assignment at;
    at.set(ctx.find_symbol("a"), Value::of(rows[i].first));
    at.set(ctx.find_symbol("b"), Value::of(rows[i].second));
    std::vector<std::size_t> want, got;
    for (std::size_t g = 0; g < guards.size(); ++g)
      if (!evaluate(ctx, guards[g], at).is_true()) want.push_back(g);
    for (const auto& f : report->inputs[i].failing) got.push_back(f.guard);
    CHECK(want == got);
  }
}

TEST_CASE("many rows at once, with holes, values beyond int64 and zero divisors: as row by row") {
  const char* guards = "s0 % 8 == 0\ns1 >= s0 // s2\ns0*s1 < 4000\nnot (s2 == 5 and s1 > 3)";
  std::mt19937_64 rng(3);
  std::vector<std::string> rows;
  for (int k = 0; k < 1500; ++k) {
    const std::string s0 = rng() % 40 == 0 ? "9223372036854775808" : std::to_string(8 * (rng() % 60) + rng() % 20 / 19);
    const std::string s1 = rng() % 40 == 0 ? "" : std::to_string(rng() % 80);
    rows.push_back(s0 + "," + s1 + "," + std::to_string(rng() % 6) + "\n");
  }
  std::string all = "s0,s1,s2\n";
  for (const std::string& row : rows) all += row;
  const auto together = check(guards, all);
  REQUIRE(together.ok());
  REQUIRE(together->inputs.size() == rows.size());
  std::size_t holding = 0;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const auto alone = check(guards, "s0,s1,s2\n" + rows[k]);
    REQUIRE(alone.ok());
    holding += alone->holding;
    const auto &a = alone->inputs[0].failing, &b = together->inputs[k].failing;
    REQUIRE(a.size() == b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      CHECK(a[i].guard == b[i].guard);
      CHECK(a[i].undefined == b[i].undefined);
      CHECK(a[i].values == b[i].values);
    }
    CHECK(together->inputs[k].line == k + 2);
  }
  CHECK(together->holding == holding);
  CHECK(holding > 100);
  CHECK(holding + 100 < rows.size());
}
