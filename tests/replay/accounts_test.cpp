#include <doctest/doctest.h>

#include "replay/run.hpp"

using namespace dimgate;

namespace {

using Kind = CallRecord::Kind;

PolicyRow accounted(std::vector<CallRecord> calls, const char* costs) {
  PolicyRow row;
  row.policy = "pow2";
  row.lookup_ns = 0;
  account(calls, parse_costs(costs).value(), row);
  return row;
}

}  // namespace

TEST_CASE("the total adds compiles, runs stretched by padding, and eager runs") {
  const PolicyRow row =
      accounted({{Kind::compiled, 2}, {Kind::hit, 1.5}, {Kind::shared, 1}, {Kind::fallback, 1}, {Kind::rejected, 1}},
                "C=10,R=2,E=3");
  CHECK(*row.estimated_total_s == doctest::Approx((10 + 4) + 3 + 2 + 3));
  CHECK(*row.longest_stall_s == doctest::Approx(14));
}

TEST_CASE("a policy's own cost goes before the common one") {
  CHECK(*accounted({{Kind::hit, 1}}, "R=2,pow2.R=1").estimated_total_s == doctest::Approx(1));
  CHECK(*accounted({{Kind::hit, 1}}, "R=2,static.R=1").estimated_total_s == doctest::Approx(2));
}

TEST_CASE("a cost that is needed and missing leaves the total open") {
  CHECK(!accounted({{Kind::hit, 1}}, "C=1,E=1").estimated_total_s);
  CHECK(!accounted({{Kind::compiled, 1}}, "R=1,E=1").estimated_total_s);
  CHECK(!accounted({{Kind::fallback, 1}}, "R=1,C=1").estimated_total_s);
  CHECK(accounted({{Kind::hit, 1}}, "R=1").estimated_total_s);
}

TEST_CASE("break-even is the first call from which the sum stays below eager's") {
  std::vector<CallRecord> calls(10, {Kind::hit, 1});
  calls[0].kind = Kind::compiled;
  // eager 3 a call, compiled 1 a call and 5 once: after n calls 3n against n + 5: below from the third
  CHECK(accounted(calls, "C=5,R=1,E=3").break_even == 3);
  CHECK(!accounted(calls, "C=50,R=1,E=3").break_even);
  calls[6].kind = Kind::compiled;  // 3n against n + 10 from call 7 on: 21 > 17, still below
  CHECK(accounted(calls, "C=5,R=1,E=3").break_even == 3);
  calls[3].kind = Kind::compiled;  // 12 against 14 at call 4; 15 at 15 at call 5; 7: 21 against 22
  CHECK(accounted(calls, "C=5,R=1,E=3").break_even == 8);
  calls[9].kind = Kind::compiled;
  CHECK(accounted(calls, "C=5,R=1,E=3").break_even == std::nullopt);
}

TEST_CASE("rejected calls cost nobody anything and stand in no percentile") {
  std::vector<CallRecord> calls(200, {Kind::hit, 1});
  calls[0].kind = Kind::compiled;
  calls[1].kind = Kind::compiled;
  for (std::size_t i = 100; i < 200; ++i) calls[i].kind = Kind::rejected;
  const PolicyRow row = accounted(calls, "C=9,R=1,E=3");
  CHECK(*row.p99_s == doctest::Approx(10));  // rank 99 of 100: the second largest
  CHECK(*row.longest_stall_s == doctest::Approx(10));
  CHECK(*row.estimated_total_s == doctest::Approx(118));
  calls[1].kind = Kind::hit;
  CHECK(*accounted(calls, "C=9,R=1,E=3").p99_s == doctest::Approx(1));
}
