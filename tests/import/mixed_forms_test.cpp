// Logs in which several forms meet: versions, processes and functions mixed, blocks that follow each other closely.
// Nothing of one is put down to another, and no line is lost.
#include <doctest/doctest.h>

#include "dimgate/explain.hpp"
#include "import/log_support.hpp"
#include "import/md5.hpp"

using namespace dimgate;
using testing::glog;
using testing::only;

namespace {

std::string limit(const std::string& function, const std::string& reason, const std::string& head) {
  return head + "torch._dynamo hit config.recompile_limit (8)\n" + head + "   function: '" + function +
         "' (/x/b.py:30)\n" + head + "   last reason: " + reason + "\n" + head +
         "To log all recompilation reasons, use TORCH_LOGS=\"recompiles\".\n";
}

const std::string kWarning = "W0812 03:18:23.088000 77 torch/_dynamo/convert_frame.py:964] [5/8] ";
const std::string kOld = "[2023-11-15 16:13:27,000] torch._dynamo.convert_frame: [WARNING] ";
const std::string kOldRecompiles = "[2023-11-15 16:13:26,741] torch._dynamo.guards.__recompiles: [DEBUG] ";

std::string old_recompile(const std::string& function) {
  return kOldRecompiles + "Recompiling function " + function + " in /x/t.py:9\n" + kOldRecompiles +
         "    triggered by the following guard failure(s):\n" + kOldRecompiles + "    - L['n'] == 3\n";
}

Explanation explained(const std::string& text) {
  NativeProver prover;
  Explainer explainer(prover);
  LogReader reader([&](const LogEvent& event) { explainer.add(event); });
  reader.feed(text);
  reader.finish();
  return explainer.finish(reader.counts());
}

}  // namespace

TEST_CASE("the warning of a limit alone is a recompile that met it, and a cause with a remedy") {
  const std::string text = limit("h", "5/7: self.step == 7    # self.step += 1  # b.py:31 in h", kWarning);
  LogCounts counts;
  const auto recompiles = only<Recompile>(text, &counts);
  CHECK(counts.unknown == 0);
  REQUIRE(recompiles.size() == 1);
  CHECK(recompiles[0].function == "h");
  CHECK(recompiles[0].limit_hit);
  CHECK(recompiles[0].reasons.at(0).cause.label() == "int value");
  CHECK(only<LimitHit>(text).size() == 1);
  const Explanation e = explained(text);
  REQUIRE(e.groups.size() == 1);
  CHECK(e.groups[0].limit_hits == 1);
  CHECK(e.groups[0].compiles == 8);  // the entries that fill the limit
  CHECK(!e.groups[0].remain);
  CHECK(e.groups[0].remain_note.find("last reason only") != std::string::npos);
  CHECK(e.avoidable());
  CHECK(to_text(e, 20).find("recompile_limit (8) reached once") != std::string::npos);
}

TEST_CASE("a limit under the recompile that met it is not told twice") {
  const std::string block = glog({"Recompiling function h in /x/b.py:30",
                                  "    triggered by the following guard failure(s):", "    - 5/7: self.step == 7"},
                                 "[5/8] ");
  std::string warning = limit("h", "5/7: self.step == 7", kWarning);
  for (std::size_t at = 0; (at = warning.find(" 77 ", at)) != std::string::npos;)
    warning.replace(at, 4, " 140345997743104 ");
  const auto recompiles = only<Recompile>(block + warning);
  REQUIRE(recompiles.size() == 1);
  CHECK(recompiles[0].limit_hit);
  CHECK(!recompiles[0].last_only);
}

TEST_CASE("without compile ids a limit goes to the function it names") {
  for (const bool same : {true, false}) {
    CAPTURE(same);
    const auto recompiles = only<Recompile>(old_recompile("f") + limit(same ? "f" : "g", "L['n'] == 3", kOld));
    REQUIRE(recompiles.size() == (same ? 1 : 2));
    CHECK(recompiles[0].function == "f");
    CHECK(recompiles[0].limit_hit == same);
    if (!same) {
      CHECK(recompiles[1].function == "g");
      CHECK(recompiles[1].limit_hit);
    }
    // And with more of the log behind it.
    const auto more =
        only<Recompile>(old_recompile("f") + limit(same ? "f" : "g", "L['n'] == 3", kOld) + old_recompile("h"));
    CHECK(more.size() == recompiles.size() + 1);
    CHECK(more[0].limit_hit == same);
    CHECK(!more.back().limit_hit);
  }
}

TEST_CASE("a recompile of 2.0, one line, does not continue the block before it") {
  const auto recompiles =
      only<Recompile>(old_recompile("f") +
                      "[2023-05-06 14:54:08,549] torch._dynamo.convert_frame.__recompiles: [DEBUG] ('Recompiling "
                      "function step in /x/y.py', \"triggered by the following guard failure: L['t'] == 0\")\n");
  REQUIRE(recompiles.size() == 2);
  CHECK(recompiles[1].function == "step");
  CHECK(recompiles[1].reasons.at(0).text == "L['t'] == 0");
}

TEST_CASE("sections of a verbose block with and without entry ids") {
  const auto recompiles = only<Recompile>(glog(
      {"Recompiling function f in /x/t.py:17", "    triggered by the following guard failure(s):",
       "    guard 0 failures:", "    - 3/0: L['s'] == np.float64(1.5)      ", "    - 3/0: ___check_obj_id(L['m'], 9)",
       "", "    guard 1 failures:", "    - Ne(L['x'].size()[0], 1)     # x"},
      "[3/1] ", "[__recompiles_verbose] "));
  REQUIRE(recompiles.size() == 1);
  REQUIRE(recompiles[0].reasons.size() == 3);
  CHECK(recompiles[0].reasons[1].entry == "3/0");
  CHECK(recompiles[0].reasons[2].entry == "#1");
  CHECK(recompiles[0].reasons[2].cause.label() == "shape guard");
}

TEST_CASE("an exception for a recompile tells its reasons") {
  LogCounts counts;
  const auto failed = only<CompileFailed>(
      "torch._dynamo.exc.RecompileError: Recompiling function forward in /x/m.py:7\n"
      "    triggered by the following guard failure(s):\n    - 0/0: L['self'].training == True\n",
      &counts);
  CHECK(counts.unknown == 0);
  REQUIRE(failed.size() == 1);
  CHECK(failed[0].details.at(0) == "0/0: L['self'].training == True");
}

TEST_CASE("two ranks whose lines alternate, in front of each another host prefix") {
  const auto zero = [](const std::string& t) { return glog({t}, "[0/1] ", "[__recompiles] ", "[rank0]:"); };
  const auto six = [](const std::string& t) {
    return glog({t}, "[0/1] ", "[__recompiles] ", "(VllmWorker rank=6 pid=299) [rank6]:");
  };
  std::string text;
  for (const char* line :
       {"Recompiling function f in C:\\a b\\m.py:3", "    triggered by the following guard failure(s):"})
    text += zero(line) + six(line);
  text += six("    - 0/0: tensor 'x' size mismatch at index 1. expected 8, actual 16") +
          zero("    - 0/0: tensor 'x' size mismatch at index 0. expected 4, actual 5");
  LogCounts counts;
  std::vector<LogEvent> events = read_log_text(text, &counts);
  CHECK(counts.unknown == 0);
  REQUIRE(events.size() == 2);
  CHECK(events[0].rank == "0");
  CHECK(std::get<Recompile>(events[0].body).reasons.at(0).cause.index == 0);
  CHECK(events[1].rank == "6");
  CHECK(std::get<Recompile>(events[1].body).reasons.at(0).cause.index == 1);
  CHECK(std::get<Recompile>(events[1].body).place == "C:\\a b\\m.py:3");
}

namespace {

/// A record of TORCH_TRACE with a payload.
std::string record(const std::string& body, const std::string& payload) {
  logs::Md5 md5;
  md5.update(payload);
  std::string out = "V0718 15:30:03.212000 1337 torch/_dynamo/guards.py:3564] {" + body +
                    R"(, "frame_id": 0, "frame_compile_id": 1, "attempt": 0)";
  if (payload.empty()) return out + "}\n";
  out += R"(, "has_payload": ")" + md5.hex() + "\"}\n\t";
  for (const char c : payload) out += c == '\n' ? "\n\t" : std::string(1, c);
  return out + "\n";
}

}  // namespace

TEST_CASE("reasons of a trace as text, one a line with further lines under it") {
  const auto recompiles = only<Recompile>(record(
      R"("artifact": {"name": "recompile_reasons", "encoding": "string"})",
      "0/1: Ne(Mod(L['x'].size()[0], 4), 0)\nuser stack: 1\n0/0: tensor 'x' size mismatch at index 0. expected 4, "
      "actual 8"));
  REQUIRE(recompiles.size() == 1);
  REQUIRE(recompiles[0].reasons.size() == 2);
  CHECK(recompiles[0].reasons[0].entry == "0/1");
  CHECK(recompiles[0].reasons[0].stack == "user stack: 1");
  CHECK(recompiles[0].reasons[1].cause.label() == "tensor size");
}

TEST_CASE("stages of a compile: those whose names hold `end_` are not ends") {
  const std::string line = record(
      R"("compilation_metrics": {"co_name": "f", "entire_frame_compile_time_s": 0.5, "backend_compile_time_s": 0.3, )"
      R"("inductor_compile_time_s": 0.25, "start_time_us": 5, "end_time_us": 6, )"
      R"("dynamo_cumulative_compile_time_us": 700000})",
      "");
  const auto read = only<CompileMetrics>(line);
  REQUIRE(read.size() == 1);
  REQUIRE(read[0].stages.size() == 3);
  CHECK(read[0].stages[0].first == "backend_compile");
  CHECK(read[0].stages[0].second == doctest::Approx(0.3));
  CHECK(read[0].stages[2].first == "dynamo");
  CHECK(read[0].stages[2].second == doctest::Approx(0.7));
}

TEST_CASE("what launchers, terminals and test runners put around a line") {
  const std::vector<std::string> messages{"Recompiling function f in /x/b.py:3",
                                          "    triggered by the following guard failure(s):",
                                          "    - 0/0: tensor 'x' size mismatch at index 0. expected 4, actual 5"};
  const auto each = [&](const auto& f) {
    std::string out;
    for (const std::string& message : messages) out += f(message) + "\n";
    return out;
  };
  const auto plain = [](const std::string& m) {
    std::string line = glog({m});
    line.pop_back();
    return line;
  };
  const std::string cases[] = {
      each([&](const std::string& m) { return "> > " + plain(m); }),
      each([&](const std::string& m) { return "trainer_1  | " + plain(m); }),
      each([&](const std::string& m) { return "2024-05-01T10:00:00.1234567Z " + plain(m); }),
      each([&](const std::string& m) { return "\x1b[36m(RayTrainWorker pid=1234, ip=10.0.0.2)\x1b[0m " + plain(m); }),
      each([&](const std::string& m) { return "\x1b[33;1m" + plain(m) + "\x1b[0m\r"; }),
      each([&](const std::string& m) { return "node-01: 3: " + plain(m); }),
      each([](const std::string& m) { return "DEBUG:torch._dynamo.guards.__recompiles:" + m; }),
      each([](const std::string& m) { return "DEBUG    torch._dynamo.guards.__recompiles:guards.py:2590 " + m; }),
      each([](const std::string& m) {
        return "2024-05-01 10:00:00,123 - torch._dynamo.guards.__recompiles - DEBUG - [0/1] " + m;
      }),
  };
  for (const std::string& text : cases) {
    CAPTURE(text);
    LogCounts counts;
    const auto recompiles = only<Recompile>(text, &counts);
    CHECK(counts.unknown == 0);
    REQUIRE(recompiles.size() == 1);
    CHECK(recompiles[0].function == "f");
    REQUIRE(recompiles[0].reasons.size() == 1);
    CHECK(recompiles[0].reasons[0].cause.label() == "tensor size");
    CHECK(recompiles[0].reasons[0].cause.actual == "5");
  }
}
