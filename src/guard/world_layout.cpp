#include "guard/world_layout.hpp"

#include <algorithm>
#include <array>

#include "expr/names.hpp"

namespace dimgate {
namespace {

// Relative to reading a size. A presence asks a hash table, a key list walks it, the environment is searched.
constexpr double kFlagCost = 0.5, kLookupCost = 2, kListCost = 8, kEnvironmentCost = 20, kOverlapCost = 50;

constexpr std::array kStateRows{
    StateRow{StateField::grad_mode, "grad_mode", SlotSort::boolean, GuardKind::grad_mode, "grad_mode"},
    StateRow{StateField::inference_mode, "inference_mode", SlotSort::boolean, GuardKind::inference_mode, ""},
    StateRow{StateField::autocast_cache, "autocast_cache", SlotSort::boolean, GuardKind::autocast,
             "autocast_cache_enabled"},
    StateRow{StateField::deterministic, "deterministic", SlotSort::boolean, GuardKind::deterministic,
             "deterministic_algorithms"},
    StateRow{StateField::deterministic_warn_only, "deterministic_warn_only", SlotSort::boolean,
             GuardKind::deterministic, "deterministic_algorithms_warn_only"},
    StateRow{StateField::default_dtype, "default_dtype", SlotSort::name, GuardKind::default_dtype, "default_dtype"},
    StateRow{StateField::default_device, "default_device", SlotSort::name, GuardKind::default_device, ""},
    StateRow{StateField::threads, "num_threads", SlotSort::integer, GuardKind::threads, "num_threads"},
    StateRow{StateField::tf32_matmul, "allow_tf32", SlotSort::boolean, GuardKind::precision, "allow_tf32"},
    StateRow{StateField::tf32_cudnn, "allow_tf32_cudnn", SlotSort::boolean, GuardKind::precision, ""},
    StateRow{StateField::fp16_reduction, "allow_fp16_reduce", SlotSort::boolean, GuardKind::precision,
             "allow_fp16_reduce"},
    StateRow{StateField::bf16_reduction, "allow_bf16_reduce", SlotSort::boolean, GuardKind::precision,
             "allow_bf16_reduce"},
    StateRow{StateField::function_modes, "function_modes", SlotSort::name, GuardKind::function_modes, ""},
};

std::string path_of(const WorldObject& o, const std::string& parent) {
  switch (o.step) {
    case WorldObject::Step::argument:
      return "L[" + detail::quoted(o.name) + "]";
    case WorldObject::Step::closure:
      return "C[" + detail::quoted(o.name) + "]";
    case WorldObject::Step::module_global:
      return "G[" + detail::quoted(o.name) + "]";
    case WorldObject::Step::item:
      return parent + "[" + std::to_string(o.index) + "]";
    case WorldObject::Step::key:
      return parent + "[" + o.name + "]";
    case WorldObject::Step::attribute:
      return parent + "." + o.name;
  }
  return o.name;
}

/// A value's kind by where it hangs.
GuardKind value_kind(const WorldObject& o) {
  switch (o.step) {
    case WorldObject::Step::attribute:
      return GuardKind::attribute;
    case WorldObject::Step::closure:
      return GuardKind::closure;
    case WorldObject::Step::module_global:
      return GuardKind::module_global;
    default:
      return GuardKind::value;
  }
}

std::string_view sort_suffix(SlotSort sort) {
  switch (sort) {
    case SlotSort::integer:
      return ".as_int";
    case SlotSort::boolean:
      return ".as_bool";
    case SlotSort::floating:
      return ".as_float";
    case SlotSort::name:
      return ".as_str";
  }
  return "";
}

}  // namespace

std::span<const StateRow> state_rows() noexcept { return kStateRows; }

std::string list_text(const std::vector<std::string>& spelled) {
  std::string out = "[";
  for (const std::string& s : spelled) out += (out.size() > 1 ? ", " : "") + s;
  return out + "]";
}

std::uint32_t WorldLayout::Impl::object(WorldObject o) {
  o.path = path_of(o, o.parent == kNoObject ? std::string() : objects[o.parent].path);
  const auto [it, is_new] = by_path.try_emplace(o.path, static_cast<std::uint32_t>(objects.size()));
  if (is_new) objects.push_back(std::move(o));
  return it->second;
}

SlotIndex WorldLayout::Impl::add(const std::string& name, SlotSort sort, WorldSlot how, SlotIndex edge, double cost) {
  const SlotIndex known = layout.find(name);
  if (known != kNoSlot && layout[known].sort != sort) {
    // The same source with values of another sort: a slot beside it.
    if (how.ask != Ask::value) return known;
    return add(name + std::string(sort_suffix(sort)), sort, std::move(how), edge, cost);
  }
  if (known != kNoSlot) return known;
  const SlotIndex at = layout.add(name, sort);
  layout[at].edge = edge;
  layout[at].read_cost = cost;
  slots.resize(layout.size());
  slots[at] = std::move(how);
  return at;
}

void WorldLayout::Impl::add_tensor(const TensorDescription& t, std::uint32_t object, SlotIndex type) {
  const std::string path = objects[object].path;
  const auto slot = [&](Ask ask, GuardKind kind, const std::string& name, SlotSort sort, SlotIndex edge, double cost,
                        std::uint32_t index = 0, std::string text = {}) {
    return add(name, sort, {ask, kind, object, kNoObject, index, std::move(text)}, edge, cost);
  };
  const SlotIndex rank = slot(Ask::rank, GuardKind::rank, path + ".dim()", SlotSort::integer, type, 1);
  for (std::uint32_t i = 0; i < t.sizes.size(); ++i) {
    const std::string at = "[" + std::to_string(i) + "]";
    slot(Ask::size, GuardKind::shape, path + ".size()" + at, SlotSort::integer, rank, 1, i);
    slot(Ask::stride, GuardKind::stride, path + ".stride()" + at, SlotSort::integer, rank, 1, i);
  }
  slot(Ask::dtype, GuardKind::dtype, path + ".dtype", SlotSort::name, type, 1);
  slot(Ask::device, GuardKind::device, path + ".device", SlotSort::name, type, 1);
  slot(Ask::device_type, GuardKind::device, path + ".device.type", SlotSort::name, type, 1);
  slot(Ask::device_index, GuardKind::device, path + ".device.index", SlotSort::integer, type, 1);
  slot(Ask::requires_grad, GuardKind::requires_grad, path + ".requires_grad", SlotSort::boolean, type, 1);
  slot(Ask::layout, GuardKind::layout, path + ".layout", SlotSort::name, type, 1);
  slot(Ask::storage_offset, GuardKind::storage_offset, path + ".storage_offset()", SlotSort::integer, type, 1);
  slot(Ask::storage, GuardKind::storage, "storage(" + path + ")", SlotSort::name, type, 1);
  if (t.storage_bytes)
    slot(Ask::storage_bytes, GuardKind::storage, path + ".untyped_storage().nbytes()", SlotSort::integer, type, 1);
  for (const auto& [name, value] : t.data)
    slot(Ask::data, GuardKind::data, path + "." + name + "()", SlotSort::integer, type, kDataReadCost, 0, name);
}

void WorldLayout::Impl::add_value(const WorldValue& first, std::uint32_t first_object, SlotIndex first_edge) {
  struct Open {
    const WorldValue* value;
    std::uint32_t object;
    SlotIndex edge;
  };
  std::vector<Open> open{{&first, first_object, first_edge}};
  while (!open.empty()) {
    const auto [v, object, edge] = open.back();
    open.pop_back();
    const std::string path = objects[object].path;
    const auto slot = [&, object = object](Ask ask, GuardKind kind, const std::string& name, SlotSort sort, SlotIndex e,
                                           double cost, std::string text = {}) {
      return add(name, sort, {ask, kind, object, kNoObject, 0, std::move(text)}, e, cost);
    };
    const SlotIndex type = slot(Ask::type, GuardKind::type, "type(" + path + ")", SlotSort::name, edge, kFlagCost);
    if (!v->identity.empty())
      slot(Ask::identity, GuardKind::identity, "id(" + path + ")", SlotSort::name, edge, kFlagCost);
    if (v->version) slot(Ask::version, GuardKind::version, "___dict_version(" + path + ")", SlotSort::integer, type, 1);
    using Kind = WorldValue::Kind;
    const GuardKind kind = value_kind(objects[object]);
    switch (v->kind) {
      case Kind::none:
        break;
      case Kind::boolean:
        slot(Ask::value, kind, path, SlotSort::boolean, type, 1);
        break;
      case Kind::integer:
        slot(Ask::value, kind, path, SlotSort::integer, type, 1);
        break;
      case Kind::floating:
        slot(Ask::value, kind, path, SlotSort::floating, type, 1);
        break;
      case Kind::text:
        slot(Ask::value, kind, path, SlotSort::name, type, kLookupCost);
        break;
      case Kind::tensor:
        add_tensor(*v->tensor, object, type);
        break;
      case Kind::list:
      case Kind::tuple: {
        const SlotIndex length = slot(Ask::length, GuardKind::length, "len(" + path + ")", SlotSort::integer, type, 1);
        for (std::size_t i = v->items.size(); i-- > 0;)
          open.push_back({&v->items[i],
                          this->object({WorldObject::Step::item, object, {}, static_cast<std::uint32_t>(i), {}}),
                          length});
        break;
      }
      case Kind::dict:
      case Kind::object: {
        const bool dict = v->kind == Kind::dict;
        if (dict) {
          slot(Ask::length, GuardKind::length, "len(" + path + ")", SlotSort::integer, type, 1);
          slot(Ask::key_list, GuardKind::key_order, "list(" + path + ".keys())", SlotSort::name, type, kListCost);
        }
        for (std::size_t i = v->items.size(); i-- > 0;) {
          const std::string& name = v->names[i];
          const SlotIndex has =
              dict ? slot(Ask::has_key, GuardKind::keys, "___dict_contains(" + name + ", " + path + ")",
                          SlotSort::boolean, type, kLookupCost, name)
                   : slot(Ask::has_attribute, GuardKind::attribute,
                          "hasattr(" + path + ", " + detail::quoted(name) + ")", SlotSort::boolean, type, kLookupCost,
                          name);
          open.push_back(
              {&v->items[i],
               this->object({dict ? WorldObject::Step::key : WorldObject::Step::attribute, object, name, 0, {}}), has});
        }
        break;
      }
    }
  }
}

void WorldLayout::Impl::add_state(const GlobalState& state) {
  for (const StateRow& row : kStateRows)
    add(std::string(row.slot), row.sort,
        {Ask::state, row.kind, kNoObject, kNoObject, static_cast<std::uint32_t>(row.field), {}}, kNoSlot, kFlagCost);
  for (const Autocast& a : state.autocast) {
    const std::string name = "autocast[" + detail::quoted(a.device) + "]";
    const SlotIndex on =
        add(name, SlotSort::boolean, {Ask::autocast_enabled, GuardKind::autocast, kNoObject, kNoObject, 0, a.device},
            kNoSlot, kFlagCost);
    add(name + ".dtype", SlotSort::name, {Ask::autocast_dtype, GuardKind::autocast, kNoObject, kNoObject, 0, a.device},
        on, kFlagCost);
  }
}

WorldLayout::WorldLayout() : WorldLayout(std::make_shared<NameTable>()) {}
WorldLayout::WorldLayout(std::shared_ptr<NameTable> names) : impl_(std::make_unique<Impl>(std::move(names))) {}
WorldLayout::~WorldLayout() = default;
WorldLayout::WorldLayout(WorldLayout&&) noexcept = default;
WorldLayout& WorldLayout::operator=(WorldLayout&&) noexcept = default;

const Layout& WorldLayout::layout() const noexcept { return impl_->layout; }

GuardKind WorldLayout::kind(SlotIndex slot) const noexcept { return impl_->slots[slot].kind; }

void WorldLayout::extend(const World& world) {
  Impl& i = *impl_;
  i.add("frame.code", SlotSort::name, {Ask::code, GuardKind::code}, kNoSlot, kFlagCost);
  i.add("frame.caller", SlotSort::name, {Ask::caller, GuardKind::caller}, kNoSlot, kFlagCost);
  i.add_state(world.state);
  using Step = WorldObject::Step;
  const auto roots = [&](const std::vector<NamedValue>& values, Step step) {
    for (const NamedValue& v : values) i.add_value(v.value, i.object({step, kNoObject, v.name, 0, {}}), kNoSlot);
  };
  roots(world.arguments, Step::argument);
  roots(world.closure, Step::closure);
  roots(world.module_globals, Step::module_global);
  for (const auto& [name, value] : world.environment) {
    const SlotIndex has =
        i.add("___dict_contains(" + detail::quoted(name) + ", environ)", SlotSort::boolean,
              {Ask::environment_has, GuardKind::environment, kNoObject, kNoObject, 0, name}, kNoSlot, kEnvironmentCost);
    i.add("environ[" + detail::quoted(name) + "]", SlotSort::name,
          {Ask::environment, GuardKind::environment, kNoObject, kNoObject, 0, name}, has, kEnvironmentCost);
  }
  // Arguments that share a storage: whether they meet.
  for (std::size_t a = 0; a < world.arguments.size(); ++a)
    for (std::size_t b = a + 1; b < world.arguments.size(); ++b) {
      const WorldValue &x = world.arguments[a].value, &y = world.arguments[b].value;
      if (x.kind != WorldValue::Kind::tensor || y.kind != WorldValue::Kind::tensor || x.tensor->storage.empty() ||
          x.tensor->storage != y.tensor->storage)
        continue;
      const std::uint32_t ox = i.object({Step::argument, kNoObject, world.arguments[a].name, 0, {}});
      const std::uint32_t oy = i.object({Step::argument, kNoObject, world.arguments[b].name, 0, {}});
      const SlotIndex edge = i.layout.find("type(" + i.objects[ox].path + ")");
      i.add("___overlap(" + i.objects[ox].path + ", " + i.objects[oy].path + ")", SlotSort::boolean,
            {Ask::overlap, GuardKind::overlap, ox, oy, 0, {}}, edge, kOverlapCost);
    }
}

bool WorldLayout::ask(std::string_view slot) {
  Impl& i = *impl_;
  const std::size_t comma = slot.rfind(", ");
  const std::size_t open = slot.find('(');
  if (comma == std::string_view::npos || open == std::string_view::npos || open > comma || !slot.ends_with(')'))
    return false;
  const std::string first(slot.substr(open + 1, comma - open - 1));
  const std::string second(slot.substr(comma + 2, slot.size() - comma - 3));
  const bool contains = slot.starts_with("___dict_contains(");
  if (!contains && !slot.starts_with("hasattr(")) return false;
  if (contains && second == "environ" && first.size() >= 2) {
    i.add(std::string(slot), SlotSort::boolean,
          {Ask::environment_has, GuardKind::environment, kNoObject, kNoObject, 0, detail::string_content(first)},
          kNoSlot, kEnvironmentCost);
    return true;
  }
  const auto it = i.by_path.find(contains ? second : first);
  if (it == i.by_path.end() || second.size() < 2) return false;
  const SlotIndex type = i.layout.find("type(" + it->first + ")");
  i.add(std::string(slot), SlotSort::boolean,
        {contains ? Ask::has_key : Ask::has_attribute, contains ? GuardKind::keys : GuardKind::attribute, it->second,
         kNoObject, 0, contains ? first : detail::string_content(second)},
        type, kLookupCost);
  return true;
}

std::vector<SlotIndex> WorldLayout::slots_of(std::string_view path) const {
  std::vector<SlotIndex> out;
  const auto it = impl_->by_path.find(std::string(path));
  if (it == impl_->by_path.end()) return out;
  for (SlotIndex i = 0; i < impl_->slots.size(); ++i)
    if (impl_->slots[i].object == it->second) out.push_back(i);
  return out;
}

}  // namespace dimgate
