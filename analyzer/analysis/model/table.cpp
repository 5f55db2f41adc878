// The functions the model knows, and the way from a canonical name to a handler.

#include <algorithm>

#include "analyzer/analysis/model/handlers.h"
#include "analyzer/analysis/model/support.h"
#include "analyzer/analysis/text_arrays.h"

namespace cpnlint::analysis::model {

namespace {

// Parameters of the rows, by their short names.
constexpr std::uint8_t Code(UfuncRule rule) { return static_cast<std::uint8_t>(rule); }
constexpr std::uint8_t Code(Kind kind) { return static_cast<std::uint8_t>(kind); }
constexpr std::uint8_t Code(ReduceKind kind) { return static_cast<std::uint8_t>(kind); }
constexpr std::uint8_t Code(StackKind kind) { return static_cast<std::uint8_t>(kind); }
constexpr std::uint8_t Code(ConvertKind kind) { return static_cast<std::uint8_t>(kind); }

constexpr auto kPromote = Code(UfuncRule::kPromote);
constexpr auto kNoBool = Code(UfuncRule::kNoBool);
constexpr auto kFloat = Code(UfuncRule::kFloat);
constexpr auto kDivide = Code(UfuncRule::kDivide);
constexpr auto kBool = Code(UfuncRule::kBool);
constexpr auto kAbsolute = Code(UfuncRule::kAbsolute);
constexpr auto kFloatPower = Code(UfuncRule::kFloatPower);
constexpr auto kUInt8 = Code(UfuncRule::kUInt8);
constexpr auto kFirstFloat = Code(UfuncRule::kFirstFloat);
constexpr auto kSum = Code(ReduceKind::kSum);
constexpr auto kExtremum = Code(ReduceKind::kExtremum);
constexpr auto kMean = Code(ReduceKind::kMean);
constexpr auto kSpread = Code(ReduceKind::kSpread);
constexpr auto kTruth = Code(ReduceKind::kTruth);
constexpr auto kIndex = Code(ReduceKind::kIndex);
constexpr auto kCount = Code(ReduceKind::kCount);
constexpr auto kMedian = Code(ReduceKind::kMedian);
constexpr auto kRange = Code(ReduceKind::kRange);
constexpr auto kRows = Code(StackKind::kRows);
constexpr auto kColumns = Code(StackKind::kColumns);
constexpr auto kDepth = Code(StackKind::kDepth);
constexpr auto kColumnStack = Code(StackKind::kColumnStack);
constexpr auto kArray = Code(ConvertKind::kArray);
constexpr auto kAsArray = Code(ConvertKind::kAsArray);
constexpr auto kContiguous = Code(ConvertKind::kContiguous);
constexpr auto kNothing = Code(Kind::kNone);
constexpr auto kTruthValue = Code(Kind::kBool);
constexpr auto kText = Code(Kind::kStr);
constexpr auto kBytesValue = Code(Kind::kBytes);
constexpr auto kIntValue = Code(Kind::kInt);
constexpr auto kFloatValue = Code(Kind::kFloat);
constexpr auto kAnything = Code(Kind::kUnknown);

// Alphabetical, for binary search.
constexpr Entry kFunctions[] = {
    {"abs", Ufunc, kAbsolute, 1},
    {"absolute", Ufunc, kAbsolute, 1},
    {"acos", Ufunc, kFloat, 1},
    {"acosh", Ufunc, kFloat, 1},
    {"add", Ufunc, kPromote, 2},
    {"all", Reduce, kTruth},
    {"allclose", TruthOfAll},
    {"alltrue", Reduce, kTruth},
    {"amax", Reduce, kExtremum},
    {"amin", Reduce, kExtremum},
    {"angle", OneInput, kFloat},
    {"any", Reduce, kTruth},
    {"append", Append},
    {"apply_along_axis", SomeArray},
    {"apply_over_axes", SomeArray},
    {"arange", Arange},
    {"arccos", Ufunc, kFloat, 1},
    {"arccosh", Ufunc, kFloat, 1},
    {"arcsin", Ufunc, kFloat, 1},
    {"arcsinh", Ufunc, kFloat, 1},
    {"arctan", Ufunc, kFloat, 1},
    {"arctan2", Ufunc, kFloat, 2},
    {"arctanh", Ufunc, kFloat, 1},
    {"argmax", Reduce, kIndex},
    {"argmin", Reduce, kIndex},
    {"argpartition", Sort, 1, 2},
    {"argsort", Sort, 1, 1},
    {"argwhere", ArgWhere},
    {"around", Round},
    {"array", Convert, kArray},
    {"array2string", OfKind, kText},
    {"array_equal", TruthOfAll},
    {"array_equiv", TruthOfAll},
    {"array_repr", OfKind, kText},
    {"array_split", Split},
    {"array_str", OfKind, kText},
    {"asanyarray", Convert, kAsArray},
    {"asarray", Convert, kAsArray},
    {"asarray_chkfinite", Convert, kAsArray},
    {"ascontiguousarray", Convert, kContiguous},
    {"asfarray", Convert, kAsArray},
    {"asfortranarray", Convert, kContiguous},
    {"asin", Ufunc, kFloat, 1},
    {"asinh", Ufunc, kFloat, 1},
    {"astype", AsType},
    {"atan", Ufunc, kFloat, 1},
    {"atan2", Ufunc, kFloat, 2},
    {"atanh", Ufunc, kFloat, 1},
    {"atleast_1d", AtLeast, 1},
    {"atleast_2d", AtLeast, 2},
    {"atleast_3d", AtLeast, 3},
    {"average", Average},
    {"bartlett", Window},
    {"base_repr", OfKind, kText},
    {"binary_repr", OfKind, kText},
    {"bincount", BinCount},
    {"bitwise_and", Ufunc, kPromote, 2},
    {"bitwise_count", Ufunc, kUInt8, 1},
    {"bitwise_invert", Ufunc, kPromote, 1},
    {"bitwise_left_shift", Ufunc, kNoBool, 2},
    {"bitwise_not", Ufunc, kPromote, 1},
    {"bitwise_or", Ufunc, kPromote, 2},
    {"bitwise_right_shift", Ufunc, kNoBool, 2},
    {"bitwise_xor", Ufunc, kPromote, 2},
    {"blackman", Window},
    {"block", Block},
    {"broadcast_arrays", BroadcastArrays},
    {"broadcast_shapes", BroadcastShapes},
    {"broadcast_to", BroadcastTo},
    {"can_cast", OfKind, kTruthValue},
    {"cbrt", Ufunc, kFloat, 1},
    {"ceil", Ufunc, kPromote, 1},
    {"choose", Choose},
    {"clip", Clip},
    {"column_stack", StackRows, kColumnStack},
    {"common_type", GivesDType},
    {"compress", Compress},
    {"concat", Concatenate},
    {"concatenate", Concatenate},
    {"conj", Ufunc, kNoBool, 1},
    {"conjugate", Ufunc, kNoBool, 1},
    {"convolve", Convolve},
    {"copy", Copy},
    {"copysign", Ufunc, kFloat, 2},
    {"copyto", OfKind, kNothing},
    {"corrcoef", Covariance},
    {"correlate", Convolve, 1},
    {"cos", Ufunc, kFloat, 1},
    {"cosh", Ufunc, kFloat, 1},
    {"count_nonzero", Reduce, kCount},
    {"cov", Covariance},
    {"cross", Cross},
    {"cumprod", Scan},
    {"cumproduct", Scan},
    {"cumsum", Scan},
    {"cumulative_prod", Scan, 1},
    {"cumulative_sum", Scan, 1},
    {"deg2rad", Ufunc, kFloat, 1},
    {"degrees", Ufunc, kFloat, 1},
    {"delete", Delete},
    {"diag", Diag},
    {"diag_indices", DiagonalIndices},
    {"diag_indices_from", DiagonalIndices, 1},
    {"diagflat", Diag, 1},
    {"diagonal", Diagonal},
    {"diff", Diff},
    {"digitize", SearchSorted, 1},
    {"divide", Ufunc, kDivide, 2},
    {"divmod", Ufunc, kNoBool, 34},
    {"dot", Dot},
    {"dsplit", Split, 3},
    {"dstack", StackRows, kDepth},
    {"dtype", DTypeClass},
    {"ediff1d", EdiffOneD},
    {"einsum", Einsum},
    {"einsum_path", OfKind, kAnything},
    {"empty", Zeros, 1},
    {"empty_like", Like, 1, 4},
    {"equal", Ufunc, kBool, 2},
    {"errstate", OfKind, kAnything},
    {"exp", Ufunc, kFloat, 1},
    {"exp2", Ufunc, kFloat, 1},
    {"expand_dims", ExpandDims},
    {"expm1", Ufunc, kFloat, 1},
    {"extract", Extract},
    {"eye", Eye},
    {"fabs", Ufunc, kFloat, 1},
    {"fill_diagonal", OfKind, kNothing},
    {"find_common_type", GivesDType},
    {"finfo", OfKind, kAnything},
    {"fix", OneInput, kPromote},
    {"flatnonzero", FlatNonzero},
    {"flip", Flip},
    {"fliplr", Flip},
    {"flipud", Flip},
    {"float_power", Ufunc, kFloatPower, 2},
    {"floor", Ufunc, kPromote, 1},
    {"floor_divide", Ufunc, kNoBool, 2},
    {"fmax", Ufunc, kPromote, 2},
    {"fmin", Ufunc, kPromote, 2},
    {"fmod", Ufunc, kNoBool, 2},
    {"format_float_positional", OfKind, kText},
    {"format_float_scientific", OfKind, kText},
    {"frexp", Ufunc, kFloat, 33},
    {"frombuffer", FromData, 1, 1},
    {"fromfile", FromData, 1, 1},
    {"fromfunction", FromFunction},
    {"fromiter", FromData, 1, 1},
    {"frompyfunc", OfKind, kAnything},
    {"fromstring", FromData, 1, 1},
    {"full", Full},
    {"full_like", Like, 2, 5},
    {"gcd", Ufunc, kNoBool, 2},
    {"genfromtxt", FromData, 1},
    {"geomspace", Linspace, 4},
    {"get_include", OfKind, kText},
    {"get_printoptions", OfKind, kAnything},
    {"geterr", OfKind, kAnything},
    {"gradient", Gradient},
    {"greater", Ufunc, kBool, 2},
    {"greater_equal", Ufunc, kBool, 2},
    {"hamming", Window},
    {"hanning", Window},
    {"heaviside", Ufunc, kFloat, 2},
    {"histogram", Histogram},
    {"histogram2d", Histogram, 1},
    {"histogram_bin_edges", Histogram},
    {"histogramdd", Histogram, 2},
    {"hsplit", Split, 2},
    {"hstack", StackRows, kColumns},
    {"hypot", Ufunc, kFloat, 2},
    {"i0", OneInput, kFloat},
    {"identity", Identity},
    {"iinfo", OfKind, kAnything},
    {"imag", RealImag, 1},
    {"in1d", IsIn},
    {"indices", Indices},
    {"inner", Inner},
    {"insert", Insert},
    {"interp", Interp},
    {"intersect1d", SetOperation},
    {"invert", Ufunc, kPromote, 1},
    {"isclose", IsClose},
    {"iscomplex", OneInput, kBool},
    {"iscomplexobj", OfKind, kTruthValue},
    {"isdtype", OfKind, kTruthValue},
    {"isfinite", Ufunc, kBool, 1},
    {"isfortran", OfKind, kTruthValue},
    {"isin", IsIn},
    {"isinf", Ufunc, kBool, 1},
    {"isnan", Ufunc, kBool, 1},
    {"isnat", Ufunc, kBool, 1},
    {"isneginf", OneInput, kBool},
    {"isposinf", OneInput, kBool},
    {"isreal", OneInput, kBool},
    {"isrealobj", OfKind, kTruthValue},
    {"isscalar", OfKind, kTruthValue},
    {"issubdtype", OfKind, kTruthValue},
    {"iterable", OfKind, kTruthValue},
    {"ix_", OpenMesh},
    {"kaiser", Window},
    {"kron", Kron},
    {"lcm", Ufunc, kNoBool, 2},
    {"ldexp", Ufunc, kFirstFloat, 2},
    {"left_shift", Ufunc, kNoBool, 2},
    {"less", Ufunc, kBool, 2},
    {"less_equal", Ufunc, kBool, 2},
    {"lexsort", LexSort},
    {"linspace", Linspace, 5, 4},
    {"load", OfKind, kAnything},
    {"loadtxt", FromData, 1},
    {"log", Ufunc, kFloat, 1},
    {"log10", Ufunc, kFloat, 1},
    {"log1p", Ufunc, kFloat, 1},
    {"log2", Ufunc, kFloat, 1},
    {"logaddexp", Ufunc, kFloat, 2},
    {"logaddexp2", Ufunc, kFloat, 2},
    {"logical_and", Ufunc, kBool, 2},
    {"logical_not", Ufunc, kBool, 1},
    {"logical_or", Ufunc, kBool, 2},
    {"logical_xor", Ufunc, kBool, 2},
    {"logspace", Linspace, 5},
    {"matmul", MatMulCall},
    {"matrix_transpose", MatrixTranspose},
    {"matvec", MatVec},
    {"max", Reduce, kExtremum},
    {"maximum", Ufunc, kPromote, 2},
    {"may_share_memory", OfKind, kTruthValue},
    {"mean", Reduce, kMean},
    {"median", Reduce, kMedian},
    {"meshgrid", Meshgrid},
    {"min", Reduce, kExtremum},
    {"min_scalar_type", GivesDType},
    {"minimum", Ufunc, kPromote, 2},
    {"mod", Ufunc, kNoBool, 2},
    {"modf", Ufunc, kFloat, 33},
    {"moveaxis", MoveAxis},
    {"msort", Sort, 0, 9},
    {"multiply", Ufunc, kPromote, 2},
    {"nan_to_num", OneInput, kPromote},
    {"nanargmax", Reduce, kIndex},
    {"nanargmin", Reduce, kIndex},
    {"nancumprod", Scan},
    {"nancumsum", Scan},
    {"nanmax", Reduce, kExtremum},
    {"nanmean", Reduce, kMean},
    {"nanmedian", Reduce, kMedian},
    {"nanmin", Reduce, kExtremum},
    {"nanpercentile", Quantile},
    {"nanprod", Reduce, kSum},
    {"nanquantile", Quantile},
    {"nanstd", Reduce, kSpread},
    {"nansum", Reduce, kSum},
    {"nanvar", Reduce, kSpread},
    {"ndarray", NdArray},
    {"ndenumerate", NdEnumerate},
    {"ndim", NDimOf},
    {"ndindex", NdIndex},
    {"nditer", OfKind, kAnything},
    {"negative", Ufunc, kPromote, 1},
    {"nextafter", Ufunc, kFloat, 2},
    {"nonzero", Nonzero},
    {"not_equal", Ufunc, kBool, 2},
    {"ones", Zeros, 1},
    {"ones_like", Like, 1, 4},
    {"outer", Outer},
    {"pad", Pad},
    {"partition", Sort, 0, 2},
    {"percentile", Quantile},
    {"permute_dims", Transpose},
    {"piecewise", Piecewise},
    {"place", OfKind, kNothing},
    {"poly1d", OfKind, kAnything},
    {"polyfit", Fit},
    {"polyval", PolyVal},
    {"positive", Ufunc, kPromote, 1},
    {"pow", Ufunc, kNoBool, 2},
    {"power", Ufunc, kNoBool, 2},
    {"printoptions", OfKind, kAnything},
    {"prod", Reduce, kSum},
    {"product", Reduce, kSum},
    {"promote_types", GivesDType},
    {"ptp", Reduce, kRange},
    {"put", OfKind, kNothing},
    {"put_along_axis", OfKind, kNothing},
    {"putmask", OfKind, kNothing},
    {"quantile", Quantile},
    {"rad2deg", Ufunc, kFloat, 1},
    {"radians", Ufunc, kFloat, 1},
    {"ravel", Ravel},
    {"ravel_multi_index", RavelMultiIndex},
    {"real", RealImag},
    {"real_if_close", OneInput, kPromote},
    {"reciprocal", Ufunc, kNoBool, 1},
    {"remainder", Ufunc, kNoBool, 2},
    {"repeat", Repeat},
    {"require", Convert, kContiguous},
    {"reshape", Reshape},
    {"resize", Resize},
    {"result_type", GivesDType},
    {"right_shift", Ufunc, kNoBool, 2},
    {"rint", Ufunc, kFloat, 1},
    {"roll", SameShape},
    {"rollaxis", RollAxis},
    {"rot90", Rot90},
    {"round", Round},
    {"round_", Round},
    {"row_stack", StackRows, kRows},
    {"save", OfKind, kNothing},
    {"savetxt", OfKind, kNothing},
    {"savez", OfKind, kNothing},
    {"savez_compressed", OfKind, kNothing},
    {"searchsorted", SearchSorted},
    {"select", Select},
    {"set_printoptions", OfKind, kNothing},
    {"setbufsize", OfKind, kNothing},
    {"setdiff1d", SetOperation},
    {"seterr", OfKind, kAnything},
    {"seterrcall", OfKind, kNothing},
    {"setxor1d", SetOperation},
    {"shape", ShapeOf},
    {"shares_memory", OfKind, kTruthValue},
    {"sign", Ufunc, kPromote, 1},
    {"signbit", Ufunc, kBool, 1},
    {"sin", Ufunc, kFloat, 1},
    {"sinc", OneInput, kFloat},
    {"sinh", Ufunc, kFloat, 1},
    {"size", SizeOf},
    {"sometrue", Reduce, kTruth},
    {"sort", Sort, 0, 1},
    {"sort_complex", Sort, 0, 9},
    {"spacing", Ufunc, kFloat, 1},
    {"split", Split},
    {"sqrt", Ufunc, kFloat, 1},
    {"square", Ufunc, kNoBool, 1},
    {"squeeze", Squeeze},
    {"stack", Stack},
    {"std", Reduce, kSpread},
    {"subtract", Ufunc, kPromote, 2},
    {"sum", Reduce, kSum},
    {"swapaxes", SwapAxes},
    {"take", Take},
    {"take_along_axis", TakeAlongAxis},
    {"tan", Ufunc, kFloat, 1},
    {"tanh", Ufunc, kFloat, 1},
    {"tensordot", TensorDot},
    {"tile", Tile},
    {"trace", Trace},
    {"transpose", Transpose},
    {"trapezoid", Trapezoid},
    {"trapz", Trapezoid},
    {"tri", Tri},
    {"tril", SameShape},
    {"tril_indices", TriangleIndices},
    {"tril_indices_from", TriangleIndices, 1},
    {"trim_zeros", TrimZeros},
    {"triu", SameShape},
    {"triu_indices", TriangleIndices},
    {"triu_indices_from", TriangleIndices, 1},
    {"true_divide", Ufunc, kDivide, 2},
    {"trunc", Ufunc, kPromote, 1},
    {"typename", OfKind, kText},
    {"union1d", SetOperation},
    {"unique", Unique},
    {"unique_all", Unique, 2},
    {"unique_counts", Unique, 2},
    {"unique_inverse", Unique, 2},
    {"unique_values", Unique, 1},
    {"unravel_index", UnravelIndex},
    {"unstack", Unstack},
    {"unwrap", Unwrap},
    {"vander", Vander},
    {"var", Reduce, kSpread},
    {"vdot", VDot},
    {"vecdot", VecDot},
    {"vecmat", MatVec, 1},
    {"vectorize", OfKind, kAnything},
    {"vsplit", Split, 1},
    {"vstack", StackRows, kRows},
    {"where", Where},
    {"zeros", Zeros, 1},
    {"zeros_like", Like, 1, 4},
};
static_assert(InOrder(kFunctions));

// Methods of an array that differ from the function of the same name, or have none.
constexpr Entry kMethods[] = {
    {"__bool__", OfKind, kTruthValue},
    {"__contains__", OfKind, kTruthValue},
    {"__float__", OfKind, kFloatValue},
    {"__index__", OfKind, kIntValue},
    {"__int__", OfKind, kIntValue},
    {"__len__", OfKind, kIntValue},
    {"__setitem__", OfKind, kNothing},
    {"astype", AsType},
    {"byteswap", Copy},
    {"compress", Compress},
    {"conj", Conjugate},
    {"conjugate", Conjugate},
    {"dump", OfKind, kNothing},
    {"dumps", OfKind, kBytesValue},
    {"fill", OfKind, kNothing},
    {"flatten", Ravel, 1},
    {"item", Item},
    {"partition", OfKind, kNothing},
    {"put", OfKind, kNothing},
    {"reshape", ReshapeMethod},
    {"resize", OfKind, kNothing},
    {"setflags", OfKind, kNothing},
    {"sort", OfKind, kNothing},
    {"tobytes", OfKind, kBytesValue},
    {"tofile", OfKind, kNothing},
    {"tolist", ToList},
    {"tostring", OfKind, kBytesValue},
    {"transpose", TransposeMethod},
    {"view", ViewMethod},
};
static_assert(InOrder(kMethods));

// Methods that an array does not have although numpy.* has a function of the name.
constexpr std::string_view kMethodNames[] = {
    "all",     "any",     "argmax", "argmin",   "argpartition", "argsort", "choose", "clip",
    "copy",    "cumprod", "cumsum", "diagonal", "dot",          "flip",    "max",    "mean",
    "min",     "nonzero", "prod",   "ptp",      "ravel",        "repeat",  "round",  "searchsorted",
    "squeeze", "std",     "sum",    "swapaxes", "take",         "trace",   "unique", "var",
};
static_assert(std::ranges::is_sorted(kMethodNames));

struct Found {
  const Entry* entry = nullptr;
  std::string_view bare;
  std::string_view ufunc_method;  // "reduce" of numpy.add.reduce
  bool method = false;
  bool generator = false;     // of a Generator or RandomState
  bool scalar_class = false;  // numpy.float64
};

constexpr std::string_view kUfuncMethods[] = {"accumulate", "at", "outer", "reduce", "reduceat"};

// `numpy.polynomial.legendre.leggauss(n)`
constexpr std::string_view kQuadratures[] = {"chebyshev.chebgauss", "hermite.hermgauss", "hermite_e.hermegauss",
                                             "laguerre.laggauss", "legendre.leggauss"};

Found Look(std::string_view name) {
  Found found;
  if (!name.starts_with("numpy.")) return found;
  name.remove_prefix(6);
  const std::size_t dot = name.find('.');
  if (dot == std::string_view::npos) {
    found.bare = name;
    found.entry = FindEntry(kFunctions, name);
    found.scalar_class = found.entry == nullptr && name.size() >= 3 && ir::ParseDType(name) != ir::DType::kUnknown;
    return found;
  }
  const std::string_view space = name.substr(0, dot);
  std::string_view rest = name.substr(dot + 1);
  if (space == "ndarray") {
    found.method = true;
    found.entry = FindEntry(kMethods, rest);
    if (found.entry == nullptr && std::ranges::binary_search(kMethodNames, rest))
      found.entry = FindEntry(kFunctions, rest);
  } else if (space == "linalg") {
    found.entry = FindEntry(LinalgFunctions(), rest);
  } else if (space == "fft") {
    found.entry = FindEntry(FftFunctions(), rest);
  } else if (space == "random") {
    for (const std::string_view owner : {"Generator.", "RandomState."}) {
      if (!rest.starts_with(owner)) continue;
      rest.remove_prefix(owner.size());
      found.generator = true;
    }
    found.entry = FindEntry(RandomFunctions(), rest);
  } else if (space == "char" || space == "strings") {
    static constexpr Entry kText{"char", TextWork};
    found.entry = &kText;
  } else if (space == "polynomial") {
    static constexpr Entry kQuadrature{"gauss", Quadrature};
    if (std::ranges::find(kQuadratures, rest) != std::end(kQuadratures)) found.entry = &kQuadrature;
  } else if (space == "lib") {
    static constexpr Entry kWindows{"sliding_window_view", SlidingWindows};
    static constexpr Entry kStrided{"as_strided", SomeArray};
    if (rest == "stride_tricks.sliding_window_view") found.entry = &kWindows;
    if (rest == "stride_tricks.as_strided") found.entry = &kStrided;
  } else if (space == "testing") {
    static constexpr Entry kAssert{"assert", OfKind, kNothing};
    if (rest.starts_with("assert")) found.entry = &kAssert;
  } else if (std::ranges::binary_search(kUfuncMethods, rest)) {
    const Entry* ufunc = FindEntry(kFunctions, space);
    if (ufunc != nullptr && ufunc->handler == &Ufunc) {
      found.entry = ufunc;
      found.ufunc_method = rest;
      rest = space;
    }
  }
  found.bare = rest;
  return found;
}

// Whether a device array is among the arguments, or in a list among them: then a host function hands over to
// cuPyNumeric.
bool TakesDeviceArray(const ValueStore& store, const Value& value) {
  if (value.kind == Kind::kArray) return value.library == Library::kDevice;
  if (value.kind != Kind::kList && value.kind != Kind::kTuple) return false;
  const auto any = [](const std::vector<Value>& values) {
    return std::ranges::any_of(values, [](const Value& element) {
      return element.kind == Kind::kArray && element.library == Library::kDevice;
    });
  };
  return (value.elements.valid() && any(store.Get(value.elements))) ||
         (value.item.valid() && any(store.Get(value.item)));
}

// What is computed of texts alone is the host's: no array of them gets onto the device.
bool TakesTextsOnly(const Arguments& arguments) {
  bool texts = false, others = false;
  const auto see = [&](const Value& value) {
    if (value.kind != Kind::kArray) return;
    const bool text = IsTextArray(value);
    texts = texts || text;
    others = others || (!text && value.library == Library::kDevice);
  };
  std::ranges::for_each(arguments.positional, see);
  std::ranges::for_each(arguments.keywords, see, &KeywordArgument::value);
  return texts && !others;
}

Library LibraryOf(const CallContext& context, const Arguments& arguments, std::string_view bare) {
  // Texts that are read as numbers become numbers where they are needed: on the device.
  const bool reads = bare == "astype" || bare.starts_with("from") || arguments.Find(99, "dtype") != nullptr;
  if (context.library == Library::kDevice && !reads && TakesTextsOnly(arguments)) return Library::kHost;
  if (context.library != Library::kHost) return context.library;
  const auto takes = [&](const Value& value) { return TakesDeviceArray(context.store, value); };
  const bool device = std::ranges::any_of(arguments.positional, takes) ||
                      std::ranges::any_of(arguments.keywords, takes, &KeywordArgument::value);
  return device ? Library::kDevice : Library::kHost;
}

}  // namespace

bool IsUfunc(std::string_view name) {
  const Entry* entry = FindEntry(kFunctions, name);
  return entry != nullptr && entry->handler == &Ufunc;
}

std::span<const Entry> MainFunctions() { return kFunctions; }
std::span<const Entry> ArrayMethods() { return kMethods; }

}  // namespace cpnlint::analysis::model

namespace cpnlint::analysis {

bool IsModelled(std::string_view name) {
  const model::Found found = model::Look(name);
  return found.entry != nullptr || found.scalar_class;
}

std::optional<Value> ResultOfCall(CallContext& context, std::string_view name, const Arguments& arguments) {
  const model::Found found = model::Look(name);
  if (found.entry == nullptr && !found.scalar_class) return std::nullopt;
  Arguments used = arguments;
  // A generator is the receiver of its methods, but no argument of theirs.
  if (found.generator && !used.positional.empty() && used.positional[0].kind == Kind::kGeneratorRng) {
    used.positional = used.positional.subspan(1);
  }
  model::Call call{.context = context,
                   .args = used,
                   .name = found.bare,
                   .method = found.method,
                   .library = model::LibraryOf(context, used, found.bare)};
  if (found.method) {
    if (used.positional.empty()) return std::nullopt;
    call.evidence = used.positional[0].evidence;
  }
  if (found.scalar_class) return model::ScalarClass(call);
  call.a = found.entry->a;
  call.b = found.entry->b;
  if (!found.ufunc_method.empty()) return model::UfuncMethod(call, found.bare, found.ufunc_method);
  return found.entry->handler(call);
}

}  // namespace cpnlint::analysis
