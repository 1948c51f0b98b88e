#include "bound_search.hpp"

#include <algorithm>

#include "expr/evaluate.hpp"

namespace dimgate::z3 {

namespace {

const Integer& far() {
  static const Integer value = pow(Integer(2), 128);
  return value;
}

// Divisors d of g with 1 < d < g, greatest first, made from prime factors below 1000; at most `limit`.
std::vector<Integer> divisors(const Integer& g, std::size_t limit) {
  std::vector<Integer> out{g};
  Integer rest = g;
  std::vector<std::pair<std::int64_t, int>> primes;
  for (std::int64_t p = 2; p < 1000 && rest > Integer(1); ++p)
    for (; floor_mod(rest, p).is_zero(); rest = floor_div(rest, p)) {
      if (primes.empty() || primes.back().first != p) primes.emplace_back(p, 0);
      ++primes.back().second;
    }
  std::vector<Integer> all{Integer(1)};
  for (const auto& [p, k] : primes) {
    const std::size_t n = all.size();
    Integer power = 1;
    for (int i = 1; i <= k && all.size() < 4096; ++i) {
      power *= p;
      for (std::size_t j = 0; j < n; ++j) all.push_back(all[j] * power);
    }
  }
  std::sort(all.begin(), all.end(), [](const Integer& a, const Integer& b) { return a > b; });
  out.clear();
  for (const Integer& d : all)
    if (d > Integer(1) && d < g && out.size() < limit) out.push_back(d);
  return out;
}

}  // namespace

BoundSearch::BoundSearch(Context& ctx, const Component& component, Expr term, std::uint64_t rlimit,
                         unsigned watchdog_ms)
    : ctx_(ctx),
      component_(component),
      term_(term),
      question_(ctx, component, std::span(&term, 1), Question::Tracking::none, rlimit, watchdog_ms) {
  if (question_.failure().empty()) meaning_ = question_.denote(term);
}

bool BoundSearch::confirmed(const Values& values, const Integer& value) const {
  Assignment at;
  for (const auto& [symbol, v] : values) at.set(symbol, v);
  if (value_at(ctx_, term_, at) != Value::of(value)) return false;
  return std::all_of(component_.formulas.begin(), component_.formulas.end(),
                     [&](Expr fact) { return value_at(ctx_, fact, at).is_true(); });
}

Outcome BoundSearch::ask(Z3_ast constraint) {
  Session& session = question_.session();
  session.push();
  if (constraint != nullptr) session.add(constraint);
  Outcome outcome = session.check();
  if (outcome == Outcome::sat) {
    const auto values = question_.values();
    const auto value = session.integer(meaning_.first);
    if (values && value && confirmed(*values, *value)) {
      seen_.push_back(*value);
    } else {
      outcome = Outcome::unknown;
    }
  }
  session.pop();
  return outcome;
}

Integer BoundSearch::greatest(int sign) const {
  const auto [lo, hi] = std::minmax_element(seen_.begin(), seen_.end());
  return sign > 0 ? *hi : -*lo;
}

void BoundSearch::find_end(int sign, std::optional<Integer>& end, bool& tight) {
  Z3_context z3 = question_.session().context();
  Translator& t = question_.translator();
  const auto at_least = [&](const Integer& v) {
    return ask(sign > 0 ? Z3_mk_ge(z3, meaning_.first, t.integer(v)) : Z3_mk_le(z3, meaning_.first, t.integer(-v)));
  };
  std::optional<Integer> bound;  // proved: sign * term <= bound
  switch (at_least(far())) {
    case Outcome::sat:
      tight = true;
      return;
    case Outcome::unsat:
      bound = far() - 1;
      break;
    case Outcome::unknown:
      break;
  }
  for (Integer step = 1;; step = step * 2) {
    const Integer probe = greatest(sign) + step;
    if (probe >= far() || (bound && probe > *bound)) break;
    if (at_least(probe) == Outcome::unsat) {
      bound = probe - 1;
      break;
    }
  }
  if (!bound) return;
  Integer open = greatest(sign);  // nothing above is proved impossible up to here
  while (open < *bound) {
    const Integer middle = open + floor_div(*bound - open + 1, 2);
    switch (at_least(middle)) {
      case Outcome::sat:
        open = greatest(sign);
        break;
      case Outcome::unsat:
        bound = middle - 1;
        break;
      case Outcome::unknown:
        open = middle;
        break;
    }
  }
  tight = greatest(sign) == *bound;
  if (!tight && bound->bit_length() > 120) return;  // all that is known is the first probe's refutation
  end = sign > 0 ? *bound : -*bound;
}

// modulus 0: the term is `residue`. `broken`: a value off the class was found (and noted).
bool BoundSearch::proves_congruence(const Integer& modulus, const Integer& residue, bool& broken) {
  Z3_context z3 = question_.session().context();
  Translator& t = question_.translator();
  Z3_ast off = meaning_.first;
  if (!modulus.is_zero()) off = Z3_mk_mod(z3, off, t.integer(modulus));
  const Outcome outcome =
      ask(Z3_mk_not(z3, Z3_mk_eq(z3, off, t.integer(modulus.is_zero() ? residue : floor_mod(residue, modulus)))));
  broken = outcome == Outcome::sat;
  return outcome == Outcome::unsat;
}

Congruence BoundSearch::find_congruence() {
  const Integer base = seen_.front();
  const auto modulus = [&] {
    Integer g = 0;
    for (const Integer& v : seen_) g = gcd(g, v - base);
    return g;
  };
  Integer g = modulus();
  while (!g.is_one()) {
    bool broken = false;
    if (proves_congruence(g, base, broken)) return Congruence::of(g, base);
    if (!broken) break;
    g = modulus();
  }
  if (g.is_one()) return {};
  Congruence best;
  for (const Integer& d : divisors(g, 16)) {
    bool broken = false;
    if (!best.is_all() && floor_mod(best.modulus, d).is_zero()) continue;
    if (!proves_congruence(d, base, broken)) continue;
    if (const auto both = best.intersect(Congruence::of(d, base))) best = *both;
  }
  return best;
}

Bounds BoundSearch::run() {
  Bounds out;
  if (!question_.failure().empty()) return out;
  if (meaning_.second != nullptr) question_.session().add(meaning_.second);
  switch (ask(nullptr)) {
    case Outcome::unsat:
      out.empty = true;
      return out;
    case Outcome::unknown:
      return out;
    case Outcome::sat:
      break;
  }
  find_end(1, out.interval.hi, out.tight_hi);
  find_end(-1, out.interval.lo, out.tight_lo);
  out.congruence = find_congruence();
  return out;
}

}  // namespace dimgate::z3
