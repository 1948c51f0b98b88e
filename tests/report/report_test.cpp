// What stands in a page: the data that page/*.js draws.
#include "dimgate/report.hpp"

#include "cli/fixture.hpp"
#include "report/page_data.hpp"
#include "support/temp_files.hpp"

using namespace dimgate;
using namespace dimgate::cli;
using report::Json;
using test::data_of;

namespace {

const std::string kData = DIMGATE_SOURCE_DIR "/tests/data/";

const Json* section(const Json& data, const std::string& id) {
  for (const Json& one : data["sections"])
    if (one["id"] == id) return &one;
  return nullptr;
}

Json report_data(std::vector<std::string> args) {
  args.insert(args.begin(), "report");
  const Ran r = dimgate_run(args);
  REQUIRE_MESSAGE(r.exit == 0, r.talk);
  return data_of(r.out);
}

}  // namespace

TEST_CASE("a comparison: its numbers are those of compare") {
  const std::vector<std::string> args{
      "bert_padded", kData + "traces/azure_llm_2023_conv.csv", "--first", "2000", "--policies", "static,symbolic"};
  const Json data = report_data(args);
  std::vector<std::string> compare_args = args;
  compare_args.insert(compare_args.begin(), "compare");
  compare_args.insert(compare_args.end(), {"--json", "--details"});
  const auto compared = Json::parse(dimgate_run(compare_args).out)["rows"];
  const Json& rows = (*section(data, "policies"))["blocks"][0]["rows"];
  REQUIRE(rows.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(rows[i][0] == compared[i]["policy"]);
    CHECK(rows[i][1] == compared[i]["compiles"]);
    CHECK(rows[i][2] == compared[i]["hits"]);
    CHECK(rows[i][8] == compared[i]["entries"]);
  }
  // Every shape of the trace is a point; every entry a region with the guards that compare shows.
  const Json& regions = (*section(data, "shapes"))["blocks"][0];
  std::size_t calls = 0;
  for (const Json& point : regions["points"]) calls += point.back().get<std::size_t>();
  CHECK(calls == 2000);
  CHECK(regions["sets"][0]["entries"].size() == compared[0]["entries"].get<std::size_t>());
  CHECK(regions["sets"][1]["entries"][0]["guards"][0][1] == compared[1]["guards"][0][0]);
  // The guards of the symbolic entries: place, reason, remedy.
  const Json& entries = (*section(data, "guards"))["blocks"][0]["entries"];
  REQUIRE(entries.size() == compared[1]["compiles"].get<std::size_t>());
  const Json& guard = entries[0]["recorded"][0];
  CHECK(guard["became"] == "kept");
  CHECK(has(guard["where"], "language.cpp:"));
  CHECK(has(guard["remove"], "--assume 'L % 8 != 0'"));
  const Json& formula = data["formulas"][guard["f"].get<std::size_t>()];
  CHECK(formula["text"] == "L % 8 != 0");
  CHECK(has(formula["latex"], "\\bmod"));
  CHECK(has(formula["mathml"], "<math"));
}

TEST_CASE("a comparison: an implied guard names what implies it") {
  const Json data = report_data({"moe_chunked", kData + "traces/azure_llm_2023_conv.csv", "--policies", "symbolic"});
  std::size_t implied = 0;
  for (const Json& entry : (*section(data, "guards"))["blocks"][0]["entries"])
    for (const Json& guard : entry["recorded"]) {
      if (guard["became"] != "implied") continue;
      ++implied;
      CHECK(guard["by"].size() + guard["facts"].size() > 0);
      CHECK(!guard["proof"].get<std::string>().empty());
    }
  CHECK(implied > 0);
}

TEST_CASE("logs: the causes and counts are those of explain") {
  for (const char* log :
       {"mark_dynamic.torch_trace.log", "module_attr.guards.torch_logs.txt", "thrash_id.verbose.torch_logs.txt"}) {
    CAPTURE(log);
    const std::string path = kData + "torch_logs/" + log;
    const Json data = report_data({path});
    const auto explained = Json::parse(dimgate_run({"explain", path, "--json", "--top", "0"}).out);
    const Json* causes = section(data, "causes");
    REQUIRE(causes != nullptr);
    if (explained["causes"].empty()) continue;
    const Json& cards = (*causes)["blocks"][1]["items"];
    REQUIRE(cards.size() == explained["causes"].size());
    for (std::size_t i = 0; i < cards.size(); ++i)
      CHECK(has(cards[i]["title"], explained["causes"][i]["cause"].get<std::string>().substr(0, 40)));
    const Json& lines = (*section(data, "log"))["blocks"].back();
    CHECK(has(lines["caption"], "are all " + std::to_string(explained["lines"]["all"].get<std::uint64_t>())));
  }
}

TEST_CASE("logs: guards before and after, with line, proof and remedy") {
  const Json data = report_data({kData + "torch_logs/mark_dynamic.guards.torch_logs.txt"});
  const Json* guards = section(data, "guards");
  REQUIRE(guards != nullptr);
  std::size_t lines = 0;
  std::size_t remedies = 0;
  std::size_t implied = 0;
  for (const Json& entry : (*guards)["blocks"][0]["entries"])
    for (const Json& guard : entry["recorded"]) {
      lines += guard.contains("line") ? 1 : 0;
      remedies += guard.contains("remove") ? 1 : 0;
      if (guard["became"] == "implied") {
        ++implied;
        for (const Json& by : guard["by"]) CHECK(entry["recorded"][by.get<std::size_t>()]["became"] == "kept");
      }
    }
  CHECK(lines > 10);
  CHECK(remedies > 10);
  CHECK(implied > 0);
}

TEST_CASE("logs: an entry whose guards the log leaves out is not shown as one without guards") {
  const Json data = report_data({kData + "torch_logs/module_attr.torch_trace.log"});
  const Json* guards = section(data, "guards");
  if (guards == nullptr) return;
  for (const Json& entry : (*guards)["blocks"][0]["entries"]) CHECK(!entry["recorded"].empty());
}

TEST_CASE("the same page twice, but for measured times") {
  const std::string log = kData + "torch_logs/module_attr.guards.torch_logs.txt";
  CHECK(dimgate_run({"report", log}).out == dimgate_run({"report", log}).out);
}

TEST_CASE("a page needs no network and is small") {
  const Ran r = dimgate_run({"report", kData + "torch_logs/mark_dynamic.torch_trace.log"});
  CHECK(r.out.size() - data_of(r.out).dump().size() < 400'000);
  CHECK(has(r.out, "default-src 'none'"));
  for (const char* loads : {"src=", "href=\"http", "@import", "url(", "fetch(", "XMLHttpRequest", "import("})
    CHECK_MESSAGE(!has(r.out.substr(0, r.out.find("id=\"data\"")), loads), loads);
}

TEST_CASE("wrong input is one line that says what would be right") {
  Ran r = dimgate_run({"report", "bert_padded"});
  CHECK(r.exit == 2);
  CHECK(is_one_line(r.talk));
  CHECK(has(r.talk, "one trace"));
  r = dimgate_run({"report", "/nowhere/log.txt"});
  CHECK(r.exit == 2);
  CHECK(has(r.talk, "/nowhere/log.txt"));
  r = dimgate_run({"report", kData + "torch_logs/mark_dynamic.torch_trace.log", "-o", "/nowhere/page.html"});
  CHECK(r.exit == 2);
  CHECK(has(r.talk, "cannot write /nowhere/page.html"));
  r = dimgate_run({"report", kData + "torch_logs/mark_dynamic.torch_trace.log", "--json"});
  CHECK(r.exit == 2);
}

TEST_CASE("the page goes to a file") {
  const dimgate::testing::TempFiles files;
  const Ran r =
      dimgate_run({"report", kData + "torch_logs/mark_dynamic.torch_trace.log", "-o", files.path("page.html")});
  CHECK(r.exit == 0);
  CHECK(r.out.empty());
  CHECK(std::filesystem::file_size(files.path("page.html")) > 200'000);
}

TEST_CASE("dimgate's own traces: regions over the slots as their guards spell them, nothing said of PyTorch") {
  const dimgate::testing::TempFiles files;
  std::string trace = R"({"v":1,"event":"frame","frame":"f","slots":[{"name":"x.size()[0]","sort":"Int"}]})"
                      "\n";
  for (int i = 1; i <= 3; ++i) {
    const std::string n = std::to_string(i);
    const std::string size = std::to_string(i + 3);
    trace += R"({"v":1,"event":"insert","frame":"f","version":)" + n + R"(,"entry":)" + n +
             R"(,"reason":"","guards":[{"text":"x.size()[0] == )" + size + R"(","kind":"shape"}],"bytes":9})" + "\n" +
             R"({"v":1,"event":"miss","frame":"f","call":)" + n + R"(,"outcome":"compiled","first":)" +
             (i == 1 ? "true" : "false") + R"(,"hits":0,"seconds":0.5,"made":)" + n + R"(,"inputs":{"x.size()[0]":)" +
             size + R"(},"nearest":[)" +
             (i == 1 ? std::string()
                     : R"({"entry":1,"failing":[{"guard":0,"text":"x.size()[0] == 4","kind":"shape","message":"",)"
                       R"("expected":"4","actual":")" +
                           size + R"("}]})") +
             "]}\n";
  }
  const Json data = report_data({files("dimgate-1.jsonl", trace)});
  const Json& cards = (*section(data, "causes"))["blocks"][1]["items"];
  REQUIRE(cards.size() == 1);
  CHECK(!has(cards.dump(), "PyTorch"));
  const Json& blocks = (*section(data, "shapes"))["blocks"];
  const Json& regions = blocks.back();
  CHECK(regions["dims"] == Json::array({"x.size()[0]"}));
  CHECK(regions["points"].size() == 3);
  for (const Json& entry : regions["sets"][0]["entries"]) CHECK(entry["guards"].size() == 1);
}

TEST_CASE("demo --html writes the page") {
  const Ran r = dimgate_run({"demo", "--html", "-"});
  CHECK(r.exit == 0);
  CHECK(has(r.out, "<title>How guards work</title>"));
  CHECK(data_of(r.out)["scenes"].size() == 5);
  CHECK(dimgate_run({"demo", "--html", "/nowhere/x.html"}).exit == 2);
}

TEST_CASE("a comparison: hits and misses by guard kind add up to the hits of the symbolic policy") {
  for (const auto& [model, trace, n] : {std::tuple{"bert_padded", "azure_llm_2023_conv.csv", 2000},
                                        std::tuple{"unet_pad", "coco_val2017_sizes.csv", 500}}) {
    const Json data =
        report_data({model, kData + "traces/" + trace, "--first", std::to_string(n), "--policies", "symbolic"});
    const Json* kinds = section(data, "kinds");
    REQUIRE(kinds != nullptr);
    const Json& block = (*kinds)["blocks"][0];
    REQUIRE(block["title"] == "Hits and misses by guard kind");
    const Json& row = (*section(data, "policies"))["blocks"][0]["rows"][0];
    const auto hits = row[2].get<std::uint64_t>();
    REQUIRE(hits > 0);
    CHECK(block["table"]["caption"].get<std::string>() ==
          "The first " + std::to_string(n) + " calls under the policy symbolic: " + std::to_string(hits) + " hits, " +
              report::counted(n - hits - 1, "miss", "misses") + ", 1 before any entry");
    // One kind of guard: every hit and every miss after the first call is its.
    REQUIRE(block["table"]["rows"].size() == 1);
    CHECK(block["table"]["rows"][0][1] == hits);
    CHECK(block["table"]["rows"][0][2] == n - hits - 1);
  }
}
