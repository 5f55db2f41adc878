#include <catch2/catch.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "analyzer/source/encoding.h"
#include "analyzer/source/file.h"
#include "analyzer/source/prefilter.h"

namespace fs = std::filesystem;
using cpnlint::source::CodingCookie;
using cpnlint::source::Load;
using cpnlint::source::LoadBytes;
using cpnlint::source::LoadNote;
using cpnlint::source::LoadOutcome;

namespace {

// A folder of its own that goes with the test.
struct TemporaryFolder {
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "cpnlint-file-XXXXXX").string();
    path = mkdtemp(name.data());
  }
  ~TemporaryFolder() { fs::remove_all(path); }
  fs::path path;
};

std::string TextOf(const std::string& bytes) {
  LoadOutcome outcome = LoadBytes("x.py", bytes);
  REQUIRE(outcome.file);
  return outcome.file->text;
}

}  // namespace

TEST_CASE("coding cookies stand in the first two lines") {
  CHECK(CodingCookie("# -*- coding: latin-1 -*-\n") == "latin-1");
  CHECK(CodingCookie("#!/usr/bin/python\n# vim: set fileencoding=gbk :\n") == "gbk");
  CHECK(CodingCookie("\n# coding=utf-8\n") == "utf-8");
  CHECK(CodingCookie("\r\n# coding=cp1252\r\n") == "cp1252");
  CHECK(CodingCookie("x = 1\n# coding: latin-1\n").empty());
  CHECK(CodingCookie("\n\n# coding: latin-1\n").empty());
  CHECK(CodingCookie("x = '# coding: latin-1'\n").empty());
  CHECK(CodingCookie("# encoding of things\n").empty());
  CHECK(CodingCookie("").empty());
}

TEST_CASE("files that mention no wanted library are passed over") {
  const auto passed_over = [](const std::string& bytes) {
    const LoadOutcome outcome = LoadBytes("x.py", bytes, {.mentions = cpnlint::source::kMentionsNumpy});
    CHECK(!(outcome.passed_over && (outcome.file != nullptr || outcome.refused)));
    return outcome.passed_over;
  };
  CHECK(passed_over("import os\n"));
  CHECK(passed_over(""));
  CHECK(passed_over("numpy\xC3\xA9 = 1\n"));
  CHECK(passed_over("# coding: gbk\n'\xC4\xE3'"));
  CHECK(passed_over(std::string("\xFF\xFEx\0", 4)));
  CHECK_FALSE(passed_over("import numpy\n"));
  CHECK_FALSE(passed_over("\xFFnumpy\n"));
  CHECK_FALSE(passed_over(std::string("\xFF\xFEn\0u\0m\0p\0y\0", 12)));
  CHECK_FALSE(passed_over(std::string("x = 1\n\0", 7)));   // refused: binary
  CHECK_FALSE(passed_over("# coding: klingon\nx = 1\n"));  // refused: unknown encoding
  CHECK_FALSE(LoadBytes("x.py", "import os\n").passed_over);
}

TEST_CASE("source text is decoded to UTF-8") {
  CHECK(TextOf("x = '\xC3\xA9'\n") == "x = '\xC3\xA9'\n");
  CHECK(TextOf("# coding: latin-1\n'\xE9'") == "# coding: latin-1\n'\xC3\xA9'");
  CHECK(TextOf("# coding: iso-8859-15\n'\xA4'") == "# coding: iso-8859-15\n'\xE2\x82\xAC'");
  CHECK(TextOf("# coding: cp1252\n'\x80'") == "# coding: cp1252\n'\xE2\x82\xAC'");
  CHECK(TextOf("# coding: latin-1-unix\n'\xE9'") == "# coding: latin-1-unix\n'\xC3\xA9'");
  CHECK(TextOf("# coding: gbk\n'\xC4\xE3'") == "# coding: gbk\n'\xE4\xBD\xA0'");
  CHECK(TextOf("# coding: shift_jis\n'\x82\xA0'") == "# coding: shift_jis\n'\xE3\x81\x82'");
  CHECK(TextOf("\xEF\xBB\xBFx = 1\n") == "\xEF\xBB\xBFx = 1\n");
  CHECK(TextOf(std::string("\xFF\xFEx\0=\0\xE9\0\n\0", 10)) == "x=\xC3\xA9\n");
  CHECK(TextOf(std::string("\xFE\xFF\xD8\x3D\xDE\x00", 6)) == "\xF0\x9F\x98\x80");
}

TEST_CASE("bytes that cannot be decoded keep their place and give a note") {
  const LoadOutcome outcome = LoadBytes("x.py", "a = 1\nb = '\xE9t\xE9'\n");
  REQUIRE(outcome.file);
  CHECK(outcome.file->text == "a = 1\nb = '?t?'\n");
  REQUIRE(outcome.file->notes.size() == 1);
  CHECK(outcome.file->notes[0].kind == LoadNote::Kind::kEncoding);
  CHECK(outcome.file->notes[0].offset == 11);
  CHECK(outcome.file->notes[0].message == "2 bytes are not valid utf-8, the first in line 2; read as `?`");
  // Overlong forms, surrogates and cut-off sequences are not UTF-8.
  CHECK(TextOf("\xC0\x80 \xED\xA0\x80 \xF5\x80\x80\x80 \xE2\x82") == "?? ??? ???? ??");
}

TEST_CASE("line ends keep their offsets") {
  CHECK(TextOf("a\r\nb\rc\r") == "a\r\nb\nc\n");
  CHECK(TextOf("\r\r\n\r") == "\n\r\n\n");
  CHECK(TextOf("a\fb\tc") == "a\fb\tc");
}

TEST_CASE("what is no source text is refused with a reason") {
  const LoadOutcome binary = LoadBytes("x.py", std::string("\x7F"
                                                           "ELF\0\0",
                                                           6));
  CHECK_FALSE(binary.file);
  REQUIRE(binary.refused);
  CHECK(binary.refused->kind == LoadNote::Kind::kSkipped);

  const LoadOutcome unknown = LoadBytes("x.py", "# coding: no-such-encoding\nx = 1\n");
  CHECK_FALSE(unknown.file);
  REQUIRE(unknown.refused);
  CHECK(unknown.refused->kind == LoadNote::Kind::kEncoding);
  CHECK_THAT(unknown.refused->message, Catch::Contains("no-such-encoding"));

  const LoadOutcome large = LoadBytes("x.py", std::string(101, 'x'), {.max_bytes = 100});
  REQUIRE(large.refused);
  CHECK(large.refused->kind == LoadNote::Kind::kTooLarge);
  CHECK(LoadBytes("x.py", std::string(100, 'x'), {.max_bytes = 100}).file);
}

TEST_CASE("files are loaded from disk") {
  const TemporaryFolder folder;
  const fs::path file = folder.path / "a.py";
  std::ofstream(file) << "x = 1\ny = 2\n";
  const auto loaded = Load(file.string());
  REQUIRE(loaded);
  REQUIRE(loaded->file);
  CHECK(loaded->file->text == "x = 1\ny = 2\n");
  CHECK(loaded->file->lines.LineText(2) == "y = 2");

  std::ofstream(folder.path / "empty.py").close();
  const auto empty = Load((folder.path / "empty.py").string());
  REQUIRE(empty);
  CHECK(empty->file->text.empty());

  const auto missing = Load((folder.path / "none.py").string());
  REQUIRE_FALSE(missing);
  CHECK_THAT(missing.error().message, Catch::Contains("none.py") && Catch::Contains("spelling"));
  const auto is_folder = Load(folder.path.string());
  REQUIRE_FALSE(is_folder);
  CHECK_THAT(is_folder.error().message, Catch::Contains("folder"));
  CHECK_FALSE(Load("/dev/null"));

  REQUIRE(mkfifo((folder.path / "pipe").c_str(), 0600) == 0);
  CHECK_FALSE(Load((folder.path / "pipe").string()));  // and does not wait for a writer
  fs::create_symlink(folder.path / "loop", folder.path / "loop");
  CHECK_FALSE(Load((folder.path / "loop").string()));

  if (geteuid() != 0) {
    fs::permissions(file, fs::perms::none);
    const auto unreadable = Load(file.string());
    REQUIRE_FALSE(unreadable);
    CHECK_THAT(unreadable.error().message, Catch::Contains("a.py") && Catch::Contains("chmod"));
  }
}

TEST_CASE("a huge file is refused from its size alone") {
  const TemporaryFolder folder;
  const fs::path file = folder.path / "huge.py";
  std::ofstream(file).close();
  fs::resize_file(file, std::uintmax_t{1} << 40);  // a sparse terabyte: reading it would not end
  const auto loaded = Load(file.string());
  REQUIRE(loaded);
  CHECK_FALSE(loaded->file);
  REQUIRE(loaded->refused);
  CHECK(loaded->refused->kind == LoadNote::Kind::kTooLarge);
}

TEST_CASE("shown paths are relative to the current directory") {
  const std::string here = fs::current_path().string();
  CHECK(cpnlint::source::ShownPath("./a/../b.py") == "b.py");
  CHECK(cpnlint::source::ShownPath(here + "/x/y.py") == "x/y.py");
  CHECK(cpnlint::source::ShownPath("../z.py") == "../z.py");
  CHECK(cpnlint::source::ShownPath("/no/such/z.py") == "/no/such/z.py");
  CHECK(cpnlint::source::ShownPath(here) == ".");
  CHECK(cpnlint::source::ShownPath(here + "/.") == ".");
  CHECK(cpnlint::source::ShownPath(here + "x/y.py") == here + "x/y.py");
  CHECK(cpnlint::source::ShownPath(here + "//x/./y.py") == "x/y.py");
  CHECK(cpnlint::source::ShownPath("/") == "/");
}
