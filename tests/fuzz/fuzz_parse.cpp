// libFuzzer target: any bytes through the formula reader (first byte even) or the JSON reader (odd).
// Whatever parses must print as text that reads back to the same node, and its canonical form must agree with the raw
// tree at a few points; whatever does not must be told in one short line.
// Run: ./dev fuzz parse 120
// Normal test runs drive it with seeded mutations of known formulas (fuzz_parse_test.cpp).
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "dimgate/expr.hpp"

using namespace dimgate;

namespace {

std::string_view now;  // the input being tried, for the report

void require(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "%s: %.*s\n", what, static_cast<int>(now.size()), now.data());
  std::abort();
}

Value value_for(Sort sort, int round) {
  switch (sort) {
    case Sort::Int:
      return Value::of(round - 1);
    case Sort::Bool:
      return Value::of(round % 2 == 0);
    case Sort::Float:
      return Value::of_float_bits(round == 0 ? 0x7ff8000000000000ULL : 1ULL << 63U);
    case Sort::Enum:
      return Value::of_enum(round == 0 ? "None" : "cuda:0");
  }
  return {};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  now = text;
  Context ctx;
  const Result<Expr> e = data[0] % 2 == 0 ? parse(ctx, text) : from_json(ctx, text);
  if (!e) {
    const std::string message = e.error().to_string();
    require(message.find('\n') == std::string::npos && message.size() < 600, "message not one short line");
    return 0;
  }
  if (e->node()->weight > 20000) return 0;  // a chain within a chain shares its middle: a small DAG, a huge tree
  const Result<Expr> back = parse(ctx, to_text(ctx, *e));
  require(back.ok() && *back == *e, "text does not read back");
  const Result<Expr> json = from_json(ctx, to_json(ctx, *e));
  require(json.ok() && *json == *e, "JSON does not read back");
  (void)to_pretty(ctx, *e);
  (void)to_latex(ctx, *e);
  (void)to_mathml(ctx, *e);
  (void)to_smt2(ctx, *e);
  (void)to_python(ctx, *e);
  (void)to_c(ctx, *e);
  if (e->node()->weight > 2000 || text.find("**") != std::string_view::npos ||
      text.find("ow") != std::string_view::npos)
    return 0;  // not a test of how large numbers may grow
  const Expr canonical = ctx.canonical(*e);
  for (int round = 0; round < 4; ++round) {
    Assignment at;
    for (std::uint32_t i = 0; i < ctx.symbol_count(); ++i)
      at.set(ctx.symbol_at(i), value_for(ctx.symbol_at(i).sort(), round));
    require(evaluate(ctx, *e, at) == evaluate(ctx, canonical, at), "canonical form differs from the raw tree");
  }
  return 0;
}
