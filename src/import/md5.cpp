#include "import/md5.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace dimgate::logs {

namespace {

constexpr std::array<std::uint32_t, 64> kSines{
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391};
constexpr std::array<int, 16> kTurns{7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21};

}  // namespace

void Md5::block(const unsigned char* bytes) {
  std::array<std::uint32_t, 16> words;
  for (std::size_t i = 0; i < 16; ++i)
    words[i] = static_cast<std::uint32_t>(bytes[4 * i]) | static_cast<std::uint32_t>(bytes[4 * i + 1]) << 8U |
               static_cast<std::uint32_t>(bytes[4 * i + 2]) << 16U |
               static_cast<std::uint32_t>(bytes[4 * i + 3]) << 24U;
  std::uint32_t a = state_[0];
  std::uint32_t b = state_[1];
  std::uint32_t c = state_[2];
  std::uint32_t d = state_[3];
  const auto step = [&](std::uint32_t mixed, std::size_t i, std::size_t word) {
    const std::uint32_t turned = std::rotl(a + mixed + kSines[i] + words[word], kTurns[i / 16 * 4 + i % 4]);
    a = d;
    d = c;
    c = b;
    b += turned;
  };
  for (std::size_t i = 0; i < 16; ++i) step((b & c) | (~b & d), i, i);
  for (std::size_t i = 16; i < 32; ++i) step((d & b) | (~d & c), i, (5 * i + 1) % 16);
  for (std::size_t i = 32; i < 48; ++i) step(b ^ c ^ d, i, (3 * i + 5) % 16);
  for (std::size_t i = 48; i < 64; ++i) step(c ^ (b | ~d), i, 7 * i % 16);
  state_[0] += a;
  state_[1] += b;
  state_[2] += c;
  state_[3] += d;
}

void Md5::update(std::string_view bytes) {
  std::size_t held = length_ % 64;
  length_ += bytes.size();
  while (!bytes.empty()) {
    if (held == 0 && bytes.size() >= 64) {
      block(reinterpret_cast<const unsigned char*>(bytes.data()));
      bytes.remove_prefix(64);
      continue;
    }
    const std::size_t taken = std::min(bytes.size(), 64 - held);
    std::memcpy(rest_.data() + held, bytes.data(), taken);
    bytes.remove_prefix(taken);
    held += taken;
    if (held == 64) {
      block(rest_.data());
      held = 0;
    }
  }
}

std::string Md5::hex() {
  const std::uint64_t bits = length_ * 8;
  update(std::string_view("\x80", 1));
  while (length_ % 64 != 56) update(std::string_view("\0", 1));
  std::array<char, 8> tail;
  for (std::size_t i = 0; i < 8; ++i) tail[i] = static_cast<char>(bits >> (8 * i));
  update({tail.data(), tail.size()});
  std::string out;
  for (const std::uint32_t word : state_)
    for (unsigned byte = 0; byte < 4; ++byte) {
      const unsigned value = word >> (8 * byte) & 0xffU;
      out += "0123456789abcdef"[value >> 4U];
      out += "0123456789abcdef"[value & 15U];
    }
  return out;
}

}  // namespace dimgate::logs
