#include "import/batch.hpp"

#include <doctest/doctest.h>

using namespace dimgate;

TEST_CASE("times") {
  CHECK(parse_time("1970-01-01 00:00:00") == 0);
  CHECK(parse_time("1970-01-01T00:00:01.5Z") == 1'500'000'000);
  CHECK(parse_time("1969-12-31 23:59:59.25") == -750'000'000);
  CHECK(parse_time("1970-01-01 01:00:00+01:00") == 0);
  CHECK(parse_time("1969-12-31 23:30:00-0030") == 0);
  CHECK(parse_time("2023-11-16 18:17:03.9799600") == 1'700'158'623'979'960'000);
  CHECK(parse_time("12.000000001") == 12'000'000'001);
  CHECK(parse_time("-0.5") == -500'000'000);
  CHECK(parse_time("12.0000000019") == 12'000'000'001);
  for (const char* bad :
       {"", "x", "2023-13-01 00:00:00", "2023-02-29 00:00:00", "2023-01-01", "2023-01-01 24:00:00", "1.", "1.x", "--1",
        "2023-01-01 00:00:00 ?", "9999-01-01 00:00:00", "99999999999999999999", "+", "-"})
    CHECK_MESSAGE(!parse_time(bad), bad);
}

TEST_CASE("batch arguments") {
  const auto b = parse_batch("a:b:250ms");
  REQUIRE(b.ok());
  CHECK(b->column == "a:b");
  CHECK(b->width == 250'000'000);
  CHECK(!b->own_unit);
  CHECK(parse_batch("t:1000")->own_unit);
  CHECK(parse_batch("t:2h")->width == 7'200'000'000'000);
  for (const char* bad : {"", "t", ":1s", "t:", "t:0s", "t:-1s", "t:s", "t:1d", "t:9999999999999h"})
    CHECK_MESSAGE(!parse_batch(bad).ok(), bad);
}

TEST_CASE("consecutive rows of one window are one batch; a window that comes back is a new one") {
  auto t = read_csv("t,n\n0.2,1\n0.9,2\n1.0,3\n0.5,4\n-0.1,5\n-0.9,6\n", "t.csv");
  REQUIRE(t.ok());
  using Starts = std::vector<std::size_t>;
  CHECK(*batch_starts(*t, *parse_batch("t:1s"), 99) == Starts{0, 2, 3, 4, 6});
  CHECK(*batch_starts(*t, *parse_batch("t:1s"), 2) == Starts{0, 2, 3});
  CHECK(*batch_starts(*t, *parse_batch("t:1s"), 0) == Starts{0});
  CHECK(*batch_starts(*t, *parse_batch("n:2"), 99) == Starts{0, 1, 3, 5, 6});
  CHECK(*batch_starts(*t, std::nullopt, 3) == Starts{0, 1, 2, 3});
  CHECK(batch_starts(*t, *parse_batch("u:1s"), 9).error().to_string() ==
        "t.csv: --batch: no column 'u'; the columns are t, n");
  auto bad = read_csv("n,t\n1,0.2\n2,soon\n", "t.csv");
  CHECK(batch_starts(*bad, *parse_batch("t:1s"), 9).error().to_string() ==
        "t.csv:3:3: 'soon' in column 't' is no time; expected 2023-11-16 18:17:03.97 or a number of seconds");
}
