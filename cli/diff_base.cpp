#include "cli/diff_base.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <string_view>

#include "cli/process.h"

namespace cpnlint::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostOutput = std::size_t{512} << 20;

// Takes a number off the front; nullopt where there is none.
std::optional<std::uint32_t> TakeNumber(std::string_view& text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

// `-12,3 +14,0` of a hunk's head.
struct Hunk {
  std::uint32_t old_count = 1, new_start = 0, new_count = 1;
};
std::optional<Hunk> ReadHunk(std::string_view line) {
  Hunk hunk;
  if (!line.starts_with("@@ -")) return std::nullopt;
  line.remove_prefix(4);
  if (!TakeNumber(line)) return std::nullopt;
  if (line.starts_with(",")) {
    line.remove_prefix(1);
    hunk.old_count = TakeNumber(line).value_or(0);
  }
  if (!line.starts_with(" +")) return std::nullopt;
  line.remove_prefix(2);
  const auto start = TakeNumber(line);
  if (!start) return std::nullopt;
  hunk.new_start = *start;
  if (line.starts_with(",")) {
    line.remove_prefix(1);
    hunk.new_count = TakeNumber(line).value_or(0);
  }
  return hunk;
}

// What git writes of a name with odd characters: "b/a\tb\303\244.py".
std::string Unquoted(std::string_view text) {
  if (text.size() < 2 || text.front() != '"') {
    if (!text.empty() && text.back() == '\t') text.remove_suffix(1);  // stands behind a name with blanks
    return std::string(text);
  }
  const std::size_t close = text.rfind('"');
  text = text.substr(1, close == 0 ? text.npos : close - 1);
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    const char c = text[++i];
    if (c >= '0' && c <= '7') {
      int value = 0;
      std::size_t digits = 0;
      while (digits < 3 && i < text.size() && text[i] >= '0' && text[i] <= '7') {
        value = value * 8 + (text[i] - '0');
        ++i;
        ++digits;
      }
      --i;
      out += static_cast<char>(value);
      continue;
    }
    constexpr std::string_view kLetters = "abtnvfr", kMeant = "\a\b\t\n\v\f\r";
    const std::size_t letter = kLetters.find(c);
    out += letter == std::string_view::npos ? c : kMeant[letter];
  }
  return out;
}

class Git {
 public:
  Git(std::string program, std::string folder) : program_(std::move(program)), folder_(std::move(folder)) {}

  // Neither its configuration nor the repository's may make it run anything of what is analysed.
  [[nodiscard]] Result<Finished> Run(std::vector<std::string> arguments) const {
    std::vector<std::string> words = {
        "-C", folder_, "--no-pager", "-c", "core.fsmonitor=false", "-c", "core.quotePath=false"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return RunProgram(program_, std::move(words), {"LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0"},
                      kMostOutput);
  }
  // What it says, where it ends well.
  [[nodiscard]] Result<std::string> Ask(std::vector<std::string> arguments) const {
    auto done = Run(std::move(arguments));
    if (!done) return tl::make_unexpected(done.error());
    if (done->code != 0) return Fail("git says: " + FatalLine(done->err));
    return std::move(done->out);
  }
  // Why it gave up; warnings and hints may stand before it.
  static std::string FatalLine(const std::string& text) {
    std::size_t begin = text.starts_with("fatal:") ? 0 : text.find("\nfatal:");
    begin = begin == std::string::npos ? 0 : text.find_first_not_of('\n', begin);
    return text.substr(begin, text.find('\n', begin) - begin);
  }

 private:
  std::string program_, folder_;
};

std::string WithoutLineEnd(std::string text) {
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

std::vector<std::string> SplitAtNul(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\0', at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

// Files that git does not compare by lines ("-\t-\tNAME", of a renamed one the two names apart).
std::vector<std::string> BinaryFiles(const std::string& numstat) {
  std::vector<std::string> names;
  const std::vector<std::string> parts = SplitAtNul(numstat);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::size_t first = parts[i].find('\t');
    const std::size_t second = first == std::string::npos ? first : parts[i].find('\t', first + 1);
    if (second == std::string::npos) continue;
    std::string name = parts[i].substr(second + 1);
    if (name.empty() && i + 2 < parts.size()) {
      name = parts[i + 2];
      i += 2;
      if (parts[i - 2].starts_with("-\t-\t")) names.push_back(std::move(name));
      continue;
    }
    if (parts[i].starts_with("-\t-\t")) names.push_back(std::move(name));
  }
  return names;
}

// The folder of a file with its links resolved, and the file's name as it is.
std::string RealPath(const std::string& path) {
  std::error_code error;
  const fs::path absolute = fs::absolute(path, error);
  const fs::path folder = fs::weakly_canonical(absolute.parent_path(), error);
  return ((error ? absolute.parent_path() : folder) / absolute.filename()).generic_string();
}

// The top of the working tree around a folder.
Result<std::string> TopOf(const Git& git) {
  auto top = git.Ask({"rev-parse", "--show-toplevel"});
  if (!top) return tl::make_unexpected(top.error());
  return WithoutLineEnd(std::move(*top));
}

}  // namespace

bool ChangedLines::Touch(std::uint32_t first, std::uint32_t last) const {
  if (all) return true;
  const auto range = std::lower_bound(ranges.begin(), ranges.end(), first,
                                      [](const auto& at, std::uint32_t line) { return at.second < line; });
  if (range != ranges.end() && range->first <= last) return true;
  const auto gap = std::lower_bound(gaps.begin(), gaps.end(), first);
  return gap != gaps.end() && *gap < last;
}

std::map<std::string, ChangedLines> ReadDiff(const std::string& diff) {
  std::map<std::string, ChangedLines> changed;
  ChangedLines* file = nullptr;
  std::uint64_t skip = 0;  // lines of a hunk: what they say is the user's
  for (std::size_t at = 0; at < diff.size();) {
    const std::size_t end = std::min(diff.find('\n', at), diff.size());
    const std::string_view line = std::string_view(diff).substr(at, end - at);
    at = end + 1;
    if (skip > 0) {
      if (!line.starts_with("\\")) --skip;
      continue;
    }
    if (line.starts_with("diff --git ")) {
      file = nullptr;
    } else if (line.starts_with("+++ ")) {
      const std::string name = Unquoted(line.substr(4));
      file = name.starts_with("b/") ? &changed[name.substr(2)] : nullptr;
    } else if (const auto hunk = ReadHunk(line)) {
      skip = std::uint64_t{hunk->old_count} + hunk->new_count;
      if (file == nullptr) continue;
      if (hunk->new_count > 0) {
        file->ranges.emplace_back(hunk->new_start, hunk->new_start + hunk->new_count - 1);
      } else {
        file->gaps.push_back(hunk->new_start);
      }
    }
  }
  return changed;
}

Result<Differences> Differences::Since(const std::string& ref, const std::string& path) {
  const std::string program = FindProgram("git");
  if (program.empty()) return Fail("--diff-base needs git, and there is none on PATH");
  std::string folder = ".";
  auto top = TopOf(Git(program, folder));
  if (!top && !path.empty()) {
    folder = fs::path(RealPath(path)).parent_path().string();
    if (auto other = TopOf(Git(program, folder))) top = std::move(other);
  }
  if (!top) return Fail("--diff-base needs a git repository; " + top.error().message);

  Differences differences;
  std::error_code ignored;
  differences.top_ = fs::weakly_canonical(*top, ignored).generic_string();
  const Git git(program, *top);
  auto commit = git.Run({"rev-parse", "--verify", "--quiet", ref + "^{commit}"});
  if (!commit) return tl::make_unexpected(commit.error());
  if (commit->code != 0) {
    return Fail("--diff-base: git knows no commit `" + ref +
                "`; in CI, fetch the branch first (with actions/checkout: fetch-depth: 0)");
  }
  auto base = git.Run({"merge-base", WithoutLineEnd(commit->out), "HEAD"});
  if (!base) return tl::make_unexpected(base.error());
  if (base->code != 0) {
    return Fail(
        "--diff-base: `" + ref +
        "` and HEAD have no commit in common here; in a shallow clone, fetch the history (git fetch --unshallow)");
  }
  const std::string from = WithoutLineEnd(base->out);
  const std::vector<std::string> diff = {
      "diff",           "--no-ext-diff",           "--no-textconv",   "--no-color",
      "--find-renames", "--ignore-submodules=all", "--src-prefix=a/", "--dst-prefix=b/"};
  std::vector<std::string> lines = diff, numbers = diff;
  for (const char* word : {"--unified=0", "--inter-hunk-context=0", from.c_str(), "--"}) lines.emplace_back(word);
  for (const char* word : {"--numstat", "-z", from.c_str(), "--"}) numbers.emplace_back(word);
  auto text = git.Ask(lines);
  auto binary = git.Ask(numbers);
  auto tracked = git.Ask({"ls-files", "-z"});
  for (const auto* answer : {&text, &binary, &tracked}) {
    if (!*answer) return Fail("--diff-base: " + answer->error().message);
  }
  differences.changed_ = ReadDiff(*text);
  for (const std::string& name : BinaryFiles(*binary)) differences.changed_[name].all = true;
  // What git does not know is new; that it knows the rest is remembered by an entry without lines.
  for (const std::string& name : SplitAtNul(*tracked)) differences.changed_[name];
  differences.all_.all = true;
  return differences;
}

const ChangedLines& Differences::Of(const std::string& path) const {
  const ChangedLines*& known = asked_[path];
  if (known != nullptr) return *known;
  known = &all_;
  const std::string real = RealPath(path);
  const std::string prefix = top_.ends_with('/') ? top_ : top_ + '/';
  if (!real.starts_with(prefix)) return *known;
  if (const auto found = changed_.find(real.substr(prefix.size())); found != changed_.end()) known = &found->second;
  return *known;
}

std::vector<bool> ChangedPlaces(const Differences& differences, const report::File& file,
                                const report::Finding& finding) {
  const auto touched = [&](const std::string& path, const report::Place& place) {
    return differences.Of(path.empty() ? file.path : path)
        .Touch(report::FileLine(place.start), std::max(report::FileLine(place.start), report::FileLine(place.end)));
  };
  const auto any = [&](const std::vector<report::Related>& places) {
    return std::any_of(places.begin(), places.end(),
                       [&](const report::Related& related) { return touched(related.path, related.place); });
  };
  const bool all = any(finding.related) || any(finding.causes);
  std::vector<bool> places = {all || touched("", finding.place)};
  for (const report::Place& place : finding.also) places.push_back(all || touched("", place));
  // The loop that it is about may have changed where none of them stands.
  const bool any_place = std::find(places.begin(), places.end(), true) != places.end();
  if (!any_place && touched("", finding.extent)) places.assign(places.size(), true);
  return places;
}

}  // namespace cpnlint::cli
