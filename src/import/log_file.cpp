// Log files: plain, gzip, zstd; directories file by file.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "dimgate/logs.hpp"

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
  std::uint64_t done = 0;
  for (const std::string& file : files)
    if (const auto size = fs::file_size(file, error); !error) all += size;
  std::string piece(kPiece, '\0');
  for (const std::string& file : files) {
    std::ifstream in(file, std::ios::binary);
    if (!in) return Error{std::string("cannot be opened: ") + std::strerror(errno), file};
    while (in) {
      in.read(piece.data(), static_cast<std::streamsize>(piece.size()));
      const auto got = static_cast<std::size_t>(in.gcount());
      reader.feed({piece.data(), got});
      done += got;
      if (progress) progress(done, all);
    }
    if (in.bad()) return Error{std::string("cannot be read: ") + std::strerror(errno), file};
    reader.finish();
  }
  return Ok{};
}

}  // namespace dimgate
