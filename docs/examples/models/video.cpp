// Video: 3-d convolutions on clips that switch resolution. Small frames take one path, large ones are halved first.
#include "layers.hpp"
#include "models.hpp"

namespace dimgate::models {

namespace {

SymTensor conv3d(const SymTensor& x, const std::string& name, int in, int out, const shape::Window& stride,
                 Place at = Place::current()) {
  Tracer& t = x.tracer();
  shape::ConvOptions options;
  options.stride = stride;
  options.padding = {1};
  const SymTensor weight = t.parameter(name + ".weight", {out, in, 3, 3, 3});
  options.bias = t.parameter(name + ".bias", {out});
  return shape::conv3d(x, weight, options, at);
}

class Video final : public NamedModel {
 public:
  Video()
      : NamedModel("video", "3-d convolutions on clips that switch resolution",
                   {{"B", "x.size()[0]", "batch", {"1"}, {}, 1},
                    {"C", "x.size()[1]", "channels", {"3"}, {}, 3},
                    {"T", "x.size()[2]", "frames", {"frames", "16"}, {}, 16},
                    {"H", "x.size()[3]", "height", {"height"}, {}, 240},
                    {"W", "x.size()[4]", "width", {"width"}, {}, 320}},
                   {{1, 3, 16, 240, 320}, {1, 3, 16, 480, 640}}) {}
  void trace(Tracer& t, std::span<const SymInt> dims) const override {
    SymTensor x = t.input("x", {dims[0], dims[1], dims[2], dims[3], dims[4]});
    const SymInt h = x.size(3), w = x.size(4);
    x = shape::relu(conv3d(x, "stem", 3, 8, {1, 2, 2}));
    if (sym_or(h > 360, w > 640)) {
      x = shape::pool(3, "avg_pool", x, {1, 2, 2}, {.ceil_mode = true});  // large frames lose one more octave
    }
    x = shape::relu(conv3d(x, "body", 8, 16, {2, 2, 2}));
    x = shape::reduce("mean", x, {3, 4});  // (B, 16, t)
    x = shape::softmax(linear(shape::transpose(x, 1, 2), "head", 16, 4), -1);
    t.output(x);
  }
};

}  // namespace

void register_video(ModelRegistry& registry) { registry.add(std::make_unique<Video>()); }

}  // namespace dimgate::models
