#pragma once

// Writes `# cpnlint: ignore[...]` into source files, and takes out those that silence nothing.

#include <string>
#include <vector>

#include "cli/edits.h"
#include "cli/options.h"
#include "cli/report/document.h"

namespace cpnlint::cli {

struct ChangedFile {
  std::string path;
  std::string bytes;  // as it is
  std::vector<RawEdit> edits;
};

struct Changes {
  std::vector<ChangedFile> files;     // by path
  std::size_t number = 0;             // of ignores that are written, or codes that are taken out
  std::vector<std::string> troubles;  // what could not be done; messages for the user
};

// Takes out the notes on codes that silence nothing where the run has not seen all that could need them: callers of the
// file, or findings under the target, sizes and files that the project's configuration tells.
void ForgetUnsettled(report::File& file, const Options& options);

// What takes out the codes that notes of kind `unused-ignore` name; an ignore without a code left goes as a whole.
// Files that were only partly analysed stay as they are: what looks unused may be needed in the rest.
[[nodiscard]] Changes RemoveUnusedIgnores(const report::Document& document);

// What silences each finding of the document, further places of merged ones included: behind its line where a comment
// may stand there, else behind its statement; into an ignore that already covers it.
[[nodiscard]] Changes AddIgnores(const report::Document& document, const std::string& reason);

}  // namespace cpnlint::cli
