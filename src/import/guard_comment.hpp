// A guard as logged: `EXPR        # user line  # file.py:12 in fn`. Views into the text.
// Tested by tests/import/cause_test.cpp.
#pragma once

#include <string_view>

namespace dimgate::logs {

struct Commented {
  std::string_view guard;      // without trailing blanks
  std::string_view user_line;  // "" if the comment has a place only
  std::string_view place;      // "file.py:12 in fn"
  std::string_view rest;       // what stands after the place
};
/// The comment begins at the first `#` outside quotes; where quotes do not pair up, at the first "  # ".
Commented split_comment(std::string_view text);

}  // namespace dimgate::logs
