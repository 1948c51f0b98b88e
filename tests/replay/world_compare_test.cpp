// Counts of compiles on world traces against what distinct worlds there are, and causes by kind.
#include "dimgate/world_compare.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

using namespace dimgate;

namespace {

/// A trace in a file of its own, gone afterwards.
struct Written {
  explicit Written(const std::string& text) { std::ofstream(path) << text; }
  ~Written() { std::remove(path.c_str()); }
  Written(const Written&) = delete;
  Written& operator=(const Written&) = delete;
  std::string path = "world_compare_test.tmp.jsonl";
};

std::vector<WorldRow> rows(const std::string& text, const std::string& policies) {
  const Written file(text);
  WorldCompareOptions options;
  options.measure = false;
  const auto c = compare_worlds(file.path, *parse_policies(policies, CallKind::worlds), options);
  REQUIRE_MESSAGE(c.ok(), (c.ok() ? "" : c.error().to_string()));
  for (const WorldRow& r : c->rows) {
    CHECK(r.hits + r.compiles + r.shared + r.fallbacks == r.calls);
    CHECK(r.traces == r.compiles + r.shared);
    CHECK(r.reads <= r.recorded_reads + r.calls * 64);
  }
  return c->rows;
}

std::string error(const std::string& text) {
  const Written file(text);
  const auto c = compare_worlds(file.path, *parse_policies("static,symbolic", CallKind::worlds));
  return c.ok() ? "" : c.error().to_string();
}

std::string sized(std::initializer_list<int> sizes, std::initializer_list<bool> flags = {}) {
  std::string out = R"({"dimgate_world":1,"uses":["L['x']","L['f']"]})";
  auto flag = flags.begin();
  for (const int n : sizes) {
    out += "\n{\"args\":{\"x\":{\"tensor\":{\"shape\":[" + std::to_string(n) +
           "]}},\"f\":" + (flags.size() != 0 && *flag++ ? "true" : "false") + "}}";
  }
  return out + "\n";
}

}  // namespace

TEST_CASE("sizes 2,3,4,4,5,5,6 are 5 static entries, 2 automatic, 1 symbolic; with flags 5, 3 and 2") {
  const auto plain = rows(sized({2, 3, 4, 4, 5, 5, 6}), "static,auto_dynamic,symbolic");
  CHECK(plain[0].compiles == 5);
  CHECK(plain[1].compiles == 2);
  CHECK(plain[2].compiles == 1);
  const auto flags = rows(sized({2, 3, 4, 4, 5, 5, 6}, {false, true, false, false, true, true, false}),
                          "static,auto_dynamic,symbolic");
  CHECK(flags[0].compiles == 5);
  CHECK(flags[1].compiles == 3);
  CHECK(flags[2].compiles == 2);
}

TEST_CASE("train and eval toggling 20 times is 2 entries, for every policy that looks") {
  std::string text = R"({"dimgate_world":1,"uses":["L['x']","grad_mode"]})"
                     "\n";
  for (int i = 0; i < 20; ++i)
    text += std::string(R"({"args":{"x":{"tensor":{"shape":[8]}}},"state":{"grad_mode":)") +
            (i % 2 == 0 ? "true}}\n" : "false}}\n");
  for (const WorldRow& r : rows(text, "strict,static,auto_dynamic,symbolic")) {
    CAPTURE(r.policy);
    CHECK(r.entries == 2);
    CHECK(r.recompiles == 1);
    REQUIRE(r.causes.size() == 1);
    CHECK(r.causes[0].kind == GuardKind::grad_mode);
    CHECK(r.causes[0].example == "GLOBAL_STATE changed: grad_mode (expected True, actual False)");
    CHECK(r.causes[0].line == 3);
  }
}

TEST_CASE("a function from three callers is one artifact; the strict preset has three entries that share it") {
  std::string text = R"({"dimgate_world":1,"uses":["L['x']"]})"
                     "\n";
  for (const char* caller : {"training loop", "script", "decorator", "script", "training loop"})
    text += std::string(R"({"args":{"x":{"tensor":{"shape":[8]}}},"caller":")") + caller + "\"}\n";
  const auto r = rows(text, "static,strict");
  CHECK(r[0].compiles == 1);
  CHECK(r[0].hits == 4);
  CHECK(r[1].compiles == 1);
  CHECK(r[1].shared == 2);
  CHECK(r[1].entries == 3);
  CHECK(r[1].causes[0].kind == GuardKind::caller);
}

TEST_CASE("permuting arguments in storage adds nothing, an aliasing flip adds one entry") {
  const auto call = [](const std::string& a, const std::string& b) {
    return R"({"args":{"x":{"tensor":{"shape":[4],"storage":")" + a + R"("}},"y":{"tensor":{"shape":[4],"storage":")" +
           b + "\"}}}}\n";
  };
  const std::string header = R"({"dimgate_world":1,"uses":["L['x']","L['y']"]})"
                             "\n";
  const auto permuted = rows(header + call("s", "t") + call("t", "s") + call("u", "v"), "static");
  CHECK(permuted[0].entries == 1);
  const auto flipped = rows(header + call("s", "t") + call("s", "s") + call("t", "t") + call("t", "u"), "static");
  CHECK(flipped[0].entries == 2);
  CHECK(flipped[0].causes[0].kind == GuardKind::aliasing);
}

TEST_CASE("branches are path conditions; baked numbers stay; a limit falls back") {
  std::string text =
      R"({"dimgate_world":1,"uses":["L['x']"],"bakes":["L['n']"],"branches":["L['x'].size()[0] % 8 == 0"]})"
      "\n";
  for (const int n : {8, 16, 7, 9, 24, 15})
    text += R"({"args":{"x":{"tensor":{"shape":[)" + std::to_string(n) +
            R"(]}},"n":2}})"
            "\n";
  const auto r = rows(text + R"({"args":{"x":{"tensor":{"shape":[8]}},"n":3}})"
                             "\n",
                      "symbolic,static,auto_dynamic:1");
  CHECK(r[0].compiles == 3);  // a multiple or not, and n == 3
  CHECK(r[1].compiles == 7);
  CHECK(r[2].compiles == 1);
  CHECK(r[2].fallbacks == 6);
}

TEST_CASE("a key gained and lost is a cause of its own beside a size of one (xDiT 781)") {
  std::string text = R"-({"dimgate_world":1,"uses":["L['t']","L['kw']","list(L['kw'].keys())"]})-"
                     "\n";
  const auto call = [](int n, const std::string& dict) {
    return R"({"args":{"t":{"tensor":{"shape":[)" + std::to_string(n) + R"(]}},"kw":{"dict":{)" + dict + "}}}}\n";
  };
  text += call(1, "\"a\":1") + call(2, "\"a\":1,\"b\":2") + call(1, "\"a\":1");
  const auto r = rows(text, "static");
  std::set<GuardKind> kinds;
  for (const WorldCause& c : r[0].causes) kinds.insert(c.kind);
  CHECK(kinds == std::set<GuardKind>{GuardKind::shape, GuardKind::length, GuardKind::key_order});
}

TEST_CASE("errors: what is used but never there, branches that do not read or are undefined") {
  const std::string x = R"({"args":{"x":{"tensor":{"shape":[0]}}}})"
                        "\n";
  CHECK(error("{\"dimgate_world\":1,\"uses\":[\"L['y']\"]}\n" + x) ==
        "world_compare_test.tmp.jsonl:2: the observed world has no 'L['y']'");
  CHECK(error("{\"dimgate_world\":1,\"branches\":[\"L['x'].size()[0] >\"]}\n" + x)
            .find(":2: branch 'L['x'].size()[0] >': ") != std::string::npos);
  CHECK(error("{\"dimgate_world\":1,\"branches\":[\"8 % L['x'].size()[0] == 0\"]}\n" + x) ==
        "world_compare_test.tmp.jsonl:2: branch '8 % L['x'].size()[0] == 0' is undefined at this call");
  CHECK(error("{\"dimgate_world\":1}\n") == "world_compare_test.tmp.jsonl:1: the trace has a header and no calls");
  CHECK(!parse_policies("pow2", CallKind::worlds).ok());
  CHECK(!parse_policies("static,static", CallKind::worlds).ok());
  CHECK(!parse_policies("auto_dynamic:0", CallKind::worlds).ok());
}

TEST_CASE("the shipped trace: text and JSON") {
  const auto c = compare_worlds(DIMGATE_SOURCE_DIR "/tests/data/worlds/train_small.jsonl",
                                *parse_policies(default_policies(CallKind::worlds), CallKind::worlds));
  REQUIRE(c.ok());
  CHECK(c->calls == 440);
  const std::string text = to_text(*c);
  CHECK(text.find("train_step on ") == 0);
  CHECK(text.find("static: why it recompiled") != std::string::npos);
  CHECK(text.find("symbolic: what the guards cost") != std::string::npos);
  const nlohmann::json json = nlohmann::json::parse(to_json(*c));
  CHECK(json["schema"] == 1);
  CHECK(json["rows"].size() == 5);
  for (const auto& row : json["rows"]) {
    std::uint64_t evaluations = 0;
    for (const auto& k : row["kinds"]) evaluations += k["evaluations"].get<std::uint64_t>();
    CHECK((row["policy"] == "eager") == (evaluations == 0));
  }
}
