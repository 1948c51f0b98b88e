#include "simplify/residues.hpp"

#include <bit>
#include <numeric>

namespace dimgate::simplify {

Residues::Residues(std::uint32_t modulus) : modulus_(modulus) {
  if (modulus > 64) words_.assign((modulus + 63) / 64, 0);
}

Residues Residues::none() { return Residues(1); }

Residues Residues::only(std::uint32_t modulus, std::int64_t residue) {
  Residues out(modulus);
  out.set(floor_residue(residue, modulus));
  return out;  // a single class has no smaller period
}

bool Residues::contains(std::int64_t x) const noexcept { return has(floor_residue(x, modulus_)); }

std::uint32_t Residues::count() const noexcept {
  if (modulus_ <= 64) return static_cast<std::uint32_t>(std::popcount(word_));
  std::uint32_t n = 0;
  for (const std::uint64_t w : words_) n += static_cast<std::uint32_t>(std::popcount(w));
  return n;
}

std::int64_t Residues::next(std::int64_t x) const noexcept {
  std::uint32_t r = floor_residue(x, modulus_);
  while (!has(r)) {
    ++x;
    if (++r == modulus_) r = 0;
  }
  return x;
}

std::int64_t Residues::previous(std::int64_t x) const noexcept {
  std::uint32_t r = floor_residue(x, modulus_);
  while (!has(r)) {
    --x;
    r = r == 0 ? modulus_ - 1 : r - 1;
  }
  return x;
}

std::vector<std::uint32_t> Residues::residues() const {
  std::vector<std::uint32_t> out;
  for (std::uint32_t r = 0; r < modulus_; ++r)
    if (has(r)) out.push_back(r);
  return out;
}

Residues Residues::complement() const {
  return where(modulus_, [&](std::uint32_t r) { return !has(r); });
}

namespace {

std::optional<std::uint32_t> common_modulus(std::uint32_t a, std::uint32_t b) {
  const std::uint64_t m = std::lcm<std::uint64_t>(a, b);
  if (m > Residues::kMaxModulus) return std::nullopt;
  return static_cast<std::uint32_t>(m);
}

}  // namespace

std::optional<Residues> intersect(const Residues& a, const Residues& b) {
  if (a.is_all() || b.is_none()) return b;
  if (b.is_all() || a.is_none()) return a;
  const auto m = common_modulus(a.modulus_, b.modulus_);
  if (!m) return std::nullopt;
  return Residues::where(*m, [&](std::uint32_t r) { return a.has(r % a.modulus_) && b.has(r % b.modulus_); });
}

std::optional<Residues> unite(const Residues& a, const Residues& b) {
  if (a.is_all() || b.is_none()) return a;
  if (b.is_all() || a.is_none()) return b;
  const auto m = common_modulus(a.modulus_, b.modulus_);
  if (!m) return std::nullopt;
  return Residues::where(*m, [&](std::uint32_t r) { return a.has(r % a.modulus_) || b.has(r % b.modulus_); });
}

// Divides out every prime p for which the pattern repeats after modulus / p.
void Residues::reduce() {
  const auto repeats = [this](std::uint32_t period) {
    for (std::uint32_t r = period; r < modulus_; ++r)
      if (has(r) != has(r - period)) return false;
    return true;
  };
  const auto shrink = [this](std::uint32_t period) {
    Residues small(period);
    for (std::uint32_t r = 0; r < period; ++r)
      if (has(r)) small.set(r);
    *this = std::move(small);
  };
  std::uint32_t rest = modulus_;
  for (std::uint32_t p = 2; rest > 1; ++p) {
    if (p * p > rest) p = rest;
    while (rest % p == 0) {
      rest /= p;
      if (repeats(modulus_ / p)) shrink(modulus_ / p);
    }
  }
}

}  // namespace dimgate::simplify
