// Matrix products: inner sizes must agree, leading dims broadcast.
#include "shape/common.hpp"

namespace dimgate::shape {

namespace {

/// The common leading dims of two operands, each without its last two.
Shape broadcast_batch(Call& call, const Shape& a, const Shape& b, std::span<const SymTensor> operands) {
  const std::size_t na = a.size() - 2, nb = b.size() - 2, rank = std::max(na, nb);
  Shape out(rank);
  for (std::size_t i = 0; i < rank; ++i) {
    SymInt& size = out[rank - 1 - i];
    if (i >= na)
      size = b[nb - 1 - i];
    else if (i >= nb)
      size = a[na - 1 - i];
    else
      size = call.broadcast_size(a[na - 1 - i], b[nb - 1 - i], [&, i] {
        return "batch dims of " + describe(operands) + " do not broadcast: " + describe(a[na - 1 - i]) + " and " +
               describe(b[nb - 1 - i]) + " must be equal, or one of them 1";
      });
  }
  return out;
}

}  // namespace

SymTensor matmul(const SymTensor& a, const SymTensor& b, Place at) {
  Call call(a.tracer(), "matmul", at);
  const SymTensor both[] = {a, b};
  call.check(a.rank() > 0 && b.rank() > 0, "operands need at least 1 dim: " + describe(both));
  Shape x = a.shape(), y = b.shape();
  const bool row = x.size() == 1, column = y.size() == 1;
  if (row) x.insert(x.begin(), SymInt(1));
  if (column) y.push_back(SymInt(1));
  const SymInt &inner_a = x[x.size() - 1], &inner_b = y[y.size() - 2];
  call.require_equal(inner_a, inner_b, "inner sizes must agree", [&] {
    return "inner sizes must agree: " + describe(both) + ": " + describe(inner_a) + " != " + describe(inner_b);
  });
  Shape out = broadcast_batch(call, x, y, both);
  if (!row) out.push_back(x[x.size() - 2]);
  if (!column) out.push_back(y[y.size() - 1]);
  return call.record("matmul", {}, both, std::move(out), promote(a.dtype(), b.dtype()));
}

SymTensor linear(const SymTensor& x, const SymTensor& weight, const std::optional<SymTensor>& bias, Place at) {
  Call call(x.tracer(), "linear", at);
  std::vector<SymTensor> operands{x, weight};
  if (bias) operands.push_back(*bias);
  call.check(x.rank() >= 1, "the input needs at least 1 dim: " + describe(operands));
  call.check(weight.rank() == 2, "the weight is (out, in): " + describe(operands));
  call.require_equal(x.size(-1), weight.size(1), "last size must be the weight's", [&] {
    return "the input's last size must be the weight's second: " + describe(operands) + ": " + describe(x.size(-1)) +
           " != " + describe(weight.size(1));
  });
  if (bias) {
    call.check(bias->rank() == 1, "the bias is (out,): " + describe(operands));
    call.require_equal(bias->size(0), weight.size(0), "bias size must be the weight's",
                       [&] { return "the bias must be of the weight's first size: " + describe(operands); });
  }
  Shape out = x.shape();
  out.back() = weight.size(0);
  return call.record("linear", {}, operands, std::move(out), x.dtype());
}

SymTensor attention(const SymTensor& q, const SymTensor& k, const SymTensor& v, const AttentionOptions& options,
                    Place at) {
  Call call(q.tracer(), "attention", at);
  std::vector<SymTensor> operands{q, k, v};
  if (options.mask) operands.push_back(*options.mask);
  for (const SymTensor& t : {q, k, v})
    call.check(t.rank() >= 2, "query, key and value need at least 2 dims: " + describe(operands));
  call.require_equal(q.size(-1), k.size(-1), "query and key features must agree", [&] {
    return "the last sizes of query and key must agree: " + describe(operands) + ": " + describe(q.size(-1)) +
           " != " + describe(k.size(-1));
  });
  call.require_equal(k.size(-2), v.size(-2), "key and value lengths must agree", [&] {
    return "key and value must be of one length: " + describe(operands) + ": " + describe(k.size(-2)) +
           " != " + describe(v.size(-2));
  });
  Shape scored = broadcast_batch(call, q.shape(), k.shape(), operands);
  scored.insert(scored.end(), {q.size(-2), k.size(-2)});
  Shape out = broadcast_batch(call, scored, v.shape(), operands);
  out.insert(out.end(), {q.size(-2), v.size(-1)});
  if (options.mask) {
    Shape scores = out;
    scores.back() = k.size(-2);
    const Shape& mask = options.mask->shape();
    call.check(mask.size() <= scores.size(),
               "the mask has more dims than the scores " + describe(scores) + ": " + describe(mask));
    for (std::size_t i = 0; i < mask.size(); ++i) {
      const SymInt &m = mask[mask.size() - 1 - i], &s = scores[scores.size() - 1 - i];
      if (m.same_term(s) || is_value(m, 1)) continue;
      const auto hm = m.hint(), hs = s.hint();
      if (hm && hs && hm->is_one() && !hs->is_one()) {
        (void)call.decide(m == 1, "the mask's size is 1");
        continue;
      }
      call.require(m == s, "the mask must broadcast to the scores", [&] {
        return "the mask " + describe(mask) + " must broadcast to the scores " + describe(scores) + ": " + describe(m) +
               " != " + describe(s);
      });
    }
  }
  return call.record("attention", {{"causal", {options.causal ? 1 : 0}}}, operands, std::move(out), q.dtype());
}

}  // namespace dimgate::shape
