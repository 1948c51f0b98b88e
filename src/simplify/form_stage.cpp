#include "simplify/form_stage.hpp"

#include "simplify/form_literal.hpp"

namespace dimgate::simplify {

namespace {

constexpr std::size_t kMaxFormGroup = 256;

struct Entry {
  std::size_t guard;
  FormLiteral literal;
};

// Do the literals of `others` together leave only values that make `claim` true?
bool implied(const FormLiteral& claim, std::span<const Entry* const> others) {
  Domain together;
  std::vector<Integer> excluded;
  for (const Entry* e : others) {
    if (e->literal.barred) continue;
    together.meet(e->literal.domain);
    if (e->literal.excluded) excluded.push_back(*e->literal.excluded);
  }
  return implied_by(claim, together, excluded);
}

void drop_in_group(MinimiseState& state, const std::vector<Entry>& group) {
  for (const Entry& claim : group) {
    std::vector<const Entry*> others;
    for (const Entry& e : group)
      if (&e != &claim && state.dropped[e.guard] == 0) others.push_back(&e);
    if (!implied(claim.literal, others)) continue;
    // One other guard that suffices, else the fewest by leaving out back to front.
    for (const Entry* e : others)
      if (implied(claim.literal, std::span(&e, 1))) {
        others = {e};
        break;
      }
    for (std::size_t k = others.size(); others.size() > 1 && k-- > 0;) {
      std::vector<const Entry*> fewer = others;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(k));
      if (implied(claim.literal, fewer)) others = std::move(fewer);
    }
    Reason reason{{}, {}, "form", false};
    for (const Entry* e : others) reason.guards.push_back(e->guard);
    state.drop(claim.guard, std::move(reason));
  }
}

}  // namespace

void drop_by_forms(Context& ctx, MinimiseState& state) {
  std::unordered_map<Expr, std::size_t> index;
  std::vector<std::vector<Entry>> groups;
  for (const std::size_t i : state.order) {
    if (state.dropped[i] != 0) continue;
    auto literal = form_literal(ctx, state.items[i].canonical);
    if (!literal || literal->form.is_symbol()) continue;
    const auto [it, fresh] = index.try_emplace(literal->form, groups.size());
    if (fresh) groups.emplace_back();
    groups[it->second].push_back({i, *std::move(literal)});
  }
  for (const std::vector<Entry>& group : groups)
    if (group.size() > 1 && group.size() <= kMaxFormGroup) drop_in_group(state, group);
}

}  // namespace dimgate::simplify
