#include <doctest/doctest.h>

#include "dimgate/replay.hpp"
#include "policy/toy_model.hpp"

using namespace dimgate;
using namespace dimgate::testing;

namespace {

Result<Comparison> replay(const Model& model, std::string csv, std::vector<std::string> binds, const char* policies,
                          const ReplayOptions& options = {}) {
  NativeProver prover;
  const Table table = read_csv(std::move(csv), "t.csv").value();
  CallOptions call_options;
  for (const std::string& b : binds) call_options.binds.push_back(parse_bind(b).value());
  if (auto bound = add_default_binds(model, table, call_options); !bound) return bound.error();
  auto calls = bind_calls(table, call_options);
  if (!calls) return calls.error();
  return compare(model, *calls, parse_policies(policies).value(), prover, "t.csv", options);
}

/// Even sizes only; as a copy.
ToyModel even_only() {
  return ToyModel({"n"}, [](Tracer& t, std::span<const SymInt> d) {
    t.require(d[0] % 2 == 0, [] { return std::string("n must be even"); });
    ToyModel::copy(t, t.input("x", {d[0]}), "copy");
  });
}

std::string counts(const PolicyRow& r) {
  return "h" + std::to_string(r.hits) + " c" + std::to_string(r.compiles) + " s" + std::to_string(r.shared) + " f" +
         std::to_string(r.fallbacks) + " r" + std::to_string(r.rejected) + " t" + std::to_string(r.traces) + " e" +
         std::to_string(r.entries);
}

}  // namespace

TEST_CASE("counts add up, rejected calls are found by every policy") {
  const auto c = replay(even_only(), "n\n2\n3\n4\n3\n2\n40\n6\n", {"n=n"},
                        "eager,static,pow2,pad_to:10,whitelist,auto_dynamic:1,auto_dynamic,symbolic,symbolic+merge");
  REQUIRE_MESSAGE(c.ok(), (c.ok() ? std::string() : c.error().to_string()));
  REQUIRE(c->rows.size() == 9);
  for (const PolicyRow& r : c->rows) {
    CHECK(r.calls == 7);
    CHECK(r.calls == r.hits + r.compiles + r.shared + r.fallbacks + r.rejected);
    if (r.policy != "pow2" && r.policy != "pad_to:10") CHECK_MESSAGE(r.rejected == 2, r.policy);
  }
  CHECK(counts(c->rows[0]) == "h0 c0 s0 f5 r2 t0 e0");
  CHECK(counts(c->rows[1]) == "h1 c4 s0 f0 r2 t5 e4");
  CHECK(counts(c->rows[2]) == "h3 c4 s0 f0 r0 t4 e4");  // 3 is padded to 4; 6 to 8, 40 to 64
  CHECK(counts(c->rows[3]) == "h5 c1 s0 f1 r0 t1 e1");
  CHECK(counts(c->rows[4]) == "h1 c1 s3 f0 r2 t5 e1");
  CHECK(counts(c->rows[5]) == "h1 c1 s0 f3 r2 t1 e1");
  CHECK(counts(c->rows[7]) == "h4 c1 s0 f0 r2 t2 e1");
  CHECK(c->rows[1].hit_rate == doctest::Approx(1.0 / 5));
  CHECK(c->rows[1].compiled_at == std::vector<std::size_t>{0, 2, 5, 6});
  CHECK(c->rows[7].first_rejection.starts_with("t.csv:3: "));
  CHECK(c->rows[7].first_rejection.find("n must be even") != std::string::npos);
  // pow2: real 2+3+4+3+2+40+6 = 60, padded 2+4+4+4+2+64+8 = 88
  CHECK(c->rows[2].padding_waste == doctest::Approx(28.0 / 88));
}

TEST_CASE("a call that breaks an assumed fact falls back") {
  ReplayOptions options;
  options.facts = {"n <= 10"};
  const auto c = replay(even_only(), "n\n2\n12\n4\n13\n", {"n=n"}, "static,symbolic", options);
  REQUIRE(c.ok());
  CHECK(counts(c->rows[0]) == "h0 c2 s0 f1 r1 t2 e2");
  CHECK(counts(c->rows[1]) == "h1 c1 s0 f1 r1 t1 e1");
}

TEST_CASE("errors: negative sizes, no call, contradiction, a model that rejects all") {
  const auto message = [&](std::string csv, std::vector<std::string> facts = {}) {
    ReplayOptions options;
    options.facts = std::move(facts);
    const auto c = replay(even_only(), std::move(csv), {"n=n"}, "eager,static,symbolic", options);
    return c.ok() ? std::string("fine") : c.error().to_string();
  };
  CHECK(message("n\n2\n-4\n") == "t.csv:3: n is -4 here, and a size is never negative; check --bind n");
  CHECK(message("n\n2\n", {"n >= 3", "n <= 2"}).find("contradict each other") != std::string::npos);
  const std::string all = message("n\n1\n3\n");
  CHECK(all.starts_with("every call is rejected by toy; the first: t.csv:2: "));
  CHECK(all.find("n must be even") != std::string::npos);
  CHECK(message("n\n1\n2\n") == "fine");
}

TEST_CASE("binds: defaults by the columns that are there, errors that list what is there") {
  const ToyModel model({"B", "L"});
  const Table table = read_csv("len,x\n4,1\n", "t.csv").value();
  CallOptions options;
  options.binds = {{"B", "1"}};
  CHECK(add_default_binds(model, table, options).error().to_string() ==
        "t.csv: dim L of toy is not bound; say --bind L=EXPR over the columns, which are len, x");
  options.binds = {{"K", "1"}};
  CHECK(add_default_binds(model, table, options).error().to_string() ==
        "--bind K=...: toy has no dim 'K'; its dims are B, L");
  options.binds = {{"L", "len"}, {"B", "1"}};
  REQUIRE(add_default_binds(model, table, options).ok());
  CHECK(options.binds[0].dim == "B");
  const Calls calls = bind_calls(table, options).value();
  CHECK(calls.is_constant(0));
  CHECK(!calls.is_constant(1));
}

TEST_CASE("costs fill the estimate; the JSON has exactly the fields of schema 1") {
  ReplayOptions options;
  options.costs = parse_costs("C=1,R=0.25,E=0.5").value();
  options.measure_lookup = false;
  const auto c = replay(ToyModel({"n"}), "n\n2\n2\n2\n3\n", {"n=n"}, "eager,static", options);
  REQUIRE(c.ok());
  CHECK(*c->rows[0].estimated_total_s == doctest::Approx(2));
  CHECK(*c->rows[1].estimated_total_s == doctest::Approx(3));
  const std::string json = to_json(*c);
  CHECK(json ==
        "{\"schema\":1,\"model\":\"toy\",\"trace\":\"t.csv\",\"calls\":4,\"rows\":["
        "{\"policy\":\"eager\",\"calls\":4,\"traces\":0,\"compiles\":0,\"shared\":0,\"hits\":0,\"hit_rate\":0.0,"
        "\"fallbacks\":4,"
        "\"rejected\":0,\"entries\":0,\"guards_per_entry\":0.0,\"bytes\":0,\"lookup_ns\":0.0,\"solver_ms\":0.0,"
        "\"padding_waste\":0.0,\"estimated_total_s\":2.0},"
        "{\"policy\":\"static\",\"calls\":4,\"traces\":2,\"compiles\":2,\"shared\":0,\"hits\":2,\"hit_rate\":0.5,"
        "\"fallbacks\":0,"
        "\"rejected\":0,\"entries\":2,\"guards_per_entry\":1.0,\"bytes\":" +
            std::to_string(c->rows[1].bytes) +
            ",\"lookup_ns\":0.0,\"solver_ms\":0.0,\"padding_waste\":0.0,\"estimated_total_s\":3.0}]}\n");
  CHECK(to_json(*c, true).find("\"break_even\":\"never\"") != std::string::npos);
  const std::string text = to_text(*c);
  CHECK(text.find("toy on t.csv: 4 calls") == 0);
  CHECK(text.find("never") != std::string::npos);
}

TEST_CASE("one policy that cannot go on ends its own row, named; the others are compared") {
  // A size that no input shows decides: only a trace on constants gets by.
  const ToyModel model({"n"}, [](Tracer& t, std::span<const SymInt> d) {
    if (!d[0].is_const() && t.unbacked_size("u") > 3) return;
    ToyModel::copy(t, t.input("x", {d[0]}), "copy");
  });
  const auto c = replay(model, "n\n2\n3\n4\n5\n", {"n=n"}, "static,auto_dynamic,symbolic");
  REQUIRE_MESSAGE(c.ok(), (c.ok() ? std::string() : c.error().to_string()));
  CHECK(counts(c->rows[0]) == "h0 c4 s0 f0 r0 t4 e4");
  CHECK(c->rows[0].error.empty());
  CHECK(c->rows[1].calls == 1);  // the second call makes n a symbol
  CHECK(c->rows[1].compiles == 1);
  CHECK(c->rows[1].error.starts_with("t.csv:3: "));
  CHECK(c->rows[1].error.find("cannot decide") != std::string::npos);
  CHECK(c->rows[2].calls == 0);
  CHECK(to_text(*c).find("auto_dynamic stopped after 1 calls: t.csv:3: ") != std::string::npos);
  CHECK(to_json(*c).find("\"error\":\"t.csv:2: ") != std::string::npos);
  CHECK(replay(model, "n\n2\n3\n", {"n=n"}, "symbolic").error().to_string().find("cannot decide") != std::string::npos);
}
