#include "engine.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "dimgate/compile.hpp"
#include "dimgate/simplify.hpp"
#include "emit.hpp"

namespace frontend {

using dimgate::Expr;

using Run = int (*)(const std::int64_t*, const float* const*, const float* const*, float**);

struct Compiled {
  std::shared_ptr<void> library;
  Run run = nullptr;
  std::vector<std::string> slots, parameters;
  std::string guard;
};

namespace {

/// Compiles C text to a shared library and loads it.
std::shared_ptr<const Compiled> build(const std::string& source) {
  char directory[] = "/tmp/frontend.XXXXXX";
  if (mkdtemp(directory) == nullptr) throw std::runtime_error("no temporary directory");
  const std::string base = std::string(directory) + "/code";
  std::ofstream(base + ".c") << source;
  const std::string command =
      std::string(FRONTEND_CC) + " -std=c11 -O2 -shared -fPIC -o " + base + ".so " + base + ".c";
  if (std::system(command.c_str()) != 0) throw std::runtime_error("the C compiler failed: " + command);
  auto compiled = std::make_shared<Compiled>();
  compiled->library.reset(dlopen((base + ".so").c_str(), RTLD_NOW), [](void* h) {
    if (h != nullptr) dlclose(h);
  });
  if (!compiled->library) throw std::runtime_error(dlerror());
  compiled->run = reinterpret_cast<Run>(dlsym(compiled->library.get(), "run"));
  unlink((base + ".c").c_str());
  unlink((base + ".so").c_str());
  rmdir(directory);
  return compiled;
}

const Array& parameter(const Weights<Array>& w, const std::string& name) {
  if (name == "in") return w.in;
  if (name == "in.bias") return w.in_bias;
  if (name == "middle") return w.middle;
  if (name == "middle.bias") return w.middle_bias;
  return name == "out" ? w.out : w.out_bias;
}

Weights<SymTensor> symbolic(dimgate::Tracer& t, const Weights<Array>& w) {
  const auto p = [&](const std::string& name) {
    const auto& shape = parameter(w, name).shape;
    return t.parameter(name, dimgate::Shape(shape.begin(), shape.end()));
  };
  return {p("in"), p("in.bias"), p("middle"), p("middle.bias"), p("out"), p("out.bias")};
}

}  // namespace

Engine::Engine(Weights<Array> weights) : weights_(std::move(weights)), cache_(*this), reader_(cache_) {
  layout_.add("x.size()[0]");
  layout_.add("x.size()[1]");
  snapshot_.resize(layout_.size());
}

Engine::~Engine() = default;

dimgate::MissAnswer Engine::miss(const dimgate::Miss& miss) {
  // Trace with the sizes of this call as hints.
  dimgate::Context ctx;
  dimgate::Tracer tracer(ctx, prover_);
  const dimgate::TraceOutcome outcome = tracer.run([&] {
    const SymInt rows = tracer.size("x.size()[0]", miss.inputs.raw(0));
    const SymInt columns = tracer.size("x.size()[1]", miss.inputs.raw(1));
    const Weights<SymTensor> weights = symbolic(tracer, weights_);
    tracer.output(network(tracer.input("x", {rows, columns}), weights));
  });
  if (outcome.kind == dimgate::TraceOutcome::Kind::rejected)
    return dimgate::MissAnswer::reject(outcome.error.to_string());
  if (!outcome.ok()) return dimgate::MissAnswer::fail(outcome.error.to_string());

  // Its path condition, minimised, is the guard.
  std::vector<Expr> recorded;
  for (const dimgate::Guard& g : tracer.guards().all()) recorded.push_back(g.formula);
  const dimgate::Minimised minimal = dimgate::minimise(prover_, tracer.facts(), recorded);
  dimgate::NewEntry entry;
  dimgate::Result<dimgate::Program> program = dimgate::compile(ctx, minimal.readable, layout_);
  if (!program.ok()) return dimgate::MissAnswer::fail(program.error().to_string());
  entry.program = std::move(*program);
  for (const Expr g : minimal.readable) entry.guard_texts.push_back(dimgate::to_text(ctx, g));

  // A program that is known needs no compile: equal bytes, one artifact.
  const dimgate::Fingerprint fingerprint = tracer.fingerprint();
  if (const auto known = artifacts_.find(fingerprint.bytes); known != artifacts_.end()) {
    entry.artifact = known->second;
    return dimgate::MissAnswer::share(std::move(entry));
  }
  auto compiled = std::make_shared<Compiled>(*build(emit(ctx, tracer.program(), fingerprint.symbols)));
  for (const Expr s : fingerprint.symbols) compiled->slots.push_back(ctx.symbol_name(s));
  compiled->parameters = parameters_of(tracer.program());
  auto artifact = std::make_shared<dimgate::Artifact>();
  artifact->fingerprint = fingerprint.bytes;
  artifact->payload = compiled;
  entry.artifact = artifact;
  artifacts_.emplace(fingerprint.bytes, std::move(artifact));
  return dimgate::MissAnswer::compile(std::move(entry));
}

Array Engine::call(const Array& x) {
  snapshot_.set(0, x.size(0));
  snapshot_.set(1, x.size(1));
  const dimgate::Cache::Answer answer = reader_.lookup(snapshot_);
  if (answer.entry() == nullptr) throw std::runtime_error(answer.reason());
  const auto& compiled = *static_cast<const Compiled*>(answer.entry()->artifact->payload.get());
  std::vector<std::int64_t> slots;
  for (const std::string& name : compiled.slots) slots.push_back(snapshot_.view().raw(layout_.find(name)));
  std::vector<const float*> parameters;
  for (const std::string& name : compiled.parameters) parameters.push_back(parameter(weights_, name).data.data());
  const float* inputs[] = {x.data.data()};
  float* outputs[] = {nullptr};
  if (compiled.run(slots.data(), inputs, parameters.data(), outputs) != 0 || outputs[0] == nullptr)
    throw std::runtime_error("a size does not fit");
  const std::int64_t rows = x.size(0) < 8 ? 2 * x.size(0) : x.size(0);
  Array y({rows, weights_.out.size(0)});
  std::copy_n(outputs[0], y.data.size(), y.data.begin());
  std::free(outputs[0]);
  return y;
}

std::vector<std::string> Engine::guards() const {
  std::vector<std::string> out;
  for (const dimgate::EntryRef& e : cache_.entries()->entries) {
    std::string text;
    for (const std::string& g : e->guard_texts) text += (text.empty() ? "" : " and ") + g;
    out.push_back(text.empty() ? "True" : text);
  }
  return out;
}

}  // namespace frontend
