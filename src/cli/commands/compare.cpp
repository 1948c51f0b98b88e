// dimgate compare MODEL TRACE: one row a policy, from real calls.
#include <ostream>

#include "cli/compare_run.hpp"

namespace dimgate::cli {

void add_compare(CLI::App& app, Frame& frame);

namespace {

struct Arguments {
  CompareArguments run;
  bool details = false;
};

}  // namespace

void add_compare(CLI::App& app, Frame& frame) {
  auto args = std::make_shared<Arguments>();
  CLI::App* sub = frame.command(app, "compare", "What each compile policy costs on a trace of calls");
  sub->add_option("model", args->run.model, "A built-in model: `dimgate trace --list`")->required();
  sub->add_option("trace", args->run.trace, "CSV with a header, or JSON Lines: one call a row")->required();
  add_compare_options(*sub, args->run);
  sub->add_flag("--details", args->details,
                "With --json: also guards, compile calls, break-even, longest stall and p99");
  sub->callback([&frame, args] {
    const Comparison comparison = run_compare(frame, args->run).comparison;
    frame.out << (frame.json ? to_json(comparison, args->details) : to_text(comparison));
  });
}

}  // namespace dimgate::cli
