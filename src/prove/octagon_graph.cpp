#include "prove/octagon_graph.hpp"

#include <algorithm>

namespace dimgate::octagon {

void Graph::clear() { shrink_to(0, 0); }

void Graph::add_node() {
  potential_.emplace_back(0);
  if (out_.size() < potential_.size()) out_.emplace_back(), in_.emplace_back();  // kept by shrink_to for reuse
}

void Graph::shrink_to(std::size_t nodes, std::size_t edges) {
  while (edges_.size() > edges) {
    out_[edges_.back().from].pop_back();
    in_[edges_.back().to].pop_back();
    edges_.pop_back();
  }
  potential_.resize(nodes);
}

void Graph::push(Integer distance, std::uint32_t hops, Vertex node) {
  heap_.push_back({std::move(distance), hops, node});
  std::push_heap(heap_.begin(), heap_.end());
}
Graph::Candidate Graph::pop() {
  std::pop_heap(heap_.begin(), heap_.end());
  Candidate c = std::move(heap_.back());
  heap_.pop_back();
  return c;
}
void Graph::reset_labels() {
  labels_.resize(nodes());
  for (Label& l : labels_) l.reached = l.done = false;
  heap_.clear();
}

bool Graph::tight(EdgeId id) const {
  const Edge& e = edges_[id];
  return potential_[e.to] - potential_[e.from] == e.weight;
}

// What each node's potential must fall by is found in ascending order; the start must not fall.
bool Graph::add(Vertex from, Vertex to, const Integer& weight, std::uint32_t tag) {
  const Integer excess = potential_[from] + weight - potential_[to];
  const auto link = [&] {
    const auto id = static_cast<EdgeId>(edges_.size());
    edges_.push_back({from, to, weight, tag});
    out_[from].push_back(id);
    in_[to].push_back(id);
    return true;
  };
  if (excess.sign() >= 0) return link();
  if (from == to) return false;
  reset_labels();
  changed_.clear();
  push(excess, 0, to);
  labels_[to].distance = excess;
  labels_[to].reached = true;
  while (!heap_.empty()) {
    const Candidate c = pop();
    Label& l = labels_[c.node];
    if (l.done) continue;
    if (c.node == from) return false;  // labels only: no potential was touched yet
    l.done = true;
    changed_.push_back(c.node);
    for (const EdgeId id : out_[c.node]) {
      const Edge& e = edges_[id];
      Label& next = labels_[e.to];
      if (next.done) continue;
      Integer fall = potential_[c.node] + l.distance + e.weight - potential_[e.to];
      if (fall.sign() >= 0 || (next.reached && fall >= next.distance)) continue;
      next.distance = fall;
      next.reached = true;
      push(std::move(fall), 0, e.to);
    }
  }
  for (const Vertex n : changed_) potential_[n] += labels_[n].distance;
  return link();
}

std::optional<Integer> Graph::path(Vertex from, Vertex to) {
  reset_labels();
  trace_.clear();
  labels_[from] = {0, 0, kNone, true, false};
  push(0, 0, from);
  while (!heap_.empty()) {
    const Candidate c = pop();
    Label& l = labels_[c.node];
    if (l.done) continue;
    l.done = true;
    if (c.node == to) break;
    for (const EdgeId id : out_[c.node]) {
      const Edge& e = edges_[id];
      Label& next = labels_[e.to];
      if (next.done) continue;
      Integer distance = l.distance + (potential_[c.node] + e.weight - potential_[e.to]);
      const std::uint32_t hops = l.hops + 1;
      if (next.reached) {
        const auto order = distance <=> next.distance;
        if (order > 0 || (order == 0 && (hops > next.hops || (hops == next.hops && id > next.by)))) continue;
      }
      next = {distance, hops, id, true, false};
      push(std::move(distance), hops, e.to);
    }
  }
  const Label& end = labels_[to];
  if (!end.done) return std::nullopt;
  for (Vertex n = to; n != from; n = edges_[labels_[n].by].from) trace_.push_back(labels_[n].by);
  return end.distance + potential_[to] - potential_[from];
}

void Graph::reach(Vertex start, bool forward, std::vector<bool>& seen) {
  seen.assign(nodes(), false);
  seen[start] = true;
  todo_ = {start};
  while (!todo_.empty()) {
    const Vertex n = todo_.back();
    todo_.pop_back();
    for (const EdgeId id : forward ? out_[n] : in_[n]) {
      const Vertex m = forward ? edges_[id].to : edges_[id].from;
      if (seen[m] || !tight(id)) continue;
      seen[m] = true;
      todo_.push_back(m);
    }
  }
}

const std::vector<Vertex>& Graph::zero_cycles(EdgeId through) {
  cycle_.clear();
  if (!tight(through)) return cycle_;
  reach(edges_[through].to, true, ahead_);
  if (!ahead_[edges_[through].from]) return cycle_;
  reach(edges_[through].from, false, behind_);
  for (Vertex n = 0; n < nodes(); ++n)
    if (ahead_[n] && behind_[n]) cycle_.push_back(n);
  return cycle_;
}

void Graph::tight_path(Vertex from, Vertex to) {
  reset_labels();
  trace_.clear();
  labels_[from].reached = true;
  todo_ = {from};
  for (std::size_t i = 0; i < todo_.size() && !labels_[to].reached; ++i) {
    for (const EdgeId id : out_[todo_[i]]) {
      const Vertex m = edges_[id].to;
      if (labels_[m].reached || !tight(id) || !std::binary_search(cycle_.begin(), cycle_.end(), m)) continue;
      labels_[m].reached = true;
      labels_[m].by = id;
      todo_.push_back(m);
    }
  }
  for (Vertex n = to; n != from; n = edges_[labels_[n].by].from) trace_.push_back(labels_[n].by);
}

}  // namespace dimgate::octagon
