// Slices (Python's rules), single indices, and padding.
//
// An end that is known to be in range gives a plain difference; one that is not is clamped by `min`/`max` in the
// result's term, without a decision. Only the sign of a symbolic end that facts leave open is decided.
#include "shape/common.hpp"

namespace dimgate::shape {

namespace {

/// The end as a position >= 0, not yet clamped from above.
SymInt from_front(Call& call, const SymInt& end, const SymInt& size) {
  const bool back = end.is_const() ? end.constant().sign() < 0 : !call.decide(end >= 0, "slicing: is the end negative");
  if (!back) return end;
  const SymInt position = size + end;
  return call.known(position >= 0) ? position : max(position, 0);
}

SymInt clamp(Call& call, const SymInt& position, const SymInt& size) {
  if (is_value(position, 0) || position.same_term(size) || call.known(position <= size)) return position;
  return call.known(position >= size) ? size : min(position, size);
}

Attribute bound(std::string name, const std::optional<SymInt>& v) {
  if (v) return {std::move(name), {*v}};
  return {std::move(name), {}, "none"};
}

}  // namespace

SymTensor slice(const SymTensor& x, int dim, std::optional<SymInt> begin, std::optional<SymInt> end, std::int64_t step,
                Place at) {
  Call call(x.tracer(), "slice", at);
  call.check(x.rank() > 0, "a tensor without dims cannot be sliced");
  call.check(step >= 1, "the step must be >= 1, not " + std::to_string(step));
  const auto d = static_cast<std::size_t>(call.dim(dim, x.rank()));
  const SymInt size = x.shape()[d];
  SymInt length;
  if (begin && !end && begin->is_const() && begin->constant().sign() < 0) {
    length = clamp(call, -*begin, size);  // the last k
  } else {
    const SymInt from = begin ? clamp(call, from_front(call, *begin, size), size) : SymInt(0);
    const SymInt to = end ? clamp(call, from_front(call, *end, size), size) : size;
    length = to - from;
    // `from` is clamped to the size, so without an end nothing is left to clamp.
    if (end && !is_value(from, 0) && !call.known(length >= 0)) length = max(length, 0);
  }
  if (step != 1) length = ceildiv(length, step);
  Shape out = x.shape();
  out[d] = std::move(length);
  return call.record("slice",
                     {{"dim", {static_cast<int>(d)}}, bound("begin", begin), bound("end", end), {"step", {step}}}, {x},
                     std::move(out), x.dtype());
}

SymTensor select(const SymTensor& x, int dim, const SymInt& index, Place at) {
  Call call(x.tracer(), "select", at);
  call.check(x.rank() > 0, "a tensor without dims has no index");
  const auto d = static_cast<std::size_t>(call.dim(dim, x.rank()));
  const SymInt& size = x.shape()[d];
  const auto message = [&] {
    return "index " + describe(index) + " is out of range for dim " + std::to_string(d) + " of " + describe(x.shape());
  };
  if (!index.is_const() || index.constant().sign() >= 0) call.require(index < size, "the index is in range", message);
  if (!index.is_const() || index.constant().sign() < 0) call.require(-size <= index, "the index is in range", message);
  Shape out = x.shape();
  out.erase(out.begin() + static_cast<std::ptrdiff_t>(d));
  return call.record("select", {{"dim", {static_cast<int>(d)}}, {"index", {index}}}, {x}, std::move(out), x.dtype());
}

SymTensor pad(const SymTensor& x, const std::vector<SymInt>& amounts, PadMode mode, Place at) {
  static constexpr std::array<std::string_view, 4> names{"constant", "reflect", "replicate", "circular"};
  Call call(x.tracer(), "pad", at);
  call.check(amounts.size() % 2 == 0, "amounts come in (before, after) pairs, not " + describe(amounts));
  call.check(amounts.size() / 2 <= x.shape().size(),
             "more pairs in " + describe(amounts) + " than dims in " + describe(x.shape()));
  Shape out = x.shape();
  for (std::size_t i = 0; i < amounts.size() / 2; ++i) {
    const std::size_t d = out.size() - 1 - i;
    const SymInt size = out[d];
    const SymInt &before = amounts[2 * i], &after = amounts[2 * i + 1];
    out[d] = before + size + after;
    const auto text = [&] {
      return "shape " + describe(x.shape()) + " cannot be padded by " + describe(amounts) + " (" +
             std::string(names[static_cast<std::size_t>(mode)]) + ")";
    };
    call.require(out[d] >= 0, "the padded size is >= 0",
                 [&] { return text() + ": dim " + std::to_string(d) + " would be " + describe(out[d]); });
    if (mode == PadMode::constant) continue;
    for (const SymInt& amount : {before, after}) {
      const SymBool fits = mode == PadMode::reflect    ? amount < size
                           : mode == PadMode::circular ? amount <= size
                                                       : size >= 1;
      call.require(fits, "the padding fits the size", [&] {
        return text() + ": " + describe(amount) + " does not fit the size " + describe(size) + " of dim " +
               std::to_string(d);
      });
    }
  }
  return call.record("pad", {{"amounts", amounts}, {"mode", {}, std::string(names[static_cast<std::size_t>(mode)])}},
                     {x}, std::move(out), x.dtype());
}

}  // namespace dimgate::shape
