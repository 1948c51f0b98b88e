// Questions from public reports of people who compile tensor programs (restated; numbers A001 to A184 of the project's
// list). Each expectation was derived by hand and is checked here by enumeration of a box before the prover is asked.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "dimgate/prove.hpp"
#include "dimgate/simplify.hpp"
#include "support/brute_force.hpp"

using namespace dimgate;

namespace {

struct Case {
  const char* id;
  std::vector<const char*> facts;
  const char* claim;
  Verdict verdict;
};

Expr read(Context& ctx, const char* text) {
  const Result<Expr> e = parse(ctx, text);
  REQUIRE_MESSAGE(e.ok(), text << ": " << (e.ok() ? "" : e.error().to_string()));
  return *e;
}

const std::vector<Case> kClaims{
    // pytorch 126607: the first guard is implied by the second.
    {"A025", {"s0 % 20 != 0"}, "s0 != 20", Verdict::proved},
    // executorch 1379: after s1 = s0 the guard is a tautology, before it is 7*s0 % s1 == 0.
    {"A026", {"s0 >= 1", "s1 == s0"}, "Eq(Mod(3584*s0, 512*s1), 0)", Verdict::proved},
    {"A026", {"s1 >= 1"}, "iff(Eq(Mod(3584*s0, 512*s1), 0), 7*s0 % s1 == 0)", Verdict::proved},
    // pytorch 118332: the second follows from s0 > 2, the first does not: it is s0 >= 4.
    {"A028", {"s0 > 2"}, "Ne(32*(s0//2)**2 - 16*(s0//2), 0)", Verdict::proved},
    {"A028", {"s0 > 2"}, "Ne(Mod(1, s0//2), 0)", Verdict::refuted},
    {"A028", {"s0 > 2"}, "iff(Ne(Mod(1, s0//2), 0), s0 >= 4)", Verdict::proved},
    // pytorch 127693: true for every s >= 3, false only at s == 2.
    {"A029", {"s >= 3"}, "Ne(Mod(s, s - 1), 0)", Verdict::proved},
    {"A029", {"s == 2"}, "Ne(Mod(s, s - 1), 0)", Verdict::refuted},
    // pytorch 153173: the view is legal where 8 | s*u; s % 8 == 0 suffices; the recorded test is weaker.
    {"A031", {"s >= 0", "u >= 0", "s % 8 == 0"}, "(18*s*u) % 144 == 0", Verdict::proved},
    {"A031", {"s >= 1", "u >= 1", "Ne(Mod(18*s*u, (s*u)//8), 0)"}, "s*u % 8 == 0", Verdict::refuted},
    // onnxscript 2539: the max() is redundant for every W >= 1.
    {"A032",
     {"W >= 1"},
     "max(1, 16*((W + ((64 + (-1)*(W % 64)) % 64)) // 64)) == 16*((W + ((64 + (-1)*(W % 64)) % 64)) // 64)",
     Verdict::proved},
    {"A032",
     {"W >= 1"},
     "max(1, 32*((W + ((64 + (-1)*(W % 64)) % 64)) // 64)) == 32*((W + ((64 + (-1)*(W % 64)) % 64)) // 64)",
     Verdict::proved},
    // pytorch 105524
    {"A035", {}, "iff(Mod(s3, 2) <= 0, s3 % 2 == 0)", Verdict::proved},
    {"A035", {"s3 >= 1"}, "(s3//2) < s3", Verdict::proved},
    {"A035", {"s3 >= 0"}, "(s3//2) < s3", Verdict::refuted},
    // pytorch 181097: b == 1 is lost by the artefact `x // 5 != 1`.
    {"A041", {"x == 5*b", "1 <= b", "b <= 8"}, "x // 5 == b", Verdict::proved},
    {"A041", {"x == 5*b", "1 <= b", "b <= 8"}, "iff(x // 5 != 1, b != 1)", Verdict::proved},
    // tvm 16158
    {"A043", {"w >= 1", "h >= 1"}, "((w + h)*65)//(w + h) == 65", Verdict::proved},
    {"A043", {"w >= 32", "h >= 32"}, "(85*((w - 2)//32)*((h - 2)//32 + 1)) % 85 == 0", Verdict::proved},
    {"A043",
     {"w >= 34", "h >= 34"},
     "(85*((w - 2)//32)*((h - 2)//32))//(((w - 2)//32)*((h - 2)//32)) == 85",
     Verdict::proved},
    // tvm 3981
    {"A044", {}, "((ax1*16 + 15)//16 + 1) - ax1 == 1", Verdict::proved},
    // pypto 1080
    {"A046", {}, "kv + 64 - kv == kv + 128 - (kv + 64)", Verdict::proved},
    {"A046", {}, "x*s + s - x*s == s", Verdict::proved},
    // graph-compiler 300: 64 or 128, by d0 % 64 >= 33.
    {"A047", {}, "((d0 + 31)//64)*64 - (d0//64)*64 + 64 in {64, 128}", Verdict::proved},
    {"A047", {}, "iff(((d0 + 31)//64)*64 - (d0//64)*64 + 64 == 128, d0 % 64 >= 33)", Verdict::proved},
    // pytorch 136002: two guards together specialise.
    {"A062", {"x > 5", "x <= 6"}, "x == 6", Verdict::proved},
    {"A062", {"x > 5"}, "x == 6", Verdict::refuted},
    // pytorch 133650
    {"A131", {"Eq(s0 - 2, 2)"}, "Ne(s0 - 2, 0)", Verdict::proved},
    {"A131", {"Eq(s0 - 2, 2)"}, "s0 == 4", Verdict::proved},
    // vllm 37499: the decidable conjunct decides.
    {"A134", {}, "not (1 != u0 and 1 != 1)", Verdict::proved},
    // pytorch 135429: the last is implied, the second fails exactly at 6.
    {"A140", {"2 <= s2", "s2 <= 6", "s0 >= 1"}, "Ne(-2*s0*s2 + 14*s0, 0)", Verdict::proved},
    {"A140", {"2 <= s2", "s2 <= 6"}, "iff(Ne(7 - s2, 1), s2 != 6)", Verdict::proved},
    // jax 23456, 24730
    {"A143", {"b == 5"}, "b >= 0", Verdict::proved},
    {"A142", {"b <= 2147483646"}, "b < 2147483647", Verdict::proved},
    // draft export logs
    {"A148", {}, "iff((-u0)//3 + 5 >= 0, u0 <= 15)", Verdict::proved},
    {"A148", {}, "iff((-u0)//3 + 5 >= 0 and Ne((-u0)//3 + 5, 0), u0 <= 12)", Verdict::proved},
    // pytorch 125641
    {"A170", {"Eq(2048*s0, 2000896)"}, "s0 == 977", Verdict::proved},
    // pytorch 149635: padding to at least 16 is one formula.
    {"A049", {"n >= 0"}, "max(n, 16) >= 16", Verdict::proved},
    // pytorch 167232: the three cases of a broadcast cover exactly the legal ones and do not meet.
    {"A007",
     {"a >= 1", "b >= 1"},
     "iff(a == b or a == 1 or b == 1, a == b or (a == 1 and b != 1) or (b == 1 and a != 1))",
     Verdict::proved},
    // pytorch 113875: `~` is logical; the second call (5, 1, 2, 3) satisfies the guard, (5, 1, 3, 4)'s complement.
    {"A019", {"a == 5", "b == 3", "c == 4"}, "~(Eq(a, 5) & Eq(b, 2) & Eq(c, 3))", Verdict::proved},
    {"A019", {"a == 5", "b == 2", "c == 3"}, "~(Eq(a, 5) & Eq(b, 2) & Eq(c, 3))", Verdict::refuted},
    // pytorch 163083, 121943: alignment needs its own guard.
    {"A022", {"s48 >= 2"}, "s48 % 4 == 0", Verdict::refuted},
    {"A023", {"stride == 43"}, "stride % 8 == 0", Verdict::refuted},
    // iree 18646: divisor facts through products, quotients and extrema.
    {"A038", {"s % 16 == 0", "t % 32 == 0"}, "(3*s + 2*t) % 16 == 0", Verdict::proved},
    {"A038", {"s % 16 == 0", "t % 32 == 0"}, "min(s, t) % 16 == 0", Verdict::proved},
    {"A038", {"s % 64 == 0"}, "(s // 4) % 16 == 0", Verdict::proved},
    {"A038", {"s % 16 == 0"}, "s % 32 == 0", Verdict::refuted},
    // torch-mlir 2496: where no symbol turns into a broadcast 1, the disjunction is an equality.
    {"A010", {"d != 1", "d == 1 or d == n"}, "d == n", Verdict::proved},
    {"A010", {"d == 1 or d == n"}, "d == n", Verdict::refuted},
    // pytorch 172716: equalities are declared, never guessed.
    {"A017", {"a == b"}, "a + 1 == b + 1", Verdict::proved},
    {"A017", {"a >= 0", "b >= 0"}, "a == b", Verdict::refuted},
    // pytorch 137748, onnxruntime 18360: affine dims are solved, with the remainder checked.
    {"A034", {"dim == 2*bs", "dim <= 128"}, "dim % 2 == 0 and dim // 2 == bs and bs <= 64", Verdict::proved},
    {"A040", {"dim == 16*H"}, "dim % 16 == 0 and dim // 16 == H", Verdict::proved},
    // pytorch 92079: a multiple, not a constant.
    {"A037", {}, "iff((n // 8)*8 == n, n % 8 == 0)", Verdict::proved},
    // vllm 14995, jax 10550: which bucket serves.
    {"A050", {"257 <= n", "n <= 320"}, "(n + 63)//64*64 == 320", Verdict::proved},
    {"A058", {"80 <= n", "n <= 120"}, "n > 64 and n <= 128", Verdict::proved},
    {"A058", {"160 <= n", "n <= 240"}, "n > 128 and n <= 256", Verdict::proved},
    // pytorch 142161: the other operand's size is the only one left.
    {"A064", {"1 <= s0", "s0 <= 1024", "s0 == 1 or s0 == 4", "s0 != 1"}, "s0 == 4", Verdict::proved},
    {"A065", {"s0 in {2, 4, 8}"}, "s0 % 2 == 0 and s0 <= 8", Verdict::proved},
    {"A065", {"s0 in {2, 4, 8}"}, "s0 % 4 == 0", Verdict::refuted},
    // pytorch 172693: the merged view needs stride 144.
    {"A103", {"stride == 288"}, "stride == 16*9", Verdict::refuted},
    // pytorch 185016: a ragged dim and twice it differ (sizes from 1).
    {"A136", {"j >= 1"}, "Ne(j, 2*j)", Verdict::proved},
    {"A136", {"j >= 0"}, "Ne(j, 2*j)", Verdict::refuted},
    // tvm 15994
    {"A178", {"n == 16", "m == 16"}, "n*m == 256", Verdict::proved},
    // llama-style caches: one entry for p >= 2.
    {"A095", {"p >= 2", "q == p + 1"}, "q >= 3 and q != 1", Verdict::proved},
    // vllm 38933: a size that may be 1 is not split at 1.
    {"A004", {"u0 >= 1"}, "u0 != 0", Verdict::proved},
    {"A004", {"u0 >= 1"}, "u0 != 1", Verdict::refuted},
    // torchrec 3815: 10 <= is what the example showed, not what the program needs.
    {"A067", {"vlen >= 2"}, "10 <= vlen", Verdict::refuted},
    // pytorch 121063: a range declared from 1 holds 1, whatever a compiler likes to assume of sizes.
    {"A068", {"1 <= d", "d <= 2"}, "d >= 2", Verdict::refuted},
    {"A068", {"1 <= d", "d <= 2", "d >= 2"}, "d == 2", Verdict::proved},
    // pytorch 145957, 138496: the number of a ragged batch is never a broadcast 1, nor another multiple of itself.
    {"A137", {"j0 >= 2"}, "j0 == 1", Verdict::refuted},
    {"A138", {"j0 >= 2"}, "iff(2*j0 == 2*j1, j0 == j1)", Verdict::proved},
    {"A138", {"j0 >= 2"}, "3*j0 == 2*j0", Verdict::refuted},
    // pytorch 121080: sizes pinned one by one leave nothing free.
    {"A169", {"Eq(s4, s0)", "Eq(s1, 100)", "Eq(s0, s1)"}, "s4 == 100", Verdict::proved},
    // onnxruntime 2756: the second size is another symbol, one less than the first.
    {"A176", {"T == 1024", "T_out == T - 1"}, "T_out == 1023", Verdict::proved},
    // pytorch 136670 (found by fuzzing)
    {"A184",
     {"s2 >= 1", "s3 >= 1", "s3 <= s2", "s3*(s2//s3) == 64"},
     "Eq(64//(2048//(s3*(s2//s3))), 2)",
     Verdict::proved},
};

}  // namespace

TEST_CASE("claims people asked about") {
  NativeProver prover;
  for (const Case& c : kClaims) {
    Context ctx;
    Facts facts(ctx);
    for (const char* f : c.facts) facts.assume(read(ctx, f));
    const Expr claim = read(ctx, c.claim);
    const std::string what = std::string(c.id) + ": " + c.claim;
    INFO(what);
    std::vector<Expr> all = test::formulas_of(facts);
    all.push_back(claim);
    const std::size_t symbols = test::symbols_of_all(ctx, all).size();
    const test::Box box{-3, symbols == 1 ? 200 : symbols == 2 ? 40 : 9};
    if (c.verdict == Verdict::proved) CHECK(test::prove(ctx, test::formulas_of(facts), claim, box).holds);
    CHECK(to_string(prover.prove(facts, claim).verdict) == to_string(c.verdict));
  }
}

TEST_CASE("bounds people asked about") {
  struct Bound {
    const char* id;
    std::vector<const char*> facts;
    const char* term;
    const char* interval;
  };
  const std::vector<Bound> cases{
      {"A047", {}, "((d0 + 31)//64)*64 - (d0//64)*64 + 64", "[64,128]"},
      {"A130", {"u0 >= 0", "0 <= 100 - u0"}, "u0", "[0,100]"},
      {"A145", {"a >= 0", "b >= 2"}, "a//(b - 1)", "[0,inf]"},
      {"A049", {"15 <= n", "n <= 20"}, "max(n, 16)", "[16,20]"},
      {"A047", {}, "(d0//64)*-64 + d0", "[0,63]"},
      {"A122", {"10000 <= n", "n <= 99000"}, "ceildiv(n, 128)", "[79,774]"},
      // openvino 21694: bounds beyond int64 are exact, they neither wrap nor saturate.
      {"A146", {"0 <= d", "d <= 9223372036854775807"}, "-1 - d", "[-9223372036854775808,-1]"},
      {"A146", {"0 <= d", "d <= 9223372036854775807"}, "-2 - d", "[-9223372036854775809,-2]"},
      {"A146", {"0 <= d", "d <= 9223372036854775807"}, "d*d + 1", "[1,85070591730234615847396907784232501250]"},
  };
  NativeProver prover;
  for (const Bound& b : cases) {
    Context ctx;
    Facts facts(ctx);
    for (const char* f : b.facts) facts.assume(read(ctx, f));
    INFO(b.id << ": " << b.term);
    CHECK(prover.bound(facts, read(ctx, b.term)).interval.to_string() == b.interval);
  }
}

TEST_CASE("facts that contradict each other") {
  // tvm 15627: [n, n] against [16, 32]; onnxruntime 2756: one name for two sizes.
  NativeProver prover;
  for (const std::vector<const char*>& texts :
       std::vector<std::vector<const char*>>{{"n == 16", "n == 32"}, {"T == 1024", "T == 1023"}}) {
    Context ctx;
    Facts facts(ctx);
    for (const char* f : texts) facts.assume(read(ctx, f));
    const SatResult r = prover.satisfiable(facts);
    CHECK(r.verdict == Verdict::refuted);
    CHECK(r.core == std::vector<FactId>{0, 1});
  }
}

TEST_CASE("what simplifying leaves") {
  struct Simple {
    const char* id;
    std::vector<const char*> facts, guards;
    std::vector<std::string> want;
  };
  const std::vector<Simple> cases{
      {"A025", {}, {"Ne(s0, 20)", "Ne(Mod(s0, 20), 0)"}, {"s0 % 20 != 0"}},
      {"A062", {}, {"x > 5", "x <= 6"}, {"x == 6"}},
      {"A128", {}, {"Eq(u77 - 1, 1)"}, {"u77 == 2"}},
      {"A130", {}, {"u0 >= 0", "0 <= 100 - u0"}, {"0 <= u0 <= 100"}},
      {"A131", {}, {"Ne(s0 - 2, 0)", "Eq(s0 - 2, 2)"}, {"s0 == 4"}},
      {"A170", {}, {"Eq(2048*s0, 2000896)"}, {"s0 == 977"}},
      {"A035", {"s3 >= 1"}, {"Mod(s3, 2) <= 0", "(s3//2) < s3"}, {"s3 % 2 == 0"}},
      {"A029", {"s >= 2"}, {"Ne(Mod(s, s - 1), 0)"}, {"s >= 3"}},
      {"A010", {"d != 1"}, {"d == 1 or d == n"}, {"d == n"}},
      {"A037", {}, {"(n // 8)*8 == n"}, {"n % 8 == 0"}},
      {"A168", {}, {"Eq(s0, 3)", "Eq(s1, 5)"}, {"s0 == 3", "s1 == 5"}},
      {"A067", {"vlen >= 2"}, {"10 <= vlen", "2 <= vlen"}, {"vlen >= 10"}},
      {"A068", {"d >= 2"}, {"1 <= d", "d <= 2"}, {"d == 2"}},
      {"A169", {}, {"Eq(s4, s0)", "Eq(s1, 100)", "Eq(s6, 155450)"}, {"s1 == 100", "s6 == 155450", "s4 == s0"}},
      {"A148", {}, {"(((-u0)//3)) + 5 >= 0", "Ne((((-u0)//3)) + 5, 0)"}, {"u0 <= 12"}},
  };
  NativeProver prover;
  for (const Simple& c : cases) {
    Context ctx;
    Facts facts(ctx);
    for (const char* f : c.facts) facts.assume(read(ctx, f));
    std::vector<Expr> guards;
    for (const char* g : c.guards) guards.push_back(read(ctx, g));
    const Minimised m = minimise(prover, facts, guards);
    std::vector<std::string> got;
    for (const Expr e : m.readable) got.push_back(to_text(ctx, e));
    INFO(std::string(c.id));
    CHECK(got == c.want);
  }
}

TEST_CASE("A070: ranges keep their meaning through text, Python and SMT-LIB") {
  Context ctx;
  const Expr range = parse(ctx, "B >= 2 and B <= 10 and S >= 1").value();
  for (const std::string& written : {to_text(ctx, range), to_python(ctx, range)}) {
    Context other;
    CHECK(to_text(other, other.canonical(read(other, written.c_str()))) == to_text(ctx, ctx.canonical(range)));
  }
  CHECK(to_smt2(ctx, ctx.canonical(range)).find("10") != std::string::npos);
}

TEST_CASE("A160: what simplifying leaves is left by simplifying again") {
  NativeProver prover;
  Context ctx;
  Facts facts(ctx);
  facts.assume(read(ctx, "s0 >= 0"));
  std::vector<Expr> guards;
  for (const char* g :
       {"Eq(Mod(s0, 4), 0)", "Eq(Mod(s0, 6), 0)", "s0 // 2 <= 100", "Ne(s0, 5)", "s0*s1 > 3", "s1 == 2"})
    guards.push_back(read(ctx, g));
  const std::vector<Expr> once = minimise(prover, facts, guards).readable;
  const std::vector<Expr> twice = minimise(prover, facts, once).readable;
  std::vector<std::string> first, second;
  for (const Expr e : once) first.push_back(to_text(ctx, e));
  for (const Expr e : twice) second.push_back(to_text(ctx, e));
  CHECK(first == second);
  CHECK(first == std::vector<std::string>{"s1 == 2", "12 <= s0 <= 192", "s0 % 12 == 0"});
}
