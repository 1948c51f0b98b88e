// A described world to begin with, for tests of guards: two tensors, a dict, a list, an object, scalars.
#pragma once

#include <limits>

#include "dimgate/described_world.hpp"

namespace dimgate::testing {

inline TensorDescription tensor(std::vector<std::int64_t> sizes) {
  TensorDescription t;
  t.sizes = std::move(sizes);
  return t;
}

inline WorldValue& argument(World& w, std::string_view name) {
  for (NamedValue& v : w.arguments)
    if (v.name == name) return v.value;
  return w.arguments.emplace_back(NamedValue{std::string(name), {}}).value;
}

/// The tensor argument, to change.
inline TensorDescription& tensor_of(World& w, std::string_view name) {
  WorldValue& v = argument(w, name);
  auto copy = std::make_shared<TensorDescription>(*v.tensor);
  TensorDescription& out = *copy;
  v.tensor = std::move(copy);
  return out;
}

inline World world() {
  World w;
  w.code = "train_step";
  w.caller = "loop";
  TensorDescription x = tensor({2, 3}), y = tensor({3, 4});
  x.device = "cuda:0";
  x.data = {{"max", 7}};
  x.storage = "s1";
  x.storage_bytes = 64;
  w.arguments = {{"x", WorldValue::of(x)},
                 {"y", WorldValue::of(y)},
                 {"n", WorldValue::of(std::int64_t{5})},
                 {"flag", WorldValue::of(true)},
                 {"lr", WorldValue::of(-0.0)},
                 {"bad", WorldValue::of(std::numeric_limits<double>::quiet_NaN())},
                 {"mode", WorldValue::of_text("fast")},
                 {"none", WorldValue::none()},
                 {"xs", WorldValue::list({WorldValue::of(std::int64_t{1}), WorldValue::of_text("a")})},
                 {"d", WorldValue::dict({{"a", WorldValue::of(std::int64_t{1})}, {"b", WorldValue::of(tensor({1}))}})},
                 {"self", WorldValue::object("Net", {{"step", WorldValue::of(std::int64_t{3})}})}};
  argument(w, "d").version = 4;
  argument(w, "self").identity = "net 1";
  argument(w, "x").identity = "x 1";
  argument(w, "y").identity = "y 1";
  w.closure = {{"scale", WorldValue::of(2.0)}};
  w.module_globals = {{"DEBUG", WorldValue::of(false)}};
  w.state.autocast = {{"cuda", true, "torch.bfloat16"}};
  w.state.function_modes = {"Counter"};
  w.environment = {{"DEBUG", "1"}, {"TRACE", std::nullopt}};
  return w;
}

}  // namespace dimgate::testing
