// IntSet and Residues against plain membership on a window: random sets are built from ranges and residue classes, and
// every operation must agree point by point.
#include "simplify/int_set.hpp"

#include <doctest/doctest.h>

#include <random>

using namespace dimgate::simplify;

namespace {

constexpr std::int64_t kFrom = -60;
constexpr std::int64_t kTo = 60;

IntSet random_set(std::mt19937& rng, int depth) {
  const auto pick = [&](int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(rng); };
  if (depth == 0) {
    switch (pick(0, 4)) {
      case 0:
        return IntSet::point(pick(-20, 20));
      case 1: {
        const int lo = pick(-30, 30);
        return IntSet::range(lo, lo + pick(-1, 15));
      }
      case 2:
        return IntSet::range(IntSet::kMinusInf, pick(-30, 30));
      case 3:
        return IntSet::range(pick(-30, 30), IntSet::kPlusInf);
      default: {
        const int m = pick(1, 12);
        return IntSet::of(Residues::only(static_cast<std::uint32_t>(m), pick(-20, 20)));
      }
    }
  }
  const IntSet a = random_set(rng, depth - 1);
  const IntSet b = random_set(rng, depth - 1);
  switch (pick(0, 3)) {
    case 0:
      return *intersect(a, b);
    case 1:
      return *unite(a, b);
    case 2:
      return *subtract(a, b);
    default:
      return *complement(a);
  }
}

void check_invariants(const IntSet& s) {
  const auto pieces = s.pieces();
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    CHECK(pieces[i].lo <= pieces[i].hi);
    CHECK_FALSE(pieces[i].residues.is_none());
    if (pieces[i].lo != IntSet::kMinusInf) CHECK(pieces[i].residues.contains(pieces[i].lo));
    if (pieces[i].hi != IntSet::kPlusInf) CHECK(pieces[i].residues.contains(pieces[i].hi));
    if (i > 0) CHECK(pieces[i - 1].hi < pieces[i].lo);
  }
}

}  // namespace

TEST_CASE("set operations agree with membership on random sets") {
  std::mt19937 rng(7);
  for (int round = 0; round < 1500; ++round) {
    const IntSet a = random_set(rng, round % 4);
    const IntSet b = random_set(rng, (round / 4) % 4);
    CAPTURE(a.to_string());
    CAPTURE(b.to_string());
    const auto both = intersect(a, b);
    const auto either = unite(a, b);
    const auto only = subtract(a, b);
    const auto none = complement(a);
    REQUIRE((both && either && only && none));
    for (const IntSet* s : {&a, &b, &*both, &*either, &*only, &*none}) check_invariants(*s);
    bool subset = true;
    for (std::int64_t x = kFrom; x <= kTo; ++x) {
      CHECK(both->contains(x) == (a.contains(x) && b.contains(x)));
      CHECK(either->contains(x) == (a.contains(x) || b.contains(x)));
      CHECK(only->contains(x) == (a.contains(x) && !b.contains(x)));
      CHECK(none->contains(x) == !a.contains(x));
      subset = subset && (!a.contains(x) || b.contains(x));
    }
    // every end and period of the random sets lies inside the window or repeats in it
    if (*is_subset(a, b)) CHECK(subset);
    if (subset && a.count()) CHECK(*is_subset(a, b));
    CHECK(*same_set(*complement(*none), a));
  }
}

TEST_CASE("elements, neighbours and counts") {
  std::mt19937 rng(11);
  for (int round = 0; round < 500; ++round) {
    const IntSet a = random_set(rng, 3);
    const IntSet finite = *intersect(a, IntSet::range(kFrom, kTo));
    std::vector<std::int64_t> expected;
    for (std::int64_t x = kFrom; x <= kTo; ++x)
      if (a.contains(x)) expected.push_back(x);
    CHECK(finite.elements() == expected);
    CHECK(finite.count() == expected.size());
    for (std::size_t i = 0; i + 1 < expected.size(); ++i) {
      CHECK(finite.after(expected[i]) == expected[i + 1]);
      CHECK(finite.before(expected[i + 1]) == expected[i]);
    }
    for (const std::int64_t x : a.samples(50)) CHECK(a.contains(x));
    if (!a.is_empty()) CHECK_FALSE(a.samples(50).empty());
  }
}

TEST_CASE("pieces grow together") {
  CHECK(*unite(IntSet::range(1, 4), IntSet::range(5, 9)) == IntSet::range(1, 9));
  const IntSet even = IntSet::of(Residues::only(2, 0));
  const IntSet odd = IntSet::of(Residues::only(2, 1));
  CHECK(unite(even, odd)->is_all());
  const IntSet zero4 = IntSet::of(Residues::only(4, 0));
  const IntSet two4 = IntSet::of(Residues::only(4, 2));
  CHECK(*unite(zero4, two4) == even);
}

TEST_CASE("what does not fit says so") {
  const IntSet a = IntSet::of(Residues::only(65521, 1));
  const IntSet b = IntSet::of(Residues::only(65519, 1));
  CHECK_FALSE(intersect(a, b).has_value());
  CHECK_FALSE(is_subset(a, b).has_value());
}
