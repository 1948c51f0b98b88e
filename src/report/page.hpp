// One self-contained HTML page around JSON data; page/*.js draws it in the browser.
//
// Data is data: it stands in a script element of type application/json with every `<`, `>`, `&`, U+2028 and U+2029
// escaped, bytes that are not UTF-8 become U+FFFD, and the page sets texts, never markup (formulas are read as XML and
// copied element by element). The page forbids itself the network (Content-Security-Policy).
// Tested by tests/report.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace dimgate::report {

using Json = nlohmann::ordered_json;

std::string page_html(std::string_view title, const Json& data);
/// The page of the demo's scenes (demo.hpp): data["title"], data["scenes"].
std::string demo_page(const Json& data);
/// `data` as a script element may hold it.
std::string script_safe(const Json& data);

}  // namespace dimgate::report
