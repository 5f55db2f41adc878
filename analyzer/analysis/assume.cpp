// Sizes that the source does not tell: `--assume "N=1e8"`, `# cpnlint: assume u=(16384, 16384):float32`.

#include <charconv>
#include <cmath>

#include "analyzer/analysis/impl.h"

namespace cpnlint::analysis {
namespace {

std::string_view Trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// "1000", "1e8", "16_384": a non-negative whole number.
std::optional<std::int64_t> ParseSize(std::string_view text) {
  std::string digits;
  for (const char c : Trim(text)) {
    if (c != '_') digits.push_back(c);
  }
  double number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size() || number < 0 || number > 9e18 ||
      number != std::floor(number)) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(number);
}

// Calls `use(name, value)` for each NAME=VALUE of a list; commas inside parentheses belong to a value.
template <class Use>
void EachBinding(std::string_view text, Use use) {
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] == '(') ++depth;
    if (i < text.size() && text[i] == ')') --depth;
    if (i < text.size() && (text[i] != ',' || depth != 0)) continue;
    const std::string_view one = text.substr(begin, i - begin);
    begin = i + 1;
    const std::size_t equals = one.find('=');
    if (equals != std::string_view::npos) use(Trim(one.substr(0, equals)), Trim(one.substr(equals + 1)));
  }
}

// "(16384, m):float32"
std::optional<Value> ParseArray(Facts::Impl& impl, std::string_view text) {
  const std::size_t close = text.rfind(')');
  if (!text.starts_with('(') || close == std::string_view::npos) return std::nullopt;
  Shape shape;
  std::string_view extents = text.substr(1, close - 1);
  while (!Trim(extents).empty()) {
    const std::size_t comma = extents.find(',');
    const std::string_view extent = Trim(extents.substr(0, comma));
    const std::optional<std::int64_t> size = ParseSize(extent);
    shape.push_back(size ? impl.store.dims().Const(*size)
                         : impl.store.dims().SymbolOf(impl.names.Intern(extent), 0xffff'0000u));
    extents = comma == std::string_view::npos ? std::string_view() : extents.substr(comma + 1);
  }
  ir::DType dtype = ir::DType::kUnknown;
  if (close + 1 < text.size() && text[close + 1] == ':') dtype = ir::ParseDType(Trim(text.substr(close + 2)));
  return Array(Library::kDevice, dtype, impl.store.Intern(shape), kAssumed);
}

}  // namespace

void ReadAssumptions(Facts::Impl& impl) {
  for (const ir::Module& module : impl.program.modules) {
    for (const ir::Pragma& pragma : module.pragmas) {
      if (pragma.kind != ir::Pragma::Kind::kAssume) continue;
      EachBinding(pragma.text, [&](std::string_view name, std::string_view value) {
        // `solver.py:step.u`: the file narrows it down, where it is this one.
        if (const std::size_t colon = name.rfind(':'); colon != std::string_view::npos) {
          if (!module.path.ends_with(name.substr(0, colon))) return;
          name = name.substr(colon + 1);
        }
        if (const std::optional<std::int64_t> size = ParseSize(value)) {
          const std::size_t dot = name.rfind('.');
          impl.store.dims().Assume(impl.names.Intern(dot == std::string_view::npos ? name : name.substr(dot + 1)),
                                   *size);
        } else if (const std::optional<Value> array = ParseArray(impl, value)) {
          impl.assumed_arrays.emplace(impl.names.Intern(name), *array);
        }
      });
    }
  }
}

// `u` anywhere, or `step.u` in the function of that name.
const Value* AssumedArray(const Facts::Impl& impl, ir::FunctionId function, Symbol name) {
  if (impl.assumed_arrays.empty()) return nullptr;
  if (const auto found = impl.assumed_arrays.find(name); found != impl.assumed_arrays.end()) return &found->second;
  const std::string qualified = impl.program.functions[function].qualified + "." + std::string(impl.names.Text(name));
  const Symbol symbol = impl.names.Find(qualified);
  const auto found = symbol.valid() ? impl.assumed_arrays.find(symbol) : impl.assumed_arrays.end();
  return found == impl.assumed_arrays.end() ? nullptr : &found->second;
}

}  // namespace cpnlint::analysis
