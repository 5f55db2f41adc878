#include "rules/match/standard_draw.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "rules/match/filled.h"

namespace cpnlint::rules::match {

namespace {

struct Family {
  std::string_view name;
  std::array<std::string_view, 2> parameters;  // before size
  std::string_view standard;                   // the draw, up to its size
};
constexpr std::array kFamilies = {
    Family{"exponential", {"scale", ""}, "draw(1.0"},      Family{"gamma", {"shape", "scale"}, "draw(shape, 1.0"},
    Family{"gumbel", {"loc", "scale"}, "draw(0.0, 1.0"},   Family{"laplace", {"loc", "scale"}, "draw(0.0, 1.0"},
    Family{"logistic", {"loc", "scale"}, "draw(0.0, 1.0"}, Family{"normal", {"loc", "scale"}, "draw(0.0, 1.0"},
    Family{"rayleigh", {"scale", ""}, "draw(1.0"},         Family{"uniform", {"low", "high"}, "draw(0.0, 1.0"},
};

}  // namespace

std::optional<Text> StandardDraw(const Facts& facts, const DeviceCall& call, ir::ValueId parameter) {
  const std::string_view last = call.base.substr(call.base.rfind('.') + 1);
  const auto* const family = std::ranges::find(kFamilies, last, &Family::name);
  if (family == kFamilies.end() || facts.HasStarArguments(call.call)) return std::nullopt;
  std::vector<Filling> fillings = {{"draw", facts.program().OperandSpan(call.call, 0)}};
  std::size_t position = 0, given = 0;
  const auto add = [&](std::string_view name) {
    const Span words = ArgumentSpan(facts, call, position++, name);
    if (!words.empty()) ++given;
    fillings.push_back({name, words});
    return !words.empty();
  };
  std::array<bool, 2> has = {};
  for (std::size_t i = 0; i < 2; ++i) {
    if (!family->parameters[i].empty()) has[i] = add(family->parameters[i]);
  }
  const bool sized = add("size");
  if (given + 1 != facts.program().Operands(call.call).size()) return std::nullopt;
  const bool shaped = family->name == "gamma";
  if (shaped && (!has[1] || facts.Argument(call.call, 0, "shape") == parameter)) return std::nullopt;

  std::string code;
  if (family->name == "uniform") {
    if (!has[0] || !has[1]) return std::nullopt;
    code = "low + (high - low) * ";
  } else {
    if (family->parameters[0] == "loc" && has[0]) code += "loc + ";
    if (family->parameters[0] == "scale" ? has[0] : has[1]) code += "scale * ";
  }
  code += std::string(family->standard) + (sized ? ", size)" : ", size=1)[0]");
  return Filled(code, fillings);
}

}  // namespace cpnlint::rules::match
