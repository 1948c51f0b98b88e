#include "conformance/judge.hpp"

#include <algorithm>
#include <optional>

namespace dimgate::conformance {

namespace {

struct BadRow {
  Error error;
};

class Judge {
 public:
  Judge(Prover& prover, const Row& row, const std::string& path)
      : prover_(prover), row_(row), path_(path), facts_(ctx_) {}

  Judgement run() {
    if (row_.kind == "redundant") return redundant();
    for (const std::string& fact : row_.assumptions) facts_.assume(formula(fact));
    if (row_.kind == "prove") return prove();
    if (row_.kind == "equiv") return equiv();
    if (row_.kind == "bounds") return bounds();
    if (row_.kind == "congr") return congr();
    return sat();
  }

 private:
  [[noreturn]] void bad(const std::string& message) const { throw BadRow{{message, path_, row_.line}}; }
  [[noreturn]] void bad_expectation(const std::string& right) const {
    bad("expected is `" + row_.expected + "`; must be " + right);
  }

  Expr read(const std::string& text) {
    Result<Expr> e = parse(ctx_, text);
    if (!e) bad("`" + text + "`: column " + std::to_string(e.error().column) + ": " + e.error().message);
    return *e;
  }
  Expr formula(const std::string& text) {
    const Expr e = read(text);
    if (e.sort() != Sort::Bool) bad("`" + text + "` is not a formula");
    return e;
  }
  Expr term(const std::string& text) {
    const Expr e = read(text);
    if (e.sort() != Sort::Int) bad("`" + text + "` is not an integer term");
    return e;
  }
  Judgement graded(std::string answer, bool contradicts) const {
    const bool exact = answer == row_.expected;
    return {exact ? Grade::exact : contradicts ? Grade::contradicts : Grade::weaker, std::move(answer)};
  }

  // Can the claim be true together with the facts?
  Verdict possible(Expr claim) {
    facts_.push();
    facts_.assume(claim, Standing::assumed);
    const Verdict v = prover_.satisfiable(facts_).verdict;
    facts_.pop();
    return v;
  }

  Judgement prove() {
    const Expr claim = formula(row_.query);
    const Verdict always = prover_.prove(facts_, claim).verdict;
    if (row_.expected == "valid" || row_.expected == "not valid") return verdict(always);
    if (row_.expected != "never" && row_.expected != "sometimes")
      bad_expectation("valid, not valid, never or sometimes");
    if (always == Verdict::proved) return graded("valid", true);
    const Verdict ever = possible(claim);
    if (ever == Verdict::refuted) return graded("never", true);
    if (ever == Verdict::proved && always == Verdict::refuted) return graded("sometimes", true);
    if (ever == Verdict::proved) return graded("not never", row_.expected == "never");
    return graded(always == Verdict::refuted ? "not valid" : "unknown", false);
  }

  Judgement verdict(Verdict v) const {
    if (v == Verdict::unknown) return graded("unknown", false);
    return graded(v == Verdict::proved ? "valid" : "not valid", true);
  }

  Judgement equiv() {
    const std::size_t at = row_.query.find("===");
    if (at == std::string::npos) bad("an equiv query is `left === right`");
    const Expr left = read(row_.query.substr(0, at));
    const Expr right = read(row_.query.substr(at + 3));
    if (left.sort() != right.sort()) bad("the sides of === are of different sorts");
    if (row_.expected != "valid" && row_.expected != "not valid") bad_expectation("valid or not valid");
    return verdict(prover_.prove_equal(facts_, left, right).verdict);
  }

  // "[lo,hi]"
  std::pair<std::string, std::string> two_parts(char open, char close, const std::string& right) const {
    const std::string& e = row_.expected;
    const std::size_t comma = e.find(',');
    if (e.size() < 5 || e.front() != open || e.back() != close || comma == std::string::npos) bad_expectation(right);
    return {e.substr(1, comma - 1), e.substr(comma + 1, e.size() - comma - 2)};
  }

  Judgement bounds() {
    const std::string shape = "[lo,hi] with integers, -inf or inf";
    const auto [lo, hi] = two_parts('[', ']', shape);
    Interval truth;
    if (lo != "-inf" && !(truth.lo = Integer::parse(lo))) bad_expectation(shape);
    if (hi != "inf" && !(truth.hi = Integer::parse(hi))) bad_expectation(shape);
    const Bounds found = prover_.bound(facts_, term(row_.query));
    if (found.empty) return {Grade::contradicts, "empty"};
    const bool lo_cut = found.interval.lo && (!truth.lo || *found.interval.lo > *truth.lo);
    const bool hi_cut = found.interval.hi && (!truth.hi || *found.interval.hi < *truth.hi);
    return {found.interval == truth ? Grade::exact
            : lo_cut || hi_cut      ? Grade::contradicts
                                    : Grade::weaker,
            found.interval.to_string()};
  }

  Judgement congr() {
    const std::string shape = "(modulus,residue)";
    const auto [m, r] = two_parts('(', ')', shape);
    const auto modulus = Integer::parse(m);
    const auto residue = Integer::parse(r);
    if (!modulus || !residue || modulus->sign() < 0) bad_expectation(shape);
    const Congruence truth = Congruence::of(*modulus, *residue);
    const Bounds found = prover_.bound(facts_, term(row_.query));
    if (found.empty) return {Grade::contradicts, "empty"};
    const Congruence& c = found.congruence;
    const bool contains = c.contains(truth.residue) && c.contains(truth.residue + truth.modulus);
    return {c == truth ? Grade::exact : contains ? Grade::weaker : Grade::contradicts, c.to_string()};
  }

  Judgement sat() {
    if (!row_.query.empty()) facts_.assume(formula(row_.query));
    if (row_.expected != "sat" && row_.expected != "unsat") bad_expectation("sat or unsat");
    const Verdict v = prover_.satisfiable(facts_).verdict;
    return graded(v == Verdict::proved ? "sat" : v == Verdict::refuted ? "unsat" : "unknown", v != Verdict::unknown);
  }

  // Drops facts in the given order while the rest proves them.
  std::vector<std::size_t> dropped(const std::vector<Expr>& all, const std::vector<std::size_t>& order) {
    std::vector<bool> kept(all.size(), true);
    std::vector<std::size_t> out;
    for (const std::size_t i : order) {
      facts_.push();
      for (std::size_t k = 0; k < all.size(); ++k)
        if (k != i && kept[k]) facts_.assume(all[k]);
      if (prover_.prove(facts_, all[i]).proved()) {
        kept[i] = false;
        out.push_back(i);
      }
      facts_.pop();
    }
    std::sort(out.begin(), out.end());
    return out;
  }

  Judgement redundant() {
    std::vector<Expr> all;
    for (const std::string& fact : row_.assumptions) all.push_back(formula(fact));
    for (const std::string& fact : split_list(row_.query)) all.push_back(formula(fact));
    const std::size_t wanted =
        row_.expected.empty()
            ? 0
            : 1 + static_cast<std::size_t>(std::count(row_.expected.begin(), row_.expected.end(), ','));
    std::vector<std::size_t> best;
    for (std::size_t start = 0; start < all.size() && best.size() < wanted; ++start) {
      std::vector<std::size_t> order;
      for (std::size_t i = 0; i < all.size(); ++i) order.push_back((start + i) % all.size());
      for (int turn = 0; turn < 2; ++turn, std::reverse(order.begin(), order.end()))
        if (auto found = dropped(all, order); found.size() > best.size()) best = std::move(found);
    }
    std::string answer;
    for (const std::size_t i : best) answer += (answer.empty() ? "" : ",") + std::to_string(i);
    if (best.size() == wanted) return {Grade::exact, answer};
    return {best.size() > wanted ? Grade::contradicts : Grade::weaker, answer.empty() ? "none" : answer};
  }

  Prover& prover_;
  const Row& row_;
  const std::string& path_;
  Context ctx_;
  Facts facts_;
};

}  // namespace

Result<Judgement> judge(Prover& prover, const Row& row, const std::string& path) {
  try {
    return Judge(prover, row, path).run();
  } catch (const BadRow& bad) {
    return bad.error;
  }
}

}  // namespace dimgate::conformance
