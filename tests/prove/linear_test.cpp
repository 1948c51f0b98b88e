// LinearCore against enumeration of boxes, against itself under permutation and push/pop, and on known hard systems.
#include "prove/linear.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "prove/linear_systems.hpp"

using namespace dimgate;
using namespace dimgate::test;
using Status = LinearCore::Status;

namespace {

constexpr std::uint64_t kSteps = 2'000'000;

Status decide(LinearCore& core) {
  std::uint64_t steps = kSteps;
  return core.check(steps);
}

std::vector<std::int64_t> model(const LinearCore& core, std::size_t n) {
  std::vector<std::int64_t> x;
  for (std::size_t i = 0; i < n; ++i) x.push_back(core.value(static_cast<std::uint32_t>(i)).to_int64().value());
  return x;
}

bool holds_exactly(const LinearSystem& s, const LinearCore& core) {
  return std::all_of(s.constraints.begin(), s.constraints.end(), [&](const LinearConstraint& c) {
    Integer sum = 0;
    for (std::uint32_t i = 0; i < c.coefficients.size(); ++i) sum += Integer(c.coefficients[i]) * core.value(i);
    return c.relation == '=' ? sum == c.bound : c.relation == '<' ? sum <= c.bound : sum >= c.bound;
  });
}

LinearSystem only(const LinearSystem& s, const std::vector<std::uint32_t>& tags) {
  LinearSystem out;
  out.variables = s.variables;
  for (const std::uint32_t t : tags) out.constraints.push_back(s.constraints.at(t));
  return out;
}

// Checks the status with its witness: a model that holds, or a core that enumeration finds empty in a box.
Status decide_and_verify(const LinearSystem& s) {
  LinearCore core;
  load(core, s);
  const Status status = decide(core);
  if (status == Status::sat) CHECK_MESSAGE(holds_exactly(s, core), to_string(s));
  if (status == Status::unsat) {
    const LinearSystem part = only(s, core.core());
    LinearCore again;
    load(again, part);
    CHECK_MESSAGE(decide(again) == Status::unsat, to_string(s));
    each_point(s.variables, -7, 7, [&](const std::vector<std::int64_t>& x) {
      if (holds(part, x)) FAIL_CHECK(to_string(part));
      return true;
    });
  }
  return status;
}

LinearSystem system(std::size_t variables, std::vector<LinearConstraint> constraints) {
  return {variables, std::move(constraints)};
}

}  // namespace

TEST_CASE("no variables, no constraints, constraints without variables") {
  LinearCore core;
  CHECK(decide(core) == Status::sat);
  core.at_least({}, 0, 1);
  core.at_least({}, -5, 2);
  core.equals({}, 0, 3);
  CHECK(decide(core) == Status::sat);
  core.at_least({}, 1, 9);
  core.equals({}, 2, 4);
  CHECK(decide(core) == Status::unsat);
  CHECK(core.core() == std::vector<std::uint32_t>{4});
}

TEST_CASE("terms may repeat, cancel and be zero") {
  LinearCore core;
  const auto x = core.new_variable(), y = core.new_variable();
  core.equals(std::vector<LinearTerm>{{y, 1}, {x, 2}, {y, -1}, {x, 1}}, 6, 0);  // 3x == 6
  core.at_least(std::vector<LinearTerm>{{y, 0}, {x, 1}, {x, -1}}, 0, 1);
  REQUIRE(decide(core) == Status::sat);
  CHECK(core.value(x) == 2);
  core.at_least(std::vector<LinearTerm>{{y, 3}, {y, -3}}, 1, 7);
  CHECK(decide(core) == Status::unsat);
  CHECK(core.core() == std::vector<std::uint32_t>{7});
}

TEST_CASE("the facts of MLIR's presburger tests (peer_facts M001 to M016)") {
  struct Known {
    const char* name;
    LinearSystem s;
    Status expected;
  };
  const std::vector<Known> known = {
      {"M001", system(1, {{{5}, '>', 1}, {{-5}, '>', -4}}), Status::unsat},
      {"M002", system(1, {{{5}, '>', 1}, {{-5}, '>', -9}}), Status::sat},
      {"M003", system(3, {{{1}, '<', 10}, {{0, 1}, '<', 10}, {{0, 0, 1}, '>', 10}, {{1, 2, -3}, '=', 0}}), Status::sat},
      {"M004", system(3, {{{1}, '<', 10}, {{0, 1}, '<', 10}, {{0, 0, 1}, '>', 11}, {{1, 2, -3}, '=', 0}}),
       Status::unsat},
      {"M005", system(2, {{{1}, '>', 0}, {{1}, '<', 3}, {{1, 4}, '=', 7}}), Status::sat},
      {"M009", system(2, {{{1}, '>', 0}, {{1}, '<', 100}, {{3, -3}, '>', -2}, {{-3, 3}, '>', 1}}), Status::unsat},
      {"M010", system(2, {{{1}, '>', 0}, {{1}, '<', 10}, {{0, 1}, '>', 0}, {{0, 1}, '<', 10}, {{3, 7}, '=', 1}}),
       Status::unsat},
      {"M011",
       system(3, {{{1}, '>', 0},
                  {{1}, '<', 100},
                  {{0, 1}, '>', 0},
                  {{0, 1}, '<', 100},
                  {{2, -3}, '=', 0},
                  {{1, -1}, '=', 1},
                  {{1, 1, -6}, '=', 2}}),
       Status::unsat},
      {"M013", system(3, {{{2}, '>', 1}, {{1, -1}, '=', 1}, {{0, 1, -1}, '=', 0}}), Status::sat},
      {"M014", system(3, {{{0, 2}, '>', 1}, {{0, -2}, '>', -1}, {{0, 0, 2}, '>', 1}, {{2}, '=', 1}}), Status::unsat},
      {"M015",
       system(3, {{{6, -4, 9}, '>', -2},
                  {{1, 5, 1}, '>', -5},
                  {{-4, 1, 2}, '>', 1},
                  {{-3, -2, -7}, '>', 1},
                  {{-7, -5, -9}, '>', 1}}),
       Status::unsat},
      {"M016",
       system(3, {{{3, 3}, '>', -3},
                  {{-4, -8, -1}, '>', -4},
                  {{-7, -4, 1}, '>', -1},
                  {{2, -7, -8}, '>', 7},
                  {{9, 8, -9}, '>', 7}}),
       Status::sat},
  };
  for (const Known& k : known) {
    CAPTURE(k.name);
    CHECK(decide_and_verify(k.s) == k.expected);
  }
}

TEST_CASE("unbounded systems without integer points end") {
  CHECK(decide_and_verify(system(2, {{{2, -2}, '=', 1}})) == Status::unsat);
  CHECK(decide_and_verify(system(3, {{{2, -2, 4}, '>', 1}, {{2, -2, 4}, '<', 1}})) == Status::unsat);
  // A strip that only two constraints together make thin.
  CHECK(decide_and_verify(system(3, {{{3, -3, 1}, '>', 1}, {{3, -3, 1}, '<', 2}, {{0, 0, 1}, '=', 0}})) ==
        Status::unsat);
  // 1 <= 3x - 3y + z <= 2 and 0 <= z and z <= 0 as inequalities of sums.
  CHECK(decide_and_verify(system(
            4, {{{3, -3, 1, 1}, '>', 1}, {{3, -3, 1, 1}, '<', 2}, {{0, 0, 1, 1}, '>', 0}, {{0, 0, 1, 1}, '<', 0}})) ==
        Status::unsat);
  // Unbounded, empty, and no equality implied: 5x - 5y + 2z in {1, 2, .., 4} with z in {0, 5/2}.
  CHECK(decide_and_verify(
            system(3, {{{5, -5, 2}, '>', 1}, {{5, -5, 2}, '<', 1}, {{0, 0, 1}, '>', 0}, {{0, 0, 1}, '<', 2}})) ==
        Status::unsat);
  CHECK(decide_and_verify(system(3, {{{4, -6, 9}, '>', 1}, {{4, -6, 9}, '<', 1}, {{1, 1, 1}, '>', 100}})) ==
        Status::sat);
}

TEST_CASE("thin bodies in which branching alone does not end") {
  // Cornuejols, Urbaniak, Weismantel & Wolsey (1997), cuww1: the Frobenius number of the coefficients.
  LinearSystem frobenius = system(5, {{{12223, 12224, 36674, 61119, 85569}, '=', 89643481}});
  for (std::size_t i = 0; i < 5; ++i) {
    std::vector<std::int64_t> unit(5, 0);
    unit[i] = 1;
    frobenius.constraints.push_back({unit, '>', 0});
  }
  CHECK(decide_and_verify(frobenius) == Status::unsat);
  frobenius.constraints[0].bound = 89643482;
  CHECK(decide_and_verify(frobenius) == Status::sat);
  // A sliver along x - 1 == y.
  const std::int64_t lowest = std::numeric_limits<std::int64_t>::min(),
                     highest = std::numeric_limits<std::int64_t>::max();
  LinearCore core;
  const auto x = core.new_variable(), y = core.new_variable();
  core.at_least(std::vector<LinearTerm>{{x, lowest}, {y, highest}}, lowest, 0);
  core.at_least(std::vector<LinearTerm>{{x, highest}, {y, lowest}}, highest, 1);
  core.at_least(std::vector<LinearTerm>{{x, 1}}, lowest, 2);
  core.at_most(std::vector<LinearTerm>{{y, 1}}, -2, 3);
  REQUIRE(decide(core) == Status::sat);
  CHECK(core.value(x) * lowest + core.value(y) * highest >= Integer(lowest));
  CHECK(core.value(x) * highest + core.value(y) * lowest >= Integer(highest));
  CHECK(core.value(y) <= -2);
  // Strips between neighbouring multiples, far from the origin, along a long primitive direction.
  for (const std::int64_t scale : {1009, 65537, 1000003}) {
    CAPTURE(scale);
    LinearSystem strip = system(
        3,
        {{{2 * scale, -2 * (scale - 2), 2}, '>', 3}, {{2 * scale, -2 * (scale - 2), 4}, '<', 3}, {{0, 0, 1}, '>', 0}});
    add_box(strip, 0, 1'000'000'000);
    CHECK(decide_and_verify(strip) == Status::unsat);
    strip.constraints[1].bound = 4;
    CHECK(decide_and_verify(strip) == Status::sat);
  }
}

TEST_CASE("market splits: equalities over bits that no solution meets") {
  std::mt19937_64 random(6);
  int unsat = 0;
  for (int round = 0; round < 6; ++round) {
    constexpr std::size_t kRows = 2, kBits = 10;
    LinearSystem s{kBits, {}};
    for (std::size_t i = 0; i < kRows; ++i) {
      LinearConstraint c{{}, '=', 0};
      for (std::size_t j = 0; j < kBits; ++j) c.coefficients.push_back(static_cast<std::int64_t>(random() % 100));
      for (const std::int64_t v : c.coefficients) c.bound += v;
      c.bound /= 2;
      s.constraints.push_back(std::move(c));
    }
    add_box(s, 0, 1);
    bool any = false;
    each_point(kBits, 0, 1, [&](const std::vector<std::int64_t>& x) { return !(any = holds(s, x)); });
    LinearCore core;
    load(core, s);
    CHECK(decide(core) == (any ? Status::sat : Status::unsat));
    unsat += any ? 0 : 1;
  }
  CHECK(unsat > 2);
}

TEST_CASE("random systems in a box: status, model and core against enumeration") {
  std::mt19937_64 random(20240611);
  int sat = 0, unsat = 0;
  for (int round = 0; round < 3000; ++round) {
    SystemShape shape;
    shape.variables = 1 + random() % 4;
    shape.constraints = 1 + random() % 5;
    shape.coefficient = 1 + static_cast<std::int64_t>(random() % 9);
    shape.bound = static_cast<std::int64_t>(random() % 20);
    shape.zero = 0.1 * static_cast<double>(random() % 7);
    LinearSystem s = random_system(random, shape);
    const std::int64_t lo = -3 + static_cast<std::int64_t>(random() % 4),
                       hi = lo + static_cast<std::int64_t>(random() % 6);
    add_box(s, lo, hi);
    bool any = false;
    each_point(s.variables, lo, hi, [&](const std::vector<std::int64_t>& x) { return !(any = holds(s, x)); });
    const Status status = decide_and_verify(s);
    CHECK_MESSAGE(status == (any ? Status::sat : Status::unsat), to_string(s));
    (any ? sat : unsat)++;
  }
  CHECK(sat > 500);
  CHECK(unsat > 500);
}

TEST_CASE("random unbounded systems: always decided; points found by enumeration are never denied") {
  std::mt19937_64 random(77);
  int sat = 0, unsat = 0;
  for (int round = 0; round < 3000; ++round) {
    SystemShape shape;
    shape.variables = 2 + random() % 3;
    shape.constraints = 2 + random() % 5;
    shape.coefficient = 2 + static_cast<std::int64_t>(random() % 8);
    shape.zero = 0.1 * static_cast<double>(random() % 6);
    shape.equal = 0.1 * static_cast<double>(random() % 5);
    const LinearSystem s = random_system(random, shape);
    bool any = false;
    each_point(s.variables, -4, 4, [&](const std::vector<std::int64_t>& x) { return !(any = holds(s, x)); });
    const Status status = decide_and_verify(s);
    CHECK_MESSAGE(status != Status::unknown, to_string(s));
    if (any) CHECK_MESSAGE(status == Status::sat, to_string(s));
    (status == Status::sat ? sat : unsat)++;
  }
  CHECK(sat > 500);
  CHECK(unsat > 500);
}

TEST_CASE("random systems around a planted point, no box: never denied, optima not above it") {
  std::mt19937_64 random(20240612);
  int equal = 0;
  for (int round = 0; round < 6000; ++round) {
    SystemShape shape;
    shape.variables = 2 + random() % 4;
    shape.constraints = 2 + random() % 6;
    const std::uint64_t widest = random() % 4 == 0 ? 40 : 9;
    shape.coefficient = 1 + static_cast<std::int64_t>(random() % widest);
    shape.zero = 0.1 * static_cast<double>(random() % 7);
    shape.equal = 0.1 * static_cast<double>(random() % 9);
    LinearSystem s = random_system(random, shape);
    std::vector<std::int64_t> x, objective;
    for (std::size_t i = 0; i < s.variables; ++i) {
      x.push_back(static_cast<std::int64_t>(random() % 101) - 50);
      objective.push_back(static_cast<std::int64_t>(random() % 11) - 5);
    }
    const auto dot = [](const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b) {
      return std::inner_product(a.begin(), a.end(), b.begin(), std::int64_t{0});
    };
    for (LinearConstraint& c : s.constraints) {
      const auto slack = static_cast<std::int64_t>(random() % 4);
      c.bound = dot(c.coefficients, x) + (c.relation == '=' ? 0 : c.relation == '<' ? slack : -slack);
    }
    CHECK_MESSAGE(decide_and_verify(s) == Status::sat, to_string(s));
    LinearCore core;
    load(core, s);
    std::uint64_t steps = kSteps;
    const LinearCore::Optimum low = core.minimise(terms_of(objective), steps);
    REQUIRE_MESSAGE(low.status == Status::sat, to_string(s));
    if (!low.value) continue;
    CHECK_MESSAGE(*low.value <= Integer(dot(objective, x)), to_string(s));
    CHECK_MESSAGE(low.attained, to_string(s));
    if (*low.value == Integer(dot(objective, x))) ++equal;
    LinearCore below;  // nothing is lower: by another question, whose bound meets the constraints as one more row
    load(below, s);
    below.at_most(terms_of(objective), *low.value - 1, 1000);
    CHECK_MESSAGE(decide(below) == Status::unsat, to_string(s));
  }
  CHECK(equal > 100);
}

TEST_CASE("minimise: the optimum over a box is enumeration's, its core implies it") {
  std::mt19937_64 random(4711);
  int solved = 0;
  for (int round = 0; round < 1500; ++round) {
    SystemShape shape;
    shape.variables = 1 + random() % 3;
    shape.constraints = random() % 4;
    shape.coefficient = 1 + static_cast<std::int64_t>(random() % 7);
    LinearSystem s = random_system(random, shape);
    add_box(s, -3, 4);
    std::vector<std::int64_t> objective;
    for (std::size_t i = 0; i < s.variables; ++i) objective.push_back(static_cast<std::int64_t>(random() % 13) - 6);
    const auto cost = [&](const std::vector<std::int64_t>& x) {
      return std::inner_product(x.begin(), x.end(), objective.begin(), std::int64_t{0});
    };
    std::optional<std::int64_t> best;
    each_point(s.variables, -3, 4, [&](const std::vector<std::int64_t>& x) {
      if (holds(s, x) && (!best || cost(x) < *best)) best = cost(x);
      return true;
    });
    LinearCore core;
    load(core, s);
    std::uint64_t steps = kSteps;
    const LinearCore::Optimum found = core.minimise(terms_of(objective), steps);
    REQUIRE_MESSAGE(found.status == (best ? Status::sat : Status::unsat), to_string(s));
    if (!best) continue;
    ++solved;
    REQUIRE(found.value);
    CHECK_MESSAGE(*found.value == *best, to_string(s));
    REQUIRE(found.attained);
    const auto x = model(core, s.variables);
    CHECK(holds(s, x));
    CHECK(cost(x) == *best);
    // The core alone excludes anything lower.
    const LinearSystem part = only(s, core.core());
    LinearCore again;
    load(again, part);
    again.at_most(terms_of(objective), *best - 1, 1000);
    CHECK_MESSAGE(decide(again) == Status::unsat, to_string(s));
  }
  CHECK(solved > 500);
}

TEST_CASE("minimise: unbounded, empty, constant and scaled objectives") {
  LinearCore core;
  const auto x = core.new_variable(), y = core.new_variable();
  std::uint64_t steps = kSteps;
  LinearCore::Optimum o = core.minimise(std::vector<LinearTerm>{{x, 1}}, steps);
  CHECK((o.status == Status::sat && !o.value && !o.attained));
  o = core.minimise({}, steps);
  CHECK((o.status == Status::sat && o.value == Integer(0) && o.attained));
  core.at_least(std::vector<LinearTerm>{{x, 2}, {y, -2}}, 5, 3);  // x - y >= 3
  o = core.minimise(std::vector<LinearTerm>{{x, 4}, {y, -4}}, steps);
  CHECK((o.status == Status::sat && o.value == Integer(12) && o.attained));
  CHECK(core.core() == std::vector<std::uint32_t>{3});
  core.equals(std::vector<LinearTerm>{{x, 2}, {y, 4}}, 1, 8);
  o = core.minimise(std::vector<LinearTerm>{{x, 4}, {y, -4}}, steps);
  CHECK(o.status == Status::unsat);
  CHECK(core.core() == std::vector<std::uint32_t>{8});
}

TEST_CASE("numbers at the edge of int64 and far beyond") {
  const std::int64_t lowest = std::numeric_limits<std::int64_t>::min(),
                     highest = std::numeric_limits<std::int64_t>::max();
  const Integer huge = Integer::parse("1000000000000000000000000000000").value();
  {
    LinearCore core;
    const auto x = core.new_variable(), y = core.new_variable();
    core.at_least(std::vector<LinearTerm>{{x, lowest}, {y, highest}}, lowest, 0);
    core.at_least(std::vector<LinearTerm>{{x, highest}, {y, lowest}}, highest, 1);
    core.at_least(std::vector<LinearTerm>{{x, 1}}, -5, 2);
    core.at_most(std::vector<LinearTerm>{{y, 1}}, -2, 3);
    REQUIRE(decide(core) == Status::sat);
    const Integer a = core.value(x), b = core.value(y);
    CHECK(Integer(lowest) * a + Integer(highest) * b >= Integer(lowest));
    CHECK(Integer(highest) * a + Integer(lowest) * b >= Integer(highest));
    CHECK(b <= -2);
    core.at_least(std::vector<LinearTerm>{{y, 1}}, -1, 4);
    CHECK(decide(core) == Status::unsat);
    CHECK(core.core() == std::vector<std::uint32_t>{3, 4});
  }
  {
    LinearCore core;
    const auto x = core.new_variable(), y = core.new_variable();
    core.at_least(std::vector<LinearTerm>{{x, lowest}, {y, highest}}, lowest, 0);
    core.at_least(std::vector<LinearTerm>{{x, highest}, {y, lowest}}, highest, 1);
    core.at_least(std::vector<LinearTerm>{{y, 1}}, highest, 2);  // with it x - 1 > y > x - 1
    CHECK(decide(core) == Status::unsat);
    CHECK(core.core() == std::vector<std::uint32_t>{0, 1, 2});
  }
  {
    LinearCore core;
    const auto x = core.new_variable(), y = core.new_variable();
    core.equals(std::vector<LinearTerm>{{x, huge}, {y, huge + 1}}, 1, 0);  // coprime
    core.at_least(std::vector<LinearTerm>{{x, 1}}, huge * huge, 1);
    REQUIRE(decide(core) == Status::sat);
    CHECK(huge * core.value(x) + (huge + 1) * core.value(y) == 1);
    CHECK(core.value(x) >= huge * huge);
    core.at_least(std::vector<LinearTerm>{{y, 1}}, 0, 2);
    CHECK(decide(core) == Status::unsat);
    CHECK(core.core() == std::vector<std::uint32_t>{0, 1, 2});
  }
  {
    LinearCore core;
    const auto x = core.new_variable();
    core.equals(std::vector<LinearTerm>{{x, lowest}}, lowest, 0);
    REQUIRE(decide(core) == Status::sat);
    CHECK(core.value(x) == 1);
    core.at_most(std::vector<LinearTerm>{{x, lowest}}, highest, 1);
    core.at_least(std::vector<LinearTerm>{{x, -1}}, lowest, 2);
    CHECK(decide(core) == Status::sat);
  }
  // The same system scaled and shifted by huge numbers has the same answers.
  std::mt19937_64 random(99);
  for (int round = 0; round < 300; ++round) {
    SystemShape shape;
    shape.variables = 3;
    LinearSystem s = random_system(random, shape);
    add_box(s, -4, 4);
    LinearCore small, large;
    load(small, s);
    for (std::size_t i = 0; i < s.variables; ++i) large.new_variable();
    for (std::size_t i = 0; i < s.constraints.size(); ++i) {
      const LinearConstraint& c = s.constraints[i];
      auto terms = terms_of(c.coefficients);
      Integer shift = 0;
      for (LinearTerm& t : terms) shift += t.coefficient * huge, t.coefficient *= huge;
      const Integer bound = (Integer(c.bound) + shift) * huge;  // x_i is moved by huge
      if (c.relation == '=')
        large.equals(terms, bound, static_cast<std::uint32_t>(i));
      else if (c.relation == '<')
        large.at_most(terms, bound, static_cast<std::uint32_t>(i));
      else
        large.at_least(terms, bound, static_cast<std::uint32_t>(i));
    }
    CHECK_MESSAGE(decide(small) == decide(large), to_string(s));
  }
}

TEST_CASE("push and pop: every state answers as a fresh core does, steps included") {
  std::mt19937_64 random(31337);
  for (int round = 0; round < 300; ++round) {
    LinearCore core;
    std::vector<LinearSystem> stack(1);
    for (int action = 0; action < 12; ++action) {
      const auto what = random() % 6;
      if (what == 0) {
        core.push();
        stack.push_back(stack.back());
      } else if (what == 1 && stack.size() > 1) {
        core.pop();
        stack.pop_back();
      } else if (what == 2 || stack.back().variables == 0) {
        core.new_variable();
        ++stack.back().variables;
      } else {
        SystemShape shape;
        shape.variables = stack.back().variables;
        shape.constraints = 1;
        const LinearConstraint c = random_system(random, shape).constraints[0];
        assert_constraint(core, c, static_cast<std::uint32_t>(stack.back().constraints.size()));
        stack.back().constraints.push_back(c);
      }
      if (random() % 2 == 0) continue;
      const LinearSystem& s = stack.back();
      const Status status = decide(core);
      LinearCore fresh;
      load(fresh, s);
      CHECK_MESSAGE(status == decide(fresh), to_string(s));
      if (status == Status::sat) CHECK_MESSAGE(holds(s, model(core, s.variables)), to_string(s));
      if (status == Status::unsat) {
        LinearCore part;
        load(part, only(s, core.core()));
        CHECK_MESSAGE(decide(part) == Status::unsat, to_string(s));
      }
    }
  }
}

TEST_CASE("what was asked and popped before does not show: same status, model, core, steps") {
  std::mt19937_64 random(5);
  for (int round = 0; round < 200; ++round) {
    SystemShape shape;
    shape.variables = 3;
    shape.constraints = 4;
    const LinearSystem base = random_system(random, shape), noise = random_system(random, shape),
                       top = random_system(random, shape);
    LinearCore quiet, busy;
    load(quiet, base);
    load(busy, base);
    decide(busy);
    busy.push();
    for (std::uint32_t i = 0; i < noise.constraints.size(); ++i) assert_constraint(busy, noise.constraints[i], 50 + i);
    decide(busy);
    std::uint64_t some = kSteps;
    busy.minimise(terms_of({1, -2, 3}), some);
    busy.pop();
    quiet.push();
    busy.push();
    for (std::uint32_t i = 0; i < top.constraints.size(); ++i) {
      assert_constraint(quiet, top.constraints[i], 100 + i);
      const std::size_t j = top.constraints.size() - 1 - i;  // another order within the level
      assert_constraint(busy, top.constraints[j], 100 + static_cast<std::uint32_t>(j));
    }
    std::uint64_t a = kSteps, b = kSteps;
    const Status first = quiet.check(a), second = busy.check(b);
    CHECK(first == second);
    CHECK(a == b);
    if (first == Status::sat) CHECK(model(quiet, 3) == model(busy, 3));
    if (first == Status::unsat) CHECK(quiet.core() == busy.core());
    // And with fewer steps than needed both say unknown, at the same number.
    for (std::uint64_t budget = 0; budget < 40; budget += 3) {
      std::uint64_t c = budget, d = budget;
      LinearCore fresh;
      load(fresh, base);
      fresh.push();
      for (std::uint32_t i = 0; i < top.constraints.size(); ++i) assert_constraint(fresh, top.constraints[i], 100 + i);
      CHECK(fresh.check(c) == busy.check(d));
      CHECK(c == d);
    }
  }
}

TEST_CASE("permuting constraints changes no status, model or core") {
  std::mt19937_64 random(8);
  for (int round = 0; round < 300; ++round) {
    SystemShape shape;
    shape.variables = 3;
    shape.constraints = 6;
    const LinearSystem s = random_system(random, shape);
    LinearCore first;
    load(first, s);
    const Status status = decide(first);
    std::vector<std::uint32_t> order(s.constraints.size());
    std::iota(order.begin(), order.end(), 0U);
    std::shuffle(order.begin(), order.end(), random);
    LinearCore second;
    for (std::size_t i = 0; i < s.variables; ++i) second.new_variable();
    for (const std::uint32_t i : order) assert_constraint(second, s.constraints[i], i);
    CHECK(decide(second) == status);
    if (status == Status::sat) CHECK(model(first, 3) == model(second, 3));
    if (status == Status::unsat) CHECK(first.core() == second.core());
  }
}

TEST_CASE("clear() keeps nothing") {
  LinearCore core;
  const auto x = core.new_variable();
  core.equals(std::vector<LinearTerm>{{x, 2}}, 1, 0);
  core.push();
  CHECK(decide(core) == Status::unsat);
  core.clear();
  CHECK(core.variables() == 0);
  CHECK(decide(core) == Status::sat);
  CHECK(core.new_variable() == 0);
}

// Found by tests/solver/differential_test.cpp: after column operations a row -x <= -5 was read as x <= -5.
TEST_CASE("a row that elimination leaves with one negative coefficient") {
  LinearCore core;
  std::vector<std::uint32_t> v;
  for (int i = 0; i < 4; ++i) v.push_back(core.new_variable());
  const auto at_least = [&](const std::vector<LinearTerm>& terms, int bound) { core.at_least(terms, bound, 0); };
  for (int i = 0; i < 3; ++i) at_least({{v[i], -1}}, 0);
  core.equals(std::vector<LinearTerm>{{v[0], 1}, {v[3], -6}}, 0, 0);
  at_least({{v[0], 1}, {v[1], -39}}, -38);
  at_least({{v[0], -1}, {v[1], 39}}, 0);
  core.equals(std::vector<LinearTerm>{{v[0], 1}, {v[1], 1}, {v[2], -10}}, 9, 0);
  REQUIRE(decide(core) == Status::sat);  // -60, -1, -7, -10
  CHECK(core.value(v[0]) + core.value(v[1]) - core.value(v[2]) * 10 == Integer(9));
}
