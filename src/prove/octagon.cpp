#include "prove/octagon.hpp"

#include "prove/linear_reasons.hpp"
#include "prove/linear_store.hpp"
#include "prove/octagon_graph.hpp"

namespace dimgate {

using octagon::Edge;
using octagon::EdgeId;
using octagon::Vertex;

namespace {

// factor * (u + v) or factor * u (then v == u), each of u, v a node: x is node 2x, -x is 2x + 1.
struct Sum {
  Vertex u = 0, v = 0;
  Integer factor = 1;
  enum class Kind : std::uint8_t { constant, one, two, other } kind = Kind::other;
};

constexpr Vertex negated(Vertex n) { return n ^ 1U; }

Sum read(std::span<const LinearTerm> terms) {
  Sum s;
  std::vector<LinearTerm> form;
  s.factor = linear::make_primitive(terms, form);
  if (form.size() > 2) return s;
  for (const LinearTerm& t : form)
    if (t.coefficient != 1 && t.coefficient != -1) return s;
  const auto node = [&](std::size_t i) { return 2 * form[i].var + (form[i].coefficient.sign() < 0 ? 1U : 0U); };
  s.kind = form.empty() ? Sum::Kind::constant : form.size() == 1 ? Sum::Kind::one : Sum::Kind::two;
  if (!form.empty()) s.u = node(0), s.v = node(form.size() - 1);
  return s;
}

std::vector<LinearTerm> negative(std::span<const LinearTerm> terms) {
  std::vector<LinearTerm> out(terms.begin(), terms.end());
  for (LinearTerm& t : out) t.coefficient = -t.coefficient;
  return out;
}

}  // namespace

struct Octagon::Impl {
  struct Level {
    std::size_t nodes, edges;
    bool contradiction;
  };
  octagon::Graph graph;
  std::vector<Level> levels;
  std::vector<std::uint32_t> core;
  bool contradiction = false;

  Added at_most(const Sum& sum, const Integer& bound, std::uint32_t tag);
  bool link(Vertex from, Vertex to, const Integer& weight, std::uint32_t tag);
  bool even(EdgeId added);
  void note_trace() {
    for (const EdgeId id : graph.trace()) core.push_back(graph.edge(id).tag);
  }
  Added contradict() {
    contradiction = true;
    linear::make_set(core);
    return Added::contradiction;
  }
};

// An edge; false with the core if it closes a negative cycle.
bool Octagon::Impl::link(Vertex from, Vertex to, const Integer& weight, std::uint32_t tag) {
  if (graph.add(from, to, weight, tag)) return true;
  core = {tag};
  if (from != to && graph.path(to, from)) note_trace();
  return false;
}

// On no cycle of weight 0 through the edge does an odd way lead from a variable to its negation.
bool Octagon::Impl::even(EdgeId added) {
  const std::vector<Vertex>& cycle = graph.zero_cycles(added);
  for (std::size_t i = 0; i + 1 < cycle.size(); ++i) {
    const Vertex n = cycle[i];
    if (cycle[i + 1] != negated(n) || (n & 1U) != 0) continue;
    if (floor_mod(graph.potential(n) - graph.potential(negated(n)), 2).is_zero()) continue;
    core.clear();
    graph.tight_path(n, negated(n));
    note_trace();
    graph.tight_path(negated(n), n);
    note_trace();
    return false;
  }
  return true;
}

Octagon::Added Octagon::Impl::at_most(const Sum& sum, const Integer& bound, std::uint32_t tag) {
  if (sum.kind == Sum::Kind::other) return Added::other_shape;
  if (contradiction) return Added::contradiction;
  if (sum.kind == Sum::Kind::constant) {
    if (bound.sign() >= 0) return Added::consistent;
    core = {tag};
    return contradict();
  }
  const Integer c = floor_div(bound, sum.factor);
  const auto first = static_cast<EdgeId>(graph.edges());
  // value(u) - value(-v) <= c, and the same read the other way round.
  const bool one = sum.kind == Sum::Kind::one;
  if (!link(negated(sum.v), sum.u, one ? c * 2 : c, tag)) return contradict();
  if (!one && !link(negated(sum.u), sum.v, c, tag)) return contradict();
  for (EdgeId id = first; id < graph.edges(); ++id)
    if (!even(id)) return contradict();
  return Added::consistent;
}

Octagon::Octagon() : impl_(std::make_unique<Impl>()) {}
Octagon::~Octagon() = default;
Octagon::Octagon(Octagon&&) noexcept = default;
Octagon& Octagon::operator=(Octagon&&) noexcept = default;

void Octagon::clear() {
  impl_->graph.clear();
  impl_->levels.clear();
  impl_->core.clear();
  impl_->contradiction = false;
}
std::uint32_t Octagon::new_variable() {
  impl_->graph.add_node();
  impl_->graph.add_node();
  return variables() - 1;
}
std::uint32_t Octagon::variables() const { return static_cast<std::uint32_t>(impl_->graph.nodes() / 2); }
void Octagon::push() { impl_->levels.push_back({impl_->graph.nodes(), impl_->graph.edges(), impl_->contradiction}); }
void Octagon::pop() {
  const Impl::Level level = impl_->levels.back();
  impl_->levels.pop_back();
  impl_->graph.shrink_to(level.nodes, level.edges);
  impl_->contradiction = level.contradiction;
}

bool Octagon::has_shape(std::span<const LinearTerm> terms) { return read(terms).kind != Sum::Kind::other; }

Octagon::Added Octagon::at_most(std::span<const LinearTerm> terms, const Integer& bound, std::uint32_t tag) {
  return impl_->at_most(read(terms), bound, tag);
}
Octagon::Added Octagon::at_least(std::span<const LinearTerm> terms, const Integer& bound, std::uint32_t tag) {
  return impl_->at_most(read(negative(terms)), -bound, tag);
}
Octagon::Added Octagon::equals(std::span<const LinearTerm> terms, const Integer& bound, std::uint32_t tag) {
  const Added upper = at_most(terms, bound, tag);
  return upper == Added::consistent ? at_least(terms, bound, tag) : upper;
}

bool Octagon::consistent() const { return !impl_->contradiction; }
const std::vector<std::uint32_t>& Octagon::core() const { return impl_->core; }

std::optional<Integer> Octagon::upper(std::span<const LinearTerm> terms) {
  Impl& m = *impl_;
  const Sum s = read(terms);
  m.core.clear();
  if (s.kind == Sum::Kind::constant) return Integer(0);
  if (s.kind == Sum::Kind::other || m.contradiction) return std::nullopt;
  std::optional<Integer> best;
  const auto take = [&](const std::vector<std::uint32_t>& why) { m.core = why; };
  std::vector<std::uint32_t> why;
  const auto note = [&] {
    for (const EdgeId id : m.graph.trace()) why.push_back(m.graph.edge(id).tag);
  };
  if (s.kind == Sum::Kind::two) {
    best = m.graph.path(negated(s.v), s.u);
    if (best) note(), take(why);
  }
  // value(n) - value(-n) = 2 value(n), rounded down to an even number.
  why.clear();
  std::optional<Integer> alone = m.graph.path(negated(s.u), s.u);
  if (alone) {
    alone = floor_div(*alone, 2);
    note();
    if (s.kind == Sum::Kind::two) {
      const std::optional<Integer> other = m.graph.path(negated(s.v), s.v);
      if (other) note();
      alone = other ? std::optional(*alone + floor_div(*other, 2)) : std::nullopt;
    }
  }
  if (alone && (!best || *alone < *best)) best = alone, take(why);
  linear::make_set(m.core);
  if (best) *best *= s.factor;
  return best;
}

std::optional<Integer> Octagon::lower(std::span<const LinearTerm> terms) {
  const std::optional<Integer> top = upper(negative(terms));
  if (!top) return std::nullopt;
  return -*top;
}

}  // namespace dimgate
