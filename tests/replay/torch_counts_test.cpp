// auto_dynamic and static against what PyTorch 2.13 really did (tests/data/traces/torch_2_13_counts.tsv): how often it
// compiled, how many calls ran eagerly, and at which calls, with which sizes, it compiled.
#include <charconv>
#include <fstream>
#include <sstream>

#include "replay/shipped.hpp"

using namespace dimgate;
using namespace dimgate::testing;

namespace {

struct Row {
  std::string model, trace, mode, note;
  std::size_t calls = 0, compiles = 0, eager = 0;
};

std::vector<std::string> split(const std::string& line, char by) {
  std::vector<std::string> out;
  std::stringstream in(line);
  for (std::string piece; std::getline(in, piece, by);) out.push_back(piece);
  return out;
}

std::vector<Row> rows() {
  std::ifstream in(DIMGATE_SOURCE_DIR "/tests/data/traces/torch_2_13_counts.tsv");
  std::string line;
  std::getline(in, line);  // header
  std::vector<Row> out;
  while (std::getline(in, line)) {
    const auto f = split(line, '\t');
    if (f.size() < 11 || f[10].find("device=meta") == std::string::npos || f[3][0] == 'b') continue;
    out.push_back({f[0], f[1], f[3].substr(0, 1), f[10], std::stoul(f[2]), std::stoul(f[5]), std::stoul(f[6])});
  }
  return out;
}

/// "0:1x374,1:1x396" of the note: call and sizes. The list ends in "…" where it was cut.
std::vector<std::pair<std::size_t, std::string>> compiled_at(const std::string& note, bool& cut) {
  const std::string mark = "compiled at call:input ";
  const std::size_t begin = note.find(mark) + mark.size();
  std::vector<std::pair<std::size_t, std::string>> out;
  for (const std::string& piece : split(note.substr(begin, note.find(';', begin) - begin), ',')) {
    const auto colon = piece.find(':');
    if (colon == std::string::npos) {
      cut = true;
      break;
    }
    out.emplace_back(std::stoul(piece.substr(0, colon)), piece.substr(colon + 1));
  }
  return out;
}

/// The sizes of a call as the notes write them: the dims that are not bound to a constant, joined by x.
std::string sizes(const Calls& calls, std::size_t call) {
  std::string out;
  for (std::size_t d = 0; d < calls.dims().size(); ++d)
    if (!calls.is_constant(d)) out += (out.empty() ? "" : "x") + std::to_string(calls[call][d]);
  return out;
}

}  // namespace

TEST_CASE("compiles, eager calls and the calls that compiled equal PyTorch's, in all 48 rows") {
  Shipped shipped;
  std::size_t checked = 0;
  for (const Row& row : rows()) {
    CAPTURE(row.model);
    CAPTURE(row.trace);
    CAPTURE(row.mode);
    const Model& model = shipped.model(row.model);
    const Calls calls = shipped.calls(model, row.trace, row.calls, row.model == "unet_crop");
    REQUIRE(calls.size() == row.calls);
    const std::string policy = row.mode == "a" ? "auto_dynamic:inf" : row.mode == "d" ? "auto_dynamic" : "static";
    const PolicyRow got = shipped.compare(model, calls, policy).rows.front();
    CHECK(got.compiles == row.compiles);
    CHECK(got.fallbacks == row.eager);
    CHECK(got.rejected == 0);
    bool cut = false;
    const auto want = compiled_at(row.note, cut);
    CHECK((cut || want.size() == row.compiles));
    REQUIRE(got.compiled_at.size() >= want.size());
    for (std::size_t i = 0; i < want.size(); ++i) {
      CHECK(got.compiled_at[i] == want[i].first);
      CHECK(sizes(calls, got.compiled_at[i]) == want[i].second);
    }
    ++checked;
  }
  CHECK(checked == 48);
}
