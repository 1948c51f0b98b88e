// dimgate sat [-a FACT]... [FACT]...
#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>

#include "cli/facts_option.hpp"
#include "cli/output.hpp"

namespace dimgate::cli {

void add_sat(CLI::App& app, Frame& frame);

namespace {

void print(Frame& frame, const Facts& facts, const SatResult& answer) {
  const bool yes = answer.verdict == Verdict::proved;
  const bool no = answer.verdict == Verdict::refuted;
  const std::string word = yes ? "satisfiable" : no ? "unsatisfiable" : "unknown";
  frame.exit = yes ? kFine : no ? kNo : kUnknown;
  if (frame.json) {
    Json out{{"schema", 1}, {"command", "sat"}, {"verdict", word}, {"stage", answer.stage}};
    if (yes) out["model"] = to_json(facts.context(), answer.model);
    if (no) out["core"] = to_json(facts, answer.core);
    if (!yes && !no) out["reason"] = answer.reason;
    print_json(frame, out);
    return;
  }
  frame.out << word << ": "
            << (yes  ? to_text(facts.context(), answer.model)
                : no ? to_text(facts, answer.core)
                     : answer.reason)
            << '\n';
}

}  // namespace

void add_sat(CLI::App& app, Frame& frame) {
  auto texts = std::make_shared<std::vector<std::string>>();
  auto more = std::make_shared<std::vector<std::string>>();
  CLI::App* command = frame.command(app, "sat", "Can all facts be true together?");
  add_facts_option(*command, *texts);
  command->add_option("FACTS", *more, "Further facts");
  command->callback([texts, more, &frame] {
    std::vector<std::string> all = *texts;
    all.insert(all.end(), more->begin(), more->end());
    Context ctx;
    Facts facts(ctx);
    read_question(facts, all, {});
    print(frame, facts, frame.prover().satisfiable(facts));
  });
}

}  // namespace dimgate::cli
