// Slots pairwise different: pair by pair, or four to a vector where the machine has AVX2.
#include "program/executor.hpp"
#include "program/steps.hpp"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#endif

namespace dimgate::detail {
namespace {

bool by_pairs(const std::int64_t* s, const SlotIndex* list, std::size_t n) noexcept {
  return slots_differ(std::span(list, n), RowInput{{s, nullptr, 0}});
}

#if defined(__x86_64__) && defined(__GNUC__)

constexpr std::size_t kFewest = 8, kMost = 256;

/// Each value meets the vectors in front of its own; within a vector the rotations by one and two meet all pairs. The
/// up to three values behind the last vector meet each other one by one.
[[gnu::target("avx2")]] bool by_vectors(const std::int64_t* s, const SlotIndex* list, std::size_t n) noexcept {
  __m256i vectors[kMost / 4];
  __m256i equal = _mm256_setzero_si256();
  const std::size_t whole = n / 4;
  for (std::size_t k = 0; k < whole; ++k) {
    const SlotIndex* const l = list + 4 * k;
    const __m256i v = _mm256_set_epi64x(s[l[3]], s[l[2]], s[l[1]], s[l[0]]);
    vectors[k] = v;
    equal = _mm256_or_si256(equal, _mm256_cmpeq_epi64(v, _mm256_permute4x64_epi64(v, 0b00111001)));
    equal = _mm256_or_si256(equal, _mm256_cmpeq_epi64(v, _mm256_permute4x64_epi64(v, 0b01001110)));
    const __m256i a = _mm256_permute4x64_epi64(v, 0b00000000), b = _mm256_permute4x64_epi64(v, 0b01010101),
                  c = _mm256_permute4x64_epi64(v, 0b10101010), d = _mm256_permute4x64_epi64(v, 0b11111111);
    for (std::size_t before = 0; before < k; ++before) {
      const __m256i w = vectors[before];
      const __m256i ab = _mm256_or_si256(_mm256_cmpeq_epi64(a, w), _mm256_cmpeq_epi64(b, w));
      const __m256i cd = _mm256_or_si256(_mm256_cmpeq_epi64(c, w), _mm256_cmpeq_epi64(d, w));
      equal = _mm256_or_si256(equal, _mm256_or_si256(ab, cd));
    }
  }
  bool rest = false;
  for (std::size_t j = 4 * whole; j < n; ++j) {
    const std::int64_t v = s[list[j]];
    const __m256i one = _mm256_set1_epi64x(v);
    for (std::size_t before = 0; before < whole; ++before)
      equal = _mm256_or_si256(equal, _mm256_cmpeq_epi64(one, vectors[before]));
    for (std::size_t i = 4 * whole; i < j; ++i) rest |= s[list[i]] == v;
  }
  return !rest && _mm256_testz_si256(equal, equal) != 0;
}

#endif

}  // namespace

SlotsDiffer slots_differ_for(std::size_t count) noexcept {
#if defined(__x86_64__) && defined(__GNUC__)
  if (count >= kFewest && count <= kMost && __builtin_cpu_supports("avx2")) return by_vectors;
#endif
  (void)count;
  return by_pairs;
}

}  // namespace dimgate::detail
