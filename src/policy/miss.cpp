#include "dimgate/miss.hpp"

#include <algorithm>

#include "dimgate/statistics.hpp"

namespace dimgate {

namespace {

/// The kind with that name; by the formula's symbols where there is none.
GuardKind kind_named(const Context& ctx, Expr formula, const std::string& name) {
  for (int k = 0; k <= static_cast<int>(GuardKind::version); ++k)
    if (to_string(static_cast<GuardKind>(k)) == name) return static_cast<GuardKind>(k);
  return kind_of(ctx, formula);
}

std::optional<Integer> integer_at(const Context& ctx, Expr e, const Layout& layout, SnapshotView at) {
  const Value v = value_at(ctx, e, layout, at);
  if (v.kind != Value::Kind::integer) return std::nullopt;
  return v.integer;
}

Integer size_of(const Integer& v) { return v < Integer(0) ? -v : v; }

/// Distance of one conjunct that is not true.
std::optional<Integer> distance(const Context& ctx, Expr e, const Layout& layout, SnapshotView at) {
  const auto number = [&](Expr x) { return integer_at(ctx, x, layout, at); };
  switch (e.op()) {
    case Op::Eq:
    case Op::Lt:
    case Op::Le:
    case Op::Gt:
    case Op::Ge: {
      const auto a = number(e[0]), b = number(e[1]);
      if (!a || !b) return std::nullopt;
      const bool strict = e.is(Op::Lt) || e.is(Op::Gt);
      return size_of(*a - *b) + Integer(strict ? 1 : 0);
    }
    case Op::Ne:
      return number(e[0]) ? std::optional(Integer(1)) : std::nullopt;
    case Op::Divides: {
      const auto k = number(e[0]), v = number(e[1]);
      if (!k || !v || *k == Integer(0)) return std::nullopt;
      const Integer m = size_of(*k), r = floor_mod(*v, m);
      return std::min(r, m - r);
    }
    case Op::In: {
      const auto v = number(e[0]);
      std::optional<Integer> least;
      for (std::size_t i = 1; v && i < e.size(); ++i)
        if (const auto m = number(e[i])) least = least ? std::min(*least, size_of(*v - *m)) : size_of(*v - *m);
      return least;
    }
    default:
      return std::nullopt;
  }
}

/// The largest distance among the conjuncts that fail; nothing if one has none.
std::optional<std::string> margin_of(const Context& ctx, Expr formula, const Layout& layout, SnapshotView at) {
  std::vector<Expr> open{formula};
  std::optional<Integer> most;
  while (!open.empty()) {
    const Expr e = open.back();
    open.pop_back();
    if (e.is(Op::And)) {
      for (std::size_t i = 0; i < e.size(); ++i) open.push_back(e[i]);
      continue;
    }
    if (value_at(ctx, e, layout, at).is_true()) continue;
    const auto d = distance(ctx, e, layout, at);
    if (!d) return std::nullopt;
    most = most ? std::max(*most, *d) : *d;
  }
  if (!most) return std::nullopt;
  return most->to_string();
}

}  // namespace

MissedEntry explain_failed(const FailedEntry& failed, SnapshotView at, const Layout& layout) {
  const Entry& entry = *failed.entry;
  MissedEntry out{entry.id, entry.label, entry.program.guard_count(), {}};
  Context ctx;
  for (const std::uint32_t index : failed.failing) {
    MissedGuard g{.guard = index, .guard_text = text_of_guard(entry, index), .kind = kind_of_guard(entry, index)};
    const auto formula =
        index < entry.guard_texts.size() ? parse(ctx, entry.guard_texts[index]) : Result<Expr>(Error{"no text"});
    if (formula) {
      const GuardKind kind = kind_named(ctx, *formula, g.kind);
      if (g.kind == "unknown") g.kind = to_string(kind);
      Guard guard{.formula = *formula, .kind = kind};
      g.failure = explain_failure(ctx, guard, layout, at);
      g.margin = margin_of(ctx, *formula, layout, at);
    }
    if (g.failure.text.empty()) g.failure.text = g.guard_text + " is not true";
    out.failing.push_back(std::move(g));
  }
  return out;
}

MissExplanation explain_miss(const EntrySet& entries, SnapshotView at, const Layout& layout, std::size_t nearest) {
  MissExplanation out{.entries = entries.entries.size()};
  for (const FailedEntry& f : nearest_entries(entries, at, nearest))
    out.nearest.push_back(explain_failed(f, at, layout));
  return out;
}

std::string to_text(const MissExplanation& explanation) {
  if (explanation.nearest.empty())
    return explanation.entries == 0 ? "no entries\n" : "every entry accepts these inputs\n";
  std::string out;
  for (const MissedEntry& e : explanation.nearest) {
    out += "entry " + std::to_string(e.entry) + (e.label.empty() ? "" : " (" + e.label + ")") + ": " +
           std::to_string(e.failing.size()) + " of " + std::to_string(e.guards) + " guards fail\n";
    for (const MissedGuard& g : e.failing) {
      out += "  " + g.failure.text;
      if (g.margin) out += " [off by " + *g.margin + "]";
      out += '\n';
      if (!g.failure.whole.empty()) out += "    " + g.failure.whole + '\n';
    }
  }
  return out;
}

}  // namespace dimgate
