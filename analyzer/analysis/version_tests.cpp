#include "analyzer/analysis/version_tests.h"

#include <charconv>
#include <string>

#include "analyzer/analysis/callee_names.h"

namespace cpnlint::analysis {
namespace {

constexpr std::string_view kVersion = "26.";
constexpr int kMajor = 26;

// `Version(x)`, `parse(x)`, `NumpyVersion(x)`: x, and that it is compared number by number.
struct Compared {
  ir::ValueId text;
  bool by_numbers = false;
};

Compared Unwrap(const Facts::Impl& impl, ir::ValueId id) {
  if (!id.valid()) return {};
  const ir::Op& op = impl.program.ops[id];
  if (op.kind != ir::OpKind::kCall || op.operand_count != 2) return {id};
  const Value& called = impl.values[impl.program.Operand(id, 0)];
  if (called.kind != Kind::kForeign && called.kind != Kind::kApi) return {id};
  std::string_view name = impl.names.Text(called.name);
  name = name.substr(name.rfind('.') + 1);
  const bool makes =
      IsOneOf(name, {"Version", "parse", "parse_version", "LooseVersion", "StrictVersion", "NumpyVersion"});
  return makes ? Compared{impl.program.Operand(id, 1), true} : Compared{id};
}

bool IsVersionOfDevice(const Facts::Impl& impl, ir::ValueId id) {
  if (!id.valid()) return false;
  const Value& value = impl.values[id];
  return value.kind == Kind::kApi && value.library == Library::kDevice &&
         impl.names.Text(value.name) == "numpy.__version__";
}

}  // namespace

std::optional<bool> VersionTest(const Facts::Impl& impl, const ir::Op& compare) {
  const auto operands = impl.program.Operands(compare);
  if (operands.size() != 2) return std::nullopt;
  const Compared left = Unwrap(impl, operands[0]), right = Unwrap(impl, operands[1]);
  const bool first = IsVersionOfDevice(impl, left.text);
  if (!first && !IsVersionOfDevice(impl, right.text)) return std::nullopt;
  const ir::ValueId other = first ? right.text : left.text;
  const Value& literal = impl.values[other];
  if (!other.valid() || literal.kind != Kind::kStr || !literal.constant) return std::nullopt;
  const std::string_view text = impl.names.Text(literal.name);
  bool newer = kVersion > text;
  if (left.by_numbers || right.by_numbers) {
    int major = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), major);
    if (error != std::errc() || (end != text.data() + text.size() && *end != '.')) return std::nullopt;
    if (major == kMajor) return std::nullopt;
    newer = kMajor > major;
  } else if (text.starts_with(std::to_string(kMajor))) {
    return std::nullopt;
  }
  switch (static_cast<ir::CompareOp>(compare.detail)) {
    case ir::CompareOp::kEq: return false;
    case ir::CompareOp::kNe: return true;
    case ir::CompareOp::kLt:
    case ir::CompareOp::kLe: return newer != first;
    case ir::CompareOp::kGt:
    case ir::CompareOp::kGe: return newer == first;
    default: return std::nullopt;
  }
}

}  // namespace cpnlint::analysis
