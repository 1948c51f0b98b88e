// Files for a test in a directory of its own, gone with it.
#pragma once

#include <stdlib.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

namespace dimgate::testing {

class TempFiles {
 public:
  TempFiles() {
    std::string pattern = (std::filesystem::temp_directory_path() / "dimgate_XXXXXX").string();
    if (const char* made = mkdtemp(pattern.data())) dir_ = made;
  }
  ~TempFiles() {
    std::error_code ignored;
    if (!dir_.empty()) std::filesystem::remove_all(dir_, ignored);
  }
  TempFiles(const TempFiles&) = delete;
  TempFiles& operator=(const TempFiles&) = delete;
  [[nodiscard]] std::string path(std::string_view name) const { return (dir_ / name).string(); }
  [[nodiscard]] std::string dir() const { return dir_.string(); }
  /// Writes a file and returns its path.
  std::string operator()(std::string_view name, std::string_view text) const {
    std::FILE* f = std::fopen(path(name).c_str(), "wb");
    if (f != nullptr) {
      std::fwrite(text.data(), 1, text.size(), f);
      std::fclose(f);
    }
    return path(name);
  }

 private:
  std::filesystem::path dir_;
};

}  // namespace dimgate::testing
