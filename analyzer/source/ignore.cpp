#include "analyzer/source/ignore.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <utility>

namespace cpnlint::source {
namespace {

std::vector<std::string> Split(std::string_view text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('/', begin), text.size());
    if (end > begin) parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

bool InPosixClass(std::string_view name, unsigned char c) {
  if (name == "alpha") return std::isalpha(c) != 0;
  if (name == "digit") return std::isdigit(c) != 0;
  if (name == "alnum") return std::isalnum(c) != 0;
  if (name == "upper") return std::isupper(c) != 0;
  if (name == "lower") return std::islower(c) != 0;
  if (name == "space") return std::isspace(c) != 0;
  if (name == "punct") return std::ispunct(c) != 0;
  if (name == "xdigit") return std::isxdigit(c) != 0;
  return false;
}

// A class like [a-z] that starts at pattern[at]. Sets `end` behind it; npos when it has no end and is a plain `[`.
bool MatchClass(std::string_view pattern, std::size_t at, unsigned char c, std::size_t& end) {
  end = std::string_view::npos;
  std::size_t i = at + 1;
  const bool negated = i < pattern.size() && (pattern[i] == '!' || pattern[i] == '^');
  if (negated) ++i;
  bool matched = false;
  for (bool first = true; i < pattern.size(); first = false) {
    if (pattern[i] == ']' && !first) {
      end = i + 1;
      return matched != negated;
    }
    if (pattern.substr(i, 2) == "[:") {
      if (const std::size_t close = pattern.find(":]", i + 2); close != std::string_view::npos) {
        matched = matched || InPosixClass(pattern.substr(i + 2, close - i - 2), c);
        i = close + 2;
        continue;
      }
    }
    if (pattern[i] == '\\' && i + 1 < pattern.size()) ++i;
    const auto low = static_cast<unsigned char>(pattern[i++]);
    auto high = low;
    if (i + 1 < pattern.size() && pattern[i] == '-' && pattern[i + 1] != ']') {
      ++i;
      if (pattern[i] == '\\' && i + 1 < pattern.size()) ++i;
      high = static_cast<unsigned char>(pattern[i++]);
    }
    matched = matched || (low <= c && c <= high);
  }
  return false;
}

// Whether the pattern's element at `at` takes the character; sets `next` behind the element.
bool MatchOne(std::string_view pattern, std::size_t at, char c, std::size_t& next) {
  next = at + 1;
  switch (pattern[at]) {
    case '?': return true;
    case '[': {
      std::size_t end = 0;
      const bool matched = MatchClass(pattern, at, static_cast<unsigned char>(c), end);
      if (end == std::string_view::npos) return c == '[';
      next = end;
      return matched;
    }
    case '\\':
      if (at + 1 < pattern.size()) {
        next = at + 2;
        return pattern[at + 1] == c;
      }
      return c == '\\';
    default: return pattern[at] == c;
  }
}

// Parts against parts; the last `**` seen is the only one that has to be retried.
bool MatchParts(const std::vector<std::string>& pattern, const std::vector<std::string>& path) {
  std::size_t p = 0;
  std::size_t s = 0;
  std::size_t star = std::string::npos;
  std::size_t star_path = 0;
  while (s < path.size()) {
    if (p < pattern.size() && pattern[p] == "**") {
      star = p++;
      star_path = s;
      if (p == pattern.size()) return true;  // `a/**`: everything below
    } else if (p < pattern.size() && MatchPart(pattern[p], path[s])) {
      ++p;
      ++s;
    } else if (star != std::string::npos) {
      p = star + 1;
      s = ++star_path;
    } else {
      return false;
    }
  }
  return p == pattern.size();
}

}  // namespace

bool MatchPart(std::string_view pattern, std::string_view part) {
  std::size_t p = 0;
  std::size_t s = 0;
  std::size_t star = std::string_view::npos;
  std::size_t star_part = 0;
  while (s < part.size()) {
    std::size_t next = 0;
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_part = s;
    } else if (p < pattern.size() && MatchOne(pattern, p, part[s], next)) {
      p = next;
      ++s;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      s = ++star_part;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

bool ParseIgnorePattern(std::string_view line, IgnorePattern& pattern) {
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  while (!line.empty() && (line.back() == ' ' || line.back() == '\t')) {
    if (line.size() > 1 && line[line.size() - 2] == '\\') break;
    line.remove_suffix(1);
  }
  if (line.empty() || line.front() == '#') return false;
  pattern = {};
  if (line.front() == '!') {
    pattern.negated = true;
    line.remove_prefix(1);
  }
  if (!line.empty() && line.back() == '/') {
    pattern.folders_only = true;
    while (!line.empty() && line.back() == '/') line.remove_suffix(1);
  }
  pattern.anchored = line.find('/') != std::string_view::npos;
  pattern.parts = Split(line);
  return !pattern.parts.empty();
}

IgnoreFile ParseIgnoreFile(std::string base, std::string_view text) {
  IgnoreFile file{std::move(base), {}};
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    IgnorePattern pattern;
    if (ParseIgnorePattern(text.substr(begin, end - begin), pattern)) file.patterns.push_back(std::move(pattern));
    begin = end + 1;
  }
  return file;
}

IgnoreVerdict Match(const IgnoreFile& file, std::string_view path, bool is_folder) {
  if (path.size() <= file.base.size() + 1 || path.substr(0, file.base.size()) != file.base) {
    return IgnoreVerdict::kNoMatch;
  }
  if (file.base != "/" && path[file.base.size()] != '/') return IgnoreVerdict::kNoMatch;
  const std::string_view relative = path.substr(file.base.size());
  std::vector<std::string> parts;  // split only when an anchored pattern asks
  const std::string_view name = path.substr(path.rfind('/') + 1);
  for (std::size_t i = file.patterns.size(); i-- > 0;) {
    const IgnorePattern& pattern = file.patterns[i];
    if (pattern.folders_only && !is_folder) continue;
    bool matched = false;
    if (pattern.anchored) {
      if (parts.empty()) parts = Split(relative);
      matched = MatchParts(pattern.parts, parts);
    } else {
      matched = MatchPart(pattern.parts.front(), name);
    }
    if (matched) return pattern.negated ? IgnoreVerdict::kIncluded : IgnoreVerdict::kIgnored;
  }
  return IgnoreVerdict::kNoMatch;
}

}  // namespace cpnlint::source
