// Joining and cutting along a dim.
#include "shape/common.hpp"

namespace dimgate::shape {

SymTensor cat(std::span<const SymTensor> parts, int dim, Place at) {
  if (parts.empty()) throw ShapeError("cat: needs at least one operand", Location::here(at));
  Call call(parts[0].tracer(), "cat", at);
  // PyTorch skips 1-d operands of size 0, a relic of tensors without a shape.
  std::vector<const SymTensor*> joined;
  for (const SymTensor& t : parts)
    if (!(t.rank() == 1 && is_value(t.shape()[0], 0))) joined.push_back(&t);
  if (joined.empty()) joined.push_back(&parts[0]);
  Shape out = joined[0]->shape();
  std::string dtype = joined[0]->dtype();
  call.check(!out.empty(), "tensors without dims cannot be joined; stack them: " + describe(parts));
  const auto d = static_cast<std::size_t>(call.dim(dim, joined[0]->rank()));
  for (const SymTensor* t : std::span(joined).subspan(1)) {
    call.check(t->shape().size() == out.size(), "ranks must agree: " + describe(parts));
    dtype = promote(dtype, t->dtype());
    for (std::size_t i = 0; i < out.size(); ++i) {
      const SymInt& size = t->shape()[i];
      if (i == d) {
        out[i] += size;
        continue;
      }
      call.require_equal(out[i], size, "sizes must agree", [&] {
        return "sizes must agree except in dim " + std::to_string(d) + ": " + describe(parts) + ": " +
               describe(out[i]) + " != " + describe(size) + " in dim " + std::to_string(i);
      });
      out[i] = simpler(out[i], size);
    }
  }
  return call.record("cat", {ints("dim", std::array{static_cast<int>(d)})}, parts, std::move(out), std::move(dtype));
}

SymTensor stack(std::span<const SymTensor> parts, int dim, Place at) {
  if (parts.empty()) throw ShapeError("stack: needs at least one operand", Location::here(at));
  Call call(parts[0].tracer(), "stack", at);
  Shape out = parts[0].shape();
  std::string dtype = parts[0].dtype();
  for (const SymTensor& t : parts.subspan(1)) {
    call.check(t.shape().size() == out.size(), "ranks must agree: " + describe(parts));
    dtype = promote(dtype, t.dtype());
    for (std::size_t i = 0; i < out.size(); ++i) {
      const SymInt& size = t.shape()[i];
      call.require_equal(out[i], size, "sizes must agree", [&] {
        return "sizes must agree: " + describe(parts) + ": " + describe(out[i]) + " != " + describe(size) + " in dim " +
               std::to_string(i);
      });
      out[i] = simpler(out[i], size);
    }
  }
  const int d = call.dim(dim, parts[0].rank() + 1);
  out.insert(out.begin() + d, SymInt(static_cast<std::int64_t>(parts.size())));
  return call.record("stack", {ints("dim", std::array{d})}, parts, std::move(out), std::move(dtype));
}

namespace {

/// More results of one operator than this are refused: eager might do it, a program of that length is none to keep.
constexpr std::int64_t kMaxPieces = 1'000'000;

/// Pieces of `size` along d, the last one what is left. The count n is decided as (n-1)*size < total <= n*size,
/// which is ceildiv(total, size) == n without a division.
std::vector<SymTensor> cut(Call& call, std::string_view op, Attribute attribute, const SymTensor& x, std::size_t d,
                           const SymInt& size, Place at) {
  const SymInt& total = x.shape()[d];
  const auto ht = total.hint(), hs = size.hint();
  std::int64_t n = 1;
  if (ht && hs && hs->sign() > 0) {
    const auto count = ceil_div(*ht, *hs).to_int64();
    if (!count || *count > kMaxPieces) call.give_up("too many pieces: " + describe(total) + " by " + describe(size));
    n = std::max<std::int64_t>(*count, 1);
    if (n > 1) (void)call.decide(SymInt(n - 1) * size < total, "the number of pieces");
    (void)call.decide(total <= SymInt(n) * size, "the number of pieces");
  } else {
    n = max(ceildiv(total, size), 1).to_int(at);
  }
  std::vector<Shape> results;
  results.reserve(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) {
    Shape piece = x.shape();
    piece[d] = i + 1 < n ? size : total - SymInt(n - 1) * size;
    results.push_back(std::move(piece));
  }
  const SymTensor operand[] = {x};
  return call.tracer().record_many(std::string(op), {std::move(attribute), {"dim", {static_cast<int>(d)}}}, operand,
                                   std::move(results), x.dtype());
}

std::size_t axis(Call& call, const SymTensor& x, int dim) {
  call.check(x.rank() > 0, "a tensor without dims cannot be cut");
  return static_cast<std::size_t>(call.dim(dim, x.rank()));
}

}  // namespace

std::vector<SymTensor> split(const SymTensor& x, const SymInt& size, int dim, Place at) {
  Call call(x.tracer(), "split", at);
  const std::size_t d = axis(call, x, dim);
  call.require(size >= 1, "pieces have a size >= 1",
               [&] { return "the pieces' size must be >= 1, not " + describe(size) + ", for " + describe(x.shape()); });
  return cut(call, "split", {"size", {size}}, x, d, size, at);
}

std::vector<SymTensor> split_sizes(const SymTensor& x, const std::vector<SymInt>& sizes, int dim, Place at) {
  Call call(x.tracer(), "split_sizes", at);
  const std::size_t d = axis(call, x, dim);
  SymInt sum = 0;
  std::vector<Shape> results;
  for (const SymInt& s : sizes) {
    call.require(s >= 0, "pieces have a size >= 0", [&] { return "a piece's size must be >= 0, not " + describe(s); });
    sum += s;
    results.push_back(x.shape());
    results.back()[d] = s;
  }
  call.require_equal(sum, x.shape()[d], "the pieces add up", [&] {
    return "the sizes " + describe(sizes) + " must add up to dim " + std::to_string(d) + " of " + describe(x.shape());
  });
  const SymTensor operand[] = {x};
  return call.tracer().record_many("split_sizes", {{"sizes", sizes}, {"dim", {static_cast<int>(d)}}}, operand,
                                   std::move(results), x.dtype());
}

std::vector<SymTensor> chunk(const SymTensor& x, std::int64_t chunks, int dim, Place at) {
  Call call(x.tracer(), "chunk", at);
  const std::size_t d = axis(call, x, dim);
  call.check(chunks >= 1, "needs at least 1 chunk, not " + std::to_string(chunks));
  const SymInt& total = x.shape()[d];
  const auto h = total.hint();
  if (is_value(total, 0) || (h && h->is_zero() && call.decide(total == 0, "an empty dim gives empty chunks"))) {
    std::vector<Shape> results(static_cast<std::size_t>(chunks), x.shape());
    for (Shape& s : results) s[d] = total;
    const SymTensor operand[] = {x};
    return call.tracer().record_many("chunk", {{"chunks", {chunks}}, {"dim", {static_cast<int>(d)}}}, operand,
                                     std::move(results), x.dtype());
  }
  call.require(total >= 1, "an empty dim gives empty chunks", [&] { return describe(x.shape()) + " has no elements"; });
  return cut(call, "chunk", {"chunks", {chunks}}, x, d, ceildiv(total, chunks), at);
}

std::vector<SymTensor> unbind(const SymTensor& x, int dim, Place at) {
  Call call(x.tracer(), "unbind", at);
  const std::size_t d = axis(call, x, dim);
  const std::int64_t n = call.tracer().to_int(x.shape()[d], at, "the number of pieces");
  if (n > kMaxPieces) call.give_up("too many pieces: " + std::to_string(n));
  Shape piece = x.shape();
  piece.erase(piece.begin() + static_cast<std::ptrdiff_t>(d));
  const SymTensor operand[] = {x};
  return call.tracer().record_many("unbind", {{"dim", {static_cast<int>(d)}}}, operand,
                                   std::vector<Shape>(static_cast<std::size_t>(n), piece), x.dtype());
}

}  // namespace dimgate::shape
