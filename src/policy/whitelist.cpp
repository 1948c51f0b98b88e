// The symbolic artifact under exactly the shapes seen so far.
//
// In the cache a set of shapes is one entry a shape, all with the set's artifact: dispatch finds them by hash. A new
// shape costs a trace. Where it satisfies the path condition of an earlier trace, that trace is the new one, decision
// for decision (that is what a path condition means), so its result is reused instead of being computed again.
#include "dimgate/compile.hpp"
#include "dimgate/simplify.hpp"
#include "policy/policies.hpp"

namespace dimgate {

Result<NewEntry> WhitelistPolicy::entry(std::size_t artifact, std::span<const std::int64_t> values) {
  Context ctx;
  std::vector<Expr> pins;
  NewEntry entry;
  for (std::size_t i = 0; i < values.size(); ++i) {
    pins.push_back(ctx.make(Op::Eq, {ctx.symbol(subject_.model->dims()[i].name), ctx.integer(values[i])}));
    entry.guard_texts.push_back(to_pretty(ctx, pins.back()));
  }
  auto program = compile(ctx, pins, subject_.layout());
  if (!program) return program.error();
  entry.program = std::move(*program);
  entry.artifact = artifacts_[artifact];
  entry.label = "whitelist#" + std::to_string(shapes_.size());
  shapes_.emplace_back(values.begin(), values.end());
  return entry;
}

MissAnswer WhitelistPolicy::miss(const Miss& miss) {
  ++traces_;
  const std::vector<std::int64_t> values = values_of(subject_, miss.inputs);
  const auto answer = [&](std::size_t artifact) {
    const bool built = !holds_artifact(miss.entries, artifacts_[artifact]);
    auto made = entry(artifact, values);
    if (!made) return MissAnswer::fail(made.error().to_string());
    return built ? MissAnswer::compile(std::move(*made)) : MissAnswer::share(std::move(*made));
  };
  for (const Known& known : known_)
    if (known.path.check(miss.inputs) == kPass) return answer(known.artifact);

  TraceRun run(subject_, symbols(values), true);
  if (!run.outcome.ok()) return run.failure();
  auto path = compile(run.context, run.recorded(), subject_.layout());
  if (!path) return MissAnswer::fail(path.error().to_string());
  auto artifact = std::make_shared<Artifact>();
  artifact->fingerprint = run.tracer.fingerprint().bytes;
  const auto [it, fresh] = by_fingerprint_.emplace(artifact->fingerprint, artifacts_.size());
  if (fresh) artifacts_.push_back(std::move(artifact));
  known_.push_back({std::move(*path), it->second});
  return answer(it->second);
}

std::vector<Policy::Shown> WhitelistPolicy::show(const EntrySet& entries) const {
  std::unordered_map<std::string_view, const Entry*> held;
  for (const EntryRef& e : entries.entries) held.emplace(e->label, e.get());
  std::vector<std::vector<std::size_t>> sets(artifacts_.size());
  std::unordered_map<const Artifact*, std::size_t> set_of;
  for (std::size_t a = 0; a < artifacts_.size(); ++a) set_of.emplace(artifacts_[a].get(), a);
  for (std::size_t k = 0; k < shapes_.size(); ++k)
    if (const auto it = held.find("whitelist#" + std::to_string(k)); it != held.end())
      sets[set_of.at(it->second->artifact.get())].push_back(k);
  std::vector<Shown> out;
  for (std::size_t a = 0; a < sets.size(); ++a)
    if (!sets[a].empty()) out.push_back({shapes_text(sets[a]), artifacts_[a]->fingerprint, sets[a].size()});
  return out;
}

// A set of shapes as few conjuncts.
std::vector<std::string> WhitelistPolicy::shapes_text(const std::vector<std::size_t>& set) const {
  constexpr std::size_t kMostJoined = 64;  // joining many points is for `merge`, not for a table
  const auto dims = subject_.model->dims();
  if (set.size() > kMostJoined) {
    std::string names;
    for (const ModelDim& dim : dims) names += (names.empty() ? "" : ", ") + dim.name;
    return {"(" + names + ") is one of " + std::to_string(set.size()) + " shapes"};
  }
  Context ctx;
  std::vector<Expr> parts;
  for (const std::size_t k : set) {
    std::vector<Expr> pins;
    for (std::size_t i = 0; i < dims.size(); ++i)
      pins.push_back(ctx.make(Op::Eq, {ctx.symbol(dims[i].name), ctx.integer(shapes_[k][i])}));
    parts.push_back(ctx.make(Op::And, pins));
  }
  const Facts none(ctx);
  std::vector<std::string> out;
  for (const Expr g : readable_conjuncts(*subject_.prover, none, join(*subject_.prover, none, parts).formula))
    out.push_back(to_pretty(ctx, g));
  return out;
}

}  // namespace dimgate
