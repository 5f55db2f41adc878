#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include "analyzer/source/prefilter.h"

using cpnlint::source::FindImports;
using cpnlint::source::FindMentions;
using namespace cpnlint::source;  // NOLINT: the Mention bits
using Names = std::vector<std::string>;

TEST_CASE("libraries are found as whole words") {
  CHECK(FindMentions("import numpy as np") == kMentionsNumpy);
  CHECK(FindMentions("import numpy as np\nnp.pi") == (kMentionsNumpy | kMentionsAlias));
  CHECK(FindMentions("numpy") == kMentionsNumpy);
  CHECK(FindMentions("x.numpy()") == kMentionsNumpy);
  CHECK(FindMentions("from cupynumeric import zeros") == kMentionsCupynumeric);
  CHECK(FindMentions("import cunumeric, legate.core") == (kMentionsCupynumeric | kMentionsLegate));
  CHECK(FindMentions("__import__('cupy')") == kMentionsCupy);
  CHECK(FindMentions("def f(xp, a): return xp.sum(a)") == kMentionsAlias);
  CHECK(FindMentions("from pylab import *") == kMentionsPylab);
  CHECK(FindMentions("mynumpy numpy2 _numpy numpy_ cupynumerics nump NumPy\xC3\xA9numpy") == 0);
  CHECK(FindMentions("") == 0);
  CHECK((FindMentions("import torch") & kMentionsArrayLibrary) == 0);
}

TEST_CASE("what looks like a library and is none is no mention") {
  CHECK(FindMentions("see https://host.org/doc/numpy-1.10.1/user and numpy.pi") == kMentionsNumpy);
  CHECK(FindMentions("see https://host.org/doc/numpy-1.10.1/user and numpy-discussion@python.org") == 0);
  CHECK(FindMentions("name = 'np-1.amazonaws.com.np' + u'\\np' + 'me@np'") == 0);
  CHECK(FindMentions("array/numpy and me@numpy") == 0);
  CHECK(FindMentions("x/np.pi") == kMentionsAlias);
  CHECK(FindMentions("a@numpy.ones(3)-1") == kMentionsNumpy);
  CHECK(FindMentions("for xp in people: xp += 1\nnp = xp * np") == 0);  // variables
  CHECK(FindMentions("core.np.sum(core.xp.zeros(3))") == kMentionsAlias);
  CHECK(FindMentions("# numpy arrays are not needed\nx = 1\r  \t# nor np.zeros\n\n#numpy") == 0);
  CHECK(FindMentions("#\nimport numpy  # for x") == kMentionsNumpy);
  CHECK(FindMentions("x = 1  # a numpy array") == kMentionsNumpy);
  CHECK(FindMentions("\"\"\"\n  x : numpy array\n\"\"\"") == kMentionsNumpy);
}

TEST_CASE("a word is found wherever it stands") {
  for (const std::string word : {"np.", "xp.", "cpn.", "npx.", "nplike.", "cupyx", "legate", "cupynumeric"}) {
    const bool is_alias = word.back() == '.';
    for (const std::string before : {"", " ", "cn2 ", "\n\n\n", "a + "}) {
      for (const std::string after : {"", "\n", ".x", " np2", "\t\t"}) {
        CAPTURE(before, word, after);
        CHECK(FindMentions(before + word + after) != 0);
        CHECK(MentionsAny(before + word + after, FindMentions(word)));
        CHECK(FindMentions(before + "_" + word + after) == 0);
        if (is_alias) continue;
        CHECK(FindMentions(before + word + "1" + after) == 0);
        CHECK(FindMentions(before + word + "\xC3\xA9" + after) == 0);
      }
    }
  }
}

TEST_CASE("bytes that are not decoded mention what their text may mention") {
  CHECK(MayMentionAny("import numpy", kMentionsNumpy));
  CHECK(MayMentionAny("\xFFnumpy\xFF", kMentionsNumpy));  // not UTF-8: the text is `?numpy?`
  CHECK(MayMentionAny("numpy\xC3\xA9", kMentionsNumpy));
  CHECK_FALSE(MayMentionAny("import numpy", kMentionsAlias));
  CHECK_FALSE(MayMentionAny("numpy2 _np", kMentionsNumpy | kMentionsAlias));
}

TEST_CASE("import statements are found without parsing") {
  CHECK(FindImports("import a.b as c, d\n") == Names{"a.b", "d"});
  CHECK(FindImports("from a.b import c as d, e\n") == Names{"a.b", "a.b.c", "a.b.e"});
  CHECK(FindImports("from . import x\nfrom .. import y\n") == Names{".", "..", "..y", ".x"});
  CHECK(FindImports("from .x.y import z") == Names{".x.y", ".x.y.z"});
  CHECK(FindImports("try: import a\nexcept: import b; import c") == Names{"a", "b", "c"});
  CHECK(FindImports("from a import (b,  # one\n   c,\n)\n") == Names{"a", "a.b", "a.c"});
  CHECK(FindImports("  from a import \\\n    b\n") == Names{"a", "a.b"});
  CHECK(FindImports("from x import *") == Names{"x"});
  CHECK(FindImports("important = 1\nfromage = 2\nimport_x()\n") == Names{});
  CHECK(FindImports("from\nimport\nfrom x\nimport 1") == Names{"1"});
}
