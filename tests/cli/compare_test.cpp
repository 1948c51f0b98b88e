#include <stdlib.h>

#include <fstream>

#include "cli/fixture.hpp"
#include "support/temp_files.hpp"

using namespace dimgate::cli;

namespace {

/// An environment variable, for as long as it lives.
struct Environment {
  const char* name;
  Environment(const char* n, const std::string& value) : name(n) { setenv(n, value.c_str(), 1); }
  ~Environment() { unsetenv(name); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
};

const std::string kTraces = DIMGATE_SOURCE_DIR "/tests/data/traces/";

}  // namespace

TEST_CASE("compare: the batched trace, as JSON of schema 1") {
  const Ran r =
      dimgate_run({"compare", "bert_padded", kTraces + "azure_llm_2023_code.csv", "--batch", "TIMESTAMP:1s", "--bind",
                   "L=max(ContextTokens)", "--bind", "B=count()", "--policies", "static,pow2,symbolic", "--json"});
  REQUIRE_MESSAGE(r.exit == 0, r.talk);
  const auto json = nlohmann::json::parse(r.out);
  CHECK(json["schema"] == 1);
  CHECK(json["model"] == "bert_padded");
  CHECK(json["calls"] == 914);
  CHECK(json["rows"].size() == 3);
  CHECK(json["rows"][0]["compiles"] == 723);
  CHECK(json["rows"][1]["compiles"] == 30);
  CHECK(json["rows"][2]["entries"] == 2);
  CHECK(json["rows"][2]["estimated_total_s"].is_null());
  CHECK(json["rows"][0].size() == 16);
  CHECK(r.talk.empty());
}

TEST_CASE("compare: first calls, costs, facts, the solver left out") {
  const Ran r = dimgate_run({"compare", "moe_bucketed", kTraces + "azure_llm_2023_conv.csv", "--first", "400", "--cost",
                             "C=200ms,R=1ms,E=10ms", "-a", "L <= 512", "--policies", "eager,symbolic", "--no-z3",
                             "--json", "--details"});
  REQUIRE_MESSAGE(r.exit == 0, r.talk);
  const auto rows = nlohmann::json::parse(r.out)["rows"];
  CHECK(rows[1]["calls"] == 400);
  CHECK(rows[1]["entries"] == 1);
  CHECK(rows[1]["fallbacks"].get<int>() > 0);  // longer prompts break the fact
  CHECK(rows[1]["solver_ms"] == 0);
  CHECK(rows[0]["estimated_total_s"] == doctest::Approx(4.0));
  CHECK(rows[0]["break_even"] == "never");
  CHECK(rows[1]["break_even"].is_number());
  CHECK(rows[1]["guards"].dump() == "[[]]");
}

TEST_CASE("compare: the table names every policy asked for") {
  const Ran r =
      dimgate_run({"compare", "unet_crop", kTraces + "coco_val2017_sizes.csv", "--first", "500", "--bind",
                   "H=height//32*32", "--bind", "W=width//32*32", "--policies", "static,auto_dynamic,symbolic"});
  REQUIRE_MESSAGE(r.exit == 0, r.talk);
  CHECK(has(r.out, "500 calls"));
  CHECK(has(r.out, "\nstatic "));
  CHECK(has(r.out, "\nauto_dynamic "));
  CHECK(has(r.out, "symbolic: 1 entry\n  C == 3 and H >= 1 and W >= 1 and H % 4 == 0 and W % 4 == 0\n"));
}

TEST_CASE("compare --entries: a limit, what it cost, and how it is written") {
  const Ran r = dimgate_run({"compare", "bert_padded", kTraces + "azure_llm_2023_conv.csv", "--first", "300",
                             "--policies", "static,symbolic", "--entries", "4:lru", "--json"});
  REQUIRE_MESSAGE(r.exit == 0, r.talk);
  const auto json = nlohmann::json::parse(r.out);
  CHECK(json["entry_limit"] == "4:lru");
  CHECK(json["rows"][0]["entries"] == 4);
  CHECK(json["rows"][0]["evictions"] == json["rows"][0]["compiles"].get<int>() - 4);
  CHECK(json["rows"][1]["evictions"] == 0);
  const Ran table = dimgate_run({"compare", "bert_padded", kTraces + "azure_llm_2023_conv.csv", "--first", "300",
                                 "--policies", "static", "--entries", "1"});
  CHECK(has(table.out, "300 calls, at most 1 entry (1:fallback)"));
}

TEST_CASE("compare: bad input is one line with place and remedy, and exit 2") {
  const dimgate::testing::TempFiles files;
  const std::string good = files("good.csv", "a,b\n4,5\n");
  const auto bad = [&](std::vector<std::string> args, const char* part) {
    args.insert(args.begin(), "compare");
    const Ran r = dimgate_run(args);
    CHECK(r.exit == 2);
    CHECK(r.out.empty());
    CHECK(is_one_line(r.talk));
    CHECK_MESSAGE(has(r.talk, part), r.talk);
  };
  bad({"tiny_lm", "none.csv"}, "none.csv: cannot be opened");
  bad({"tiny_lm", "none.csv", "--entries", "0"}, "8:benefit");
  bad({"--world", "none.jsonl", "--cost", "C=1"}, "takes no --cost");
  bad({"tiny_lm", files("empty.csv", "")}, "empty trace");
  bad({"tiny_lm", files("header.csv", "ContextTokens\n")}, "empty trace");
  bad({"tiny_lm", files("text.csv", "ContextTokens\n12\nabc\n")},
      "text.csv:3:1: 'abc' in column 'ContextTokens' is no integer");
  bad({"tiny_lm", files("neg.csv", "ContextTokens\n12\n-3\n")}, "neg.csv:3: L is -3");
  bad({"tiny_lm", good}, "the columns, which are a, b");
  bad({"tiny_lm", good, "--bind", "L=c"}, "no column 'c'; the columns are a, b");
  bad({"tiny_lm", good, "--bind", "L=a+"}, "column 3");
  bad({"tiny_lm", good, "--bind", "K=a"}, "its dims are B, L");
  bad({"tiny_lm", good, "--bind", "L"}, "expected NAME=EXPR");
  bad({"tiny_lm", good, "--bind", "L=a", "--bind", "L=b"}, "given twice");
  bad({"tiny_lm", good, "--bind", "L=a//0"}, "division by zero");
  bad({"tiny_lm", good, "--bind", "L=a", "-a", "L > 3", "-a", "L < 2"}, "contradict each other: L > 3 and L < 2");
  bad({"tiny_lm", good, "--bind", "L=a", "-a", "K > 3"}, "the dims of tiny_lm are B, L");
  bad({"tiny_lm", good, "--bind", "L=a", "--policies", "fast"}, "there are eager, static");
  bad({"tiny_lm", good, "--bind", "L=a", "--cost", "C"}, "expected C=SECONDS");
  bad({"tiny_lm", good, "--bind", "L=a", "--batch", "a"}, "expected COLUMN:WIDTH");
  bad({"tiny_lm", good, "--bind", "L=a", "--batch", "t:1s"}, "columns are a, b");
  bad({"tiny_lm", good, "--bind", "L=a", "--first", "-3"}, "1 or more");
  bad({"tiny_ml", good}, "tiny_lm");
  bad({"unet_crop", kTraces + "coco_val2017_sizes.csv", "--first", "5", "--bind", "C=4"},
      "every call is rejected by unet_crop");
}

TEST_CASE("DIMGATE_LOG: lines of the topics on stderr, data untouched; a topic that is none is bad input") {
  const std::vector<std::string> args{"compare",         "lenet_static",    kTraces + "azure_llm_2023_code.csv",
                                      "--bind",          "B=ContextTokens", "--policies",
                                      "static,symbolic", "--first",         "3",
                                      "--no-z3",         "--json"};
  const auto counts = [](const Ran& r) {
    std::vector<int> out;
    const auto json = nlohmann::json::parse(r.out);
    for (const auto& row : json["rows"]) out.push_back(row["compiles"].get<int>());
    return out;
  };
  const Ran quiet = dimgate_run(args);
  REQUIRE_MESSAGE(quiet.exit == 0, quiet.talk);
  CHECK(quiet.talk.empty());
  {
    const Environment log("DIMGATE_LOG", "recompiles,+guards,simplify,cache,prove");
    const Ran r = dimgate_run(args);
    CHECK(counts(r) == counts(quiet));
    CHECK(has(r.talk, "[recompiles] recompiling lenet_static, static, call 2: compiled"));
    CHECK(has(r.talk, "[recompiles]   entry 1: B: expected "));
    CHECK(has(r.talk, "[guards] lenet_static, static: entry 1 is guarded by "));
    CHECK(has(r.talk, "[cache] lenet_static, symbolic: insert entry 1"));
    CHECK(has(r.talk, "[simplify] "));
  }
  const Environment wrong("DIMGATE_LOG", "everything");
  const Ran r = dimgate_run(args);
  CHECK(r.exit == 2);
  CHECK(is_one_line(r.talk));
  CHECK(has(r.talk, "'everything' is no topic; there are guards, recompiles"));
}

TEST_CASE("DIMGATE_TRACE: what the caches did, one JSON object a line") {
  const dimgate::testing::TempFiles temp;
  {
    const Environment trace("DIMGATE_TRACE", temp.dir());
    const Ran r = dimgate_run({"compare", "lenet_static", kTraces + "azure_llm_2023_code.csv", "--bind",
                               "B=ContextTokens", "--policies", "static", "--first", "4", "--no-z3"});
    REQUIRE_MESSAGE(r.exit == 0, r.talk);
  }
  std::ifstream file(temp.path("dimgate-1.jsonl"));
  std::vector<nlohmann::json> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(nlohmann::json::parse(line));
  REQUIRE(lines.size() == 13);  // the frame, four entries, four misses; hits at misses 1, 2, 4 and at the end
  for (const auto& line : lines) {
    CHECK(line["v"] == 1);
    CHECK(line["frame"] == "lenet_static, static");
  }
  CHECK(lines[0]["event"] == "frame");
  CHECK(lines[0]["slots"][0]["sort"] == "Int");
  CHECK(lines[3]["event"] == "hits");
  CHECK(lines[5]["event"] == "miss");
  CHECK(lines[5]["outcome"] == "compiled");
  CHECK(lines[5]["nearest"][0]["entry"] == 1);
  CHECK(lines[5]["nearest"][0]["failing"][0]["actual"] == lines[5]["inputs"]["B"].dump());
  CHECK(lines[12]["last"] == true);
  const Environment nowhere("DIMGATE_TRACE", temp.path("nothing"));
  CHECK(
      dimgate_run({"compare", "lenet_static", kTraces + "azure_llm_2023_code.csv", "--bind", "B=ContextTokens"}).exit ==
      2);
}
