#include "import/world_values.hpp"

#include <charconv>
#include <cmath>
#include <limits>

namespace dimgate::detail {

void Fields::done(const char* expected) const {
  if (taken_ == json_.size()) return;
  for (const auto& [key, value] : json_.items())
    if ((" " + known_ + " ").find(" " + key + " ") == std::string::npos)
      fault("unknown key '" + key + "'; expected " + expected);
}

bool Fields::flag(const WorldJson& j, const std::string& key) const {
  if (!j.is_boolean()) throw WorldFault{at(key) + ": expected true or false"};
  return j.get<bool>();
}

std::int64_t Fields::number(const WorldJson& j, const std::string& key) const {
  const bool fits = j.is_number_integer() && !(j.is_number_unsigned() && j.get<std::uint64_t>() > INT64_MAX);
  if (!fits) throw WorldFault{at(key) + ": expected an integer of 64 bits"};
  return j.get<std::int64_t>();
}

std::string Fields::text(const WorldJson& j, const std::string& key) const {
  if (!j.is_string()) throw WorldFault{at(key) + ": expected a string"};
  return j.get<std::string>();
}

std::vector<std::int64_t> Fields::numbers(const WorldJson& j, const std::string& key) const {
  if (!j.is_array()) throw WorldFault{at(key) + ": expected a list of integers"};
  std::vector<std::int64_t> out;
  for (const WorldJson& e : j) out.push_back(number(e, key));
  return out;
}

std::vector<std::string> Fields::texts(const WorldJson& j, const std::string& key) const {
  if (!j.is_array()) throw WorldFault{at(key) + ": expected a list of strings"};
  std::vector<std::string> out;
  for (const WorldJson& e : j) out.push_back(text(e, key));
  return out;
}

namespace {

/// "float32" is torch.float32; dotted names stay.
std::string torch_name(std::string name) { return name.find('.') == std::string::npos ? "torch." + name : name; }

WorldValue tensor_value(const WorldJson& json, const std::string& where) {
  Fields f(json, where);
  TensorDescription t;
  const WorldJson* shape = f.find("shape");
  if (shape == nullptr) f.fault("a tensor needs its shape");
  t.sizes = f.numbers(*shape, "shape");
  for (const std::int64_t n : t.sizes)
    if (n < 0) f.fault("a size is 0 or more, not " + std::to_string(n));
  if (const auto* j = f.find("strides")) {
    t.strides = f.numbers(*j, "strides");
    if (t.strides.size() != t.sizes.size()) f.fault("as many strides as sizes are needed");
  }
  if (const auto* j = f.find("offset")) t.storage_offset = f.number(*j, "offset");
  if (const auto* j = f.find("dtype")) t.dtype = torch_name(f.text(*j, "dtype"));
  if (const auto* j = f.find("device")) t.device = f.text(*j, "device");
  if (const auto* j = f.find("requires_grad")) t.requires_grad = f.flag(*j, "requires_grad");
  if (const auto* j = f.find("layout")) t.layout = torch_name(f.text(*j, "layout"));
  if (const auto* j = f.find("storage")) t.storage = f.text(*j, "storage");
  if (const auto* j = f.find("storage_bytes")) t.storage_bytes = f.number(*j, "storage_bytes");
  if (const auto* j = f.find("data")) {
    if (!j->is_object()) f.fault("data: expected an object of integers");
    for (const auto& [name, value] : j->items()) t.data.emplace_back(name, f.number(value, "data." + name));
  }
  f.done("shape, strides, offset, dtype, device, requires_grad, layout, storage, storage_bytes, data");
  return WorldValue::of(std::move(t));
}

double float_value(const std::string& text, const Fields& f) {
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (text == "inf") return std::numeric_limits<double>::infinity();
  if (text == "-inf") return -std::numeric_limits<double>::infinity();
  double out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc{} || end != text.data() + text.size()) f.fault("expected 'nan', 'inf', '-inf' or a number");
  return out;
}

WorldValue int_value(const std::string& text, const Fields& f) {
  const std::string_view digits = std::string_view(text).substr(text.starts_with('-') ? 1 : 0);
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string_view::npos) f.fault("expected digits");
  WorldValue out = WorldValue::of(std::int64_t{0});
  std::int64_t v = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), v);
  out.integer = error == std::errc{} ? std::optional(v) : std::nullopt;
  return out;
}

WorldValue dict_value(const WorldJson& json, const std::string& where) {
  WorldValue out = WorldValue::dict({});
  const auto add = [&](std::string key, const WorldJson& value) {
    out.items.push_back(world_value(value, where + "[" + key + "]"));
    out.names.push_back(std::move(key));
  };
  if (json.is_object()) {
    for (const auto& [key, value] : json.items()) {
      WorldValue one = WorldValue::dict({{key, WorldValue::none()}});
      add(one.names.front(), value);
    }
    return out;
  }
  if (!json.is_array()) throw WorldFault{where + ": expected an object, or a list of [key, value]"};
  for (const WorldJson& pair : json) {
    if (!pair.is_array() || pair.size() != 2 || !(pair[0].is_string() || pair[0].is_number_integer()))
      throw WorldFault{where + ": expected [key, value] with a string or an integer as key"};
    if (pair[0].is_string())
      add(WorldValue::dict({{pair[0].get<std::string>(), WorldValue::none()}}).names.front(), pair[1]);
    else
      add(pair[0].dump(), pair[1]);
  }
  return out;
}

/// An object of the format: exactly one of the kinds, and id, type, version beside it.
WorldValue wrapped_value(const WorldJson& json, const std::string& where) {
  Fields f(json, where);
  WorldValue out;
  int kinds = 0;
  if (const auto* j = f.find("tensor")) out = tensor_value(*j, f.at("tensor")), ++kinds;
  if (const auto* j = f.find("float")) out = WorldValue::of(float_value(f.text(*j, "float"), f)), ++kinds;
  if (const auto* j = f.find("int")) out = int_value(f.text(*j, "int"), f), ++kinds;
  if (const auto* j = f.find("value")) out = world_value(*j, f.at("value")), ++kinds;
  for (const char* kind : {"list", "tuple"})
    if (const auto* j = f.find(kind)) {
      if (!j->is_array()) f.fault(std::string(kind) + ": expected a list");
      std::vector<WorldValue> items;
      for (const WorldJson& e : *j)
        items.push_back(world_value(e, f.at(kind) + "[" + std::to_string(items.size()) + "]"));
      out = std::string_view(kind) == "list" ? WorldValue::list(std::move(items)) : WorldValue::tuple(std::move(items));
      ++kinds;
    }
  if (const auto* j = f.find("dict")) out = dict_value(*j, f.at("dict")), ++kinds;
  if (const auto* j = f.find("object")) {
    const std::string type = f.text(*j, "object");
    std::vector<std::pair<std::string, WorldValue>> attributes;
    if (const auto* a = f.find("attrs")) {
      if (!a->is_object()) f.fault("attrs: expected an object");
      for (const auto& [name, value] : a->items())
        attributes.emplace_back(name, world_value(value, f.at("attrs." + name)));
    }
    out = WorldValue::object(type, std::move(attributes));
    ++kinds;
  }
  if (json.contains("attrs") && !json.contains("object")) f.fault("attrs belongs to an object");
  if (kinds != 1) f.fault("expected one of tensor, float, int, value, list, tuple, dict, object");
  if (const auto* j = f.find("id")) out.identity = f.text(*j, "id");
  if (const auto* j = f.find("type")) out.type = f.text(*j, "type");
  if (const auto* j = f.find("version")) out.version = f.number(*j, "version");
  f.done("one of tensor, float, int, value, list, tuple, dict, object (with attrs), and id, type, version");
  return out;
}

}  // namespace

WorldValue world_value(const WorldJson& json, const std::string& where) {
  // Nesting is bounded by the reader (kMaxDepth), which refuses deeper lines before they are parsed.
  switch (json.type()) {
    case WorldJson::value_t::null:
      return WorldValue::none();
    case WorldJson::value_t::boolean:
      return WorldValue::of(json.get<bool>());
    case WorldJson::value_t::number_integer:
      return WorldValue::of(json.get<std::int64_t>());
    case WorldJson::value_t::number_unsigned: {
      WorldValue out = WorldValue::of(std::int64_t{0});
      const auto v = json.get<std::uint64_t>();
      out.integer = v <= INT64_MAX ? std::optional(static_cast<std::int64_t>(v)) : std::nullopt;
      return out;
    }
    case WorldJson::value_t::number_float:
      return WorldValue::of(json.get<double>());
    case WorldJson::value_t::string:
      return WorldValue::of_text(json.get<std::string>());
    case WorldJson::value_t::array: {
      std::vector<WorldValue> items;
      for (const WorldJson& e : json) items.push_back(world_value(e, where + "[" + std::to_string(items.size()) + "]"));
      return WorldValue::list(std::move(items));
    }
    default:
      return wrapped_value(json, where);
  }
}

}  // namespace dimgate::detail
