#include "cli/targets.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <map>
#include <system_error>

#include "cli/baseline.h"

namespace cpnlint::cli {
namespace {

namespace fs = std::filesystem;

constexpr auto kPythonEndings = std::to_array<std::string_view>({".py", ".ipynb", ".pyi", ".pyw", ".pyx"});
constexpr auto kSettingsNames = std::to_array<std::string_view>({".gitignore", ".gitattributes", "setup.cfg"});

struct Target {
  std::string option;  // "--output"
  std::string path;
  std::string use = {};  // "json"
};

// Links resolved: two names of one file are equal.
fs::path RealPath(const std::string& path) {
  std::error_code error;
  const fs::path absolute = fs::absolute(path, error).lexically_normal();
  const fs::path real = fs::weakly_canonical(absolute, error);
  return error ? absolute : real;
}

bool IsFile(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

// A pipe, /dev/stderr: something that takes text and keeps none.
bool IsDevice(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored) && !fs::is_regular_file(path, ignored) && !fs::is_directory(path, ignored);
}

// What a name says of the file, where people or tools would miss it: whether or not this run reads it.
std::string_view KindByName(const std::string& path) {
  const fs::path real = RealPath(path);
  const std::string ending = real.extension().string(), name = real.filename().string();
  if (std::find(kPythonEndings.begin(), kPythonEndings.end(), ending) != kPythonEndings.end()) return "Python file";
  const bool settings =
      ending == ".toml" || std::find(kSettingsNames.begin(), kSettingsNames.end(), name) != kSettingsNames.end();
  return settings ? "configuration file" : "";
}

Result<int> CheckName(const Target& target) {
  const std::string_view kind = KindByName(target.path);
  if (kind.empty()) return 0;
  return Fail(target.option + ": `" + target.path + "` is the name of a " + std::string(kind) + ", which " +
              (IsFile(target.path) ? "would be lost" : "the next run would read") +
              "; name another file, for example `" + fs::path(target.path).replace_extension(".json").string() + '`');
}

Result<int> CheckPlace(const Target& target) {
  const std::string quoted = '`' + target.path + '`';
  const fs::path real = RealPath(target.path);
  std::error_code ignored;
  if (IsDevice(target.path)) {
    if (access(target.path.c_str(), W_OK) == 0) return 0;
    return Fail(target.option + ": cannot write " + quoted + ": " + std::generic_category().message(errno));
  }
  if (fs::is_directory(real, ignored)) {
    return Fail(target.option + ": " + quoted + " is a folder; name a file in it, for example `" +
                (fs::path(target.path) / "cpnlint.json").string() + '`');
  }
  const fs::path folder = real.parent_path();
  if (!fs::is_directory(folder, ignored)) {
    const std::string shown = fs::path(target.path).parent_path().string();
    return Fail(target.option + ": cannot write " + quoted + ": there is no folder `" + shown + "`; make it first");
  }
  // A file is replaced by another one, which is made beside it; one that may only be read is meant to stay.
  const bool exists = fs::exists(real, ignored);
  const bool writable = (!exists || access(real.c_str(), W_OK) == 0) && access(folder.c_str(), W_OK | X_OK) == 0;
  if (writable) return 0;
  return Fail(target.option + ": cannot write " + quoted + ": " + std::generic_category().message(errno));
}

// A baseline takes the place of a baseline, whatever became of it, and of nothing else.
Result<int> CheckBaseline(const Target& target) {
  if (!IsFile(target.path)) return 0;
  std::ifstream stream(target.path, std::ios::binary);
  std::string begin(4096, '\0');
  stream.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  begin.resize(static_cast<std::size_t>(stream.gcount()));
  if (begin.find_first_not_of(" \t\r\n") == std::string::npos || LooksLikeBaseline(begin)) return 0;
  return Fail(target.option + ": `" + target.path +
              "` is there already and is no baseline of cpnlint; name another file, or remove this one first");
}

Result<int> CheckEach(const std::vector<Target>& targets) {
  for (const Target& target : targets) {
    if (auto good = CheckName(target); !good) return good;
    if (auto good = CheckPlace(target); !good) return good;
  }
  return 0;
}

}  // namespace

Result<int> CheckTarget(const std::string& option, const std::string& path) { return CheckEach({{option, path}}); }

Result<int> CheckTargets(const Options& options, const std::vector<std::string>& read) {
  std::vector<Target> targets;
  for (const OutputFile& output : options.outputs) targets.push_back({"--output", output.path, output.format});
  if (!options.write_baseline.empty()) targets.push_back({"--write-baseline", options.write_baseline, "the baseline"});
  std::map<fs::path, std::string> taken;  // and what for
  for (const std::string& path : options.arguments) {
    if (path != "-" && IsFile(path)) taken.emplace(RealPath(path), "is one of the files to be analysed");
  }
  for (const std::string& path : read) taken.emplace(RealPath(path), "is read by this run and would be lost");
  for (const std::string& path : options.argument_files) {
    taken.emplace(RealPath(path), "holds arguments of this run and would be lost");
  }
  for (const std::string* path : {&options.baseline, &options.ratchet}) {
    if (!path->empty()) taken.emplace(RealPath(*path), "is read by this run and would be lost");
  }
  std::map<fs::path, std::string> written;
  for (const Target& target : targets) {
    const fs::path real = RealPath(target.path);
    if (IsDevice(target.path)) continue;
    if (const auto known = taken.find(real); known != taken.end()) {
      return Fail(target.option + ": `" + target.path + "` " + known->second + "; name another file");
    }
    const auto [other, is_new] = written.emplace(real, target.use);
    if (is_new) continue;
    return Fail(target.option + ": `" + target.path + "` is named for " + other->second + " and for " + target.use +
                "; give each a file of its own");
  }
  for (const Target& target : targets) {
    if (auto good = CheckName(target); !good) return good;
  }
  if (!options.write_baseline.empty()) {
    if (auto good = CheckBaseline(targets.back()); !good) return good;
  }
  if (options.prune && !options.baseline.empty()) targets.push_back({"--baseline", options.baseline});
  if (options.prune && !options.ratchet.empty()) targets.push_back({"the ratchet", options.ratchet});
  return CheckEach(targets);
}

}  // namespace cpnlint::cli
