#include "dimgate/op.hpp"

namespace dimgate {

std::string_view to_string(Sort sort) noexcept {
  switch (sort) {
    case Sort::Int:
      return "Int";
    case Sort::Bool:
      return "Bool";
    case Sort::Float:
      return "Float";
    case Sort::Enum:
      return "Enum";
  }
  return "?";
}

}  // namespace dimgate
