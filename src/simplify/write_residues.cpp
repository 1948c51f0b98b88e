// Offers every form of a set of residues and keeps the cheapest; the forms: write_residues.hpp.
#include "simplify/write_residues.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "simplify/forms.hpp"

namespace dimgate::simplify {

namespace {

constexpr std::size_t kMaxSpelledParts = 8;  // stretches, classes or moduli that are spelled one by one
constexpr std::size_t kMaxListedResidues = 12, kFewResidues = 4;

class ResidueWriter {
 public:
  ResidueWriter(Context& ctx, Expr x, const Residues& r) : ctx_(ctx), x_(x), r_(r) {}

  std::vector<Expr> write(const Residues& care) {
    const std::int64_t m = r_.modulus();
    const auto in = r_.residues();
    const auto out = r_.complement().residues();
    const Expr rem = make_mod(ctx_, x_, m);
    if (in.size() == 1) return {ctx_.make(Op::Eq, {rem, int_const(ctx_, in[0])})};
    if (out.size() == 1) return {ctx_.make(Op::Ne, {rem, int_const(ctx_, out[0])})};
    const auto values = [](const std::vector<std::uint32_t>& v) {
      return std::vector<std::int64_t>(v.begin(), v.end());
    };
    // A few scattered remainders are read at a glance: `H % 32 in {0, 29, 30, 31}`.
    if (in.size() > kFewResidues || in.back() - in.front() + 1 == in.size()) by_stretches(Residues::all());
    if (!care.is_all()) by_stretches(care);
    if (in.size() <= kMaxListedResidues) offer({make_in(ctx_, rem, values(in))});
    if (out.size() <= kMaxListedResidues) offer({ctx_.make(Op::Not, {make_in(ctx_, rem, values(out))})});
    if (auto f = factors(r_, Op::Ne, Op::Eq)) offer(*std::move(f));
    if (auto f = factors(r_.complement(), Op::Eq, Op::Ne)) offer({make_or(ctx_, *f)});
    if (best_.empty()) offer({make_in(ctx_, rem, values(in))});
    return std::move(best_);
  }

 private:
  struct Stretch {
    std::uint32_t first, last;
  };

  void offer(std::vector<Expr> conjuncts) {
    std::uint32_t cost = 0;
    for (const Expr e : conjuncts) cost += reading_cost(e) + 2;
    if (!best_.empty() && cost >= cost_) return;
    best_ = std::move(conjuncts);
    cost_ = cost;
  }

  // first <= x % m <= last, among remainders from `least` to `most`.
  Expr range(Expr rem, Stretch s, std::uint32_t least, std::uint32_t most) {
    if (s.first == s.last) return make_equal(ctx_, rem, s.first);
    if (s.first == least) return make_at_most(ctx_, rem, s.last);
    if (s.last == most) return make_at_least(ctx_, rem, s.first);
    return make_range(ctx_, rem, s.first, s.last);
  }

  // Remainders as stretches of those that matter: their hull without the gaps inside, or one or the other of them.
  void by_stretches(const Residues& care) {
    const std::uint64_t common = std::lcm<std::uint64_t>(r_.modulus(), care.modulus());
    if (common > Residues::kMaxModulus) return;
    const auto m = static_cast<std::uint32_t>(common);
    std::vector<Stretch> in, out;
    std::uint32_t least = m, most = 0;
    for (std::uint32_t k = 0; k < m; ++k) {
      if (!care.has(k % care.modulus())) continue;
      std::vector<Stretch>& own = r_.has(k % r_.modulus()) ? in : out;
      const std::vector<Stretch>& other = &own == &in ? out : in;
      least = std::min(least, k);
      if (own.empty() || (!other.empty() && other.back().last > own.back().last)) own.push_back({k, k});
      own.back().last = most = k;
      if (in.size() > kMaxSpelledParts + 1) return;
    }
    if (in.empty() || out.empty()) return;
    const Expr rem = make_mod(ctx_, x_, m);
    std::vector<Expr> any, all;
    for (const Stretch& s : in) any.push_back(range(rem, s, least, most));
    offer({make_or(ctx_, any)});
    const Stretch hull{in.front().first, in.back().last};
    if (hull.first != least || hull.last != most) all.push_back(range(rem, hull, least, most));
    for (const Stretch& s : out) {
      if (s.first < hull.first || s.last > hull.last) continue;
      all.push_back(s.first == s.last ? make_not_equal(ctx_, rem, s.first)
                                      : ctx_.make(Op::Not, {make_range(ctx_, rem, s.first, s.last)}));
    }
    offer(std::move(all));
  }

  // r as a conjunction of `x % d == c` (all of r lies in that class) and `x % d != c` (none does), small d first;
  // called on the complement with the operators exchanged it gives the negated parts of a disjunction.
  std::optional<std::vector<Expr>> factors(const Residues& r, Op excludes, Op demands) {
    const std::uint32_t m = r.modulus();
    std::vector<char> left(m, 0);  // residues that still have to be excluded
    std::size_t open = 0;
    for (std::uint32_t k = 0; k < m; ++k)
      if (!r.has(k)) left[k] = 1, ++open;
    std::vector<Expr> parts;
    const auto exclude_if = [&](auto drop) {
      std::size_t n = 0;
      for (std::uint32_t k = 0; k < m; ++k)
        if (left[k] != 0 && drop(k)) left[k] = 0, --open, ++n;
      return n > 0;
    };
    std::uint32_t shared = m;
    const auto in = r.residues();
    for (const std::uint32_t k : in) shared = std::gcd(shared, k - in[0]);
    if (shared > 1) {
      exclude_if([&](std::uint32_t k) { return k % shared != in[0] % shared; });
      parts.push_back(ctx_.make(demands, {make_mod(ctx_, x_, shared), int_const(ctx_, in[0] % shared)}));
    }
    for (std::uint32_t d = 2; d <= m && open > 0; ++d) {
      if (m % d != 0) continue;
      std::vector<char> hit(d, 0);
      for (const std::uint32_t k : in) hit[k % d] = 1;
      for (std::uint32_t c = 0; c < d && open > 0; ++c) {
        if (hit[c] != 0 || !exclude_if([&](std::uint32_t k) { return k % d == c; })) continue;
        parts.push_back(ctx_.make(excludes, {make_mod(ctx_, x_, d), int_const(ctx_, c)}));
        if (parts.size() > kMaxSpelledParts) return std::nullopt;
      }
    }
    if (open > 0 || parts.empty()) return std::nullopt;
    return parts;
  }

  Context& ctx_;
  Expr x_;
  const Residues& r_;
  std::vector<Expr> best_;
  std::uint32_t cost_ = 0;
};

}  // namespace

std::vector<Expr> write_residues(Context& ctx, Expr x, const Residues& r, const Residues& care) {
  if (r.is_all()) return {};
  return ResidueWriter(ctx, x, r).write(care);
}

}  // namespace dimgate::simplify
