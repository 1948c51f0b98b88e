// Whether two strided views share a byte: a bounded linear equation in the two views' indices. Depth-first over the
// terms, the largest coefficient first, cut by ranges and gcds; NP-hard in general, so a budget of steps bounds it, and
// beyond it the answer is unknown. Checked against enumeration by tests/world/overlap_test.cpp.
#include "dimgate/overlap.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace dimgate {
namespace {

__extension__ using Wide = __int128;
constexpr Wide kLimit = Wide{1} << 60;
constexpr std::size_t kMaxTerms = 128;  // two views of rank 63

/// step * x with 0 <= x <= most.
struct Term {
  std::int64_t step;
  std::int64_t most;
};

/// sum of step_k * x_k == target, 0 <= x_k <= most_k, all steps positive.
struct Equation {
  std::array<Term, kMaxTerms> terms{};
  std::size_t size = 0;
  Wide target = 0;
  bool too_large = false;

  /// Adds coefficient * x, 0 <= x <= most; a negative one runs from its other end.
  void add(Wide coefficient, Wide most) noexcept {
    if (coefficient == 0 || most <= 0) return;
    const Wide step = coefficient < 0 ? -coefficient : coefficient;
    if (step > kLimit || most > kLimit || step * most > kLimit || size == kMaxTerms) {
      too_large = true;
      return;
    }
    if (coefficient < 0) target += step * most;
    terms[size++] = {static_cast<std::int64_t>(step), static_cast<std::int64_t>(most)};
  }
  /// Steepest first; equal steps become one term, and a step that continues a finer one exactly joins it.
  void tidy() noexcept {
    std::sort(terms.begin(), terms.begin() + static_cast<std::ptrdiff_t>(size),
              [](const Term& a, const Term& b) { return a.step > b.step; });
    std::size_t out = 0;
    for (std::size_t i = 0; i < size; ++i) {
      if (out > 0 && terms[out - 1].step == terms[i].step)
        terms[out - 1].most += terms[i].most;
      else
        terms[out++] = terms[i];
    }
    size = out;
    // {0..m} * s + {0..k} * (j*s) is {0..m + k*j} * s where the finer run reaches every start of the coarser: m + 1 >=
    // j.
    for (std::size_t i = size; i-- > 1;) {
      Term& fine = terms[i];
      const Term coarse = terms[i - 1];
      if (coarse.step % fine.step != 0 || fine.most + 1 < coarse.step / fine.step) continue;
      fine.most += coarse.most * (coarse.step / fine.step);
      std::copy(terms.begin() + static_cast<std::ptrdiff_t>(i), terms.begin() + static_cast<std::ptrdiff_t>(size),
                terms.begin() + static_cast<std::ptrdiff_t>(i) - 1);
      --size;
    }
  }
};

std::int64_t floor_div(std::int64_t a, std::int64_t b) noexcept {
  const std::int64_t q = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

/// Depth first, with what is left below each level known: its gcd and the most it can add up to.
Overlap solve(Equation& e, std::uint64_t budget) noexcept {
  if (e.too_large) return Overlap::unknown;
  if (e.target < 0) return Overlap::no;
  Wide total = 0;
  for (std::size_t i = 0; i < e.size; ++i) total += Wide{e.terms[i].step} * e.terms[i].most;
  if (e.target > total) return Overlap::no;
  if (total > kLimit) return Overlap::unknown;
  e.tidy();
  std::array<std::int64_t, kMaxTerms + 1> gcd{}, reach{}, rest{}, next{}, skip{};
  for (std::size_t i = e.size; i-- > 0;) {
    gcd[i] = std::gcd(gcd[i + 1], e.terms[i].step);
    reach[i] = reach[i + 1] + e.terms[i].step * e.terms[i].most;
    // Once one x leaves a rest that the finer steps divide, only every skip-th does.
    skip[i] = gcd[i + 1] == 0 ? 1 : gcd[i + 1] / std::gcd(gcd[i + 1], e.terms[i].step);
  }
  const auto possible = [&](std::size_t level, std::int64_t r) {
    if (r < 0 || r > reach[level]) return false;
    return gcd[level] == 0 ? r == 0 : r % gcd[level] == 0;
  };
  rest[0] = static_cast<std::int64_t>(e.target);
  if (!possible(0, rest[0])) return Overlap::no;
  if (e.size == 0) return Overlap::yes;
  const auto largest = [&](std::size_t level) {
    return std::min(e.terms[level].most, rest[level] / e.terms[level].step);
  };
  std::size_t level = 0;
  next[0] = largest(0);
  for (;;) {
    if (budget-- == 0) return Overlap::unknown;
    const Term& t = e.terms[level];
    // Below this x the rest cannot be reached any more.
    const std::int64_t least = std::max<std::int64_t>(0, -floor_div(reach[level + 1] - rest[level], t.step));
    if (next[level] < least) {
      if (level == 0) return Overlap::no;
      --level;
      continue;
    }
    const std::int64_t r = rest[level] - t.step * next[level];
    const bool fits = possible(level + 1, r);
    next[level] -= fits ? skip[level] : 1;
    if (!fits) continue;
    if (level + 1 == e.size || r == 0) return Overlap::yes;
    rest[++level] = r;
    next[level] = largest(level);
  }
}

bool is_empty(const StridedView& v) noexcept {
  return v.item_bytes <= 0 || std::ranges::any_of(v.sizes, [](std::int64_t n) { return n <= 0; });
}

}  // namespace

Overlap overlap(const StridedView& a, const StridedView& b, std::uint64_t budget) noexcept {
  if (is_empty(a) || is_empty(b)) return Overlap::no;
  if (a.sizes.size() != a.strides.size() || b.sizes.size() != b.strides.size()) return Overlap::unknown;
  // bytes of a - bytes of b == 0
  Equation e;
  e.target = Wide{b.offset} * b.item_bytes - Wide{a.offset} * a.item_bytes;
  if (e.target > kLimit || e.target < -kLimit) return Overlap::unknown;
  const auto view = [&](const StridedView& v, int sign) {
    for (std::size_t i = 0; i < v.sizes.size(); ++i)
      e.add(Wide{v.strides[i]} * v.item_bytes * sign, Wide{v.sizes[i]} - 1);
    e.add(sign, Wide{v.item_bytes} - 1);
  };
  view(a, 1);
  view(b, -1);
  return solve(e, budget);
}

Overlap overlaps_itself(const StridedView& v, std::uint64_t budget) noexcept {
  if (is_empty(v)) return Overlap::no;
  if (v.sizes.size() != v.strides.size()) return Overlap::unknown;
  // Two index tuples differ first in some dimension, there by d >= 1 (without loss of generality), later by anything.
  bool unknown = false;
  for (std::size_t first = 0; first < v.sizes.size(); ++first) {
    if (v.sizes[first] < 2) continue;
    Equation e;
    e.target = -Wide{v.strides[first]} * v.item_bytes;
    if (e.target > kLimit || e.target < -kLimit) return Overlap::unknown;
    e.add(Wide{v.strides[first]} * v.item_bytes, Wide{v.sizes[first]} - 2);
    for (std::size_t k = first + 1; k < v.sizes.size(); ++k) {
      const Wide step = Wide{v.strides[k]} * v.item_bytes, most = Wide{v.sizes[k]} - 1;
      e.add(step, most);
      e.add(-step, most);
    }
    e.add(1, Wide{v.item_bytes} - 1);
    e.add(-1, Wide{v.item_bytes} - 1);
    const Overlap here = solve(e, budget);
    if (here == Overlap::yes) return here;
    unknown = unknown || here == Overlap::unknown;
  }
  return unknown ? Overlap::unknown : Overlap::no;
}

}  // namespace dimgate
