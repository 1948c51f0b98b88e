// What trees the parser makes.
#include <doctest/doctest.h>

#include <limits>

#include "dimgate/expr.hpp"

using namespace dimgate;

namespace {

struct Reads {
  Context ctx;
  Expr operator()(std::string_view text, std::optional<Sort> sort = {}) {
    ParseOptions options;
    options.sort = sort;
    auto e = parse(ctx, text, options);
    REQUIRE_MESSAGE(e.ok(), text << ": " << (e.ok() ? std::string() : e.error().to_string()));
    return *e;
  }
  // Two spellings of one tree.
  void same(std::string_view left, std::string_view right) {
    const Expr l = operator()(left), r = operator()(right);
    CHECK_MESSAGE(l == r, left << " is " << to_text(ctx, l) << ", " << right << " is " << to_text(ctx, r));
  }
};

}  // namespace

TEST_CASE("precedence is Python's") {
  Reads r;
  r.same("a + b*c", "a + (b*c)");
  r.same("a - b - c", "(a - b) - c");
  r.same("a//b//c", "(a//b)//c");
  r.same("a*b % c//d", "((a*b) % c)//d");
  r.same("-a**2", "-(a**2)");
  r.same("2**3**2 == 512", "2**9 == 512");
  r.same("-a*b", "(-a)*b");
  r.same("a - -b", "a - (-b)");
  r.same("+a + +b", "a + b");
  r.same("not a == b", "not (a == b)");
  r.same("not p and q or s", "((not p) and q) or s");
  r.same("p or q and s", "p or (q and s)");
  r.same("a < b and c < d or e < f", "((a < b) and (c < d)) or (e < f)");
  r.same("~p & q | s", "((not p) and q) or s");
  r.same("x if p else y if q else z", "x if p else (y if q else z)");
  r.same("x + 1 if a < b else y", "(x + 1) if (a < b) else y");
  r.same("(a==1) & (b==2)", "a == 1 and b == 2");
  r.same("s == q & p", "s == (q and p)");
}

TEST_CASE("a run of one operator is one node, brackets start another") {
  Reads r;
  CHECK(r("a + b + c").size() == 3);
  CHECK(r("(a + b) + c").size() == 2);
  CHECK(r("a + (b + c)").size() == 2);
  CHECK(r("a*b*c*d").size() == 4);
  CHECK(r("p and q and s").size() == 3);
  CHECK(r("p & q & s").size() == 3);
  CHECK(r("a + b - c + d").op() == Op::Add);
  CHECK(r("a + b - c + d")[0].op() == Op::Sub);
}

TEST_CASE("chains of comparisons are conjunctions of their links") {
  Reads r;
  r.same("2 <= a <= 8", "2 <= a and a <= 8");
  r.same("a == b == c", "a == b and b == c");
  r.same("a < b <= c != d > e", "a < b and b <= c and c != d and d > e");
  r.same("0 < a in {1, 2}", "0 < a and a in {1, 2}");
  r.same("(a < b) == (c < d)", "Eq(a < b, c < d)");
}

TEST_CASE("membership") {
  Reads r;
  const Expr in = r("a in {2, 4}");
  CHECK(in.op() == Op::In);
  CHECK(in.size() == 3);
  r.same("a in (2, 4)", "a in {2, 4}");
  r.same("a in [2, 4,]", "a in {2, 4}");
  r.same("a in (2)", "a in {2}");
  r.same("a not in {2, 4}", "not (a in {2, 4})");
  r.same("a in {b + 1, c if p else d}", "a in {(b + 1), (c if p else d)}");
  CHECK(r("a in {}").size() == 1);
  r.same("a in {1} and b in {2} or c in {3}", "((a in {1}) and (b in {2})) or (c in {3})");
  const Expr tuples = r("shape in {(1, 1), (2, 2)}");
  CHECK(tuples[1].op() == Op::EnumConst);
}

TEST_CASE("calls, in every spelling") {
  Reads r;
  r.same("Eq(Mod(a, 8), 0)", "a % 8 == 0");
  r.same("Ne(PythonMod(a, 8), FloorDiv(b, 2))", "a % 8 != b//2");
  r.same("Lt(a, b) & Le(a, b) & Gt(a, b) & Ge(a, b)", "a < b and a <= b and a > b and a >= b");
  r.same("CleanDiv(a, b)", "a//b");
  r.same("CeilDiv(a, b)", "ceildiv(a, b)");
  r.same("Max(a, b, c)", "max(a, b, c)");
  r.same("Min(a, 1)", "min(a, 1)");
  r.same("Abs(a)", "abs(a)");
  r.same("Where(a > b, a, b)", "a if a > b else b");
  r.same("And(a > b, Or(p, q), Not(q))", "a > b and (p or q) and not q");
  r.same("ModularIndexing(a, 4, 8)", "a//4 % 8");
  r.same("Identity(a) + 1", "a + 1");
  r.same("torch.sym_max(a, b)", "max(a, b)");
  r.same("implies(p, q)", "Implies(p, q)");
  CHECK(r("iff(p, q)").op() == Op::Iff);
  CHECK(r("distinct(a, b, c)").op() == Op::Distinct);
  CHECK(r("divides(4, a)").op() == Op::Divides);
  CHECK(r("same_bits(u, -0.0)").op() == Op::SameBits);
  CHECK(r("isnan(u)").op() == Op::IsNan);
  r.same("max(a, b,)", "max(a, b)");
}

TEST_CASE("Piecewise: the first case that holds, undefined where none does") {
  Reads r;
  r.same("Piecewise((a, a > b), (b, True))", "a if a > b else b");
  r.same("Piecewise((1, p), (2, q), (3, True))", "1 if p else (2 if q else 3)");
  const Expr open = r("Piecewise((a, a > b)) == 1");
  Assignment at;
  at.set(r.ctx.symbol("a"), Value::of(1));
  at.set(r.ctx.symbol("b"), Value::of(0));
  CHECK(evaluate(r.ctx, open, at).is_true());
  at.set(r.ctx.symbol("b"), Value::of(5));
  CHECK(evaluate(r.ctx, open, at).is_undefined());
  const Expr names = r("Piecewise(('x', a > b)) == 'x'");
  CHECK(evaluate(r.ctx, names, at).is_undefined());
}

TEST_CASE("sources are symbols under their normal spelling") {
  Reads r;
  const auto name = [&](std::string_view text) { return r.ctx.symbol_name(r(text)); };
  CHECK(name("L['x'].size()[0]") == "L['x'].size()[0]");
  CHECK(name("L[\"x\"] . size( ) [ 0 ]") == "L['x'].size()[0]");
  CHECK(name("self._modules['a'].weight.stride()[1]") == "self._modules['a'].weight.stride()[1]");
  CHECK(name("___as_tensor(L['n']).item()") == "___as_tensor(L['n']).item()");
  CHECK(name("len(L['d'])") == "len(L['d'])");
  CHECK(name("x.size(0)") == "x.size(0)");
  CHECK(name("G['torch'].foo[3]") == "G['torch'].foo[3]");
  CHECK(name("hasattr(L['x'],'_dynamo_dynamic_indices')") == "hasattr(L['x'], '_dynamo_dynamic_indices')");
  CHECK(name("L['self'].param_groups[0]['betas'][0]") == "L['self'].param_groups[0]['betas'][0]");
  CHECK(name("L['it\\'s']") == "L[\"it's\"]");
  CHECK(name("Symbol('any text')") == "any text");
  CHECK(name("\xCE\xB1") == "\xCE\xB1");
  CHECK(r("L['x'].size()[0] + L[\"x\"].size()[0]").node()->args()[0] == r("L['x'].size()[0]").node());
}

TEST_CASE("constants") {
  Reads r;
  CHECK(r("12_345").integer() == Integer(12345));
  CHECK(r("0x10").integer() == Integer(16));
  CHECK(r("-9223372036854775808").integer() == Integer(std::numeric_limits<std::int64_t>::min()));
  CHECK(r("340282366920938463463374607431768211456").integer() ==
        *Integer::parse("340282366920938463463374607431768211456"));
  CHECK(r("True").is_true());
  CHECK(r("False").is_false());
  const auto bits = [&](std::string_view text) { return r(text).float_bits(); };
  CHECK(bits("1.5") == 0x3ff8000000000000ULL);
  CHECK(bits("1e-5") == 0x3ee4f8b588e368f1ULL);
  CHECK(bits(".5") == bits("5e-1"));
  CHECK(bits("-0.0") == 0x8000000000000000ULL);
  CHECK(bits("nan") == 0x7ff8000000000000ULL);
  CHECK(bits("-inf") == 0xfff0000000000000ULL);
  CHECK(bits("1e999") == bits("inf"));
  CHECK(bits("1e-999") == bits("0.0"));
  CHECK(bits("0.0000000001e310") == bits("1e300"));
  CHECK(bits("float('nan')") == bits("nan"));
  CHECK(bits("float('-inf')") == bits("-inf"));
  CHECK(bits("float_bits(0x7ff8000000000001)") == 0x7ff8000000000001ULL);
  CHECK(bits("float_bits(0xffffffffffffffff)") == 0xffffffffffffffffULL);
  CHECK(bits("0.9499993141552187") != bits("0.9499993141552188"));
  const auto name = [&](std::string_view text) { return r.ctx.enum_name(r(text)); };
  CHECK(name("'cuda:0'") == "cuda:0");
  CHECK(name("\"cuda:0\"") == "cuda:0");
  CHECK(name("torch.float32") == "torch.float32");
  CHECK(name("'torch.float32'") == "torch.float32");
  CHECK(name("None") == "None");
  CHECK(name("'None'") == "'None'");  // not None
  CHECK(name("(1,1)") == "(1, 1)");
  CHECK(name("['foo', \"bar\"]") == "['foo', 'bar']");
  CHECK(name("()") == "()");
  CHECK(name("'\\x41\\u00e9\\n'") == "A\xC3\xA9\n");
}

TEST_CASE("lists of formulas") {
  Context ctx;
  auto list = parse_list(ctx, "a >= 1; b >= 1 ;\n\n# a comment\nmax(a,\n    b) == 5  # why\n;;");
  REQUIRE(list.ok());
  REQUIRE(list->size() == 3);
  CHECK(to_text(ctx, (*list)[2]) == "max(a, b) == 5");
  CHECK(parse_list(ctx, "")->empty());
  CHECK(parse_list(ctx, " \n # nothing\n")->empty());
  CHECK(parse(ctx, "a >=\n 1  # one formula over two lines").ok());
  CHECK_FALSE(parse(ctx, "a; b").ok());
  CHECK_FALSE(parse(ctx, "").ok());
}

TEST_CASE("nothing is added to the Context when the text is wrong") {
  Context ctx;
  CHECK_FALSE(parse(ctx, "zz + 1 == 2 and zz == 'a'").ok());
  CHECK_FALSE(parse(ctx, "yy + ").ok());
  CHECK_FALSE(parse(ctx, "xx ** 5000").ok());
  CHECK(ctx.symbol_count() == 0);
}
