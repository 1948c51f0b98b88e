// Time per verdict over the conformance rows: native only, a fresh Context and empty caches for each row, parsing
// apart, from raw tree to answer with the canonical form included; beside it Z3's simple solver on the same rows, in
// the same run.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "conformance/judge.hpp"
#ifdef DIMGATE_HAS_Z3
#include "dimgate/solver.hpp"
#endif

using namespace dimgate;
using namespace dimgate::conformance;

namespace {

using Clock = std::chrono::steady_clock;

double quantile(std::vector<double> v, double q) {
  std::sort(v.begin(), v.end());
  return v.empty() ? 0 : v[static_cast<std::size_t>(q * static_cast<double>(v.size() - 1))];
}

struct Question {
  std::unique_ptr<Context> ctx = std::make_unique<Context>();
  std::vector<Expr> facts;
  Expr left, right;  // right: equiv only
};

// Verdict rows only: claims and equivalences. Null where the row is of another kind.
std::unique_ptr<Question> read(const Row& row) {
  if (row.kind != "prove" && row.kind != "equiv") return nullptr;
  auto q = std::make_unique<Question>();
  for (const std::string& a : row.assumptions) q->facts.push_back(*parse(*q->ctx, a));
  if (row.kind == "prove") {
    q->left = *parse(*q->ctx, row.query);
  } else {
    const std::size_t at = row.query.find("===");
    q->left = *parse(*q->ctx, row.query.substr(0, at));
    q->right = *parse(*q->ctx, row.query.substr(at + 3));
  }
  return q;
}

Verdict answer(Prover& prover, Question& q) {
  Facts facts(*q.ctx);
  for (const Expr f : q.facts) facts.assume(f);
  return (q.right ? prover.prove_equal(facts, q.left, q.right) : prover.prove(facts, q.left)).verdict;
}

template <class Make>
std::vector<double> time_rows(const std::vector<Row>& rows, int repeats, Make make, const char* slow) {
  std::vector<double> best;
  for (const Row& row : rows) {
    double least = 1e18;
    for (int r = 0; r < repeats; ++r) {
      const std::unique_ptr<Question> q = read(row);
      if (!q) break;
      const auto prover = make();
      const Clock::time_point start = Clock::now();
      answer(*prover, *q);
      least = std::min(least, std::chrono::duration<double, std::micro>(Clock::now() - start).count());
    }
    if (least < 1e17) best.push_back(least);
    if (slow != nullptr && least < 1e17 && least > 100)
      std::printf("  %s %s: %.0f us  %s\n", slow, row.id.c_str(), least, row.query.c_str());
  }
  return best;
}

// A question that took other engines seconds or more: the right answer, ours, and the time from raw tree to answer.
void known_hard(const char* name, const std::vector<std::string>& facts, const std::string& claim, Verdict right,
                const char* why) {
  double least = 1e18;
  Proof proof;
  std::string at;
  for (int r = 0; r < 3; ++r) {
    Context ctx;
    Facts known(ctx);
    std::vector<Expr> raw;
    for (const std::string& f : facts) raw.push_back(*parse(ctx, f));
    const Expr question = *parse(ctx, claim);
    NativeProver prover;
    const Clock::time_point start = Clock::now();
    for (const Expr f : raw) known.assume(f);
    proof = prover.prove(known, question);
    least = std::min(least, std::chrono::duration<double, std::milli>(Clock::now() - start).count());
    at.clear();
    for (const auto& [s, v] : proof.counterexample)
      if (proof.counterexample.size() < 8) at += " " + ctx.symbol_name(s) + "=" + v.to_string();
  }
  std::printf("%s\n  right: %s (%s); ours: %s%s%s, %.3f ms%s\n", name, std::string(to_string(right)).c_str(), why,
              std::string(to_string(proof.verdict)).c_str(), at.empty() ? "" : " at", at.c_str(), least,
              proof.verdict == right ? "" : "  NOT THE RIGHT ANSWER");
}

void known_hard_ones() {
  known_hard("Eq(Mod(256*e1 + 512, 256*(e0+1)*(e2+1)), 0) under e0, e1, e2 >= 0", {"e0 >= 0", "e1 >= 0", "e2 >= 0"},
             "Eq(Mod(256*e1 + 512, 256*(e0+1)*(e2+1)), 0)", Verdict::refuted,
             "not always: e0 = e1 = e2 = 1 leaves 768 mod 1024");
  const auto sum = [](const char* operation) {
    std::string text = "(8*x0";
    for (int i = 1; i < 100'000; ++i) text += " + 8*x" + std::to_string(i);
    return text + ")" + operation;
  };
  const auto half = [] {
    std::string text = "2*x0";
    for (int i = 1; i < 100'000; ++i) text += " + 2*x" + std::to_string(i);
    return text;
  };
  known_hard("a sum of 10^5 terms 8*x_i under // 4 is the sum of 2*x_i", {}, sum("//4") + " == " + half(),
             Verdict::proved, "4 divides every coefficient");
  known_hard("(that sum + 3)//4 is the same", {}, "(" + sum("") + " + 3)//4 == " + half(), Verdict::proved, "3 < 4");
  known_hard("that sum % 16 == 0", {}, sum("%16") + " == 0", Verdict::refuted, "x0 = 1, all others 0");
}

}  // namespace

int main() {
  const Result<std::vector<Row>> rows = read_rows(DIMGATE_SOURCE_DIR "/tests/data/conformance/peer_facts.tsv");
  if (!rows.ok()) {
    std::fprintf(stderr, "%s\n", rows.error().to_string().c_str());
    return 2;
  }
  known_hard_ones();
  const auto native = time_rows(*rows, 15, [] { return std::make_unique<NativeProver>(); }, "native");
  std::printf("native   %zu verdicts: median %.2f us, p95 %.2f us, worst %.2f us\n", native.size(),
              quantile(native, 0.5), quantile(native, 0.95), quantile(native, 1));
#ifdef DIMGATE_HAS_Z3
  const auto z3 = time_rows(*rows, 3, [] { return make_z3_prover(); }, nullptr);
  std::printf("z3 %s %zu verdicts: median %.2f us, p95 %.2f us, worst %.2f us (its context made anew for each)\n",
              z3_version().c_str(), z3.size(), quantile(z3, 0.5), quantile(z3, 0.95), quantile(z3, 1));
  std::printf("ratio    median %.0fx, p95 %.0fx\n", quantile(z3, 0.5) / quantile(native, 0.5),
              quantile(z3, 0.95) / quantile(native, 0.95));
#endif
  return 0;
}
