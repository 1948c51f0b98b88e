#include "simplify/write_set.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "simplify/forms.hpp"
#include "simplify/write_residues.hpp"

namespace dimgate::simplify {

namespace {

constexpr std::size_t kMaxHoles = 3, kMaxListedHoles = 1U << 12;
constexpr std::size_t kMaxUnionParts = 8;  // parts of a union that are spelled one by one
constexpr std::size_t kMaxListed = 12;

class Writer {
 public:
  Writer(Context& ctx, Expr x) : ctx_(ctx), x_(x) {}

  Form write(const IntSet& set, const IntSet& domain, int depth) {
    std::optional<Form> best;
    const auto offer = [&best](std::optional<Form> f) {
      if (f && (!best || f->cost < best->cost)) best = std::move(f);
    };
    offer(simple(set, domain));
    const auto is_list = [](Expr e) { return e.is(Op::Not) && e[0].is(Op::In); };
    if (best && best->conjuncts.size() <= 1 && std::none_of(best->conjuncts.begin(), best->conjuncts.end(), is_list))
      return *best;
    offer(listed(set));
    if (depth > 0) {
      offer(pattern_and_rest(set, domain, depth));
      offer(parts(set, domain));
    }
    if (!best) best = spelled_out(set);
    return *best;
  }

 private:
  Form made(std::vector<Expr> conjuncts) const {
    Form f{std::move(conjuncts), 0};
    for (const Expr e : f.conjuncts) f.cost += reading_cost(e) + 2;
    if (!f.conjuncts.empty()) f.cost -= 2;
    return f;
  }

  std::optional<Form> listed(const IntSet& set) const {
    const auto n = set.count(1 << 12);
    if (!n || *n == 0) return std::nullopt;
    return made({make_in(ctx_, x_, set.elements())});
  }

  // Always possible: a disjunction of the pieces.
  Form spelled_out(const IntSet& set) const {
    std::vector<Expr> any;
    std::vector<std::int64_t> points;
    for (const IntSet::Piece& p : set.pieces()) {
      if (p.is_point()) {
        points.push_back(p.lo);
        continue;
      }
      std::vector<Expr> all = bounds(p.lo, p.hi);
      if (!p.residues.is_all()) {
        const auto rs = p.residues.residues();
        const std::vector<std::int64_t> values(rs.begin(), rs.end());
        all.push_back(make_in(ctx_, make_mod(ctx_, x_, p.residues.modulus()), values));
      }
      any.push_back(make_and(ctx_, all));
    }
    if (!points.empty()) any.push_back(make_in(ctx_, x_, points));
    return made({make_or(ctx_, any)});
  }

  std::vector<Expr> bounds(std::int64_t lo, std::int64_t hi) const {
    if (lo != kMinusInf && lo == hi) return {make_equal(ctx_, x_, lo)};
    if (lo != kMinusInf && hi != kPlusInf) return {make_range(ctx_, x_, lo, hi)};
    if (lo != kMinusInf) return {make_at_least(ctx_, x_, lo)};
    if (hi != kPlusInf) return {make_at_most(ctx_, x_, hi)};
    return {};
  }

  // Bounds that cut `within` (domain with the residues) down to lo..hi; as few and as round as possible.
  std::vector<Expr> needed_bounds(const IntSet& within, std::int64_t lo, std::int64_t hi) const {
    if (lo != kMinusInf) {
      const auto below = within.before(lo);
      if (!below)
        lo = kMinusInf;
      else if (*below < 1 && lo > 1 && hi == kPlusInf)
        lo = 1;
    }
    if (hi != kPlusInf && !within.after(hi)) hi = kPlusInf;
    return bounds(lo, hi);
  }

  // Residue classes that the domain reaches.
  static Residues classes_of(const IntSet& domain) {
    std::optional<Residues> out = Residues::none();
    for (const IntSet::Piece& p : domain.pieces()) {
      if (out) out = unite(*out, p.is_point() ? Residues::all() : p.residues);
      if (!out || out->is_all()) return Residues::all();
    }
    return *out;
  }

  // One range with one residue pattern and a few holes, or many that are listed.
  std::optional<Form> simple(const IntSet& set, const IntSet& domain) {
    const auto wanted = intersect(set, domain);
    if (!wanted) return std::nullopt;
    if (wanted->is_empty()) return made({ctx_.boolean(false)});
    if (const auto all = is_subset(domain, *wanted); all && *all) return Form{};
    if (wanted->is_point()) return made({make_equal(ctx_, x_, wanted->lo())});
    std::optional<Form> best;
    for (const Residues& r : patterns(*wanted, domain)) {
      auto within = intersect(IntSet::of(r), domain);
      if (!within) continue;
      const auto inside = is_subset(*wanted, *within);
      if (!inside || !*inside) continue;
      const auto core = intersect(*within, IntSet::range(wanted->lo(), wanted->hi()));
      if (!core) continue;
      const auto holes = subtract(*core, *wanted);
      if (!holes) continue;
      const auto count = holes->count(kMaxListedHoles);
      if (!count || (*count > kMaxHoles && holes->pieces().size() == 1)) continue;  // one gap is no list
      std::vector<Expr> all = needed_bounds(*within, wanted->lo(), wanted->hi());
      for (const Expr e : write_residues(ctx_, x_, r, classes_of(domain))) all.push_back(e);
      if (*count > kMaxHoles)
        all.push_back(ctx_.make(Op::Not, {make_in(ctx_, x_, holes->elements())}));
      else
        for (const std::int64_t h : holes->elements()) all.push_back(make_not_equal(ctx_, x_, h));
      Form f = made(std::move(all));
      if (!best || f.cost < best->cost) best = std::move(f);
    }
    return best;
  }

  // Residue patterns worth trying: none, each piece's own, the class all elements share, and the coarsest patterns
  // that differ from it only outside the domain's own pattern.
  static std::vector<Residues> patterns(const IntSet& set, const IntSet& domain) {
    std::vector<Residues> out{Residues::all()};
    const auto add = [&out](const Residues& r) {
      if (!r.is_none() && std::find(out.begin(), out.end(), r) == out.end() && out.size() < 8) out.push_back(r);
    };
    for (const IntSet::Piece& p : set.pieces()) {
      if (p.residues.is_all()) continue;
      add(p.residues);
      for (const IntSet::Piece& d : domain.pieces()) {
        if (d.residues.is_all()) continue;
        if (const auto loose = unite(p.residues, d.residues.complement())) add(*loose);
      }
    }
    std::int64_t g = 0;
    const std::int64_t base = set.lo() != kMinusInf ? set.lo() : set.pieces().front().residues.next(0);
    for (const IntSet::Piece& p : set.pieces()) {
      if (!p.is_point() && p.residues.is_all()) g = 1;
      if (g == 1) break;
      const std::int64_t first = p.lo != kMinusInf ? p.lo : p.hi != kPlusInf ? p.hi : p.residues.next(0);
      g = std::gcd(g, first - base);
      if (p.is_point()) continue;
      g = std::gcd(g, static_cast<std::int64_t>(p.residues.modulus()));
      for (const std::uint32_t r : p.residues.residues()) g = std::gcd(g, static_cast<std::int64_t>(r) - first);
    }
    if (g > 1 && g <= static_cast<std::int64_t>(Residues::kMaxModulus))
      add(Residues::only(static_cast<std::uint32_t>(g), base));
    return out;
  }

  // One pattern over its whole extent, or-ed with what is left.
  std::optional<Form> pattern_and_rest(const IntSet& set, const IntSet& domain, int depth) {
    const auto wanted = intersect(set, domain);
    if (!wanted) return std::nullopt;
    std::optional<Form> best;
    std::vector<Residues> seen;
    for (const IntSet::Piece& p : wanted->pieces()) {
      if (p.is_point() || std::find(seen.begin(), seen.end(), p.residues) != seen.end()) continue;
      if (seen.size() >= kMaxUnionParts) break;
      seen.push_back(p.residues);
      std::int64_t lo = p.lo;
      std::int64_t hi = p.hi;
      for (const IntSet::Piece& q : wanted->pieces()) {
        if (q.residues != p.residues) continue;
        lo = std::min(lo, q.lo);
        hi = std::max(hi, q.hi);
      }
      const auto core = intersect(IntSet::of(p.residues), IntSet::range(lo, hi));
      const auto inside = core ? intersect(*core, domain) : std::nullopt;
      if (!inside) continue;
      const auto ok = is_subset(*inside, *wanted);
      const auto rest = subtract(*wanted, *inside);
      if (!ok || !*ok || !rest || rest->is_empty() || rest->pieces().size() >= wanted->pieces().size()) continue;
      // Elsewhere in the set either part may say yes.
      const auto others = subtract(*wanted, *inside);
      const auto first_domain = subtract(domain, *others);
      const auto rest_domain = subtract(domain, *inside);
      if (!first_domain || !rest_domain) continue;
      const Form a = write(*inside, *first_domain, depth - 1);
      const Form b = write(*rest, *rest_domain, depth - 1);
      std::vector<Expr> any{make_and(ctx_, a.conjuncts), make_and(ctx_, b.conjuncts)};
      order_conjuncts(ctx_, any);
      Form f = made({make_or(ctx_, any)});
      if (!best || f.cost < best->cost) best = std::move(f);
    }
    return best;
  }

  // Every stretch on its own; lone points together in one list.
  std::optional<Form> parts(const IntSet& set, const IntSet& domain) {
    const auto wanted = intersect(set, domain);
    if (!wanted || wanted->pieces().size() > kMaxListed) return std::nullopt;
    std::vector<std::int64_t> points;
    std::vector<IntSet> stretches;
    for (const IntSet::Piece& p : wanted->pieces()) {
      if (p.is_point()) {
        points.push_back(p.lo);
        continue;
      }
      IntSet::Builder b;
      b.append(p.lo, p.hi, p.residues);
      stretches.push_back(b.take());
    }
    if (stretches.size() + (points.empty() ? 0 : 1) < 2 || stretches.size() > kMaxUnionParts) return std::nullopt;
    std::vector<Expr> any;
    for (const IntSet& s : stretches) {
      const auto others = subtract(*wanted, s);
      const auto free = others ? subtract(domain, *others) : std::nullopt;
      if (!free) return std::nullopt;
      const auto f = simple(s, *free);
      if (!f) return std::nullopt;
      any.push_back(make_and(ctx_, f->conjuncts));
    }
    if (!points.empty()) any.push_back(make_in(ctx_, x_, points));
    order_conjuncts(ctx_, any);
    return made({make_or(ctx_, any)});
  }

  Context& ctx_;
  Expr x_;
};

}  // namespace

Form write_set(Context& ctx, Expr x, const IntSet& set, const IntSet& domain) {
  return Writer(ctx, x).write(set, domain, 2);
}

}  // namespace dimgate::simplify
