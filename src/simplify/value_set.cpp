#include <algorithm>

#include "simplify/box.hpp"

namespace dimgate::simplify {

namespace {

using Names = std::vector<std::string>;

Names names_union(const Names& a, const Names& b) {
  Names out;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
  return out;
}
Names names_common(const Names& a, const Names& b) {
  Names out;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
  return out;
}
Names names_minus(const Names& a, const Names& b) {
  Names out;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
  return out;
}

NameSet intersect(const NameSet& a, const NameSet& b) {
  if (a.all_but && b.all_but) return {true, names_union(a.names, b.names)};
  if (a.all_but) return {false, names_minus(b.names, a.names)};
  if (b.all_but) return {false, names_minus(a.names, b.names)};
  return {false, names_common(a.names, b.names)};
}
NameSet complement(const NameSet& a) { return {!a.all_but, a.names}; }

template <class OnInts, class OnNames, class OnMasks>
std::optional<ValueSet> dispatch(const ValueSet& a, const ValueSet& b, OnInts ints, OnNames names, OnMasks masks) {
  if (a.index() != b.index()) return std::nullopt;
  if (const auto* x = std::get_if<IntSet>(&a)) {
    auto r = ints(*x, std::get<IntSet>(b));
    if (!r) return std::nullopt;
    return ValueSet(std::move(*r));
  }
  if (const auto* x = std::get_if<NameSet>(&a)) return ValueSet(names(*x, std::get<NameSet>(b)));
  return ValueSet(Mask{static_cast<std::uint8_t>(masks(std::get<Mask>(a).bits, std::get<Mask>(b).bits))});
}

}  // namespace

std::optional<ValueSet> intersect(const ValueSet& a, const ValueSet& b) {
  return dispatch(
      a, b, [](const IntSet& x, const IntSet& y) { return intersect(x, y); },
      [](const NameSet& x, const NameSet& y) { return intersect(x, y); }, [](unsigned x, unsigned y) { return x & y; });
}

std::optional<ValueSet> unite(const ValueSet& a, const ValueSet& b) {
  return dispatch(
      a, b, [](const IntSet& x, const IntSet& y) { return unite(x, y); },
      [](const NameSet& x, const NameSet& y) { return complement(intersect(complement(x), complement(y))); },
      [](unsigned x, unsigned y) { return x | y; });
}

std::optional<ValueSet> subtract(const ValueSet& a, const ValueSet& b) {
  return dispatch(
      a, b, [](const IntSet& x, const IntSet& y) { return subtract(x, y); },
      [](const NameSet& x, const NameSet& y) { return intersect(x, complement(y)); },
      [](unsigned x, unsigned y) { return x & ~y & 7U; });
}

bool is_empty(const ValueSet& a) {
  if (const auto* x = std::get_if<IntSet>(&a)) return x->is_empty();
  if (const auto* x = std::get_if<NameSet>(&a)) return !x->all_but && x->names.empty();
  return std::get<Mask>(a).bits == 0;
}

std::optional<bool> is_subset(const ValueSet& a, const ValueSet& b) {
  const auto rest = subtract(a, b);
  if (!rest) return std::nullopt;
  return is_empty(*rest);
}

}  // namespace dimgate::simplify
