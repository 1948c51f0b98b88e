#include "prove/search.hpp"

#include <algorithm>

#include "expr/node_map.hpp"
#include "expr/symbols.hpp"
#include "prove/reached.hpp"

namespace dimgate {

namespace {
constexpr int kMaxDepth = 40;
constexpr int kMostRewrites = 16, kMostCuts = 8;
constexpr std::uint64_t kSmallBox = 64, kLargeBox = 4096;
constexpr std::size_t kFewPoints = 32, kManyPoints = 300;  // tried before any split; tried where no split is left

// Some product, or quotient by a term, is in the formulas.
bool is_nonlinear(Context& ctx, std::span<const Literal> formulas) {
  const std::uint32_t mark = ctx.next_mark();
  std::vector<const Node*> stack;
  for (const Literal& l : formulas) stack.push_back(l.f.node());
  while (!stack.empty()) {
    const Node* n = stack.back();
    stack.pop_back();
    if (n->mark == mark) continue;
    n->mark = mark;
    if ((n->op == Op::FloorDiv && n->args()[1]->op != Op::IntConst) || (n->op == Op::Mul && n->degree >= 2))
      return true;
    for (std::uint32_t i = 0; i < n->size; ++i) stack.push_back(n->args()[i]);
  }
  return false;
}
// What a literal divides by in the branch that was taken is reached now.
void assert_divisors(Context& ctx, const std::vector<Literal>& before, std::vector<Literal>& literals) {
  for (std::size_t i = 0; i < before.size(); ++i)
    if (!(literals[i].f == before[i].f)) literals[i].f = necessary_if_true(ctx, literals[i].f);
}
}  // namespace

SearchResult Search::run(std::vector<Literal> formulas, std::span<const Expr> also) {
  if (effort_ == Effort::rewriting && !is_nonlinear(ctx_, formulas)) {
    return {};
  }
  NodeMap<bool> seen;
  const auto note = [&](Expr x) {
    if (seen.try_emplace(x.node()).second) symbols_.push_back(x);
  };
  for (const Expr x : also) note(x);
  for (const Literal& l : formulas) each_symbol(ctx_, l.f, note);
  sort_canonically(ctx_, symbols_);
  State s;
  s.literals = std::move(formulas);
  for (const Expr x : symbols_)
    if (x.sort() == Sort::Int && ctx_.is_size(x)) s.literals.push_back({ctx_.compare(Op::Ge, x, ctx_.integer(0)), {}});
  std::sort(s.literals.begin(), s.literals.end(),
            [&](const Literal& a, const Literal& b) { return ctx_.order(a.f, b.f) < 0; });
  if (effort_ != Effort::plain) {  // what is equal to a product goes before factors are taken apart
    SearchResult out;
    if (!simplify(s, out.core)) {
      out.status = SearchResult::Status::unsat;
      out.stage = ProofStage::equalities;
      return out;
    }
  }
  if (effort_ == Effort::distances) shift_ordered(s);
  shift_bounded(s);
  return solve(std::move(s));
}

SearchResult Search::solve(State s) {
  SearchResult out;
  if (steps_ == 0 || s.depth > kMaxDepth) {
    out.open = OpenReason::budget;
    return out;
  }
  const auto unsat = [&](Deps core, ProofStage stage) {
    out.status = SearchResult::Status::unsat;
    out.core = std::move(core);
    out.stage = stage;
    return out;
  };
  Deps core;
  if (!simplify(s, core)) return unsat(core, ProofStage::equalities);

  System system(ctx_, steps_);
  for (const Literal& l : s.literals) system.add(l);
  for (const Sign& sign : s.signs) system.add_sign(sign.divisor, sign.positive, sign.deps);
  if (effort_ != Effort::plain) system.cross_quotients();
  std::optional<Deps> conflict = system.propagate();
  if (!conflict && effort_ != Effort::plain) {  // the rows of quotients are there now
    if (system.widen_products()) conflict = system.propagate();
  }
  if (conflict) return unsat(*conflict, ProofStage::bounds);

  // A symbol with one value left is that value, everywhere.
  for (const Column& c : system.columns)
    if (c.kind == Column::Kind::symbol && c.domain.is_point() && c.atom.sort() == Sort::Int) {
      State next = s;
      next.depth = s.depth;
      next.trail.emplace_back(c.atom, ctx_.integer(*c.domain.interval.lo));
      replace_in(next, {{c.atom, next.trail.back().second}}, c.deps);
      return solve(std::move(next));
    }

  if (effort_ == Effort::rewriting && s.rewrites < kMostRewrites && !has_partial_choice(ctx_, s.literals) &&
      rewrite_quotient(s, system)) {
    ++s.rewrites;
    return solve(std::move(s));
  }

  if (effort_ != Effort::plain && s.rewrites < kMostRewrites) {
    Settled settled = settle_squares(s, system, core);
    if (settled == Settled::contradiction) return unsat(core, ProofStage::squares);
    if (settled == Settled::nothing) settled = settle_residues(s, system, core);
    if (settled == Settled::contradiction) return unsat(core, ProofStage::residues);
    if (settled == Settled::nothing && split_hyperbola(s)) settled = Settled::changed;
    if (settled == Settled::changed) {
      ++s.rewrites;
      return solve(std::move(s));
    }
  }

  std::optional<Relaxation> relaxation;
  relaxation.emplace(ctx_, system, steps_);
  LinearCore::Status linear = relaxation->check();
  for (int round = 0; linear == LinearCore::Status::sat; ++round) {
    Assignment point;
    for (std::uint32_t c = 0; c < system.columns.size(); ++c)
      if (system.columns[c].kind == Column::Kind::symbol && system.columns[c].atom.sort() == Sort::Int)
        point.set(system.columns[c].atom, Value::of(relaxation->value(c)));
    if (try_point(s, point, out)) return out;
    if (effort_ == Effort::plain || round == kMostCuts || !relaxation->cut_squares()) break;
    linear = relaxation->check();
  }
  if (linear == LinearCore::Status::unsat) return unsat(relaxation->core(), ProofStage::linear);
  if (linear != LinearCore::Status::sat) relaxation.reset();

  const auto everything = [&] {
    Deps all;
    for (const Literal& l : s.literals) all.merge(l.deps);
    return all;
  };
  if (const std::optional<bool> found = enumerate(s, system, kSmallBox, out)) {
    if (*found) return out;
    return unsat(everything(), ProofStage::enumeration);
  }
  if (s.depth == 0 && sample(s, system, relaxation ? &*relaxation : nullptr, kFewPoints, out)) return out;

  std::vector<Branch> branches = choose_branches(s, system, relaxation ? &*relaxation : nullptr);
  if (branches.empty()) {
    if (const std::optional<bool> found = enumerate(s, system, kLargeBox, out)) {
      if (*found) return out;
      return unsat(everything(), ProofStage::enumeration);
    }
    if (sample(s, system, relaxation ? &*relaxation : nullptr, kManyPoints, out)) return out;
    return out;
  }
  Deps used;
  bool complete = true;
  for (Branch& b : branches) {
    State next;
    next.literals = s.literals;
    next.signs = s.signs;
    next.trail = s.trail;
    next.depth = s.depth + 1;
    next.fresh = s.fresh;
    next.rewrites = s.rewrites;
    if (!b.replace.empty()) {
      replace_in(next, b.replace, b.basis);
      if (b.reaches) assert_divisors(ctx_, s.literals, next.literals);
    }
    next.literals.insert(next.literals.end(), b.assume.begin(), b.assume.end());
    next.signs.insert(next.signs.end(), b.signs.begin(), b.signs.end());
    SearchResult r = solve(std::move(next));
    if (r.status == SearchResult::Status::sat) return r;
    if (r.status == SearchResult::Status::unknown)
      complete = false, out.open = r.open;
    else
      used.merge(r.core);
    if (steps_ == 0) break;
  }
  if (complete && steps_ > 0) return unsat(used, ProofStage::cases);
  if (complete) out.open = OpenReason::budget;
  return out;
}

}  // namespace dimgate
