#include <catch2/catch.hpp>

#include "cli/diff_base.h"

using cpnlint::cli::ChangedLines;
using cpnlint::cli::ReadDiff;

TEST_CASE("diff base: lines that came, changed and went") {
  const auto changed = ReadDiff(
      "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n"
      "@@ -3 +3,2 @@ def f():\n-old\n+new\n+more\n"
      "@@ -9,2 +9,0 @@\n---- a/trap.py\n-+++ b/trap.py\n"
      "@@ -20,0 +19 @@\n++++ b/trap.py\n\\ No newline at end of file\n");
  REQUIRE(changed.size() == 1);
  const ChangedLines& lines = changed.at("a.py");
  CHECK_FALSE(lines.Touch(1, 2));
  CHECK(lines.Touch(3, 3));
  CHECK(lines.Touch(4, 4));
  CHECK(lines.Touch(1, 30));
  CHECK_FALSE(lines.Touch(5, 8));
  // What went stood between 9 and 10.
  CHECK_FALSE(lines.Touch(9, 9));
  CHECK_FALSE(lines.Touch(10, 18));
  CHECK(lines.Touch(9, 10));
  CHECK(lines.Touch(19, 19));
  CHECK_FALSE(lines.Touch(20, 99));
}

TEST_CASE("diff base: names") {
  const auto changed = ReadDiff(
      "diff --git a/x y.py b/x y.py\n--- a/x y.py\t\n+++ b/x y.py\t\n@@ -1 +1 @@\n-a\n+b\n"
      "diff --git \"a/\\303\\251\\t\\\".py\" \"b/\\303\\251\\t\\\".py\"\n--- /dev/null\n+++ "
      "\"b/\\303\\251\\t\\\".py\"\n"
      "@@ -0,0 +1 @@\n+b\n"
      "diff --git a/gone.py b/gone.py\n--- a/gone.py\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n"
      "diff --git a/p.png b/p.png\nBinary files a/p.png and b/p.png differ\n");
  REQUIRE(changed.size() == 2);
  CHECK(changed.at("x y.py").Touch(1, 1));
  CHECK(changed.at("\xC3\xA9\t\".py").Touch(1, 1));
}

TEST_CASE("diff base: any bytes in") {
  for (const char* odd : {"", "@@ -1 +1 @@", "+++ b/", "+++ \"", "@@ -,+ @@\n+++ b/x\n@@ -1,9999999999 +1 @@",
                          "+++ b/x\n@@ -4294967295,4294967295 +4294967295,4294967295 @@\n"}) {
    CHECK(ReadDiff(odd).size() <= 1);
  }
}
