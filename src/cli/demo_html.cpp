// Writes the page of the demo's scenes. Checked by tests/report/demo_test.cpp.
#include "cli/demo_html.hpp"

#include <fstream>
#include <ostream>

#include "report/demo.hpp"

namespace dimgate::cli {

void write_demo_page(Frame& frame, const std::string& file) {
  const std::string page = report::demo_html(frame.prover());
  if (file == "-") {
    frame.out << page;
    return;
  }
  std::ofstream out(file, std::ios::binary);
  out << page;
  if (!out.flush()) throw Failure{{"cannot write " + file}};
  frame.talk << file << ": " << page.size() / 1000 << " kB\n";
}

}  // namespace dimgate::cli
