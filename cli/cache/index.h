#pragma once

// What is known of files from earlier runs, so that one that has not changed need not be read: what its bytes hash to,
// whether it mentions an array library, what it imports.

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analyzer/base/hash.h"
#include "analyzer/source/file.h"

namespace cpnlint::cli {

struct KnownFile {
  source::FileStamp stamp;
  Hash128 hash;
  // The stamp can be trusted: when the file was read its last change was some time ago. A file that is written twice
  // within one tick of its file system's clock has the same stamp both times.
  bool settled = false;
  bool mentions = false;
  std::uint64_t text_size = 0;
  std::vector<std::string> imports;
  std::optional<source::LoadNote> refused;
  std::uint32_t seen = 0;  // the day of a run that met it, not to the day
};

class FileIndex {
 public:
  // `bytes`: what ToBytes gave once; anything else makes an empty index. `folder`: where relative paths start.
  // `now`: nanoseconds since 1970.
  FileIndex(std::string_view bytes, std::string folder, std::int64_t now);

  // What is known of a file that is what it was; null where it has to be read. For several threads.
  [[nodiscard]] const KnownFile* Find(const std::string& path);
  // A file that was read just now; `stamp` is from before. For several threads.
  void Remember(const std::string& path, KnownFile file);

  // Something is known that was not before.
  [[nodiscard]] bool changed() const { return changed_; }
  // For an index that another run has written meanwhile: what this one does not know.
  void Merge(std::string_view bytes);
  // Without files that no run has met for a month.
  [[nodiscard]] std::string ToBytes() const;

 private:
  [[nodiscard]] std::string Absolute(const std::string& path) const;

  std::string folder_;
  std::int64_t now_;
  std::unordered_map<std::string, KnownFile> files_;    // by absolute path; not changed while threads ask
  std::unordered_map<std::string, KnownFile> updates_;  // guarded
  std::mutex mutex_;
  bool changed_ = false;
};

}  // namespace cpnlint::cli
