// dimgate prove [-a FACT]... CLAIM
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/facts_option.hpp"
#include "cli/output.hpp"

namespace dimgate::cli {

void add_prove(CLI::App& app, Frame& frame);

void add_prove(CLI::App& app, Frame& frame) {
  struct Options {
    std::vector<std::string> facts;
    std::string claim;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = frame.command(app, "prove", "Is CLAIM true wherever the facts are?");
  add_facts_option(*command, options->facts);
  command->add_option("CLAIM", options->claim, "A formula")->required();
  command->callback([options, &frame] {
    Context ctx;
    Facts facts(ctx);
    const Expr claim = read_question(facts, options->facts, {{options->claim, "CLAIM", Sort::Bool}}).front();
    need_consistent(frame, facts);
    Proof proof = frame.prover().prove(facts, claim);
    proof = with_fewest_facts(frame.prover(), facts, claim, std::move(proof));
    proof = with_small_values(facts, claim, std::move(proof));
    std::optional<Expr> missing;
    if (!proof.proved()) missing = missing_fact(frame.prover(), facts, claim);
    print_proof(frame, "prove", facts, proof, missing);
  });
}

}  // namespace dimgate::cli
