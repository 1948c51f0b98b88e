// A front end in sixty lines: it captures a graph by tracing, and serves it from a guarded cache. docs/tutorial.md.
#include <iostream>

#include "dimgate/cache.hpp"
#include "dimgate/compile.hpp"
#include "dimgate/shape.hpp"
#include "dimgate/simplify.hpp"
#include "dimgate/trace.hpp"

using namespace dimgate;

/// The user's model, written once on symbolic tensors: rows of 64 numbers, padded to an even count of rows.
SymTensor model(Tracer& t, const SymTensor& x) {
  const SymInt rows = x.size(0);
  const SymTensor even = rows % 2 == 0 ? x : shape::pad(x, {0, 0, 0, 1});
  return shape::relu(shape::matmul(even, t.parameter("w", {64, 8})));
}

/// Compiles on a miss. The cache calls it; it answers with an entry.
class FrontEnd final : public MissHandler {
 public:
  FrontEnd() { layout_.add_tensor("x", 2); }
  const Layout& layout() const { return layout_; }

  MissAnswer miss(const Miss& miss) override {
    Context ctx;  // freed with all that came of this compile
    Tracer tracer(ctx, prover_);
    const auto value = [&](const char* slot) { return Integer(miss.inputs.raw(layout_.find(slot))); };
    const TraceOutcome outcome = tracer.run([&] {
      const SymInt rows = tracer.size("x.size()[0]", value("x.size()[0]"));
      const SymInt columns = tracer.size("x.size()[1]", value("x.size()[1]"));
      tracer.output(model(tracer, tracer.input("x", {rows, columns})));
    });
    if (!outcome.ok()) return MissAnswer::reject(outcome.error.to_string());  // eager would raise as well

    std::vector<Expr> recorded;
    for (const Guard& g : tracer.guards().all()) recorded.push_back(g.formula);
    NewEntry entry;
    std::vector<Expr> guards = minimise(prover_, tracer.facts(), recorded).readable;
    for (const Expr g : guards) entry.guard_texts.push_back(to_text(ctx, g));
    entry.program = *compile(ctx, guards, layout_);
    entry.artifact = std::make_shared<Artifact>();  // here a front end puts its machine code
    return MissAnswer::compile(std::move(entry));
  }

 private:
  NativeProver prover_;
  Layout layout_;
};

int main() {
  FrontEnd front_end;
  Cache cache(front_end);
  CacheReader reader(cache);
  Snapshot call(front_end.layout().size());
  for (const auto& [rows, columns] : {std::pair{4, 64}, {7, 64}, {6, 64}, {1001, 64}, {4, 65}}) {
    call.set(front_end.layout().find("x.dim()"), 2);
    call.set(front_end.layout().find("x.size()[0]"), rows);
    call.set(front_end.layout().find("x.size()[1]"), columns);
    const Cache::Answer answer = reader.lookup(call);
    std::cout << "(" << rows << ", " << columns << "): " << to_string(answer.outcome());
    if (answer.entry() != nullptr)
      for (const std::string& g : answer.entry()->guard_texts) std::cout << "   " << g;
    std::cout << (answer.entry() == nullptr ? "   " + answer.reason() : "") << '\n';
  }
  return cache.statistics().compiles == 2 && cache.statistics().hits == 2 ? 0 : 1;
}
