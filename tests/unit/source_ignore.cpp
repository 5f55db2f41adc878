#include <catch2/catch.hpp>

#include <string>

#include "analyzer/source/ignore.h"

using cpnlint::source::IgnoreVerdict;
using cpnlint::source::Match;
using cpnlint::source::MatchPart;
using cpnlint::source::ParseIgnoreFile;

namespace {

IgnoreVerdict Verdict(const std::string& patterns, const std::string& path, bool is_folder = false) {
  return Match(ParseIgnoreFile("/r", patterns), path, is_folder);
}

bool Ignored(const std::string& patterns, const std::string& path, bool is_folder = false) {
  return Verdict(patterns, path, is_folder) == IgnoreVerdict::kIgnored;
}

}  // namespace

TEST_CASE("patterns within a path part") {
  CHECK(MatchPart("*.py", "a.py"));
  CHECK(MatchPart("*", ""));
  CHECK(MatchPart("a?c", "abc"));
  CHECK_FALSE(MatchPart("a?c", "ac"));
  CHECK(MatchPart("[a-c]x", "bx"));
  CHECK_FALSE(MatchPart("[!a-c]x", "bx"));
  CHECK(MatchPart("[]]x", "]x"));
  CHECK(MatchPart("[[:digit:]a]", "7"));
  CHECK(MatchPart("\\*", "*"));
  CHECK_FALSE(MatchPart("\\*", "x"));
  CHECK(MatchPart("[x", "[x"));
  CHECK(MatchPart("*a*b*c", "xxaxxbxxc"));
  CHECK_FALSE(MatchPart("*a*b*c", "xxaxxcxxb"));
  const std::string stars = "*a*a*a*a*a*a*a*a*a*b";
  CHECK_FALSE(MatchPart(stars, std::string(20'000, 'a')));  // ends soon, too
}

TEST_CASE("gitignore semantics") {
  CHECK(Ignored("*.pyc", "/r/a/b.pyc"));
  CHECK_FALSE(Ignored("*.pyc", "/other/b.pyc"));
  CHECK_FALSE(Ignored("*.pyc", "/rx/b.pyc"));
  CHECK(Ignored("/build", "/r/build", true));
  CHECK_FALSE(Ignored("/build", "/r/a/build", true));
  CHECK(Ignored("build/", "/r/a/build", true));
  CHECK_FALSE(Ignored("build/", "/r/a/build", false));
  CHECK(Ignored("a/b", "/r/a/b"));
  CHECK_FALSE(Ignored("a/b", "/r/x/a/b"));
  CHECK(Ignored("**/a/b", "/r/x/a/b"));
  CHECK(Ignored("a/**", "/r/a/x/y"));
  CHECK_FALSE(Ignored("a/**", "/r/a", true));
  CHECK(Ignored("a/**/z", "/r/a/z"));
  CHECK(Ignored("a/**/z", "/r/a/b/c/z"));
  CHECK(Ignored("a/*/z", "/r/a/b/z"));
  CHECK_FALSE(Ignored("a/*/z", "/r/a/b/c/z"));
  CHECK(Verdict("*.py\n!keep.py", "/r/keep.py") == IgnoreVerdict::kIncluded);
  CHECK(Verdict("!keep.py\n*.py", "/r/keep.py") == IgnoreVerdict::kIgnored);
  CHECK(Verdict("# comment\n\n  \n", "/r/# comment") == IgnoreVerdict::kNoMatch);
  CHECK(Ignored("\\#x", "/r/#x"));
  CHECK(Ignored("\\!x", "/r/!x"));
  CHECK(Ignored("x  \r\n", "/r/x"));
  CHECK(Ignored("x\\ ", "/r/x "));
  CHECK(Verdict("/", "/r/x") == IgnoreVerdict::kNoMatch);
}
