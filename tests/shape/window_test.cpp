// Convolution, pooling and resampling against counting windows.
#include "shape/support.hpp"

using namespace dimgate;
using namespace dimgate::testing;
using shape::PoolOptions;

namespace {

SymTensor weight(Bench& b, Shape s) { return b.t.parameter("w" + to_string(s), s); }

/// Windows that fit, by trying each start.
std::int64_t count_windows(std::int64_t size, std::int64_t k, std::int64_t s, std::int64_t p, std::int64_t d) {
  std::int64_t n = 0;
  for (std::int64_t start = -p; start + d * (k - 1) <= size + p - 1; start += s) ++n;
  return n;
}

/// PyTorch's ceil mode: windows may hang over the right end by less than a stride, but must start within the input or
/// its left padding.
std::int64_t count_ceil(std::int64_t size, std::int64_t k, std::int64_t s, std::int64_t p, std::int64_t d) {
  const std::int64_t room = size + 2 * p - d * (k - 1) - 1 + s - 1;
  std::int64_t out = (room >= 0 ? room / s : -((-room + s - 1) / s)) + 1;
  if ((out - 1) * s >= size + p) --out;
  return out;
}

}  // namespace

TEST_CASE("convolutions count windows") {
  for (std::int64_t size = 1; size < 9; ++size)
    for (std::int64_t k = 1; k < 4; ++k)
      for (std::int64_t s = 1; s < 4; ++s)
        for (std::int64_t p = 0; p < 3; ++p)
          for (std::int64_t d = 1; d < 3; ++d) {
            Bench b;
            const std::int64_t expected = count_windows(size, k, s, p, d);
            const auto run = [&](const SymInt& n) {
              return shape::conv1d(b({2, 3, n}), weight(b, {5, 3, k}),
                                   {.stride = {s}, .padding = {p}, .dilation = {d}});
            };
            INFO(size, " ", k, " ", s, " ", p, " ", d);
            CHECK(outcome([&] { return run(size); }) == (expected > 0 ? to_string(Shape{2, 5, expected}) : "refused"));
            if (expected > 0) CHECK(run(b.t.size("n", size)).size(2).hint() == Integer(expected));
          }
}

TEST_CASE("convolution checks channels, groups, ranks and windows") {
  Bench b;
  const SymInt c = b.t.size("C", 3), h = b.t.size("H", 10), w = b.t.size("W", 8);
  const SymTensor k = weight(b, {4, 3, 3, 3});
  CHECK(text(shape::conv2d(b({1, c, h, w}), k, {.stride = {2}, .padding = {1}})) == "(1, 4, (H + 1)//2, (W + 1)//2)");
  CHECK(texts(b.t) == "C == 3; H >= 1; W >= 1");
  CHECK(text(shape::conv2d(b({3, 10, 8}), k)) == "(4, 8, 6)");        // unbatched
  CHECK(text(shape::conv2d(b({0, 3, 10, 8}), k)) == "(0, 4, 8, 6)");  // an empty batch
  CHECK(text(shape::conv2d(b({1, 3, 10, 8}), k, {.same = true})) == "(1, 4, 10, 8)");
  CHECK(text(shape::conv2d(b({1, 4, 5, 5}), weight(b, {6, 2, 1, 1}), {.groups = 2})) == "(1, 6, 5, 5)");
  CHECK(text(shape::conv3d(b({1, 2, 4, 5, 6}), weight(b, {3, 2, 1, 2, 3}))) == "(1, 3, 4, 4, 4)");
  CHECK(refuses([&] { (void)shape::conv2d(b({1, 4, 10, 8}), k); },
                {"conv2d: the input's channels do not fit the weight's", "(1, 4, 10, 8)", "(4, 3, 3, 3)"}));
  CHECK(refuses([&] { (void)shape::conv2d(b({1, 3, 2, 8}), k); },
                {"window (3 long with dilation) does not fit the padded input (2) in spatial dim 0"}));
  CHECK(refuses([&] { (void)shape::conv2d(b({1, 3, 0, 8}), k, {.padding = {2}}); }, {"does not fit"}));
  CHECK(refuses([&] { (void)shape::conv2d(b({3, 10}), k); }, {"2 spatial dims"}));
  CHECK(refuses([&] { (void)shape::conv2d(b({1, 3, 10, 8}), weight(b, {4, 3, 3})); }, {"weight"}));
  CHECK(refuses([&] { (void)shape::conv2d(b({1, 3, 9, 9}), k, {.stride = {0}}); }, {"stride must be >= 1, not 0"}));
  CHECK(refuses([&] { (void)shape::conv2d(b({1, 3, 9, 9}), k, {.padding = {-1}}); }, {"padding must be >= 0"}));
  CHECK(refuses([&] { (void)shape::conv2d(b({1, 3, 9, 9}), k, {.stride = {1, 1, 1}}); }, {"stride needs 1 or 2"}));
  CHECK(refuses([&] { (void)shape::conv2d(b({1, 3, 9, 9}), k, {.stride = {2}, .same = true}); }, {"'same'"}));
  CHECK(refuses([&] { (void)shape::conv2d(b({1, 4, 9, 9}), weight(b, {5, 2, 1, 1}), {.groups = 2}); },
                {"with 2 groups"}));
  CHECK(refuses([&] { (void)shape::conv2d(b({1, 3, 9, 9}), k, {.bias = b.t.parameter("bias", {3})}); }, {"bias"}));
}

TEST_CASE("transposed convolutions undo the size") {
  Bench b;
  const SymInt n = b.t.size("n", 7);
  const auto up = [&](const SymInt& size, shape::ConvOptions o) {
    o.transposed = true;
    return shape::conv1d(b({1, 4, size}), weight(b, {4, 6, 3}), o);
  };
  CHECK(text(up(5, {.stride = {2}, .padding = {1}})) == "(1, 6, 9)");
  CHECK(text(up(5, {.stride = {2}, .padding = {1}, .output_padding = {1}})) == "(1, 6, 10)");
  CHECK(up(n, {.stride = {2}, .padding = {1}, .output_padding = {1}}).size(2).same_term(2 * n));
  CHECK(
      refuses([&] { (void)up(5, {.stride = {2}, .output_padding = {2}}); }, {"conv_transpose1d", "output_padding 2"}));
  CHECK(refuses([&] { (void)up(1, {.padding = {2}}); }, {"no output"}));
}

TEST_CASE("pooling counts windows, ceil mode as PyTorch") {
  for (std::int64_t size = 1; size < 9; ++size)
    for (std::int64_t k = 1; k < 5; ++k)
      for (std::int64_t s = 1; s < 5; ++s)
        for (std::int64_t p = 0; 2 * p <= k; ++p)
          for (std::int64_t d = 1; d < 3; ++d)
            for (const bool ceil_mode : {false, true}) {
              Bench b;
              const PoolOptions o{.stride = {s}, .padding = {p}, .dilation = {d}, .ceil_mode = ceil_mode};
              const std::int64_t expected = ceil_mode ? count_ceil(size, k, s, p, d) : count_windows(size, k, s, p, d);
              INFO(size, " ", k, " ", s, " ", p, " ", d, " ", ceil_mode);
              CHECK(outcome([&] { return shape::pool(1, "max_pool", b({2, 3, size}), {k}, o); }) ==
                    (expected > 0 ? to_string(Shape{2, 3, expected}) : "refused"));
              if (expected > 0)
                CHECK(shape::pool(1, "max_pool", b({2, 3, b.t.size("n", size)}), {k}, o).size(2).hint() ==
                      Integer(expected));
            }
}

TEST_CASE("pooling and resampling refuse what PyTorch refuses") {
  Bench b;
  const SymInt h = b.t.size("H", 9);
  CHECK(text(shape::max_pool2d(b({1, 4, h, 9}), {3}, {.stride = {2}, .padding = {1}})) == "(1, 4, (H + 1)//2, 5)");
  CHECK(text(shape::avg_pool2d(b({4, 9, 9}), {2, 3})) == "(4, 4, 3)");
  CHECK(refuses([&] { (void)shape::max_pool2d(b({1, 4, 1, 9}), {2}); }, {"max_pool2d", "does not fit spatial dim 0"}));
  CHECK(refuses([&] { (void)shape::max_pool2d(b({1, 4, 9, 9}), {2}, {.padding = {2}}); }, {"kernel/2"}));
  CHECK(refuses([&] { (void)shape::max_pool2d(b({1, 0, 9, 9}), {2}); }, {">= 1: (1, 0, 9, 9)"}));
  CHECK(text(shape::adaptive_avg_pool2d(b({1, 4, h, 9}), 1, 1)) == "(1, 4, 1, 1)");
  CHECK(text(shape::upsample(b({1, 4, h, 3}), 2)) == "(1, 4, 2*H, 6)");
  CHECK(text(shape::upsample(b({1, 4, 5, 3}), 3, 2)) == "(1, 4, 7, 4)");
  CHECK(text(shape::upsample_to(b({1, 4, h, 3}), {7, h})) == "(1, 4, 7, H)");
  CHECK(refuses([&] { (void)shape::upsample(b({1, 4, 0, 3}), 2); }, {"upsample", ">= 1"}));
  CHECK(refuses([&] { (void)shape::upsample(b({1, 4, 1, 3}), 1, 2); }, {">= 1"}));
  CHECK(refuses([&] { (void)shape::upsample(b({1, 4}), 2); }, {"1 to 3 spatial dims"}));
  CHECK(refuses([&] { (void)shape::upsample(b({1, 4, 3}), 0); }, {"scale must be positive"}));
  CHECK(refuses([&] { (void)shape::upsample_to(b({1, 4, 3}), {1, 2}); }, {"one size for each spatial dim"}));
}
