// Scene 1: a front end's shape code runs on symbols; what it asks becomes guards.
#include <functional>

#include "dimgate/frontend.hpp"
#include "report/demo.hpp"
#include "report/entries.hpp"

namespace dimgate::report {

namespace {

/// A line of the program: what it says, and what it does; it returns what is worth showing.
struct Line {
  std::string text;
  std::function<std::string()> run;
};

std::string answer(bool yes) { return yes ? "True" : "False"; }

}  // namespace

Json tracing_scene(Prover& prover, FormulaTable& formulas) {
  TracedCall call(prover);
  Context& ctx = call.context;
  Tracer& tracer = call.tracer;
  SymInt n;
  SymInt padded;
  SymInt blocks;
  const std::vector<Line> lines{
      {"n = ids.size(1)",
       [&] {
         n = tracer.size("n", 374);
         return n.to_string() + "   (374 in this call)";
       }},
      {"if n % 8 != 0:", [&] { return answer(static_cast<bool>(n % 8 != 0)); }},
      {"    ids = pad(ids, 8 - n % 8)",
       [&] {
         padded = n + 8 - n % 8;
         return padded.to_string();
       }},
      {"assert ids.size(1) % 8 == 0", [&] { return answer(static_cast<bool>(padded % 8 == 0)); }},
      {"blocks = ids.size(1) // 8",
       [&] {
         blocks = padded / 8;
         return blocks.to_string();
       }},
      {"if blocks > 512: raise", [&] { return answer(static_cast<bool>(blocks > 512)); }},
      {"if ids.size(1) > 4096: raise", [&] { return answer(static_cast<bool>(padded > 4096)); }},
      {"use_small_kernel = n >= 1", [&] { return answer(static_cast<bool>(n >= 1)); }},
  };
  Json steps = Json::array();
  unsigned number = 0;
  call.run([&] {
    for (const Line& line : lines) {
      const std::size_t before = tracer.guards().size();
      const TraceStatistics asked = tracer.statistics();
      const Tracer::Scope scope(tracer, "", Location{"model.py", ++number, "forward"});
      Json step{{"line", line.text}, {"value", line.run()}};
      Json recorded = Json::array();
      for (std::size_t i = before; i < tracer.guards().size(); ++i) {
        const Expr e = tracer.guards()[i].formula;
        recorded.push_back(formulas.add(ctx, e, to_text(ctx, e)));
      }
      const TraceStatistics& now = tracer.statistics();
      std::string note;
      if (now.recorded > asked.recorded)
        note = "decided by the hint, and recorded as a guard";
      else if (now.known > asked.known)
        note = "known from earlier guards: no guard";
      else if (now.repeated > asked.repeated)
        note = "asked before: no guard";
      else
        note = step["value"] == "True" || step["value"] == "False" ? "settled by arithmetic alone: no guard"
                                                                   : "arithmetic: nothing is decided";
      step["recorded"] = recorded;
      step["note"] = note;
      steps.push_back(std::move(step));
    }
  });
  const Minimised minimal = call.minimal();
  Json after = Json::array();
  for (const Expr e : minimal.readable) after.push_back(formulas.add(ctx, e, to_pretty(ctx, e)));
  const TraceStatistics& s = tracer.statistics();
  return {{"id", "trace"},
          {"title", "Tracing with symbols makes guards"},
          {"kind", "trace"},
          {"text",
           "The front end runs its shape code once, on a symbol in place of the length. Arithmetic builds terms. Where "
           "the code needs a yes or a no, the value of this call (the hint) decides, and the condition of that branch "
           "becomes a guard: the path condition is the guard set."},
          {"ok", call.outcome.ok()},
          {"steps", steps},
          {"after", after},
          {"counts", counted(s.decisions, "decision") + ", " + std::to_string(s.recorded) + " recorded, " +
                         std::to_string(s.known) + " known from earlier ones; after simplification " +
                         counted(minimal.readable.size(), "guard")}};
}

}  // namespace dimgate::report
