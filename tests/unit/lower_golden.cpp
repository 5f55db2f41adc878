// The IR of small programs, one per area of the language, against what was reviewed and stored. After a wanted change:
//   CPNLINT_UPDATE_GOLDEN=1 unit_lower "[golden]"
// and read the difference.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/unit/lower_support.h"

namespace cpnlint {
namespace {

namespace fs = std::filesystem;

std::string ReadAll(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream out;
  out << in.rdbuf();
  return out.str();
}

std::vector<fs::path> Programs() {
  std::vector<fs::path> out;
  for (const auto& entry : fs::directory_iterator(fs::path(CPNLINT_SOURCE_DIR) / "tests/golden/ir")) {
    if (entry.path().extension() == ".py") out.push_back(entry.path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

TEST_CASE("the IR of each golden program is as stored", "[golden]") {
  const bool update = std::getenv("CPNLINT_UPDATE_GOLDEN") != nullptr;
  const std::vector<fs::path> programs = Programs();
  REQUIRE(programs.size() >= 10);
  for (const fs::path& path : programs) {
    INFO(path.string());
    const test::Lowered lowered(ReadAll(path), path.stem().string());
    CHECK(lowered.Verify() == std::vector<std::string>());
    fs::path stored = path;
    stored.replace_extension(".ir");
    if (update) std::ofstream(stored, std::ios::binary) << lowered.Print();
    CHECK(lowered.Print() == ReadAll(stored));
  }
}

}  // namespace
}  // namespace cpnlint
