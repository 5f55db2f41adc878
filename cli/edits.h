#pragma once

// Changes to source files: said in the text that the analysis sees, made in the bytes that lie on the disk. Nothing
// else of a file changes: encoding, byte-order mark, line ends, a missing last line end, a notebook's JSON stay as they
// are.

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/result.h"
#include "analyzer/base/span.h"
#include "analyzer/source/file.h"

namespace cpnlint::cli {

struct Edit {
  Span span;         // in SourceFile::text; of a whole line, its end included
  std::string text;  // in its place; one line at most, without control characters
};

// A file as it is on the disk, read to be changed.
struct Editable {
  std::string path;
  std::string bytes;
  std::unique_ptr<source::SourceFile> file;
};
[[nodiscard]] Result<Editable> ReadToEdit(const std::string& path);

// Of the bytes.
struct RawEdit {
  std::size_t begin = 0, end = 0;
  std::string text;
};
// Where the edits are to be made in the bytes: in order, none touching another. They were tried out: what is read back
// is the text with the edits made. An error says, without the path, why that is not to be had.
[[nodiscard]] Result<std::vector<RawEdit>> LocateEdits(const Editable& from, std::vector<Edit> edits);

[[nodiscard]] std::string Applied(std::string_view bytes, const std::vector<RawEdit>& edits);
// A unified diff with three lines of context.
[[nodiscard]] std::string UnifiedDiff(const std::string& path, std::string_view bytes,
                                      const std::vector<RawEdit>& edits);

}  // namespace cpnlint::cli
