// Size: deep, wide and shared formulas compile in near-linear time, without recursion, and still agree with the
// reference.
#include <doctest/doctest.h>

#include "dimgate/compile.hpp"
#include "program/code.hpp"

using namespace dimgate;

namespace {

struct Case {
  Context ctx;
  Layout layout;
  Expr symbol(const std::string& name) {
    layout.add(name);
    return ctx.symbol(name);
  }
  void agrees(std::span<const Expr> guards, std::int64_t first, std::int64_t last) {
    const auto program = compile(ctx, guards, layout);
    REQUIRE_MESSAGE(program.ok(), (program.ok() ? "" : program.error().to_string()));
    Snapshot s(layout.size());
    Assignment a;
    for (std::int64_t v = first; v <= last; ++v) {
      for (SlotIndex i = 0; i < layout.size(); ++i) {
        s.set(i, v + static_cast<std::int64_t>(i % 5));
        a.set(ctx.symbol(layout[i].name), Value::of(s.raw(i)));
      }
      bool pass = true;
      for (const Expr g : guards) pass = pass && evaluate(ctx, g, a).is_true();
      CHECK((program->check(s) == kPass) == pass);
    }
  }
};

}  // namespace

TEST_CASE("a sum nested 100,000 deep") {
  Case c;
  const Expr x = c.symbol("x");
  Expr sum = c.ctx.integer(0);
  for (int i = 0; i < 100'000; ++i) sum = c.ctx.make(Op::Add, {x, sum});
  const Expr g = c.ctx.make(Op::Eq, {sum, c.ctx.integer(200'000)});
  c.agrees({&g, 1}, 0, 4);
  // Its bound is 100,000 * 2^63, not 2^100,000.
  CHECK(compile(c.ctx, {&g, 1}, c.layout)->bits() == 80);
}

TEST_CASE("connectives nested 100,000 deep") {
  Case c;
  const Expr x = c.symbol("x"), y = c.symbol("y");
  Expr f = c.ctx.make(Op::Gt, {x, y});
  for (int i = 0; i < 100'000; ++i) {
    const Expr atom = c.ctx.make(i % 2 == 0 ? Op::Eq : Op::Ne, {i % 3 == 0 ? x : y, c.ctx.integer(i % 7)});
    f = i % 5 == 4 ? c.ctx.make(Op::Not, {f}) : c.ctx.make(i % 2 == 0 ? Op::Or : Op::And, {f, atom});
  }
  c.agrees({&f, 1}, -1, 8);
}

TEST_CASE("iff nested 20,000 deep, each operand used twice") {
  Case c;
  const Expr x = c.symbol("x"), y = c.symbol("y");
  Expr f = c.ctx.make(Op::Gt, {c.ctx.make(Op::FloorDiv, {x, y}), c.ctx.integer(0)});
  for (int i = 0; i < 20'000; ++i) {
    const Expr atom = c.ctx.make(Op::Lt, {x, c.ctx.integer(i % 7)});
    f = c.ctx.make(Op::Iff, {c.ctx.make(Op::Or, {f, atom}), c.ctx.make(Op::And, {f, c.ctx.make(Op::Not, {atom})})});
  }
  c.agrees({&f, 1}, -2, 8);
}

TEST_CASE("a big term shared by 300 guards is computed once") {
  Case c;
  const Expr x = c.symbol("x");
  Expr t = x;
  for (int i = 0; i < 2'000; ++i) t = c.ctx.make(Op::Mod, {c.ctx.make(Op::Add, {t, x}), c.ctx.integer(1000 + i)});
  std::vector<Expr> guards;
  for (int i = 0; i < 300; ++i)
    guards.push_back(c.ctx.make(
        Op::Or, {c.ctx.make(Op::Eq, {x, c.ctx.integer(-i - 1)}), c.ctx.make(Op::Ne, {t, c.ctx.integer(i + 5000)})}));
  const auto p = compile(c.ctx, guards, c.layout);
  REQUIRE(p.ok());
  CHECK(p->code().code.size() < 12'000);
  c.agrees(guards, 3, 4);
}

TEST_CASE("10,000 guards on 10,000 slots, and a distinct of 1,000") {
  Case c;
  std::vector<Expr> guards, symbols;
  for (int i = 0; i < 10'000; ++i) {
    symbols.push_back(c.symbol("s" + std::to_string(i)));
    guards.push_back(c.ctx.make(Op::Le, {c.ctx.integer(-5), symbols.back()}));
  }
  c.agrees(guards, -6, -4);
  const Expr d = c.ctx.make(Op::Distinct, std::span(symbols).first(1000));
  c.agrees({&d, 1}, 0, 0);
  Snapshot s(c.layout.size());
  for (SlotIndex i = 0; i < 1000; ++i) s.set(i, (static_cast<std::int64_t>(i) * 7919) % 1009);
  const auto p = compile(c.ctx, {&d, 1}, c.layout);
  CHECK(p->check(s) == kPass);
  s.set(999, s.raw(3));
  CHECK(p->check(s) == 0);
}

TEST_CASE("what is too large is refused by name") {
  Case c;
  const Expr x = c.symbol("x");
  Expr p = x;
  for (int i = 0; i < 7; ++i) p = c.ctx.make(Op::Mul, {p, p});  // x ** 128: 8192 bits
  const Expr ok = c.ctx.make(Op::Ge, {x, c.ctx.integer(0)});
  const std::vector<Expr> guards{ok, c.ctx.make(Op::Eq, {p, c.ctx.integer(0)})};
  const auto r = compile(c.ctx, guards, c.layout);
  REQUIRE(!r.ok());
  CHECK(r.error().message.starts_with("guard 1"));
  CHECK(r.error().message.find("bits, more than 4096") != std::string::npos);

  const std::vector<Expr> tower{x, c.ctx.integer(1'000'000'000)};  // refused before there is a node
  CHECK(c.ctx.check(Op::Pow, tower).has_value());

  std::vector<Expr> many;
  for (int i = 0; i < 20'000; ++i) many.push_back(c.ctx.make(Op::Mul, {c.symbol("y" + std::to_string(i)), x}));
  const Expr wide = c.ctx.make(Op::Distinct, many);
  CHECK(compile(c.ctx, {&wide, 1}, c.layout).error().message.find("more than the exact path has room for") !=
        std::string::npos);
}

TEST_CASE("errors name the symbol, the sort, the guard") {
  Case c;
  const Expr x = c.symbol("x");
  const Expr unknown = c.ctx.make(Op::Eq, {c.ctx.symbol("nowhere"), x});
  CHECK(compile(c.ctx, {&unknown, 1}, c.layout).error().message ==
        "no slot for symbol `nowhere`: add it to the layout before compiling");
  const Expr flag = c.ctx.symbol("flag", Sort::Bool);
  c.layout.add("flag");
  CHECK(compile(c.ctx, {&flag, 1}, c.layout).error().message == "symbol `flag` is Bool, its slot holds Int");
  CHECK(compile(c.ctx, {&x, 1}, c.layout).error().message == "guard 0 `x` is Int, a guard must be Bool");
}
