#include "dimgate/described_world.hpp"
#include "expr/names.hpp"

namespace dimgate {

WorldValue WorldValue::of(bool v) {
  WorldValue out;
  out.kind = Kind::boolean;
  out.boolean = v;
  return out;
}

WorldValue WorldValue::of(std::int64_t v) {
  WorldValue out;
  out.kind = Kind::integer;
  out.integer = v;
  return out;
}

WorldValue WorldValue::of(double v) {
  WorldValue out;
  out.kind = Kind::floating;
  out.floating = v;
  return out;
}

WorldValue WorldValue::of_text(std::string v) {
  WorldValue out;
  out.kind = Kind::text;
  out.text = std::move(v);
  return out;
}

WorldValue WorldValue::of(TensorDescription v) {
  WorldValue out;
  out.kind = Kind::tensor;
  out.tensor = std::make_shared<const TensorDescription>(std::move(v));
  return out;
}

WorldValue WorldValue::list(std::vector<WorldValue> items) {
  WorldValue out;
  out.kind = Kind::list;
  out.items = std::move(items);
  return out;
}

WorldValue WorldValue::tuple(std::vector<WorldValue> items) {
  WorldValue out = list(std::move(items));
  out.kind = Kind::tuple;
  return out;
}

WorldValue WorldValue::dict(std::vector<std::pair<std::string, WorldValue>> items) {
  WorldValue out;
  out.kind = Kind::dict;
  for (auto& [key, value] : items) {
    out.names.push_back(detail::quoted(key));
    out.items.push_back(std::move(value));
  }
  return out;
}

WorldValue WorldValue::object(std::string type, std::vector<std::pair<std::string, WorldValue>> attributes) {
  WorldValue out;
  out.kind = Kind::object;
  out.type = std::move(type);
  for (auto& [name, value] : attributes) {
    out.names.push_back(name);
    out.items.push_back(std::move(value));
  }
  return out;
}

std::string_view WorldValue::type_name() const noexcept {
  if (!type.empty()) return type;
  switch (kind) {
    case Kind::none:
      return "NoneType";
    case Kind::boolean:
      return "bool";
    case Kind::integer:
      return "int";
    case Kind::floating:
      return "float";
    case Kind::text:
      return "str";
    case Kind::tensor:
      return "Tensor";
    case Kind::list:
      return "list";
    case Kind::tuple:
      return "tuple";
    case Kind::dict:
      return "dict";
    case Kind::object:
      return "object";
  }
  return "object";
}

}  // namespace dimgate
