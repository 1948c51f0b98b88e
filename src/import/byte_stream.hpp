// The bytes of a file, whatever it is packed in: plain, gzip (several members too) or zstd (several frames too), told
// by its first bytes. Memory: some 256 KiB, for zstd also the window the file asks for (at most 128 MiB).
//
// A file that breaks off or is damaged gives what comes before the damage; damage() then says what is wrong. Errors are
// for files that cannot be read at all. Tested by tests/import/byte_stream_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "dimgate/result.hpp"

namespace dimgate::logs {

class ByteStream {
 public:
  virtual ~ByteStream() = default;
  /// Fills the front of `to`, returns how much; 0: the end.
  virtual Result<std::size_t> read(std::span<char> to) = 0;
  /// Bytes of the file used so far.
  [[nodiscard]] virtual std::uint64_t consumed() const = 0;
  /// What is wrong with the rest of the file; empty: nothing.
  [[nodiscard]] virtual std::string damage() const { return {}; }
};

/// "-" is standard input.
Result<std::unique_ptr<ByteStream>> open_bytes(const std::string& path);

/// Formats behind open_bytes; `raw` begins with the format's first bytes. Null: not built in.
std::unique_ptr<ByteStream> unpack_gzip(std::unique_ptr<ByteStream> raw);
std::unique_ptr<ByteStream> unpack_zstd(std::unique_ptr<ByteStream> raw);

}  // namespace dimgate::logs
