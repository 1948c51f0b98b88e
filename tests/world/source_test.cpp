#include <doctest/doctest.h>

#include "dimgate/world.hpp"

using namespace dimgate;

TEST_CASE("sources are read in every spelling and printed in one") {
  struct Case {
    const char* text;
    const char* base;
    Property property;
    std::uint32_t index;
    const char* canonical;
  };
  const Case cases[] = {
      {"L['x'].size()[0]", "L['x']", Property::size, 0, "L['x'].size()[0]"},
      {"L['x'].shape[12]", "L['x']", Property::size, 12, "L['x'].size()[12]"},
      {"x.size(3)", "x", Property::size, 3, "x.size()[3]"},
      {"self._modules['a'].weight.stride()[1]", "self._modules['a'].weight", Property::stride, 1,
       "self._modules['a'].weight.stride()[1]"},
      {"L['x'].stride(1)", "L['x']", Property::stride, 1, "L['x'].stride()[1]"},
      {"L['x'].ndim", "L['x']", Property::rank, 0, "L['x'].dim()"},
      {"L['x'].storage_offset()", "L['x']", Property::storage_offset, 0, "L['x'].storage_offset()"},
      {"L['x'].dtype", "L['x']", Property::dtype, 0, "L['x'].dtype"},
      {"len(L['xs'])", "L['xs']", Property::length, 0, "len(L['xs'])"},
      {"type(f(a)(b))", "f(a)(b)", Property::type, 0, "type(f(a)(b))"},
      {"id(x)", "x", Property::identity, 0, "id(x)"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    const Source s = Source::parse(c.text);
    CHECK(s.base == c.base);
    CHECK(s.property == c.property);
    CHECK(s.index == c.index);
    CHECK(s.text() == c.canonical);
    CHECK(Source::parse(s.text()) == s);
  }
}

TEST_CASE("what is not a property is a value, whole") {
  for (const char* text : {"s0", "", "L['x']", "L['x'][0]", ".size()[0]", "x.size()[]", "x.size()[-1]", "x.size()[01]",
                           "x.size()[99999999999]", "len()", "len(a)(b)", "lens(a)", "L['.dtype']", "x.size()", "len(a",
                           "len(a)+len(b)", "]", ")", "x.resize(0)"}) {
    CAPTURE(text);
    const Source s = Source::parse(text);
    CHECK(s.property == Property::value);
    CHECK(s.base == text);
    CHECK(s.text() == text);
  }
}
