// dimgate bound [-a FACT]... TERM
#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>

#include "cli/facts_option.hpp"
#include "cli/output.hpp"

namespace dimgate::cli {

void add_bound(CLI::App& app, Frame& frame);

namespace {

Json end_to_json(const std::optional<Integer>& end) { return end ? to_json(*end) : Json(nullptr); }

void print(Frame& frame, const Bounds& bounds) {
  frame.exit = bounds.empty ? kNo : kFine;
  if (frame.json) {
    Json out{{"schema", 1}, {"command", "bound"}, {"empty", bounds.empty}};
    if (!bounds.empty) {
      out["lo"] = end_to_json(bounds.interval.lo);
      out["hi"] = end_to_json(bounds.interval.hi);
      out["tight_lo"] = bounds.tight_lo;
      out["tight_hi"] = bounds.tight_hi;
      out["congruence"] = Json::array({to_json(bounds.congruence.modulus), to_json(bounds.congruence.residue)});
    }
    print_json(frame, out);
    return;
  }
  if (bounds.empty) {
    frame.out << "empty: the term is defined nowhere under the facts\n";
    return;
  }
  frame.out << bounds.interval.to_string() << ' ' << bounds.congruence.to_string();
  if (bounds.interval.lo) frame.out << (bounds.tight_lo ? ", lower end reached" : ", lower end perhaps not reached");
  if (bounds.interval.hi) frame.out << (bounds.tight_hi ? ", upper end reached" : ", upper end perhaps not reached");
  frame.out << '\n';
}

}  // namespace

void add_bound(CLI::App& app, Frame& frame) {
  struct Options {
    std::vector<std::string> facts;
    std::string term;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = frame.command(app, "bound", "The tightest interval found for TERM, and its congruence (m, r)");
  add_facts_option(*command, options->facts);
  command->add_option("TERM", options->term, "A term of sort Int")->required();
  command->callback([options, &frame] {
    Context ctx;
    Facts facts(ctx);
    const Expr term = read_question(facts, options->facts, {{options->term, "TERM", Sort::Int}}).front();
    need_consistent(frame, facts);
    print(frame, frame.prover().bound(facts, term));
  });
}

}  // namespace dimgate::cli
