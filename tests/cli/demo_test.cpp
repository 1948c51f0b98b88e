// `dimgate demo`: exactly the six lines and counts of the article's engine, and what a symbol and a cache change.
#include <cstdio>
#include <fstream>

#include "cli/fixture.hpp"

using namespace dimgate::cli;

TEST_CASE("demo prints the mechanism step by step") {
  const Ran r = dimgate_run({"demo"});
  CHECK(r.exit == 0);
  CHECK(r.talk.empty());
  CHECK(r.out ==
        "MiniDynamo: one slot, the picture is shape, device and dtype\n"
        "[0] RECOMPILE -> opt_(2, 3)_cuda_float32\n"
        "[1] CACHE_HIT -> opt_(2, 3)_cuda_float32\n"
        "[2] RECOMPILE -> opt_(2, 4)_cuda_float32\n"
        "[3] CACHE_HIT -> opt_(2, 4)_cuda_float32\n"
        "[4] RECOMPILE -> opt_(2, 4)_cpu_float32\n"
        "[5] CACHE_HIT -> opt_(2, 4)_cpu_float32\n"
        "hit_rate = 50.00%\n"
        "1 compile, 2 recompiles, 3 hits\n"
        "\n"
        "Why it recompiles\n"
        "[2] shape guard failed on x: expected (2, 3), got (2, 4)\n"
        "[4] tensor 'x' device mismatch. expected cuda, actual cpu\n"
        "\n"
        "The last size a symbol: a rule in place of remembered shapes\n"
        "[0] RECOMPILE -> opt_(2, s0)_cuda_float32\n"
        "[1] CACHE_HIT -> opt_(2, s0)_cuda_float32\n"
        "[2] CACHE_HIT -> opt_(2, s0)_cuda_float32\n"
        "[3] CACHE_HIT -> opt_(2, s0)_cuda_float32\n"
        "[4] RECOMPILE -> opt_(2, s0)_cpu_float32\n"
        "[5] CACHE_HIT -> opt_(2, s0)_cpu_float32\n"
        "hit_rate = 66.67%\n"
        "1 compile, 1 recompile, 4 hits\n"
        "\n"
        "There and back, one slot\n"
        "[0] RECOMPILE -> opt_(2, 3)_cuda_float32\n"
        "[1] RECOMPILE -> opt_(2, 4)_cuda_float32\n"
        "[2] RECOMPILE -> opt_(2, 3)_cuda_float32\n"
        "hit_rate = 0.00%\n"
        "1 compile, 2 recompiles, 0 hits\n"
        "\n"
        "There and back, a cache\n"
        "[0] RECOMPILE -> opt_(2, 3)_cuda_float32\n"
        "[1] RECOMPILE -> opt_(2, 4)_cuda_float32\n"
        "[2] CACHE_HIT -> opt_(2, 3)_cuda_float32\n"
        "hit_rate = 33.33%\n"
        "1 compile, 1 recompile, 1 hit\n"
        "\n");
}

TEST_CASE("demo --json") {
  const Ran r = dimgate_run({"demo", "--json"});
  CHECK(r.exit == 0);
  const auto json = nlohmann::json::parse(r.out);
  CHECK(json["schema"] == 1);
  REQUIRE(json["runs"].size() == 2);
  CHECK(json["runs"][0]["recompiles"] == 2);
  CHECK(json["runs"][0]["calls"][2]["why"] == "shape guard failed on x: expected (2, 3), got (2, 4)");
  CHECK(json["runs"][1]["hits"] == 4);
}

TEST_CASE("demo --training-trace writes what compare --world reads") {
  CHECK(dimgate_run({"demo", "--training-trace", "0"}).exit == 2);
  const Ran made = dimgate_run({"demo", "--training-trace", "300"});
  CHECK(made.exit == 0);
  const std::string path = "demo_test.tmp.jsonl";
  std::ofstream(path) << made.out;
  const Ran r = dimgate_run({"compare", "--world", path, "--policies", "static,symbolic"});
  CHECK(r.exit == 0);
  CHECK(r.out.find("train_step on demo_test.tmp.jsonl: 300 calls\n") == 0);
  CHECK(has(r.out, "device"));
  const Ran json = dimgate_run({"compare", "--world", path, "--json", "--first", "120"});
  CHECK(json.exit == 0);
  CHECK(nlohmann::json::parse(json.out)["calls"] == 120);
  std::remove(path.c_str());
}

TEST_CASE("compare --world: what is wrong is said in one line") {
  for (const std::vector<std::string>& args :
       {std::vector<std::string>{"compare", "--world", "nowhere.jsonl"},
        {"compare", "tiny_lm", "--world", "nowhere.jsonl"},
        {"compare", "--world", "tests/data/worlds/train_small.jsonl", "--policies", "pow2"},
        {"compare", "--world", "tests/data/worlds/train_small.jsonl", "--first", "0"},
        {"compare"},
        {"compare", "tiny_lm"}}) {
    const Ran r = dimgate_run(args);
    CHECK(r.exit == 2);
    CHECK(r.out.empty());
    CHECK(is_one_line(r.talk));
  }
}
