// simplify and merge: what is printed, exit codes, JSON, formats, and errors with their place.
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "cli/fixture.hpp"

namespace dimgate::cli {
namespace {

using nlohmann::json;

class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text) {
    static int count = 0;
    path_ = (std::filesystem::temp_directory_path() /
             ("dimgate_cli_" + std::to_string(::getpid()) + "_" + std::to_string(++count)))
                .string();
    std::ofstream(path_) << text;
  }
  ~TemporaryFile() { std::remove(path_.c_str()); }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

TEST_CASE("simplify prints one conjunct a line") {
  const Ran r = dimgate_run({"simplify", "-a", "H >= 0", "-a", "W >= 0", "C == 3", "H >= 1 and W >= 1",
                             "H % 32 != 0 or W % 32 != 0", "H != 0"});
  CHECK(r.exit == kFine);
  CHECK(r.out == "C == 3\nH >= 1\nW >= 1\nH % 32 != 0 or W % 32 != 0\n");
  CHECK(r.talk == "4 guards, 3 kept, 1 implied; written as 4\n");
  CHECK(dimgate_run({"simplify", "-a", "L >= 0", "ceildiv(L, 1024) == 5 and L > 4096"}).out == "4097 <= L <= 5120\n");
  CHECK(dimgate_run({"simplify", "-a", "s >= 0", "s >= 0"}).out == "True\n");
}

TEST_CASE("simplify --why") {
  const Ran r = dimgate_run({"simplify", "--why", "-a", "t >= 3", "2 <= s", "s >= 1", "t != 0", "x*x >= 0 or x > 5"});
  CHECK(has(r.out, "# s >= 1\n#   implied by `2 <= s` (set)\n"));
  CHECK(has(r.out, "# t != 0\n#   implied by the fact `t >= 3` (set)\n"));
}

TEST_CASE("simplify: a set that accepts nothing is the answer no, with its core") {
  const Ran r = dimgate_run({"simplify", "y == 1", "x > 3", "x < 2"});
  CHECK(r.exit == kNo);
  CHECK(r.out == "False\n");
  CHECK(r.talk == "no values satisfy `x > 3`, `x < 2`\n");
}

TEST_CASE("simplify --json and the formats") {
  const json j = json::parse(dimgate_run({"simplify", "--json", "2 <= s", "s <= 8", "s < 100"}).out);
  CHECK(j["schema"] == 1);
  CHECK(j["kept"] == json::array({0, 1}));
  CHECK(j["dropped"][0]["guard"] == 2);
  CHECK(j["dropped"][0]["implied_by"] == json::array({1}));
  CHECK(j["readable"] == json::array({"2 <= s <= 8"}));
  CHECK(json::parse(dimgate_run({"simplify", "--format", "json", "s % 8 == 0"}).out)["op"] == "Eq");
  CHECK(has(dimgate_run({"simplify", "--format", "smt2", "s % 8 == 0"}).out, "(check-sat)"));
  CHECK(has(dimgate_run({"simplify", "--format", "c", "s % 8 == 0"}).out, "guard(int64_t s)"));
  CHECK(has(dimgate_run({"simplify", "--format", "latex", "2 <= s"}).out, "\\geq"));
  for (const char* f : {"mathml", "python", "text"})
    CHECK(dimgate_run({"simplify", "--format", f, "s >= 2"}).exit == kFine);
  CHECK(dimgate_run({"simplify", "--format", "word", "s >= 2"}).exit == kBadInput);
}

TEST_CASE("simplify: bad input is one line with its place") {
  const TemporaryFile broken("s >= 1\n# a comment\ns % == 0\n");
  const TemporaryFile empty("# nothing\n");
  for (const std::vector<std::string>& args : {std::vector<std::string>{"simplify"},
                                               {"simplify", "s >"},
                                               {"simplify", "s + 1"},
                                               {"simplify", "--guards", "/no/such/file"},
                                               {"simplify", "--guards", broken.path()},
                                               {"simplify", "--guards", empty.path()},
                                               {"simplify", "--guards", broken.path(), "s >= 1"},
                                               {"simplify", "-a", "s > 3", "-a", "s < 3", "t == 1"}}) {
    const Ran r = dimgate_run(args);
    CHECK(r.exit == kBadInput);
    CHECK(r.out.empty());
    CHECK(is_one_line(r.talk));
  }
  CHECK(has(dimgate_run({"simplify", "--guards", broken.path()}).talk, broken.path() + ":3:"));
}

TEST_CASE("simplify: PyTorch's guard lists, without Z3") {
  const std::pair<const char*, std::size_t> lists[] = {
      {"shapeenv_4x2_20", 18}, {"shapeenv_8x2_100", 51}, {"shapeenv_16x2_300", 127}, {"shapeenv_16x2_1000", 302}};
  for (const auto& [name, most] : lists) {
    const std::string file = std::string(DIMGATE_SOURCE_DIR) + "/tests/data/guard_lists/" + name + ".guards";
    const json j = json::parse(dimgate_run({"simplify", "--no-z3", "--pytorch", "--json", "--guards", file}).out);
    CHECK(j["kept"].size() <= most);
    CHECK(j["readable"].size() <= most);
    CHECK(j["kept"].size() + j["dropped"].size() == j["guards"].get<std::size_t>());
    for (const json& d : j["dropped"]) CHECK((!d["implied_by"].empty() || !d["facts"].empty()));
  }
}

TEST_CASE("merge") {
  const TemporaryFile tsv(
      "# entries\nshort\tA\t1 <= x <= 4\r\nlong\tA\t5 <= x <= 9\n\nseven\tB\tx == 7\nfar\tC\tx >= 30\n");
  const Ran r = dimgate_run({"merge", tsv.path()});
  CHECK(r.exit == kFine);
  CHECK(has(r.out,
            "short+long\tA\t1 <= x <= 9\nfar\tC\tx >= 30\n# joined: short, long run the same artifact: 1 <= x <= 9 "
            "(proved, box)\n"));
  CHECK(has(r.out, "# retired: seven lies inside short, long (proved, box)\n"));
  CHECK(r.talk == "4 entries in, 2 out; distinct artifacts: 3\n");
  // What it prints can be merged again and stays as it is.
  const TemporaryFile again(r.out);
  CHECK(has(dimgate_run({"merge", again.path()}).out, "short+long\tA\t1 <= x <= 9\nfar\tC\tx >= 30\n"));
  const TemporaryFile lines(
      "{\"label\": \"p\", \"fingerprint\": \"A\", \"guard\": \"L % 8 == 0\"}\n{\"label\": \"q\", \"fingerprint\": "
      "\"A\", \"guard\": \"L % 8 != 0\"}\n");
  const json j = json::parse(dimgate_run({"merge", "--json", lines.path()}).out);
  CHECK(j["entries"][0]["guard"] == "True");
  CHECK(j["lower_bound"] == 1);
}

TEST_CASE("merge: bad input is one line with its place") {
  for (const char* text : {"", "only one field\n", "a\tA\tx >\n", "{\"label\": \"p\"}\n", "{]\n", "a\tA\tx + 1\n"}) {
    const TemporaryFile file(text);
    const Ran r = dimgate_run({"merge", file.path()});
    CHECK(r.exit == kBadInput);
    CHECK(r.out.empty());
    CHECK(is_one_line(r.talk));
    CHECK(has(r.talk, file.path()));
  }
  CHECK(dimgate_run({"merge", "/no/such/file"}).exit == kBadInput);
  const TemporaryFile guards("x % 8 == 0\n");
  CHECK(has(dimgate_run({"simplify", guards.path()}).talk, "give it with --guards"));
  const TemporaryFile file("a\tA\tx % == 1\n");
  CHECK(has(dimgate_run({"merge", file.path()}).talk, ":1:9:"));
}

}  // namespace
}  // namespace dimgate::cli
