#include <catch2/catch.hpp>

#include "cli/report/plain_code.h"

using cpnlint::report::PlainCode;

TEST_CASE("plain code: what a formatter changes does not show") {
  const char* const forms[] = {
      "for i in range(n, 2):", "for  i in range( n,2 ) :", "for (i) in range(\n    n,\n    2,\n):",
      "for i in range(  # trips\r\n  n, \\\r\n  2)  :"};
  for (const char* form : forms) CHECK(PlainCode(form) == PlainCode(forms[0]));
  CHECK(PlainCode("f('a', U\"b\", rB'c')") == PlainCode("f(\"a\", \"b\", rb\"c\")"));
  CHECK(PlainCode("'it\\'s'") == PlainCode("\"it's\""));
  CHECK(PlainCode("'''a\n b'''") == "\"a\n b\"");
  CHECK(PlainCode("x[1:n, ::2,]") == PlainCode("x [1 : n, :: 2]"));
  CHECK(PlainCode("0XFF + 1E5") == PlainCode("0xff+1e5"));
  CHECK(PlainCode("not(a)") == PlainCode("not a"));
  CHECK(PlainCode("{1: 2,}") == PlainCode("{ 1 : 2 }"));
}

TEST_CASE("plain code: what means something shows") {
  CHECK(PlainCode("a[::2]") != PlainCode("a[::3]"));
  CHECK(PlainCode("a b") != PlainCode("ab"));
  CHECK(PlainCode("'a b'") != PlainCode("'ab'"));
  CHECK(PlainCode("f(a, b)") != PlainCode("f(a b)"));
  CHECK(PlainCode("'A'") != PlainCode("'a'"));
  CHECK(PlainCode("A") != PlainCode("a"));
  CHECK(PlainCode("f'{x}'") != PlainCode("'{x}'"));
}

TEST_CASE("plain code: any bytes in") {
  for (const char* odd : {"", "'", "\"\"\"", "'\\", "#", "\\", "\xff\xfe", "f'{", ",", "(((", "0", "u'"}) {
    CHECK(PlainCode(odd).size() <= 16);
  }
}
