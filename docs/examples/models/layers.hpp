// Layers: shape functions with their weights, named as a front end names parameters ("block.attn.qkv.weight").
#pragma once

#include <string>

#include "dimgate/shape.hpp"

namespace dimgate::models {

using shape::Place;

inline SymTensor linear(const SymTensor& x, const std::string& name, int in, int out, Place at = Place::current()) {
  const SymTensor weight = x.tracer().parameter(name + ".weight", {out, in});
  return shape::linear(x, weight, x.tracer().parameter(name + ".bias", {out}), at);
}

inline SymTensor layer_norm(const SymTensor& x, const std::string& name, int size, Place at = Place::current()) {
  Tracer& t = x.tracer();
  return shape::layer_norm(x, {size}, {t.parameter(name + ".weight", {size}), t.parameter(name + ".bias", {size})}, at);
}

inline SymTensor batch_norm(const SymTensor& x, const std::string& name, int size, Place at = Place::current()) {
  Tracer& t = x.tracer();
  return shape::batch_norm(x,
                           {t.parameter(name + ".weight", {size}), t.parameter(name + ".bias", {size}),
                            t.parameter(name + ".running_mean", {size}), t.parameter(name + ".running_var", {size})},
                           at);
}

inline SymTensor embedding(const SymTensor& ids, const std::string& name, int rows, int features,
                           Place at = Place::current()) {
  return shape::embedding(ids, ids.tracer().parameter(name + ".weight", {rows, features}), at);
}

inline SymTensor conv2d(const SymTensor& x, const std::string& name, int in, int out, int kernel, int stride = 1,
                        int padding = 0, Place at = Place::current()) {
  Tracer& t = x.tracer();
  shape::ConvOptions options;
  options.stride = {stride};
  options.padding = {padding};
  const SymTensor weight = t.parameter(name + ".weight", {out, in, kernel, kernel});
  options.bias = t.parameter(name + ".bias", {out});
  return shape::conv2d(x, weight, options, at);
}

}  // namespace dimgate::models
