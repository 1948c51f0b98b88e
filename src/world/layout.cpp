// Which slots a frame has, by name, and the order in which they may be read. A name is parsed once, when it is added;
// its property gives the sort and the slots that gate it. Checked by tests/world/layout_test.cpp.
#include <bit>
#include <charconv>

#include "dimgate/world.hpp"

namespace dimgate {
namespace {

SlotSort natural_sort(Property p) noexcept {
  switch (p) {
    case Property::dtype:
    case Property::device:
    case Property::layout:
    case Property::storage:
    case Property::type:
    case Property::identity:
      return SlotSort::name;
    case Property::requires_grad:
      return SlotSort::boolean;
    default:
      return SlotSort::integer;
  }
}

bool is_count(Property p) noexcept {
  return p == Property::size || p == Property::rank || p == Property::length || p == Property::storage_offset;
}

// What must be known of the base before this may be read, nearest first. An identity and a type are always readable.
std::span<const Property> gates(Property p) noexcept {
  static constexpr Property kRankThenType[] = {Property::rank, Property::type};
  static constexpr Property kType[] = {Property::type};
  switch (p) {
    case Property::type:
    case Property::identity:
      return {};
    case Property::size:
    case Property::stride:
      return kRankThenType;
    default:
      return kType;
  }
}

std::string float_text(double v) {
  char buffer[32];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, v);
  return error == std::errc{} ? std::string(buffer, end) : "?";
}

}  // namespace

SlotIndex Layout::add(std::string_view name, std::optional<SlotSort> sort) {
  Source source = Source::parse(name);
  const std::string key = source.text();
  if (const auto it = by_source_.find(key); it != by_source_.end()) return it->second;

  const auto index = static_cast<SlotIndex>(slots_.size());
  Slot slot;
  slot.key = std::hash<std::string>{}(key);
  slot.name = name;
  slot.sort = sort.value_or(natural_sort(source.property));
  if (is_count(source.property)) slot.at_least = 0;
  for (const Property gate : gates(source.property)) {
    const auto it = by_source_.find(Source{source.base, gate, 0}.text());
    if (it == by_source_.end()) continue;
    slot.edge = it->second;
    break;
  }
  slot.source = std::move(source);
  by_source_.emplace(key, index);
  slots_.push_back(std::move(slot));

  // A gate that comes after what it guards: hang those slots below it.
  const Source& gate = slots_.back().source;
  if (gate.property == Property::rank || gate.property == Property::type) {
    for (SlotIndex i = 0; i < index; ++i) {
      const Source& other = slots_[i].source;
      if (other.base != gate.base) continue;
      for (const Property p : gates(other.property)) {
        if (p == gate.property) slots_[i].edge = index;
        if (slots_[i].edge != kNoSlot && slots_[slots_[i].edge].source.property == p) break;
      }
    }
  }
  return index;
}

void Layout::add_tensor(std::string_view base, std::uint32_t rank) {
  const std::string b(base);
  for (const Property p : {Property::rank, Property::dtype, Property::device, Property::storage_offset})
    add(Source{b, p, 0}.text());
  for (const Property p : {Property::size, Property::stride})
    for (std::uint32_t i = 0; i < rank; ++i) add(Source{b, p, i}.text());
}

SlotIndex Layout::find(std::string_view name) const {
  // The usual spelling is the canonical one.
  auto it = by_source_.find(std::string(name));
  if (it == by_source_.end()) it = by_source_.find(Source::parse(name).text());
  return it == by_source_.end() ? kNoSlot : it->second;
}

std::uint64_t Layout::mark(SlotIndex i) const noexcept {
  const Slot& s = slots_[i];
  std::uint64_t h = s.key + static_cast<std::uint64_t>(s.sort) + 1;
  if (s.sort == SlotSort::name) h ^= reinterpret_cast<std::uintptr_t>(names_.get());
  h = (h ^ (h >> 32U)) * 0x9E3779B97F4A7C15U;
  return h | 1U;
}

std::uint32_t Layout::depth(SlotIndex i) const noexcept {
  std::uint32_t depth = 0;
  // Callers may set edges by hand; a cycle would be a mistake, and is cut.
  while (slots_[i].edge != kNoSlot && depth <= slots_.size()) i = slots_[i].edge, ++depth;
  return depth;
}

std::string to_string(const Layout& layout, SnapshotView view) {
  std::string out;
  for (SlotIndex i = 0; i < layout.size(); ++i) {
    if (!view.has(i)) continue;
    if (!out.empty()) out += ", ";
    out += layout[i].name + "=";
    switch (layout[i].sort) {
      case SlotSort::integer:
        out += std::to_string(view.raw(i));
        break;
      case SlotSort::boolean:
        out += view.raw(i) != 0 ? "True" : "False";
        break;
      case SlotSort::floating:
        out += float_text(std::bit_cast<double>(view.raw(i)));
        break;
      case SlotSort::name:
        out += "'" + layout.names().name(view.raw(i)) + "'";
        break;
    }
  }
  return out;
}

}  // namespace dimgate
