// build/conformance [--no-z3 | --only-z3] [--peers] FILE.tsv...
//
// Prints a line for each row that is not exact, how many rows each prover decided, and last
// `total N exact E weaker W CONTRADICTS C`. Exit 1 if C is not 0, 2 for a bad file or usage.
// --peers prints the page docs/peers.md instead.
// Each row is put to the native prover first; what it leaves weaker goes to native and Z3 together.
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "conformance/judge.hpp"
#include "conformance/peers.hpp"
#ifdef DIMGATE_HAS_Z3
#include "dimgate/solver.hpp"
#endif

namespace {

using namespace dimgate;
using namespace dimgate::conformance;

struct Engines {
  std::unique_ptr<Prover> native;   // null: not asked
  std::unique_ptr<Prover> z3;       // null: not asked
  std::unique_ptr<Prover> chained;  // native, then z3; null unless both
};

struct Counts {
  unsigned total = 0, exact = 0, weaker = 0, contradicts = 0, native = 0, z3 = 0;
};

Result<Judgement> decide(const Engines& engines, const Row& row, const std::string& path, Counts& counts) {
  if (engines.native) {
    Result<Judgement> first = judge(*engines.native, row, path);
    if (!first || first->grade != Grade::weaker || !engines.chained) {
      counts.native += first.ok() && first->grade == Grade::exact;
      return first;
    }
  }
  Result<Judgement> second = judge(engines.chained ? *engines.chained : *engines.z3, row, path);
  counts.z3 += second.ok() && second->grade == Grade::exact;
  return second;
}

void count(const Row& row, const Judgement& j, Counts& counts) {
  ++counts.total;
  switch (j.grade) {
    case Grade::exact:
      ++counts.exact;
      return;
    case Grade::weaker:
      ++counts.weaker;
      break;
    case Grade::contradicts:
      ++counts.contradicts;
      break;
  }
  std::printf("%s %s %s: expected %s, answered %s%s\n", row.id.c_str(), row.kind.c_str(), row.query.c_str(),
              row.expected.c_str(), j.answer.c_str(), j.grade == Grade::contradicts ? " CONTRADICTS" : "");
}

int usage(const std::string& problem) {
  std::fprintf(stderr, "conformance: %s; usage: conformance [--no-z3 | --only-z3] [--peers] FILE.tsv...\n",
               problem.c_str());
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  bool use_native = true;
  bool use_z3 = true;
  bool peers = false;
  std::vector<std::string> files;
  for (int i = 1; i < argc; ++i) {
    const std::string arg = argv[i];
    if (arg == "--no-z3") {
      use_z3 = false;
    } else if (arg == "--only-z3") {
      use_native = false;
    } else if (arg == "--peers") {
      peers = true;
    } else if (arg.size() > 1 && arg[0] == '-') {
      return usage("unknown option " + arg);
    } else {
      files.push_back(arg);
    }
  }
  if (files.empty()) return usage("no facts file given");

  Engines engines;
  if (use_native) engines.native = std::make_unique<NativeProver>();
#ifdef DIMGATE_HAS_Z3
  if (use_z3) engines.z3 = make_z3_prover();
#endif
  if (!engines.native && !engines.z3) return usage("no prover left (this build has no Z3)");
  if (engines.native && engines.z3)
    engines.chained = std::make_unique<ChainProver>(std::vector<Prover*>{engines.native.get(), engines.z3.get()});

  Counts counts;
  for (const std::string& path : files) {
    const Result<std::vector<Row>> rows = read_rows(path);
    if (!rows) {
      std::fprintf(stderr, "conformance: %s\n", rows.error().to_string().c_str());
      return 2;
    }
    if (peers) {
      Prover& prover = engines.chained ? *engines.chained : engines.native ? *engines.native : *engines.z3;
      const Result<std::string> page = peers_page(prover, *rows, path);
      if (!page.ok()) {
        std::fprintf(stderr, "conformance: %s\n", page.error().to_string().c_str());
        return 2;
      }
      std::fputs(page->c_str(), stdout);
      continue;
    }
    for (const Row& row : *rows) {
      const Result<Judgement> answer = decide(engines, row, path, counts);
      if (!answer) {
        std::fprintf(stderr, "conformance: %s\n", answer.error().to_string().c_str());
        return 2;
      }
      count(row, *answer, counts);
    }
  }
  if (peers) return 0;
  std::printf("exact natively %u, with Z3 %u\n", counts.native, counts.z3);
  std::printf("total %u exact %u weaker %u CONTRADICTS %u\n", counts.total, counts.exact, counts.weaker,
              counts.contradicts);
  return counts.contradicts == 0 ? 0 : 1;
}
