#include "runtime-kernels/harness/source.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

namespace cpnlint::kernels {

Result<TemporaryFolder> TemporaryFolder::Make() {
  std::error_code error;
  const std::filesystem::path base = std::filesystem::temp_directory_path(error);
  if (error) return Fail("there is no folder for temporary files: " + error.message());
  std::string path = (base / "cpnlint-XXXXXX").string();
  if (mkdtemp(path.data()) == nullptr) {
    return Fail("cannot make a folder in `" + base.string() + "`: " + std::generic_category().message(errno));
  }
  TemporaryFolder folder;
  folder.path_ = std::move(path);
  return folder;
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace cpnlint::kernels
