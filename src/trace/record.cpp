// What the tracer appends to its program.
#include "dimgate/trace.hpp"
#include "trace/tracer_impl.hpp"

namespace dimgate {

const SymInt& SymTensor::size(int dim, std::source_location at) const {
  const int r = rank();
  if (dim < -r || dim >= r) {
    tracer_->shape_error("dim " + std::to_string(dim) + " of a tensor of shape " + to_string(shape_) +
                             " does not exist: " +
                             (r == 0 ? std::string("it has none")
                                     : "it is in [" + std::to_string(-r) + ", " + std::to_string(r - 1) + "]"),
                         at);
  }
  return shape_[static_cast<std::size_t>(dim < 0 ? dim + r : dim)];
}

namespace {

std::vector<Expr> terms(Context& ctx, const Shape& shape) {
  std::vector<Expr> out;
  out.reserve(shape.size());
  for (const SymInt& s : shape) out.push_back(s.expr(ctx));
  return out;
}

}  // namespace

SymTensor Tracer::input(std::string_view name, Shape shape, std::string dtype) {
  const auto node = static_cast<std::uint32_t>(program_.nodes().size());
  const ValueId id = program_.add_value({terms(*ctx_, shape), {}, dtype, node});
  program_.add_node({.op = "input", .attributes = {}, .operands = {}, .results = {id}, .name = std::string(name)});
  return SymTensor(*this, id, std::move(shape), std::move(dtype));
}

SymInt Tracer::input_int(std::string_view name, const SymInt& value) {
  const auto node = static_cast<std::uint32_t>(program_.nodes().size());
  const ValueId id = program_.add_value({{}, value.expr(*ctx_), "int64", node});
  program_.add_node({.op = "input_int", .attributes = {}, .operands = {}, .results = {id}, .name = std::string(name)});
  return value;
}

SymTensor Tracer::parameter(std::string_view name, Shape shape, std::string dtype) {
  if (const auto it = impl_->parameters.find(std::string(name)); it != impl_->parameters.end()) {
    const Shape& old = it->second.shape();
    bool same = old.size() == shape.size() && it->second.dtype() == dtype;
    for (std::size_t i = 0; same && i < old.size(); ++i) same = old[i].same_term(shape[i]);
    if (!same)
      throw TraceError(
          "parameter " + std::string(name) + " is asked for as " + to_string(shape) + " and was " + to_string(old),
          place(std::source_location::current()));
    return it->second;
  }
  const auto node = static_cast<std::uint32_t>(program_.nodes().size());
  const ValueId id = program_.add_value({terms(*ctx_, shape), {}, dtype, node});
  program_.add_node({.op = "parameter", .attributes = {}, .operands = {}, .results = {id}, .name = std::string(name)});
  SymTensor t(*this, id, std::move(shape), std::move(dtype));
  impl_->parameters.emplace(name, t);
  return t;
}

std::vector<SymTensor> Tracer::record_many(std::string op, std::vector<Attribute> attributes,
                                           std::span<const SymTensor> operands, std::vector<Shape> results,
                                           std::string dtype) {
  const auto node = static_cast<std::uint32_t>(program_.nodes().size());
  ProgramNode n{.op = std::move(op), .attributes = std::move(attributes), .operands = {}, .results = {}};
  n.where = place(std::source_location::current());
  n.operands.reserve(operands.size());
  for (const SymTensor& t : operands) n.operands.push_back(t.id());
  std::vector<SymTensor> out;
  out.reserve(results.size());
  for (Shape& shape : results) {
    const ValueId id = program_.add_value({terms(*ctx_, shape), {}, dtype, node});
    n.results.push_back(id);
    out.emplace_back(*this, id, std::move(shape), dtype);
  }
  program_.add_node(std::move(n));
  return out;
}

SymTensor Tracer::record(std::string op, std::vector<Attribute> attributes, std::span<const SymTensor> operands,
                         Shape result, std::string dtype) {
  std::vector<Shape> one;
  one.push_back(std::move(result));
  return record_many(std::move(op), std::move(attributes), operands, std::move(one), std::move(dtype)).front();
}

}  // namespace dimgate
