#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/hash.h"
#include "analyzer/base/result.h"
#include "analyzer/base/span.h"
#include "analyzer/source/line_index.h"
#include "analyzer/source/notebook.h"

namespace cpnlint::source {

// Something to tell about a file that was not, or not exactly, read.
struct LoadNote {
  enum class Kind : std::uint8_t { kEncoding, kTooLarge, kSkipped };
  Kind kind = Kind::kSkipped;
  std::string message;       // without the path; lower-case, no full stop
  std::uint32_t offset = 0;  // into SourceFile::text
};

// "encoding", "too-large", "skipped": the kinds of notes in the output.
std::string_view Name(LoadNote::Kind kind);

// One file, read. Not copied: `lines` looks into `text`. Held by unique_ptr so that its address never changes.
struct SourceFile {
  SourceFile() = default;
  SourceFile(const SourceFile&) = delete;
  SourceFile& operator=(const SourceFile&) = delete;

  std::string path;  // as shown: relative to the current directory where it lies below it, forward slashes
  // UTF-8, valid, in which all spans count. Of the bytes on disk it differs thus: other encodings are decoded; a byte
  // that cannot be decoded is `?` in ASCII's place (same length); a CR that no LF follows is a LF (same length); a
  // byte-order mark is kept. CRLF, tabs, form feeds are as they were. Of a notebook, the program that its cells make.
  std::string text;
  LineIndex lines;
  std::vector<LoadNote> notes;                  // about text that was read nevertheless
  std::unique_ptr<const NotebookMap> notebook;  // null where the file is no notebook

  // The line as its author sees it: in a notebook, before what IPython makes of it.
  [[nodiscard]] std::string_view LineText(std::uint32_t line) const {
    return notebook == nullptr ? lines.LineText(line) : notebook->LineText(lines, line);
  }
};

// Tells whether a file is what it was without reading it. Times are those of its file system, in nanoseconds.
struct FileStamp {
  std::uint64_t size = 0;
  std::int64_t modified = 0;  // its content; programs may set it as they like
  std::int64_t changed = 0;   // its content or anything else of it; the system alone sets it
  std::uint64_t inode = 0;

  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};
// nullopt where there is no regular file.
[[nodiscard]] std::optional<FileStamp> StampOf(const std::string& path);

struct LoadLimits {
  std::uint64_t max_bytes = 10'000'000;
  std::uint64_t max_notebook_bytes = 100'000'000;  // with its pictures; its code stays within max_bytes
  // A file that mentions none of these libraries (bits of Mention, prefilter.h) is passed over, mostly without being
  // decoded. 0: every file is wanted.
  std::uint32_t mentions = 0;
  bool fingerprint = false;  // fill in LoadOutcome::stamp and hash
};

// What came of one path: a file, or the reason why there is none.
struct LoadOutcome {
  std::unique_ptr<SourceFile> file;  // null when the file cannot be analysed, or is passed over
  bool passed_over = false;          // it mentions none of LoadLimits::mentions
  std::vector<std::string> imports;  // of a file that is passed over, as FindImports gives them
  // Set when there is no file: too large, binary (NUL bytes), a coding cookie nobody knows. Goes into the output as a
  // note.
  std::optional<LoadNote> refused;
  FileStamp stamp;  // from before it was read
  Hash128 hash;     // of its bytes; of a file refused for its size, of none
};

// Reads a file once. An Error is the user's environment: missing, not readable, a folder, a device; it names the path
// and what to do. A file beyond the limit is refused from its size alone.
Result<LoadOutcome> Load(const std::string& path, const LoadLimits& limits = {});

// The same for bytes that are already here (standard input, editor buffers). `shown_path` is taken as it is; one that
// ends in .ipynb makes them a notebook.
LoadOutcome LoadBytes(std::string shown_path, std::string bytes, const LoadLimits& limits = {});

// Reads standard input to its end, or until the limit is passed.
Result<LoadOutcome> LoadStandardInput(std::string shown_path, const LoadLimits& limits = {});

// The path as the output shows it: relative to the current directory where it lies below it, `.` and `x/..` resolved by
// spelling, forward slashes. Never touches the file. `outer`: what lies below this folder is shown relative, too.
std::string ShownPath(const std::string& path, const std::string& outer = {});

// The highest folder that these paths of the user's lead up to by `..`, absolute: what he names so is shown so. Empty
// where none of them does.
std::string OuterFolder(const std::vector<std::string>& paths);

}  // namespace cpnlint::source
