#pragma once

// Which file an import statement means, found as Python would find it when the program runs from its usual place.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cpnlint::source {

// Whether a path names the file of a package, its __init__.py.
[[nodiscard]] bool IsPackageFile(std::string_view path);

// Looks at folders, each once, and remembers what is in them; never opens a file. Not for several threads at once.
class ModuleFinder {
 public:
  // `roots`: what the user named; imports are looked for up to them even where nothing marks a project.
  explicit ModuleFinder(const std::vector<std::string>& roots);
  ~ModuleFinder();
  ModuleFinder(const ModuleFinder&) = delete;
  ModuleFinder& operator=(const ModuleFinder&) = delete;

  // The file that `spelled` means in the file `importer`: "a.b" for an absolute import, ".x" or "..x.y" for a relative
  // one ("." is the package itself). A package is its __init__.py. Absolute names are looked for in the folders from
  // the importer's own up to the top of the project (the first one with .git, pyproject.toml, setup.py or setup.cfg in
  // it, or a folder among the roots), in `src` and `lib` below each, and last in the importer's own package. nullopt
  // where there is no such file, where another installed package is meant (of site-packages, only a package's own
  // modules are its program), and for libraries that own the name wherever it is spelled (numpy, cupynumeric, ...).
  // `importer` and the result are spelled as ShownPath() does.
  [[nodiscard]] std::optional<std::string> Find(std::string_view importer, std::string_view spelled);

  // The __init__.py of the package that a file lies in (for an __init__.py: of the package around it).
  [[nodiscard]] std::optional<std::string> PackageOf(std::string_view path);

 private:
  struct Folder;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cpnlint::source
