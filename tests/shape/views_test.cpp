#include "shape/support.hpp"

using namespace dimgate;
using namespace dimgate::testing;

TEST_CASE("reshape keeps the number of elements; -1 is what is left") {
  Bench b;
  CHECK(text(shape::reshape(b({2, 6}), {3, 4})) == "(3, 4)");
  CHECK(text(shape::reshape(b({2, 6}), {3, -1})) == "(3, 4)");
  CHECK(text(shape::reshape(b({}), {1, 1})) == "(1, 1)");
  CHECK(text(shape::reshape(b({0, 3}), {0})) == "(0,)");
  CHECK(text(shape::reshape(b({0, 3}), {3, -1})) == "(3, 0)");
  CHECK(text(shape::reshape(b({1}), {})) == "()");
  CHECK(refuses([&] { (void)shape::reshape(b({2, 6}), {5, 2}); },
                {"reshape: shape (2, 6) cannot become (5, 2)", "12 != 10"}));
  CHECK(refuses([&] { (void)shape::reshape(b({2, 6}), {5, -1}); }, {"(5, -1)", "5 does not divide"}));
  CHECK(refuses([&] { (void)shape::reshape(b({2, 6}), {-1, -1}); }, {"only one size can be -1"}));
  CHECK(refuses([&] { (void)shape::reshape(b({2, 6}), {-2, 6}); }, {"sizes must be >= 0"}));
  CHECK(refuses([&] { (void)shape::reshape(b({0, 6}), {0, -1}); }, {"ambiguous"}));
}

TEST_CASE("symbolic reshapes: equal products need nothing, -1 cancels common sizes") {
  Bench b;
  const SymInt n = b.t.size("n", 5), m = b.t.size("m", 4);
  CHECK(text(shape::reshape(b({n, m, 48}), {n, m, 3, 2, 8})) == "(n, m, 3, 2, 8)");
  CHECK(text(shape::reshape(b({n, m}), {n * m})) == "(m*n,)");
  CHECK(text(shape::reshape(b({n * m}), {m, n})) == "(m, n)");
  CHECK(text(shape::reshape(b({n, m, 6}), {-1, 3})) == "(2*m*n, 3)");
  CHECK(texts(b.t) == "m*n >= 0");  // an ignorant prover is asked about one size; the 0 <= n, m are facts
  CHECK(text(shape::reshape(b({n, m, 48}), {n, m, -1, 8})) == "(n, m, 6, 8)");
  CHECK(texts(b.t) == "m*n >= 0; n != 0; m != 0");
  CHECK(text(shape::reshape(b({n, m}), {n, 2, -1})) == "(n, 2, m//2)");
  CHECK(texts(b.t).ends_with("; m % 2 == 0"));
  CHECK(refuses([&] { (void)shape::reshape(b({n, 3}), {2, -1}); }, {"2 does not divide 3*n=15"}));
  CHECK(text(shape::reshape(b({n, 4}), {m, 5})) == "(m, 5)");
  CHECK(texts(b.t).ends_with("; 5*m == 4*n"));
}

TEST_CASE("flatten, permute, transpose, unsqueeze") {
  Bench b;
  const SymInt n = b.t.size("n", 5);
  CHECK(text(shape::flatten(b({2, n, 3}))) == "(6*n,)");
  CHECK(text(shape::flatten(b({2, n, 3, 4}), 1)) == "(2, 12*n)");
  CHECK(text(shape::flatten(b({2, n, 3, 4}), 1, -2)) == "(2, 3*n, 4)");
  CHECK(text(shape::flatten(b({}))) == "(1,)");
  CHECK(refuses([&] { (void)shape::flatten(b({2, 3}), 1, 0); }, {"flatten", "comes after"}));
  CHECK(text(shape::permute(b({1, 2, n}), {2, 0, -2})) == "(n, 1, 2)");
  CHECK(refuses([&] { (void)shape::permute(b({1, 2}), {0, 0}); }, {"named twice"}));
  CHECK(refuses([&] { (void)shape::permute(b({1, 2}), {0}); }, {"1 dims, the tensor 2"}));
  CHECK(text(shape::transpose(b({1, 2, n}), 0, -1)) == "(n, 2, 1)");
  CHECK(text(shape::transpose(b({}), 0, -1)) == "()");
  CHECK(refuses([&] { (void)shape::transpose(b({1, 2}), 0, 2); }, {"dim 2 is out of range", "[-2, 1]"}));
  CHECK(text(shape::unsqueeze(b({n}), 0)) == "(1, n)");
  CHECK(text(shape::unsqueeze(b({n}), -1)) == "(n, 1)");
  CHECK(refuses([&] { (void)shape::unsqueeze(b({n}), 3); }, {"out of range"}));
  CHECK(b.t.guards().empty());
}

TEST_CASE("expand and squeeze decide what they must") {
  Bench b;
  const SymInt n = b.t.size("n", 5), one = b.t.size("one", 1), k = b.t.size("k", 5);
  CHECK(text(shape::expand(b({1, n}), {7, -1})) == "(7, n)");
  CHECK(text(shape::expand(b({n}), {2, n})) == "(2, n)");
  CHECK(b.t.guards().empty());
  CHECK(text(shape::expand(b({one}), {3})) == "(3,)");
  CHECK(text(shape::expand(b({n}), {k})) == "(n,)");
  CHECK(texts(b.t) == "one == 1; k == n");
  CHECK(refuses([&] { (void)shape::expand(b({n}), {3}); }, {"n=5 != 3", "must stay"}));
  CHECK(refuses([&] { (void)shape::expand(b({n}), {-1, n}); }, {"new leading dim"}));
  CHECK(refuses([&] { (void)shape::expand(b({2, n}), {n}); }, {"fewer dims"}));
  CHECK(text(shape::expand(b({1}), {0})) == "(0,)");
  CHECK(text(shape::squeeze(b({1, n, 1}))) == "(n,)");
  CHECK(text(shape::squeeze(b({1, 3}), 0)) == "(3,)");
  CHECK(text(shape::squeeze(b({1, 3}), 1)) == "(1, 3)");
  CHECK(text(shape::squeeze(b({}), 0)) == "()");
  CHECK(text(shape::squeeze(b({one, 3}), 0)) == "(3,)");
  CHECK(texts(b.t) == "one == 1; k == n; n != 1");
}

TEST_CASE("sizes are read with negative dims; a dim that is not there is refused") {
  Bench b;
  const SymTensor x = b({2, 3});
  CHECK(x.size(-1).constant() == Integer(3));
  CHECK(refuses([&] { (void)x.size(2); }, {"dim 2 of a tensor of shape (2, 3) does not exist", "[-2, 1]"}));
  CHECK(refuses([&] { (void)b({}).size(0); }, {"it has none"}));
}
