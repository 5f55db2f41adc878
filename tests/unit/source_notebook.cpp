#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "analyzer/source/cell_code.h"
#include "analyzer/source/file.h"
#include "analyzer/source/json_scanner.h"
#include "analyzer/source/notebook.h"

using namespace cpnlint::source;
using Json = nlohmann::ordered_json;
using Token = JsonScanner::Token;

namespace {

std::string Seen(std::string_view code) {
  const CellCode cell = ReadCell(code);
  if (!cell.python) return "not python";
  std::string text;
  for (const CodeLine& line : cell.lines) text += line.text + '\n';
  return text;
}

Json Code(const Json& source) {
  return {{"cell_type", "code"},
          {"execution_count", nullptr},
          {"metadata", Json::object()},
          {"outputs", Json::array()},
          {"source", source}};
}

std::string Notebook4(const std::vector<Json>& cells, int indent = 1) {
  const Json notebook = {{"cells", cells}, {"metadata", Json::object()}, {"nbformat", 4}, {"nbformat_minor", 5}};
  return notebook.dump(indent);
}

std::string Problem(const std::string& json) { return ReadNotebook(json).problem; }

// "cell:line:column", and where the file's JSON has it.
std::string PlaceOf(const Notebook& notebook, std::string_view words, std::string_view json) {
  const LineIndex lines(notebook.text);
  const auto offset = static_cast<std::uint32_t>(notebook.text.find(words));
  const NotebookPlace place = notebook.map.Locate(lines, offset);
  const LineIndex raw(json);
  const std::string_view rest = raw.LineText(place.raw.line);
  const std::uint32_t at = raw.ToOffsetUtf16({place.raw.line, place.raw.utf16}) - raw.LineSpan(place.raw.line).begin;
  CHECK(raw.ToOffset({place.raw.line, place.raw.column}) == at + raw.LineSpan(place.raw.line).begin);
  CHECK(place.raw.byte == at + 1);
  return std::to_string(place.cell) + ':' + std::to_string(place.position.line) + ':' +
         std::to_string(place.position.column) + ' ' + std::string(rest.substr(at, words.size()));
}

}  // namespace

TEST_CASE("notebook: JSON is read token by token and checked") {
  const auto tokens = [](std::string_view text) {
    std::vector<Token> all;
    JsonScanner json(text);
    do {
      all.push_back(json.Next());
    } while (all.back() != Token::kEnd && all.back() != Token::kError);
    return all;
  };
  CHECK(tokens("{\"a\": [1, -2.5e+3, NaN, \"x\\\"\\\\\"], \"b\": {}}") ==
        std::vector{Token::kBeginObject, Token::kKey, Token::kBeginArray, Token::kScalar, Token::kScalar,
                    Token::kScalar, Token::kString, Token::kEndArray, Token::kKey, Token::kBeginObject,
                    Token::kEndObject, Token::kEndObject, Token::kEnd});
  CHECK(tokens(" 1 ") == std::vector{Token::kScalar, Token::kEnd});
  for (const char* broken :
       {"",   "{",      "[1,]",  "{\"a\"}", "{\"a\":}",    "{a: 1}",   "[1 2]", "]",    "{]", "[}",
        "\"", "\"\\\"", "[1] 2", "{,}",     "{\"a\": 1,}", "\"a\nb\"", "[,]",   "\x01", ":",  "{\"a\" 1}"}) {
    INFO(broken);
    CHECK(tokens(broken).back() == Token::kError);
  }
  JsonScanner skipping("[[[{\"a\": \"]\"}]], 7]");
  CHECK(skipping.Next() == Token::kBeginArray);
  CHECK(skipping.Next() == Token::kBeginArray);
  CHECK(skipping.SkipValue());
  CHECK(skipping.Next() == Token::kScalar);
  CHECK(skipping.words() == "7");
  const std::string deep(1'000'000, '[');
  CHECK(tokens(deep).back() == Token::kError);
}

TEST_CASE("notebook: what is no Python in a cell is taken out, line by line") {
  CHECK(Seen("a = 1\nb = 2") == "a = 1\nb = 2\n");
  CHECK(Seen("%matplotlib inline\nimport numpy as np\n") == "#matplotlib inline\nimport numpy as np\n");
  CHECK(Seen("!pip install x\n?np.dot\nnp.dot?\nnp.dot??") == "#pip install x\n#np.dot\n#p.dot?\n#p.dot??\n");
  CHECK(Seen("if x:\n    !ls\n    %cd ..\n") == "if x:\n    0\n    0\n");
  CHECK(Seen("files = !ls *.py") == "files = _____\n");
  CHECK(Seen("t = %timeit -o f(x)\ny = 2") == "t = _____\ny = 2\n");
  CHECK(Seen("!cmd \\\n  more\nx = 1") == "#cmd \\\n\nx = 1\n");
  CHECK(Seen("files = !ls \\\n  more\nx = 1") == "files = _____\n\nx = 1\n");
  // None of these is one.
  for (const char* code :
       {"x = (a\n% b)\n", "x = \"\"\"\n%time f()\n!ls\n\"\"\"\n", "x != y\n", "f(a == 1)\n", "x = a \\\n% b\n",
        "print('what?')\n", "x  # why?\n", "x = {\n'a': 1}\n", "s = 'a\\\n%b'\n", "x %= 3\n"}) {
    CHECK(Seen(code) == code);
  }
}

TEST_CASE("notebook: magics that run a statement") {
  CHECK(Seen("%time u = solve(a)") == "u = solve(a)\n");
  CHECK(Seen("%prun -l 10 -s cumtime run(x)") == "run(x)\n");
  CHECK(Seen("%lprun -f run run(x)") == "run(x)\n");
  CHECK(Seen("%timeit -n 10 -r3 f(x)") == "if _____: f(x)\n");
  CHECK(Seen("%timeit for i in x: f(i)") == "#timeit for i in x: f(i)\n");
  CHECK(Seen("for i in x:\n    %time f(i)") == "for i in x:\n    f(i)\n");
  CHECK(Seen("%time") == "#time\n");
  CHECK(Seen("%time?") == "#time?\n");
  CHECK(Seen("%timeit") == "#timeit\n");
  CHECK(Seen("%pylab inline\n") == "import numpy, numpy as np; from pylab import *; from numpy import *\n");
  CHECK(ReadCell("  %time f(x)").lines[0].shift == 8);
}

TEST_CASE("notebook: cell magics") {
  CHECK(Seen("%%time\nx = 1\n%matplotlib inline\n") == "#%time\nx = 1\n#matplotlib inline\n");
  CHECK(Seen("\n\n%%capture out\n%%time\nx = 1\n") == "\n\n#%capture out\n#%time\nx = 1\n");
  CHECK(Seen("%%timeit -n 3\nx = f()\n\n!ls\n") == "if _____:\n x = f()\n\n 0\n");
  CHECK(Seen("%%timeit f(x)\n# nothing\n") == "#%timeit f(x)\n# nothing\n");
  for (const char* magic : {"bash", "cython", "writefile a.py", "html", "R", "unheard_of", "", "!ls"}) {
    CHECK(Seen("%%" + std::string(magic) + "\nx = 1\n") == "not python");
  }
}

TEST_CASE("notebook: a common indentation goes, and columns still count it") {
  CHECK(Seen("    x = 1\n    if x:\n        y\n  odd") == "x = 1\nif x:\n    y\n  odd\n");
  CHECK(Seen("\n  \n\tx = 1\n\ty") == "\n  \nx = 1\ny\n");
  const CellCode cell = ReadCell("    x = 1\n  odd");
  CHECK(cell.lines[0].shift == 4);
  CHECK(cell.lines[1].shift == 0);
}

TEST_CASE("notebook: code cells make one program") {
  const std::string json = Notebook4({
      {{"cell_type", "markdown"}, {"metadata", Json::object()}, {"source", "x = 1"}},
      Code({"import numpy as np\n", "a = 1"}),
      Code("%%bash\nls"),
      Code("b = \"\xC3\xA9\"; c = 2\n"),
      Code(Json::array()),
      Code("  d = 3\n  e = 4"),
  });
  const Notebook notebook = ReadNotebook(json);
  CHECK(notebook.problem.empty());
  CHECK(notebook.text == "import numpy as np\na = 1\nb = \"\xC3\xA9\"; c = 2\nd = 3\ne = 4\n");
  CHECK(notebook.map.lines.size() == LineIndex(notebook.text).line_count());
  REQUIRE(notebook.map.cells.size() == 3);
  CHECK(notebook.text.substr(notebook.map.cells[1].begin, notebook.map.cells[1].size()) == "b = \"\xC3\xA9\"; c = 2\n");
  for (const int indent : {-1, 1}) {
    const std::string again = indent == 1 ? json : Json::parse(json).dump(-1, ' ', true);
    const Notebook other = ReadNotebook(again);
    CHECK(PlaceOf(other, "numpy", again) == "1:1:8 numpy");
    CHECK(PlaceOf(other, "a = 1", again) == "1:2:1 a = 1");
    CHECK(PlaceOf(other, "c = 2", again) == "3:1:10 c = 2");
    CHECK(PlaceOf(other, "d = 3", again) == "5:1:3 d = 3");
    CHECK(PlaceOf(other, "e = 4", again) == "5:2:3 e = 4");
  }
  const LineIndex lines(notebook.text);
  CHECK(notebook.map.LineText(lines, 4) == "  d = 3");
  CHECK(notebook.map.LineText(lines, 2) == "a = 1");
  CHECK(notebook.map.LineOf(3, 1) == 3);
  CHECK(notebook.map.LineOf(5, 2) == 5);
  CHECK(notebook.map.LineOf(2, 1) == 0);
  CHECK(notebook.map.LineOf(9, 1) == 0);
}

TEST_CASE("notebook: escapes of JSON") {
  const std::string json =
      R"({"cells": [{"cell_type": "code", "source": "a = 'A\u00e9\ud83d\ude00\t\"\ud83d'; b = 1\u000aif a:\n\tc = 2"}]})";
  const Notebook notebook = ReadNotebook(json);
  CHECK(notebook.text == "a = 'A\xC3\xA9\xF0\x9F\x98\x80\t\"\xEF\xBF\xBD'; b = 1\nif a:\n\tc = 2\n");
  CHECK(PlaceOf(notebook, "b = 1", json) == "1:1:15 b = 1");
  CHECK(PlaceOf(notebook, "if a", json) == "1:2:1 if a");
  CHECK(PlaceOf(notebook, "c = 2", json) == "1:3:2 c = 2");
  CHECK(ReadNotebook(R"({"cells": [{"cell_type": "code", "source": "a\u0000\q\u12"}]})").text == "a?q\x12\n");
}

TEST_CASE("notebook: format 3, foreign cells, keys that stand twice, odd values") {
  const auto text = [](const char* json) { return ReadNotebook(json).text; };
  CHECK(text(R"({"worksheets": [{"cells": [{"cell_type": "code", "input": ["a\n", "b"], "language": "python"},
      {"cell_type": "code", "input": "x", "language": "julia"}, {"cell_type": "code", "input": "c"}]}, {}, 3],
      "nbformat": 3})") == "a\nb\nc\n");
  CHECK(text(R"({"cells": [{"cell_type": "code", "source": "a"}, {"source": "b", "cell_type": "code",
      "metadata": {"vscode": {"languageId": "r"}}}]})") == "a\n");
  CHECK(text(R"({"cells": [{"cell_type": "code", "source": "a", "source": "b"}], "cells": [
      {"cell_type": "raw", "cell_type": "code", "source": ["c", 7, "d"], "x": {"source": "e"}}]})") == "cd\n");
  CHECK(text(R"({"cells": [1, null, [], {"cell_type": "code", "source": null}, {"cell_type": "code"}]})").empty());
  CHECK(text(R"({"cells": [{"cell_type": "code", "source": "a \\"}, {"cell_type": "code", "source": "b"}]})") ==
        "a \\\n\nb\n");
  CHECK(text("\xEF\xBB\xBF{\"cells\": []}").empty());
  const Notebook julia = ReadNotebook(R"({"cells": [{"cell_type": "code", "source": "a"}],
      "metadata": {"kernelspec": {"language": "julia", "name": "julia-1.9"}}})");
  CHECK(julia.foreign);
  CHECK(julia.text.empty());
  CHECK_THAT(julia.problem, Catch::Contains("`julia`"));
}

TEST_CASE("notebook: what is none says why") {
  CHECK(Problem("").empty());
  CHECK(Problem(" \n").empty());
  CHECK_THAT(Problem("{}"), Catch::Contains("no cells"));
  CHECK_THAT(Problem("[]"), Catch::Contains("no cells"));
  CHECK_THAT(Problem("{\"cells\": 1}"), Catch::Contains("no cells"));
  CHECK_THAT(Problem("{\"cells\": [\n {\"source\" 1}]}"),
             Catch::Contains("line 2, column 12") && Catch::Contains("`:`"));
  CHECK_THAT(Problem("{\"cells\": ["), Catch::Contains("ends too early"));
  CHECK_THAT(Problem("import numpy as np\n"), Catch::Contains("malformed JSON in line 1"));
  CHECK_THAT(Problem("{\"cells\": [\n<<<<<<< HEAD\n"), Catch::Contains("merge conflict"));
  CHECK_THAT(Problem("version https://git-lfs.github.com/spec/v1\noid sha256:0\n"), Catch::Contains("git lfs pull"));
}

TEST_CASE("notebook: files of that name are notebooks") {
  const std::string json = Notebook4({Code("import numpy")});
  LoadOutcome outcome = LoadBytes("a/n.ipynb", json);
  REQUIRE(outcome.file);
  REQUIRE(outcome.file->notebook);
  CHECK(outcome.file->text == "import numpy\n");
  outcome = LoadBytes("a/n.py", json);
  REQUIRE(outcome.file);
  CHECK_FALSE(outcome.file->notebook);
  outcome = LoadBytes("n.ipynb", "{");
  CHECK_FALSE(outcome.file);
  REQUIRE(outcome.refused);
  CHECK(outcome.refused->kind == LoadNote::Kind::kSkipped);
  // Its pictures may be large, its code may not.
  LoadLimits limits;
  limits.max_bytes = 400;
  Json cell = Code("import numpy");
  cell["outputs"] = std::string(1000, 'x');
  CHECK(LoadBytes("n.ipynb", Notebook4({cell}), limits).file);
  CHECK(LoadBytes("n.ipynb", Notebook4({Code(std::string(1000, 'x'))}), limits).refused->kind ==
        LoadNote::Kind::kTooLarge);
  limits.max_notebook_bytes = 500;
  CHECK(LoadBytes("n.ipynb", Notebook4({cell}), limits).refused->kind == LoadNote::Kind::kTooLarge);
}
