#include "dimgate/model.hpp"

#include "shape/support.hpp"

using namespace dimgate;

namespace {
class Named final : public Model {
 public:
  Named(std::string name, std::string summary) : name_(std::move(name)), summary_(std::move(summary)) {}
  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] std::string_view summary() const override { return summary_; }
  [[nodiscard]] std::span<const ModelDim> dims() const override { return {}; }
  void trace(Tracer& /*tracer*/, std::span<const SymInt> /*dims*/) const override {}

 private:
  std::string name_, summary_;
};
}  // namespace

TEST_CASE("the registry finds, lists in order, replaces, and suggests") {
  ModelRegistry r;
  r.add(std::make_unique<Named>("unet_pad", "b"));
  r.add(std::make_unique<Named>("tiny_lm", "a"));
  r.add(std::make_unique<Named>("unet_pad", "c"));
  REQUIRE(r.all().size() == 2);
  CHECK(r.all()[0]->name() == "tiny_lm");
  CHECK(r.find("unet_pad")->summary() == "c");
  CHECK(r.find("unet") == nullptr);
  CHECK(r.require("tiny_lm").ok());
  CHECK(r.require("tinylm").error().message == "no model `tinylm`; did you mean `tiny_lm`? Models: tiny_lm unet_pad");
  CHECK(r.require("zzzzzz").error().message == "no model `zzzzzz`; models: tiny_lm unet_pad");
}
