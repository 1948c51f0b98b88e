// From shape code to a checker: trace once, see which guards came out and why, make them fewer, check calls with them.
// The README shows this program.
#include <iostream>

#include "dimgate/compile.hpp"
#include "dimgate/simplify.hpp"
#include "dimgate/trace.hpp"

using namespace dimgate;

int main() {
  Context ctx;
  NativeProver prover;
  Tracer tracer(ctx, prover);

  // Ordinary shape code on symbols; 374 is what this call happened to have.
  const SymInt n = tracer.size("L['ids'].size()[1]", 374);
  SymInt padded = n;
  if (n % 8 != 0) padded = n + 8 - n % 8;  // a branch: recorded
  if (padded % 8 != 0) return 1;           // known from it: costs no guard
  if (padded > 4096) return 1;             // a branch: recorded

  std::vector<Expr> guards;
  for (const Guard& g : tracer.guards().all()) {
    guards.push_back(g.formula);
    std::cout << "recorded: " << to_text(ctx, g.formula) << "   line " << g.where.line << '\n';
  }
  const Minimised fewest = minimise(prover, tracer.facts(), guards);
  for (const Expr e : fewest.readable) std::cout << "guard: " << to_text(ctx, e) << '\n';

  // Machine form: slots in, pass or the first failing guard out. No allocation, no lock, no solver.
  Layout layout;
  layout.add_tensor("L['ids']", 2);
  const Program program = *compile(ctx, fewest.readable, layout);
  Snapshot call(layout.size());
  bool right = true;
  for (const std::int64_t length : {37, 376, 4089, 4097}) {
    call.set(layout.find("L['ids'].dim()"), 2);
    call.set(layout.find("L['ids'].size()[1]"), length);
    const bool hit = program.check(call) == kPass;
    std::cout << "length " << length << ": " << (hit ? "hit" : "recompile") << '\n';
    right = right && hit == (length % 8 != 0 && (length + 7) / 8 * 8 <= 4096);
  }
  return right ? 0 : 1;
}
