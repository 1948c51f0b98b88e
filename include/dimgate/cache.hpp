// The run-time table of one frame: entries under guards, looked up in nanoseconds, filled by a MissHandler.
//
// Each thread makes a Reader and asks it. A hit takes no lock and allocates nothing: the entry set is immutable,
// published by one pointer and reclaimed by epochs. A miss goes to the handler: one compile per frame at a time, other
// threads wait and look again, or run the fallback. A new entry must accept the inputs it was made for.
// Meaning of order: entries proven strictly inside others come first, ties by age (oldest first).
// Which entry goes at a limit, and which calls are worth an entry: eviction.hpp. Several frames: layers.hpp. What is
// told to observers: observe.hpp. Tested by tests/cache (policy-free facts, allocation count, 16-thread stress).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dimgate/dispatch.hpp"
#include "dimgate/program.hpp"
#include "dimgate/result.hpp"
#include "dimgate/world.hpp"

namespace dimgate {

class Eviction;       // eviction.hpp
class CacheObserver;  // observe.hpp

using EntryId = std::uint64_t;  // counts up from 1 in insertion order within a cache; never reused

/// What was compiled, opaque to the cache. Shared by entries (of any frame) with the same fingerprint.
struct Artifact {
  std::string fingerprint;              // whole canonical byte string; may be empty
  std::shared_ptr<const void> payload;  // the front end's
  std::size_t bytes = 0;
  std::string label;
  /// The payload as what it was stored as; null if there is none.
  template <class T>
  [[nodiscard]] const T* as() const noexcept {
    return static_cast<const T*>(payload.get());
  }
};
using ArtifactRef = std::shared_ptr<const Artifact>;

/// What an entry costs, in seconds, where the front end knows it (the cost model's terms; see eviction.hpp).
struct EntryCosts {
  std::optional<double> compile;  // building it again
  std::optional<double> run;      // one call through it
  std::optional<double> check;    // one evaluation of its guards
};

/// Conditions on what no slot of a call shows (the size of a data-dependent result). They are no part of a lookup:
/// whoever runs the entry asks them before results are published.
struct RuntimeAsserts {
  Program program;                    // over the frame's slots, then the unbacked symbols from `first` on
  std::vector<std::string> texts;     // by guard index of the program
  std::vector<std::string> unbacked;  // the symbols' names
  SlotIndex first = 0;
  /// The text of one that does not hold, or null. `values`: of the unbacked symbols, in their order; a missing one
  /// breaks what needs it. Allocates.
  [[nodiscard]] const std::string* broken(SnapshotView call, std::span<const std::int64_t> values) const;
};

/// Declared facts over a frame's slots. A call that breaks them runs the fallback.
struct DeclaredFacts {
  Program program;
  std::vector<std::string> texts;  // by guard index of the program
};

/// An entry as the handler makes it.
struct NewEntry {
  Program program;
  ArtifactRef artifact;
  std::string label;
  std::vector<std::string> guard_texts;  // by guard index of the program; for messages
  /// Entries that go with the insertion, in the same version (joined into this one or inside it).
  std::vector<EntryId> retires;
  /// Entries this one is proven strictly inside of (it goes before them), and those it strictly contains.
  std::vector<EntryId> inside;
  std::vector<EntryId> contains;
  /// By guard index of the program: what it looks at ("shape", "device", ...); for statistics by kind. May be empty.
  std::vector<std::string> guard_kinds;
  EntryCosts costs;
  /// What the guards were simplified under. The program must demand it too, unless the guards imply it; calls that
  /// break it are not asked about again.
  DeclaredFacts facts = {};
  std::shared_ptr<const RuntimeAsserts> asserts = nullptr;  // null: none
  /// The artifact's slot k is the frame's slot binding[k] (kNoSlot: an unbacked symbol). May be empty.
  std::vector<SlotIndex> binding = {};
};

/// An entry in the table. Immutable but for its counters.
struct Entry {
  EntryId id = 0;
  Program program;
  ArtifactRef artifact;
  std::string label;
  std::vector<std::string> guard_texts;
  std::uint64_t version = 0;  // the version that inserted it
  std::vector<std::string> guard_kinds;
  EntryCosts costs;
  std::shared_ptr<const RuntimeAsserts> asserts;
  std::vector<SlotIndex> binding;
  std::vector<EntryId> inside;    // those present at its insertion that it is proven strictly inside of
  std::uint64_t made_for = 0;     // hash of the inputs it was made for; 0: inserted without a call
  std::uint64_t inserted_at = 0;  // clock
  mutable std::atomic<std::uint64_t> hits{0};
  mutable std::atomic<std::uint64_t> last_hit{0};  // clock of the reader that hit it
  [[nodiscard]] std::size_t bytes() const noexcept;
};
using EntryRef = std::shared_ptr<const Entry>;

/// One version of the table, in lookup order.
struct EntrySet {
  std::uint64_t version = 0;
  std::vector<EntryRef> entries;
  Dispatch dispatch;
  [[nodiscard]] const Entry* find(EntryId id) const noexcept;
};

/// What a handler is told about a miss.
struct Miss {
  SnapshotView inputs;
  const EntrySet& entries;      // when the miss was taken; only one handler call at a time adds to them
  std::uint64_t sightings = 1;  // how often these very inputs missed, this time included
  bool first = false;           // the frame never had an entry: its compile is no recompile
};

/// What it answers.
struct MissAnswer {
  enum class Kind : std::uint8_t {
    compiled,  // a new artifact was built: insert `entry`
    shared,    // traced, but its fingerprint was known: insert `entry`, no compile counted
    reject,    // tracing raised a shape error; remembered by the slot values (in `reason`: the message)
    fallback,  // run eagerly this time
    failed,    // the handler itself failed (`reason`); reported as Outcome::error
  };
  Kind kind = Kind::fallback;
  NewEntry entry;
  std::string reason;

  static MissAnswer compile(NewEntry e) { return {Kind::compiled, std::move(e), {}}; }
  static MissAnswer share(NewEntry e) { return {Kind::shared, std::move(e), {}}; }
  static MissAnswer reject(std::string why) { return {Kind::reject, {}, std::move(why)}; }
  static MissAnswer fall_back(std::string why = {}) { return {Kind::fallback, {}, std::move(why)}; }
  static MissAnswer fail(std::string why) { return {Kind::failed, {}, std::move(why)}; }
};

/// Decides what to do on a miss. Called by one thread at a time per cache.
class MissHandler {
 public:
  virtual ~MissHandler() = default;
  virtual MissAnswer miss(const Miss& miss) = 0;
  /// Which entry goes when the limit is reached and `on_limit` is evict. Default: least recently hit, then oldest.
  /// nullopt: none may go; the call falls back.
  virtual std::optional<EntryId> victim(const EntrySet& entries, const NewEntry& incoming);
};

enum class Outcome : std::uint8_t { hit, compiled, shared, fallback, rejected, error };
std::string_view to_string(Outcome outcome) noexcept;

enum class OnLimit : std::uint8_t { fallback, evict };
enum class OnBusy : std::uint8_t { wait, fallback };
/// normal; eager: never look, always fallback; eager_on_recompile: misses after the first entry fall back;
/// fail_on_recompile: they are errors; run_only: never compile.
enum class CacheMode : std::uint8_t { normal, force_eager, eager_on_recompile, fail_on_recompile, run_only };

/// Why the table changed.
struct CacheEvent {
  enum class Kind : std::uint8_t { insert, retire, evict, invalidate } kind = Kind::insert;
  std::uint64_t version = 0;
  EntryId entry = 0;
  std::string reason;
};

struct CacheOptions {
  std::size_t max_entries = SIZE_MAX;
  std::size_t max_bytes = SIZE_MAX;  // programs and artifacts of this frame
  OnLimit on_limit = OnLimit::fallback;
  OnBusy on_busy = OnBusy::wait;
  CacheMode mode = CacheMode::normal;
  std::size_t max_rejections = 1 << 16;             // remembered rejected inputs; the oldest go first
  std::size_t max_events = 1 << 16;                 // log length; the oldest go first
  std::function<void(const CacheEvent&)> on_event;  // called under the writer's lock
  /// Inputs missed fewer times than this run the fallback: 2 waits for the second sighting (eager first).
  std::uint64_t admit_at_sighting = 1;
  /// Says which entry goes and, if it wishes, which calls are worth none. Null: the handler's `victim`, no bypass.
  std::shared_ptr<Eviction> eviction;
  std::shared_ptr<CacheObserver> observer;  // called under the writer's lock; null: none
};

/// Counts. calls() = hits + compiles + shared + fallbacks + rejected + errors.
struct CacheStatistics {
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;      // lookups that no entry served at first
  std::uint64_t compiles = 0;    // artifacts built (first ones and recompiles)
  std::uint64_t recompiles = 0;  // compiles while or after the frame had an entry
  std::uint64_t shared = 0;
  std::uint64_t fallbacks = 0;
  std::uint64_t rejected = 0;
  std::uint64_t errors = 0;
  std::uint64_t traces = 0;  // handler calls that traced: compiled, shared, reject
  std::uint64_t evictions = 0;
  std::uint64_t waits = 0;                  // misses that waited for another thread's compile
  std::uint64_t precondition_failures = 0;  // of the fallbacks
  std::uint64_t limit_fallbacks = 0;        // of the fallbacks
  std::uint64_t admission_fallbacks = 0;    // of the fallbacks: seen too rarely, or not worth an entry
  [[nodiscard]] std::uint64_t calls() const noexcept {
    return hits + compiles + shared + fallbacks + rejected + errors;
  }
};

class Cache {
 public:
  /// The handler outlives the cache.
  explicit Cache(MissHandler& handler, CacheOptions options = {});
  ~Cache();
  Cache(const Cache&) = delete;
  Cache& operator=(const Cache&) = delete;

  /// What a lookup gave. While it lives the entry stays valid and (pinned) nothing that this thread can see is freed.
  class Answer {
   public:
    Answer() = default;
    Answer(Answer&& o) noexcept;
    Answer& operator=(Answer&& o) noexcept;
    ~Answer();
    [[nodiscard]] Outcome outcome() const noexcept { return outcome_; }
    /// The entry to run; null for fallback, rejected and error.
    [[nodiscard]] const Entry* entry() const noexcept { return entry_; }
    /// Why not, for rejected, error and some fallbacks.
    [[nodiscard]] const std::string& reason() const noexcept { return reason_; }

   private:
    friend class Cache;
    friend class CacheReader;
    class CacheReader* pinned_ = nullptr;
    const Entry* entry_ = nullptr;
    Outcome outcome_ = Outcome::fallback;
    std::string reason_;
  };

  /// An answer without an entry, for whoever answers in a cache's stead.
  static Answer answer(Outcome outcome, std::string reason);

  /// Frame precondition (the checked facts), run before any entry; a call that fails it falls back. Set before use.
  void set_precondition(Program precondition);
  /// Inserts without a miss (imports, whitelists). Fails if the program can never pass or a limit forbids it.
  Result<EntryId> insert(NewEntry entry);
  /// Takes entries out. Unknown ids are ignored; true if any went.
  bool retire(EntryId id, std::string reason);
  bool evict(EntryId id, std::string reason);
  std::size_t invalidate(const std::function<bool(const Entry&)>& dead, std::string reason);
  /// An object died (or a module was reloaded, ...): entries that demand `slot == value` go. The value must not be
  /// given to another object later: names of a NameTable are not.
  std::size_t invalidate_pinned(SlotIndex slot, std::int64_t value, std::string reason);
  /// Any of the slots.
  std::size_t invalidate_pinned(std::span<const SlotIndex> slots, std::int64_t value, std::string reason);

  /// The present version, held alive by the caller (cold).
  [[nodiscard]] std::shared_ptr<const EntrySet> entries() const;
  [[nodiscard]] CacheStatistics statistics() const;
  [[nodiscard]] std::vector<CacheEvent> events() const;
  [[nodiscard]] std::size_t bytes() const;

 private:
  friend class CacheReader;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// One thread's access to one cache. Cheap to keep, not cheap to make; not thread-safe; must not outlive the cache.
class CacheReader {
 public:
  explicit CacheReader(Cache& cache);
  ~CacheReader();
  CacheReader(const CacheReader&) = delete;
  CacheReader& operator=(const CacheReader&) = delete;

  /// Hit: no lock, no allocation. Miss: asks the handler (see Cache).
  Cache::Answer lookup(SnapshotView at);
  /// The same; a miss goes to `handler`.
  Cache::Answer lookup(SnapshotView at, MissHandler& handler);
  /// A hit as `lookup` gives and counts it, or null: a miss asks nobody and counts nothing.
  Cache::Answer try_hit(SnapshotView at);
  /// As `try_hit` row by row over columns (those of Dispatch::find_batch), in order up to the first row that no entry
  /// serves: how many were served, each counted as by `lookup`. All see one version of the table. Allocates.
  std::size_t try_hits(std::span<const std::int64_t* const> columns, std::size_t rows);
  /// Looks only: the entry that would serve, or null; counts nothing.
  Cache::Answer peek(SnapshotView at);

 private:
  friend class Cache;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dimgate
