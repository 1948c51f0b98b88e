// What filling a snapshot needs beside the header: the slots of a tensor by name, and the error for a slot that is not
// there.
#include <stdexcept>

#include "dimgate/world.hpp"

namespace dimgate {

void Snapshot::no_slot(SlotIndex i) const {
  throw std::out_of_range(i == kNoSlot
                              ? "a snapshot was asked to set kNoSlot: its layout has no slot of the name looked for"
                              : "slot " + std::to_string(i) + " of a snapshot with " + std::to_string(size()) +
                                    " slots: it was made before the layout got that slot, or for another layout");
}

void set_tensor(const Layout& layout, std::string_view base, std::span<const std::int64_t> sizes,
                std::string_view dtype, Snapshot& into) {
  const std::string b(base);
  into.set(layout.find(b + ".dim()"), static_cast<std::int64_t>(sizes.size()));
  if (const SlotIndex i = layout.find(b + ".dtype"); i != kNoSlot) into.set_name(i, layout.names().intern(dtype));
  for (std::size_t d = 0;; ++d) {
    const SlotIndex i = layout.find(b + ".size()[" + std::to_string(d) + "]");
    if (i == kNoSlot) return;
    if (d < sizes.size())
      into.set(i, sizes[d]);
    else
      into.unset(i);
  }
}

}  // namespace dimgate
