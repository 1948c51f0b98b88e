// Conditionals in conditions, undefined in places: the lemmas that src/prove/search.hpp states, and questions that were
// answered wrongly before they held (tests/data/prover_faults, a JSON object a line; SOURCES.md there).
#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "dimgate/prove.hpp"
#include "dimgate/simplify.hpp"
#include "expr/reference.hpp"
#include "prove/reached.hpp"
#include "support/brute_force.hpp"
#include "support/claims.hpp"

using namespace dimgate;

namespace {

struct Parsed {
  Context ctx;
  Facts facts{ctx};
  std::vector<Expr> all;
  /// Formulas, the last `terms` of them terms.
  explicit Parsed(std::vector<std::string> texts, std::size_t terms = 0) {
    std::vector<FormulaText> formulas;
    for (const std::string& t : texts) {
      formulas.push_back({t, {}});
      formulas.back().options.sort = formulas.size() + terms > texts.size() ? Sort::Int : Sort::Bool;
    }
    auto parsed = parse_together(ctx, formulas);
    REQUIRE_MESSAGE(parsed.ok(), (parsed.ok() ? std::string() : parsed.error().to_string()));
    all = *parsed;
  }
};

// The last text is the claim.
Proof prove_last(Parsed& p) {
  for (std::size_t i = 0; i + 1 < p.all.size(); ++i) p.facts.assume(p.all[i]);
  return NativeProver().prove(p.facts, p.all.back());
}

std::vector<nlohmann::json> lines_of(const char* name) {
  std::ifstream in(std::string(DIMGATE_SOURCE_DIR) + "/tests/data/prover_faults/" + name);
  REQUIRE(in.good());
  std::vector<nlohmann::json> out;
  for (std::string line; std::getline(in, line);) out.push_back(nlohmann::json::parse(line));
  return out;
}

std::vector<std::string> texts(const nlohmann::json& list) { return list.get<std::vector<std::string>>(); }

// Values of every symbol of the point by name.
Assignment point(Context& ctx, const nlohmann::json& at) {
  Assignment out;
  for (const auto& [name, v] : at.items()) {
    const Expr s = ctx.find_symbol(name);
    if (!s) continue;
    out.set(s, v.is_boolean() ? Value::of(v.get<bool>()) : Value::of(v.get<std::int64_t>()));
  }
  return out;
}

}  // namespace

TEST_CASE("the outermost if-then-else of a literal is reached, what stands in its branches and conditions is not") {
  Parsed p({"Where(a > 0, Where(b//c > 0, a, b), c) >= 0", "a >= 0 or Where(b//c > 0, a, b) > 1", "p"});
  const auto conditional = [](Expr e) { return e.is(Op::Ite) && e.sort() != Sort::Bool; };
  const auto none = [](Expr) { return false; };
  const auto first = [&](Expr f) {
    const std::vector<Literal> literals{{p.ctx.canonical(f), {}}};
    const Expr e = first_reached(p.ctx, literals, conditional, none);
    return e ? to_text(p.ctx, e) : std::string();
  };
  CHECK(first(p.all[0]).starts_with("Where(a"));
  CHECK(first(p.all[1]).empty());  // the other disjunct may hold without it
}

TEST_CASE("a condition that may be undefined splits nothing where it is not reached") {
  // At a == 6, b == 1 the inner Piecewise takes its first case; that it has no other says nothing there.
  Parsed p(
      {"0 <= a <= 7", "1 <= b <= 7", "0 <= c <= 7", "(a if divides(6, Piecewise((a, min(c, b) >= 1))) else 12) == c"});
  for (const Expr f : p.all) p.facts.assume(f);
  CHECK(NativeProver().satisfiable(p.facts).verdict == Verdict::proved);
  for (const char* condition :
       {"divides(6, Piecewise((a, b >= 1)))", "Piecewise((a, b >= 1)) >= 3", "not Piecewise((a, b >= 1)) < 3",
        "Piecewise((a, b >= 1)) in {3, 6}", "iff(Piecewise((a, b >= 1)) == 3, b == 2)",
        "implies(b == 2, Piecewise((a, b >= 1)) == 3)", "max(Piecewise((a, b >= 1)), b//a) >= 3"}) {
    Parsed q({"0 <= a <= 7", "0 <= b <= 2", std::string("(a if ") + condition + " else 12) == 6", "b != 1"});
    const test::BruteForce want = test::prove(q.ctx, std::span(q.all).subspan(0, 3), q.all.back(), {0, 7});
    CHECK_MESSAGE(prove_last(q).proved() == want.holds, condition);
  }
}

TEST_CASE("a split whose condition may be undefined rests on what says that it is not") {
  // b == 0 and the third fact contradict each other; no two of the other facts say anything about b.
  Parsed p({"b == 0", "c >= 0", "(1 if a//b > 0 else 2) >= 0", "c < 0"});
  const Proof proof = prove_last(p);
  REQUIRE(proof.proved());
  CHECK(proof.used == std::vector<FactId>{0, 2});
}

TEST_CASE("what stands for a split formula in other facts rests on the fact that was split") {
  Parsed p({"x == 1 or y == 1", "z == 1 if iff(x == 1 or y == 1, w == 0) else z == 2", "w == 0", "z == 1"});
  const Proof proof = prove_last(p);
  REQUIRE(proof.proved());
  CHECK(proof.used == std::vector<FactId>{0, 1, 2});
}

TEST_CASE("a maximum in a branch that is not taken splits nothing") {
  Parsed p({"0 <= a <= 3", "b == 0", "(max(a//b, 1) if b > 0 else a) == 2"});
  for (const Expr f : p.all) p.facts.assume(f);
  CHECK(NativeProver().satisfiable(p.facts).verdict == Verdict::proved);
}

TEST_CASE("answers that were wrong: a point of the line shows why") {
  for (const char* file : {"where_unsound_proved.jsonl", "auto_unsound_proved_where.jsonl", "where_unsound_unsat.jsonl",
                           "where_unsound_bound.jsonl", "where_unsound_congruence.jsonl"}) {
    int n = 0;
    for (const nlohmann::json& line : lines_of(file)) {
      ++n;
      INFO(std::string(file) << ":" << n);
      const nlohmann::json &q = line["q"], &extra = line["extra"];
      const std::string op = q["op"];
      std::vector<std::string> all = texts(q["facts"]);
      const std::size_t facts = all.size();
      for (const char* more : {"claim", "term", "left", "right"})
        if (q.contains(more)) all.push_back(q[more]);
      Parsed p(all, op == "bound" || op == "equal" ? all.size() - facts : 0);
      for (std::size_t i = 0; i < facts; ++i) p.facts.assume(p.all[i]);
      NativeProver prover;
      if (extra.contains("at")) {  // the reference agrees that the line is right
        const Assignment at = point(p.ctx, extra["at"]);
        for (std::size_t i = 0; i < facts; ++i)
          REQUIRE_MESSAGE(evaluate(p.ctx, p.all[i], at).is_true(), to_text(p.ctx, p.all[i]));
      }
      if (op == "prove") {
        const Proof proof = prover.prove(p.facts, p.all[facts]);
        CHECK_FALSE(proof.proved());
      } else if (op == "equal") {
        CHECK_FALSE(prover.prove_equal(p.facts, p.all[facts], p.all[facts + 1]).proved());
      } else if (op == "sat") {
        CHECK(prover.satisfiable(p.facts).verdict != Verdict::refuted);
      } else {
        REQUIRE(op == "bound");
        const Bounds b = prover.bound(p.facts, p.all[facts]);
        CHECK_FALSE(b.empty);
        const std::int64_t first = extra["seen"][0], second = extra["seen"][1];
        CHECK(b.congruence.contains(first));
        CHECK(b.interval.contains(first));
        if (std::string(file) == "where_unsound_congruence.jsonl") {  // a value, and the gcd of all differences
          REQUIRE_FALSE(b.congruence.modulus.is_zero());
          CHECK(floor_mod(Integer(second), b.congruence.modulus).is_zero());
        } else {  // the ends
          CHECK(b.interval.contains(second));
          CHECK(b.congruence.contains(second));
        }
      }
    }
    CHECK(n > 0);
  }
}

TEST_CASE("guard sets whose meaning changed keep it") {
  NativeProver prover;
  for (const char* file : {"simpwhere_false_contradiction.jsonl", "simpwhere_readable_differs.jsonl"})
    for (const nlohmann::json& line : lines_of(file)) {
      INFO(file);
      std::vector<std::string> all = texts(line["q"]["facts"]);
      const std::size_t facts = all.size();
      for (const std::string& g : texts(line["q"]["guards"])) all.push_back(g);
      Parsed p(all);
      for (std::size_t i = 0; i < facts; ++i) p.facts.assume(p.all[i]);
      const std::vector<Expr> guards(p.all.begin() + static_cast<std::ptrdiff_t>(facts), p.all.end());
      const Minimised m = minimise(prover, p.facts, guards);
      const std::vector<Expr> symbols = test::symbols_of_all(p.ctx, p.all);
      ReferenceEvaluator known(p.ctx, std::span(p.all).subspan(0, facts)), before(p.ctx, guards),
          after(p.ctx, m.readable);
      const auto all_true = [](const std::vector<Value>& v) {
        return std::all_of(v.begin(), v.end(), [](const Value& each) { return each.is_true(); });
      };
      test::for_each_point(p.ctx, symbols, {-6, 13}, [&](const Assignment& at) {
        if (all_true(known.all(at))) REQUIRE(all_true(before.all(at)) == (!m.contradictory && all_true(after.all(at))));
        return true;
      });
    }
}

TEST_CASE("merged entries cover what the entries covered") {
  NativeProver prover;
  for (const nlohmann::json& line : lines_of("mergewhere_union_differs.jsonl")) {
    std::vector<std::string> all = texts(line["q"]["facts"]);
    const std::size_t facts = all.size();
    for (const nlohmann::json& e : line["q"]["entries"]) all.push_back(e[2]);
    Parsed p(all);
    std::vector<MergeEntry> entries;
    for (std::size_t i = 0; i < p.all.size(); ++i) {
      if (i < facts) p.facts.assume(p.all[i]);
      if (i >= facts) entries.push_back({p.all[i], line["q"]["entries"][i - facts][1], "e", i});
    }
    const MergeResult merged = merge(prover, p.facts, entries);
    std::vector<Expr> after;
    for (const MergeResult::Out& o : merged.entries) after.push_back(o.guard);
    ReferenceEvaluator known(p.ctx, std::span(p.all).subspan(0, facts)), before(p.ctx, std::span(p.all).subspan(facts)),
        now(p.ctx, after);
    const auto any_true = [](const std::vector<Value>& v) {
      return std::any_of(v.begin(), v.end(), [](const Value& each) { return each.is_true(); });
    };
    test::for_each_point(p.ctx, test::symbols_of_all(p.ctx, p.all), {-6, 18}, [&](const Assignment& at) {
      for (const Value& v : known.all(at))
        if (!v.is_true()) return true;
      REQUIRE(any_true(before.all(at)) == any_true(now.all(at)));
      return true;
    });
  }
}
