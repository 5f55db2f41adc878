#include "cli/cache/folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <system_error>
#include <vector>

#include "analyzer/base/hash.h"

namespace cpnlint::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMagic = "cpnlint cache 1\n";
constexpr const char* kTagName = "CACHEDIR.TAG";
constexpr const char* kIgnoreName = ".gitignore";
constexpr const char* kPruned = "pruned";
constexpr std::string_view kTag =
    "Signature: 8a477f597d28d172789f06886806bc55\n"
    "# This folder is a cache of cpnlint, and can be removed at any time (`cpnlint cache clean`).\n"
    "# For information about cache directory tags see https://bford.info/cachedir/\n";
constexpr std::string_view kIgnore = "# Made by cpnlint.\n*\n";
// What temporary files begin with: they take the name of their entry when they are whole.
constexpr std::string_view kTemporary = "tmp-";

constexpr auto kProjectMarkers =
    std::to_array<const char*>({"cpnlint.toml", ".cpnlint.toml", "pyproject.toml", ".git", "setup.cfg", "setup.py"});

constexpr std::int64_t kSecondsPerDay = 86'400;
constexpr off_t kLargest = off_t{1} << 29;  // of what we write nothing comes near

// Closes a file with its scope.
class File {
 public:
  explicit File(int descriptor) : descriptor_(descriptor) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  [[nodiscard]] int get() const { return descriptor_; }

 private:
  int descriptor_;
};

int WriteAll(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return written == 0 ? EIO : errno;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

// What stands before an entry's content: what it is, how long it is, and what it hashes to under its name.
std::string Header(std::string_view name, std::string_view content) {
  const Hash128 sum = HashBytes(content);
  std::string header(kMagic);
  header += std::to_string(content.size()) + ' ' + HexText(sum) + ' ' + std::string(name) + '\n';
  return header;
}

// A file of this process's own in the folder; its path goes into `path`. The file, or minus the error.
int OpenTemporary(const fs::path& folder, std::string& path) {
  static std::atomic<unsigned> count{0};
  constexpr int kMostTries = 100;  // a process of the same number may have been killed here
  for (int i = 0; i < kMostTries; ++i) {
    const std::string name = std::string(kTemporary) + std::to_string(getpid()) + '-' + std::to_string(count++);
    path = (folder / name).string();
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file >= 0) return file;
    if (errno != EEXIST) return -errno;
  }
  return -EEXIST;
}

// Writes a file whole or not at all; 0 or the error.
int WriteWhole(const fs::path& path, std::string_view header, std::string_view content) {
  std::string temporary;
  const int file = OpenTemporary(path.parent_path(), temporary);
  if (file < 0) return -file;
  int error = WriteAll(file, header);
  if (error == 0) error = WriteAll(file, content);
  if (close(file) != 0 && error == 0) error = errno;
  if (error == 0 && rename(temporary.c_str(), path.c_str()) != 0) error = errno;
  if (error != 0) unlink(temporary.c_str());
  return error;
}

std::optional<std::string> ReadWhole(int file) {
  struct stat status {};
  if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size > kLargest) return std::nullopt;
  std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
  std::size_t used = 0;
  while (used < bytes.size()) {
    const ssize_t got = read(file, bytes.data() + used, bytes.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return std::nullopt;
    used += static_cast<std::size_t>(got);
  }
  return bytes;
}

int MakeFolder(const fs::path& path) { return mkdir(path.c_str(), 0777) == 0 || errno == EEXIST ? 0 : errno; }

std::vector<fs::path> ListFolder(const fs::path& folder) {
  std::vector<fs::path> paths;
  std::error_code error;
  for (fs::directory_iterator item(folder, error), end; !error && item != end; item.increment(error)) {
    paths.push_back(item->path());
  }
  return paths;
}

bool IsTemporary(const fs::path& path) { return path.filename().string().starts_with(kTemporary); }

std::optional<std::string> ReadPath(const fs::path& path) {
  const File file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  return file.get() < 0 ? std::nullopt : ReadWhole(file.get());
}

bool IsOurTag(const std::string& text) { return text.find("cpnlint") != std::string::npos; }

// What a cache consists of: its tag, what keeps it out of repositories, temporary files and parts of builds
// ("0.1.0-1f2e3d4c5b6a7988"). What has gone since it was listed was of another run.
bool IsOfOurs(const fs::path& path) {
  const std::string name = path.filename().string();
  if (name == kTagName || name == kIgnoreName) {
    const std::optional<std::string> text = ReadPath(path);
    std::error_code ignored;
    if (!text) return !fs::exists(fs::symlink_status(path, ignored));
    return name == kTagName ? IsOurTag(*text) : *text == kIgnore;
  }
  const std::size_t dash = name.rfind('-');
  if (dash == std::string::npos || dash == 0) return false;
  if (IsTemporary(path)) return true;
  return name.size() - dash - 1 == 16 && name.find_first_not_of("0123456789abcdef", dash + 1) == std::string::npos;
}

struct Entry {
  fs::path path;
  std::uint64_t bytes = 0;
  std::int64_t used = 0;  // seconds since 1970
};

std::optional<Entry> EntryAt(const fs::path& path) {
  struct stat status {};
  if (lstat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return Entry{path, static_cast<std::uint64_t>(status.st_size), status.st_mtim.tv_sec};
}

std::int64_t Now() { return time(nullptr); }

// Parts of other builds that none has written to for a while.
void RemoveOldParts(const fs::path& root, const fs::path& part, std::int64_t most_days) {
  for (const fs::path& path : ListFolder(root)) {
    struct stat status {};
    if (path == part || lstat(path.c_str(), &status) != 0) continue;
    const bool old = Now() - status.st_mtim.tv_sec > most_days * kSecondsPerDay;
    std::error_code ignored;
    if (S_ISDIR(status.st_mode) && old) fs::remove_all(path, ignored);
  }
}

// A writer needs moments; one that was killed leaves its temporary file.
void RemoveOldTemporaries(const fs::path& folder) {
  for (const fs::path& path : ListFolder(folder)) {
    const std::optional<Entry> entry = IsTemporary(path) ? EntryAt(path) : std::nullopt;
    if (entry && Now() - entry->used > kSecondsPerDay / 24) unlink(path.c_str());
  }
}

void RemoveOldEntries(const fs::path& part, const CacheLimits& limits) {
  std::vector<Entry> entries;
  std::uint64_t sum = 0;
  for (const fs::path& shard : ListFolder(part)) {
    RemoveOldTemporaries(shard);
    for (const fs::path& path : ListFolder(shard)) {
      const std::optional<Entry> entry = EntryAt(path);
      if (!entry) continue;
      if (Now() - entry->used > limits.most_days * kSecondsPerDay) {
        unlink(path.c_str());
        continue;
      }
      sum += entry->bytes;
      entries.push_back(*entry);
    }
  }
  if (sum <= limits.most_bytes) return;
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.used != b.used ? a.used < b.used : a.path < b.path; });
  // Somewhat below the limit, so that the next run need not do it again.
  for (const Entry& entry : entries) {
    if (sum <= limits.most_bytes / 4 * 3) break;
    if (unlink(entry.path.c_str()) == 0) sum -= entry.bytes;
  }
}

}  // namespace

fs::path DefaultCacheFolder(const fs::path& here) {
  std::error_code ignored;
  for (fs::path at = here;; at = at.parent_path()) {
    for (const char* marker : kProjectMarkers) {
      if (fs::exists(at / marker, ignored)) return at / kCacheFolderName;
    }
    if (at == at.parent_path()) return here / kCacheFolderName;
  }
}

CacheState StateOf(const fs::path& folder) {
  std::error_code error;
  const fs::file_status status = fs::status(folder, error);
  if (status.type() == fs::file_type::not_found) return CacheState::kFree;
  if (!fs::is_directory(status)) return CacheState::kForeign;
  if (const std::optional<std::string> tag = ReadPath(folder / kTagName)) {
    return IsOurTag(*tag) ? CacheState::kOurs : CacheState::kForeign;
  }
  // A writer was killed before it could leave the tag, or another run took the tag away with what it saw of the rest.
  const std::vector<fs::path> paths = ListFolder(folder);
  return std::all_of(paths.begin(), paths.end(), IsOfOurs) ? CacheState::kFree : CacheState::kForeign;
}

Result<int> RemoveCache(const fs::path& folder) {
  const CacheState state = StateOf(folder);
  std::error_code error;
  const bool empty = fs::is_empty(folder, error) && !error;
  if (state == CacheState::kForeign || (state == CacheState::kFree && empty)) {
    return cpnlint::Fail("`" + folder.string() + "` is no cache of cpnlint (it lacks our " + kTagName + "); it stays");
  }
  error.clear();
  // The tag goes last: while anything of ours is left, the next try knows the folder.
  for (const fs::path& path : ListFolder(folder)) {
    if (path.filename() != kTagName && !error) fs::remove_all(path, error);
  }
  if (!error) fs::remove_all(folder, error);
  if (error) return cpnlint::Fail("cannot remove `" + folder.string() + "`: " + error.message());
  return 0;
}

CacheFolder::CacheFolder(fs::path root, const std::string& build) : root_(std::move(root)), part_(root_ / build) {}

std::optional<std::string> CacheFolder::Read(const std::string& name) const {
  const File file(open((part_ / name).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) return std::nullopt;
  std::optional<std::string> bytes = ReadWhole(file.get());
  if (!bytes || !bytes->starts_with(kMagic)) return std::nullopt;
  const std::size_t end = bytes->find('\n', kMagic.size());
  if (end == std::string::npos) return std::nullopt;
  const std::string_view content = std::string_view(*bytes).substr(end + 1);
  if (std::string_view(*bytes).substr(0, end + 1) != Header(name, content)) return std::nullopt;
  bytes->erase(0, end + 1);
  struct stat status {};
  if (fstat(file.get(), &status) == 0 && Now() - status.st_mtim.tv_sec > kSecondsPerDay) {
    static_cast<void>(futimens(file.get(), nullptr));  // it was of use today; whoever may not say so need not
  }
  return bytes;
}

std::string CacheFolder::StampOf(const std::string& name) const {
  struct stat status {};
  if (stat((part_ / name).c_str(), &status) != 0) return {};
  return std::to_string(status.st_ino) + ' ' + std::to_string(status.st_mtim.tv_sec) + ' ' +
         std::to_string(status.st_mtim.tv_nsec);
}

bool CacheFolder::Prepare() {
  const std::lock_guard lock(mutex_);
  if (prepared_ || !problem_.empty()) return prepared_;
  const auto fail = [&](int error, const fs::path& path) {
    problem_ = "cannot write `" + path.string() + "`: " + std::generic_category().message(error);
    return false;
  };
  if (StateOf(root_) == CacheState::kForeign) {
    problem_ = "`" + root_.string() + "` is there already and is no cache of cpnlint";
    return false;
  }
  std::error_code error_code;
  fs::create_directories(root_, error_code);
  if (error_code) return fail(error_code.value(), root_);
  for (const auto& [name, text] : {std::pair(kTagName, kTag), std::pair(kIgnoreName, kIgnore)}) {
    const fs::path path = root_ / name;
    if (access(path.c_str(), F_OK) == 0) continue;
    if (const int error = WriteWhole(path, "", text)) return fail(error, path);
  }
  if (const int error = MakeFolder(part_)) return fail(error, part_);
  prepared_ = true;
  return true;
}

bool CacheFolder::PrepareAgain() {
  {
    const std::lock_guard lock(mutex_);
    prepared_ = false;
  }
  return Prepare();
}

void CacheFolder::Fail(int error, const fs::path& path) {
  if (error == EISDIR) return;  // in the place of this entry alone
  const std::lock_guard lock(mutex_);
  if (problem_.empty()) problem_ = "cannot write `" + path.string() + "`: " + std::generic_category().message(error);
}

std::string CacheFolder::problem() const {
  const std::lock_guard lock(mutex_);
  return problem_;
}

void CacheFolder::Write(const std::string& name, std::string_view content) {
  // After the first failure nothing is tried any more: a full disk does not get emptier by trying.
  if (!problem().empty() || !Prepare()) return;
  const fs::path path = part_ / name;
  const std::string header = Header(name, content);
  int error = WriteWhole(path, header, content);
  for (int i = 0; i < 2 && error == ENOENT; ++i) {
    error = MakeFolder(path.parent_path());
    if (error == ENOENT && PrepareAgain()) continue;  // somebody has removed the whole cache
    if (error == 0) error = WriteWhole(path, header, content);
  }
  if (error != 0) Fail(error, path);
}

void CacheFolder::Prune(const CacheLimits& limits, bool always) {
  const fs::path mark = part_ / kPruned;
  const std::optional<Entry> last = EntryAt(mark);
  const std::int64_t age = last ? Now() - last->used : kSecondsPerDay;
  // File systems may be a moment ahead of time(), whose clock ticks more coarsely.
  if (!always && std::abs(age) < kSecondsPerDay) return;
  if (!Prepare()) return;
  // First, so that two runs do not both do it.
  if (WriteWhole(mark, "", "") != 0) return;
  RemoveOldTemporaries(root_);
  RemoveOldTemporaries(part_);
  RemoveOldParts(root_, part_, limits.most_days);
  RemoveOldEntries(part_, limits);
}

}  // namespace cpnlint::cli
