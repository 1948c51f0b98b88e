// Convolutions (Dumoulin & Visin, "A guide to convolution arithmetic", 2016; PyTorch's checks).
#include "shape/common.hpp"

namespace dimgate::shape {

SymInt window_output(const SymInt& size, const SymInt& kernel, const SymInt& stride, const SymInt& padding,
                     const SymInt& dilation) {
  return (size + 2 * padding - dilation * (kernel - 1) - 1) / stride + 1;
}

namespace {

void check_window(Call& call, std::string_view name, const Window& w, int spatial) {
  call.check(w.size() == 1 || w.size() == static_cast<std::size_t>(spatial),
             std::string(name) + " needs 1 or " + std::to_string(spatial) + " values, not " + describe(w));
}

void at_least(Call& call, std::string_view name, const Window& w, std::int64_t least) {
  for (const SymInt& v : w)
    call.require(v >= least, "window parameters are in range",
                 [&] { return std::string(name) + " must be >= " + std::to_string(least) + ", not " + describe(v); });
}

/// size >= need and size >= 1, as one condition where `need` is a number.
void require_size(Call& call, const SymInt& size, const SymInt& need, const std::function<std::string()>& message) {
  if (need.is_const()) {
    call.require(size >= (need.constant().sign() > 0 ? need : SymInt(1)), "the window fits the padded input", message);
  } else {
    call.require(size >= 1, "spatial sizes are >= 1", message);
    call.require(size >= need, "the window fits the padded input", message);
  }
}

}  // namespace

SymTensor conv(int spatial, const SymTensor& x, const SymTensor& weight, const ConvOptions& o, Place place) {
  const std::string op = (o.transposed ? "conv_transpose" : "conv") + std::to_string(spatial) + "d";
  Call call(x.tracer(), op, place);
  std::vector<SymTensor> operands{x, weight};
  if (o.bias) operands.push_back(*o.bias);
  const auto shapes = [&] { return describe(operands); };
  const auto n = static_cast<std::size_t>(spatial);
  call.check(spatial >= 1 && spatial <= 3, "1 to 3 spatial dims, not " + std::to_string(spatial));
  call.check(weight.rank() == spatial + 2, "the weight has 2 + " + std::to_string(spatial) + " dims: " + shapes());
  call.check(x.rank() == spatial + 2 || x.rank() == spatial + 1,
             "the input is (N, C, …) or (C, …) with " + std::to_string(spatial) + " spatial dims: " + shapes());
  check_window(call, "stride", o.stride, spatial);
  check_window(call, "padding", o.padding, spatial);
  check_window(call, "dilation", o.dilation, spatial);
  check_window(call, "output_padding", o.output_padding, spatial);
  at_least(call, "stride", o.stride, 1);
  at_least(call, "dilation", o.dilation, 1);
  if (!o.same) at_least(call, "padding", o.padding, 0);
  at_least(call, "groups", {o.groups}, 1);

  const std::size_t c = x.shape().size() - n - 1;  // the channel dim
  const SymInt& channels = x.shape()[c];
  SymInt out_channels;
  const auto channel_message = [&] {
    return "the input's channels do not fit the weight's" +
           (is_value(o.groups, 1) ? std::string() : " with " + describe(o.groups) + " groups") + ": " + shapes();
  };
  if (o.transposed) {
    call.require_equal(channels, weight.size(0), "channels must agree", channel_message);
    if (!is_value(o.groups, 1)) call.require(channels % o.groups == 0, "groups divide the channels", channel_message);
    out_channels = weight.size(1) * o.groups;
  } else {
    call.require_equal(channels, weight.size(1) * o.groups, "channels must agree", channel_message);
    out_channels = weight.size(0);
    if (!is_value(o.groups, 1))
      call.require(out_channels % o.groups == 0, "groups divide the channels", channel_message);
  }
  if (o.bias) {
    call.check(o.bias->rank() == 1, "the bias is (out,): " + shapes());
    call.require_equal(o.bias->size(0), out_channels, "bias size must be the weight's",
                       [&] { return "the bias must have a value for each output channel: " + shapes(); });
  }

  Shape out = x.shape();
  out[c] = out_channels;
  for (std::size_t i = 0; i < n; ++i) {
    SymInt& size = out[c + 1 + i];
    const SymInt k = weight.shape()[2 + i], stride = at(o.stride, i), dilation = at(o.dilation, i);
    const SymInt extent = dilation * (k - 1);
    call.require(k >= 1, "kernel sizes are >= 1", [&] { return "the kernel must be >= 1: " + shapes(); });
    if (o.transposed) {
      const SymInt extra = at(o.output_padding, i);
      const auto message = [&] {
        return "spatial dim " + std::to_string(i) + " has no output, or output_padding " + describe(extra) +
               " is not smaller than stride or dilation: " + shapes();
      };
      call.require(size >= 1, "spatial sizes are >= 1", message);
      call.require(sym_and(extra >= 0, sym_or(extra < stride, extra < dilation)), "output_padding is small", message);
      size = (size - 1) * stride - 2 * at(o.padding, i) + extent + extra + 1;
      call.require(size >= 1, "the output has elements", message);
      continue;
    }
    if (o.same) {
      call.check(is_value(stride, 1), "padding 'same' needs stride 1, not " + describe(stride));
      require_size(call, size, 1, [&] { return "spatial sizes must be >= 1: " + shapes(); });
      continue;
    }
    const SymInt padding = at(o.padding, i);
    require_size(call, size, extent + 1 - 2 * padding, [&] {
      return "the window (" + describe(extent + 1) + " long with dilation) does not fit the padded input (" +
             describe(size + 2 * padding) + ") in spatial dim " + std::to_string(i) + ": " + shapes();
    });
    size = window_output(size, k, stride, padding, dilation);
  }
  std::vector<Attribute> attributes{{"stride", o.stride}, {"dilation", o.dilation}, {"groups", {o.groups}}};
  if (o.same)
    attributes.push_back({"padding", {}, "same"});
  else
    attributes.push_back({"padding", o.padding});
  if (o.transposed) attributes.push_back({"output_padding", o.output_padding});
  return call.record(op, std::move(attributes), operands, std::move(out), x.dtype());
}

SymTensor conv1d(const SymTensor& x, const SymTensor& weight, const ConvOptions& options, Place place) {
  return conv(1, x, weight, options, place);
}
SymTensor conv2d(const SymTensor& x, const SymTensor& weight, const ConvOptions& options, Place place) {
  return conv(2, x, weight, options, place);
}
SymTensor conv3d(const SymTensor& x, const SymTensor& weight, const ConvOptions& options, Place place) {
  return conv(3, x, weight, options, place);
}

}  // namespace dimgate::shape
