// What a trace's lines are read with, against another parser: the same texts are well-formed, the same members come
// out; and the texts that do not read.
#include "import/json_text.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <random>

#include "import/log_support.hpp"

using namespace dimgate::logs;
using nlohmann::json;

TEST_CASE("members of objects and arrays") {
  JsonText text;
  const auto o = text.object(R"( {"a": {"x": [1, {"y": "}"}]}, "b":"q\"\\", "c" : [ ] , "d": -1.5e3, "e": null,
    "n": 7, "t": true, "u": 18446744073709551615, "twice": 1, "twice": 2, "k\u0065y": 3} )");
  REQUIRE(o);
  CHECK(json_text(member(o, "a"), 100) == R"({"x":[1,{"y":"}"}]})");
  CHECK(json_text(member(o, "a"), 3) == R"({"x)");
  CHECK(array_in(member(o, "c"))->size() == 0);
  CHECK(!member(o, "none"));
  CHECK(json_text(member(o, "none"), 100).empty());
  CHECK(json_text(member(o, "b"), 100) == "q\"\\");
  CHECK(json_text(member(o, "e"), 100).empty());
  CHECK(json_text(member(o, "n"), 100) == "7");
  CHECK(json_text(member(o, "t"), 100) == "true");
  CHECK(json_number(member(o, "d")) == -1500.0);
  CHECK(json_number(member(o, "n")) == 7.0);
  CHECK(!json_number(member(o, "b")));
  CHECK(json_int(member(o, "n")) == 7);
  CHECK(!json_int(member(o, "d")));
  CHECK(!json_int(member(o, "u")));
  CHECK(json_count(member(o, "u")) == 18446744073709551615U);
  CHECK(json_int(member(o, "twice")) == 2);  // the last
  CHECK(json_int(member(o, "key")) == 3);
  CHECK(is_true(member(o, "t")));
  CHECK(!is_true(member(o, "n")));
  CHECK(is_string(member(o, "b")));
  CHECK(!object_in(member(o, "c")));
  CHECK(text.array(R"([1, "two", [3], {}])")->size() == 4);
  CHECK(text.object("{}"));
  CHECK(!text.object("[]"));
  CHECK(!text.array("{}"));
  const auto s = text.array(R"(["\u00e9\ud83d\ude00\n"])");
  CHECK(json_text(s->at(0).value(), 100) == "\xc3\xa9\xf0\x9f\x98\x80\n");
}

TEST_CASE("what does not read") {
  JsonText text;
  for (const char* bad : {"",
                          " ",
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
                          "{\"a\":\"\\u12",
                          "{\"a\":NaN}",
                          "{\"a\":-Infinity}",
                          "{\"a\":\"\xff\"}",
                          "{\"a\":\"\xc3\"}",
                          "{\"a\":\"\\ud800\"}",
                          "{\"a\":18446744073709551616}"}) {
    CAPTURE(bad);
    CHECK(!text.object(bad));
  }
  for (const std::size_t deep : {std::size_t{1000}, std::size_t{1100}, std::size_t{1000000}}) {
    CAPTURE(deep);
    const std::string open(deep, '['), close(deep, ']');
    CHECK(text.object("{\"a\":" + open + close + "}").has_value() == (deep == 1000));
    CHECK(!text.object("{\"a\":" + open + "}"));
  }
  const std::string million(1000000, 'x');
  CHECK(json_text(member(text.object("{\"a\":\"" + million + "\"}"), "a"), 2000000) == million);
  CHECK(!text.object("{\"a\":\"" + std::string(kLongestJson, 'x') + "\"}"));
  CHECK(json_int(member(text.object("{\"a\":5}"), "a")) == 5);  // and goes on
}

TEST_CASE("changed texts: well-formed exactly where another parser says so") {
  const std::string seeds[] = {
      R"({"a": {"x": [1, {"y": "}"}]}, "b":"q\"\\", "c" : [ ] , "d": -1.5e3, "e": null, "f": [true, false]})",
      R"({"artifact": {"name": "recompile_reasons", "encoding": "json"}, "frame_id": 0, "stack": [{"line": 3}]})",
      R"({"s": "\u00e9 \ud83d\ude00", "n": [0, -0, 10, 1e5, 1E-5, 0.25], "o": {"p": {"q": {}}}})"};
  const std::string pieces = "{}[]\",:\\0123.eE+-tfn u\t\xc3\xa9\xff";
  std::mt19937 rng(7);
  JsonText reader;
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
    CAPTURE(text);
    const auto read = reader.object(text);
    REQUIRE(read.has_value() == whole.is_object());
    if (!read) continue;
    ++good;
    for (const auto& [key, value] : whole.items()) {
      REQUIRE(member(read, key));
      REQUIRE(json::parse(simdjson::minify(*member(read, key))) == value);
    }
  }
  CHECK(good > 5000);
}

TEST_CASE("records that do not read are counted, those around them are read") {
  const std::string head = "V0101 00:00:00.000000 1 torch/_logging/structured.py:28] ";
  const std::string start = R"({"dynamo_start": {"stack": [{"line": 3, "name": "f", "filename": 0}]}, "frame_id": 0})";
  for (const std::string& bad :
       {std::string("{\"dynamo_start\": {\"x\": NaN}}"), std::string("{\"dynamo_start\": {\"x\": \"\xff\"}}"),
        std::string("{\"dynamo_start\": {\"x\": "), "{\"a\": " + std::string(5000, '[') + std::string(5000, ']') + "}",
        "{\"a\": \"" + std::string(kLongestJson, 'x') + "\"}"}) {
    dimgate::LogCounts counts;
    const auto starts = dimgate::testing::only<dimgate::CompileStart>(
        head + start + "\n" + head + bad + "\n" + head + start + "\n", &counts);
    CHECK(starts.size() == 2);
    CHECK(counts.lines == 3);
    CHECK(counts.unknown == 1);
    CHECK(counts.unknown_kinds.begin()->first ==
          (bad.size() > kLongestJson ? "record over 8 MiB" : "record that is no JSON"));
  }
}
