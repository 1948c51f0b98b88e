// Minimise, component by component: guards connected by shared symbols, dearest first, each asked of the prover under
// the others that still stand, unless values are found that show it is needed.
//
// Inside a large component a question takes along only the nearest guards, values that keep these and break the guard
// spare it, and all questions together have the budget of SimplifyOptions::component_steps: unknown keeps the guard.
#pragma once

#include "simplify/minimise_state.hpp"
#include "simplify/model_search.hpp"
#include "simplify/nearest.hpp"
#include "simplify/slot_stage.hpp"

namespace dimgate::simplify {

class ComponentStage {
 public:
  ComponentStage(MinimiseState& state, Questions& questions, SlotStage& slots)
      : state_(state),
        questions_(questions),
        slots_(slots),
        resolved_(state.items.size(), 0),
        open_(state.items.size(), 0) {}

  void run();
  /// Asks the solver about the guards that the native prover left open. True: some went, or all contradict each other.
  bool ask_solver();
  /// Reasons in terms of guards that stay: a reason that was dropped itself is replaced by its own reasons.
  void resolve(std::size_t i);

 private:
  struct Component {
    std::vector<std::size_t> guards;  // in processing order
    std::vector<FactId> facts;
  };
  std::vector<Component> components();
  bool decided_by_sets(const Component& c);
  void process(const Component& c);
  bool find_base(const Component& c, ModelSearch& search, bool& unknown);
  bool is_broken_by_neighbours(std::size_t k, const Component& c, ModelSearch& search, Nearest& nearest);
  bool ask(std::size_t k, const Component& c, std::size_t reach, std::uint64_t steps, Nearest& nearest);
  std::vector<std::size_t> premises_for(std::size_t k, const Component& c, std::size_t reach, Nearest& nearest);
  void contradict(const Component& c, const SatResult& sat);
  ModelSearch make_search(const Component& c);
  ModelSearch::Slot make_slot(Expr symbol);
  void minimise_reason(std::size_t i, ModelSearch& search,
                       const std::unordered_map<std::size_t, std::size_t>& position);
  void explain_by_everything(std::size_t i);

  MinimiseState& state_;
  Questions& questions_;
  SlotStage& slots_;
  SymbolGroups groups_;
  std::vector<char> resolved_;
  std::vector<char> open_;  // by guard: the native prover did not say
  struct Unsettled {
    Component component;
    bool no_base = false;  // nor whether its guards hold anywhere
  };
  std::vector<Unsettled> unsettled_;
  std::size_t slot_count_ = 0;
};

}  // namespace dimgate::simplify
