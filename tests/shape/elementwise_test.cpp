#include <random>

#include "shape/support.hpp"

using namespace dimgate;
using namespace dimgate::testing;

TEST_CASE("constants broadcast as in PyTorch") {
  Bench b;
  CHECK(text(shape::add(b({3, 1}), b({1, 4}))) == "(3, 4)");
  CHECK(text(shape::add(b({5, 3, 1}), b({4}))) == "(5, 3, 4)");
  CHECK(text(shape::mul(b({}), b({2}))) == "(2,)");
  CHECK(text(shape::sub(b({0}), b({1}))) == "(0,)");
  CHECK(text(shape::div(b({1, 0}), b({7, 1}))) == "(7, 0)");
  CHECK(refuses([&] { (void)shape::add(b({2, 3}), b({2, 4})); },
                {"add", "(2, 3) and (2, 4) do not broadcast", "3 and 4 at dim -1"}));
  CHECK(refuses([&] { (void)shape::add(b({0}), b({2})); }, {"do not broadcast"}));
  CHECK(b.t.guards().empty());
}

TEST_CASE("equal terms and the constant 1 need no decision") {
  Bench b;
  const SymInt n = b.t.size("n", 5), m = b.t.size("m", 5);
  CHECK(text(shape::add(b({n, 1}), b({1, m}))) == "(n, m)");
  CHECK(text(shape::add(b({n, 2 * m}), b({n, m + m}))) == "(n, 2*m)");
  CHECK(text(shape::add(b({n}), b({}))) == "(n,)");
  CHECK(b.t.guards().empty());
  CHECK(b.t.statistics().decisions == 0);
}

TEST_CASE("symbols: equal first, then 1 on either side, else a refusal that shows both shapes") {
  Bench b;
  const SymInt n = b.t.size("n", 5), m = b.t.size("m", 5), one = b.t.size("one", 1), k = b.t.size("k", 7);
  CHECK(text(shape::add(b({n}), b({m}))) == "(n,)");
  CHECK(texts(b.t) == "m == n");
  CHECK(text(shape::add(b({n}), b({one}))) == "(n,)");
  CHECK(text(shape::add(b({one}), b({k}))) == "(k,)");
  CHECK(texts(b.t) == "m == n; one == 1");
  CHECK(text(shape::add(b({n}), b({5}))) == "(5,)");
  CHECK(texts(b.t) == "m == n; one == 1; n == 5");
  CHECK(refuses([&] { (void)shape::add(b({n, 2}), b({k, 2})); },
                {"add: shapes (n=5, 2) and (k=7, 2) do not broadcast", "n=5 and k=7 at dim -2"}));
  CHECK(b.t.guards()[0].reason == "add: broadcasting: equal sizes");
  CHECK(b.t.guards()[0].where.file.ends_with("elementwise_test.cpp"));
}

TEST_CASE("unbacked sizes broadcast as equal, checked at run time") {
  Bench b;
  const SymInt u = b.t.unbacked_size("u"), n = b.t.size("n", 4);
  CHECK(text(shape::add(b({u}), b({n}))) == "(u,)");
  CHECK(texts(b.t) == "assert n == u");
  CHECK(text(shape::add(b({u}), b({1}))) == "(u,)");
  CHECK(b.t.guards().size() == 1);
}

TEST_CASE("dtypes promote; where takes three; unary keeps") {
  Bench b;
  CHECK(shape::add(b({1}, "int64"), b({1}, "float32")).dtype() == "float32");
  CHECK(shape::add(b({1}, "float16"), b({1}, "bfloat16")).dtype() == "float32");
  CHECK(shape::add(b({1}, "uint8"), b({1}, "int8")).dtype() == "int16");
  CHECK(shape::add(b({1}, "bool"), b({1}, "int8")).dtype() == "int8");
  const SymTensor w = shape::where(b({4, 1}, "bool"), b({3}), b({}));
  CHECK(text(w) == "(4, 3)");
  CHECK(w.dtype() == "float32");
  CHECK(text(shape::relu(b({2, 0}))) == "(2, 0)");
  CHECK(shape::cast(b({2}), "int32").dtype() == "int32");
  CHECK(refuses([&] { (void)shape::elementwise("add", std::vector<SymTensor>{}); }, {"add", "operand"}));
}

TEST_CASE("random shapes broadcast as the definition says") {
  std::mt19937 rng(3);
  for (int round = 0; round < 500; ++round) {
    Bench b;
    const auto random_shape = [&] {
      std::vector<std::int64_t> s(rng() % 4);
      for (auto& d : s) d = static_cast<std::int64_t>(rng() % 4);
      return s;
    };
    const auto x = random_shape(), y = random_shape();
    std::vector<std::int64_t> expected(std::max(x.size(), y.size()));
    bool fits = true;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const std::int64_t p = i < x.size() ? x[x.size() - 1 - i] : 1, q = i < y.size() ? y[y.size() - 1 - i] : 1;
      fits = fits && (p == q || p == 1 || q == 1);
      expected[expected.size() - 1 - i] = p == 1 ? q : p;
    }
    const SymTensor a = b(Shape(x.begin(), x.end())), c = b(Shape(y.begin(), y.end()));
    CHECK(outcome([&] { return shape::add(a, c); }) ==
          (fits ? to_string(Shape(expected.begin(), expected.end())) : "refused"));
  }
}
