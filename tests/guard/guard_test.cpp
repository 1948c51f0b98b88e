#include "dimgate/guard.hpp"

#include <doctest/doctest.h>

using namespace dimgate;

namespace {
Expr read(Context& ctx, std::string_view text) {
  Result<Expr> e = parse(ctx, text);
  REQUIRE_MESSAGE(e.ok(), text);
  return *e;
}
Guard guard(Expr e, bool runtime_assert = false) {
  Guard g;
  g.formula = e;
  g.runtime_assert = runtime_assert;
  return g;
}
}  // namespace

TEST_CASE("a guard set's formula is the conjunction of its lookup guards") {
  Context ctx;
  GuardSet set;
  CHECK(set.formula(ctx).is_true());
  set.add(guard(read(ctx, "a % 8 == 0")));
  CHECK(to_text(ctx, set.formula(ctx)) == "a % 8 == 0");
  set.add(guard(read(ctx, "b > 2"), true));
  CHECK(to_text(ctx, set.formula(ctx)) == "a % 8 == 0");
  set.add(guard(read(ctx, "b == a")));
  CHECK(to_text(ctx, set.formula(ctx)) == "a % 8 == 0 and b == a");
}

TEST_CASE("kinds follow from the sources a formula reads") {
  Context ctx;
  const auto kind = [&](std::string_view text) { return kind_of(ctx, read(ctx, text)); };
  CHECK(kind("L['x'].size()[0] == 3") == GuardKind::shape);
  CHECK(kind("L['x'].stride()[0] == 3") == GuardKind::stride);
  CHECK(kind("L['x'].storage_offset() == 3") == GuardKind::storage_offset);
  CHECK(kind("L['x'].dim() == 3") == GuardKind::rank);
  CHECK(kind("L['x'].dtype == torch.float32") == GuardKind::dtype);
  CHECK(kind("len(L['xs']) == 3") == GuardKind::length);
  CHECK(kind("L['n'] == 3") == GuardKind::value);
  CHECK(kind("B * W % 8 == 0") == GuardKind::shape);                          // dims by bare names
  CHECK(kind("L['x'].stride()[0] == L['x'].size()[1]") == GuardKind::shape);  // a relation within a tensor
  CHECK(kind("True") == GuardKind::shape);
}

TEST_CASE("every kind has a name and a family") {
  CHECK(to_string(GuardKind::shape) == "shape");
  CHECK(to_string(GuardKind::version) == "version");
  CHECK(family(GuardKind::stride) == GuardFamily::tensor);
  CHECK(family(GuardKind::closure) == GuardFamily::frame);
  CHECK(family(GuardKind::autocast) == GuardFamily::global);
  CHECK(family(GuardKind::keys) == GuardFamily::container);
}

TEST_CASE("cost counts shared terms once and weighs divisions") {
  Context ctx;
  CHECK(estimated_cost(ctx, read(ctx, "a < b")) < estimated_cost(ctx, read(ctx, "a % b == 0")));
  const double once = estimated_cost(ctx, read(ctx, "a % 7 == 1"));
  const double twice = estimated_cost(ctx, read(ctx, "a % 7 == 1 and a % 7 == 1"));
  CHECK(twice < 1.5 * once);
}

TEST_CASE("places read as people write them") {
  CHECK(Location{}.to_string().empty());
  CHECK(Location{"m.py", 12, ""}.to_string() == "m.py:12");
  CHECK(Location{"m.py", 12, "forward"}.to_string() == "m.py:12 in forward");
  CHECK(Location{"a.cpp", 3, "void ns::UNet::trace(Tracer&, std::span<const int>) const"}.to_string() ==
        "a.cpp:3 in UNet::trace");
  CHECK(Location{"a.cpp", 3, "T f(T) [with T = int]"}.to_string() == "a.cpp:3 in f");
  CHECK(Location{"a.cpp", 3, "virtual void {anonymous}::Net::trace(int) const"}.to_string() == "a.cpp:3 in Net::trace");
  CHECK(Location{"a.cpp", 3, "void (anonymous namespace)::Net::trace(int) const"}.to_string() ==
        "a.cpp:3 in Net::trace");
  CHECK(Location::here().line == __LINE__);
}
