// C text, compiled and run: the reference evaluator's answer, or overflow where a value needs more than 64 bits.
#include <doctest/doctest.h>

#include <set>

#include "dimgate/expr.hpp"
#include "expr/random_expr.hpp"
#include "expr/reference.hpp"
#include "expr/run_tool.hpp"

using namespace dimgate;

namespace {

std::string c_value(Context& ctx, const Value& v) {
  switch (v.kind) {
    case Value::Kind::floating:
      return "UINT64_C(" + std::to_string(v.bits) + ")";
    case Value::Kind::enumeration:
      return std::to_string(ctx.enumeration(v.name).index());
    case Value::Kind::boolean:
      return v.is_true() ? "1" : "0";
    default:
      return v.to_string();
  }
}

// True if a subterm is so large that some order of computing it may leave 64 bits.
bool may_overflow(const Context& ctx, Expr e, const Assignment& at) {
  std::vector<Expr> all{e};
  std::set<const detail::Node*> seen{e.node()};
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t k = 0; k < all[i].size(); ++k)
      if (const Expr child = all[i][k]; seen.insert(child.node()).second) all.push_back(child);
  for (const Value& v : ReferenceEvaluator(ctx, all).all(at))
    if (v.kind == Value::Kind::integer && v.integer.bit_length() > 55) return true;
  return false;
}

}  // namespace

TEST_CASE("identifiers are one to one") {
  CHECK(c_identifier("s0") == "s0");
  CHECK(c_identifier("L['x'].size()[0]") == "dgv_L_5b_27x_27_5d_2esize_28_29_5b0_5d");
  CHECK(c_identifier("int") == "dgv_int");
  CHECK(c_identifier("dgv_int") == "dgv_dgv_5fint");
  CHECK(c_identifier("a_b") == "a_b");
  CHECK(c_identifier("") == "dgv_");
}

TEST_CASE("random formulas, compiled and run") {
  Context ctx;
  test::RandomExpr random(ctx, 4242);
  std::string source(c_prelude());
  source +=
      "#include <stdio.h>\nstatic int failures, overflows;\n"
      "static void check(int i, int got, int want, int may_overflow) {\n"
      "  if (got == DG_OVERFLOW && may_overflow) { ++overflows; return; }\n"
      "  if (got != want && ++failures <= 5) printf(\"%d: got %d, want %d\\n\", i, got, want);\n}\n";
  for (const Sort s : {Sort::Int, Sort::Bool, Sort::Float, Sort::Enum})
    for (const Expr symbol : random.symbols(s))
      source += std::string(s == Sort::Float  ? "static uint64_t "
                            : s == Sort::Bool ? "static int "
                                              : "static int64_t ") +
                c_identifier(ctx.symbol_name(symbol)) + ";\n";
  std::string calls;
  int undefined = 0, overflows = 0;
  constexpr int kFormulas = 400;
  for (int i = 0; i < kFormulas; ++i) {
    const Expr e = random.make(Sort::Bool, 2 + static_cast<unsigned>(random.below(25)));
    source += "static int f" + std::to_string(i) + "(void) { return " + to_c(ctx, e) + "; }\n";
    for (int k = 0; k < 5; ++k) {
      const Assignment at = random.point(false);
      const Value v = evaluate(ctx, e, at);
      undefined += v.is_undefined() ? 1 : 0;
      for (const Sort s : {Sort::Int, Sort::Bool, Sort::Float, Sort::Enum})
        for (const Expr symbol : random.symbols(s))
          calls += "  " + c_identifier(ctx.symbol_name(symbol)) + " = " + c_value(ctx, at.get(symbol)) + ";\n";
      const bool large = may_overflow(ctx, e, at);
      overflows += large ? 1 : 0;
      calls += "  check(" + std::to_string(i) + ", f" + std::to_string(i) + "(), " +
               (v.is_undefined() ? "DG_UNDEFINED"
                : v.is_true()    ? "1"
                                 : "0") +
               (large ? ", 1);\n" : ", 0);\n");
    }
  }
  CHECK(undefined > 100);
  CHECK(overflows < kFormulas * 5 / 3);  // most answers are compared
  source += "int main(void) {\n" + calls + "  printf(\"failures %d\\n\", failures);\n  return 0;\n}\n";
  const test::Scratch scratch;
  const std::string file = scratch.write("check.c", source);
  const test::Ran compiled =
      test::run("cc -std=c11 -Wall -Wextra -Werror -Wno-unused-function -O0 -o " + (scratch / "check") + " " + file);
  REQUIRE_MESSAGE(compiled.status == 0, compiled.output.substr(0, 2000));
  const test::Ran ran = test::run(scratch / "check");
  CHECK_MESSAGE(ran.output == "failures 0\n", ran.output);
}
