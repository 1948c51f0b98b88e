// Views: the same elements under other dims.
#include "shape/common.hpp"

namespace dimgate::shape {

namespace {

SymInt product(std::span<const SymInt> sizes) {
  SymInt out = 1;
  for (const SymInt& s : sizes) out *= s;
  return out;
}

/// What -1 stands for. Sizes that occur on both sides cancel (each is required to be nonzero first), so that
/// (B, L, 48) as (B, L, 3, -1) needs no division.
SymInt left_over(Call& call, const Shape& from, const Shape& sizes, std::size_t hole,
                 const std::function<std::string()>& text) {
  Shape others = sizes;
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(hole));
  for (const SymInt& s : others)
    call.require(s != 0, "a size beside -1 is not 0",
                 [&] { return text() + ": -1 is ambiguous beside a size of 0 (" + describe(s) + ")"; });
  Shape have = from;
  std::erase_if(others, [&](const SymInt& s) {
    for (std::size_t i = 0; i < have.size(); ++i)
      if (have[i].same_term(s)) {
        have.erase(have.begin() + static_cast<std::ptrdiff_t>(i));
        return true;
      }
    return false;
  });
  Integer top = 1, bottom = 1;
  SymInt top_terms = 1, bottom_terms = 1;
  for (const SymInt& s : have) s.is_const() ? void(top *= s.constant()) : void(top_terms *= s);
  for (const SymInt& s : others) s.is_const() ? void(bottom *= s.constant()) : void(bottom_terms *= s);
  const Integer g = gcd(top, bottom);
  const SymInt count = SymInt(floor_div(top, g)) * top_terms, divisor = SymInt(floor_div(bottom, g)) * bottom_terms;
  if (is_value(divisor, 1)) return count;
  call.require(count % divisor == 0, "the sizes divide the number of elements", [&] {
    return text() + ": " + describe(product(others)) + " does not divide " + describe(product(have));
  });
  return count / divisor;
}

}  // namespace

SymInt numel(const Shape& shape) { return product(shape); }

SymTensor reshape(const SymTensor& x, const Shape& sizes, Place at) {
  Call call(x.tracer(), "reshape", at);
  const auto text = [&] { return "shape " + describe(x.shape()) + " cannot become " + describe(sizes); };
  Shape out = sizes;
  std::optional<std::size_t> hole;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (is_value(sizes[i], -1)) {
      if (hole) call.fail(text() + ": only one size can be -1");
      hole = i;
    } else {
      call.require(sizes[i] >= 0, "sizes are >= 0", [&] { return text() + ": sizes must be >= 0, or one of them -1"; });
    }
  }
  if (hole) {
    out[*hole] = left_over(call, x.shape(), sizes, *hole, text);
  } else {
    const SymInt before = numel(x.shape()), after = numel(sizes);
    call.require_equal(before, after, "the number of elements stays", [&] {
      return text() + ": the number of elements must stay: " + describe(before) + " != " + describe(after);
    });
  }
  Attribute attribute{"sizes", out};
  return call.record("reshape", {std::move(attribute)}, {x}, std::move(out), x.dtype());
}

SymTensor flatten(const SymTensor& x, int start_dim, int end_dim, Place at) {
  Call call(x.tracer(), "flatten", at);
  const int start = call.dim(start_dim, x.rank()), end = call.dim(end_dim, x.rank());
  call.check(start <= end, "start_dim " + std::to_string(start_dim) + " comes after end_dim " +
                               std::to_string(end_dim) + " in " + describe(x.shape()));
  Shape out;
  if (x.rank() == 0) {
    out.emplace_back(1);
  } else {
    const auto first = x.shape().begin() + start, last = x.shape().begin() + end + 1;
    out.assign(x.shape().begin(), first);
    out.push_back(product(std::span(first, last)));
    out.insert(out.end(), last, x.shape().end());
  }
  return call.record("flatten", {ints("dims", std::array{start, end})}, {x}, std::move(out), x.dtype());
}

SymTensor permute(const SymTensor& x, std::vector<int> order, Place at) {
  Call call(x.tracer(), "permute", at);
  call.check(static_cast<int>(order.size()) == x.rank(),
             "the order has " + std::to_string(order.size()) + " dims, the tensor " + std::to_string(x.rank()));
  std::vector<bool> seen(order.size());
  Shape out;
  for (int& d : order) {
    d = call.dim(d, x.rank());
    const auto i = static_cast<std::size_t>(d);
    call.check(!seen[i], "dim " + std::to_string(d) + " is named twice");
    seen[i] = true;
    out.push_back(x.shape()[i]);
  }
  return call.record("permute", {ints("order", order)}, {x}, std::move(out), x.dtype());
}

SymTensor transpose(const SymTensor& x, int dim0, int dim1, Place at) {
  Call call(x.tracer(), "transpose", at);
  const int a = call.dim(dim0, x.rank()), b = call.dim(dim1, x.rank());
  Shape out = x.shape();
  if (x.rank() > 0) std::swap(out[static_cast<std::size_t>(a)], out[static_cast<std::size_t>(b)]);
  return call.record("transpose", {ints("dims", std::array{std::min(a, b), std::max(a, b)})}, {x}, std::move(out),
                     x.dtype());
}

SymTensor expand(const SymTensor& x, const Shape& sizes, Place at) {
  Call call(x.tracer(), "expand", at);
  const auto text = [&] { return "shape " + describe(x.shape()) + " cannot be expanded to " + describe(sizes); };
  call.check(sizes.size() >= x.shape().size(), text() + ": fewer dims than the tensor has");
  const std::size_t lead = sizes.size() - x.shape().size();
  Shape out(sizes.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const bool keep = is_value(sizes[i], -1);
    if (i < lead) {
      call.check(!keep, text() + ": -1 keeps a size, and a new leading dim has none");
      call.require(sizes[i] >= 0, "sizes are >= 0", [&] { return text() + ": sizes must be >= 0"; });
      out[i] = sizes[i];
      continue;
    }
    const SymInt& have = x.shape()[i - lead];
    if (keep || have.same_term(sizes[i])) {
      out[i] = have;
      continue;
    }
    const auto h = have.hint(), want = sizes[i].hint();
    const bool grows = is_value(have, 1) || (h && want && h->is_one() && !want->is_one());
    if (grows) {
      if (!have.is_const()) (void)call.decide(have == 1, "expanding: the size is 1");
      call.require(sizes[i] >= 0, "sizes are >= 0", [&] { return text() + ": sizes must be >= 0"; });
      out[i] = sizes[i];
      continue;
    }
    call.require(have == sizes[i], "a size that is not 1 stays", [&] {
      return text() + ": a size that is not 1 must stay: " + describe(have) + " != " + describe(sizes[i]);
    });
    out[i] = simpler(have, sizes[i]);
  }
  Attribute attribute{"sizes", out};
  return call.record("expand", {std::move(attribute)}, {x}, std::move(out), x.dtype());
}

SymTensor squeeze(const SymTensor& x, int dim, Place at) {
  Call call(x.tracer(), "squeeze", at);
  const int d = call.dim(dim, x.rank());
  Shape out = x.shape();
  if (x.rank() > 0 && call.decide(out[static_cast<std::size_t>(d)] == 1, "squeezing: is the size 1"))
    out.erase(out.begin() + d);
  return call.record("squeeze", {ints("dim", std::array{d})}, {x}, std::move(out), x.dtype());
}

SymTensor squeeze(const SymTensor& x, Place at) {
  Call call(x.tracer(), "squeeze", at);
  Shape out;
  std::vector<int> gone;
  for (std::size_t i = 0; i < x.shape().size(); ++i) {
    if (call.decide(x.shape()[i] == 1, "squeezing: is the size 1"))
      gone.push_back(static_cast<int>(i));
    else
      out.push_back(x.shape()[i]);
  }
  return call.record("squeeze", {ints("dims", gone)}, {x}, std::move(out), x.dtype());
}

SymTensor unsqueeze(const SymTensor& x, int dim, Place at) {
  Call call(x.tracer(), "unsqueeze", at);
  const int d = call.dim(dim, x.rank() + 1);
  Shape out = x.shape();
  out.insert(out.begin() + d, SymInt(1));
  return call.record("unsqueeze", {ints("dim", std::array{d})}, {x}, std::move(out), x.dtype());
}

}  // namespace dimgate::shape
