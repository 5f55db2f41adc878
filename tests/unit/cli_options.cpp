#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "cli/analyse.h"
#include "cli/near.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/terminal.h"

using namespace cpnlint;
using namespace cpnlint::cli;

namespace {

Options Good(std::vector<std::string> words) {
  auto options = ParseCommandLine(std::move(words));
  if (!options) FAIL(options.error().message);
  return *options;
}

std::string Bad(std::vector<std::string> words) {
  auto options = ParseCommandLine(std::move(words));
  REQUIRE(!options.has_value());
  return options.error().message;
}

using Words = std::vector<std::string>;

class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "cpnlint-test-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

std::string ReadFile(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("options: check is the default command") {
  CHECK(Good({}).command == Command::kCheck);
  CHECK(Good({"src", "b.py"}).arguments == Words{"src", "b.py"});
  CHECK(Good({"check", "src"}).arguments == Words{"src"});
  CHECK(Good({"./check"}).arguments == Words{"./check"});
  CHECK(Good({"--quiet", "src"}).arguments == Words{"src"});
  CHECK(Good({"-"}).arguments == Words{"-"});
  CHECK(Good({"--", "--odd.py"}).arguments == Words{"--odd.py"});
  CHECK(Good({"rules"}).command == Command::kRules);
  CHECK(Good({"inspect", "why", "a.py:3", "R101"}).arguments == Words{"a.py:3", "R101"});
}

TEST_CASE("options: a list takes one word, so that paths may follow") {
  const Options options = Good({"--select", "R1,R2", "src", "--select", "R3", "--output-format=json,text", "b.py"});
  CHECK(options.select == Words{"R1", "R2", "R3"});
  CHECK(options.arguments == Words{"src", "b.py"});
  CHECK(options.formats == Words{"json", "text"});
  CHECK(Good({"--gpus", "8,2", "src"}).gpus == std::vector<int>{2, 8});
  CHECK(MostGpus(Good({"--gpus", "8,2", "--nodes", "3", "src"})) == 24);
  CHECK(Good({"--assume", "u=(4,4):float32", "src"}).assume == Words{"u=(4,4):float32"});
  CHECK(Good({"--output", "sarif:a,b.sarif", "src"}).outputs.at(0).path == "a,b.sarif");
}

TEST_CASE("options: defaults") {
  const Options options = Good({"a.py"});
  CHECK(options.formats == Words{"text"});
  CHECK(options.min_confidence == rules::Confidence::kLikely);
  CHECK(options.fail_on == rules::Severity::kWarning);
  CHECK(options.gpus == std::vector<int>{1, 4});
  CHECK(options.target_version == "26.07");
  CHECK(options.discover.respect_gitignore);
  CHECK(!options.discover.include_tests);
  CHECK(Good({"--fail-on", "never"}).fail_on == std::nullopt);
}

TEST_CASE("options: what is wrong is named, with what was meant") {
  CHECK(Bad({"--selct", "R1"}).find("`--selct`; did you mean `--select`") != std::string::npos);
  CHECK(Bad({"--select", "R999"}).find("--select: no rule answers to `R999`") == 0);
  CHECK(Bad({"--ignore", "blockz"}).find("`blocks`") != std::string::npos);
  CHECK(Bad({"--output-format", "yaml"}).find("yaml") != std::string::npos);
  CHECK(Bad({"--output", "json"}).find("FORMAT:FILE") != std::string::npos);
  CHECK(Bad({"--output", "yaml:f"}).find("yaml") != std::string::npos);
  CHECK(Bad({"--min-confidence", "sure"}).find("`sure` is none of: certain, likely, possible") != std::string::npos);
  CHECK(Bad({"--jobs", "many"}).find("many") != std::string::npos);
  CHECK(!Bad({"--jobs", "0"}).empty());
  CHECK(!Bad({"--gpus", "0"}).empty());
  CHECK(!Bad({"--nodes", "0"}).empty());
  CHECK(!Bad({"--select"}).empty());
  CHECK(Bad({"--target-version", "19.1"}).find("26.07") != std::string::npos);
  CHECK(Bad({"--assume", "N"}).find("NAME=VALUE") != std::string::npos);
  CHECK(Bad({"inspect"}).find("why FILE:LINE RULE") != std::string::npos);
  CHECK(Bad({"inspect", "fact", "a.py"}).find("`facts`") != std::string::npos);
  CHECK(Bad({"completions", "tcsh"}).find("tcsh") != std::string::npos);
  CHECK(!Bad({"explain"}).empty());
  CHECK(!Bad({"rules", "R101"}).empty());
}

TEST_CASE("options: help and version") {
  CHECK(Good({"--version"}).text.find("cpnlint ") == 0);
  for (const CommandInfo& command : Commands()) {
    INFO(command.name);
    CHECK(Good({"--help"}).text.find(command.name) != std::string::npos);
    Words words;
    for (std::size_t at = 0; at < command.name.size();) {
      const std::size_t space = std::min(command.name.find(' ', at), command.name.size());
      words.push_back(command.name.substr(at, space - at));
      at = space + 1;
    }
    words.emplace_back("--help");
    const Options help = Good(words);
    CHECK(help.command == Command::kPrint);
    CHECK(help.text.find("cpnlint " + command.name) != std::string::npos);
    for (const OptionInfo& option : OptionsOf(command.name)) CHECK(help.text.find(option.name) != std::string::npos);
  }
}

TEST_CASE("options: arguments from a file") {
  const Folder folder;
  std::ofstream(folder / "args") << "--select\r\nR1\n\nsrc/my file.py\n";
  const Options options = Good({"@" + (folder / "args"), "b.py"});
  CHECK(options.select == Words{"R1"});
  CHECK(options.arguments == Words{"src/my file.py", "b.py"});
  CHECK(Bad({"@" + (folder / "none")}).find("none") != std::string::npos);
}

TEST_CASE("options: colours") {
  const char* const names[] = {"NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE"};
  for (const char* name : names) unsetenv(name);
  CHECK(WantsColor(Color::kAlways));
  CHECK(!WantsColor(Color::kNever));
  setenv("FORCE_COLOR", "1", 1);
  CHECK(WantsColor(Color::kAuto));
  CHECK(!WantsColor(Color::kNever));
  setenv("NO_COLOR", "1", 1);
  CHECK(!WantsColor(Color::kAuto));
  CHECK(WantsColor(Color::kAlways));
  unsetenv("NO_COLOR");
  setenv("FORCE_COLOR", "0", 1);
  CHECK(!WantsColor(Color::kAuto));
  for (const char* name : names) unsetenv(name);
}

TEST_CASE("near: mistyped words") {
  const Words known = {"element-loop", "element-wise", "strided-slice", "R101", "R102"};
  CHECK(Near("elementloop", known).at(0) == "element-loop");
  CHECK(Near("ELEMENT-LOPO", known).at(0) == "element-loop");
  CHECK(Near("r10l", known).size() == 2);
  CHECK(Near("something", known).empty());
  CHECK(Near("", known).empty());
  CHECK(DidYouMean("R103", known) == "; did you mean `R101` or `R102`?");
}

TEST_CASE("output: files are written whole or not at all") {
  const Folder folder;
  REQUIRE(WriteFiles({{folder / "a", "one"}, {folder / "b", "two"}}).has_value());
  CHECK(ReadFile(folder / "a") == "one");
  CHECK(ReadFile(folder / "b") == "two");

  const auto failed = WriteFiles({{folder / "a", "new"}, {folder / "no/such/folder/c", "three"}});
  REQUIRE(!failed.has_value());
  CHECK(failed.error().message.find("no/such/folder/c") != std::string::npos);
  CHECK(ReadFile(folder / "a") == "one");
  std::size_t entries = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder / "")) ++entries;
  CHECK(entries == 2);

  std::filesystem::create_symlink("a", folder / "link");
  REQUIRE(WriteFiles({{folder / "link", "through"}}).has_value());
  CHECK(std::filesystem::is_symlink(folder / "link"));
  CHECK(ReadFile(folder / "a") == "through");
  CHECK(WriteFiles({{"/dev/null", "gone"}}).has_value());
}

TEST_CASE("analyse: module names from paths") {
  CHECK(ModuleName("solver.py") == "solver");
  CHECK(ModuleName("src/pkg/solver.py") == "pkg.solver");
  CHECK(ModuleName("pkg/__init__.py") == "pkg");
  CHECK(ModuleName("../other/pkg/a.py") == "other.pkg.a");
  CHECK(ModuleName("/abs/a.py") == "abs.a");
  CHECK(ModuleName("<stdin>") == "<stdin>");
}
