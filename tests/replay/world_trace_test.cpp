// The format of world traces: every key, what lines leave out, and errors that name line and key.
#include "dimgate/world_trace.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "training_trace.hpp"

using namespace dimgate;

namespace {

const std::string kHeader =
    R"({"dimgate_world":1,"frame":"f","uses":["L['x']"],"bakes":["L['n']"],"branches":["n > 1"]})";

Result<WorldTraceReader> reader_of(const std::string& calls) {
  return WorldTraceReader::from_text(kHeader + "\n" + calls, "w.jsonl");
}

/// The world after all calls.
World last_world(const std::string& calls) {
  auto reader = reader_of(calls);
  REQUIRE(reader.ok());
  World w;
  for (;;) {
    const Result<bool> more = reader->next(w);
    REQUIRE_MESSAGE(more.ok(), (more.ok() ? "" : more.error().to_string()));
    if (!*more) return w;
  }
}

std::string error_of(const std::string& calls) {
  auto reader = reader_of(calls);
  if (!reader.ok()) return reader.error().to_string();
  World w;
  for (;;) {
    const Result<bool> more = reader->next(w);
    if (!more.ok()) return more.error().to_string();
    if (!*more) return "";
  }
}

}  // namespace

TEST_CASE("every value of the format, and its slots") {
  const World w = last_world(
      R"({"args":{"none":null,"flag":true,"n":-3,"big":{"int":"99999999999999999999"},"u":18446744073709551615,"f":1.5,"z":-0.0,"nan":{"float":"nan"},)"
      R"("s":"text","list":[1,"a"],"tuple":{"tuple":[1,2]},"d":{"dict":{"b":1,"a":2},"version":4},"keys":{"dict":[[3,true],["k",null]]},)"
      R"("o":{"object":"Net","id":"net 1","attrs":{"step":3}},"p":{"value":5,"type":"MyInt","id":"five"},)"
      R"("x":{"tensor":{"shape":[2,3],"strides":[1,2],"offset":4,"dtype":"float16","device":"cuda:1","requires_grad":true,)"
      R"("layout":"strided","storage":"s","storage_bytes":64,"data":{"max":7}},"type":"Parameter"}},)"
      R"("closure":{"c":1},"globals":{"G":2},"state":{"grad_mode":false,"inference_mode":true,"autocast_cache":false,)"
      R"("autocast":{"cuda":{"enabled":true,"dtype":"float16"}},"deterministic":true,"deterministic_warn_only":true,)"
      R"("default_dtype":"torch.float64","default_device":"cuda:0","num_threads":8,"allow_tf32":true,)"
      R"("allow_tf32_cudnn":false,"allow_fp16_reduce":false,"allow_bf16_reduce":false,"function_modes":["A","B"]},)"
      R"("env":{"SET":"1","UNSET":null},"code":"f","caller":"loop"})");
  WorldLayout layout;
  layout.extend(w);
  const std::string text = to_string(layout.layout(), observe(layout, w));
  for (const char* part : {"type(L['none'])='NoneType'",
                           "L['flag']=True",
                           "L['n']=-3",
                           "type(L['big'])='int'",
                           "L['f']=1.5",
                           "L['z']=-0",
                           "L['nan']=nan",
                           "L['s']='text'",
                           "len(L['list'])=2",
                           "type(L['tuple'])='tuple'",
                           "L['tuple'][1]=2",
                           "list(L['d'].keys())='['b', 'a']'",
                           "___dict_version(L['d'])=4",
                           "L['keys'][3]=True",
                           "___dict_contains('k', L['keys'])=True",
                           "type(L['o'])='Net'",
                           "id(L['o'])='net 1'",
                           "L['o'].step=3",
                           "type(L['p'])='MyInt'",
                           "L['p']=5",
                           "type(L['x'])='Parameter'",
                           "L['x'].stride()[1]=2",
                           "L['x'].storage_offset()=4",
                           "L['x'].dtype='torch.float16'",
                           "L['x'].device='cuda:1'",
                           "L['x'].requires_grad=True",
                           "storage(L['x'])='s'",
                           "L['x'].max()=7",
                           "C['c']=1",
                           "G['G']=2",
                           "grad_mode=False",
                           "inference_mode=True",
                           "autocast_cache=False",
                           "autocast['cuda']=True",
                           "autocast['cuda'].dtype='torch.float16'",
                           "deterministic=True",
                           "deterministic_warn_only=True",
                           "default_dtype='torch.float64'",
                           "default_device='cuda:0'",
                           "num_threads=8",
                           "allow_tf32=True",
                           "allow_tf32_cudnn=False",
                           "allow_fp16_reduce=False",
                           "allow_bf16_reduce=False",
                           "function_modes='['A', 'B']'",
                           "environ['SET']='1'",
                           "___dict_contains('UNSET', environ)=False",
                           "frame.code='f'",
                           "frame.caller='loop'"}) {
    CAPTURE(part);
    CHECK(text.find(part) != std::string::npos);
  }
  CHECK(text.find("L['big']=") == std::string::npos);  // beyond int64: no slot value, so a guard on it fails
  CHECK(text.find("L['u']=") == std::string::npos);
}

TEST_CASE("what a line leaves out stays; args are given as a whole") {
  const World w = last_world(
      "{\"args\":{\"a\":1,\"b\":2},\"state\":{\"num_threads\":4},\"env\":{\"A\":\"1\"},\"globals\":{\"g\":1}}\n"
      "{}\n\n"
      "{\"args\":{\"b\":3},\"state\":{\"grad_mode\":false},\"env\":{\"A\":null,\"B\":\"x\"},\"globals\":{\"h\":2}}\n");
  REQUIRE(w.arguments.size() == 1);
  CHECK(w.arguments[0].value.integer == 3);
  CHECK(w.state.threads == 4);
  CHECK(!w.state.grad_mode);
  REQUIRE(w.environment.size() == 2);
  CHECK(!w.environment[0].second);
  CHECK(w.module_globals.size() == 2);
}

TEST_CASE("errors name the line, the key and what would be right") {
  CHECK(error_of("{\"args\":{\"x\":{\"tensor\":{\"shape\":[2,-1]}}}}") ==
        "w.jsonl:2: args.x.tensor: a size is 0 or more, not -1");
  CHECK(error_of("{}\n{\"args\":{\"x\":{\"tensor\":{}}}}") == "w.jsonl:3: args.x.tensor: a tensor needs its shape");
  CHECK(error_of("{\"arg\":{}}") ==
        "w.jsonl:2: call: unknown key 'arg'; expected args, closure, globals, state, env, code, caller");
  CHECK(error_of("{\"args\":{\"x\":{\"tensor\":{\"shape\":[2],\"strides\":[1,2]}}}}") ==
        "w.jsonl:2: args.x.tensor: as many strides as sizes are needed");
  CHECK(error_of("{\"args\":{\"x\":{}}}").find("expected one of tensor, float") != std::string::npos);
  CHECK(error_of("{\"args\":{\"x\":{\"float\":\"x\"}}}").find("args.x: expected 'nan', 'inf'") != std::string::npos);
  CHECK(error_of("{\"state\":{\"num_threads\":1.5}}") ==
        "w.jsonl:2: state.num_threads: expected an integer of 64 bits");
  CHECK(error_of("{\"env\":{\"A\":1}}") == "w.jsonl:2: env.A: expected a string, or null");
  CHECK(error_of("[1]") == "w.jsonl:2: call: expected an object");
  CHECK(error_of("{\"args\":").find("w.jsonl:2: not a JSON object: ") == 0);
  CHECK(error_of("{\"args\":{\"x\":" + std::string(5000, '[') + std::string(5000, ']') + "}}") ==
        "w.jsonl:2: more than 200 levels of nesting");
  CHECK(WorldTraceReader::from_text("", "e").error().to_string() ==
        "e: empty world trace: the first line is {\"dimgate_world\": 1, ...}");
  CHECK(WorldTraceReader::from_text("{\"dimgate_world\":2}", "e").error().to_string() ==
        "e:1: header: version 2 is not known; this program reads version 1");
  CHECK(WorldTraceReader::from_text("{}", "e").error().message.find("expected \"dimgate_world\": 1") !=
        std::string::npos);
  CHECK(!WorldTraceReader::open("/does/not/exist.jsonl").ok());
}

TEST_CASE("the schema knows the keys that the reader takes, and no others") {
  std::ifstream in(DIMGATE_SOURCE_DIR "/docs/world-trace.schema.json");
  REQUIRE(in.good());
  const nlohmann::json schema = nlohmann::json::parse(in);
  const auto& defs = schema.at("$defs");
  // A key of the schema is not unknown to the reader, whatever it says of the value.
  const auto known = [&](const std::string& def, const std::string& before, const std::string& after) {
    std::size_t n = 0;
    for (const auto& [key, value] : defs.at(def).at("properties").items()) {
      CAPTURE(key);
      CHECK(error_of(before + "\"" + key + "\":[[[\"\"]]]" + after).find("unknown key") == std::string::npos);
      CHECK(defs.at(def).at("additionalProperties") == false);
      ++n;
    }
    CHECK(error_of(before + "\"no such key\":1" + after).find("unknown key 'no such key'") != std::string::npos);
    return n;
  };
  CHECK(known("call", "{", "}") == 7);
  CHECK(known("state", "{\"state\":{", "}}") == 14);
  CHECK(known("tensor", "{\"args\":{\"x\":{\"tensor\":{\"shape\":[],", "}}}}") == 10);
  CHECK(known("wrapped", "{\"args\":{\"x\":{\"value\":1,", "}}}") == 12);
}

TEST_CASE("the shipped trace is what the generator writes") {
  std::ifstream in(DIMGATE_SOURCE_DIR "/tests/data/worlds/train_small.jsonl");
  REQUIRE(in.good());
  std::stringstream shipped, made;
  shipped << in.rdbuf();
  demo::write_training_trace(made, 440);
  CHECK(shipped.str() == made.str());
}
