#include <doctest/doctest.h>

#include <random>

#include "dimgate/import.hpp"
#include "support/temp_files.hpp"

using namespace dimgate;

namespace {

std::string cell(const Table& t, std::size_t row, std::string_view column) {
  return std::string(t.cell(row, t.find(column).value()).value_or("<none>"));
}

/// RFC 4180 quoting.
std::string in_quotes(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

}  // namespace

TEST_CASE("csv: header, rows, CRLF, blank lines, byte order mark, no newline at the end") {
  auto t = read_csv("\xEF\xBB\xBFTIMESTAMP, n ,x\r\n1,2,\r\n\r\n3,4,five", "t.csv");
  REQUIRE(t.ok());
  CHECK(t->rows() == 2);
  CHECK(t->column_list() == "TIMESTAMP, n, x");
  CHECK(cell(*t, 0, "n") == "2");
  CHECK(cell(*t, 0, "x").empty());
  CHECK(cell(*t, 1, "x") == "five");
  CHECK(t->line(0) == 2);
  CHECK(t->line(1) == 4);
  CHECK(t->error_at(1, 2, "m").to_string() == "t.csv:4:5: m");
}

TEST_CASE("csv: quoted fields hold commas, quotes and line ends") {
  auto t = read_csv("a,b\n\"x,\"\"y\"\"\",\"p\r\nq\"\n\"\",last\n", "t.csv");
  REQUIRE(t.ok());
  CHECK(cell(*t, 0, "a") == "x,\"y\"");
  CHECK(cell(*t, 0, "b") == "p\r\nq");
  CHECK(cell(*t, 1, "a").empty());
  CHECK(t->line(1) == 4);
}

TEST_CASE("csv: what is written is what is read (random fields)") {
  std::mt19937 rng(7);
  const std::string alphabet = "ab1,\"\n\r \t;";
  for (int round = 0; round < 300; ++round) {
    const std::size_t columns = 1 + rng() % 4, rows = 1 + rng() % 5;
    std::string text;
    for (std::size_t c = 0; c < columns; ++c) text += (c ? "," : "") + ("c" + std::to_string(c));
    text += '\n';
    std::vector<std::vector<std::string>> want(rows, std::vector<std::string>(columns));
    for (auto& row : want) {
      for (std::size_t c = 0; c < columns; ++c) {
        for (std::size_t n = rng() % 5; n > 0; --n) row[c] += alphabet[rng() % alphabet.size()];
        if (columns == 1 && row[c].empty()) row[c] = "z";  // a row of one empty field is a blank line
        text += (c ? "," : "") + in_quotes(row[c]);
      }
      text += rng() % 2 ? "\n" : "\r\n";
    }
    auto t = read_csv(text, "t");
    REQUIRE_MESSAGE(t.ok(), text);
    REQUIRE(t->rows() == rows);
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t c = 0; c < columns; ++c) CHECK(*t->cell(r, c) == want[r][c]);
  }
}

TEST_CASE("csv: errors say where and what would be right") {
  const auto message = [](std::string text) { return read_csv(std::move(text), "t.csv").error().to_string(); };
  CHECK(message("a,b\n1,2\n3\n") == "t.csv:3:1: 1 fields where the header names 2");
  CHECK(message("a,a\n1,2\n") == "t.csv:1:3: column 'a' is named twice");
  CHECK(message("a,\n1,2\n") == "t.csv:1:3: a column without a name; the first line must name every column");
  CHECK(message("a,b\n1,\"2\n3,4\n").starts_with("t.csv:2:3: this quote is never closed"));
  CHECK(message("a,b\n\"1\"x,2\n").starts_with("t.csv:2:4: expected `,`"));
  for (const char* empty : {"", "\n\n", "a,b\n", "a,b"}) CHECK(message(empty).starts_with("t.csv: empty trace"));
}

TEST_CASE("json lines: keys in any order, nested values by path, missing and null are no value") {
  auto t = read_json_lines(
      "{\"n\": 3, \"x\": {\"shape\": [2, [5]], \"dtype\": \"f\\u00e932\"}}\n\n{\"late\": true, \"n\": -4}\n"
      "{\"n\":null,\"f\":1.50}",
      "t.jsonl");
  REQUIRE(t.ok());
  CHECK(t->rows() == 3);
  CHECK(cell(*t, 0, "n") == "3");
  CHECK(cell(*t, 0, "x.shape[0]") == "2");
  CHECK(cell(*t, 0, "x.shape[1][0]") == "5");
  CHECK(cell(*t, 0, "x.dtype") ==
        "f\xC3\xA9"
        "32");
  CHECK(cell(*t, 1, "n") == "-4");
  CHECK(cell(*t, 1, "late") == "true");
  CHECK(cell(*t, 1, "x.dtype") == "<none>");
  CHECK(cell(*t, 2, "n") == "<none>");
  CHECK(cell(*t, 2, "f") == "1.50");
  CHECK(cell(*t, 0, "f") == "<none>");
  CHECK(t->line(1) == 3);
  CHECK(t->error_at(1, *t->find("n"), "m").to_string() == "t.jsonl:3:16: m");
}

TEST_CASE("json lines: errors") {
  const auto message = [](std::string text) { return read_json_lines(std::move(text), "t").error().to_string(); };
  CHECK(message("{\"a\":1}\n{\"a\":}\n").starts_with("t:2:6: "));
  CHECK(message("[1,2]\n").starts_with("t:1:1: expected an object"));
  CHECK(message("17\n").starts_with("t:1:1: expected an object"));
  CHECK(message("{\"a\":1,\"a\":2}\n") == "t:1:1: key 'a' stands twice in this object");
  CHECK(message("\n").starts_with("t: empty trace"));
  std::string many = "{";
  for (int i = 0; i < 5000; ++i) many += (i ? ",\"k" : "\"k") + std::to_string(i) + "\":1";
  CHECK(message(many + "}\n").starts_with("t:1:1: more than 4096 different keys"));
  std::string deep = "{\"a\":" + std::string(100000, '[') + "1" + std::string(100000, ']') + "}\n";
  CHECK(read_json_lines(deep, "t").ok());  // an explicit stack
}

TEST_CASE("any bytes give a table or an error, and every cell has a place") {
  std::mt19937 rng(23);
  const std::string alphabet("a1,\"\n\r{}[]:\\\0 e.-\xEF\xBB\xBF\xFF", 22);
  for (int round = 0; round < 4000; ++round) {
    std::string text;
    for (std::size_t n = rng() % 40; n > 0; --n) text += alphabet[rng() % alphabet.size()];
    for (const bool json : {false, true}) {
      const auto t = json ? read_json_lines(text, "f") : read_csv(text, "f");
      if (!t.ok()) {
        CHECK(t.error().to_string().starts_with("f:"));
        CHECK(!t.error().message.empty());
        continue;
      }
      for (std::size_t r = 0; r < t->rows(); ++r)
        for (std::size_t c = 0; c < t->columns().size(); ++c) CHECK(t->error_at(r, c, "m").line >= 1);
    }
  }
}

TEST_CASE("files: format by name or first character; missing files and directories are errors") {
  const testing::TempFiles write;
  CHECK(read_table(write("a.csv", "n\n1\n"))->column_list() == "n");
  CHECK(read_table(write("a.txt", " {\"m\":1}\n"))->column_list() == "m");
  CHECK(read_table(write("a.jsonl", "{\"m\":1}\n"))->column_list() == "m");
  const std::string missing = write.path("none.csv");
  CHECK(read_table(missing).error().to_string() ==
        missing + ": cannot be opened: No such file or directory; check the path");
  CHECK(read_table(write.dir()).error().message.starts_with("is a directory"));
}
