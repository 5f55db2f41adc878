// Shapes with names, what is not known, storage, libraries and evidence.

#include <catch2/catch.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/analysis/model.h"

namespace cpnlint::analysis {
namespace {

using ir::DType;
using ir::ValueId;

struct Fixture {
  ValueStore store;
  Interner names;
  CallContext context{store, names, ValueId(99), Library::kDevice};

  ir::DimId Sym(std::string_view name) { return store.dims().SymbolOf(names.Intern(name), 0); }
  ir::DimId C(std::int64_t value) { return store.dims().Const(value); }
  Value Arr(std::vector<ir::DimId> dims, DType dtype = DType::kFloat64, Library library = Library::kDevice) {
    Value value = Array(library, dtype, store.Intern(dims), 0);
    value.root = value.device_root = ValueId(7);
    return value;
  }
  Value NoRank(DType dtype = DType::kFloat64) {
    Value value = Arr({}, dtype);
    value.shape = ShapeId::None();
    return value;
  }
  Value I(std::int64_t value) { return Int(store, value); }
  Value Str(std::string_view text) {
    Value value = Of(Kind::kStr);
    value.constant = true;
    value.name = names.Intern(text);
    return value;
  }
  Value True() {
    Value value = Of(Kind::kBool);
    value.constant = true;
    value.number = 1;
    return value;
  }
  Value Slice(Value lower, Value upper, Value step = Of(Kind::kNone)) {
    Value value = Of(Kind::kSlice);
    value.elements = store.Intern(std::vector<Value>{lower, upper, step});
    return value;
  }
  Value Slice(ir::DimId lower, ir::DimId upper) { return Slice(IntDim(lower), IntDim(upper)); }
  Value Full() { return Slice(Of(Kind::kNone), Of(Kind::kNone)); }
  Value Lst(std::vector<Value> elements) {
    Value value = Tuple(store, std::move(elements));
    value.kind = Kind::kList;
    return value;
  }
  std::string Text(const Value& value) { return ToString(store, names, value); }
  Value CallOf(std::string_view name, std::vector<Value> positional, std::vector<KeywordArgument> keywords = {},
               bool star = false) {
    const auto value = ResultOfCall(context, name, {positional, keywords, star});
    return value ? *value : Of(Kind::kBottom);
  }
  std::string Called(std::string_view name, std::vector<Value> positional, std::vector<KeywordArgument> keywords = {},
                     bool star = false) {
    return Text(CallOf(name, std::move(positional), std::move(keywords), star));
  }
  SubscriptResult Sub(const Value& base, std::vector<Value> keys) { return ResultOfSubscript(context, base, keys); }
  std::string Read(const Value& base, std::vector<Value> keys) { return Text(Sub(base, std::move(keys)).value); }
};

TEST_CASE_METHOD(Fixture, "slices of symbolic extents", "[model][subscript]") {
  const ir::DimId n = Sym("n"), k = Sym("k"), i = Sym("i"), none = ir::DimId::None();
  const Value x = Arr({n});
  const Value nothing = Of(Kind::kNone);
  CHECK(Read(x, {Slice(C(1), C(-1))}) == "f64[n-2]");
  CHECK(Read(x, {Slice(I(2), nothing)}) == "f64[n-2]");
  CHECK(Read(x, {Slice(nothing, I(-2))}) == "f64[n-2]");
  CHECK(Read(x, {Slice(nothing, I(3))}) == "f64[3]");
  CHECK(Read(x, {Slice(nothing, I(5000))}) == "f64[?]");
  CHECK(Read(x, {Slice(I(-2), nothing)}) == "f64[2]");
  CHECK(Read(x, {Slice(i, store.dims().Add(i, C(4)))}) == "f64[4]");
  CHECK(Read(x, {Slice(store.dims().Sub(i, C(1)), store.dims().Add(i, C(2)))}) == "f64[3]");
  CHECK(Read(x, {Slice(nothing, IntDim(k))}) == "f64[?]");
  CHECK(Read(x, {Slice(k, i)}) == "f64[?]");
  CHECK(Read(x, {Slice(nothing, IntDim(store.dims().FloorDiv(n, C(2))))}) == "f64[n//2]");
  CHECK(Read(x, {Slice(nothing, IntDim(store.dims().Min(n, k)))}) == "f64[min(n, k)]");
  CHECK(Read(x, {Slice(nothing, IntDim(store.dims().Negate(k)))}) == "f64[n-k]");
  CHECK(Read(x, {Slice(k, store.dims().Negate(k))}) == "f64[n-2*k]");
  CHECK(Read(Arr({store.dims().Add(n, store.dims().Mul(C(2), k))}), {Slice(k, store.dims().Negate(k))}) == "f64[n]");
  CHECK(Read(Arr({store.dims().Add(n, k)}), {Slice(nothing, IntDim(n))}) == "f64[n]");
  CHECK(Read(x, {Slice(store.dims().Mul(i, k), store.dims().Mul(store.dims().Add(i, C(1)), k))}) == "f64[k]");
  CHECK(Read(x, {Slice(nothing, nothing, I(2))}) == "f64[ceil(n/2)]");
  CHECK(Read(x, {Slice(nothing, nothing, I(-1))}) == "f64[n]");
  CHECK(Read(x, {Slice(nothing, nothing, Of(Kind::kInt))}) == "f64[?]");
  CHECK(Read(Arr({none}), {Slice(I(1), I(-1))}) == "f64[?]");
  CHECK(Read(Arr({none}), {Slice(I(1), I(3))}) == "f64[2]");
  CHECK(Read(Arr({n, none}), {Full(), I(0)}) == "f64[n]");
}

TEST_CASE_METHOD(Fixture, "what keys select", "[model][subscript]") {
  using Selects = SubscriptResult::Selects;
  const ir::DimId n = Sym("n"), m = Sym("m");
  const Value x = Arr({n, m});
  const SubscriptResult element = Sub(x, {IntDim(Sym("i")), I(0)});
  CHECK(element.selects == Selects::kElement);
  CHECK(Text(element.value) == "f64[]");
  CHECK(element.value.root == context.op);
  CHECK(element.keys[1].axis == 1);
  const SubscriptResult row = Sub(x, {I(0)});
  CHECK(row.selects == Selects::kView);
  CHECK(row.value.root == ValueId(7));
  CHECK(row.value.device_root == ValueId(7));
  const SubscriptResult masked = Sub(x, {Arr({n, m}, DType::kBool)});
  CHECK(masked.selects == Selects::kMasked);
  CHECK(masked.keys[0].mask_rank == 2);
  CHECK(Text(masked.value) == "f64[?] unbounded");
  CHECK(masked.value.root == context.op);
  CHECK(Sub(x, {Arr({n}, DType::kInt64)}).selects == Selects::kGather);
  CHECK(Sub(x, {Unknown()}).selects == Selects::kUnknown);
  CHECK_FALSE(Sub(x, {Unknown()}).value.root.valid());
  CHECK(Sub(x, {Arr({}, DType::kInt64)}).keys[0].device_scalar);
  CHECK(Sub(x, {I(0), I(0), I(0)}).selects == Selects::kUnknown);  // too many
  CHECK(Read(x, {Of(Kind::kEllipsis), Slice(I(1), Of(Kind::kNone))}) == "f64[n, m-1]");
  CHECK(Sub(x, {Of(Kind::kEllipsis), I(0)}).keys[1].axis == 1);
  CHECK(Read(x, {Lst({True(), True()})}) == "f64[?, m] unbounded");
  CHECK(Read(x, {Lst({I(0), I(1)})}) == "f64[2, m]");
  // A tuple in a variable is several keys.
  CHECK(Read(x, {Tuple(store, {I(0), Full()})}) == "f64[m]");
  // Unknown rank: a slice is a view for sure, an integer may give an element.
  CHECK(Sub(NoRank(), {Slice(I(1), I(2))}).selects == Selects::kView);
  CHECK(Sub(NoRank(), {I(1)}).selects == Selects::kUnknown);
  CHECK(Text(Sub(NoRank(), {I(1)}).value) == "f64[...]");
  // A host element is a NumPy scalar.
  CHECK(Read(Arr({n}, DType::kFloat32, Library::kHost), {I(0)}) == "scalar f32");
}

TEST_CASE_METHOD(Fixture, "broadcasting of names", "[model]") {
  const ir::DimId n = Sym("n"), m = Sym("m"), none = ir::DimId::None();
  const auto shape = [&](std::vector<ir::DimId> a, std::vector<ir::DimId> b) {
    return Text(Array(Library::kDevice, DType::kFloat64, Broadcast(store, store.Intern(a), store.Intern(b)), 0));
  };
  CHECK(shape({n, C(1)}, {m}) == "f64[n, m]");
  CHECK(shape({n}, {n}) == "f64[n]");
  CHECK(shape({n}, {m}) == "f64[n]");  // cannot be told apart: as the left one says
  CHECK(shape({n}, {C(5)}) == "f64[5]");
  CHECK(shape({none}, {C(5)}) == "f64[5]");
  CHECK(shape({C(3)}, {C(4)}) == "f64[?]");  // raises
  CHECK(shape({}, {n, m}) == "f64[n, m]");
  CHECK_FALSE(Broadcast(store, ShapeId::None(), store.Intern(Shape{n})).valid());
  CHECK(Text(ResultOfBinary(context, ir::BinaryOp::kMul, Arr({n}), Float(0.5))) == "f64[n]");
  CHECK(Text(ResultOfBinary(context, ir::BinaryOp::kMul, Arr({n}), Unknown())) == "?[...]");
  CHECK(Text(ResultOfBinary(context, ir::BinaryOp::kMul, Arr({n}), Of(Kind::kNumber))) == "f64[n]");
  CHECK(Text(ResultOfBinary(context, ir::BinaryOp::kMul, Arr({n}, DType::kInt32), Of(Kind::kNumber))) == "?[n]");
  CHECK(Text(ResultOfBinary(context, ir::BinaryOp::kMul, Arr({n}), Of(Kind::kForeign))) == "?");
}

TEST_CASE_METHOD(Fixture, "symbolic results", "[model]") {
  const ir::DimId n = Sym("n"), m = Sym("m");
  const Value size = IntDim(n), other = IntDim(m);
  CHECK(Called("numpy.zeros", {size}) == "f64[n]");
  CHECK(Called("numpy.zeros", {Tuple(store, {size, Unknown()})}) == "f64[n, ?]");
  CHECK(Called("numpy.zeros", {Unknown()}) == "f64[...]");
  CHECK(Called("numpy.arange", {I(1), size}) == "i64[n-1]");
  CHECK(Called("numpy.arange", {I(0), size, I(2)}) == "i64[ceil(n/2)]");
  CHECK(Called("numpy.arange", {Unknown()}) == "?[?]");
  CHECK(Called("numpy.linspace", {I(0), Unknown(), size}) == "f64[n]");
  CHECK(Called("numpy.reshape", {Arr({n, m}), I(-1)}) == "f64[n*m]");
  CHECK(Called("numpy.reshape", {Arr({n, m}), Tuple(store, {size, I(-1)})}) == "f64[n, m]");
  CHECK(Called("numpy.reshape", {Arr({n}), Tuple(store, {I(-1), I(4)})}) == "f64[n//4, 4]");
  CHECK(Called("numpy.concatenate", {Lst({Arr({n}), Arr({m})})}) == "f64[n+m]");
  CHECK(Called("numpy.vstack", {Lst({Arr({n}), Arr({n})})}) == "f64[2, n]");
  CHECK(Called("numpy.vstack", {Lst({Unknown(), Arr({n})})}) == "?[?, n]");
  CHECK(Called("numpy.diff", {Arr({n})}) == "f64[n-1]");
  CHECK(Called("numpy.matmul", {Arr({n, m}), Arr({m, C(3)})}) == "f64[n, 3]");
  CHECK(Called("numpy.dot", {Arr({n, m}), Unknown()}) == "?[...]");
  CHECK(Called("numpy.outer", {Arr({n}), Arr({m})}) == "f64[n, m]");
  CHECK(Called("numpy.pad", {Arr({n}), IntDim(m)}) == "f64[n+2*m]");
  CHECK(Called("numpy.repeat", {Arr({n}), IntDim(m)}) == "f64[n*m]");
  CHECK(Called("numpy.fft.rfft", {Arr({n})}) == "c128[n//2+1]");
  CHECK(Called("numpy.meshgrid", {Arr({n}), Arr({m})}) == "tuple(f64[m, n], f64[m, n])");
  CHECK(Called("numpy.tril_indices", {size}) == "tuple(i64[(n*n+n)//2], i64[(n*n+n)//2])");
  CHECK(Called("numpy.random.rand", {size, other}) == "f64[n, m]");
  CHECK(Called("numpy.random.Generator.normal", {Of(Kind::kGeneratorRng)}, {{"size", size}}) == "f64[n]");
  CHECK(Called("numpy.linalg.svd", {Arr({n, m})}, {{"full_matrices", I(0)}}) ==
        "tuple(f64[n, min(n, m)], f64[min(n, m)], f64[min(n, m), m])");
  CHECK(Text(*AttributeOfArray(context, Arr({n, m}), "shape")) == "tuple(int n, int m)");
  CHECK(Text(*AttributeOfArray(context, Arr({n, m}), "size")) == "int n*m");
  CHECK(Text(*AttributeOfArray(context, Arr({n, m}), "nbytes")) == "int 8*n*m");
  CHECK_FALSE(AttributeOfArray(context, Arr({n}), "sum").has_value());
}

TEST_CASE_METHOD(Fixture, "unknown stays unknown", "[model]") {
  const ir::DimId n = Sym("n");
  CHECK(Called("numpy.no_such_name", {Arr({n})}) == "unreached");
  CHECK(Called("scipy.ndimage.zoom", {Arr({n})}) == "unreached");
  CHECK(Called("numpy.sin", {Unknown()}) == "?");  // a number would give a number
  CHECK(Called("numpy.sum", {Unknown()}) == "?[]");
  CHECK(Called("numpy.sum", {Unknown()}, {{"axis", I(0)}}) == "?[...]");
  CHECK(Called("numpy.sum", {Arr({n, n})}, {{"axis", Of(Kind::kInt)}}) == "f64[?]");
  CHECK(Called("numpy.sum", {Arr({n, n})}, {{"axis", Unknown()}}) == "f64[...]");
  CHECK(Called("numpy.sum", {Arr({n, n})}, {}, true) == "?[...]");  // *args may say anything
  CHECK(Called("numpy.zeros", {IntDim(n)}, {{"dtype", Unknown()}}) == "?[n]");
  CHECK(Called("numpy.einsum", {Str("i...,i->..."), Arr({n}), Arr({n})}) == "f64[...]");
  CHECK(Called("numpy.einsum", {Str("ij,->"), Arr({n})}) == "f64[...]");
  CHECK(Called("numpy.einsum", {}) == "?[...]");
  for (const std::string_view name :
       {"numpy.sum", "numpy.reshape", "numpy.concatenate", "numpy.where", "numpy.linalg.svd", "numpy.fft.fft",
        "numpy.random.choice", "numpy.ndarray.reshape", "numpy.tensordot", "numpy.moveaxis", "numpy.lexsort",
        "numpy.einsum", "numpy.add", "numpy.split"}) {
    INFO(name);
    (void)Called(name, {});
    (void)Called(name, {}, {}, true);
    for (const Kind kind :
         {Kind::kUnknown, Kind::kNone, Kind::kStr, Kind::kList, Kind::kTuple, Kind::kDict, Kind::kFunction}) {
      (void)Called(name, {Of(kind)});
      (void)Called(name, {Of(kind), Of(kind), Of(kind), Of(kind)});
      (void)Called(name, {Arr({n}), Of(kind), Of(kind)}, {{"axis", Of(kind)}});
    }
  }
}

TEST_CASE_METHOD(Fixture, "views and copies, in NumPy and on the device", "[model][storage]") {
  const ir::DimId n = Sym("n"), m = Sym("m");
  const Value x = Arr({n, m});
  const ValueId base(7), op = context.op;
  struct Row {
    std::string_view name;
    std::vector<Value> positional;
    ValueId root, device_root;
  };
  const std::vector<Row> rows = {
      {"numpy.ndarray.transpose", {x}, base, base},
      {"numpy.ndarray.ravel", {x}, base, op},
      {"numpy.ndarray.ravel", {Arr({n})}, base, base},
      {"numpy.ndarray.ravel", {NoRank()}, base, ValueId::None()},
      {"numpy.ndarray.flatten", {x}, op, op},
      {"numpy.ndarray.reshape", {x, I(-1)}, base, op},
      {"numpy.ndarray.reshape", {x, IntDim(n), IntDim(m)}, base, base},
      {"numpy.ndarray.reshape", {x, IntDim(n), I(1), IntDim(m)}, base, base},
      {"numpy.ndarray.reshape", {x, Unknown()}, base, ValueId::None()},
      {"numpy.flip", {x}, base, op},
      {"numpy.diagonal", {x}, base, op},
      {"numpy.diag", {x}, base, op},
      {"numpy.diag", {Arr({n})}, op, op},
      {"numpy.roll", {x, I(1)}, op, op},
      {"numpy.squeeze", {x}, base, base},
      {"numpy.expand_dims", {x, I(0)}, base, base},
      {"numpy.broadcast_to", {x, Tuple(store, {I(2), IntDim(n), IntDim(m)})}, base, base},
      {"numpy.ndarray.astype", {x, Str("f8")}, op, base},
      {"numpy.ndarray.astype", {x, Str("f4")}, op, op},
      {"numpy.ndarray.copy", {x}, op, op},
      {"numpy.asarray", {x}, base, base},
      {"numpy.asarray", {x, Str("f4")}, op, op},
      {"numpy.array", {x}, op, op},
      {"numpy.real", {x}, base, base},
      {"numpy.real", {Arr({n}, DType::kComplex64)}, base, op},
      {"numpy.imag", {Arr({n}, DType::kComplex64)}, base, op},
      {"numpy.sum", {x}, op, op},
  };
  for (const Row& row : rows) {
    const Value value = CallOf(row.name, row.positional);
    INFO(row.name << " " << Text(value));
    CHECK(value.root == row.root);
    CHECK(value.device_root == row.device_root);
  }
  const Value parts = CallOf("numpy.split", {x, I(2)});
  CHECK(store.Get(parts.elements)[0].root == base);
  const Value pair = CallOf("numpy.meshgrid", {Arr({n}), Arr({m})});
  CHECK_FALSE(store.Get(pair.elements)[0].root.valid());
  // out= gives itself.
  CHECK(CallOf("numpy.add", {x, x, x}).root == base);
  CHECK(CallOf("numpy.sum", {x}, {{"out", Arr({n}, DType::kFloat32)}}).dtype == DType::kFloat32);
  // In place keeps the storage; a 0-d result of NumPy is a scalar, which is replaced.
  CHECK(ResultOfInplace(context, ir::BinaryOp::kAdd, x, x).root == base);
  CHECK(Text(ResultOfInplace(context, ir::BinaryOp::kAdd, Arr({}), x)) == "f64[n, m]");
}

TEST_CASE_METHOD(Fixture, "whose array it is", "[model]") {
  const ir::DimId n = Sym("n");
  const Value device = Arr({n});
  CallContext host{store, names, ValueId(99), Library::kHost};
  const auto called = [&](std::string_view name, std::vector<Value> positional) {
    return Text(*ResultOfCall(host, name, {positional, {}}));
  };
  CHECK(called("numpy.zeros", {IntDim(n)}) == "f64[n] host");
  CHECK(called("numpy.sin", {device}) == "f64[n]");
  CHECK(called("numpy.concatenate", {Lst({device, device})}) == "f64[2*n]");
  CHECK(called("numpy.asarray", {device}) == "f64[n] host");
  CHECK(called("numpy.array", {device}) == "f64[n] host");
  CHECK(called("numpy.sum", {Arr({n}, DType::kInt32, Library::kHost)}) == "scalar i64");
  CHECK(called("numpy.allclose", {Arr({n}, DType::kInt32, Library::kHost), I(0)}) == "bool");
  CHECK(called("numpy.random.normal", {}) == "float");
  CHECK(Called("numpy.float64", {device}) == "f64[n] host");  // scalar classes gather
  CHECK(Called("numpy.float64", {Arr({})}) == "scalar f64");
  const Value scalar = CallOf("numpy.sqrt", {I(4)});
  CHECK(scalar.kind == Kind::kNumpyScalar);
  CHECK(scalar.constant);
  CHECK(scalar.number == 2);
  CHECK(CallOf("numpy.int64", {IntDim(n)}).dim == n);
  CHECK(CallOf("numpy.array", {Lst({I(1), I(2)})}).constant_items);
  CHECK_FALSE(CallOf("numpy.array", {Lst({I(1), IntDim(n)})}).constant_items);
}

TEST_CASE_METHOD(Fixture, "evidence is that of the surest array", "[model]") {
  Value weak = Arr({Sym("n")}), weaker = weak, sure = weak;
  weak.evidence = kAnnotated;
  weaker.evidence = kUsed | kDocumented;
  const auto sum = [&](const Value& a, const Value& b) {
    return ConfidenceOf(ResultOfBinary(context, ir::BinaryOp::kAdd, a, b).evidence);
  };
  CHECK(sum(weak, sure) == Confidence::kCertain);
  CHECK(sum(weak, weaker) == Confidence::kLikely);
  CHECK(sum(weaker, I(1)) == Confidence::kPossible);
  CHECK(CallOf("numpy.sum", {weak}).evidence == 0);
  CHECK(CallOf("numpy.ndarray.sum", {weak}).evidence == kAnnotated);
  CHECK(Text(weak) == "f64[n] likely");
  CHECK(Text(weaker) == "f64[n] possible");
  Value argparse = sure;
  argparse.evidence = kArgparseDefault;
  CHECK(ConfidenceOf(argparse.evidence) == Confidence::kPossible);
}

}  // namespace
}  // namespace cpnlint::analysis
