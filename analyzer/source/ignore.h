#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cpnlint::source {

// One pattern of a .gitignore file, with git's meaning: `*` and `?` within a path part, `**` over parts, [a-z] classes,
// a `/` at the start or in the middle binds it to the file's folder, one at the end means folders only, `!`
// re-includes.
struct IgnorePattern {
  std::vector<std::string> parts;  // by `/`; "**" stands for any number of parts
  bool negated = false;
  bool folders_only = false;
  bool anchored = false;
};

// The patterns of one file. `base` is the folder that they are relative to, absolute, without a slash at the end.
struct IgnoreFile {
  std::string base;
  std::vector<IgnorePattern> patterns;
};

enum class IgnoreVerdict { kNoMatch, kIgnored, kIncluded };

IgnoreFile ParseIgnoreFile(std::string base, std::string_view text);
// A single pattern; false for an empty line or a comment.
bool ParseIgnorePattern(std::string_view line, IgnorePattern& pattern);

// What the file's last matching pattern says about an absolute path below its base.
IgnoreVerdict Match(const IgnoreFile& file, std::string_view path, bool is_folder);

// `*`, `?`, classes and backslashes against one path part; no recursion, at most quadratic.
bool MatchPart(std::string_view pattern, std::string_view part);

}  // namespace cpnlint::source
