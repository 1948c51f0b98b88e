// Situations people reported in public (numbers A001 to A182 of the project's list of cases): the log as they saw it,
// and what should be said of it.
#include <doctest/doctest.h>

#include "explain/explained.hpp"

using namespace dimgate;
using testing::explained;
using testing::recompile;
using testing::size;

namespace {

const CauseGroup* group(const Explanation& e, const std::string& cause) {
  for (const CauseGroup& one : e.groups)
    if (one.cause == cause) return &one;
  return nullptr;
}

bool says(const CauseGroup* group, const std::string& part) {
  if (group != nullptr) CAPTURE(group->remedy.text);
  return group != nullptr && (group->remedy.text + "; " + group->remain_note).find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("A001: a parameter now and then is no matter of shape") {
  const Explanation e =
      explained(recompile("0/1", {"0/0: 2 <= L['x'].size()[0]  # _dynamo/output_graph.py:452 in init_ambient_guards"}) +
                recompile("0/2", {"0/1: expected type of 'L['x']' to be a tensor type, ' but found <class "
                                  "'torch.nn.parameter.Parameter'>",
                                  "0/0: expected type of 'L['x']' to be a tensor type, ' but found <class "
                                  "'torch.nn.parameter.Parameter'>"}));
  CHECK(says(group(e, "shape guard"), "mark_unbacked(x, 0)"));
  CHECK(says(group(e, "tensor python type"), "same type"));
}

TEST_CASE("A011, A013: a ragged last batch and a changing key set are two causes") {
  const Explanation e = explained(recompile("0/1", {"0/0: tensor 'x' size mismatch at index 0. expected 2, actual 1"}) +
                                  recompile("0/2", {"0/1: len(kwargs) == 3", "0/0: len(kwargs) == 3"}));
  REQUIRE(e.groups.size() == 2);
  CHECK(says(group(e, "tensor size"), "drop_last"));  // a size of 1 gets its own entry all the same
  CHECK(says(group(e, "container length"), "kwargs"));
}

TEST_CASE("A053: JAX tells of its own misses") {
  const Explanation e = explained(
      "TRACING CACHE MISS at /x/run.py:5 (<module>) costing 741.7 ms because:\n  key with different input types:\n    "
      "* "
      "at forward_batch[8], now i32[40960] and before i32[40959]\n");
  REQUIRE(e.other_retraces.size() == 1);
  CHECK(e.other_retraces[0].find("i32[40959]") != std::string::npos);
}

TEST_CASE("A055, A110: one compile for each batch size; one entry would do") {
  std::string text;
  for (int batch = 17; batch <= 24; ++batch) {  // as 2.1 wrote it: no ids, the newest entry first
    const auto line = [&](const std::string& said) {
      text += "[2023-09-29 14:54:08,549] torch._dynamo.guards.__recompiles: [DEBUG] " + said + "\n";
    };
    line("Recompiling function f in b.py:3");
    line("    triggered by the following guard failure(s):");
    for (int old = batch - 1; old >= 16; --old)
      line("    - tensor 'L['x']' size mismatch at index 0. expected " + std::to_string(old) + ", actual " +
           std::to_string(batch));
  }
  const Explanation e = explained(text);
  REQUIRE(e.groups.size() == 1);
  CHECK(e.groups[0].count == 8);
  CHECK(e.groups[0].compiles == 9);
  REQUIRE(e.groups[0].remain.has_value());
  CHECK(*e.groups[0].remain == 1);
}

TEST_CASE("A076, A083: dtype under autocast, grad modes") {
  const Explanation e =
      explained(recompile("0/1", {"0/0: tensor 'L['tgt']' dtype mismatch. expected Half, actual Float"}) +
                recompile("1/1", {"1/0: GLOBAL_STATE changed: grad_mode "}, "g"));
  CHECK(says(group(e, "tensor dtype"), "cast tgt to one dtype"));
  CHECK(says(group(e, "tensor dtype"), "Half or Float"));
  CHECK(says(group(e, "global state: grad_mode"), "one entry for each"));
}

TEST_CASE("A085, A098: a container that grows meets the limit") {
  std::string text;
  for (int n = 1; n <= 5; ++n) {
    std::vector<std::string> reasons;
    for (int old = n - 1; old >= 0; --old)
      reasons.push_back("0/" + std::to_string(old) + (old == 0 ? ": not td._tensordict" : ": len(td._tensordict) == ") +
                        (old == 0 ? "" : std::to_string(old)) +
                        "  # self._tensordict[key] = value  # pkg/_td.py:2486 in _set_str");
    text += recompile("0/" + std::to_string(n), reasons);
  }
  const Explanation e = explained(text);
  const CauseGroup* g = group(e, "container length");
  REQUIRE(g != nullptr);
  CHECK(g->count == 5);
  CHECK(g->user_line == "self._tensordict[key] = value");
  CHECK(says(g, "grows with every compile"));
}

TEST_CASE("A092, A161, A162: an object made anew each time never meets its entry") {
  const Explanation e =
      explained(recompile("0/1", {"0/0: ___check_obj_id(self._modules['attn'].processor, 140576345756128)"}) +
                recompile("0/2", {"0/1: ___check_obj_id(self._modules['attn'].processor, 140576345756999)",
                                  "0/0: ___check_obj_id(self._modules['attn'].processor, 140576345756128)"}));
  const CauseGroup* g = group(e, "object identity");
  REQUIRE(g != nullptr);
  CHECK(says(g, "hoist the object"));
  CHECK(says(g, "self._modules['attn'].processor"));
  CHECK(*g->remain == 1);
}

TEST_CASE("A094: a text that is data") {
  const Explanation e = explained(recompile("0/1", {"0/0: L['text'] == 'hello'"}));
  CHECK(says(group(e, "str value"), "outside the compiled function"));
}

TEST_CASE("A100: parameters of different shapes share one code object") {
  const Explanation e = explained(recompile(
      "0/1", {"0/0: tensor 'self._parameters['bias']' size mismatch at index 0. expected 5120, actual 13824. "
              "Guard failed on a parameter, consider using "
              "torch._dynamo.config.force_parameter_static_shapes = False to allow dynamism on parameters."}));
  const CauseGroup* g = group(e, "tensor size");
  REQUIRE(g != nullptr);
  CHECK(says(g, "force_parameter_static_shapes = False"));
  CHECK(g->changes.at(0) == "size 0: 5120 -> 13824");
}

TEST_CASE("A101: a stride that varies") {
  std::string text;
  for (int stride = 2; stride <= 6; ++stride)
    text += recompile("0/" + std::to_string(stride - 1),
                      {"0/" + std::to_string(stride - 2) + ": tensor 'L['x']' stride mismatch at index 0. expected " +
                       std::to_string(stride - 1) + ", actual " + std::to_string(stride)});
  const Explanation e = explained(text);
  const CauseGroup* g = group(e, "tensor stride");
  REQUIRE(g != nullptr);
  CHECK(says(g, "contiguous()"));
  CHECK(*g->remain == 1);
}

TEST_CASE("A104: compiled code met another layout at run time") {
  const Explanation e = explained("AssertionError: expected size 3==3, stride 4097==512 at dim=0\n");
  REQUIRE(e.failures.size() == 1);
  CHECK(e.failures[0].first.find("stride 4097==512") != std::string::npos);
}

TEST_CASE("A106: views that overlap differently") {
  const Explanation e = explained(recompile("0/1", {"0/0: b.storage_offset() == 1"}));
  REQUIRE(e.groups.size() == 1);
  CHECK(e.groups[0].cause == "shape guard");
}

TEST_CASE("A116: a guard that cannot be evaluated is told as one, with no advice made up") {
  const Explanation e = explained(recompile("0/1", {"0/0: name 'Trunc' is not defined"}));
  const CauseGroup* g = group(e, "broken guard");
  REQUIRE(g != nullptr);
  CHECK(g->remedy.text == "no remedy known");
  CHECK(!e.avoidable());
}

TEST_CASE("A118, A121: a counter of a module") {
  const Explanation e = explained(recompile("0/1", {"0/0: L['self'].step == 0"}) +
                                  recompile("0/2", {"0/1: L['self'].step == 1", "0/0: L['self'].step == 0"}) +
                                  recompile("0/3", {"0/2: L['self'].step == 2", "0/1: L['self'].step == 1"}));
  const CauseGroup* g = group(e, "int value");
  REQUIRE(g != nullptr);
  CHECK(says(g, "allow_unspec_int_on_nn_module"));
  CHECK(says(g, "grows with every compile"));
  CHECK(*g->remain == 1);
}

TEST_CASE("A119: ints that bound a loop") {
  const Explanation e =
      explained(recompile("0/1", {"0/0: L['start'] == 3  # for i in range(start, end):  # a.py:2 in f"}) +
                recompile("0/2", {"0/1: L['start'] == 4  # for i in range(start, end):  # a.py:2 in f"}));
  const CauseGroup* g = group(e, "int value");
  REQUIRE(g != nullptr);
  // Each trip count is a program of its own: a tensor in its place would not be unrolled.
  CHECK(says(g, "range(start, end)"));
}

TEST_CASE("A124, A125: a learning rate is a float") {
  const Explanation e =
      explained(recompile("0/1", {"0/0: L['self'].param_groups[0]['betas'][0] == 0.9499993141552187"}));
  const CauseGroup* g = group(e, "float value");
  REQUIRE(g != nullptr);
  CHECK(g->source == "self.param_groups[0]['betas'][0]");
  CHECK(g->changes.at(0) == "expected 0.9499993141552187");
  CHECK(says(g, "in a tensor"));
}

TEST_CASE("A173: the same advice without touching the program") {
  const Explanation e = explained(recompile("0/1", {size("0/0", 4, 5)}));
  CHECK(to_text(e).find("TORCH_COMPILE_DYNAMIC_SOURCES=\"L['x']\"") != std::string::npos);
}

TEST_CASE("A014, A016: equal sizes by chance") {
  const Explanation e = explained(recompile("0/1", {"0/0: L['b'].size()[0] == L['a'].size()[0]"}));
  CHECK(says(group(e, "shape guard (duck)"), "use_duck_shape = False"));
}

TEST_CASE("A022, A023: sizes that must divide") {
  const Explanation e = explained(recompile("0/1", {"0/0: Eq(Mod(L['x'].size()[1], 8), 0)"}));
  CHECK(says(group(e, "shape guard"), "multiple of 8"));
}
