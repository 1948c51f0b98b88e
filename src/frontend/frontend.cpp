// A miss, from trace to entry.
//
// Path conditions of one deterministic program are disjoint (two inputs with the same path have the same condition),
// so no entry lies inside another and order among them does not matter. Merging therefore is joining: entries of equal
// fingerprint and slot binding become one, under the simplest formula with the same truth as their disjunction.
// What is kept between misses is text: each miss has a Context of its own.
#include "dimgate/frontend.hpp"

#include <algorithm>
#include <unordered_map>

namespace dimgate {

namespace {

/// Entries by their labels: one pass, since a program that specialises may have thousands.
std::unordered_map<std::string_view, EntryId> by_label(const EntrySet& entries) {
  std::unordered_map<std::string_view, EntryId> out;
  for (const EntryRef& e : entries.entries) out.emplace(e->label, e->id);
  return out;
}

}  // namespace

bool holds_artifact(const EntrySet& entries, const ArtifactRef& artifact) {
  return std::ranges::any_of(entries.entries, [&](const EntryRef& e) { return e->artifact == artifact; });
}

FrontEnd::FrontEnd(Layout layout, Prover& prover, Trace trace, Build build, FrontEndOptions options)
    : layout_(std::move(layout)),
      prover_(&prover),
      trace_(std::move(trace)),
      build_(std::move(build)),
      options_(std::move(options)) {}

/// `guards` joined with those of the entries that `kept` may replace; these retire.
Result<std::vector<Expr>> FrontEnd::joined(TracedCall& call, std::vector<Expr> guards, const EntrySet& entries,
                                           Kept& kept, NewEntry& entry, std::vector<std::size_t>& replaced) {
  Context& ctx = call.context;
  std::vector<Expr> parts{ctx.make(Op::And, guards)};
  const auto ids = by_label(entries);
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    if (kept_[i].binding != kept.binding) continue;
    const auto id = ids.find(kept_[i].label);
    if (id == ids.end()) continue;  // evicted
    std::vector<Expr> conjuncts;
    for (const std::string& text : kept_[i].shown.guards) {
      auto guard = parse(ctx, text);
      if (!guard) return Error{"a guard does not read back: " + guard.error().to_string()};
      conjuncts.push_back(*guard);
    }
    parts.push_back(ctx.make(Op::And, conjuncts));
    entry.retires.push_back(id->second);
    replaced.push_back(i);
    kept.shown.joined += kept_[i].shown.joined;
  }
  if (parts.size() == 1) return guards;
  const Facts& facts = call.tracer.facts();
  return readable_conjuncts(*prover_, facts, join(*prover_, facts, parts).formula);
}

MissAnswer FrontEnd::miss(const Miss& miss) {
  ++traces_;
  TracedCall call(*prover_, layout_, miss.inputs);
  if (!call.run([&] { trace_(call); }).ok()) return call.failure();
  Context& ctx = call.context;
  const Fingerprint fingerprint = call.tracer.fingerprint();
  const Minimised minimal = call.minimal();
  if (options_.on_minimised) options_.on_minimised(ctx, call.recorded(), minimal);

  Kept kept;
  kept.label = options_.label + "#" + std::to_string(++labels_);
  kept.shown.fingerprint = options_.share ? fingerprint.bytes : std::string();
  kept.binding = fingerprint.bytes;
  for (const Expr s : fingerprint.symbols) kept.binding += '\0' + ctx.symbol_name(s);
  for (const Expr g : call.fixed()) kept.binding += '\0' + to_text(ctx, g);

  NewEntry joining;
  std::vector<std::size_t> replaced;
  std::vector<Expr> guards = minimal.readable;
  if (options_.merge && options_.share) {
    auto all = joined(call, std::move(guards), miss.entries, kept, joining, replaced);
    if (!all) return MissAnswer::fail(all.error().to_string());
    guards = std::move(*all);
  }
  for (const Expr g : guards) kept.shown.guards.push_back(to_pretty(ctx, g));
  guards.insert(guards.begin(), call.fixed().begin(), call.fixed().end());

  ArtifactRef artifact = options_.share ? artifacts_[fingerprint.bytes].lock() : nullptr;
  const bool built = artifact == nullptr || !holds_artifact(miss.entries, artifact);
  Built made;
  if (built) {
    if (build_) {
      auto result = build_(call, fingerprint);
      if (!result) return MissAnswer::fail(result.error().to_string());
      made = std::move(*result);
    }
    artifact = std::make_shared<const Artifact>(
        Artifact{options_.share ? fingerprint.bytes : std::string(), std::move(made.payload), made.bytes, kept.label});
    if (options_.share) artifacts_[fingerprint.bytes] = artifact;
  }
  auto entry = call.entry(layout_, guards, std::move(artifact), kept.label, options_.jit);
  if (!entry) return MissAnswer::fail(entry.error().to_string());
  entry->costs = made.costs;
  entry->retires = std::move(joining.retires);
  for (const Expr s : fingerprint.symbols) entry->binding.push_back(layout_.find(ctx.symbol_name(s)));
  for (auto i = replaced.rbegin(); i != replaced.rend(); ++i)
    kept_.erase(kept_.begin() + static_cast<std::ptrdiff_t>(*i));
  if (kept_.size() > 2 * miss.entries.entries.size() + 16) forget_evicted(miss.entries);
  kept_.push_back(std::move(kept));
  return built ? MissAnswer::compile(std::move(*entry)) : MissAnswer::share(std::move(*entry));
}

void FrontEnd::forget_evicted(const EntrySet& entries) {
  const auto ids = by_label(entries);
  std::erase_if(kept_, [&](const Kept& k) { return !ids.contains(k.label); });
  std::erase_if(artifacts_, [](const auto& one) { return one.second.expired(); });
}

std::vector<FrontEnd::Shown> FrontEnd::show(const EntrySet& entries) const {
  std::vector<Shown> out;
  const auto ids = by_label(entries);
  for (const Kept& kept : kept_)
    if (ids.contains(kept.label)) out.push_back(kept.shown);
  return out;
}

}  // namespace dimgate
