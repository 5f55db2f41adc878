#include <catch2/catch.hpp>

#include "cli/report/width.h"

using namespace cpnlint::report;

TEST_CASE("width: cells of texts") {
  CHECK(DisplayWidth("") == 0);
  CHECK(DisplayWidth("x = 1") == 5);
  CHECK(DisplayWidth("é") == 1);
  CHECK(DisplayWidth("e\u0301") == 1);  // combining acute accent
  CHECK(DisplayWidth("日本") == 4);
  CHECK(DisplayWidth("한국") == 4);
  CHECK(DisplayWidth("\u1112\u1161\u11ab") == 2);  // the same syllable in three parts
  CHECK(DisplayWidth("ｱ") == 1);                   // half-width katakana
  CHECK(DisplayWidth("Ａ") == 2);                  // full-width letter
  CHECK(DisplayWidth("🌊") == 2);
  CHECK(DisplayWidth("👍🏽") == 2);            // with a skin tone
  CHECK(DisplayWidth("👩‍👩‍👧") == 2);  // three people joined
  CHECK(DisplayWidth("🇨🇭") == 2);                  // a flag is two letters
  CHECK(DisplayWidth("🇨🇭🇦🇹") == 4);
  CHECK(DisplayWidth("☀") == 1);
  CHECK(DisplayWidth("☀\uFE0F") == 2);   // as a picture
  CHECK(DisplayWidth("a\u200Bb") == 2);  // zero width space
  CHECK(DisplayWidth("\u202Ex") == 2);   // shown as a replacement, not obeyed
}

TEST_CASE("width: tabs go to the next stop") {
  const std::vector<Cluster> clusters = Clusters("a\tb");
  REQUIRE(clusters.size() == 3);
  CHECK(clusters[1].cell == 1);
  CHECK(clusters[1].width == 3);
  CHECK(clusters[2].cell == 4);
}

TEST_CASE("width: any bytes give clusters that cover them") {
  const std::string_view broken =
      "a\xff\xe2\x82"
      "b\xf0\x9f";
  std::uint32_t end = 0;
  for (const Cluster& cluster : Clusters(broken)) {
    CHECK(cluster.begin == end);
    end = cluster.end;
  }
  CHECK(end == broken.size());
}

TEST_CASE("width: what could change the terminal is shown instead") {
  CHECK(Printable("a\x1b[31mb") == "a\u241B[31mb");
  CHECK(Printable("a\nb\x7f") == "a\u240Ab\u2421");
  CHECK(Printable("x\u202Ey") == "x\uFFFDy");
  CHECK(Printable("\xff") == "\uFFFD");
  CHECK(Printable("日本 é") == "日本 é");
}

TEST_CASE("width: a byte-order mark takes no room") {
  const std::vector<Cluster> clusters = Clusters("\uFEFFab");
  REQUIRE(clusters.size() == 2);
  CHECK(clusters[0].begin == 3);
  CHECK(clusters[0].cell == 0);
}
