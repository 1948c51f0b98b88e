// Scene 2: a guard set is checked against snapshots.
#include "dimgate/compile_tree.hpp"
#include "dimgate/guard_builder.hpp"
#include "dimgate/guard_kinds.hpp"
#include "dimgate/guard_text.hpp"
#include "report/demo.hpp"
#include "report/demo_worlds.hpp"

namespace dimgate::report {

namespace {

struct NamedWorld {
  std::string name;
  World world;
};

/// One world against the guards of another, test by test in the tree's order, until one fails.
Json check_json(Context& ctx, const GuardSet& guards, const GuardTree& tree, const WorldLayout& layout,
                const NamedWorld& call) {
  const Layout& slots = layout.layout();
  WorldReader reader(layout);
  reader.bind(call.world);
  LazySnapshot lazy(slots);
  lazy.begin(reader);
  const std::int32_t verdict = tree.check(lazy);
  const Snapshot all = observe(layout, call.world);
  Json steps = Json::array();
  std::vector<bool> seen(guards.size());
  for (const std::uint32_t g : tree.order()) {
    if (seen[g]) continue;
    seen[g] = true;
    const bool reached = verdict == kPass || steps.empty() || steps.back()["state"] == "holds";
    const bool fails = verdict != kPass && static_cast<std::uint32_t>(verdict) == g;
    Json step{{"guard", g}, {"state", fails ? "fails" : reached ? "holds" : "not read"}};
    if (reached) step["reads"] = reads_text(ctx, guards[g], slots, all);
    if (fails) {
      const GuardFailure f = explain_failure(ctx, guards[g], slots, all);
      step["failure"] = f.whole.empty() ? f.text : f.whole;
      step["expected"] = f.expected;
      step["actual"] = f.actual;
    }
    steps.push_back(std::move(step));
  }
  return {{"name", call.name},
          {"verdict", verdict == kPass ? "hit" : "recompile"},
          {"steps", steps},
          {"reads", lazy.reads()}};
}

}  // namespace

Json checking_scene(FormulaTable& formulas) {
  Context ctx;
  WorldLayout layout;
  const World observed = world_of(tensor({2, 3}, "cuda:0"));
  std::vector<NamedWorld> calls{{"the same again", observed},
                                {"another length: (2, 4)", world_of(tensor({2, 4}, "cuda:0"))},
                                {"another device: cpu", world_of(tensor({2, 3}, "cpu"))},
                                {"under no_grad", observed}};
  calls.back().world.state.grad_mode = false;
  layout.extend(observed);
  for (const NamedWorld& call : calls) layout.extend(call.world);
  GuardBuilder builder(ctx, layout, observe(layout, observed));
  for (const char* used : {"L['x']", "L['batch']['ids']", "grad_mode"}) static_cast<void>(builder.used(used));
  const Result<GuardSet> guards = builder.build();
  if (!guards) return {};
  std::vector<Expr> exprs;
  Json listed = Json::array();
  for (const Guard& g : guards->all()) {
    exprs.push_back(g.formula);
    listed.push_back({{"f", formulas.add(ctx, g.formula, to_text(ctx, g.formula))},
                      {"kind", std::string(to_string(g.kind))},
                      {"family", std::string(to_string(family(g.kind)))},
                      {"words", g.reason}});
  }
  const Result<GuardTree> tree = compile_tree(ctx, exprs, layout.layout());
  if (!tree) return {};
  Json checks = Json::array();
  for (const NamedWorld& call : calls) checks.push_back(check_json(ctx, *guards, *tree, layout, call));
  return {
      {"id", "check"},
      {"title", "A guard set is checked against a snapshot"},
      {"kind", "check"},
      {"text",
       "GuardBuilder takes a picture of what the compiled code used: x is a (2, 3) float32 tensor on cuda:0, a key of "
       "a dict, the grad mode. On a call the guards are tried in order, cheap ones first, and what makes a value "
       "readable before what reads it. The first that is not true ends the check: the rest is not even read."},
      {"guards", listed},
      {"checks", checks}};
}

}  // namespace dimgate::report
