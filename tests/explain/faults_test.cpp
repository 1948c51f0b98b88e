// Logs that were explained wrongly once (tests/data/explain_faults), each for its kind of fault.
#include <doctest/doctest.h>

#include "explain/explained.hpp"
#include "import/torch_logs.hpp"

using namespace dimgate;

namespace {

Explanation of(const std::string& file) {
  return testing::explained(testing::slurp(DIMGATE_SOURCE_DIR "/tests/data/explain_faults/" + file + ".log"));
}

const CauseGroup* group(const Explanation& e, const std::string& cause, const std::string& source) {
  for (const CauseGroup& one : e.groups)
    if (one.cause == cause && one.source == source) return &one;
  return nullptr;
}

std::string remedy(const Explanation& e, const std::string& cause, const std::string& source) {
  const CauseGroup* found = group(e, cause, source);
  return found == nullptr ? "no such cause" : found->remedy.text;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// The cause told of a compile.
std::string cause(const Explanation& e, const std::string& id) {
  for (const FunctionReport& f : e.functions)
    for (const CompileReport& compile : f.history)
      if (compile.compile_id == id) return compile.cause + " of " + compile.source + ": " + compile.expected;
  return "none";
}

bool any(const std::vector<std::pair<std::string, std::uint64_t>>& list, const std::string& part) {
  for (const auto& [text, count] : list)
    if (has(text, part)) return true;
  return false;
}

}  // namespace

TEST_CASE("faults: sizes are marked with all that move with them, and never where marking raises") {
  const std::string batch = remedy(of("01_tied_batch_crash"), "tensor size", "x");
  CHECK(has(batch, "drop_last"));
  CHECK(!has(batch, "mark_dynamic(x"));
  CHECK(has(remedy(of("01b_tied_two_tensors_crash"), "tensor size", "ids"),
            "torch._dynamo.mark_dynamic(ids, [0, 1]) and torch._dynamo.mark_dynamic(lens, 0)"));
  CHECK(has(remedy(of("07_other_tensor_in_guards_ignored"), "tensor size", "x"),
            "torch._dynamo.mark_dynamic(x, 0) and torch._dynamo.mark_dynamic(y, 1)"));
}

TEST_CASE("faults: a tensor is no remedy where the program needs the number") {
  const Explanation slice = of("02_int_slice_tensor_goes_eager");
  CHECK(has(remedy(slice, "int value", "n"), "dynamic=True"));
  CHECK(!has(remedy(slice, "int value", "n"), "tensor in its place"));
  const CauseGroup* scale = group(of("02b_float_scale_tensor_typeerror"), "float value", "scale");
  CHECK(!has(remedy(of("02b_float_scale_tensor_typeerror"), "float value", "scale"), "tensor"));
  CHECK(scale != nullptr);
}

TEST_CASE("faults: a bound is no more than what is left when all that the remedy bears on goes") {
  for (const char* file : {"03_lower_bound_broken", "F06_not_a_lower_bound"})
    for (const CauseGroup& one : of(file).groups) {
      CAPTURE(one.cause);
      if (one.remain) CHECK(*one.remain <= one.compiles);
    }
  CHECK(has(remedy(of("03_lower_bound_broken"), "None-ness", "b.mask"), "always"));
}

TEST_CASE("faults: what changed is what differs from every entry") {
  CHECK(cause(of("04a_wrong_cause_stride_not_size"), "0/3") == "tensor size of x: 8");
  CHECK(has(cause(of("04b_wrong_cause_enum_not_norm"), "0/3"), "str value of norm"));
  CHECK(has(cause(of("04d_wrong_cause_mask_not_scale"), "0/4"), "None-ness of scale"));
  CHECK(has(cause(of("04f_bias_not_input"), "0/3"), "of args[0]"));
  CHECK(has(cause(of("04h_ragged_bound"), "0/3"), "<= 64"));
  CHECK(has(cause(of("04h_ragged_bound"), "0/4"), "2 <="));
}

TEST_CASE("faults: guards on marks, of one tensor twice, None for a tensor, modules of 2.0, plain names") {
  CHECK(has(cause(of("05_mark_dynamic_guard_unrecognised"), "0/1"), "dim marking"));
  CHECK(group(of("14_duplicate_names_dropped"), "tensor aliasing", "a, b") != nullptr);
  CHECK(
      parse_failed_guard("expected type of 'b.mask' to be a tensor type, ' but found <class 'NoneType'>").cause.kind ==
      CauseKind::none_ness);
  CHECK(has(cause(of("16_none_called_python_type"), "0/3"), "float value of b.weight"));
  CHECK(group(of("F08b_nn_module_guard"), "object identity", "self") != nullptr);
  CHECK(group(of("F08c_dim_size"), "int value", "dim_size") != nullptr);
  const Explanation values = of("17_not_1_and_unknown_values");
  CHECK(has(cause(values, "0/2"), "shape guard (int symbol) of n: n != 1"));
  for (const CauseGroup& one : values.groups)
    for (const std::string& change : one.changes) CHECK(!has(change, "not 1"));
}

TEST_CASE("faults: no remedy that saves nothing, none that the log refutes") {
  CHECK(
      !has(remedy(of("06a_one_function_for_each_saves_nothing"), "str value", "cfg['act']"), "one compiled function"));
  const CauseGroup* mode = nullptr;
  const Explanation modes = of("06b_split_train_eval_saves_nothing");
  for (const CauseGroup& one : modes.groups) mode = &one;
  REQUIRE(mode != nullptr);
  CHECK(!mode->remedy.avoidable);
  for (const char* file : {"08_four_guards_one_remedy", "08b_check_states_what_log_refutes"})
    for (const CauseGroup& one : of(file).groups) CHECK(!has(one.remedy.text, "torch._check"));
  std::size_t guards = 0;
  for (const CauseGroup& one : of("08_four_guards_one_remedy").groups)
    if (one.cause == "shape guard") {
      ++guards;
      CHECK(!one.user_line.empty());
      CHECK(one.user_line != "n = x.shape[0]");  // where it is first used, not what decided
    }
  CHECK(guards == 2);
  CHECK(!has(remedy(of("15_dtype_argument_no_remedy"), "constant value", "dtype"), "no remedy known"));
}

TEST_CASE("faults: every compile is counted, and what no guard named is said") {
  const Explanation lr = of("09_undercount_and_hidden_lr");
  std::uint64_t compiles = 0;
  for (const FunctionReport& f : lr.functions) compiles += f.compiles;
  CHECK(compiles == 5);
  REQUIRE(lr.groups.size() == 1);
  CHECK(has(lr.groups[0].remedy.text, "self.param_groups[0]['lr']"));
  const Explanation bare = of("F09_headless_counts");
  REQUIRE(bare.functions.size() == 1);
  CHECK(bare.functions[0].compiles == 3);
  const Explanation forbidden = of("F08g_recompile_error");
  REQUIRE(forbidden.groups.size() == 1);
  CHECK(forbidden.groups[0].function == "forward");
  CHECK(forbidden.groups[0].cause == "tensor size");
}

TEST_CASE("faults: breaks with their hints, what a break leaves behind, and what else was said") {
  CHECK(has(remedy(of("11_stack_variable_of_a_graph_break"), "float value", "___stack2"), "capture_scalar_outputs"));
  const Explanation breaks = of("13_graph_break_reason_and_hint_dropped");
  CHECK(any(breaks.graph_breaks, "Unsupported Tensor.item() call"));
  CHECK(any(breaks.graph_breaks, "capture_scalar_outputs = True"));
  CHECK(any(breaks.graph_breaks, "gb0124"));
  CHECK(any(of("F08a_ignored_guard").notes, "Eq(256, s3) == False"));
  CHECK(any(of("F08f_cudagraph_sizes").notes, "9 distinct sizes"));
}
