#pragma once

// What each version of cuPyNumeric offers: one table per version, compiled in. The tables are made out of
// rulesets/api/cupynumeric-<version>.json; docs/api-tables.md says how, and what was executed where. A name that a
// table does not have is unknown, and nothing may be said about it.
//
// Names are canonical: "numpy.linalg.qr", "numpy.ndarray.std" (methods and attributes of arrays),
// "numpy.random.Generator.choice", "numpy.ufunc.at" (methods of every ufunc). What only cuPyNumeric has is under
// "cupynumeric.": "cupynumeric.linalg.cho_factor".

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cpnlint::api {

enum class Version : std::uint8_t { k26_06, k26_07 };
inline constexpr Version kLatest = Version::k26_07;

[[nodiscard]] std::span<const Version> Versions();                         // oldest first
[[nodiscard]] std::string_view Name(Version version);                      // "26.07"
[[nodiscard]] std::optional<Version> ParseVersion(std::string_view text);  // "26.07", "26.7", "26.07.1", "26.6.1"
// Where a table came from, in one line: version, how it was obtained, what was executed.
[[nodiscard]] std::string_view Provenance(Version version);

enum class Status : std::uint8_t {
  kMulti,    // distributes over all processors (it may still wait)
  kPartial,  // some calls run on one processor or raise: see `limits`, `one_device`, `note`
  kSingle,   // one processor, or the host
  kMissing,  // no such attribute, or a stub that raises: see `raises`
};

enum class Kind : std::uint8_t { kFunction, kUfunc, kMethod, kAttribute, kDtype, kConstant, kClass, kModule, kObject };

// What a call gives, or the attribute is. As executed on 26.6.1; kUnknown where nothing was executed.
enum class Returns : std::uint8_t {
  kUnknown,
  kDevice,     // a cuPyNumeric array, 0-d ones included
  kDevices,    // a tuple or list of them
  kHostArray,  // a NumPy array
  kScalar,     // a Python number, string, tuple of them, or NumPy scalar
  kNone,
  kOther,  // another object: a dtype, a generator, bytes
};

enum class Raises : std::uint8_t {
  kNothing,
  kAttributeError,
  kTypeError,
  kValueError,
  kNotImplementedError,
  kRuntimeError,
  kAssertionError,
  kIndexError,
  kError,        // raises, with an error that is not recorded
  kEndsProcess,  // no `try` catches it
};

enum class Behaviour : std::uint8_t {
  kAbsent,   // the keyword does not exist: passing it raises, whatever its value
  kRenamed,  // exists as `to`; NumPy's spelling raises, the position works
  kValue,    // some values raise: see Judge
  kIgnored,  // accepted without effect
  kHost,     // some values send the whole array through host NumPy: see Judge
  kDiffers,  // accepted, but does something else than in NumPy: `note` says what
};

// A restricted keyword.
struct Keyword {
  std::string_view name = {};  // as NumPy spells it
  Behaviour behaviour = Behaviour::kAbsent;
  Raises raises = Raises::kNothing;
  std::string_view to = {};             // kRenamed: cuPyNumeric's spelling
  std::string_view accepted = {};       // literals that work, separated by '|': "True", "'same'", "int16|int32|int64"
  std::string_view rejected = {};       // literals that do not; "<0": negative numbers, "*": every value
  std::string_view numpy_default = {};  // Python's repr of NumPy's default; empty without one that is a literal
  std::string_view note = {};           // the behaviour in words: "anything but True raises NotImplementedError"
};

enum class Verdict : std::uint8_t { kFine, kRestricted, kUnknown };
// What passing the literal does: kFine, kRestricted (raises, is ignored, or goes through the host: see `behaviour`), or
// kUnknown (depends on values or objects that the table does not decide). `literal` is Python's repr of the value
// ("True", "None", "-2", "'same'"), or a dtype name where the keyword takes dtypes; empty: not known. kAbsent and
// kRenamed are kRestricted whatever the literal.
[[nodiscard]] Verdict Judge(const Keyword& keyword, std::string_view literal);

// A restriction that lies in operands, not in a keyword.
enum class LimitKind : std::uint8_t {
  kSomeAxes,           // several but not all axes raise
  kAtLeastAsManyRows,  // rows >= columns
  kNoStack,            // 2-D only
  kScalarParameters,   // distribution parameters must be host scalars; arrays raise
  kPythonInts,         // bounds must be Python ints
  kSizeNoList,         // size= takes an int or a tuple, no list
  kThirdIsDtype,       // the third positional argument is a dtype; NumPy has `out` there
  kDefaultRaises,      // the call raises with NumPy's default of a restricted keyword
  kStringBins,         // bins= takes no string
  kIntegerBins,        // bins= takes no integer, and the default is one
  kSameDtypeValues,    // values must have the array's dtype
  kNoDeviceScalar,     // no 0-d device array as an argument without a dtype
  kNeedsGpu,           // raises in a CPU-only run
  kNeedsGeev,          // raises on a GPU whose cuSOLVER lacks geev
  kFloatMatrix,        // products of rank >= 2 need float or complex
  kZeroDivisor,        // an integer zero divisor ends the process
  kReduceSix,          // only for add, multiply, maximum, minimum, logical_and, logical_or
  kNoArgument,         // raises with any argument
  kPlainFile,          // .npy only: no .npz, pickle, mmap_mode
  kNoSampling,         // has no sampling methods
  kEmptyOperand,       // an empty array raises
  kUnitStep,           // slices of a step other than 1 raise
  kRealSteps,          // a complex step, the number of values, raises
  kAxesInTuple,        // axes as arguments of their own raise; one tuple of them works
  kNoAssignment,       // the attribute cannot be assigned
  kDenseOperand,       // a column of a matrix, or another view with gaps, ends the process
  // Silent differences: Limit::raises is kNothing.
  kComplexKernel,   // a complex kernel with a real array loses its imaginary part
  kIgnoresNan,      // NaN is skipped, NumPy propagates it
  kLosesSecondNan,  // a NaN in the second operand is lost
  kPositionDrift,   // positional arguments have another order: see `parameters` and `numpy_parameters`
  kConstantData,    // equal values without range= are not counted
  kShapeOne,        // size=None gives shape (1,), NumPy a scalar
  kClockSeed,       // seed 0 (or none) is the clock
  kNoEffect,        // does nothing
  kWrongStack,      // of a stack of matrices the first of each processor's part alone is right
  kDenseValues,     // of a column of a matrix, or another view with gaps, other numbers are taken
};
struct Limit {
  LimitKind kind = {};
  Raises raises = Raises::kNothing;  // kNothing: a silent difference
  std::string_view text = {};        // "several but not all axes raise RuntimeError"
};

// A set of element types. The bits are in the order bool, int8-64, uint8-64, float16-64, complex64, complex128.
using Dtypes = std::uint16_t;
[[nodiscard]] Dtypes DtypeBit(std::string_view name);  // "float64"; 0 for others
[[nodiscard]] std::string DtypeNames(Dtypes set);      // "int8, int16, int32"; runs as "integers", "complex"

enum class DtypeEffect : std::uint8_t { kRaises, kEndsProcess, kOtherDtype, kWrongValue };
// Which calls on data of these types a gap is about.
enum class GapWhen : std::uint8_t { kAlways, kWholeArray, kWithAxis, kZeroDivisor };
struct DtypeGap {
  Dtypes dtypes = 0;
  DtypeEffect effect = {};
  GapWhen when = {};
  Raises raises = Raises::kNothing;  // kRaises
  std::string_view here = {};        // kOtherDtype: cuPyNumeric's result
  std::string_view numpy = {};       // kOtherDtype: NumPy's
  std::string_view text = {};        // error message, or the wrong value
};

// When a call makes the host wait for the device.
enum class WaitWhen : std::uint8_t {
  kAlways,
  kWithoutRange,       // histogram: no range=, or bins= given as an array
  kSeveralProcessors,  // on more than one processor
  kFlattened,          // more than one processor, and the operand is 1-D or flattened (no axis)
  kWholeArray,         // axis=None
  kPadMode,            // mode linear_ramp, or constant with an array value; constant on more than one processor
  kWeights,            // weights= given
  kFrequencyWeights,   // fweights= or aweights= given
  kArrayBounds,        // bounds are arrays, 0-d device values included
  kRaiseMode,          // mode='raise', the default
  kSorter,             // sorter= given
  kArrayCounts,        // repeats= is an array
  kComplexOperand,
  kSeveralKeys,      // two keys or more
  kFloatOrTable,     // float data, or kind='table'
  kArrayEnds,        // an end is an array
  kDeviceScalar,     // the value is a 0-d device array
  kDeviceParameter,  // a distribution parameter is a 0-d device array
  kHostNumber,       // one of Wait::parameters is a 0-d device array, or a tuple that holds one
  kButWriteable,     // flags: any entry but writeable
};
struct Wait {
  WaitWhen when = {};
  std::uint8_t count = 1;            // waits per call; 0: grows with the data (per cell, per axis, per key)
  bool gathers = false;              // whole arrays cross to the host, not just scalars
  bool bounds_check = false;         // gone under CUPYNUMERIC_DISABLE_BOUNDS_CHECKING
  std::uint8_t rule = 115;           // the rule that speaks about it: 104, 115 or 116
  std::string_view parameters = {};  // kHostNumber: which need numbers of Python, with a blank between: "N M k"
  std::string_view cause = {};       // "tests the bounds of the indices"
  std::string_view instead = {};     // what does not wait: "np.sum(a * w) / np.sum(w)"; empty where nothing is known
};

// Which calls give a result whose length only the device knows; the first use of it waits.
enum class Unbound : std::uint8_t {
  kNever,
  kAlways,
  kOneArgument,     // where(c)
  kArrayCounts,     // repeat
  kArrayIndex,      // delete with an index array or a mask
  kOneDimensional,  // sort family: 1-D or flattened data on more than one processor
};

enum class OneDevice : std::uint8_t {
  kNo,
  kAlways,
  kPerMatrix,        // a stack is split over its batch, one matrix is one task
  kBelowSize,        // several GPUs only from a size on (`one_device_note`), and with cuSolverMp
  kTransformedAxes,  // FFT: unless an axis is left untransformed, and never where n=/s= resizes
  kWrapMode,         // mode='wrap'
};

// What to write instead of a missing name.
enum class Fix : std::uint8_t { kNone, kStructural, kUnsafe, kSafe };
struct Substitute {
  Fix fix = Fix::kNone;        // kStructural: no one-line substitute is known
  bool rename = false;         // the other name takes the same arguments: replacing the name is the whole edit
  bool host = false;           // the substitute runs on host NumPy
  std::string_view to = {};    // rename: canonical name; empty otherwise
  std::string_view text = {};  // code or words: "np.sqrt(np.mean(np.abs(x - x.mean())**2))"
  std::string_view same = {};  // how results compare: "bits", "order", "ulp", "policy"
  std::string_view when = {};  // side condition: "a, b > 0"; empty without one
};

struct Entry {
  std::string_view name = {};
  Status status = {};
  Kind kind = {};
  Returns returns = {};
  Raises raises = Raises::kNothing;  // kMissing: what using the name raises
  std::uint8_t owner = 0;            // the rule that owns the name instead of R112: 102, 107, 119; 0 = none
  OneDevice one_device = {};
  Unbound unbound = {};
  bool view = false;                     // gives a view
  bool copy = false;                     // gives a copy where NumPy gives a view
  bool throws = false;                   // its task may throw, so the runtime waits for it (R116)
  bool host_object = false;              // re-exported from NumPy: a dtype class, constant, finfo
  bool executed = false;                 // called on 26.6.1 (CPU) and seen to behave as the row says
  std::uint8_t inputs = 0, outputs = 0;  // ufuncs
  std::string_view one_device_note = {};
  std::string_view note = {};
  std::string_view disagreement = {};                       // where the executed run and the table of the source differ
  std::span<const std::string_view> parameters = {};        // cuPyNumeric's, in positional order; empty for ufuncs
  std::span<const std::string_view> numpy_parameters = {};  // NumPy's; "*name" takes any number; empty if unknown
  std::span<const Keyword> keywords = {};                   // sorted by name
  std::span<const Limit> limits = {};
  std::span<const DtypeGap> dtypes = {};
  std::span<const Wait> waits = {};
  Substitute substitute = {};
};

// All entries of a version, sorted by name (bytes).
[[nodiscard]] std::span<const Entry> Entries(Version version);

// The row of a canonical name, or null. "cupynumeric.X" finds the row of "numpy.X" where there is one,
// "numpy.ndarray.X" that of "cupynumeric.ndarray.X" (the same for Generator), "numpy.add.at" that of "numpy.ufunc.at",
// and a name inside a missing module or class ("numpy.ma.masked_array") that of the module.
[[nodiscard]] const Entry* Find(std::string_view canonical_name, Version version = kLatest);
// The row of exactly this name, or null.
[[nodiscard]] const Entry* FindExact(std::string_view canonical_name, Version version = kLatest);

[[nodiscard]] bool IsUfunc(std::string_view canonical_name);
// "numpy.ndarray.sum" -> "numpy.sum" where both are in the table of the version; "" otherwise.
[[nodiscard]] std::string_view FunctionOfMethod(std::string_view method_name, Version version = kLatest);

// The restriction on a keyword (NumPy's spelling); null where the table has none.
[[nodiscard]] const Keyword* FindKeyword(const Entry& entry, std::string_view keyword);
// The parameter that NumPy gives this position (0-based, without self) of a call; "" where it is not known. For ufuncs
// the inputs are "x1", "x2", and the outputs follow as "out".
[[nodiscard]] std::string_view ParameterName(const Entry& entry, std::size_t position);
// The position of a parameter (NumPy's spelling), if it can be passed by position.
[[nodiscard]] std::optional<std::size_t> ParameterPosition(const Entry& entry, std::string_view parameter);

// The dtype gap of this effect that covers this element type ("float64"); null if none.
[[nodiscard]] const DtypeGap* FindDtypeGap(const Entry& entry, std::string_view dtype, DtypeEffect effect);
[[nodiscard]] const Limit* FindLimit(const Entry& entry, LimitKind kind);
// The rules that speak about a restriction: R113 unless another one owns it.
[[nodiscard]] int RuleOf(const Keyword& keyword);  // `order` is R109's
[[nodiscard]] int RuleOf(const Limit& limit);
[[nodiscard]] int RuleOf(const Entry& entry, const DtypeGap& gap);  // R308 for matrix products, R120, R314
[[nodiscard]] int RuleOfOneDevice(const Entry& entry);              // 302, 303, 305, 306; 0 where it is not one device

// Up to `most` rows whose name a reader may have meant: same last component first, then by edit distance, then by name.
[[nodiscard]] std::vector<const Entry*> NearNames(std::string_view name, Version version = kLatest,
                                                  std::size_t most = 5);

[[nodiscard]] std::string_view Text(Status status);        // "multi", "partial", "single", "missing"
[[nodiscard]] std::string_view Text(Kind kind);            // "function", ...
[[nodiscard]] std::string_view Text(Returns returns);      // "device array", ...
[[nodiscard]] std::string_view Text(Raises raises);        // "TypeError", "ends the process"; "" for kNothing
[[nodiscard]] std::string_view Text(Behaviour behaviour);  // "absent", ...
[[nodiscard]] std::string_view Text(WaitWhen when);        // "without range=, or with array bins"; "always"
[[nodiscard]] std::string_view Text(OneDevice one_device);

}  // namespace cpnlint::api
