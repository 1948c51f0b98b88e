// Canonical negation, conjunction and disjunction. Rules and side conditions: canonical.hpp.
#include <algorithm>

#include "expr/canonical.hpp"
#include "expr/node_map.hpp"

namespace dimgate {

namespace {
constexpr std::size_t kComplementLimit = 64, kFewAtoms = 6;
}  // namespace

// ---- negation --------------------------------------------------------------------------------

const Node* Canonicalizer::negate_step(const Node* p) {
  switch (p->op) {
    case Op::BoolConst:
      return p == impl_.yes ? impl_.no : impl_.yes;
    case Op::Not:
      return p->args()[0];
    case Op::Ge:
      return intern(Op::Le, {p->args()[0], impl_.intern_integer(*p->args()[1]->integer - 1)});
    case Op::Le:
      return intern(Op::Ge, {p->args()[0], impl_.intern_integer(*p->args()[1]->integer + 1)});
    case Op::Eq: {
      // A truth that only carries a domain: 0//b == 0 and 0//b == 1.
      if (p->args()[0]->sort == Sort::Int && ring_.has_only_carriers(ring_.of(p->args()[0])))
        return constant_truth(p->args()[1] != impl_.zero, ring_.of(p->args()[0]));
      return intern(Op::Ne, {p->args()[0], p->args()[1]});
    }
    case Op::Ne:
      return intern(Op::Eq, {p->args()[0], p->args()[1]});
    case Op::Iff:
      return iff(p->args()[0], p->args()[1]->negation);
    case Op::Ite:
      return intern(Op::Ite, {p->args()[0], p->args()[1]->negation, p->args()[2]->negation});
    case Op::And:
    case Op::Or: {
      Nodes parts;
      for (std::uint32_t i = 0; i < p->size; ++i) parts.push_back(p->args()[i]->negation);
      return junction(p->op == Op::And ? Op::Or : Op::And, parts);
    }
    default:
      return intern(Op::Not, {p});
  }
}

const Node* Canonicalizer::negate(const Node* root) {
  if (root->negation != nullptr) return root->negation;
  Nodes stack{root};
  while (!stack.empty()) {
    const Node* p = stack.back();
    if (p->negation != nullptr) {
      stack.pop_back();
      continue;
    }
    bool ready = true;
    if (p->op == Op::And || p->op == Op::Or || p->op == Op::Ite || p->op == Op::Iff)
      for (std::uint32_t i = p->op == Op::Ite || p->op == Op::Iff ? 1 : 0; i < p->size; ++i)
        if (p->args()[i]->negation == nullptr) {
          stack.push_back(p->args()[i]);
          ready = false;
        }
    if (!ready) continue;
    stack.pop_back();
    const Node* n = negate_step(p);
    p->negation = n;
  }
  return root->negation;
}

// ---- and, or ---------------------------------------------------------------------------------

// Merges bounds on one term: in And the tighter stays, lower == upper becomes ==; in Or the wider stays.
// Returns true if the whole junction is decided (And: contradictory, Or: covering) and total.
bool Canonicalizer::merge_bounds(Op op, Nodes& parts) {
  struct Ends {
    const Node *lower = nullptr, *upper = nullptr;
  };
  NodeMap<Ends> ends;
  bool several = false;
  for (const Node* p : parts)
    if (p->op == Op::Ge || p->op == Op::Le) {
      auto [both, fresh] = ends.try_emplace(p->args()[0]);
      several = several || !fresh;
      const Node*& end = p->op == Op::Ge ? both.lower : both.upper;
      if (end == nullptr) {
        end = p;
      } else {
        const bool greater = *p->args()[1]->integer > *end->args()[1]->integer;
        if (greater == ((p->op == Op::Ge) == (op == Op::And))) end = p;
      }
    }
  if (!several) return false;
  Nodes kept;
  for (const Node* p : parts) {
    if (p->op != Op::Ge && p->op != Op::Le) {
      kept.push_back(p);
      continue;
    }
    const Ends e = std::exchange(*ends.find(p->args()[0]), {});
    if (e.lower != nullptr && e.upper != nullptr) {
      const Integer lo = *e.lower->args()[1]->integer, hi = *e.upper->args()[1]->integer;
      if (p->total && op == Op::And && lo > hi) return true;
      if (p->total && op == Op::Or && lo <= hi + 1) return true;
      if (op == Op::And && lo == hi) {
        kept.push_back(equals_zero(ring_.add(ring_.of(p->args()[0]), ring_.constant(lo), -1)));
        continue;
      }
      if (op == Op::Or && lo == hi + 2) {
        kept.push_back(negate(equals_zero(ring_.add(ring_.of(p->args()[0]), ring_.constant(lo - 1), -1))));
        continue;
      }
    }
    if (e.lower != nullptr) kept.push_back(e.lower);
    if (e.upper != nullptr) kept.push_back(e.upper);
  }
  parts = std::move(kept);
  return false;
}

// A few atoms of which no two merge or decide each other (what most ranges are) are only sorted. Null where they may.
const Node* Canonicalizer::few_atoms(Op op, Nodes& parts) {
  const auto bound = [](const Node* p) { return p->op == Op::Ge || p->op == Op::Le; };
  bool equal = false, unequal = false;
  for (const Node* p : parts) {
    equal = equal || p->op == Op::Eq;
    unequal = unequal || p->op == Op::Ne;
    if (p->op != Op::Eq && p->op != Op::Ne && p->op != Op::Divides && !bound(p)) return nullptr;
  }
  if (equal && unequal) return nullptr;
  const auto apart = [&](const Node* a, const Node* b) {
    if (a == b) return false;
    if (a->op == Op::Divides && b->op == Op::Divides) return !residues_may_meet(a, b);
    if (!bound(a) || !bound(b) || a->args()[0] != b->args()[0]) return true;
    if (a->op == b->op) return false;
    const Node *lower = a->op == Op::Ge ? a : b, *upper = a->op == Op::Ge ? b : a;
    const Integer &lo = *lower->args()[1]->integer, &hi = *upper->args()[1]->integer;
    return op == Op::And ? lo < hi : lo > hi + 2;
  };
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (std::size_t j = i + 1; j < parts.size(); ++j)
      if (!apart(parts[i], parts[j])) return nullptr;
  std::sort(parts.begin(), parts.end(), [&](const Node* a, const Node* b) { return order_nodes(impl_, a, b) < 0; });
  return intern(op, parts);
}

const Node* Canonicalizer::junction(Op op, std::span<const Node* const> in) {
  const Node* unit = op == Op::And ? impl_.yes : impl_.no;
  const Node* absorbing = op == Op::And ? impl_.no : impl_.yes;
  Nodes parts;
  for (const Node* p : in) {
    if (p->op == op)
      parts.append(p->args(), p->args() + p->size);
    else
      parts.push_back(p);
  }
  if (parts.size() > 1 && parts.size() <= kFewAtoms)
    if (const Node* n = few_atoms(op, parts)) return n;
  for (int round = 0; round < 2; ++round) {
    parts.remove_if([&](const Node* p) { return p == unit; });
    for (const Node* p : parts)
      if (p == absorbing) return absorbing;
    if (parts.size() > 1 && merge_bounds(op, parts)) return absorbing;
    // Merging can make an equation, whose canonical form may be a junction or a constant.
    Nodes flat;
    bool again = false;
    for (const Node* p : parts) {
      if (p->op == op) {
        flat.append(p->args(), p->args() + p->size);
        again = true;
      } else {
        again = again || p == unit || p == absorbing;
        flat.push_back(p);
      }
    }
    parts = std::move(flat);
    if (!again) break;
  }
  parts.remove_if([&](const Node* p) { return p == unit; });
  std::sort(parts.begin(), parts.end(), [&](const Node* a, const Node* b) { return order_nodes(impl_, a, b) < 0; });
  parts.erase_from(std::unique(parts.begin(), parts.end()));
  for (const Node* p : parts)
    if (p == absorbing) return absorbing;
  if (parts.empty()) return unit;
  if (parts.size() == 1) return parts[0];
  if (parts.size() <= kComplementLimit && (has_complements(parts) || residues_decide(op, parts))) return absorbing;
  return intern(op, parts);
}

// p and not p, which decides a junction where p is total. Asked only where the operators leave it possible.
bool Canonicalizer::has_complements(const Nodes& parts) {
  unsigned nots = 0, equal = 0, unequal = 0, choices = 0;
  for (const Node* p : parts) {
    nots += p->op == Op::Not;
    equal += p->op == Op::Eq;
    unequal += p->op == Op::Ne;
    choices += p->op == Op::Iff || p->op == Op::Ite;
  }
  if (nots == 0 && (equal == 0 || unequal == 0) && choices < 2) return false;
  const auto candidate = [](const Node* p) {
    return p->total && p->op != Op::And && p->op != Op::Or && p->op != Op::Ge && p->op != Op::Le;
  };
  for (const Node* p : parts)
    if (candidate(p)) negate(p);
  return std::any_of(parts.begin(), parts.end(), [&](const Node* p) {
    return candidate(p) && std::find(parts.begin(), parts.end(), p->negation) != parts.end();
  });
}

}  // namespace dimgate
