// A front end in forty lines: it captures a graph by tracing, and serves it from a guarded cache. docs/tutorial.md.
#include <iostream>

#include "dimgate/frontend.hpp"
#include "dimgate/shape.hpp"

using namespace dimgate;

/// The user's model, written once on symbolic tensors: rows of 64 numbers, padded to an even count of rows.
SymTensor model(Tracer& t, const SymTensor& x) {
  const SymInt rows = x.size(0);
  t.declare_range(rows, 1, 1024);  // what the service promises: a call that breaks it runs eagerly
  const SymTensor even = rows % 2 == 0 ? x : shape::pad(x, {0, 0, 0, 1});
  return shape::relu(shape::matmul(even, t.parameter("w", {64, 8})));
}

int main() {
  Layout layout;
  layout.add_tensor("x", 2);
  NativeProver prover;
  FrontEnd front_end(
      layout, prover, [](TracedCall& call) { call.output(model(call.tracer, call.tensor("x"))); },
      [](TracedCall&, const Fingerprint&) { return Built{std::make_shared<std::string>("machine code")}; });
  Cache cache(front_end);
  CacheReader reader(cache);
  Snapshot call(layout.size());
  const std::vector<std::vector<std::int64_t>> shapes{{4, 64}, {7, 64}, {6, 64}, {1001, 64}, {5000, 64}, {4, 65}, {4}};
  for (const auto& shape : shapes) {
    set_tensor(layout, "x", shape, "torch.float32", call);
    const Cache::Answer answer = reader.lookup(call);
    std::cout << to_string(Shape(shape.begin(), shape.end())) << ": " << to_string(answer.outcome());
    if (answer.entry() != nullptr)
      for (const std::string& g : answer.entry()->guard_texts) std::cout << "   " << g;
    std::cout << (answer.entry() == nullptr ? "   " + answer.reason() : "") << '\n';
  }
  return cache.statistics().compiles == 2 && cache.statistics().hits == 2 ? 0 : 1;
}
