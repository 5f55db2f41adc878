// Evidence 4 and 5 of rules.md A.3: what annotations and docstrings promise.

#include <algorithm>
#include <array>
#include <cctype>

#include "analyzer/analysis/call_keywords.h"
#include "analyzer/analysis/callee_names.h"
#include "analyzer/analysis/docstrings.h"
#include "analyzer/analysis/engine.h"
#include "analyzer/analysis/other_libraries.h"

namespace cpnlint::analysis {
namespace {

// `from kiwisolver import Variable`: a class of another library, as it is written, and no name for numbers.
bool IsClassElsewhere(const Facts::Impl& impl, const Value& type) {
  if (type.kind != Kind::kApi || type.library != Library::kOther) return false;
  const std::string_view dotted = impl.names.Text(type.name);
  for (const std::string_view module : {"typing", "typing_extensions", "jaxtyping", "nptyping", "ml_dtypes"}) {
    if (StartsWithModule(dotted, module)) return false;
  }
  constexpr auto kNumbers = std::to_array<std::string_view>(
      {"Any", "Bool", "Complex", "Double", "Float", "Int", "Number", "Real", "Scalar", "Shape", "UInt"});
  const std::string_view name = dotted.substr(dotted.rfind('.') + 1);
  return name.size() > 2 && std::isupper(static_cast<unsigned char>(name[0])) != 0 &&
         std::ranges::any_of(name, [](char c) { return c >= 'a' && c <= 'z'; }) &&
         std::ranges::none_of(kNumbers, [&](std::string_view number) { return name.starts_with(number); });
}

// The element type of NDArray[np.float32], and of np.ndarray[Ket].
ir::DType DTypeOfSubscripted(const Facts::Impl& impl, std::string_view base, ir::ValueId argument) {
  if (argument.valid() && impl.Of(OriginOf(impl, argument)).kind == Kind::kClass) return ir::DType::kObject;
  if (argument.valid() && IsClassElsewhere(impl, impl.Of(OriginOf(impl, argument)))) return ir::DType::kObject;
  if (!base.ends_with("NDArray")) return ir::DType::kUnknown;
  const Value& dtype = impl.Of(argument);
  return dtype.kind == Kind::kDType || dtype.kind == Kind::kApi ? DTypeArgument(impl.names, dtype)
                                                                : ir::DType::kUnknown;
}

constexpr int kMostLayers = 16;        // of names, Optional and None around a type
constexpr std::size_t kMostParts = 8;  // of a tuple or union

bool IsDottedName(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return IsNameChar(c) || c == '.'; });
}

// "Optional[np.ndarray]", "np.ndarray | None": the text without what stands around the type.
std::string_view WithoutNone(std::string_view text) {
  for (int layer = 0; layer < kMostLayers; ++layer) {
    text = Trim(text);
    if (const std::size_t bar = text.find('|'); bar != std::string_view::npos) {
      const std::string_view left = Trim(text.substr(0, bar)), right = Trim(text.substr(bar + 1));
      if (left != "None" && right != "None") return {};
      text = right == "None" ? left : right;
      continue;
    }
    const std::size_t bracket = text.find('[');
    if (bracket == std::string_view::npos || !Trim(text.substr(0, bracket)).ends_with("Optional") ||
        !text.ends_with(']')) {
      return text;
    }
    text = text.substr(bracket + 1, text.size() - bracket - 2);
  }
  return {};
}

// The annotation as text; "numpy.typing.NDArray[np.float64]" counts as its base.
Value FromText(std::string_view text) {
  const std::string_view base = Trim(text.substr(0, text.find('[')));
  return IsDottedName(base) ? FromTypeName(base, kAnnotated) : Unknown();
}

// What a quoted name means in the module of the annotation: a class, an alias. None() where it is something else.
ir::ValueId NamedInText(const Facts::Impl& impl, ir::ValueId annotation, std::string_view text) {
  if (!IsDottedName(text) || text.find('.') != std::string_view::npos) return {};
  const Symbol name = impl.names.Find(text);
  if (!name.valid()) return {};
  const ir::Program& program = impl.program;
  const ir::CellId cell = FindGlobal(impl, program.functions[program.FunctionOf(annotation)].module, name);
  if (!cell.valid() || program.cells[cell].stores.size() != 1) return {};
  return program.Operand(program.cells[cell].stores[0], 0);
}

std::string_view TypeNameOf(const Facts::Impl& impl, ir::ValueId id) {
  if (!id.valid()) return {};
  const Value& value = impl.Of(id);
  if (value.kind == Kind::kApi || value.kind == Kind::kBuiltin) return impl.names.Text(value.name);
  const ir::Op& op = impl.program.ops[id];
  if (op.kind == ir::OpKind::kBuiltin) return impl.program.Name(op);
  return {};
}

// Float32[np.ndarray, "n m"] of jaxtyping: the element type by its name, the rank by its words.
Value FromJaxtyping(Facts::Impl& impl, std::string_view base, ir::ValueId annotation) {
  const ir::Program& program = impl.program;
  const std::string_view array = TypeNameOf(impl, OriginOf(impl, program.Operand(annotation, 1)));
  if (!array.ends_with("ndarray") && !array.ends_with("NDArray")) return Unknown();
  Value value = Array(Library::kDevice, ir::DType::kUnknown, ShapeId::None(), kAnnotated);
  std::string dtype(base.substr(base.rfind('.') + 1));
  std::transform(dtype.begin(), dtype.end(), dtype.begin(), [](unsigned char c) { return std::tolower(c); });
  if (dtype == "bool" || std::isdigit(static_cast<unsigned char>(dtype.back()))) value.dtype = ir::ParseDType(dtype);
  const ir::ValueId extents = program.Operand(annotation, 2);
  if (!extents.valid() || program.ops[extents].kind != ir::OpKind::kStr) return value;
  Shape shape;
  for (std::string_view rest = Trim(program.String(program.ops[extents])); !rest.empty();) {
    const std::string_view word = rest.substr(0, rest.find(' '));
    if (word.find_first_of(".*?#") != std::string_view::npos || shape.size() == kMostParts) return value;
    const bool number = std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
    shape.push_back(number && word.size() < 9
                        ? impl.store.dims().Const(std::stoll(std::string(word)))
                        : impl.store.dims().SymbolOf(impl.names.Intern(word), annotation.index()));
    rest = Trim(rest.substr(word.size()));
  }
  value.shape = impl.store.Intern(shape);
  return value;
}

bool IsNone(const Facts::Impl& impl, ir::ValueId id) {
  return id.valid() && impl.program.ops[id].kind == ir::OpKind::kNone;
}

// The members of `A | B | None` and Union[A, B, None] without None.
std::vector<ir::ValueId> MembersOf(const Facts::Impl& impl, ir::ValueId annotation) {
  const ir::Program& program = impl.program;
  std::vector<ir::ValueId> members, work = {annotation};
  while (!work.empty() && members.size() < kMostParts) {
    const ir::ValueId at = OriginOf(impl, work.back());
    work.pop_back();
    if (!at.valid() || IsNone(impl, at)) continue;
    const ir::Op& op = program.ops[at];
    const bool either = op.kind == ir::OpKind::kBinary && static_cast<ir::BinaryOp>(op.detail) == ir::BinaryOp::kOr;
    const bool of_union =
        op.kind == ir::OpKind::kSubscript && TypeNameOf(impl, program.Operand(at, 0)).ends_with("Union");
    if (!either && !of_union) {
      members.push_back(at);
      continue;
    }
    const std::span<const ir::ValueId> parts = program.Operands(at).subspan(of_union ? 1 : 0);
    if (work.size() + parts.size() > kMostParts) return {};
    work.insert(work.end(), parts.begin(), parts.end());
  }
  return members;
}

// `rng: np.random.Generator`: an object of the namespace that the class is taken from. kUnknown for other types.
Value RandomGenerator(Facts::Impl& impl, std::string_view type, Library library, EvidenceSet evidence) {
  const std::string_view module = type.substr(0, type.find('.'));
  const std::string_view name = type.substr(std::min(module.size() + 1, type.size()));
  if ((module != "numpy" && module != "np") || (name != "random.Generator" && name != "random.RandomState"))
    return Unknown();
  Value value = Of(Kind::kGeneratorRng);
  value.name = impl.names.Intern("numpy." + std::string(name));
  value.library = library;
  value.evidence = evidence;
  return value;
}

// A type that is no tuple or list of others.
Value OneType(Facts::Impl& impl, ir::ValueId annotation) {
  const ir::Program& program = impl.program;
  for (int depth = 0; depth < kMostLayers && annotation.valid(); ++depth) {
    const Value& known = impl.Of(annotation);
    if (known.kind == Kind::kClass) {
      Value value = Of(Kind::kInstance);
      value.class_id = known.class_id;
      value.evidence = kAnnotated;
      return value;
    }
    // An object of another library: `axes: plt.Axes`, `comm: MPI.Cartcomm`.
    const std::string_view type = TypeNameOf(impl, annotation);
    if (known.kind == Kind::kApi && (IsForeignLibrary(type) || StartsWithModule(type, "mpi4py"))) {
      Value value = Of(Kind::kForeign);
      value.name = known.name;
      value.evidence = kAnnotated;
      return value;
    }
    if (known.kind == Kind::kApi) {
      if (const Library library = LibraryOfArrayType(type); library != Library::kNone)
        return Array(library, ir::DType::kUnknown, ShapeId::None(), kAnnotated);
      const Value rng = RandomGenerator(impl, type, known.library, kAnnotated);
      if (rng.kind != Kind::kUnknown) return rng;
    }
    if (!type.empty()) return FromTypeName(type, kAnnotated);
    if (const ir::ValueId origin = OriginOf(impl, annotation); origin != annotation) {
      annotation = origin;
      continue;
    }
    const ir::Op& op = program.ops[annotation];
    if (op.kind == ir::OpKind::kStr) {
      const std::string_view text = WithoutNone(program.String(op));
      Value value = FromText(text);
      if (value.kind == Kind::kUnknown) value = RandomGenerator(impl, text, Library::kDevice, kAnnotated);
      if (value.kind != Kind::kUnknown) return value;
      annotation = NamedInText(impl, annotation, text);
      continue;
    }
    if (op.kind == ir::OpKind::kOpaque && op.operand_count == 1) {  // type Vector = np.ndarray
      annotation = program.Operand(annotation, 0);
      continue;
    }
    if (op.kind == ir::OpKind::kCall && TypeNameOf(impl, program.Operand(annotation, 0)) == "typing.TypeVar") {
      annotation = ArgumentNamed(program, annotation, "bound");  // TypeVar("T", bound=np.ndarray)
      continue;
    }
    if (op.kind == ir::OpKind::kSubscript) {
      const ir::ValueId base_id = OriginOf(impl, program.Operand(annotation, 0));
      const std::string_view base = TypeNameOf(impl, base_id);
      if (base.ends_with("Optional") || base.ends_with("Annotated") || base.ends_with("Final") ||
          base.ends_with("ClassVar")) {
        annotation = program.Operand(annotation, 1);
        continue;
      }
      if (StartsWithModule(base, "jaxtyping")) return FromJaxtyping(impl, base, annotation);
      if (base.ends_with("Union")) return Unknown();
      Value value = FromTypeName(base, kAnnotated);
      if (value.kind == Kind::kArray) value.dtype = DTypeOfSubscripted(impl, base, program.Operand(annotation, 1));
      return value;
    }
    return Unknown();
  }
  return Unknown();
}

}  // namespace

Value FromAnnotation(Facts::Impl& impl, ir::ValueId annotation) {
  const ir::Program& program = impl.program;
  const std::vector<ir::ValueId> members = MembersOf(impl, annotation);
  if (members.empty()) return Unknown();
  if (members.size() > 1) {
    // One of several: an array at best possibly.
    Value array;
    for (const ir::ValueId member : members) {
      const Value value = OneType(impl, member);
      if (value.kind != Kind::kArray) continue;
      if (array.kind != Kind::kArray || value.library == Library::kDevice) array = value;
      if (array.library == Library::kDevice) break;
    }
    if (array.kind != Kind::kArray) return Unknown();
    array.evidence |= kContradicted;
    return array;
  }
  const ir::ValueId type = members.front();
  Value value = OneType(impl, type);
  const bool holds = value.kind == Kind::kTuple || value.kind == Kind::kList || value.kind == Kind::kDict ||
                     value.kind == Kind::kIterator;
  if (!holds || program.ops[type].kind != ir::OpKind::kSubscript) return value;
  const std::span<const ir::ValueId> parts = program.Operands(type).subspan(1);
  const bool one_by_one =
      value.kind == Kind::kTuple && parts.size() <= kMostParts &&
      (parts.size() < 2 || !parts[1].valid() || program.ops[parts[1]].kind != ir::OpKind::kEllipsis);
  if (one_by_one) {
    std::vector<Value> elements;
    for (const ir::ValueId part : parts) elements.push_back(OneType(impl, part));
    value = Tuple(impl.store, std::move(elements));
    value.evidence = kAnnotated;
    return value;
  }
  const Value item = OneType(impl, value.kind == Kind::kTuple ? parts.front() : parts.back());
  if (item.kind != Kind::kUnknown) value.item = impl.store.Intern(std::vector<Value>{item});
  return value;
}

// `x: np.ndarray | torch.Tensor`: no use tells the one from the other.
static bool MixesLibraries(Facts::Impl& impl, ir::ValueId annotation) {
  if (!annotation.valid()) return false;
  const std::vector<ir::ValueId> members = MembersOf(impl, annotation);
  return members.size() > 1 && std::ranges::any_of(members, [&](ir::ValueId member) {
           const Value value = OneType(impl, member);
           return value.kind == Kind::kArray && value.library != Library::kDevice;
         });
}

Value PromisedResult(Facts::Impl& impl, ir::FunctionId function_id) {
  const ir::Function& function = impl.program.functions[function_id];
  if (function.is_async || function.is_generator) return Unknown();
  const auto tells = [&](const Value& value) {
    const bool holds = value.kind == Kind::kTuple || value.kind == Kind::kList || value.kind == Kind::kDict;
    const bool annotated = value.kind == Kind::kForeign && function.return_annotation.valid();
    return annotated || value.kind == Kind::kArray || value.kind == Kind::kInstance ||
           value.kind == Kind::kGeneratorRng || (holds && (value.elements.valid() || value.item.valid()));
  };
  Value promised = Unknown();
  if (function.return_annotation.valid()) promised = FromAnnotation(impl, function.return_annotation);
  // An annotation that we cannot read may speak of anything.
  if (!function.return_annotation.valid() && !function.docstring.empty())
    promised = DocumentedResult(impl.store, function.docstring);
  return tells(promised) ? promised : Unknown();
}

namespace {

// --- evidence 6: use ---

// Functions whose first argument is an array wherever they are called: they work along axes (A.3).
constexpr auto kAxisFunctions = std::to_array<std::string_view>({
    "all",     "amax",    "amin",     "any",    "argmax",     "argmin", "argsort",  "average", "count_nonzero",
    "cumprod", "cumsum",  "diff",     "flip",   "gradient",   "max",    "mean",     "median",  "min",
    "nanmax",  "nanmean", "nanmin",   "nansum", "percentile", "prod",   "quantile", "roll",    "sort",
    "std",     "sum",     "swapaxes", "trace",  "transpose",  "var",
});

constexpr auto kArrayAttributes = std::to_array<std::string_view>({"dtype", "ndim", "reshape", "shape"});

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
  bool method = false;                            // arrays have it, lists have not: x.sum
  bool made_arrays = false;                       // `np.array(x[i])`: its items are none yet
  bool no_array = false;                          // x.unit in each call: it raises where x is an array
};

// Under no test and in no `try`, which may let only what has the attribute come here.
bool IsReadAlways(const ir::Program& program, ir::ValueId attribute) {
  const ir::Block& block = program.blocks[program.ops[attribute].block];
  const auto is_handler = [&](ir::BlockId next) {
    const ir::GuardId guard = program.blocks[next].guard;
    return guard.valid() && program.guards[guard].kind == ir::Guard::Kind::kExcept;
  };
  return !block.guard.valid() && std::ranges::none_of(block.succs, is_handler);
}

void SeeAttribute(const Facts::Impl& impl, ir::ValueId user, Use& use) {
  const ir::Program& program = impl.program;
  const std::string_view name = program.Name(program.ops[user]);
  if (IsMethodOf(name, MethodOf::kContainer)) use.other = true;
  const bool submodule = name == "linalg" || name == "fft" || name == "random";
  const NumpyNames of = NumpyNamesOf(impl, program.SymbolOf(program.ops[user]));
  if (submodule || (of.library && !of.array)) {
    std::vector<std::string_view>& seen = use.namespace_names;
    if (std::find(seen.begin(), seen.end(), name) == seen.end()) seen.push_back(name);
  }
  if (!of.array && !submodule) use.other = true;  // arrays have no such attribute
  if (!of.library && !of.array) ++use.foreign_names;
  if (!of.library && !of.array && !submodule && IsReadAlways(program, user)) use.no_array = true;
  if (of.array && !IsMethodOf(name, MethodOf::kContainer) && name != "copy" && name != "sort") use.method = true;
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

// `np.array(item)`, `np.asarray(item)`
bool IsMadeArray(const Facts::Impl& impl, ir::ValueId item) {
  return std::ranges::any_of(impl.UsesOf(item), [&](ir::ValueId user) {
    if (impl.program.ops[user].kind != ir::OpKind::kCall || impl.program.Operand(user, 1) != item) return false;
    const Value& callee = impl.Of(impl.program.Operand(user, 0));
    if (callee.kind != Kind::kApi) return false;
    const std::string_view name = impl.names.Text(callee.name);
    return name == "numpy.array" || name == "numpy.asarray";
  });
}

// The text begins with an underscore, as far as it is known: `"_%sDeriv" % name`. No attribute of an array does.
bool IsPrivateText(const ir::Program& program, ir::ValueId text) {
  for (int layer = 0; layer < kMostLayers && text.valid(); ++layer) {
    const ir::Op& op = program.ops[text];
    if (op.kind == ir::OpKind::kStr) return IsPrivateName(program.String(op));
    const bool made = op.kind == ir::OpKind::kBinary || op.kind == ir::OpKind::kCall ||
                      (op.kind == ir::OpKind::kAttr && program.Name(op) == "format");
    if (!made) return false;
    text = program.Operand(text, 0);
  }
  return false;
}

void SeeSubscript(Facts::Impl& impl, ir::ValueId user, Use& use) {
  const ir::Program& program = impl.program;
  const ir::Op& op = program.ops[user];
  const std::uint32_t first = op.kind == ir::OpKind::kStoreSubscript ? 2 : 1;
  bool has_slice = false;
  for (std::uint32_t i = first; i < op.operand_count; ++i) {
    const ir::ValueId key = program.Operand(user, i);
    if (!key.valid()) continue;
    const ir::OpKind kind = program.ops[key].kind;
    if (IsTextKey(impl, key)) use.other = true;
    if (kind == ir::OpKind::kSlice || kind == ir::OpKind::kEllipsis) has_slice = true;
  }
  if ((op.flags & ir::kTupleIndex) != 0 && op.operand_count > first) use.array = true;
  if (op.kind == ir::OpKind::kSubscript && op.operand_count == 2 && !has_slice && IsMadeArray(impl, user))
    use.made_arrays = true;
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

// `assert isinstance(x, np.ndarray)`, `if not isinstance(x, np.ndarray): raise TypeError`, whatever happened before.
bool RaisesUnless(const ir::Program& program, ir::ValueId test) {
  const ir::Block& block = program.blocks[program.ops[test].block];
  if (block.guard.valid() || block.loop.valid() || block.ops.empty() || block.succs.size() != 2) return false;
  const ir::ValueId branch = block.ops.back();
  if (program.ops[branch].kind != ir::OpKind::kBranch) return false;
  const ir::ValueId truth = program.Operand(branch, 0);
  if (!truth.valid() || program.ops[truth].kind != ir::OpKind::kTruth || program.Operand(truth, 0) != test)
    return false;
  const ir::Block& otherwise = program.blocks[block.succs[1]];
  return otherwise.preds.size() == 1 && !otherwise.ops.empty() &&
         program.ops[otherwise.ops.back()].kind == ir::OpKind::kRaise;
}

void SeeCall(const Facts::Impl& impl, ir::ValueId user, ir::ValueId value, Use& use) {
  const ir::Program& program = impl.program;
  const ir::ValueId callee_id = program.Operand(user, 0);
  const Value& callee = impl.Of(callee_id);
  if (callee.kind == Kind::kBuiltin) {
    const std::string_view name = impl.names.Text(callee.name);
    if (name == "range") use.integer = true;
    if (name == "getattr" && program.Operand(user, 1) == value && IsPrivateText(program, program.Operand(user, 2)))
      use.other = true;
    if (name == "isinstance" && program.Operand(user, 1) == value) {
      const Value& type = impl.Of(program.Operand(user, 2));
      const bool array_type = type.kind == Kind::kApi && impl.names.Text(type.name) == "numpy.ndarray";
      if (!array_type) use.other = true;
      if (array_type) use.asked = true;
      if (array_type && RaisesUnless(program, user)) use.array = true;
    }
  }
  // Whoever asks whether it is a sparse matrix expects one.
  if ((callee.kind == Kind::kApi || callee.kind == Kind::kForeign) && program.Operand(user, 1) == value) {
    const std::string_view name = impl.names.Text(callee.name);
    const std::string_view last = name.substr(name.rfind('.') + 1);
    if (last == "issparse" || last.starts_with("isspmatrix")) use.other = true;
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

// `range(n - 1)`, `range(1, 2 * n + 1)`: what is worked out from the value ends up there, which takes whole numbers
// only.
bool FeedsRange(const Facts::Impl& impl, ir::ValueId made) {
  constexpr int kMostSteps = 4;
  const ir::Program& program = impl.program;
  for (int step = 0; step < kMostSteps; ++step) {
    const std::span<const ir::ValueId> users = impl.UsesOf(made);
    ir::ValueId next;
    for (const ir::ValueId user : users) {
      const ir::Op& op = program.ops[user];
      if (op.kind == ir::OpKind::kBinary) next = user;
      if (op.kind != ir::OpKind::kCall || program.Operand(user, 0) == made) continue;
      const Value& callee = impl.Of(program.Operand(user, 0));
      if (callee.kind == Kind::kBuiltin && impl.names.Text(callee.name) == "range") return true;
    }
    if (!next.valid()) return false;
    made = next;
  }
  return false;
}

Use SeeUses(Facts::Impl& impl, ir::ValueId value) {
  Use use;
  std::vector<ir::ValueId> work = {value};
  std::unordered_set<ir::ValueId> seen;  // joins of it with other values
  while (!work.empty()) {
    const ir::ValueId now = work.back();
    work.pop_back();
    for (const ir::ValueId user : impl.UsesOf(now)) {
      switch (impl.program.ops[user].kind) {
        case ir::OpKind::kPhi:
          if (user != value && seen.insert(user).second) work.push_back(user);
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
        case ir::OpKind::kBinary: use.integer = use.integer || FeedsRange(impl, user); break;
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
    if (op.kind == ir::OpKind::kStr) name = program.String(op);
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

Value FromUse(Facts::Impl& impl, const Use& use, ir::ValueId param, Symbol name) {
  // Names that NumPy has not make it an object whose methods are called as functions of NumPy are.
  if (use.namespace_names.size() >= LeastNamespaceNames(impl.names.Text(name)) && !use.integer &&
      static_cast<std::size_t>(use.foreign_names) < use.namespace_names.size()) {
    Value space = ChosenNumpy(impl);  // def f(np, n): the array namespace as a parameter (A.3)
    if (std::ranges::any_of(use.namespace_names, IsNameOfStandard)) space.evidence |= kStandardNamespace;
    return space;
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
  const bool doubted = ComputesElsewhere(impl, impl.program.FunctionOf(param));
  return Array(Library::kDevice, ir::DType::kUnknown, shape, doubted ? kUsed | kContradicted : kUsed);
}

// A number, text or display of Python as a default.
bool IsNoArray(const Facts::Impl& impl, ir::ValueId value) {
  if (!value.valid()) return false;
  if (impl.program.ops[value].kind == ir::OpKind::kUnary) value = impl.program.Operand(value, 0);
  if (!value.valid()) return false;
  switch (impl.program.ops[value].kind) {
    case ir::OpKind::kBool:
    case ir::OpKind::kInt:
    case ir::OpKind::kFloat:
    case ir::OpKind::kComplex:
    case ir::OpKind::kStr:
    case ir::OpKind::kTuple:
    case ir::OpKind::kList:
    case ir::OpKind::kDict: return true;
    default: return false;
  }
}

}  // namespace

namespace {

// "Grid2d object", "torchswe.utils.data.States", "`Config`": an object of the one class of the program that is called
// so; kUnknown for other types.
Value FromDocumentedClass(Facts::Impl& impl, std::string_view type) {
  while (!type.empty() && (type.front() == '`' || type.front() == '~' || type.front() == ':')) type.remove_prefix(1);
  if (type.starts_with("class:`")) type.remove_prefix(7);
  if (type.starts_with("obj:`")) type.remove_prefix(5);
  if (type.starts_with('~')) type.remove_prefix(1);
  std::size_t end = 0;
  while (end < type.size() && (IsNameChar(type[end]) || type[end] == '.')) ++end;
  std::string_view rest = Trim(type.substr(end));
  const Value rng = RandomGenerator(impl, type.substr(0, end), Library::kDevice, kDocumented);
  if (rng.kind != Kind::kUnknown) {
    while (!rest.empty() && (rest.front() == '`' || rest.front() == ',' || rest.front() == ' ')) rest.remove_prefix(1);
    const bool alone = rest.empty() || rest.starts_with("optional") || rest.starts_with("default") ||
                       rest.starts_with("or None") || rest.starts_with("(") || rest.starts_with("instance") ||
                       rest.starts_with("object");
    return alone ? rng : Unknown();
  }
  if (!rest.empty() && rest.front() != '`' && rest.front() != ',' && !rest.starts_with("object") &&
      !rest.starts_with("instance"))
    return Unknown();
  const std::string_view dotted = type.substr(0, end);
  const std::string_view name = dotted.substr(dotted.rfind('.') + 1);
  if (name.empty() || name.front() < 'A' || name.front() > 'Z') return Unknown();
  if (impl.classes_by_name.empty()) {
    for (std::size_t i = 0; i < impl.program.classes.size(); ++i) {
      const auto [entry, is_new] =
          impl.classes_by_name.emplace(impl.program.classes[ir::ClassId(i)].name, ir::ClassId(i));
      if (!is_new) entry->second = ir::ClassId::None();
    }
  }
  const auto found = impl.classes_by_name.find(impl.names.Intern(name));
  if (found == impl.classes_by_name.end() || !found->second.valid()) return Unknown();
  Value value = Of(Kind::kInstance);
  value.class_id = found->second;
  value.evidence = kDocumented;
  return value;
}

}  // namespace

namespace {

// `@convert.register(Matrix)`: of which types the arguments are, one after the other.
ir::ValueId RegisteredType(const ir::Program& program, const ir::Function& function, std::size_t index) {
  if (function.owner.valid()) {  // after `self`
    if (index == 0) return {};
    --index;
  }
  for (const ir::ValueId decorator : function.decorators) {
    if (!decorator.valid() || program.ops[decorator].kind != ir::OpKind::kCall) continue;
    const ir::ValueId callee = program.Operand(decorator, 0);
    if (!callee.valid() || program.ops[callee].kind != ir::OpKind::kAttr) continue;
    if (program.Name(program.ops[callee]) != "register") continue;
    if (index < program.Shape(program.ops[decorator]).positional)
      return program.Operand(decorator, static_cast<std::uint32_t>(1 + index));
  }
  return {};
}

// `def __eq__(self, other)`: the other one is an object of that class as likely as an array.
bool IsOtherOperand(const Facts::Impl& impl, const ir::Function& function, std::size_t index) {
  constexpr auto kOperators = std::to_array<std::string_view>(
      {"add",  "and",  "divmod", "eq",   "floordiv", "ge",       "gt",   "le",      "lt",        "matmul",
       "mod",  "mul",  "ne",     "or",   "pow",      "radd",     "rand", "rdivmod", "rfloordiv", "rmatmul",
       "rmod", "rmul", "ror",    "rpow", "rsub",     "rtruediv", "rxor", "sub",     "truediv",   "xor"});
  std::string_view name = impl.names.Text(function.name);
  if (index != 1 || !function.owner.valid() || !name.starts_with("__") || !name.ends_with("__") || name.size() < 5)
    return false;
  name = name.substr(2, name.size() - 4);
  return std::find(kOperators.begin(), kOperators.end(), name) != kOperators.end();
}

}  // namespace

namespace {

// `*arrays: np.ndarray`: each of them is one.
Value PackedParameter(Facts::Impl& impl, const ir::Param& param, Kind kind) {
  const Value item = param.annotation.valid() ? FromAnnotation(impl, param.annotation) : Unknown();
  Value packed = item.kind == Kind::kUnknown ? Of(kind) : ContainerOf(impl.store, kind, item);
  if (kind == Kind::kDict) packed.root = param.value;  // the keys are what calls hand over by name
  return packed;
}

// What the docstring of the function says of the parameter, or that of the class, which documents its constructor.
Documented DocumentedParameter(Facts::Impl& impl, const ir::Function& function, const ir::Param& param) {
  const std::string_view name = impl.names.Text(param.name);
  Documented documented;
  if (!function.docstring.empty()) documented = DocumentedOf(function.docstring, name);
  if (!documented.type.empty() || !function.owner.valid() || impl.names.Text(function.name) != "__init__")
    return documented;
  const std::string_view of_class = impl.program.functions[impl.program.classes[function.owner].body].docstring;
  if (of_class.empty()) return documented;
  const Documented said = DocumentedOf(of_class, name);
  // `array_like` would cast doubt on what base classes know of it.
  const Value promised = FromDocumentedType(impl.store, said.type);
  return promised.kind == Kind::kArray && ConfidenceOf(promised.evidence) == Confidence::kPossible ? documented : said;
}

}  // namespace

std::vector<Value> LocalEvidence(Facts::Impl& impl, ir::FunctionId function_id) {
  const ir::Function& function = impl.program.functions[function_id];
  std::vector<Value> result;
  result.reserve(function.params.size());
  for (const ir::Param& param : function.params) {
    Value value = Unknown();
    if (param.kind == ir::ParamKind::kVarPositional) {
      value = PackedParameter(impl, param, Kind::kTuple);
    } else if (param.kind == ir::ParamKind::kVarKeyword) {
      value = PackedParameter(impl, param, Kind::kDict);
    } else {
      const ir::ValueId annotation =
          param.annotation.valid() ? param.annotation : RegisteredType(impl.program, function, result.size());
      if (annotation.valid()) value = FromAnnotation(impl, annotation);
      const Documented documented = DocumentedParameter(impl, function, param);
      if (value.kind == Kind::kUnknown && !documented.type.empty()) {
        value = FromDocumentedType(impl.store, documented.type);
        if (value.kind == Kind::kUnknown) value = FromDocumentedClass(impl, documented.type);
      }
      if (const auto extents = StatedShape(documented); extents && !extents->empty()) {
        if (value.kind == Kind::kArray) value.shape = ShapeWith(impl, param.value, param.name, *extents);
        impl.documented_extents.try_emplace(param.value, std::array{extents->front(), extents->back()});
      }
      if (value.kind == Kind::kInt && CountsAxes(documented.words)) {
        ir::DimStore& dims = impl.store.dims();
        value.dim = dims.Min(dims.SymbolOf(param.name, param.value.index()), dims.Const(kMostAxes));
      }
      // `lz : float` by its documentation, and asked whether it is an array: both, by turns.
      const bool by_turns = IsNumber(value.kind) && SeeUses(impl, param.value).asked;
      if (by_turns) value = Unknown();
      const bool promised_array = value.kind == Kind::kArray;
      const bool promised_other =
          value.kind == Kind::kUnknown && ((annotation.valid() && !NamesArrayType(impl, annotation)) ||
                                           (!annotation.valid() && !by_turns && PromisesOther(documented.type)));
      if (!promised_other && (value.kind == Kind::kUnknown || promised_array)) {
        const Use use = SeeUses(impl, param.value);
        const Value used = FromUse(impl, use, param.value, param.name);
        if (value.kind == Kind::kUnknown) value = used;
        const bool said_only = value.kind == Kind::kArray && value.evidence == kDocumented && used.kind != Kind::kArray;
        if (said_only && use.made_arrays && !use.array && !use.method) value.evidence |= kContradicted;
        if (value.evidence == kDocumented && use.no_array) value.evidence |= kContradicted;
        if (value.evidence == kUsed && IsOtherOperand(impl, function, result.size())) value.evidence |= kContradicted;
        // `array_like` by its documentation and an array by its use is an array: use settles the doubt.
        if (promised_array && used.kind == Kind::kArray) {
          // Two ranks for one array: neither is known.
          if (value.shape.valid() && used.shape.valid() && Rank(impl.store, value) != Rank(impl.store, used)) {
            value.shape = ShapeId::None();
          } else if (!value.shape.valid()) {
            value.shape = used.shape;
          }
          if (!MixesLibraries(impl, annotation) && !NamesOtherArrays(documented.type))
            value.evidence = static_cast<EvidenceSet>(value.evidence & ~kContradicted);
        }
      }
      // `prior=1.0` beside "ndarray": a number will do as well.
      if (value.kind == Kind::kArray && IsNoArray(impl, param.default_value)) value.evidence |= kContradicted;
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
