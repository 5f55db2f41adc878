#include "analyzer/base/quantity.h"

#include <catch2/catch.hpp>

namespace cpnlint {

TEST_CASE("times are told in the unit that a reader would choose") {
  CHECK(SecondsText(0) == "0 us");
  CHECK(SecondsText(285e-6) == "285 us");
  CHECK(SecondsText(0.9949e-3) == "995 us");
  CHECK(SecondsText(0.9951e-3) == "1 ms");
  CHECK(SecondsText(0.171) == "171 ms");
  CHECK(SecondsText(5.06) == "5.1 s");
  CHECK(SecondsText(313) == "313 s");
  CHECK(SecondsText(720) == "12 min");
  CHECK(SecondsText(35'305) == "9.8 h");
  CHECK(SecondsText(17'652'542) == "204 days");
  CHECK(SecondsText(1e9) == "32 years");
  CHECK(SecondsText(1e15) == "3.2e7 years");
}

TEST_CASE("bytes and counts") {
  CHECK(BytesText(48) == "48 B");
  CHECK(BytesText(934e3) == "934 KB");
  CHECK(BytesText(2.14e9) == "2.1 GB");
  CHECK(BytesText(999.6e6) == "1 GB");
  CHECK(CountText(0.9) == "0.9");
  CHECK(CountText(599) == "599");
  CHECK(CountText(16'384) == "16384");
  CHECK(CountText(1e6) == "1e6");
  CHECK(CountText(4.26e11) == "4.3e11");
}

}  // namespace cpnlint
