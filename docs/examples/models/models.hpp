// The built-in models, and what their files share.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dimgate/model.hpp"
#include "dimgate/shape.hpp"

namespace dimgate::models {

/// Adds every model of this folder.
void register_models(ModelRegistry& registry);

// One for each file; `register_models` calls them.
void register_language(ModelRegistry& registry);
void register_decoder(ModelRegistry& registry);
void register_unet(ModelRegistry& registry);
void register_vision(ModelRegistry& registry);
void register_video(ModelRegistry& registry);

/// A model with its names given at construction.
class NamedModel : public Model {
 public:
  /// `examples`: calls that between them take every branch.
  NamedModel(std::string name, std::string summary, std::vector<ModelDim> dims,
             std::vector<std::vector<std::int64_t>> examples = {})
      : name_(std::move(name)), summary_(std::move(summary)), dims_(std::move(dims)), examples_(std::move(examples)) {}
  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] std::string_view summary() const override { return summary_; }
  [[nodiscard]] std::span<const ModelDim> dims() const override { return dims_; }
  [[nodiscard]] std::vector<std::vector<std::int64_t>> examples() const override {
    return examples_.empty() ? Model::examples() : examples_;
  }

 private:
  std::string name_, summary_;
  std::vector<ModelDim> dims_;
  std::vector<std::vector<std::int64_t>> examples_;
};

/// B and L of `ids`, bound to the shipped traces' prompt lengths.
std::vector<ModelDim> language_dims();
/// B, C, H and W of `x`, bound to the image traces' sizes as they are (`--bind H=height//32*32` floors them).
std::vector<ModelDim> image_dims();

}  // namespace dimgate::models
