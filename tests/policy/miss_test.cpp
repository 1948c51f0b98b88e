#include "dimgate/miss.hpp"

#include "cache/fixture.hpp"
#include "dimgate/cache_log.hpp"
#include "support/temp_files.hpp"

using namespace dimgate;

namespace {

struct Tensors {
  Layout layout;
  Tensors() {
    layout.add_tensor("L['x']", 2);
    layout.add("L['n']");
  }
  [[nodiscard]] NewEntry entry(const std::vector<std::string>& guards,
                               const std::vector<std::string>& kinds = {}) const {
    Context ctx;
    std::vector<Expr> formulas;
    for (const std::string& g : guards) formulas.push_back(parse(ctx, g).value());
    NewEntry e;
    e.program = compile(ctx, formulas, layout).value();
    e.guard_texts = guards;
    e.guard_kinds = kinds;
    return e;
  }
  [[nodiscard]] Snapshot at(std::int64_t a, std::int64_t b, std::int64_t n, const char* device = "cpu") const {
    Snapshot s(layout.size());
    s.set(layout.find("L['x'].dim()"), 2);
    s.set(layout.find("L['x'].size()[0]"), a);
    s.set(layout.find("L['x'].size()[1]"), b);
    s.set(layout.find("L['x'].device"), layout.names().intern(device));
    s.set(layout.find("L['n']"), n);
    return s;
  }
};

struct Lines : LogSink {
  std::vector<std::string> all;
  void line(LogTopic topic, std::string_view text) override {
    all.push_back(std::string(to_string(topic)) + "| " + std::string(text));
  }
  [[nodiscard]] bool has(const std::string& part) const {
    for (const std::string& l : all)
      if (l.find(part) != std::string::npos) return true;
    return false;
  }
};

const std::vector<std::string> kFirst{"L['x'].size()[0] == 2", "L['x'].size()[1] == 3", "L['x'].device == 'cpu'"};

}  // namespace

TEST_CASE("explain_miss: all failing guards of the nearest entries, with expected, actual and margin") {
  const Tensors t;
  dimgate::testing::Scripted h;
  Cache cache(h);
  REQUIRE(cache.insert(t.entry(kFirst, {"shape", "shape", "device"})).ok());
  REQUIRE(cache.insert(t.entry({"L['x'].size()[0] <= 3", "L['n'] % 8 == 0", "divides(5, L['n'])"})).ok());
  const MissExplanation m = explain_miss(*cache.entries(), t.at(4, 5, 9, "cuda:0"), t.layout, 5);
  CHECK(m.entries == 2);
  REQUIRE(m.nearest.size() == 2);
  const MissedEntry& first = m.nearest[0];
  REQUIRE(first.failing.size() == 3);
  CHECK(first.entry == 1);
  CHECK(first.failing[0].kind == "shape");
  CHECK(first.failing[0].failure.expected == "2");
  CHECK(first.failing[0].failure.actual == "4");
  CHECK(first.failing[0].failure.text == "tensor 'x' size mismatch at index 0. expected 2, actual 4");
  CHECK(first.failing[0].margin == "2");
  CHECK(first.failing[2].failure.actual.find("cuda:0") != std::string::npos);
  CHECK(!first.failing[2].margin.has_value());
  const MissedEntry& second = m.nearest[1];
  REQUIRE(second.failing.size() == 3);
  CHECK(second.failing[0].margin == "1");
  CHECK(second.failing[2].margin == "1");  // 9 is one below a multiple of 5
  CHECK(explain_miss(*cache.entries(), t.at(2, 3, 40), t.layout).nearest.empty());
  CHECK(to_text(explain_miss(*cache.entries(), t.at(2, 3, 40), t.layout)) == "every entry accepts these inputs\n");
  CHECK(to_text(m).find(
            "entry 1: 3 of 3 guards fail\n  tensor 'x' size mismatch at index 0. expected 2, actual 4 [off by 2]") ==
        0);
}

TEST_CASE("explain_miss: missing slots and entries without texts fail closed and say so") {
  const Tensors t;
  dimgate::testing::Scripted h;
  Cache cache(h);
  NewEntry bare = t.entry({"L['n'] == 1"});
  bare.guard_texts.clear();
  REQUIRE(cache.insert(std::move(bare)).ok());
  REQUIRE(cache.insert(t.entry({"L['x'].size()[0] == 2"})).ok());
  const MissExplanation m = explain_miss(*cache.entries(), Snapshot(t.layout.size()), t.layout);
  REQUIRE(m.nearest.size() == 2);
  CHECK(m.nearest[0].failing[0].failure.text == "guard 0 is not true");
  CHECK(m.nearest[1].failing[0].failure.undefined);
  CHECK(m.nearest[1].failing[0].failure.actual == "missing");
  CHECK(!m.nearest[1].failing[0].margin.has_value());
}

TEST_CASE("DIMGATE_LOG: topics, more, less; unknown names list the valid ones") {
  const LogTopics t = parse_log_topics("recompiles, +guards,cache,-cache").value();
  CHECK(t.on(LogTopic::recompiles));
  CHECK(!t.more(LogTopic::recompiles));
  CHECK(t.more(LogTopic::guards));
  CHECK(!t.on(LogTopic::cache));
  CHECK(!parse_log_topics("").value().any());
  CHECK(
      parse_log_topics("guards,dynamo").error().message ==
      "DIMGATE_LOG: 'dynamo' is no topic; there are guards, recompiles, recompiles_verbose, dynamic, prove, simplify, "
      "cache (`+name` says more, `-name` switches off)");
}

TEST_CASE("log lines: guards, why it recompiled, what became dynamic, what happened to entries") {
  const Tensors t;
  const auto lines = std::make_shared<Lines>();
  dimgate::testing::Scripted h;
  h.on_miss = [&](const Miss& m) {
    if (m.first) return MissAnswer::compile(t.entry(kFirst, {"shape", "shape", "device"}));
    return MissAnswer::compile(t.entry({"L['x'].size()[0] >= 2", "L['x'].size()[1] == 3", "L['x'].device == 'cpu'"}));
  };
  const auto run = [&](const char* topics) {
    lines->all.clear();
    Cache cache(h, {.observer = make_cache_log({lines, parse_log_topics(topics).value()}, t.layout, "f")});
    CacheReader reader(cache);
    (void)reader.lookup(t.at(2, 3, 1));
    (void)reader.lookup(t.at(4, 3, 1));
    (void)cache.evict(1, "test");
  };
  run("recompiles");
  CHECK(lines->all ==
        std::vector<std::string>{"recompiles| recompiling f, call 2: compiled",
                                 "recompiles|   entry 1: tensor 'x' size mismatch at index 0. expected 2, actual 4"});
  run("+guards,dynamic,cache");
  CHECK(lines->has("guards| f: entry 1 is guarded by 3 guards"));
  CHECK(lines->has("guards|   L['x'].size()[0] == 2 [shape]"));
  CHECK(lines->has("dynamic| f: L['x'].size()[0] is free in entry 2; entry 1 had pinned it"));
  CHECK(lines->has("cache| f: evict entry 1 (version 3): test"));
  run("recompiles_verbose");
  CHECK(lines->has("[off by 2]"));
  run("-cache");
  CHECK(lines->all.empty());
}

TEST_CASE("a prover's answers can be logged, and stay what they are") {
  const auto lines = std::make_shared<Lines>();
  NativeProver native;
  LoggedProver prover(native, {lines, parse_log_topics("+prove").value()});
  Context ctx;
  Facts facts(ctx);
  const Expr claim = parse(ctx, "n + 1 > n").value();
  CHECK(prover.prove(facts, claim).proved());
  REQUIRE(lines->all.size() == 1);
  CHECK(lines->has(": proved"));
}

TEST_CASE("DIMGATE_TRACE: an object a line, numbered files, a directory that must be there") {
  const Tensors t;
  std::vector<std::string> lines;
  dimgate::testing::Scripted h;
  h.on_miss = [&](const Miss& m) {
    return MissAnswer::compile(
        t.entry({"L['x'].size()[0] == " + std::to_string(m.inputs.raw(t.layout.find("L['x'].size()[0]")))}, {"shape"}));
  };
  Cache cache(
      h, {.observer = make_cache_trace([&](std::string_view l) { lines.emplace_back(l); }, t.layout, "a \"frame\"")});
  CacheReader reader(cache);
  (void)reader.lookup(t.at(2, 3, 1));
  (void)reader.lookup(t.at(4, 3, 1));
  (void)cache.evict(1, "test");
  REQUIRE(lines.size() == 8);  // frame, insert, miss, hits, insert, miss, hits, evict
  CHECK(lines[0].starts_with(R"({"v":1,"event":"frame","frame":"a \"frame\"","slots":[)"));
  CHECK(lines[1].starts_with(R"({"v":1,"event":"insert","frame":"a \"frame\"","version":1,"entry":1)"));
  CHECK(lines[1].find(R"("guards":[{"text":"L['x'].size()[0] == 2","kind":"shape"}])") != std::string::npos);
  CHECK(lines[3].find(R"("event":"hits")") != std::string::npos);
  CHECK(lines[5].find(R"("call":2,"outcome":"compiled","first":false)") != std::string::npos);
  CHECK(lines[5].find(R"("L['x'].device":"cpu")") != std::string::npos);
  CHECK(
      lines[5].find(
          R"("message":"tensor 'x' size mismatch at index 0. expected 2, actual 4","expected":"2","actual":"4","margin":2)") !=
      std::string::npos);
  CHECK(lines[7].find(R"("event":"evict")") != std::string::npos);
  CHECK(!open_trace("/nonexistent/directory").ok());
  const dimgate::testing::TempFiles temp;
  {
    const LineWriter first = open_trace(temp.dir()).value(), second = open_trace(temp.dir()).value();
    first("{}"), second("[]"), first("{}");
  }
  CHECK(std::filesystem::file_size(temp.path("dimgate-1.jsonl")) == 6);
  CHECK(std::filesystem::file_size(temp.path("dimgate-2.jsonl")) == 3);
}
