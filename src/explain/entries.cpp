#include "explain/entries.hpp"

#include "dimgate/expr.hpp"
#include "dimgate/facts.hpp"
#include "dimgate/simplify.hpp"
#include "explain/guard_formulas.hpp"
#include "expr/foreign.hpp"

namespace dimgate::explain {

namespace {

constexpr std::size_t kShown = 64;

}  // namespace

EntryReport take_apart(const std::string& compile_id, const EntryGuards& entry, Prover& prover) {
  EntryReport out;
  out.compile_id = compile_id;
  out.guards = entry.guards.size();
  Context ctx;
  std::vector<Expr> formulas;
  std::vector<std::string> texts;
  for (const LoggedGuard& guard : entry.guards) {
    const auto pieces = formulas_of(guard);
    bool parsed = true;
    for (const std::string& piece : pieces) {
      const auto formula = parse_foreign(ctx, piece);
      if (!formula || formula->sort() != Sort::Bool) {
        parsed = false;
        continue;
      }
      formulas.push_back(*formula);
      texts.push_back(piece);
    }
    if (!parsed && out.not_parsed.size() < kShown)
      out.not_parsed.push_back(guard.kind.empty() ? guard.text : guard.kind + ": " + guard.text);
  }
  out.formulas = formulas.size();
  Facts facts(ctx);
  for (const LanguageFact& fact : facts_about(texts))
    if (const auto formula = parse(ctx, fact.formula); formula && formula->sort() == Sort::Bool)
      facts.assume(*formula, Standing::trusted, fact.origin);
  const Minimised small = minimise(prover, facts, formulas);
  out.kept = small.kept.size();
  for (const DroppedGuard& dropped : small.dropped) {
    if (out.implied.size() >= kShown) break;
    EntryReport::Implied implied{texts[dropped.guard], {}};
    for (const std::size_t by : dropped.implied_by) implied.by.push_back(texts[by]);
    for (const FactId fact : dropped.facts)
      if (!facts[fact].origin.empty()) implied.by.push_back(facts[fact].origin);
    out.implied.push_back(std::move(implied));
  }
  for (const Expr& conjunct : small.readable) {
    if (out.readable.size() >= kShown) break;
    out.readable.push_back(to_text(ctx, conjunct));
  }
  return out;
}

}  // namespace dimgate::explain
