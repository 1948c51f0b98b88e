// Every form of PyTorch's log lines, 2.0 to 2.13, with the structure that comes out.
#include <doctest/doctest.h>

#include "dimgate/logs.hpp"
#include "import/log_head.hpp"
#include "import/md5.hpp"

using namespace dimgate;

namespace {

template <class T>
std::vector<T> only(const std::string& text, LogCounts* counts = nullptr) {
  std::vector<T> out;
  for (const LogEvent& event : read_log_text(text, counts))
    if (const T* body = std::get_if<T>(&event.body)) out.push_back(*body);
  return out;
}

/// `lines` under a glog head.
std::string glog(const std::vector<std::string>& lines, const std::string& id = "[0/1] ",
                 const std::string& artifact = "[__recompiles] ", const std::string& host = "") {
  std::string out;
  for (const std::string& line : lines)
    out += host + "V0703 10:34:13.273000 140345997743104 torch/_dynamo/guards.py:2590] " + id + artifact + line + "\n";
  return out;
}

Cause cause_of(const std::string& reason) { return parse_failed_guard(reason).cause; }

}  // namespace

TEST_CASE("heads of lines") {
  using logs::Head;
  const auto head = [](const char* line) { return logs::parse_head(line); };
  Head h =
      head("V0703 10:34:13.273000 123 torch/_dynamo/guards.py:2590] [0/1_2] [__recompiles] Recompiling function f");
  CHECK(h.form == Head::Form::glog);
  CHECK(h.level == 'V');
  CHECK(h.process == "123");
  CHECK(h.logger == "torch/_dynamo/guards.py");
  CHECK(h.compile_id == "0/1_2");
  CHECK(h.artifact == "recompiles");
  CHECK(h.text == "Recompiling function f");
  h = head(
      "(VllmWorker rank=6 pid=299) [rank6]:V0618 01:02:03.000001 299 Lib\\site-packages\\torch\\_dynamo\\guards.py:7] "
      "[!0/0/0] x");
  CHECK(h.rank == "6");
  CHECK(h.compile_id == "!0/0/0");
  CHECK(h.logger == "Lib\\site-packages\\torch\\_dynamo\\guards.py");
  h = head("[2025-08-12 03:18:23.088] V0812 03:18:23.088000 7 torch/a.py:1] text [0/1] stays");
  CHECK(h.form == Head::Form::glog);
  CHECK(h.text == "text [0/1] stays");
  h = head("[trainer1]:[rank1]:[2024-01-11 14:54:08,549] [0/1] torch._dynamo.guards.__recompiles: [DEBUG]     - x");
  CHECK(h.form == Head::Form::dated);
  CHECK(h.rank == "1");
  CHECK(h.compile_id == "0/1");
  CHECK(h.artifact == "recompiles");
  CHECK(h.text == "    - x");
  h = head("> V0703 10:34:13.273000 TID torch/_dynamo/guards.py:2590] [0/1] [__guards] GUARDS:");
  CHECK(h.artifact == "guards");
  CHECK(h.text == "GUARDS:");
  h = head("INFO:torch.fx.experimental.symbolic_shapes:create_env");
  CHECK(h.form == Head::Form::named);
  CHECK(h.text == "create_env");
  h = head("torch.fx.experimental.symbolic_shapes: [INFO] 0.0: create_env");
  CHECK(h.text == "create_env");
  h = head("# > Recompiling function fn in <ipython-input-1-abc>:1");
  CHECK(h.form == Head::Form::bare);
  CHECK(h.text == "Recompiling function fn in <ipython-input-1-abc>:1");
  for (const char* line :
       {"", "V", "V0703", "V0703 10:34:13", "[0/1]", "V0703 10:34:13 1 x] y", "[2023-11-06 14:54:08] x"})
    CHECK(head(line).form == Head::Form::bare);
}

TEST_CASE("recompiles: 2.3 to 2.13, with and without entries, notebooks, 2.0 to 2.2") {
  const auto check = [](const std::string& text, const char* function, std::size_t reasons, const char* entry) {
    LogCounts counts;
    const auto found = only<Recompile>(text, &counts);
    CHECK(counts.unknown == 0);
    CHECK(counts.parsed == counts.lines);
    REQUIRE(found.size() == 1);
    CHECK(found[0].function == function);
    REQUIRE(found[0].reasons.size() == reasons);
    CHECK(found[0].reasons[0].entry == entry);
    return found[0];
  };
  const std::vector<std::string> lines{"Recompiling function f in /x/b.py:3",
                                       "    triggered by the following guard failure(s):",
                                       "    - 0/0: tensor 'L['x']' size mismatch at index 0. expected 4, actual 5"};
  Recompile r = check(glog(lines), "f", 1, "0/0");
  CHECK(r.place == "/x/b.py:3");
  CHECK(r.reasons[0].cause.kind == CauseKind::tensor_size);
  CHECK(r.reasons[0].cause.source == "L['x']");
  CHECK(r.reasons[0].cause.index == 0);
  CHECK(r.reasons[0].cause.expected == "4");
  CHECK(r.reasons[0].cause.actual == "5");
  check(glog(lines, "[0/1] ", "[__recompiles] ", "(W rank=6 pid=2) [rank6]:"), "f", 1, "0/0");
  check(glog(lines, "[0/1] ", "[__recompiles] ", "> "), "f", 1, "0/0");
  std::string bare;
  for (const std::string& line : lines) bare += line + "\n";
  check(bare, "f", 1, "0/0");
  std::string crlf;
  for (const std::string& line : lines) crlf += line + "\r\n";
  check(crlf, "f", 1, "0/0");
  r = check(
      glog({"Recompiling function f in b.py:3", "    triggered by the following guard failure(s):",
            "    - L['v'].size()[3] == L['v'].size()[2]                          # _dynamo/output_graph.py:451 in "
            "init_ambient_guards"}),
      "f", 1, "");
  CHECK(r.reasons[0].cause.kind == CauseKind::shape_guard_duck);
  CHECK(r.reasons[0].place == "_dynamo/output_graph.py:451 in init_ambient_guards");
  r = check(
      glog({"Recompiling function f in b.py:3", "    triggered by the following guard failure(s):",
            "    - 0/5: len(td._tensordict) == 5                                 # self._tensordict[key] = value  # "
            "pkg/_td.py:2486 in _set_str",
            "    - 0/3: ___check_obj_id(self._modules['attn'].processor, 140576345756128)",
            "    - The following environment variable would enable dynamic compilation to start, avoiding this "
            "recompile: TORCH_COMPILE_DYNAMIC_SOURCES=\"L['x']\""}),
      "f", 2, "0/5");
  CHECK(r.reasons[0].user_line == "self._tensordict[key] = value");
  CHECK(r.reasons[0].place == "pkg/_td.py:2486 in _set_str");
  CHECK(r.reasons[0].cause.source == "td._tensordict");
  CHECK(r.reasons[1].cause.kind == CauseKind::object_identity);
  CHECK(r.reasons[1].cause.source == "self._modules['attn'].processor");
  std::string dated;
  for (const char* line : {"Recompiling function f in /x/b.py:3", "    triggered by the following guard failure(s):",
                           "    - tensor 'L['x']' size mismatch at index 0. expected 20, actual 21"})
    dated += std::string("[2023-11-06 14:54:08,549] torch._dynamo.guards.__recompiles: [DEBUG] ") + line + "\n";
  check(dated, "f", 1, "");
  r = check(
      "[2023-03-01 10:00:00,000] torch._dynamo.convert_frame.__recompiles: [DEBUG] ('Recompiling function step in "
      "/x/y.py', \"triggered by the following guard failure: L['t'] == 0\")\n",
      "step", 1, "");
  CHECK(r.place == "/x/y.py");
  CHECK(r.reasons[0].cause.kind == CauseKind::int_value);
  CHECK(r.reasons[0].cause.expected == "0");
}

TEST_CASE("recompiles_verbose: entries by position or id, several guards of one") {
  const auto found = only<Recompile>(glog({"Recompiling function foo in /x/t.py:17",
                                           "    triggered by the following guard failure(s):", "    guard 0 failures:",
                                           "    - 2 <= L['x'].size()[0]                                         # "
                                           "_dynamo/output_graph.py:452 in init_ambient_guards",
                                           "    - 2 <= L['x'].size()[1]                                         # "
                                           "_dynamo/output_graph.py:452 in init_ambient_guards",
                                           "", "    guard 1 failures:", "    - len(L['x']) == 3"},
                                          "[0/1] ", "[__recompiles_verbose] "));
  REQUIRE(found.size() == 1);
  CHECK(found[0].verbose);
  REQUIRE(found[0].reasons.size() == 3);
  CHECK(found[0].reasons[1].entry == "#0");
  CHECK(found[0].reasons[2].entry == "#1");
  CHECK(found[0].reasons[2].cause.kind == CauseKind::container_length);
  const auto ids = only<Recompile>(
      glog({"Recompiling function foo in /x/t.py:17", "    triggered by the following guard failure(s):",
            "    guard 0 failures:", "    - 6/0: L['y'] == 1.5                                               "},
           "[6/1] ", "[__recompiles_verbose] "));
  REQUIRE(ids.size() == 1);
  CHECK(ids[0].reasons[0].entry == "6/0");
  CHECK(ids[0].reasons[0].cause.kind == CauseKind::float_value);
}

TEST_CASE("kinds of causes") {
  const std::vector<std::pair<const char*, const char*>> all{
      {"tensor 'L['tgt']' dtype mismatch. expected Half, actual Float", "tensor dtype"},
      {"tensor 'L['x']' stride mismatch at index 0. expected 5, actual 6", "tensor stride"},
      {"tensor 'edge_index' strides mismatch at index 0. expected 52637, actual 51470", "tensor stride"},
      {"tensor 'x' requires_grad mismatch. expected requires_grad=0", "requires_grad"},
      {"tensor 'x' rank mismatch. expected 2, actual 3", "tensor rank"},
      {"tensor 'x' Tensor device index mismatch. Expected device index to be 0, actual 1", "tensor device"},
      {"expected type of 'x' to be a tensor type, ' but found <class 'NoneType'>", "None-ness"},
      {"Eq(L['x'].size()[0], 5) & Eq(L['x'].size()[2], 2)", "shape guard"},
      {"Eq(L['x'].size()[0], L['y'].size()[1])", "shape guard (duck)"},
      {"2*x.size()[0] == y.size()[0]", "shape guard"},
      {"b.storage_offset() == 1", "shape guard"},
      {"0 <= layer_idx <= 3", "shape guard (int symbol)"},
      {"L['self'].param_groups[0]['betas'][0] == 0.9499993141552187", "float value"},
      {"k == 1", "int value"},
      {"k == -1", "int value"},
      {"on == False", "bool value"},
      {"k is None", "None-ness"},
      {"mode == 'a#b'   # x  # f.py:1 in f", "str value"},
      {"not td._tensordict", "container length"},
      {"list(L['d'].keys()) == ['foo', 'bar']", "dict keys"},
      {"not ___dict_contains('norm', cfg)", "dict key presence"},
      {"___check_type_id(L['d'], 8833952)", "python type"},
      {"G['F'] is G['__import_x'].F", "tensor aliasing"},
      {"hasattr(L['x'], '_dynamo_dynamic_indices') == False", "missing key/attr"},
      {"name 'Trunc' is not defined", "broken guard"},
      {"___is_grad_enabled()", "global state: grad_mode"},
      {"GLOBAL_STATE changed: allow_tf32 num_threads ", "global state: allow_tf32,num_threads"},
      {"___check_global_state()", "global state"},
      {"something else entirely", "unrecognised"},
      {"", "unrecognised"}};
  for (const auto& [text, label] : all) {
    CAPTURE(text);
    CHECK(cause_of(text).label() == label);
  }
}

TEST_CASE("limits, old and new") {
  const auto hits = only<LimitHit>(
      "W1101 10:00:00.000000 1 torch/_dynamo/convert_frame.py:896] [1/64] torch._dynamo hit config.cache_size_limit "
      "(64)\n"
      "W1101 10:00:00.000000 1 torch/_dynamo/convert_frame.py:896] [1/64]    function: 'forward' (/x/detail.py:131)\n"
      "W1101 10:00:00.000000 1 torch/_dynamo/convert_frame.py:896] [1/64]    last reason: 1/0: tensor 'L['images']' "
      "size "
      "mismatch at index 2. expected 1696, actual 1248\n"
      "W1101 10:00:00.000000 1 torch/_dynamo/convert_frame.py:896] [1/64] To log all recompilation reasons, use "
      "TORCH_LOGS=\"recompiles\".\n"
      "[2023-03-01 10:00:00,000] torch._dynamo.convert_frame: [WARNING] torch._dynamo hit config.cache_size_limit (8)\n"
      "   function: 'f' (/x/f.py:1)\n   reasons:  dim_size == 14817\n");
  REQUIRE(hits.size() == 2);
  CHECK(hits[0].limit == "cache_size_limit");
  CHECK(hits[0].number == 64);
  CHECK(hits[0].function == "forward");
  CHECK(hits[0].place == "/x/detail.py:131");
  CHECK(hits[0].last_reason.entry == "1/0");
  CHECK(hits[0].last_reason.cause.expected == "1696");
  CHECK(hits[1].function == "f");
  CHECK(hits[1].last_reason.text == "dim_size == 14817");
}

TEST_CASE("guards: flat list and tree") {
  const auto flat = only<EntryGuards>(
      glog({"GUARDS:", "___check_type_id(L['d'], 8833952)                             # return x * y  # ex.py:24 in fn",
            "len(L['d']) == 2                                              # return x * y  # ex.py:24 in fn"},
           "[0/0] ", "[__guards] "));
  REQUIRE(flat.size() == 1);
  REQUIRE(flat[0].guards.size() == 2);
  CHECK(flat[0].guards[1].text == "len(L['d']) == 2");
  CHECK(flat[0].guards[1].user_line == "return x * y");
  CHECK(flat[0].guards[1].place == "ex.py:24 in fn");
  const std::vector<std::string> lines{
      "TREE_GUARD_MANAGER:",
      "+- RootGuardManager",
      "| +- DEFAULT_DEVICE: utils_device.CURRENT_DEVICE == None                           # "
      "_dynamo/output_graph.py:484 in "
      "init_ambient_guards",
      "| +- GuardManager: source=L['x'], accessed_by=DictGetItemGuardAccessor('x')",
      "| | +- TENSOR_MATCH: check_tensor(L['x'], Tensor, DispatchKeySet(CPU), torch.float32, device=None, "
      "requires_grad=False, size=[None, 4], stride=[4, 1])",
      "| | +- NO_TENSOR_ALIASING",
      "+- LAMBDA_GUARD: 2 <= L['x'].size()[0]",
      "",
      "Guard latency = 15.88 us"};
  const auto tree = only<EntryGuards>(glog(lines, "[0/0] ", "[__guards] "));
  REQUIRE(tree.size() == 1);
  CHECK(tree[0].tree);
  CHECK(tree[0].latency_us == doctest::Approx(15.88));
  REQUIRE(tree[0].guards.size() == 4);
  CHECK(tree[0].guards[1].kind == "TENSOR_MATCH");
  CHECK(tree[0].guards[2].text.empty());
  CHECK(tree[0].guards[3].text == "2 <= L['x'].size()[0]");
  std::string bare;
  for (const std::string& line : lines) bare += line + "\n";
  CHECK(only<EntryGuards>(bare).at(0).guards.size() == 4);
}

TEST_CASE("dynamic: symbols, decisions, replacements in every spelling") {
  const auto symbols = only<SymbolCreated>(
      glog({"create_symbol s0 = 12 for L['x'].size()[0] [2, 9223372036854775806]",
            "create_symbol s0 = 977 for L['x'].size()[1] [2, 9223372036854775806] at x.py:52 in forward "
            "(_dynamo/variables/builder.py:2137 in <lambda>), for more info run with X=\"s0\"",
            "create_symbol s72 = 4 for L['a b']['c'].size()[0] [2, int_oo] y = x + 1  # t.py:7 in f "
            "(_dynamo/variables/builder.py:3033 in <lambda>), for more info run with X=\"s72\"",
            "create_unbacked_symint u0 [-int_oo, int_oo] (_subclasses/fake_impls.py:651 in local_scalar_dense)"},
           "[0/0] ", ""));
  REQUIRE(symbols.size() == 4);
  CHECK(symbols[0].source == "L['x'].size()[0]");
  CHECK(symbols[0].value == "12");
  CHECK(symbols[1].place == "x.py:52 in forward");
  CHECK(symbols[2].source == "L['a b']['c'].size()[0]");
  CHECK(symbols[2].range == "[2, int_oo]");
  CHECK(symbols[2].place == "t.py:7 in f");
  CHECK(!symbols[3].backed);
  const auto guards = only<GuardAdded>(glog(
      {"eval Eq(s4, s0) [guard added] at pkg/m.py:291 in _set_size (fx/experimental/sym_node.py:340 in guard_bool)",
       "eval Ne(s0 - 2, 0) [guard added] a, b = x  # t.py:7 in f (_refs/__init__.py:3998 in unbind), for more info",
       "runtime_assert u0 >= 0 [guard added] (x.py:12 in forward), for more info run with",
       "eval Eq(16*s0, 16) == False [statically known]"},
      "[0/0] ", ""));
  REQUIRE(guards.size() == 3);
  CHECK(guards[0].place == "pkg/m.py:291 in _set_size");
  CHECK(guards[1].user_line == "a, b = x");
  CHECK(guards[2].runtime_assert);
  const auto replaced =
      only<Replacement>(glog({"set_replacement s1 = 100", "set_replacement s132 = s100 (solve) VR[2, int_oo]",
                              "set_replacement s1 = 2 (range_refined_to_singleton) VR[2, 2]"},
                             "[0/0] ", ""));
  REQUIRE(replaced.size() == 3);
  CHECK(replaced[1].by == "s100");
  CHECK(replaced[1].reason == "solve");
  LogCounts counts;
  read_log_text(glog({"create_env", "produce_guards", "track_symint L['x'].size()[1] 8 None",
                      "compute_unbacked_bindings [u0]", "propagate_real_tensors evaluate_expr(u0) -> True",
                      "RecursionError in sympy.xreplace(s0, {})", "Ignored guard s0 == True, this could result in x",
                      "lru_cache_stats evaluate_expr: CacheInfo(hits=0, misses=1)",
                      "L['x'] FrameStateSizeEntry(scalar=None, size=[4, None])"},
                     "[0/0] ", ""),
                &counts);
  CHECK(counts.unknown == 0);
  CHECK(only<MarkedDynamic>(glog({"automatic dynamic L['x'] size(0) 5 != 4"}, "[0/0] ", "")).at(0).dim == 0);
}

TEST_CASE("errors and other systems") {
  const auto failed = only<CompileFailed>(
      "torch._dynamo.exc.RecompileError: Recompiling function forward in /x/y.py:3\n\n"
      "ConstraintViolationError: Constraints violated (batch)! For more information, run with "
      "TORCH_LOGS=\"+dynamic\".\n"
      "  - Not all values of batch = L['x'].size()[0] in the specified range batch <= 10 are valid because batch was "
      "inferred to be a constant (1).\nSuggested fixes:\n  batch = 1\n  _H = Dim('_H', min=1, max=2)\n");
  REQUIRE(failed.size() == 2);
  CHECK(failed[0].type == "RecompileError");
  CHECK(failed[1].type == "ConstraintViolationError");
  REQUIRE(failed[1].details.size() == 3);
  CHECK(failed[1].details[1] == "batch = 1");
  CHECK(only<OtherRetrace>("TRACING CACHE MISS at a.py:1 (f) costing 741.7 ms because:\n").at(0).system == "JAX");
}

TEST_CASE("ranks, processes and compiles interleaved line by line") {
  const auto lines = [](const std::string& rank, const std::string& id, const std::string& size) {
    std::vector<std::string> out;
    for (const std::string& text : {std::string("Recompiling function f in b.py:3"),
                                    std::string("    triggered by the following guard failure(s):"),
                                    "    - 0/0: tensor 'x' size mismatch at index 0. expected 4, actual " + size})
      out.push_back("[rank" + rank + "]:V0703 10:34:13.273000 1 torch/_dynamo/guards.py:2590] [" + id +
                    "] [__recompiles] " + text + "\n");
    return out;
  };
  const auto a = lines("0", "0/1", "5");
  const auto b = lines("1", "0/1", "6");
  const auto c = lines("0", "1/1", "7");
  std::string text;
  for (std::size_t i = 0; i < 3; ++i) text += a[i] + b[i] + c[i];
  LogCounts counts;
  const auto found = only<Recompile>(text, &counts);
  CHECK(counts.unknown == 0);
  REQUIRE(found.size() == 3);
  for (const Recompile& one : found) CHECK(one.reasons.size() == 1);
}

TEST_CASE("structured records: payloads, md5, damage") {
  logs::Md5 md5;
  md5.update("abc");
  CHECK(md5.hex() == "900150983cd24fb0d6963f7d28e17f72");
  const std::string head = "V0718 15:30:03.212000 1337 torch/_dynamo/guards.py:3564] ";
  const std::string payload = "[\n\"0/0: tensor 'x' size mismatch at index 0. expected 2, actual 3\"\n]";
  logs::Md5 sum;
  sum.update(payload);
  const std::string record = head +
                             R"({"artifact": {"name": "recompile_reasons", "encoding": "json"}, "frame_id": 0, )" +
                             R"("frame_compile_id": 1, "attempt": 0, "has_payload": ")";
  const std::string body = "\t[\n\t\"0/0: tensor 'x' size mismatch at index 0. expected 2, actual 3\"\n\t]\n";
  const std::string start =
      head + R"({"str": ["/x/y.py", 0]})" + "\n" + head +
      R"({"dynamo_start": {"stack": [{"line": 3, "name": "f", "filename": 0}]}, "frame_id": 0, "frame_compile_id": 1})" +
      "\n";
  const auto found = only<Recompile>(record + sum.hex() + "\"}\n" + body + start);
  REQUIRE(found.size() == 1);
  CHECK(found[0].function == "f");
  CHECK(found[0].place == "/x/y.py:3");
  CHECK(found[0].reasons.at(0).entry == "0/0");
  LogCounts counts;
  CHECK(only<Recompile>(record + "900150983cd24fb0d6963f7d28e17f72\"}\n" + body + start, &counts).empty());
  CHECK(counts.damage.size() == 1);
  CHECK(counts.parsed == counts.lines);
  only<Recompile>(head + "{\"artifact\": {\"na\n\tlost\n" + head + "{\"never_heard_of\": {}}\n", &counts);
  CHECK(counts.unknown == 3);
  CHECK(counts.unknown_kinds.count("record that is no JSON") == 1);
  CHECK(counts.unknown_kinds.count("record never_heard_of") == 1);
  CHECK(counts.unknown_kinds.count("payload line without a record") == 1);
  only<Recompile>(head + "{\"rank\": 0, \"frame_id\": 1}\n", &counts);
  CHECK(counts.unknown_kinds.count("record without a kind") == 1);
  only<Recompile>(head + "{\"rank\": 0, \"frame_id\": 1, \"link\": {}}\n", &counts);
  CHECK(counts.parsed == 1);
}

TEST_CASE("bytes in any pieces, no last line end, hostile text") {
  const std::string text = glog({"Recompiling function f in b.py:3",
                                 "    triggered by the following guard failure(s):", "    - 0/0: k == 1"}) +
                           std::string("tail \0 \xff without an end", 23);
  for (const std::size_t piece : {1UL, 2UL, 7UL, 1000UL}) {
    std::size_t recompiles = 0;
    LogReader reader(
        [&](const LogEvent& event) { recompiles += std::holds_alternative<Recompile>(event.body) ? 1 : 0; });
    for (std::size_t at = 0; at < text.size(); at += piece) reader.feed(std::string_view(text).substr(at, piece));
    reader.finish();
    CHECK(recompiles == 1);
    CHECK(reader.counts().lines == 4);
    CHECK(reader.counts().unknown == 1);
    CHECK(reader.counts().bytes == text.size());
  }
}
