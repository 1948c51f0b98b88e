// The user's program, written once for any kind of tensor: run on Arrays it computes, run on SymTensors it is captured.
#pragma once

// Both sets of operators come before the template that calls them.
#include "array.hpp"
#include "traced.hpp"

namespace frontend {

template <class Tensor>
struct Weights {
  Tensor in, in_bias, middle, middle_bias, out, out_bias;
};

/// Rows in blocks of four share their mean; short inputs are repeated once; long ones get one more layer.
template <class Tensor>
Tensor network(Tensor x, const Weights<Tensor>& w) {
  if (x.size(0) < 8) {
    x = join_rows(x, x);
  }
  const auto rows = x.size(0);
  Tensor h = relu(linear(x, w.in, w.in_bias));
  if (rows % 4 != 0) {
    h = pad_rows(h, 4 - rows % 4);
  }
  const auto blocks = h.size(0) / 4;
  const Tensor grouped = reshape(h, {blocks, 4, 8});
  h = reshape(add(grouped, mean(grouped, 1)), {blocks * 4, 8});
  if (rows >= 100) {
    h = relu(linear(h, w.middle, w.middle_bias));
  }
  return first_rows(linear(h, w.out, w.out_bias), rows);
}

}  // namespace frontend
