#include "import/byte_stream.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

namespace dimgate::logs {

namespace {

/// A file descriptor; the bytes looked at to tell the format are given first.
class RawBytes final : public ByteStream {
 public:
  RawBytes(int file, std::string path) : file_(file), path_(std::move(path)) {}
  ~RawBytes() override {
    if (file_ > STDIN_FILENO) ::close(file_);
  }
  RawBytes(const RawBytes&) = delete;
  RawBytes& operator=(const RawBytes&) = delete;

  Result<std::size_t> read(std::span<char> to) override {
    if (given_ < ahead_) {
      const std::size_t now = std::min(to.size(), ahead_ - given_);
      std::memcpy(to.data(), first_.data() + given_, now);
      given_ += now;
      consumed_ += now;
      return now;
    }
    const auto got = from_file(to);
    if (got) consumed_ += *got;
    return got;
  }
  [[nodiscard]] std::uint64_t consumed() const override { return consumed_; }

  Result<std::string_view> look_ahead() {
    while (ahead_ < first_.size()) {
      const auto got = from_file(std::span(first_).subspan(ahead_));
      if (!got) return got.error();
      if (*got == 0) break;
      ahead_ += *got;
    }
    return std::string_view(first_.data(), ahead_);
  }

 private:
  Result<std::size_t> from_file(std::span<char> to) const {
    for (;;) {
      const ssize_t got = ::read(file_, to.data(), to.size());
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR) return Error{std::string("cannot be read: ") + std::strerror(errno), path_};
    }
  }

  int file_;
  std::string path_;
  std::array<char, 4> first_{};
  std::size_t ahead_ = 0, given_ = 0;
  std::uint64_t consumed_ = 0;
};

}  // namespace

Result<std::unique_ptr<ByteStream>> open_bytes(const std::string& path) {
  const int file = path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return Error{std::string("cannot be opened: ") + std::strerror(errno), path};
  auto raw = std::make_unique<RawBytes>(file, path);
  struct stat about{};
  if (::fstat(file, &about) == 0 && S_ISDIR(about.st_mode)) return Error{"is a directory; expected a file", path};
  const auto first = raw->look_ahead();
  if (!first) return first.error();
  if (first->starts_with("\x1f\x8b")) {
    auto out = unpack_gzip(std::move(raw));
    if (out == nullptr)
      return Error{"is compressed with gzip, and this build has no zlib; unpack it: gzip -d " + path, path};
    return out;
  }
  if (first->starts_with("\x28\xb5\x2f\xfd")) {
    auto out = unpack_zstd(std::move(raw));
    if (out == nullptr)
      return Error{"is compressed with zstd, and this build has no libzstd; unpack it: zstd -d " + path, path};
    return out;
  }
  return std::unique_ptr<ByteStream>(std::move(raw));
}

}  // namespace dimgate::logs
