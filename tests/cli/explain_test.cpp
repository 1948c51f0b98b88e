// dimgate explain: what is printed, and how it exits.
#include <algorithm>
#include <fstream>

#include "cli/fixture.hpp"
#include "support/temp_files.hpp"

using namespace dimgate::cli;

namespace {

const std::string kLogs = DIMGATE_SOURCE_DIR "/tests/data/torch_logs/";
const std::string kHead = "V0703 10:34:13.273000 1 torch/_dynamo/guards.py:2590] ";

std::string recompile(const std::string& id, const std::string& function, const std::string& reason) {
  const std::string head = kHead + "[" + id + "] [__recompiles] ";
  return head + "Recompiling function " + function + " in b.py:3\n" + head +
         "    triggered by the following guard failure(s):\n" + head + "    - " + reason + "\n";
}
const std::string kSize = recompile("0/1", "f", "0/0: tensor 'x' size mismatch at index 0. expected 4, actual 5");
const std::string kMode = recompile("1/1", "g", "1/0: GLOBAL_STATE changed: grad_mode ");
const std::string kBroken = recompile("2/1", "h", "2/0: name 'Trunc' is not defined");

std::size_t lines_of(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

}  // namespace

TEST_CASE("explain: a cause, what to change, exit 1") {
  const dimgate::testing::TempFiles files;
  const Ran r = dimgate_run({"explain", files("a.log", kSize)});
  CHECK(r.exit == 1);
  CHECK(has(r.out, "1. f (b.py:3): tensor size of x, once"));
  CHECK(has(r.out, "size 0: 4 -> 5"));
  CHECK(has(r.out, "torch._dynamo.mark_dynamic(x, 0)"));
  CHECK(has(r.out, "with the remedy at least 1 would remain"));
  CHECK(r.talk.empty());
}

TEST_CASE("explain: nothing to change is exit 0; no file, no such file, an empty directory are exit 2") {
  const dimgate::testing::TempFiles files;
  CHECK(dimgate_run({"explain", files("a.log", "nothing here\n")}).exit == 0);
  const Ran broken = dimgate_run({"explain", files("b.log", kBroken)});
  CHECK(broken.exit == 0);
  CHECK(has(broken.out, "no remedy known"));
  CHECK(dimgate_run({"explain"}).exit == 2);
  const Ran missing = dimgate_run({"explain", files.path("none.log")});
  CHECK(missing.exit == 2);
  CHECK(has(missing.talk, "none.log"));
  CHECK(is_one_line(missing.talk));
  CHECK(dimgate_run({"explain", files.path("")}).exit == 0);  // a directory with the logs above
  const dimgate::testing::TempFiles empty;
  CHECK(dimgate_run({"explain", empty.dir()}).exit == 2);
}

TEST_CASE("explain: rows carry the recorded columns and our cause, event by event") {
  for (const char* name : {"bert_varlen", "dict_growth", "thrash_id", "resnet_sizes"}) {
    CAPTURE(name);
    const Ran r = dimgate_run({"explain", kLogs + name + ".torch_logs.txt", "--format", "tsv"});
    std::ifstream in(kLogs + name + ".expected.tsv");
    std::vector<std::string> expected;  // the first seven columns
    for (std::string line; std::getline(in, line);) {
      if (line.starts_with("#") || line.find("\tcompile_failed") != std::string::npos) continue;
      std::size_t end = 0;
      for (int column = 0; column < 7; ++column) end = line.find('\t', end) + 1;
      expected.push_back(line.substr(0, end));
    }
    REQUIRE(lines_of(r.out) >= expected.size());
    std::istringstream rows(r.out);
    std::size_t at = 0;
    for (std::string line; std::getline(rows, line);) {
      if (line.find("\tcompile_failed") != std::string::npos) continue;
      REQUIRE(at < expected.size());
      CHECK(line.starts_with(expected[at]));
      CHECK(std::count(line.begin(), line.end(), '\t') == 7);
      ++at;
    }
    CHECK(at == expected.size());
  }
  CHECK(dimgate_run({"explain", kLogs + "thrash_id.torch_logs.txt", "--format", "tsv"})
            .out.starts_with(
                "compile_id\tfunction\tevent\tcause_kind\tfailing_guard\tcount\tall_cause_kinds\tour_cause\n"));
}

TEST_CASE("explain: JSON of schema 1 from either spelling") {
  const std::string log = kLogs + "thrash_id.torch_trace.log";
  const Ran r = dimgate_run({"explain", log, "--json"});
  CHECK(r.exit == 1);
  CHECK(r.out == dimgate_run({"explain", log, "--format", "json"}).out);
  const auto json = nlohmann::json::parse(r.out);
  CHECK(json["schema"] == 1);
  CHECK(json["avoidable"] == true);
  CHECK(json["lines"]["parsed"].get<int>() + json["lines"]["unknown"].get<int>() == json["lines"]["all"].get<int>());
  const auto& cause = json["causes"][0];
  for (const char* key :
       {"function", "place", "cause", "kind", "source", "user_line", "count", "named_by_pytorch", "seconds", "changes",
        "remedy", "avoidable", "compiles", "at_least_remain", "note", "limit_hits"})
    CHECK_MESSAGE(cause.contains(key), key);
  bool limit = false;
  for (const auto& f : json["functions"]) {
    if (f["function"] != "apply") continue;
    limit = f["limit"]["number"] == 8 && f["limit_hits"] == 1;
    REQUIRE(f["history"].size() == 9);
    CHECK(f["history"][0]["outcome"] == "entry");
    CHECK(!f["history"][0].contains("cause"));
    CHECK(f["history"][1]["kind"] == "closure");
    CHECK(f["history"][1]["expected"] == "0");
    CHECK(f["history"][1]["actual"] == "1");
    CHECK(f["history"][8]["outcome"] == "limit_hit");
    CHECK(f["stages"].size() > 0);
  }
  CHECK(limit);
}

TEST_CASE("explain: --top shows that many causes and says how many more there are") {
  const std::string log = kLogs + "mark_dynamic.torch_logs.txt";
  const Ran two = dimgate_run({"explain", log, "--top", "2"});
  CHECK(has(two.out, "\n2. "));
  CHECK(!has(two.out, "\n3. "));
  CHECK(has(two.out, "17 more causes (--top 0 shows all)"));
  CHECK(has(dimgate_run({"explain", log, "--top", "0"}).out, "\n19. "));
  CHECK(nlohmann::json::parse(dimgate_run({"explain", log, "--top", "2", "--json"}).out)["causes"].size() == 2);
  CHECK(dimgate_run({"explain", log, "--top", "-1"}).exit == 2);
}

TEST_CASE("explain: --fail-on decides the exit by kinds of cause") {
  const dimgate::testing::TempFiles files;
  const std::string log = files("a.log", kSize + kMode + kBroken);
  const auto exit = [&](std::vector<std::string> kinds) {
    std::vector<std::string> args{"explain", log};
    for (const std::string& kind : kinds) {
      args.emplace_back("--fail-on");
      args.push_back(kind);
    }
    return dimgate_run(args).exit;
  };
  CHECK(exit({}) == 1);
  CHECK(exit({"tensor size"}) == 1);
  CHECK(exit({"tensor dtype"}) == 0);
  CHECK(exit({"tensor dtype", "global state"}) == 1);
  CHECK(exit({"global state: grad_mode"}) == 1);
  CHECK(exit({"global state: num_threads"}) == 0);
  CHECK(exit({"broken guard"}) == 1);  // asked for, avoidable or not
  CHECK(exit({"size"}) == 1);          // the user's word for it
  CHECK(exit({"global flag"}) == 1);
  CHECK(exit({"dtype"}) == 0);
  const Ran unknown = dimgate_run({"explain", log, "--fail-on", "colour"});
  CHECK(unknown.exit == 2);
  CHECK(has(unknown.talk, "colour"));
  CHECK(has(unknown.talk, "tensor size"));
}

TEST_CASE("explain: --against tells what went away, what stays, what is new") {
  const dimgate::testing::TempFiles files;
  const std::string before = files("before.log", kSize + kMode);
  const std::string after = files("after.log", kMode + kBroken);
  const Ran r = dimgate_run({"explain", before, "--against", after});
  CHECK(r.exit == 1);  // of what is left, grad mode is avoidable
  CHECK(has(r.out, "gone   f: tensor size of x (was 1)"));
  CHECK(has(r.out, "stays  g: global state: grad_mode (1 -> 1)"));
  CHECK(has(r.out, "new    h: broken guard (1)"));
  // A log that shows nothing confirms nothing.
  const Ran nothing = dimgate_run({"explain", before, "--against", files("clean.log", "\n")});
  CHECK(nothing.exit == 1);
  CHECK(has(nothing.out, "not confirmed"));
  const auto json = nlohmann::json::parse(dimgate_run({"explain", before, "--against", after, "--json"}).out);
  CHECK(json["gone"].size() == 1);
  CHECK(json["stay"][0]["count_after"] == 1);
  CHECK(json["new"][0]["cause"] == "broken guard");
  CHECK(dimgate_run({"explain", before, "--against", after, "--format", "tsv"}).exit == 2);
  CHECK(dimgate_run({"explain", before, "--against", files.path("none")}).exit == 2);
}

TEST_CASE("explain: --guards takes entries apart, with the fact behind each implied guard") {
  const Ran r = dimgate_run({"explain", kLogs + "mark_dynamic.guards.torch_logs.txt", "--guards", "--json"});
  const auto json = nlohmann::json::parse(r.out);
  std::size_t entries = 0;
  std::size_t formulas = 0;
  std::size_t kept = 0;
  std::size_t implied = 0;
  for (const auto& f : json["functions"])
    for (const auto& entry : f["entries"]) {
      ++entries;
      formulas += entry["formulas"].get<std::size_t>();
      kept += entry["kept"].get<std::size_t>();
      implied += entry["implied"].size();
      CHECK(entry["kept"].get<std::size_t>() + entry["implied"].size() >= entry["formulas"].get<std::size_t>());
    }
  CHECK(entries > 5);
  CHECK(implied > 0);
  CHECK(kept < formulas);
}

TEST_CASE("explain: several logs are one explanation; text of a log stays text") {
  const dimgate::testing::TempFiles files;
  const Ran r = dimgate_run({"explain", files("a.log", kSize), files("b.log", kMode)});
  CHECK(has(r.out, "1. f"));
  CHECK(has(r.out, "2. g"));
  const Ran odd = dimgate_run(
      {"explain", files("c.log", recompile("0/1", "<script>\x1b[31m" + std::string(100000, 'x'), "0/0: k == 1"))});
  CHECK(!has(odd.out, "\x1b"));
  CHECK(odd.out.size() < 20000);
  CHECK(has(odd.out, "<script>"));
  CHECK(dimgate_run({"explain", files.path("a.log"), "--format", "xml"}).exit == 2);
}
