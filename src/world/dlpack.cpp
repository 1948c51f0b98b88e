// A DLPack tensor as slots: rank, sizes, strides, dtype, device, offset, read in place and in one pass. Strides may be
// null (compact) and are then computed. Nothing allocates after construction. Checked by tests/world/dlpack_test.cpp.
#include <algorithm>
#include <array>

#include "dimgate/world.hpp"

// The struct layouts are DLPack's ABI.
static_assert(sizeof(dimgate::DlpackDevice) == 8 && sizeof(dimgate::DlpackDataType) == 4);
static_assert(sizeof(void*) != 8 || sizeof(dimgate::DlpackTensor) == 48);

namespace dimgate {
namespace {

// DLDataTypeCode, with the prefix of PyTorch's name where PyTorch has the type.
struct Code {
  std::uint8_t code;
  std::string_view dlpack;
  std::string_view torch;              // prefix, or the whole name of a type with one width; empty: none
  std::array<std::uint8_t, 4> widths;  // that PyTorch has; 0 ends
  bool width_in_name;
};
constexpr std::array kCodes{
    Code{0, "Int", "int", {8, 16, 32, 64}, true},
    Code{1, "UInt", "uint", {8, 16, 32, 64}, true},
    Code{2, "Float", "float", {16, 32, 64, 0}, true},
    Code{3, "OpaqueHandle", "", {}, false},
    Code{4, "Bfloat", "bfloat16", {16, 0, 0, 0}, false},
    Code{5, "Complex", "complex", {32, 64, 128, 0}, true},
    Code{6, "Bool", "bool", {8, 0, 0, 0}, false},
    Code{7, "Float8_e3m4", "", {}, false},
    Code{8, "Float8_e4m3", "", {}, false},
    Code{9, "Float8_e4m3b11fnuz", "", {}, false},
    Code{10, "Float8_e4m3fn", "float8_e4m3fn", {8, 0, 0, 0}, false},
    Code{11, "Float8_e4m3fnuz", "float8_e4m3fnuz", {8, 0, 0, 0}, false},
    Code{12, "Float8_e5m2", "float8_e5m2", {8, 0, 0, 0}, false},
    Code{13, "Float8_e5m2fnuz", "float8_e5m2fnuz", {8, 0, 0, 0}, false},
    Code{14, "Float8_e8m0fnu", "float8_e8m0fnu", {8, 0, 0, 0}, false},
};

std::string_view device_prefix(std::int32_t type) noexcept {
  switch (type) {
    case 1:
    case 3:
    case 11:
      return "cpu";  // host, and pinned host memory of CUDA and ROCm
    case 2:
    case 13:
      return "cuda";  // device, and managed memory
    case 4:
      return "opencl";
    case 7:
      return "vulkan";
    case 8:
      return "mps";
    case 9:
      return "vpi";
    case 10:
      return "rocm";
    case 12:
      return "ext";
    case 14:
      return "xpu";
    case 15:
      return "webgpu";
    case 16:
      return "hexagon";
    case 17:
      return "maia";
    default:
      return "";
  }
}

}  // namespace

std::string dlpack_dtype_name(DlpackDataType dtype) {
  const auto it = std::ranges::find(kCodes, dtype.code, &Code::code);
  if (it != kCodes.end() && dtype.lanes == 1 && !it->torch.empty() && dtype.bits != 0 &&
      std::ranges::find(it->widths, dtype.bits) != it->widths.end())
    return "torch." + std::string(it->torch) + (it->width_in_name ? std::to_string(dtype.bits) : "");
  std::string name =
      it != kCodes.end() ? "kDL" + std::string(it->dlpack) : "kDLCode" + std::to_string(dtype.code) + "_";
  name += std::to_string(dtype.bits);
  if (dtype.lanes != 1) name += "x" + std::to_string(dtype.lanes);
  return name;
}

std::string dlpack_device_name(DlpackDevice device) {
  const std::string_view prefix = device_prefix(device.device_type);
  if (prefix == "cpu") return "cpu";
  const std::string name = prefix.empty() ? "device" + std::to_string(device.device_type) : std::string(prefix);
  return name + ":" + std::to_string(device.device_id);
}

DlpackReader::DlpackReader(const Layout& layout, std::string_view base) : names_(layout.shared_names()) {
  const std::string b(base);
  const auto slot = [&](Property p, std::uint32_t i = 0) { return layout.find(Source{b, p, i}.text()); };
  rank_ = slot(Property::rank);
  dtype_ = slot(Property::dtype);
  device_ = slot(Property::device);
  offset_ = slot(Property::storage_offset);
  for (const Slot& s : layout.slots()) {
    if (s.source.base != b) continue;
    std::vector<SlotIndex>* list = s.source.property == Property::size     ? &sizes_
                                   : s.source.property == Property::stride ? &strides_
                                                                           : nullptr;
    if (list == nullptr || s.source.index >= 4096) continue;  // no tensor has so many dimensions
    if (s.source.index >= list->size()) list->resize(s.source.index + 1, kNoSlot);
    (*list)[s.source.index] = layout.find(s.name);
  }
}

void DlpackReader::read(const DlpackTensor& t, Snapshot& into) {
  const auto rank = static_cast<std::size_t>(std::max<std::int32_t>(t.ndim, 0));
  if (rank_ != kNoSlot) into.set(rank_, static_cast<std::int64_t>(rank));
  const std::size_t readable = t.shape != nullptr ? rank : 0;
  if (dtype_ != kNoSlot) into.set(dtype_, dtype_id(t.dtype));
  if (device_ != kNoSlot) into.set(device_, device_id(t.device));
  if (offset_ != kNoSlot) {
    // Elements, as PyTorch counts; an offset inside an element has no such number and stays absent.
    const std::uint64_t bits = static_cast<std::uint64_t>(t.dtype.bits) * t.dtype.lanes;
    const std::uint64_t bytes = (bits + 7) / 8;
    into.unset(offset_);
    if (bytes != 0 && t.byte_offset % bytes == 0 && t.byte_offset / bytes <= INT64_MAX)
      into.set(offset_, static_cast<std::int64_t>(t.byte_offset / bytes));
  }
  for (std::size_t i = 0; i < sizes_.size(); ++i) {
    if (sizes_[i] == kNoSlot) continue;
    if (i < readable)
      into.set(sizes_[i], t.shape[i]);
    else
      into.unset(sizes_[i]);
  }
  for (std::size_t i = 0; i < strides_.size(); ++i)
    if (strides_[i] != kNoSlot) into.unset(strides_[i]);
  if (strides_.empty()) return;
  if (t.strides != nullptr) {
    for (std::size_t i = 0; i < strides_.size() && i < rank; ++i)
      if (strides_[i] != kNoSlot) into.set(strides_[i], t.strides[i]);
    return;
  }
  // Compact row-major; an empty dimension counts as 1, as in PyTorch. A stride beyond int64 stays absent.
  std::int64_t stride = 1;
  for (std::size_t i = readable; i-- > 0;) {
    if (i < strides_.size() && strides_[i] != kNoSlot) into.set(strides_[i], stride);
    if (__builtin_mul_overflow(stride, std::max<std::int64_t>(t.shape[i], 1), &stride)) break;
  }
}

std::int64_t DlpackReader::dtype_id(DlpackDataType d) {
  const std::uint64_t key = d.code | (std::uint64_t{d.bits} << 8) | (std::uint64_t{d.lanes} << 16);
  for (const Known& k : dtypes_)
    if (k.key == key) return k.id;
  return dtypes_.emplace_back(Known{key, names_->intern(dlpack_dtype_name(d))}).id;
}

std::int64_t DlpackReader::device_id(DlpackDevice d) {
  const std::uint64_t key =
      static_cast<std::uint32_t>(d.device_type) | (std::uint64_t{static_cast<std::uint32_t>(d.device_id)} << 32);
  for (const Known& k : devices_)
    if (k.key == key) return k.id;
  return devices_.emplace_back(Known{key, names_->intern(dlpack_device_name(d))}).id;
}

}  // namespace dimgate
