// MD5 (RFC 1321), to tell whether a payload is whole; no defence against anyone. Fed in pieces of any size.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace dimgate::logs {

class Md5 {
 public:
  void update(std::string_view bytes);
  /// 32 hexadecimal digits; the object is spent.
  std::string hex();

 private:
  void block(const unsigned char* bytes);
  std::array<std::uint32_t, 4> state_{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  std::array<unsigned char, 64> rest_{};
  std::uint64_t length_ = 0;
};

}  // namespace dimgate::logs
