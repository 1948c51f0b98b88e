// The program `dimgate`: its arguments and streams handed to cli::run.
#include <iostream>
#include <string>
#include <vector>

#include "cli/frame.hpp"

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  return dimgate::cli::run(std::vector<std::string>(argv + 1, argv + argc), std::cout, std::cerr);
}
