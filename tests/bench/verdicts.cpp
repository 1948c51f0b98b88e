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

}  // namespace

int main() {
  const Result<std::vector<Row>> rows = read_rows(DIMGATE_SOURCE_DIR "/tests/data/conformance/peer_facts.tsv");
  if (!rows.ok()) {
    std::fprintf(stderr, "%s\n", rows.error().to_string().c_str());
    return 2;
  }
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
