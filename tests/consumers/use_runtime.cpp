// A program on dimgate::runtime alone: exact integers, and no solver in the process.
#include <cstdio>
#include <fstream>
#include <limits>
#include <string>

#include "dimgate/integer.hpp"

int main() {
  const dimgate::Integer max = std::numeric_limits<std::int64_t>::max();
  const std::string beyond = (max + 1).to_string();
  std::printf("INT64_MAX + 1 = %s\n", beyond.c_str());
  if (beyond != "9223372036854775808") return 1;

  std::ifstream maps("/proc/self/maps");  // every library the program loaded
  for (std::string line; std::getline(maps, line);) {
    if (line.find("libz3") != std::string::npos) {
      std::printf("the runtime brought Z3 along: %s\n", line.c_str());
      return 1;
    }
  }
  return 0;
}
