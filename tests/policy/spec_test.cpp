#include <doctest/doctest.h>

#include "policy/toy_model.hpp"

using namespace dimgate;
using namespace dimgate::testing;

TEST_CASE("policies as text") {
  using Kind = PolicySpec::Kind;
  const auto all = parse_policies(
      "eager, static,pow2(L),bucket(H,W):32,pad_to:128,whitelist,auto_dynamic,auto_dynamic:3,"
      "auto_dynamic:inf,symbolic,symbolic+merge");
  REQUIRE(all.ok());
  REQUIRE(all->size() == 11);
  CHECK((*all)[1].kind == Kind::exact);
  CHECK((*all)[2].dims == std::vector<std::string>{"L"});
  CHECK((*all)[3].dims == std::vector<std::string>{"H", "W"});
  CHECK((*all)[3].number == 32);
  CHECK((*all)[3].text == "bucket(H,W):32");
  CHECK((*all)[5].kind == Kind::whitelist);
  CHECK((*all)[6].number == 8);
  CHECK((*all)[7].number == 3);
  CHECK((*all)[8].number == 0);
  CHECK(!(*all)[9].merge);
  CHECK((*all)[10].merge);
  CHECK(parse_policies(default_policies()).ok());
}

TEST_CASE("policies that are none say which there are") {
  for (const char* bad : {"",
                          "fast",
                          "static:3",
                          "bucket",
                          "bucket:",
                          "bucket:0",
                          "bucket:-4",
                          "bucket:x",
                          "pad_to",
                          "eager(L)",
                          "pow2(",
                          "pow2()",
                          "pow2:4",
                          "auto_dynamic:0",
                          "auto_dynamic:two",
                          "symbolic+",
                          "static,static",
                          "static,,pow2",
                          "bucket:99999999999999999999",
                          "pow2)L("})
    CHECK_MESSAGE(!parse_policies(bad).ok(), bad);
  CHECK(parse_policies("fast").error().to_string().find("eager, static, pow2, bucket:N") != std::string::npos);
  NativeProver prover;
  const ToyModel model({"B", "L"});
  Subject subject{&model, {true, true}, {}, &prover};
  CHECK(make_policy(*parse_policy("pow2(K)"), subject).error().to_string() ==
        "--policies: pow2(K): no dim 'K'; the dims of toy are B, L");
}

TEST_CASE("costs") {
  const auto c = parse_costs("C=2.5,R=4ms,E=20ms,static.R=3ms,bucket:64.C=1e-1");
  REQUIRE(c.ok());
  CHECK(*c->compile_for("pow2") == doctest::Approx(2.5));
  CHECK(*c->run_for("pow2") == doctest::Approx(0.004));
  CHECK(*c->run_for("static") == doctest::Approx(0.003));
  CHECK(*c->compile_for("bucket:64") == doctest::Approx(0.1));
  CHECK(!parse_costs("C=1")->run_for("static"));
  for (const char* bad : {"", "C", "C=", "C=x", "C=-1", "D=1", "static.E=1", "C=1,", "C=1h", "C=nan", "C=inf"})
    CHECK_MESSAGE(!parse_costs(bad).ok(), bad);
}

TEST_CASE("facts: read together, over the dims only, and never against each other") {
  NativeProver prover;
  const ToyModel model({"B", "L"});
  const auto facts = [&](std::vector<std::string> texts) {
    Subject subject{&model, {true, true}, std::move(texts), &prover};
    return compile_facts(subject);
  };
  CHECK(facts({}).ok());
  const auto program = facts({"L % 8 == 0", "B <= 4"});
  REQUIRE(program.ok());
  const std::int64_t good[] = {4, 16}, bad[] = {4, 17};
  const std::uint64_t all = 3;
  CHECK(program->check({good, &all, 2}) == kPass);
  CHECK(program->check({bad, &all, 2}) != kPass);
  CHECK(facts({"N >= 2"}).error().to_string() == "--assume N >= 2: no dim 'N'; the dims of toy are B, L");
  CHECK(!facts({"L >"}).ok());
  CHECK(!facts({"L + 1"}).ok());
  CHECK(facts({"L"}).error().to_string().find("contradict") == std::string::npos);  // a size is no truth value
  const std::string core = facts({"B >= 1", "L >= 10", "L <= 5"}).error().to_string();
  CHECK(core.find("contradict each other") != std::string::npos);
  CHECK(core.find("L >= 10") != std::string::npos);
  CHECK(core.find("B >= 1") == std::string::npos);
  CHECK(!facts({"L <= -1"}).ok());  // a size
}
