// A graph of difference constraints  value(to) - value(from) <= weight  with a potential that satisfies all of them,
// and the searches the octagons need. Edges are added at the end and removed from the end; a potential stays valid when
// edges go. Cotton & Maler (SAT 2006) for add(), Dijkstra over reduced weights for path().
// Ties: a shortest path has the fewest edges, then the earliest ones, so it does not depend on the potential.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "dimgate/integer.hpp"

namespace dimgate::octagon {

using Vertex = std::uint32_t;
using EdgeId = std::uint32_t;
inline constexpr EdgeId kNone = 0xffffffffU;

struct Edge {
  Vertex from, to;
  Integer weight;
  std::uint32_t tag;
};

class Graph {
 public:
  void clear();
  [[nodiscard]] std::size_t nodes() const { return potential_.size(); }
  [[nodiscard]] std::size_t edges() const { return edges_.size(); }
  [[nodiscard]] const Edge& edge(EdgeId id) const { return edges_[id]; }
  void add_node();
  void shrink_to(std::size_t nodes, std::size_t edges);

  /// Adds the edge, or leaves everything as it was and returns false: it closes a negative cycle.
  bool add(Vertex from, Vertex to, const Integer& weight, std::uint32_t tag);
  /// The weight of a shortest path; its edges are then in trace(), last first.
  std::optional<Integer> path(Vertex from, Vertex to);
  [[nodiscard]] const std::vector<EdgeId>& trace() const { return trace_; }

  /// The edge holds with equality under the potential. Cycles of weight 0 are those of tight edges.
  [[nodiscard]] bool tight(EdgeId id) const;
  [[nodiscard]] const Integer& potential(Vertex n) const { return potential_[n]; }
  /// The nodes on cycles of weight 0 through the edge, ascending; empty if there is none.
  const std::vector<Vertex>& zero_cycles(EdgeId through);
  /// A path of tight edges from one node to another inside the last zero_cycles(), into trace(), last first.
  void tight_path(Vertex from, Vertex to);

 private:
  struct Candidate {
    Integer distance;
    std::uint32_t hops;
    Vertex node;
    // For std heaps, which keep the greatest in front.
    friend bool operator<(const Candidate& a, const Candidate& b) {
      if (const auto c = a.distance <=> b.distance; c != 0) return c > 0;
      return a.hops != b.hops ? a.hops > b.hops : a.node > b.node;
    }
  };
  struct Label {
    Integer distance;
    std::uint32_t hops = 0;
    EdgeId by = kNone;
    bool reached = false, done = false;
  };

  void push(Integer distance, std::uint32_t hops, Vertex node);
  Candidate pop();
  void reset_labels();
  void reach(Vertex start, bool forward, std::vector<bool>& seen);

  std::vector<Edge> edges_;
  std::vector<Integer> potential_;
  std::vector<std::vector<EdgeId>> out_, in_;
  std::vector<Label> labels_;
  std::vector<Candidate> heap_;
  std::vector<Vertex> changed_, cycle_, todo_;
  std::vector<EdgeId> trace_;
  std::vector<bool> ahead_, behind_;
};

}  // namespace dimgate::octagon
