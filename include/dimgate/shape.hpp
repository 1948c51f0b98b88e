// Shape functions of the usual tensor operators, written once on SymInt, with PyTorch's rules.
//
// Each checks its operands, computes the result's dims and appends one node to the tracer's program. What the rules
// leave open is decided (see trace.hpp): a condition that eager execution would check becomes a guard when it is not
// known, and a ShapeError naming the operator, the operands' shapes and the rule where it fails at the hints.
//  - Equal terms and the constant 1 never need a decision.
//  - Result dims are terms without facts. No function branches on an amount being zero: a pad by 0 is still a pad.
//  - Sizes 0 are legal where PyTorch allows them.
// `at` is the caller's line; guards carry it. Dims may be negative (from the end). Tested by tests/shape.
#pragma once

#include <array>
#include <initializer_list>
#include <optional>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dimgate/trace.hpp"

namespace dimgate::shape {

using Place = std::source_location;

// ---- elementwise ------------------------------------------------------------------------------
/// The common shape of both, dims aligned at the right: for each pair equal sizes, or one of them 1.
Shape broadcast(Tracer& t, const Shape& a, const Shape& b, Place at = Place::current());
/// One operand (`relu`, `gelu`, `cast`): the shape stays.
SymTensor unary(std::string_view op, const SymTensor& x, std::vector<Attribute> attributes = {},
                Place at = Place::current());
SymTensor relu(const SymTensor& x, Place at = Place::current());
SymTensor gelu(const SymTensor& x, Place at = Place::current());
SymTensor cast(const SymTensor& x, std::string dtype, Place at = Place::current());
/// Any number of operands, broadcast (`where` has three).
SymTensor elementwise(std::string_view op, std::span<const SymTensor> operands, std::vector<Attribute> attributes = {},
                      Place at = Place::current());
SymTensor add(const SymTensor& a, const SymTensor& b, Place at = Place::current());
SymTensor sub(const SymTensor& a, const SymTensor& b, Place at = Place::current());
SymTensor mul(const SymTensor& a, const SymTensor& b, Place at = Place::current());
SymTensor div(const SymTensor& a, const SymTensor& b, Place at = Place::current());
SymTensor where(const SymTensor& c, const SymTensor& a, const SymTensor& b, Place at = Place::current());

// ---- products ---------------------------------------------------------------------------------
/// torch.matmul: 1-d operands are vectors; leading dims broadcast; inner sizes must agree.
SymTensor matmul(const SymTensor& a, const SymTensor& b, Place at = Place::current());
/// x(…, in), weight(out, in), bias(out) -> (…, out).
SymTensor linear(const SymTensor& x, const SymTensor& weight, const std::optional<SymTensor>& bias = std::nullopt,
                 Place at = Place::current());
struct AttentionOptions {
  bool causal = false;
  std::optional<SymTensor> mask = std::nullopt;  // broadcast to (…, L, S)
};
/// q(…, L, E), k(…, S, E), v(…, S, Ev) -> (…, L, Ev).
SymTensor attention(const SymTensor& q, const SymTensor& k, const SymTensor& v, const AttentionOptions& options = {},
                    Place at = Place::current());

// ---- views ------------------------------------------------------------------------------------
/// At most one -1, which stands for what is left; the other sizes' product must be nonzero and divide the count.
SymTensor reshape(const SymTensor& x, const Shape& sizes, Place at = Place::current());
SymTensor flatten(const SymTensor& x, int start_dim = 0, int end_dim = -1, Place at = Place::current());
SymTensor permute(const SymTensor& x, std::vector<int> order, Place at = Place::current());
SymTensor transpose(const SymTensor& x, int dim0, int dim1, Place at = Place::current());
/// -1 keeps a size; a size that is not 1 must equal its target; new leading dims are allowed.
SymTensor expand(const SymTensor& x, const Shape& sizes, Place at = Place::current());
/// Drops the dim if its size is 1 (a decision).
SymTensor squeeze(const SymTensor& x, int dim, Place at = Place::current());
/// Drops every dim whose size is 1 (a decision for each).
SymTensor squeeze(const SymTensor& x, Place at = Place::current());
SymTensor unsqueeze(const SymTensor& x, int dim, Place at = Place::current());

// ---- parts ------------------------------------------------------------------------------------
/// Sizes must agree in every other dim. As torch.cat, 1-d operands of size 0 are skipped only if constant.
SymTensor cat(std::span<const SymTensor> parts, int dim, Place at = Place::current());
inline SymTensor cat(std::initializer_list<SymTensor> parts, int dim, Place at = Place::current()) {
  return cat(std::span(parts.begin(), parts.size()), dim, at);
}
SymTensor stack(std::span<const SymTensor> parts, int dim, Place at = Place::current());
/// Pieces of `size` (>= 1), the last one what is left. Their number is a `to_int`: it guards a range of the dim.
std::vector<SymTensor> split(const SymTensor& x, const SymInt& size, int dim, Place at = Place::current());
/// Pieces of the given sizes, which must add up to the dim's.
std::vector<SymTensor> split_sizes(const SymTensor& x, const std::vector<SymInt>& sizes, int dim,
                                   Place at = Place::current());
/// torch.chunk: at most `chunks` pieces of ceil(size/chunks).
std::vector<SymTensor> chunk(const SymTensor& x, std::int64_t chunks, int dim, Place at = Place::current());
/// The pieces of size 1 along a dim, without it. Their number is a `to_int`.
std::vector<SymTensor> unbind(const SymTensor& x, int dim, Place at = Place::current());
/// Python's x[begin:end:step]: negative ends count from the back, both are clamped to the size; step >= 1.
SymTensor slice(const SymTensor& x, int dim, std::optional<SymInt> begin, std::optional<SymInt> end,
                std::int64_t step = 1, Place at = Place::current());
/// x[…, index, …]: the dim goes; -size <= index < size.
SymTensor select(const SymTensor& x, int dim, const SymInt& index, Place at = Place::current());
enum class PadMode : std::uint8_t { constant, reflect, replicate, circular };
/// As torch: (before, after) pairs from the last dim backwards; negative amounts cut.
SymTensor pad(const SymTensor& x, const std::vector<SymInt>& amounts, PadMode mode = PadMode::constant,
              Place at = Place::current());

// ---- windows ----------------------------------------------------------------------------------
/// One value for every spatial dim, or one each.
using Window = std::vector<SymInt>;
struct ConvOptions {
  Window stride = {1};
  Window padding = {0};
  Window dilation = {1};
  SymInt groups = 1;
  std::optional<SymTensor> bias = std::nullopt;
  bool same = false;  // padding "same": stride must be 1
  bool transposed = false;
  Window output_padding = {0};  // transposed only
};
/// spatial = 1, 2 or 3; x is (N, C, spatial…) or unbatched (C, spatial…), weight (out, C/groups, kernel…); transposed:
/// (C, out/groups, kernel…). The window must fit the padded input: H + 2p >= dilation*(kernel - 1) + 1.
SymTensor conv(int spatial, const SymTensor& x, const SymTensor& weight, const ConvOptions& options = {},
               Place at = Place::current());
SymTensor conv1d(const SymTensor& x, const SymTensor& weight, const ConvOptions& options = {},
                 Place at = Place::current());
SymTensor conv2d(const SymTensor& x, const SymTensor& weight, const ConvOptions& options = {},
                 Place at = Place::current());
SymTensor conv3d(const SymTensor& x, const SymTensor& weight, const ConvOptions& options = {},
                 Place at = Place::current());
struct PoolOptions {
  Window stride = {};    // empty: the kernel
  Window padding = {0};  // at most half the kernel
  Window dilation = {1};
  bool ceil_mode = false;
};
/// kind: "max_pool" or "avg_pool".
SymTensor pool(int spatial, std::string_view kind, const SymTensor& x, Window kernel, const PoolOptions& options = {},
               Place at = Place::current());
SymTensor max_pool2d(const SymTensor& x, Window kernel, const PoolOptions& options = {}, Place at = Place::current());
SymTensor avg_pool2d(const SymTensor& x, Window kernel, const PoolOptions& options = {}, Place at = Place::current());
SymTensor adaptive_avg_pool2d(const SymTensor& x, const SymInt& height, const SymInt& width,
                              Place at = Place::current());
/// Spatial sizes times numerator/denominator, rounded down (interpolate with scale_factor).
SymTensor upsample(const SymTensor& x, std::int64_t numerator, std::int64_t denominator = 1,
                   std::string_view mode = "nearest", Place at = Place::current());
/// Spatial sizes as given.
SymTensor upsample_to(const SymTensor& x, const std::vector<SymInt>& sizes, std::string_view mode = "nearest",
                      Place at = Place::current());

// ---- reductions, norms, tables ----------------------------------------------------------------
/// sum, mean, amax, argmax, …: `dims` go (all if empty), or stay as 1. amax, amin, argmax and argmin need >= 1 element
/// in what they reduce.
SymTensor reduce(std::string_view op, const SymTensor& x, std::vector<int> dims, bool keepdim = false,
                 Place at = Place::current());
SymTensor softmax(const SymTensor& x, int dim, Place at = Place::current());
/// What a norm reads beside x: weight and bias, or for batch_norm also running mean and variance; each of size
/// `normalized_shape`, or `channels`.
using Parameters = std::vector<SymTensor>;
/// The last dims must be `normalized_shape`.
SymTensor layer_norm(const SymTensor& x, const Shape& normalized_shape, const Parameters& parameters = {},
                     Place at = Place::current());
SymTensor rms_norm(const SymTensor& x, const Shape& normalized_shape, const Parameters& parameters = {},
                   Place at = Place::current());
/// Each parameter is of the size of dim 1.
SymTensor batch_norm(const SymTensor& x, const Parameters& parameters = {}, Place at = Place::current());
/// `groups` divides the size of dim 1.
SymTensor group_norm(const SymTensor& x, const SymInt& groups, const Parameters& parameters = {},
                     Place at = Place::current());
/// index (…), table (rows, features) -> (…, features).
SymTensor embedding(const SymTensor& index, const SymTensor& table, Place at = Place::current());

// ---- made from numbers ------------------------------------------------------------------------
/// 0, 1, …, count-1; count >= 0.
SymTensor arange(Tracer& t, const SymInt& count, Place at = Place::current());
/// A constant-filled tensor; sizes >= 0.
SymTensor full(Tracer& t, const Shape& sizes, std::string dtype = "float32", Place at = Place::current());

// ---- helpers ----------------------------------------------------------------------------------
/// The product of the sizes.
SymInt numel(const Shape& shape);
/// One dim of a convolution or pooling: (size + 2*padding - dilation*(kernel-1) - 1)//stride + 1, no checks.
SymInt window_output(const SymInt& size, const SymInt& kernel, const SymInt& stride, const SymInt& padding,
                     const SymInt& dilation);

}  // namespace dimgate::shape
