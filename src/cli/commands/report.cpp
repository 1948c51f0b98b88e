// dimgate report: one HTML page of what logs say, or of a comparison.
#include "dimgate/report.hpp"

#include <CLI/CLI.hpp>
#include <fstream>
#include <ostream>

#include "cli/compare_run.hpp"
#include "cli/frame.hpp"
#include "cli/read_logs.hpp"
#include "models.hpp"

namespace dimgate::cli {

void add_report(CLI::App& app, Frame& frame);

namespace {

struct ReportCommandArguments {
  std::vector<std::string> inputs;
  std::string output, against;
  CompareArguments compare;
};

std::string name_of(const std::vector<std::string>& logs) {
  std::string out;
  for (const std::string& log : logs) {
    const std::size_t slash = log.find_last_of('/', log.size() - 2);
    out += (out.empty() ? "" : ", ") + (slash == std::string::npos ? log : log.substr(slash + 1));
    if (out.size() > 200) return out.substr(0, 200) + " …";
  }
  return out;
}

/// Reads logs into an explanation and, where given, a page.
Explanation read(Frame& frame, const std::vector<std::string>& logs, LogReport* report) {
  Explainer explainer(frame.prover());
  LogReader reader(
      [&](const LogEvent& event) {
        explainer.add(event);
        if (report != nullptr) report->add(event);
      },
      {.guards = report != nullptr});
  read_logs(frame, logs, reader);
  return explainer.finish(reader.counts());
}

std::string log_page(Frame& frame, const ReportCommandArguments& args) {
  LogReport report(frame.prover());
  if (args.against.empty()) return report.html(read(frame, args.inputs, &report), name_of(args.inputs));
  const Explanation before = read(frame, args.inputs, nullptr);
  const Explanation after = read(frame, {args.against}, &report);
  return report.html(after, name_of({args.against}), {&before, name_of(args.inputs)});
}

std::string compare_page(Frame& frame, CompareArguments args, const std::string& typed) {
  const CompareRun run = run_compare(frame, args);
  return report_html(run.comparison, {run.model, &*run.calls, args.facts, typed}, frame.prover());
}

void report_command(Frame& frame, ReportCommandArguments args) {
  if (frame.json) throw Failure{{"a report is HTML; `dimgate explain --json` and `dimgate compare --json` print JSON"}};
  ModelRegistry registry;
  models::register_models(registry);
  const bool is_model = registry.find(args.inputs.front()) != nullptr;
  std::string page;
  if (is_model) {
    if (!args.against.empty()) throw Failure{{"--against goes with logs; policies stand side by side with --policies"}};
    if (args.inputs.size() != 2)
      throw Failure{{"`" + args.inputs.front() + "` is a model: give one trace of calls after it, " +
                     std::to_string(args.inputs.size() - 1) + " were given (a log of this name: ./" +
                     args.inputs.front() + ")"}};
    args.compare.model = args.inputs[0];
    args.compare.trace = args.inputs[1];
    page = compare_page(frame, args.compare, typed_compare(args.compare));
  } else {
    page = log_page(frame, args);
  }
  if (args.output.empty() || args.output == "-") {
    frame.out << page;
    return;
  }
  std::ofstream file(args.output, std::ios::binary);
  file << page;
  if (!file.flush()) throw Failure{{"cannot write " + args.output}};
  frame.talk << args.output << ": " << page.size() / 1000 << " kB\n";
}

}  // namespace

void add_report(CLI::App& app, Frame& frame) {
  auto args = std::make_shared<ReportCommandArguments>();
  CLI::App* sub = frame.command(app, "report", "One HTML page: of PyTorch logs (as explain), or of a comparison");
  sub->add_option("inputs", args->inputs, "LOG..., or MODEL TRACE: a built-in model and a trace of calls")->required();
  sub->add_option(
         "--against", args->against,
         "A log of the changed program: its page, with causes gone, staying and new, and numbers before and after")
      ->type_name("AFTER");
  sub->add_option("-o,--output", args->output, "Where to write the page; stdout unless given")->type_name("FILE");
  add_compare_options(*sub, args->compare);
  sub->callback([&frame, args] { report_command(frame, *args); });
}

}  // namespace dimgate::cli
