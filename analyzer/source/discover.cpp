#include "analyzer/source/discover.h"

#include <dirent.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <deque>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>

#include "analyzer/source/file.h"
#include "analyzer/source/ignore.h"

namespace cpnlint::source {
namespace {

namespace fs = std::filesystem;

bool StartsWith(std::string_view text, std::string_view prefix) { return text.substr(0, prefix.size()) == prefix; }
bool EndsWith(std::string_view text, std::string_view suffix) {
  return text.size() >= suffix.size() && text.substr(text.size() - suffix.size()) == suffix;
}

// What rules.md calls test files: by the file's name, and by the folders between the walk's root and it. What
// `setup_package.py` says, `setup.py` asks for: the extensions of one folder.
bool IsTestFile(const std::string& name, bool in_docs) {
  return StartsWith(name, "test_") || EndsWith(name, "_test.py") || EndsWith(name, "_test.ipynb") ||
         name == "conftest.py" || name == "setup.py" || name == "setup_package.py" || (in_docs && name == "conf.py");
}

bool IsPythonName(const std::string& name) { return EndsWith(name, ".py") || EndsWith(name, ".ipynb"); }

// Python's own tests, and those of many packages, lie in `test/`.
bool IsTestFolder(const std::string& name) { return name == "tests" || name == "test" || name == "testing"; }

bool IsDocsFolder(const std::string& name) { return name == "docs" || name == "doc"; }

// The ignore files that hold in a folder; each points to the one of the folder above.
struct Scope {
  std::shared_ptr<const Scope> outer;
  IgnoreFile file;
};
using ScopePtr = std::shared_ptr<const Scope>;

bool IsIgnored(const ScopePtr& scope, const std::string& path, bool is_folder) {
  for (const Scope* at = scope.get(); at != nullptr; at = at->outer.get()) {
    const IgnoreVerdict verdict = Match(at->file, path, is_folder);
    if (verdict != IgnoreVerdict::kNoMatch) return verdict == IgnoreVerdict::kIgnored;
  }
  return false;
}

ScopePtr WithFile(ScopePtr outer, const fs::path& file, const std::string& base) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return outer;
  std::ostringstream text;
  text << stream.rdbuf();
  IgnoreFile parsed = ParseIgnoreFile(base, text.str());
  if (parsed.patterns.empty()) return outer;
  return std::make_shared<const Scope>(Scope{std::move(outer), std::move(parsed)});
}

// The ignore files above a folder: those of the git repository that it lies in; outside of one, those from the current
// directory down, so that naming a folder gives what walking from here gives.
ScopePtr ScopeAbove(const fs::path& folder, const fs::path& here) {
  std::error_code error;
  std::vector<fs::path> above;  // from the folder's parent upwards
  std::size_t top = 0;          // so many of them count
  bool in_repository = false;
  for (fs::path at = folder;; at = at.parent_path()) {
    in_repository = fs::exists(at / ".git", error);
    if (at != folder) above.push_back(at);
    if (at == here || in_repository) top = above.size();
    if (in_repository || at == at.parent_path()) break;
  }
  ScopePtr scope;
  if (in_repository) {
    const fs::path& repository = top == 0 ? folder : above[top - 1];
    scope = WithFile(nullptr, repository / ".git" / "info" / "exclude", repository.string());
  }
  for (std::size_t i = top; i-- > 0;) scope = WithFile(scope, above[i] / ".gitignore", above[i].string());
  return scope;
}

// A folder that waits to be listed.
struct Folder {
  std::string path;       // absolute, as reached
  std::string canonical;  // without links
  ScopePtr scope;
  bool in_docs = false;
  bool named = false;  // stood on the command line itself
};

std::string Below(const std::string& folder, const std::string& name) {
  return folder.back() == '/' ? folder + name : folder + '/' + name;
}

// What a folder holds.
struct Entry {
  enum class Type { kFile, kFolder, kLink, kOther };
  std::string name;
  Type type = Type::kOther;
};

Entry::Type TypeOf(const std::string& path, unsigned char told) {
  switch (told) {
    case DT_REG: return Entry::Type::kFile;
    case DT_DIR: return Entry::Type::kFolder;
    case DT_LNK: return Entry::Type::kLink;
    case DT_UNKNOWN: break;  // some file systems do not tell
    default: return Entry::Type::kOther;
  }
  struct stat status {};
  if (lstat(path.c_str(), &status) != 0) return Entry::Type::kOther;
  if (S_ISREG(status.st_mode)) return Entry::Type::kFile;
  if (S_ISDIR(status.st_mode)) return Entry::Type::kFolder;
  return S_ISLNK(status.st_mode) ? Entry::Type::kLink : Entry::Type::kOther;
}

// The entries of a folder by name; std::filesystem's iterator takes ten times as long. The error that ended it, or 0.
int ListFolder(const std::string& path, std::vector<Entry>& entries) {
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir(path.c_str()), &closedir);
  if (folder == nullptr) return errno;
  while (true) {
    errno = 0;
    const dirent* entry = readdir(folder.get());
    if (entry == nullptr) break;
    std::string name = entry->d_name;
    if (name == "." || name == "..") continue;
    const Entry::Type type = TypeOf(Below(path, name), entry->d_type);
    entries.push_back({std::move(name), type});
  }
  const int error = errno;
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.name < b.name; });
  return error;
}

struct Candidate {
  std::string shown;
  std::string canonical;
  bool named = false;
  bool through_link = false;
};

class Walker {
 public:
  Walker(const DiscoverOptions& options, fs::path here) : options_(options), here_(std::move(here)) {
    AddPatterns(options.exclude_base, options.exclude.empty() ? DefaultExcludes() : options.exclude);
    AddPatterns("", options.extend_exclude);
    for (const DiscoverOptions::Excludes& more : options.more_excludes) AddPatterns(more.base, more.patterns);
  }

  Result<Discovery> Run(const std::vector<std::string>& paths) {
    outer_ = OuterFolder(paths);
    for (const std::string& path : paths) {
      if (std::optional<Error> error = AddRoot(path)) return tl::make_unexpected(*error);
    }
    // Links last, so that a file is shown under its own path where it has one.
    while (!folders_.empty() || !links_.empty()) {
      std::deque<Folder>& queue = folders_.empty() ? links_ : folders_;
      const Folder folder = std::move(queue.front());
      queue.pop_front();
      if (visited_.insert(folder.canonical).second) List(folder);
    }
    return Finish();
  }

 private:
  void AddPatterns(const std::string& base, const std::vector<std::string>& patterns) {
    IgnoreFile file{base.empty() ? here_.string() : base, {}};
    for (std::string_view text : patterns) {
      // `./old` and absolute spellings of paths below the folder mean the same as `/old`.
      std::string line(text);
      if (StartsWith(line, "./")) line.erase(0, 1);
      if (StartsWith(line, file.base + "/")) line.erase(0, file.base.size());
      IgnorePattern pattern;
      if (ParseIgnorePattern(line, pattern)) file.patterns.push_back(std::move(pattern));
    }
    if (!file.patterns.empty()) excludes_.push_back(std::move(file));
  }

  // The last pattern that speaks of it decides.
  bool IsExcluded(const std::string& path, bool is_folder) const {
    for (auto file = excludes_.rbegin(); file != excludes_.rend(); ++file) {
      const IgnoreVerdict verdict = Match(*file, path, is_folder);
      if (verdict != IgnoreVerdict::kNoMatch) return verdict == IgnoreVerdict::kIgnored;
    }
    return false;
  }

  std::optional<Error> AddRoot(const std::string& path) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (status.type() == fs::file_type::not_found) {
      return Error{"no such file or folder: `" + path + "`; check the spelling, or the folder you are in"};
    }
    const fs::path canonical = fs::canonical(path, error);
    if (error) {
      return Error{"cannot read `" + path + "`: " + error.message() +
                   "; make it accessible, or leave it out of the command"};
    }
    const fs::path absolute = WithoutSlash((here_ / path).lexically_normal());
    if (fs::is_directory(status)) {
      if (options_.force_exclude && IsForbidden(canonical, true)) return std::nullopt;
      const ScopePtr scope = options_.respect_gitignore ? ScopeAbove(canonical, here_) : nullptr;
      folders_.push_back({absolute.string(), canonical.string(), scope, false, true});
      return std::nullopt;
    }
    if (!fs::is_regular_file(status)) {
      return Error{"cannot read `" + path +
                   "`: it is neither a file nor a folder; to analyse a stream, pass it on standard input with `-`"};
    }
    if (options_.force_exclude && IsForbidden(canonical, false)) return std::nullopt;
    candidates_.push_back({ShownPath(absolute.string(), outer_), canonical.string(), true, false});
    return std::nullopt;
  }

  static fs::path WithoutSlash(const fs::path& path) { return path.has_filename() ? path : path.parent_path(); }

  // For paths named on the command line under --force-exclude: the path itself or a folder above it is left out.
  bool IsForbidden(const fs::path& canonical, bool is_folder) const {
    const ScopePtr scope = options_.respect_gitignore ? ScopeAbove(canonical, here_) : nullptr;
    std::string path = canonical.string();
    bool folder = is_folder;
    while (path.size() > 1) {
      if (IsExcluded(path, folder) || IsIgnored(scope, path, folder)) return true;
      path.erase(path.rfind('/'));
      folder = true;
    }
    return !is_folder && !options_.include_tests && IsTestFile(canonical.filename().string(), false);
  }

  void List(const Folder& folder) {
    std::vector<Entry> entries;
    if (const int error = ListFolder(folder.path, entries); error != 0) {
      const std::string reason = std::generic_category().message(error);
      skipped_.push_back({ShownPath(folder.path, outer_), "cannot list this folder: " + reason});
    }
    const auto holds = [&](const char* name) {
      return std::any_of(entries.begin(), entries.end(), [&](const Entry& entry) { return entry.name == name; });
    };
    // A virtual environment under a name of the user's.
    if (!folder.named && options_.exclude.empty() && holds("pyvenv.cfg")) return;
    listed_.push_back(folder.path);
    ScopePtr scope = folder.scope;
    if (options_.respect_gitignore && holds(".gitignore")) {
      scope = WithFile(scope, Below(folder.path, ".gitignore"), folder.canonical);
    }
    const std::string shown = ShownPath(folder.path, outer_);
    for (const Entry& entry : entries) Visit(folder, scope, shown, entry);
  }

  // `shown` is how the folder is shown.
  void Visit(const Folder& folder, const ScopePtr& scope, const std::string& shown, const Entry& entry) {
    const std::string& name = entry.name;
    if (entry.type == Entry::Type::kOther) return;
    if (entry.type == Entry::Type::kFile && !IsPythonName(name)) return;
    const std::string path = Below(folder.path, name);
    const bool link = entry.type == Entry::Type::kLink;
    std::error_code error;
    const fs::file_status target = link ? fs::status(path, error) : fs::file_status();
    const bool is_folder = link ? fs::is_directory(target) : entry.type == Entry::Type::kFolder;
    if (!is_folder && !IsPythonName(name)) return;
    if (!options_.include_tests && (is_folder ? IsTestFolder(name) : IsTestFile(name, folder.in_docs))) return;
    if (IsExcluded(path, is_folder)) return;
    std::string canonical = Below(folder.canonical, name);
    if (IsIgnored(scope, canonical, is_folder)) return;
    const auto shown_path = [&] { return shown == "." ? name : Below(shown, name); };
    if (link) {
      canonical = fs::canonical(path, error).string();
      if (error) {
        skipped_.push_back({shown_path(), "a link that leads nowhere: " + error.message()});
        return;
      }
    }
    if (is_folder) {
      (link ? links_ : folders_).push_back({path, std::move(canonical), scope, folder.in_docs || IsDocsFolder(name)});
      return;
    }
    if (link && !fs::is_regular_file(target)) return;
    const bool through_link = link || folder.path != folder.canonical;
    candidates_.push_back({shown_path(), std::move(canonical), false, through_link});
  }

  Discovery Finish() {
    // Of several spellings of one file: the one named on the command line, then the one without links, then by name.
    std::sort(candidates_.begin(), candidates_.end(), [](const Candidate& a, const Candidate& b) {
      return std::make_tuple(std::string_view(a.canonical), !a.named, a.through_link, std::string_view(a.shown)) <
             std::make_tuple(std::string_view(b.canonical), !b.named, b.through_link, std::string_view(b.shown));
    });
    Discovery result;
    const std::string* previous = nullptr;
    for (Candidate& candidate : candidates_) {
      if (previous != nullptr && *previous == candidate.canonical) continue;
      result.files.push_back({std::move(candidate.shown), candidate.named});
      previous = &candidate.canonical;
    }
    std::sort(result.files.begin(), result.files.end(),
              [](const DiscoveredFile& a, const DiscoveredFile& b) { return a.path < b.path; });
    std::sort(skipped_.begin(), skipped_.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
    result.skipped = std::move(skipped_);
    result.folders = std::move(listed_);
    return result;
  }

  const DiscoverOptions& options_;
  fs::path here_;
  std::string outer_;  // paths below it are shown relative
  std::vector<IgnoreFile> excludes_;
  std::deque<Folder> folders_;
  std::deque<Folder> links_;
  std::set<std::string> visited_;
  std::vector<Candidate> candidates_;
  std::vector<Discovery::Skipped> skipped_;
  std::vector<std::string> listed_;
};

}  // namespace

const std::vector<std::string>& DefaultExcludes() {
  static const std::vector<std::string> excludes = {
      ".bzr/",
      ".cpnlint_cache/",
      ".direnv/",
      ".eggs/",
      ".git/",
      ".hg/",
      ".ipynb_checkpoints/",
      ".mypy_cache/",
      ".nox/",
      ".pants.d/",
      ".pyenv/",
      ".svn/",
      ".pytest_cache/",
      ".pytype/",
      ".ruff_cache/",
      ".tox/",
      ".venv/",
      ".vscode/",
      "venv/",
      "__cython__/",  // what transonic writes for its compilers: copies of functions of the program
      "__numba__/",
      "__pycache__/",
      "__pypackages__/",
      "__python__/",
      "__pythran__/",
      "_build/",
      "buck-out/",
      "build/",
      "dist/",
      "node_modules/",
      "site-packages/",
      "*.egg-info/",
  };
  return excludes;
}

Result<Discovery> Discover(const std::vector<std::string>& paths, const DiscoverOptions& options) {
  std::error_code error;
  const fs::path here = fs::current_path(error);
  if (error) return Fail("cannot tell the current directory: " + error.message() + "; change to one that exists");
  return Walker(options, here).Run(paths.empty() ? std::vector<std::string>{"."} : paths);
}

}  // namespace cpnlint::source
