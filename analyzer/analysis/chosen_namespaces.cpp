// Array namespaces that a program chooses as it runs (rules.md A.3): `xp = cupy.get_array_module(x)`,
// `np = harness.np`, `importlib.import_module("numpy")`.

#include <algorithm>
#include <array>

#include "analyzer/analysis/callee_names.h"
#include "analyzer/analysis/engine.h"

namespace cpnlint::analysis {
namespace {

// What only the namespace of an array library has: a table has a `median` and a logger a `log`, too.
constexpr auto kOnlyOfNamespaces = std::to_array<std::string_view>({
    "arange",   "arccos",     "arcsin",     "arctan",       "arctan2",      "array",      "array_equal", "asanyarray",
    "asarray",  "atleast_1d", "atleast_2d", "broadcast_to", "column_stack", "complex128", "complex64",   "concatenate",
    "cos",      "cosh",       "einsum",     "empty",        "empty_like",   "exp",        "expand_dims", "eye",
    "float32",  "float64",    "full",       "full_like",    "hstack",       "int32",      "int64",       "isfinite",
    "isinf",    "isnan",      "linspace",   "log10",        "log1p",        "log2",       "logspace",    "maximum",
    "meshgrid", "minimum",    "moveaxis",   "newaxis",      "ones",         "ones_like",  "sin",         "sinh",
    "sqrt",     "tan",        "tanh",       "tensordot",    "vstack",       "zeros",      "zeros_like",
});
static_assert(std::ranges::is_sorted(kOnlyOfNamespaces));

// The last name that an expression spells: `get_namespace` of `utils.get_namespace`.
std::string_view LastName(const Facts::Impl& impl, ir::ValueId id) {
  const ir::Op& op = impl.program.ops[id];
  switch (op.kind) {
    case ir::OpKind::kAttr: return impl.program.Name(op);
    case ir::OpKind::kLoadCell: return impl.names.Text(impl.program.cells[ir::CellId(op.payload)].name);
    case ir::OpKind::kImport: {
      const ir::ImportRecord& record = impl.program.imports[op.payload];
      return record.name.valid() ? impl.names.Text(record.name) : std::string_view();
    }
    default: return {};
  }
}

}  // namespace

bool IsNameOfStandard(std::string_view name) {
  return IsOneOf(name, {"acos",
                        "acosh",
                        "asin",
                        "asinh",
                        "astype",
                        "atan",
                        "atan2",
                        "atanh",
                        "bitwise_invert",
                        "concat",
                        "cumulative_prod",
                        "cumulative_sum",
                        "isdtype",
                        "matrix_transpose",
                        "permute_dims",
                        "pow",
                        "unique_all",
                        "unique_counts",
                        "unique_inverse",
                        "unique_values",
                        "unstack",
                        "vecdot"});
}

std::size_t LeastNamespaceNames(std::string_view variable) {
  return IsOneOf(variable, {"cn", "cupynumeric", "np", "num", "numpy", "xnp", "xp"}) ? 1 : 2;
}

Value ChosenNumpy(Facts::Impl& impl) {
  Value value = Of(Kind::kApi);
  value.library = Library::kDevice;
  value.name = impl.names.Intern("numpy");
  value.evidence = kNamespaceParam;
  return value;
}

// A call of a function that is known by its name to hand out the namespace of the arrays it is given: CuPy's,
// Chainer's, that of the array API standard (`x.__array_namespace__()`, array-api-compat, SciPy) and scikit-learn's.
std::optional<Value> Engine::NamespaceGiven(ir::ValueId call) {
  const ir::ValueId called = program_.Operand(call, 0);
  if (!called.valid()) return std::nullopt;
  const std::string_view name = LastName(impl_, called);
  Value space = ChosenNumpy(impl_);
  if (name == "get_array_module") {
    const Value& callee = Of(called);
    // `cupyx.scipy.get_array_module` gives SciPy or CuPy's twin of it.
    const bool of_scipy = callee.kind == Kind::kApi && StartsWithModule(impl_.names.Text(callee.name), "cupyx");
    return of_scipy ? std::nullopt : std::optional(space);
  }
  space.evidence |= kStandardNamespace;
  if (name == "__array_namespace__" || name == "array_namespace") return space;
  if (name == "get_namespace") return Tuple(store_, {space, analysis::Of(Kind::kBool)});
  if (name == "get_namespace_and_device") return Tuple(store_, {space, analysis::Of(Kind::kBool), Unknown()});
  return std::nullopt;
}

// `importlib.import_module("numpy")`, `__import__("numpy")`: an import whose name is a constant.
std::optional<Value> Engine::LibraryLoaded(ir::ValueId call) {
  const Value& callee = Of(program_.Operand(call, 0));
  if (callee.kind != Kind::kApi && callee.kind != Kind::kBuiltin) return std::nullopt;
  const std::string_view loader = impl_.names.Text(callee.name);
  const bool builtin = callee.kind == Kind::kBuiltin && loader == "__import__";
  if (!builtin && loader != "importlib.import_module") return std::nullopt;
  const ir::ValueId argument = program_.Operand(call, 1);
  if (!argument.valid()) return std::nullopt;
  const Value& name = Of(argument);
  if (name.kind != Kind::kStr || !name.constant) return std::nullopt;
  std::string dotted(impl_.names.Text(name.name));
  if (builtin) dotted.resize(std::min(dotted.find('.'), dotted.size()));  // gives the outermost package
  // A module of the program, or one that is looked for beside it.
  if (dotted.empty() || dotted.starts_with('.') || ImportedModule(call, dotted)) return std::nullopt;
  return LibraryValue(call, dotted, impl_.names.Text(bound_names_[call]));
}

// A value that nothing else is known of, and of which names are asked that only an array library has.
bool Engine::IsNamespaceByUse(ir::ValueId id) const {
  const ir::OpKind kind = program_.ops[id].kind;
  if (kind != ir::OpKind::kCall && kind != ir::OpKind::kAttr && kind != ir::OpKind::kUnpackItem) return false;
  std::vector<std::string_view> seen;
  const auto only_names_of_numpy = [&](ir::ValueId value) {
    return std::ranges::all_of(impl_.UsesOf(value), [&](ir::ValueId user) {
      if (program_.ops[user].kind != ir::OpKind::kAttr) return true;
      const std::string_view name = program_.Name(program_.ops[user]);
      const bool telling = std::ranges::binary_search(kOnlyOfNamespaces, name);
      if (telling && std::ranges::find(seen, name) == seen.end()) seen.push_back(name);
      return telling || name == "linalg" || name == "fft" || name == "random" ||
             NumpyNamesOf(impl_, program_.SymbolOf(program_.ops[user])).library;
    });
  };
  if (!only_names_of_numpy(id)) return false;
  for (const ir::ValueId user : impl_.UsesOf(id)) {
    if (program_.ops[user].kind != ir::OpKind::kStoreCell) continue;
    const ir::Cell& cell = program_.cells[ir::CellId(program_.ops[user].payload)];
    if (!std::ranges::all_of(cell.loads, only_names_of_numpy)) return false;
  }
  return seen.size() >= LeastNamespaceNames(impl_.names.Text(bound_names_[id]));
}

}  // namespace cpnlint::analysis
