#include "rules/match/index_object.h"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

namespace cpnlint::rules::match {

using analysis::Kind;
using ir::OpKind;

namespace {

bool IsSlice(const Facts& facts, ir::ValueId key) { return facts.program().ops[key].kind == OpKind::kSlice; }

// An argument of a call: the words of an operand.
Text Words(const Facts& facts, ir::ValueId op, std::uint32_t operand) {
  return Text().Add(facts.program().OperandSpan(op, operand), Binding::kConditional);
}

bool IsOne(const Facts& facts, ir::ValueId op) {
  const ir::Program& program = facts.program();
  return program.ops[op].kind == OpKind::kComplex && program.floats[program.ops[op].payload] == 1.0;
}

// The step `a * b` of which one is an imaginary literal: the operand that is `1j`, else nothing.
std::optional<std::uint32_t> UnitOf(const Facts& facts, ir::ValueId step) {
  const ir::Op& it = facts.program().ops[step];
  if (it.kind != OpKind::kBinary || static_cast<ir::BinaryOp>(it.detail) != ir::BinaryOp::kMul) return std::nullopt;
  for (const std::uint32_t operand : {0U, 1U}) {
    if (IsOne(facts, facts.program().Operand(step, operand))) return operand;
  }
  return std::nullopt;
}

// `5` of `5j`, `n` of `n * 1j` and of `complex(0, n)`.
std::optional<Text> CountOf(const Facts& facts, ir::ValueId step) {
  const ir::Program& program = facts.program();
  if (program.ops[step].kind == OpKind::kComplex) {
    const double count = program.floats[program.ops[step].payload];
    if (count != static_cast<double>(static_cast<std::int64_t>(count))) return std::nullopt;
    return Text(std::to_string(static_cast<std::int64_t>(count)));
  }
  const auto counted = [&](std::uint32_t operand) -> std::optional<Text> {
    const Kind kind = facts.Of(program.Operand(step, operand)).kind;
    if (kind != Kind::kInt && kind != Kind::kUnknown) return std::nullopt;
    return Words(facts, step, operand);
  };
  if (const auto unit = UnitOf(facts, step)) return counted(1 - *unit);
  const bool call = program.ops[step].kind == OpKind::kCall && facts.PositionalCount(step) == 2;
  return call && facts.IntOf(program.Operand(step, 1)) == 0 ? counted(2) : std::nullopt;
}

std::optional<Text> Line(const Facts& facts, ir::ValueId slice) {
  const ir::Program& program = facts.program();
  const ir::ValueId lower = program.Operand(slice, 0), upper = program.Operand(slice, 1);
  if (!upper.valid()) return std::nullopt;
  const Text start = lower.valid() ? Words(facts, slice, 0) : Text("0");
  if (CountsValues(facts, slice)) {
    const std::optional<Text> count = CountOf(facts, program.Operand(slice, 2));
    if (!count) return std::nullopt;
    return Text("np.linspace(").Add(start).Add(", ").Add(Words(facts, slice, 1)).Add(", ").Add(*count).Add(")");
  }
  Text line("np.arange(");
  const ir::ValueId step = program.Operand(slice, 2);
  if (lower.valid() || step.valid()) line.Add(start).Add(", ");
  line.Add(Words(facts, slice, 1));
  if (step.valid()) line.Add(", ").Add(Words(facts, slice, 2));
  return line.Add(")");
}

// Nothing but `y, x = ...` is done with it.
bool IsUnpacked(const Facts& facts, ir::ValueId value) {
  const auto uses = facts.UsesOf(value);
  return !uses.empty() && std::ranges::all_of(uses, [&](ir::ValueId use) {
    return facts.program().ops[use].kind == OpKind::kUnpackItem;
  });
}

// All axes of a grid have one type; so they do by themselves where all are counted, or none has a fraction.
bool HaveOneType(const Facts& facts, std::span<const ir::ValueId> slices) {
  const auto is_whole = [&](ir::ValueId slice) {
    return std::ranges::all_of(facts.program().Operands(slice), [&](ir::ValueId part) {
      return !part.valid() || facts.Of(part).kind == Kind::kInt || facts.Of(part).kind == Kind::kUnknown;
    });
  };
  const auto is_counted = [&](ir::ValueId slice) { return CountsValues(facts, slice); };
  return slices.size() == 1 || std::ranges::all_of(slices, is_counted) ||
         (std::ranges::none_of(slices, is_counted) && std::ranges::all_of(slices, is_whole));
}

std::optional<Text> Grid(const Facts& facts, ir::ValueId subscript, bool open) {
  const auto slices = facts.KeysOf(subscript);
  if (!std::ranges::all_of(slices, [&](ir::ValueId key) { return IsSlice(facts, key); }) || !HaveOneType(facts, slices))
    return std::nullopt;
  const bool unpacked = IsUnpacked(facts, subscript);
  Text lines;
  for (std::size_t i = 0; i < slices.size(); ++i) {
    const std::optional<Text> line = Line(facts, slices[i]);
    if (!line) return std::nullopt;
    if (slices.size() == 1) return line;
    lines.Add(i == 0 ? "" : ", ").Add(*line);
    if (!open) continue;
    for (std::size_t k = 0; k < slices.size(); ++k) lines.Add(k == 0 ? "[" : ", ").Add(k == i ? ":" : "None");
    lines.Add("]");
  }
  if (open) return unpacked ? lines : Text("(").Add(lines).Add(")");
  Text grid("np.meshgrid(");
  grid.Add(lines).Add(", indexing='ij')");
  return unpacked ? grid : Text("np.stack(").Add(grid).Add(")");
}

// cuPyNumeric joins columns of one rank alone.
std::optional<Text> Columns(const Facts& facts, ir::ValueId subscript) {
  const auto keys = facts.KeysOf(subscript);
  const int rank = facts.RankOf(keys.front());
  const auto is_column = [&](ir::ValueId key) { return facts.IsArray(key) && facts.RankOf(key) == rank; };
  if ((rank != 1 && rank != 2) || !std::ranges::all_of(keys, is_column)) return std::nullopt;
  Text columns("np.column_stack((");
  for (std::uint32_t i = 0; i < keys.size(); ++i) columns.Add(i == 0 ? "" : ", ").Add(Words(facts, subscript, i + 1));
  return columns.Add(keys.size() == 1 ? ",))" : "))");
}

// `np.r_[a]` joins one array with nothing.
std::optional<Text> One(const Facts& facts, ir::ValueId subscript) {
  const auto keys = facts.KeysOf(subscript);
  if (keys.size() != 1) return std::nullopt;
  const ir::ValueId key = keys.front();
  if (IsSlice(facts, key)) return Line(facts, key);
  const Span words = facts.program().OperandSpan(subscript, 1);
  const bool array = facts.IsArray(key);
  if (array && facts.HasAxis(key) && facts.Of(key).evidence == 0)
    return Text().Add(words, Binding::kPrimary).Add(".copy()");
  // What may be a number becomes an array of one.
  if (array || facts.Of(key).kind == Kind::kList) return Text("np.atleast_1d(").Add(words).Add(").copy()");
  if (analysis::IsNumber(facts.Of(key).kind)) return Text("np.array([").Add(words).Add("])");
  return std::nullopt;
}

// `np.r_[1.0, prob]`: numbers in brackets, where they do not change the type of what is joined.
std::optional<Text> Joined(const Facts& facts, ir::ValueId subscript) {
  const auto keys = facts.KeysOf(subscript);
  const auto all_are = [&](ir::DType dtype, bool slices) {
    return std::ranges::all_of(keys, [&](ir::ValueId key) {
      if (IsSlice(facts, key)) return slices && !CountsValues(facts, key);
      return !facts.IsArray(key) || facts.Of(key).dtype == dtype;
    });
  };
  const bool floats = all_are(ir::DType::kFloat64, true), integers = all_are(ir::DType::kInt64, true);
  if (keys.size() < 2 || (!floats && !integers)) return std::nullopt;
  Text parts("np.concatenate((");
  for (std::uint32_t i = 0; i < keys.size(); ++i) {
    const ir::ValueId key = keys[i];
    const Kind kind = facts.Of(key).kind;
    const Span words = facts.program().OperandSpan(subscript, i + 1);
    if (i > 0) parts.Add(", ");
    if (IsSlice(facts, key)) {
      const std::optional<Text> line = Line(facts, key);
      if (!line) return std::nullopt;
      parts.Add(*line);
    } else if (kind == Kind::kInt || (kind == Kind::kFloat && floats)) {
      parts.Add("[").Add(words, Binding::kConditional).Add("]");
    } else if (facts.IsArray(key) && facts.RankOf(key) == 1) {
      parts.Add(words, Binding::kConditional);
    } else {
      return std::nullopt;
    }
  }
  const bool some = std::ranges::any_of(keys, [&](ir::ValueId key) { return facts.IsArray(key); });
  if (!some) return std::nullopt;
  return parts.Add("))");
}

std::optional<Text> Keys(const Facts& facts, ir::ValueId subscript, bool always_tuple) {
  const ir::Program& program = facts.program();
  const auto keys = facts.KeysOf(subscript);
  Text code;
  for (std::uint32_t i = 0; i < keys.size(); ++i) {
    code.Add(i == 0 ? "" : ", ");
    if (!IsSlice(facts, keys[i])) {
      code.Add(Words(facts, subscript, i + 1));
      continue;
    }
    code.Add("slice(");
    const std::uint32_t parts = program.Operand(keys[i], 2).valid() ? 3 : 2;
    for (std::uint32_t part = 0; part < parts; ++part) {
      code.Add(part == 0 ? "" : ", ");
      code.Add(program.Operand(keys[i], part).valid() ? Words(facts, keys[i], part) : Text("None"));
    }
    code.Add(")");
  }
  const bool tuple = always_tuple || (program.ops[subscript].flags & ir::kTupleIndex) != 0;
  return tuple ? Text("(").Add(code).Add(keys.size() == 1 ? ",)" : ")") : code;
}

}  // namespace

bool CountsValues(const Facts& facts, ir::ValueId slice) {
  if (!IsSlice(facts, slice)) return false;
  const ir::ValueId step = facts.program().Operand(slice, 2);
  return step.valid() && (facts.Of(step).kind == Kind::kComplex || UnitOf(facts, step).has_value());
}

std::optional<Text> WithoutIndexObject(const Facts& facts, ir::ValueId subscript) {
  if (facts.program().ops[subscript].kind != OpKind::kSubscript) return std::nullopt;
  const std::string_view name = facts.ApiName(facts.program().Operand(subscript, 0));
  if (name == "numpy.mgrid" || name == "numpy.ogrid") return Grid(facts, subscript, name == "numpy.ogrid");
  if (name == "numpy.c_") return Columns(facts, subscript);
  if (name == "numpy.r_" && facts.KeysOf(subscript).size() > 1) return Joined(facts, subscript);
  if (name == "numpy.r_") return One(facts, subscript);
  if (name == "numpy.s_" || name == "numpy.index_exp") return Keys(facts, subscript, name == "numpy.index_exp");
  return std::nullopt;
}

}  // namespace cpnlint::rules::match
