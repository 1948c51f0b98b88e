#include "fuzz/questions.hpp"

#include <algorithm>

#include "dimgate/simplify.hpp"
#include "expr/reference.hpp"
#include "support/brute_force.hpp"

namespace dimgate::test {

std::uint64_t QuestionTally::asked() const {
  return prove.asked + satisfiable.asked + bound.asked + equal.asked + minimise.asked + merge.asked;
}
std::uint64_t QuestionTally::wrong() const {
  return prove.wrong + satisfiable.wrong + bound.wrong + equal.wrong + minimise.wrong + merge.wrong;
}

std::string QuestionTally::to_string() const {
  std::string out;
  const auto line = [&](const char* verb, const QuestionCount& c) {
    out += std::string(verb) + ": " + std::to_string(c.asked) + " asked, " + std::to_string(c.decided) + " decided, " +
           std::to_string(c.wrong) + " wrong\n";
  };
  line("prove", prove);
  line("satisfiable", satisfiable);
  line("bound", bound);
  line("prove_equal", equal);
  line("minimise", minimise);
  line("merge", merge);
  return out + std::to_string(asked()) + " questions, " + std::to_string(wrong()) + " wrong\n";
}

namespace {

struct Range {
  std::int64_t lo, hi;
};

class Asking {
 public:
  Asking(Prover& prover, Context& ctx, RandomFormulas& random, const QuestionOptions& options, QuestionTally& tally)
      : prover_(prover), ctx_(ctx), random_(random), options_(options), tally_(tally), facts_(ctx) {}

  std::optional<std::string> run() {
    constexpr Range kRanges[] = {{-4, 2}, {0, 6}, {1, 6}, {-3, 3}, {0, 4}};
    range_ = kRanges[random_.number(0, 4)];
    for (std::int64_t n = random_.number(0, 2); n > 0; --n) assume(random_.formula(options_.depth));
    for (const Expr s : random_.ints()) {
      assume(ctx_.make(Op::Ge, {s, ctx_.integer(range_.lo)}));
      assume(ctx_.make(Op::Le, {s, ctx_.integer(range_.hi)}));
    }
    find_points();
    claim();
    satisfiable();
    bound();
    equal();
    if (options_.simplify) minimised(), merged();
    return wrong_;
  }

 private:
  void assume(Expr f) {
    facts_.assume(f);
    fact_formulas_.push_back(f);
  }

  void find_points() {
    ReferenceEvaluator facts(ctx_, fact_formulas_);
    std::vector<Expr> symbols = random_.ints();
    symbols.insert(symbols.end(), random_.bools().begin(), random_.bools().end());
    for_each_point(ctx_, symbols, {range_.lo, range_.hi}, [&](const Assignment& at) {
      const std::vector<Value> values = facts.all(at);
      if (std::all_of(values.begin(), values.end(), [](const Value& v) { return v.is_true(); })) points_.push_back(at);
      return true;
    });
  }

  bool true_everywhere(Expr f) {
    ReferenceEvaluator reference(ctx_, f);
    return std::all_of(points_.begin(), points_.end(), [&](const Assignment& at) { return reference(at).is_true(); });
  }

  void count(QuestionCount& c, bool decided, bool wrong, const std::string& what) {
    ++c.asked;
    c.decided += decided ? 1 : 0;
    c.wrong += wrong ? 1 : 0;
    if (!wrong || wrong_) return;
    wrong_ = what;
    for (const Expr f : fact_formulas_) *wrong_ += " -a '" + to_text(ctx_, f) + "'";
  }

  // All facts are true and `f` is not, at the values of a model.
  bool is_counterexample(const std::vector<std::pair<Expr, Value>>& model, Expr f) {
    Assignment at;
    for (const auto& [s, v] : model) at.set(s, v);
    const auto holds = [&](Expr e) { return evaluate(ctx_, e, at).is_true(); };
    return std::all_of(fact_formulas_.begin(), fact_formulas_.end(), holds) && !holds(f);
  }

  void claim() {
    const Expr f = random_.formula(options_.depth);
    const Proof p = prover_.prove(facts_, f, {options_.steps});
    const bool wrong = (p.proved() && !true_everywhere(f)) || (p.refuted() && !is_counterexample(p.counterexample, f));
    count(tally_.prove, p.verdict != Verdict::unknown, wrong, "prove '" + to_text(ctx_, f) + "'");
    if (!p.proved() || wrong) return;
    // What the proof names must suffice alone.
    Assignment none;
    std::vector<Expr> used;
    for (const FactId id : p.used) used.push_back(fact_formulas_[id]);
    ReferenceEvaluator all(ctx_, used);
    ReferenceEvaluator proved(ctx_, f);
    bool enough = true;
    std::vector<Expr> symbols = random_.ints();
    symbols.insert(symbols.end(), random_.bools().begin(), random_.bools().end());
    for_each_point(ctx_, symbols, {range_.lo - 1, range_.hi + 1}, [&](const Assignment& at) {
      const std::vector<Value> values = all.all(at);
      if (std::all_of(values.begin(), values.end(), [](const Value& v) { return v.is_true(); }))
        enough = proved(at).is_true();
      return enough;
    });
    std::string names;
    for (const Expr e : used) names += " `" + to_text(ctx_, e) + "`";
    count(tally_.prove, true, !enough, "prove: too few facts named (" + names + ") '" + to_text(ctx_, f) + "'");
  }

  void satisfiable() {
    const SatResult r = prover_.satisfiable(facts_, {options_.steps});
    const bool wrong = (r.verdict == Verdict::refuted && !points_.empty()) ||
                       (r.verdict == Verdict::proved && !is_counterexample(r.model, ctx_.boolean(false)));
    count(tally_.satisfiable, r.verdict != Verdict::unknown, wrong, "sat");
  }

  void bound() {
    const Expr term = random_.term(options_.depth);
    const Bounds b = prover_.bound(facts_, term, {options_.steps});
    ReferenceEvaluator reference(ctx_, term);
    bool wrong = false, lo = false, hi = false, some = false;
    for (const Assignment& at : points_) {
      const Value& v = reference(at);
      if (v.is_undefined()) continue;
      some = true;
      wrong = wrong || b.empty || !b.interval.contains(v.integer) || !b.congruence.contains(v.integer);
      lo = lo || (b.interval.lo && v.integer == *b.interval.lo);
      hi = hi || (b.interval.hi && v.integer == *b.interval.hi);
    }
    wrong = wrong || (some && ((b.tight_lo && b.interval.lo && !lo) || (b.tight_hi && b.interval.hi && !hi)));
    count(tally_.bound, b.empty || (b.tight_lo && b.tight_hi), wrong, "bound '" + to_text(ctx_, term) + "'");
  }

  void equal() {
    const Expr left = random_.term(options_.depth), right = random_.term(options_.depth);
    const Proof p = prover_.prove_equal(facts_, left, right, {options_.steps});
    ReferenceEvaluator both(ctx_, std::vector{left, right});
    bool same = true;
    for (const Assignment& at : points_) {
      const std::vector<Value> v = both.all(at);
      same = same && v[0] == v[1];
    }
    const bool wrong = (p.proved() && !same) || (p.refuted() && same);
    count(tally_.equal, p.verdict != Verdict::unknown, wrong,
          "equal '" + to_text(ctx_, left) + "' '" + to_text(ctx_, right) + "'");
  }

  // Truth of all `before` and of all `after` is the same at every point where the facts hold.
  bool same_truth(const std::vector<Expr>& before, const std::vector<Expr>& after) {
    ReferenceEvaluator was(ctx_, before), is(ctx_, after);
    const auto all = [](const std::vector<Value>& values) {
      return std::all_of(values.begin(), values.end(), [](const Value& v) { return v.is_true(); });
    };
    return std::all_of(points_.begin(), points_.end(),
                       [&](const Assignment& at) { return all(was.all(at)) == all(is.all(at)); });
  }

  std::vector<Expr> guards(std::int64_t most) {
    std::vector<Expr> out;
    for (std::int64_t n = random_.number(1, most); n > 0; --n)
      out.push_back(random_.number(0, 1) == 0 ? random_.fact() : random_.formula(options_.depth));
    return out;
  }

  std::string listed(const std::vector<Expr>& all) {
    std::string out;
    for (const Expr e : all) out += " '" + to_text(ctx_, e) + "'";
    return out;
  }

  void minimised() {
    const std::vector<Expr> before = guards(4);
    SimplifyOptions limits;
    limits.question = {options_.steps};
    const Minimised m = minimise(prover_, facts_, before, limits);
    std::vector<Expr> kept;
    for (const std::size_t i : m.kept) kept.push_back(before[i]);
    const std::vector<Expr> never{ctx_.boolean(false)};
    const bool wrong =
        m.contradictory ? !same_truth(before, never) : !same_truth(before, kept) || !same_truth(before, m.readable);
    count(tally_.minimise, m.contradictory || kept.size() < before.size(), wrong,
          "simplify" + listed(before) + " gave" + listed(m.readable));
  }

  void merged() {
    std::vector<MergeEntry> entries;
    for (std::int64_t n = random_.number(2, 4); n > 0; --n) {
      std::vector<Expr> conjuncts = guards(2);
      const Expr guard = conjuncts.size() == 1 ? conjuncts[0] : ctx_.make(Op::And, conjuncts);
      entries.push_back({guard, random_.number(0, 2) == 0 ? "A" : "B", "e" + std::to_string(entries.size()),
                         static_cast<std::uint64_t>(entries.size())});
    }
    const MergeResult r = merge(prover_, facts_, entries);
    // Every input is served by an entry of an artifact that served it before, and none by another.
    std::vector<Expr> all;
    for (const MergeEntry& e : entries) all.push_back(e.guard);
    for (const MergeResult::Out& o : r.entries) all.push_back(o.guard);
    ReferenceEvaluator reference(ctx_, all);
    bool wrong = false;
    for (const Assignment& at : points_) {
      const std::vector<Value> v = reference.all(at);
      bool was = false, is = false;
      for (std::size_t i = 0; i < entries.size(); ++i) was = was || v[i].is_true();
      for (std::size_t o = 0; o < r.entries.size(); ++o) {
        if (!v[entries.size() + o].is_true()) continue;
        is = true;
        bool before = false;  // by an entry with this artifact
        for (std::size_t i = 0; i < entries.size(); ++i)
          before = before || (v[i].is_true() && entries[i].fingerprint == r.entries[o].fingerprint);
        wrong = wrong || !before;
      }
      wrong = wrong || was != is;
    }
    std::string text = "merge";
    for (const MergeEntry& e : entries) text += " " + e.fingerprint + " '" + to_text(ctx_, e.guard) + "'";
    text += " gave";
    for (const MergeResult::Out& o : r.entries) text += " " + o.fingerprint + " '" + to_text(ctx_, o.guard) + "'";
    count(tally_.merge, r.entries.size() < entries.size(), wrong, text);
  }

  Prover& prover_;
  Context& ctx_;
  RandomFormulas& random_;
  const QuestionOptions& options_;
  QuestionTally& tally_;
  Facts facts_;
  std::vector<Expr> fact_formulas_;
  Range range_{0, 0};
  std::vector<Assignment> points_;  // of the box, where all facts are true
  std::optional<std::string> wrong_;
};

RandomOptions symbols(Context& ctx, std::int64_t ints, std::int64_t bools) {
  RandomOptions out;
  for (const char* name : {"a", "b", "c"})
    if (static_cast<std::int64_t>(out.ints.size()) < ints) out.ints.push_back(ctx.symbol(name));
  for (const char* name : {"p", "q"})
    if (static_cast<std::int64_t>(out.bools.size()) < bools) out.bools.push_back(ctx.symbol(name, Sort::Bool));
  out.conditionals = true;
  return out;
}

}  // namespace

std::optional<std::string> ask(Prover& prover, Context& ctx, RandomFormulas& random, const QuestionOptions& options,
                               QuestionTally& tally) {
  return Asking(prover, ctx, random, options, tally).run();
}

std::optional<std::string> ask_seed(Prover& prover, std::uint64_t seed, int deepest, bool simplify,
                                    QuestionTally& tally) {
  Context ctx;
  const auto pick = static_cast<std::int64_t>(seed % 12);
  RandomFormulas random(ctx, symbols(ctx, 1 + pick % 3, pick % 4 == 0 ? 1 + pick / 6 : 0), seed);
  const QuestionOptions options{1 + static_cast<int>(seed % static_cast<std::uint64_t>(deepest)), 20'000, simplify};
  return ask(prover, ctx, random, options, tally);
}

std::optional<std::string> ask_bytes(Prover& prover, std::span<const std::uint8_t> bytes) {
  Context ctx;
  RandomFormulas random(ctx, symbols(ctx, 3, 1), bytes);
  QuestionTally tally;
  return ask(prover, ctx, random, {2, 20'000, true}, tally);
}

}  // namespace dimgate::test
