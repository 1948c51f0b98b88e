// Entries as JSON, with every distinct formula stored once. Checked by tests/report/report_test.cpp.
#include "report/entries.hpp"

namespace dimgate::report {

std::size_t FormulaTable::add(const Context& ctx, Expr e, const std::string& text) {
  const auto [at, fresh] = index_.try_emplace(text, index_.size());
  if (fresh) all_.push_back(formula(ctx, e, text));
  return at->second;
}

Json entry_json(Context& ctx, const Facts& facts, const std::string& title, const std::string& note,
                const std::vector<GuardShown>& guards, const Minimised& minimal, FormulaTable& formulas) {
  std::vector<std::size_t> place;  // of each formula: the guard it is
  for (std::size_t i = 0; i < guards.size(); ++i)
    if (guards[i].formula) place.push_back(i);
  std::vector<const DroppedGuard*> dropped(guards.size(), nullptr);
  for (const DroppedGuard& d : minimal.dropped) dropped[place[d.guard]] = &d;
  Json recorded = Json::array();
  std::size_t kept = 0;
  for (std::size_t i = 0; i < guards.size(); ++i) {
    const GuardShown& g = guards[i];
    Json one{{"kind", g.kind}};
    if (g.formula)
      one["f"] = formulas.add(ctx, g.formula, g.text);
    else
      one["text"] = shown(g.text);
    if (!g.where.empty()) one["where"] = shown(g.where);
    if (!g.line.empty()) one["line"] = shown(g.line);
    if (!g.why.empty()) one["why"] = shown(g.why);
    if (!g.remove.empty()) one["remove"] = shown(g.remove);
    if (g.cost > 0) one["cost"] = g.cost;
    if (dropped[i] != nullptr) {
      Json by = Json::array();
      for (const std::size_t k : dropped[i]->implied_by) by.push_back(place[k]);
      Json used = Json::array();
      for (const FactId id : dropped[i]->facts) used.push_back(shown(to_text(ctx, facts[id].formula)));
      one["became"] = "implied";
      one["by"] = by;
      one["facts"] = used;
      one["proof"] = dropped[i]->obligation.stage;
    } else {
      one["became"] = g.formula ? "kept" : "outside";
      kept += g.formula ? 1 : 0;
    }
    recorded.push_back(std::move(one));
  }
  Json readable = Json::array();
  for (const Expr e : minimal.readable) readable.push_back(formulas.add(ctx, e, to_pretty(ctx, e)));
  Json proofs = Json::array();
  for (const Obligation& o : minimal.obligations)
    proofs.push_back({shown(o.claim_text), std::string(to_string(o.verdict)), o.stage});
  return {{"title", shown(title)}, {"note", note},         {"recorded", recorded},
          {"kept", kept},          {"readable", readable}, {"proofs", proofs}};
}

Json entries_block(Json entries, std::uint64_t left_out) {
  return {{"type", "entries"}, {"entries", std::move(entries)}, {"left_out", left_out}};
}

}  // namespace dimgate::report
