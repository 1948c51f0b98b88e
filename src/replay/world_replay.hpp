// One policy's run over a world trace. Private to src/replay.
#pragma once

#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "dimgate/compile_tree.hpp"
#include "dimgate/guard_builder.hpp"
#include "dimgate/guard_text.hpp"
#include "dimgate/world_compare.hpp"

namespace dimgate::detail {

/// An entry: its guards in a Context of its own, as a tree in running and in recorded order.
struct WorldEntry {
  std::unique_ptr<Context> ctx;
  GuardSet guards;
  GuardTree tree, recorded;
  Program program;  // all of them, to ask which fail
  TreeCounts counts;
};

class WorldReplay {
 public:
  WorldReplay(const WorldPolicy& policy, const WorldTraceHeader& header);
  /// One more call; `line` is where it stands.
  std::optional<Error> call(const World& world, unsigned line);
  /// The row, with times measured over the calls kept.
  WorldRow finish(bool measure);

 private:
  std::int32_t find(const World& world);
  std::optional<Error> compile(const World& world, unsigned line);
  Result<GuardSet> guards_for(Context& ctx, GuardPreset preset, SnapshotView observed);
  std::optional<Error> add_branches(Context& ctx, GuardBuilder& builder, SnapshotView observed);
  [[nodiscard]] bool numbers_are_free() const;
  [[nodiscard]] bool is_free(SlotIndex slot) const;
  void follow_values(SnapshotView observed);
  void note_cause(SnapshotView observed, unsigned line);
  void measure(WorldRow& row);

  WorldPolicy policy_;
  const WorldTraceHeader& header_;
  WorldLayout layout_;
  std::unique_ptr<WorldReader> reader_;
  std::unique_ptr<LazySnapshot> lazy_, plain_;
  std::vector<WorldEntry> entries_;
  std::unordered_set<std::string> fingerprints_;  // strict: the used part of what was compiled
  /// auto_dynamic: what a size or integer was when it was compiled for; free once it had another value.
  struct Seen {
    std::int64_t value = 0;
    bool any = false, free = false;
  };
  std::vector<Seen> seen_;
  std::vector<Snapshot> sample_;
  WorldRow row_;
  std::uint64_t measured_misses_ = 0;
};

}  // namespace dimgate::detail
