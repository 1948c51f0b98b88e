// A report of a changed program against the one before.
#include <algorithm>

#include "cli/fixture.hpp"
#include "report/page_data.hpp"
#include "support/temp_files.hpp"

using namespace dimgate;
using namespace dimgate::cli;
using report::Json;
using test::data_of;

namespace {

const std::string kLogs = DIMGATE_SOURCE_DIR "/tests/data/torch_logs/";

Json against(const std::string& before, const std::string& after) {
  const Ran r = dimgate_run({"report", before, "--against", after});
  REQUIRE_MESSAGE(r.exit == 0, r.talk);
  return data_of(r.out);
}

std::string mismatch(int at, const std::string& name, const std::string& reason) {
  const std::string head =
      "V0101 10:00:00.000000 1 torch/_dynamo/guards.py:1] [0/" + std::to_string(at) + "] [__recompiles] ";
  return head + "Recompiling function " + name + " in m.py:1\n" + head +
         "    triggered by the following guard failure(s):\n" + head + "    - 0/" + std::to_string(at - 1) + ": " +
         reason + "\n";
}

const std::string kSize = "tensor 'x' size mismatch at index 0. expected 4, actual 5";

}  // namespace

TEST_CASE("report --against says of each cause what explain --against says") {
  for (const auto& [before, after] : {std::pair{"resnet_sizes.torch_logs.txt", "resnet_sizes.guards.torch_logs.txt"},
                                      std::pair{"module_attr.torch_trace.log", "module_attr.verbose.torch_logs.txt"},
                                      std::pair{"dict_growth.torch_logs.txt", "dict_growth.torch_logs.txt"}}) {
    const Json data = against(kLogs + before, kLogs + after);
    const Json& section = data["sections"][0];
    REQUIRE(section["id"] == "against");
    std::vector<std::string> ours;
    for (const Json& row : section["blocks"][1]["rows"]) {
      const std::string state = row[0];
      std::string line = state + std::string(7 - state.size(), ' ') + row[1].get<std::string>() + ": " +
                         row[2].get<std::string>() + (row[3] == "" ? "" : " of " + row[3].get<std::string>()) + " (";
      if (state == "gone") line += "was " + row[4].dump();
      if (state == "stays") line += row[4].dump() + " -> " + row[5].dump();
      if (state == "new") line += row[5].dump();
      ours.push_back(line + ")");
    }
    const Ran said = dimgate_run({"explain", kLogs + before, "--against", kLogs + after});
    std::vector<std::string> theirs;
    for (std::size_t at = 0; at < said.out.size();) {
      const std::size_t end = said.out.find('\n', at);
      if (!said.out.substr(at).starts_with("not confirmed")) theirs.push_back(said.out.substr(at, end - at));
      at = end + 1;
    }
    std::sort(ours.begin(), ours.end());
    std::sort(theirs.begin(), theirs.end());
    CHECK(ours == theirs);
    CHECK(!ours.empty());
    // Totals are those of each log alone.
    for (const auto& [log, column] : {std::pair{before, 1}, std::pair{after, 2}}) {
      const Json alone = Json::parse(dimgate_run({"explain", kLogs + log, "--json"}).out);
      std::uint64_t compiles = 0;
      for (const Json& f : alone["functions"]) compiles += f["compiles"].get<std::uint64_t>();
      CHECK(section["blocks"][0]["table"]["rows"][0][column] == compiles);
    }
  }
}

TEST_CASE("report --against: gone, stays, new; the page is of the log after") {
  const testing::TempFiles files;
  const std::string before = files("before.log", mismatch(1, "f", kSize) + mismatch(2, "f", "k == 1"));
  const std::string after = files("after.log", mismatch(1, "f", kSize) + mismatch(2, "f", "len(L['d']) == 2"));
  const Json data = against(before, after);
  const Json& rows = data["sections"][0]["blocks"][1]["rows"];
  REQUIRE(rows.size() == 3);
  CHECK(rows[0][0] == "new");
  CHECK(rows[0][2] == "container length");
  CHECK(rows[0][6] != "");
  CHECK(rows[1][0] == "stays");
  CHECK(rows[1][2] == "tensor size");
  CHECK(rows[2][0] == "gone");
  CHECK(rows[2][2] == "int value");
  CHECK(data["sections"][1]["id"] == "causes");
  CHECK(data["sections"][1].dump().find("int value") == std::string::npos);
}

TEST_CASE("report --against: an empty log after is said to be empty; names of logs are data") {
  const testing::TempFiles files;
  const std::string before = files("before.log", mismatch(1, "<script>alert(1)</script>", kSize));
  const std::string after = files("after.log", "");
  const Ran r = dimgate_run({"report", before, "--against", after});
  CHECK(r.exit == 0);
  CHECK(r.out.find("<script>alert") == std::string::npos);
  const Json data = data_of(r.out);
  CHECK(data["sections"][0]["text"].get<std::string>().find("nothing was logged") != std::string::npos);
  CHECK(data["sections"][0]["blocks"][1]["rows"][0][0] == "gone");
}

TEST_CASE("report --against goes with logs, not with a model; a missing log is an error") {
  CHECK(dimgate_run({"report", "bert_padded", "x.csv", "--against", "y"}).exit == 2);
  CHECK(dimgate_run({"report", kLogs + "resnet_sizes.torch_logs.txt", "--against", "/no/such/log"}).exit == 2);
}
