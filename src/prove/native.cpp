#include <algorithm>
#include <unordered_set>
#include <utility>

#include "dimgate/prove.hpp"
#include "expr/evaluate.hpp"
#include "expr/symbols.hpp"
#include "prove/difference_stage.hpp"
#include "prove/index.hpp"
#include "prove/lattice_stage.hpp"
#include "prove/neighbours.hpp"
#include "prove/refuter.hpp"
#include "prove/search.hpp"

namespace dimgate {

struct NativeProver::Impl {};

NativeProver::NativeProver() = default;
NativeProver::~NativeProver() = default;

namespace {

std::vector<Literal> premises(const Facts& facts, std::span<const FactId> ids) {
  std::vector<Literal> out;
  for (std::size_t i = 0; i < ids.size(); ++i)
    out.push_back(
        {necessary_if_true(facts.context(), facts[ids[i]].canonical), Deps::of(static_cast<std::uint32_t>(i))});
  return out;
}

std::vector<FactId> used_facts(const Deps& core, std::span<const FactId> ids) {
  std::vector<FactId> out;
  core.each([&](std::uint32_t i) {
    if (i < ids.size()) out.push_back(ids[i]);
  });
  std::sort(out.begin(), out.end());
  return out;
}

// `unchanged`: also those whose canonical form is what was written.
bool all_true(const Facts& facts, std::span<const FactId> ids, const Assignment& at, bool unchanged = true) {
  return std::all_of(ids.begin(), ids.end(), [&](FactId f) {
    const Fact& fact = facts[f];
    return (!unchanged && fact.formula == fact.canonical) || value_at(facts.context(), fact.formula, at).is_true();
  });
}

bool sizes_natural(Context& ctx, const Assignment& at) {
  for (std::uint32_t i = 0; i < ctx.symbol_count(); ++i) {
    const Expr s = ctx.symbol_at(i);
    const Value& v = at.get(s);
    if (v.kind == Value::Kind::integer && v.integer.sign() < 0 && ctx.is_size(s)) return false;
  }
  return true;
}

std::vector<std::pair<Expr, Value>> listed(Context& ctx, const Assignment& at, std::span<const Expr> symbols) {
  SmallVector<Expr, 16> sorted;
  const std::uint32_t mark = ctx.next_mark();
  for (const Expr s : symbols)
    if (std::exchange(s.node()->mark, mark) != mark) sorted.push_back(s);
  sort_canonically(ctx, sorted);
  std::vector<std::pair<Expr, Value>> out;
  out.reserve(sorted.size());
  for (const Expr s : sorted) out.emplace_back(s, at.get(s));
  return out;
}

std::vector<FactId> everything(const Facts& facts) {
  std::vector<FactId> ids(facts.size());
  for (FactId i = 0; i < ids.size(); ++i) ids[i] = i;
  return ids;
}

using Symbols = SmallVector<Expr, 16>;

// Canonicalisation can remove a symbol; a model of the raw formulas needs it all the same.
Symbols symbols_with(const Facts& facts, std::span<const FactId> ids, std::span<const Expr> more) {
  Symbols out;
  out.append(more.begin(), more.end());
  for (const FactId f : ids) each_symbol(facts.context(), facts[f].formula, [&](Expr s) { out.push_back(s); });
  return out;
}

std::string_view why_open(const SearchResult& r, std::uint64_t steps_left) {
  return name_of(steps_left == 0 ? OpenReason::budget : r.open);
}

SearchResult find_model(const Facts& facts, std::span<const FactId> ids, std::uint64_t& steps) {
  Context& ctx = facts.context();
  const Search::Accept accept = [&](const Assignment& at) {
    return sizes_natural(ctx, at) && all_true(facts, ids, at);
  };
  SearchResult r;
  for (const Search::Effort effort : Search::kEfforts) {
    r = Search(ctx, steps, accept, effort).run(premises(facts, ids), symbols_with(facts, ids, {}));
    if (!r.is_incomplete()) break;
  }
  return r;
}

}  // namespace

namespace {

// One question, through the stages in order of cost. Each runs only if the one before did not decide.
class Question {
 public:
  Question(const Facts& facts, Expr claim, const Budget& budget)
      : facts_(facts),
        ctx_(facts.context()),
        claim_(claim),
        budget_(budget.steps),
        steps_(budget.steps),
        counterexample_(budget.counterexample) {}

  Proof answer() {
    canonical_ = ctx_.canonical(claim_);
    if (canonical_.is_true()) return proved(ProofStage::canonical, {});
    index_ = &FactIndex::of(facts_);
    if (auto why = index_->implies(canonical_)) return proved(ProofStage::bounds, {why->begin(), why->end()});
    each_symbol(ctx_, claim_, [&](Expr s) { about_.push_back(s); });
    if (const std::optional<Moves> moves = refute_near_witness(facts_, *index_, canonical_, steps_))
      return refuted_near_witness(*moves);
    component_ = index_->about(about_, true);
    std::optional<FactIndex::Ids> why;
    ProofStage stage = ProofStage::lattice;
    const auto implied = [&] {
      if ((why = implied_by_lattice(facts_, *index_, component_, canonical_)))
        stage = ProofStage::lattice;
      else if ((why = implied_by_differences(facts_, *index_, component_, canonical_)))
        stage = ProofStage::differences;
      return why.has_value();
    };
    bool asked = false;
    const auto ask = [&] { return asked = true, implied(); };
    if (std::optional<Assignment> at = refute_at_corners(facts_, *index_, component_, canonical_, steps_, ask))
      if (complete(*at, component_) && is_counterexample(*at, component_, false))
        return refuted_by(std::move(*at), component_, ProofStage::corners);
    if (!asked) implied();
    if (why) return proved(stage, {why->begin(), why->end()});
    std::vector<FactId> near = index_->about(about_, false);
    SearchResult r = search(near);
    if (r.status != SearchResult::Status::unsat && near.size() != component_.size()) {
      near = component_;
      r = search(near);
    }
    for (const Search::Effort more : std::span(Search::kEfforts).subspan(1))
      if (r.is_incomplete()) r = search(near, more);
    if (r.status == SearchResult::Status::unsat) return proved(r.stage, used_facts(r.core, near));
    if (r.status == SearchResult::Status::unknown) return unknown(std::string(why_open(r, steps_)));
    return refuted_by(std::move(r.model), near, r.stage);
  }

 private:
  Proof done(Verdict v, std::string_view stage) {
    proof_.verdict = v;
    proof_.stage = stage;
    proof_.steps = budget_ - steps_;
    return std::move(proof_);
  }
  Proof proved(ProofStage stage, std::vector<FactId> used) {
    proof_.used = std::move(used);
    return done(Verdict::proved, name_of(stage));
  }
  Proof unknown(std::string reason) {
    proof_.reason = std::move(reason);
    return done(Verdict::unknown, "");
  }

  // The formulas as written, by the reference evaluator. `unchanged`: not only those whose canonical form, which the
  // refuter evaluated, is another one.
  bool is_counterexample(const Assignment& at, std::span<const FactId> ids, bool unchanged = true) {
    if (!sizes_natural(ctx_, at) || !all_true(facts_, ids, at, unchanged)) return false;
    return (!unchanged && claim_ == canonical_) || !value_at(ctx_, claim_, at).is_true();
  }

  // Values for symbols that only the raw formulas show.
  bool complete(Assignment& at, std::span<const FactId> ids) {
    bool all = true;
    const auto value = [&](Expr s) {
      if (!at.get(s).is_undefined()) return;
      if (s.sort() == Sort::Int) at.set(s, Value::of(0));
      all = all && s.sort() == Sort::Int;
    };
    for (const Expr s : about_) value(s);
    for (const FactId f : ids)
      if (!(facts_[f].canonical == facts_[f].formula)) each_symbol(ctx_, facts_[f].formula, value);
    return all;
  }

  SearchResult search(std::span<const FactId> ids, Search::Effort effort = Search::Effort::plain) {
    std::vector<Literal> formulas = premises(facts_, ids);
    formulas.push_back({necessary_if_not_true(ctx_, canonical_), {}});
    Search search(ctx_, steps_, [&](const Assignment& at) { return is_counterexample(at, ids); }, effort);
    return search.run(std::move(formulas), symbols_with(facts_, ids, about_));
  }

  Proof refuted_near_witness(const Moves& moves) {
    if (!counterexample_) return done(Verdict::refuted, name_of(ProofStage::witness));
    std::vector<std::pair<Expr, Value>>& out = proof_.counterexample;
    out.reserve(facts_.witness_symbols().size());
    for (const Expr s : facts_.witness_symbols()) out.emplace_back(s, facts_.witness()->get(s));
    for (auto& [s, v] : out)
      for (const Moved& m : moves)
        if (m.symbol == s) v = Value::of(m.value);
    return done(Verdict::refuted, name_of(ProofStage::witness));
  }

  // The rest of the facts must hold somewhere as well.
  Proof refuted_by(Assignment model, std::span<const FactId> near, ProofStage stage) {
    Symbols symbols = symbols_with(facts_, near, about_);
    for (const FactId f : near)
      if (!(facts_[f].canonical == facts_[f].formula))
        each_symbol(ctx_, facts_[f].canonical, [&](Expr s) { symbols.push_back(s); });
    if (near.size() < facts_.size()) {
      std::vector<FactId> rest;
      const std::vector<FactId> all = everything(facts_);
      std::set_difference(all.begin(), all.end(), near.begin(), near.end(), std::back_inserter(rest));
      const SearchResult others = find_model(facts_, rest, steps_);
      if (others.status == SearchResult::Status::unsat)
        return proved(ProofStage::contradiction, used_facts(others.core, rest));
      if (others.status == SearchResult::Status::unknown)
        return unknown("facts not shown satisfiable: " + std::string(name_of(others.open)));
      // A symbol that only a raw formula of the rest shows may have its value from the claim's side.
      for (const FactId f : rest)
        each_symbol(ctx_, facts_[f].canonical, [&](Expr s) { model.set(s, others.model.get(s)); });
      for (const FactId f : rest)
        each_symbol(ctx_, facts_[f].formula, [&](Expr s) {
          symbols.push_back(s);
          if (model.get(s).is_undefined()) model.set(s, others.model.get(s));
        });
    }
    proof_.counterexample = listed(ctx_, model, symbols);
    return done(Verdict::refuted, name_of(stage));
  }

  const Facts& facts_;
  Context& ctx_;
  Expr claim_, canonical_;
  std::uint64_t budget_, steps_;
  bool counterexample_;
  FactIndex* index_ = nullptr;
  Symbols about_;
  std::vector<FactId> component_;
  Proof proof_;
};

}  // namespace

Proof NativeProver::prove(const Facts& facts, Expr claim, const Budget& budget) {
  return Question(facts, claim, budget).answer();
}

SatResult NativeProver::satisfiable(const Facts& facts, const Budget& budget) {
  Context& ctx = facts.context();
  SatResult out;
  std::uint64_t steps = budget.steps;
  // Components one by one.
  FactIndex& index = FactIndex::of(facts);
  std::unordered_set<FactId> done;
  Assignment model;
  Assignment spare;
  std::vector<Expr> symbols;
  bool unknown = false;
  for (FactId f = 0; f < facts.size(); ++f) {
    if (done.contains(f)) continue;
    const std::vector<Expr> about = symbols_of(ctx, facts[f].canonical);
    std::vector<FactId> ids = index.about(about, true);
    if (!std::binary_search(ids.begin(), ids.end(), f)) ids.insert(std::lower_bound(ids.begin(), ids.end(), f), f);
    done.insert(ids.begin(), ids.end());
    const SearchResult r = find_model(facts, ids, steps);
    if (r.status == SearchResult::Status::unsat) {
      // Deletion-minimal core, in canonical order so that the order of declaration does not matter.
      std::vector<FactId> core = used_facts(r.core, ids);
      std::vector<FactId> order = core;
      std::sort(order.begin(), order.end(), [&](FactId a, FactId b) {
        const int o = ctx.order(facts[a].canonical, facts[b].canonical);
        return o != 0 ? o > 0 : a > b;
      });
      for (const FactId drop : order) {
        std::vector<FactId> fewer;
        std::copy_if(core.begin(), core.end(), std::back_inserter(fewer), [&](FactId x) { return x != drop; });
        std::uint64_t left = budget.steps;
        if (find_model(facts, fewer, left).status == SearchResult::Status::unsat) core = fewer;
      }
      out.verdict = Verdict::refuted;
      out.core = core;
      out.stage = name_of(r.stage);
      return out;
    }
    if (r.status == SearchResult::Status::unknown) {
      unknown = true;
      out.reason = why_open(r, steps);
      continue;
    }
    // A symbol that only a raw formula shows here may matter to another component: that one's value counts.
    for (const FactId g : ids) {
      for (const Expr s : symbols_of(ctx, facts[g].canonical)) model.set(s, r.model.get(s));
      for (const Expr s : symbols_of(ctx, facts[g].formula)) {
        symbols.push_back(s);
        const Value& v = r.model.get(s);
        spare.set(s, v.is_undefined() && s.sort() == Sort::Int ? Value::of(0) : v);
      }
    }
  }
  if (unknown) return out;
  for (const Expr s : symbols)
    if (model.get(s).is_undefined()) model.set(s, spare.get(s));
  out.verdict = Verdict::proved;
  out.model = listed(ctx, model, symbols);
  return out;
}

}  // namespace dimgate
