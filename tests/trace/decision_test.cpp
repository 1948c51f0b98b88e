// What a decision does: known, recorded, asserted, refused.
#include "trace/support.hpp"

using namespace dimgate;
using namespace dimgate::testing;

namespace {
bool raises(const std::function<void()>& f, std::string_view part) {
  try {
    f();
  } catch (const TraceError& e) {
    const std::string what = e.what();
    INFO(what);
    CHECK(what.find(part) != std::string::npos);
    return true;
  }
  return false;
}
}  // namespace

TEST_CASE("a branch records its exact condition once, with the line that asked") {
  Context ctx;
  IgnorantProver prover;
  Tracer t(ctx, prover);
  const SymInt n = t.size("n", 374);
  bool padded = false;
  if (n > 512) padded = true;
  const unsigned line = __LINE__ - 1;
  CHECK_FALSE(padded);
  REQUIRE(t.guards().size() == 1);
  CHECK(texts(t) == "n <= 512");
  const Guard& g = t.guards()[0];
  CHECK(g.where.line == line);
  CHECK(g.where.file.ends_with("decision_test.cpp"));
  CHECK(g.reason == "branch taken");
  CHECK(g.kind == GuardKind::shape);
  CHECK_FALSE(g.runtime_assert);

  const int asked = prover.questions;
  if (n > 512) padded = true;
  if (512 < n) padded = true;
  if (n <= 512) padded = !padded;
  CHECK(padded);
  CHECK(t.guards().size() == 1);
  CHECK(prover.questions == asked);  // a lookup each
  CHECK(t.statistics().repeated == 3);
}

TEST_CASE("&& and || short-circuit; sym_and and sym_or decide one formula") {
  Context ctx;
  IgnorantProver prover;
  Tracer t(ctx, prover);
  const SymInt h = t.size("h", 5), w = t.size("w", 64);
  if (h % 32 != 0 || w % 32 != 0) CHECK(true);
  CHECK(t.guards().size() == 1);  // w was never asked
  if (h > 100 && w > 100) CHECK(false);
  CHECK(t.guards().size() == 2);
  if (sym_or(h == 7, w == 64)) CHECK(true);
  CHECK(texts(t).ends_with("; h == 7 or w == 64"));
  if (sym_and(h == 5, !(w == 65))) CHECK(true);
  CHECK(t.guards().size() == 4);
  CHECK(bool(sym_or(true, h == 1)));
  CHECK_FALSE(bool(sym_and(false, h == 1)));
  CHECK(t.guards().size() == 4);
}

TEST_CASE("a number is asked for: term == v") {
  Context ctx;
  IgnorantProver prover;
  Tracer t(ctx, prover);
  const SymInt n = t.size("n", 10);
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < (n / 4).to_int(); ++i) sum += i;
  CHECK(sum == 1);
  CHECK(texts(t) == "n <= 11 and n >= 8");
  CHECK(t.guards()[0].reason == "taken as a number");
  CHECK(SymInt(12).to_int() == 12);
  const SymInt big = t.integer("big", INT64_MAX);
  CHECK(raises([&] { (void)(big * big).to_int(); }, "does not fit a 64-bit integer"));
}

TEST_CASE("dividing by a symbol guards that it is not 0; 0 at the hints is an error that names it") {
  Context ctx;
  IgnorantProver prover;
  Tracer t(ctx, prover);
  const SymInt a = t.size("a", 10), b = t.size("b", 3), z = t.size("z", 4);
  (void)(a / b);
  (void)(a % b);
  CHECK(texts(t) == "b != 0");
  CHECK(raises([&] { (void)(a / (z - 4)); }, "the divisor z - 4 is 0"));
  CHECK(raises([&] { (void)(a % SymInt(0)); }, "the divisor of a is 0"));
  CHECK(texts(t) == "b != 0");
  // A formula that the front end brings along may still be undefined.
  const Result<SymBool> f = t.formula("a // (b - 3) == 1");
  REQUIRE(f.ok());
  CHECK(raises([&] { (void)bool(*f); }, "the divisor b - 3 is 0"));
  CHECK(raises([&] { (void)bool(*f); }, "b=3"));
  // … or decided where it is defined: the guard holds nowhere that it is not.
  const Result<SymBool> g = t.formula("a // (b - 2) == 11");
  CHECK_FALSE(bool(*g));
  Assignment at;
  at.set(a.term(), Value::of(10));
  at.set(b.term(), Value::of(2));
  CHECK_FALSE(evaluate(ctx, t.guards()[1].formula, at).is_true());
}

TEST_CASE("known from facts and earlier decisions: no guard") {
  Context ctx;
  BoxProver prover(24);
  Tracer t(ctx, prover);
  const SymInt n = t.size("n", 16), m = t.size("m", 3);
  t.declare_range(n, Integer(8), std::nullopt);
  CHECK(bool(n >= 4));
  CHECK(t.guards().empty());
  CHECK(bool(n % 8 == 0));
  CHECK(bool(n % 4 == 0));     // implied by the guard before
  CHECK_FALSE(bool(n == 10));  // as is this
  CHECK(bool(m < 4));
  CHECK(bool(m <= n));  // m < 4 <= 8 <= n
  CHECK(t.guards().size() == 2);
  CHECK(t.statistics().known == 4);
  CHECK(t.statistics().recorded == 2);
  CHECK((n == 4).known() == false);
  CHECK(!(n == 16).known().has_value());
  CHECK(t.guards().size() == 2);
}

TEST_CASE("unbacked: known, soft assumption, default, else an error naming the missing fact") {
  Context ctx;
  BoxProver prover(12);
  Tracer t(ctx, prover);
  const SymInt u = t.unbacked_size("u"), n = t.size("n", 3);
  CHECK(bool(u >= 0));
  CHECK(t.guards().empty());
  CHECK(raises([&] { (void)bool(u == 1); }, "cannot decide `u == 1`"));
  CHECK(raises([&] { (void)bool(u == 1); }, "declare `u == 1` or `u != 1`"));
  CHECK(raises([&] { (void)bool(u + n == 1); }, "u (no value)"));
  CHECK(raises([&] { (void)u.to_int(); }, "is needed as a number"));
  CHECK(raises([&] { (void)(n / u); }, "cannot decide `u != 0`"));
  t.assume_soft(sym_and(u != 0, u != 1));
  CHECK_FALSE(bool(u == 1));
  CHECK(texts(t) == "assert u != 1");
  CHECK(t.guards()[0].runtime_assert);
  CHECK_FALSE(bool(u == 1));  // decided
  (void)(n / u);
  CHECK(texts(t) == "assert u != 1; assert u != 0");
  CHECK(t.guards().formula(ctx).is_true());  // run-time asserts are no part of the lookup
  CHECK((u < 5).value_or(true));
  CHECK(bool(u < 5));
  CHECK(bool(u <= 9));  // follows
  CHECK(t.statistics().asserts == 3);
  // The assert is part of the program: artifacts with different asserts differ.
  CHECK(t.program().nodes().size() == 3);
}

TEST_CASE("an unbacked symbol whose facts leave one value is a number") {
  Context ctx;
  BoxProver prover(12);
  Tracer t(ctx, prover);
  const SymInt u = t.unbacked_size("u");
  t.declare_range(u, Integer(4), Integer(4));
  CHECK((u + 1).to_int() == 5);
  CHECK(t.guards().empty());
}

TEST_CASE("require: guard if true at the hints, refusal if false, run-time assert if unbacked") {
  Context ctx;
  BoxProver prover(12);
  Tracer t(ctx, prover);
  const SymInt n = t.size("n", 3), u = t.unbacked_size("u");
  const auto message = [] { return std::string("sizes must fit"); };
  t.require(n == 3, message);
  t.require(n <= 5, message);
  CHECK(texts(t) == "n == 3");
  CHECK(raises([&] { t.require(n == 4, message); }, "sizes must fit"));
  t.require(u == n, message);
  CHECK(texts(t) == "n == 3; assert n == u");
  CHECK(bool(u == 3));
  CHECK(t.guards().size() == 2);
  CHECK(raises([&] { t.require(u == 4, message); }, "sizes must fit"));
  CHECK(raises([&] { t.require(false, message); }, "sizes must fit"));
  t.require(true, message);
}

TEST_CASE("scopes: the outermost place, the innermost operator") {
  Context ctx;
  IgnorantProver prover;
  Tracer t(ctx, prover);
  const SymInt n = t.size("n", 3);
  {
    Tracer::Scope outer(t, "layer", Location{"model.py", 12, "forward"});
    {
      Tracer::Scope inner(t, "cat", std::source_location::current());
      CHECK(bool(n > 1));
      CHECK(raises([&] { t.shape_error("no", std::source_location::current()); }, "cat: no"));
    }
    CHECK(t.operator_name() == "layer");
  }
  CHECK(bool(n > 2));
  CHECK(t.guards()[0].where.to_string() == "model.py:12 in forward");
  CHECK(t.guards()[0].reason == "cat: a branch of the rule");
  CHECK(t.guards()[1].where.file.ends_with("decision_test.cpp"));
}

TEST_CASE("run turns errors into values") {
  Context ctx;
  IgnorantProver prover;
  Tracer t(ctx, prover);
  const SymInt n = t.size("n", 3), u = t.unbacked_size("u");
  CHECK(t.run([&] { (void)bool(n > 1); }).ok());
  const TraceOutcome rejected = t.run([&] { t.shape_error("bad", std::source_location::current()); });
  CHECK(rejected.kind == TraceOutcome::Kind::rejected);
  CHECK(rejected.error.message == "bad");
  CHECK(rejected.error.line != 0);
  const TraceOutcome failed = t.run([&] { (void)bool(u == n); });
  CHECK(failed.kind == TraceOutcome::Kind::failed);
}

TEST_CASE("100,000 nested operations neither overflow the stack nor slow down") {
  Context ctx;
  IgnorantProver prover;
  Tracer t(ctx, prover);
  const SymInt n = t.size("n", 1000);
  SymInt x = n;
  for (int i = 0; i < 100'000; ++i) x = max(x / 2 + i % 7, n % (i + 2));
  CHECK(x.hint().has_value());
  CHECK(bool(x > -1));
  CHECK(t.guards().size() == 1);
}

TEST_CASE("squaring in a loop is refused before it eats the memory") {
  Context ctx;
  IgnorantProver prover;
  Tracer t(ctx, prover);
  const auto square = [](SymInt x) {
    for (int i = 0; i < 100; ++i) x *= x;
  };
  CHECK(raises([&] { square(t.size("n", 3)); }, "bits came up"));
  CHECK(raises([&] { square(3); }, "bits came up"));
}
