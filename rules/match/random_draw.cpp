#include "rules/match/random_draw.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "rules/match/device_call.h"
#include "rules/match/filled.h"
#include "rules/match/rewrite.h"

namespace cpnlint::rules::match {

bool IsDraw(std::string_view base) {
  if (!base.starts_with("random.")) return false;
  const std::string_view last = base.substr(base.rfind('.') + 1);
  return !IsOneOf(last, {"seed", "default_rng", "Generator", "RandomState", "BitGenerator", "XORWOW", "MRG32k3a",
                         "PHILOX4_32_10", "get_state", "set_state", "SeedSequence", "spawn", "MT19937", "PCG64",
                         "PCG64DXSM", "Philox", "SFC64", "bit_generator"});
}

namespace {

// A distribution that standard draws give by arithmetic on arrays; `draws` stands for their shape.
struct Scaled {
  std::string_view name;
  std::array<std::string_view, 2> parameters;
  std::string_view code;
  std::string_view code_of_zero = {};  // where the first parameter is 0
};
constexpr Scaled kScaled[] = {
    {"normal", {"loc", "scale"}, "loc + scale * rng.normal(0.0, 1.0, draws)", "scale * rng.normal(0.0, 1.0, draws)"},
    {"uniform", {"low", "high"}, "low + (high - low) * rng.random(draws)", "high * rng.random(draws)"},
    {"exponential", {"scale"}, "scale * rng.exponential(1.0, draws)"},
    {"binomial", {"n", "p"}, "np.sum(rng.random((n, *draws)) < p, axis=0)"},
};
constexpr std::string_view kOneTrial = "(rng.random(draws) < p).astype(np.int64)";
constexpr std::int64_t kMostTrials = 64;  // each asks for a uniform draw of its own

bool IsArrayParameter(const Facts& facts, ir::ValueId value) {
  return value.valid() && facts.IsDevice(value) && !facts.IsZeroD(value);
}

std::string_view NameOf(const Facts& facts, ir::ValueId call) {
  const std::string_view name = facts.CalleeOf(call).name;
  return name.substr(name.rfind('.') + 1);
}

Text OnHost(const Facts& facts, ir::ValueId call) {
  const ir::Program& program = facts.program();
  std::vector<Cut> cuts = {{program.OperandSpan(call, 0), Text("host_rng." + std::string(NameOf(facts, call)))}};
  for (std::uint32_t i = 1; i < program.Operands(call).size(); ++i) {
    const Span words = program.OperandSpan(call, i);
    if (IsArrayParameter(facts, program.Operand(call, i)))
      cuts.push_back({words, Text("onp.asarray(").Add(words).Add(")")});
  }
  return Text("draw on the host: `np.asarray(")
      .Add(Replace(program.ops[call].span, cuts))
      .Add(")`, with `host_rng = onp.random.default_rng(seed)` made once");
}

void ReplaceIn(std::string& code, std::string_view from, std::string_view to) {
  if (const std::size_t at = code.find(from); at != std::string::npos) code.replace(at, from.size(), to);
}

// The code with its shape in place: that of the draws asked for, else of the one array; empty where it is not known.
std::string WithShape(const Facts& facts, ir::ValueId size, std::string_view array, std::string code) {
  if (!size.valid()) {
    ReplaceIn(code, "draws", std::string(array) + ".shape");
    return code;
  }
  const analysis::Kind kind = facts.Of(size).kind;
  if (kind != analysis::Kind::kInt && kind != analysis::Kind::kTuple) return {};
  if (kind == analysis::Kind::kInt) ReplaceIn(code, "*draws", "size");
  ReplaceIn(code, "draws", "size");
  return code;
}

// What gives such draws without arrays as parameters; nullopt where that is not known.
std::optional<Text> FromStandardDraws(const Facts& facts, ir::ValueId call, Span generator) {
  const ir::Program& program = facts.program();
  const auto* const scaled =
      std::ranges::find_if(kScaled, [&](const Scaled& one) { return one.name == NameOf(facts, call); });
  if (scaled == std::end(kScaled) || generator.empty() || facts.HasStarArguments(call)) return std::nullopt;
  const auto span_of = [&](std::size_t position, std::string_view name) {
    const Span words = facts.KeywordSpan(call, name);
    const auto operand = static_cast<std::uint32_t>(position) + 1;
    return words.empty() && position < facts.PositionalCount(call) ? program.OperandSpan(call, operand) : words;
  };
  const std::size_t parameters = scaled->parameters[1].empty() ? 1 : 2;
  std::vector<Filling> fillings = {{"rng", generator}, {"size", span_of(parameters, "size")}};
  std::string_view array;
  for (std::size_t i = 0; i < parameters; ++i) {
    const std::string_view name = scaled->parameters[i];
    fillings.push_back({name, span_of(i, name)});
    if (fillings.back().words.empty()) return std::nullopt;
    if (!IsArrayParameter(facts, facts.Argument(call, i, name))) continue;
    if (!array.empty()) return std::nullopt;  // their shapes together
    array = name;
  }
  const ir::ValueId first = facts.Argument(call, 0, scaled->parameters[0]);
  const analysis::Value& known = facts.Of(first);
  const bool zero =
      facts.IntOf(first) == 0 || (known.kind == analysis::Kind::kFloat && known.constant && known.number == 0);
  std::string_view code = zero && !scaled->code_of_zero.empty() ? scaled->code_of_zero : scaled->code;
  if (scaled->name == "binomial") {
    const std::optional<std::int64_t> trials = facts.IntOf(first);
    if (!trials || *trials < 1 || *trials > kMostTrials) return std::nullopt;
    if (*trials == 1) code = kOneTrial;
  }
  const std::string shaped = WithShape(facts, facts.Argument(call, parameters, "size"), array, std::string(code));
  if (shaped.empty()) return std::nullopt;
  return Filled(shaped, fillings);
}

}  // namespace

bool DrawsByArrays(const Facts& facts, ir::ValueId call) {
  const ir::ValueId size = facts.KeywordArgument(call, "size");
  const auto arguments = facts.program().Operands(call).subspan(1);
  return std::ranges::any_of(arguments,
                             [&](ir::ValueId value) { return value != size && IsArrayParameter(facts, value); });
}

Text DrawWithArrays(const Facts& facts, ir::ValueId call, Span generator) {
  if (const std::optional<Text> code = FromStandardDraws(facts, call, generator))
    return Text("draw without parameters: `").Add(*code).Add("`");
  return OnHost(facts, call);
}

}  // namespace cpnlint::rules::match
