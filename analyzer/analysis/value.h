#pragma once

// What the inference knows of one value: its kind, and for arrays library, dtype, shape and storage, each with the
// evidence it rests on. Unknown is a value, and the default.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "analyzer/ir/dim.h"
#include "analyzer/ir/dtype.h"
#include "analyzer/ir/program.h"

namespace cpnlint::analysis {

using ShapeId = Id<struct ShapeTag>;        // None() = unknown rank; extents may be unknown one by one
using ElementsId = Id<struct ElementsTag>;  // a known sequence of values: the elements of a tuple, list, ...

enum class Kind : std::uint8_t {
  kBottom,   // not reached (yet)
  kUnknown,  // anything
  kNone,
  kBool,
  kInt,
  kNumber,  // an int or a float: which one depends on the path
  kFloat,
  kComplex,
  kStr,
  kBytes,
  kEllipsis,
  kSlice,  // Python values
  kTuple,
  kList,
  kSet,
  kDict,
  kRange,
  kGenerator,     // containers; `elements`/`item` say of what
  kIterator,      // of zip, enumerate, map, reversed, ...: `item` is the item
  kFunction,      // a function of the analysed files: `function`; one of several: `elements`
  kClass,         // a class of the analysed files: `class_id`
  kInstance,      // an object of such a class
  kModule,        // a module of the analysed files: `function` is its body
  kApi,           // a module, function, class or constant of an import: `name` is dotted
  kMethod,        // attribute `name` of the value `receiver`, not called yet
  kBuiltin,       // a builtin function or type: `name`
  kArray,         // ndarray-like: `library`, `dtype`, `shape`, `root`
  kNumpyScalar,   // np.float64(3): `dtype`; a host value
  kDType,         // a dtype object or scalar class: `dtype`
  kGeneratorRng,  // numpy Generator or RandomState: `name` says which
  kForeign,       // an object of another library (pandas, h5py, scipy.sparse, matplotlib, ...): `name` is dotted
};

// Whose arrays. Rules of cuPyNumeric speak about kDevice only.
enum class Library : std::uint8_t { kNone, kDevice, kHost, kCupy, kTorch, kJax, kOther };

// Kinds of evidence weaker than proof (rules.md A.2, A.3). None = certain, one kind = likely, two or more = possible.
enum Evidence : std::uint16_t {
  kAnnotated = 1,         // an annotation says so
  kDocumented = 2,        // a docstring says so
  kUsed = 4,              // the way the parameter is used says so
  kCalledWith = 8,        // every known call site says so
  kDefaultValue = 16,     // a default parameter value
  kDemoLiteral = 32,      // a literal in a demo or __main__ block
  kAssumed = 64,          // configured assumption about a namespace or type
  kNamespaceParam = 128,  // a parameter used as the array namespace (xp, np)
  kUnresolvedCall = 256,  // a method looked up by name on an unresolved receiver
  kArgparseDefault = 512,
  kContradicted = 1024,  // other evidence speaks against it: at most possible
  // Beside kNamespaceParam: a namespace of the array API standard, which may be a layer over NumPy with names and
  // keywords of its own.
  kStandardNamespace = 2048,
};
using EvidenceSet = std::uint16_t;

enum class Confidence : std::uint8_t { kPossible, kLikely, kCertain };
[[nodiscard]] Confidence ConfidenceOf(EvidenceSet evidence);
[[nodiscard]] constexpr Confidence Weaker(Confidence a, Confidence b) { return a < b ? a : b; }

struct Value {
  Kind kind = Kind::kBottom;
  Library library = Library::kNone;  // kArray, kApi, kDType, kGeneratorRng: of which namespace
  ir::DType dtype = ir::DType::kUnknown;
  bool unbounded = false;       // kArray: extents depend on data (nonzero, boolean read, unique)
  bool constant = false;        // kBool/kInt/kFloat/kStr: `number`, `dim` or `name` holds the value
  bool constant_items = false;  // kArray: made from a literal (np.array([1, 2, 3]))
  EvidenceSet evidence = 0;
  ShapeId shape;            // kArray
  ir::ValueId root;         // kArray: the op whose storage NumPy shows here (views share it)
  ir::ValueId device_root;  // kArray: the same under cuPyNumeric, where more operations copy
  ir::DimId dim;            // kInt: symbolic value; kComplex: n of `n * 1j`; kRange, kTuple, kList: length
  double number = 0;        // kBool, kFloat (kInt as well): the constant; never a NaN
  Symbol name;              // kApi, kForeign, kMethod, kBuiltin; kStr: the constant
  ElementsId elements;      // kTuple, kList: element by element, where known
  ElementsId
      item;  // containers, iterators and progress bars: one entry, the join of all items; kDict: keyed values' join
  ir::ValueId receiver;     // kMethod
  ir::FunctionId function;  // kFunction, kModule, and kMethod of a kInstance
  ir::ClassId class_id;     // kClass, kInstance; kArray: of which class that derives from ndarray, where it is one

  friend bool operator==(const Value&, const Value&) = default;
};

using Shape = std::vector<ir::DimId>;

// Interned shapes and element lists of one analysis; equal contents have equal ids.
class ValueStore {
 public:
  ValueStore();
  ~ValueStore();
  ValueStore(const ValueStore&) = delete;
  ValueStore& operator=(const ValueStore&) = delete;

  ShapeId Intern(const Shape& shape);
  ShapeId Intern(std::span<const ir::DimId> shape);  // allocates nothing where the shape is known already
  [[nodiscard]] const Shape& Get(ShapeId id) const;  // id must be valid; the reference stays valid
  // Elements nested deeper than 4 levels are kept without theirs, so that walks over a value end.
  ElementsId Intern(const std::vector<Value>& elements);
  [[nodiscard]] const std::vector<Value>& Get(ElementsId id) const;

  // The class itself and all it derives from, nearest first.
  void SetAncestors(ir::ClassId class_id, std::vector<ir::ClassId> ancestors);
  // The nearest class that both are of; None() where there is none.
  [[nodiscard]] ir::ClassId CommonClass(ir::ClassId a, ir::ClassId b) const;

  ir::DimStore& dims() { return dims_; }
  [[nodiscard]] const ir::DimStore& dims() const { return dims_; }

 private:
  struct Tables;
  std::unique_ptr<Tables> tables_;
  IdVector<ir::ClassId, std::vector<ir::ClassId>> ancestors_;
  ir::DimStore dims_;
};

// Makers.
[[nodiscard]] Value Unknown();
[[nodiscard]] Value Of(Kind kind);
[[nodiscard]] Value Array(Library library, ir::DType dtype, ShapeId shape, EvidenceSet evidence);
[[nodiscard]] Value Int(ValueStore& store, std::int64_t value);
[[nodiscard]] Value IntDim(ir::DimId dim);                      // an int of symbolic value
[[nodiscard]] Value Float(double value);                        // a constant; NaN gives a float without a value
[[nodiscard]] Value Imaginary(ValueStore& store, double part);  // `3j`
[[nodiscard]] Value Tuple(ValueStore& store, std::vector<Value> elements);
[[nodiscard]] Value ContainerOf(ValueStore& store, Kind kind, const Value& item);

// What holds on either path: the least upper bound. kBottom is neutral; different kinds become kUnknown, but real
// Python numbers become kNumber (an int and a bool an int). Evidence is united; differing shapes keep rank and agreeing
// extents. A device array and an array of another library are a device array at kContradicted (A.3: the other branch is
// no mixing).
[[nodiscard]] Value Join(ValueStore& store, const Value& a, const Value& b);

[[nodiscard]] constexpr bool IsNumber(Kind k) { return k >= Kind::kBool && k <= Kind::kComplex; }
// Rank of an array value; -1 where unknown. Scalars have rank 0.
[[nodiscard]] int Rank(const ValueStore& store, const Value& value);
// Number of elements; None() where unknown.
[[nodiscard]] ir::DimId Volume(ValueStore& store, const Value& value);
// "f64[n-2, m]", "i64[3] host likely(usage)", "int n*2", "tuple(int 3, ?)": what `inspect facts` and `reveal:` show.
[[nodiscard]] std::string ToString(const ValueStore& store, const Interner& names, const Value& value);

}  // namespace cpnlint::analysis
