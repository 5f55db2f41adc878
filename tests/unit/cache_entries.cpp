#include <catch2/catch.hpp>

#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "analyzer/base/hash.h"
#include "cli/cache/folder.h"
#include "cli/cache/index.h"
#include "cli/cache/key.h"
#include "cli/cache/outcome.h"

namespace fs = std::filesystem;
using namespace cpnlint;
using namespace cpnlint::cli;

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kDay = 86'400 * kSecond;

class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "cpnlint-cache-XXXXXX").string();
    path_ = fs::canonical(mkdtemp(name.data()));
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

void WriteFile(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

Outcome SomeOutcome() {
  Outcome outcome;
  report::File& file = outcome.file;
  file.path = "src/\xff.py";
  file.lines = 3;
  report::Finding finding;
  finding.rule = rules::AllRules().back();
  finding.message = std::string("with\0nul", 8);
  finding.related.push_back({{}, "there", 101, "b.py"});
  finding.also.push_back({{1, 2, 3, 4, 5, 6, 7}, {8, 9, 10, 11, 12, 13, 14}});
  finding.cost.emplace();
  finding.cost->gain = cost::Range{1.5, -2, 1e300};
  finding.cost->terms.push_back({"launches", 0.25, "n launches"});
  finding.cost->assumptions = std::make_shared<std::vector<std::string>>(1, "n = 6325 (default)");
  file.findings.push_back(finding);
  file.findings.push_back(finding);
  file.text.emplace(7, report::SourceLine{"x = 1", 2, 3});
  file.notes.push_back({"budget", std::nullopt, "why", ""});
  verdict::Issue issue;
  issue.rule = rules::AllRules().front();
  issue.shown = 0;
  file.evidence.issues.push_back(issue);
  file.evidence.largest_bytes = 8'000'000'000;
  file.prediction.emplace();
  file.prediction->regions.emplace_back().asked.emplace_back();
  outcome.assumed = {"n=1"};
  return outcome;
}

KnownFile Known(std::int64_t changed) {
  KnownFile known;
  known.stamp = {10, changed, changed, 7};
  known.imports = {"a.b", ".c"};
  return known;
}

}  // namespace

TEST_CASE("the hash is the published one") {
  CHECK(HexText(HashBytes("")) == "00000000000000000000000000000000");
  CHECK(HexText(HashBytes("The quick brown fox jumps over the lazy dog")) == "e34bbc7bbc071b6c7a433ca9c49a9347");
  CHECK(HexText(HashBytes("The quick brown fox jumps over the lazy dog.")) == "cd99481f9ee902c9695da1a38987b6e7");
  CHECK(HexText(HashBytes("hello")) == "cbd8a7b341bd9b025b1e906a48ae1d19");
}

TEST_CASE("an outcome survives the way to bytes and back") {
  const Outcome before = SomeOutcome();
  const std::string bytes = ToBytes({{3, "a.b", "a/b.py"}, {4, "c", ""}}, {&before, &before});
  ProgramResult after;
  REQUIRE(FromBytes(bytes, after));
  REQUIRE(after.outcomes.size() == 2);
  REQUIRE(after.lookups.size() == 2);
  CHECK(after.lookups[0].found == "a/b.py");
  std::vector<const Outcome*> again;
  for (const Outcome& outcome : after.outcomes) again.push_back(&outcome);
  CHECK(ToBytes(after.lookups, again) == bytes);
  const report::Finding& finding = after.outcomes[1].file.findings.at(0);
  CHECK(finding.rule == before.file.findings[0].rule);
  CHECK(finding.message.size() == 8);
  CHECK(finding.also[0].end.raw_line == 14);
  CHECK(finding.cost->gain->high == 1e300);
  CHECK(finding.cost->assumptions->at(0) == "n = 6325 (default)");
  CHECK(finding.cost->assumptions == after.outcomes[1].file.findings.at(1).cost->assumptions);
  CHECK(after.outcomes[1].file.text.at(7).text == "x = 1");
  CHECK(after.outcomes[1].file.evidence.issues.at(0).shown == 0U);
  CHECK(after.outcomes[1].file.evidence.largest_bytes == 8'000'000'000);
}

TEST_CASE("bytes that are no outcome are refused, or are one") {
  const Outcome before = SomeOutcome();
  const std::string bytes = ToBytes({{3, "a.b", "a/b.py"}}, {&before});
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    ProgramResult result;
    CHECK_FALSE(FromBytes(std::string_view(bytes).substr(0, size), result));
  }
  std::mt19937 chance(6);
  for (int i = 0; i < 20'000; ++i) {
    std::string broken = bytes;
    for (unsigned n = chance() % 4 + 1; n > 0; --n) broken[chance() % broken.size()] = static_cast<char>(chance());
    ProgramResult result;
    static_cast<void>(FromBytes(broken, result));
  }
  std::string longer = bytes + '\0';
  ProgramResult result;
  CHECK_FALSE(FromBytes(longer, result));
}

TEST_CASE("a file is known as long as its stamp is, and its stamp was old enough") {
  const Folder folder;
  const fs::path path = folder.path() / "a.py";
  WriteFile(path, "x = 1\n");
  const source::FileStamp stamp = source::StampOf(path.string()).value();
  KnownFile known = Known(0);
  known.stamp = stamp;
  const auto is_known = [&](std::int64_t now) {
    FileIndex index("", folder.path().string(), now);
    index.Remember("a.py", known);
    FileIndex next(index.ToBytes(), folder.path().string(), now + kSecond);
    return next.Find(path.string()) != nullptr;
  };
  CHECK(is_known(stamp.changed + 10 * kSecond));
  CHECK_FALSE(is_known(stamp.changed + kSecond));  // it may be written once more within the tick
  CHECK_FALSE(is_known(stamp.changed));
  CHECK_FALSE(is_known(stamp.changed - kDay));  // the clock was set back, and will be there again
  known.stamp.size += 1;
  CHECK_FALSE(is_known(stamp.changed + 10 * kSecond));
  known.stamp = stamp;
  known.stamp.changed -= 1;
  CHECK_FALSE(is_known(stamp.changed + 10 * kSecond));
  known.stamp = stamp;
  known.stamp.inode += 1;
  CHECK_FALSE(is_known(stamp.changed + 10 * kSecond));
}

TEST_CASE("files that no run meets are forgotten after a month") {
  constexpr std::int64_t now = 20'000 * kDay;
  FileIndex index("", "/nowhere", now);
  index.Remember("a.py", Known(now - kDay));
  CHECK(index.changed());
  const std::string bytes = index.ToBytes();
  const FileIndex soon(bytes, "/nowhere", now + 20 * kDay);
  CHECK_FALSE(soon.changed());
  CHECK(soon.ToBytes() == bytes);
  CHECK(FileIndex(bytes, "/nowhere", now + 40 * kDay).ToBytes() != bytes);
}

TEST_CASE("an index takes over what another run wrote meanwhile") {
  constexpr std::int64_t now = 20'000 * kDay;
  FileIndex one("", "/nowhere", now), two("", "/nowhere", now);
  one.Remember("a.py", Known(now - kDay));
  two.Remember("b.py", Known(now - kDay));
  two.Merge(one.ToBytes());
  const std::string both = two.ToBytes();
  CHECK(both.find("/nowhere/a.py") != std::string::npos);
  CHECK(both.find("/nowhere/b.py") != std::string::npos);
  two.Merge("no index at all");
  CHECK(two.ToBytes() == both);
}

TEST_CASE("entries are read only as they were written") {
  const Folder folder;
  CacheFolder cache(folder.path() / "cache", "1.0-0123456789abcdef");
  CHECK_FALSE(cache.Read("ab/cd").has_value());
  cache.Write("ab/cd", "content");
  CHECK(cache.problem().empty());
  CHECK(cache.Read("ab/cd") == "content");
  CHECK_FALSE(cache.Read("ab/ce").has_value());
  const fs::path entry = folder.path() / "cache/1.0-0123456789abcdef/ab/cd";
  fs::copy_file(entry, entry.parent_path() / "ce");
  CHECK_FALSE(cache.Read("ab/ce").has_value());  // under another's name
  cache.Write("ab/cd", "");
  CHECK(cache.Read("ab/cd") == "");
  fs::resize_file(entry, fs::file_size(entry) - 1);
  CHECK_FALSE(cache.Read("ab/cd").has_value());
}

TEST_CASE("what is old goes, and the oldest of what is too much") {
  const Folder folder;
  CacheFolder cache(folder.path(), "1.0-0123456789abcdef");
  const fs::path part = folder.path() / "1.0-0123456789abcdef";
  const auto age = [&](const fs::path& path, int hours) {
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(hours));
  };
  const std::string kilobyte(1000, 'x');
  for (int i = 0; i < 10; ++i) {
    const std::string name = "ab/" + std::to_string(i);
    cache.Write(name, kilobyte);
    age(part / name, i);
  }
  cache.Write("cd/old", "x");
  age(part / "cd/old", 31 * 24);
  WriteFile(part / "cd/tmp-1-2", "of a writer that was killed");
  age(part / "cd/tmp-1-2", 2);
  WriteFile(folder.path() / "0.9-fedcba9876543210/ab/x", "x");
  WriteFile(folder.path() / "0.8-fedcba9876543210/ab/x", "x");
  age(folder.path() / "0.8-fedcba9876543210", 31 * 24);
  cache.Prune({.most_bytes = 8000, .most_days = 30});
  CHECK_FALSE(fs::exists(part / "cd/old"));
  CHECK_FALSE(fs::exists(part / "cd/tmp-1-2"));
  CHECK(fs::exists(folder.path() / "0.9-fedcba9876543210"));
  CHECK_FALSE(fs::exists(folder.path() / "0.8-fedcba9876543210"));
  int left = 0;
  for (int i = 0; i < 10; ++i) left += cache.Read("ab/" + std::to_string(i)) ? 1 : 0;
  CHECK(left == 5);
  CHECK(cache.Read("ab/0").has_value());
  CHECK_FALSE(cache.Read("ab/9").has_value());
  cache.Prune({.most_bytes = 0, .most_days = 30});  // once a day is enough
  CHECK(cache.Read("ab/0").has_value());
  fs::last_write_time(part / "pruned", fs::file_time_type::clock::now() + std::chrono::seconds(2));
  cache.Prune({.most_bytes = 0, .most_days = 30});  // also where the file system's clock is ahead
  CHECK(cache.Read("ab/0").has_value());
  cache.Prune({.most_bytes = 0, .most_days = 30}, true);
  CHECK_FALSE(cache.Read("ab/0").has_value());
}

TEST_CASE("only a cache of ours is removed") {
  const Folder folder;
  CHECK(StateOf(folder.path()) == CacheState::kFree);
  CHECK(StateOf(folder.path() / "nothing") == CacheState::kFree);
  WriteFile(folder.path() / "a.py", "x = 1\n");
  CHECK(StateOf(folder.path()) == CacheState::kForeign);
  CHECK(StateOf(folder.path() / "a.py") == CacheState::kForeign);
  CHECK_FALSE(RemoveCache(folder.path()).has_value());
  CacheFolder(folder.path() / "cache", "1.0-0123456789abcdef").Write("ab/cd", "content");
  CHECK(StateOf(folder.path() / "cache") == CacheState::kOurs);
  CHECK(RemoveCache(folder.path() / "cache").has_value());
  CHECK_FALSE(fs::exists(folder.path() / "cache"));
  CHECK(fs::exists(folder.path() / "a.py"));
}

// One run writes what is missing of the tag and .gitignore while another one's cleaning takes away what it has seen.
TEST_CASE("what the cleaning of another run leaves is used again, and can be cleaned") {
  for (const char* gone : {"CACHEDIR.TAG", ".gitignore", "both"}) {
    CAPTURE(gone);
    const Folder folder;
    const fs::path root = folder.path() / "cache";
    CacheFolder(root, "1.0-0123456789abcdef").Write("ab/cd", "content");
    const auto leave = [&] {
      for (const std::string name : {"CACHEDIR.TAG", ".gitignore"}) {
        if (gone == name || gone == std::string("both")) fs::remove(root / name);
      }
    };
    leave();
    CHECK(StateOf(root) != CacheState::kForeign);
    CacheFolder cache(root, "1.0-0123456789abcdef");
    cache.Write("ab/ef", "content");
    CHECK(cache.problem().empty());
    CHECK(StateOf(root) == CacheState::kOurs);
    leave();
    CHECK(RemoveCache(root).has_value());
    CHECK_FALSE(fs::exists(root));
  }
}

TEST_CASE("the .gitignore of somebody else makes no cache") {
  const Folder folder;
  WriteFile(folder.path() / ".gitignore", "*.o\n");
  CHECK(StateOf(folder.path()) == CacheState::kForeign);
  CHECK_FALSE(RemoveCache(folder.path()).has_value());
}

TEST_CASE("settings that change results have keys of their own") {
  Settings settings;
  settings.cost.emplace();
  const Hash128 first = SettingsKey(settings);
  CHECK(SettingsKey(settings) == first);
  const auto differs = [&](auto change) {
    Settings other = settings;
    change(other);
    return SettingsKey(other) != first;
  };
  CHECK(differs([](Settings& s) { s.target.gpus += 1; }));
  CHECK(differs([](Settings& s) { s.target.version = "26.06"; }));
  CHECK(differs([](Settings& s) { s.min_confidence = rules::Confidence::kPossible; }));
  CHECK(differs([](Settings& s) { s.assume.push_back("n=1"); }));
  CHECK(differs([](Settings& s) { s.predict = true; }));
  CHECK(differs([](Settings& s) { s.cost.reset(); }));
  CHECK(differs([](Settings& s) { s.cost->options.pool = 1; }));
  CHECK(differs([](Settings& s) { s.cost->options.layouts.push_back({2, 1}); }));
  CHECK(differs([](Settings& s) { s.cost->profile.numbers[0].value += 1; }));
  CHECK(differs([](Settings& s) { s.cost->what_if.emplace_back(); }));
  CHECK(differs([](Settings& s) { s.selection = rules::Selection::Parse({}, {"R101"}).value(); }));
  CHECK(differs([](Settings& s) { s.selection.ShowPreview(true); }));
}
