// Drives the fuzz target without libFuzzer: pieces of recorded logs, put together and changed by a seeded hand.
// DIMGATE_FUZZ_ROUNDS in the environment asks for more rounds, DIMGATE_FUZZ_SEED for others.
#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

/// Lines of every recorded log, structured and not, and some written here.
std::vector<std::string> lines() {
  std::vector<std::string> out{
      "GUARDS:",
      "TREE_GUARD_MANAGER:",
      "Recompiling function fn in <ipython-input-1-abc>:1",
      "    triggered by the following guard failure(s):",
      "    - 2/1: tensor 'x' size mismatch at index 0. expected 1, actual 2",
      "    guard 0 failures:",
      "torch._dynamo hit config.recompile_limit (8)",
      "   function: 'f' (/x/f.py:1)",
      "   last reason: 1/0: k == 1",
      "torch._dynamo.exc.RecompileError: Recompiling function forward in /x/y.py:3",
      "[2023-11-06 14:54:08,549] [0/1] torch._dynamo.guards.__recompiles: [DEBUG]     - x == 1",
      "INFO:torch.fx.experimental.symbolic_shapes:create_symbol s0 = 4 for L['x'].size()[0] [2, int_oo]",
      "TRACING CACHE MISS at a.py:1 (f) costing 741.7 ms because:",
  };
  for (const char* folder : {"torch_logs", "torch_trace"})
    for (const auto& file :
         std::filesystem::directory_iterator(std::string(DIMGATE_SOURCE_DIR "/tests/data/") + folder)) {
      std::ifstream in(file.path(), std::ios::binary);
      int taken = 0;
      for (std::string line; std::getline(in, line) && taken < 400; ++taken)
        if (line.size() < 4000) out.push_back(line);
    }
  return out;
}

}  // namespace

TEST_CASE("changed logs") {
  const std::vector<std::string> all = lines();
  REQUIRE(all.size() > 2000);
  const std::string pieces[] = {std::string(1, '\0'),
                                "\xff\xfe",
                                "\t",
                                "\r",
                                "{",
                                "}",
                                "[",
                                "]",
                                "\"",
                                "'",
                                "<script>",
                                " # ",
                                "/",
                                "|",
                                "+- ",
                                ": ",
                                "- 0/1: ",
                                "==",
                                " is ",
                                "\\u12",
                                "9223372036854775808",
                                "-1",
                                "0/0",
                                "[__",
                                "> ",
                                "    ",
                                "\n",
                                "\n\n"};
  const char* seed = std::getenv("DIMGATE_FUZZ_SEED");
  std::mt19937_64 rng(seed != nullptr ? std::strtoul(seed, nullptr, 10) : 3);
  const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(rng); };
  const char* asked = std::getenv("DIMGATE_FUZZ_ROUNDS");
  const long rounds = asked != nullptr ? std::strtol(asked, nullptr, 10) : 2000;
  for (long round = 0; round < rounds; ++round) {
    std::string text(1, static_cast<char>(below(256)));
    const std::size_t blocks = 1 + below(6);
    for (std::size_t block = 0; block < blocks; ++block) {  // runs of lines keep what belongs together
      const std::size_t from = below(all.size());
      const std::size_t count = 1 + below(12);
      for (std::size_t i = from; i < std::min(all.size(), from + count); ++i) {
        if (below(20) == 0) continue;
        text += all[i];
        if (below(40) != 0) text += below(10) == 0 ? "\r\n" : "\n";
      }
    }
    for (std::size_t edits = below(8); edits > 0; --edits) {
      const std::size_t at = 1 + below(text.size());
      switch (below(5)) {
        case 0:
          text.insert(at, pieces[below(std::size(pieces))]);
          break;
        case 1:
          text.erase(at, 1 + below(40));
          break;
        case 2:
          if (at < text.size()) text[at] = static_cast<char>(below(256));
          break;
        case 3:
          text.insert(at, text.substr(below(text.size()), below(200)));
          break;
        default:
          text.resize(std::max<std::size_t>(1, text.size() - below(100) % text.size()));
      }
    }
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  }
  CHECK(rounds > 0);
}
