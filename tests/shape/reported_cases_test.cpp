// Situations that users of tensor compilers reported (issue numbers of PyTorch unless said otherwise): what this
// front end records for them.
#include "dimgate/simplify.hpp"
#include "shape/support.hpp"

using namespace dimgate;
using namespace dimgate::testing;

namespace {

/// A trace with the native prover; `guard` is what is left of its guards.
struct Trace {
  Context ctx;
  NativeProver prover;
  Tracer t{ctx, prover};
  SymTensor input(Shape s, std::string dtype = "float32") { return t.input("x", std::move(s), std::move(dtype)); }
  std::string guard() {
    std::vector<Expr> formulas;
    for (const Guard& g : t.guards().all())
      if (!g.runtime_assert) formulas.push_back(g.formula);
    std::string out;
    for (const Expr e : minimise(prover, t.facts(), formulas).readable)
      out += (out.empty() ? "" : " and ") + to_text(ctx, e);
    return out;
  }
};

}  // namespace

TEST_CASE(
    "A002, A005: a batch of 1 seen first pins nothing (pull 186893); branches partition, without an entry for 0 and 1 "
    "(137100)") {
  for (const std::int64_t n : {0, 1, 2, 9}) {
    Trace a;
    const SymInt s = a.t.size("n", n);
    const SymTensor x = a.input({s, 3});
    (void)shape::add(x, shape::relu(x));
    CHECK(a.guard().empty());
    CHECK_FALSE(bool(s >= 10));
    CHECK(a.guard() == "n <= 9");
  }
}

TEST_CASE("a broadcast of two symbols leaves three kinds of entry (pull 167232)") {
  const auto guard = [](std::int64_t a, std::int64_t b) {
    Trace t;
    (void)shape::add(t.input({t.t.size("s0", a)}), t.input({t.t.size("s1", b)}));
    return t.guard();
  };
  CHECK(guard(1, 4) == "s0 == 1");
  CHECK(guard(4, 1) == "s1 == 1");
  CHECK(guard(4, 4) == "s0 == s1");
}

TEST_CASE("a square first call does not make height and width equal (diffusers 11360)") {
  Trace a;
  const SymInt h = a.t.size("H", 1024), w = a.t.size("W", 1024);
  a.t.declare_divisible(h, 16);
  a.t.declare_divisible(w, 16);
  const SymTensor x = a.input({1, 4, h, w});
  const SymTensor tokens = shape::reshape(x, {1, 4, h / 16, 16, w / 16, 16});
  const SymTensor packed = shape::reshape(shape::permute(tokens, {0, 2, 4, 1, 3, 5}), {1, h / 16 * (w / 16), 4 * 256});
  CHECK(packed.size(1).hint() == Integer(4096));
  CHECK(a.guard().empty());
}

TEST_CASE("padding to max(n, 16) is one entry (149635)") {
  for (const std::int64_t n : {15, 17, 20, 0}) {
    Trace a;
    const SymInt s = a.t.size("n", n);
    const SymTensor y = shape::pad(a.input({s}), {0, max(s, 16) - s});
    CHECK(y.size(0).hint() == Integer(std::max<std::int64_t>(n, 16)));
    CHECK(a.guard().empty());
  }
}

TEST_CASE("view(-1, 144) of (u, 18, s) is legal exactly where 8 divides u*s (pull 153173)") {
  Trace a;
  const SymInt u = a.t.size("u", 4), s = a.t.size("s", 6);
  CHECK(shape::reshape(a.input({u, 18, s}), {-1, 144}).size(0).hint() == Integer(3));
  CHECK(texts(a.t) == "s*u % 8 == 0");
  Trace b;
  const SymInt v = b.t.size("u", 1), r = b.t.size("s", 9);
  CHECK(refuses([&] { (void)shape::reshape(b.input({v, 18, r}), {-1, 144}); }, {"does not divide"}));
  Trace c;
  const SymInt w = c.t.unbacked_size("u"), q = c.t.size("s", 16);
  c.t.declare_divisible(q, 8);
  (void)shape::reshape(c.input({w, 18, q}), {-1, 144});
  CHECK(c.t.guards().empty());  // holds for every u
}

TEST_CASE("sizes 5*b and b: nothing is lost at b = 1 (181097)") {
  Trace a;
  const SymInt b = a.t.size("b", 3);
  a.t.declare_range(b, Integer(1), Integer(8));
  (void)shape::add(shape::reshape(a.input({5 * b}), {5, b}), a.input({b}));
  CHECK(a.guard().empty());
}

TEST_CASE("a cache that grows: past and new lengths are symbols, no entry a step (transformers 37908)") {
  Trace a;
  const SymInt past = a.t.size("p", 12), fresh = a.t.size("q", 1);
  const SymTensor keys = shape::cat({a.input({2, past, 8}), a.input({2, fresh, 8})}, 1);
  (void)shape::attention(a.input({2, fresh, 8}), keys, keys);
  CHECK(to_string(keys.shape()) == "(2, p + q, 8)");
  CHECK(a.guard().empty());
}

TEST_CASE("an equality names its operator and line (136002, 142161)") {
  Trace a;
  const SymInt n = a.t.size("n", 4);
  const unsigned line = __LINE__ + 1;
  (void)shape::add(a.input({n, 8}), a.input({4, 8}));
  REQUIRE(a.t.guards().size() == 1);
  CHECK(a.t.guards()[0].reason == "add: broadcasting: equal sizes");
  CHECK(a.t.guards()[0].where.line == line);
  CHECK(texts(a.t) == "n == 4");
  Trace b;
  const SymInt m = b.t.size("m", 6);
  CHECK(bool(m > 5));
  CHECK(bool(m <= 6));
  CHECK(b.guard() == "m == 6");
}

TEST_CASE("data-dependent sizes: the question in plain form, and the ways out (executorch 8988)") {
  Trace a;
  const SymInt u = a.t.unbacked_size("u");
  try {
    (void)bool(u - 1 == 1);
    FAIL("decided");
  } catch (const TraceError& e) {
    const std::string what = e.what();
    CHECK(what.find("cannot decide `u == 2`") != std::string::npos);
    CHECK(what.find("declare `u == 2` or `u != 2`") != std::string::npos);
  }
  // The conjunct that can be decided decides (vllm 37499: `1 != u0 and 1 != 1`).
  CHECK_FALSE(bool(sym_and(u != 1, SymInt(1) != 1)));
  const SymInt n = a.t.size("n", 3);
  a.t.declare_range(n, Integer(2), std::nullopt);
  CHECK_FALSE(bool(sym_and(u != 1, n <= 1)));
  CHECK(a.t.guards().empty());
}

TEST_CASE("500 run-time asserts stay cheap and are kept (123964)") {
  Trace a;
  std::vector<SymInt> u;
  for (int i = 0; i < 500; ++i) {
    u.push_back(a.t.unbacked_size("u" + std::to_string(i)));
    a.t.require(u.back() + i <= 10'000, [] { return std::string("too long"); });
  }
  CHECK(a.t.statistics().asserts == 500);
  CHECK(bool(u[7] <= 9'993));
  CHECK(a.t.guards().formula(a.ctx).is_true());
}

TEST_CASE("an argument that nothing reads has no guard (131893)") {
  Trace a;
  const SymInt n = a.t.size("n", 4), m = a.t.size("m", 6);
  const SymTensor x = a.input({n});
  (void)a.t.input("y", {m});
  a.t.output(shape::relu(x));
  CHECK(a.guard().empty());
  CHECK(a.t.fingerprint().symbols.size() == 1);
}

TEST_CASE("A004: a batch of 1, then more, with a size that no input shows: one program, nothing asked (vllm 38933)") {
  Trace a;
  const SymInt u = a.t.unbacked_size("u0");
  a.t.declare_range(u, Integer(1), std::nullopt);
  (void)shape::relu(a.input({u, 8}));
  CHECK(bool(u >= 1));
  CHECK(a.guard().empty());
  CHECK(a.t.statistics().asserts == 0);
}

TEST_CASE("A008, A067: what only the example says is told from what the program asks (pulls 174996, torchrec 3815)") {
  Trace a;
  const SymInt n = a.t.size("n", 1), m = a.t.size("m", 10);
  (void)shape::add(a.input({n, 4}), a.input({n, 4}));
  CHECK(a.t.guards().empty());  // n = 1 and m = 10 in the example: no guard says so
  (void)n.to_int();             // a program that needs the number says where
  REQUIRE(a.t.guards().size() == 1);
  CHECK(texts(a.t) == "n == 1");
  CHECK_FALSE(a.t.guards()[0].reason.empty());
  CHECK(bool(m >= 2));
  CHECK(a.guard() == "n == 1 and m >= 2");  // not 10 <= m
}

TEST_CASE("A166, A167, A169: the operator that pins a size is named (pytorch 143667, 172822, 121080)") {
  Trace a;
  const SymInt n = a.t.size("n", 100);
  (void)shape::add(a.input({n}), a.input({SymInt(100)}));
  (void)shape::matmul(a.input({2, n}), a.input({100, 3}));
  REQUIRE(a.t.guards().size() == 1);  // the second is known from the first
  CHECK(a.t.guards()[0].reason.find("add") == 0);
}
