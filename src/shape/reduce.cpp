// Reductions, normalisations, tables, and tensors made from numbers.
#include <algorithm>

#include "shape/common.hpp"

namespace dimgate::shape {

SymTensor reduce(std::string_view op, const SymTensor& x, std::vector<int> dims, bool keepdim, Place at) {
  Call call(x.tracer(), op, at);
  std::vector<bool> gone(x.shape().size(), dims.empty());
  for (int& d : dims) {
    d = call.dim(d, x.rank());
    if (x.rank() == 0) continue;
    const auto i = static_cast<std::size_t>(d);
    call.check(!gone[i], "dim " + std::to_string(d) + " is named twice");
    gone[i] = true;
  }
  std::sort(dims.begin(), dims.end());
  const bool selects = op == "amax" || op == "amin" || op == "argmax" || op == "argmin" || op == "max" || op == "min";
  Shape out;
  for (std::size_t i = 0; i < x.shape().size(); ++i) {
    const SymInt& size = x.shape()[i];
    if (!gone[i]) {
      out.push_back(size);
      continue;
    }
    if (selects)
      call.require(size >= 1, "what is reduced has elements", [&] {
        return "needs an element to choose: dim " + std::to_string(i) + " of " + describe(x.shape()) + " is " +
               describe(size);
      });
    if (keepdim) out.emplace_back(1);
  }
  const bool index = op == "argmax" || op == "argmin";
  return call.record(op, {ints("dims", dims), {"keepdim", {keepdim ? 1 : 0}}}, {x}, std::move(out),
                     index ? "int64" : x.dtype());
}

SymTensor softmax(const SymTensor& x, int dim, Place at) {
  Call call(x.tracer(), "softmax", at);
  const int d = call.dim(dim, x.rank());
  return call.record("softmax", {ints("dim", std::array{d})}, {x}, x.shape(), x.dtype());
}

namespace {

std::vector<SymTensor> with(const SymTensor& x, const Parameters& parameters) {
  std::vector<SymTensor> out{x};
  out.insert(out.end(), parameters.begin(), parameters.end());
  return out;
}

void require_shape(Call& call, const SymTensor& parameter, const Shape& shape) {
  const auto message = [&] {
    return "parameters must be of shape " + describe(shape) + ", not " + describe(parameter.shape());
  };
  call.check(parameter.shape().size() == shape.size(), message());
  for (std::size_t i = 0; i < shape.size(); ++i)
    call.require_equal(parameter.shape()[i], shape[i], "parameters fit", message);
}

SymTensor normalise_last(std::string_view op, const SymTensor& x, const Shape& normalized_shape,
                         const Parameters& parameters, Place at) {
  Call call(x.tracer(), op, at);
  const auto message = [&] {
    return "the last dims of " + describe(x.shape()) + " must be " + describe(normalized_shape);
  };
  call.check(!normalized_shape.empty(), "normalized_shape has no dims");
  call.check(normalized_shape.size() <= x.shape().size(), message());
  const std::size_t lead = x.shape().size() - normalized_shape.size();
  for (std::size_t i = 0; i < normalized_shape.size(); ++i)
    call.require_equal(x.shape()[lead + i], normalized_shape[i], "the last dims are normalized_shape", message);
  for (const SymTensor& p : parameters) require_shape(call, p, normalized_shape);
  const auto operands = with(x, parameters);
  return call.record(op, {{"normalized_shape", normalized_shape}}, operands, x.shape(), x.dtype());
}

const SymInt& channels_of(Call& call, const SymTensor& x) {
  call.check(x.rank() >= 2, "the input is (N, C, …), not " + describe(x.shape()));
  return x.shape()[1];
}

}  // namespace

SymTensor layer_norm(const SymTensor& x, const Shape& normalized_shape, const Parameters& parameters, Place at) {
  return normalise_last("layer_norm", x, normalized_shape, parameters, at);
}
SymTensor rms_norm(const SymTensor& x, const Shape& normalized_shape, const Parameters& parameters, Place at) {
  return normalise_last("rms_norm", x, normalized_shape, parameters, at);
}

SymTensor batch_norm(const SymTensor& x, const Parameters& parameters, Place at) {
  Call call(x.tracer(), "batch_norm", at);
  const SymInt& channels = channels_of(call, x);
  for (const SymTensor& p : parameters) require_shape(call, p, {channels});
  const auto operands = with(x, parameters);
  return call.record("batch_norm", {}, operands, x.shape(), x.dtype());
}

SymTensor group_norm(const SymTensor& x, const SymInt& groups, const Parameters& parameters, Place at) {
  Call call(x.tracer(), "group_norm", at);
  const SymInt& channels = channels_of(call, x);
  call.require(groups >= 1, "groups are >= 1", [&] { return "groups must be >= 1, not " + describe(groups); });
  call.require(channels % groups == 0, "groups divide the channels",
               [&] { return describe(groups) + " groups do not divide the channels of " + describe(x.shape()); });
  for (const SymTensor& p : parameters) require_shape(call, p, {channels});
  const auto operands = with(x, parameters);
  return call.record("group_norm", {{"groups", {groups}}}, operands, x.shape(), x.dtype());
}

SymTensor embedding(const SymTensor& index, const SymTensor& table, Place at) {
  Call call(index.tracer(), "embedding", at);
  const SymTensor both[] = {index, table};
  call.check(table.rank() == 2, "the table is (rows, features): " + describe(both));
  call.check(!index.dtype().starts_with("float") && !index.dtype().starts_with("bfloat"),
             "indices must be integers, not " + index.dtype());
  Shape out = index.shape();
  out.push_back(table.size(1));
  return call.record("embedding", {}, both, std::move(out), table.dtype());
}

SymTensor arange(Tracer& t, const SymInt& count, Place at) {
  Call call(t, "arange", at);
  call.require(count >= 0, "sizes are >= 0", [&] { return "the count must be >= 0, not " + describe(count); });
  return call.record("arange", {{"count", {count}}}, std::span<const SymTensor>{}, {count}, "int64");
}

SymTensor full(Tracer& t, const Shape& sizes, std::string dtype, Place at) {
  Call call(t, "full", at);
  for (const SymInt& s : sizes)
    call.require(s >= 0, "sizes are >= 0", [&] { return "sizes must be >= 0, not " + describe(sizes); });
  return call.record("full", {{"sizes", sizes}}, std::span<const SymTensor>{}, sizes, std::move(dtype));
}

}  // namespace dimgate::shape
