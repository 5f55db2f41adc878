#include "cli/cache/cache.h"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <new>

#include "cli/cache/key.h"
#include "cli/cache/outcome.h"

namespace cpnlint::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kIndexName = "files";

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// As environment variables of command lines are read elsewhere: empty, 0, false and no are no.
bool IsOn(const std::string& value) {
  return !value.empty() && value != "0" && value != "false" && value != "no" && value != "off";
}

std::int64_t NowInNanoseconds() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

std::string EntryName(Hash128 key) {
  const std::string digits = HexText(key);
  return digits.substr(0, 2) + '/' + digits.substr(2);
}

bool AllHashed(const std::vector<Input*>& program) {
  return std::all_of(program.begin(), program.end(), [](const Input* input) { return input->hash.has_value(); });
}

// Whether import statements still mean what they meant: a file that came or went may change that, though none of the
// program's own has changed.
bool StillMeans(const std::vector<Lookup>& lookups, const std::vector<Input*>& program, const Linker& linker) {
  return std::all_of(lookups.begin(), lookups.end(), [&](const Lookup& lookup) {
    if (lookup.importer >= program.size()) return false;
    return linker.Find(program[lookup.importer]->path, lookup.spelled).value_or("") == lookup.found;
  });
}

}  // namespace

Result<fs::path> CacheFolderOf(const Options& options) {
  const std::string named = options.cache_dir.empty() ? Variable("CPNLINT_CACHE_DIR") : options.cache_dir;
  std::error_code error;
  const fs::path here = fs::current_path(error);
  if (error) return Fail("cannot tell the current directory: " + error.message() + "; change to one that exists");
  if (named.empty()) return DefaultCacheFolder(here);
  const fs::path folder = (here / named).lexically_normal();
  return folder.has_filename() ? folder : folder.parent_path();
}

Result<std::unique_ptr<RunCache>> RunCache::Open(const Options& options) {
  if (options.no_cache || IsOn(Variable("CPNLINT_NO_CACHE"))) return nullptr;
  auto folder = CacheFolderOf(options);
  if (!folder) return tl::make_unexpected(folder.error());
  const bool named = !options.cache_dir.empty() || !Variable("CPNLINT_CACHE_DIR").empty();
  if (named && StateOf(*folder) == CacheState::kForeign) {
    return Fail((options.cache_dir.empty() ? "CPNLINT_CACHE_DIR: `" : "--cache-dir: `") + folder->string() +
                "` is there already and is no cache of cpnlint; name a folder of its own");
  }
  std::error_code ignored;
  return std::make_unique<RunCache>(std::move(*folder), fs::current_path(ignored));
}

RunCache::RunCache(fs::path folder, const fs::path& here)
    : folder_(std::move(folder), std::string(CPNLINT_VERSION) + '-' + BuildKey()),
      index_stamp_(folder_.StampOf(kIndexName)),
      files_(folder_.Read(kIndexName).value_or(""), here.string(), NowInNanoseconds()) {}

void RunCache::SetSettings(const Settings& settings) {
  settings_ = SettingsKey(settings);
  configuration_ = settings.files;
}

std::optional<std::vector<Outcome>> RunCache::Find(const std::vector<Input*>& program, const Linker& linker) {
  if (!AllHashed(program)) return std::nullopt;
  try {
    const std::optional<std::string> bytes = folder_.Read(EntryName(ProgramKey(settings_, configuration_, program)));
    ProgramResult result;
    if (!bytes || !FromBytes(*bytes, result) || !StillMeans(result.lookups, program, linker)) return std::nullopt;
    ++found_;
    return std::move(result.outcomes);
  } catch (const std::bad_alloc&) {
    return std::nullopt;  // where memory is short, the analysis says so better
  }
}

void RunCache::Keep(const ProgramRun& run) {
  const std::vector<Input*>& program = run.inputs();
  if (!AllHashed(program)) return;
  // What was analysed has to be what the key says.
  if (std::any_of(program.begin(), program.end(), [](const Input* input) { return input->changed; })) return;
  const std::vector<const Outcome*> outcomes = run.outcomes();
  if (std::any_of(outcomes.begin(), outcomes.end(), [](const Outcome* one) { return !one->trouble.empty(); })) return;
  try {
    folder_.Write(EntryName(ProgramKey(settings_, configuration_, program)), ToBytes(run.lookups(), outcomes));
    wrote_ = true;
  } catch (const std::bad_alloc&) {
    // What is not kept is found again.
  }
}

void RunCache::Close() {
  if (files_.changed()) {
    if (folder_.StampOf(kIndexName) != index_stamp_) files_.Merge(folder_.Read(kIndexName).value_or(""));
    folder_.Write(kIndexName, files_.ToBytes());
  }
  if (wrote_) folder_.Prune();
}

}  // namespace cpnlint::cli
