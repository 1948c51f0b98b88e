#include <algorithm>

#include "dimgate/replay.hpp"

namespace dimgate {

Status add_default_binds(const Model& model, const Table& table, CallOptions& options) {
  const auto dims = model.dims();
  std::string names;
  for (const ModelDim& d : dims) names += (names.empty() ? "" : ", ") + d.name;
  for (const Bind& bind : options.binds) {
    if (std::none_of(dims.begin(), dims.end(), [&](const ModelDim& d) { return d.name == bind.dim; }))
      return Error{"--bind " + bind.dim + "=...: " + std::string(model.name()) + " has no dim '" + bind.dim +
                   "'; its dims are " + names};
    if (std::count_if(options.binds.begin(), options.binds.end(), [&](const Bind& b) { return b.dim == bind.dim; }) > 1)
      return Error{"--bind " + bind.dim + " is given twice"};
  }
  std::vector<Bind> all;
  for (const ModelDim& dim : dims) {
    const auto given =
        std::find_if(options.binds.begin(), options.binds.end(), [&](const Bind& b) { return b.dim == dim.name; });
    if (given != options.binds.end()) {
      all.push_back(*given);
      continue;
    }
    const bool batched = options.batch.has_value();
    const auto& defaults = batched && !dim.batched_bindings.empty() ? dim.batched_bindings : dim.bindings;
    const auto fits = std::find_if(defaults.begin(), defaults.end(),
                                   [&](const std::string& formula) { return can_bind(table, formula, batched); });
    if (fits == defaults.end())
      return Error{"dim " + dim.name + (dim.meaning.empty() ? "" : " (" + dim.meaning + ")") + " of " +
                       std::string(model.name()) + " is not bound; say --bind " + dim.name +
                       "=EXPR over the columns, which are " + table.column_list(),
                   table.file()};
    all.push_back({dim.name, *fits});
  }
  options.binds = std::move(all);
  return Ok{};
}

}  // namespace dimgate
