// The data of a page, as page/*.js reads it.
#pragma once

#include <doctest/doctest.h>

#include <string>

#include "report/blocks.hpp"

namespace dimgate::test {

inline report::Json data_of(const std::string& page) {
  const std::string open = "<script type=\"application/json\" id=\"data\">";
  const std::size_t at = page.find(open);
  REQUIRE(at != std::string::npos);
  const std::size_t end = page.find("</script>", at);
  return report::Json::parse(page.substr(at + open.size(), end - at - open.size()));
}

}  // namespace dimgate::test
