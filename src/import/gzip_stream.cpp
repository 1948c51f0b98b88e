// gzip by zlib: members follow one another as `cat a.gz b.gz` makes them; zeros after the last are padding.
#include <vector>

#include "import/byte_stream.hpp"

#if DIMGATE_HAVE_ZLIB
#include <zlib.h>
#endif

namespace dimgate::logs {

#if DIMGATE_HAVE_ZLIB

namespace {

class GzipBytes final : public ByteStream {
 public:
  explicit GzipBytes(std::unique_ptr<ByteStream> raw) : raw_(std::move(raw)), held_(1U << 17U) {
    good_ = inflateInit2(&state_, 15 + 16) == Z_OK;
    if (!good_) damage_ = "no memory to unpack gzip";
  }
  ~GzipBytes() override { inflateEnd(&state_); }
  GzipBytes(const GzipBytes&) = delete;
  GzipBytes& operator=(const GzipBytes&) = delete;

  Result<std::size_t> read(std::span<char> to) override {
    state_.next_out = reinterpret_cast<Bytef*>(to.data());
    state_.avail_out = static_cast<uInt>(to.size());
    while (good_ && state_.avail_out == to.size()) {
      if (state_.avail_in == 0) {
        const auto got = raw_->read(held_);
        if (!got) return got.error();
        if (*got == 0) {
          if (inside_) stop("gzip data that breaks off");
          good_ = false;
          break;
        }
        state_.next_in = reinterpret_cast<Bytef*>(held_.data());
        state_.avail_in = static_cast<uInt>(*got);
      }
      if (!inside_ && !next_member()) continue;
      const int result = inflate(&state_, Z_NO_FLUSH);
      if (result == Z_STREAM_END)
        inside_ = false;
      else if (result != Z_OK && result != Z_BUF_ERROR)
        stop("gzip data that is damaged");
    }
    return to.size() - state_.avail_out;
  }
  [[nodiscard]] std::uint64_t consumed() const override { return raw_->consumed(); }
  [[nodiscard]] std::string damage() const override { return damage_; }

 private:
  /// False: no member begins here.
  bool next_member() {
    while (!first_ && state_.avail_in > 0 && *state_.next_in == 0) {  // padding
      ++state_.next_in;
      --state_.avail_in;
    }
    if (state_.avail_in == 0) return false;
    if (!first_ && *state_.next_in != 0x1f) {
      stop("other bytes after gzip data");
      return false;
    }
    if (!first_) inflateReset(&state_);
    first_ = false;
    inside_ = true;
    return true;
  }
  void stop(const char* why) {
    damage_ = why;
    good_ = false;
  }

  std::unique_ptr<ByteStream> raw_;
  std::vector<char> held_;
  z_stream state_{};
  bool good_ = false, inside_ = false, first_ = true;
  std::string damage_;
};

}  // namespace

std::unique_ptr<ByteStream> unpack_gzip(std::unique_ptr<ByteStream> raw) {
  return std::make_unique<GzipBytes>(std::move(raw));
}

#else

std::unique_ptr<ByteStream> unpack_gzip(std::unique_ptr<ByteStream>) { return nullptr; }

#endif

}  // namespace dimgate::logs
