// Scene 3: a stream of calls, static and with a symbol; the cache grows.
#include "report/demo.hpp"
#include "report/demo_engine.hpp"
#include "report/demo_worlds.hpp"

namespace dimgate::report {

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

}  // namespace dimgate::report
