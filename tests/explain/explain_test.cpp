// What changed, what it cost, what to do: on the recorded logs and on small ones written here.
#include "dimgate/explain.hpp"

#include <doctest/doctest.h>

#include "dimgate/expr.hpp"
#include "explain/entries.hpp"
#include "explain/explained.hpp"
#include "explain/guard_formulas.hpp"
#include "import/torch_logs.hpp"

using namespace dimgate;
using testing::explained;
using testing::recompile;
using testing::size;

namespace {

/// The labels that tell the truth of a step of the scripts.
bool tells(const std::string& step, const std::string& label) {
  static const std::vector<std::pair<std::string, std::vector<std::string>>> table{
      {"tensor_size", {"tensor size", "shape guard"}},
      {"dtype", {"tensor dtype"}},
      {"prefill", {"tensor size", "shape guard"}},
      {"param_swap", {"tensor size", "tensor python type", "None-ness"}},
      {"autocast", {"global state: autocast(cpu)_enabled", "global state: autocast(cpu)_dtype"}},
      {"strides", {"tensor stride", "shape guard"}},
      {"channels_last", {"tensor stride"}},
      {"requires_grad", {"requires_grad"}},
      {"parameter", {"tensor python type"}},
      {"grad_mode", {"global state: grad_mode"}},
      {"deterministic", {"global state: deterministic_algorithms"}},
      {"deterministic_warn",
       {"global state: deterministic_algorithms_warn_only",
        "global state: deterministic_algorithms,deterministic_algorithms_warn_only"}},
      {"num_threads", {"global state: num_threads"}},
      {"matmul_precision", {"global state: allow_tf32"}},
      {"fp16_reduce", {"global state: allow_fp16_reduce"}},
      {"default_dtype", {"global state: default_dtype"}},
      {"default_device", {"torch function mode", "default device"}},
      {"device_ctx", {"torch function mode", "default device"}},
      {"torch_function_mode", {"torch function mode"}},
      {"inference_mode", {"tensor dispatch keys"}},
      {"autocast_cache", {"global state: autocast_cache_enabled"}},
      {"size", {"tensor size"}},
      {"new_code_object", {"object identity"}},
      {"conj", {"tensor dispatch keys", "tensor dtype"}},  // a complex tensor, then its conjugate
      {"alias", {"tensor aliasing"}},
      {"duck_shape", {"tensor size", "shape guard", "shape guard (duck)"}},
      {"duck_shape_dyn", {"shape guard (duck)"}},
      {"list_len", {"container length"}},
      {"layer_drop", {"container length"}},
      {"submodule_added", {"container length"}},
      {"dict_keys", {"container length", "dict keys", "dict key presence"}},
      {"dict_order", {"dict keys"}},
      {"list_to_tuple", {"python type"}},
      {"int_value", {"int value", "python type"}},
      {"int_index", {"int value", "shape guard (int symbol)"}},
      {"attr_int", {"int value"}},
      {"attr_int_branch", {"int value"}},
      {"attr_float", {"float value"}},
      {"attr_str", {"str value"}},
      {"global_int", {"int value"}},
      {"global_bool", {"bool value"}},
      {"str_value", {"str value"}},
      {"none_to_tensor", {"None-ness"}},
      {"float_value", {"float value", "python type"}},
      {"new_lambda", {"int value", "object identity"}},
      {"new_closure", {"int value", "object identity"}},
      {"new_torch_op", {"object identity"}},
      {"new_act_object", {"object identity", "python type"}},
      {"new_backend", {"backend"}},
      {"mark_static", {"tensor size"}},
      {"maybe_mark_dynamic", {"shape guard"}},
      {"torch_check_fail", {"shape guard"}},
  };
  for (const auto& [name, labels] : table)
    if (name == step) return std::find(labels.begin(), labels.end(), label) != labels.end();
  return false;
}

bool judged(const std::string& step) {
  for (const char* skipped :
       {"error", "base", "decode", "nested_break", "data_dep", "unbacked_item", "", "unbacked_nonzero", "dynamic_true",
        "op_free_path", "rank_dtype_device", "cfg_dict", "arg_none", "tensor_subclass", "inference_tensor_outside",
        "compile_in_loop", "new_code", "global_dict_value", "new_module"})
    if (step == skipped) return false;
  return true;
}

}  // namespace

TEST_CASE("the cause we name is what the script changed at least as often as the one PyTorch names") {
  std::size_t rows = 0;
  std::size_t ours = 0;
  std::size_t theirs = 0;
  for (const testing::RecordedLog& log : testing::recorded_logs()) {
    std::vector<EventRow> found;
    ChangeFinder finder;
    for (const LogEvent& event : read_log_text(testing::slurp(log.log))) {
      const FailedGuard* best = finder.add(event);
      if (std::holds_alternative<Recompile>(event.body)) found.push_back(*row_of(event, best));
    }
    std::vector<testing::ExpectedRow> expected;
    for (const auto& row : testing::expected_rows(log.expected))
      if (row.cells[2] == "recompile" || row.cells[2] == "limit_hit") expected.push_back(row);
    REQUIRE(found.size() >= expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const auto& cells = expected[i].cells;
      if (found[i].compile_id != cells[0]) break;  // an error raised in between
      const std::string rebuilt = to_tsv(found[i]);
      for (std::size_t c : {0U, 1U, 2U, 3U, 5U, 6U})
        CHECK_MESSAGE(rebuilt.find(cells[c]) != std::string::npos, log.name, cells[0], ": ", cells[c], " in ", rebuilt);
      if (!judged(cells[7])) continue;
      ++rows;
      ours += tells(cells[7], found[i].our_cause) ? 1 : 0;
      theirs += tells(cells[7], cells[3]) ? 1 : 0;
      if (!tells(cells[7], found[i].our_cause))
        MESSAGE(log.name << " " << cells[0] << " step " << cells[7] << ": ours " << found[i].our_cause << ", PyTorch's "
                         << cells[3]);
    }
  }
  MESSAGE(rows << " events judged: ours right " << ours << ", PyTorch's right " << theirs);
  CHECK(rows > 300);
  CHECK(ours > theirs);
  CHECK(ours * 100 >= rows * 95);
}

TEST_CASE("sizes: mark_dynamic, and what would remain by replay") {
  const Explanation e =
      explained(recompile("0/1", {size("0/0", 4, 5)}) + recompile("0/2", {size("0/1", 5, 6), size("0/0", 4, 6)}) +
                recompile("0/3", {size("0/2", 6, 7), size("0/1", 5, 7), size("0/0", 4, 7)}));
  REQUIRE(e.groups.size() == 1);
  const CauseGroup& group = e.groups[0];
  CHECK(group.function == "f");
  CHECK(group.cause == "tensor size");
  CHECK(group.count == 3);
  CHECK(group.compiles == 4);
  CHECK(group.remedy.text == "torch._dynamo.mark_dynamic(x, 0)");
  REQUIRE(group.remain.has_value());
  CHECK(*group.remain == 1);
  CHECK(e.avoidable());
  CHECK(to_text(e).find("mark_dynamic(x, 0)") != std::string::npos);
}

TEST_CASE("history of a function: compiles in order, what came after named by the next failure") {
  const Explanation e = explained(
      recompile("0/1", {"0/0: k == 1  # y = x * k  # b.py:4 in f"}) + recompile("0/2", {"0/1: k == 7", "0/0: k == 1"}) +
      recompile("0/3", {"0/2: tensor 'x' size mismatch at index 1. expected 4, actual 5", "0/0: k == 1"}));
  REQUIRE(e.functions.size() == 1);
  const auto& history = e.functions[0].history;
  REQUIRE(history.size() == 4);
  CHECK(history[0].compile_id == "0/0");
  CHECK(history[0].cause.empty());
  CHECK(history[1].compile_id == "0/1");
  CHECK(history[1].cause == "int value");
  CHECK(history[1].kind == "int");
  CHECK(history[1].expected == "1");
  CHECK(history[1].actual == "7");  // what 0/1 was compiled for
  CHECK(history[1].user_line == "y = x * k");
  CHECK(history[1].time > 0);
  CHECK(history[2].actual.empty());
  CHECK(history[3].index == 1);
  CHECK(history[3].actual == "5");
  CHECK(history[3].entries_failed == 2);
}

TEST_CASE("a second run in the same log begins new entries") {
  const std::string run = recompile("0/1", {size("0/0", 4, 5)}) + recompile("0/2", {size("0/1", 5, 6)});
  const Explanation once = explained(run);
  const Explanation twice = explained(run + run);
  REQUIRE(twice.functions.size() == 1);
  CHECK(once.functions[0].compiles == 3);
  CHECK(twice.functions[0].compiles == 6);
  CHECK(twice.groups[0].count == 4);
  const std::string trace = testing::slurp(DIMGATE_SOURCE_DIR "/tests/data/torch_trace/static_thrash_6_recompiles.log");
  const Explanation single = explained(trace);
  const Explanation joined = explained(trace + trace);
  REQUIRE(joined.functions.size() == single.functions.size());
  CHECK(joined.functions[0].compiles == 2 * single.functions[0].compiles);
  REQUIRE(joined.functions[0].history.size() == 2 * single.functions[0].history.size());
  const std::size_t second = single.functions[0].history.size();
  CHECK(joined.functions[0].history[second].compile_id == "0/0");
  CHECK(joined.functions[0].history[second].seconds == single.functions[0].history[0].seconds);
  const Explanation other = explained(recompile("0/1", {size("0/0", 4, 5)}) + recompile("0/1", {"0/0: k == 1"}, "g"));
  CHECK(other.functions.size() == 2);  // the frame number of another program
  CHECK(other.groups.size() == 2);
}

TEST_CASE("what is kept of a log does not grow with its names") {
  const std::string longest(20000, 'x');
  std::string text;
  for (int i = 0; i < 50; ++i)
    text +=
        recompile(std::to_string(i) + "/1",
                  {std::to_string(i) + "/0: tensor '" + longest + "' size mismatch at index 0. expected 1, actual 2",
                   std::to_string(i) + "/0: k == '" + longest + "'  # " + longest + "  # f.py:1 in f"},
                  longest + std::to_string(i));
  const Explanation e = explained(text);
  CHECK(e.functions.size() == 50);
  CHECK(to_json(e).size() < 600000);
  CHECK(to_text(e).size() < 100000);
}

TEST_CASE("a group names every dim that varied") {
  const Explanation e = explained(recompile("0/1", {size("0/0", 4, 5)}) +
                                  recompile("0/2", {"0/1: tensor 'x' size mismatch at index 2. expected 8, actual 9"}));
  REQUIRE(e.groups.size() == 1);
  CHECK(e.groups[0].remedy.text == "torch._dynamo.mark_dynamic(x, [0, 2])");
}

TEST_CASE("what came is told of the dim that failed, not of another") {
  const std::string symbol =
      "I0703 10:34:13.273000 1 torch/fx/experimental/symbolic_shapes.py:1] [0/2] create_symbol s7 = 8 for "
      "L['x'].size()[0] [2, int_oo] y  # b.py:4 in f (a.py:1 in b)\n";
  const Explanation e = explained(recompile("0/1", {"0/0: 2 <= x.size()[0] <= 4096  # y  # b.py:4 in f"}) +
                                  recompile("0/2", {"0/1: 2 <= x.size()[1] <= 4096  # y  # b.py:4 in f"}) + symbol);
  REQUIRE(e.groups.size() == 2);  // two guards, two remedies
  REQUIRE(e.functions.at(0).history.size() == 3);
  CHECK(e.functions[0].history[2].index == 1);
  CHECK(e.functions[0].history[2].actual.empty());  // the log shows only dim 0
  CHECK(e.groups[0].remedy.text.find("mark_unbacked(x, 0)") != std::string::npos);
  CHECK(e.groups[1].remedy.text.find("mark_unbacked(x, 1)") != std::string::npos);
}

TEST_CASE("a decision of the program keeps both sides apart") {
  const std::string symbol =
      "I0703 10:34:13.273000 1 torch/fx/experimental/symbolic_shapes.py:1] [0/1] create_symbol s7 = 20 for "
      "L['x'].size()[0] [2, int_oo] y  # b.py:4 in f (a.py:1 in b)\n"
      "I0703 10:34:13.273000 1 torch/fx/experimental/symbolic_shapes.py:1] [0/1] eval s7 > 10 [guard added] y  # "
      "b.py:4 in "
      "f (_dynamo/variables/tensor.py:1 in evaluate_expr)\n";
  const Explanation e = explained(recompile("0/1", {size("0/0", 30, 20)}) + symbol +
                                  recompile("0/2", {"0/1: 11 <= x.size()[0]  # y  # b.py:4 in f", size("0/0", 30, 3)}));
  REQUIRE(!e.groups.empty());
  for (const CauseGroup& group : e.groups) {
    REQUIRE(group.remain.has_value());
    CHECK(*group.remain >= 2);
  }
}

TEST_CASE("what changed, in the user's words") {
  const std::vector<std::pair<const char*, const char*>> all{
      {"tensor 'x' size mismatch at index 0. expected 4, actual 5", "size"},
      {"tensor 'x' stride mismatch at index 0. expected 4, actual 5", "stride"},
      {"tensor 'x' rank mismatch. expected 2, actual 3", "rank"},
      {"tensor 'x' dtype mismatch. expected Half, actual Float", "dtype"},
      {"tensor 'x' Tensor device index mismatch. Expected device index to be 0, actual 1", "device"},
      {"tensor 'x' requires_grad mismatch. expected requires_grad=0", "requires_grad"},
      {"k == 1", "int"},
      {"k == 1.5", "float"},
      {"k == 'a'", "string"},
      {"k is None", "None"},
      {"list(d.keys()) == ['a']", "dict keys"},
      {"len(d) == 1", "length"},
      {"___check_type_id(d, 8833952)", "type"},
      {"___check_obj_id(d, 8833952)", "identity"},
      {"GLOBAL_STATE changed: grad_mode ", "global flag"},
      {"GLOBAL_STATE changed: default_dtype ", "default dtype"},
      {"fn.__closure__[0].cell_contents == 3", "closure"},
      {"___check_obj_id(self._forward_hooks[0], 12)", "hook"},
      {"torch._functorch.aot_autograd.utils.top_saved_tensors_hooks ids == None", "hook"},
      {"y.size()[0] == x.size()[0]", "relational shape"},
      {"2*x.size()[0] == y.size()[1]", "relational shape"},
      {"(x.size()[0] % 8) == 0", "divisibility"},
      {"Eq(Mod(L['x'].size()[0], 8), 0)", "divisibility"},
      {"2 <= x.size()[0] <= 512", "range"},
      {"0 <= k <= 3", "range"}};
  for (const auto& [text, kind] : all) {
    CAPTURE(text);
    CHECK(kind_of_change(parse_failed_guard(text)) == kind);
  }
}

TEST_CASE("remedies name what to change") {
  const auto remedy = [](const char* guard) { return remedy_for(parse_failed_guard(guard)).text; };
  const auto says = [&](const char* guard, const char* part) {
    CAPTURE(remedy(guard));
    CHECK(remedy(guard).find(part) != std::string::npos);
  };
  says("(x.size()[0] % 8) == 0", "multiple of 8");
  says("self.step == 0", "allow_unspec_int_on_nn_module");
  says("___check_obj_id(cfg.act, 140), type=<class 'x'>", "hoist the object");
  says("len(feats) != 1", "key set");
  says("GLOBAL_STATE changed: grad_mode ", "one entry for each");
  says("tensor 'w' size mismatch at index 0. expected 3, actual 5. Guard failed on a parameter, consider using x",
       "force_parameter_static_shapes = False");
  says("2 <= x.size()[0]", "mark_unbacked(x, 0)");
  CHECK(!remedy_for(parse_failed_guard("___check_torch_function_mode_stack()")).avoidable);
}

TEST_CASE("guards that call functions: roots are compared exactly, of an unknown call nothing is concluded") {
  NativeProver prover;
  EntryGuards entry;
  for (const char* text :
       {"math.sqrt(L['x'].size()[0]) > 3", "math.sqrt(L['x'].size()[0]) >= 4", "10 <= L['x'].size()[0]",
        "math.frob(L['x'].size()[0]) > 3", "math.frob(L['x'].size()[0]) >= 4", "L['scale']/2 > 3", "L['scale']/2 >= 4"})
    entry.guards.push_back({"LAMBDA_GUARD", text, "", ""});
  const EntryReport report = explain::take_apart("0/0", entry, prover);
  CHECK(report.not_parsed.empty());
  CHECK(report.formulas == 7);
  CHECK(report.kept == 5);  // the second root and all that is opaque
  for (const EntryReport::Implied& implied : report.implied)
    CHECK(implied.by == std::vector<std::string>{"math.sqrt(L['x'].size()[0]) >= 4"});
}

TEST_CASE("guards of an entry: formulas, and which the others imply") {
  NativeProver prover;
  EntryGuards entry;
  entry.guards.push_back({"TENSOR_MATCH",
                          "check_tensor(L['x'], Tensor, DispatchKeySet(CPU, AutogradCPU), torch.float32, device=None, "
                          "requires_grad=False, size=[None, 4], stride=[4, 1])",
                          "", ""});
  entry.guards.push_back({"LAMBDA_GUARD", "2 <= L['x'].size()[0]", "", ""});
  entry.guards.push_back({"LAMBDA_GUARD", "L['x'].size()[0] != 1", "", ""});
  entry.guards.push_back({"LENGTH_CHECK", "len(L['d']) == 2", "", ""});
  const EntryReport report = explain::take_apart("0/0", entry, prover);
  CHECK(report.guards == 4);
  CHECK_MESSAGE(report.not_parsed.empty(), (report.not_parsed.empty() ? "" : report.not_parsed[0]));
  REQUIRE(report.implied.size() == 1);
  CHECK(report.implied[0].guard == "L['x'].size()[0] != 1");
  REQUIRE(report.implied[0].by.size() == 1);
  CHECK(report.implied[0].by[0] == "2 <= L['x'].size()[0]");
}

TEST_CASE("every form of guard as formulas") {
  const auto all = [](const char* kind, const char* text) { return explain::formulas_of({kind, text, "", ""}); };
  using Texts = std::vector<std::string>;
  CHECK(all("TYPE_MATCH", "___check_type_id(L['args'], 8812224), type=<class 'tuple'>") ==
        Texts{"type(L['args']) == 'tuple@8812224'"});
  CHECK(all("", "___check_type_id(L['d'], 8833952)") == Texts{"type(L['d']) == '8833952'"});
  CHECK(all("ID_MATCH", "___check_obj_id(G['f'].__code__, 140)") == Texts{"id(G['f'].__code__) == 140"});
  CHECK(all("ID_MATCH", "___check_obj_id(d[list(d.keys())[1]].f, 7), type=<class 'a.B'>") ==
        Texts{"id(d[list(d.keys())[1]].f) == 7"});
  CHECK(all("NO_TENSOR_ALIASING", "check_no_aliasing(L['x'], L['d']['a, b'])") ==
        Texts{"distinct(id(L['x']), id(L['d']['a, b']))"});
  CHECK(all("NO_TENSOR_ALIASING", "").empty());
  CHECK(all("OBJECT_ALIASING", "G['F'] is G['__import_x'].F") == Texts{"id(G['F']) == id(G['__import_x'].F)"});
  CHECK(all("DICT_CONTAINS", "not ___dict_contains('forward', L['a'][6])") ==
        Texts{"L['a'][6].has_key('forward') == False"});
  CHECK(all("LAMBDA_GUARD", "torch._functorch.aot_autograd.utils.top_saved_tensors_hooks ids == None") ==
        Texts{"saved_tensors_hooks.ids == None"});
  CHECK(
      all("GLOBAL_STATE",
          R"(___check_global_state() against {"grad_mode":true,"num_threads":1,"autocast_state":{"dtype":[15,5]}})") ==
      Texts{"global_state.grad_mode == True", "global_state.num_threads == 1",
            "global_state.autocast_state.dtype == '[15,5]'"});
  CHECK(all("GLOBAL_STATE", "___check_global_state()") == Texts{"global_state.unchanged == True"});
  CHECK(all("", "___check_current_backend(1404)") == Texts{"___check_current_backend(1404) == True"});
  CHECK(all("EQUALS_MATCH", "L['k'] == 3") == Texts{"L['k'] == 3"});
}

TEST_CASE("what objects are implies guards: one type an object, one shape an object") {
  NativeProver prover;
  const auto tensor = [](const std::string& source, int size) {
    return LoggedGuard{"TENSOR_MATCH",
                       "check_tensor(" + source +
                           ", Tensor, DispatchKeySet(CPU), torch.float32, device=None, "
                           "requires_grad=False, size=[" +
                           std::to_string(size) + "], stride=[1])",
                       "", ""};
  };
  EntryGuards entry;
  entry.guards = {{"TYPE_MATCH", "___check_type_id(L['f'], 88), type=<class 'function'>", "", ""},
                  {"ID_MATCH", "___check_obj_id(L['f'], 140), type=<class 'function'>", "", ""},
                  tensor("L['x']", 4),
                  tensor("L['y']", 5),
                  {"NO_TENSOR_ALIASING", "check_no_aliasing(L['x'], L['y'])", "", ""}};
  const EntryReport report = explain::take_apart("0/0", entry, prover);
  CHECK(report.not_parsed.empty());
  REQUIRE(report.implied.size() == 2);
  CHECK(report.implied[0].guard == "type(L['f']) == 'function@88'");
  CHECK(report.implied[0].by == std::vector<std::string>{"id(L['f']) == 140", "an object has one type"});
  CHECK(report.implied[1].guard == "distinct(id(L['x']), id(L['y']))");
  CHECK(report.implied[1].by.size() == 3);
  CHECK(report.implied[1].by.back() == "one object has one size()[0]");
  entry.guards[3] = tensor("L['y']", 4);  // alike: they may be one
  CHECK(explain::take_apart("0/0", entry, prover).implied.size() == 1);
}

TEST_CASE("guards that are no guards are kept apart, whatever they hold") {
  NativeProver prover;
  for (const char* text : {"check_no_aliasing(x), a)",
                           "check_no_aliasing()",
                           "check_no_aliasing(,)",
                           "___check_type_id(",
                           "___check_type_id()",
                           "___check_obj_id(x, )",
                           "check_tensor(",
                           "check_tensor(, DispatchKeySet(, ",
                           "___check_global_state() against {",
                           "not ___dict_contains(",
                           "not ___dict_contains(a)",
                           "x is ",
                           " is ",
                           "not ",
                           "== 3",
                           "distinct(id(",
                           "))))((((",
                           "\"",
                           "'",
                           "\\"}) {
    CAPTURE(text);
    for (const char* kind : {"", "OBJECT_ALIASING", "LAMBDA_GUARD"}) {
      EntryGuards entry;
      entry.guards = {{kind, text, "", ""}, {kind, "k == 1", "", ""}, {"", text, "", ""}};
      const EntryReport report = explain::take_apart("0/0", entry, prover);
      CHECK(report.guards == 3);
      CHECK(report.kept <= report.formulas);
    }
  }
}

TEST_CASE("every guard of every recorded log is a formula") {
  NativeProver prover;
  std::size_t guards = 0;
  std::size_t unread = 0;
  std::vector<std::string> logs;
  for (const testing::RecordedLog& log : testing::recorded_logs()) logs.push_back(log.log);
  for (const auto& file : std::filesystem::directory_iterator(DIMGATE_SOURCE_DIR "/tests/data/torch_trace"))
    logs.push_back(file.path().string());
  for (const std::string& log : logs)
    for (const LogEvent& event : read_log_text(testing::slurp(log)))
      if (const auto* entry = std::get_if<EntryGuards>(&event.body))
        for (const LoggedGuard& guard : entry->guards) {
          ++guards;
          Context ctx;
          for (const std::string& text : explain::formulas_of(guard)) {
            const auto formula = parse(ctx, text);
            if (formula && formula->sort() == Sort::Bool) continue;
            ++unread;
            MESSAGE(log << " line " << event.line << ": " << text);
          }
        }
  CHECK(guards > 3000);
  CHECK(unread == 0);
}

TEST_CASE("every recorded log is explained, as text and JSON") {
  for (const testing::RecordedLog& log : testing::recorded_logs()) {
    CAPTURE(log.name);
    const Explanation e = explained(testing::slurp(log.log));
    CHECK(!to_text(e).empty());
    CHECK(to_json(e).front() == '{');
    for (const CauseGroup& group : e.groups) {
      CHECK(group.count > 0);
      if (group.remain) CHECK(*group.remain <= group.compiles);
      CHECK((group.remain || !group.remain_note.empty() || !group.remedy.avoidable));
    }
  }
}

TEST_CASE("before and after") {
  const Explanation before = explained(recompile("0/1", {size("0/0", 4, 5)}) + recompile("1/1", {"1/0: k == 1"}, "g"));
  const Explanation after = explained(recompile("0/1", {size("0/0", 4, 5)}) + recompile("1/1", {"1/0: m == 'a'"}, "h"));
  const Against against = compare_explanations(before, after);
  REQUIRE(against.gone.size() == 1);
  CHECK(against.gone[0].first.function == "g");
  CHECK(against.changed.size() == 1);
  REQUIRE(against.fresh.size() == 1);
  CHECK(against.fresh[0].function == "h");
}

TEST_CASE("before and after: nothing is confirmed that did not run") {
  const auto line = [](const std::string& id, const std::string& said) {
    return "I1130 22:55:30.922000 1 torch/fx/experimental/symbolic_shapes.py:4058] [" + id + "] " + said + "\n";
  };
  const std::string first = line("0/0", "create_env") + line("0/0", "produce_guards");
  const Explanation before = explained(first + recompile("0/1", {size("0/0", 4, 5)}) + line("0/1", "create_env") +
                                       line("0/1", "produce_guards"));
  const auto doubts = [&](const std::string& after) { return compare_explanations(before, explained(after)).doubts; };
  CHECK(doubts(first).empty());
  CHECK(doubts("").size() == 1);
  CHECK(doubts(line("0/0", "create_env")).size() == 1);  // no graph came of it: eager
  CHECK(doubts(first + "torch._dynamo.exc.UserError: cannot\n").size() == 1);
  CHECK(doubts(first + "Traceback (most recent call last):\n  File \"a.py\", line 1\nTypeError: no\nbye\n").size() ==
        1);
  CHECK(doubts(first + "Traceback (most recent call last):\n  File \"a.py\", line 1\nTypeError: no\n" +
               line("1/0", "create_env") + line("1/0", "produce_guards"))
            .empty());  // caught
  CHECK(
      doubts(testing::slurp(DIMGATE_SOURCE_DIR "/tests/data/explain_faults/18_against_crashed_run_after.log")).size() >=
      1);
  const Explanation named = explained(recompile("0/1", {size("0/0", 4, 5)}) + recompile("1/1", {"1/0: k == 1"}, "g"));
  CHECK(compare_explanations(named, explained(recompile("0/1", {size("0/0", 4, 5)}))).doubts.size() == 1);  // g is gone
}
