#include <catch2/catch.hpp>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "analyzer/source/discover.h"

namespace fs = std::filesystem;
using cpnlint::source::Discover;
using cpnlint::source::DiscoverOptions;
using Paths = std::vector<std::string>;

namespace {

// A project in a folder of its own, which is the current directory while the test runs.
class Project {
 public:
  Project() : before_(fs::current_path()) {
    std::string name = (fs::temp_directory_path() / "cpnlint-walk-XXXXXX").string();
    root_ = fs::canonical(mkdtemp(name.data()));
    fs::current_path(root_);
  }
  ~Project() {
    fs::current_path(before_);
    fs::remove_all(root_);
  }
  void Add(const std::string& path, const std::string& text = "") const {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  [[nodiscard]] const fs::path& root() const { return root_; }

 private:
  fs::path before_;
  fs::path root_;
};

Paths Found(const Paths& paths, const DiscoverOptions& options = {}) {
  const auto discovery = Discover(paths, options);
  REQUIRE(discovery);
  Paths found;
  for (const auto& file : discovery->files) found.push_back(file.path);
  return found;
}

}  // namespace

TEST_CASE("folders are walked, in the order of their paths, without the usual excludes and tests") {
  const Project project;
  for (const char* path : {"b.py",
                           "a/z.py",
                           "a/x.txt",
                           "a/n.ipynb",
                           ".venv/lib/v.py",
                           "node_modules/m.py",
                           "build/o.py",
                           "__pycache__/c.py",
                           "a/__python__/x.py",
                           "a/__numba__/x.py",
                           "foo.egg-info/e.py",
                           "my/pyvenv.cfg",
                           "my/lib/q.py",
                           "test_b.py",
                           "b_test.py",
                           "tests/t.py",
                           "c/test/u.py",
                           "c/testing/v.py",
                           "conftest.py",
                           "setup.py",
                           "d/setup_package.py",
                           "docs/conf.py",
                           "docs/source/conf.py",
                           "conf.py",
                           "docs/demo.py",
                           "contest.py",
                           "test_n.ipynb",
                           "a/.ipynb_checkpoints/n.ipynb"}) {
    project.Add(path);
  }
  CHECK(Found({}) == Paths{"a/n.ipynb", "a/z.py", "b.py", "conf.py", "contest.py", "docs/demo.py"});
  CHECK(Found({"."}) == Found({}));
  CHECK(Found({"a"}) == Paths{"a/n.ipynb", "a/z.py"});
  CHECK(Found({"a/../a/./", "a/z.py", project.root().string() + "/a"}) == Paths{"a/n.ipynb", "a/z.py"});
  CHECK(Found({}, {.include_tests = true}).size() == 17);
  CHECK(Found({"tests"}) == Paths{"tests/t.py"});  // asked for by name
  CHECK(Found({"test_b.py", "build/o.py", "a/x.txt"}) == Paths{"a/x.txt", "build/o.py", "test_b.py"});
  CHECK(Found({"test_b.py", "build/o.py", "b.py"}, {.force_exclude = true}) == Paths{"b.py"});
  CHECK(Found({"build"}) == Paths{"build/o.py"});
  CHECK(Found({"build"}, {.force_exclude = true}).empty());
  CHECK(Found({}, {.exclude = {"a"}}).size() > 5);  // replaces the defaults
  CHECK(Found({}, {.extend_exclude = {"docs/", "./b.py", "con*.py"}}) == Paths{"a/n.ipynb", "a/z.py"});
  CHECK(Found({}, {.extend_exclude = {project.root().string() + "/a", "docs", "conf.py"}}) ==
        Paths{"b.py", "contest.py"});
  const auto named = Discover({"b.py", "a"});
  REQUIRE(named);
  CHECK_FALSE(named->files[1].named);
  CHECK(named->files[2].named);
}

TEST_CASE("a path that does not exist is an error that names it") {
  const Project project;
  const auto missing = Discover({"no/such.py"});
  REQUIRE_FALSE(missing);
  CHECK_THAT(missing.error().message, Catch::Contains("`no/such.py`"));
  CHECK_FALSE(Discover({"/dev/null"}));
  CHECK(Found({"."}).empty());  // no Python: no error
}

TEST_CASE(".gitignore files are respected") {
  const Project project;
  project.Add(".gitignore", "gen_*.py\n/top.py\nold/\n!gen_keep.py\n");
  project.Add("sub/.gitignore", "!gen_b.py\nlocal.py\n");
  for (const char* path : {"gen_a.py", "gen_keep.py", "top.py", "sub/top.py", "sub/gen_b.py", "sub/gen_c.py",
                           "sub/local.py", "local.py", "old/x.py", "sub/old/y.py"}) {
    project.Add(path);
  }
  const Paths expected = {"gen_keep.py", "local.py", "sub/gen_b.py", "sub/top.py"};
  CHECK(Found({}) == expected);
  CHECK(Found({}, {.respect_gitignore = false}).size() == 10);
  CHECK(Found({"gen_a.py"}) == Paths{"gen_a.py"});
  CHECK(Found({"gen_a.py", "sub/old/y.py"}, {.force_exclude = true}).empty());

  // Naming a folder gives what walking from here gives.
  CHECK(Found({"sub"}) == Paths{"sub/gen_b.py", "sub/top.py"});
  project.Add(".git/info/exclude", "sub/top.py\n");
  CHECK(Found({"sub"}) == Paths{"sub/gen_b.py"});
  fs::current_path(project.root() / "sub");  // the repository's files count from below, too
  CHECK(Found({}) == Paths{"gen_b.py"});
}

TEST_CASE("links are followed once, loops end, and every file counts once") {
  const Project project;
  project.Add("pkg/a.py");
  project.Add("pkg/deep/b.py");
  fs::create_directory_symlink("..", project.root() / "pkg/deep/up");
  fs::create_directory_symlink(project.root() / "pkg", project.root() / "alias");
  fs::create_directory_symlink("self", project.root() / "self");
  fs::create_symlink("pkg/a.py", project.root() / "a_link.py");
  fs::create_symlink("nowhere.py", project.root() / "dangling.py");
  const auto discovery = Discover({"."});
  REQUIRE(discovery);
  REQUIRE(discovery->files.size() == 2);
  CHECK(discovery->files[0].path == "pkg/a.py");
  CHECK(discovery->files[1].path == "pkg/deep/b.py");
  REQUIRE(discovery->skipped.size() == 1);
  CHECK(discovery->skipped[0].path == "dangling.py");
  CHECK(Found({"alias"}) == Paths{"alias/a.py", "alias/deep/b.py"});
  CHECK(Found({"a_link.py", "pkg"}) == Paths{"a_link.py", "pkg/deep/b.py"});
}
