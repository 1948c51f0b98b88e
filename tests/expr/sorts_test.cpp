// A symbol's sort comes from its uses, in the whole text or list.
#include <doctest/doctest.h>

#include <array>

#include "dimgate/expr.hpp"

using namespace dimgate;

namespace {

Sort sort_of(std::string_view symbol, std::string_view text, std::optional<Sort> whole = {}) {
  Context ctx;
  ParseOptions options;
  options.sort = whole;
  const auto e = parse(ctx, text, options);
  REQUIRE_MESSAGE(e.ok(), text);
  REQUIRE(ctx.find_symbol(symbol));
  return ctx.find_symbol(symbol).sort();
}

}  // namespace

TEST_CASE("evidence") {
  CHECK(sort_of("a", "a + 1") == Sort::Int);
  CHECK(sort_of("a", "a < b") == Sort::Int);
  CHECK(sort_of("a", "not a") == Sort::Bool);
  CHECK(sort_of("a", "a == True") == Sort::Bool);
  CHECK(sort_of("a", "a == 1.5") == Sort::Float);
  CHECK(sort_of("a", "isnan(a)") == Sort::Float);
  CHECK(sort_of("a", "a == torch.float32") == Sort::Enum);
  CHECK(sort_of("a", "'cuda:0' != a") == Sort::Enum);
  CHECK(sort_of("a", "a is None") == Sort::Enum);
  CHECK(sort_of("a", "a in {'x', b}") == Sort::Enum);
  CHECK(sort_of("b", "a in {'x', b}") == Sort::Enum);
  CHECK(sort_of("a", "1 if a else 2") == Sort::Bool);
}

TEST_CASE("evidence travels through == and choices, in either direction") {
  CHECK(sort_of("a", "a == b and b == c and c == 1.5") == Sort::Float);
  CHECK(sort_of("a", "c == 1.5 and b == c and a == b") == Sort::Float);
  CHECK(sort_of("a", "(a if p else b) == 'x'") == Sort::Enum);
  CHECK(sort_of("b", "distinct(a, b, True)") == Sort::Bool);
}

TEST_CASE("no evidence: Int; `is`: Enum; the whole: what was asked for") {
  CHECK(sort_of("a", "a == b") == Sort::Int);
  CHECK(sort_of("a", "a") == Sort::Int);
  CHECK(sort_of("a", "a", Sort::Bool) == Sort::Bool);
  CHECK(sort_of("a", "a if p else b", Sort::Bool) == Sort::Bool);
  CHECK(sort_of("a", "a is b") == Sort::Enum);
  CHECK(sort_of("a", "a is not b") == Sort::Enum);
  CHECK(sort_of("a", "a is b and b == 1") == Sort::Int);
}

TEST_CASE("what the Context knows counts") {
  Context ctx;
  ctx.symbol("p", Sort::Bool);
  REQUIRE(parse(ctx, "p == q").ok());
  CHECK(ctx.find_symbol("q").sort() == Sort::Bool);
}

TEST_CASE("texts read together share their symbols") {
  Context ctx;
  const std::array<FormulaText, 2> texts{{{"a == b", {}}, {"b == 1.5", {}}}};
  const auto both = parse_together(ctx, texts);
  REQUIRE(both.ok());
  CHECK(both->size() == 2);
  CHECK(ctx.find_symbol("a").sort() == Sort::Float);

  Context other;
  ParseOptions first, second;
  first.file = "facts";
  second.file = "claim";
  const std::array<FormulaText, 2> clash{{{"a < 2", first}, {"a == 1.5", second}}};
  const auto wrong = parse_together(other, clash);
  REQUIRE_FALSE(wrong.ok());
  CHECK(wrong.error().to_string() == "claim:1:1: 'a' is a Float here ('==' '1.5') but an Int at facts:1:3 ('<')");
}
