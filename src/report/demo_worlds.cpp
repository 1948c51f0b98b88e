// Scenes 2 to 5: worlds, their guards, and what a cache makes of streams of them.
#include <functional>

#include "dimgate/compile_tree.hpp"
#include "dimgate/guard_builder.hpp"
#include "dimgate/guard_kinds.hpp"
#include "dimgate/guard_text.hpp"
#include "report/demo.hpp"
#include "report/demo_engine.hpp"
#include "report/entries.hpp"

namespace dimgate::report {

namespace {

TensorDescription tensor(std::vector<std::int64_t> sizes, std::string device) {
  TensorDescription t;
  t.sizes = std::move(sizes);
  t.device = std::move(device);
  return t;
}

World world_of(TensorDescription x) {
  World w;
  w.code = "forward";
  w.caller = "training loop";
  w.arguments = {{"x", WorldValue::of(std::move(x))},
                 {"batch", WorldValue::dict({{"ids", WorldValue::of(std::int64_t{1})}})}};
  return w;
}

std::string sizes_text(const TensorDescription& x) {
  std::string out = "(";
  for (std::size_t i = 0; i < x.sizes.size(); ++i) out += (i == 0 ? "" : ", ") + std::to_string(x.sizes[i]);
  return out + ")";
}
std::string shape_text(const TensorDescription& x) { return sizes_text(x) + " " + x.device; }

std::string percent(const CacheStatistics& s) {
  const std::uint64_t parts = (s.hits * 20000 / s.calls() + 1) / 2;  // hundredths, rounded
  const std::string cents = std::to_string(parts % 100);
  return std::to_string(parts / 100) + "." + (cents.size() < 2 ? "0" : "") + cents;
}

/// What a guard is given: its slots with the values seen.
std::string reads_text(Context& ctx, const Guard& g, const Layout& layout, SnapshotView at) {
  std::string out;
  for (const Expr s : symbols_of(ctx, g.formula)) {
    const Value v = value_at(ctx, s, layout, at);
    out += (out.empty() ? "" : ", ") + ctx.symbol_name(s) + " = " + (v.is_undefined() ? "missing" : v.to_string());
  }
  return out;
}

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

Json stream_scene(FormulaTable&) {
  const std::vector<TensorDescription> stream{tensor({2, 3}, "cuda"), tensor({2, 3}, "cuda"), tensor({2, 4}, "cuda"),
                                              tensor({2, 4}, "cuda"), tensor({2, 4}, "cpu"),  tensor({2, 4}, "cpu")};
  const std::vector<std::string> uses{"L['x'].size()[0]", "L['x'].size()[1]", "L['x'].device", "L['x'].dtype"};
  Json runs = Json::array();
  for (const bool symbolic : {false, true}) {
    DemoEngine engine(uses, symbolic ? std::set<std::string>{"L['x'].size()[1]"} : std::set<std::string>{});
    Json calls = Json::array();
    for (const TensorDescription& x : stream) {
      const std::string code = "opt_" + (symbolic ? "(2, s0)" : sizes_text(x)) + "_" + x.device + "_" +
                               x.dtype.substr(x.dtype.find('.') + 1);
      const DemoEngine::Call c = engine.call(world_of(x), code);
      Json entries = Json::array();
      for (const auto& [label, guards] : c.entries) entries.push_back({{"label", label}, {"guards", guards}});
      Json failed = Json::array();
      for (const auto& [label, text] : c.failed) failed.push_back({label, text});
      calls.push_back({{"call", shape_text(x)},
                       {"outcome", c.outcome == Outcome::hit           ? "hit"
                                   : engine.statistics().compiles == 1 ? "first compile"
                                                                       : "recompile"},
                       {"entry", c.entry},
                       {"failed", failed},
                       {"entries", entries}});
    }
    const CacheStatistics s = engine.statistics();
    runs.push_back({{"name", symbolic ? "the last size a symbol" : "static: every size remembered"},
                    {"calls", calls},
                    {"counts", counted(s.compiles, "compile") + " (" + counted(s.recompiles, "recompile") + "), " +
                                   counted(s.hits, "hit") + ", hit rate " + percent(s) + "%"}});
  }
  return {
      {"id", "stream"},
      {"title", "Hit, fail, recompile: the cache grows"},
      {"kind", "stream"},
      {"text",
       "Six calls, twice: once with every size remembered, once with the last size a symbol. A symbol turns a list "
       "of remembered shapes into a rule; the device is still remembered, so the move to the CPU compiles in both."},
      {"runs", runs}};
}

Json families_scene(FormulaTable& formulas) {
  Context ctx;
  World base = world_of(tensor({2, 3}, "cuda:0"));
  base.environment = {{"DEBUG", "1"}};
  struct Row {
    Guard guard;
    std::string change;
    std::function<void(World&)> break_it;
  };
  const auto change_tensor = [](const std::function<void(TensorDescription&)>& change) {
    return [change](World& w) {
      auto copy = std::make_shared<TensorDescription>(*w.arguments[0].value.tensor);
      change(*copy);
      w.arguments[0].value.tensor = std::move(copy);
    };
  };
  const std::vector<std::optional<std::int64_t>> sizes{2, 3};
  std::vector<Row> rows;
  rows.push_back({guards::caller(ctx, "training loop"), "called from an inference script",
                  [](World& w) { w.caller = "inference script"; }});
  rows.push_back({guards::code(ctx, "forward"), "the function was redefined", [](World& w) { w.code = "forward v2"; }});
  rows.push_back({guards::shape(ctx, "L['x']", sizes), "a longer row",
                  change_tensor([](TensorDescription& t) { t.sizes = {2, 4}; })});
  rows.push_back({guards::dtype(ctx, "L['x']", "torch.float32"), "half precision",
                  change_tensor([](TensorDescription& t) { t.dtype = "torch.float16"; })});
  rows.push_back({guards::device(ctx, "L['x']", "cuda:0"), "moved to the CPU",
                  change_tensor([](TensorDescription& t) { t.device = "cpu"; })});
  rows.push_back({guards::requires_grad(ctx, "L['x']", false), "a leaf that needs a gradient",
                  change_tensor([](TensorDescription& t) { t.requires_grad = true; })});
  rows.push_back({guards::flag(ctx, "grad_mode", true), "under no_grad", [](World& w) { w.state.grad_mode = false; }});
  rows.push_back({guards::threads(ctx, 1), "another thread count", [](World& w) { w.state.threads = 8; }});
  rows.push_back({guards::environment(ctx, "DEBUG", "1"), "the variable changed",
                  [](World& w) { w.environment = {{"DEBUG", "0"}}; }});
  rows.push_back({guards::has_key(ctx, "L['batch']", "'ids'"), "the key is gone",
                  [](World& w) { w.arguments[1].value = WorldValue::dict({}); }});
  rows.push_back({guards::length(ctx, "L['batch']", 1), "one key more", [](World& w) {
                    w.arguments[1].value = WorldValue::dict(
                        {{"ids", WorldValue::of(std::int64_t{1})}, {"mask", WorldValue::of(std::int64_t{0})}});
                  }});
  WorldLayout layout;
  layout.extend(base);
  std::vector<World> changed(rows.size(), base);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].break_it(changed[i]);
    layout.extend(changed[i]);
  }
  Json out = Json::array();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Guard& g = rows[i].guard;
    double read = 0;
    for (const Expr s : symbols_of(ctx, g.formula))
      if (const SlotIndex slot = layout.layout().find(ctx.symbol_name(s)); slot < layout.size())
        read += layout.layout()[slot].read_cost;
    const Snapshot before = observe(layout, base);
    const Snapshot after = observe(layout, changed[i]);
    const GuardFailure f = explain_failure(ctx, g, layout.layout(), after);
    out.push_back({{"family", std::string(to_string(family(g.kind)))},
                   {"kind", std::string(to_string(g.kind))},
                   {"f", formulas.add(ctx, g.formula, to_text(ctx, g.formula))},
                   {"reads", reads_text(ctx, g, layout.layout(), before)},
                   {"read_cost", read},
                   {"cost", estimated_cost(ctx, g.formula)},
                   {"holds", value_at(ctx, g.formula, layout.layout(), before).is_true()},
                   {"change", rows[i].change},
                   {"catches", f.whole.empty() ? f.text : f.whole}});
  }
  return {
      {"id", "families"},
      {"title", "Four families of guards"},
      {"kind", "families"},
      {"text",
       "Guard = frame and tensor and global and container. Each row: what the guard reads, what that costs (in units "
       "of one simple read or test), and what it says when the world has changed in that one respect."},
      {"rows", out}};
}

Json training_scene() {
  constexpr int kEpochs = 6;
  struct Variant {
    std::string name;
    std::set<std::string> symbolic;
    std::size_t limit;
  };
  const std::vector<Variant> variants{{"static, no limit", {}, SIZE_MAX},
                                      {"static, 3 entries at most", {}, 3},
                                      {"rows a symbol", {"L['x'].size()[0]"}, SIZE_MAX}};
  Chart hits{"line", "Hit rate so far", "", "call", "percent", false, true, {}, {}, {}};
  Chart compiles{"line", "Recompiles so far", "", "call", "recompiles", false, true, {}, {}, {}};
  hits.about = "Share of calls served by compiled code, over a training loop";
  compiles.about = "Recompiles over a training loop";
  Json rows = Json::array();
  Json marks = Json::array();
  for (const Variant& v : variants) {
    DemoEngine engine({"L['x'].size()[0]", "L['x'].size()[1]", "L['x'].device", "L['x'].dtype", "grad_mode"},
                      v.symbolic, v.limit);
    Chart::Series rate{v.name, Json::array()};
    Chart::Series made{v.name, Json::array()};
    std::uint64_t number = 0;
    for (int epoch = 0; epoch < kEpochs; ++epoch)
      for (int step = 0; step < 28; ++step) {
        const bool training = step < 22;
        const std::int64_t last = training ? 17 + epoch : 40;  // what is left of the data set changes with the epoch
        const bool ragged = step == 21 || step == 27;
        World w = world_of(tensor({ragged ? last : training ? 32 : 64, 128}, epoch < 3 ? "cpu" : "cuda:0"));
        w.state.grad_mode = training;
        const DemoEngine::Call c = engine.call(w, "step");
        const CacheStatistics s = engine.statistics();
        ++number;
        rate.points.push_back({number, static_cast<double>(s.hits) * 100.0 / static_cast<double>(s.calls())});
        made.points.push_back({number, s.recompiles});
        if (c.outcome == Outcome::compiled && marks.size() < 60)
          marks.push_back({v.name, number, shape_text(*w.arguments[0].value.tensor) + (training ? "" : ", no_grad"),
                           c.failed.empty() ? std::string("first compile") : c.failed.front().second});
      }
    const CacheStatistics s = engine.statistics();
    rows.push_back({v.name, s.calls(), s.hits, s.compiles, s.recompiles, s.fallbacks});
    hits.series.push_back(std::move(rate));
    compiles.series.push_back(std::move(made));
  }
  hits.table =
      table("At the end of the loop", {"variant", "#calls", "#hits", "#compiles", "#recompiles", "#eager"}, rows);
  compiles.table = table("Every compile and its cause", {"variant", "#call", "inputs", "what failed"}, marks);
  return {
      {"id", "training"},
      {"title", "A training loop"},
      {"kind", "charts"},
      {"text",
       "Six epochs of 22 training and 6 evaluation steps; the last batch of each is ragged, and differently so every "
       "epoch; after three epochs the model moves to a GPU. A recompile is a check that failed: N_recompile is the "
       "number of calls whose guards were all false. With a limit, what has no entry runs eagerly for ever."},
      {"charts", Json::array({to_json(hits), to_json(compiles)})}};
}

std::string demo_html(Prover& prover) {
  FormulaTable formulas;
  Json scenes = Json::array({tracing_scene(prover, formulas), checking_scene(formulas), stream_scene(formulas),
                             families_scene(formulas), training_scene()});
  const Json data{{"schema", 1},
                  {"title", "How guards work"},
                  {"lead", "dimgate demo --html"},
                  {"formulas", formulas.json()},
                  {"scenes", scenes}};
  return demo_page(data);
}

}  // namespace dimgate::report
