// Programs whose recompiles, remedies and compiles after each remedy were measured on torch 2.13: causes as the
// programs have them, remedies that hold, bounds that bound (tests/data/torch_remedies). `test_explain -tc="measured*"
// -s` prints a line for each log.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "explain/explained.hpp"
#include "import/torch_logs.hpp"

using namespace dimgate;

namespace {

const std::string kData = DIMGATE_SOURCE_DIR "/tests/data/torch_remedies/";

struct Measured {
  std::uint64_t compiles = 0, failed = 0;
  std::string ended_by;
};
using Variants = std::map<std::string, Measured>;

std::map<std::string, Variants> measured() {
  std::map<std::string, Variants> out;
  for (const auto& [cells] : testing::expected_rows(kData + "measured.tsv"))
    if (cells[0] != "program") out[cells[0]][cells[1]] = {std::stoull(cells[2]), std::stoull(cells[3]), cells[5]};
  return out;
}

Explanation explained_file(const std::string& path) {
  NativeProver prover;
  Explainer explainer(prover);
  LogReader reader([&](const LogEvent& event) { explainer.add(event); }, {.guards = false});
  REQUIRE(read_log_path(path, reader));
  return explainer.finish(reader.counts());
}

std::string name_of(const CauseGroup& group) { return group.cause + " of " + group.source; }

/// "tensor size of x | ...", "shape guard of x: %" (a part of the guard).
bool tells(std::string causes, const CompileReport& compile) {
  const std::string found = compile.cause + " of " + compile.source;
  while (!causes.empty()) {
    const std::size_t bar = causes.find(" | ");
    std::string one = causes.substr(0, bar);
    causes = bar == std::string::npos ? "" : causes.substr(bar + 3);
    const std::size_t colon = one.starts_with("global") ? std::string::npos : one.find(": ");
    const std::string part = colon == std::string::npos ? "" : one.substr(colon + 2);
    if (found.starts_with(one.substr(0, colon)) && compile.expected.find(part) != std::string::npos) return true;
  }
  return false;
}

struct Score {
  std::size_t causes = 0, causes_right = 0, remedies = 0, crashed = 0, useless = 0, outside = 0, best = 0,
              best_missed = 0;
};

/// The measured variant that a remedy is: of the texts it holds the longest.
const std::vector<std::string>* variant_of(const std::vector<testing::ExpectedRow>& remedies,
                                           const std::string& program, const CauseGroup& group) {
  const std::vector<std::string>* out = nullptr;
  for (const auto& row : remedies)
    if (row.cells[0] == program && name_of(group).starts_with(row.cells[1]) &&
        group.remedy.text.find(row.cells[2]) != std::string::npos &&
        (out == nullptr || row.cells[2].size() > (*out)[2].size()))
      out = &row.cells;
  return out;
}

void judge_causes(const Explanation& e, const std::vector<testing::ExpectedRow>& causes, const std::string& program,
                  Score& score, std::string& said) {
  for (const auto& row : causes) {
    if (row.cells[0] != program) continue;
    ++score.causes;
    std::string found = "no compile";
    for (const FunctionReport& f : e.functions)
      for (const CompileReport& compile : f.history) {
        if (compile.compile_id != row.cells[1]) continue;
        found = compile.cause + " of " + compile.source + ": " + compile.expected;
        if (tells(row.cells[2], compile)) found.clear();
      }
    if (found.empty())
      ++score.causes_right;
    else
      said += "\n   WRONG CAUSE " + row.cells[1] + ": " + found + ", truly " + row.cells[2];
  }
}

void judge_remedies(const Explanation& e, const std::vector<testing::ExpectedRow>& remedies, const std::string& program,
                    const std::string& kind, const Variants& variants, Score& score, std::string& said) {
  const Measured& as_is = variants.at("-");
  std::map<std::string, std::uint64_t> reached;  // group -> compiles of the advised variant
  for (const CauseGroup& group : e.groups) {
    const auto* row = variant_of(remedies, program, group);
    if (row == nullptr) continue;
    const Measured& then = variants.at((*row)[3]);
    ++score.remedies;
    said += "\n   " + name_of(group) + ": " + (*row)[3] + ", " + std::to_string(as_is.compiles) + " -> " +
            std::to_string(then.compiles) + " compiles; said " +
            (group.remain ? "at least " + std::to_string(*group.remain) : std::string("unknown"));
    if (!then.ended_by.empty() || then.failed > as_is.failed) {
      ++score.crashed;
      said += " CRASHED";
    } else if (then.compiles >= as_is.compiles) {
      ++score.useless;
      said += " DID NOTHING";
    }
    if (group.remain && then.ended_by.empty() && *group.remain > then.compiles) {
      ++score.outside;
      said += " OUTSIDE THE BOUNDS";
    }
  }
  for (const auto& row : remedies) {
    if (row.cells[0] != program || (row.cells[4] != "all" && row.cells[4] != kind)) continue;
    bool asked = false;
    bool there = false;
    for (const CauseGroup& group : e.groups) {
      asked = asked || name_of(group).starts_with(row.cells[1]);
      const auto* advised = name_of(group).starts_with(row.cells[1]) ? variant_of(remedies, program, group) : nullptr;
      there =
          there || (advised != nullptr && variants.at((*advised)[3]).compiles <= variants.at(row.cells[3]).compiles);
    }
    if (!asked) continue;
    ++score.best;
    if (there) continue;
    ++score.best_missed;
    said += "\n   BEST NOT ADVISED for " + row.cells[1] + ": " + row.cells[3];
  }
}

}  // namespace

TEST_CASE("measured programs: true causes, remedies that hold, bounds that bound") {
  const auto all = measured();
  const auto causes = testing::expected_rows(kData + "causes.tsv");
  const auto remedies = testing::expected_rows(kData + "remedies.tsv");
  std::vector<std::string> logs;
  for (const auto& file : std::filesystem::directory_iterator(kData + "logs")) logs.push_back(file.path().string());
  std::sort(logs.begin(), logs.end());
  REQUIRE(logs.size() > 40);
  Score score;
  std::size_t counts_right = 0;
  for (const std::string& log : logs) {
    const std::string file = log.substr(log.rfind('/') + 1);
    const std::string program = file.substr(0, file.find('.'));
    const std::string kind = file.substr(file.find('.') + 1, 2);
    const Explanation e = explained_file(log);
    std::uint64_t compiles = 0;
    for (const FunctionReport& f : e.functions) compiles += f.compiles;
    const Measured& as_is = all.at(program).at("-");
    const bool counted = compiles == as_is.compiles || compiles + as_is.failed == as_is.compiles;
    counts_right += counted ? 1 : 0;
    std::string said = file + ": " + std::to_string(compiles) + " compiles, measured " +
                       std::to_string(as_is.compiles) + (counted ? "" : " MISCOUNTED");
    judge_causes(e, causes, program, score, said);
    judge_remedies(e, remedies, program, kind, all.at(program), score, said);
    MESSAGE(said);
  }
  MESSAGE("causes right " << score.causes_right << " of " << score.causes << "; remedies that were measured "
                          << score.remedies << ": crashed " << score.crashed << ", did nothing " << score.useless
                          << ", outside the bounds " << score.outside << "; best not advised " << score.best_missed
                          << " of " << score.best << "; compiles counted right in " << counts_right << " of "
                          << logs.size() << " logs");
  CHECK(score.causes_right == score.causes);
  CHECK(score.crashed == 0);
  CHECK(score.useless == 0);
  CHECK(score.outside == 0);
  CHECK(score.best_missed == 0);
  CHECK(counts_right + 1 == logs.size());  // p11.rg: a compile without guards is in no log of recompiles and guards
}
