// Drives the fuzz target without libFuzzer: known formulas, changed by a seeded hand.
// DIMGATE_FUZZ_ROUNDS in the environment asks for more rounds.
#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

std::vector<std::string> seeds() {
  std::vector<std::string> out{
      R"({"op": "Add", "args": [{"op": "Symbol", "name": "a", "sort": "Int"}, {"op": "Int", "value": 3}]})",
      "Piecewise((a, a > b), (b, True)) in {1, -2}",
      "not p and (q or x is None) if a < b <= c else same_bits(u, -0.0) == isnan(1e-5)",
      "d in {'cuda:0', torch.float32, (1, 1), [], None}",
      "Symbol('a b') // -3 % max(2, -(3)) - abs(-a)**2 != ceildiv(a, b)",
      "implies(divides(a, b), iff(distinct(a, b, 0x1F), And()))",
  };
  for (const char* file : {"from_issues_exprs.tsv", "from_torch_trace_tree_guards.tsv", "peer_facts.tsv"}) {
    std::ifstream in(std::string(DIMGATE_SOURCE_DIR "/tests/data/formulas/") + file);
    for (std::string line; std::getline(in, line);)
      if (const std::size_t tab = line.rfind('\t'); tab + 1 < line.size()) out.push_back(line.substr(tab + 1));
    in.clear();
    in.seekg(0);
    for (std::string line; std::getline(in, line);) {  // the query of a fact: the fifth cell
      std::size_t from = 0;
      for (int cell = 0; cell < 4 && from != std::string::npos; ++cell)
        from = line.find('\t', from) == std::string::npos ? std::string::npos : line.find('\t', from) + 1;
      if (from != std::string::npos) out.push_back(line.substr(from, line.find('\t', from) - from));
    }
  }
  return out;
}

}  // namespace

TEST_CASE("changed formulas") {
  const std::vector<std::string> all = seeds();
  REQUIRE(all.size() > 500);
  const char* pieces[] = {
      "(",     ")",    "[",     "]",      "{",   "}",    ",",        ".",    "'",    "\"",
      " and ", " or ", " not ", "~",      "&",   "|",    "-",        "+",    "*",    "//",
      " % ",   "**",   "==",    "!=",     "<=",  " in ", "if",       "else", " is ", "nan",
      "inf",   "0",    "1",     "-3",     "1.5", "x",    "p",        "None", "True", "\\",
      "\n",    "Mod(", "max(",  "Where(", "#",   ";",    "\xCE\xB1", "\xff", "0x",   "9223372036854775807"};
  std::mt19937_64 rng(1);
  const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(rng); };
  const char* asked = std::getenv("DIMGATE_FUZZ_ROUNDS");
  const long rounds = asked != nullptr ? std::strtol(asked, nullptr, 10) : 20000;
  for (long round = 0; round < rounds; ++round) {
    std::string text = all[below(all.size())];
    for (std::size_t edits = below(4); edits > 0; --edits) {
      const std::size_t at = below(text.size() + 1);
      switch (below(5)) {
        case 0:
          text.insert(at, pieces[below(std::size(pieces))]);
          break;
        case 1:
          text.erase(at, 1 + below(4));
          break;
        case 2:
          text.replace(at, std::min<std::size_t>(text.size() - at, 1), pieces[below(std::size(pieces))]);
          break;
        case 3: {
          const std::string& other = all[below(all.size())];
          text.insert(at, other.substr(below(other.size() + 1), below(20)));
          break;
        }
        default:
          if (!text.empty()) text[below(text.size())] = static_cast<char>(below(256));
      }
    }
    text.insert(text.begin(), static_cast<char>(text.starts_with("{\"op") ? 1 : 0));
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  }
  CHECK(rounds > 0);
}
