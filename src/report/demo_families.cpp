// Scene 4: the four families of guards: what each reads, costs and catches.
#include <functional>

#include "dimgate/compile_tree.hpp"
#include "dimgate/guard_builder.hpp"
#include "dimgate/guard_kinds.hpp"
#include "dimgate/guard_text.hpp"
#include "report/demo.hpp"
#include "report/demo_worlds.hpp"

namespace dimgate::report {

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

}  // namespace dimgate::report
