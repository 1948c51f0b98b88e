#include "models.hpp"

namespace dimgate::models {

void register_models(ModelRegistry& registry) {
  register_language(registry);
  register_decoder(registry);
  register_unet(registry);
  register_vision(registry);
  register_video(registry);
}

std::vector<ModelDim> language_dims() {
  return {{"B", "ids.size()[0]", "batch", {"1"}, {"count()"}, 2},
          {"L",
           "ids.size()[1]",
           "prompt length",
           {"ContextTokens", "num_prefill_tokens"},
           {"max(ContextTokens)", "max(num_prefill_tokens)"},
           374}};
}

std::vector<ModelDim> image_dims() {
  return {{"B", "x.size()[0]", "batch", {"1"}, {}, 1},
          {"C", "x.size()[1]", "channels", {"3"}, {}, 3},
          {"H", "x.size()[2]", "height", {"height"}, {}, 480},
          {"W", "x.size()[3]", "width", {"width"}, {}, 640}};
}

}  // namespace dimgate::models
