// 10^5 nested brackets, negations, terms and choices: no call stack, near-linear time.
#include <doctest/doctest.h>

#include <chrono>

#include "dimgate/expr.hpp"

using namespace dimgate;

namespace {

std::string repeat(std::string_view s, std::size_t n) {
  std::string out;
  for (std::size_t i = 0; i < n; ++i) out += s;
  return out;
}

// Reads, prints, reads again, evaluates at a = 1, p = true; returns the value.
std::string through(const std::string& text) {
  Context ctx;
  ctx.symbol("p", Sort::Bool);
  const auto e = parse(ctx, text);
  REQUIRE_MESSAGE(e.ok(), (e.ok() ? std::string() : e.error().to_string()));
  const auto back = parse(ctx, to_text(ctx, *e));
  REQUIRE(back.ok());
  CHECK(*back == *e);
  Assignment at;
  at.set(ctx.symbol("a"), Value::of(1));
  at.set(ctx.symbol("p", Sort::Bool), Value::of(true));
  return evaluate(ctx, *e, at).to_string();
}

constexpr std::size_t kDeep = 100000;

}  // namespace

TEST_CASE("nested 10^5 deep") {
  CHECK(through(repeat("(", kDeep) + "a" + repeat(")", kDeep)) == "1");
  CHECK(through(repeat("-", kDeep) + "a") == "1");
  CHECK(through(repeat("not ", kDeep) + "p") == "True");
  CHECK(through(repeat("~", kDeep + 1) + "p") == "False");
  CHECK(through(repeat("(", kDeep) + "a" + repeat(" + 1)", kDeep)) == "100001");
  CHECK(through(repeat("(1 + ", kDeep) + "a" + repeat(")", kDeep)) == "100001");
  CHECK(through(repeat("max(0, ", kDeep) + "a" + repeat(")", kDeep)) == "1");
  CHECK(through(repeat("2 if a > 3 else ", kDeep) + "a") == "1");
  CHECK(through(repeat("Where(a > 0, ", kDeep) + "a" + repeat(", 2)", kDeep)) == "1");
  CHECK(through(repeat("(a < 0 or ", kDeep) + "p" + repeat(")", kDeep)) == "True");
  CHECK(through(repeat("(", kDeep) + "a" + repeat("//1)", kDeep)) == "1");
  CHECK(through("a" + repeat(" - 1", kDeep)) == "-99999");
}

TEST_CASE("10^5 wide") {
  CHECK(through("a" + repeat(" + a", kDeep)) == "100001");
  CHECK(through("p" + repeat(" and p", kDeep)) == "True");
  CHECK(through("a == 1" + repeat(" == 1", kDeep)) == "True");
  CHECK(through("a in {0" + repeat(", 0", kDeep) + "}") == "False");
  CHECK(through("distinct(a, 0" + repeat(", 0", kDeep) + ")") == "False");
  CHECK(through("Piecewise((0, a > 1)" + repeat(", (0, a > 2)", kDeep) + ", (5, True))") == "5");
}

TEST_CASE("time grows about linearly") {
  const auto seconds = [](std::size_t n) {
    const std::string text = repeat("(a*2 + ", n) + "a" + repeat(")", n);
    const auto start = std::chrono::steady_clock::now();
    through(text);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  seconds(1000);
  const double small = seconds(20000), large = seconds(200000);
  CHECK(large < 60 * small + 0.5);  // 10 times the text; quadratic would be 100 times
}
