// What programs look like: tests merged, order within the readable-edges, pinned slots, terms computed once.
#include <doctest/doctest.h>

#include <algorithm>

#include "dimgate/compile.hpp"

using namespace dimgate;

namespace {

struct Case {
  Context ctx;
  Layout layout;
  Program compiled(const std::vector<std::string>& texts, const CompileOptions& options = {}) {
    std::vector<Expr> guards;
    for (const std::string& t : texts) {
      const auto e = parse(ctx, t);
      REQUIRE_MESSAGE(e.ok(), (e.ok() ? "" : e.error().to_string()));
      guards.push_back(*e);
    }
    const auto p = compile(ctx, guards, layout, options);
    REQUIRE_MESSAGE(p.ok(), (p.ok() ? "" : p.error().to_string()));
    return *p;
  }
};

std::size_t count(const std::string& text, std::string_view what) {
  std::size_t n = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

}  // namespace

TEST_CASE("guards on one slot become one range; each end names its guard") {
  Case c;
  c.layout.add("x");
  const Program p = c.compiled({"x >= 2", "x >= 4", "2*x + 3 <= 40", "x != 7"});
  CHECK(count(p.disassemble(), "Ranges {s0 in [4, 18] else 1/2}") == 1);
  Snapshot s(1);
  const auto at = [&](std::int64_t v) { return s.set(0, v), p.check(s); };
  CHECK(at(3) == 1);
  CHECK(at(19) == 2);
  CHECK(at(7) == 3);
  CHECK(at(18) == kPass);
  s.set(0, 1);
  CHECK(p.failing(s) == std::vector<std::uint32_t>{0, 1});
  s.unset(0);
  CHECK(p.failing(s) == std::vector<std::uint32_t>{0, 1, 2, 3});
}

TEST_CASE("contradicting guards make a program that never passes") {
  Case c;
  c.layout.add("x");
  CHECK(c.compiled({"x > 3", "x < 2"}).is_never());
  CHECK(c.compiled({"x > 3", "False"}).is_never());
  CHECK(!c.compiled({"x > 3", "x == 2 or x == 5"}).is_never());
  CHECK(!c.compiled({}).is_never());
  CHECK(c.compiled({"True"}).check(SnapshotView{}) == kPass);
}

TEST_CASE("pinned slots and exact programs") {
  Case c;
  for (const char* n : {"x", "y", "z"}) c.layout.add(n);
  const Program exact = c.compiled({"x == 3", "Eq(y, 4) and 5 == z"});
  CHECK(exact.is_exact());
  CHECK(std::ranges::equal(exact.pinned(), std::vector<Pinned>{{0, 3}, {1, 4}, {2, 5}}));
  const Program some = c.compiled({"x >= 3", "x <= 3", "y * z == 8"});
  CHECK(!some.is_exact());
  CHECK(std::ranges::equal(some.pinned(), std::vector<Pinned>{{0, 3}}));
  CHECK(c.compiled({}).is_exact());
  CHECK(!c.compiled({"x == 3 or y == 4"}).is_exact());
}

TEST_CASE("no size is tested before its rank, whatever it costs") {
  Case c;
  c.layout.add("type(t)");
  c.layout.add_tensor("t", 4);
  const Program p = c.compiled({"t.size()[3] == 8", "t.size()[0] == 1", "t.dim() == 4 or t.dim() == 5",
                                "type(t) == 'Tensor'", "t.size()[1] % 8 == 0"});
  const auto order = p.order();
  const auto place = [&](std::uint32_t g) { return std::ranges::find(order, g) - order.begin(); };
  CHECK(place(3) < place(2));
  CHECK(place(2) < place(0));
  CHECK(place(2) < place(1));
  CHECK(place(2) < place(4));
  // A tensor of another rank fails at the rank, its absent sizes never looked at.
  Snapshot s(c.layout.size());
  s.set_name(c.layout.find("type(t)"), c.layout.names().intern("Tensor"));
  s.set(c.layout.find("t.dim()"), 2);
  CHECK(p.check(s) == 2);
  CHECK(p.failing(s) == std::vector<std::uint32_t>{0, 1, 2, 4});
}

TEST_CASE("observed failure rates move guards forward, and never change the verdict") {
  Case c;
  for (const char* n : {"x", "y", "z"}) c.layout.add(n);
  const std::vector<std::string> guards{"x * y != 7", "y * z != 7", "x == 1", "y == 2"};
  const double rates[] = {0, 0.9, 0, 0.5};
  const Program plain = c.compiled(guards), tuned = c.compiled(guards, {.failure_rates = rates});
  CHECK(plain.order()[0] == 2);
  CHECK(tuned.order()[0] == 3);
  CHECK(tuned.order()[2] == 1);
  Snapshot s(3);
  for (std::int64_t v = 0; v < 27; ++v) {
    s.set(0, v % 3), s.set(1, v / 3 % 3), s.set(2, v / 9);
    CHECK((plain.check(s) == kPass) == (tuned.check(s) == kPass));
  }
}

TEST_CASE("a term shared by guards is computed once, small tests stay in the slot") {
  Case c;
  for (const char* n : {"a", "b"}) c.layout.add(n);
  const std::string code = c.compiled({"a*b % 8 == 0", "a*b <= 4096", "a*b // 3 != 5"}).disassemble();
  CHECK(count(code, " Mul ") == 1);
  CHECK(count(c.compiled({"a % 8 == 3", "(3*a + 1) % 7 == 2", "a in {2, 4}", "a != b"}).disassemble(), "Load") == 0);
}

TEST_CASE("the exact path is as wide as the terms, and no overflow is undefined") {
  Case c;
  for (const char* n : {"a", "b"}) c.layout.add(n);
  const Program p = c.compiled({"a*a*b >= b*a*a", "a - b > -1", "-a // -1 == a"});
  CHECK(p.bits() >= 190);
  Snapshot s(2);
  for (const std::int64_t a : {INT64_MAX, INT64_MIN, std::int64_t{0}}) {
    s.set(0, a), s.set(1, INT64_MIN);
    CHECK(p.check(s) == kPass);
  }
}

TEST_CASE("equal guards share their tests; both are named") {
  Case c;
  c.layout.add("x");
  const Program p = c.compiled({"x // 2 == 1 and x > 0", "x // 2 == 1"});
  Snapshot s(1);
  s.set(0, 9);
  CHECK(p.failing(s) == std::vector<std::uint32_t>{0, 1});
  s.set(0, 3);
  CHECK(p.check(s) == kPass);
}
