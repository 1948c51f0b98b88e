// Puts a page together: style, data and scripts in one file, with the data escaped for a script element. Checked by
// tests/report/hostile_test.cpp and, in a browser, by tests/report/browser_test.py.
#include "report/page.hpp"

#include <initializer_list>

#include "report/assets.hpp"

namespace dimgate::report {

namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '&')
      out += "&amp;";
    else if (static_cast<unsigned char>(c) < 0x20)
      out += ' ';
    else
      out += c;
  }
  // What is not UTF-8 becomes U+FFFD, as in the data.
  const Json json = out;
  return Json::parse(json.dump(-1, ' ', false, Json::error_handler_t::replace)).get<std::string>();
}

}  // namespace

std::string script_safe(const Json& data) {
  const std::string text = data.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string out;
  out.reserve(text.size() + text.size() / 16);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = std::string_view(text).substr(i, 3);
    if (text[i] == '<') {
      out += "\\u003c";
    } else if (text[i] == '>') {
      out += "\\u003e";
    } else if (text[i] == '&') {
      out += "\\u0026";
    } else if (rest == "\xe2\x80\xa8" || rest == "\xe2\x80\xa9") {
      out += rest == "\xe2\x80\xa8" ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

namespace {

std::string page(std::string_view title, const Json& data, std::initializer_list<std::string_view> scripts) {
  std::string out =
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "script-src 'unsafe-inline'; img-src data:\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"generator\" content=\"dimgate report\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n<title>";
  out += escaped(title);
  (out += "</title>\n<style>\n") += kStyle;
  out +=
      "</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#main\">Skip to the content</a>\n"
      "<header><h1></h1><p class=\"lead\"></p><nav aria-label=\"Sections\"></nav></header>\n"
      "<main id=\"main\" tabindex=\"-1\"><noscript><p>This page draws itself with a script; its data is in the "
      "element with the id <code>data</code>.</p></noscript></main>\n<footer></footer>\n"
      "<div id=\"said\" role=\"status\" aria-live=\"polite\"></div>\n<script type=\"application/json\" id=\"data\">";
  out += script_safe(data);
  out += "</script>\n";
  for (const std::string_view script : scripts) ((out += "<script>\n") += script) += "\n</script>\n";
  return out += "</body>\n</html>\n";
}

}  // namespace

std::string page_html(std::string_view title, const Json& data) {
  return page(title, data, {kCharts, kEvaluator, kBlocks, kRegions, kScript});
}

std::string demo_page(const Json& data) {
  return page(data["title"].get<std::string>(), data, {kCharts, kBlocks, kDemo});
}

}  // namespace dimgate::report
