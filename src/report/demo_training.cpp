// Scene 5: a training loop's hit rate and recompiles.
#include "report/demo.hpp"
#include "report/demo_engine.hpp"
#include "report/demo_worlds.hpp"

namespace dimgate::report {

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

}  // namespace dimgate::report
