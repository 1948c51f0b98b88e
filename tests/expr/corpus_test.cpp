// Formulas as PyTorch, JAX, TVM and people on trackers write them (tests/data/formulas) all parse and read back.
#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

#include "dimgate/expr.hpp"

using namespace dimgate;

namespace {

std::vector<std::vector<std::string>> rows(const std::string& file) {
  std::ifstream in(std::string(DIMGATE_SOURCE_DIR "/tests/data/formulas/") + file);
  REQUIRE_MESSAGE(in.good(), file);
  std::vector<std::vector<std::string>> out;
  for (std::string line; std::getline(in, line);) {
    std::vector<std::string> cells(1);
    for (const char c : line)
      if (c == '\t')
        cells.emplace_back();
      else
        cells.back() += c;
    out.push_back(std::move(cells));
  }
  return out;
}

void reads(Context& ctx, const std::string& text, std::optional<Sort> sort = {}) {
  ParseOptions options;
  options.sort = sort;
  const auto e = parse(ctx, text, options);
  REQUIRE_MESSAGE(e.ok(), text << "\n" << (e.ok() ? std::string() : e.error().to_string()));
  const auto back = parse(ctx, to_text(ctx, *e));
  REQUIRE_MESSAGE(back.ok(), to_text(ctx, *e));
  CHECK_MESSAGE(*back == *e, text);
}

}  // namespace

TEST_CASE("PyTorch's shape guard lists") {
  for (const char* file :
       {"shapeenv_4x2_20.guards", "shapeenv_8x2_100.guards", "shapeenv_16x2_300.guards", "shapeenv_16x2_1000.guards"}) {
    Context ctx;
    for (const auto& row : rows(file)) reads(ctx, row[0], Sort::Bool);
    std::ifstream in(std::string(DIMGATE_SOURCE_DIR "/tests/data/formulas/") + file);
    std::stringstream whole;
    whole << in.rdbuf();
    const auto list = parse_list(ctx, whole.str());
    REQUIRE(list.ok());
    CHECK(list->size() == rows(file).size());
  }
}

TEST_CASE("expressions in PyTorch's trace logs") {
  const auto all = rows("from_torch_trace_exprs.tsv");
  CHECK(all.size() > 60);
  for (std::size_t i = 1; i < all.size(); ++i) {
    Context ctx;
    reads(ctx, all[i][1]);
  }
}

TEST_CASE("tree guards in PyTorch's trace logs") {
  int refused = 0;
  const auto all = rows("from_torch_trace_tree_guards.tsv");
  for (std::size_t i = 1; i < all.size(); ++i) {
    Context ctx;
    if (all[i][1].find("hooks ids ==") != std::string::npos) {  // prose, not Python
      CHECK_FALSE(parse(ctx, all[i][1]).ok());
      ++refused;
      continue;
    }
    reads(ctx, all[i][1], Sort::Bool);
  }
  CHECK(refused == 1);
}

TEST_CASE("expressions on issue trackers") {
  const auto all = rows("from_issues_exprs.tsv");
  for (std::size_t i = 1; i < all.size(); ++i) {
    Context ctx;
    const bool formula = all[i][1] != "reason" && all[i][1] != "affine" && all[i][2].find(")/16)") == std::string::npos;
    if (formula)
      reads(ctx, all[i][2]);
    else
      CHECK_FALSE(parse(ctx, all[i][2]).ok());
  }
}

TEST_CASE("facts of peer projects") {
  const auto all = rows("peer_facts.tsv");
  CHECK(all.size() == 317 - 1);
  for (std::size_t i = 1; i < all.size(); ++i) {
    Context ctx;
    const auto facts = parse_list(ctx, all[i][2]);
    REQUIRE_MESSAGE(facts.ok(), all[i][2]);
    const std::string& query = all[i][4];
    if (query.empty()) continue;
    if (const std::size_t equal = query.find("==="); equal != std::string::npos) {
      reads(ctx, query.substr(0, equal));
      reads(ctx, query.substr(equal + 3));
    } else if (all[i][3] == "redundant") {
      CHECK_MESSAGE(parse_list(ctx, query).ok(), query);
    } else {
      reads(ctx, query);
    }
  }
}
