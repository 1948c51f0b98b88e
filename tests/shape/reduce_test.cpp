#include "shape/support.hpp"

using namespace dimgate;
using namespace dimgate::testing;

TEST_CASE("reductions drop dims or keep them as 1") {
  Bench b;
  const SymInt n = b.t.size("n", 5);
  CHECK(text(shape::reduce("sum", b({2, n, 3}), {1})) == "(2, 3)");
  CHECK(text(shape::reduce("mean", b({2, n, 3}), {0, -1}, true)) == "(1, n, 1)");
  CHECK(text(shape::reduce("sum", b({2, n, 3}), {})) == "()");
  CHECK(text(shape::reduce("sum", b({}), {})) == "()");
  CHECK(text(shape::reduce("sum", b({0}), {0})) == "()");
  CHECK(shape::reduce("argmax", b({2, 3}), {1}).dtype() == "int64");
  CHECK(b.t.guards().empty());
  CHECK(text(shape::reduce("amax", b({2, n}), {1})) == "(2,)");
  CHECK(texts(b.t) == "n >= 1");
  CHECK(refuses([&] { (void)shape::reduce("amax", b({2, 0}), {1}); }, {"amax", "dim 1 of (2, 0)"}));
  CHECK(text(shape::reduce("amax", b({2, 0}), {0})) == "(0,)");
  CHECK(refuses([&] { (void)shape::reduce("sum", b({2, 3}), {1, -1}); }, {"named twice"}));
  CHECK(refuses([&] { (void)shape::reduce("sum", b({2, 3}), {2}); }, {"out of range"}));
}

TEST_CASE("norms check their sizes") {
  Bench b;
  const SymInt n = b.t.size("n", 5), c = b.t.size("c", 6);
  const SymTensor w = b.t.parameter("w", {16}), v = b.t.parameter("v", {6});
  CHECK(text(shape::layer_norm(b({n, 16}), {16}, {w, w})) == "(n, 16)");
  CHECK(text(shape::rms_norm(b({n, 2, 8}), {2, 8})) == "(n, 2, 8)");
  CHECK(b.t.guards().empty());
  CHECK(refuses([&] { (void)shape::layer_norm(b({n, 8}), {16}); },
                {"layer_norm: the last dims of (n=5, 8) must be (16,)"}));
  CHECK(refuses([&] { (void)shape::layer_norm(b({16}), {2, 16}); }, {"last dims"}));
  CHECK(refuses([&] { (void)shape::layer_norm(b({16}), {}); }, {"no dims"}));
  CHECK(refuses([&] { (void)shape::layer_norm(b({8}), {8}, {w}); }, {"parameters"}));
  CHECK(text(shape::batch_norm(b({n, 6, 4}), {v, v, v, v})) == "(n, 6, 4)");
  CHECK(refuses([&] { (void)shape::batch_norm(b({n, 5, 4}), {v}); }, {"parameters"}));
  CHECK(refuses([&] { (void)shape::batch_norm(b({n})); }, {"(N, C, …)"}));
  CHECK(text(shape::group_norm(b({n, c, 4}), 3, {v})) == "(n, c, 4)");
  CHECK(texts(b.t) == "c % 3 == 0; c == 6");
  CHECK(refuses([&] { (void)shape::group_norm(b({n, c, 4}), 4); }, {"4 groups do not divide"}));
  CHECK(text(shape::softmax(b({n, 3}), -1)) == "(n, 3)");
  CHECK(refuses([&] { (void)shape::softmax(b({n, 3}), 2); }, {"out of range"}));
}

TEST_CASE("embedding, arange, full") {
  Bench b;
  const SymInt n = b.t.size("n", 5), k = b.t.integer("k", -1);
  const SymTensor table = b.t.parameter("table", {100, 16});
  CHECK(text(shape::embedding(b({2, n}, "int64"), table)) == "(2, n, 16)");
  CHECK(refuses([&] { (void)shape::embedding(b({2, n}), table); }, {"indices must be integers, not float32"}));
  CHECK(refuses([&] { (void)shape::embedding(b({2}, "int64"), b.t.parameter("t1", {100})); }, {"(rows, features)"}));
  CHECK(text(shape::arange(b.t, n)) == "(n,)");
  CHECK(text(shape::full(b.t, {n, 2})) == "(n, 2)");
  CHECK(refuses([&] { (void)shape::arange(b.t, k); }, {"arange", ">= 0, not k=-1"}));
  CHECK(refuses([&] { (void)shape::full(b.t, {2, -1}); }, {"full"}));
}
