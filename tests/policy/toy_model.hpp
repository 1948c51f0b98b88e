// Models small enough to know every answer by heart.
#pragma once

#include <functional>
#include <utility>

#include "dimgate/model.hpp"
#include "dimgate/policy.hpp"

namespace dimgate::testing {

/// A model of given dims whose program is any function; without one it records its input and a copy of it.
class ToyModel final : public Model {
 public:
  using Body = std::function<void(Tracer&, std::span<const SymInt>)>;
  explicit ToyModel(std::vector<std::string> dims, Body body = {}) : body_(std::move(body)) {
    for (std::string& d : dims) dims_.push_back({std::move(d), "", "", {}});
  }
  [[nodiscard]] std::string_view name() const override { return "toy"; }
  [[nodiscard]] std::string_view summary() const override { return "a toy"; }
  [[nodiscard]] std::span<const ModelDim> dims() const override { return dims_; }
  [[nodiscard]] std::vector<std::string> facts() const override { return facts_; }
  void trace(Tracer& tracer, std::span<const SymInt> dims) const override {
    if (body_) return body_(tracer, dims);
    const SymTensor x = tracer.input("x", Shape(dims.begin(), dims.end()));
    copy(tracer, x, "copy");
  }
  /// y = op(x), the output.
  static void copy(Tracer& tracer, const SymTensor& x, const std::string& op) {
    tracer.output(tracer.record(op, {}, std::span(&x, 1), x.shape(), x.dtype()));
  }

  std::vector<std::string> facts_;

 private:
  std::vector<ModelDim> dims_;
  Body body_;
};

/// A policy over a cache, asked by values.
class Frame {
 public:
  Frame(const Model& model, Prover& prover, std::string_view text, std::vector<bool> free = {}) {
    subject.model = &model;
    subject.prover = &prover;
    subject.free = free.empty() ? std::vector<bool>(model.dims().size(), true) : std::move(free);
    subject.facts = model.facts();
    policy = make_policy(parse_policy(text).value(), subject).value();
    cache = std::make_unique<Cache>(*policy);
    reader = std::make_unique<CacheReader>(*cache);
  }
  /// One letter: h(it) c(ompiled) s(hared) f(allback) r(ejected) e(rror).
  char call(std::vector<std::int64_t> values) {
    std::vector<std::int64_t> shape(values.size());
    if (!policy->shape(values, shape)) return 'f';
    Snapshot at(values.size());
    for (std::size_t i = 0; i < shape.size(); ++i) at.set(static_cast<SlotIndex>(i), shape[i]);
    return to_string(reader->lookup(at).outcome())[0];
  }
  std::string calls(const std::vector<std::vector<std::int64_t>>& all) {
    std::string out;
    for (const auto& values : all) out += call(values);
    return out;
  }
  /// Guards of the entries, "a and b; c".
  std::string shown() {
    std::string out;
    for (const Policy::Shown& entry : policy->show(*cache->entries())) {
      if (!out.empty()) out += "; ";
      std::string guard;
      for (const std::string& g : entry.guards) guard += (guard.empty() ? "" : " and ") + g;
      out += guard.empty() ? "true" : guard;
    }
    return out;
  }

  Subject subject;
  std::unique_ptr<Policy> policy;
  std::unique_ptr<Cache> cache;
  std::unique_ptr<CacheReader> reader;
};

}  // namespace dimgate::testing
