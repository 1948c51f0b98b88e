// Why a derived bound holds: a graph whose leaves are the caller's tags and whose other nodes join what they follow
// from. A core is the set of leaves below a conflict. Branches have reasons outside the graph (branch_reason): the
// search takes them out itself before it closes the two sides of a branch.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace dimgate::linear {

using Reason = std::uint32_t;

inline constexpr Reason kBranch = 0x80000000U;
inline constexpr Reason branch_reason(std::size_t depth) { return kBranch | static_cast<Reason>(depth); }

/// Sorts and removes repetitions.
inline void make_set(std::vector<std::uint32_t>& v) {
  std::sort(v.begin(), v.end());
  v.erase(std::unique(v.begin(), v.end()), v.end());
}

class Reasons {
 public:
  void clear() { nodes_.clear(), children_.clear(); }
  Reason leaf(std::uint32_t tag) {
    nodes_.push_back({tag, 0});
    return static_cast<Reason>(nodes_.size() - 1);
  }
  Reason join(std::span<const Reason> parts) {
    const auto begin = static_cast<std::uint32_t>(children_.size());
    children_.insert(children_.end(), parts.begin(), parts.end());
    std::sort(children_.begin() + begin, children_.end());
    children_.erase(std::unique(children_.begin() + begin, children_.end()), children_.end());
    const auto count = static_cast<std::uint32_t>(children_.size()) - begin;
    if (count == 1) {
      const Reason only = children_.back();
      children_.pop_back();
      return only;
    }
    nodes_.push_back({begin, count});
    if (count == 0) nodes_.back().count = kEmpty;
    return static_cast<Reason>(nodes_.size() - 1);
  }
  Reason join(Reason a, Reason b) {
    const Reason both[] = {a, b};
    return join(both);
  }
  /// Adds the tags below `roots` to `tags`.
  void collect(std::span<const Reason> roots, std::vector<std::uint32_t>& tags) {
    seen_.assign(nodes_.size(), false);
    todo_.assign(roots.begin(), roots.end());
    while (!todo_.empty()) {
      const Reason r = todo_.back();
      todo_.pop_back();
      if (seen_[r]) continue;
      seen_[r] = true;
      const Node& n = nodes_[r];
      if (n.count == 0) {
        tags.push_back(n.begin);
      } else if (n.count != kEmpty) {
        for (std::uint32_t i = 0; i < n.count; ++i) todo_.push_back(children_[n.begin + i]);
      }
    }
  }

 private:
  static constexpr std::uint32_t kEmpty = 0xffffffffU;
  struct Node {
    std::uint32_t begin;  // the tag of a leaf, else where the children begin
    std::uint32_t count;  // 0: a leaf; kEmpty: follows from nothing
  };
  std::vector<Node> nodes_;
  std::vector<Reason> children_, todo_;
  std::vector<bool> seen_;
};

}  // namespace dimgate::linear
