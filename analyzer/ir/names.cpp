#include <array>

#include "analyzer/ir/program.h"

namespace cpnlint::ir {
namespace {

struct OpFacts {
  std::string_view name;
  Payload payload;
  std::string_view operands;
  std::string_view meaning;
};

constexpr std::array kOps = {
#define CPNLINT_OP(kind, name, payload, operands, meaning) OpFacts{name, Payload::k##payload, operands, meaning},
#include "analyzer/ir/ops.def"
#undef CPNLINT_OP
};

constexpr std::array<std::string_view, 3> kUnary = {"-", "+", "~"};
constexpr std::array<std::string_view, 13> kBinary = {"+", "-",  "*",  "/", "//", "%", "**",
                                                      "@", "<<", ">>", "&", "|",  "^"};
constexpr std::array<std::string_view, 10> kCompare = {"==", "!=", "<",      "<=", ">",
                                                       ">=", "is", "is not", "in", "not in"};

}  // namespace

std::string_view Name(OpKind kind) { return kOps[static_cast<std::size_t>(kind)].name; }
Payload PayloadOf(OpKind kind) { return kOps[static_cast<std::size_t>(kind)].payload; }
std::string_view OperandsDoc(OpKind kind) { return kOps[static_cast<std::size_t>(kind)].operands; }
std::string_view Meaning(OpKind kind) { return kOps[static_cast<std::size_t>(kind)].meaning; }
std::string_view Spelling(UnaryOp op) { return kUnary[static_cast<std::size_t>(op)]; }
std::string_view Spelling(BinaryOp op) { return kBinary[static_cast<std::size_t>(op)]; }
std::string_view Spelling(CompareOp op) { return kCompare[static_cast<std::size_t>(op)]; }

}  // namespace cpnlint::ir
