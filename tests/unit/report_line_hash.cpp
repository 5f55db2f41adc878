#include <catch2/catch.hpp>

#include "cli/report/line_hash.h"

using cpnlint::report::LineHashes;
using Hashes = std::vector<std::string>;

namespace {

std::string Repeated(std::string_view text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

std::string WithLineEnds(std::string_view text, std::string_view end) {
  std::string out;
  for (const char c : text) out += c == '\n' ? std::string(end) : std::string(1, c);
  return out;
}

}  // namespace

// The vectors are those of the upload action's own test.
TEST_CASE("line hash: an empty file has one line") { CHECK(LineHashes("") == Hashes{"c129715d7a2bc9a3:1"}); }

TEST_CASE("line hash: line ends of any kind, blanks left out") {
  for (const char* end : {"\n", "\r\n", "\r"}) {
    INFO(end);
    CHECK(LineHashes(WithLineEnds(" a\nb\n  \t\tc\n d", end)) ==
          Hashes{"271789c17abda88f:1", "54703d4cd895b18:1", "180aee12dab6264:1", "a23a3dc5e078b07b:1"});
    CHECK(LineHashes(WithLineEnds(" hello; \t\nworld!!!\n\n\n  \t\tGreetings\n End", end)) ==
          Hashes{"8b7cf3e952e7aeb2:1", "b1ae1287ec4718d9:1", "bff680108adb0fcc:1", "c6805c5e1288b612:1",
                 "b86d3392aea1be30:1", "e6ceba753e1a442:1"});
    CHECK(LineHashes(WithLineEnds(" hello; \t\nworld!!!\n\n\n  \t\tGreetings\n End\n", end)) ==
          Hashes{"e9496ae3ebfced30:1", "fb7c023a8b9ccb3f:1", "ce8ba1a563dcdaca:1", "e20e36e16fcb0cc8:1",
                 "b3edc88f2938467e:1", "c8e28b0b4002a3a0:1", "c129715d7a2bc9a3:1"});
  }
}

TEST_CASE("line hash: a program") {
  CHECK(LineHashes("x = 2\nx = 1\nprint(x)\nx = 3\nprint(x)\nx = 4\nprint(x)\n") ==
        Hashes{"e54938cc54b302f1:1", "bb609acbe9138d60:1", "1131fd5871777f34:1", "5c482a0f8b35ea28:1",
               "54517377da7028d2:1", "2c644846cb18d53e:1", "f1b89f20de0d133:1", "c129715d7a2bc9a3:1"});
}

TEST_CASE("line hash: equal ones are numbered") {
  const Hashes hashes = LineHashes(Repeated("Lorem ipsum dolor sit amet.\n", 10));
  Hashes expected;
  for (int i = 1; i <= 6; ++i) expected.push_back("a7f2ff13bc495cf2:" + std::to_string(i));
  for (const char* rest :
       {"a7f2ff1481e87703:1", "a9cf91f7bbf1862b:1", "55ec222b86bcae53:1", "cc97dc7b1d7d8f7b:1", "c129715d7a2bc9a3:1"}) {
    expected.emplace_back(rest);
  }
  CHECK(hashes == expected);
}

TEST_CASE("line hash: characters are UTF-16 units, and bytes that are none have no hash") {
  CHECK(LineHashes("x = '\xF0\x9F\x98\x80'\n").size() == 2);
  CHECK(LineHashes("x = '\xF0\x9F\x98\x80'\n").front() != LineHashes("x = '\xEF\xBF\xBD'\n").front());
  CHECK(LineHashes("\xEF\xBF\xBD").size() == 1);
  CHECK(LineHashes("x = '\xFF'\n").empty());
}
