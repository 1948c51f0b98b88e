#include "shape/support.hpp"

using namespace dimgate;
using namespace dimgate::testing;

TEST_CASE("matmul of vectors, matrices and batches") {
  Bench b;
  CHECK(text(shape::matmul(b({3}), b({3}))) == "()");
  CHECK(text(shape::matmul(b({2, 3}), b({3}))) == "(2,)");
  CHECK(text(shape::matmul(b({3}), b({3, 4}))) == "(4,)");
  CHECK(text(shape::matmul(b({2, 3}), b({3, 4}))) == "(2, 4)");
  CHECK(text(shape::matmul(b({7, 1, 2, 3}), b({5, 3, 4}))) == "(7, 5, 2, 4)");
  CHECK(text(shape::matmul(b({7, 2, 3}), b({3}))) == "(7, 2)");
  CHECK(text(shape::matmul(b({2, 0}), b({0, 4}))) == "(2, 4)");
  CHECK(refuses([&] { (void)shape::matmul(b({2, 3}), b({4, 5})); },
                {"matmul: inner sizes must agree", "operand 0 (2, 3), operand 1 (4, 5)", "3 != 4"}));
  CHECK(refuses([&] { (void)shape::matmul(b({}), b({4, 5})); }, {"at least 1 dim"}));
  CHECK(refuses([&] { (void)shape::matmul(b({2, 2, 3}), b({3, 3, 5})); }, {"batch dims"}));
  const SymInt n = b.t.size("n", 3), m = b.t.size("m", 3);
  CHECK(text(shape::matmul(b({n, n}), b({n, m}))) == "(n, m)");
  CHECK(b.t.guards().empty());
  CHECK(text(shape::matmul(b({2, n}), b({m, 4}))) == "(2, 4)");
  CHECK(texts(b.t) == "m == n");
}

TEST_CASE("linear checks the last size and the bias") {
  Bench b;
  const SymTensor w = b.t.parameter("w", {5, 3}), bias = b.t.parameter("b", {5});
  CHECK(text(shape::linear(b({2, 7, 3}), w, bias)) == "(2, 7, 5)");
  CHECK(text(shape::linear(b({3}), w)) == "(5,)");
  CHECK(refuses([&] { (void)shape::linear(b({2, 4}), w); }, {"linear", "(2, 4)", "(5, 3)", "4 != 3"}));
  CHECK(refuses([&] { (void)shape::linear(b({}), w); }, {"at least 1 dim"}));
  CHECK(refuses([&] { (void)shape::linear(b({3}), b.t.parameter("v", {5})); }, {"(out, in)"}));
  CHECK(refuses([&] { (void)shape::linear(b({3}), w, b.t.parameter("c", {4})); }, {"bias"}));
  const SymInt n = b.t.size("n", 3);
  CHECK(text(shape::linear(b({n, n}), w)) == "(n, 5)");
  CHECK(texts(b.t) == "n == 3");
}

TEST_CASE("attention: features and lengths agree, batches broadcast, masks broadcast to the scores") {
  Bench b;
  const SymTensor q = b({2, 4, 10, 8}), k = b({2, 4, 12, 8}), v = b({2, 4, 12, 6});
  CHECK(text(shape::attention(q, k, v)) == "(2, 4, 10, 6)");
  CHECK(text(shape::attention(q, b({1, 4, 12, 8}), b({1, 1, 12, 6}))) == "(2, 4, 10, 6)");
  for (const Shape& mask : {Shape{10, 12}, Shape{1, 12}, Shape{2, 1, 1, 12}, Shape{}})
    CHECK(text(shape::attention(q, k, v, {.mask = b(mask)})) == "(2, 4, 10, 6)");
  CHECK(refuses([&] { (void)shape::attention(q, k, v, {.mask = b({10, 11})}); }, {"mask", "11 != 12"}));
  CHECK(refuses([&] { (void)shape::attention(q, k, v, {.mask = b({3, 2, 4, 10, 12})}); }, {"more dims"}));
  CHECK(refuses([&] { (void)shape::attention(q, b({2, 4, 12, 7}), v); }, {"query and key", "8 != 7"}));
  CHECK(refuses([&] { (void)shape::attention(q, k, b({2, 4, 11, 6})); }, {"one length", "12 != 11"}));
  CHECK(refuses([&] { (void)shape::attention(b({8}), k, v); }, {"at least 2 dims"}));
  const SymInt n = b.t.size("n", 5), m = b.t.size("m", 1);
  CHECK(text(shape::attention(b({n, 8}), b({n, 8}), b({n, 8}), {.mask = b({m, n})})) == "(n, 8)");
  CHECK(texts(b.t) == "m == 1");
}
