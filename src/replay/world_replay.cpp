#include "replay/world_replay.hpp"

#include <algorithm>
#include <chrono>

namespace dimgate::detail {
namespace {

constexpr std::size_t kSample = 512;  // calls kept to measure with
// Every kept call stands for this many, so that the sample runs through the trace.
constexpr std::uint64_t kSampleStep = 97;

bool is_number(const Slot& slot) noexcept {
  return slot.sort == SlotSort::integer &&
         (slot.source.property == Property::size || slot.source.property == Property::value);
}

std::vector<Expr> formulas(const GuardSet& set) {
  std::vector<Expr> out;
  for (const Guard& g : set.all()) out.push_back(g.formula);
  return out;
}

double nanoseconds(std::chrono::steady_clock::duration d) {
  return std::chrono::duration<double, std::nano>(d).count();
}

}  // namespace

WorldReplay::WorldReplay(const WorldPolicy& policy, const WorldTraceHeader& header)
    : policy_(policy), header_(header), reader_(std::make_unique<WorldReader>(layout_)) {
  row_.policy = policy.text;
}

std::int32_t WorldReplay::find(const World& world) {
  if (entries_.empty()) return -1;
  reader_->bind(world);
  lazy_->begin(*reader_);
  std::int32_t found = -1;
  for (std::size_t i = 0; i < entries_.size() && found < 0; ++i)
    if (entries_[i].tree.check(*lazy_, &entries_[i].counts) == kPass) found = static_cast<std::int32_t>(i);
  row_.reads += lazy_->reads();
  reader_->bind(world);
  plain_->begin(*reader_);
  for (const WorldEntry& e : entries_)
    if (e.recorded.check(*plain_) == kPass) break;
  row_.recorded_reads += plain_->reads();
  return found;
}

std::optional<Error> WorldReplay::call(const World& world, unsigned line) {
  const std::uint64_t number = row_.calls++;
  if (policy_.kind == WorldPolicy::Kind::eager) return ++row_.fallbacks, std::nullopt;
  if (number % kSampleStep == 0 && sample_.size() < kSample && !entries_.empty())
    sample_.push_back(observe(layout_, world));
  if (find(world) >= 0) return ++row_.hits, std::nullopt;
  return compile(world, line);
}

bool WorldReplay::numbers_are_free() const {
  return policy_.kind == WorldPolicy::Kind::symbolic || policy_.kind == WorldPolicy::Kind::auto_dynamic;
}

bool WorldReplay::is_free(SlotIndex slot) const {
  const Slot& s = layout_.layout()[slot];
  if (!is_number(s) || std::ranges::find(header_.bakes, s.name) != header_.bakes.end()) return false;
  switch (policy_.kind) {
    case WorldPolicy::Kind::symbolic:
      return true;
    case WorldPolicy::Kind::auto_dynamic:
      return slot < seen_.size() && seen_[slot].free;
    default:
      return false;
  }
}

void WorldReplay::follow_values(SnapshotView observed) {
  if (policy_.kind != WorldPolicy::Kind::auto_dynamic) return;
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
    for (const Expr s : symbols_of(ctx, *branch))
      if (const SlotIndex slot = layout_.layout().find(ctx.symbol_name(s)); slot != kNoSlot) builder.used(slot);
    if (!numbers_are_free()) continue;
    Guard g;
    g.formula = taken.is_true() ? *branch : ctx.make(Op::Not, {*branch});
    g.kind = kind_of(ctx, *branch);
    g.reason = "branch taken";
    builder.add(g);
  }
  return std::nullopt;
}

Result<GuardSet> WorldReplay::guards_for(Context& ctx, GuardPreset preset, SnapshotView observed) {
  BuilderOptions options;
  options.preset = preset;
  // A slot that only a branch reads is free where numbers are; elsewhere it is guarded as seen, which decides it.
  options.symbolic = [this](SlotIndex s) { return is_free(s); };
  GuardBuilder builder(ctx, layout_, observed, std::move(options));
  for (const auto* names : {&header_.uses, &header_.bakes})
    for (const std::string& name : *names)
      if (Status used = builder.used(name); !used) return used.error();
  if (auto error = add_branches(ctx, builder, observed)) return std::move(*error);
  if (policy_.kind == WorldPolicy::Kind::auto_dynamic) {
    // PyTorch's 0/1 specialisation: a free size stands for 2 and more.
    ReadRecord reads;
    for (const std::string& name : header_.uses) {
      std::vector<SlotIndex> slots = layout_.slots_of(name);
      if (const SlotIndex s = layout_.layout().find(name); s != kNoSlot) slots.push_back(s);
      for (const SlotIndex s : slots)
        if (is_free(s) && observed.has(s)) reads.note(s);
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
  return builder.build();
}

std::optional<Error> WorldReplay::compile(const World& world, unsigned line) {
  if (entries_.size() >= policy_.limit) return ++row_.fallbacks, std::nullopt;
  layout_.extend(world);
  for (const auto* names : {&header_.uses, &header_.bakes})
    for (const std::string& name : *names) layout_.ask(name);
  reader_->bind(world);
  lazy_ = std::make_unique<LazySnapshot>(layout_.layout());
  plain_ = std::make_unique<LazySnapshot>(layout_.layout());
  const Snapshot observed = observe(layout_, world);
  if (!entries_.empty()) note_cause(observed, line);
  follow_values(observed);

  WorldEntry entry;
  entry.ctx = std::make_unique<Context>();
  Context& ctx = *entry.ctx;
  declare_slots(ctx, layout_.layout());
  const bool strict = policy_.kind == WorldPolicy::Kind::strict;
  Result<GuardSet> guards = guards_for(ctx, strict ? GuardPreset::strict : GuardPreset::used, observed);
  if (!guards) return guards.error();
  std::string fingerprint;
  if (strict) {
    const Result<GuardSet> used = guards_for(ctx, GuardPreset::used, observed);
    if (!used) return used.error();
    for (const Guard& g : used->all()) fingerprint += to_text(ctx, g.formula) + "\n";
  }
  entry.guards = std::move(*guards);
  const std::vector<Expr> list = formulas(entry.guards);
  TreeOptions recorded;
  recorded.order = TreeOrder::recorded;
  Result<GuardTree> tree = compile_tree(ctx, list, layout_.layout()),
                    plain = compile_tree(ctx, list, layout_.layout(), recorded);
  Result<Program> program = dimgate::compile(ctx, list, layout_.layout());
  if (!program) return program.error();
  entry.program = std::move(*program);
  if (!tree) return tree.error();
  if (!plain) return plain.error();
  entry.tree = std::move(*tree);
  entry.recorded = std::move(*plain);
  entry.counts.reset(entry.tree.units());
  lazy_->begin(*reader_);
  if (const std::int32_t failed = entry.tree.check(*lazy_); failed != kPass)
    return Error{"internal: the new entry refuses the call it was compiled for: " +
                 to_text(ctx, list[static_cast<std::size_t>(failed)])};
  ++row_.traces;
  if (strict && !fingerprints_.insert(fingerprint).second) {
    ++row_.shared;
  } else {
    ++row_.compiles;
    if (!entries_.empty()) ++row_.recompiles;
    row_.compiled_at.push_back(row_.calls - 1);
  }
  entries_.push_back(std::move(entry));
  return std::nullopt;
}

void WorldReplay::note_cause(SnapshotView observed, unsigned line) {
  // The entry with the fewest failing guards; of several the newest.
  const WorldEntry* nearest = nullptr;
  std::vector<std::uint32_t> failing;
  for (std::size_t i = entries_.size(); i-- > 0;) {
    const WorldEntry& e = entries_[i];
    std::vector<std::uint32_t> here = e.program.failing(observed);
    if (nearest == nullptr || here.size() < failing.size()) nearest = &e, failing = std::move(here);
  }
  std::vector<GuardKind> kinds;
  for (const std::uint32_t g : failing) {
    const Guard& guard = nearest->guards[g];
    if (std::ranges::find(kinds, guard.kind) != kinds.end()) continue;
    kinds.push_back(guard.kind);
    auto it = std::ranges::find(row_.causes, guard.kind, &WorldCause::kind);
    if (it == row_.causes.end()) {
      const GuardFailure f = explain_failure(*nearest->ctx, guard, layout_.layout(), observed);
      it =
          row_.causes.insert(row_.causes.end(), WorldCause{guard.kind, 0, 0, f.whole.empty() ? f.text : f.whole, line});
    }
    ++it->misses;
  }
  if (kinds.size() == 1) ++std::ranges::find(row_.causes, kinds.front(), &WorldCause::kind)->alone;
}

void WorldReplay::measure(WorldRow& row) {
  using Clock = std::chrono::steady_clock;
  if (sample_.empty() || entries_.empty()) return;
  LazySnapshot lazy(layout_.layout());
  TreeDispatch dispatch;
  for (const WorldEntry& e : entries_) dispatch.append(e.tree);
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
    for (const WorldEntry& e : entries_) {
      std::vector<Expr> list;
      for (const Guard& g : e.guards.all())
        if (g.kind == kind.kind) list.push_back(g.formula);
      if (list.empty()) continue;
      const Result<GuardTree> tree = compile_tree(*e.ctx, list, layout_.layout());
      const Result<Program> program = dimgate::compile(*e.ctx, list, layout_.layout());
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
  row.entries = entries_.size();
  row.hit_rate = row.calls == 0 ? 0 : static_cast<double>(row.hits) / static_cast<double>(row.calls);
  std::map<GuardKind, WorldKindCost> kinds;
  std::uint64_t guards = 0;
  for (const WorldEntry& e : entries_) {
    guards += e.guards.size();
    for (const Guard& g : e.guards.all()) kinds[g.kind].guards += 1;
    for (std::size_t u = 0; u < e.tree.units(); ++u) {
      WorldKindCost& k = kinds[e.guards[e.tree.guard_of(u)].kind];
      k.evaluations += e.counts.runs[u];
      k.failures += e.counts.failures[u];
    }
  }
  row.guards_per_entry = entries_.empty() ? 0 : static_cast<double>(guards) / static_cast<double>(entries_.size());
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
