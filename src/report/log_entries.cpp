// Guards as a log prints them, read as formulas where they are such, weighed by kind. Checked by
// tests/report/report_test.cpp.
#include "report/log_entries.hpp"

#include <cmath>

#include "explain/guard_formulas.hpp"
#include "expr/foreign.hpp"

namespace dimgate::report {

namespace {

/// A remedy speaks of a guard that fails; guards of a tensor's parts are named as PyTorch names them then.
std::string remove_text(const std::string& text) {
  const FailedGuard failed = parse_failed_guard(text);
  if (failed.cause.kind == CauseKind::unrecognised) return {};
  const Remedy remedy = remedy_for(failed);
  return remedy.text;
}

std::vector<GuardShown> guards_of(Context& ctx, const EntryGuards& entry, std::vector<Expr>& formulas) {
  std::vector<GuardShown> out;
  for (const LoggedGuard& guard : entry.guards) {
    GuardShown one{{}, guard.text, guard.kind.empty() ? "guard" : guard.kind, guard.place, guard.user_line, {}, {}, 0};
    const auto pieces = explain::formulas_of(guard);
    bool parsed = false;
    for (const std::string& piece : pieces) {
      const auto formula = parse_foreign(ctx, piece);
      if (!formula || formula->sort() != Sort::Bool) continue;
      parsed = true;
      GuardShown part = one;
      part.formula = *formula;
      part.text = piece;
      part.remove = remove_text(piece);
      part.cost = estimated_cost(ctx, *formula);
      if (pieces.size() > 1) part.why = "a part of " + guard.text.substr(0, 2000);
      formulas.push_back(*formula);
      out.push_back(std::move(part));
    }
    if (!parsed) out.push_back(std::move(one));
  }
  return out;
}

}  // namespace

EntriesShown show_entries(const std::vector<LoggedEntry>& entries, const std::map<std::string, std::string>& names,
                          Prover& prover, FormulaTable& formulas) {
  EntriesShown out;
  for (const LoggedEntry& logged : entries) {
    Context ctx;
    const Facts facts(ctx);
    std::vector<Expr> exprs;
    const std::vector<GuardShown> guards = guards_of(ctx, logged.guards, exprs);
    const Minimised minimal = minimise(prover, facts, exprs);
    std::vector<bool> dropped(exprs.size());
    for (const DroppedGuard& d : minimal.dropped) dropped[d.guard] = true;
    std::size_t at = 0;
    for (const GuardShown& g : guards) {
      KindWeight& kind = out.kinds[g.kind];
      ++kind.logged;
      kind.cost += g.cost;
      if (!g.formula)
        ++kind.outside;
      else
        ++(dropped[at++] ? kind.implied : kind.kept);
    }
    const auto name = names.find(logged.function);
    std::string title = "Entry " + (logged.compile_id.empty() ? "without a number" : logged.compile_id);
    if (name != names.end() && !name->second.empty()) title += " of " + name->second;
    std::string note;
    if (logged.guards.latency_us >= 0)
      note = "PyTorch measured " + std::to_string(static_cast<int>(std::lround(logged.guards.latency_us))) +
             " us for a check";
    out.entries.push_back(entry_json(ctx, facts, title, note, guards, minimal, formulas));
    std::vector<std::string> readable;
    for (const Expr e : minimal.readable) readable.push_back(to_pretty(ctx, e));
    out.readable[logged.function].emplace_back(title, std::move(readable));
  }
  return out;
}

}  // namespace dimgate::report
