// The natural order of symbol names against the definition: names as lists of characters and numbers.
#include "expr/symbol_names.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace dimgate;

namespace {

// A character, or a run of digits as one piece: ('0', the number). Digits only ever stand against digits as numbers.
std::vector<std::pair<char, unsigned long>> pieces(const std::string& s) {
  std::vector<std::pair<char, unsigned long>> out;
  for (std::size_t i = 0; i < s.size(); ++i) {
    if (s[i] < '0' || s[i] > '9') {
      out.emplace_back(s[i], 0);
    } else {
      unsigned long n = 0;
      for (; i < s.size() && s[i] >= '0' && s[i] <= '9'; ++i) n = n * 10 + static_cast<unsigned long>(s[i] - '0');
      --i;
      out.emplace_back('0', n);
    }
  }
  return out;
}

int slow_compare(const std::string& a, const std::string& b) {
  const auto pa = pieces(a), pb = pieces(b);
  for (std::size_t i = 0; i < std::min(pa.size(), pb.size()); ++i) {
    // A number against another character: its first digit counts, which all of '0'..'9' compare alike with here.
    if (pa[i].first != pb[i].first) return pa[i].first < pb[i].first ? -1 : 1;
    if (pa[i].second != pb[i].second) return pa[i].second < pb[i].second ? -1 : 1;
  }
  if (pa.size() != pb.size()) return pa.size() < pb.size() ? -1 : 1;
  return a.compare(b);
}

int sign(int x) { return (x > 0) - (x < 0); }

}  // namespace

TEST_CASE("natural order of names: numbers by value, wherever the first difference lies") {
  CHECK(natural_compare("s2", "s10") < 0);
  CHECK(natural_compare("L['x1'].size()[0]", "L['x11'].size()[0]") < 0);
  CHECK(natural_compare("L['x19'].size()[0]", "L['x20'].size()[0]") < 0);
  CHECK(natural_compare("abcdefgh119", "abcdefgh12") > 0);
  CHECK(natural_compare("s01", "s1") != 0);
  std::mt19937 random(20261130);
  for (int round = 0; round < 50'000; ++round) {
    std::string a, b;
    for (std::string* s : {&a, &b})
      for (unsigned n = random() % 8; n > 0; --n) *s += "01290[za"[random() % 8];
    const std::string front(random() % 12, "1a0"[random() % 3]);
    a = front + a;
    b = front + b;
    CAPTURE(a);
    CAPTURE(b);
    REQUIRE(sign(natural_compare(a, b)) == sign(slow_compare(a, b)));
    REQUIRE(sign(natural_compare(b, a)) == -sign(natural_compare(a, b)));
  }
}
