// Which slots were read in a trace, in the order of the first read. Checked by tests/guard/builder_test.cpp.
#include "dimgate/world.hpp"

namespace dimgate {

void ReadRecord::note(SlotIndex slot) {
  if (slot >= seen_.size()) seen_.resize(slot + 1, false);
  if (seen_[slot]) return;
  seen_[slot] = true;
  order_.push_back(slot);
}

bool ReadRecord::was_read(SlotIndex slot) const noexcept { return slot < seen_.size() && seen_[slot]; }

void ReadRecord::clear() {
  order_.clear();
  seen_.clear();
}

}  // namespace dimgate
