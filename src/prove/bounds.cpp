// The tightest interval and the strongest congruence of a term under facts.
//
// Interval: the relaxation gives a proved end; models give reached values; a binary search with satisfiability
// questions closes the gap. Congruence: start from one value as a constant; as long as some model has a value outside
// (m, r), m becomes gcd(m, value - r), which at least halves it, so the search ends after log(value) questions. What is
// not decided within the budget stays at what the relaxation proved.
#include <algorithm>

#include "dimgate/prove.hpp"
#include "expr/evaluate.hpp"
#include "prove/index.hpp"
#include "prove/search.hpp"

namespace dimgate {

namespace {

class BoundSearch {
 public:
  BoundSearch(const Facts& facts, Expr term, std::uint64_t steps)
      : facts_(facts), ctx_(facts.context()), steps_(steps) {
    term_ = ctx_.canonical(term);
    symbols_ = symbols_of(ctx_, term);
    FactIndex& index = FactIndex::of(facts);
    ids_ = index.about(symbols_, true);
    for (std::size_t i = 0; i < ids_.size(); ++i)
      premises_.push_back({necessary_if_true(ctx_, facts[ids_[i]].canonical), Deps::of(static_cast<std::uint32_t>(i))});
    for (const Expr d : partial_divisors(ctx_, term_, false))
      premises_.push_back({ctx_.compare(Op::Ne, d, ctx_.integer(0)), {}});
    raw_ = term;
    for (const FactId f : ids_)
      for (const Expr s : symbols_of(ctx_, facts[f].formula)) symbols_.push_back(s);
  }

  Bounds run() {
    Bounds b;
    const std::optional<Integer> some = value_where({});
    if (status_ == SearchResult::Status::unsat) {
      b.empty = true;
      return b;
    }
    relax(b);
    if (!some) return b;
    end(b, *some, false);
    end(b, *some, true);
    congruence(b, *some);
    return b;
  }

 private:
  // A value of the term where the facts and `extra` hold; nullopt with status_ unsat or unknown.
  std::optional<Integer> value_where(std::vector<Expr> extra) {
    std::vector<Literal> formulas = premises_;
    for (const Expr e : extra) formulas.push_back({e, {}});
    std::uint64_t steps = std::min<std::uint64_t>(steps_, 50'000);
    const std::uint64_t before = steps;
    Integer value;
    const Search::Accept accept = [&](const Assignment& at) {
      for (const Expr s : symbols_)
        if (ctx_.is_size(s) && at.get(s).integer.sign() < 0) return false;
      for (const FactId f : ids_)
        if (!value_at(ctx_, facts_[f].formula, at).is_true()) return false;
      const Value v = value_at(ctx_, raw_, at);
      if (v.kind != Value::Kind::integer) return false;
      value = v.integer;
      return true;
    };
    SearchResult r;
    // Far out a value is as large as the galloping likes, and steps do not count bits.
    const bool far = std::any_of(extra.begin(), extra.end(), [](Expr e) {
      return e.size() == 2 && e[1].is_int() && e[1].integer().bit_length() > 62;
    });
    for (const Search::Effort effort : Search::kEfforts)
      if (effort == Search::Effort::plain || (!far && r.is_incomplete()))
        r = Search(ctx_, steps, accept, effort).run(formulas, symbols_);
    steps_ -= std::min(steps_, before - steps);
    status_ = r.status;
    if (r.status != SearchResult::Status::sat) return std::nullopt;
    return value;
  }

  void relax(Bounds& b) {
    System system(ctx_, steps_);
    std::vector<Literal> flat;
    for (const Literal& l : premises_) {
      if (l.f.is(Op::And))
        for (std::size_t i = 0; i < l.f.size(); ++i) flat.push_back({l.f[i], l.deps});
      else
        flat.push_back(l);
    }
    for (const Expr s : symbols_)
      if (ctx_.is_size(s)) flat.push_back({ctx_.compare(Op::Ge, s, ctx_.integer(0)), {}});
    std::sort(flat.begin(), flat.end(), [&](const Literal& x, const Literal& y) { return ctx_.order(x.f, y.f) < 0; });
    for (const Literal& l : flat) system.add(l);
    const System::Affine probe = system.probe(term_);
    system.propagate();
    const Domain d = system.domain_of(probe);
    if (!d.empty) {
      b.interval = d.interval;
      b.congruence = d.congruence;
    }
    Relaxation relaxation(ctx_, system, steps_);
    const auto low = relaxation.minimise(probe);
    if (low.value && (!b.interval.lo || *low.value > *b.interval.lo)) b.interval.lo = low.value;
    System::Affine mirror = probe;
    for (LinearTerm& t : mirror.terms) t.coefficient = -t.coefficient;
    mirror.constant = -mirror.constant;
    const auto high = relaxation.minimise(mirror);
    if (high.value && (!b.interval.hi || -*high.value < *b.interval.hi)) b.interval.hi = -*high.value;
  }

  // Lower end, or with `mirrored` the upper one, seen as the lower end of -term.
  void end(Bounds& b, const Integer& some, bool mirrored) {
    const Integer s = mirrored ? -1 : 1;
    std::optional<Integer>& stored = mirrored ? b.interval.hi : b.interval.lo;
    std::optional<Integer> lo;
    if (stored) lo = s * *stored;
    Integer hi = s * some;
    const auto at_most = [&](const Integer& v) {
      return value_where({ctx_.compare(mirrored ? Op::Ge : Op::Le, term_, ctx_.integer(s * v))});
    };
    if (!lo) {  // gallop down
      Integer step = 1;
      for (int k = 0; k < 40 && !lo; ++k) {
        const std::optional<Integer> v = at_most(hi - step);
        if (v)
          hi = s * *v;
        else if (status_ == SearchResult::Status::unsat)
          lo = hi - step + 1;
        else
          return;
        step = step * 4;
        // Taken as unbounded: no end is claimed. Of a product each value may be a power of the one before.
        if (step > Integer(std::int64_t{1} << 34) || hi.bit_length() > 4096) {
          (mirrored ? b.tight_hi : b.tight_lo) = true;
          return;
        }
      }
      if (!lo) return;
    }
    bool first = true;
    while (*lo < hi && steps_ > 0) {
      const Integer mid = first ? *lo : *lo + floor_div(hi - *lo, 2);
      first = false;
      const std::optional<Integer> v = at_most(mid);
      if (v)
        hi = s * *v;
      else if (status_ == SearchResult::Status::unsat)
        lo = mid + 1;
      else
        break;
    }
    stored = s * *lo;
    (mirrored ? b.tight_hi : b.tight_lo) = *lo == hi;
  }

  void congruence(Bounds& b, const Integer& some) {
    Congruence c = Congruence::constant(some);
    for (int k = 0; k < 64; ++k) {
      if (c.is_all()) break;
      Expr outside;
      if (c.modulus.is_zero())
        outside = ctx_.compare(Op::Ne, term_, ctx_.integer(c.residue));
      else
        outside = ctx_.negate(ctx_.canonical(
            ctx_.make(Op::Divides, {ctx_.integer(c.modulus), ctx_.sub(term_, ctx_.integer(c.residue))})));
      const std::optional<Integer> v = value_where({outside});
      if (!v) {
        if (status_ == SearchResult::Status::unsat) b.congruence = c;
        return;
      }
      c = Congruence::of(gcd(c.modulus, *v - c.residue), *v);
    }
    b.congruence = c;
  }

  const Facts& facts_;
  Context& ctx_;
  Expr term_, raw_;
  std::uint64_t steps_;
  std::vector<Expr> symbols_;
  std::vector<FactId> ids_;
  std::vector<Literal> premises_;
  SearchResult::Status status_ = SearchResult::Status::unknown;
};

}  // namespace

Bounds NativeProver::bound(const Facts& facts, Expr term, const Budget& budget) {
  return BoundSearch(facts, term, budget.steps * 10).run();
}

}  // namespace dimgate
