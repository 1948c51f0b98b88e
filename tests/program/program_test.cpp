#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "program/build.hpp"

using namespace dimgate;
using namespace dimgate::detail;
using dimgate::testing::bounds_program;

TEST_CASE("the program without guards passes on anything") {
  const Program p;
  CHECK(p.check(SnapshotView{}) == kPass);
  CHECK(p.guard_count() == 0);
  CHECK(p.is_exact());
  CHECK(p.failing(SnapshotView{}).empty());
  std::uint8_t pass[3] = {9, 9, 9};
  p.check_batch({}, 3, pass);
  CHECK((pass[0] == 1 && pass[1] == 1 && pass[2] == 1));
}

TEST_CASE("ranges at the ends of int64; absent slots and short snapshots fail closed") {
  const Program p = bounds_program({{0, INT64_MIN, INT64_MAX}, {1, INT64_MIN, -1}, {65, 5, INT64_MAX}});
  Snapshot s(66);
  s.set(0, INT64_MIN), s.set(1, -1), s.set(65, INT64_MAX);
  CHECK(p.check(s) == kPass);
  s.set(1, 0);
  CHECK(p.check(s) == 1);
  s.set(1, INT64_MIN);
  s.set(65, 4);
  CHECK(p.check(s) == 2);
  s.unset(0);
  CHECK(p.check(s) == 0);
  CHECK(p.failing(s) == std::vector<std::uint32_t>{0, 2});
  Snapshot small(3);
  small.set(0, 1), small.set(1, -1);
  CHECK(p.check(small) == 2);
  CHECK(p.check(SnapshotView{}) == 0);
}

TEST_CASE("batch agrees with single checks over block borders, and absent columns fail closed") {
  const Program p = bounds_program({{0, 2, 90}, {2, -5, 5}});
  std::mt19937_64 rng(3);
  for (const std::size_t rows :
       {std::size_t{0}, std::size_t{1}, std::size_t{255}, std::size_t{256}, std::size_t{1000}}) {
    std::vector<std::int64_t> a(rows), b(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      a[i] = static_cast<std::int64_t>(rng() % 100);
      b[i] = static_cast<std::int64_t>(rng() % 20) - 10;
    }
    const std::int64_t* columns[] = {a.data(), nullptr, b.data()};
    std::vector<std::uint8_t> pass(rows, 7);
    p.check_batch(columns, rows, pass.data());
    Snapshot s(3);
    for (std::size_t i = 0; i < rows; ++i) {
      s.set(0, a[i]), s.set(2, b[i]);
      CHECK(pass[i] == (p.check(s) == kPass ? 1 : 0));
    }
    if (rows == 0) continue;
    columns[2] = nullptr;
    p.check_batch(columns, rows, pass.data());
    CHECK(std::count(pass.begin(), pass.end(), 0) == static_cast<std::ptrdiff_t>(rows));
    p.check_batch(std::span(columns).first(1), rows, pass.data());
    CHECK(std::count(pass.begin(), pass.end(), 0) == static_cast<std::ptrdiff_t>(rows));
  }
}

TEST_CASE("registers are reused after their last reader, blocks stay together") {
  Draft p;
  // r0 = S0; r1 = S1; r2 = r0 + r1; r3 = r2 * r2; block r4, r5; r6 = distinct; jump
  p.code = {{.code = Code::Load, .a = 0, .b = 0},
            {.code = Code::Load, .a = 1, .b = 1},
            {.code = Code::Add, .a = 2, .b = 0, .c = 1},
            {.code = Code::Mul, .a = 3, .b = 2, .c = 2},
            {.code = Code::Move, .a = 4, .b = 3},
            {.code = Code::Move, .a = 5, .b = 3},
            {.code = Code::Distinct, .a = 6, .b = 4, .c = 2},
            {.code = Code::JUnlessEqI, .a = 9, .b = 6, .imm = 2},
            {.code = Code::Pass},
            {.code = Code::Fail}};
  p.registers = 7;
  allocate_registers(p);
  CHECK(p.registers == 4);  // two for the block, two for the rest
  CHECK(p.code[5].a == p.code[4].a + 1);
  CHECK(p.code[6].b == p.code[4].a);
  p.test_begin = {0, 1};
  p.test_guards = {0};
  const Program program = finish(p);
  Snapshot s(2);
  s.set(0, 1), s.set(1, 2);
  CHECK(program.check(s) == 0);  // two equal values are not distinct
}
