// Octagon against enumeration of boxes and, without a box, against LinearCore.
#include "prove/octagon.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "prove/linear_systems.hpp"

using namespace dimgate;
using namespace dimgate::test;
using Added = Octagon::Added;

namespace {

bool add(Octagon& octagon, const LinearConstraint& c, std::uint32_t tag) {
  const auto terms = terms_of(c.coefficients);
  const Added a = c.relation == '='   ? octagon.equals(terms, c.bound, tag)
                  : c.relation == '<' ? octagon.at_most(terms, c.bound, tag)
                                      : octagon.at_least(terms, c.bound, tag);
  REQUIRE(a != Added::other_shape);
  return a == Added::consistent;
}
bool load(Octagon& octagon, const LinearSystem& s) {
  for (std::size_t i = 0; i < s.variables; ++i) octagon.new_variable();
  bool good = true;
  for (std::uint32_t i = 0; i < s.constraints.size(); ++i) good = add(octagon, s.constraints[i], i);
  return good;
}
LinearSystem random_octagon(std::mt19937_64& random, std::size_t variables, std::size_t constraints) {
  LinearSystem s{variables, {}};
  for (std::size_t i = 0; i < constraints; ++i) {
    LinearConstraint c{std::vector<std::int64_t>(variables, 0), "<>="[random() % 8 == 0 ? 2 : random() % 2],
                       static_cast<std::int64_t>(random() % 13) - 6};
    const std::int64_t scale = 1 + static_cast<std::int64_t>(random() % 3);
    const std::size_t x = random() % variables, y = random() % variables;
    c.coefficients[x] = random() % 2 == 0 ? scale : -scale;
    if (y != x && random() % 4 != 0) c.coefficients[y] = random() % 2 == 0 ? scale : -scale;
    s.constraints.push_back(std::move(c));
  }
  return s;
}
LinearSystem only(const LinearSystem& s, const std::vector<std::uint32_t>& tags) {
  LinearSystem out{s.variables, {}};
  for (const std::uint32_t t : tags) out.constraints.push_back(s.constraints.at(t));
  return out;
}
LinearCore::Status decide(const LinearSystem& s) {
  LinearCore core;
  load(core, s);
  std::uint64_t steps = 1'000'000;
  return core.check(steps);
}
std::vector<std::vector<std::int64_t>> all_forms(std::size_t n) {
  std::vector<std::vector<std::int64_t>> forms;
  each_point(n, -1, 1, [&](const std::vector<std::int64_t>& f) {
    const auto used = std::count_if(f.begin(), f.end(), [](std::int64_t c) { return c != 0; });
    if (used == 1 || used == 2) forms.push_back(f);
    return true;
  });
  return forms;
}
std::int64_t dot(const std::vector<std::int64_t>& c, const std::vector<std::int64_t>& x) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < c.size(); ++i) sum += c[i] * x[i];
  return sum;
}

}  // namespace

TEST_CASE("what an octagon takes") {
  CHECK(Octagon::has_shape({}));
  CHECK(Octagon::has_shape(std::vector<LinearTerm>{{0, 3}}));
  CHECK(Octagon::has_shape(std::vector<LinearTerm>{{0, 3}, {1, -3}}));
  CHECK(Octagon::has_shape(std::vector<LinearTerm>{{0, 3}, {1, -3}, {2, 1}, {2, -1}}));
  CHECK_FALSE(Octagon::has_shape(std::vector<LinearTerm>{{0, 3}, {1, 2}}));
  CHECK_FALSE(Octagon::has_shape(std::vector<LinearTerm>{{0, 1}, {1, 1}, {2, 1}}));
  Octagon octagon;
  const auto x = octagon.new_variable(), y = octagon.new_variable();
  CHECK(octagon.at_most(std::vector<LinearTerm>{{x, 1}, {y, 2}}, 3, 0) == Added::other_shape);
  CHECK(octagon.upper(std::vector<LinearTerm>{{x, 1}, {y, 2}}) == std::nullopt);
  CHECK(octagon.upper({}) == Integer(0));
  CHECK(octagon.at_most({}, 0, 1) == Added::consistent);
  CHECK(octagon.equals({}, 1, 2) == Added::contradiction);
  CHECK(octagon.core() == std::vector<std::uint32_t>{2});
}

TEST_CASE("parity: x + y == 1 and x == y, also through others") {
  Octagon octagon;
  const auto x = octagon.new_variable(), y = octagon.new_variable(), z = octagon.new_variable();
  CHECK(octagon.equals(std::vector<LinearTerm>{{x, 1}, {y, 1}}, 1, 0) == Added::consistent);
  CHECK(octagon.at_most(std::vector<LinearTerm>{{x, 1}, {z, -1}}, 2, 1) == Added::consistent);
  CHECK(octagon.at_most(std::vector<LinearTerm>{{z, 1}, {y, -1}}, -2, 2) == Added::consistent);
  // 2x <= 1, so x <= 0, y >= 1.
  CHECK(octagon.upper(std::vector<LinearTerm>{{x, 1}}) == Integer(0));
  CHECK(octagon.core() == std::vector<std::uint32_t>{0, 1, 2});
  CHECK(octagon.lower(std::vector<LinearTerm>{{y, 1}}) == Integer(1));
  CHECK(octagon.upper(std::vector<LinearTerm>{{x, 5}, {y, -5}}) == Integer(-5));
  octagon.push();
  CHECK(octagon.at_most(std::vector<LinearTerm>{{y, 1}, {x, -1}}, 0, 3) == Added::contradiction);
  CHECK(octagon.core() == std::vector<std::uint32_t>{0, 1, 2, 3});
  CHECK_FALSE(octagon.consistent());
  octagon.pop();
  CHECK(octagon.consistent());
}

TEST_CASE("random octagons in a box: consistency, every bound and every core against enumeration") {
  std::mt19937_64 random(2);
  int good = 0, bad = 0;
  for (int round = 0; round < 1500; ++round) {
    const std::size_t n = 1 + random() % 3;
    LinearSystem s = random_octagon(random, n, 1 + random() % 6);
    add_box(s, -4, 5);
    std::vector<std::vector<std::int64_t>> points;
    each_point(n, -4, 5, [&](const std::vector<std::int64_t>& x) {
      if (holds(s, x)) points.push_back(x);
      return true;
    });
    Octagon octagon;
    REQUIRE_MESSAGE(load(octagon, s) == !points.empty(), to_string(s));
    if (points.empty()) {
      ++bad;
      CHECK(decide(only(s, octagon.core())) == LinearCore::Status::unsat);
      continue;
    }
    ++good;
    for (const auto& form : all_forms(n)) {
      std::int64_t most = dot(form, points[0]);
      for (const auto& x : points) most = std::max(most, dot(form, x));
      const auto found = octagon.upper(terms_of(form));
      REQUIRE(found);
      CHECK_MESSAGE(*found == most, to_string(s));
      LinearSystem part = only(s, octagon.core());
      part.constraints.push_back({form, '>', most + 1});
      CHECK(decide(part) == LinearCore::Status::unsat);
    }
  }
  CHECK(good > 300);
  CHECK(bad > 300);
}

TEST_CASE("random octagons without a box: the same answers as the linear core") {
  std::mt19937_64 random(3);
  int good = 0, bad = 0;
  for (int round = 0; round < 400; ++round) {
    const std::size_t n = 2 + random() % 4;
    const LinearSystem s = random_octagon(random, n, 2 + random() % 8);
    Octagon octagon;
    const bool consistent = load(octagon, s);
    REQUIRE_MESSAGE(decide(s) == (consistent ? LinearCore::Status::sat : LinearCore::Status::unsat), to_string(s));
    if (!consistent) {
      ++bad;
      CHECK(decide(only(s, octagon.core())) == LinearCore::Status::unsat);
      continue;
    }
    ++good;
    LinearCore core;
    load(core, s);
    for (const auto& form : all_forms(n)) {
      std::uint64_t steps = 1'000'000;
      const auto low = core.minimise(terms_of(form), steps);
      REQUIRE(low.status == LinearCore::Status::sat);
      CHECK_MESSAGE(octagon.lower(terms_of(form)) == low.value, to_string(s));
    }
  }
  CHECK(good > 100);
  CHECK(bad > 100);
}

TEST_CASE("push and pop: what was popped does not show, not even in cores; order changes no bound") {
  std::mt19937_64 random(4);
  for (int round = 0; round < 300; ++round) {
    const LinearSystem s = random_octagon(random, 3, 5), noise = random_octagon(random, 3, 5);
    Octagon quiet, busy;
    const bool consistent = load(quiet, s);
    for (int i = 0; i < 3; ++i) busy.new_variable();
    for (std::uint32_t i = 0; i < s.constraints.size(); ++i) {
      busy.push();
      busy.new_variable();
      for (const LinearConstraint& c : noise.constraints) add(busy, c, 90);
      busy.pop();
      add(busy, s.constraints[i], i);
    }
    REQUIRE(busy.variables() == 3);
    REQUIRE(busy.consistent() == consistent);
    if (!consistent) {
      CHECK(busy.core() == quiet.core());
      continue;
    }
    LinearSystem other = s;
    std::shuffle(other.constraints.begin(), other.constraints.end(), random);
    Octagon shuffled;
    CHECK(load(shuffled, other));
    for (const auto& form : all_forms(3)) {
      const auto bound = quiet.upper(terms_of(form));
      CHECK(busy.upper(terms_of(form)) == bound);
      CHECK(busy.core() == quiet.core());
      CHECK(shuffled.upper(terms_of(form)) == bound);
    }
  }
}

TEST_CASE("numbers at the edge of int64 and beyond; clear() keeps nothing") {
  const std::int64_t lowest = std::numeric_limits<std::int64_t>::min(),
                     highest = std::numeric_limits<std::int64_t>::max();
  Octagon octagon;
  const auto x = octagon.new_variable(), y = octagon.new_variable();
  CHECK(octagon.at_most(std::vector<LinearTerm>{{x, 1}}, highest, 0) == Added::consistent);
  CHECK(octagon.at_least(std::vector<LinearTerm>{{x, 1}, {y, -1}}, lowest, 1) == Added::consistent);
  CHECK(octagon.at_most(std::vector<LinearTerm>{{y, 1}, {x, -1}}, highest, 2) == Added::consistent);
  CHECK(octagon.upper(std::vector<LinearTerm>{{y, 1}}) == Integer(highest) * 2);
  CHECK(octagon.upper(std::vector<LinearTerm>{{y, lowest}}) == std::nullopt);
  CHECK(octagon.at_least(std::vector<LinearTerm>{{y, 1}}, Integer(highest) * 2 + 1, 3) == Added::contradiction);
  CHECK(octagon.core() == std::vector<std::uint32_t>{0, 2, 3});
  octagon.clear();
  CHECK(octagon.variables() == 0);
  CHECK(octagon.consistent());
  CHECK(octagon.new_variable() == 0);
  CHECK(octagon.upper(std::vector<LinearTerm>{{0, 1}}) == std::nullopt);
}

TEST_CASE("long chains") {
  constexpr std::uint32_t kCount = 5000;
  Octagon octagon;
  for (std::uint32_t i = 0; i < kCount; ++i) octagon.new_variable();
  for (std::uint32_t i = 0; i + 1 < kCount; ++i)
    REQUIRE(octagon.at_least(std::vector<LinearTerm>{{i + 1, 1}, {i, -1}}, 1, i) == Added::consistent);
  CHECK(octagon.lower(std::vector<LinearTerm>{{kCount - 1, 1}, {0, -1}}) == Integer::from_u64(kCount - 1));
  CHECK(octagon.at_most(std::vector<LinearTerm>{{kCount - 1, 1}, {0, -1}}, Integer::from_u64(kCount - 2), kCount) ==
        Added::contradiction);
  CHECK(octagon.core().size() == kCount);
}
