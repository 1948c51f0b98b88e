#include "shape/support.hpp"

using namespace dimgate;
using namespace dimgate::testing;

TEST_CASE("cat adds one dim and wants the others equal") {
  Bench b;
  const SymInt n = b.t.size("n", 5), m = b.t.size("m", 5), k = b.t.size("k", 7);
  CHECK(text(shape::cat({b({2, n}), b({3, n})}, 0)) == "(5, n)");
  CHECK(text(shape::cat({b({n, 2}), b({k, 2})}, -2)) == "(k + n, 2)");
  CHECK(text(shape::cat({b({0}), b({3, 4})}, 1)) == "(3, 4)");  // an empty 1-d operand is skipped
  CHECK(text(shape::cat({b({0}), b({2})}, 0)) == "(2,)");
  CHECK(b.t.guards().empty());
  CHECK(text(shape::cat({b({1, m}), b({1, n}), b({1, 5})}, 0)) == "(3, 5)");
  CHECK(texts(b.t) == "m == n; m == 5");
  CHECK(refuses(
      [&] { (void)shape::cat({b({1, n}), b({1, k})}, 0); },
      {"cat: sizes must agree except in dim 0", "operand 0 (1, n=5), operand 1 (1, k=7)", "n=5 != k=7 in dim 1"}));
  CHECK(refuses([&] { (void)shape::cat({b({1, 2}), b({1})}, 0); }, {"ranks must agree"}));
  CHECK(refuses([&] { (void)shape::cat({b({}), b({})}, 0); }, {"without dims"}));
  CHECK(refuses([&] { (void)shape::cat(std::vector<SymTensor>{}, 0); }, {"at least one"}));
  CHECK(text(shape::stack(std::vector{b({2, n}), b({2, n})}, 1)) == "(2, 2, n)");
  CHECK(refuses([&] { (void)shape::stack(std::vector{b({2}), b({3})}, 0); }, {"2 != 3"}));
}

TEST_CASE("the number of pieces guards a range, without a division") {
  Bench b;
  const SymInt n = b.t.size("n", 4808);
  CHECK(text(shape::split(b({1, n}), 1024, 1)) == "(1, 1024) (1, 1024) (1, 1024) (1, 1024) (1, n - 4096)");
  CHECK(texts(b.t) == "n >= 4097; n <= 5120");
  CHECK(b.t.guards()[0].reason == "split: the number of pieces");
  Bench c;
  CHECK(text(shape::split(c({c.t.size("n", 3)}), 4, 0)) == "(n,)");
  CHECK(texts(c.t) == "n <= 4");
  CHECK(text(shape::split(c({0}), 4, 0)) == "(0,)");
  CHECK(text(shape::split(c({8}), 4, 0)) == "(4,) (4,)");
  CHECK(text(shape::split(c({9}), 4, 0)) == "(4,) (4,) (1,)");
  CHECK(refuses([&] { (void)shape::split(c({9}), 0, 0); }, {"split: the pieces' size must be >= 1, not 0"}));
  CHECK(refuses([&] { (void)shape::split(c({}), 1, 0); }, {"without dims"}));
  const TraceOutcome endless = c.t.run([&] { (void)shape::split(c({INT64_MAX}), 1, 0); });
  CHECK(endless.kind == TraceOutcome::Kind::failed);  // no rejection: eager might do it
  CHECK(endless.error.message == "split: too many pieces: 9223372036854775807 by 1");
}

TEST_CASE("chunk: as torch, at most that many, empty dims give empty chunks") {
  Bench b;
  CHECK(text(shape::chunk(b({6}), 3, 0)) == "(2,) (2,) (2,)");
  CHECK(text(shape::chunk(b({5}), 4, 0)) == "(2,) (2,) (1,)");
  CHECK(text(shape::chunk(b({0}), 2, 0)) == "(0,) (0,)");
  CHECK(refuses([&] { (void)shape::chunk(b({5}), 0, 0); }, {"at least 1 chunk"}));
  const SymInt n = b.t.size("n", 10);
  CHECK(text(shape::chunk(b({2 * n}), 2, 0)) == "(n,) (n,)");
  CHECK(texts(b.t) == "n >= 1");
  Bench c;
  const SymInt z = c.t.size("z", 0);
  CHECK(text(shape::chunk(c({z}), 2, 0)) == "(z,) (z,)");
  CHECK(texts(c.t) == "z == 0");
}

TEST_CASE("split_sizes must add up; unbind takes the size as a number") {
  Bench b;
  const SymInt n = b.t.size("n", 10);
  CHECK(text(shape::split_sizes(b({n, 2}), {3, n - 3}, 0)) == "(3, 2) (n - 3, 2)");
  CHECK(texts(b.t) == "n >= 3");
  CHECK(refuses([&] { (void)shape::split_sizes(b({n}), {3, 4}, 0); }, {"(3, 4) must add up to dim 0 of (n=10,)"}));
  CHECK(refuses([&] { (void)shape::split_sizes(b({5}), {6, -1}, 0); }, {"must be >= 0, not -1"}));
  CHECK(text(shape::unbind(b({3, n}), 0)) == "(n,) (n,) (n,)");
  CHECK(shape::unbind(b({2, n}), 1).size() == 10);
  CHECK(texts(b.t) == "n >= 3; n == 10");
}
