// The same messages as logs get them from people: quoted, wrapped by launchers, cut off, joined, in other spellings.
#include <doctest/doctest.h>

#include <random>

#include "import/log_support.hpp"
#include "import/torch_logs.hpp"

using namespace dimgate;
using testing::glog;
using testing::only;

namespace {

const std::vector<std::string> kRecompile{"Recompiling function f in /x/b.py:3",
                                          "    triggered by the following guard failure(s):",
                                          "    - 0/0: tensor 'x' size mismatch at index 0. expected 4, actual 5"};

std::string before_each_line(const std::string& text, const std::string& prefix) {
  std::string out;
  std::size_t from = 0;
  while (from < text.size()) {
    const std::size_t end = text.find('\n', from);
    out += prefix + text.substr(from, end - from) + "\n";
    from = end + 1;
  }
  return out;
}

}  // namespace

TEST_CASE("whatever a launcher, a forum or Windows puts around the lines") {
  const std::string text = glog(kRecompile);
  for (const char* prefix :
       {"", "> ", "> > ", "# ", "    ", "[rank0]:", "[rank12]: ", "(VllmWorker rank=6 pid=299) [rank6]:",
        "(EngineCore_DP0 pid=41) ", "[trainer1]:[rank1]:", "[2025-08-12 03:18:23.088] ",
        "2024-01-11 14:54:08 stderr | ", "\x1b[36m(RayTrainWorker pid=77)\x1b[0m ",
        "0: ", "node3: [default0]:", "[1,5]<stderr>:", "2025-08-12T03:18:23.0885132Z "}) {
    CAPTURE(prefix);
    LogCounts counts;
    const auto found = only<Recompile>(before_each_line(text, prefix), &counts);
    CHECK(counts.unknown == 0);
    REQUIRE(found.size() == 1);
    CHECK(found[0].reasons.size() == 1);
    CHECK(found[0].place == "/x/b.py:3");
  }
  for (const char* file :
       {"torch/_dynamo/guards.py:2590", "Lib\\site-packages\\torch\\_dynamo\\guards.py:2590",
        "site-packages/torch/_dynamo/guards.py:2590", "/usr/lib/python3/dist-packages/torch/_dynamo/guards.py:7",
        "C:\\Users\\a b\\torch\\_dynamo\\guards.py:7"}) {
    CAPTURE(file);
    CHECK(only<Recompile>(glog(kRecompile, "[0/1] ", "[__recompiles] ", "", file)).size() == 1);
  }
}

TEST_CASE("a rank is the rank wherever it is said") {
  const auto rank_of = [](const std::string& prefix) {
    const auto events = read_log_text(before_each_line(glog(kRecompile), prefix));
    return events.empty() ? std::string("?") : events[0].rank;
  };
  CHECK(rank_of("[rank3]:") == "3");
  CHECK(rank_of("[trainer1]:[rank1]:") == "1");
  CHECK(rank_of("(VllmWorker rank=6 pid=299) [rank6]:") == "6");
  CHECK(rank_of("").empty());
  CHECK(rank_of("> ").empty());
}

TEST_CASE("truncated anywhere: what is there is read, every line counted") {
  const std::string text =
      glog(kRecompile) + glog({"create_symbol s0 = 4 for L['x'].size()[0] [2, int_oo] y  # t.py:7 in f (a.py:1 in b)",
                               "eval Ne(s0, 2) [guard added] y  # t.py:7 in f (a.py:1 in b)"},
                              "[0/1] ", "");
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    LogCounts counts;
    const auto found = only<Recompile>(text.substr(0, cut), &counts);
    REQUIRE(counts.parsed + counts.unknown == counts.lines);
    REQUIRE(found.size() <= 1);
  }
}

TEST_CASE("two ranks' lines in any order: each block whole") {
  std::vector<std::string> a;
  std::vector<std::string> b;
  for (const std::string& line : kRecompile) {
    a.push_back(glog({line}, "[0/1] ", "[__recompiles] ", "[rank0]:"));
    b.push_back(glog({line}, "[0/1] ", "[__recompiles] ", "[rank1]:"));
  }
  for (unsigned order = 0; order < 64; ++order) {  // bit i: whose line comes next
    std::string text;
    std::size_t ai = 0;
    std::size_t bi = 0;
    for (unsigned i = 0; i < 6; ++i) {
      const bool first = (order >> i & 1U) != 0 ? ai < 3 : bi == 3;
      text += first ? a[ai++] : b[bi++];
    }
    LogCounts counts;
    const auto found = only<Recompile>(text, &counts);
    CAPTURE(order);
    CHECK(counts.unknown == 0);
    REQUIRE(found.size() == 2);
    CHECK(found[0].reasons.size() == 1);
    CHECK(found[1].reasons.size() == 1);
  }
}

TEST_CASE("recorded logs quoted, with CRLF, and behind a rank say the same") {
  for (const testing::RecordedLog& log : testing::recorded_logs()) {
    if (log.log.ends_with(".log")) continue;  // payloads are told by a leading tab
    const std::string text = testing::slurp(log.log);
    if (text.size() > 120000) continue;
    const auto plain = only<Recompile>(text);
    CAPTURE(log.name);
    for (const char* prefix : {"> ", "[rank2]:"}) {
      const auto other = only<Recompile>(before_each_line(text, prefix));
      REQUIRE(other.size() == plain.size());
      for (std::size_t i = 0; i < plain.size(); ++i) CHECK(other[i].reasons.size() == plain[i].reasons.size());
    }
    std::string crlf;
    for (const char c : text) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
    CHECK(only<Recompile>(crlf).size() == plain.size());
  }
}

TEST_CASE("limits: every spelling") {
  const auto hit = [](const std::string& text) {
    LogCounts counts;
    const auto found = only<LimitHit>(text, &counts);
    CHECK(counts.unknown == 0);
    REQUIRE(found.size() == 1);
    return found[0];
  };
  const std::string head = "W0110 12:27:06.332000 158 torch/_dynamo/convert_frame.py:1551] [2/8] ";
  LimitHit h = hit(
      head + "torch._dynamo hit config.recompile_limit (8)\n" + head + "   function: 'g' (/x/dion2.py:621)\n" + head +
      "   last reason: 2/7: tensor 'X[0]' size mismatch at index 1. expected 640, actual 8. Guard failed on "
      "a parameter, consider using torch._dynamo.config.force_parameter_static_shapes = False to allow "
      "dynamism on parameters.\n" +
      head + "To log all recompilation reasons, use TORCH_LOGS=\"recompiles\".\n" + head +
      "To diagnose recompilation issues, see https://pytorch.org/docs/main/x.html\n");
  CHECK(h.number == 8);
  CHECK(h.last_reason.cause.source == "X[0]");
  CHECK(h.last_reason.cause.expected == "640");
  CHECK(h.last_reason.cause.actual == "8");
  h = hit(head + "torch._dynamo hit config.accumulated_recompile_limit (256)\n" + head +
          "   function: 'g' (/x/d.py:1)\n" + head + "   last reason: 0/1: k == 1\n");
  CHECK(h.limit == "accumulated_recompile_limit");
  // 2.0: one message of several lines, a blank one among them; some loggers break before the function.
  h =
      hit("[2023-03-01 10:00:00,000] torch._dynamo.convert_frame: [WARNING] torch._dynamo hit config.cache_size_limit "
          "(64)\n\n   function: 'f' (/x/f.py:1)\n   reasons:    reasons: dim_size == 14817\n\nto diagnose "
          "recompilation issues, see https://pytorch.org/x.\n");
  CHECK(h.number == 64);
  CHECK(h.function == "f");
  CHECK(h.last_reason.text == "dim_size == 14817");
  h =
      hit("[2023-03-01 10:00:00,000] torch._dynamo.convert_frame: [WARNING] torch._dynamo hit config.cache_size_limit "
          "(8)\n   function: 'f' (/x/f.py:1)\n   reasons:  ['x == 3']\n");
  CHECK(h.last_reason.cause.label() == "int value");
}

TEST_CASE("the profiler's table of recompiles, with rules and without") {
  LogCounts counts;
  auto found = only<Recompile>(
      "Function              Recompiles  Recompile Reasons\n"
      "------------------  ------------  -------------------------------\n"
      "f (/x/a.py:3)                  2  L['k'] == 1\n"
      "                                  L['k'] == 2\n"
      "g (/x/b.py:9)                  1  tensor 'L['x']' dtype mismatch. expected Half, actual Float\n\n",
      &counts);
  CHECK(counts.unknown == 0);
  REQUIRE(found.size() == 2);
  CHECK(found[0].function == "f");
  CHECK(found[0].place == "/x/a.py:3");
  CHECK(found[0].reasons.size() == 2);
  CHECK(found[1].reasons.at(0).cause.label() == "tensor dtype");
  found = only<Recompile>(
      "+---------------+------------------+---------------------+\n"
      "| Function      |   Num Recompiles | Recompile Reasons   |\n"
      "+===============+==================+=====================+\n"
      "| f (/x/a.py:3) |                2 | L['k'] == 1         |\n"
      "+---------------+------------------+---------------------+\n"
      "| g (/x/b.py:9) |                1 | L['m'] == 'a'       |\n"
      "+---------------+------------------+---------------------+\n",
      &counts);
  CHECK(counts.unknown == 1);  // the rule above the header: nothing tells what it is
  REQUIRE(found.size() == 2);
  CHECK(found[1].function == "g");
  CHECK(found[1].reasons.at(0).cause.label() == "str value");
}

TEST_CASE("JAX and TensorFlow: the reasons stay with their message") {
  LogCounts counts;
  const auto found = only<OtherRetrace>(
      "WARNING:jax._src.pjit:TRACING CACHE MISS at /x/run.py:5 (<module>) costing 741.7 ms because:\n"
      "  key with different input types:\n"
      "    * at forward_batch[8], now i32[40960] and before i32[40959]\n"
      "WARNING:tensorflow:5 out of the last 5 calls to <function f at 0x7f> triggered tf.function retracing. Tracing "
      "is "
      "expensive\n",
      &counts);
  CHECK(counts.unknown == 0);
  REQUIRE(found.size() == 2);
  CHECK(found[0].text.find("i32[40960] and before i32[40959]") != std::string::npos);
  CHECK(found[1].system == "TensorFlow");
}

TEST_CASE("errors: limits with fullgraph, data-dependent guards, layouts met at run time") {
  LogCounts counts;
  const auto found = only<CompileFailed>(
      "torch._dynamo.exc.FailOnRecompileLimitHit: recompile_limit reached with fullgraph=True. Excessive x.\n"
      "torch.fx.experimental.symbolic_shapes.GuardOnDataDependentSymNode: Could not guard on data-dependent expression "
      "Eq(u0, 1) (unhinted: Eq(u0, 1)).  (Size-like symbols: u0)\n"
      "AssertionError: expected size 3==3, stride 4097==512 at dim=0\n"
      "[rank0]: AssertionError: expected size 33==33, stride 1==50 at dim=1\n",
      &counts);
  REQUIRE(found.size() == 4);
  CHECK(counts.unknown == 0);
  CHECK(found[0].type == "FailOnRecompileLimitHit");
  CHECK(found[1].type == "GuardOnDataDependentSymNode");
  CHECK(found[2].type == "assert_size_stride");
  CHECK(found[2].message == "expected size 3==3, stride 4097==512 at dim=0");
  CHECK(found[3].type == "assert_size_stride");
  const auto violated = only<CompileFailed>(
      "ConstraintViolationError: Constraints violated (dx)! For more information, run with TORCH_LOGS=\"+dynamic\".\n"
      "  - Not all values of dx = L['x'].size()[0] in the specified range satisfy the generated guard Ne(Mod(s, s - "
      "1), "
      "0).\n  - Not all values of RelaxedUnspecConstraint(L['x'].size()[0]) are valid because L['x'].size()[0] was "
      "inferred to be a constant (1).\n");
  REQUIRE(violated.size() == 1);
  CHECK(violated[0].details.size() == 2);
}

TEST_CASE("flat guard lists: every kind of 2.0 to 2.4") {
  const auto lists = only<EntryGuards>(glog(
      {"GUARDS:", "hasattr(L['x'], '_dynamo_dynamic_indices') == False           # return x * y  # ex.py:24 in fn",
       "list(L['d'].keys()) == ['foo', 'bar']                         # return x * y  # ex.py:24 in fn",
       "check_tensor(L['y'], Tensor, DispatchKeySet(CPU, BackendSelect, ADInplaceOrView, AutogradCPU), torch.float32, "
       "device=None, requires_grad=False, size=[None, 4], stride=[4, 1])  # _dynamo/variables/builder.py:1237 in "
       "wrap_fx_proxy_cls",
       "2 <= L['x'].size()[0]                                         # _dynamo/output_graph.py:452 in "
       "init_ambient_guards",
       "__nn_module_guard_0(L['self'], debug_msg=\"versions(mod=684814, _parameters=1384576)\")"},
      "[0/0] ", "[__guards] "));
  REQUIRE(lists.size() == 1);
  REQUIRE(lists[0].guards.size() == 5);
  CHECK(lists[0].count == 5);
  CHECK(lists[0].guards[2].place == "_dynamo/variables/builder.py:1237 in wrap_fx_proxy_cls");
  CHECK(lists[0].guards[4].text.starts_with("__nn_module_guard_0("));
}

TEST_CASE("guard trees: containers, relations, a shape guard function, two entries") {
  const std::vector<std::string> lines{
      "Python shape guard function:",
      "def ___make_guard_fn(inf, inspect):",
      "    def guard(L):",
      "        _var0 = L['x']",
      "",
      "TREE_GUARD_MANAGER:",
      "+- RootGuardManager",
      "| +- LAMBDA_GUARD: torch._functorch.aot_autograd.utils.top_saved_tensors_hooks ids == None  # "
      "_dynamo/output_graph.py:643 in init_ambient_guards",
      "| +- GuardManager: source=L['args'], accessed_by=FrameLocalsGuardAccessor(key='args', framelocals_idx=0), "
      "type=<class 'tuple'>, tag_safe=(False, False)",
      "| | +- TYPE_MATCH: ___check_type_id(L['args'], 8812224)",
      "| | +- LENGTH_CHECK: len(L['args']) == 7",
      "| | +- GuardManager: source=L['args'][6]['PRESCALE_QK'], accessed_by=DictGetItemGuardAccessor('PRESCALE_QK')",
      "| | | +- DICT_CONTAINS: not ___dict_contains('forward', L['args'][6])",
      "| | +- OBJECT_ALIASING: G['F'] is G['__import_x'].F",
      "| | +- NO_TENSOR_ALIASING: check_no_aliasing(L['args'][0], L['args'][1])",
      "| | +- NO_TENSOR_ALIASING",
      "+- LAMBDA_GUARD: Ne(L['x'].size()[0], L['x'].size()[1])  # if a != b:  # _dynamo/polyfills/__init__.py:61 in "
      "list_cmp (/x/tensor.py:1124 in evaluate_expr)",
      "",
      "Guard latency = 15.88 us"};
  LogCounts counts;
  const auto trees =
      only<EntryGuards>(glog(lines, "[0/0] ", "[__guards] ") + glog(lines, "[0/1] ", "[__guards] "), &counts);
  CHECK(counts.unknown == 0);
  REQUIRE(trees.size() == 2);
  for (const EntryGuards& tree : trees) {
    REQUIRE(tree.guards.size() == 8);
    CHECK(tree.guards[0].kind == "LAMBDA_GUARD");
    CHECK(tree.guards[2].text == "len(L['args']) == 7");
    CHECK(tree.guards[6].text.empty());
    CHECK(tree.guards[7].user_line == "if a != b:");
    CHECK(tree.latency_us == doctest::Approx(15.88));
  }
}

TEST_CASE("dynamic: the older spellings") {
  LogCounts counts;
  const auto symbols = only<SymbolCreated>(
      glog({"create_unbacked_symbol i24 [-9223372036854775808, 9223372036854775807] (a.py:1 in b)"}, "[0/0] ", "") +
          "INFO:torch.fx.experimental.symbolic_shapes:create_symbol s1 = 2 for L['x'].size()[1] [2, int_oo] (a.py:1 in "
          "b)\n"
          "[2023-11-06 14:54:08,549] [0/0] torch.fx.experimental.symbolic_shapes: [INFO] create_symbol s2 = 3 for "
          "L['x'].size()[2] [2, 9223372036854775806]\n",
      &counts);
  CHECK(counts.unknown == 0);
  REQUIRE(symbols.size() == 3);
  CHECK(!symbols[0].backed);
  CHECK(symbols[1].source == "L['x'].size()[1]");
  CHECK(symbols[2].value == "3");
  CHECK(only<MarkedDynamic>(glog({"automatic dynamic L['x'] dim 3 != [2, 3]"}, "[0/0] ", "")).at(0).source == "L['x']");
}

TEST_CASE("the time of an event is that of its first line") {
  const auto time = [](const std::string& text) { return read_log_text(text).at(0).time; };
  const double glog_time = time(
      "V0301 00:00:01.500000 1 torch/_dynamo/guards.py:2] [0/1] [__recompiles] Recompiling function f in b.py:3\n");
  CHECK(glog_time == doctest::Approx(60 * 86400 + 1.5));  // as if of a leap year
  const double dated =
      time("[2023-11-06 14:54:08,549] torch._dynamo.guards.__recompiles: [DEBUG] Recompiling function f in b.py:3\n");
  CHECK(dated == doctest::Approx(1699282448.549));
  CHECK(time("Recompiling function f in b.py:3\n") == -1);
}

TEST_CASE("hostile lines: markup, NULs, bad UTF-8, a million characters, JSON that never closes") {
  const std::string head = "V0703 10:34:13.273000 1 torch/_dynamo/guards.py:2590] ";
  const std::string million(1000000, 'x');
  std::string text = glog({"Recompiling function <script>alert(1)</script> in " + million,
                           "    triggered by the following guard failure(s):", "    - 0/0: k == '<script>" + million});
  text += std::string("\0\0\0\n", 4) + "\xff\xfe\n" + head + "{\"dynamo_start\": {\"stack\": [" + million + "\n";
  text += head + "{\"str\": " + std::string(1000000, '[') + "\n";
  text += head + "{\"str\": [" + std::string(500000, '[') + std::string(500000, ']') + ", 1]}\n";
  text += million + "\n" + std::string(100000, '|') + "\n" + std::string(100000, '[') + "\n";
  LogCounts counts;
  const auto found = only<Recompile>(text, &counts);
  CHECK(counts.parsed + counts.unknown == counts.lines);
  CHECK(counts.lines == 11);
  REQUIRE(found.size() == 1);
  CHECK(found[0].function == "<script>alert(1)</script>");
  CHECK(found[0].place.size() <= 4096);
  CHECK(found[0].reasons.at(0).text.size() <= 16384);
}
