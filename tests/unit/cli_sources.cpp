// Texts that wait on disk between lowering and report.

#include <filesystem>
#include <fstream>

#include <unistd.h>

#include <catch2/catch.hpp>

#include "cli/sources.h"

namespace cpnlint::cli {
namespace {

// A file below the temporary folder, as an input that has been read.
struct Written {
  explicit Written(const std::string& text) {
    const std::string name = "cpnlint-sources-" + std::to_string(::getpid()) + ".py";
    path = std::filesystem::temp_directory_path() / name;
    Write(text);
    auto loaded = source::Load(path.string());
    REQUIRE(loaded);
    input.path = path.string();
    input.loaded = std::move(*loaded);
  }
  ~Written() { std::filesystem::remove(path); }
  Written(const Written&) = delete;
  Written& operator=(const Written&) = delete;

  void Write(const std::string& text) const { std::ofstream(path) << text; }

  std::filesystem::path path;
  Input input;
};

}  // namespace

TEST_CASE("a text that was dropped is read again", "[sources]") {
  Written file("import numpy as np\n");
  Sources sources;
  sources.Add(file.input, 100);
  sources.DropLast();
  CHECK(file.input.loaded.file == nullptr);
  CHECK(sources.Words({107, 112}) == "numpy");
  CHECK(sources.PlaceOf({107, 112}).start.column == 8);
  sources.Trim();  // little was read
  CHECK(file.input.loaded.file != nullptr);
}

TEST_CASE("a text that changed meanwhile is not quoted", "[sources]") {
  Written file("import numpy as np\n");
  Sources sources;
  sources.Add(file.input, 0);
  sources.DropLast();
  file.Write("import os\n");
  CHECK_THROWS_AS(sources.Words({7, 12}), SourceChanged);
}

TEST_CASE("a file that is gone is not quoted", "[sources]") {
  Written file("import numpy as np\n");
  Sources sources;
  sources.Add(file.input, 0);
  sources.DropLast();
  std::filesystem::remove(file.path);
  CHECK_THROWS_AS(sources.Words({7, 12}), SourceChanged);
  CHECK_THROWS_AS(sources.Words({7, 12}), SourceChanged);
}

TEST_CASE("a text that came with the command stays", "[sources]") {
  Written file("import numpy as np\n");
  file.input.given = true;
  Sources sources;
  sources.Add(file.input, 0);
  sources.DropLast();
  CHECK(file.input.loaded.file != nullptr);
  CHECK(sources.Words({7, 12}) == "numpy");
}

}  // namespace cpnlint::cli
