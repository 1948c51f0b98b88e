// Encoder of the x86-64 instructions that checks are made of.
//
// What JitEmitter writes through: each call appends one instruction (at most 15 bytes) to a buffer. Jumps go to
// labels; one that is bound already gets the short form where it reaches, one that is not is patched when it is.
// asmjit's assembler, which serves the whole instruction set, was a quarter of the instructions of building a check.
// Encodings: Intel SDM volume 2. Tested by tests/program/x86_test.cpp, byte by byte against asmjit.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

namespace dimgate::detail::x86 {

enum class Gp : std::uint8_t { rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8, r9, r10, r11, r12, r13, r14, r15 };
/// The low half of a register; writing it clears the high one.
struct Gp32 {
  Gp full;
};
/// A vector register: xmm or ymm by the instruction.
struct Vector {
  std::uint8_t id;
};
/// [base + displacement], eight bytes unless the instruction says more.
struct Mem {
  Gp base;
  std::int32_t displacement;
};
struct Label {
  std::uint32_t id = 0xffffffffU;
  [[nodiscard]] bool is_valid() const noexcept { return id != 0xffffffffU; }
};

/// As the instruction set numbers them: the last bit negates.
enum class Condition : std::uint8_t { o, no, b, ae, e, ne, be, a, s, ns, p, np, l, ge, le, g };
constexpr Condition negate(Condition c) noexcept { return static_cast<Condition>(static_cast<unsigned>(c) ^ 1U); }

/// Instructions of the form `op r64, r64` or `op r64, m64`: the opcode, 0x100 for the page 0F.
enum class Op : std::uint16_t {
  add = 0x03,
  or_ = 0x0b,
  and_ = 0x23,
  sub = 0x2b,
  xor_ = 0x33,
  cmp = 0x3b,
  imul = 0x1af
};
constexpr Op cmov(Condition c) noexcept { return static_cast<Op>(0x140U + static_cast<unsigned>(c)); }

enum class Shift : std::uint8_t { ror = 1, shr = 5, sar = 7 };

class Encoder {
 public:
  void reserve(std::size_t bytes, std::size_t labels) {
    if (bytes > static_cast<std::size_t>(end_ - begin_)) grow(bytes);
    labels_.reserve(labels);
  }
  Encoder() = default;
  ~Encoder() { delete[] begin_; }
  Encoder(const Encoder&) = delete;
  Encoder& operator=(const Encoder&) = delete;

  [[nodiscard]] const std::uint8_t* data() const noexcept { return begin_; }
  [[nodiscard]] std::size_t size() const noexcept { return static_cast<std::size_t>(at_ - begin_); }

  // Jumps.
  Label new_label() {
    labels_.push_back(kUnbound);
    return {static_cast<std::uint32_t>(labels_.size() - 1)};
  }
  void bind(Label l) { labels_[l.id] = static_cast<std::int64_t>(size()); }
  void j(Condition c, Label l) { jump(l, 0x70U + static_cast<unsigned>(c), 0x0f80U + static_cast<unsigned>(c)); }
  void jmp(Label l) { jump(l, 0xeb, 0xe9); }
  void jmp(Gp to) {
    room();
    if (id(to) >= 8) put(0x41);
    put(0xff);
    put(static_cast<std::uint8_t>(0xe0U + (id(to) & 7U)));
  }
  void ret() { byte(0xc3); }
  /// Fills up with traps: nothing runs into them.
  void align(std::size_t to) {
    while (size() % to != 0) byte(0xcc);
  }
  /// Once, at the end: jumps to labels that were bound after them. False if one never was, or the code is too long.
  bool patch() {
    if (size() > INT32_MAX) return false;
    for (const Patch& p : patches_) {
      if (labels_[p.label] == kUnbound) return false;
      const auto displacement = static_cast<std::int32_t>(labels_[p.label] - static_cast<std::int64_t>(p.at) - 4);
      std::memcpy(begin_ + p.at, &displacement, 4);
    }
    return true;
  }

  // Moves.
  void mov(Gp to, Gp from) { form(0x89, id(from), to); }
  void mov(Gp to, Mem from) { form(0x8b, id(to), from); }
  void mov(Mem to, Gp from) { form(0x89, id(from), to); }
  void mov(Gp to, std::int64_t v) {
    room();
    if (v == static_cast<std::int64_t>(static_cast<std::uint32_t>(v))) {
      if (id(to) >= 8) put(0x41);
      put(static_cast<std::uint8_t>(0xb8U + (id(to) & 7U)));
      put32(static_cast<std::int32_t>(static_cast<std::uint32_t>(v)));
    } else if (is_int32(v)) {
      put(static_cast<std::uint8_t>(0x48U + (id(to) >> 3)));
      put(0xc7);
      put(static_cast<std::uint8_t>(0xc0U + (id(to) & 7U)));
      put32(static_cast<std::int32_t>(v));
    } else {
      put(static_cast<std::uint8_t>(0x48U + (id(to) >> 3)));
      put(static_cast<std::uint8_t>(0xb8U + (id(to) & 7U)));
      std::memcpy(at_, &v, 8);
      at_ += 8;
    }
  }
  void mov(Mem to, std::int32_t v) {
    form(0xc7, 0, to);
    put32(v);
  }
  void push(Gp r) { one_register(0x50, r); }
  void pop(Gp r) { one_register(0x58, r); }
  /// to = a + b, flags untouched.
  void lea(Gp to, Gp a, Gp b) {  // `b` is no rsp, `a` no rbp or r13
    room();
    put(static_cast<std::uint8_t>(0x48U + ((id(to) >> 3) << 2) + ((id(b) >> 3) << 1) + (id(a) >> 3)));
    put(0x8d);
    put(static_cast<std::uint8_t>(0x04U + ((id(to) & 7U) << 3)));
    put(static_cast<std::uint8_t>(((id(b) & 7U) << 3) + (id(a) & 7U)));
  }

  // Arithmetic and tests.
  void op(Op o, Gp to, Mem from) { form(static_cast<unsigned>(o), id(to), from); }
  void op(Op o, Gp to, Gp from) {
    const auto code = static_cast<unsigned>(o);
    if (code >= 0x100)
      form(code, id(to), from);
    else
      form(code - 2, id(from), to);  // the form that stores; the other means the same
  }
  /// add, or, and, sub, xor, cmp.
  template <class To>
  void op_imm(Op o, To to, std::int32_t v) {
    const auto which = static_cast<std::uint8_t>(static_cast<unsigned>(o) >> 3);
    const bool is_short = v == static_cast<std::int8_t>(v);
    form(is_short ? 0x83 : 0x81, which, to);
    if (is_short)
      put(static_cast<std::uint8_t>(v));
    else
      put32(v);
  }
  void cmp(Mem m, Gp r) { form(0x39, id(r), m); }
  void test(Gp a, Gp b) { form(0x85, id(b), a); }
  void test(Mem m, std::int32_t v) {
    form(0xf7, 0, m);
    put32(v);
  }
  void imul(Gp to, Gp from, std::int32_t v) {
    const bool is_short = v == static_cast<std::int8_t>(v);
    form(is_short ? 0x6b : 0x69, id(to), from);
    if (is_short)
      put(static_cast<std::uint8_t>(v));
    else
      put32(v);
  }
  void neg(Gp r) { form(0xf7, 3, r); }
  /// rdx:rax = rax * r, unsigned.
  void mul(Gp r) { form(0xf7, 4, r); }
  /// rax, rdx = quotient and remainder of rdx:rax by r.
  void idiv(Gp r) { form(0xf7, 7, r); }
  /// rdx = sign of rax.
  void cqo() { bytes(0x48, 0x99); }
  void shift(Shift s, Gp r, unsigned by) {  // by >= 1
    form(by == 1 ? 0xd1 : 0xc1, static_cast<std::uint8_t>(s), r);
    if (by != 1) put(static_cast<std::uint8_t>(by));
  }

  // On 32 bits, of the first eight registers; truths and flags need no more.
  void add(Gp32 to, Gp32 from) { bytes(0x01, direct(from, to)); }
  void xor_(Gp32 to, Gp32 from) { bytes(0x31, direct(from, to)); }
  void inc(Gp32 r) { bytes(0xff, direct({Gp::rax}, r)); }
  /// The lowest byte of rax, rcx, rdx or rbx.
  void set(Condition c, Gp32 r) { bytes(0x0f, 0x90U + static_cast<unsigned>(c), direct({Gp::rax}, r)); }
  void and_bytes(Gp32 to, Gp32 from) { bytes(0x20, direct(from, to)); }
  void movzx_byte(Gp32 to, Gp32 from) { bytes(0x0f, 0xb6, direct(to, from)); }

  // Vectors. SSE: the first eight registers.
  void movq(Vector to, Gp from) {
    room();
    put(0x66), put(static_cast<std::uint8_t>(0x48U + (id(from) >> 3))), put(0x0f), put(0x6e);
    put(static_cast<std::uint8_t>(0xc0U + (to.id << 3U) + (id(from) & 7U)));
  }
  void ucomisd(Vector a, Vector b) { bytes(0x66, 0x0f, 0x2e, 0xc0U + (unsigned{a.id} << 3U) + b.id); }
  // AVX2, ymm unless an `x` ends the name.
  void vpxor(Vector to, Vector a, Vector b) { vex(kMap0f, k66, true, false, 0xef, to, a, b); }
  void vpor(Vector to, Vector a, Vector b) { vex(kMap0f, k66, true, false, 0xeb, to, a, b); }
  void vpcmpeqq(Vector to, Vector a, Vector b) { vex(kMap0f38, k66, true, false, 0x29, to, a, b); }
  void vpbroadcastq(Vector to, Mem m) { vex(kMap0f38, k66, true, false, 0x59, to, {0}, m); }
  void vmovdqu(Vector to, Mem m) { vex(kMap0f, kF3, true, false, 0x6f, to, {0}, m); }
  void vmovq_x(Vector to, Mem m) { vex(kMap0f, kF3, false, false, 0x7e, to, {0}, m); }
  void vpinsrq_x(Vector to, Vector a, Mem m, std::uint8_t lane) {
    vex(kMap0f3a, k66, false, true, 0x22, to, a, m);
    put(lane);
  }
  void vinserti128(Vector to, Vector a, Vector b, std::uint8_t lane) {
    vex(kMap0f3a, k66, true, false, 0x38, to, a, b);
    put(lane);
  }
  void vpermq(Vector to, Vector a, std::uint8_t lanes) {
    vex(kMap0f3a, k66, true, true, 0x00, to, {0}, a);
    put(lanes);
  }
  void vptest(Vector a, Vector b) { vex(kMap0f38, k66, true, false, 0x17, a, {0}, b); }
  void vzeroupper() { bytes(0xc5, 0xf8, 0x77); }

 private:
  static constexpr std::int64_t kUnbound = -1;
  static constexpr unsigned kMap0f = 1, kMap0f38 = 2, kMap0f3a = 3, k66 = 1, kF3 = 2;
  struct Patch {
    std::uint32_t label;
    std::size_t at;
  };

  static constexpr std::uint8_t id(Gp r) noexcept { return static_cast<std::uint8_t>(r); }
  static constexpr bool is_int32(std::int64_t v) noexcept { return v == static_cast<std::int32_t>(v); }
  static constexpr unsigned direct(Gp32 reg, Gp32 rm) noexcept {
    return 0xc0U + (unsigned{id(reg.full)} << 3U) + id(rm.full);
  }

  /// Room for one instruction.
  void room() {
    if (end_ - at_ < 16) [[unlikely]]
      grow(2 * static_cast<std::size_t>(end_ - begin_) + 256);
  }
  void grow(std::size_t bytes) {
    auto* const larger = new std::uint8_t[bytes];
    const std::size_t used = size();
    if (used != 0) std::memcpy(larger, begin_, used);
    delete[] begin_;
    begin_ = larger;
    at_ = larger + used;
    end_ = larger + bytes;
  }
  void put(std::uint8_t b) { *at_++ = b; }
  void put32(std::int32_t v) {
    std::memcpy(at_, &v, 4);
    at_ += 4;
  }
  void byte(std::uint8_t b) { room(), put(b); }
  template <class... B>
  void bytes(B... b) {
    room();
    (put(static_cast<std::uint8_t>(b)), ...);
  }
  void one_register(unsigned opcode, Gp r) {
    room();
    if (id(r) >= 8) put(0x41);
    put(static_cast<std::uint8_t>(opcode + (id(r) & 7U)));
  }
  void opcode(unsigned o, unsigned reg, Gp rm) {
    room();
    put(static_cast<std::uint8_t>(0x48U + ((reg >> 3) << 2) + (id(rm) >> 3)));
    if (o >= 0x100) put(0x0f);
    put(static_cast<std::uint8_t>(o));
  }
  /// REX.W opcode, and the operands `reg` and `rm`.
  void form(unsigned o, unsigned reg, Gp rm) {
    opcode(o, reg, rm);
    put(static_cast<std::uint8_t>(0xc0U + ((reg & 7U) << 3) + (id(rm) & 7U)));
  }
  void form(unsigned o, unsigned reg, Mem rm) {
    opcode(o, reg, rm.base);
    address(reg, rm);
  }
  void address(unsigned reg, Mem m) {
    const unsigned low = id(m.base) & 7U, field = ((reg & 7U) << 3) + low;
    const bool none = m.displacement == 0 && low != 5,
               is_short = m.displacement == static_cast<std::int8_t>(m.displacement);
    put(static_cast<std::uint8_t>((none ? 0x00U : is_short ? 0x40U : 0x80U) + field));
    if (low == 4) put(0x24);
    if (none) return;
    if (is_short)
      put(static_cast<std::uint8_t>(m.displacement));
    else
      put32(m.displacement);
  }
  void jump(Label l, unsigned near, unsigned far) {
    room();
    const std::int64_t to = labels_[l.id];
    const auto here = static_cast<std::int64_t>(size());
    if (to != kUnbound && to - here - 2 >= INT8_MIN) {
      put(static_cast<std::uint8_t>(near)), put(static_cast<std::uint8_t>(to - here - 2));
      return;
    }
    if (far > 0xff) put(0x0f);
    put(static_cast<std::uint8_t>(far));
    if (to == kUnbound) patches_.push_back({l.id, size()});
    put32(to == kUnbound ? 0 : static_cast<std::int32_t>(to - static_cast<std::int64_t>(size()) - 4));
  }
  void vex_prefix(unsigned map, unsigned pp, bool wide, bool w, unsigned reg, unsigned middle, unsigned rm) {
    room();
    const unsigned last = ((~middle & 15U) << 3) + (wide ? 4U : 0U) + pp;
    const unsigned r = reg < 8 ? 0x80U : 0U;
    if (map == kMap0f && !w && rm < 8) {
      put(0xc5), put(static_cast<std::uint8_t>(r + last));
    } else {
      put(0xc4), put(static_cast<std::uint8_t>(r + 0x40U + (rm < 8 ? 0x20U : 0U) + map));
      put(static_cast<std::uint8_t>((w ? 0x80U : 0U) + last));
    }
  }
  void vex(unsigned map, unsigned pp, bool wide, bool w, unsigned o, Vector reg, Vector middle, Vector rm) {
    vex_prefix(map, pp, wide, w, reg.id, middle.id, rm.id);
    put(static_cast<std::uint8_t>(o));
    put(static_cast<std::uint8_t>(0xc0U + ((reg.id & 7U) << 3) + (rm.id & 7U)));
  }
  void vex(unsigned map, unsigned pp, bool wide, bool w, unsigned o, Vector reg, Vector middle, Mem rm) {
    vex_prefix(map, pp, wide, w, reg.id, middle.id, id(rm.base));
    put(static_cast<std::uint8_t>(o));
    address(reg.id, rm);
  }

  std::uint8_t *begin_ = nullptr, *at_ = nullptr, *end_ = nullptr;
  std::vector<std::int64_t> labels_;  // where each is bound
  std::vector<Patch> patches_;
};

}  // namespace dimgate::detail::x86
