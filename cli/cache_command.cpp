#include <filesystem>

#include "cli/cache/cache.h"
#include "cli/commands.h"
#include "cli/config/configuration.h"
#include "cli/output.h"

namespace cpnlint::cli {
namespace {

// Where a check would have it, so what is configured counts.
Result<std::filesystem::path> ConfiguredFolder(const Options& given) {
  Options options = given;
  if (auto read = config::Configuration::Load(options); !read) return tl::make_unexpected(read.error());
  return CacheFolderOf(options);
}

}  // namespace

int RunCacheDir(const Options& options) {
  auto folder = ConfiguredFolder(options);
  if (folder) return PrintResult(folder->string() + '\n');
  Complain(folder.error().message);
  return kTrouble;
}

int RunCacheClean(const Options& options) {
  auto folder = ConfiguredFolder(options);
  if (!folder) {
    Complain(folder.error().message);
    return kTrouble;
  }
  std::error_code error;
  if (!std::filesystem::exists(*folder, error)) return PrintResult("there is no cache in `" + folder->string() + "`\n");
  if (auto removed = RemoveCache(*folder); !removed) {
    Complain(removed.error().message);
    return kTrouble;
  }
  return PrintResult("removed `" + folder->string() + "`\n");
}

}  // namespace cpnlint::cli
