#include "cli/fixture.hpp"
#include "support/temp_files.hpp"

using namespace dimgate::cli;

TEST_CASE("check: each input holds, or lists all failing guards with the values seen") {
  const dimgate::testing::TempFiles files;
  const std::string guards = files("g.txt", "s0 % 8 == 0\n# a comment\ns1 == 2*s0\n");
  const std::string inputs = files("in.csv", "s0,s1\n8,16\n9,16\n");
  const Ran text = dimgate_run({"check", "--guards", guards, "--inputs", inputs});
  CHECK(text.exit == 1);
  CHECK(text.out == inputs + ":2: holds\n" + inputs + ":3: fails\n  s0 % 8 == 0 is false: s0 = 9\n" +
                        "  s1 == 2*s0 is false: s1 = 16, s0 = 9\n1 of 2 inputs hold\n");
  const Ran json = dimgate_run({"check", "--guards", guards, "--inputs", inputs, "--json"});
  const auto parsed = nlohmann::json::parse(json.out);
  CHECK(parsed["holding"] == 1);
  CHECK(parsed["rows"][1]["failing"][1]["text"] == "s1 == 2*s0");
  CHECK(parsed["rows"][1]["failing"][1]["values"]["s1"] == "16");
  CHECK(dimgate_run({"check", "--guards", guards, "--inputs", files("ok.jsonl", "{\"s0\":16,\"s1\":32}\n")}).exit == 0);
}

TEST_CASE("check: bad input is one line and exit 2") {
  const dimgate::testing::TempFiles files;
  const std::string good = files("g.txt", "s0 % 8 == 0\n"), inputs = files("in.csv", "s0\n8\n");
  const auto bad = [&](const std::string& guards, const std::string& in, const char* part) {
    const Ran r = dimgate_run({"check", "--guards", guards, "--inputs", in});
    CHECK(r.exit == 2);
    CHECK(r.out.empty());
    CHECK(is_one_line(r.talk));
    CHECK_MESSAGE(has(r.talk, part), r.talk);
  };
  bad(good, "none.csv", "none.csv: cannot be opened");
  bad("none.txt", inputs, "none.txt: cannot be opened");
  bad(files("bad.txt", "s0 % 8 == 0\ns0 %\n"), inputs, "bad.txt:2:5");
  bad(files("empty.txt", ""), inputs, "no guards");
  bad(files("other.txt", "s7 == 1\n"), inputs, "the columns are s0");
  bad(good, files("text.csv", "s0\n8\neight\n"), "text.csv:3:1: 'eight' in column 's0' is no integer");
  bad(good, files("nothing.csv", "s0\n"), "empty trace");
}
