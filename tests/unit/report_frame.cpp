#include <catch2/catch.hpp>

#include <sstream>

#include "analyzer/source/file.h"
#include "cli/analyse.h"
#include "cli/report/frame.h"

using namespace cpnlint;
using namespace cpnlint::report;

namespace {

// A source and marks on parts of it that are given by their words.
class Sketch {
 public:
  explicit Sketch(std::string source) {
    source_.text = std::move(source);
    source_.lines = source::LineIndex(source_.text);
    for (std::uint32_t line = 1; line <= source_.lines.line_count(); ++line) {
      file_.text[line].text = source_.LineText(line);
    }
  }

  Sketch& Primary(const std::string& words, std::string label = "") { return Add(words, std::move(label), true); }
  Sketch& Secondary(const std::string& words, std::string label) { return Add(words, std::move(label), false); }

  [[nodiscard]] std::string Draw(std::uint32_t width = 0, bool color = false) const {
    std::string out;
    Style style;
    style.width = width;
    style.color = color;
    AppendFrame(out, file_, marks_, Paint::kError, style);
    return out;
  }

 private:
  Sketch& Add(const std::string& words, std::string label, bool primary) {
    const std::size_t at = source_.text.find(words);
    REQUIRE(at != std::string::npos);
    const Span span{static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + words.size())};
    marks_.push_back({cli::PlaceOf(source_, span), std::move(label), primary});
    return *this;
  }

  source::SourceFile source_;
  File file_;
  std::vector<Mark> marks_;
};

const char* const kRiver =
    "def route(n, k, e):\n"
    "    q = np.zeros(n)\n"
    "    total = 0.0\n"
    "    # the slow part\n"
    "    for j in range(n):\n"
    "        q[j] = q[j] - k * q[j] * e[j]\n"
    "    return q\n";

}  // namespace

TEST_CASE("frame: primary span, secondary label, gap and first line of the body") {
  const std::string frame =
      Sketch(kRiver).Primary("for j in range(n)", "runs n times").Secondary("q", "array created here").Draw();
  CHECK(frame ==
        "  |\n"
        "2 |     q = np.zeros(n)\n"
        "  |     - array created here\n"
        "...\n"
        "5 |     for j in range(n):\n"
        "  |     ^^^^^^^^^^^^^^^^^ runs n times\n"
        "6 |         q[j] = q[j] - k * q[j] * e[j]\n"
        "  |\n");
}

TEST_CASE("frame: a gap of one line is the line") {
  const std::string frame = Sketch(kRiver).Primary("total", "here").Secondary("for j", "there").Draw();
  CHECK(frame ==
        "  |\n"
        "3 |     total = 0.0\n"
        "  |     ^^^^^ here\n"
        "4 |     # the slow part\n"
        "5 |     for j in range(n):\n"
        "  |     ----- there\n"
        "  |\n");
}

TEST_CASE("frame: several labels on one line hang below each other") {
  const std::string frame = Sketch("y = alpha + beta * gamma\n")
                                .Primary("beta", "this one")
                                .Secondary("alpha", "first")
                                .Secondary("gamma", "last")
                                .Draw();
  CHECK(frame ==
        "  |\n"
        "1 | y = alpha + beta * gamma\n"
        "  |     -----   ^^^^   ----- last\n"
        "  |     |       |\n"
        "  |     |       this one\n"
        "  |     first\n"
        "  |\n");
}

TEST_CASE("frame: a mark within another stays visible") {
  const std::string frame = Sketch("for i in range(n):\n    pass\n")
                                .Primary("for i in range(n)", "loop")
                                .Secondary("range(n)", "n trips")
                                .Draw();
  CHECK(frame ==
        "  |\n"
        "1 | for i in range(n):\n"
        "  | ^^^^^^^^^-------- loop\n"
        "  |          |\n"
        "  |          n trips\n"
        "2 |     pass\n"
        "  |\n");
}

TEST_CASE("frame: a span over several lines is a bracket") {
  const char* source =
      "x = np.stack([\n"
      "    a,\n"
      "    b,\n"
      "    c,\n"
      "    d,\n"
      "    e,\n"
      "])\n";
  const std::string call(source + 4, std::string_view(source).size() - 5);
  CHECK(Sketch(source).Primary(call, "copies all of them").Draw() ==
        "  |\n"
        "1 |   x = np.stack([\n"
        "  |  _____^\n"
        "2 | |     a,\n"
        "3 | |     b,\n"
        "...\n"
        "6 | |     e,\n"
        "7 | | ])\n"
        "  | |__^ copies all of them\n"
        "  |\n");
  CHECK(Sketch("if x:\n  f(1,\n    2)\n").Primary("f(1,\n    2)", "call").Draw() ==
        "  |\n"
        "2 | /   f(1,\n"
        "3 | |     2)\n"
        "  | |______^ call\n"
        "  |\n");
}

TEST_CASE("frame: marks stand below what they mark, whatever the characters before it") {
  for (const auto& [before, cells] : std::vector<std::pair<std::string, std::size_t>>{{"ab", 2},
                                                                                      {"日本", 4},
                                                                                      {"e\u0301", 1},
                                                                                      {"🌊", 2},
                                                                                      {"👩‍👩‍👧", 2},
                                                                                      {"\t", 4},
                                                                                      {"a\t", 4},
                                                                                      {"\u200B", 0}}) {
    INFO(before);
    const std::string frame = Sketch(before + "mark = 1\n").Primary("mark").Draw();
    CHECK(frame.find("\n  | " + std::string(cells, ' ') + "^^^^\n") != std::string::npos);
  }
}

TEST_CASE("frame: an empty span is one mark") {
  Sketch sketch("x = (\n");
  CHECK(sketch.Primary("").Draw() == "  |\n1 | x = (\n  | ^\n  |\n");
}

TEST_CASE("frame: long lines are cut around the marks") {
  std::string line = "value = f(";
  for (int i = 0; i < 60; ++i) line += "argument_" + std::to_string(i) + ", ";
  line += "culprit, ";
  for (int i = 60; i < 90; ++i) line += "argument_" + std::to_string(i) + ", ";
  const std::string frame = Sketch(line + ")\n").Primary("culprit", "here").Draw(80);
  std::istringstream rows(frame);
  std::string row;
  std::string code;
  while (std::getline(rows, row)) {
    CHECK(row.size() <= 85);
    if (row.find("culprit") != std::string::npos) code = row;
    if (row.find('^') == std::string::npos) continue;
    REQUIRE(!code.empty());
    CHECK(row.find('^') == code.find("culprit"));
  }
  CHECK(code.find("| ...") != std::string::npos);
  CHECK(code.substr(code.size() - 3) == "...");
}

TEST_CASE("frame: an endless line costs no more than its neighbourhood") {
  std::string line(3'000'000, 'a');
  line += " culprit ";
  line += std::string(3'000'000, 'b');
  const std::string frame = Sketch(line).Primary("culprit").Draw();
  CHECK(frame.size() < 1000);
  CHECK(frame.find("culprit") != std::string::npos);
}

TEST_CASE("frame: colours change nothing but colours") {
  Sketch sketch(kRiver);
  sketch.Primary("for j in range(n)", "runs n times").Secondary("q", "array created here");
  std::string plain;
  const std::string painted = sketch.Draw(0, true);
  for (std::size_t i = 0; i < painted.size(); ++i) {
    if (painted[i] == '\x1b') {
      i = painted.find('m', i);
    } else {
      plain += painted[i];
    }
  }
  CHECK(painted != plain);
  CHECK(plain == sketch.Draw());
}
