#include <set>
#include <string>

#include <catch2/catch.hpp>

#include "analyzer/ir/program.h"

namespace cpnlint::ir {
namespace {

constexpr int kLastOp = static_cast<int>(OpKind::kOpaque);

TEST_CASE("every op has a name of its own and a meaning", "[ir]") {
  std::set<std::string> names;
  for (int i = 0; i <= kLastOp; ++i) {
    const auto kind = static_cast<OpKind>(i);
    CHECK(names.insert(std::string(Name(kind))).second);
    CHECK_FALSE(Meaning(kind).empty());
  }
  CHECK(Name(OpKind::kStoreSubscript) == "store-subscript");
  CHECK(OperandsDoc(OpKind::kBinary) == "left right");
}

TEST_CASE("payloads follow the op table", "[ir]") {
  CHECK(PayloadOf(OpKind::kInt) == Payload::kInt);
  CHECK(PayloadOf(OpKind::kAttr) == Payload::kSymbol);
  CHECK(PayloadOf(OpKind::kUnpackItem) == Payload::kItem);
  CHECK(PayloadOf(OpKind::kBinary) == Payload::kNothing);
}

TEST_CASE("control flow is what ends a block", "[ir]") {
  std::set<std::string> found;
  for (int i = 0; i <= kLastOp; ++i) {
    if (IsControlFlow(static_cast<OpKind>(i))) found.insert(std::string(Name(static_cast<OpKind>(i))));
  }
  CHECK(found == std::set<std::string>{"jump", "branch", "either", "for-next", "return", "raise", "unreachable"});
}

TEST_CASE("operators are spelled as in Python", "[ir]") {
  CHECK(Spelling(BinaryOp::kAdd) == "+");
  CHECK(Spelling(BinaryOp::kXor) == "^");
  CHECK(Spelling(BinaryOp::kMatMul) == "@");
  CHECK(Spelling(CompareOp::kNotIn) == "not in");
  CHECK(Spelling(UnaryOp::kInvert) == "~");
}

TEST_CASE("the position of an unpacked item survives packing", "[ir]") {
  const ItemPosition position{5, 1022, 1021};
  const ItemPosition back = ItemPosition::Unpack(position.Pack());
  CHECK(back.index == 5);
  CHECK(back.count == 1022);
  CHECK(back.star == 1021);
  CHECK(ItemPosition::Unpack(ItemPosition{1, 2}.Pack()).star == ItemPosition::kNoStar);
}

}  // namespace
}  // namespace cpnlint::ir
