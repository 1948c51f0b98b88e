// How a Table keeps its cells: by column, as views into the file's text or into an arena beside it.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/arena.hpp"
#include "dimgate/import.hpp"

namespace dimgate {

struct Table::Impl {
  std::string file;
  std::string text;  // never reallocated once cells point into it
  Arena decoded;     // cells whose text is not in the file as such (JSON)
  std::vector<std::string> names;
  std::unordered_map<std::string, std::size_t> by_name;
  std::vector<std::vector<std::string_view>> cells;  // [column][row]; data() == nullptr: no value
  std::vector<std::uint32_t> lines;                  // [row], from 1
  std::vector<std::size_t> starts;                   // [row], offset of its line in `text`

  [[nodiscard]] Error error(unsigned line, unsigned column, std::string message) const {
    return {std::move(message), file, line, column};
  }
};

/// "empty trace: ..." where there is no row.
Result<Table> finish_table(std::unique_ptr<Table::Impl> impl);

}  // namespace dimgate
