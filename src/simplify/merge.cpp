// Fewer entries: equal fingerprints joined, entries inside more general ones retired.
#include <algorithm>
#include <map>

#include "dimgate/simplify.hpp"
#include "simplify/forms.hpp"
#include "simplify/witness.hpp"

namespace dimgate {

namespace {

std::string name_of(const MergeEntry& e, std::size_t i) {
  return e.label.empty() ? "entry " + std::to_string(i) : e.label;
}

std::string list_names(std::span<const MergeEntry> entries, std::span<const std::size_t> ids) {
  std::string out;
  for (const std::size_t i : ids) {
    if (!out.empty()) out += ", ";
    out += name_of(entries[i], i);
  }
  return out;
}

struct Candidate {
  Expr guard;
  std::vector<std::size_t> from;
  std::uint64_t age = 0;  // of its oldest part
  bool alive = true;
};

}  // namespace

MergeResult merge(Prover& prover, const Facts& facts, std::span<const MergeEntry> entries) {
  Context& ctx = facts.context();
  MergeResult out;
  // Fingerprints in order of their oldest entry.
  std::vector<std::size_t> by_age(entries.size());
  for (std::size_t i = 0; i < by_age.size(); ++i) by_age[i] = i;
  std::stable_sort(by_age.begin(), by_age.end(),
                   [&](std::size_t a, std::size_t b) { return entries[a].age < entries[b].age; });
  std::map<std::string_view, std::size_t> index;
  std::vector<Candidate> candidates;
  for (const std::size_t i : by_age) {
    const auto [it, fresh] = index.try_emplace(entries[i].fingerprint, candidates.size());
    if (fresh) candidates.push_back({{}, {}, entries[i].age, true});
    candidates[it->second].from.push_back(i);
  }
  out.lower_bound = candidates.size();

  for (Candidate& c : candidates) {
    if (c.from.size() == 1) {
      c.guard = entries[c.from[0]].guard;
      const Expr canonical = ctx.canonical(c.guard);
      if (canonical.is_false()) {
        c.alive = false;
        out.steps.push_back({MergeStep::Kind::retired,
                             c.from,
                             name_of(entries[c.from[0]], c.from[0]) + " accepts nothing",
                             {{"False", Verdict::proved, "canonical", "unreachable"}}});
      }
      continue;
    }
    std::vector<Expr> parts;
    for (const std::size_t i : c.from) parts.push_back(entries[i].guard);
    Joined joined = join(prover, facts, parts);
    c.guard = joined.formula;
    out.steps.push_back({MergeStep::Kind::joined, c.from,
                         list_names(entries, c.from) + " run the same artifact: " + simplify::claim_text(ctx, c.guard),
                         std::move(joined.obligations)});
    if (ctx.canonical(c.guard).is_false()) c.alive = false;
  }

  // An entry inside another one retires; of two that cover each other the older stays. Most pairs are told apart by a
  // point of the first that the second does not accept.
  const SimplifyOptions options;
  simplify::Questions questions(prover, facts, options);
  std::vector<Expr> symbols;
  std::vector<simplify::Tape> tapes;
  for (const Candidate& c : candidates) {
    const std::vector<Expr> own = symbols_of(ctx, c.guard);
    symbols.insert(symbols.end(), own.begin(), own.end());
    tapes.emplace_back(c.guard);
  }
  simplify::Witnesses witnesses(questions, std::move(symbols));
  std::vector<simplify::Tape::Cell> scratch;
  for (std::size_t i = candidates.size(); i-- > 0;) {
    if (!candidates[i].alive) continue;
    const std::optional<simplify::Point> inside = witnesses.find(candidates[i].guard);
    for (std::size_t k = 0; k < candidates.size(); ++k) {
      if (k == i || !candidates[k].alive) continue;
      if (inside && simplify::surely_not_true(tapes[k], *inside, scratch)) continue;
      Proof proof = subsumes(prover, facts, candidates[k].guard, candidates[i].guard);
      if (!proof.proved()) continue;
      candidates[i].alive = false;
      MergeStep step{
          MergeStep::Kind::retired,
          candidates[i].from,
          list_names(entries, candidates[i].from) + " lies inside " + list_names(entries, candidates[k].from),
          {}};
      step.obligations.push_back({"implies(" + simplify::claim_text(ctx, candidates[i].guard) + ", " +
                                      simplify::claim_text(ctx, candidates[k].guard) + ")",
                                  proof.verdict, proof.stage, "every call it serves is served by the other"});
      out.steps.push_back(std::move(step));
      break;
    }
  }
  for (const Candidate& c : candidates) {
    if (!c.alive) continue;
    if (c.from.size() == 1)
      out.steps.push_back(
          {MergeStep::Kind::kept, c.from, name_of(entries[c.from[0]], c.from[0]) + " has an artifact of its own", {}});
    out.entries.push_back({c.guard, entries[c.from[0]].fingerprint, c.from});
  }
  return out;
}

}  // namespace dimgate
