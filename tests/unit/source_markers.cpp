#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "analyzer/source/markers.h"

using namespace cpnlint::source;
namespace fs = std::filesystem;

namespace {

struct Folder {
  fs::path path;
  Folder() {
    std::string name = (fs::temp_directory_path() / "cpnlint-markers-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path = name;
  }
  ~Folder() { fs::remove_all(path); }

  void Write(const std::string& name, const std::string& text) const {
    fs::create_directories((path / name).parent_path());
    std::ofstream(path / name) << text;
  }
  [[nodiscard]] Markers Found() const { return FindMarkers({(path / "src").string()}); }
};

}  // namespace

TEST_CASE("markers: an empty project has none") {
  const Folder folder;
  folder.Write("src/a.py", "import numpy as np\n");
  const Markers found = folder.Found();
  CHECK(found.launchers.empty());
  CHECK(found.benchmarks.empty());
  CHECK(found.tolerance_tests.empty());
}

TEST_CASE("markers: found in the project around the code") {
  const Folder folder;
  folder.Write("pyproject.toml", "");
  folder.Write("src/a.py", "");
  folder.Write("run.sh", "#!/bin/sh\nlegate --gpus 4 src/a.py\n");
  folder.Write("tools/other.sh", "delegate --all\necho mpirun\n");
  folder.Write("benchmarks/step.py", "");
  folder.Write("tests/test_a.py", "np.testing.assert_allclose(a, b)\n");
  folder.Write("tests/test_b.py", "assert a == b\n");
  folder.Write("tests/test_bits.py", "import hashlib\nhashlib.md5(u.tobytes())\n");
  folder.Write("tests/expected/u.npy", "");
  folder.Write(".github/workflows/ci.yml", "runs-on: macos-14\n");
  folder.Write(".venv/bench.py", "");
  const Markers found = folder.Found();
  CHECK(found.launchers == std::vector<std::string>{"run.sh"});
  CHECK(found.benchmarks == std::vector<std::string>{"benchmarks/step.py"});
  CHECK(found.tolerance_tests == std::vector<std::string>{"tests/test_a.py"});
  CHECK(found.exact_tests == std::vector<std::string>{"tests/test_bits.py"});
  CHECK(found.references == std::vector<std::string>{"tests/expected/"});
  CHECK(found.other_systems == std::vector<std::string>{".github/workflows/ci.yml"});
}

TEST_CASE("markers: a few of each kind are enough") {
  const Folder folder;
  folder.Write("setup.py", "");
  for (int i = 0; i < 20; ++i) folder.Write("bench/b" + std::to_string(i) + ".py", "");
  CHECK(folder.Found().benchmarks.size() == 5);
}
