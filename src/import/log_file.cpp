// Log files: plain, gzip, zstd; directories file by file.
#include <algorithm>
#include <filesystem>

#include "dimgate/logs.hpp"
#include "import/byte_stream.hpp"

namespace dimgate {

namespace {

namespace fs = std::filesystem;
constexpr std::size_t kPiece = 1U << 18U;

}  // namespace

Status read_log_path(const std::string& path, LogReader& reader,
                     const std::function<void(std::uint64_t, std::uint64_t)>& progress) {
  std::error_code error;
  std::vector<std::string> files;
  if (fs::is_directory(path, error)) {
    for (fs::recursive_directory_iterator at(path, fs::directory_options::skip_permission_denied, error), end;
         !error && at != end; at.increment(error))
      if (at->is_regular_file(error)) files.push_back(at->path().string());
    if (error) return Error{"cannot be listed: " + error.message(), path};
    if (files.empty()) return Error{"a directory without files; expected the logs of TORCH_TRACE", path};
    std::sort(files.begin(), files.end());
  } else {
    files.push_back(path);
  }
  std::uint64_t all = 0;
  std::uint64_t before = 0;
  for (const std::string& file : files)
    if (const auto size = fs::file_size(file, error); !error) all += size;
  std::vector<char> piece(kPiece);
  for (const std::string& file : files) {
    const auto in = logs::open_bytes(file);
    if (!in) return in.error();
    for (;;) {
      const auto got = (*in)->read(piece);
      if (!got) return got.error();
      if (*got == 0) break;
      reader.feed({piece.data(), *got});
      if (progress) progress(before + (*in)->consumed(), all);
    }
    if (const std::string damage = (*in)->damage(); !damage.empty()) reader.damaged(damage, file);
    before += (*in)->consumed();
    reader.finish();
  }
  return Ok{};
}

}  // namespace dimgate
