// Text from logs is data, whatever it holds.
#include <random>

#include "cli/fixture.hpp"
#include "report/blocks.hpp"
#include "report/log_kept.hpp"
#include "support/temp_files.hpp"

using namespace dimgate;
using namespace dimgate::cli;
using report::Json;

namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++n;
  return n;
}

std::string recompile_log(const std::string& name, const std::string& line) {
  return "V0101 10:00:00.000000 1 torch/_dynamo/guards.py:1] [0/1] [__recompiles] Recompiling function " + name +
         " in model.py:12\n"
         "V0101 10:00:00.000000 1 torch/_dynamo/guards.py:1] [0/1] [__recompiles]     triggered by the following guard "
         "failure(s):\n"
         "V0101 10:00:00.000000 1 torch/_dynamo/guards.py:1] [0/1] [__recompiles]     - 0/0: " +
         line + "\n";
}

/// The page of a log, and its data as read back.
std::pair<std::string, Json> page_of(const std::string& log) {
  const dimgate::testing::TempFiles files;
  const Ran r = dimgate_run({"report", files("x.log", log)});
  REQUIRE_MESSAGE(r.exit == 0, r.talk);
  const std::string open = "id=\"data\">";
  const std::size_t at = r.out.find(open) + open.size();
  return {r.out, Json::parse(r.out.substr(at, r.out.find("</script>", at) - at))};
}

}  // namespace

TEST_CASE("markup in a log stays text") {
  const std::string evil = "</script><script>alert(1)</script><img src=x onerror=alert(1)>";
  const auto [page, data] =
      page_of(recompile_log("f", "L['x'] == '" + evil + "'   # " + evil + "  # model.py:3 in " + evil));
  CHECK(count(page, "<script") == 6);  // the data and the page's own five
  CHECK(count(page, "</script>") == 6);
  CHECK(!has(page, "<img"));
  CHECK(has(data.dump(), "onerror"));  // it is there, as text
}

TEST_CASE("the title of a page is text as well") {
  const std::string page = report::page_html("</title><script>alert(1)</script> \xff & \n x", {{"schema", 1}});
  CHECK(!has(page, "<script>alert"));
  CHECK(has(page, "<title>&lt;/title>"));
  CHECK(has(page, "\xef\xbf\xbd &amp;"));
}

TEST_CASE("separators, controls and broken UTF-8") {
  const Json data = std::string(
      "a\xe2\x80\xa8"
      "b\xe2\x80\xa9"
      "c\x01\xff\xc3<!--<script>&");
  const std::string safe = report::script_safe(data);
  for (const char* raw : {"\xe2\x80\xa8", "\xe2\x80\xa9", "<", ">", "&", "\xff", "\x01"}) CHECK(!has(safe, raw));
  CHECK(Json::parse(safe).get<std::string>() ==
        "a\xe2\x80\xa8"
        "b\xe2\x80\xa9"
        "c\x01\xef\xbf\xbd\xef\xbf\xbd<!--<script>&");
}

TEST_CASE("a line of a million characters is cut, and says so") {
  const std::string line(1'000'000, 'q');
  const auto [page, data] = page_of(recompile_log("f", "L['x'] == '" + line + "'") + line + "\n");
  CHECK(page.size() < 600'000);
  CHECK(has(data.dump(), std::string(50, 'q')));  // the beginning is there
  CHECK(has(report::shown(line), "1000000 bytes in all"));
}

TEST_CASE("shown cuts between characters") {
  for (std::size_t before = 4090; before < 4100; ++before) {
    const std::string text = std::string(before, 'x') + "\xf0\x9f\x98\x80\xf0\x9f\x98\x80" + std::string(20, 'y');
    CHECK_NOTHROW(static_cast<void>(Json(report::shown(text)).dump()));
  }
  CHECK(report::shown("short") == "short");
}

TEST_CASE("random bytes as a log never break the page") {
  std::mt19937_64 rng(7);
  const std::string pieces[] = {"</script>",
                                "\xe2\x80\xa8",
                                "\xff",
                                "[__recompiles]",
                                " L['x'].size()[0] == 4 ",
                                "\n",
                                "V0101 10:00:00.000000 1 torch/_dynamo/guards.py:1] [0/1] [__guards] ",
                                "| | +- ",
                                "{",
                                "\""};
  for (int round = 0; round < 40; ++round) {
    std::string log = recompile_log("f", "x");
    for (int i = 0; i < 200; ++i) {
      if (rng() % 4 == 0)
        log += static_cast<char>(rng());
      else
        log += pieces[rng() % std::size(pieces)];
    }
    const auto [page, data] = page_of(log);
    CHECK(count(page, "</script>") == 6);
  }
}

TEST_CASE("ten thousand functions with long names: capped, and the page stays small") {
  std::string log;
  for (int i = 0; i < 10'000; ++i) {
    std::string one =
        recompile_log("f" + std::to_string(i) + std::string(2'000, 'n'), "L['x'] == " + std::to_string(i));
    for (std::size_t at = 0; (at = one.find("[0/1]", at)) != std::string::npos; at += 5) one.replace(at, 5, "");
    log += one;
  }
  const auto [page, data] = page_of(log);
  CHECK(page.size() < 4'000'000);
}

TEST_CASE("a size seen with ten thousand values keeps the first two thousand") {
  report::LogKept kept{LogReportOptions{}};
  LogEvent event;
  event.compile_id = "0/0";
  for (int i = 0; i < 10'000; ++i) {
    TensorSeen seen;
    seen.source = "L['x']";
    seen.size = {std::to_string(i)};
    event.body = seen;
    kept.add(event);
  }
  REQUIRE(kept.values.size() == 1);
  const auto& slots = kept.values.begin()->second;
  REQUIRE(slots.size() == 1);
  CHECK(slots.begin()->second.size() == 2'000);
  CHECK(slots.begin()->second.back().second == 1'999);
}
