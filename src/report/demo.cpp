// The scenes put together as one page.
#include "report/demo.hpp"

namespace dimgate::report {

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
