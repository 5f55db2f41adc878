#pragma once

#include <string>
#include <vector>

#include "analyzer/base/result.h"

namespace cpnlint::source {

struct DiscoverOptions {
  bool respect_gitignore = true;
  bool include_tests = false;  // test_*.py, *_test.py, conftest.py, tests/, testing/, setup.py, docs/conf.py, *.pyi
  bool force_exclude = false;  // excludes also hold for files named on the command line
  // Patterns as in .gitignore, relative to the current directory: `old/`, `*_pb2.py`, `src/**/gen`. `exclude` replaces
  // the default excludes when it is not empty; `extend_exclude` adds to whichever holds.
  std::vector<std::string> exclude = {};
  std::vector<std::string> extend_exclude = {};
  std::string exclude_base = {};  // absolute folder that `exclude` is relative to; empty: the current directory
  // Further ones, each relative to a folder of its own, absolute or empty as above.
  struct Excludes {
    std::string base;
    std::vector<std::string> patterns;
  };
  std::vector<Excludes> more_excludes = {};
};

// Folders that are never entered unless `exclude` replaces them: .git, .venv, node_modules, build, dist, ...
const std::vector<std::string>& DefaultExcludes();

struct DiscoveredFile {
  std::string path;    // as ShownPath() gives it
  bool named = false;  // stood on the command line itself
};

struct Discovery {
  std::vector<DiscoveredFile> files;  // sorted by path bytes, each real file once
  // Folders that could not be listed (no permission), and links to nowhere: notes of kind `skipped`, path and message.
  struct Skipped {
    std::string path;
    std::string message;
  };
  std::vector<Skipped> skipped;
  std::vector<std::string> folders;  // that were listed, absolute: where a new file would be found
};

// The Python files and notebooks that `paths` mean: files as named, folders walked (an empty list means the current
// directory). Folders give *.py and *.ipynb; a named file may have any name. A symlink to a folder is followed once, so
// loops end. Errors: a path that does not exist or is neither file nor folder. A folder without Python gives no files
// and no error.
Result<Discovery> Discover(const std::vector<std::string>& paths, const DiscoverOptions& options = {});

}  // namespace cpnlint::source
