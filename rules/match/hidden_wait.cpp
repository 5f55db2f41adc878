#include "rules/match/hidden_wait.h"

#include <optional>

#include "analyzer/analysis/host_number.h"

namespace cpnlint::rules::match {

using analysis::Facts;
using analysis::Kind;
using api::WaitWhen;

namespace {

class Arguments {
 public:
  Arguments(const Facts& facts, const DeviceCall& call, const api::Entry& row)
      : facts_(facts), call_(call), row_(row) {}

  // Sets what Found says.
  [[nodiscard]] bool Waits(const api::Wait& wait, int processors) {
    switch (wait.when) {
      case WaitWhen::kAlways: return true;
      case WaitWhen::kWithoutRange: return LacksRange();
      case WaitWhen::kSeveralProcessors: return processors > 1;
      case WaitWhen::kFlattened: return processors > 1 && (Absent("axis") || facts_.RankOf(call_.array) == 1);
      case WaitWhen::kWholeArray: return Absent("axis");
      case WaitWhen::kPadMode: return PadWaits(processors);
      case WaitWhen::kWeights: return Given("weights");
      case WaitWhen::kFrequencyWeights: return Given("fweights") || Given("aweights");
      case WaitWhen::kArrayBounds: return IsArrayAt(1, "a_min", "min") || IsArrayAt(2, "a_max", "max");
      case WaitWhen::kRaiseMode: return Absent("mode") || facts_.TextOf(Get("mode")) == "raise";
      case WaitWhen::kSorter: return Given("sorter");
      case WaitWhen::kArrayCounts: return IsSequence("repeats");
      case WaitWhen::kComplexOperand: return ir::IsComplex(facts_.Of(call_.array).dtype);
      case WaitWhen::kSeveralKeys: return HasSeveralKeys();
      case WaitWhen::kFloatOrTable:
        return ir::IsFloat(facts_.Of(call_.array).dtype) || facts_.TextOf(Get("kind")) == "table";
      case WaitWhen::kArrayEnds: return IsDeviceArray("start") || IsDeviceArray("stop");
      case WaitWhen::kDeviceScalar: return IsDeviceArray("fill_value") || IsDeviceArray("value");
      case WaitWhen::kDeviceParameter: return HasDeviceParameter();
      case WaitWhen::kHostNumber: return NeedsHostNumber(wait);
      case WaitWhen::kButWriteable: return false;  // an attribute, no call
    }
    return false;
  }

  [[nodiscard]] Span span() const { return span_; }
  [[nodiscard]] ir::ValueId value() const { return value_; }
  [[nodiscard]] bool on_device() const { return on_device_; }
  [[nodiscard]] analysis::EvidenceSet evidence() const { return evidence_; }

 private:
  // The row of a method counts no receiver; match::Argument does.
  [[nodiscard]] std::size_t Position(std::string_view parameter) const {
    const std::optional<std::size_t> position = api::ParameterPosition(row_, parameter);
    if (!position) return 99;
    return *position + (call_.method ? 1 : 0);
  }

  [[nodiscard]] ir::ValueId Get(std::string_view parameter) const {
    return Argument(facts_, call_, Position(parameter), parameter);
  }

  // Edges make it wait whatever the range. Without a range it waits for the data, whatever else is known of the bins.
  [[nodiscard]] bool LacksRange() {
    const bool absent = Absent("range");
    if (!IsSequence("bins")) return absent;
    const bool are_edges = !facts_.IsArray(value_) || facts_.RankOf(value_) > 0;
    if (absent && !are_edges) {
      span_ = {};
      value_ = {};
      on_device_ = false;
    }
    if (absent && (!are_edges || facts_.IsDevice(call_.array))) evidence_ = 0;
    return true;
  }

  // Proved to be left out, or None.
  [[nodiscard]] bool Absent(std::string_view parameter) const {
    const ir::ValueId value = Get(parameter);
    return value.valid() ? facts_.IsNoneConstant(value) : !facts_.HasStarArguments(call_.call);
  }

  [[nodiscard]] bool Found(ir::ValueId value, Span span) {
    span_ = span;
    value_ = value;
    on_device_ = facts_.IsDevice(value);
    if (facts_.IsArray(value)) evidence_ |= facts_.Of(value).evidence;
    return true;
  }

  [[nodiscard]] bool Given(std::string_view parameter) {
    const ir::ValueId value = Get(parameter);
    if (!value.valid() || facts_.Of(value).kind == Kind::kNone || facts_.Of(value).kind == Kind::kUnknown) return false;
    return Found(value, ArgumentSpan(facts_, call_, Position(parameter), parameter));
  }

  [[nodiscard]] bool IsDeviceArray(std::string_view parameter) {
    const ir::ValueId value = Get(parameter);
    return facts_.IsDevice(value) && Found(value, ArgumentSpan(facts_, call_, Position(parameter), parameter));
  }

  [[nodiscard]] bool IsSequence(std::string_view parameter) {
    const ir::ValueId value = Get(parameter);
    const Kind kind = facts_.Of(value).kind;
    return (kind == Kind::kArray || kind == Kind::kList) &&
           Found(value, ArgumentSpan(facts_, call_, Position(parameter), parameter));
  }

  [[nodiscard]] bool IsArrayAt(std::size_t position, std::string_view keyword, std::string_view other_keyword) {
    for (const std::string_view name : {keyword, other_keyword}) {
      const ir::ValueId value = Argument(facts_, call_, position, name);
      if (facts_.IsArray(value)) return Found(value, ArgumentSpan(facts_, call_, position, name));
    }
    return false;
  }

  [[nodiscard]] bool PadWaits(int processors) {
    const ir::ValueId mode = Get("mode");
    if (facts_.TextOf(mode) == "linear_ramp") return true;
    if (!Absent("mode") && facts_.TextOf(mode) != "constant") return false;
    return processors > 1 || facts_.IsArray(facts_.KeywordArgument(call_.call, "constant_values"));
  }

  [[nodiscard]] bool HasSeveralKeys() const {
    if (facts_.RankOf(call_.array) >= 2) return true;
    const analysis::Value& keys = facts_.Of(call_.array);
    return (keys.kind == Kind::kTuple || keys.kind == Kind::kList) &&
           facts_.store().dims().AsConst(keys.dim).value_or(0) >= 2;
  }

  // Parameters of a distribution come before size=, dtype= and out=. Arrays of them raise (R113).
  [[nodiscard]] bool HasDeviceParameter() {
    for (const std::string_view name : row_.numpy_parameters) {
      if (IsOneOf(name, {"size", "dtype", "out", "method", "endpoint"})) continue;
      const ir::ValueId value = Get(name);
      if (facts_.IsDevice(value) && facts_.IsZeroD(value)) return IsDeviceArray(name);
    }
    return false;
  }

  [[nodiscard]] bool NeedsHostNumber(const api::Wait& wait) {
    const analysis::HostNumber found = analysis::FindHostNumber(facts_, call_.call, row_, wait);
    if (!found) return false;
    return Found(found.number, ArgumentSpan(facts_, call_, found.position, found.parameter));
  }

  const Facts& facts_;
  const DeviceCall& call_;
  const api::Entry& row_;
  Span span_;
  ir::ValueId value_;
  bool on_device_ = false;
  analysis::EvidenceSet evidence_ = 0;
};

}  // namespace

HiddenWait FindHiddenWait(const Facts& facts, const DeviceCall& call, const api::Entry& row, int rule, int processors) {
  for (const api::Wait& wait : row.waits) {
    if (wait.rule != rule) continue;
    Arguments arguments(facts, call, row);
    if (!arguments.Waits(wait, processors)) continue;
    HiddenWait found{&wait, arguments.span(), arguments.value(), arguments.on_device(), call.evidence};
    found.evidence |= arguments.evidence();
    return found;
  }
  return {};
}

}  // namespace cpnlint::rules::match
