// What the parser says when text is wrong: place, what was expected, remedy. Exact texts.
#include <doctest/doctest.h>

#include "dimgate/expr.hpp"

using namespace dimgate;

namespace {

std::string error_of(std::string_view text, const ParseOptions& options = {}) {
  Context ctx;
  const auto e = parse(ctx, text, options);
  return e.ok() ? "no error: " + to_text(ctx, *e) : e.error().to_string();
}

}  // namespace

TEST_CASE("syntax") {
  CHECK(error_of("") == "1:1: expected a formula, found nothing");
  CHECK(error_of("a +") == "1:4: expected an operand after '+', found the end");
  CHECK(error_of("a + * b") == "1:5: expected an operand after '+', found '*'");
  CHECK(error_of("* b") == "1:1: expected an operand, found '*'");
  CHECK(error_of("a b") == "1:3: expected an operator, found 'b'");
  CHECK(error_of("(a + b") == "1:1: '(' is never closed");
  CHECK(error_of("a + b)") == "1:6: unmatched ')'");
  CHECK(error_of("(a + b]") == "1:7: expected ')' to close the '(' at column 1, found ']'");
  CHECK(error_of("a = b") == "1:3: unexpected '=': write '==' to compare");
  CHECK(error_of("a / b") == "1:3: unexpected '/': terms are integers, write '//' for floor division");
  CHECK(error_of("!a") == "1:1: unexpected '!': write 'not' (or '!=')");
  CHECK(error_of("a $ b") == "1:3: unexpected character '$'");
  CHECK(error_of("a + \xff") == "1:5: text is not UTF-8");
  CHECK(error_of("a + \xED\xA0\x80") == "1:5: text is not UTF-8");
  CHECK(error_of("12abc") == "1:1: malformed number '12abc'");
  CHECK(error_of("'abc") == "1:1: string without its closing '");
  CHECK(error_of("a, b") == "1:2: expected an operator or the end, found ','");
  CHECK(error_of("(a, b) == c") == "1:3: expected ')' or an operator, found ','");
  CHECK(error_of("[a, 1] == c") == "1:1: expected an operand, found '[': a set or list of terms can only follow 'in'");
  CHECK(error_of("a in b") == "1:6: expected a set such as {1, 2} after 'in', found 'b'");
  CHECK(error_of("a not b") == "1:3: expected an operator, found 'not' (did you mean 'not in'?)");
  CHECK(error_of("a == not b") == "1:6: expected an operand after '==', found 'not': put it in parentheses, (not ...)");
  CHECK(error_of("a in {1} + 2") ==
        "1:10: expected 'and', 'or' or the end after the set, found '+': put parentheses around the membership test");
  CHECK(error_of("a if b") == "1:7: expected 'else' to go with 'if', found the end");
  CHECK(error_of("(a if b)") == "1:8: expected 'else' to go with 'if', found ')'");
  CHECK(error_of("a else b") == "1:3: unexpected 'else' without 'if'");
  CHECK(error_of("a; b") == "1:2: expected one formula, found ';'");
  CHECK(error_of("x. + 1") == "1:4: expected a name after '.', found '+'");
  CHECK(error_of("a ** b") == "1:3: expected a constant exponent >= 0 after '**'");
  CHECK(error_of("a ** -1") == "1:3: expected a constant exponent >= 0 after '**'");
  CHECK(error_of("a ** 5000") == "1:3: expected an exponent of at most 4096 after '**'");
  CHECK(error_of("((9**4096)**4096)**4096") == "1:11: expected powers of at most 2^24 bits, found a larger one");
  CHECK(error_of("Piecewise(a)") == "1:11: expected '(value, condition)' in Piecewise, found 'a'");
  CHECK(error_of("Piecewise((a, b) + 1)") == "1:18: expected ',' or ')' after the Piecewise case, found '+'");
  CHECK(error_of("Piecewise((a))") == "1:13: expected ', condition' in the Piecewise case, found ')'");
  CHECK(error_of("Symbol(a)") == "1:8: expected a string in Symbol('...'), found 'a'");
}

TEST_CASE("functions") {
  CHECK(error_of("Mxa(a, b)") == "1:1: unknown function 'Mxa'; did you mean 'Max'?");
  CHECK(error_of("floor_div(a, b)") == "1:1: unknown function 'floor_div'; did you mean 'FloorDiv'?");
  CHECK(error_of("frobnicate(a)") == "1:1: unknown function 'frobnicate'");
  CHECK(error_of("1 + Mod(a)") == "1:5: 'Mod' takes 2 arguments, found 1");
  CHECK(error_of("max()") == "1:1: 'max' takes at least 1 argument, found 0");
  CHECK(error_of("abs(a, b)") == "1:1: 'abs' takes 1 argument, found 2");
}

TEST_CASE("places: lines, columns in characters, file") {
  ParseOptions options;
  options.file = "facts.txt";
  options.first_line = 7;
  CHECK(error_of("a +\n  b c", options) == "facts.txt:8:5: expected an operator, found 'c'");
  CHECK(error_of("\xCE\xB1\xCE\xB2 + \xCE\xB3 \xCE\xB4") == "1:8: expected an operator, found '\xCE\xB4'");
  CHECK(error_of("a\n\n+") == "3:2: expected an operand after '+', found the end");
  Context ctx;
  const auto list = parse_list(ctx, "a >= 1\nb >=\nc >= 1", options);
  REQUIRE_FALSE(list.ok());
  CHECK(list.error().to_string() == "facts.txt:8:5: expected an operand after '>=', found the end of the line");
}

TEST_CASE("sorts: both places are named") {
  CHECK(error_of("a + 1 == 2 and a == 'x'") == "1:16: 'a' is an Enum here ('==' ''x'') but an Int at 1:3 ('+')");
  CHECK(error_of("L['y'] == 1.5 or L['y'] < 2") == "1:18: 'L['y']' is an Int here ('<') but a Float at 1:11 ('1.5')");
  CHECK(error_of("p and p + 1 == 2") == "1:1: 'p' is a Bool here ('and') but an Int at 1:9 ('+')");
  CHECK(error_of("a == 1 & b == 2") ==
        "1:6: expected brackets around '1&b': bit operations bind tighter than '==', as in Python: write (a == b) & (c "
        "== d) for both, (a & b) == c for bits");
  CHECK(error_of("(a < b) + 1") == "1:4: '+' needs an Int, found '<', which is a Bool");
  CHECK(error_of("(a < b) == 1") ==
        "1:9: '==' needs operands of one sort, found '<', which is a Bool, and '1', which is an Int");
  CHECK(error_of("a in {1, 'x'}") == "1:1: 'a' is an Enum here ('in' ''x'') but an Int at 1:7 ('1')");
  ParseOptions formula;
  formula.sort = Sort::Bool;
  CHECK(error_of("a + 1", formula) == "1:3: expected a formula (Bool), found an Int");
  formula.sort = Sort::Int;
  CHECK(error_of("a == 1", formula) == "1:3: expected a term (Int), found a Bool");
}

TEST_CASE("declared symbols") {
  Context ctx;
  ctx.symbol("height");
  ctx.symbol("p", Sort::Bool);
  ParseOptions declared;
  declared.declared_only = true;
  const auto text = [&](std::string_view formula) {
    const auto e = parse(ctx, formula, declared);
    return e.ok() ? std::string("no error") : e.error().to_string();
  };
  CHECK(text("height > 2 and p") == "no error");
  CHECK(text("heigth > 2") == "1:1: unknown symbol 'heigth'; did you mean 'height'?");
  CHECK(text("1 < width") == "1:5: unknown symbol 'width'; declared are height, p");
  CHECK(text("height == 'x'") == "1:1: 'height' is an Enum here ('==' ''x'') but was declared an Int");
  CHECK(ctx.symbol_count() == 2);
}

TEST_CASE("messages are one line, whatever the text") {
  for (const std::string_view text : {"a 'x\\\ny'", "a \x01", "\xff\xfe", "a\n\n b", "'\n'", "(((\n"}) {
    const std::string message = error_of(text);
    CHECK(message.find('\n') == std::string::npos);
    CHECK(message.size() < 200);
  }
  CHECK(error_of("a " + std::string(1000, 'b')).size() < 100);
}

TEST_CASE("a call that the language does not know is no symbol") {
  CHECK(error_of("math.frob(s0) > 3") == "1:1: unknown function 'math.frob'");
  CHECK(error_of("np.Mxa(s0) > 3") == "1:1: unknown function 'np.Mxa'; did you mean 'Max'?");
  CHECK(error_of("math.frob(7) == 3") == "1:1: unknown function 'math.frob'");
  CHECK(error_of("helper.scale(s0) == 3") == "1:1: unknown function 'helper.scale'");
  CHECK(error_of("bool(s0)") == "1:1: unknown function 'bool'");
  // What a front end reads takes constants, or begins at a subscript.
  for (const char* read : {"L['x'].size()[0] == 3", "x.size(0) == 3", "x.stride()[-1] == 1", "d.get('a') == 3",
                           "len(L['x']) == 3", "dict.keys(G['d'])[1] == 'a'", "torch.is_grad_enabled() == True",
                           "x.is_contiguous(memory_format=torch.channels_last) == True"})
    CHECK(error_of(read).starts_with("no error"));
}

TEST_CASE("constants of other languages are constants, never symbols") {
  CHECK(error_of("true or x == 1") == "no error: True or x == 1");
  CHECK(error_of("x == 1 and not false") == "no error: x == 1 and not False");
  CHECK(error_of("none == 1") == "1:1: 'none' is not a symbol: write None");
  CHECK(error_of("x is null") == "1:6: 'null' is not a symbol: write None");
  CHECK(error_of("and == 1") == "1:1: expected an operand, found 'and'");
  Context ctx;
  const Expr odd = ctx.symbol("true", Sort::Bool);
  CHECK(to_text(ctx, odd) == "Symbol('true')");
  CHECK(parse(ctx, "Symbol('true')").value() == odd);
}
