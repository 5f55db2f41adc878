#pragma once

// Which files make which program: the modules that imports link (rules.md A.3), and what is read besides the files that
// were asked for.

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/ir/program.h"
#include "analyzer/source/discover.h"
#include "analyzer/source/file.h"
#include "analyzer/source/modules.h"

namespace cpnlint::cli {

class FileIndex;

// A file of the run.
struct Input {
  std::string path;
  bool named = false;    // stood on the command line itself
  bool given = false;    // its text came with the command: it cannot be read again
  bool context = false;  // not asked for: a module that an analysed file imports, read for facts and not reported
  source::LoadOutcome loaded;
  std::string trouble;  // the environment's: cannot be read
  double read_seconds = 0;
  std::size_t text_size = 0;
  bool dropped = false;              // its text waits no longer, but is read again for the analysis
  bool skipped = false;              // no array library is in its reach; its text was dropped again
  bool mentions = false;             // some array library, by name
  std::optional<Hash128> hash;       // of its bytes, where a cache wants it
  bool indexed = false;              // known from an earlier run, and not read
  bool changed = false;              // read for the analysis, it was no longer what has that hash
  std::vector<std::string> imports;  // as written (source::FindImports); until the plan is made

  [[nodiscard]] bool has_text() const { return loaded.file != nullptr || dropped; }
};

// Counts the bytes of the texts that wait for the analysis of their program. For several threads.
class WaitingTexts {
 public:
  // To read the rest of a large tree again costs less than to keep it.
  explicit WaitingTexts(std::size_t most = std::size_t{64} << 20) : most_(most) {}

  // Drops the text of a file again where too many wait already.
  void Add(Input& input);

 private:
  std::size_t most_;
  std::atomic<std::size_t> bytes_{0};
};

// The text is read again when somebody wants it.
void Drop(Input& input);
// Gets a dropped text back; false where the file can no longer be read.
[[nodiscard]] bool ReadAgain(Input& input);

struct LoweredModule {
  std::size_t position;  // of the input
  ir::ModuleId module;
};

// What an import statement meant.
struct Lookup {
  std::size_t importer = 0;  // position of the input
  std::string spelled;
  std::string found;  // a path; empty for none
};

// Answers what an import means. For several threads.
class Linker {
 public:
  // `roots`: files and folders that the user named.
  explicit Linker(const std::vector<std::string>& roots) : finder_(roots) {}

  [[nodiscard]] std::optional<std::string> Find(std::string_view importer, std::string_view spelled) const;
  // Connects the modules of a program, which were lowered from these inputs. `lookups`: what it asked for on the way,
  // each once; null where nobody wants to know.
  void Link(ir::Program& program, const std::vector<LoweredModule>& modules, const std::vector<Input*>& inputs,
            std::vector<Lookup>* lookups = nullptr) const;

 private:
  mutable std::mutex mutex_;
  mutable source::ModuleFinder finder_;
};

struct Plan {
  std::vector<std::unique_ptr<Input>> inputs;  // as given, then the context
  std::vector<std::vector<Input*>> programs;   // each by path; files without a text are in none
};

// A file that was asked for, read. It has a text only where it mentions an array library. With an index, a file that is
// known there is not read.
[[nodiscard]] std::unique_ptr<Input> ReadInput(const source::DiscoveredFile& file, WaitingTexts& waiting,
                                               FileIndex* index = nullptr);
// The same for a file whose text comes from elsewhere, which is kept in any case.
[[nodiscard]] std::unique_ptr<Input> MakeInput(const std::string& path, source::LoadOutcome loaded);

// Finds out which inputs an array library reaches, brings in the modules they import, and groups them.
[[nodiscard]] Plan MakePlan(std::vector<std::unique_ptr<Input>> inputs, const Linker& linker, WaitingTexts& waiting,
                            FileIndex* index = nullptr);

}  // namespace cpnlint::cli
