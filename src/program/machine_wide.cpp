// The exact path: Boost.Multiprecision integers of fixed width, on the stack.
#include <boost/multiprecision/cpp_int.hpp>
#include <cstddef>
#include <new>

#include "program/execute.hpp"

namespace dimgate::detail {
namespace {

namespace mp = boost::multiprecision;

template <unsigned Bits>
using Fixed = mp::number<mp::cpp_int_backend<Bits, Bits, mp::signed_magnitude, mp::unchecked, void>, mp::et_off>;

/// Operations that cannot overflow: the program's bound fits Bits.
template <unsigned Bits>
struct Wide {
  using Number = Fixed<Bits>;
  static bool add(Number& r, const Number& a, const Number& b) noexcept { return r = a + b, true; }
  static bool sub(Number& r, const Number& a, const Number& b) noexcept { return r = a - b, true; }
  static bool mul(Number& r, const Number& a, const Number& b) noexcept { return r = a * b, true; }
  static bool floor_div(Number& r, const Number& a, const Number& b) noexcept {
    Number m;
    mp::divide_qr(a, b, r, m);
    if (m != 0 && (m < 0) != (b < 0)) r -= 1;
    return true;
  }
  static bool floor_mod(Number& r, const Number& a, const Number& b) noexcept {
    Number q;
    mp::divide_qr(a, b, q, r);
    if (r != 0 && (r < 0) != (b < 0)) r += b;
    return true;
  }
  static bool ceil_div(Number& r, const Number& a, const Number& b) noexcept {
    Number m;
    mp::divide_qr(a, b, r, m);
    if (m != 0 && (m < 0) == (b < 0)) r += 1;
    return true;
  }
  static bool big(Number& r, const BigInt& b) noexcept {
    r = 0;
    for (std::size_t i = b.limbs.size(); i-- > 0;) {
      r <<= 64;
      r += b.limbs[i];
    }
    if (b.negative) r = -r;
    return true;
  }
  /// The value; only for registers that hold a truth or a slot's bits.
  static std::int64_t low(const Number& a) noexcept { return static_cast<std::int64_t>(a); }
};

template <unsigned Bits>
using WideCell = typename Partial<Wide<Bits>>::Cell;

template <unsigned Bits, std::size_t Bytes, class In>
[[gnu::noinline]] std::int32_t run_on_stack(const ProgramCode& p, const In& in,
                                            std::vector<std::uint32_t>* failed) noexcept {
  using Cell = WideCell<Bits>;
  static_assert(std::is_trivially_destructible_v<Cell>);
  alignas(Cell) std::byte memory[Bytes];
  auto* const cells = reinterpret_cast<Cell*>(memory);
  for (std::uint32_t i = 0; i < p.registers; ++i) new (cells + i) Cell;
  return Executor<Partial<Wide<Bits>>, In>{p, in, cells, failed}.run();
}

template <unsigned Bits, class In>
std::int32_t run_wide(const ProgramCode& p, const In& in, std::vector<std::uint32_t>* failed) noexcept {
  if (p.registers * sizeof(WideCell<Bits>) <= 8192) return run_on_stack<Bits, 8192>(p, in, failed);
  return run_on_stack<Bits, kMaxRegisterBytes>(p, in, failed);
}

template <class In>
std::int32_t run_any(const ProgramCode& p, const In& in, std::vector<std::uint32_t>* failed) noexcept {
  if (p.bits <= 128) return run_wide<128>(p, in, failed);
  if (p.bits <= 256) return run_wide<256>(p, in, failed);
  if (p.bits <= 512) return run_wide<512>(p, in, failed);
  if (p.bits <= 1024) return run_wide<1024>(p, in, failed);
  if (p.bits <= 2048) return run_wide<2048>(p, in, failed);
  return run_wide<4096>(p, in, failed);
}

}  // namespace

std::size_t exact_bytes(std::uint32_t registers, std::uint32_t bits) noexcept {
  const std::size_t cell = bits <= 128    ? sizeof(WideCell<128>)
                           : bits <= 256  ? sizeof(WideCell<256>)
                           : bits <= 512  ? sizeof(WideCell<512>)
                           : bits <= 1024 ? sizeof(WideCell<1024>)
                           : bits <= 2048 ? sizeof(WideCell<2048>)
                           : bits <= 4096 ? sizeof(WideCell<4096>)
                                          : 0;
  return cell * registers;
}

std::int32_t execute_wide(const ProgramCode& p, const RowInput& in, std::vector<std::uint32_t>* failed) noexcept {
  return run_any(p, in, failed);
}
std::int32_t execute_wide(const ProgramCode& p, const ColumnInput& in, std::vector<std::uint32_t>* failed) noexcept {
  return run_any(p, in, failed);
}

}  // namespace dimgate::detail
