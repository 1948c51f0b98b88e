#include "prove/lattice_blocks.hpp"

#include <algorithm>

namespace dimgate::linear {

void Block::subtract(std::size_t to, std::size_t from, const Integer& times) {
  if (times.is_zero()) return;
  for (std::size_t i = 0; i < variables.size(); ++i)
    if (!at(i, from).is_zero()) at(i, to) -= times * at(i, from);
}

void Block::canonicalise() {
  std::size_t done = 0;  // columns [0, done) have pivots
  for (std::size_t i = 0; i < variables.size() && done < parameters; ++i) {
    while (true) {  // Euclid among the columns without pivots
      std::size_t least = parameters, others = 0;
      for (std::size_t k = done; k < parameters; ++k) {
        if (at(i, k).is_zero()) continue;
        ++others;
        if (least == parameters || abs(at(i, k)) < abs(at(i, least))) least = k;
      }
      if (others == 0) break;
      if (others > 1) {
        for (std::size_t k = done; k < parameters; ++k)
          if (k != least && !at(i, k).is_zero()) subtract(k, least, floor_div(at(i, k), at(i, least)));
        continue;
      }
      for (std::size_t j = 0; j < variables.size(); ++j) std::swap(at(j, least), at(j, done));
      if (at(i, done).sign() < 0)
        for (std::size_t j = 0; j < variables.size(); ++j) at(j, done) = -at(j, done);
      const Integer pivot = at(i, done);
      for (std::size_t k = 0; k < done; ++k) subtract(k, done, floor_div(at(i, k), pivot));
      const Integer times = floor_div(constant[i], pivot);
      if (!times.is_zero())
        for (std::size_t j = 0; j < variables.size(); ++j) constant[j] -= times * at(j, done);
      ++done;
      break;
    }
  }
}

void Blocks::undo_to(const Mark& mark) {
  while (undo_.size() > mark.undo) {
    block_of_[undo_.back().variable] = undo_.back().block;
    undo_.pop_back();
  }
  block_of_.resize(mark.variables);
  blocks_.resize(mark.blocks);
}

std::size_t Blocks::row(std::uint32_t variable) const {
  const auto& v = blocks_[block_of_[variable]].variables;
  return static_cast<std::size_t>(std::lower_bound(v.begin(), v.end(), variable) - v.begin());
}

// The solutions so far of the variables in terms and of all that are tied to them.
Block Blocks::merge(std::span<const LinearTerm> terms) const {
  std::vector<std::uint32_t> sources;
  Block out;
  for (const LinearTerm& t : terms) {
    const std::uint32_t b = block_of_[t.var];
    if (b == kFree) {
      out.variables.push_back(t.var);
      ++out.parameters;
    } else if (std::find(sources.begin(), sources.end(), b) == sources.end()) {
      sources.push_back(b);
      out.variables.insert(out.variables.end(), blocks_[b].variables.begin(), blocks_[b].variables.end());
      out.parameters += blocks_[b].parameters;
    }
  }
  std::sort(out.variables.begin(), out.variables.end());
  out.constant.resize(out.variables.size());
  out.basis.resize(out.variables.size() * out.parameters);
  const auto row_in = [&](std::uint32_t v) {
    return static_cast<std::size_t>(std::lower_bound(out.variables.begin(), out.variables.end(), v) -
                                    out.variables.begin());
  };
  std::size_t next = 0;
  for (const LinearTerm& t : terms)
    if (block_of_[t.var] == kFree) out.at(row_in(t.var), next++) = Integer(1);
  for (const std::uint32_t b : sources) {
    const Block& from = blocks_[b];
    for (std::size_t i = 0; i < from.variables.size(); ++i) {
      const std::size_t to = row_in(from.variables[i]);
      out.constant[to] = from.constant[i];
      for (std::size_t k = 0; k < from.parameters; ++k) out.at(to, next + k) = from.at(i, k);
    }
    next += from.parameters;
  }
  return out;
}

bool Blocks::constrain(std::span<const LinearTerm> terms, const Integer& modulus, const Integer& residue) {
  if (modulus.is_one()) return true;
  const auto divides = [](const Integer& d, const Integer& v) {
    return d.is_zero() ? v.is_zero() : floor_mod(v, d).is_zero();
  };
  if (terms.empty()) return divides(modulus, residue);
  Block b = merge(terms);
  std::vector<Integer> weight(b.parameters);
  Integer rest = residue;
  for (const LinearTerm& t : terms) {
    const auto i =
        static_cast<std::size_t>(std::lower_bound(b.variables.begin(), b.variables.end(), t.var) - b.variables.begin());
    rest -= t.coefficient * b.constant[i];
    for (std::size_t k = 0; k < b.parameters; ++k)
      if (!b.at(i, k).is_zero()) weight[k] += t.coefficient * b.at(i, k);
  }
  std::size_t kept = b.parameters;
  while (true) {
    std::size_t others = 0;
    kept = b.parameters;
    for (std::size_t k = 0; k < b.parameters; ++k) {
      if (weight[k].is_zero()) continue;
      ++others;
      if (kept == b.parameters || abs(weight[k]) < abs(weight[kept])) kept = k;
    }
    if (others <= 1) break;
    const Integer least = weight[kept];
    for (std::size_t k = 0; k < b.parameters; ++k) {
      if (k == kept || weight[k].is_zero()) continue;
      const Integer q = floor_div(weight[k], least);
      b.subtract(k, kept, q);
      weight[k] -= q * least;
    }
  }
  if (kept == b.parameters) {
    if (!divides(modulus, rest)) return false;
  } else {
    const Integer g = weight[kept], d = gcd(g, modulus);  // gcd(g, 0) is |g|
    if (!divides(d, rest)) return false;
    Integer shift, factor = 0;
    if (modulus.is_zero()) {
      shift = floor_div(rest, g);
    } else {
      factor = floor_div(modulus, d);
      Integer one, inverse, unused;
      extended_gcd(floor_div(g, d), factor, one, inverse, unused);
      shift = floor_mod(floor_div(rest, d) * inverse, factor);
    }
    for (std::size_t i = 0; i < b.variables.size(); ++i) {
      b.constant[i] += shift * b.at(i, kept);
      b.at(i, kept) *= factor;
    }
    if (modulus.is_zero()) {  // the parameter is gone
      std::size_t out = 0;
      for (std::size_t i = 0; i < b.variables.size(); ++i)
        for (std::size_t k = 0; k < b.parameters; ++k)
          if (k != kept) b.basis[out++] = b.at(i, k);
      --b.parameters;
      b.basis.resize(out);
    }
  }
  b.canonicalise();
  const auto id = static_cast<std::uint32_t>(blocks_.size());
  for (const std::uint32_t v : b.variables) {
    undo_.push_back({v, block_of_[v]});
    block_of_[v] = id;
  }
  blocks_.push_back(std::move(b));
  return true;
}

Congruence Blocks::residue(std::span<const LinearTerm> terms) const {
  Integer modulus = 0, value = 0;
  std::vector<std::uint32_t> seen;
  for (const LinearTerm& t : terms) {
    const std::uint32_t id = block_of_[t.var];
    if (id == kFree) {
      modulus = gcd(modulus, t.coefficient);
      continue;
    }
    if (std::find(seen.begin(), seen.end(), id) != seen.end()) continue;
    seen.push_back(id);
    const Block& b = blocks_[id];
    std::vector<Integer> weight(b.parameters);
    for (const LinearTerm& u : terms) {
      if (block_of_[u.var] != id) continue;
      const std::size_t i = row(u.var);
      value += u.coefficient * b.constant[i];
      for (std::size_t k = 0; k < b.parameters; ++k) weight[k] += u.coefficient * b.at(i, k);
    }
    for (const Integer& w : weight) modulus = gcd(modulus, w);
  }
  return Congruence::of(modulus, value);
}

}  // namespace dimgate::linear
