// The encoder, byte by byte against asmjit's assembler: all registers, displacements and immediates of every length.
#include "program/x86.hpp"

#include <asmjit/x86.h>
#include <doctest/doctest.h>

#include <array>
#include <random>
#include <string>
#include <vector>

using namespace dimgate::detail::x86;  // NOLINT
namespace aj = asmjit::x86;

namespace {

constexpr std::array<std::int32_t, 9> kDisplacements{0, 1, 127, -128, 128, -129, 4096, INT32_MAX, INT32_MIN};
constexpr std::array<std::int32_t, 9> kImmediates{0, 1, -1, 127, -128, 128, -129, INT32_MAX, INT32_MIN};

std::string hex(const std::uint8_t* p, std::size_t n) {
  static constexpr const char* kDigits = "0123456789abcdef";
  std::string out;
  for (std::size_t k = 0; k < n; ++k) out += {kDigits[p[k] >> 4], kDigits[p[k] & 15]};
  return out;
}

aj::Gp theirs(Gp r) { return aj::gpq(static_cast<std::uint32_t>(r)); }
aj::Mem theirs(Mem m) { return aj::qword_ptr(theirs(m.base), m.displacement); }
aj::Ymm ymm(Vector v) { return aj::ymm(v.id); }
aj::Xmm xmm(Vector v) { return aj::xmm(v.id); }

/// What each of the two makes of one instruction.
template <class Ours, class Theirs>
void same(const char* what, Ours ours, Theirs theirs_writes) {
  Encoder e;
  ours(e);
  asmjit::CodeHolder holder;
  REQUIRE(holder.init(asmjit::Environment::host()) == asmjit::kErrorOk);
  aj::Assembler a(&holder);
  REQUIRE(theirs_writes(a) == asmjit::kErrorOk);
  const auto& buffer = holder.textSection()->buffer();
  const std::string mine = hex(e.data(), e.size()), other = hex(buffer.data(), buffer.size());
  CHECK_MESSAGE(mine == other, what);
}

template <class F>
void each_register(F f) {
  for (int r = 0; r < 16; ++r) f(static_cast<Gp>(r));
}
template <class F>
void each_memory(F f) {
  each_register([&](Gp base) {
    for (const std::int32_t d : kDisplacements) f(Mem{base, d});
  });
}

struct Named {
  Op op;
  aj::Inst::Id id;
};
constexpr Named kAlu[] = {{Op::add, aj::Inst::kIdAdd}, {Op::or_, aj::Inst::kIdOr},   {Op::and_, aj::Inst::kIdAnd},
                          {Op::sub, aj::Inst::kIdSub}, {Op::xor_, aj::Inst::kIdXor}, {Op::cmp, aj::Inst::kIdCmp}};
constexpr std::pair<Condition, aj::CondCode> kConditions[] = {
    {Condition::o, aj::CondCode::kO},   {Condition::no, aj::CondCode::kNO}, {Condition::b, aj::CondCode::kB},
    {Condition::ae, aj::CondCode::kAE}, {Condition::e, aj::CondCode::kE},   {Condition::ne, aj::CondCode::kNE},
    {Condition::be, aj::CondCode::kBE}, {Condition::a, aj::CondCode::kA},   {Condition::s, aj::CondCode::kS},
    {Condition::ns, aj::CondCode::kNS}, {Condition::p, aj::CondCode::kP},   {Condition::np, aj::CondCode::kNP},
    {Condition::l, aj::CondCode::kL},   {Condition::ge, aj::CondCode::kGE}, {Condition::le, aj::CondCode::kLE},
    {Condition::g, aj::CondCode::kG}};

}  // namespace

TEST_CASE("x86: moves are encoded as asmjit encodes them") {
  each_register([](Gp r) {
    each_memory([&](Mem m) {
      same("mov r, m", [&](Encoder& e) { e.mov(r, m); }, [&](auto& a) { return a.mov(theirs(r), theirs(m)); });
      same("mov m, r", [&](Encoder& e) { e.mov(m, r); }, [&](auto& a) { return a.mov(theirs(m), theirs(r)); });
    });
    each_register([&](Gp q) {
      // asmjit stores from the other side: 89 /r.
      same("mov r, r", [&](Encoder& e) { e.mov(r, q); }, [&](auto& a) { return a.mov(theirs(r), theirs(q)); });
    });
    for (const std::int64_t v : {std::int64_t{0}, std::int64_t{5}, std::int64_t{0xffffffff}})
      same(
          "mov r, u32", [&](Encoder& e) { e.mov(r, v); },
          [&](auto& a) { return a.mov(theirs(r).r32(), asmjit::Imm(v)); });
    for (const std::int64_t v :
         {std::int64_t{-1}, std::int64_t{INT32_MIN}, INT64_MIN, INT64_MAX, std::int64_t{1} << 32})
      same("mov r, i64", [&](Encoder& e) { e.mov(r, v); }, [&](auto& a) { return a.mov(theirs(r), asmjit::Imm(v)); });
    same("push", [&](Encoder& e) { e.push(r); }, [&](auto& a) { return a.push(theirs(r)); });
    same("pop", [&](Encoder& e) { e.pop(r); }, [&](auto& a) { return a.pop(theirs(r)); });
  });
  each_memory([](Mem m) {
    for (const std::int32_t v : kImmediates)
      same("mov m, i32", [&](Encoder& e) { e.mov(m, v); }, [&](auto& a) { return a.mov(theirs(m), asmjit::Imm(v)); });
  });
  same(
      "lea", [](Encoder& e) { e.lea(Gp::rax, Gp::rax, Gp::rax); },
      [](auto& a) { return a.lea(aj::rax, aj::ptr(aj::rax, aj::rax)); });
}

TEST_CASE("x86: arithmetic and tests are encoded as asmjit encodes them") {
  const auto both = [](const char* what, Op op, asmjit::InstId id) {
    each_register([&](Gp r) {
      each_register([&](Gp q) {
        same(what, [&](Encoder& e) { e.op(op, r, q); }, [&](auto& a) { return a.emit(id, theirs(r), theirs(q)); });
      });
      each_memory([&](Mem m) {
        same(what, [&](Encoder& e) { e.op(op, r, m); }, [&](auto& a) { return a.emit(id, theirs(r), theirs(m)); });
      });
    });
  };
  for (const auto& [op, id] : kAlu) both("alu", op, id);
  both("imul", Op::imul, aj::Inst::kIdImul);
  for (const auto& [ours, other] : kConditions) {
    both("cmov", cmov(ours), aj::Inst::cmovccFromCond(other));
    CHECK(static_cast<unsigned>(negate(negate(ours))) == static_cast<unsigned>(ours));
  }
  for (const auto& [op, id] : kAlu)
    for (const std::int32_t v : kImmediates) {
      each_register([&](Gp r) {
        if (r == Gp::rax && v != static_cast<std::int8_t>(v)) return;  // asmjit has a byte less for rax
        same(
            "alu r, imm", [&](Encoder& e) { e.op_imm(op, r, v); },
            [&](auto& a) { return a.emit(id, theirs(r), asmjit::Imm(v)); });
      });
      each_memory([&](Mem m) {
        same(
            "alu m, imm", [&](Encoder& e) { e.op_imm(op, m, v); },
            [&](auto& a) { return a.emit(id, theirs(m), asmjit::Imm(v)); });
      });
    }
  each_register([](Gp r) {
    each_memory([&](Mem m) {
      same("cmp m, r", [&](Encoder& e) { e.cmp(m, r); }, [&](auto& a) { return a.cmp(theirs(m), theirs(r)); });
    });
    each_register([&](Gp q) {
      same("test", [&](Encoder& e) { e.test(r, q); }, [&](auto& a) { return a.test(theirs(r), theirs(q)); });
      for (const std::int32_t v : kImmediates)
        same(
            "imul r, r, imm", [&](Encoder& e) { e.imul(r, q, v); },
            [&](auto& a) { return a.imul(theirs(r), theirs(q), asmjit::Imm(v)); });
    });
    same("jmp r", [&](Encoder& e) { e.jmp(r); }, [&](auto& a) { return a.jmp(theirs(r)); });
    same("neg", [&](Encoder& e) { e.neg(r); }, [&](auto& a) { return a.neg(theirs(r)); });
    same("mul", [&](Encoder& e) { e.mul(r); }, [&](auto& a) { return a.emit(aj::Inst::kIdMul, theirs(r)); });
    same("idiv", [&](Encoder& e) { e.idiv(r); }, [&](auto& a) { return a.emit(aj::Inst::kIdIdiv, theirs(r)); });
    for (const unsigned by : {1U, 2U, 63U}) {
      same(
          "sar", [&](Encoder& e) { e.shift(Shift::sar, r, by); },
          [&](auto& a) { return a.sar(theirs(r), asmjit::Imm(by)); });
      same(
          "shr", [&](Encoder& e) { e.shift(Shift::shr, r, by); },
          [&](auto& a) { return a.shr(theirs(r), asmjit::Imm(by)); });
      same(
          "ror", [&](Encoder& e) { e.shift(Shift::ror, r, by); },
          [&](auto& a) { return a.ror(theirs(r), asmjit::Imm(by)); });
    }
  });
  each_memory([](Mem m) {
    for (const std::int32_t v : kImmediates)
      same(
          "test m, imm", [&](Encoder& e) { e.test(m, v); }, [&](auto& a) { return a.test(theirs(m), asmjit::Imm(v)); });
  });
  same("cqo", [](Encoder& e) { e.cqo(); }, [](auto& a) { return a.cqo(); });
}

TEST_CASE("x86: 32-bit and byte forms are encoded as asmjit encodes them") {
  for (const Gp r : {Gp::rax, Gp::rcx, Gp::rdx, Gp::rbx}) {
    for (const Gp q : {Gp::rax, Gp::rcx, Gp::rdx, Gp::rbx}) {
      const auto x = theirs(r), y = theirs(q);
      same("add", [&](Encoder& e) { e.add(Gp32{r}, Gp32{q}); }, [&](auto& a) { return a.add(x.r32(), y.r32()); });
      same("xor", [&](Encoder& e) { e.xor_(Gp32{r}, Gp32{q}); }, [&](auto& a) { return a.xor_(x.r32(), y.r32()); });
      same("and", [&](Encoder& e) { e.and_bytes({r}, {q}); }, [&](auto& a) { return a.and_(x.r8(), y.r8()); });
      same("movzx", [&](Encoder& e) { e.movzx_byte({r}, {q}); }, [&](auto& a) { return a.movzx(x.r32(), y.r8()); });
    }
    same("inc", [&](Encoder& e) { e.inc(Gp32{r}); }, [&](auto& a) { return a.inc(theirs(r).r32()); });
    for (const auto& [ours, other] : kConditions)
      same(
          "set", [&, c = ours](Encoder& e) { e.set(c, Gp32{r}); },
          [&, c = other](auto& a) { return a.set(c, theirs(r).r8()); });
  }
}

TEST_CASE("x86: vector instructions are encoded as asmjit encodes them") {
  for (std::uint8_t i = 0; i < 8; ++i) {
    each_register([&](Gp r) {
      same("movq", [&](Encoder& e) { e.movq({i}, r); }, [&](auto& a) { return a.movq(aj::xmm(i), theirs(r)); });
    });
    for (std::uint8_t k = 0; k < 8; ++k)
      same(
          "ucomisd", [&](Encoder& e) { e.ucomisd({i}, {k}); },
          [&](auto& a) { return a.ucomisd(aj::xmm(i), aj::xmm(k)); });
  }
  for (std::uint8_t i = 0; i < 16; ++i) {
    const Vector x{i};
    for (std::uint8_t k = 0; k < 16; ++k) {
      const Vector y{k};
      for (std::uint8_t n = 0; n < 16; ++n) {
        const Vector z{n};
        // A register above 7 may stand on either side of a commutative one: asmjit picks the shorter form, too.
        same(
            "vpcmpeqq", [&](Encoder& e) { e.vpcmpeqq(x, y, z); },
            [&](auto& a) { return a.vpcmpeqq(ymm(x), ymm(y), ymm(z)); });
        same("vpxor", [&](Encoder& e) { e.vpxor(x, y, z); }, [&](auto& a) { return a.vpxor(ymm(x), ymm(y), ymm(z)); });
        same("vpor", [&](Encoder& e) { e.vpor(x, y, z); }, [&](auto& a) { return a.vpor(ymm(x), ymm(y), ymm(z)); });
        same(
            "vinserti128", [&](Encoder& e) { e.vinserti128(x, y, z, 1); },
            [&](auto& a) { return a.vinserti128(ymm(x), ymm(y), xmm(z), asmjit::Imm(1)); });
      }
      same(
          "vpermq", [&](Encoder& e) { e.vpermq(x, y, 0x39); },
          [&](auto& a) { return a.vpermq(ymm(x), ymm(y), asmjit::Imm(0x39)); });
      same("vptest", [&](Encoder& e) { e.vptest(x, y); }, [&](auto& a) { return a.vptest(ymm(x), ymm(y)); });
      for (const std::int32_t d : kDisplacements) {
        const Mem m{Gp::rdi, d};
        same(
            "vpinsrq", [&](Encoder& e) { e.vpinsrq_x(x, y, m, 1); },
            [&](auto& a) { return a.vpinsrq(xmm(x), xmm(y), theirs(m), asmjit::Imm(1)); });
      }
    }
    each_memory([&](Mem m) {
      same(
          "vpbroadcastq", [&](Encoder& e) { e.vpbroadcastq(x, m); },
          [&](auto& a) { return a.vpbroadcastq(ymm(x), theirs(m)); });
      same(
          "vmovdqu", [&](Encoder& e) { e.vmovdqu(x, m); },
          [&](auto& a) { return a.vmovdqu(ymm(x), aj::ymmword_ptr(theirs(m.base), m.displacement)); });
      same("vmovq", [&](Encoder& e) { e.vmovq_x(x, m); }, [&](auto& a) { return a.vmovq(xmm(x), theirs(m)); });
    });
  }
  same("vzeroupper", [](Encoder& e) { e.vzeroupper(); }, [](auto& a) { return a.vzeroupper(); });
}

TEST_CASE("x86: jumps near and far, forward and backward, reach as asmjit's do") {
  for (const auto& [ours, other] : kConditions)
    for (const std::size_t distance : {0, 1, 100, 124, 125, 126, 127, 128, 129, 130, 1000, 100000})
      for (const bool conditional : {true, false}) {
        const auto back_and_on = [&](auto& a, auto label, auto jump, auto bind, auto fill) {
          const auto back = label(a), on = label(a);
          bind(a, back);
          for (std::size_t k = 0; k < distance; ++k) fill(a);
          jump(a, back);
          jump(a, on);
          for (std::size_t k = 0; k < distance; ++k) fill(a);
          bind(a, on);
          fill(a);
        };
        Encoder e;
        back_and_on(
            e, [](Encoder& x) { return x.new_label(); },
            [&, c = ours](Encoder& x, Label l) { conditional ? x.j(c, l) : x.jmp(l); },
            [](Encoder& x, Label l) { x.bind(l); }, [](Encoder& x) { x.ret(); });
        REQUIRE(e.patch());
        asmjit::CodeHolder holder;
        holder.init(asmjit::Environment::host());
        aj::Assembler a(&holder);
        back_and_on(
            a, [](auto& x) { return x.newLabel(); },
            [&, c = other](auto& x, const auto& l) { conditional ? x.j(c, l) : x.jmp(l); },
            [](auto& x, const auto& l) { x.bind(l); }, [](auto& x) { x.ret(); });
        const auto& buffer = holder.textSection()->buffer();
        CHECK((hex(e.data(), e.size()) == hex(buffer.data(), buffer.size())));
      }
}

TEST_CASE("x86: a label that is never bound is an error; align fills with traps") {
  Encoder e;
  e.jmp(e.new_label());
  CHECK(!e.patch());
  Encoder f;
  f.ret();
  f.align(16);
  CHECK(f.size() == 16);
  CHECK(f.data()[15] == 0xcc);
}
