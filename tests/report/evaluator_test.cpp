// Formulas as the page evaluates them. With DIMGATE_REPORT_CASES=FILE the cases are written there, for the browser test
// to ask page/evaluate.js; what stands in them is what the reference evaluator says.
#include <cstdlib>
#include <fstream>

#include "cli/fixture.hpp"
#include "expr/random_expr.hpp"
#include "report/regions.hpp"

using namespace dimgate;
using report::Json;

namespace {

bool has_float(const Context& ctx, Expr e) { return to_json(ctx, e).find("Float") != std::string::npos; }

Json value_json(const Value& v) {
  if (v.is_undefined()) return nullptr;
  return v.is_true();
}

}  // namespace

TEST_CASE("compact formulas: what is left out") {
  Context ctx;
  const auto small = report::compact(ctx, *parse(ctx, "L % 8 == 0 and d == torch.float32"));
  REQUIRE(small);
  CHECK(small->dump() == R"(["And",["Eq",["Mod",["$","L"],8],0],["Eq",["$","d"],["@","torch.float32"]]])");
  CHECK(report::compact(ctx, *parse(ctx, "x < 36893488147419103232"))->dump() ==
        R"(["Lt",["$","x"],["#","36893488147419103232"]])");
  CHECK(!report::compact(ctx, *parse(ctx, "isnan(f)")));
  Expr deep = ctx.symbol("L");
  for (int i = 0; i < 100'000; ++i) deep = ctx.make(Op::Neg, {ctx.make(Op::Abs, {deep})});
  CHECK(!report::compact(ctx, ctx.make(Op::Lt, {deep, ctx.integer(0)})));
}

TEST_CASE("evaluator cases") {
  Context ctx;
  test::RandomExpr random(ctx, 11);
  Json cases = Json::array();
  std::size_t undefined = 0;
  std::size_t yes = 0;
  for (int i = 0; i < 3000; ++i) {
    const Expr e = random.make(Sort::Bool, 12);
    if (has_float(ctx, e)) continue;
    const auto compact = report::compact(ctx, e);
    REQUIRE(compact);
    for (int k = 0; k < 3; ++k) {
      Assignment at;
      Json values = Json::object();
      for (const Expr s : symbols_of(ctx, e)) {
        if (random.below(8) == 0) continue;  // no value: undefined
        if (s.sort() == Sort::Int) {
          const auto v = static_cast<std::int64_t>(random.below(13)) - 4;
          at.set(s, Value::of(v));
          values[ctx.symbol_name(s)] = v;
        } else if (s.sort() == Sort::Bool) {
          const bool v = random.below(2) == 0;
          at.set(s, Value::of(v));
          values[ctx.symbol_name(s)] = v;
        } else if (s.sort() == Sort::Enum) {
          at.set(s, Value::of_enum("cuda:0"));
          values[ctx.symbol_name(s)] = "cuda:0";
        }
      }
      const Value v = evaluate(ctx, e, at);
      undefined += v.is_undefined() ? 1 : 0;
      yes += v.is_true() ? 1 : 0;
      cases.push_back({{"text", to_text(ctx, e)}, {"f", *compact}, {"at", values}, {"expected", value_json(v)}});
    }
  }
  CHECK(cases.size() > 2000);
  CHECK(undefined > 100);
  CHECK(yes > 100);
  if (const char* path = std::getenv("DIMGATE_REPORT_CASES")) std::ofstream(path) << cases.dump();
}
