// A shared object with the whole library in it: a guard parsed, compiled to machine code, and checked.
#include "dimgate/compile.hpp"
#include "dimgate/expr.hpp"
#include "dimgate/program.hpp"

/// How many of the values -8 to 63 are judged wrongly: 0.
extern "C" int plugin_wrong_answers() {
  using namespace dimgate;
  Context ctx;
  Layout layout;
  layout.add("n");
  const auto guards = parse_list(ctx, "n % 8 == 0");
  if (!guards) return -1;
  const auto program = compile(ctx, *guards, layout);
  if (!program) return -2;
  int wrong = 0;
  for (int n = -8; n < 64; ++n) {
    Snapshot at(1);
    at.set(0, n);
    wrong += (program->check(at) == kPass) != (n % 8 == 0) ? 1 : 0;
  }
  return wrong;
}
