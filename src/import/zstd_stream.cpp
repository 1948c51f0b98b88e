// zstd by libzstd: frames follow one another.
#include <vector>

#include "import/byte_stream.hpp"

#if DIMGATE_HAVE_ZSTD
#include <zstd.h>
#endif

namespace dimgate::logs {

#if DIMGATE_HAVE_ZSTD

namespace {

class ZstdBytes final : public ByteStream {
 public:
  explicit ZstdBytes(std::unique_ptr<ByteStream> raw)
      : raw_(std::move(raw)), held_(ZSTD_DStreamInSize()), state_(ZSTD_createDStream(), &ZSTD_freeDStream) {
    if (state_ == nullptr) stop("no memory to unpack zstd");
  }

  Result<std::size_t> read(std::span<char> to) override {
    ZSTD_outBuffer out{to.data(), to.size(), 0};
    while (good_ && out.pos == 0) {
      if (in_.pos == in_.size && !more_) {
        const auto got = raw_->read(held_);
        if (!got) return got.error();
        if (*got == 0) {
          if (inside_) stop("zstd data that breaks off");
          good_ = false;
          break;
        }
        in_ = {held_.data(), *got, 0};
      }
      const std::size_t left = ZSTD_decompressStream(state_.get(), &out, &in_);
      if (ZSTD_isError(left) != 0U) {
        stop(std::string("zstd data that is damaged: ") + ZSTD_getErrorName(left));
        break;
      }
      inside_ = left != 0;
      more_ = out.pos == out.size && inside_;  // what is unpacked did not fit
    }
    return out.pos;
  }
  [[nodiscard]] std::uint64_t consumed() const override { return raw_->consumed(); }
  [[nodiscard]] std::string damage() const override { return damage_; }

 private:
  void stop(std::string why) {
    damage_ = std::move(why);
    good_ = false;
  }

  std::unique_ptr<ByteStream> raw_;
  std::vector<char> held_;
  std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> state_;
  ZSTD_inBuffer in_{nullptr, 0, 0};
  bool good_ = true, inside_ = false, more_ = false;
  std::string damage_;
};

}  // namespace

std::unique_ptr<ByteStream> unpack_zstd(std::unique_ptr<ByteStream> raw) {
  return std::make_unique<ZstdBytes>(std::move(raw));
}

#else

std::unique_ptr<ByteStream> unpack_zstd(std::unique_ptr<ByteStream>) { return nullptr; }

#endif

}  // namespace dimgate::logs
