// Image models: a residual network, a detector with a feature pyramid, and LeNet on fixed sizes.
#include "layers.hpp"
#include "models.hpp"

namespace dimgate::models {

namespace {

SymTensor conv_bn(const SymTensor& x, const std::string& name, int in, int out, int kernel, int stride, int padding,
                  Place at = Place::current()) {
  return batch_norm(conv2d(x, name + ".conv", in, out, kernel, stride, padding, at), name + ".bn", out, at);
}

SymTensor residual(const SymTensor& x, const std::string& name, int in, int out, int stride) {
  SymTensor y = shape::relu(conv_bn(x, name + ".1", in, out, 3, stride, 1));
  y = conv_bn(y, name + ".2", out, out, 3, 1, 1);
  const SymTensor way = stride == 1 && in == out ? x : conv_bn(x, name + ".down", in, out, 1, stride, 0);
  return shape::relu(shape::add(y, way));
}

/// Feature maps at strides 4, 8, 16 and 32.
std::vector<SymTensor> backbone(SymTensor x) {
  x = shape::relu(conv_bn(x, "stem", 3, 8, 7, 2, 3));
  x = shape::max_pool2d(x, {3}, {.stride = {2}, .padding = {1}});
  std::vector<SymTensor> out;
  int in = 8;
  for (int i = 0; i < 4; ++i) {
    const int features = 8 << i;
    x = residual(x, "layer" + std::to_string(i + 1), in, features, i == 0 ? 1 : 2);
    in = features;
    out.push_back(x);
  }
  return out;
}

class ResNet final : public NamedModel {
 public:
  ResNet() : NamedModel("resnet", "residual network, any image size", image_dims()) {}
  void trace(Tracer& t, std::span<const SymInt> dims) const override {
    const SymTensor x = backbone(t.input("x", {dims[0], dims[1], dims[2], dims[3]})).back();
    t.output(linear(shape::flatten(shape::adaptive_avg_pool2d(x, 1, 1), 1), "fc", 64, 10));
  }
};

/// A feature pyramid: each level is added to the doubled one above, so image sizes must be multiples of 32.
class Detector final : public NamedModel {
 public:
  Detector() : NamedModel("detector", "feature pyramid with upsample and add", image_dims()) {}
  void trace(Tracer& t, std::span<const SymInt> dims) const override {
    const std::vector<SymTensor> maps = backbone(t.input("x", {dims[0], dims[1], dims[2], dims[3]}));
    constexpr int features = 16;
    SymTensor top = conv2d(maps[3], "lateral3", 64, features, 1);
    predict(t, top, 3);
    for (int i = 2; i >= 0; --i) {
      const std::string name = "lateral" + std::to_string(i);
      const SymTensor side = conv2d(maps[static_cast<std::size_t>(i)], name, 8 << i, features, 1);
      top = shape::add(side, shape::upsample(top, 2));
      predict(t, top, i);
    }
  }

 private:
  static void predict(Tracer& t, const SymTensor& map, int level) {
    constexpr int anchors = 3, values = 5;
    const std::string name = "head" + std::to_string(level);
    const SymTensor y = conv2d(map, name, 16, anchors * values, 3, 1, 1);
    // (B, 15, h, w) -> (B, 3*h*w, 5)
    const SymTensor moved =
        shape::permute(shape::reshape(y, {y.size(0), anchors, values, y.size(2), y.size(3)}), {0, 3, 4, 1, 2});
    t.output(shape::reshape(moved, {y.size(0), anchors * y.size(2) * y.size(3), values}));
  }
};

/// As a compiler for fixed shapes has it: every dim is taken as a number.
class LeNetStatic final : public NamedModel {
 public:
  LeNetStatic()
      : NamedModel("lenet_static", "LeNet, every size fixed",
                   {{"B", "x.size()[0]", "batch", {"1"}, {"count()"}},
                    {"C", "x.size()[1]", "channels", {"1"}, {}, 1},
                    {"H", "x.size()[2]", "height", {"28"}, {}, 28},
                    {"W", "x.size()[3]", "width", {"28"}, {}, 28}}) {}
  void trace(Tracer& t, std::span<const SymInt> dims) const override {
    Shape fixed;
    for (const SymInt& s : dims) fixed.emplace_back(s.to_int());
    SymTensor x = t.input("x", fixed);
    x = shape::max_pool2d(shape::relu(conv2d(x, "conv1", 1, 6, 5, 1, 2)), {2});
    x = shape::max_pool2d(shape::relu(conv2d(x, "conv2", 6, 16, 5)), {2});
    x = shape::relu(linear(shape::flatten(x, 1), "fc1", 400, 120));
    t.output(linear(shape::relu(linear(x, "fc2", 120, 84)), "fc3", 84, 10));
  }
};

}  // namespace

void register_vision(ModelRegistry& registry) {
  registry.add(std::make_unique<ResNet>());
  registry.add(std::make_unique<Detector>());
  registry.add(std::make_unique<LeNetStatic>());
}

}  // namespace dimgate::models
