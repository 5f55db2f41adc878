// Sizes that the source does not tell: `--assume "N=1e8"`, `# cpnlint: assume u=(16384, 16384):float32`.

#include "analyzer/analysis/assume.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

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

// Instances of symbols that stand for values of one module, as Engine numbers them: ops, cells and classes.
struct Instances {
  std::uint32_t first = 0, last = 0;
};

std::vector<Instances> InstancesOf(const ir::Program& program, ir::ModuleId id) {
  const ir::Module& module = program.modules[id];
  std::vector<Instances> ranges;
  const auto add = [&](std::size_t index, std::uint32_t base) {
    const auto instance = static_cast<std::uint32_t>(base + index);
    if (ranges.empty() || ranges.back().first < base) ranges.push_back({instance, instance});
    ranges.back().last = instance;
  };
  const ir::Function& last = program.functions[ir::FunctionId(module.end_function.index() - 1)];
  ranges.push_back({program.functions[module.first_function].first_op.index(), last.end_op.index()});
  for (std::size_t i = 0; i < program.cells.size(); ++i) {
    if (program.functions[program.cells[ir::CellId(i)].owner].module == id) add(i, kCellInstance);
  }
  for (std::size_t i = 0; i < program.classes.size(); ++i) {
    if (program.classes[ir::ClassId(i)].module == id) add(i, kClassInstance);
  }
  return ranges;
}

bool EndsWithPart(std::string_view text, std::string_view end, char separator) {
  if (!text.ends_with(end)) return false;
  return text.size() == end.size() || end.empty() || text[text.size() - end.size() - 1] == separator;
}

// The same for what stands in front of a name: `step.n` is about the variables of a function, `Grid.nx` about an
// attribute, and about the variables of the methods, which give it its value. Empty where the module has neither.
std::vector<Instances> InstancesUnder(const ir::Program& program, ir::ModuleId id, std::string_view owner) {
  const ir::Module& module = program.modules[id];
  std::vector<Instances> ranges;
  std::vector<std::string> classes;  // "Grid."
  for (std::size_t i = 0; i < program.classes.size(); ++i) {
    const ir::Class& made = program.classes[ir::ClassId(i)];
    if (made.module != id || !EndsWithPart(made.qualified, owner, '.')) continue;
    const auto instance = static_cast<std::uint32_t>(kClassInstance + i);
    ranges.push_back({instance, instance});
    classes.push_back(std::string(made.qualified) + '.');
  }
  for (std::size_t i = module.first_function.index(); i < module.end_function.index(); ++i) {
    const ir::Function& function = program.functions[ir::FunctionId(i)];
    if (function.kind != ir::Function::Kind::kDef || function.end_op == function.first_op) continue;
    const bool method = std::any_of(classes.begin(), classes.end(),
                                    [&](const std::string& one) { return function.qualified.starts_with(one); });
    if (!method && !EndsWithPart(function.qualified, owner, '.')) continue;
    ranges.push_back({function.first_op.index(), function.end_op.index() - 1});
    for (std::size_t cell = 0; cell < program.cells.size(); ++cell) {
      if (program.cells[ir::CellId(cell)].owner != ir::FunctionId(i)) continue;
      const auto instance = static_cast<std::uint32_t>(kCellInstance + cell);
      ranges.push_back({instance, instance});
    }
  }
  return ranges;
}

bool AnyModuleHas(const ir::Program& program, std::string_view owner) {
  for (std::size_t i = 0; i < program.modules.size(); ++i) {
    if (!InstancesUnder(program, ir::ModuleId(i), owner).empty()) return true;
  }
  return false;
}

std::uint64_t ArrayKey(ir::ModuleId module, Symbol name) { return std::uint64_t{module.index()} << 32 | name.index(); }

// Bindings of the command line name everything of that name; those of a pragma hold in its file.
void Read(Facts::Impl& impl, ir::ModuleId id, const ir::Pragma& pragma, std::string_view name, std::string_view value) {
  const ir::Module& module = impl.program.modules[id];
  bool anywhere = pragma.span.empty();
  // `solver.py:step.u`: the file narrows it down, where it is this one.
  if (const std::size_t colon = name.rfind(':'); colon != std::string_view::npos) {
    if (!EndsWithPart(module.path, name.substr(0, colon), '/')) return;
    name = name.substr(colon + 1);
    anywhere = false;
  }
  if (const std::optional<std::int64_t> size = ParseSize(value)) {
    const std::size_t dot = name.rfind('.');
    const Symbol symbol = impl.names.Intern(dot == std::string_view::npos ? name : name.substr(dot + 1));
    if (dot != std::string_view::npos) {
      const std::string_view owner = name.substr(0, dot);
      const std::vector<Instances> owned = InstancesUnder(impl.program, id, owner);
      for (const Instances range : owned) impl.store.dims().Assume(symbol, *size, range.first, range.last);
      if (!owned.empty() || (anywhere && AnyModuleHas(impl.program, owner))) return;
      // `self.n`, `config.n`: the owner is an object, of which the name alone tells nothing.
    }
    if (anywhere) {
      if (id.index() == 0) impl.store.dims().Assume(symbol, *size, 0, std::numeric_limits<std::uint32_t>::max());
      return;
    }
    for (const Instances range : InstancesOf(impl.program, id)) {
      impl.store.dims().Assume(symbol, *size, range.first, range.last);
    }
  } else if (const std::optional<Value> array = ParseArray(impl, value)) {
    impl.assumed_arrays.emplace(ArrayKey(id, impl.names.Intern(name)), *array);
  }
}

}  // namespace

void ReadAssumptions(Facts::Impl& impl) {
  for (std::size_t i = 0; i < impl.program.modules.size(); ++i) {
    for (const ir::Pragma& pragma : impl.program.modules[ir::ModuleId(i)].pragmas) {
      if (pragma.kind != ir::Pragma::Kind::kAssume) continue;
      EachBinding(pragma.text, [&](std::string_view name, std::string_view value) {
        Read(impl, ir::ModuleId(i), pragma, name, value);
      });
    }
  }
}

std::vector<std::pair<std::string, std::int64_t>> AssumedSizes(const ir::Program& program) {
  std::vector<std::pair<std::string, std::int64_t>> sizes;
  for (std::size_t i = 0; i < program.modules.size(); ++i) {
    for (const ir::Pragma& pragma : program.modules[ir::ModuleId(i)].pragmas) {
      if (pragma.kind != ir::Pragma::Kind::kAssume) continue;
      EachBinding(pragma.text, [&](std::string_view name, std::string_view value) {
        if (const std::size_t colon = name.rfind(':'); colon != std::string_view::npos) name = name.substr(colon + 1);
        const std::optional<std::int64_t> size = ParseSize(value);
        if (!size || name.empty() || name.find('.') != std::string_view::npos) return;
        const auto known = std::find_if(sizes.begin(), sizes.end(), [&](const auto& one) { return one.first == name; });
        if (known == sizes.end()) sizes.emplace_back(name, *size);
      });
    }
  }
  return sizes;
}

// `step.u` in the function of that name, or else `u` anywhere.
const Value* AssumedArray(const Facts::Impl& impl, ir::FunctionId function, Symbol name) {
  if (impl.assumed_arrays.empty()) return nullptr;
  const ir::ModuleId module = impl.program.functions[function].module;
  const auto find = [&](Symbol symbol) -> const Value* {
    if (!symbol.valid()) return nullptr;
    const auto found = impl.assumed_arrays.find(ArrayKey(module, symbol));
    return found == impl.assumed_arrays.end() ? nullptr : &found->second;
  };
  std::string_view owner = impl.program.functions[function].qualified;
  while (!owner.empty()) {
    const std::string qualified = std::string(owner) + "." + std::string(impl.names.Text(name));
    if (const Value* value = find(impl.names.Find(qualified))) return value;
    const std::size_t dot = owner.find('.');
    owner = dot == std::string_view::npos ? std::string_view() : owner.substr(dot + 1);
  }
  return find(name);
}

}  // namespace cpnlint::analysis
