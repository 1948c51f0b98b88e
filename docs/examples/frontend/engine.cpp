#include "engine.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "emit.hpp"

namespace frontend {

using Run = int (*)(const std::int64_t*, const float* const*, const float* const*, float**);

struct Compiled {
  std::shared_ptr<void> library;
  Run run = nullptr;
  std::vector<std::string> parameters;
};

namespace {

/// Compiles C text to a shared library and loads it.
std::shared_ptr<Compiled> build(const std::string& source) {
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

dimgate::Layout layout_of_x() {
  dimgate::Layout layout;
  layout.add_tensor("x", 2);
  return layout;
}

}  // namespace

Engine::Engine(Weights<Array> weights)
    : weights_(std::move(weights)),
      front_end_(
          layout_of_x(), prover_,
          [this](dimgate::TracedCall& call) {
            call.output(network(call.tensor("x"), symbolic(call.tracer, weights_)));
          },
          [](dimgate::TracedCall& call, const dimgate::Fingerprint& fingerprint) {
            const dimgate::ShapeProgram& program = call.tracer.program();
            auto compiled = build(emit(call.context, program, fingerprint.symbols));
            compiled->parameters = parameters_of(program);
            return dimgate::Built{std::move(compiled)};
          }),
      cache_(front_end_),
      reader_(cache_),
      snapshot_(front_end_.layout().size()) {}

Engine::~Engine() = default;

Array Engine::call(const Array& x) {
  set_tensor(front_end_.layout(), "x", x.shape, "float32", snapshot_);
  const dimgate::Cache::Answer answer = reader_.lookup(snapshot_);
  if (answer.entry() == nullptr) throw std::runtime_error(answer.reason());
  const auto& compiled = *answer.entry()->artifact->as<Compiled>();
  std::vector<std::int64_t> slots;
  for (const dimgate::SlotIndex i : answer.entry()->binding) slots.push_back(snapshot_.raw(i));
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
