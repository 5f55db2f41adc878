#include "cli/coverage.h"

#include <algorithm>

#include "cli/report/document.h"

namespace cpnlint::cli {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> Roots(const Options& options) {
  return options.arguments.empty() ? std::vector<std::string>{"."} : options.arguments;
}

// The folder that holds all of the package that a file is a module of; of other files their own.
fs::path PackageAround(const fs::path& file) {
  std::error_code ignored;
  fs::path folder = file.parent_path();
  while (folder.has_relative_path() && fs::exists(folder.parent_path() / "__init__.py", ignored)) {
    folder = folder.parent_path();
  }
  return folder;
}

}  // namespace

fs::path AbsolutePath(const fs::path& path) {
  std::error_code ignored;
  fs::path absolute = fs::absolute(path, ignored).lexically_normal();
  if (!absolute.has_filename() && absolute.has_relative_path()) absolute = absolute.parent_path();  // "src/"
  return absolute;
}

bool Reads(const Options& options, const fs::path& path) {
  const std::vector<std::string> roots = Roots(options);
  return std::any_of(roots.begin(), roots.end(), [&](const std::string& root) {
    if (root == "-") return false;
    const fs::path above = AbsolutePath(root);
    std::error_code ignored;
    if (above == path) return true;
    return fs::is_directory(above, ignored) &&
           std::mismatch(above.begin(), above.end(), path.begin(), path.end()).first == above.end();
  });
}

bool ReadsAllAround(const Options& options, const std::string& file) {
  return Reads(options, PackageAround(AbsolutePath(file)));
}

std::vector<std::string> PathsOver(const Options& options, const std::string& file) {
  const fs::path folder = AbsolutePath(file).parent_path();
  std::vector<std::string> over;
  for (const std::string& root : Roots(options)) {
    over.push_back(report::ToUtf8(AbsolutePath(root).lexically_relative(folder).generic_string()));
  }
  std::sort(over.begin(), over.end());
  over.erase(std::unique(over.begin(), over.end()), over.end());
  return over;
}

}  // namespace cpnlint::cli
