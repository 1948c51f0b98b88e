#include "array.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace frontend {

namespace {

std::int64_t product(const std::vector<std::int64_t>& v, std::size_t from, std::size_t to) {
  return std::accumulate(v.begin() + static_cast<std::ptrdiff_t>(from), v.begin() + static_cast<std::ptrdiff_t>(to),
                         std::int64_t{1}, std::multiplies<>());
}

}  // namespace

Array::Array(std::vector<std::int64_t> dims)
    : shape(std::move(dims)), data(static_cast<std::size_t>(product(shape, 0, shape.size()))) {}

Array linear(const Array& x, const Array& weight, const Array& bias) {
  const std::int64_t n = x.size(0), in = x.size(1), out = weight.size(0);
  Array y({n, out});
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < out; ++j) {
      float sum = bias.data[static_cast<std::size_t>(j)];
      for (std::int64_t k = 0; k < in; ++k)
        sum += x.data[static_cast<std::size_t>(i * in + k)] * weight.data[static_cast<std::size_t>(j * in + k)];
      y.data[static_cast<std::size_t>(i * out + j)] = sum;
    }
  return y;
}

Array relu(const Array& x) {
  Array y = x;
  for (float& v : y.data) v = v > 0 ? v : 0;
  return y;
}

Array add(const Array& a, const Array& b) {
  assert(a.shape.size() == b.shape.size());
  Array y(a.shape);
  for (std::size_t d = 0; d < a.shape.size(); ++d) y.shape[d] = a.shape[d] == 1 ? b.shape[d] : a.shape[d];
  y = Array(y.shape);
  for (std::size_t i = 0; i < y.data.size(); ++i) {
    std::size_t rest = i, ia = 0, ib = 0, stride_a = 1, stride_b = 1;
    for (std::size_t d = y.shape.size(); d-- > 0;) {
      const std::size_t at = rest % static_cast<std::size_t>(y.shape[d]);
      rest /= static_cast<std::size_t>(y.shape[d]);
      ia += a.shape[d] == 1 ? 0 : at * stride_a;
      ib += b.shape[d] == 1 ? 0 : at * stride_b;
      stride_a *= static_cast<std::size_t>(a.shape[d]);
      stride_b *= static_cast<std::size_t>(b.shape[d]);
    }
    y.data[i] = a.data[ia] + b.data[ib];
  }
  return y;
}

Array mean(const Array& x, int dim) {
  const auto d = static_cast<std::size_t>(dim);
  Array y(x.shape);
  y.shape[d] = 1;
  y = Array(y.shape);
  const std::int64_t outer = product(x.shape, 0, d), n = x.shape[d], inner = product(x.shape, d + 1, x.shape.size());
  for (std::int64_t o = 0; o < outer; ++o)
    for (std::int64_t i = 0; i < inner; ++i) {
      float sum = 0;
      for (std::int64_t k = 0; k < n; ++k) sum += x.data[static_cast<std::size_t>((o * n + k) * inner + i)];
      y.data[static_cast<std::size_t>(o * inner + i)] = sum / static_cast<float>(n);
    }
  return y;
}

Array reshape(const Array& x, std::vector<std::int64_t> shape) {
  Array y = x;
  y.shape = std::move(shape);
  assert(product(y.shape, 0, y.shape.size()) == static_cast<std::int64_t>(y.data.size()));
  return y;
}

Array pad_rows(const Array& x, std::int64_t after) {
  Array y({x.size(0) + after, x.size(1)});
  std::copy(x.data.begin(), x.data.end(), y.data.begin());
  return y;
}

Array first_rows(const Array& x, std::int64_t count) {
  const std::int64_t n = std::min(count, x.size(0));
  Array y({n, x.size(1)});
  std::copy_n(x.data.begin(), y.data.size(), y.data.begin());
  return y;
}

Array join_rows(const Array& a, const Array& b) {
  Array y({a.size(0) + b.size(0), a.size(1)});
  std::copy(b.data.begin(), b.data.end(), std::copy(a.data.begin(), a.data.end(), y.data.begin()));
  return y;
}

}  // namespace frontend
