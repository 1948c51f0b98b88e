// How each slot of a described world is reached. Private to src/guard.
#pragma once

#include "dimgate/described_world.hpp"

namespace dimgate {

inline constexpr std::uint32_t kNoObject = 0xffffffffU;

/// One value of the world, by the way to it.
struct WorldObject {
  enum class Step : std::uint8_t { argument, closure, module_global, item, key, attribute };
  Step step = Step::argument;
  std::uint32_t parent = kNoObject;
  std::string name;         // of the root, the key (as Python writes it) or the attribute
  std::uint32_t index = 0;  // of an item
  std::string path;         // "L['d']['k']"
};

/// What a slot asks.
enum class Ask : std::uint8_t {
  type,
  identity,
  value,
  rank,
  size,
  stride,
  storage_offset,
  dtype,
  device,
  device_type,
  device_index,
  requires_grad,
  layout,
  storage,
  storage_bytes,
  data,
  length,
  key_list,
  version,
  has_key,
  has_attribute,
  overlap,  // of `object` and `other`
  code,
  caller,
  state,
  autocast_enabled,
  autocast_dtype,
  environment,
  environment_has,
};

/// The flags of GlobalState that are one member each.
enum class StateField : std::uint8_t {
  grad_mode,
  inference_mode,
  autocast_cache,
  deterministic,
  deterministic_warn_only,
  default_dtype,
  default_device,
  threads,
  tf32_matmul,
  tf32_cudnn,
  fp16_reduction,
  bf16_reduction,
  function_modes,
};
struct StateRow {
  StateField field;
  std::string_view slot;  // its name
  SlotSort sort;
  GuardKind kind;
  std::string_view torch;  // what PyTorch calls it in "GLOBAL_STATE changed: ..."; empty: it has its own guard
};
std::span<const StateRow> state_rows() noexcept;

struct WorldSlot {
  Ask ask = Ask::value;
  GuardKind kind = GuardKind::value;
  std::uint32_t object = kNoObject;
  std::uint32_t other = kNoObject;
  std::uint32_t index = 0;  // of sizes and strides; a StateField
  std::string text;         // a key, an attribute, a derived value's name, a variable, a device
};

struct WorldLayout::Impl {
  explicit Impl(std::shared_ptr<NameTable> names) : layout(std::move(names)) {}
  Layout layout;
  std::vector<WorldSlot> slots;  // by slot index
  std::vector<WorldObject> objects;
  std::unordered_map<std::string, std::uint32_t> by_path;

  std::uint32_t object(WorldObject o);
  SlotIndex add(const std::string& name, SlotSort sort, WorldSlot how, SlotIndex edge, double cost);
  void add_value(const WorldValue& v, std::uint32_t object, SlotIndex edge);
  void add_tensor(const TensorDescription& t, std::uint32_t object, SlotIndex type);
  void add_state(const GlobalState& state);
};

/// ['a', 'b'] for names that are already spelled.
std::string list_text(const std::vector<std::string>& spelled);

}  // namespace dimgate
