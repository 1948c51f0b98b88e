// What every command shares: help, usage errors as one line with exit 2, formulas that start with a minus sign.
#include "cli/fixture.hpp"

namespace dimgate::cli {
namespace {

TEST_CASE("help and version are data, exit 0") {
  CHECK(dimgate_run({"--help"}).exit == kFine);
  CHECK(has(dimgate_run({"--help"}).out, "prove"));
  CHECK(has(dimgate_run({"prove", "--help"}).out, "CLAIM"));
  CHECK(has(dimgate_run({"--version"}).out, "dimgate 0."));
}

TEST_CASE("usage errors are one line and exit 2") {
  for (const std::vector<std::string>& args : {std::vector<std::string>{},
                                               {"nonsense"},
                                               {"prove"},
                                               {"prove", "--nonsense", "x >= 0"},
                                               {"prove", "-a"},
                                               {"equal", "x"}}) {
    const Ran r = dimgate_run(args);
    CHECK(r.exit == kBadInput);
    CHECK(r.out.empty());
    CHECK(is_one_line(r.talk));
    CHECK(has(r.talk, "--help"));
  }
}

TEST_CASE("a leading minus sign belongs to the formula") {
  CHECK(dimgate_run({"prove", "-a", "-x <= -3", "x >= 3"}).exit == kFine);
  CHECK(dimgate_run({"prove", "-a", "x >= 3", "-x <= -3"}).exit == kFine);
  CHECK(dimgate_run({"bound", "-5 + 0*x"}).out.substr(0, 7) == "[-5,-5]");
  CHECK(has(dimgate_run({"prove", "-x <= -"}).talk, "CLAIM:1:8"));
}

TEST_CASE("brackets, commas and quotes reach the parser untouched") {
  CHECK(dimgate_run({"prove", "-a", "L['x'].size()[0] >= 2", "Max(L['x'].size()[0], 1) >= 2"}).exit == kFine);
  CHECK(dimgate_run({"prove", "-a", "x in {2, 4}", "-a", "y == x", "y % 2 == 0"}).exit == kFine);
}

}  // namespace
}  // namespace dimgate::cli
