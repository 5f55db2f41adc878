#include "analyzer/analysis/cadences.h"

#include <algorithm>

#include "analyzer/analysis/count_names.h"
#include "analyzer/analysis/impl.h"
#include "analyzer/analysis/parser_defaults.h"
#include "analyzer/analysis/way_tests.h"

namespace cpnlint::analysis {
namespace {

constexpr double kUnknownPeriod = 10;  // `i % k == 0` with an unknown k (rules.md A.5)

// `i` and `k` of `i % k`.
RemainderTest Divided(const Facts& facts, ir::ValueId id) {
  const ir::ValueId source = facts.Source(id);
  if (!source.valid()) return {};
  const ir::Op& op = facts.program().ops[source];
  const bool modulo = op.kind == ir::OpKind::kBinary && static_cast<ir::BinaryOp>(op.detail) == ir::BinaryOp::kMod;
  if (!modulo || facts.IsArray(facts.program().Operand(source, 0))) return {};
  return {facts.program().Operand(source, 0), facts.program().Operand(source, 1)};
}

// `every=4` may be anything.
bool IsSure(const Facts& facts, ir::ValueId every) {
  return facts.IntOf(every) && (facts.Of(every).evidence & kDefaultValue) == 0;
}

// An option of the command line is what its user wants; other defaults hold where nobody says more.
EvidenceSet EvidenceOfDefault(const Facts& facts, ir::ValueId every) {
  const ir::Program& program = facts.program();
  const ir::ValueId source = facts.Source(every);
  const bool option =
      source.valid() && program.ops[source].kind == ir::OpKind::kAttr &&
      ParserDefault(facts, program.functions[program.FunctionOf(source)].module, program.Name(program.ops[source]));
  return option ? kArgparseDefault : kDefaultValue;
}

// `i % nspin`: what a name alone tells is no default.
bool IsCountByName(const Facts& facts, ir::ValueId every) {
  const ir::Program& program = facts.program();
  const ir::ValueId source = facts.Source(every);
  if (!source.valid()) return false;
  const ir::Op& op = program.ops[source];
  if (op.kind == ir::OpKind::kAttr) return UsualSizeByName(program.Name(op)).has_value();
  if (op.kind != ir::OpKind::kParam) return false;
  const ir::Param& param = program.functions[program.FunctionOf(source)].params[op.detail];
  return !param.default_value.valid() && UsualSizeByName(program.names.Text(param.name)).has_value();
}

}  // namespace

RemainderTest RemainderAsked(const Facts& facts, const ir::Guard& guard) {
  if (guard.kind != ir::Guard::Kind::kTest || !guard.truth.valid()) return {};
  const ir::Program& program = facts.program();
  const Test test = TestOf(program, guard);
  if (!test.id.valid()) return {};
  const RemainderTest whole = Divided(facts, test.id);
  if (whole.every.valid()) return test.holds ? RemainderTest() : whole;  // `if not i % 10`
  if (program.ops[test.id].kind != ir::OpKind::kCompare) return {};
  const auto compare = static_cast<ir::CompareOp>(program.ops[test.id].detail);
  const bool equal = compare == ir::CompareOp::kEq ? test.holds : compare == ir::CompareOp::kNe && !test.holds;
  if (!equal) return {};
  const RemainderTest left = Divided(facts, program.Operand(test.id, 0));
  return left.every.valid() ? left : Divided(facts, program.Operand(test.id, 1));
}

ir::ValueId EveryAsked(const Facts& facts, const ir::Guard& guard) { return RemainderAsked(facts, guard).every; }

double PeriodOf(const Facts& facts, ir::ValueId every) {
  if (!IsSure(facts, every)) return kUnknownPeriod;
  return std::max<double>(1, static_cast<double>(*facts.IntOf(every)));
}

Facts::Cadence Facts::CadenceOf(ir::GuardId guard) const {
  const ir::ValueId every = EveryAsked(*this, program_.guards[guard]);
  if (!every.valid() || IsSure(*this, every)) return {GuardPeriod(guard)};
  std::optional<std::int64_t> usual = IntOf(every);
  if (!usual && Of(every).dim.valid() && !IsCountByName(*this, every)) usual = UsualSize(*this, *impl_, Of(every).dim);
  // `every=4` is for the caller to say; a default of 1 asks for each pass.
  if (!usual || *usual < 1 || (*usual > 1 && static_cast<double>(*usual) < kUnknownPeriod)) return {GuardPeriod(guard)};
  return {static_cast<double>(*usual), EvidenceOfDefault(*this, every)};
}

}  // namespace cpnlint::analysis
