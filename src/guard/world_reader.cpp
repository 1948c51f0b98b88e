#include <algorithm>
#include <bit>
#include <charconv>

#include "dimgate/overlap.hpp"
#include "expr/names.hpp"
#include "guard/world_layout.hpp"

namespace dimgate {
namespace {

const WorldValue* named(const std::vector<NamedValue>& values, const std::string& name) {
  for (const NamedValue& v : values)
    if (v.name == name) return &v.value;
  return nullptr;
}

const WorldValue* part(const WorldValue& v, const std::string& name, WorldValue::Kind kind) {
  if (v.kind != kind) return nullptr;
  const auto it = std::ranges::find(v.names, name);
  return it == v.names.end() ? nullptr : &v.items[static_cast<std::size_t>(it - v.names.begin())];
}

/// Compact row-major, an empty dimension counted as 1; nullopt beyond int64.
std::optional<std::int64_t> stride_of(const TensorDescription& t, std::size_t i) {
  if (i >= t.sizes.size()) return std::nullopt;
  if (!t.strides.empty()) return i < t.strides.size() ? std::optional(t.strides[i]) : std::nullopt;
  std::int64_t out = 1;
  for (std::size_t k = t.sizes.size(); --k > i;)
    if (__builtin_mul_overflow(out, std::max<std::int64_t>(t.sizes[k], 1), &out)) return std::nullopt;
  return out;
}

/// Bytes of an element by the dtype's name: the width in it, "bool" 1; nullopt for others.
std::optional<std::int64_t> item_bytes(std::string_view dtype) {
  if (dtype == "torch.bool") return 1;
  if (dtype.find("float8") != std::string_view::npos) return 1;
  const std::size_t at = dtype.find_last_not_of("0123456789");
  if (at == std::string_view::npos || at + 1 == dtype.size()) return std::nullopt;
  std::int64_t bits = 0;
  const std::string_view digits = dtype.substr(at + 1);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), bits);
  if (error != std::errc{} || bits < 8 || bits > 1024 || bits % 8 != 0) return std::nullopt;
  return bits / 8;
}

bool is_container(const WorldValue& v) {
  using Kind = WorldValue::Kind;
  return v.kind == Kind::list || v.kind == Kind::tuple || v.kind == Kind::dict;
}

}  // namespace

struct WorldReader::Impl {
  const WorldLayout::Impl* layout;
  const World* world = nullptr;
  struct Found {
    std::uint64_t of = 0;  // the `bind` that found it
    const WorldValue* value = nullptr;
  };
  std::vector<Found> found;  // by object
  std::uint64_t binds = 0;

  const WorldValue* value(std::uint32_t object) {
    // Objects stand behind their parents in the list, and containers nest: walk up to the first known, then down.
    std::vector<std::uint32_t> chain;
    std::uint32_t at = object;
    for (; at != kNoObject && found[at].of != binds; at = layout->objects[at].parent) chain.push_back(at);
    for (; !chain.empty(); chain.pop_back()) {
      const WorldObject& o = layout->objects[chain.back()];
      const WorldValue* parent = o.parent == kNoObject ? nullptr : found[o.parent].value;
      found[chain.back()] = {binds, step(o, parent)};
    }
    return found[object].value;
  }

  [[nodiscard]] const WorldValue* step(const WorldObject& o, const WorldValue* parent) const {
    switch (o.step) {
      case WorldObject::Step::argument:
        return named(world->arguments, o.name);
      case WorldObject::Step::closure:
        return named(world->closure, o.name);
      case WorldObject::Step::module_global:
        return named(world->module_globals, o.name);
      case WorldObject::Step::item:
        if (parent == nullptr || parent->kind == WorldValue::Kind::dict || !is_container(*parent)) return nullptr;
        return o.index < parent->items.size() ? &parent->items[o.index] : nullptr;
      case WorldObject::Step::key:
        return parent == nullptr ? nullptr : part(*parent, o.name, WorldValue::Kind::dict);
      case WorldObject::Step::attribute:
        return parent == nullptr ? nullptr : part(*parent, o.name, WorldValue::Kind::object);
    }
    return nullptr;
  }

  bool name(std::string_view text, std::int64_t& raw) const { return raw = layout->layout.names().intern(text), true; }
  /// A string the program computed with (not a name of ours), spelled as formula text means it.
  bool string(std::string_view text, std::int64_t& raw) const { return name(detail::enum_name_of_string(text), raw); }

  bool read(SlotIndex slot, std::int64_t& raw) {
    const WorldSlot& s = layout->slots[slot];
    if (s.object == kNoObject) return read_state(s, raw);
    const WorldValue* v = value(s.object);
    if (v == nullptr) return false;
    if (v->kind == WorldValue::Kind::tensor && s.ask >= Ask::rank && s.ask <= Ask::data)
      return read_tensor(s, *v->tensor, raw);
    switch (s.ask) {
      case Ask::type:
        return string(v->type_name(), raw);
      case Ask::identity:
        return !v->identity.empty() && string(v->identity, raw);
      case Ask::value:
        return read_value(layout->layout[slot].sort, *v, raw);
      case Ask::length:
        if (!is_container(*v)) return false;
        return raw = static_cast<std::int64_t>(v->items.size()), true;
      case Ask::key_list:
        return v->kind == WorldValue::Kind::dict && name(list_text(v->names), raw);
      case Ask::version:
        return v->version && (raw = *v->version, true);
      case Ask::has_key:
        if (v->kind != WorldValue::Kind::dict) return false;
        return raw = part(*v, s.text, WorldValue::Kind::dict) != nullptr ? 1 : 0, true;
      case Ask::has_attribute:
        if (v->kind != WorldValue::Kind::object) return false;
        return raw = part(*v, s.text, WorldValue::Kind::object) != nullptr ? 1 : 0, true;
      case Ask::overlap:
        return read_overlap(*v, value(s.other), raw);
      default:
        return false;
    }
  }

  static bool read_overlap(const WorldValue& a, const WorldValue* b, std::int64_t& raw) {
    if (b == nullptr || a.kind != WorldValue::Kind::tensor || b->kind != WorldValue::Kind::tensor) return false;
    const TensorDescription &x = *a.tensor, &y = *b->tensor;
    if (x.storage.empty() || x.storage != y.storage) return raw = 0, true;
    std::vector<std::int64_t> sx, sy;
    for (const auto& [t, s] : {std::pair(&x, &sx), std::pair(&y, &sy)})
      for (std::size_t i = 0; i < t->sizes.size(); ++i) {
        const auto stride = stride_of(*t, i);
        if (!stride) return false;
        s->push_back(*stride);
      }
    const auto bx = item_bytes(x.dtype), by = item_bytes(y.dtype);
    if (!bx || !by) return false;
    const Overlap o = overlap({x.storage_offset, x.sizes, sx, *bx}, {y.storage_offset, y.sizes, sy, *by});
    return o != Overlap::unknown && (raw = o == Overlap::yes ? 1 : 0, true);
  }

  bool read_value(SlotSort sort, const WorldValue& v, std::int64_t& raw) const {
    using Kind = WorldValue::Kind;
    switch (sort) {
      case SlotSort::integer:
        return v.kind == Kind::integer && v.integer && (raw = *v.integer, true);
      case SlotSort::boolean:
        return v.kind == Kind::boolean && (raw = v.boolean ? 1 : 0, true);
      case SlotSort::floating:
        return v.kind == Kind::floating && (raw = std::bit_cast<std::int64_t>(v.floating), true);
      case SlotSort::name:
        return v.kind == Kind::text && string(v.text, raw);
    }
    return false;
  }

  bool read_tensor(const WorldSlot& s, const TensorDescription& t, std::int64_t& raw) const {
    switch (s.ask) {
      case Ask::rank:
        return raw = static_cast<std::int64_t>(t.sizes.size()), true;
      case Ask::size:
        return s.index < t.sizes.size() && (raw = t.sizes[s.index], true);
      case Ask::stride: {
        const auto stride = stride_of(t, s.index);
        return stride && (raw = *stride, true);
      }
      case Ask::storage_offset:
        return raw = t.storage_offset, true;
      case Ask::dtype:
        return name(t.dtype, raw);
      case Ask::device:
        return name(t.device, raw);
      case Ask::device_type:
        return name(std::string_view(t.device).substr(0, t.device.find(':')), raw);
      case Ask::device_index: {
        const std::size_t at = t.device.find(':');
        if (at == std::string::npos) return false;
        const auto [end, error] = std::from_chars(t.device.data() + at + 1, t.device.data() + t.device.size(), raw);
        return error == std::errc{} && end == t.device.data() + t.device.size();
      }
      case Ask::requires_grad:
        return raw = t.requires_grad ? 1 : 0, true;
      case Ask::layout:
        return name(t.layout, raw);
      case Ask::storage:
        return string(t.storage.empty() ? "storage of " + layout->objects[s.object].path : t.storage, raw);
      case Ask::storage_bytes:
        return t.storage_bytes && (raw = *t.storage_bytes, true);
      case Ask::data:
        for (const auto& [what, value] : t.data)
          if (what == s.text) return raw = value, true;
        return false;
      default:
        return false;
    }
  }

  bool read_state(const WorldSlot& s, std::int64_t& raw) const {
    const GlobalState& g = world->state;
    const auto flag = [&](bool v) { return raw = v ? 1 : 0, true; };
    switch (s.ask) {
      case Ask::code:
        return string(world->code, raw);
      case Ask::caller:
        return string(world->caller, raw);
      case Ask::autocast_enabled:
      case Ask::autocast_dtype: {
        const auto it = std::ranges::find(g.autocast, s.text, &Autocast::device);
        if (s.ask == Ask::autocast_enabled) return flag(it != g.autocast.end() && it->enabled);
        return it != g.autocast.end() && name(it->dtype, raw);
      }
      case Ask::environment:
      case Ask::environment_has:
        for (const auto& [variable, text] : world->environment)
          if (variable == s.text) {
            if (s.ask == Ask::environment_has) return flag(text.has_value());
            return text && string(*text, raw);
          }
        // A variable nobody describes: not known to be unset.
        return false;
      default:
        break;
    }
    switch (static_cast<StateField>(s.index)) {
      case StateField::grad_mode:
        return flag(g.grad_mode);
      case StateField::inference_mode:
        return flag(g.inference_mode);
      case StateField::autocast_cache:
        return flag(g.autocast_cache);
      case StateField::deterministic:
        return flag(g.deterministic);
      case StateField::deterministic_warn_only:
        return flag(g.deterministic_warn_only);
      case StateField::default_dtype:
        return name(g.default_dtype, raw);
      case StateField::default_device:
        return name(g.default_device, raw);
      case StateField::threads:
        return raw = g.threads, true;
      case StateField::tf32_matmul:
        return flag(g.tf32_matmul);
      case StateField::tf32_cudnn:
        return flag(g.tf32_cudnn);
      case StateField::fp16_reduction:
        return flag(g.fp16_reduction);
      case StateField::bf16_reduction:
        return flag(g.bf16_reduction);
      case StateField::function_modes: {
        std::vector<std::string> modes;
        for (const std::string& m : g.function_modes) modes.push_back(detail::quoted(m));
        return name(list_text(modes), raw);
      }
    }
    return false;
  }
};

WorldReader::WorldReader(const WorldLayout& layout) : impl_(std::make_unique<Impl>(Impl{&layout.impl()})) {}
WorldReader::~WorldReader() = default;

void WorldReader::bind(const World& world) {
  impl_->world = &world;
  ++impl_->binds;
  impl_->found.resize(impl_->layout->objects.size());
}

bool WorldReader::read(SlotIndex slot, std::int64_t& raw) noexcept {
  // Slots appended since `bind` are not read.
  if (impl_->world == nullptr || slot >= impl_->layout->slots.size()) return false;
  const WorldSlot& s = impl_->layout->slots[slot];
  if (s.object != kNoObject && s.object >= impl_->found.size()) return false;
  if (s.other != kNoObject && s.other >= impl_->found.size()) return false;
  return impl_->read(slot, raw);
}

Snapshot observe(const WorldLayout& layout, const World& world) {
  WorldReader reader(layout);
  reader.bind(world);
  LazySnapshot lazy(layout.layout());
  lazy.begin(reader);
  Snapshot out(layout.size());
  for (SlotIndex i = 0; i < layout.size(); ++i)
    if (lazy.fetch(i)) out.set(i, lazy.raw(i));
  return out;
}

}  // namespace dimgate
