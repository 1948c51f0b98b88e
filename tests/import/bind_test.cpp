#include <doctest/doctest.h>

#include <set>

#include "dimgate/import.hpp"

using namespace dimgate;

namespace {

Table table(const char* text) {
  auto t = read_csv(text, "t.csv");
  REQUIRE(t.ok());
  return std::move(*t);
}

Result<Calls> bind(const Table& t, std::vector<std::string> binds, const char* batch = nullptr) {
  CallOptions options;
  for (const std::string& b : binds) options.binds.push_back(*parse_bind(b));
  if (batch) options.batch = *parse_batch(batch);
  return bind_calls(t, options);
}

std::vector<std::int64_t> values(const Result<Calls>& calls) {
  if (!calls) {
    FAIL(calls.error().to_string());
    return {};
  }
  return {calls->values().begin(), calls->values().end()};
}

using Values = std::vector<std::int64_t>;

std::size_t distinct(const Calls& calls) {
  std::set<Values> seen;
  for (std::size_t i = 0; i < calls.size(); ++i) seen.insert(Values(calls[i].begin(), calls[i].end()));
  return seen.size();
}

Result<Calls> shipped(const char* file, std::vector<std::string> binds, const char* batch = nullptr) {
  auto t = read_table(std::string(DIMGATE_SOURCE_DIR "/tests/data/traces/") + file);
  REQUIRE(t.ok());
  return bind(*t, std::move(binds), batch);
}

}  // namespace

TEST_CASE("constants, columns and formulas, row by row") {
  const Table t = table("h,w,flag,kind\n7, 5,true,a\n-7,64,false,b\n");
  CHECK(values(bind(t, {"B=1", "H=h", "W=w//32*32"})) == Values{1, 7, 0, 1, -7, 64});
  CHECK(values(bind(t, {"X=h // 2 + w % 3", "Y=max(h, w)"})) == Values{5, 7, -3, 64});
  CHECK(values(bind(t, {"X=h if flag else w"})) == Values{7, 64});
  CHECK(values(bind(t, {"X=1 if kind == 'a' else 2"})) == Values{1, 2});
  CHECK(values(bind(t, {"X=max(h)", "N=count()"})) == Values{7, 1, -7, 1});
}

TEST_CASE("a batch has count(), max and min over its rows") {
  const Table t = table("t,n\n0,3\n0.5,8\n0.9,5\n1,2\n");
  CHECK(values(bind(t, {"B=count()", "L=max(n)", "M=min(n)", "D=max(n) - min(n) + count()", "E=max(n*n - 8*n)"},
                    "t:1s")) == Values{3, 8, 3, 8, 0, 1, 2, 2, 1, -12});
}

TEST_CASE("the shipped traces have the calls and distinct shapes that are known of them") {
  const auto code = shipped("azure_llm_2023_code.csv", {"L=ContextTokens"});
  const auto conv = shipped("azure_llm_2023_conv.csv", {"L=ContextTokens"});
  const auto arxiv = shipped("arxiv_summarization_lengths.csv", {"L=num_prefill_tokens"});
  CHECK(code->size() == 8819);
  CHECK(conv->size() == 19366);
  CHECK(arxiv->size() == 28257);
  CHECK(distinct(*code) == 3552);
  CHECK(distinct(*conv) == 2339);
  CHECK(distinct(*arxiv) == 3845);
  const auto code_batched = shipped("azure_llm_2023_code.csv", {"B=count()", "L=max(ContextTokens)"}, "TIMESTAMP:1s");
  const auto conv_batched = shipped("azure_llm_2023_conv.csv", {"B=count()", "L=max(ContextTokens)"}, "TIMESTAMP:1s");
  CHECK(code_batched->size() == 914);
  CHECK(conv_batched->size() == 3479);
  CHECK(distinct(*code_batched) == 723);
  CHECK(distinct(*conv_batched) == 2517);
}

TEST_CASE("errors name the bind or the cell, and the columns that are there") {
  const Table t = table("h,w\n7,5\n8,six\n9,99999999999999999999\n4,\n");
  const auto message = [&](std::vector<std::string> binds, const char* batch = nullptr) {
    return bind(t, std::move(binds), batch).error().to_string();
  };
  CHECK(message({"L=depth"}) == "t.csv: --bind L=depth: no column 'depth'; the columns are h, w");
  CHECK(message({"L=w"}) == "t.csv:3:3: 'six' in column 'w' is no integer (--bind L=w)");
  CHECK(message({"L=w+1"}) == "t.csv:3:3: 'six' in column 'w' is no integer (--bind L=w+1)");
  CHECK(message({"L=h//(h-7)"}) == "t.csv:2:1: the value is undefined here (division by zero) (--bind L=h//(h-7))");
  CHECK(message({"L=h*4611686018427387904"}).find("does not fit 64 bits") != std::string::npos);
  CHECK(message({"L=h", "L=w"}) == "--bind L is given twice");
  CHECK(message({"L=h == 7"}) == "--bind L=h == 7: is Bool; a dimension needs an integer (Int)");
  CHECK(message({"L=h +"}).starts_with("--bind L=h +: column "));
  CHECK(message({"L=h"}, "h:1s") == "--bind L=h: a batch has many values of 'h'; write max(h), min(h) or count()");
  CHECK(message({"L=max(h + count())"}, "h:1s").find("count() inside") != std::string::npos);
  const Table late = table("h\n7\nx\n");
  CallOptions first;
  first.binds = {{"L", "h"}};
  first.first = 1;
  CHECK(bind_calls(late, first).ok());  // cells that no call needs are not read
  for (const char* bad : {"", "L", "=3", "L="}) CHECK_MESSAGE(!parse_bind(bad).ok(), bad);
}

TEST_CASE("a JSON row without the key is an error at that line") {
  auto t = read_json_lines("{\"n\": 1}\n{\"m\": 2}\n", "t.jsonl");
  CHECK(bind(*t, {"L=n"}).error().to_string() == "t.jsonl:2: no value in column 'n' (--bind L=n)");
}

TEST_CASE("a formula with 100,000 terms neither recurses nor stalls") {
  std::string sum = "h";
  for (int i = 0; i < 100000; ++i) sum += "+1";
  const Table t = table("h\n7\n");
  CHECK(values(bind(t, {"L=" + sum})) == Values{100007});
}
