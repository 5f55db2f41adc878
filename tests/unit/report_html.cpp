#include <catch2/catch.hpp>

#include <cmath>
#include <string>
#include <vector>

#include "cli/report/formats.h"
#include "cli/report/html.h"

using namespace cpnlint;

namespace {

// As cli/report/html/model.js reads them.
std::vector<double> Unpack(const std::string& text) {
  std::string alphabet;
  for (char c = 35; c < 127; ++c) {
    if (std::string_view("&'<>\\").find(c) == std::string_view::npos) alphabet += c;
  }
  std::vector<double> numbers;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '!') {
      numbers.push_back(0);
      ++at;
      continue;
    }
    std::size_t value = 0;
    for (const std::size_t end = at + 3; at < end; ++at) value = value * alphabet.size() + alphabet.find(text[at]);
    numbers.push_back(static_cast<double>(value % 9000 + 1000) *
                      std::pow(10.0, static_cast<double>(value / 9000) - 30));
  }
  return numbers;
}

}  // namespace

TEST_CASE("numbers of a page keep four digits", "[html]") {
  report::PageModel model;
  const std::vector<double> values = {1, 0.1234, 12345678, 2.5e-7, 9999.6, 9.9996e-5, 1e13, 3e-26, 1.0004, 6.0221e23};
  for (const double value : values) model.points.push_back({value, 0, {}});
  const std::vector<double> read = Unpack(report::PackNumbers(model));
  REQUIRE(read.size() == 8 * values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    CHECK(read[8 * i] == Approx(values[i]).epsilon(5e-4));
    CHECK(read[8 * i + 1] == 0);
  }
  CHECK(report::PackNumbers(model).find_first_of("<>&'\"\\") == std::string::npos);
}

TEST_CASE("a page of nothing, and of names that are markup", "[html]") {
  report::Document document;
  const std::string empty = report::WriteHtml(document, report::Style{});
  report::File file;
  file.path = "</script><!--\xff\xe2\x80\xae@js@.py";
  file.notes.push_back({"skipped", std::nullopt, "</script>\x01\x7f\xe2\x80\xa8", {}});
  document.files.push_back(file);
  const std::string hostile = report::WriteHtml(document, report::Style{});
  const auto count = [](const std::string& text, std::string_view what) {
    std::size_t found = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
    return found;
  };
  for (const std::string_view what : {"<script", "</script", "<!--", "\"use strict\""}) {
    CHECK(count(hostile, what) == count(empty, what));
  }
  CHECK(hostile.find("\xe2\x80\xae") == std::string::npos);
  CHECK(hostile.find('\x01') == std::string::npos);
}
