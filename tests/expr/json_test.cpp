// JSON and back to the same node; what the reader refuses.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "dimgate/expr.hpp"
#include "expr/random_expr.hpp"

using namespace dimgate;

namespace {

std::string error_of(std::string_view text) {
  Context ctx;
  const auto e = from_json(ctx, text);
  return e.ok() ? "no error" : e.error().to_string();
}

}  // namespace

TEST_CASE("the schema") {
  Context ctx;
  const auto json = [&](std::string_view text) {
    const auto e = parse(ctx, text);
    REQUIRE(e.ok());
    return to_json(ctx, *e);
  };
  CHECK(json("a + 3") ==
        R"({"op": "Add", "args": [{"op": "Symbol", "name": "a", "sort": "Int"}, {"op": "Int", "value": 3}]})");
  CHECK(json("9007199254740993") == R"({"op": "Int", "value": "9007199254740993"})");
  CHECK(json("True") == R"({"op": "Bool", "value": true})");
  CHECK(json("1.5") == R"({"op": "Float", "bits": "0x3ff8000000000000"})");
  CHECK(json("'it\\'s\\n'") == R"({"op": "Enum", "name": "it's\u000a"})");
  CHECK(json("And()") == R"({"op": "And", "args": []})");
}

TEST_CASE("random trees come back as the same node, and any JSON reader accepts them") {
  Context ctx;
  test::RandomExpr random(ctx, 17);
  for (int i = 0; i < 5000; ++i) {
    const Expr e = random.make(static_cast<Sort>(random.below(4)), 1 + static_cast<unsigned>(random.below(40)));
    const std::string text = to_json(ctx, e);
    REQUIRE(nlohmann::json::accept(text));
    const auto back = from_json(ctx, text);
    REQUIRE_MESSAGE(back.ok(), text << "\n" << (back.ok() ? "" : back.error().to_string()));
    REQUIRE_MESSAGE(*back == e, text);
  }
}

TEST_CASE("10^5 nested") {
  Context ctx;
  Expr e = ctx.symbol("a");
  for (int i = 0; i < 100000; ++i) e = ctx.make(Op::Neg, {e});
  const auto back = from_json(ctx, to_json(ctx, e));
  REQUIRE(back.ok());
  CHECK(*back == e);
}

TEST_CASE("what is refused") {
  CHECK(error_of("").find("parse error") != std::string::npos);
  CHECK(error_of("[]") == "expected an object {\"op\": ...}, found an array");
  CHECK(error_of("3") == "expected an object {\"op\": ...}, found 3");
  CHECK(error_of("{}") == "expected \"op\" in the object");
  CHECK(error_of(R"({"op": "Nope", "args": []})") == "unknown operator \"Nope\"");
  CHECK(error_of(R"({"op": "a\nb"})") == "unknown operator \"a?b\"");
  CHECK(error_of("{\"op\": \"" + std::string(5000, 'x') + "\"}").size() < 400);
  CHECK(error_of(R"({"op": "Int", "value": 1.5})") == "unexpected 1.5 for \"value\"");
  CHECK(error_of(R"({"op": "Int"})") == "Int needs \"value\": an integer, or its digits in a string");
  CHECK(error_of(R"({"op": "Add", "args": [{"op": "Int", "value": 1}]})") == "Add takes at least 2 operands, not 1");
  CHECK(error_of(R"({"op": "Add", "args": [1, 2]})") == "expected an object {\"op\": ...} in \"args\", found 1");
  CHECK(error_of(R"({"op": "Symbol", "name": "a", "sort": "Real"})") ==
        "unknown sort \"Real\": expected Int, Bool, Float or Enum");
  CHECK(error_of(R"({"op": "And", "args": [], "extra": 1})") ==
        "unknown key \"extra\": expected op, args, value, bits, name or sort");
  CHECK(error_of(R"({"op": "Not", "args": [{"op": "Int", "value": 1}]})") == "Not: operand 1 must be Bool, not Int");
  CHECK(error_of(R"({"op": "And", "args": []} {})").find("parse error") != std::string::npos);
  CHECK(error_of(R"({"op": "And", "args": [)").find("parse error") != std::string::npos);
  CHECK(error_of(R"({"args": {"op": "And", "args": []}, "op": "Not"})") ==
        "unexpected object: operands belong in \"args\"");
}
