// dimgate demo: the mechanism step by step, on six calls; or a made-up trace of a training loop to play with.
#include <CLI/CLI.hpp>
#include <ostream>

#include "cli/demo_html.hpp"
#include "cli/output.hpp"
#include "mini_dynamo.hpp"
#include "training_trace.hpp"

namespace dimgate::cli {

namespace {

/// The six calls and their outcomes as data.
void demo_json(Frame& frame) {
  Json runs = Json::array();
  for (const bool symbolic : {false, true}) {
    demo::MiniOptions options;
    options.symbolic_last = symbolic;
    demo::MiniDynamo engine(options);
    Json calls = Json::array();
    for (const TensorDescription& x : demo::article_stream()) {
      const std::string said = engine.forward(x);
      calls.push_back({{"outcome", said.substr(0, said.find(' '))},
                       {"code", said.substr(said.rfind("> ") + 2)},
                       {"why", engine.why()}});
    }
    const CacheStatistics s = engine.statistics();
    runs.push_back({{"symbolic", symbolic},
                    {"calls", calls},
                    {"compiles", s.compiles - s.recompiles},
                    {"recompiles", s.recompiles},
                    {"hits", s.hits}});
  }
  print_json(frame, Json{{"schema", 1}, {"runs", runs}});
}

}  // namespace

void add_demo(CLI::App& app, Frame& frame) {
  auto calls = std::make_shared<std::int64_t>(0);
  CLI::App* sub = frame.command(app, "demo", "The mechanism step by step, on six calls");
  auto* trace = sub->add_option("--training-trace", *calls,
                                "Write a made-up world trace of a training loop of N calls, for compare --world")
                    ->type_name("N");
  auto html = std::make_shared<std::string>();
  sub->add_option("--html", *html, "Write the mechanism as a page of five scenes to step through; - is stdout")
      ->type_name("FILE");
  sub->callback([&frame, calls, trace, html] {
    if (!html->empty()) return write_demo_page(frame, *html);
    if (trace->count() > 0) {
      if (*calls < 1) throw Failure{{"--training-trace " + std::to_string(*calls) + ": expected 1 call or more"}};
      demo::write_training_trace(frame.out, static_cast<std::size_t>(*calls));
      return;
    }
    if (frame.json)
      demo_json(frame);
    else if (!demo::run_demo(frame.out))
      frame.exit = kNo;
  });
}

}  // namespace dimgate::cli
