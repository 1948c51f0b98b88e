// One policy on a world trace: a Cache whose handler guards worlds as described, and what its guards read and cost.
//
// The cache decides: hit, compile, share, fall back. Which slots a lazy reader has to read for that, and how often each
// kind of guard runs, is counted beside it on the same entries' guard trees; a call's lookup is made over the slots
// that they read (all of them where no entry accepts, and the call is compiled for).
#include "replay/world_replay.hpp"

#include <algorithm>
#include <chrono>
#include <map>

namespace dimgate::detail {
namespace {

constexpr std::size_t kSample = 512;  // calls kept to measure with
// Every kept call stands for this many, so that the sample runs through the trace.
constexpr std::uint64_t kSampleStep = 97;

bool is_number(const Slot& slot) noexcept {
  if (slot.sort != SlotSort::integer) return false;
  switch (slot.source.property) {
    case Property::size:
    case Property::stride:
    case Property::storage_offset:
    case Property::value:
      return true;
    default:
      return false;
  }
}

std::vector<Expr> formulas(const GuardSet& set) {
  std::vector<Expr> out;
  for (const Guard& g : set.all()) out.push_back(g.formula);
  return out;
}

double nanoseconds(std::chrono::steady_clock::duration d) {
  return std::chrono::duration<double, std::nano>(d).count();
}

/// What the artifact of a cache's entry holds. The replay alone runs it, on one thread.
WorldEntry& world_entry(const Entry& e) {
  return *static_cast<WorldEntry*>(const_cast<void*>(e.artifact->payload.get()));
}

}  // namespace

WorldReplay::WorldReplay(const PolicySpec& policy, const WorldTraceHeader& header)
    : policy_(policy),
      header_(header),
      reader_(layout_),
      cache_(*this,
             [&] {
               CacheOptions options;
               if (policy.number > 0) options.max_entries = static_cast<std::size_t>(policy.number);
               options.max_events = 0;
               options.observer = std::shared_ptr<CacheObserver>(std::shared_ptr<void>(), this);
               return options;
             }()),
      lookups_(cache_) {
  row_.policy = policy.text;
}

std::vector<WorldEntry*> WorldReplay::held() const {
  std::vector<WorldEntry*> out;
  const auto set = cache_.entries();
  for (const EntryRef& e : set->entries) out.push_back(&world_entry(*e));
  return out;
}

bool WorldReplay::read_lazily(const World& world) {
  const std::vector<WorldEntry*> entries = held();
  if (entries.empty()) return false;
  const auto first = [&](LazySnapshot& at, auto&& check) {
    reader_.bind(world);
    at.begin(reader_);
    return std::ranges::any_of(entries, check);
  };
  const bool found = first(*lazy_, [&](WorldEntry* e) { return e->tree.check(*lazy_, &e->counts) == kPass; });
  row_.reads += lazy_->reads();
  first(*plain_, [&](WorldEntry* e) { return e->recorded.check(*plain_) == kPass; });
  row_.recorded_reads += plain_->reads();
  return found;
}

std::optional<Error> WorldReplay::call(const World& world, unsigned line) {
  const std::uint64_t number = row_.calls++;
  line_ = line;
  if (policy_.kind == PolicySpec::Kind::eager) return ++row_.fallbacks, std::nullopt;
  if (number % kSampleStep == 0 && sample_.size() < kSample && row_.entries != 0)
    sample_.push_back(observe(layout_, world));
  Snapshot whole;
  const bool found = read_lazily(world);
  const bool full = policy_.number > 0 && row_.entries >= static_cast<std::uint64_t>(policy_.number);
  if (!found && !full) {
    layout_.extend(world);
    for (const auto* names : {&header_.uses, &header_.bakes})
      for (const std::string& name : *names) layout_.ask(name);
    whole = observe(layout_, world);
  }
  const Cache::Answer answer = lookups_.lookup(found || full ? lazy_->view() : whole.view());
  switch (answer.outcome()) {
    case Outcome::hit:
      ++row_.hits;
      break;
    case Outcome::compiled:
      ++row_.compiles;
      row_.compiled_at.push_back(number);
      break;
    case Outcome::shared:
      ++row_.shared;
      break;
    case Outcome::fallback:
      ++row_.fallbacks;
      break;
    default:
      return Error{answer.reason()};
  }
  if (answer.outcome() == Outcome::compiled || answer.outcome() == Outcome::shared) {
    ++row_.traces;
    ++row_.entries;
    lazy_ = std::make_unique<LazySnapshot>(layout_.layout());
    plain_ = std::make_unique<LazySnapshot>(layout_.layout());
  } else if ((answer.outcome() == Outcome::hit) != found) {
    return Error{"internal: the cache and the guard trees of its entries disagree about this call"};
  }
  return std::nullopt;
}

bool WorldReplay::numbers_are_free() const {
  return policy_.kind == PolicySpec::Kind::symbolic || policy_.kind == PolicySpec::Kind::auto_dynamic;
}

bool WorldReplay::is_free(SlotIndex slot) const {
  const Slot& s = layout_.layout()[slot];
  if (!numbers_are_free() || std::ranges::find(header_.bakes, s.name) != header_.bakes.end()) return false;
  if (!is_number(s)) return slot < branched_.size() && branched_[slot];
  return policy_.kind == PolicySpec::Kind::symbolic || (slot < seen_.size() && seen_[slot].free);
}

void WorldReplay::follow_values(SnapshotView observed) {
  if (policy_.kind != PolicySpec::Kind::auto_dynamic) return;
  seen_.resize(layout_.size());
  for (SlotIndex s = 0; s < layout_.size(); ++s) {
    if (!is_number(layout_.layout()[s]) || !observed.has(s)) continue;
    if (seen_[s].any && seen_[s].value != observed.raw(s)) seen_[s].free = true;
    seen_[s].any = true;
    seen_[s].value = observed.raw(s);
  }
}

std::optional<Error> WorldReplay::add_branches(Context& ctx, GuardBuilder& builder, SnapshotView observed) {
  for (const std::string& text : header_.branches) {
    ParseOptions how;
    how.sort = Sort::Bool;
    const Result<Expr> branch = parse(ctx, text, how);
    if (!branch) return Error{"branch '" + text + "': " + branch.error().to_string()};
    const Value taken = value_at(ctx, *branch, layout_.layout(), observed);
    if (taken.is_undefined()) return Error{"branch '" + text + "' is undefined at this call"};
    // What makes its slots readable is guarded as well; their values only where they are not free.
    std::vector<GuardKind> kinds;
    for (const Expr s : symbols_of(ctx, *branch))
      if (const SlotIndex slot = layout_.layout().find(ctx.symbol_name(s)); slot != kNoSlot) {
        builder.used(slot);
        if (std::ranges::find(kinds, layout_.kind(slot)) == kinds.end()) kinds.push_back(layout_.kind(slot));
      }
    if (!numbers_are_free()) continue;
    Guard g;
    g.formula = taken.is_true() ? *branch : ctx.make(Op::Not, {*branch});
    g.kind = kinds.size() == 1 ? kinds.front() : kind_of(ctx, *branch);
    g.reason = "branch taken";
    builder.add(g);
  }
  return std::nullopt;
}

/// PyTorch's 0/1 specialisation: a free size stands for 2 and more.
void WorldReplay::specialise(Context& ctx, GuardBuilder& builder, SnapshotView observed) {
  ReadRecord reads;
  for (const std::string& name : header_.uses) {
    std::vector<SlotIndex> slots = layout_.slots_of(name);
    if (const SlotIndex s = layout_.layout().find(name); s != kNoSlot) slots.push_back(s);
    for (const SlotIndex s : slots)
      if (is_number(layout_.layout()[s]) && is_free(s) && observed.has(s)) reads.note(s);
  }
  for (const SlotIndex s : reads.slots()) {
    const Expr symbol = ctx.symbol(layout_.layout()[s].name, Sort::Int);
    const std::int64_t v = observed.raw(s);
    Guard g;
    g.formula =
        v == 0 || v == 1 ? ctx.make(Op::Eq, {symbol, ctx.integer(v)}) : ctx.make(Op::Ge, {symbol, ctx.integer(2)});
    g.kind = layout_.kind(s);
    g.reason = "0/1 specialisation";
    if (layout_.layout()[s].source.property == Property::size || v >= 0) builder.add(g);
  }
}

Result<GuardSet> WorldReplay::guards_for(Context& ctx, GuardPreset preset, SnapshotView observed) {
  BuilderOptions options;
  options.preset = preset;
  options.symbolic = [this](SlotIndex s) { return is_free(s); };
  GuardBuilder builder(ctx, layout_, observed, std::move(options));
  for (const auto* names : {&header_.uses, &header_.bakes})
    for (const std::string& name : *names)
      if (Status used = builder.used(name); !used) return used.error();
  const ReadRecord used = builder.reads();
  if (auto error = add_branches(ctx, builder, observed)) return std::move(*error);
  branched_.assign(layout_.size(), false);
  for (const SlotIndex s : builder.reads().slots()) branched_[s] = !used.was_read(s);
  if (policy_.kind == PolicySpec::Kind::auto_dynamic) specialise(ctx, builder, observed);
  return builder.build();
}

Result<NewEntry> WorldReplay::entry(SnapshotView observed, bool& is_known) {
  follow_values(observed);
  auto world = std::make_shared<WorldEntry>();
  world->ctx = std::make_unique<Context>();
  Context& ctx = *world->ctx;
  declare_slots(ctx, layout_.layout());
  const bool strict = policy_.kind == PolicySpec::Kind::strict;
  Result<GuardSet> guards = guards_for(ctx, strict ? GuardPreset::strict : GuardPreset::used, observed);
  if (!guards) return guards.error();
  auto artifact = std::make_shared<Artifact>();
  if (strict) {
    const Result<GuardSet> used = guards_for(ctx, GuardPreset::used, observed);
    if (!used) return used.error();
    for (const Guard& g : used->all()) artifact->fingerprint += to_text(ctx, g.formula) + "\n";
    is_known = !fingerprints_.insert(artifact->fingerprint).second;
  }
  world->guards = std::move(*guards);
  const std::vector<Expr> list = formulas(world->guards);
  TreeOptions recorded;
  recorded.order = TreeOrder::recorded;
  Result<GuardTree> tree = compile_tree(ctx, list, layout_.layout()),
                    plain = compile_tree(ctx, list, layout_.layout(), recorded);
  Result<Program> program = dimgate::compile(ctx, list, layout_.layout());
  if (!program) return program.error();
  if (!tree) return tree.error();
  if (!plain) return plain.error();
  world->tree = std::move(*tree);
  world->recorded = std::move(*plain);
  world->counts.reset(world->tree.units());
  NewEntry entry;
  entry.program = std::move(*program);
  for (const Expr g : list) entry.guard_texts.push_back(to_text(ctx, g));
  artifact->payload = std::move(world);
  entry.artifact = std::move(artifact);
  return entry;
}

MissAnswer WorldReplay::miss(const Miss& miss) {
  bool is_known = false;
  Result<NewEntry> made = entry(miss.inputs, is_known);
  if (!made) return MissAnswer::fail(made.error().to_string());
  return is_known ? MissAnswer::share(std::move(*made)) : MissAnswer::compile(std::move(*made));
}

void WorldReplay::missed(const MissRecord& miss) {
  if (miss.first || miss.made == nullptr || miss.nearest.empty()) return;
  if (miss.outcome == Outcome::compiled) ++row_.recompiles;
  const FailedEntry& nearest = miss.nearest.front();
  const WorldEntry& entry = world_entry(*nearest.entry);
  std::vector<GuardKind> kinds;
  for (const std::uint32_t g : nearest.failing) {
    const Guard& guard = entry.guards[g];
    if (std::ranges::find(kinds, guard.kind) != kinds.end()) continue;
    kinds.push_back(guard.kind);
    auto it = std::ranges::find(row_.causes, guard.kind, &WorldCause::kind);
    if (it == row_.causes.end()) {
      const GuardFailure f = explain_failure(*entry.ctx, guard, layout_.layout(), miss.inputs);
      it = row_.causes.insert(row_.causes.end(),
                              WorldCause{guard.kind, 0, 0, f.whole.empty() ? f.text : f.whole, line_});
    }
    ++it->misses;
  }
  if (kinds.size() == 1) ++std::ranges::find(row_.causes, kinds.front(), &WorldCause::kind)->alone;
}

void WorldReplay::measure(WorldRow& row) {
  using Clock = std::chrono::steady_clock;
  const std::vector<WorldEntry*> entries = held();
  if (sample_.empty() || entries.empty()) return;
  LazySnapshot lazy(layout_.layout());
  TreeDispatch dispatch;
  for (const WorldEntry* e : entries) dispatch.append(e->tree);
  std::uint64_t failed = 0;  // an answer that is used, so that no check is optimised away
  for (int round = 0; round < 3; ++round) {
    const auto start = Clock::now();
    for (const Snapshot& s : sample_) {
      SnapshotSource source(s);
      failed += dispatch.find(lazy, source) == TreeDispatch::kMiss ? 1 : 0;
    }
    const double each = nanoseconds(Clock::now() - start) / static_cast<double>(sample_.size());
    if (round == 0 || each < row.lookup_ns) row.lookup_ns = each;
  }
  for (WorldKindCost& kind : row.kinds) {
    // The guards of this kind of every entry, as programs of their own.
    double spent = 0;
    std::uint64_t tests = 0;
    for (const WorldEntry* e : entries) {
      std::vector<Expr> list;
      for (const Guard& g : e->guards.all())
        if (g.kind == kind.kind) list.push_back(g.formula);
      if (list.empty()) continue;
      const Result<GuardTree> tree = compile_tree(*e->ctx, list, layout_.layout());
      const Result<Program> program = dimgate::compile(*e->ctx, list, layout_.layout());
      if (!tree || !program) continue;
      TreeCounts counts;
      counts.reset(tree->units());
      for (const Snapshot& s : sample_) {
        SnapshotSource source(s);
        lazy.begin(source);
        (void)tree->check(lazy, &counts);
      }
      // The best of a few rounds: what else runs on the machine is not the guards' cost.
      double best = 0;
      for (int round = 0; round < 3; ++round) {
        const auto from = Clock::now();
        for (const Snapshot& s : sample_) failed += program->check(s) == kPass ? 0 : 1;
        const double took = nanoseconds(Clock::now() - from);
        if (round == 0 || took < best) best = took;
      }
      spent += best;
      for (const std::uint64_t n : counts.runs) tests += n;
      if (tests > 50'000) break;
    }
    kind.ns_per_evaluation = tests == 0 ? 0 : spent / static_cast<double>(tests);
  }
  measured_misses_ = failed;
}

WorldRow WorldReplay::finish(bool with_times) {
  WorldRow row = std::move(row_);
  const std::vector<WorldEntry*> entries = held();
  row.hit_rate = row.calls == 0 ? 0 : static_cast<double>(row.hits) / static_cast<double>(row.calls);
  std::map<GuardKind, WorldKindCost> kinds;
  std::uint64_t guards = 0;
  for (const WorldEntry* e : entries) {
    guards += e->guards.size();
    for (const Guard& g : e->guards.all()) kinds[g.kind].guards += 1;
    for (std::size_t u = 0; u < e->tree.units(); ++u) {
      WorldKindCost& k = kinds[e->guards[e->tree.guard_of(u)].kind];
      k.evaluations += e->counts.runs[u];
      k.failures += e->counts.failures[u];
    }
  }
  row.guards_per_entry = entries.empty() ? 0 : static_cast<double>(guards) / static_cast<double>(entries.size());
  for (auto& [kind, cost] : kinds) {
    cost.kind = kind;
    row.kinds.push_back(cost);
  }
  if (with_times) measure(row);
  std::ranges::stable_sort(row.kinds, [](const WorldKindCost& a, const WorldKindCost& b) {
    return a.ns() != b.ns() ? a.ns() > b.ns() : a.evaluations > b.evaluations;
  });
  std::ranges::stable_sort(row.causes, [](const WorldCause& a, const WorldCause& b) { return a.misses > b.misses; });
  return row;
}

}  // namespace dimgate::detail
