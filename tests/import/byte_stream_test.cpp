// Packed logs read as the plain ones; broken ones give what comes before the damage and say so.

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include "dimgate/logs.hpp"

using namespace dimgate;

namespace {

/// Three lines of a recompile, by `gzip -n` and `zstd --no-check`.
constexpr const char* kGzip =
    "1f8b0800000000000203ad8d4d0e82301844f79c6296ba10be520db1099770c1c610c24f5b1a4b4b4a89e1f68af108cc6232"
    "9b37afa2823818097e158ca779c189080cd1877ecc9a6173ede433bdb66158d27913f9ed4e359e94b16f374d90bd9f6663e5"
    "52e3f1dfc669a8d5f5d1780705e3d0ed244faae35c7b62305acb2007741be228a1bcb5febdeb7f1f50adb16b90a7e52c8e76"
    "5f401909bc509660c907cb271b8145010000";
constexpr const char* kZstd =
    "28b52ffd00589d0400e249201d50a9ea23701d651c12707dbacd57ec4c14383cf5af4885af513544ad01057b921c71c78b2f"
    "70010af06a25bb817f9c9da05252f817d95fe7d0ab2fc6aef6ff8be6ee64389f7df849db3eb3828fb30d5fa8277b92e8f32a"
    "c3285fd862e50b170887bb934141b5a9e2a252332fc4ace8a9d49e9d991b72188db94173ccde18e1430400fd074acf4c70e1"
    "1bd060ee9628";

std::string bytes_of(const char* hex) {
  std::string out;
  for (; hex[0] != 0; hex += 2) out += static_cast<char>(std::strtol(std::string(hex, 2).c_str(), nullptr, 16));
  return out;
}

class TempDir {
 public:
  TempDir() : path_(std::filesystem::temp_directory_path() / ("dimgate_logs_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~TempDir() { std::filesystem::remove_all(path_); }
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  std::string file(const std::string& name, const std::string& bytes) const {
    const std::string path = (path_ / name).string();
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }
  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

struct Read {
  std::size_t recompiles = 0;
  LogCounts counts;
  std::string error;
};
Read read(const std::string& path) {
  Read out;
  LogReader reader([&](const LogEvent& event) { out.recompiles += std::holds_alternative<Recompile>(event.body); });
  const Status status = read_log_path(path, reader);
  if (!status) out.error = status.error().to_string();
  out.counts = reader.counts();
  return out;
}

}  // namespace

TEST_CASE("gzip and zstd read as they are; members and frames follow one another") {
  const TempDir dir;
  for (const char* hex : {kGzip, kZstd}) {
    const std::string bytes = bytes_of(hex);
    const Read once = read(dir.file("log", bytes));
    CHECK(once.error.empty());
    CHECK(once.counts.lines == 3);
    CHECK(once.counts.damage.empty());
    CHECK(once.recompiles == 1);
    const Read twice = read(dir.file("log", bytes + bytes));
    CHECK(twice.counts.lines == 6);
    CHECK(twice.recompiles == 2);
    CHECK(twice.counts.damage.empty());
  }
  const Read padded = read(dir.file("log", bytes_of(kGzip) + std::string(512, '\0')));
  CHECK(padded.counts.damage.empty());
  CHECK(padded.recompiles == 1);
  CHECK(read(dir.file("log", bytes_of(kGzip) + "tail")).counts.damage.count("other bytes after gzip data") == 1);
}

TEST_CASE("a directory is read file by file, packed or not; what cannot be read is an error") {
  const TempDir dir;
  CHECK(read(dir.path()).error.find("without files") != std::string::npos);
  dir.file("a.gz", bytes_of(kGzip));
  dir.file("b.zst", bytes_of(kZstd));
  dir.file("c.txt", "Recompiling function f in b.py:3\n    triggered by the following guard failure(s): k == 1\n");
  dir.file("d.log", "");
  CHECK(read(dir.path()).recompiles == 3);
  CHECK(read(dir.path() + "/none").error.find("cannot be opened") != std::string::npos);
}

TEST_CASE("packed files cut short or with a changed byte are told, never fatal") {
  const TempDir dir;
  std::mt19937 rng(1);
  for (const char* hex : {kGzip, kZstd}) {
    const std::string bytes = bytes_of(hex);
    for (std::size_t cut = 5; cut < bytes.size(); ++cut) {
      const Read got = read(dir.file("log", bytes.substr(0, cut)));
      CAPTURE(cut);
      CHECK(got.error.empty());
      CHECK(got.counts.damage.size() == 1);
    }
    for (int round = 0; round < 200; ++round) {
      std::string changed = bytes;
      changed[4 + rng() % (changed.size() - 4)] ^= static_cast<char>(1U << (rng() % 8));
      CHECK(read(dir.file("log", changed)).error.empty());
    }
  }
}
