// The simplifier over native prover and Z3: the texts that are promised, and every reason checked by Z3 alone.
#include "dimgate/solver.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

#include "dimgate/simplify.hpp"

using namespace dimgate;

namespace {

struct Case {
  Context ctx;
  Facts facts{ctx};
  NativeProver native;
  std::unique_ptr<Prover> z3 = make_z3_prover();
  ChainProver prover{{&native, z3.get()}};
  std::vector<Expr> guards;

  Case(std::initializer_list<const char*> fact_texts, std::initializer_list<const char*> guard_texts) {
    for (const char* t : fact_texts) facts.assume(read(t));
    for (const char* t : guard_texts) guards.push_back(read(t));
  }
  Expr read(const char* text) {
    auto e = parse(ctx, text);
    REQUIRE_MESSAGE(e.ok(), text);
    return *e;
  }
  std::string readable() {
    const Minimised m = minimise(prover, facts, guards);
    for (const Obligation& o : m.obligations) CHECK(o.verdict == Verdict::proved);
    if (m.readable.empty()) return "True";
    return to_text(ctx, m.readable.size() == 1 ? m.readable[0] : ctx.make(Op::And, m.readable));
  }
  std::string joined() { return to_text(ctx, join(prover, facts, guards).formula); }
};

}  // namespace

TEST_CASE("promised texts") {
  CHECK(Case({"H >= 0"}, {"2*((H + 1)//2) == H"}).readable() == "H % 2 == 0");
  CHECK(Case({"L >= 0"}, {"ceildiv(L, 1024) == 5", "L > 4096"}).readable() == "4097 <= L <= 5120");
  CHECK(Case({"L >= 0"}, {"L % 8 == 0"}).readable() == "L % 8 == 0");
  CHECK(Case({"B >= 0", "C >= 0", "H >= 0", "W >= 0"},
             {"C == 3", "H*W >= 1", "2*(((H + 1)//2)) == H", "2*((W + 1)//2) == W", "2*(((H//2) + 1)//2) == H//2",
              "2*(((W//2) + 1)//2) == W//2", "H//2 >= 1", "W//4 >= 1", "H % 2 == 0 or W % 2 == 0"})
            .readable() == "C == 3 and H >= 1 and W >= 1 and H % 4 == 0 and W % 4 == 0");
  CHECK(Case({"C >= 0", "H >= 0", "W >= 0"}, {"C == 3 and H >= 1 and W >= 1 and H % 32 != 0",
                                              "C == 3 and H >= 1 and W >= 1 and H % 32 == 0 and W % 32 != 0"})
            .joined() == "C == 3 and H >= 1 and W >= 1 and (H % 32 != 0 or W % 32 != 0)");
  CHECK(Case({"s0 >= 0", "s1 >= 0"}, {"s1//2 == s0", "s1 % 2 == 0"}).readable() == "s1 == 2*s0");
  CHECK(Case({}, {"s0 == 2 and s1 == 3", "s0 == 2 and s1 == 4", "s0 == 2 and s1 == 5"}).joined() ==
        "s0 == 2 and 3 <= s1 <= 5");
}

TEST_CASE("reasons of PyTorch's guard lists hold for Z3 alone") {
  for (const char* name : {"shapeenv_4x2_20", "shapeenv_8x2_100"}) {
    Case c({}, {});
    std::ifstream in(std::string(DIMGATE_SOURCE_DIR) + "/tests/data/guard_lists/" + name + ".guards");
    std::stringstream text;
    text << in.rdbuf();
    const auto list = parse_list(c.ctx, text.str());
    REQUIRE(list.ok());
    for (std::uint32_t i = 0; i < c.ctx.symbol_count(); ++i)
      if (c.ctx.symbol_name(c.ctx.symbol_at(i)).find("stride") != std::string::npos)
        c.facts.assume(c.ctx.make(Op::Ge, {c.ctx.symbol_at(i), c.ctx.integer(0)}));
    const Minimised m = minimise(c.native, c.facts, *list);
    CHECK(m.dropped.size() >= 4);
    for (const DroppedGuard& d : m.dropped) {
      Facts reason(c.ctx);
      for (const FactId f : d.facts) reason.assume(c.facts[f].formula);
      for (const std::size_t g : d.implied_by) reason.assume((*list)[g]);
      CHECK(c.z3->prove(reason, (*list)[d.guard]).proved());
    }
    // and the readable form is the whole list again
    Facts readable_facts = c.facts;
    for (const Expr e : m.readable) readable_facts.assume(e);
    for (const Expr g : *list) CHECK(c.z3->prove(readable_facts, g).proved());
    Facts list_facts = c.facts;
    for (const Expr g : *list) list_facts.assume(g);
    for (const Expr e : m.readable) CHECK(c.z3->prove(list_facts, e).proved());
  }
}
