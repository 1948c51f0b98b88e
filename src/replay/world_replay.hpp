// One policy's run over a world trace. Private to src/replay.
#pragma once

#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "dimgate/compile_tree.hpp"
#include "dimgate/guard_builder.hpp"
#include "dimgate/guard_text.hpp"
#include "dimgate/observe.hpp"
#include "dimgate/world_compare.hpp"

namespace dimgate::detail {

/// What an entry's artifact holds: its guards in a Context of their own, as a tree in running and in recorded order, to
/// count what checking lazily reads and runs.
struct WorldEntry {
  std::unique_ptr<Context> ctx;
  GuardSet guards;
  GuardTree tree, recorded;
  TreeCounts counts;
};

/// The miss handler and the observer of a cache whose frame is the traced function.
class WorldReplay final : private MissHandler, private CacheObserver {
 public:
  WorldReplay(const PolicySpec& policy, const WorldTraceHeader& header);
  /// One more call; `line` is where it stands.
  std::optional<Error> call(const World& world, unsigned line);
  /// The row, with times measured over the calls kept.
  WorldRow finish(bool measure);

 private:
  MissAnswer miss(const Miss& miss) override;
  void missed(const MissRecord& miss) override;
  /// Reads what the guards of the entries ask for, in order, up to the first entry that accepts. True: one does.
  bool read_lazily(const World& world);
  Result<NewEntry> entry(SnapshotView observed, bool& is_known);
  Result<GuardSet> guards_for(Context& ctx, GuardPreset preset, SnapshotView observed);
  std::optional<Error> add_branches(Context& ctx, GuardBuilder& builder, SnapshotView observed);
  void specialise(Context& ctx, GuardBuilder& builder, SnapshotView observed);
  [[nodiscard]] bool numbers_are_free() const;
  [[nodiscard]] bool is_free(SlotIndex slot) const;
  void follow_values(SnapshotView observed);
  [[nodiscard]] std::vector<WorldEntry*> held() const;
  void measure(WorldRow& row);

  PolicySpec policy_;
  const WorldTraceHeader& header_;
  WorldLayout layout_;
  WorldReader reader_;
  std::unique_ptr<LazySnapshot> lazy_, plain_;
  std::unordered_set<std::string> fingerprints_;  // strict: the used part of what was compiled
  /// auto_dynamic: what a number was when it was compiled for; free once it had another value.
  struct Seen {
    std::int64_t value = 0;
    bool any = false, free = false;
  };
  std::vector<Seen> seen_;
  std::vector<bool> branched_;  // by slot: branches look at it, and nobody else
  std::vector<Snapshot> sample_;
  unsigned line_ = 0;  // of the call
  WorldRow row_;
  std::uint64_t measured_misses_ = 0;
  Cache cache_;
  CacheReader lookups_;
};

}  // namespace dimgate::detail
