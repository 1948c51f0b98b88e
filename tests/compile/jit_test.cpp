// Machine code where the random test may not reach: divisions by every small constant and large ones at the edges of
// int64, residues, ranges at the ends, many registers, memory that goes back.
#include <doctest/doctest.h>

#include <cstdlib>
#include <thread>

#include "dimgate/compile.hpp"
#include "program/code.hpp"

using namespace dimgate;

namespace {

struct Case {
  Context ctx;
  Layout layout;
  std::shared_ptr<Jit> jit = Jit::create();
  std::vector<Expr> guards;

  Case() {
    layout.add("x");
    layout.add("y");
  }
  Expr x() { return ctx.symbol("x"); }
  Expr y() { return ctx.symbol("y"); }
  Expr n(Integer v) { return ctx.integer(v); }
  /// Interpreter and machine code give the same guard on every pair of values.
  void agree(std::span<const std::int64_t> values) {
    const auto plain = compile(ctx, guards, layout);
    REQUIRE_MESSAGE(plain.ok(), (plain.ok() ? "" : plain.error().to_string()));
    const Program native = jit->translate(*plain);
    REQUIRE(native.is_native());
    Snapshot s(2);
    for (const std::int64_t a : values)
      for (const std::int64_t b : values) {
        s.set(0, a), s.set(1, b);
        if (native.check(s) != plain->check(s))
          FAIL(native.check(s) << " instead of " << plain->check(s) << " at " << a << ", " << b << "\n"
                               << plain->disassemble());
      }
  }
};

constexpr std::int64_t kValues[] = {INT64_MIN,
                                    INT64_MIN + 1,
                                    INT64_MIN / 2,
                                    -(std::int64_t{1} << 32),
                                    -1000,
                                    -65,
                                    -64,
                                    -8,
                                    -7,
                                    -3,
                                    -2,
                                    -1,
                                    0,
                                    1,
                                    2,
                                    3,
                                    7,
                                    8,
                                    63,
                                    64,
                                    65,
                                    999,
                                    std::int64_t{1} << 31,
                                    std::int64_t{1} << 62,
                                    INT64_MAX - 1,
                                    INT64_MAX};

}  // namespace

TEST_CASE("division, remainder and residue by constants") {
  Case c;
  if (!c.jit) return;
  std::vector<std::int64_t> divisors;
  for (std::int64_t d = -20; d <= 130; ++d)
    if (d != 0) divisors.push_back(d);
  for (const std::int64_t d : {INT64_MIN, INT64_MIN + 1, -(std::int64_t{1} << 33), (std::int64_t{1} << 31) + 1,
                               (std::int64_t{1} << 62) - 1, (std::int64_t{1} << 62), INT64_MAX - 1, INT64_MAX})
    divisors.push_back(d);
  for (const std::int64_t d : divisors) {
    // Each value decides alone which guard fails: y picks the quotient or remainder to compare with.
    for (const Op op : {Op::FloorDiv, Op::Mod, Op::CeilDiv}) {
      c.guards = {c.ctx.make(Op::Ne, {c.ctx.make(op, {c.x(), c.n(d)}), c.y()}),
                  c.ctx.make(Op::Le, {c.ctx.make(Op::Mul, {c.ctx.make(op, {c.x(), c.n(d)}), c.n(2)}), c.y()})};
      c.agree(kValues);
    }
    for (const std::int64_t r : {std::int64_t{0}, std::int64_t{1}, d - (d > 0 ? 1 : 0), d / 2}) {
      c.guards = {c.ctx.make(Op::Eq, {c.ctx.make(Op::Mod, {c.x(), c.n(d)}), c.n(r)}),
                  c.ctx.make(Op::Or, {c.ctx.make(Op::Ne, {c.ctx.make(Op::Mod, {c.y(), c.n(d)}), c.n(r)}),
                                      c.ctx.make(Op::Eq, {c.x(), c.n(0)})})};
      c.agree(kValues);
    }
  }
}

TEST_CASE("division by symbols, and every comparison with every edge") {
  Case c;
  if (!c.jit) return;
  for (const Op op : {Op::FloorDiv, Op::Mod, Op::CeilDiv, Op::Add, Op::Sub, Op::Mul, Op::Min, Op::Max})
    for (const Op cmp : {Op::Eq, Op::Ne, Op::Lt, Op::Le, Op::Gt, Op::Ge})
      for (const std::int64_t v :
           {INT64_MIN, std::int64_t{-1}, std::int64_t{0}, std::int64_t{3}, std::int64_t{1} << 40, INT64_MAX}) {
        c.guards = {c.ctx.make(cmp, {c.ctx.make(op, {c.x(), c.y()}), c.n(v)})};
        c.agree(kValues);
        c.guards = {c.ctx.make(cmp, {c.y(), c.n(v)}),
                    c.ctx.make(Op::Or, {c.ctx.make(cmp, {c.x(), c.n(v)}), c.ctx.make(cmp, {c.x(), c.y()})})};
        c.agree(kValues);
      }
}

TEST_CASE("more values alive at once than the machine has registers") {
  Case c;
  if (!c.jit) return;
  std::vector<Expr> terms;
  for (int i = 1; i < 60; ++i)
    terms.push_back(c.ctx.make(Op::FloorDiv, {c.ctx.make(Op::Add, {c.x(), c.n(i)}), c.n(i + 1)}));
  Expr sum = c.y();
  for (const Expr t : terms) sum = c.ctx.make(Op::Add, {sum, t});
  for (std::size_t i = terms.size(); i-- > 0;) sum = c.ctx.make(Op::Max, {sum, c.ctx.make(Op::Sub, {terms[i], c.y()})});
  c.guards = {c.ctx.make(Op::Gt, {sum, c.n(17)}), c.ctx.make(Op::Distinct, std::span(terms).first(9))};
  c.agree(kValues);
}

TEST_CASE("what the machine code leaves, the partial and the exact path take") {
  Case c;
  if (!c.jit) return;
  c.guards = {c.ctx.make(Op::Ge, {c.ctx.make(Op::Mul, {c.x(), c.x(), c.y()}), c.n(0)}),
              c.ctx.make(Op::Or, {c.ctx.make(Op::Gt, {c.x(), c.n(3)}), c.ctx.make(Op::Gt, {c.y(), c.n(3)})})};
  const Program p = *compile(c.ctx, c.guards, c.layout, {.jit = c.jit});
  CHECK(p.is_native());
  Snapshot s(2);
  s.set(0, INT64_MIN), s.set(1, INT64_MAX);
  CHECK(p.check(s) == kPass);
  s.unset(1);
  CHECK(p.check(s) == 0);
  const Snapshot small(1);
  CHECK(p.check(small) == 0);
  CHECK(p.check(SnapshotView{}) == 0);
  const std::vector<Expr> or_only{c.guards[1]};
  const Program q = *compile(c.ctx, or_only, c.layout, {.jit = c.jit});
  s.set(0, 5);
  CHECK(q.check(s) == kPass);  // y is absent, x decides
}

TEST_CASE("memory goes back, from any thread, after the Jit itself is let go") {
  Case c;
  if (!c.jit) return;
  c.guards = {c.ctx.make(Op::Eq, {c.ctx.make(Op::Mod, {c.x(), c.y()}), c.n(1)})};
  const Program plain = *compile(c.ctx, c.guards, c.layout);
  const std::size_t before = c.jit->bytes();
  {
    std::vector<Program> programs;
    for (int i = 0; i < 1000; ++i) programs.push_back(c.jit->translate(plain));
    CHECK(c.jit->bytes() > before + 1000 * 64);
    // Machine code instead of the interpreter's steps.
    CHECK(programs[7].bytes() > plain.bytes() - plain.code().step_count * sizeof(detail::Step));
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&programs, t] {
        for (std::size_t i = static_cast<std::size_t>(t); i < programs.size(); i += 4) programs[i] = Program();
      });
    for (auto& t : threads) t.join();
  }
  CHECK(c.jit->bytes() == before);
  Program last = c.jit->translate(plain);
  c.jit.reset();
  Snapshot s(2);
  s.set(0, 7), s.set(1, 3);
  CHECK(last.check(s) == kPass);
}

TEST_CASE("DIMGATE_JIT=0 is obeyed") {
  const char* before = std::getenv("DIMGATE_JIT");
  const std::string kept = before != nullptr ? before : "";
  setenv("DIMGATE_JIT", "0", 1);
  CHECK(Jit::create() == nullptr);
  if (before != nullptr)
    setenv("DIMGATE_JIT", kept.c_str(), 1);
  else
    unsetenv("DIMGATE_JIT");
}
