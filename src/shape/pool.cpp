// Pooling and resampling.
#include "shape/common.hpp"

namespace dimgate::shape {

namespace {

/// PyTorch's output size: floor or ceil of the number of strides, and with ceil no window that starts beyond the
/// input and its left padding. That correction, out-1 where (out-1)*stride >= size + padding, is
/// min(out, ceildiv(size + padding, stride)), because padding <= kernel/2 makes out-1 <= ceildiv(size + padding,
/// stride); it cannot happen where stride + padding <= dilation*(kernel-1) + 1.
SymInt pool_output(const SymInt& size, const SymInt& kernel, const SymInt& stride, const SymInt& padding,
                   const SymInt& dilation, bool ceil_mode) {
  if (!ceil_mode) return window_output(size, kernel, stride, padding, dilation);
  const SymInt extent = dilation * (kernel - 1) + 1;
  const SymInt out = (size + 2 * padding - extent + stride - 1) / stride + 1;
  const SymInt slack = extent - stride - padding;
  if (slack.is_const() && slack.constant().sign() >= 0) return out;
  return min(out, ceildiv(size + padding, stride));
}

std::size_t first_spatial(Call& call, const SymTensor& x, int spatial) {
  call.check(
      x.rank() == spatial + 2 || x.rank() == spatial + 1,
      "the input is (N, C, …) or (C, …) with " + std::to_string(spatial) + " spatial dims, not " + describe(x.shape()));
  return x.shape().size() - static_cast<std::size_t>(spatial);
}

/// PyTorch: every dim but the batch's must be nonzero.
void require_elements(Call& call, const SymTensor& x, std::size_t from) {
  for (std::size_t i = from; i < x.shape().size(); ++i)
    call.require(x.shape()[i] >= 1, "sizes are >= 1",
                 [&] { return "every dim but the batch's must be >= 1: " + describe(x.shape()); });
}

}  // namespace

SymTensor pool(int spatial, std::string_view kind, const SymTensor& x, Window kernel, const PoolOptions& o,
               Place place) {
  const std::string op = std::string(kind) + std::to_string(spatial) + "d";
  Call call(x.tracer(), op, place);
  call.check(spatial >= 1 && spatial <= 3, "1 to 3 spatial dims, not " + std::to_string(spatial));
  const Window stride = o.stride.empty() ? kernel : o.stride;
  for (const Window* w : {static_cast<const Window*>(&kernel), &stride, &o.padding, &o.dilation})
    call.check(w->size() == 1 || w->size() == static_cast<std::size_t>(spatial),
               "window parameters need 1 or " + std::to_string(spatial) + " values, not " + describe(*w));
  const std::size_t first = first_spatial(call, x, spatial);
  require_elements(call, x, first - 1);
  Shape out = x.shape();
  for (std::size_t i = 0; i < static_cast<std::size_t>(spatial); ++i) {
    const SymInt k = at(kernel, i), s = at(stride, i), p = at(o.padding, i), dilation = at(o.dilation, i);
    const auto window = [&] {
      return "kernel " + describe(k) + ", stride " + describe(s) + ", padding " + describe(p) + ", dilation " +
             describe(dilation);
    };
    call.require(sym_and(sym_and(k >= 1, s >= 1), dilation >= 1), "window parameters are in range",
                 [&] { return "kernel, stride and dilation must be >= 1: " + window(); });
    call.require(sym_and(p >= 0, 2 * p <= k), "padding is at most half the kernel",
                 [&] { return "padding must be in [0, kernel/2]: " + window(); });
    SymInt& size = out[first + i];
    size = pool_output(size, k, s, p, dilation, o.ceil_mode);
    call.require(size >= 1, "the output has elements", [&] {
      return "the window does not fit spatial dim " + std::to_string(i) + " of " + describe(x.shape()) + ": " +
             window();
    });
  }
  return call.record(op,
                     {{"kernel", kernel},
                      {"stride", stride},
                      {"padding", o.padding},
                      {"dilation", o.dilation},
                      {"ceil_mode", {o.ceil_mode ? 1 : 0}}},
                     {x}, std::move(out), x.dtype());
}

SymTensor max_pool2d(const SymTensor& x, Window kernel, const PoolOptions& options, Place place) {
  return pool(2, "max_pool", x, std::move(kernel), options, place);
}
SymTensor avg_pool2d(const SymTensor& x, Window kernel, const PoolOptions& options, Place place) {
  return pool(2, "avg_pool", x, std::move(kernel), options, place);
}

SymTensor adaptive_avg_pool2d(const SymTensor& x, const SymInt& height, const SymInt& width, Place place) {
  Call call(x.tracer(), "adaptive_avg_pool2d", place);
  const std::size_t first = first_spatial(call, x, 2);
  require_elements(call, x, first - 1);
  Shape out = x.shape();
  out[first] = height;
  out[first + 1] = width;
  for (const SymInt& s : {height, width})
    call.require(s >= 0, "sizes are >= 0", [&] { return "the output's sizes must be >= 0, not " + describe(s); });
  return call.record("adaptive_avg_pool2d", {{"sizes", {height, width}}}, {x}, std::move(out), x.dtype());
}

namespace {

SymTensor resample(Call& call, const SymTensor& x, Attribute how, std::string_view mode, Shape out) {
  for (std::size_t i = 1; i < out.size(); ++i)
    for (const Shape* s : {&x.shape(), static_cast<const Shape*>(&out)})
      call.require((*s)[i] >= 1, "sizes are >= 1", [&] {
        return "input and output sizes must be >= 1 except the batch: " + describe(x.shape()) + " to " + describe(out);
      });
  return call.record("upsample", {std::move(how), {"mode", {}, std::string(mode)}}, {x}, std::move(out), x.dtype());
}

void check_rank(Call& call, const SymTensor& x) {
  call.check(x.rank() >= 3 && x.rank() <= 5,
             "the input is (N, C, …) with 1 to 3 spatial dims, not " + describe(x.shape()));
}

}  // namespace

SymTensor upsample(const SymTensor& x, std::int64_t numerator, std::int64_t denominator, std::string_view mode,
                   Place place) {
  Call call(x.tracer(), "upsample", place);
  check_rank(call, x);
  call.check(numerator >= 1 && denominator >= 1,
             "the scale must be positive, not " + std::to_string(numerator) + "/" + std::to_string(denominator));
  Shape out = x.shape();
  for (std::size_t i = 2; i < out.size(); ++i) out[i] = out[i] * numerator / denominator;
  return resample(call, x, {"scale", {numerator, denominator}}, mode, std::move(out));
}

SymTensor upsample_to(const SymTensor& x, const std::vector<SymInt>& sizes, std::string_view mode, Place place) {
  Call call(x.tracer(), "upsample", place);
  check_rank(call, x);
  call.check(sizes.size() + 2 == x.shape().size(),
             "one size for each spatial dim of " + describe(x.shape()) + ", not " + describe(sizes));
  Shape out = x.shape();
  std::copy(sizes.begin(), sizes.end(), out.begin() + 2);
  return resample(call, x, {"sizes", sizes}, mode, std::move(out));
}

}  // namespace dimgate::shape
