// dimgate equal [-a FACT]... LEFT RIGHT
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/facts_option.hpp"
#include "cli/output.hpp"

namespace dimgate::cli {

void add_equal(CLI::App& app, Frame& frame);

void add_equal(CLI::App& app, Frame& frame) {
  struct Options {
    std::vector<std::string> facts;
    std::string left;
    std::string right;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = frame.command(app, "equal", "Have LEFT and RIGHT the same value wherever the facts are true?");
  add_facts_option(*command, options->facts);
  command->add_option("LEFT", options->left, "A term or formula")->required();
  command->add_option("RIGHT", options->right, "A term or formula of the same sort")->required();
  command->callback([options, &frame] {
    Context ctx;
    Facts facts(ctx);
    const auto sides =
        read_question(facts, options->facts, {{options->left, "LEFT", {}}, {options->right, "RIGHT", {}}});
    const Expr left = sides[0];
    const Expr right = sides[1];
    if (left.sort() != right.sort())
      throw Failure{{"LEFT is of sort " + std::string(to_string(left.sort())) + ", RIGHT of sort " +
                     std::string(to_string(right.sort())) + "; both must be of one sort"}};
    need_consistent(frame, facts);
    print_proof(frame, "equal", facts, frame.prover().prove_equal(facts, left, right));
  });
}

}  // namespace dimgate::cli
