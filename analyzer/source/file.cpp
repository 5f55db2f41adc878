#include "analyzer/source/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "analyzer/source/encoding.h"
#include "analyzer/source/prefilter.h"

namespace cpnlint::source {
namespace {

namespace fs = std::filesystem;

// Closes a file descriptor with its scope.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ > STDIN_FILENO) close(fd_);
  }
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

std::string Reason(int error) { return std::generic_category().message(error); }

std::string Cure(int error) {
  switch (error) {
    case ENOENT: return "check the spelling, or the folder you are in";
    case EACCES:
    case EPERM: return "make it readable (chmod +r), or leave it out with --exclude";
    case ELOOP: return "it is a link that leads back to itself: leave it out with --exclude";
    default: return "leave it out with --exclude, or see why the system refuses it";
  }
}

Error CannotRead(const std::string& path, int error) {
  return {"cannot read `" + path + "`: " + Reason(error) + "; " + Cure(error)};
}

std::string Megabytes(std::uint64_t bytes) {
  const std::uint64_t tenths = (bytes + 50'000) / 100'000;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " MB";
}

std::uint64_t LimitOf(const std::string& path, const LoadLimits& limits) {
  return IsNotebookPath(path) ? std::max(limits.max_notebook_bytes, limits.max_bytes) : limits.max_bytes;
}

LoadNote TooLarge(std::uint64_t size, const std::string& path, std::uint64_t limit, bool exact) {
  return {LoadNote::Kind::kTooLarge,
          (exact ? "" : "more than ") + Megabytes(size) + " are too much for a " +
              (IsNotebookPath(path) ? "notebook" : "source file") + " (limit " + Megabytes(limit) + "); not analysed",
          0};
}

// Reads until the end or past the limit.
Result<std::string> ReadAll(int fd, const std::string& path, std::uint64_t size_hint, std::uint64_t limit) {
  std::string bytes;
  bytes.resize(size_hint + 1);
  std::size_t used = 0;
  while (used <= limit) {
    if (used == bytes.size()) bytes.resize(bytes.size() * 2 + 4096);
    const ssize_t got = read(fd, bytes.data() + used, bytes.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return tl::make_unexpected(CannotRead(path, errno));
    if (got == 0) break;
    used += static_cast<std::size_t>(got);
  }
  bytes.resize(used);
  return bytes;
}

// Whether `lexically_normal` would leave the path as it is, plainly.
bool IsNormal(std::string_view path) {
  return !path.empty() && path != "." && path.substr(0, 2) != "./" && path.find("//") == std::string_view::npos &&
         path.find("/./") == std::string_view::npos && path.find("..") == std::string_view::npos &&
         !(path.size() > 1 && path.substr(path.size() - 2) == "/.");
}

FileStamp StampFrom(const struct stat& status) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  const auto nanoseconds = [](const timespec& time) { return std::int64_t{time.tv_sec} * kSecond + time.tv_nsec; };
  return {static_cast<std::uint64_t>(status.st_size), nanoseconds(status.st_mtim), nanoseconds(status.st_ctim),
          static_cast<std::uint64_t>(status.st_ino)};
}

LoadOutcome Refuse(LoadNote::Kind kind, std::string message) {
  LoadOutcome outcome;
  outcome.refused = LoadNote{kind, std::move(message), 0};
  return outcome;
}

LoadNote BadBytes(const Decoded& decoded, std::size_t line, std::uint32_t offset) {
  const std::string count = std::to_string(decoded.bad) + (decoded.bad == 1 ? " byte is" : " bytes are");
  return {LoadNote::Kind::kEncoding,
          count + " not valid " + decoded.encoding + ", the first in line " + std::to_string(line) + "; read as `?`",
          offset};
}

LoadOutcome LoadNotebook(std::string path, const Decoded& json, const LoadLimits& limits) {
  Notebook notebook = ReadNotebook(json.text);
  if (!notebook.problem.empty() && !notebook.foreign) return Refuse(LoadNote::Kind::kSkipped, notebook.problem);
  LoadOutcome outcome;
  if (notebook.text.size() > limits.max_bytes) {
    outcome.refused = TooLarge(notebook.text.size(), "", limits.max_bytes, true);
    return outcome;
  }
  outcome.file = std::make_unique<SourceFile>();
  SourceFile& file = *outcome.file;
  file.path = std::move(path);
  file.text = std::move(notebook.text);
  file.lines = LineIndex(file.text);
  file.notebook = std::make_unique<const NotebookMap>(std::move(notebook.map));
  if (notebook.foreign) file.notes.push_back({LoadNote::Kind::kSkipped, notebook.problem, 0});
  if (json.first_bad) {
    const auto end = json.text.begin() + static_cast<std::ptrdiff_t>(*json.first_bad);
    const auto line = static_cast<std::size_t>(std::count(json.text.begin(), end, '\n')) + 1;
    file.notes.push_back(BadBytes(json, line, 0));
  }
  return outcome;
}

}  // namespace

std::string_view Name(LoadNote::Kind kind) {
  switch (kind) {
    case LoadNote::Kind::kEncoding: return "encoding";
    case LoadNote::Kind::kTooLarge: return "too-large";
    case LoadNote::Kind::kSkipped: return "skipped";
  }
  return "skipped";
}

std::optional<FileStamp> StampOf(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return StampFrom(status);
}

std::string ShownPath(const std::string& path, const std::string& outer) {
  std::string shown = IsNormal(path) ? path : fs::path(path).lexically_normal().generic_string();
  if (shown.empty() || shown.front() != '/') return shown;
  std::error_code error;
  const std::string here = fs::current_path(error).string();
  if (error) return shown;
  const std::size_t below = here.size() + (here.back() == '/' ? 0 : 1);  // the root alone ends in a slash
  if (shown == here || shown == here + '/') return ".";
  if (shown.size() > below && shown[below - 1] == '/' && shown.compare(0, here.size(), here) == 0) {
    return shown.substr(below);
  }
  if (outer.empty() || !(shown == outer || shown.starts_with(outer.back() == '/' ? outer : outer + '/'))) return shown;
  return fs::path(shown).lexically_relative(here).generic_string();
}

std::string OuterFolder(const std::vector<std::string>& paths) {
  std::ptrdiff_t most = 0;
  for (const std::string& path : paths) {
    const fs::path normal = fs::path(path).lexically_normal();
    most = std::max(most, std::count(normal.begin(), normal.end(), ".."));
  }
  std::error_code error;
  fs::path folder = fs::current_path(error);
  if (most == 0 || error) return {};
  for (; most > 0; --most) folder = folder.parent_path();
  return folder.string();
}

LoadOutcome LoadBytes(std::string shown_path, std::string bytes, const LoadLimits& limits) {
  const std::uint64_t limit = LimitOf(shown_path, limits);
  if (bytes.size() > limit) {
    LoadOutcome outcome;
    outcome.refused = TooLarge(bytes.size(), shown_path, limit, true);
    return outcome;
  }
  // Most files of a tree end here; not notebooks, whose escapes hide words (`\nnumpy`).
  if (limits.mentions != 0 && !IsNotebookPath(shown_path) && !MayMentionAny(bytes, limits.mentions) &&
      KeepsAscii(bytes) && bytes.find('\0') == std::string::npos) {
    LoadOutcome outcome;
    outcome.passed_over = true;
    outcome.imports = FindImports(bytes);
    return outcome;
  }
  const std::string cookie(CodingCookie(bytes));
  std::optional<Decoded> decoded = DecodeSource(std::move(bytes));
  if (!decoded) {
    return Refuse(LoadNote::Kind::kEncoding,
                  "unknown encoding `" + cookie + "` in its coding comment; save the file as UTF-8");
  }
  if (decoded->text.find('\0') != std::string::npos) {
    return Refuse(LoadNote::Kind::kSkipped, "binary file (it has NUL bytes); not analysed");
  }
  if (IsNotebookPath(shown_path)) return LoadNotebook(std::move(shown_path), *decoded, limits);
  LoadOutcome outcome;
  outcome.passed_over = limits.mentions != 0 && !MentionsAny(decoded->text, limits.mentions);
  if (outcome.passed_over) {
    outcome.imports = FindImports(decoded->text);
    return outcome;
  }
  // Decoding may make the text longer, up to threefold; offsets still fit by far.
  outcome.file = std::make_unique<SourceFile>();
  SourceFile& file = *outcome.file;
  file.path = std::move(shown_path);
  file.text = std::move(decoded->text);
  MendLineEnds(file.text);
  file.lines = LineIndex(file.text);
  if (decoded->first_bad) {
    const auto offset = static_cast<std::uint32_t>(*decoded->first_bad);
    file.notes.push_back(BadBytes(*decoded, file.lines.LineOf(offset), offset));
  }
  return outcome;
}

Result<LoadOutcome> Load(const std::string& path, const LoadLimits& limits) {
  // Not to wait for a writer when the path is a pipe.
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) return tl::make_unexpected(CannotRead(path, errno));
  struct stat status {};
  if (fstat(file.get(), &status) != 0) return tl::make_unexpected(CannotRead(path, errno));
  if (S_ISDIR(status.st_mode)) return Fail("cannot read `" + path + "`: it is a folder; name a file in it");
  if (!S_ISREG(status.st_mode)) {
    return Fail("cannot read `" + path +
                "`: it is no regular file; to analyse a stream, pass it on standard input with `-`");
  }
  const auto size = static_cast<std::uint64_t>(status.st_size);
  const std::uint64_t limit = LimitOf(path, limits);
  if (size > limit) {
    LoadOutcome outcome;
    outcome.refused = TooLarge(size, path, limit, true);
    outcome.stamp = StampFrom(status);
    return outcome;
  }
  Result<std::string> bytes = ReadAll(file.get(), path, size, limit);
  if (!bytes) return tl::make_unexpected(bytes.error());
  const Hash128 hash = limits.fingerprint ? HashBytes(*bytes) : Hash128{};
  // Most files end there, so how the path is shown is asked for only where there is a file.
  LoadOutcome outcome = LoadBytes(path, std::move(*bytes), limits);
  if (outcome.file != nullptr) outcome.file->path = ShownPath(path);
  outcome.stamp = StampFrom(status);
  outcome.hash = hash;
  return outcome;
}

Result<LoadOutcome> LoadStandardInput(std::string shown_path, const LoadLimits& limits) {
  const std::uint64_t limit = LimitOf(shown_path, limits);
  Result<std::string> bytes = ReadAll(STDIN_FILENO, "-", 65536, limit);
  if (!bytes) return tl::make_unexpected(bytes.error());
  if (bytes->size() > limit) {
    LoadOutcome outcome;
    outcome.refused = TooLarge(limit, shown_path, limit, false);
    return outcome;
  }
  return LoadBytes(std::move(shown_path), std::move(*bytes), limits);
}

}  // namespace cpnlint::source
