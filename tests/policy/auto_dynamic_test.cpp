#include <doctest/doctest.h>

#include "policy/toy_model.hpp"

using namespace dimgate;
using namespace dimgate::testing;

TEST_CASE("the first compile is static, a changed dim is dynamic for good") {
  NativeProver prover;
  const ToyModel model({"a", "b"});
  Frame frame(model, prover, "auto_dynamic:inf");
  CHECK(frame.calls({{4, 7}, {4, 7}, {5, 7}, {9, 7}, {9, 8}, {11, 12}}) == "chchch");
  CHECK(frame.shown() == "a == 4 and b == 7; a >= 2 and b == 7; a >= 2 and b >= 2");
}

TEST_CASE("0 and 1 are constants of their entry") {
  NativeProver prover;
  const ToyModel model({"n"});
  Frame frame(model, prover, "auto_dynamic:inf");
  CHECK(frame.calls({{4}, {5}, {1}, {1}, {0}, {0}, {6}}) == "ccchchh");
}

TEST_CASE("dynamic dims with equal values share a symbol and a guard") {
  NativeProver prover;
  const ToyModel model({"a", "b"});
  Frame frame(model, prover, "auto_dynamic:inf");
  CHECK(frame.calls({{3, 4}, {5, 5}, {6, 6}, {6, 7}, {8, 8}}) == "cchch");
  CHECK(frame.shown() == "a == 3 and b == 4; a >= 2 and b == a; a >= 2 and b >= 2");
}

TEST_CASE("dims of results decide 0 and 1 too") {
  NativeProver prover;
  const ToyModel model({"n"}, [](Tracer& t, std::span<const SymInt> d) {
    const SymTensor x = t.input("x", {d[0]});
    t.output(t.record("half", {}, std::span(&x, 1), {d[0] / 2}, x.dtype()));
  });
  Frame frame(model, prover, "auto_dynamic:inf");
  // 8 static; 9 dynamic under 9 // 2 not in {0, 1}; 3 // 2 == 1 is an entry of its own; 2 // 2 == 1 hits it
  CHECK(frame.calls({{8}, {9}, {3}, {2}, {1}, {4}}) == "ccchch");
}

TEST_CASE("at the limit further misses run eagerly and earlier entries still hit") {
  NativeProver prover;
  const ToyModel model({"n"}, [](Tracer& t, std::span<const SymInt> d) {
    const SymTensor x = t.input("x", {d[0]});
    ToyModel::copy(t, x, "copy" + std::to_string(d[0].to_int()));  // a value that never becomes dynamic
  });
  Frame frame(model, prover, "auto_dynamic:2");
  std::string got;
  for (int i = 2; i < 12; ++i) got += frame.call({i});
  CHECK(got == "ccffffffff");
  CHECK(frame.calls({{2}, {3}, {4}}) == "hhf");
}

TEST_CASE("state changes at compiles only") {
  NativeProver prover;
  const ToyModel model({"a", "b"});
  Frame frame(model, prover, "auto_dynamic:1");
  CHECK(frame.calls({{4, 7}, {5, 7}, {4, 7}}) == "cfh");
}
