#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "cli/program.h"

using namespace cpnlint::cli;
namespace fs = std::filesystem;

namespace {

struct Folder {
  fs::path path;
  Folder() {
    std::string name = (fs::temp_directory_path() / "cpnlint-program-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path = name;
  }
  ~Folder() { fs::remove_all(path); }

  [[nodiscard]] std::unique_ptr<Input> Read(const std::string& name, WaitingTexts& waiting) const {
    std::ofstream(path / name) << "import numpy as np\n";  // 19 bytes
    return ReadInput({(path / name).string(), false}, waiting);
  }
};

}  // namespace

TEST_CASE("texts wait up to a limit, and the rest is read again", "[program]") {
  const Folder folder;
  WaitingTexts waiting(40);
  const auto first = folder.Read("a.py", waiting);
  const auto second = folder.Read("b.py", waiting);
  const auto third = folder.Read("c.py", waiting);
  CHECK(first->loaded.file != nullptr);
  CHECK(second->loaded.file != nullptr);
  CHECK(third->loaded.file == nullptr);
  CHECK(third->has_text());
  CHECK(third->text_size == 19);
  CHECK(third->imports == std::vector<std::string>{"numpy"});
  REQUIRE(ReadAgain(*third));
  CHECK(third->loaded.file->text == "import numpy as np\n");
  CHECK(ReadAgain(*first));
}

TEST_CASE("a text that is gone when it is read again is the environment's trouble", "[program]") {
  const Folder folder;
  WaitingTexts none(0);
  const auto input = folder.Read("a.py", none);
  fs::remove(folder.path / "a.py");
  CHECK_FALSE(ReadAgain(*input));
  CHECK(input->trouble.find("a.py") != std::string::npos);
  CHECK_FALSE(input->has_text());
}

TEST_CASE("files whose texts were dropped are in programs like all others", "[program]") {
  const Folder folder;
  const auto plan_of = [&](std::size_t most) {
    WaitingTexts waiting(most);
    std::vector<std::unique_ptr<Input>> inputs;
    inputs.push_back(folder.Read("a.py", waiting));
    inputs.push_back(folder.Read("b.py", waiting));
    const Linker linker({});
    return MakePlan(std::move(inputs), linker, waiting).programs.size();
  };
  CHECK(plan_of(0) == 2);
  CHECK(plan_of(1000) == 2);
}
