// The JSON scanner against a full parser: the same texts are well-formed, the same members come out.
#include "import/json_scan.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <random>

using namespace dimgate::logs;
using nlohmann::json;

TEST_CASE("members of objects and arrays") {
  JsonMembers m;
  REQUIRE(m.read_object(R"( {"a": {"x": [1, {"y": "}"}]}, "b":"q\"\\", "c" : [ ] , "d": -1.5e3, "e": null} )"));
  REQUIRE(m.members().size() == 5);
  CHECK(m.at("a") == R"({"x": [1, {"y": "}"}]})");
  CHECK(m.at("c") == "[ ]");
  CHECK(m.at("none").empty());
  CHECK(json_text(m.at("b"), 100) == "q\"\\");
  CHECK(json_text(m.at("e"), 100).empty());
  CHECK(json_number(m.at("d")) == -1500.0);
  CHECK(!json_number(m.at("b")));
  REQUIRE(m.read_array(R"([1, "two", [3], {}])"));
  CHECK(m.members().size() == 4);
  CHECK(m.members()[2].second == "[3]");
  CHECK(m.read_object("{}"));
  CHECK(!m.read_object("[]"));
  CHECK(json_text(R"("\u00e9\ud83d\ude00\ud800\n")", 100) == "\xc3\xa9\xf0\x9f\x98\x80\xef\xbf\xbd\n");
  CHECK(json_text(R"("abcdef")", 3) == "abc");
}

TEST_CASE("malformed texts, and nesting a million deep") {
  JsonMembers m;
  for (const char* bad : {"",
                          "{",
                          "}",
                          "{]",
                          "{\"a\"}",
                          "{\"a\":}",
                          "{\"a\":1,}",
                          "{,}",
                          "{\"a\":1 \"b\":2}",
                          "{\"a\":01}",
                          "{\"a\":1.}",
                          "{\"a\":\"\\x\"}",
                          "{\"a\":\"\\u12g4\"}",
                          "{\"a\":\"\n\"}",
                          "{\"a\":tru}",
                          "{\"a\":1}}",
                          "{\"a\":1} x",
                          "{a:1}",
                          "{\"a\":[1,]}",
                          "{\"a\":[1 2]}",
                          "{\"a\":+1}",
                          "{\"a\":\"",
                          "{\"a\":\"\\",
                          "{\"a\":\"\\u12"}) {
    CAPTURE(bad);
    CHECK(!m.read_object(bad));
    CHECK(m.members().empty());
  }
  const std::size_t deep = 1000000;
  CHECK(m.read_object("{\"a\":" + std::string(deep, '[') + std::string(deep, ']') + "}"));
  CHECK(!m.read_object("{\"a\":" + std::string(deep, '[') + "}"));
}

TEST_CASE("changed texts: well-formed exactly where the full parser says so") {
  const std::string seeds[] = {
      R"({"a": {"x": [1, {"y": "}"}]}, "b":"q\"\\", "c" : [ ] , "d": -1.5e3, "e": null, "f": [true, false]})",
      R"({"artifact": {"name": "recompile_reasons", "encoding": "json"}, "frame_id": 0, "stack": [{"line": 3}]})",
      R"({"s": "\u00e9 \ud83d\ude00", "n": [0, -0, 10, 1e5, 1E-5, 0.25], "o": {"p": {"q": {}}}})"};
  const std::string pieces = "{}[]\",:\\0123.eE+-tfn u\t";
  std::mt19937 rng(7);
  int good = 0;
  for (int round = 0; round < 30000; ++round) {
    std::string text = seeds[rng() % 3];
    for (unsigned edits = rng() % 3; edits > 0; --edits) {
      const std::size_t at = rng() % (text.size() + 1);
      if (rng() % 2 == 0)
        text.insert(at, 1, pieces[rng() % pieces.size()]);
      else if (at < text.size())
        text.erase(at, 1);
    }
    const json whole = json::parse(text, nullptr, false);
    JsonMembers m;
    CAPTURE(text);
    // A lone surrogate is no error here.
    if (whole.is_discarded() && text.find("\\u") != std::string::npos) continue;
    REQUIRE(m.read_object(text) == whole.is_object());
    if (!whole.is_object()) continue;
    ++good;
    for (const auto& [key, value] : whole.items()) {
      if (key.find_first_of("\\\"\t") != std::string::npos || text.find("\\", 0) != std::string::npos) continue;
      REQUIRE(json::parse(m.at(key)) == value);
    }
  }
  CHECK(good > 5000);
}
