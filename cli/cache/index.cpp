#include "cli/cache/index.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "cli/cache/bytes.h"

namespace cpnlint::cli {

template <class Visitor>
void Fields(Visitor& visit, source::FileStamp& value) {
  auto& [size, modified, changed, inode] = value;
  visit(size, modified, changed, inode);
}

template <class Visitor>
void Fields(Visitor& visit, Hash128& value) {
  auto& [high, low] = value;
  visit(high, low);
}

template <class Visitor>
void Fields(Visitor& visit, source::LoadNote& value) {
  auto& [kind, message, offset] = value;
  visit(kind, message, offset);
}

template <class Visitor>
void Fields(Visitor& visit, KnownFile& value) {
  auto& [stamp, hash, settled, mentions, text_size, imports, refused, seen] = value;
  visit(stamp, hash, settled, mentions, text_size, imports, refused, seen);
}

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kDay = 86'400 * kSecond;
// The coarsest clock of a file system that is in use (FAT), and then some.
constexpr std::int64_t kTick = 3 * kSecond;
constexpr std::uint32_t kDaysUntilSeenAgain = 7;
constexpr std::uint32_t kDaysUntilForgotten = 30;

using Files = std::vector<std::pair<std::string, KnownFile>>;

Files FilesFrom(std::string_view bytes) {
  Files files;
  ByteReader reader(bytes);
  reader(files);
  if (!reader.Complete()) files.clear();
  return files;
}

std::uint32_t DayOf(std::int64_t now) { return static_cast<std::uint32_t>(std::max<std::int64_t>(now, 0) / kDay); }

// A time ahead of the clock is not over: the clock may have been set back, and reach that time again.
bool IsOver(std::int64_t time, std::int64_t now) { return time < now - kTick; }

// The content's time is what its author's tools say, and may be ahead for good.
bool IsSettled(const source::FileStamp& stamp, std::int64_t now) {
  return IsOver(stamp.changed, now) && (IsOver(stamp.modified, now) || stamp.modified > now + kTick);
}

}  // namespace

FileIndex::FileIndex(std::string_view bytes, std::string folder, std::int64_t now)
    : folder_(std::move(folder)), now_(now) {
  Files files = FilesFrom(bytes);
  files_.reserve(files.size());
  for (auto& [path, file] : files) files_.emplace(std::move(path), std::move(file));
}

std::string FileIndex::Absolute(const std::string& path) const {
  if (path.starts_with("..")) return (std::filesystem::path(folder_) / path).lexically_normal().string();
  return path.starts_with('/') ? path : folder_ + '/' + path;
}

const KnownFile* FileIndex::Find(const std::string& path) {
  const auto found = files_.find(Absolute(path));
  if (found == files_.end() || !found->second.settled) return nullptr;
  if (source::StampOf(path) != found->second.stamp) return nullptr;
  const std::uint32_t today = DayOf(now_);
  if (today >= found->second.seen + kDaysUntilSeenAgain) {
    KnownFile again = found->second;
    again.seen = today;
    const std::lock_guard lock(mutex_);
    updates_.insert_or_assign(found->first, std::move(again));
    changed_ = true;
  }
  return &found->second;
}

void FileIndex::Remember(const std::string& path, KnownFile file) {
  file.settled = IsSettled(file.stamp, now_);
  file.seen = DayOf(now_);
  std::string absolute = Absolute(path);
  const std::lock_guard lock(mutex_);
  changed_ = true;
  updates_.insert_or_assign(std::move(absolute), std::move(file));
}

void FileIndex::Merge(std::string_view bytes) {
  // What another run learnt since this one began is at least as new as what this one knew then.
  for (auto& [path, file] : FilesFrom(bytes)) files_.insert_or_assign(std::move(path), std::move(file));
}

std::string FileIndex::ToBytes() const {
  std::map<std::string_view, const KnownFile*> all;
  for (const auto& [path, file] : files_) all.emplace(path, &file);
  for (const auto& [path, file] : updates_) all.insert_or_assign(path, &file);
  const std::uint32_t today = DayOf(now_);
  Files kept;
  for (const auto& [path, file] : all) {
    if (file->seen + kDaysUntilForgotten > today) kept.emplace_back(path, *file);
  }
  ByteWriter writer;
  writer(kept);
  return writer.Take();
}

}  // namespace cpnlint::cli
