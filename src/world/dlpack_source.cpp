// DLPack tensors read one slot at a time, for guards that ask as they go. A property of a tensor that is not there, and
// a dimension beyond the rank, are absent. Checked by tests/world/lazy_test.cpp.
#include <algorithm>

#include "dimgate/lazy_snapshot.hpp"

namespace dimgate {

DlpackSource::DlpackSource(const Layout& layout, std::span<const std::string_view> bases)
    : names_(layout.shared_names()), asks_(layout.size(), Ask{kNoSlot, Property::value, 0}), tensors_(bases.size()) {
  for (SlotIndex i = 0; i < layout.size(); ++i) {
    const Source& s = layout[i].source;
    const auto it = std::ranges::find(bases, s.base);
    if (it == bases.end()) continue;
    asks_[i] = {static_cast<std::uint32_t>(it - bases.begin()), s.property, s.index};
  }
}

bool DlpackSource::name(std::vector<Known>& known, std::uint64_t key, const DlpackTensor& tensor, bool dtype,
                        std::int64_t& raw) {
  for (const Known& k : known)
    if (k.key == key) return raw = k.id, true;
  raw = names_->intern(dtype ? dlpack_dtype_name(tensor.dtype) : dlpack_device_name(tensor.device));
  known.push_back({key, raw});
  return true;
}

bool DlpackSource::read(SlotIndex slot, std::int64_t& raw) noexcept {
  const Ask& ask = asks_[slot];
  if (ask.tensor == kNoSlot || tensors_[ask.tensor] == nullptr) return false;
  const DlpackTensor& t = *tensors_[ask.tensor];
  const auto rank = static_cast<std::uint32_t>(std::max<std::int32_t>(t.ndim, 0));
  switch (ask.property) {
    case Property::rank:
      raw = rank;
      return true;
    case Property::size:
      if (ask.index >= rank || t.shape == nullptr) return false;
      raw = t.shape[ask.index];
      return true;
    case Property::stride: {
      if (ask.index >= rank) return false;
      if (t.strides != nullptr) return raw = t.strides[ask.index], true;
      if (t.shape == nullptr) return false;
      raw = 1;  // compact row-major, an empty dimension counted as 1
      for (std::uint32_t k = rank; --k > ask.index;)
        if (__builtin_mul_overflow(raw, std::max<std::int64_t>(t.shape[k], 1), &raw)) return false;
      return true;
    }
    case Property::storage_offset: {
      const std::uint64_t bytes = (static_cast<std::uint64_t>(t.dtype.bits) * t.dtype.lanes + 7) / 8;
      if (bytes == 0 || t.byte_offset % bytes != 0 || t.byte_offset / bytes > INT64_MAX) return false;
      raw = static_cast<std::int64_t>(t.byte_offset / bytes);
      return true;
    }
    case Property::dtype:
      return name(dtypes_, t.dtype.code | (std::uint64_t{t.dtype.bits} << 8) | (std::uint64_t{t.dtype.lanes} << 16), t,
                  true, raw);
    case Property::device:
      return name(devices_,
                  static_cast<std::uint32_t>(t.device.device_type) |
                      (std::uint64_t{static_cast<std::uint32_t>(t.device.device_id)} << 32),
                  t, false, raw);
    default:
      return false;
  }
}

}  // namespace dimgate
