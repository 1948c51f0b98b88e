// Fingerprints: equal for the same program under other names, different where the artifact is.
#include "trace/support.hpp"

using namespace dimgate;
using namespace dimgate::testing;

namespace {

struct Names {
  std::string b = "B", l = "L", x = "x", w = "w";
};

/// Runs `body(tracer, B, L)` under those names and returns the bytes.
template <class Body>
std::string bytes(const Names& names, Body body) {
  Context ctx;
  IgnorantProver prover;
  Tracer t(ctx, prover);
  const SymInt b = t.size(names.b, 2), l = t.size(names.l, 7);
  body(t, b, l, names);
  return t.fingerprint().bytes;
}

void sum(Tracer& t, const SymInt& b, const SymInt& l, const Names& names) {
  const SymTensor x = t.input(names.x, {b, l});
  const SymTensor y = t.record("flat", {{"size", {b * l + l}}}, std::vector{x}, {b * l + l}, "float32");
  t.output(y);
}

}  // namespace

TEST_CASE("names of symbols, inputs and places do not matter") {
  const std::string here = bytes({}, sum);
  CHECK(here == bytes({"Z", "A", "in0", "w"}, sum));  // A*Z sorts the other way round
  CHECK(here == bytes({"L", "B", "x", "w"}, sum));
  CHECK(here == bytes({"L['x'].size()[0]", "L['x'].size()[1]", "x", "w"}, sum));
}

TEST_CASE("what the artifact depends on does") {
  const auto base = [](Tracer& t, const SymInt& b, const SymInt& l, const Names& n) {
    t.output(t.record("op", {{"k", {1}, "m"}}, std::vector{t.input(n.x, {b, l})}, {l}, "float32"));
  };
  const std::string here = bytes({}, base);
  const auto differs = [&](auto body) { return bytes({}, body) != here; };
  CHECK(here == bytes({}, base));
  CHECK(differs([](Tracer& t, const SymInt& b, const SymInt& l, const Names& n) {
    t.output(t.record("po", {{"k", {1}, "m"}}, std::vector{t.input(n.x, {b, l})}, {l}, "float32"));
  }));
  CHECK(differs([](Tracer& t, const SymInt& b, const SymInt& l, const Names& n) {
    t.output(t.record("op", {{"k", {2}, "m"}}, std::vector{t.input(n.x, {b, l})}, {l}, "float32"));
  }));
  CHECK(differs([](Tracer& t, const SymInt& b, const SymInt& l, const Names& n) {
    t.output(t.record("op", {{"k", {1}, "n"}}, std::vector{t.input(n.x, {b, l})}, {l}, "float32"));
  }));
  CHECK(differs([](Tracer& t, const SymInt& b, const SymInt& l, const Names& n) {
    t.output(t.record("op", {{"k", {1}, "m"}}, std::vector{t.input(n.x, {b, l})}, {b}, "float32"));
  }));
  CHECK(differs([](Tracer& t, const SymInt& b, const SymInt& l, const Names& n) {  // b shared by both dims
    t.output(t.record("op", {{"k", {1}, "m"}}, std::vector{t.input(n.x, {b, b})}, {b}, "float32"));
    (void)l;
  }));
  CHECK(differs([](Tracer& t, const SymInt& b, const SymInt& l, const Names& n) {
    t.output(t.record("op", {{"k", {1}, "m"}}, std::vector{t.input(n.x, {b, l}, "int64")}, {l}, "float32"));
  }));
  CHECK(differs([](Tracer& t, const SymInt& b, const SymInt& l, const Names& n) {
    t.output(t.record("op", {{"k", {1}, "m"}}, std::vector{t.input(n.x, {b, 7})}, {7}, "float32"));
    (void)l;
  }));
  CHECK(differs([&](Tracer& t, const SymInt& b, const SymInt& l, const Names& n) {
    base(t, b, l, n);
    t.bake({"seed", {1}});
  }));
  CHECK(differs([](Tracer& t, const SymInt& b, const SymInt& l, const Names& n) {  // another output
    const SymTensor x = t.input(n.x, {b, l});
    (void)t.record("op", {{"k", {1}, "m"}}, std::vector{x}, {l}, "float32");
    t.output(x);
  }));
}

TEST_CASE("parameters are told apart by name, inputs by first use") {
  const auto weighted = [](Tracer& t, const SymInt& b, const SymInt& l, const Names& n) {
    t.output(t.record("mul", {}, std::vector{t.input(n.x, {b, l}), t.parameter(n.w, {3})}, {b, l}, "float32"));
  };
  CHECK(bytes({}, weighted) != bytes({"B", "L", "x", "other"}, weighted));
  // The frame's order of arguments is a permutation of slots, not another artifact.
  const auto first = [](Tracer& t, const SymInt& b, const SymInt& l, const Names&) {
    const SymTensor x = t.input("x", {b}), y = t.input("y", {l});
    t.output(t.record("outer", {}, std::vector{x, y}, {b, l}, "float32"));
  };
  const auto second = [](Tracer& t, const SymInt& b, const SymInt& l, const Names&) {
    const SymTensor y = t.input("y", {l}), x = t.input("x", {b});
    t.output(t.record("outer", {}, std::vector{x, y}, {b, l}, "float32"));
  };
  CHECK(bytes({}, first) == bytes({}, second));
}

TEST_CASE("the symbols in order of first use bind the artifact's slots") {
  Context ctx;
  IgnorantProver prover;
  Tracer t(ctx, prover);
  const SymInt a = t.size("a", 2), b = t.size("b", 3), unused = t.size("c", 4);
  const SymTensor y = t.input("y", {b, 3}), x = t.input("x", {a, unused * 0});
  t.output(t.record("f", {}, std::vector{x, y}, {a + b}, "float32"));
  const Fingerprint f = t.fingerprint();
  REQUIRE(f.symbols.size() == 2);
  CHECK(ctx.symbol_name(f.symbols[0]) == "a");
  CHECK(ctx.symbol_name(f.symbols[1]) == "b");
}

TEST_CASE("guards do not change the fingerprint: path facts never rewrite a term") {
  const auto body = [](bool branch) {
    return [branch](Tracer& t, const SymInt& b, const SymInt& l, const Names& n) {
      if (branch && l % 7 == 0) (void)bool(b == 2);
      const SymTensor x = t.input(n.x, {b, l});
      t.output(t.record("pad", {{"by", {-l % 7}}}, std::vector{x}, {b, l + -l % 7}, "float32"));
    };
  };
  CHECK(bytes({}, body(false)) == bytes({}, body(true)));
}

TEST_CASE("a parameter asked for twice is one value; asked for differently, an error") {
  Context ctx;
  IgnorantProver prover;
  Tracer t(ctx, prover);
  CHECK(t.parameter("w", {3, 4}).id() == t.parameter("w", {3, 4}).id());
  CHECK_THROWS_AS((void)t.parameter("w", {4, 3}), TraceError);
}

TEST_CASE("shared terms stay shared: a doubling chain has linear bytes") {
  Context ctx;
  IgnorantProver prover;
  Tracer t(ctx, prover);
  SymInt s = t.size("s", 3);
  SymTensor x = t.input("x", {s});
  for (int i = 0; i < 60; ++i) {
    s = max(s / 2 + s % (i + 3), s - i);
    x = t.record("step", {}, std::vector{x}, {s}, "float32");
  }
  t.output(x);

  CHECK(t.fingerprint().bytes.size() < 40'000);
}
