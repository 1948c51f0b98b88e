// Symbolic entries: the guard is the path condition of the trace, minimised; a known fingerprint builds nothing.
//
// Path conditions of one deterministic program are disjoint (two inputs with the same path have the same condition),
// so no entry lies inside another and order among them does not matter. Merging therefore is joining: entries of equal
// fingerprint and slot binding become one, under the simplest formula with the same truth as their disjunction.
// What is kept between misses is text: each miss has a Context of its own.
#include "dimgate/compile.hpp"
#include "dimgate/simplify.hpp"
#include "policy/policies.hpp"

namespace dimgate {

namespace {

/// Entries by their labels: one pass, since a program that specialises may have thousands.
std::unordered_map<std::string_view, EntryId> by_label(const EntrySet& entries) {
  std::unordered_map<std::string_view, EntryId> out;
  for (const EntryRef& e : entries.entries) out.emplace(e->label, e->id);
  return out;
}

}  // namespace

MissAnswer SymbolicPolicy::miss(const Miss& miss) {
  ++traces_;
  const std::vector<std::int64_t> values = values_of(subject_, miss.inputs);
  TraceRun run(subject_, symbols(values), true);
  if (!run.outcome.ok()) return run.failure();
  Context& ctx = run.context;
  const Facts& facts = run.tracer.facts();
  const Fingerprint fingerprint = run.tracer.fingerprint();

  Kept kept;
  kept.label = "symbolic#" + std::to_string(++labels_);
  kept.fingerprint = fingerprint.bytes;
  kept.binding = fingerprint.bytes;
  for (const Expr s : fingerprint.symbols) kept.binding += '\0' + ctx.symbol_name(s);

  const std::vector<Expr> recorded = run.guard_formulas();
  const Minimised minimised = minimise(*subject_.prover, facts, recorded);
  log_minimised(subject_.log, ctx, recorded, minimised);
  std::vector<Expr> guards = minimised.readable;
  std::vector<EntryId> retires;
  std::vector<std::size_t> joined;
  if (merge_) {
    std::vector<Expr> parts{ctx.make(Op::And, guards)};
    const auto ids = by_label(miss.entries);
    for (std::size_t i = 0; i < kept_.size(); ++i) {
      if (kept_[i].binding != kept.binding) continue;
      const auto id = ids.find(kept_[i].label);
      if (id == ids.end()) continue;  // evicted
      std::vector<Expr> conjuncts;
      for (const std::string& text : kept_[i].guards) {
        auto guard = parse(ctx, text);
        if (!guard) return MissAnswer::fail("a guard does not read back: " + guard.error().to_string());
        conjuncts.push_back(*guard);
      }
      parts.push_back(ctx.make(Op::And, conjuncts));
      retires.push_back(id->second);
      joined.push_back(i);
      kept.traces += kept_[i].traces;
    }
    if (parts.size() > 1)
      guards = readable_conjuncts(*subject_.prover, facts, join(*subject_.prover, facts, parts).formula);
  }
  for (const Expr g : guards) kept.guards.push_back(to_pretty(ctx, g));

  const auto [it, fresh] = artifacts_.try_emplace(fingerprint.bytes);
  const bool built = fresh || !holds_artifact(miss.entries, it->second);
  if (built) {
    auto artifact = std::make_shared<Artifact>();
    artifact->fingerprint = fingerprint.bytes;
    it->second = std::move(artifact);
  }
  auto entry = run.entry(guards, it->second, kept.label);
  if (!entry) return MissAnswer::fail(entry.error().to_string());
  entry->retires = std::move(retires);
  for (auto i = joined.rbegin(); i != joined.rend(); ++i) kept_.erase(kept_.begin() + static_cast<std::ptrdiff_t>(*i));
  if (kept_.size() > 2 * miss.entries.entries.size() + 16) forget_evicted(miss.entries);
  kept_.push_back(std::move(kept));
  return built ? MissAnswer::compile(std::move(*entry)) : MissAnswer::share(std::move(*entry));
}

void SymbolicPolicy::forget_evicted(const EntrySet& entries) {
  const auto ids = by_label(entries);
  std::erase_if(kept_, [&](const Kept& k) { return !ids.contains(k.label); });
}

std::vector<Policy::Shown> SymbolicPolicy::show(const EntrySet& entries) const {
  std::vector<Shown> out;
  const auto ids = by_label(entries);
  for (const Kept& kept : kept_)
    if (ids.contains(kept.label)) out.push_back({kept.guards, kept.fingerprint, kept.traces});
  return out;
}

}  // namespace dimgate
