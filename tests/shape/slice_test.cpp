#include "shape/support.hpp"

using namespace dimgate;
using namespace dimgate::testing;

TEST_CASE("slices of numbers are Python's") {
  Bench b;
  const auto python = [](std::int64_t size, std::optional<std::int64_t> begin, std::optional<std::int64_t> end,
                         std::int64_t step) {
    const auto clamp = [&](std::int64_t v) {
      if (v < 0) v += size;
      return v < 0 ? 0 : v > size ? size : v;
    };
    std::int64_t count = 0;
    for (std::int64_t i = clamp(begin.value_or(0)); i < clamp(end.value_or(size)); i += step) ++count;
    return count;
  };
  for (std::int64_t size = 0; size < 5; ++size)
    for (std::int64_t begin = -7; begin < 7; ++begin)
      for (std::int64_t end = -7; end < 7; ++end)
        for (std::int64_t step = 1; step < 4; ++step)
          for (int kind = 0; kind < 4; ++kind) {
            std::optional<SymInt> from, to;
            std::optional<std::int64_t> f, t;
            if ((kind & 1) != 0) from = begin, f = begin;
            if ((kind & 2) != 0) to = end, t = end;
            const SymTensor y = shape::slice(b({size}), 0, from, to, step);
            CHECK(y.size(0).is_const());
            CHECK(y.size(0).constant() == Integer(python(size, f, t, step)));
          }
  CHECK(refuses([&] { (void)shape::slice(b({4}), 0, 1, 2, 0); }, {"step must be >= 1"}));
  CHECK(refuses([&] { (void)shape::slice(b({}), 0, 1, 2); }, {"without dims"}));
}

TEST_CASE("an end known to be in range needs no clamp; an unknown one is clamped without a guard") {
  Context ctx;
  BoxProver prover(12);
  Tracer t(ctx, prover);
  const SymInt h = t.size("h", 5), k = t.size("k", 3);
  const SymTensor padded = t.input("x", {h + 3});
  CHECK(text(shape::slice(padded, 0, std::nullopt, h)) == "(h,)");
  CHECK(text(shape::slice(padded, 0, 1, h)) == "(max(1, h) - 1,)");
  CHECK(text(shape::slice(t.input("y", {h}), 0, std::nullopt, k)) == "(-max(-h, -k),)");
  CHECK(t.guards().empty());
  CHECK(bool(k <= h));
  CHECK(text(shape::slice(t.input("z", {h}), 0, std::nullopt, k)) == "(k,)");
  CHECK(text(shape::slice(t.input("z", {h}), 0, std::nullopt, std::nullopt, 2)) == "(h - h//2,)");
  CHECK(texts(t) == "h >= k");
}

TEST_CASE("the last k, and symbolic ends") {
  Context ctx;
  BoxProver prover(12);
  Tracer t(ctx, prover);
  const SymInt h = t.size("h", 5);
  const SymTensor last = shape::slice(t.input("x", {h}), 0, -1, std::nullopt);
  CHECK(last.size(0).hint() == Integer(1));
  CHECK(t.guards().empty());
  CHECK(bool(h >= 2));
  CHECK(text(shape::slice(t.input("x", {h}), 0, -2, std::nullopt)) == "(2,)");
  CHECK(text(shape::slice(t.input("x", {h}), 0, std::nullopt, -1)) == "(h - 1,)");
  const SymInt e = t.integer("e", -1);
  CHECK(text(shape::slice(t.input("x", {h}), 0, std::nullopt, e)).find('e') != std::string::npos);
  CHECK(texts(t) == "h >= 2; e <= -1");  // only the sign is decided
}

TEST_CASE("select is in range or refused") {
  Bench b;
  const SymInt n = b.t.size("n", 5);
  CHECK(text(shape::select(b({3, 4}), 0, 2)) == "(4,)");
  CHECK(text(shape::select(b({3, 4}), 1, -4)) == "(3,)");
  CHECK(refuses([&] { (void)shape::select(b({3, 4}), 0, 3); }, {"index 3 is out of range for dim 0 of (3, 4)"}));
  CHECK(refuses([&] { (void)shape::select(b({3, 4}), 0, -4); }, {"out of range"}));
  CHECK(refuses([&] { (void)shape::select(b({0, 4}), 0, 0); }, {"out of range"}));
  CHECK(text(shape::select(b({n}), 0, 2)) == "()");
  CHECK(texts(b.t) == "n >= 3");
}

TEST_CASE("pad: from the last dim backwards, never a branch on 0") {
  Bench b;
  CHECK(text(shape::pad(b({2, 3}), {1, 2})) == "(2, 6)");
  CHECK(text(shape::pad(b({2, 3}), {1, 2, 0, 5})) == "(7, 6)");
  CHECK(text(shape::pad(b({2, 3}), {-1, -2})) == "(2, 0)");
  CHECK(refuses([&] { (void)shape::pad(b({2, 3}), {-2, -2}); }, {"pad: shape (2, 3) cannot be padded by (-2, -2)"}));
  CHECK(refuses([&] { (void)shape::pad(b({2, 3}), {1}); }, {"pairs"}));
  CHECK(refuses([&] { (void)shape::pad(b({3}), {1, 1, 1, 1}); }, {"more pairs"}));
  CHECK(text(shape::pad(b({3}), {2, 2}, shape::PadMode::reflect)) == "(7,)");
  CHECK(refuses([&] { (void)shape::pad(b({3}), {3, 0}, shape::PadMode::reflect); },
                {"reflect", "3 does not fit the size 3"}));
  CHECK(text(shape::pad(b({3}), {3, 0}, shape::PadMode::circular)) == "(6,)");
  CHECK(refuses([&] { (void)shape::pad(b({0}), {1, 0}, shape::PadMode::replicate); }, {"replicate"}));
  const std::size_t before = b.t.program().nodes().size();
  (void)shape::pad(b({3}), {0, 0});
  CHECK(b.t.program().nodes().size() == before + 2);  // the input and the pad
}
