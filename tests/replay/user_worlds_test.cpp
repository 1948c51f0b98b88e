// Situations that people reported about recompiles, as world traces: how many entries, and what is named as the cause.
#include <doctest/doctest.h>

#include <cstdio>
#include <fstream>

#include "dimgate/world_compare.hpp"

using namespace dimgate;

namespace {

/// One policy's row on the calls.
WorldRow row(const std::string& header, const std::vector<std::string>& calls, const char* policy) {
  const std::string path = "user_worlds_test.tmp.jsonl";
  {
    std::ofstream out(path);
    out << R"({"dimgate_world":1,)" << header << "}\n";
    for (const std::string& call : calls) out << call << '\n';
  }
  WorldCompareOptions options;
  options.measure = false;
  const auto c = compare_worlds(path, *parse_policies(policy, CallKind::worlds), options);
  std::remove(path.c_str());
  REQUIRE_MESSAGE(c.ok(), (c.ok() ? "" : c.error().to_string()));
  return c->rows.front();
}

std::string tensor(const std::string& name, const std::string& fields) {
  return "\"" + name + R"(":{"tensor":{)" + fields + "}}";
}
std::string args(const std::string& inner) { return R"({"args":{)" + inner + "}}"; }

std::string causes(const WorldRow& r) {
  std::string out;
  for (const WorldCause& c : r.causes) out += std::string(to_string(c.kind)) + " ";
  return out;
}

}  // namespace

TEST_CASE("views that overlap, at another offset, are one entry (PyTorch 184481); that meet no more, another") {
  const auto call = [](int offset) {
    return args(tensor("a", R"("shape":[5],"storage":"s")") + "," +
                tensor("b", R"("shape":[5],"storage":"s","offset":)" + std::to_string(offset)));
  };
  const std::string uses = R"("uses":["L['a']","L['b']"])";
  CHECK(row(uses, {call(1), call(2), call(4)}, "static").entries == 1);
  const WorldRow apart = row(uses, {call(1), call(5), call(2), call(6)}, "static");
  CHECK(apart.entries == 2);
  CHECK(causes(apart) == "overlap ");
}

TEST_CASE("a stride that grows with the base is nobody's business unless it was read (PyTorch 129798)") {
  std::vector<std::string> calls;
  for (int s = 1; s <= 6; ++s)
    calls.push_back(args(tensor("x", R"("shape":[4,1],"strides":[)" + std::to_string(s) + ",1]")));
  CHECK(row(R"("uses":["L['x']"])", calls, "static").entries == 1);
  const WorldRow read = row(R"("uses":["L['x']","L['x'].stride()[0]"])", calls, "static");
  CHECK(read.entries == 6);
  CHECK(causes(read) == "stride ");
  CHECK(read.causes.front().example == "stride guard failed on x: expected (1,), got (2, 1)");
}

TEST_CASE("half and float under autocast are two entries (PyTorch 128134)") {
  const std::string half = args(tensor("tgt", R"("shape":[2],"dtype":"float16")"));
  const std::string full = args(tensor("tgt", R"("shape":[2])"));
  const WorldRow r = row(R"("uses":["L['tgt']"])", {half, full, half, full}, "symbolic");
  CHECK(r.entries == 2);
  CHECK(r.causes.front().example == "tensor 'tgt' dtype mismatch. expected Half, actual Float");
}

TEST_CASE(
    "gradients: a parameter under no_grad and with it are two entries, three modes three (PyTorch 100977, unsloth "
    "1001)") {
  const std::string p = R"("args":{)" + tensor("p", R"("shape":[2],"requires_grad":true)") + "}";
  const auto mode = [&](const char* grad, const char* inference) {
    return "{" + p + R"(,"state":{"grad_mode":)" + grad + R"(,"inference_mode":)" + inference + "}}";
  };
  const std::string uses = R"("uses":["L['p']","grad_mode","inference_mode"])";
  CHECK(row(uses, {mode("false", "false"), mode("true", "false")}, "symbolic").entries == 2);
  CHECK(row(uses, {mode("true", "false"), mode("false", "false"), mode("false", "true"), mode("true", "false")},
            "symbolic")
            .entries == 3);
}

TEST_CASE(
    "a dict that gains a key: no entry where the key is only written, one where it is asked for (PyTorch 175858)") {
  const std::string before = args(R"("d":{"dict":{"obs":1}})"), after = args(R"("d":{"dict":{"obs":1,"loss":0.5}})");
  CHECK(row(R"("uses":["L['d']['obs']"])", {before, after, after}, "static").entries == 1);
  const WorldRow asked =
      row(R"-("uses":["L['d']['obs']","___dict_contains('loss', L['d'])"])-", {before, after, after}, "static");
  CHECK(asked.entries == 2);
  CHECK(causes(asked) == "keys ");
}

TEST_CASE("keys that are not used as values: the length serves (PyTorch 151122)") {
  const auto call = [](int key) {
    return args(R"("d":{"dict":[[)" + std::to_string(key) + "," + R"({"tensor":{"shape":[2]}}]]})");
  };
  CHECK(row(R"-("uses":["len(L['d'])"])-", {call(10), call(20), call(30)}, "static").entries == 1);
  CHECK(row(R"-("uses":["list(L['d'].keys())"])-", {call(10), call(20), call(30)}, "static").entries == 3);
}

TEST_CASE("a growing container is an entry for each length, and the length is named (tensordict 1606)") {
  std::vector<std::string> calls;
  for (int n = 0; n < 7; ++n) {
    std::string list;
    for (int i = 0; i < n; ++i) list += (i > 0 ? ",1" : "1");
    calls.push_back(args("\"xs\":[" + list + "]"));
  }
  const std::string uses = R"-("uses":["len(L['xs'])"])-";
  const WorldRow fixed = row(uses, calls, "static");
  CHECK(fixed.entries == 7);
  CHECK(causes(fixed) == "length ");
}

TEST_CASE("an object for each layer: by identity an entry each, by type one (PyTorch 163329, 157399)") {
  std::vector<std::string> calls;
  for (int i = 0; i < 8; ++i)
    calls.push_back(args(R"("proc":{"object":"AttnProcessor","id":"p)" + std::to_string(i) + "\"}"));
  const WorldRow by_identity = row(R"-("uses":["id(L['proc'])"])-", calls, "static");
  CHECK(by_identity.entries == 8);
  CHECK(causes(by_identity) == "identity ");
  CHECK(row(R"-("uses":["type(L['proc'])"])-", calls, "static").entries == 1);
}

TEST_CASE("a learning rate that warms up: an entry a value; a counter: one as a number (FBGEMM 3287, PyTorch 128319)") {
  std::vector<std::string> rates, steps;
  for (int i = 1; i <= 20; ++i) {
    rates.push_back(args("\"lr\":" + std::to_string(i) + ".5"));
    steps.push_back(args("\"step\":" + std::to_string(i)));
  }
  const WorldRow rate = row(R"("uses":["L['lr']"])", rates, "symbolic");
  CHECK(rate.entries == 20);
  CHECK(causes(rate) == "value ");
  CHECK(rate.causes.front().example == "lr: expected 1.5, actual 2.5");
  CHECK(row(R"("uses":["L['step']"])", steps, "symbolic").entries == 1);
  CHECK(row(R"("uses":["L['step']"])", steps, "auto_dynamic").entries == 2);
  CHECK(row(R"("uses":["L['step']"],"bakes":["L['step']"])", steps, "symbolic").entries == 20);
}

TEST_CASE("None, then a tensor, then None: two entries, and nothing is read of what is not there") {
  const std::string none = args("\"m\":null"), there = args(tensor("m", R"("shape":[2])"));
  const WorldRow r = row(R"("uses":["L['m']"])", {none, there, none, there}, "symbolic");
  CHECK(r.entries == 2);
  CHECK(causes(r) == "type ");
  CHECK(r.causes.front().example == "expected type of 'm' to be NoneType, actual Tensor");
}

TEST_CASE("strides and offsets are free like sizes: a branch on them is one entry a branch, not one a stride") {
  const auto call = [](int stride, int offset) {
    return R"({"args":{"x":{"tensor":{"shape":[2,1],"strides":[)" + std::to_string(stride) + R"(,1],"offset":)" +
           std::to_string(offset) + "}}}}";
  };
  const std::vector<std::string> calls{call(8, 0), call(9, 1), call(10, 2), call(11, 3), call(12, 4), call(13, 5)};
  const char* const branch =
      R"("uses":["L['x']"],"branches":["L['x'].size()[1] == 1 or L['x'].stride()[0] == L['x'].size()[1]"])";
  CHECK(row(branch, calls, "symbolic").compiles == 1);
  CHECK(row(branch, calls, "static").compiles == 6);
  // Read as numbers, they are free as well; automatic ones once they came with two values.
  const char* const read = R"-("uses":["L['x']","L['x'].stride()[0]","L['x'].storage_offset()"])-";
  CHECK(row(read, calls, "symbolic").compiles == 1);
  CHECK(row(read, calls, "auto_dynamic").compiles < 6);
  CHECK(row(R"-("uses":["L['x']"],"bakes":["L['x'].stride()[0]"])-", calls, "symbolic").compiles == 6);
}

TEST_CASE("a branch on an overlap is one guard: a flip is one cause, and is counted once") {
  const auto call = [](int size, int second) {
    const auto tensor = [&](int offset) {
      return R"({"tensor":{"shape":[)" + std::to_string(size) + R"(],"strides":[1],"storage":"base","offset":)" +
             std::to_string(offset) + "}}";
    };
    return R"({"args":{"a":)" + tensor(0) + R"(,"b":)" + tensor(second) + "}}";
  };
  const WorldRow r = row(R"-("uses":["L['a']","L['b']"],"branches":["not ___overlap(L['a'], L['b'])"])-",
                         {call(2, 2), call(3, 3), call(2, 1)}, "symbolic");
  CHECK(r.compiles == 2);
  CHECK(r.hits == 1);
  REQUIRE(r.causes.size() == 1);
  CHECK(r.causes[0].kind == GuardKind::overlap);
  CHECK(r.causes[0].misses == 1);
  CHECK(r.causes[0].alone == 1);
}
