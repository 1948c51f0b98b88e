// Declarations: facts with a standing, contradictions refused at once.
#include "trace/support.hpp"

using namespace dimgate;
using namespace dimgate::testing;

namespace {
std::string error_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const TraceError& e) {
    return e.what();
  }
  return "";
}
}  // namespace

TEST_CASE("ranges, divisibility, equalities and static dims become checked facts") {
  Context ctx;
  BoxProver prover(20);
  Tracer t(ctx, prover);
  const SymInt a = t.size("a", 8), b = t.size("b", 8), c = t.size("c", 3);
  t.declare_range(a, Integer(2), Integer(16));
  t.declare_divisible(a, 4);
  t.declare_equal(a, b, Standing::trusted);
  const SymInt three = t.declare_static(c, 3);
  CHECK(three.is_const());
  CHECK(bool(a >= 4));
  CHECK(bool(a % 2 == 0));
  CHECK(bool(a == b));
  CHECK(bool(c == 3));
  CHECK(t.guards().empty());
  std::string facts;
  std::size_t count = 0;
  for (const Fact& f : t.facts().all())
    if (f.standing != Standing::intrinsic)
      facts += (f.standing == Standing::trusted ? "trusted " : "") + to_text(ctx, f.formula) + "; ", ++count;
  CHECK(facts == "a >= 2; a <= 16; a % 4 == 0; trusted a == b; c == 3; ");
  // Guards recorded later are no facts of the frame.
  CHECK(bool(a > 4));
  CHECK(t.guards().size() == 1);
  CHECK(t.facts().size() == count + 3);  // three sizes >= 0
}

TEST_CASE("sizes are >= 0 by nature, whatever they are called; integers are not") {
  Context ctx;
  BoxProver prover(8);
  Tracer t(ctx, prover);
  const SymInt n = t.size("n", 3);
  CHECK(bool(n >= 0));
  CHECK(t.guards().empty());
  REQUIRE(t.facts().size() == 1);
  CHECK(t.facts()[0].standing == Standing::intrinsic);
  IgnorantProver ignorant;
  Context other;
  Tracer u(other, ignorant);
  CHECK(bool(u.integer("k", 3) >= 0));
  CHECK(u.guards().size() == 1);
  CHECK(error_of([&] { (void)t.size("m", -1); }) == "size m cannot be -1: sizes are >= 0");
  CHECK(error_of([&] { (void)t.size("n", 4); }) == "symbol n was made twice");
}

TEST_CASE("values that break a declaration, and declarations that break each other") {
  Context ctx;
  BoxProver prover(20);
  Tracer t(ctx, prover);
  const SymInt a = t.size("a", 5), u = t.unbacked_size("u");
  CHECK(error_of([&] { t.declare_divisible(a, 2); }) == "the values seen break the declared fact `a % 2 == 0`");
  CHECK(t.facts().size() == 2);  // the two sizes: what was refused left nothing behind
  CHECK_FALSE(bool(a % 2 == 0));
  Tracer v(ctx, prover);
  const SymInt w = v.unbacked_size("w");
  v.declare_range(w, Integer(5), std::nullopt);
  const std::string error = error_of([&] { v.declare_range(w, std::nullopt, Integer(4)); });
  CHECK(error.find("contradict each other") != std::string::npos);
  CHECK(error.find("`w >= 5`") != std::string::npos);
  CHECK(error.find("`w <= 4`") != std::string::npos);
  (void)u;
}

TEST_CASE("facts and terms are read as text over symbols that exist") {
  Context ctx;
  BoxProver prover(20);
  Tracer t(ctx, prover);
  const SymInt h = t.size("H", 8);
  const Result<SymInt> half = t.term("H // 2");
  REQUIRE(half.ok());
  CHECK((*half).same_term(h / 2));
  const Result<SymBool> even = t.formula("H % 2 == 0");
  REQUIRE(even.ok());
  t.declare(*even);
  CHECK(bool(h % 2 == 0));
  CHECK(t.guards().empty());
  CHECK_FALSE(t.term("H == 2").ok());
  CHECK_FALSE(t.formula("H").ok());
  CHECK_FALSE(t.formula("Q == 1").ok());  // no such symbol
  CHECK_FALSE(t.formula("H ==").ok());
}
