#include "rules/match/device_call.h"

#include <algorithm>
#include <array>
#include <string>

#include "analyzer/analysis/text_arrays.h"

namespace cpnlint::rules::match {

using analysis::Callee;
using analysis::Facts;
using analysis::Library;

bool IsOneOf(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string_view BaseName(std::string_view canonical) {
  for (const std::string_view prefix : {"numpy.ndarray.", "numpy.", "cupynumeric."}) {
    if (canonical.substr(0, prefix.size()) == prefix) return canonical.substr(prefix.size());
  }
  return canonical;
}

static const api::Entry* FindRow(std::string_view canonical, std::string_view version) {
  const api::Version known = api::ParseVersion(version).value_or(api::kLatest);
  if (const api::Entry* row = api::Find(canonical, known)) return row;
  // A name of cuPyNumeric's own, under which NumPy has nothing: calls bear NumPy's prefix in ported programs, too.
  constexpr std::string_view kNumpy = "numpy.";
  if (!canonical.starts_with(kNumpy)) return nullptr;
  return api::FindExact("cupynumeric." + std::string(canonical.substr(kNumpy.size())), known);
}

const api::Entry* Row(std::string_view canonical, std::string_view version) {
  // Half a dozen rules ask for the name of the same call, one after the other.
  struct Known {
    std::string canonical, version;
    const api::Entry* row = nullptr;
  };
  thread_local Known known;
  if (known.canonical != canonical || known.version != version)
    known = {std::string(canonical), std::string(version), FindRow(canonical, version)};
  return known.row;
}

// `fft = np.fft.rfftn if real else np.fft.fftn`: what is said of one function need not hold for the other.
static bool IsOneOfSeveral(const Facts& facts, ir::ValueId callee) {
  const ir::Program& program = facts.program();
  if (!callee.valid() || program.ops[callee].kind != ir::OpKind::kPhi) return false;
  const std::span<const ir::ValueId> ways = program.Operands(callee);
  return std::any_of(ways.begin(), ways.end(), [&](ir::ValueId way) {
    const std::string_view name = facts.ApiName(way);
    return name.starts_with("numpy.") && name != facts.ApiName(callee);
  });
}

static DeviceCall ReadCall(const Facts& facts, ir::ValueId op) {
  const ir::Program& program = facts.program();
  const Callee& callee = facts.CalleeOf(op);
  if (callee.kind != Callee::Kind::kApi && callee.kind != Callee::Kind::kMethod) return {};
  if (callee.library != Library::kDevice) return {};
  DeviceCall result;
  result.call = op;
  result.name = callee.name;
  result.base = BaseName(callee.name);
  result.method = callee.kind == Callee::Kind::kMethod;
  result.evidence = callee.evidence;
  if (IsOneOfSeveral(facts, program.Operand(op, 0))) result.evidence |= analysis::kContradicted;
  if (result.method) {
    result.array = callee.receiver;
    const ir::ValueId attribute = program.Operand(op, 0);
    result.array_span = attribute.valid() && program.ops[attribute].kind == ir::OpKind::kAttr
                            ? program.OperandSpan(attribute, 0)
                            : program.OperandSpan(op, 0);
  } else if (facts.PositionalCount(op) > 0) {
    result.array = program.Operand(op, 1);
    result.array_span = program.OperandSpan(op, 1);
  } else if (const api::Entry* row = api::Find(callee.name); row != nullptr && !row->numpy_parameters.empty()) {
    result.array = facts.KeywordArgument(op, row->numpy_parameters.front());
    result.array_span = facts.KeywordSpan(op, row->numpy_parameters.front());
  }
  // No array of texts gets onto the device, so its methods are the host's; and nothing is done with one of objects.
  if (!facts.IsArray(result.array)) return result;
  const analysis::Value& array = facts.Of(result.array);
  if ((analysis::IsTextArray(array) && result.method) || array.dtype == ir::DType::kObject) return {};
  result.evidence |= array.evidence;
  return result;
}

DeviceCall AsDeviceCall(const Facts& facts, ir::ValueId op) {
  if (!op.valid() || facts.program().ops[op].kind != ir::OpKind::kCall) return {};
  // Dozens of rules ask about the same call, one after the other, and between them about its neighbours.
  struct Known {
    std::uint64_t facts = 0;  // serial
    ir::ValueId op;
    DeviceCall call;
  };
  thread_local std::array<Known, 16> known;
  Known& entry = known[op.index() % known.size()];
  if (entry.facts != facts.serial() || entry.op != op) entry = {facts.serial(), op, ReadCall(facts, op)};
  return entry.call;
}

ir::ValueId Argument(const Facts& facts, const DeviceCall& call, std::size_t position, std::string_view keyword) {
  if (!call.method) return facts.Argument(call.call, position, keyword);
  return position == 0 ? call.array : facts.Argument(call.call, position - 1, keyword);
}

Span ArgumentSpan(const Facts& facts, const DeviceCall& call, std::size_t position, std::string_view keyword) {
  if (const Span span = facts.KeywordSpan(call.call, keyword); !span.empty()) return span;
  if (call.method) {
    if (position == 0) return call.array_span;
    --position;
  }
  if (position >= facts.PositionalCount(call.call)) return {};
  return facts.program().OperandSpan(call.call, static_cast<std::uint32_t>(position) + 1);
}

}  // namespace cpnlint::rules::match
