// Evidence 4 and 5 of rules.md A.3: what annotations and docstrings promise.

#include <algorithm>
#include <array>
#include <cctype>

#include "analyzer/analysis/engine.h"

namespace cpnlint::analysis {
namespace {

constexpr bool IsNameChar(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::string_view Trim(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
  return text;
}

Value LikelyArray(ir::DType dtype, EvidenceSet evidence) {
  return Array(Library::kDevice, dtype, ShapeId::None(), evidence);
}

// Type names that a written annotation or a docstring uses for what we model.
Value FromTypeName(std::string_view name, EvidenceSet evidence) {
  const std::size_t dot = name.rfind('.');
  const std::string_view last = dot == std::string_view::npos ? name : name.substr(dot + 1);
  if (last == "ndarray" || last == "NDArray") return LikelyArray(ir::DType::kUnknown, evidence);
  if (last == "ArrayLike" || last == "array_like") {
    return LikelyArray(ir::DType::kUnknown, static_cast<EvidenceSet>(evidence | kContradicted));
  }
  Value value = Unknown();
  if (last == "int") value = Of(Kind::kInt);
  if (last == "float") value = Of(Kind::kFloat);
  if (last == "complex") value = Of(Kind::kComplex);
  if (last == "bool") value = Of(Kind::kBool);
  if (last == "str" || last == "string") value = Of(Kind::kStr);
  if (last == "bytes") value = Of(Kind::kBytes);
  if (last == "list" || last == "List") value = Of(Kind::kList);
  if (last == "tuple" || last == "Tuple") value = Of(Kind::kTuple);
  if (last == "dict" || last == "Dict") value = Of(Kind::kDict);
  if (last == "set" || last == "Set") value = Of(Kind::kSet);
  if (value.kind != Kind::kUnknown) value.evidence = evidence;
  return value;
}

// Annotations of jaxtyping's form (Float[Array, "n m"]) and NDArray[np.float32].
ir::DType DTypeOfSubscripted(const Facts::Impl& impl, std::string_view base, ir::ValueId argument) {
  if (base.ends_with("NDArray")) {
    const Value& dtype = impl.Of(argument);
    return dtype.kind == Kind::kDType || dtype.kind == Kind::kApi ? DTypeArgument(impl.names, dtype)
                                                                  : ir::DType::kUnknown;
  }
  return ir::DType::kUnknown;
}

constexpr int kMostLayers = 8;  // of Optional and None around a type

// "Optional[np.ndarray]", "np.ndarray | None", "numpy.typing.NDArray[np.float64]": the annotation as text.
Value FromText(std::string_view text, EvidenceSet evidence) {
  for (int layer = 0; layer < kMostLayers; ++layer) {
    text = Trim(text);
    if (const std::size_t bar = text.find('|'); bar != std::string_view::npos) {
      const std::string_view left = Trim(text.substr(0, bar)), right = Trim(text.substr(bar + 1));
      if (left != "None" && right != "None") return Unknown();
      text = right == "None" ? left : right;
      continue;
    }
    const std::size_t bracket = text.find('[');
    const std::string_view base = Trim(text.substr(0, bracket));
    if (!std::all_of(base.begin(), base.end(), [](char c) { return IsNameChar(c) || c == '.'; })) return Unknown();
    if (bracket == std::string_view::npos || !base.ends_with("Optional") || !text.ends_with(']')) {
      return FromTypeName(base, evidence);
    }
    text = text.substr(bracket + 1, text.size() - bracket - 2);
  }
  return Unknown();
}

std::string_view TypeNameOf(const Facts::Impl& impl, ir::ValueId id) {
  const Value& value = impl.Of(id);
  if (value.kind == Kind::kApi || value.kind == Kind::kBuiltin) return impl.names.Text(value.name);
  const ir::Op& op = impl.program.ops[id];
  if (op.kind == ir::OpKind::kBuiltin) return impl.program.Name(op);
  return {};
}

}  // namespace

Value FromAnnotation(Facts::Impl& impl, ir::ValueId annotation) {
  for (int depth = 0; depth < 8 && annotation.valid(); ++depth) {
    const ir::Program& program = impl.program;
    const ir::Op& op = program.ops[annotation];
    if (op.kind == ir::OpKind::kStr) return FromText(program.strings[op.payload], kAnnotated);
    if (op.kind == ir::OpKind::kSubscript) {
      const std::string_view base = TypeNameOf(impl, program.Operand(annotation, 0));
      if (base.ends_with("Optional") || base.ends_with("Annotated") || base.ends_with("Final")) {
        annotation = program.Operand(annotation, 1);
        continue;
      }
      Value value = FromTypeName(base, kAnnotated);
      if (value.kind == Kind::kArray) value.dtype = DTypeOfSubscripted(impl, base, program.Operand(annotation, 1));
      return value;
    }
    if (op.kind == ir::OpKind::kBinary && static_cast<ir::BinaryOp>(op.detail) == ir::BinaryOp::kOr) {
      const ir::ValueId left = program.Operand(annotation, 0), right = program.Operand(annotation, 1);
      const bool left_none = left.valid() && program.ops[left].kind == ir::OpKind::kNone;
      const bool right_none = right.valid() && program.ops[right].kind == ir::OpKind::kNone;
      if (!left_none && !right_none) return Unknown();
      annotation = left_none ? right : left;
      continue;
    }
    const Value& known = impl.Of(annotation);
    if (known.kind == Kind::kClass) {
      Value value = Of(Kind::kInstance);
      value.class_id = known.class_id;
      value.evidence = kAnnotated;
      return value;
    }
    return FromTypeName(TypeNameOf(impl, annotation), kAnnotated);
  }
  return Unknown();
}

namespace {

bool HasWord(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const bool left = at == 0 || !IsNameChar(text[at - 1]);
    const std::size_t end = at + word.size();
    if (left && (end == text.size() || !IsNameChar(text[end]))) return true;
  }
  return false;
}

// A type in a docstring: "ndarray", "numpy array of shape (n, m)", "(N, M) array_like", "array of float", "int".
Value FromDocumentedType(std::string_view type) {
  type = Trim(type.substr(0, type.find(" -- ")));
  // scipy.sparse has the attributes of arrays, but its matrices are host objects.
  if (type.find("sparse") != std::string_view::npos || type.find("csr_matrix") != std::string_view::npos) {
    Value value = Of(Kind::kForeign);
    value.evidence = kDocumented;
    return value;
  }
  const bool several = HasWord(type, "or") || HasWord(type, "list") || HasWord(type, "tuple") ||
                       HasWord(type, "scalar") || HasWord(type, "dict") || HasWord(type, "DataFrame") ||
                       HasWord(type, "callable");
  const bool array = HasWord(type, "ndarray") || HasWord(type, "array") || HasWord(type, "NDArray");
  if (array && several) return LikelyArray(ir::DType::kUnknown, kDocumented | kContradicted);
  if (array) return LikelyArray(ir::DType::kUnknown, kDocumented);
  if (HasWord(type, "array_like") || HasWord(type, "array-like")) {
    return LikelyArray(ir::DType::kUnknown, kDocumented | kContradicted);
  }
  const std::string_view first = type.substr(0, type.find_first_of(" ,.("));
  return several ? Unknown() : FromTypeName(first, kDocumented);
}

std::string_view NextLine(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  const std::string_view line = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  return line;
}

std::size_t IndentOf(std::string_view line) { return std::min(line.find_first_not_of(" \t"), line.size()); }

// What a docstring says of one parameter: its type, and the words after it.
struct Documented {
  std::string_view type;
  std::string_view words;
};

// The lines that follow and are indented deeper than the parameter's own; `rest` starts behind that.
std::string_view DeeperLines(std::string_view rest, std::size_t indent) {
  const std::string_view all = rest;
  while (!rest.empty()) {
    std::string_view after = rest;
    const std::string_view line = NextLine(after);
    if (!Trim(line).empty() && IndentOf(line) <= indent) break;
    rest = after;
  }
  return all.substr(0, all.size() - rest.size());
}

// In numpydoc ("name : type"), Google ("name (type): words") or Sphinx form (":type name: type", ":param type name:
// words"); empty where there is nothing.
Documented DocumentedOf(std::string_view docstring, std::string_view name) {
  for (std::string_view rest = docstring; !rest.empty();) {
    const std::string_view whole = NextLine(rest);
    std::string_view line = Trim(whole);
    if (line.starts_with(":type ")) {
      line.remove_prefix(6);
      if (line.starts_with(name) && line.size() > name.size() && line[name.size()] == ':')
        return {Trim(line.substr(name.size() + 1)), {}};
      continue;
    }
    if (line.starts_with(":param ")) {
      const std::size_t colon = line.find(':', 1);
      if (colon == std::string_view::npos) continue;
      const std::string_view middle = Trim(line.substr(7, colon - 7));
      const std::size_t space = middle.rfind(' ');
      if (space != std::string_view::npos && middle.substr(space + 1) == name)
        return {Trim(middle.substr(0, space)), line.substr(colon + 1)};
      continue;
    }
    // numpydoc allows `x, y : ndarray`.
    const std::size_t colon = line.find(" : ");
    if (colon != std::string_view::npos) {
      std::string_view names = line.substr(0, colon);
      while (!names.empty()) {
        const std::size_t comma = names.find(',');
        if (Trim(names.substr(0, comma)) == name)
          return {Trim(line.substr(colon + 3)), DeeperLines(rest, IndentOf(whole))};
        names = comma == std::string_view::npos ? std::string_view() : names.substr(comma + 1);
      }
    }
    if (line.starts_with(name) && line.substr(name.size()).starts_with(" (")) {
      const std::size_t close = line.rfind("):");
      if (close == std::string_view::npos) continue;
      const std::string_view words = line.substr(close + 2);
      return {Trim(line.substr(name.size() + 2, close - name.size() - 2)),
              Trim(words).empty() ? DeeperLines(rest, IndentOf(whole)) : words};
    }
  }
  return {};
}

constexpr std::int64_t kLongestStatedExtent = 1'000'000;
constexpr std::int64_t kMostAxes = 6;  // of a cuPyNumeric array

// "(N, 2)" as extents, numbers where they are numbers; nullopt where it is no shape: "(optional)", "(..., 3)".
std::optional<std::vector<std::optional<std::int64_t>>> ExtentsOf(std::string_view text) {
  std::vector<std::optional<std::int64_t>> extents;
  bool trailing_comma = false;
  while (!Trim(text).empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view part = Trim(text.substr(0, comma));
    trailing_comma = comma != std::string_view::npos;
    text = trailing_comma ? text.substr(comma + 1) : std::string_view();
    if (part.empty() || extents.size() == 8) return std::nullopt;
    const bool number = std::all_of(part.begin(), part.end(), [](char c) { return c >= '0' && c <= '9'; });
    const bool name = std::all_of(part.begin(), part.end(),
                                  [](char c) { return IsNameChar(c) || c == '+' || c == '-' || c == '*' || c == ' '; });
    if (!name || part.size() > 40) return std::nullopt;
    if (!number) {
      extents.emplace_back();
      continue;
    }
    std::int64_t extent = 0;
    for (const char digit : part) extent = std::min(kLongestStatedExtent, extent * 10 + (digit - '0'));
    extents.emplace_back(extent);
  }
  if (extents.empty() || (extents.size() == 1 && !trailing_comma && !extents[0])) return std::nullopt;  // "(optional)"
  return extents;
}

// The shape in "(N, 2) array", "array of shape (3,)", "ndarray, shape (n, m)"; nullopt where there is none, or several.
std::optional<std::vector<std::optional<std::int64_t>>> StatedShape(const Documented& documented) {
  const std::string_view type = documented.type;
  if (type.size() > 3 && type[0] >= '1' && type[0] <= '9' && type[1] == 'x' && type[2] >= '1' && type[2] <= '9' &&
      type[3] == ' ') {
    return std::vector<std::optional<std::int64_t>>{type[0] - '0', type[2] - '0'};  // "4x4 ndarray"
  }
  if (type.starts_with('(')) {
    const std::size_t close = type.find(')');
    if (close == std::string_view::npos || HasWord(type, "or")) return std::nullopt;
    return ExtentsOf(type.substr(1, close - 1));
  }
  for (const std::string_view text : {type, documented.words}) {
    const std::size_t at = text.find("shape");
    if (at == std::string_view::npos) continue;
    if (text.find("shape", at + 5) != std::string_view::npos || HasWord(type, "or")) return std::nullopt;
    std::string_view after = text.substr(at + 5);
    while (!after.empty() && (after[0] == ' ' || after[0] == '=' || after[0] == ':' || after[0] == '`')) {
      after.remove_prefix(1);
    }
    const std::size_t close = after.find(')');
    if (!after.starts_with('(') || close == std::string_view::npos) return std::nullopt;
    const std::string_view behind = Trim(after.substr(close + 1));
    if (behind.starts_with("or ") || behind.starts_with("if ")) return std::nullopt;
    return ExtentsOf(after.substr(1, close - 1));
  }
  return std::nullopt;
}

// "Number of image dimensions.": cuPyNumeric's arrays have six at most.
bool CountsAxes(std::string_view words) {
  const std::size_t number = words.find("umber of ");
  const std::size_t dimensions = words.find("dimensions", number == std::string_view::npos ? words.size() : number);
  if (dimensions == std::string_view::npos || dimensions - number > 40) return false;
  words = words.substr(number, words.find_first_of(".\n", dimensions) - number);
  return HasWord(words, "image") || HasWord(words, "array") || HasWord(words, "volume") || HasWord(words, "grid");
}

// --- evidence 6: use ---

// Functions whose first argument is an array wherever they are called: they work along axes (A.3).
constexpr auto kAxisFunctions = std::to_array<std::string_view>({
    "all",     "amax",    "amin",     "any",    "argmax",     "argmin", "argsort",  "average", "count_nonzero",
    "cumprod", "cumsum",  "diff",     "flip",   "gradient",   "max",    "mean",     "median",  "min",
    "nanmax",  "nanmean", "nanmin",   "nansum", "percentile", "prod",   "quantile", "roll",    "sort",
    "std",     "sum",     "swapaxes", "trace",  "transpose",  "var",
});

constexpr auto kArrayAttributes = std::to_array<std::string_view>({"dtype", "ndim", "reshape", "shape"});

constexpr auto kContainerMethods = std::to_array<std::string_view>({
    "add",        "append",     "decode",  "encode", "endswith", "extend",    "find",    "findall",    "format",
    "get",        "group",      "groups",  "iloc",   "index",    "items",     "join",    "keys",       "loc",
    "lower",      "pop",        "popleft", "read",   "readline", "readlines", "replace", "setdefault", "split",
    "splitlines", "startswith", "strip",   "update", "upper",    "values",    "write",
});

static_assert(std::is_sorted(kContainerMethods.begin(), kContainerMethods.end()));

template <std::size_t n>
bool Among(const std::array<std::string_view, n>& sorted, std::string_view text) {
  return std::binary_search(sorted.begin(), sorted.end(), text);
}

struct Use {
  bool array = false;
  bool other = false;                             // used as a list, dict, string or other object
  bool integer = false;                           // range(x), or a key of a dictionary of integers
  std::optional<std::int64_t> most;               // the largest of those keys
  int rank = -1;                                  // `rows, cols = x.shape`
  std::vector<std::string_view> namespace_names;  // what NumPy has and its arrays do not: x.zeros, x.linalg
  int foreign_names = 0;                          // what neither has: x.rref
  bool asked = false;                             // isinstance(x, np.ndarray): an array at times
};

void SeeAttribute(const Facts::Impl& impl, ir::ValueId user, Use& use) {
  const ir::Program& program = impl.program;
  const std::string_view name = program.Name(program.ops[user]);
  if (Among(kContainerMethods, name)) use.other = true;
  const bool submodule = name == "linalg" || name == "fft" || name == "random";
  if (submodule || (NumpyHas("numpy." + std::string(name)) && !NumpyHas("numpy.ndarray." + std::string(name)))) {
    std::vector<std::string_view>& seen = use.namespace_names;
    if (std::find(seen.begin(), seen.end(), name) == seen.end()) seen.push_back(name);
  }
  if (!NumpyHas("numpy.ndarray." + std::string(name)) && !submodule) use.other = true;  // arrays have no such attribute
  if (!NumpyHas("numpy." + std::string(name)) && !NumpyHas("numpy.ndarray." + std::string(name))) ++use.foreign_names;
  if (!Among(kArrayAttributes, name)) return;
  use.array = true;
  if (name != "shape") return;
  for (const ir::ValueId reader : impl.UsesOf(user)) {
    const ir::Op& op = program.ops[reader];
    if (op.kind != ir::OpKind::kUnpackItem) continue;
    const ir::ItemPosition item = ir::ItemPosition::Unpack(op.payload);
    if (item.star == ir::ItemPosition::kNoStar) use.rank = static_cast<int>(item.count);
  }
}

void SeeSubscript(const Facts::Impl& impl, ir::ValueId user, Use& use) {
  const ir::Program& program = impl.program;
  const ir::Op& op = program.ops[user];
  const std::uint32_t first = op.kind == ir::OpKind::kStoreSubscript ? 2 : 1;
  bool has_slice = false;
  for (std::uint32_t i = first; i < op.operand_count; ++i) {
    const ir::ValueId key = program.Operand(user, i);
    if (!key.valid()) continue;
    const ir::OpKind kind = program.ops[key].kind;
    if (kind == ir::OpKind::kStr) use.other = true;
    if (kind == ir::OpKind::kSlice || kind == ir::OpKind::kEllipsis) has_slice = true;
  }
  if ((op.flags & ir::kTupleIndex) != 0 && op.operand_count > first) use.array = true;
  // Arithmetic on a slice: x[1:] - x[:-1]. A slice alone may be a list's, and so may a sum of two slices.
  if (!has_slice || op.kind != ir::OpKind::kSubscript) return;
  for (const ir::ValueId reader : impl.UsesOf(user)) {
    const ir::Op& arithmetic = program.ops[reader];
    if (arithmetic.kind != ir::OpKind::kBinary && arithmetic.kind != ir::OpKind::kUnary) continue;
    if (arithmetic.kind == ir::OpKind::kBinary &&
        (static_cast<ir::BinaryOp>(arithmetic.detail) == ir::BinaryOp::kAdd ||
         static_cast<ir::BinaryOp>(arithmetic.detail) == ir::BinaryOp::kMul)) {
      continue;  // lists and strings know + and *
    }
    use.array = true;
  }
}

void SeeCall(const Facts::Impl& impl, ir::ValueId user, ir::ValueId value, Use& use) {
  const ir::Program& program = impl.program;
  const ir::ValueId callee_id = program.Operand(user, 0);
  const Value& callee = impl.Of(callee_id);
  if (callee.kind == Kind::kBuiltin) {
    const std::string_view name = impl.names.Text(callee.name);
    if (name == "range") use.integer = true;
    if (name == "isinstance" && program.Operand(user, 1) == value) {
      const Value& type = impl.Of(program.Operand(user, 2));
      const bool array_type = type.kind == Kind::kApi && impl.names.Text(type.name) == "numpy.ndarray";
      if (!array_type) use.other = true;
      if (array_type) use.asked = true;
    }
  }
  if (callee.kind != Kind::kApi || callee.library != Library::kDevice || program.Operand(user, 1) != value) return;
  std::string_view name = impl.names.Text(callee.name);
  if (!name.starts_with("numpy.")) return;
  name.remove_prefix(6);
  const bool along_axes = Among(kAxisFunctions, name) ||
                          (name.starts_with("linalg.") && name != "linalg.LinAlgError") ||
                          (name.starts_with("fft.") && name.find("freq") == std::string_view::npos);
  if (along_axes) use.array = true;
}

// The largest key of a display of a dictionary, in place or in a variable set once, all of whose keys are integers:
// `{2: a, 3: b}`.
std::optional<std::int64_t> LargestIntegerKey(const Facts::Impl& impl, ir::ValueId container) {
  const ir::Program& program = impl.program;
  if (container.valid() && program.ops[container].kind == ir::OpKind::kLoadCell) {
    const ir::Cell& cell = program.cells[ir::CellId(program.ops[container].payload)];
    if (cell.stores.size() != 1) return std::nullopt;
    container = program.Operand(cell.stores[0], 0);
  }
  if (!container.valid() || program.ops[container].kind != ir::OpKind::kDict) return std::nullopt;
  std::optional<std::int64_t> largest;
  const auto operands = program.Operands(container);
  for (std::size_t i = 0; i < operands.size(); i += 2) {
    if (!operands[i].valid() || program.ops[operands[i]].kind != ir::OpKind::kInt) return std::nullopt;
    const std::int64_t key = program.ints[program.ops[operands[i]].payload];
    largest = std::max(largest.value_or(key), key);
  }
  return largest;
}

Use SeeUses(const Facts::Impl& impl, ir::ValueId value) {
  Use use;
  std::vector<ir::ValueId> work = {value};
  std::unordered_set<ir::ValueId> seen = {value};
  while (!work.empty()) {
    const ir::ValueId now = work.back();
    work.pop_back();
    for (const ir::ValueId user : impl.UsesOf(now)) {
      switch (impl.program.ops[user].kind) {
        case ir::OpKind::kPhi:
          if (seen.insert(user).second) work.push_back(user);
          break;
        case ir::OpKind::kAttr: SeeAttribute(impl, user, use); break;
        case ir::OpKind::kSubscript:
        case ir::OpKind::kStoreSubscript:
          if (impl.program.Operand(user, 0) == now) {
            SeeSubscript(impl, user, use);
          } else if (const auto largest = LargestIntegerKey(impl, impl.program.Operand(user, 0))) {
            use.integer = true;
            use.most = std::min(use.most.value_or(*largest), *largest);
          }
          break;
        case ir::OpKind::kCall: SeeCall(impl, user, now, use); break;
        default: break;
      }
    }
  }
  return use;
}

// An annotation that we cannot resolve may still be somebody's alias of an array type: FloatArray, Float[Array, "n"],
// Tensor.
bool NamesArrayType(const Facts::Impl& impl, ir::ValueId annotation) {
  const ir::Program& program = impl.program;
  std::vector<ir::ValueId> work = {annotation};
  for (std::size_t i = 0; i < work.size() && i < 32; ++i) {
    if (!work[i].valid()) continue;
    const ir::Op& op = program.ops[work[i]];
    std::string_view name;
    if (op.kind == ir::OpKind::kAttr || op.kind == ir::OpKind::kUndefined || op.kind == ir::OpKind::kStarName)
      name = program.Name(op);
    if (op.kind == ir::OpKind::kLoadCell) name = impl.names.Text(program.cells[ir::CellId(op.payload)].name);
    if (op.kind == ir::OpKind::kStr) name = program.strings[op.payload];
    if (name.find("rray") != std::string_view::npos || name == "Any" || name == "Tensor") return true;
    for (const ir::ValueId operand : program.Operands(op)) work.push_back(operand);
  }
  return false;
}

// A shape of these extents; those that are no known numbers are called `x.shape[0]`.
ShapeId ShapeWith(Facts::Impl& impl, ir::ValueId param, Symbol name,
                  const std::vector<std::optional<std::int64_t>>& extents) {
  ir::DimStore& dims = impl.store.dims();
  Shape shape;
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    const Symbol symbol =
        impl.names.Intern(std::string(impl.names.Text(name)) + ".shape[" + std::to_string(axis) + "]");
    shape.push_back(extents[axis] ? dims.Const(*extents[axis]) : dims.SymbolOf(symbol, param.index()));
  }
  return impl.store.Intern(shape);
}

// A function works on arrays of a library that it, its module or a function around it imports.
bool ArraysAreAbout(const Facts::Impl& impl, ir::FunctionId function) {
  for (; function.valid(); function = impl.program.functions[function].parent) {
    if (impl.array_scopes.contains(function)) return true;
  }
  return false;
}

Value FromUse(Facts::Impl& impl, ir::ValueId param, Symbol name) {
  const Use use = SeeUses(impl, param);
  // Names that NumPy has not make it an object whose methods are called as functions of NumPy are.
  if (use.namespace_names.size() >= 2 && !use.integer &&
      static_cast<std::size_t>(use.foreign_names) < use.namespace_names.size()) {
    Value value = Of(Kind::kApi);  // def f(np, n): the array namespace as a parameter (A.3)
    value.library = Library::kDevice;
    value.name = impl.names.Intern("numpy");
    value.evidence = kNamespaceParam;
    return value;
  }
  if (use.integer && !use.array) {
    // Certain: range raises for anything else, and so does a dictionary without that key.
    ir::DimStore& dims = impl.store.dims();
    const ir::DimId symbol = dims.SymbolOf(name, param.index());
    return IntDim(use.most ? dims.Min(symbol, dims.Const(*use.most)) : symbol);
  }
  if (!use.array || use.other || !ArraysAreAbout(impl, impl.program.FunctionOf(param))) return Unknown();
  ShapeId shape;
  if (use.rank > 0) {
    shape = ShapeWith(impl, param, name,
                      std::vector<std::optional<std::int64_t>>(static_cast<std::size_t>(use.rank), std::nullopt));
  }
  return Array(Library::kDevice, ir::DType::kUnknown, shape, kUsed);
}

}  // namespace

bool IsContainerMethod(std::string_view name) {
  return Among(kContainerMethods, name) && !NumpyHas("numpy.ndarray." + std::string(name));
}

std::vector<Value> LocalEvidence(Facts::Impl& impl, ir::FunctionId function_id) {
  const ir::Function& function = impl.program.functions[function_id];
  std::vector<Value> result;
  result.reserve(function.params.size());
  for (const ir::Param& param : function.params) {
    Value value = Unknown();
    if (param.kind == ir::ParamKind::kVarPositional) {
      value = Of(Kind::kTuple);
    } else if (param.kind == ir::ParamKind::kVarKeyword) {
      value = Of(Kind::kDict);
    } else {
      if (param.annotation.valid()) value = FromAnnotation(impl, param.annotation);
      Documented documented;
      if (!function.docstring.empty()) documented = DocumentedOf(function.docstring, impl.names.Text(param.name));
      if (value.kind == Kind::kUnknown && !documented.type.empty()) value = FromDocumentedType(documented.type);
      if (value.kind == Kind::kArray)
        if (const auto extents = StatedShape(documented))
          value.shape = ShapeWith(impl, param.value, param.name, *extents);
      if (value.kind == Kind::kInt && CountsAxes(documented.words)) {
        ir::DimStore& dims = impl.store.dims();
        value.dim = dims.Min(dims.SymbolOf(param.name, param.value.index()), dims.Const(kMostAxes));
      }
      // `lz : float` by its documentation, and asked whether it is an array: both, by turns.
      if (IsNumber(value.kind) && SeeUses(impl, param.value).asked) value = Unknown();
      const bool promised_array = value.kind == Kind::kArray;
      const bool promised_other =
          value.kind == Kind::kUnknown && param.annotation.valid() && !NamesArrayType(impl, param.annotation);
      if (!promised_other && (value.kind == Kind::kUnknown || promised_array)) {
        const Value used = FromUse(impl, param.value, param.name);
        if (value.kind == Kind::kUnknown) value = used;
        // `array_like` by its documentation and an array by its use is an array: use settles the doubt.
        if (promised_array && used.kind == Kind::kArray) {
          // Two ranks for one array: neither is known.
          if (value.shape.valid() && used.shape.valid() && Rank(impl.store, value) != Rank(impl.store, used)) {
            value.shape = ShapeId::None();
          } else if (!value.shape.valid()) {
            value.shape = used.shape;
          }
          value.evidence = static_cast<EvidenceSet>(value.evidence & ~kContradicted);
        }
      }
    }
    if (value.kind == Kind::kArray) value.root = value.device_root = param.value;
    // Whatever it is: if it is an integer, this is its name.
    if ((value.kind == Kind::kUnknown || value.kind == Kind::kInt) && !value.dim.valid()) {
      value.dim = impl.store.dims().SymbolOf(param.name, param.value.index());
      if (const std::optional<std::int64_t> assumed = impl.store.dims().AsConst(value.dim))
        value = Int(impl.store, *assumed);
    }
    result.push_back(value);
  }
  return result;
}

}  // namespace cpnlint::analysis
