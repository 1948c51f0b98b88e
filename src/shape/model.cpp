// Models and their registry.
#include "dimgate/model.hpp"

#include <algorithm>

namespace dimgate {

namespace {

/// Levenshtein distance, for "did you mean".
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, change});
    }
  }
  return row[b.size()];
}

}  // namespace

std::vector<std::vector<std::int64_t>> Model::examples() const {
  std::vector<std::int64_t> one;
  for (const ModelDim& d : dims()) one.push_back(d.example);
  return {std::move(one)};
}

void ModelRegistry::add(std::unique_ptr<Model> model) {
  const auto at = std::lower_bound(models_.begin(), models_.end(), model->name(),
                                   [](const auto& m, std::string_view name) { return m->name() < name; });
  if (at != models_.end() && (*at)->name() == model->name())
    *at = std::move(model);
  else
    models_.insert(at, std::move(model));
}

const Model* ModelRegistry::find(std::string_view name) const {
  for (const auto& m : models_)
    if (m->name() == name) return m.get();
  return nullptr;
}

std::vector<const Model*> ModelRegistry::all() const {
  std::vector<const Model*> out;
  out.reserve(models_.size());
  for (const auto& m : models_) out.push_back(m.get());
  return out;
}

Result<const Model*> ModelRegistry::require(std::string_view name) const {
  if (const Model* m = find(name)) return m;
  std::string message = "no model `" + std::string(name.substr(0, 80)) + "`";
  const Model* nearest = nullptr;
  std::size_t best = 3;  // at most 2 edits away
  if (name.size() <= 80)
    for (const auto& m : models_)
      if (const std::size_t d = distance(name, m->name()); d < best) best = d, nearest = m.get();
  if (nearest != nullptr) message += "; did you mean `" + std::string(nearest->name()) + "`?";
  message += nearest != nullptr ? " Models:" : "; models:";
  for (const auto& m : models_) message += ' ' + std::string(m->name());
  return Error{std::move(message)};
}

}  // namespace dimgate
