#include "simplify/box.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace dimgate::simplify {

namespace {

constexpr std::uint64_t kCoverSteps = 4'000;     // splits for one covering question
constexpr std::size_t kExpandLimit = 48;         // boxes up to which each is enlarged and tested
constexpr std::uint64_t kExpandSteps = 200'000;  // splits for all enlargements of one union

// Text of everything but variable v: boxes with equal keys differ in v alone. By rank, so that it sorts the same way
// in whatever order the variables were met.
std::string key_without(const std::vector<std::uint32_t>& ranks, const Box& box, VarId v) {
  std::vector<std::pair<std::uint32_t, const ValueSet*>> parts;
  for (const auto& [w, set] : box)
    if (w != v) parts.emplace_back(ranks[w], &set);
  std::sort(parts.begin(), parts.end());
  std::string key;
  for (const auto& [rank, part] : parts) {
    const ValueSet& set = *part;
    key += std::to_string(rank) + '=';
    if (const auto* s = std::get_if<IntSet>(&set)) {
      key += s->to_string();
    } else if (const auto* n = std::get_if<NameSet>(&set)) {
      key += n->all_but ? '!' : '=';
      for (const std::string& name : n->names) key += std::to_string(name.size()) + ':' + name;
    } else {
      key += static_cast<char>('0' + std::get<Mask>(set).bits);
    }
    key += ';';
  }
  return key;
}

std::vector<VarId> variables_in_order(const std::vector<std::uint32_t>& ranks, const std::vector<Box>& boxes) {
  std::vector<char> seen(ranks.size(), 0);
  std::vector<VarId> out;
  for (const Box& b : boxes)
    for (const auto& [v, set] : b)
      if (seen[v] == 0) seen[v] = 1, out.push_back(v);
  std::sort(out.begin(), out.end(), [&](VarId a, VarId b) { return ranks[a] < ranks[b]; });
  return out;
}

// Leaves out what the domain says anyway; false if the box is empty inside the domain.
bool trim(const Variables& vars, Box& box, const Box& domain) {
  for (auto it = box.begin(); it != box.end();) {
    const ValueSet* d = find(domain, it->first);
    const ValueSet within = d != nullptr ? *d : vars.full(it->first);
    if (auto cut = intersect(it->second, within)) {
      if (is_empty(*cut)) return false;
      it->second = std::move(*cut);
    }
    const auto all = is_subset(within, it->second);
    it = all && *all ? box.erase(it) : std::next(it);
  }
  return true;
}

// Boxes that agree in all variables but v become one.
bool merge_along(const std::vector<std::uint32_t>& ranks, VarId v, std::vector<Box>& boxes) {
  std::unordered_map<std::string, std::vector<std::size_t>> groups;
  std::vector<std::string> order;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (!boxes[i].contains(v)) continue;
    const auto [group, fresh] = groups.try_emplace(key_without(ranks, boxes[i], v));
    if (fresh) order.push_back(group->first);
    group->second.push_back(i);
  }
  std::vector<char> gone(boxes.size(), 0);
  bool changed = false;
  for (const std::string& key : order) {
    std::vector<std::size_t> ids = groups[key];
    // Unite pairwise in a balanced way: n single values cost n log n.
    while (ids.size() > 1) {
      std::vector<std::size_t> next;
      for (std::size_t i = 0; i < ids.size(); i += 2) {
        next.push_back(ids[i]);
        if (i + 1 == ids.size()) break;
        auto both = unite(boxes[ids[i]].at(v), boxes[ids[i + 1]].at(v));
        if (!both) return changed;
        boxes[ids[i]].at(v) = std::move(*both);
        gone[ids[i + 1]] = 1;
        changed = true;
      }
      ids = std::move(next);
    }
  }
  if (!changed) return false;
  std::size_t keep = 0;
  for (std::size_t i = 0; i < boxes.size(); ++i)
    if (gone[i] == 0) {
      if (keep != i) boxes[keep] = std::move(boxes[i]);
      ++keep;
    }
  boxes.resize(keep);
  return true;
}

bool box_within(const Variables& vars, const Box& inner, const Box& outer) {
  for (const auto& [v, set] : outer) {
    const ValueSet* mine = find(inner, v);
    const auto ok = is_subset(mine != nullptr ? *mine : vars.full(v), set);
    if (!ok || !*ok) return false;
  }
  return true;
}

Box with_domain(const Box& box, const Box& domain) {
  Box out = box;
  for (const auto& [v, set] : domain) out.try_emplace(v, set);
  return out;
}

// Enlarges box i as far as the union allows: a variable left out, or widened by what other boxes allow it.
bool enlarge(const Variables& vars, const std::vector<std::uint32_t>& ranks, std::vector<Box>& boxes, std::size_t i,
             const Box& domain, std::uint64_t& steps) {
  bool changed = false;
  const auto covered = [&](const Box& b) {
    if (steps == 0) return false;
    std::uint64_t own = std::min(steps, kCoverSteps);
    const std::uint64_t before = own;
    const auto yes = is_covered(vars, with_domain(b, domain), boxes, -1, own);
    steps -= before - own;
    return yes && *yes;
  };
  for (const VarId v : variables_in_order(ranks, {boxes[i]})) {
    Box wider = boxes[i];
    wider.erase(v);
    if (covered(wider)) {
      boxes[i] = std::move(wider);
      changed = true;
      continue;
    }
    const auto attempt = [&](const ValueSet& more) {
      const auto grown = unite(boxes[i].at(v), more);
      if (!grown) return;
      const auto same = is_subset(*grown, boxes[i].at(v));
      if (!same || *same) return;
      wider = boxes[i];
      wider.at(v) = *grown;
      if (!covered(wider)) return;
      boxes[i].at(v) = *grown;
      changed = true;
    };
    std::optional<ValueSet> all = boxes[i].at(v);
    bool free = false;
    for (const Box& b : boxes) {
      const ValueSet* other = find(b, v);
      if (other == nullptr)
        free = true;
      else if (all)
        all = unite(*all, *other);
    }
    if (all && !free) attempt(*all);
    for (std::size_t k = 0; k < boxes.size(); ++k)
      if (const ValueSet* other = find(boxes[k], v); k != i && other != nullptr) attempt(ValueSet(*other));
  }
  return changed;
}

}  // namespace

std::optional<bool> is_covered(const Variables& vars, const Box& box, const std::vector<Box>& by, int exclude,
                               std::uint64_t& steps) {
  // Each open box still has to be covered by by[from...].
  struct Open {
    Box box;
    std::size_t from;
  };
  std::vector<Open> todo;
  todo.push_back({box, 0});
  while (!todo.empty()) {
    Open open = std::move(todo.back());
    todo.pop_back();
    bool handled = false;
    for (std::size_t k = open.from; k < by.size() && !handled; ++k) {
      if (static_cast<int>(k) == exclude) continue;
      if (steps == 0) return std::nullopt;
      --steps;
      const auto common = meet(open.box, by[k]);
      if (!common) return std::nullopt;
      if (common->empty) continue;
      // Split off, variable by variable, what by[k] does not cover.
      handled = true;
      Box rest = open.box;
      for (const auto& [v, set] : by[k]) {
        const ValueSet* own = find(rest, v);
        const ValueSet mine = own != nullptr ? *own : vars.full(v);
        auto outside = subtract(mine, set);
        auto inside = intersect(mine, set);
        if (!outside || !inside) return std::nullopt;
        if (!is_empty(*outside)) {
          Box piece = rest;
          piece.insert_or_assign(v, std::move(*outside));
          todo.push_back({std::move(piece), k + 1});
        }
        rest.insert_or_assign(v, std::move(*inside));
      }
    }
    if (!handled) return false;
  }
  return true;
}

std::vector<Box> minimise_boxes(const Variables& vars, std::vector<Box> boxes, const Box& domain) {
  const std::vector<std::uint32_t> ranks = vars.ranks();
  std::erase_if(boxes, [&](Box& b) { return !trim(vars, b, domain); });
  // A first order that does not depend on how the union was written.
  const auto by_key = [&ranks](std::vector<Box>& bs) {
    std::vector<std::pair<std::string, std::size_t>> keys;
    for (std::size_t i = 0; i < bs.size(); ++i) keys.emplace_back(key_without(ranks, bs[i], ~VarId{0}), i);
    std::sort(keys.begin(), keys.end());
    std::vector<Box> out;
    for (std::size_t i = 0; i < keys.size(); ++i)
      if (i == 0 || keys[i].first != keys[i - 1].first) out.push_back(std::move(bs[keys[i].second]));
    bs = std::move(out);
  };
  by_key(boxes);
  const auto drop_covered = [&](std::uint64_t& steps) {
    bool changed = false;
    for (std::size_t i = boxes.size(); i-- > 0 && boxes.size() > 1;) {
      bool gone = false;
      for (std::size_t k = 0; k < boxes.size() && !gone; ++k) gone = k != i && box_within(vars, boxes[i], boxes[k]);
      if (!gone && boxes.size() <= kExpandLimit && steps > 0) {
        std::uint64_t own = std::min(steps, kCoverSteps);
        const std::uint64_t before = own;
        const auto yes = is_covered(vars, with_domain(boxes[i], domain), boxes, static_cast<int>(i), own);
        steps -= before - own;
        gone = yes && *yes;
      }
      if (gone) boxes.erase(boxes.begin() + static_cast<std::ptrdiff_t>(i)), changed = true;
    }
    return changed;
  };
  std::uint64_t steps = kExpandSteps;
  for (int round = 0; round < 4; ++round) {
    bool changed = false;
    for (const VarId v : variables_in_order(ranks, boxes)) changed = merge_along(ranks, v, boxes) || changed;
    std::erase_if(boxes, [&](Box& b) { return !trim(vars, b, domain); });
    if (boxes.size() <= 512) changed = drop_covered(steps) || changed;
    if (boxes.size() <= kExpandLimit)
      for (std::size_t i = 0; i < boxes.size(); ++i) changed = enlarge(vars, ranks, boxes, i, domain, steps) || changed;
    if (boxes.size() <= kExpandLimit) changed = drop_covered(steps) || changed;
    std::erase_if(boxes, [&](Box& b) { return !trim(vars, b, domain); });
    by_key(boxes);
    if (!changed) break;
  }
  return boxes;
}

}  // namespace dimgate::simplify
