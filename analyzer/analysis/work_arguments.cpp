// What is special about a call of the array library: its arrays, the words of the launch table, whether it waits.

#include <algorithm>
#include <array>

#include "analyzer/analysis/host_number.h"
#include "analyzer/analysis/work_impl.h"
#include "analyzer/api/api.h"
#include "analyzer/api/launches.h"

namespace cpnlint::analysis {

using api::LaunchWord;

ir::ValueId TaskMaker::ArgumentOf(ir::ValueId call, std::size_t position, std::string_view keyword) const {
  const Callee& callee = facts_.CalleeOf(call);
  if (callee.kind == Callee::Kind::kMethod) {
    if (position == 0) return callee.receiver;
    --position;
  }
  return facts_.Argument(call, position, keyword);
}

std::vector<ir::ValueId> TaskMaker::ArraysOf(ir::ValueId call) const { return ArraysBut(call, std::nullopt); }

std::vector<ir::ValueId> TaskMaker::InputsOf(ir::ValueId call) const { return ArraysBut(call, OutOperand(call)); }

std::optional<std::uint32_t> TaskMaker::OutOperand(ir::ValueId call) const {
  const ir::CallShape& shape = program_.Shape(program_.ops[call]);
  for (std::size_t i = 0; i < shape.keywords.size(); ++i) {
    const Symbol keyword = shape.keywords[i];
    if (keyword.valid() && program_.names.Text(keyword) == "out")
      return static_cast<std::uint32_t>(1 + shape.positional + i);
  }
  const api::Entry* row = api::Find(facts_.CalleeOf(call).name);
  const bool ufunc = row != nullptr && row->kind == api::Kind::kUfunc && row->inputs > 0;
  if (ufunc && shape.positional > row->inputs && !facts_.HasStarArguments(call)) return 1 + row->inputs;
  return std::nullopt;
}

ir::ValueId TaskMaker::ResultOf(ir::ValueId call) const {
  const std::optional<std::uint32_t> operand = OutOperand(call);
  if (!operand) return call;
  const ir::ValueId out = program_.Operand(call, *operand);
  return out.valid() && facts_.IsArray(out) ? out : call;
}

std::vector<ir::ValueId> TaskMaker::ArraysBut(ir::ValueId call, std::optional<std::uint32_t> operand) const {
  std::vector<ir::ValueId> arrays;
  const auto see = [&](ir::ValueId value) {
    if (!value.valid()) return;
    if (facts_.IsArray(value)) {
      arrays.push_back(value);
      return;
    }
    const ir::ValueId source = facts_.Source(value);
    if (!source.valid()) return;
    const ir::OpKind kind = program_.ops[source].kind;
    if (kind != ir::OpKind::kTuple && kind != ir::OpKind::kList) return;
    for (const ir::ValueId element : program_.Operands(source)) {
      if (!element.valid()) continue;
      if (facts_.IsArray(element)) arrays.push_back(element);
      const ir::ValueId row = facts_.Source(element);  // block([[a, b]])
      if (!row.valid() || program_.ops[row].kind != ir::OpKind::kList) continue;
      for (const ir::ValueId inner : program_.Operands(row)) {
        if (inner.valid() && facts_.IsArray(inner)) arrays.push_back(inner);
      }
    }
  };
  const Callee& callee = facts_.CalleeOf(call);
  if (callee.kind == Callee::Kind::kMethod) see(callee.receiver);
  const std::span<const ir::ValueId> operands = program_.Operands(call);
  for (std::uint32_t i = 1; i < operands.size(); ++i) {
    if (i != operand) see(operands[i]);
  }
  return arrays;
}

std::uint64_t TaskMaker::WordsOf(ir::ValueId call) const {
  std::uint64_t words = 0;
  const Callee& callee = facts_.CalleeOf(call);
  const std::string_view base = ApiBaseName(callee.name);
  const auto given = [&](std::size_t position, std::string_view keyword) {
    const ir::ValueId value = ArgumentOf(call, position, keyword);
    return value.valid() && !facts_.IsNoneConstant(value) ? value : ir::ValueId::None();
  };
  const std::vector<ir::ValueId> arrays = ArraysOf(call);
  const ir::ValueId first = arrays.empty() ? ir::ValueId::None() : arrays.front();
  const int rank = first.valid() ? Rank(first) : -1;

  const std::size_t axis_position = base == "norm" || base == "linalg.norm" || base == "percentile" ||
                                            base == "quantile" || base == "take" || base == "repeat" || base == "roll"
                                        ? 2
                                        : 1;
  const bool has_axis = base != "dot" && base != "matmul" && base != "where" && base != "reshape" && base != "diff";
  if (const ir::ValueId axis = given(has_axis ? axis_position : 99, "axis"); axis.valid()) {
    words |= LaunchWord("axis");
    if (facts_.Of(axis).kind == Kind::kTuple) words |= LaunchWord("axes");
    const std::optional<std::int64_t> number = facts_.IntOf(axis);
    if (number && (*number == -1 || *number == rank - 1)) words |= LaunchWord("last");
  } else if (rank > 1) {
    words |= LaunchWord("flat");
  }
  if (facts_.BoolOf(facts_.KeywordArgument(call, "keepdims")) == true) words |= LaunchWord("keepdims");
  struct Named {
    std::string_view keyword;
    std::uint64_t word;
    std::size_t position;
  };
  for (const Named& named : {Named{"where", LaunchWord("where"), 99}, Named{"out", LaunchWord("out"), 99},
                             Named{"weights", LaunchWord("weights"), 99}, Named{"range", LaunchWord("range"), 99},
                             Named{"minlength", LaunchWord("minlength"), 2}, Named{"retstep", LaunchWord("retstep"), 4},
                             Named{"sparse", LaunchWord("sparse"), 99}}) {
    if (given(named.position, named.keyword).valid()) words |= named.word;
  }
  if (base == "linalg.norm") {
    if (const ir::ValueId ord = given(1, "ord"); ord.valid()) {
      words |= LaunchWord("ord");
      if (facts_.ApiName(ord) == "numpy.inf") words |= LaunchWord("inf");
    }
  }
  if ((base == "round" || base == "around") && given(1, "decimals").valid()) words |= LaunchWord("decimals");
  if (base == "pad" && facts_.TextOf(given(2, "mode")) == "edge") words |= LaunchWord("edge");

  if (first.valid()) {
    const ir::DType type = facts_.Of(first).dtype;
    if (ir::IsInteger(type)) words |= LaunchWord("integer");
    if (type == ir::DType::kBool) words |= LaunchWord("bool");
    if (type == ir::DType::kFloat32) words |= LaunchWord("single");
    if (ir::IsComplex(type)) words |= LaunchWord("complex");
    constexpr std::array<std::uint64_t, 4> kRanks = {LaunchWord("0d"), LaunchWord("1d"), LaunchWord("2d"),
                                                     LaunchWord("3d")};
    if (rank >= 0) words |= kRanks[static_cast<std::size_t>(std::min(rank, 3))];
    if (const ir::ValueId to = facts_.KeywordArgument(call, "dtype"); to.valid()) {
      const ir::DType wanted = DTypeArgument(program_.names, facts_.Of(to));
      if (wanted != ir::DType::kUnknown && wanted != type) words |= LaunchWord("dtype");
    }
    if (base == "astype" && facts_.Of(call).dtype == type && type != ir::DType::kUnknown) words |= LaunchWord("same");
  }
  if (arrays.size() >= 2) {
    const int second = Rank(arrays[1]);
    if (rank == 1 && second == 1) words |= LaunchWord("1d 1d");
    if (rank == 2 && second == 1) words |= LaunchWord("2d 1d");
    if (rank == 1 && second == 2) words |= LaunchWord("1d 2d");
    if (rank == 2 && second == 2) words |= LaunchWord("2d 2d");
    if (second == 0) words |= LaunchWord("0d");
    if (second >= 3) words |= LaunchWord("3d");
  }
  int numbers = 0;
  const std::size_t positional = facts_.PositionalCount(call);
  for (std::size_t i = 0; i < positional; ++i) {
    const ir::ValueId argument = program_.Operand(call, static_cast<std::uint32_t>(1 + i));
    if (argument.valid() && (IsNumber(facts_.Of(argument).kind) || facts_.Of(argument).kind == Kind::kNumpyScalar)) {
      ++numbers;
    }
  }
  if (numbers >= 1) words |= LaunchWord("number");
  if (numbers >= 2) words |= LaunchWord("two numbers");
  if (numbers >= 1 && arrays.empty()) words |= LaunchWord("only number");
  if (base == "clip") {
    for (const ir::ValueId bound : {given(1, "a_min"), given(2, "a_max")}) {
      if (bound.valid() && facts_.IsArray(bound)) words |= LaunchWord("array");
    }
  }
  if (base == "where" && positional == 1) words |= LaunchWord("one");
  if (base == "meshgrid") words |= positional == 2 ? LaunchWord("two") : positional == 3 ? LaunchWord("three") : 0;
  if (base == "linalg.matrix_power" && facts_.IntOf(given(1, "n")) == 2) words |= LaunchWord("two");
  if (base == "arange" && ir::IsInexact(facts_.Of(call).dtype)) words |= LaunchWord("float");
  if (base == "array" || base == "asarray") {
    const ir::ValueId source = program_.Operand(call, 1);
    if (source.valid() && facts_.IsDevice(source)) {
      words |= LaunchWord("device");
    } else if (std::any_of(arrays.begin(), arrays.end(), [&](ir::ValueId a) { return facts_.IsDevice(a); })) {
      words |= LaunchWord("device scalars");
    } else {
      words |= source.valid() && facts_.IsArray(source) ? LaunchWord("host") : LaunchWord("literal");
    }
  }
  if (base == "reshape" || base == "ravel" || base == "flatten") {
    if (Rank(call) != 1) words &= ~LaunchWord("flat");
    const ir::ValueId root = facts_.DeviceRootOf(call);
    if (first.valid() && root.valid() && root == facts_.DeviceRootOf(first)) words = LaunchWord("unit");
  }
  return words;
}

// --- waits ---

void TaskMaker::Waits(WorkTask& task, ir::ValueId op) {
  const Callee& callee = facts_.CalleeOf(op);
  const api::Entry* row = api::Find(callee.name);
  if (row == nullptr) return;
  if (row->throws) task.waits = true;
  const auto get = [&](std::string_view parameter) {
    const std::optional<std::size_t> position = api::ParameterPosition(*row, parameter);
    const std::size_t shift = callee.kind == Callee::Kind::kMethod ? 1 : 0;
    return ArgumentOf(op, position ? *position + shift : 99, parameter);
  };
  const auto absent = [&](std::string_view parameter) {
    const ir::ValueId value = get(parameter);
    return value.valid() ? facts_.IsNoneConstant(value) : !facts_.HasStarArguments(op);
  };
  const auto given = [&](std::string_view parameter) {
    const ir::ValueId value = get(parameter);
    return value.valid() && !facts_.IsNoneConstant(value);
  };
  const auto array = [&](std::string_view parameter) {
    const ir::ValueId value = get(parameter);
    return value.valid() && facts_.IsArray(value);
  };
  const std::vector<ir::ValueId> arrays = ArraysOf(op);
  const Value first = arrays.empty() ? Unknown() : facts_.Of(arrays.front());
  for (const api::Wait& wait : row->waits) {
    bool waits = false;
    switch (wait.when) {
      case api::WaitWhen::kAlways: waits = true; break;
      case api::WaitWhen::kWithoutRange: waits = absent("range") || array("bins"); break;
      case api::WaitWhen::kSeveralProcessors: break;  // the model knows how many there are: `all_to_all` tells it
      case api::WaitWhen::kFlattened: break;
      case api::WaitWhen::kWholeArray: waits = absent("axis"); break;
      case api::WaitWhen::kPadMode:
        waits = array("constant_values") || facts_.TextOf(get("mode")) == "linear_ramp";
        break;
      case api::WaitWhen::kWeights: waits = given("weights"); break;
      case api::WaitWhen::kFrequencyWeights: waits = given("fweights") || given("aweights"); break;
      case api::WaitWhen::kArrayBounds: waits = array("a_min") || array("a_max") || array("min") || array("max"); break;
      case api::WaitWhen::kRaiseMode: waits = absent("mode") || facts_.TextOf(get("mode")) == "raise"; break;
      case api::WaitWhen::kSorter: waits = given("sorter"); break;
      case api::WaitWhen::kArrayCounts: waits = array("repeats"); break;
      case api::WaitWhen::kComplexOperand: waits = ir::IsComplex(first.dtype); break;
      case api::WaitWhen::kSeveralKeys: waits = arrays.size() > 1; break;
      case api::WaitWhen::kFloatOrTable: waits = ir::IsFloat(first.dtype); break;
      case api::WaitWhen::kArrayEnds: waits = array("start") || array("stop"); break;
      case api::WaitWhen::kDeviceScalar: waits = array("fill_value") || array("value"); break;
      case api::WaitWhen::kHostNumber: waits = static_cast<bool>(FindHostNumber(facts_, op, *row, wait)); break;
      case api::WaitWhen::kDeviceParameter:
      case api::WaitWhen::kButWriteable: break;
    }
    if (!waits) continue;
    task.waits = true;
    if (wait.gathers && !arrays.empty()) task.to_host = dims_.Add(task.to_host, Bytes(arrays.front()));
  }
}

}  // namespace cpnlint::analysis
