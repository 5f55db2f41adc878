#include "analyzer/source/markers.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

#include "analyzer/source/discover.h"

namespace cpnlint::source {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostEntries = 20'000;  // of the project's folders
constexpr std::size_t kMostRead = 400;        // files that are looked into
constexpr std::size_t kMostBytes = 256 * 1024;
constexpr std::size_t kMostOfAKind = 5;
constexpr int kMostLevels = 12;

bool Contains(std::string_view text, std::string_view word) { return text.find(word) != std::string_view::npos; }

template <typename Words>
bool ContainsAny(std::string_view text, const Words& words) {
  return std::any_of(std::begin(words), std::end(words), [&](std::string_view word) { return Contains(text, word); });
}

std::string Lower(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

bool IsTest(std::string_view name) {
  return name.ends_with(".py") && (name.starts_with("test_") || name.ends_with("_test.py") || name == "tests.py");
}

bool IsScript(std::string_view name) {
  for (const std::string_view end : {".sh", ".slurm", ".sbatch", ".pbs", ".lsf", ".bash"}) {
    if (name.ends_with(end)) return true;
  }
  return name == "makefile" || name == "justfile";
}

bool IsCi(std::string_view name, std::string_view path) {
  if (name == "appveyor.yml" || name == ".appveyor.yml" || name == "azure-pipelines.yml") return true;
  return Contains(path, ".github/workflows/") && (name.ends_with(".yml") || name.ends_with(".yaml"));
}

// A word of its own: `legate --gpus 4`, not `delegate`.
bool HasCommand(std::string_view text, std::string_view word) {
  const auto is_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == '.' || c == '/';
  };
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool before = at == 0 || !is_word(text[at - 1]) || text[at - 1] == '/';
    if (before && end < text.size() && (text[end] == ' ' || text[end] == '\t')) return true;
  }
  return false;
}

std::string ReadSome(const fs::path& path) {
  std::error_code ignored;
  std::ifstream file(path, std::ios::binary);
  std::string text(std::min<std::uintmax_t>(fs::file_size(path, ignored), kMostBytes), '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, file.gcount())));
  return text;
}

void Keep(std::vector<std::string>& found, const std::string& path) {
  if (std::find(found.begin(), found.end(), path) == found.end()) found.push_back(path);
}

fs::path ProjectOf(const std::vector<std::string>& paths) {
  std::error_code ignored;
  fs::path start = fs::absolute(paths.empty() ? "." : paths.front(), ignored).lexically_normal();
  if (!fs::is_directory(start, ignored)) start = start.parent_path();
  fs::path at = start;
  for (int level = 0; level < kMostLevels; ++level) {
    for (const char* sign : {".git", "pyproject.toml", "setup.py", "setup.cfg"}) {
      if (fs::exists(at / sign, ignored)) return at;
    }
    if (at == at.parent_path()) break;
    at = at.parent_path();
  }
  return start;
}

class Walk {
 public:
  explicit Walk(fs::path root) : root_(std::move(root)) {}

  Markers Take() {
    std::vector<std::string> files;
    List(files);
    std::sort(files.begin(), files.end());
    for (const std::string& file : files) See(file);
    for (auto* list : {&found_.launchers, &found_.benchmarks, &found_.references, &found_.tolerance_tests,
                       &found_.exact_tests, &found_.other_systems}) {
      std::sort(list->begin(), list->end());
      if (list->size() > kMostOfAKind) list->resize(kMostOfAKind);
    }
    return std::move(found_);
  }

 private:
  static bool IsLeftOut(const std::string& name) {
    if (name == ".github") return false;
    if (name.starts_with(".")) return true;
    const std::vector<std::string>& patterns = DefaultExcludes();
    return std::find(patterns.begin(), patterns.end(), name) != patterns.end() ||
           std::find(patterns.begin(), patterns.end(), name + "/") != patterns.end();
  }

  // Breadth first, so that a huge folder of data does not keep what lies beside it out of the budget.
  void List(std::vector<std::string>& files) {
    std::vector<fs::path> folders = {root_};
    std::size_t entries = 0;
    for (std::size_t i = 0; i < folders.size() && entries < kMostEntries; ++i) {
      std::error_code error;
      std::vector<fs::directory_entry> here;
      for (fs::directory_iterator at(folders[i], error), end; !error && at != end; at.increment(error)) {
        here.push_back(*at);
        if (++entries == kMostEntries) break;
      }
      std::sort(here.begin(), here.end());
      for (const fs::directory_entry& entry : here) {
        std::error_code ignored;
        if (entry.is_symlink(ignored)) continue;
        const std::string name = entry.path().filename().string();
        if (entry.is_directory(ignored)) {
          if (!IsLeftOut(name)) folders.push_back(entry.path());
        } else if (entry.is_regular_file(ignored)) {
          files.push_back(entry.path().lexically_relative(root_).generic_string());
        }
      }
    }
  }

  void See(const std::string& path) {
    const std::string lower = Lower(path);
    const std::size_t slash = lower.rfind('/');
    const std::string_view name = std::string_view(lower).substr(slash == std::string::npos ? 0 : slash + 1);
    if (name == "asv.conf.json" || (name.ends_with(".py") && Contains(lower, "bench"))) Keep(found_.benchmarks, path);
    SeeReference(path, lower);
    const bool test = IsTest(name);
    if (!(test || IsScript(name) || IsCi(name, lower)) || read_ == kMostRead) return;
    ++read_;
    const std::string text = ReadSome(root_ / path);
    if (test) {
      constexpr std::array kTolerance = {"allclose", "isclose", "assert_almost_equal", "approx("};
      if (ContainsAny(text, kTolerance)) Keep(found_.tolerance_tests, path);
      if (Contains(text, "hashlib") && Contains(text, ".tobytes(")) Keep(found_.exact_tests, path);
    } else if (IsScript(name)) {
      for (const std::string_view word : {"mpirun", "mpiexec", "srun", "legate"}) {
        if (HasCommand(text, word)) Keep(found_.launchers, path);
      }
    } else if (Contains(text, "macos-") || Contains(text, "windows-") || name.ends_with("appveyor.yml")) {
      Keep(found_.other_systems, path);
    }
  }

  void SeeReference(const std::string& path, const std::string& lower) {
    for (const std::string_view folder :
         {"reference/", "references/", "expected/", "golden/", "baseline/", "baselines/"}) {
      const std::size_t at = lower.find(folder);
      if (at == std::string::npos || (at > 0 && lower[at - 1] != '/')) continue;
      Keep(found_.references, path.substr(0, at + folder.size()));
    }
  }

  fs::path root_;
  Markers found_;
  std::size_t read_ = 0;
};

}  // namespace

Markers FindMarkers(const std::vector<std::string>& paths) { return Walk(ProjectOf(paths)).Take(); }

}  // namespace cpnlint::source
