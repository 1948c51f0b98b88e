// The symbolic artifact under exactly the shapes seen so far.
//
// In the cache a set of shapes is one entry a shape, all with the set's artifact: dispatch finds them by hash. A new
// shape costs a trace. Where it satisfies the path condition of an earlier trace, that trace is the new one, decision
// for decision (that is what a path condition means), so its result is reused instead of being computed again.
#include "dimgate/compile.hpp"
#include "dimgate/simplify.hpp"
#include "policy/policies.hpp"

namespace dimgate {

Result<NewEntry> WhitelistPolicy::add(std::size_t set, std::span<const std::int64_t> values) {
  sets_[set].shapes.emplace_back(values.begin(), values.end());
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
  entry.artifact = sets_[set].artifact;
  return entry;
}

MissAnswer WhitelistPolicy::miss(const Miss& miss) {
  ++traces_;
  const std::vector<std::int64_t> values = values_of(subject_, miss.inputs);
  const auto answer = [&](std::size_t set, bool built) {
    auto entry = add(set, values);
    if (!entry) return MissAnswer::fail(entry.error().to_string());
    return built ? MissAnswer::compile(std::move(*entry)) : MissAnswer::share(std::move(*entry));
  };
  for (const Known& known : known_)
    if (known.path.check(miss.inputs) == kPass) return answer(known.artifact, false);

  TraceRun run(subject_, symbols(values), true);
  if (!run.outcome.ok()) return run.failure();
  auto path = compile(run.context, run.guard_formulas(), subject_.layout());
  if (!path) return MissAnswer::fail(path.error().to_string());
  auto artifact = std::make_shared<Artifact>();
  artifact->fingerprint = run.tracer.fingerprint().bytes;
  const auto [it, built] = by_fingerprint_.emplace(artifact->fingerprint, sets_.size());
  if (built) sets_.push_back({std::move(artifact), {}});
  known_.push_back({std::move(*path), it->second});
  return answer(it->second, built);
}

std::vector<Policy::Shown> WhitelistPolicy::show(const EntrySet&) const {
  constexpr std::size_t kMostJoined = 64;  // joining many points is for `merge`, not for a table
  std::vector<Shown> out;
  const auto dims = subject_.model->dims();
  for (const Set& set : sets_) {
    Shown shown;
    shown.fingerprint = set.artifact->fingerprint;
    shown.joined = set.shapes.size();
    if (set.shapes.size() <= kMostJoined) {
      Context ctx;
      std::vector<Expr> parts;
      for (const auto& shape : set.shapes) {
        std::vector<Expr> pins;
        for (std::size_t i = 0; i < shape.size(); ++i)
          pins.push_back(ctx.make(Op::Eq, {ctx.symbol(dims[i].name), ctx.integer(shape[i])}));
        parts.push_back(ctx.make(Op::And, pins));
      }
      const Facts none(ctx);
      const Joined joined = join(*subject_.prover, none, parts);
      for (const Expr g : readable_conjuncts(*subject_.prover, none, joined.formula))
        shown.guards.push_back(to_pretty(ctx, g));
    } else {
      std::string names;
      for (const ModelDim& dim : dims) names += (names.empty() ? "" : ", ") + dim.name;
      shown.guards.push_back("(" + names + ") is one of " + std::to_string(set.shapes.size()) + " shapes");
    }
    out.push_back(std::move(shown));
  }
  return out;
}

}  // namespace dimgate
