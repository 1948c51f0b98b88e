// U-Nets: halve, double, and join with what was there before. Sizes must survive the halvings.
#include "layers.hpp"
#include "models.hpp"

namespace dimgate::models {

namespace {

class UNet final : public NamedModel {
 public:
  UNet(std::string name, std::string summary, int halvings, bool pad)
      : NamedModel(std::move(name), std::move(summary), image_dims(),
                   pad ? std::vector<std::vector<std::int64_t>>{{1, 3, 480, 640}, {1, 3, 427, 640}, {1, 3, 480, 427}}
                       : std::vector<std::vector<std::int64_t>>{}),
        halvings_(halvings),
        pad_(pad) {}

  void trace(Tracer& t, std::span<const SymInt> dims) const override {
    SymTensor x = t.input("x", {dims[0], dims[1], dims[2], dims[3]});
    const SymInt h = x.size(2), w = x.size(3);
    if (pad_ && (h % 32 != 0 || w % 32 != 0)) {
      x = shape::pad(x, {0, -w % 32, 0, -h % 32});
    }
    x = conv2d(x, "inc", 3, channels(0), 3, 1, 1);
    std::vector<SymTensor> skips;
    for (int i = 0; i < halvings_; ++i) {
      skips.push_back(x);
      x = shape::relu(conv2d(x, "down." + std::to_string(i), channels(i), channels(i + 1), 3, 2, 1));
    }
    for (int i = halvings_; i-- > 0;) {
      x = shape::upsample(x, 2);
      x = shape::cat({x, skips[static_cast<std::size_t>(i)]}, 1);
      x = shape::relu(conv2d(x, "up." + std::to_string(i), channels(i + 1) + channels(i), channels(i), 3, 1, 1));
    }
    x = conv2d(x, "out", channels(0), 1, 1);
    t.output(shape::slice(shape::slice(x, 2, std::nullopt, h), 3, std::nullopt, w));
  }

 private:
  static int channels(int level) { return level == 0 ? 4 : 8; }
  int halvings_;
  bool pad_;
};

}  // namespace

void register_unet(ModelRegistry& registry) {
  registry.add(std::make_unique<UNet>("unet", "U-Net with five halvings", 5, false));
  registry.add(std::make_unique<UNet>("unet_crop", "U-Net with two halvings, cut to the input's size", 2, false));
  registry.add(std::make_unique<UNet>("unet_pad", "U-Net on images padded to multiples of 32, cut back", 2, true));
}

}  // namespace dimgate::models
