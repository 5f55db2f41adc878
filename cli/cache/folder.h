#pragma once

// The cache's folder: files that are written whole, and read only where they are what was written. Whatever goes wrong
// in it costs time and nothing else: an entry that cannot be read is none, one that cannot be written is left.
//
//   .cpnlint_cache/           CACHEDIR.TAG, .gitignore
//     0.1.0-1f2e3d4c5b6a7988/ one build of the program
//       files                 the index
//       ab/cdef0123...        results by key

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "analyzer/base/result.h"

namespace cpnlint::cli {

inline constexpr const char* kCacheFolderName = ".cpnlint_cache";

// Where the cache of a run in `here` lies if nobody says otherwise: in the nearest folder upwards that has a repository
// or settings of a project in it, else in `here`.
[[nodiscard]] std::filesystem::path DefaultCacheFolder(const std::filesystem::path& here);

// Whether a folder is a cache of ours, could become one (it is not there, is empty, or holds
// what a cache without its tag holds), or is something else.
enum class CacheState { kOurs, kFree, kForeign };
[[nodiscard]] CacheState StateOf(const std::filesystem::path& folder);

// Removes a cache of ours with all that is in it, or what is left of one. An error names the folder and why it stays.
[[nodiscard]] Result<int> RemoveCache(const std::filesystem::path& folder);

struct CacheLimits {
  std::uint64_t most_bytes = std::uint64_t{512} << 20;
  std::int64_t most_days = 30;  // since an entry was last of use
};

class CacheFolder {
 public:
  // `build`: the name of this build's part. Nothing is made until something is written.
  CacheFolder(std::filesystem::path root, const std::string& build);

  // The content of an entry; nullopt where there is none, or a broken one. For several threads, as Write.
  [[nodiscard]] std::optional<std::string> Read(const std::string& name) const;
  void Write(const std::string& name, std::string_view content);
  // Tells one state of an entry from another without reading it; empty where there is none.
  [[nodiscard]] std::string StampOf(const std::string& name) const;

  // Removes what nobody wants any more, at most once a day unless `always`.
  void Prune(const CacheLimits& limits = {}, bool always = false);

  [[nodiscard]] const std::filesystem::path& root() const { return root_; }
  // Why entries are not written; empty while all is well.
  [[nodiscard]] std::string problem() const;

 private:
  [[nodiscard]] bool Prepare();
  [[nodiscard]] bool PrepareAgain();
  void Fail(int error, const std::filesystem::path& path);

  std::filesystem::path root_;
  std::filesystem::path part_;  // this build's
  mutable std::mutex mutex_;    // guards the rest
  bool prepared_ = false;
  std::string problem_;
};

}  // namespace cpnlint::cli
