#include "cache/advise.hpp"

#include <algorithm>
#include <bit>
#include <set>

namespace dimgate {

std::string_view to_string(AdviceKind kind) noexcept {
  switch (kind) {
    case AdviceKind::pad:
      return "pad";
    case AdviceKind::mark_dynamic:
      return "mark dynamic";
    case AdviceKind::declare_range:
      return "declare a range";
    case AdviceKind::move_string_out:
      return "move the string out";
    case AdviceKind::keep_object:
      return "keep the object";
    case AdviceKind::stabilise_keys:
      return "stabilise the key set";
    case AdviceKind::stabilise_device:
      return "stabilise the device";
    case AdviceKind::stabilise_flag:
      return "stabilise the flag";
    case AdviceKind::read_environment_once:
      return "read the environment variable once";
    case AdviceKind::read_attribute_once:
      return "read the attribute once";
    case AdviceKind::keep_still:
      return "keep it still";
  }
  return "?";
}

}  // namespace dimgate

namespace dimgate::detail {

namespace {

using Value = std::optional<std::int64_t>;

Value next_power(Value v) {
  if (!v || *v <= 0 || *v > std::int64_t{1} << 61) return v;
  return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(*v)));
}
/// Presence stays: what is absent is another world.
Value any(Value v) { return v ? Value(0) : v; }

bool says(const std::string& text, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view w) { return text.find(w) != std::string::npos; });
}

/// What kind of remedy a slot that is no size asks for, by the failing guards' kind, else by how the slot is called.
AdviceKind remedy(const Slot& slot, const std::string& kind) {
  const std::string& n = slot.name;
  if (kind == "environment" || says(n, {"environ"})) return AdviceKind::read_environment_once;
  if (kind == "keys" || kind == "key_order" || kind == "membership" || kind == "version" ||
      says(n, {".keys()", "___dict_contains("}))
    return AdviceKind::stabilise_keys;
  if (kind == "device" || kind == "default_device" || slot.source.property == Property::device)
    return AdviceKind::stabilise_device;
  if (kind == "identity" || slot.source.property == Property::identity || slot.source.property == Property::storage)
    return AdviceKind::keep_object;
  if (kind == "attribute" || kind == "module_global") return AdviceKind::read_attribute_once;
  if (slot.sort == SlotSort::boolean ||
      says(kind, {"grad", "inference", "autocast", "deterministic", "threads", "flag", "default_dtype"}) ||
      slot.source.property == Property::requires_grad)
    return AdviceKind::stabilise_flag;
  if (slot.sort == SlotSort::name && slot.source.property == Property::value) return AdviceKind::move_string_out;
  return AdviceKind::keep_still;
}

std::string sentence(AdviceKind kind, const std::string& s) {
  switch (kind) {
    case AdviceKind::read_environment_once:
      return "read " + s + " once, outside of the compiled region, and pass what follows from it";
    case AdviceKind::stabilise_keys:
      return "keep the key set of " + s + " still: fill all keys before the first call";
    case AdviceKind::stabilise_device:
      return "move once before the loop: keep " + s + " still";
    case AdviceKind::keep_object:
      return "keep one object for " + s + ", or pass the values that are used instead of the object";
    case AdviceKind::read_attribute_once:
      return "read " + s + " once, outside of the compiled region";
    case AdviceKind::stabilise_flag:
      return "set " + s + " once before the loop";
    case AdviceKind::move_string_out:
      return "move " + s + " out of the compiled region: decide on the string before the call";
    default:
      return "keep " + s + " still";
  }
}

}  // namespace

std::size_t distinct(const Worlds& worlds, std::optional<std::size_t> column, Replace replace) {
  std::set<std::vector<Value>> seen;
  for (std::vector<Value> call : worlds.calls) {
    if (column) call[*column] = replace(call[*column]);
    seen.insert(std::move(call));
  }
  return seen.size();
}

std::optional<Finding> find_pattern(const Worlds& worlds, std::size_t column, const Layout& layout,
                                    const std::string& kind) {
  std::vector<std::int64_t> values;
  for (const auto& call : worlds.calls)
    if (call[column]) values.push_back(*call[column]);
  const std::set<std::int64_t> all(values.begin(), values.end());
  if (all.size() < 2) return std::nullopt;
  Finding f;
  f.slot = worlds.slots[column];
  const Slot& slot = layout[f.slot];
  f.source = slot.name;
  f.kind = kind;
  f.values = all.size();
  const bool is_number = slot.sort == SlotSort::integer;
  const bool grows = is_number && all.size() == values.size() && std::ranges::is_sorted(values) && values.size() >= 4;
  const bool names = slot.sort == SlotSort::name;
  const std::string range = std::to_string(*all.begin()) + " to " + std::to_string(*all.rbegin());
  const std::string n = std::to_string(values.size());
  if (grows) {
    f.pattern = ThrashPattern::growth;
    f.text = f.source + " grew at each of the last " + n + " compiles (" + range + ")";
  } else if (names && all.size() == values.size() && values.size() >= 4 &&
             remedy(slot, kind) == AdviceKind::keep_object) {
    f.pattern = ThrashPattern::fresh_identity;
    f.text = f.source + " was another object at each of the last " + n + " compiles";
  } else if (all.size() <= 4 && values.size() >= 2 * all.size()) {
    f.pattern = ThrashPattern::to_and_fro;
    f.text = f.source + " went to and fro between " + std::to_string(all.size()) + " values";
  } else {
    f.pattern = ThrashPattern::many_values;
    f.text = f.source + " had " + std::to_string(all.size()) + " values in " + n + " compiles" +
             (is_number ? " (" + range + ")" : "");
  }

  const std::size_t before = distinct(worlds);
  const auto offer = [&](AdviceKind what, std::string text, Replace replace) {
    const std::size_t left = distinct(worlds, column, replace);
    if (left < before) f.advice.push_back({what, std::move(text), before, left});
  };
  const AdviceKind other = remedy(slot, kind);
  if (is_number && (other == AdviceKind::keep_still || other == AdviceKind::stabilise_keys) && kind != "rank") {
    offer(AdviceKind::mark_dynamic, "mark " + f.source + " dynamic", any);
    if (!grows)  // a range that was seen says nothing of what still grows
      offer(AdviceKind::declare_range, "declare " + range + " as the range of " + f.source, any);
    offer(AdviceKind::pad, "pad " + f.source + " to a power of two", next_power);
  }
  if (!is_number || other != AdviceKind::keep_still) offer(other, sentence(other, f.source), any);
  std::ranges::stable_sort(f.advice, {}, &Advice::remaining);
  return f;
}

}  // namespace dimgate::detail
