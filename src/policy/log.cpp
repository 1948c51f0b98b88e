#include "dimgate/log.hpp"

#include <algorithm>

namespace dimgate {

namespace {
constexpr std::array<std::string_view, kLogTopics> kTopicNames{
    "guards", "recompiles", "recompiles_verbose", "dynamic", "prove", "simplify", "cache"};
}  // namespace

std::string_view to_string(LogTopic topic) noexcept { return kTopicNames[static_cast<std::size_t>(topic)]; }

bool LogTopics::any() const {
  return std::ranges::any_of(levels_, [](int level) { return level > 0; });
}

Result<LogTopics> parse_log_topics(std::string_view text) {
  LogTopics out;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    std::string_view name = text.substr(begin, comma - begin);
    begin = comma + 1;
    while (!name.empty() && name.front() == ' ') name.remove_prefix(1);
    while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
    if (name.empty()) continue;
    int level = 1;
    if (name.front() == '+' || name.front() == '-') {
      level = name.front() == '+' ? 2 : 0;
      name.remove_prefix(1);
    }
    const auto it = std::ranges::find(kTopicNames, name);
    if (it == kTopicNames.end()) {
      std::string known;
      for (const std::string_view n : kTopicNames) known += (known.empty() ? "" : ", ") + std::string(n);
      return Error{"DIMGATE_LOG: '" + std::string(name) + "' is no topic; there are " + known +
                   " (`+name` says more, `-name` switches off)"};
    }
    out.set(static_cast<LogTopic>(it - kTopicNames.begin()), level);
  }
  return out;
}

namespace {

std::string under(const Log& log, const Facts& facts) {
  if (!log.more(LogTopic::prove)) return {};
  std::string out;
  for (const Fact& f : facts.all()) out += (out.empty() ? " under " : ", ") + to_text(facts.context(), f.formula);
  return out;
}

std::string_view word(Verdict v, std::string_view yes, std::string_view no) {
  return v == Verdict::proved ? yes : v == Verdict::refuted ? no : "unknown";
}

std::string because(const std::string& stage, const std::string& reason) {
  return reason.empty() ? (stage.empty() ? "" : " (" + stage + ")") : " (" + reason + ")";
}

}  // namespace

void log_minimised(const Log& log, const Context& ctx, std::span<const Expr> guards, const Minimised& result) {
  if (!log.on(LogTopic::simplify)) return;
  log.line(LogTopic::simplify, std::to_string(guards.size()) + " guards, " + std::to_string(result.kept.size()) +
                                   " kept, written as " + std::to_string(result.readable.size()));
  for (const DroppedGuard& d : result.dropped) {
    std::string by;
    for (const std::size_t g : d.implied_by) by += (by.empty() ? ", implied by " : ", ") + to_text(ctx, guards[g]);
    if (!d.facts.empty()) by += by.empty() ? ", implied by the facts" : " and the facts";
    log.line(LogTopic::simplify, "  dropped " + to_text(ctx, guards[d.guard]) + by);
  }
  if (log.more(LogTopic::simplify))
    for (const Expr e : result.readable) log.line(LogTopic::simplify, "  " + to_pretty(ctx, e));
}

Proof LoggedProver::prove(const Facts& facts, Expr claim, const Budget& budget) {
  Proof p = inner_->prove(facts, claim, budget);
  if (log_.on(LogTopic::prove))
    log_.line(LogTopic::prove, to_text(facts.context(), claim) + under(log_, facts) + ": " +
                                   std::string(word(p.verdict, "proved", "refuted")) + because(p.stage, p.reason));
  return p;
}

SatResult LoggedProver::satisfiable(const Facts& facts, const Budget& budget) {
  SatResult r = inner_->satisfiable(facts, budget);
  if (log_.on(LogTopic::prove))
    log_.line(LogTopic::prove, "the facts" + under(log_, facts) + ": " +
                                   std::string(word(r.verdict, "satisfiable", "contradict")) +
                                   because(r.stage, r.reason));
  return r;
}

Bounds LoggedProver::bound(const Facts& facts, Expr term, const Budget& budget) {
  Bounds b = inner_->bound(facts, term, budget);
  if (log_.on(LogTopic::prove))
    log_.line(LogTopic::prove,
              "bounds of " + to_text(facts.context(), term) + under(log_, facts) + ": " + b.interval.to_string());
  return b;
}

}  // namespace dimgate
