#include <doctest/doctest.h>

#include <array>
#include <limits>

#include "dimgate/world.hpp"

using namespace dimgate;

namespace {
struct Tensor {
  std::array<std::int64_t, 4> shape{};
  std::array<std::int64_t, 4> strides{};
  DlpackTensor t{nullptr, {1, 0}, 0, {2, 32, 1}, shape.data(), nullptr, 0};
};
}  // namespace

TEST_CASE("a DLPack tensor is read in place; sizes past its rank are absent") {
  Layout layout;
  layout.add_tensor("x", 4);
  DlpackReader reader(layout, "x");
  Snapshot s(layout.size());
  const auto at = [&](const char* name) { return layout.find(name); };

  Tensor a;
  a.shape = {2, 3, 5, 7};
  a.t.ndim = 4;
  reader.read(a.t, s);
  CHECK(s.raw(at("x.dim()")) == 4);
  CHECK(s.raw(at("x.size()[3]")) == 7);
  CHECK(s.raw(at("x.stride()[0]")) == 105);  // null strides: row-major
  CHECK(s.raw(at("x.stride()[3]")) == 1);
  CHECK(layout.names().name(s.raw(at("x.dtype"))) == "torch.float32");
  CHECK(layout.names().name(s.raw(at("x.device"))) == "cpu");
  CHECK(s.raw(at("x.storage_offset()")) == 0);

  Tensor b;
  b.shape = {8, 9};
  b.strides = {1, -8};
  b.t.ndim = 2;
  b.t.strides = b.strides.data();
  b.t.device = {2, 1};
  b.t.dtype = {4, 16, 1};
  b.t.byte_offset = 6;
  reader.read(b.t, s);
  CHECK(s.raw(at("x.dim()")) == 2);
  CHECK(s.raw(at("x.stride()[1]")) == -8);
  CHECK(!s.has(at("x.size()[2]")));
  CHECK(!s.has(at("x.stride()[2]")));
  CHECK(s.raw(at("x.storage_offset()")) == 3);
  CHECK(layout.names().name(s.raw(at("x.dtype"))) == "torch.bfloat16");
  CHECK(layout.names().name(s.raw(at("x.device"))) == "cuda:1");

  b.t.byte_offset = 3;  // inside an element
  reader.read(b.t, s);
  CHECK(!s.has(at("x.storage_offset()")));
}

TEST_CASE("hostile tensors: empty dimensions, overflowing strides, a negative rank") {
  Layout layout;
  layout.add_tensor("x", 4);
  DlpackReader reader(layout, "x");
  Snapshot s(layout.size());
  Tensor a;
  a.shape = {4, 0, 5, 2};
  a.t.ndim = 4;
  reader.read(a.t, s);
  CHECK(s.raw(layout.find("x.size()[1]")) == 0);
  CHECK(s.raw(layout.find("x.stride()[1]")) == 10);
  CHECK(s.raw(layout.find("x.stride()[0]")) == 10);
  a.shape = {2, std::numeric_limits<std::int64_t>::max(), 4, 1};
  reader.read(a.t, s);
  CHECK(s.raw(layout.find("x.stride()[1]")) == 4);
  CHECK(!s.has(layout.find("x.stride()[0]")));
  a.t.ndim = -1;
  reader.read(a.t, s);
  CHECK(s.raw(layout.find("x.dim()")) == 0);
  CHECK(!s.has(layout.find("x.size()[0]")));
}

TEST_CASE("dtype and device names") {
  CHECK(dlpack_dtype_name({0, 64, 1}) == "torch.int64");
  CHECK(dlpack_dtype_name({6, 8, 1}) == "torch.bool");
  CHECK(dlpack_dtype_name({5, 128, 1}) == "torch.complex128");
  CHECK(dlpack_dtype_name({12, 8, 1}) == "torch.float8_e5m2");
  CHECK(dlpack_dtype_name({2, 32, 4}) == "kDLFloat32x4");
  CHECK(dlpack_dtype_name({2, 0, 1}) == "kDLFloat0");
  CHECK(dlpack_dtype_name({200, 8, 1}) == "kDLCode200_8");
  CHECK(dlpack_device_name({1, 3}) == "cpu");
  CHECK(dlpack_device_name({8, 0}) == "mps:0");
  CHECK(dlpack_device_name({99, 2}) == "device99:2");
}
