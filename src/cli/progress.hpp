// A line on the terminal that says how far a long command is; nothing where stderr is not one. At most ten a second.
#pragma once

#include <unistd.h>

#include <chrono>
#include <ostream>
#include <string>

namespace dimgate::cli {

class Progress {
 public:
  explicit Progress(std::ostream& talk) : talk_(talk), shown_(isatty(STDERR_FILENO) != 0) {}
  ~Progress() {
    if (wrote_) talk_ << "\r\x1b[K" << std::flush;
  }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  /// `line` makes the text; asked only where it is shown.
  template <class Line>
  void operator()(Line line) {
    const auto now = std::chrono::steady_clock::now();
    if (!shown_ || (wrote_ && now - last_ < std::chrono::milliseconds(100))) return;
    last_ = now;
    talk_ << "\r\x1b[K" << line() << std::flush;
    wrote_ = true;
  }

 private:
  std::ostream& talk_;
  bool shown_, wrote_ = false;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace dimgate::cli
