#include "cli/repository.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "cli/report/ci.h"
#include "cli/report/line_hash.h"

namespace cpnlint::cli {
namespace {

namespace fs = std::filesystem;

// The folder that a variable of the environment names, where `folder` lies in it; else empty.
fs::path Checkout(const char* variable, const fs::path& folder) {
  const char* value = std::getenv(variable);
  if (value == nullptr || *value == '\0') return {};
  std::error_code error;
  const fs::path checkout = fs::canonical(value, error);
  if (error) return {};
  const fs::path inside = folder.lexically_relative(checkout);
  return inside.empty() || *inside.begin() == ".." ? fs::path() : checkout;
}

}  // namespace

fs::path RepositoryOf(const fs::path& folder) {
  // GitLab counts from the checkout also within a submodule.
  if (fs::path checkout = Checkout("CI_PROJECT_DIR", folder); !checkout.empty()) return checkout;
  std::error_code ignored;
  for (fs::path at = folder;; at = at.parent_path()) {
    if (fs::exists(at / ".git", ignored)) return at;
    if (at == at.parent_path()) break;
  }
  for (const char* variable : {"GITHUB_WORKSPACE", "BUILD_SOURCESDIRECTORY"}) {
    if (fs::path checkout = Checkout(variable, folder); !checkout.empty()) return checkout;
  }
  return folder;
}

void AddLineHashes(report::Document& document) {
  const report::File* of_run = report::ExceededBudgets(document).empty() ? nullptr : report::FileOfRun(document);
  for (const report::File& file : document.files) {
    if (file.findings.empty() && &file != of_run) continue;
    const fs::path path = fs::path(document.folder) / file.path;
    std::error_code error;
    if (!fs::is_regular_file(path, error)) continue;
    std::ifstream stream(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    if (!stream) continue;
    const std::vector<std::string> hashes = report::LineHashes(text);
    std::map<std::uint32_t, std::string>& wanted = document.line_hashes[file.path];
    if (&file == of_run && !hashes.empty()) wanted[1] = hashes.front();
    for (const report::Finding& finding : file.findings) {
      const std::uint32_t line = report::FileLine(finding.place.start);
      if (line >= 1 && line <= hashes.size()) wanted[line] = hashes[line - 1];
    }
  }
}

}  // namespace cpnlint::cli
