#include "simplify/int_set.hpp"

#include <algorithm>

namespace dimgate::simplify {

namespace {

// Combines two sets segment by segment: between consecutive piece ends both sides are one residue set.
template <class Op>
std::optional<IntSet> combine(std::span<const IntSet::Piece> a, std::span<const IntSet::Piece> b, Op op) {
  static const Residues none = Residues::none();
  IntSet::Builder out;
  std::size_t i = 0;
  std::size_t j = 0;
  std::int64_t lo = kMinusInf;
  while (true) {
    while (i < a.size() && a[i].hi < lo) ++i;
    while (j < b.size() && b[j].hi < lo) ++j;
    const bool in_a = i < a.size() && a[i].lo <= lo;
    const bool in_b = j < b.size() && b[j].lo <= lo;
    std::int64_t hi = kPlusInf;
    if (i < a.size()) hi = std::min(hi, in_a ? a[i].hi : a[i].lo - 1);
    if (j < b.size()) hi = std::min(hi, in_b ? b[j].hi : b[j].lo - 1);
    const std::optional<Residues> r = op(in_a ? a[i].residues : none, in_b ? b[j].residues : none);
    if (!r) return std::nullopt;
    out.append(lo, hi, *r);
    if (out.overflowed()) return std::nullopt;
    if (hi == kPlusInf) return out.take();
    lo = hi + 1;
  }
}

}  // namespace

IntSet IntSet::Builder::take() {
  IntSet out;
  out.pieces_ = std::move(pieces_);
  return out;
}

void IntSet::Builder::append_plain(std::int64_t lo, std::int64_t hi) {
  auto& pieces = pieces_;
  if (!pieces.empty()) {
    Piece& last = pieces.back();
    if (last.residues.is_all() && last.hi != kPlusInf && last.hi + 1 == lo) {
      last.hi = hi;
      return;
    }
    // A point that continues the pattern before it belongs to it.
    if (!last.residues.is_all() && lo == hi && last.residues.next(last.hi + 1) == lo) {
      last.hi = lo;
      return;
    }
  }
  pieces.push_back({lo, hi, Residues::all()});
}

void IntSet::Builder::append(std::int64_t lo, std::int64_t hi, const Residues& residues) {
  if (lo > hi || residues.is_none()) return;
  if (residues.is_all()) return append_plain(lo, hi);
  if (lo != kMinusInf) lo = residues.next(lo);
  if (hi != kPlusInf) hi = residues.previous(hi);
  if (lo > hi) return;
  auto& pieces = pieces_;
  if (!pieces.empty()) {
    Piece& last = pieces.back();
    if (last.residues == residues && residues.next(last.hi + 1) == lo) {
      last.hi = hi;
      return;
    }
  }
  const bool finite = lo != kMinusInf && hi != kPlusInf;
  if (finite && hi - lo < static_cast<std::int64_t>(residues.modulus())) {
    for (std::int64_t x = lo; x <= hi;) {
      std::int64_t end = x;
      while (end < hi && residues.contains(end + 1)) ++end;
      append_plain(x, end);
      if (end >= hi) break;
      x = residues.next(end + 1);
    }
    return;
  }
  // A lone point just before the pattern that the pattern would contain belongs to it.
  if (lo != kMinusInf && !pieces.empty() && pieces.back().is_point() && residues.previous(lo - 1) == pieces.back().lo) {
    lo = pieces.back().lo;
    pieces.pop_back();
  }
  pieces.push_back({lo, hi, residues});
}

IntSet IntSet::range(std::int64_t lo, std::int64_t hi) {
  Builder b;
  b.append(lo, hi, Residues::all());
  return b.take();
}

IntSet IntSet::of(const Residues& residues) {
  Builder b;
  b.append(kMinusInf, kPlusInf, residues);
  return b.take();
}

bool IntSet::is_all() const noexcept {
  return pieces_.size() == 1 && pieces_[0].lo == kMinusInf && pieces_[0].hi == kPlusInf && pieces_[0].residues.is_all();
}

bool IntSet::contains(std::int64_t x) const noexcept {
  const auto at = std::partition_point(pieces_.begin(), pieces_.end(), [x](const Piece& p) { return p.hi < x; });
  return at != pieces_.end() && at->lo <= x && at->residues.contains(x);
}

std::optional<std::uint64_t> IntSet::count(std::uint64_t limit) const {
  std::uint64_t n = 0;
  for (const Piece& p : pieces_) {
    if (p.lo == kMinusInf || p.hi == kPlusInf) return std::nullopt;
    const std::uint64_t m = p.residues.modulus();
    const std::uint64_t length = static_cast<std::uint64_t>(p.hi - p.lo) + 1;
    if (length / m > limit) return std::nullopt;
    n += length / m * p.residues.count();
    for (std::uint64_t k = length - length % m; k < length; ++k)
      n += p.residues.contains(p.lo + static_cast<std::int64_t>(k)) ? 1 : 0;
    if (n > limit) return std::nullopt;
  }
  return n;
}

std::vector<std::int64_t> IntSet::elements() const {
  std::vector<std::int64_t> out;
  for (const Piece& p : pieces_) {
    for (std::int64_t x = p.lo; x <= p.hi; x = p.residues.next(x + 1)) out.push_back(x);
  }
  return out;
}

std::vector<std::int64_t> IntSet::samples(std::size_t limit) const {
  std::vector<std::int64_t> out;
  const auto add = [&](const Piece& p, std::int64_t x) {
    if (x >= p.lo && x <= p.hi && p.residues.contains(x)) out.push_back(x);
  };
  for (const Piece& p : pieces_) {
    if (out.size() >= limit) break;
    const std::int64_t low = p.lo == kMinusInf ? (p.hi == kPlusInf ? 0 : std::min<std::int64_t>(p.hi, 0)) : p.lo;
    std::int64_t x = p.residues.next(low);
    for (int k = 0; k < 3 && x <= p.hi; ++k, x = p.residues.next(x + 1)) add(p, x);
    const std::int64_t high = p.hi == kPlusInf ? std::max<std::int64_t>(low, 0) : p.hi;
    x = p.residues.previous(high);
    for (int k = 0; k < 2 && x >= p.lo; ++k, x = p.residues.previous(x - 1)) add(p, x);
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  if (out.size() > limit) out.resize(limit);
  return out;
}

// Beyond kFar, where a finite end cannot lie, a set is unbounded there or has nothing left: only a value that no int64
// holds is not found.
std::optional<std::int64_t> IntSet::after(std::int64_t x) const {
  if (x > kPlusInf - 1 - static_cast<std::int64_t>(Residues::kMaxModulus)) return std::nullopt;
  auto at = std::partition_point(pieces_.begin(), pieces_.end(), [x](const Piece& p) { return p.hi <= x; });
  if (at == pieces_.end()) return std::nullopt;
  return at->residues.next(std::max(at->lo, x + 1));
}

std::optional<std::int64_t> IntSet::before(std::int64_t x) const {
  if (x < kMinusInf + 1 + static_cast<std::int64_t>(Residues::kMaxModulus)) return std::nullopt;
  auto at = std::partition_point(pieces_.begin(), pieces_.end(), [x](const Piece& p) { return p.lo < x; });
  if (at == pieces_.begin()) return std::nullopt;
  --at;
  return at->residues.previous(std::min(at->hi, x - 1));
}

std::string IntSet::to_string() const {
  std::string out = "{";
  for (const Piece& p : pieces_) {
    if (out.size() > 1) out += ' ';
    out += '[' + (p.lo == kMinusInf ? "-inf" : std::to_string(p.lo)) + ',' +
           (p.hi == kPlusInf ? "inf" : std::to_string(p.hi)) + ']';
    if (p.residues.is_all()) continue;
    out += '%' + std::to_string(p.residues.modulus()) + ':';
    bool first = true;
    for (const std::uint32_t r : p.residues.residues()) {
      if (!first) out += ',';
      out += std::to_string(r);
      first = false;
    }
  }
  return out + '}';
}

std::optional<IntSet> intersect(const IntSet& a, const IntSet& b) {
  return combine(a.pieces_, b.pieces_, [](const Residues& x, const Residues& y) { return intersect(x, y); });
}

std::optional<IntSet> unite(const IntSet& a, const IntSet& b) {
  return combine(a.pieces_, b.pieces_, [](const Residues& x, const Residues& y) { return unite(x, y); });
}

std::optional<IntSet> subtract(const IntSet& a, const IntSet& b) {
  return combine(a.pieces_, b.pieces_, [](const Residues& x, const Residues& y) -> std::optional<Residues> {
    if (x.is_none() || y.is_none()) return x;
    return intersect(x, y.complement());
  });
}

std::optional<IntSet> complement(const IntSet& a) {
  IntSet::Builder out;
  std::int64_t lo = kMinusInf;
  for (const IntSet::Piece& p : a.pieces_) {
    if (p.lo != kMinusInf) out.append(lo, p.lo - 1, Residues::all());
    out.append(p.lo, p.hi, p.residues.complement());
    if (out.overflowed()) return std::nullopt;
    if (p.hi == kPlusInf) return out.take();
    lo = p.hi + 1;
  }
  out.append(lo, kPlusInf, Residues::all());
  return out.take();
}

std::optional<bool> is_subset(const IntSet& a, const IntSet& b) {
  const auto rest = subtract(a, b);
  if (!rest) return std::nullopt;
  return rest->is_empty();
}

std::optional<bool> same_set(const IntSet& a, const IntSet& b) {
  if (a == b) return true;
  const auto ab = is_subset(a, b);
  if (!ab || !*ab) return ab;
  return is_subset(b, a);
}

}  // namespace dimgate::simplify
