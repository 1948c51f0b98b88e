// Freeing slots that entries fix to different constants, by tracing again.
#include <algorithm>
#include <map>

#include "dimgate/simplify.hpp"
#include "simplify/box.hpp"
#include "simplify/forms.hpp"
#include "simplify/guard_item.hpp"

namespace dimgate {

namespace {

// The one value each Int slot has under a guard, where its own conjuncts fix it.
std::map<std::string, std::pair<Expr, std::int64_t>> fixed_slots(Context& ctx, Expr guard) {
  std::map<std::string, std::pair<Expr, std::int64_t>> out;
  const simplify::GuardItem item = simplify::read_guard(ctx, guard);
  for (const auto& [x, set] : item.slots)
    if (set.is_point()) out.emplace(ctx.symbol_name(x), std::pair{x, set.lo()});
  return out;
}

}  // namespace

MergeResult generalise(Prover& prover, const Facts& facts, std::span<const MergeEntry> entries,
                       const Retrace& retrace) {
  Context& ctx = facts.context();
  std::vector<MergeEntry> all(entries.begin(), entries.end());
  std::vector<char> gone(all.size(), 0);
  std::vector<std::vector<std::size_t>> origin(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) origin[i] = {i};
  std::vector<MergeStep> steps;

  // Slots that every entry fixes, with the value in each.
  std::vector<std::map<std::string, std::pair<Expr, std::int64_t>>> fixed;
  for (const MergeEntry& e : all) fixed.push_back(fixed_slots(ctx, e.guard));
  std::vector<Expr> symbols;
  if (!fixed.empty())
    for (const auto& [name, value] : fixed[0])
      if (std::all_of(fixed.begin(), fixed.end(), [&n = name](const auto& f) { return f.contains(n); }))
        symbols.push_back(value.first);
  std::vector<std::vector<Integer>> rows;
  for (const auto& f : fixed) {
    std::vector<Integer> row;
    for (const Expr s : symbols) row.emplace_back(f.at(ctx.symbol_name(s)).second);
    rows.push_back(std::move(row));
  }
  RetraceRequest request;
  for (std::size_t k = 0; k < symbols.size(); ++k) {
    const bool varies = std::any_of(rows.begin(), rows.end(), [&](const auto& r) { return r[k] != rows[0][k]; });
    if (varies) request.freed.push_back(symbols[k]);
  }
  if (all.size() > 1 && !request.freed.empty() && retrace) {
    for (const Guess& g : suggest(ctx, symbols, rows)) request.assumed.push_back(g.formula);
    // Branches are decided with the values of each entry in turn until no entry is left that a trace may cover.
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (gone[i] != 0) continue;
      request.hint.clear();
      for (std::size_t k = 0; k < symbols.size(); ++k) request.hint.emplace_back(symbols[k], rows[i][k]);
      const std::optional<Retraced> traced = retrace(request);
      if (!traced) continue;
      MergeStep step{MergeStep::Kind::freed, {}, {}, {}};
      for (std::size_t j = 0; j < entries.size(); ++j) {
        if (gone[j] != 0) continue;
        const Proof proof = subsumes(prover, facts, traced->guard, all[j].guard);
        if (!proof.proved()) continue;
        step.entries.push_back(j);
        step.obligations.push_back({"implies(" + simplify::claim_text(ctx, all[j].guard) + ", " +
                                        simplify::claim_text(ctx, traced->guard) + ")",
                                    proof.verdict, proof.stage, "the new guard covers the old entry"});
      }
      // A trace that covers one entry only would not make the entries fewer.
      if (step.entries.size() < 2) continue;
      std::string names;
      for (const Expr s : request.freed) names += (names.empty() ? "" : ", ") + ctx.symbol_name(s);
      step.reason = "traced again with " + names + " free: " + simplify::claim_text(ctx, traced->guard);
      MergeEntry fresh{traced->guard, traced->fingerprint, "", all[step.entries[0]].age};
      fresh.label = "free " + names;
      for (const std::size_t j : step.entries) {
        gone[j] = 1;
        fresh.age = std::min(fresh.age, all[j].age);
      }
      origin.push_back(step.entries);
      all.push_back(std::move(fresh));
      gone.push_back(0);
      steps.push_back(std::move(step));
    }
  }

  std::vector<MergeEntry> left;
  std::vector<std::size_t> ids;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (gone[i] != 0) continue;
    left.push_back(all[i]);
    ids.push_back(i);
  }
  MergeResult merged = merge(prover, facts, left);
  const auto to_input = [&](std::vector<std::size_t>& list) {
    std::vector<std::size_t> out;
    for (const std::size_t k : list) out.insert(out.end(), origin[ids[k]].begin(), origin[ids[k]].end());
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    list = std::move(out);
  };
  for (auto& e : merged.entries) to_input(e.from);
  for (MergeStep& s : merged.steps) to_input(s.entries);
  merged.steps.insert(merged.steps.begin(), steps.begin(), steps.end());
  return merged;
}

}  // namespace dimgate
