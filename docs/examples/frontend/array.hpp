// Arrays of floats with the operators of this front end, computed at once: what "eager" means here, and the reference
// for what is compiled. Plain loops, no care for speed.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

namespace frontend {

struct Array {
  std::vector<std::int64_t> shape;
  std::vector<float> data;

  Array() = default;
  explicit Array(std::vector<std::int64_t> dims);
  [[nodiscard]] std::int64_t size(int dim) const { return shape[static_cast<std::size_t>(dim)]; }
};

Array linear(const Array& x, const Array& weight, const Array& bias);  // (n, in), (out, in), (out) -> (n, out)
Array relu(const Array& x);
Array add(const Array& a, const Array& b);  // equal ranks, sizes equal or 1
Array mean(const Array& x, int dim);        // the dim stays, as 1
Array reshape(const Array& x, std::vector<std::int64_t> shape);
Array pad_rows(const Array& x, std::int64_t after);  // zeros after dim 0 of a matrix
Array first_rows(const Array& x, std::int64_t count);
Array join_rows(const Array& a, const Array& b);  // along dim 0

}  // namespace frontend
