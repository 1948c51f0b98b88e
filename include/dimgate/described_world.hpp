// A call's whole world, described as data: arguments, frame, global state, environment; and its slots.
//
// Front ends that keep their own objects implement SlotSource instead; this description serves traces, tests, bindings
// and whoever wants to say what a call saw. WorldLayout gives every part of a described world a slot with its sort,
// readable edge and read cost; WorldReader reads one described world slot by slot (lazily: a SlotSource); `observe`
// reads all of it. Names of slots are PyTorch's spellings: docs/guards.md lists them.
// Costs: `extend` is linear in the world; a read walks no more than the slot's path once a world. Interning a name
// locks, so a hot path reads through a source of its own. Tested by tests/guard.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "dimgate/guard.hpp"
#include "dimgate/lazy_snapshot.hpp"
#include "dimgate/world.hpp"

namespace dimgate {

struct TensorDescription {
  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> strides;  // empty: compact row-major
  std::int64_t storage_offset = 0;    // elements
  std::string dtype = "torch.float32";
  std::string device = "cpu";  // "cuda:0"
  bool requires_grad = false;
  std::string layout = "torch.strided";
  std::string storage;  // identity of the storage; empty: it owns one
  std::optional<std::int64_t> storage_bytes;
  /// Values derived from the elements that the front end declares: "max" -> 7 is `x.max()`.
  std::vector<std::pair<std::string, std::int64_t>> data;
};

struct WorldValue {
  enum class Kind : std::uint8_t { none, boolean, integer, floating, text, tensor, list, tuple, dict, object };
  Kind kind = Kind::none;
  std::string type;      // empty: Python's name of the kind ("int", "Tensor")
  std::string identity;  // of the object while it lives; empty: not known (identity guards fail closed)
  bool boolean = false;
  std::optional<std::int64_t> integer;  // nullopt for an integer beyond int64: its slot is absent
  double floating = 0;
  std::string text;
  std::shared_ptr<const TensorDescription> tensor;
  std::vector<std::string> names;  // dict: its keys in order, as Python writes them (`'a'`, `3`); object: attributes
  std::vector<WorldValue> items;   // of a list or tuple; values for `names`
  std::optional<std::int64_t> version;  // of a container that counts its changes

  static WorldValue none() { return {}; }
  static WorldValue of(bool v);
  static WorldValue of(std::int64_t v);
  static WorldValue of(double v);
  static WorldValue of_text(std::string v);
  static WorldValue of(TensorDescription v);
  static WorldValue list(std::vector<WorldValue> items);
  static WorldValue tuple(std::vector<WorldValue> items);
  /// Keys are strings; use `names` for others.
  static WorldValue dict(std::vector<std::pair<std::string, WorldValue>> items);
  static WorldValue object(std::string type, std::vector<std::pair<std::string, WorldValue>> attributes);
  [[nodiscard]] std::string_view type_name() const noexcept;
};

struct NamedValue {
  std::string name;
  WorldValue value;
};

/// Autocast of one device type.
struct Autocast {
  std::string device;
  bool enabled = false;
  std::string dtype = "torch.bfloat16";
};

struct GlobalState {
  bool grad_mode = true;
  bool inference_mode = false;
  std::vector<Autocast> autocast;
  bool autocast_cache = true;
  bool deterministic = false;
  bool deterministic_warn_only = false;
  std::string default_dtype = "torch.float32";
  std::string default_device = "cpu";
  std::int64_t threads = 1;
  bool tf32_matmul = false;
  bool tf32_cudnn = true;
  bool fp16_reduction = true;
  bool bf16_reduction = true;
  std::vector<std::string> function_modes;  // innermost last
};

struct World {
  std::string code;    // which function, which version of it
  std::string caller;  // from which context: a training loop, an inference script, through a decorator
  std::vector<NamedValue> arguments, closure, module_globals;
  GlobalState state;
  std::vector<std::pair<std::string, std::optional<std::string>>> environment;  // variables looked at; nullopt: not set
};

/// Slots of described worlds. Grows with what is seen; indices never change.
class WorldLayout {
 public:
  WorldLayout();
  explicit WorldLayout(std::shared_ptr<NameTable> names);
  ~WorldLayout();
  WorldLayout(WorldLayout&&) noexcept;
  WorldLayout& operator=(WorldLayout&&) noexcept;

  /// A slot for everything in the world that has none yet: for a value of a new sort under a known name, a further slot
  /// (`L['n'].as_float`).
  void extend(const World& world);
  /// A slot for the presence of what no world has shown yet: `___dict_contains('k', PATH)`, `hasattr(PATH, 'a')`,
  /// `___dict_contains('NAME', environ)`, where PATH is known. False for any other text.
  bool ask(std::string_view slot);
  [[nodiscard]] const Layout& layout() const noexcept;
  [[nodiscard]] std::size_t size() const noexcept { return layout().size(); }
  /// What a guard on that slot looks at.
  [[nodiscard]] GuardKind kind(SlotIndex slot) const noexcept;
  /// The slots under a value by its path (`L['x']`, `L['d']['k']`), ascending: the value's own, not its items'.
  [[nodiscard]] std::vector<SlotIndex> slots_of(std::string_view path) const;

  struct Impl;
  [[nodiscard]] const Impl& impl() const noexcept { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

/// Reads one world at a time.
class WorldReader final : public SlotSource {
 public:
  /// The layout outlives it; it may grow between `bind`s.
  explicit WorldReader(const WorldLayout& layout);
  ~WorldReader() override;
  WorldReader(const WorldReader&) = delete;
  WorldReader& operator=(const WorldReader&) = delete;
  /// The world must outlive the reads.
  void bind(const World& world);
  bool read(SlotIndex slot, std::int64_t& raw) noexcept override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// All slots of the layout that the world has.
Snapshot observe(const WorldLayout& layout, const World& world);

}  // namespace dimgate
