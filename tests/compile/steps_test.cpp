// The interpreter's fused steps against the reference: values compared at once, kept or read again, in slots and in
// registers, with constants at the ends of int64; slots that must differ, four to a vector and one by one; what is left
// to the exact path from the middle of a program.
#include <doctest/doctest.h>

#include <random>

#include "dimgate/compile.hpp"
#include "expr/reference.hpp"
#include "program/code.hpp"

using namespace dimgate;

namespace {

constexpr std::int64_t kEnds[] = {INT64_MIN, INT64_MIN + 1, -7, -1, 0, 1, 2, 3, 8, INT64_MAX - 1, INT64_MAX};

struct Case {
  Context ctx;
  Layout layout;
  std::shared_ptr<Jit> jit = Jit::create();
  std::vector<Expr> guards;
  std::size_t passed = 0, failed = 0;

  explicit Case(std::initializer_list<const char*> slots) {
    for (const char* s : slots) layout.add(s);
  }
  void add(const std::string& text) {
    const auto guard = parse(ctx, text);
    REQUIRE_MESSAGE(guard.ok(), text);
    guards.push_back(*guard);
  }
  /// Passes where the reference does; else one of the guards that fail there, the same by both engines.
  void agree(const std::vector<std::vector<std::int64_t>>& rows) {
    const auto plain = compile(ctx, guards, layout);
    REQUIRE(plain.ok());
    REQUIRE(plain->code().steps != nullptr);
    const Program native = jit ? jit->translate(*plain) : *plain;
    ReferenceEvaluator reference(ctx, guards);
    Assignment assignment;
    Snapshot s(layout.size());
    for (const auto& row : rows) {
      assignment.clear();
      for (SlotIndex i = 0; i < row.size(); ++i) {
        s.set(i, row[i]);
        assignment.set(ctx.symbol(layout[i].name), Value::of(row[i]));
      }
      const std::vector<Value> values = reference.all(assignment);
      bool all = true;
      for (const Value& v : values) all = all && v.is_true();
      const std::int32_t got = plain->check(s);
      const bool right = all ? got == kPass : got >= 0 && !values[static_cast<std::size_t>(got)].is_true();
      if (!right || native.check(s) != got) {
        std::string at;
        for (const std::int64_t v : row) at += " " + std::to_string(v);
        FAIL("got " << got << ", machine code " << native.check(s) << " at" << at << "\n" << plain->disassemble());
      }
      ++(all ? passed : failed);
    }
  }
};

std::vector<std::vector<std::int64_t>> pairs_of_ends() {
  std::vector<std::vector<std::int64_t>> rows;
  for (const std::int64_t a : kEnds)
    for (const std::int64_t b : kEnds) rows.push_back({a, b});
  return rows;
}

}  // namespace

TEST_CASE("values that are compared at once, used nowhere else or read again") {
  const auto rows = pairs_of_ends();
  std::size_t passed = 0, failed = 0;
  for (const char* term : {"x + y", "x - y", "x * y", "x % y", "x // 3", "x % 7", "(x + y) // 3", "(x - y) // 10",
                           "(x * y) // 3", "(x + y) % 7", "(x // 3 + y) // 7", "x // y"})
    for (const char* op : {"==", "!=", "<", "<=", ">", ">="})
      for (const std::int64_t v : kEnds) {
        const std::string compared = std::string("(") + term + ") " + op + " " + std::to_string(v);
        for (const std::string& more : {std::string(), std::string("(") + term + ") * y != 6 or x == 3",
                                        "not (" + compared + ") or y < x", std::string("y < ") + term}) {
          Case c{"x", "y"};
          c.add(compared + " or x == 3");
          if (!more.empty()) c.add(more);
          c.agree(rows);
          passed += c.passed, failed += c.failed;
        }
      }
  CHECK(passed > 50000);
  CHECK(failed > 50000);
}

TEST_CASE("slots that must differ: any number, any pair equal") {
  std::mt19937_64 rng(5);
  for (const std::size_t n : {2, 3, 7, 8, 9, 10, 11, 12, 13, 20, 33, 64, 255, 256, 257}) {
    Case c{};
    std::string guard;
    for (std::size_t i = 0; i < n; ++i) {
      c.layout.add("t" + std::to_string(i));
      guard += (i == 0 ? "distinct(" : ", ") + ("t" + std::to_string((i * 7) % n % n));
    }
    if (n % 7 == 0) {  // else a permutation
      guard.clear();
      for (std::size_t i = 0; i < n; ++i) guard += (i == 0 ? "distinct(t" : ", t") + std::to_string(i);
    }
    c.add(guard + ")");
    std::vector<std::int64_t> row(n);
    for (std::size_t i = 0; i < n; ++i) row[i] = static_cast<std::int64_t>((rng() >> (i % 3 == 0 ? 0 : 59)) * 512 + i);
    std::vector<std::vector<std::int64_t>> rows{row};
    for (std::size_t j = 1; j < n; ++j)
      for (std::size_t k = 0; k < j; ++k)
        if (n <= 20 || rng() % (n * n / 400) == 0) {
          rows.push_back(row);
          rows.back()[j] = row[k];
        }
    c.agree(rows);
    CHECK(c.passed == 1);
    CHECK(c.failed == rows.size() - 1);
  }
}

TEST_CASE("an overflow behind other steps, and a slot that is absent behind present ones, are decided exactly") {
  Case c{"x", "y"};
  c.add("x >= 2");
  c.add("x * y - x * y == 0");
  c.add("x * y * y > x or y == 0");
  c.add("(x + y) // 3 >= 1");
  c.agree(pairs_of_ends());
  CHECK(c.passed > 5);
  const Program p = *compile(c.ctx, c.guards, c.layout);
  Snapshot s(2);
  s.set(0, INT64_MAX);
  CHECK(p.check(s) >= 1);
  s.set(1, INT64_MAX);
  CHECK(p.check(s) == kPass);
}
