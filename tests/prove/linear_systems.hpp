// Small linear systems for the tests of src/prove: written as text-like lists, drawn at random, decided by enumeration.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "prove/linear.hpp"

namespace dimgate::test {

/// sum(coefficients[i] * x_i)  relation  bound.
struct LinearConstraint {
  std::vector<std::int64_t> coefficients;
  char relation = '>';  // '>' at least, '<' at most, '=' equal
  std::int64_t bound = 0;
};
struct LinearSystem {
  std::size_t variables = 0;
  std::vector<LinearConstraint> constraints;
};

inline std::vector<LinearTerm> terms_of(const std::vector<std::int64_t>& coefficients) {
  std::vector<LinearTerm> terms;
  for (std::size_t i = 0; i < coefficients.size(); ++i)
    if (coefficients[i] != 0) terms.push_back({static_cast<std::uint32_t>(i), coefficients[i]});
  return terms;
}

inline void assert_constraint(LinearCore& core, const LinearConstraint& c, std::uint32_t tag) {
  const auto terms = terms_of(c.coefficients);
  if (c.relation == '=')
    core.equals(terms, c.bound, tag);
  else if (c.relation == '<')
    core.at_most(terms, c.bound, tag);
  else
    core.at_least(terms, c.bound, tag);
}

/// The constraint number is the tag.
inline void load(LinearCore& core, const LinearSystem& s) {
  for (std::size_t i = 0; i < s.variables; ++i) core.new_variable();
  for (std::size_t i = 0; i < s.constraints.size(); ++i)
    assert_constraint(core, s.constraints[i], static_cast<std::uint32_t>(i));
}

inline bool holds(const LinearConstraint& c, const std::vector<std::int64_t>& x) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < c.coefficients.size(); ++i) sum += c.coefficients[i] * x[i];
  return c.relation == '=' ? sum == c.bound : c.relation == '<' ? sum <= c.bound : sum >= c.bound;
}
inline bool holds(const LinearSystem& s, const std::vector<std::int64_t>& x) {
  for (const LinearConstraint& c : s.constraints)
    if (!holds(c, x)) return false;
  return true;
}

/// Calls f with every point of [lo, hi]^n until it returns false.
inline void each_point(std::size_t n, std::int64_t lo, std::int64_t hi,
                       const std::function<bool(const std::vector<std::int64_t>&)>& f) {
  std::vector<std::int64_t> x(n, lo);
  while (f(x)) {
    std::size_t i = 0;
    while (i < n && x[i] == hi) x[i++] = lo;
    if (i == n) return;
    ++x[i];
  }
}

/// 0 <= x_i <= side for all i, as further constraints.
inline void add_box(LinearSystem& s, std::int64_t lo, std::int64_t hi) {
  for (std::size_t i = 0; i < s.variables; ++i) {
    std::vector<std::int64_t> unit(s.variables, 0);
    unit[i] = 1;
    s.constraints.push_back({unit, '>', lo});
    s.constraints.push_back({unit, '<', hi});
  }
}

struct SystemShape {
  std::size_t variables = 3, constraints = 4;
  std::int64_t coefficient = 5, bound = 12;
  double zero = 0.4, equal = 0.2;
};
inline LinearSystem random_system(std::mt19937_64& random, const SystemShape& shape) {
  LinearSystem s;
  s.variables = shape.variables;
  std::uniform_int_distribution<std::int64_t> coefficient(-shape.coefficient, shape.coefficient);
  std::uniform_int_distribution<std::int64_t> bound(-shape.bound, shape.bound);
  std::uniform_real_distribution<double> chance(0, 1);
  for (std::size_t i = 0; i < shape.constraints; ++i) {
    LinearConstraint c;
    for (std::size_t j = 0; j < shape.variables; ++j)
      c.coefficients.push_back(chance(random) < shape.zero ? 0 : coefficient(random));
    c.relation = chance(random) < shape.equal ? '=' : chance(random) < 0.5 ? '<' : '>';
    c.bound = bound(random);
    s.constraints.push_back(std::move(c));
  }
  return s;
}

inline std::string to_string(const LinearSystem& s) {
  std::string out;
  for (const LinearConstraint& c : s.constraints) {
    for (std::size_t j = 0; j < c.coefficients.size(); ++j)
      if (c.coefficients[j] != 0) out += std::to_string(c.coefficients[j]) + "*x" + std::to_string(j) + " + ";
    out += "0 ";
    out += c.relation == '=' ? "==" : c.relation == '<' ? "<=" : ">=";
    out += " " + std::to_string(c.bound) + "; ";
  }
  return out;
}

}  // namespace dimgate::test
