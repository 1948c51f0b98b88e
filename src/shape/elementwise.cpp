// Elementwise operators: dims aligned at the right, equal or 1 (numpy's and PyTorch's broadcasting).
#include "shape/common.hpp"

namespace dimgate::shape {

namespace {

Shape broadcast_in(Call& call, const Shape& a, const Shape& b) {
  const std::size_t rank = std::max(a.size(), b.size());
  Shape out(rank);
  for (std::size_t i = 0; i < rank; ++i) {  // i counts from the right
    SymInt& size = out[rank - 1 - i];
    if (i >= a.size())
      size = b[b.size() - 1 - i];
    else if (i >= b.size())
      size = a[a.size() - 1 - i];
    else {
      const SymInt &x = a[a.size() - 1 - i], &y = b[b.size() - 1 - i];
      size = call.broadcast_size(x, y, [&] {
        return "shapes " + describe(a) + " and " + describe(b) + " do not broadcast: " + describe(x) + " and " +
               describe(y) + " at dim -" + std::to_string(i + 1) + " must be equal, or one of them 1";
      });
    }
  }
  return out;
}

}  // namespace

Shape broadcast(Tracer& t, const Shape& a, const Shape& b, Place at) {
  Call call(t, "broadcast", at);
  return broadcast_in(call, a, b);
}

SymTensor unary(std::string_view op, const SymTensor& x, std::vector<Attribute> attributes, Place at) {
  Call call(x.tracer(), op, at);
  return call.record(op, std::move(attributes), {x}, x.shape(), x.dtype());
}
SymTensor relu(const SymTensor& x, Place at) { return unary("relu", x, {}, at); }
SymTensor gelu(const SymTensor& x, Place at) { return unary("gelu", x, {}, at); }
SymTensor cast(const SymTensor& x, std::string dtype, Place at) {
  Call call(x.tracer(), "cast", at);
  return call.record("cast", {}, {x}, x.shape(), std::move(dtype));
}

SymTensor elementwise(std::string_view op, std::span<const SymTensor> operands, std::vector<Attribute> attributes,
                      Place at) {
  if (operands.empty()) throw ShapeError(std::string(op) + ": needs an operand", Location::here(at));
  Call call(operands[0].tracer(), op, at);
  Shape shape = operands[0].shape();
  std::string dtype = operands[0].dtype();
  for (const SymTensor& t : operands.subspan(1)) {
    shape = broadcast_in(call, shape, t.shape());
    dtype = promote(dtype, t.dtype());
  }
  return call.record(op, std::move(attributes), operands, std::move(shape), std::move(dtype));
}

namespace {
SymTensor binary(std::string_view op, const SymTensor& a, const SymTensor& b, Place at) {
  const SymTensor both[] = {a, b};
  return elementwise(op, both, {}, at);
}
}  // namespace

SymTensor add(const SymTensor& a, const SymTensor& b, Place at) { return binary("add", a, b, at); }
SymTensor sub(const SymTensor& a, const SymTensor& b, Place at) { return binary("sub", a, b, at); }
SymTensor mul(const SymTensor& a, const SymTensor& b, Place at) { return binary("mul", a, b, at); }
SymTensor div(const SymTensor& a, const SymTensor& b, Place at) { return binary("div", a, b, at); }

SymTensor where(const SymTensor& c, const SymTensor& a, const SymTensor& b, Place at) {
  Call call(c.tracer(), "where", at);
  Shape shape = broadcast_in(call, broadcast_in(call, c.shape(), a.shape()), b.shape());
  return call.record("where", {}, {c, a, b}, std::move(shape), promote(a.dtype(), b.dtype()));
}

}  // namespace dimgate::shape
