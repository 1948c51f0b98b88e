// SolutionLattice against enumeration (congruences: a full period; equalities: a box) and against LinearCore.
#include "prove/hermite.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "prove/linear_systems.hpp"

using namespace dimgate;
using namespace dimgate::test;

namespace {

struct Relation {
  std::vector<std::int64_t> coefficients;
  std::int64_t modulus, residue;
};

std::int64_t dot(const std::vector<std::int64_t>& c, const std::vector<std::int64_t>& x) {
  return std::inner_product(c.begin(), c.end(), x.begin(), std::int64_t{0});
}
bool holds(const std::vector<Relation>& all, const std::vector<std::int64_t>& x) {
  return std::all_of(all.begin(), all.end(), [&](const Relation& r) {
    const std::int64_t gap = dot(r.coefficients, x) - r.residue;
    return r.modulus == 0 ? gap == 0 : gap % r.modulus == 0;
  });
}
bool load(SolutionLattice& lattice, const std::vector<Relation>& all, std::size_t variables) {
  for (std::size_t i = 0; i < variables; ++i) lattice.new_variable();
  for (std::uint32_t i = 0; i < all.size(); ++i)
    if (!lattice.congruent(terms_of(all[i].coefficients), all[i].modulus, all[i].residue, i)) return false;
  return true;
}
// By LinearCore: a congruence is an equality with a variable of its own.
LinearCore::Status decide(const std::vector<Relation>& all, std::size_t variables,
                          const std::vector<std::int64_t>* form = nullptr, const Integer& value = 0) {
  LinearCore core;
  for (std::size_t i = 0; i < variables; ++i) core.new_variable();
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    auto terms = terms_of(all[i].coefficients);
    if (all[i].modulus != 0) terms.push_back({core.new_variable(), all[i].modulus});
    core.equals(terms, all[i].residue, i);
  }
  if (form != nullptr) core.equals(terms_of(*form), value, 99);
  std::uint64_t steps = 1'000'000;
  return core.check(steps);
}
std::vector<Relation> random_relations(std::mt19937_64& random, std::size_t variables, bool congruences) {
  std::vector<Relation> all(1 + random() % 4);
  for (Relation& r : all) {
    for (std::size_t i = 0; i < variables; ++i)
      r.coefficients.push_back(random() % 3 == 0 ? 0 : static_cast<std::int64_t>(random() % 13) - 6);
    r.modulus = congruences         ? std::int64_t{1} << (random() % 4)
                : random() % 2 == 0 ? 0
                                    : static_cast<std::int64_t>(random() % 9);
    if (congruences && random() % 3 == 0) r.modulus *= 3;
    r.residue = static_cast<std::int64_t>(random() % 15) - 7;
  }
  return all;
}
std::vector<Relation> only(const std::vector<Relation>& all, const std::vector<std::uint32_t>& tags) {
  std::vector<Relation> out;
  for (const auto t : tags) out.push_back(all.at(t));
  return out;
}

}  // namespace

TEST_CASE("the Chinese remainder theorem") {
  SolutionLattice lattice;
  const auto x = lattice.new_variable();
  const std::vector<LinearTerm> term{{x, 1}};
  CHECK(lattice.congruent(term, 3, 2, 0));
  CHECK(lattice.congruent(term, 5, 3, 1));
  CHECK(lattice.congruent(term, 7, 2, 2));
  CHECK(lattice.residue(term) == Congruence{105, 23});
  CHECK(lattice.why(term, Congruence{35, 23}) == std::vector<std::uint32_t>{1, 2});
  lattice.push();
  CHECK_FALSE(lattice.congruent(term, 10, 4, 3));  // 4 mod 5, not 3
  CHECK(lattice.core() == std::vector<std::uint32_t>{1, 3});
  CHECK_FALSE(lattice.consistent());
  lattice.pop();
  CHECK(lattice.consistent());
  CHECK(lattice.equals(term, 128, 4));
  CHECK(lattice.residue(term) == Congruence{0, 128});
  CHECK_FALSE(lattice.equals(term, 23, 5));
  CHECK(lattice.core() == std::vector<std::uint32_t>{4, 5});
}

TEST_CASE("constraints without variables, scaled constraints, modulus 0, 1 and negative") {
  SolutionLattice lattice;
  const auto x = lattice.new_variable(), y = lattice.new_variable();
  CHECK(lattice.equals({}, 0, 0));
  CHECK(lattice.congruent({}, 4, 8, 0));
  CHECK(lattice.congruent(std::vector<LinearTerm>{{x, 7}, {y, 3}}, 1, 5, 1));
  CHECK(lattice.residue(std::vector<LinearTerm>{{x, 7}, {y, 3}}) == Congruence::all());
  CHECK(lattice.congruent(std::vector<LinearTerm>{{x, 6}}, 8, 4, 2));  // 3x == 2 (mod 4)
  CHECK(lattice.residue(std::vector<LinearTerm>{{x, 1}}) == Congruence{4, 2});
  CHECK(lattice.residue(std::vector<LinearTerm>{{x, 2}, {y, 4}}) == Congruence{4, 0});
  CHECK(lattice.congruent(std::vector<LinearTerm>{{y, 2}}, -6, 2, 3));
  CHECK(lattice.residue(std::vector<LinearTerm>{{y, 1}}) == Congruence{3, 1});
  CHECK(lattice.residue({}) == Congruence{0, 0});
  CHECK_FALSE(lattice.congruent(std::vector<LinearTerm>{{y, 2}, {y, -2}}, 4, 2, 9));
  CHECK(lattice.core() == std::vector<std::uint32_t>{9});
}

TEST_CASE("congruences against a full period: consistency, cores, strongest residues") {
  std::mt19937_64 random(11);
  int good = 0, bad = 0;
  for (int round = 0; round < 600; ++round) {
    const std::size_t n = 1 + random() % 2;
    const auto all = random_relations(random, n, true);
    constexpr std::int64_t kPeriod = 24;
    std::vector<std::int64_t> form;
    for (std::size_t i = 0; i < n; ++i) form.push_back(static_cast<std::int64_t>(random() % 9) - 4);
    std::optional<std::int64_t> first;
    Integer step = 0;
    each_point(n, 0, 2 * kPeriod - 1, [&](const std::vector<std::int64_t>& x) {
      if (!holds(all, x)) return true;
      if (!first) first = dot(form, x);
      step = gcd(step, Integer(dot(form, x) - *first));
      return true;
    });
    SolutionLattice lattice;
    REQUIRE(load(lattice, all, n) == first.has_value());
    if (first) {
      ++good;
      CHECK(lattice.residue(terms_of(form)) == Congruence::of(step, *first));
    } else {
      ++bad;
      CHECK(decide(only(all, lattice.core()), n) == LinearCore::Status::unsat);
    }
  }
  CHECK(good > 100);
  CHECK(bad > 100);
}

TEST_CASE("equalities and congruences: solutions are the points of a box that hold, residues are attained") {
  std::mt19937_64 random(12);
  int good = 0, bad = 0;
  for (int round = 0; round < 800; ++round) {
    const std::size_t n = 1 + random() % 3;
    const auto all = random_relations(random, n, false);
    SolutionLattice lattice;
    const bool consistent = load(lattice, all, n);
    CHECK(decide(all, n) == (consistent ? LinearCore::Status::sat : LinearCore::Status::unsat));
    if (!consistent) {
      ++bad;
      const auto core = lattice.core();
      CHECK(decide(only(all, core), n) == LinearCore::Status::unsat);
      for (std::size_t leave = 0; leave < core.size(); ++leave) {  // minimal
        auto less = core;
        less.erase(less.begin() + static_cast<std::ptrdiff_t>(leave));
        CHECK(decide(only(all, less), n) == LinearCore::Status::sat);
      }
      each_point(n, -6, 6, [&](const std::vector<std::int64_t>& x) {
        if (holds(all, x)) FAIL_CHECK("a point holds");
        return true;
      });
      continue;
    }
    ++good;
    // Each point that holds has its parameters: back-substituted through the pivots. Each parameter choice holds.
    for (int trial = 0; trial < 20; ++trial) {
      std::vector<Integer> parameter(n);
      for (Integer& p : parameter) p = static_cast<std::int64_t>(random() % 11) - 5;
      std::vector<std::int64_t> x;
      for (std::uint32_t v = 0; v < n; ++v) {
        const auto s = lattice.solution(v);
        Integer value = s.constant;
        for (const LinearTerm& t : s.terms) value += t.coefficient * parameter[t.var];
        x.push_back(value.to_int64().value());
      }
      CHECK(holds(all, x));
    }
    std::vector<std::int64_t> form;
    for (std::size_t i = 0; i < n; ++i) form.push_back(static_cast<std::int64_t>(random() % 9) - 4);
    const Congruence r = lattice.residue(terms_of(form));
    each_point(n, -6, 6, [&](const std::vector<std::int64_t>& x) {
      if (holds(all, x) && !r.contains(dot(form, x))) FAIL_CHECK("a value is not in the residue");
      return true;
    });
    CHECK(decide(all, n, &form, r.residue) == LinearCore::Status::sat);  // strongest: both values are taken
    CHECK(decide(all, n, &form, r.residue + r.modulus) == LinearCore::Status::sat);
    SolutionLattice part;
    CHECK(load(part, only(all, lattice.why(terms_of(form), r)), n));
    CHECK(part.residue(terms_of(form)) == r);
  }
  CHECK(good > 100);
  CHECK(bad > 100);
}

TEST_CASE("the order of constraints and what was popped do not show in solutions") {
  std::mt19937_64 random(13);
  for (int round = 0; round < 300; ++round) {
    auto all = random_relations(random, 3, false);
    SolutionLattice first, second;
    const bool consistent = load(first, all, 3);
    std::shuffle(all.begin(), all.end(), random);
    for (int i = 0; i < 3; ++i) second.new_variable();
    second.push();
    for (const Relation& r : random_relations(random, 3, false))
      second.congruent(terms_of(r.coefficients), r.modulus, r.residue, 50);
    second.new_variable();
    second.pop();
    for (std::uint32_t i = 0; i < all.size(); ++i)
      second.congruent(terms_of(all[i].coefficients), all[i].modulus, all[i].residue, i);
    REQUIRE(second.consistent() == consistent);
    if (!consistent) continue;
    for (std::uint32_t v = 0; v < 3; ++v) {
      const auto a = first.solution(v), b = second.solution(v);
      CHECK(a.constant == b.constant);
      REQUIRE(a.terms.size() == b.terms.size());
      for (std::size_t i = 0; i < a.terms.size(); ++i) {
        CHECK(a.terms[i].var == b.terms[i].var);
        CHECK(a.terms[i].coefficient == b.terms[i].coefficient);
      }
    }
  }
}

TEST_CASE("numbers far beyond int64") {
  const Integer huge = Integer::parse("1000000000000000000000000000057").value();
  SolutionLattice lattice;
  const auto x = lattice.new_variable(), y = lattice.new_variable();
  CHECK(lattice.congruent(std::vector<LinearTerm>{{x, 1}}, huge, 5, 0));
  CHECK(lattice.congruent(std::vector<LinearTerm>{{x, 1}}, huge + 1, 7, 1));
  const Congruence r = lattice.residue(std::vector<LinearTerm>{{x, 1}});
  CHECK(r.modulus == huge * (huge + 1));
  CHECK(floor_mod(r.residue, huge) == 5);
  CHECK(floor_mod(r.residue, huge + 1) == 7);
  CHECK(lattice.equals(std::vector<LinearTerm>{{x, huge}, {y, huge * 2}}, huge * 3, 2));  // x + 2y == 3
  CHECK(lattice.residue(std::vector<LinearTerm>{{x, 1}, {y, 2}}) == Congruence{0, 3});
  CHECK_FALSE(lattice.congruent(std::vector<LinearTerm>{{x, 1}}, 2, 0, 3));
  CHECK(lattice.core() == std::vector<std::uint32_t>{1, 3});  // huge + 1 is even, so x is odd
}

TEST_CASE("a thousand variables tied in pairs cost pairs") {
  SolutionLattice lattice;
  std::vector<std::uint32_t> v;
  for (int i = 0; i < 1000; ++i) v.push_back(lattice.new_variable());
  for (std::uint32_t i = 0; i + 1 < 1000; i += 2)
    CHECK(lattice.equals(std::vector<LinearTerm>{{v[i], 2}, {v[i + 1], -3}}, 1, i));
  CHECK(lattice.residue(std::vector<LinearTerm>{{v[0], 1}}) == Congruence{3, 2});
  CHECK(lattice.residue(std::vector<LinearTerm>{{v[1], 1}}) == Congruence{2, 1});
}
