#include "rules/match/rewrite.h"

#include <algorithm>

namespace cpnlint::rules::match {

Binding LeftOf(ir::BinaryOp op) {
  switch (op) {
    case ir::BinaryOp::kAdd:
    case ir::BinaryOp::kSub: return Binding::kSum;
    case ir::BinaryOp::kMul:
    case ir::BinaryOp::kDiv:
    case ir::BinaryOp::kFloorDiv:
    case ir::BinaryOp::kMod:
    case ir::BinaryOp::kMatMul: return Binding::kProduct;
    case ir::BinaryOp::kPow: return Binding::kPrimary;
    case ir::BinaryOp::kLeftShift:
    case ir::BinaryOp::kRightShift: return Binding::kShift;
    case ir::BinaryOp::kAnd: return Binding::kBitAnd;
    case ir::BinaryOp::kXor: return Binding::kBitXor;
    case ir::BinaryOp::kOr: return Binding::kBitOr;
  }
  return Binding::kPrimary;
}

// One step tighter, as they group to the left; only `**` groups to the right and takes a sign there.
Binding RightOf(ir::BinaryOp op) {
  if (op == ir::BinaryOp::kPow) return Binding::kUnary;
  return static_cast<Binding>(static_cast<int>(LeftOf(op)) + 1);
}

Span Untransposed(const Facts& facts, ir::ValueId array, Span words) {
  const ir::Program& program = facts.program();
  if (!array.valid() || program.ops[array].kind != ir::OpKind::kAttr || program.ops[array].span != words) return {};
  return program.Name(program.ops[array]) == "T" ? program.OperandSpan(array, 0) : Span{};
}

bool IsShownWhole(const Text& code) {
  constexpr std::uint32_t kLongest = 60;
  return std::ranges::all_of(code.pieces, [](const Text::Piece& piece) { return piece.span.size() <= kLongest; });
}

Text Replace(Span whole, const std::vector<Cut>& cuts) {
  Text out;
  std::uint32_t at = whole.begin;
  for (const Cut& cut : cuts) {
    if (cut.span.begin < at || cut.span.end > whole.end) continue;
    out.Add(Span{at, cut.span.begin}).Add(cut.replacement);
    at = cut.span.end;
  }
  return out.Add(Span{at, whole.end});
}

Text WithArray(const Facts& facts, const DeviceCall& call, std::string_view appended) {
  const Text array = Text().Add(call.array_span, Binding::kPrimary).Add(appended);
  return Replace(facts.program().ops[call.call].span, {{call.array_span, array}});
}

}  // namespace cpnlint::rules::match
