#include "rules/match/random_draw.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "rules/match/device_call.h"
#include "rules/match/filled.h"
#include "rules/match/one_fetch.h"
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

// How many parameters stand before the size.
struct Parameters {
  std::string_view name;
  std::size_t count;
};
constexpr Parameters kParameters[] = {
    {"rand", 0},
    {"randn", 0},
    {"random", 0},
    {"random_sample", 0},
    {"ranf", 0},
    {"sample", 0},
    {"standard_cauchy", 0},
    {"standard_exponential", 0},
    {"standard_normal", 0},
    {"chisquare", 1},
    {"exponential", 1},
    {"geometric", 1},
    {"pareto", 1},
    {"poisson", 1},
    {"power", 1},
    {"rayleigh", 1},
    {"standard_gamma", 1},
    {"standard_t", 1},
    {"weibull", 1},
    {"beta", 2},
    {"binomial", 2},
    {"gamma", 2},
    {"gumbel", 2},
    {"integers", 2},
    {"laplace", 2},
    {"logistic", 2},
    {"lognormal", 2},
    {"negative_binomial", 2},
    {"normal", 2},
    {"randint", 2},
    {"random_integers", 2},
    {"uniform", 2},
    {"vonmises", 2},
    {"triangular", 3},
};

bool IsArrayParameter(const Facts& facts, ir::ValueId value) {
  return value.valid() && facts.IsDevice(value) && !facts.IsZeroD(value);
}

std::string_view NameOf(const Facts& facts, ir::ValueId call) {
  const std::string_view name = facts.CalleeOf(call).name;
  return name.substr(name.rfind('.') + 1);
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

// `host_rng.normal(0.0, 1.0, n)`, of a function of the module `onp.random.rand(n)`.
struct HostDraw {
  Text code;
  Text made;  // "`host_rng = onp.random.default_rng(seed)`"; empty where the code needs no such object
};

HostDraw OnHost(const Facts& facts, ir::ValueId call) {
  const ir::Program& program = facts.program();
  const std::string_view base = AsDeviceCall(facts, call).base;
  const bool state = base.starts_with("random.RandomState."), generator = base.starts_with("random.Generator.");
  HostDraw draw;
  if (generator) draw.made = "`host_rng = onp.random.default_rng(seed)`";
  if (state) draw.made = "`host_rng = onp.random.RandomState(seed)`";
  const std::string owner = generator || state ? "host_rng." : "onp.random.";
  // In the user's words, so that helps for several draws are known to be alike.
  const Span callee = program.OperandSpan(call, 0);
  const auto length = static_cast<std::uint32_t>(NameOf(facts, call).size());
  const bool attribute = program.ops[program.Operand(call, 0)].kind == ir::OpKind::kAttr && callee.size() > length;
  const Text name = attribute ? Text(owner).Add(Span{callee.end - length, callee.end})
                              : Text(owner + std::string(NameOf(facts, call)));
  std::vector<Cut> cuts = {{callee, name}};
  for (std::uint32_t i = 1; i < program.Operands(call).size(); ++i) {
    const Span words = program.OperandSpan(call, i);
    if (IsArrayParameter(facts, program.Operand(call, i)))
      cuts.push_back({words, Text("onp.asarray(").Add(words).Add(")")});
  }
  draw.code = Replace(program.ops[call].span, cuts);
  return draw;
}

bool HasDeviceArgument(const Facts& facts, ir::ValueId call) {
  return std::ranges::any_of(facts.program().Operands(call).subspan(1),
                             [&](ir::ValueId value) { return value.valid() && facts.IsDevice(value); });
}

}  // namespace

Span FilledBy(const Facts& facts, ir::ValueId call) {
  if (facts.program().ops[call].kind != ir::OpKind::kCall) return {};
  const ir::ValueId word = facts.KeywordArgument(call, "out");
  if (word.valid()) return facts.IsNoneConstant(word) ? Span{} : facts.KeywordSpan(call, "out");
  const std::string_view name = NameOf(facts, call);
  std::uint32_t position = 0;
  if (IsOneOf(name, {"random", "standard_normal"})) position = 2;
  if (IsOneOf(name, {"standard_exponential", "standard_gamma"})) position = 3;
  if (position == 0) return {};
  const ir::ValueId out = facts.Argument(call, position, "");
  if (!out.valid() || facts.IsNoneConstant(out)) return {};
  return facts.program().OperandSpan(call, position + 1);
}

Text DrawOnHost(const Facts& facts, ir::ValueId call) {
  const HostDraw draw = OnHost(facts, call);
  // There the draw would fill the copy.
  if (const Span filled = FilledBy(facts, call); !filled.empty()) {
    Text help("draw into an array of host NumPy");
    if (!draw.made.empty()) help.Add(", from ").Add(draw.made).Add(" made once,");
    return help.Add(" and copy it into `").Add(filled).Add("`");
  }
  Text help("draw on the host: `");
  if (DrawsOne(facts, call) || NameOf(facts, call) == "bytes") {
    help.Add(draw.code).Add("`");
  } else {
    help.Add("np.asarray(").Add(draw.code).Add(")`");
  }
  return draw.made.empty() ? help : help.Add(", with ").Add(draw.made).Add(" made once");
}

Text DrawnOnHost(const Facts& facts, ir::ValueId number) {
  const Origins origins = OriginsOf(facts, number);
  if (origins.on_device.empty()) return {};
  const bool drawn = std::ranges::all_of(origins.on_device, [&](ir::ValueId value) {
    const DeviceCall call = AsDeviceCall(facts, value);
    return call && IsDraw(call.base) && DrawsOne(facts, value) && !HasDeviceArgument(facts, value);
  });
  if (!drawn) return {};
  const HostDraw draw = OnHost(facts, origins.on_device.front());
  Text help = Text("drawn on the host: `").Add(draw.code).Add("`");
  if (!draw.made.empty()) help.Add(", with ").Add(draw.made).Add(" made once");
  if (origins.on_device.size() > 1) help.Add(", and its other draws are made there too");
  if (!origins.rest_on_host) help.Add(", and all else that it meets is there");
  return help;
}

ir::ValueId GeneratorOf(const Facts& facts, ir::ValueId draw) {
  const ir::Program& program = facts.program();
  const DeviceCall call = AsDeviceCall(facts, draw);
  if (!call || !IsOneOf(call.base.substr(0, call.base.rfind('.')), {"random.Generator", "random.RandomState"}))
    return {};
  const ir::ValueId method = program.Operand(draw, 0);
  if (!method.valid() || program.ops[method].kind != ir::OpKind::kAttr) return {};
  const ir::ValueId generator = facts.Source(program.Operand(method, 0));
  if (!generator.valid()) return {};
  if (program.ops[generator].kind == ir::OpKind::kCall) return generator;
  if (program.ops[generator].kind != ir::OpKind::kAttr) return {};
  const auto class_of = [&](ir::ValueId op) { return facts.Of(program.Operand(op, 0)).class_id; };
  ir::ValueId found;
  for (const ir::ValueId made : facts.RandomCalls()) {
    for (const ir::ValueId store : facts.UsesOf(made)) {
      if (program.ops[store].kind != ir::OpKind::kStoreAttr || program.Operand(store, 1) != made) continue;
      if (program.SymbolOf(program.ops[store]) != program.SymbolOf(program.ops[generator])) continue;
      if (!class_of(store).valid() || !class_of(generator).valid()) continue;
      if (!facts.store().CommonClass(class_of(store), class_of(generator)).valid()) continue;
      if (found.valid() && found != made) return {};
      found = made;
    }
  }
  return found;
}

bool DrawsOne(const Facts& facts, ir::ValueId call) {
  if (facts.HasStarArguments(call) || DrawsByArrays(facts, call) || !FilledBy(facts, call).empty()) return false;
  const auto* const row = std::ranges::find(kParameters, NameOf(facts, call), &Parameters::name);
  if (row == std::end(kParameters) || facts.PositionalCount(call) > row->count) return false;
  const ir::ValueId size = facts.KeywordArgument(call, "size");
  return !size.valid() || facts.IsNoneConstant(size);
}

bool DrawsByArrays(const Facts& facts, ir::ValueId call) {
  const ir::ValueId size = facts.KeywordArgument(call, "size");
  const auto arguments = facts.program().Operands(call).subspan(1);
  return std::ranges::any_of(arguments,
                             [&](ir::ValueId value) { return value != size && IsArrayParameter(facts, value); });
}

Text DrawWithArrays(const Facts& facts, ir::ValueId call, Span generator) {
  if (const std::optional<Text> code = FromStandardDraws(facts, call, generator))
    return Text("draw without parameters: `").Add(*code).Add("`");
  return DrawOnHost(facts, call);
}

}  // namespace cpnlint::rules::match
