// Joins, interning and printing of values.

#include <catch2/catch.hpp>

#include <limits>
#include <string>
#include <vector>

#include "analyzer/analysis/value.h"
#include "analyzer/analysis/value_table.h"

namespace cpnlint::analysis {
namespace {

using ir::DType;

struct Fixture {
  ValueStore store;
  Interner names;

  ir::DimId Sym(std::string_view name) { return store.dims().SymbolOf(names.Intern(name), 0); }
  Value Arr(std::vector<ir::DimId> dims, DType dtype = DType::kFloat64) {
    return Array(Library::kDevice, dtype, store.Intern(dims), 0);
  }
  Value Joined(const Value& a, const Value& b) { return Join(store, a, b); }
  std::string Text(const Value& value) { return ToString(store, names, value); }
};

TEST_CASE_METHOD(Fixture, "joins", "[model][value]") {
  const ir::DimId n = Sym("n"), m = Sym("m");
  const Value x = Arr({n, m});
  CHECK(Joined(Value(), x) == x);
  CHECK(Joined(x, Value()) == x);
  CHECK(Text(Joined(x, Arr({n, n}))) == "f64[n, ?]");
  CHECK(Text(Joined(x, Arr({n}))) == "f64[...]");
  CHECK(Text(Joined(x, Arr({n, m}, DType::kFloat32))) == "?[n, m]");
  CHECK(Joined(x, Of(Kind::kNone)).kind == Kind::kUnknown);
  CHECK(Joined(Int(store, 1), Float(2)).kind == Kind::kNumber);
  CHECK(Joined(Of(Kind::kNumber), Float(2)).kind == Kind::kNumber);
  CHECK(Joined(Of(Kind::kBool), Int(store, 2)).kind == Kind::kInt);
  CHECK(Joined(Of(Kind::kComplex), Float(2)).kind == Kind::kUnknown);
  CHECK(Text(Joined(Int(store, 1), Int(store, 2))) == "int");
  CHECK(Text(Joined(Float(1), Float(1))) == "float 1");
  CHECK(Text(Joined(Tuple(store, {x, Int(store, 1)}), Tuple(store, {x, Float(1)}))) == "tuple(f64[n, m], number)");
  CHECK(Text(Joined(Tuple(store, {x}), Tuple(store, {x, x}))) == "tuple(f64[n, m])");
  Value host = x;
  host.library = Library::kHost;
  const Value either = Joined(x, host);
  CHECK(either.library == Library::kDevice);
  CHECK(either.evidence == kContradicted);
  Value viewed = x, copied = x;
  viewed.root = ir::ValueId(1);
  copied.root = ir::ValueId(2);
  CHECK_FALSE(Joined(viewed, copied).root.valid());
  CHECK(Joined(viewed, viewed).root == ir::ValueId(1));
}

TEST_CASE_METHOD(Fixture, "joins are commutative and idempotent, and climbing ends", "[model][value]") {
  const ir::DimId n = Sym("n");
  std::vector<Value> values = {Unknown(),
                               Of(Kind::kNone),
                               Int(store, 1),
                               IntDim(n),
                               Float(0.5),
                               Of(Kind::kBool),
                               Arr({n}),
                               Arr({n, n}, DType::kInt32),
                               Tuple(store, {Int(store, 1)}),
                               Tuple(store, {Arr({n})}),
                               ContainerOf(store, Kind::kList, Arr({n})),
                               Tuple(store, {}),
                               Value()};
  for (const Value& a : values) {
    CHECK(Joined(a, a) == a);
    for (const Value& b : values) {
      INFO(Text(a) << " with " << Text(b));
      CHECK(Joined(a, b) == Joined(b, a));
      const Value once = Joined(a, b);
      CHECK(Joined(once, a) == once);
      CHECK(Joined(once, b) == once);
    }
  }
  // t = (t, x) and l = [l] in a loop.
  const auto climb = [&](Value value, const auto& step) {
    for (int i = 0; i < 50; ++i) value = Joined(value, step(value));
    return value;
  };
  const auto pair = [&](const Value& value) { return Tuple(store, {value, Arr({n})}); };
  const auto wrap = [&](const Value& value) { return ContainerOf(store, Kind::kList, value); };
  const Value tuple = climb(Tuple(store, {}), pair), list = climb(ContainerOf(store, Kind::kList, Value()), wrap);
  CHECK(Joined(tuple, pair(tuple)) == tuple);
  CHECK(Joined(list, wrap(list)) == list);
}

TEST_CASE_METHOD(Fixture, "interning", "[model][value]") {
  const ir::DimId n = Sym("n");
  CHECK(store.Intern(Shape{n, n}) == store.Intern(Shape{n, n}));
  CHECK(store.Intern(Shape{n}) != store.Intern(Shape{n, n}));
  const Shape& first = store.Get(store.Intern(Shape{n}));
  for (int i = 0; i < 10'000; ++i) (void)store.Intern(Shape{store.dims().Const(i)});
  CHECK(first == Shape{n});
  CHECK(Float(std::numeric_limits<double>::quiet_NaN()) == Float(std::numeric_limits<double>::quiet_NaN()));
}

TEST_CASE_METHOD(Fixture, "printing of values", "[model][value]") {
  const ir::DimId n = Sym("n");
  CHECK(Text(Arr({store.dims().Sub(n, store.dims().Const(2)), Sym("m")})) == "f64[n-2, m]");
  CHECK(Text(Arr({ir::DimId::None(), store.dims().Const(3)})) == "f64[?, 3]");
  CHECK(Text(Array(Library::kHost, DType::kUnknown, ShapeId::None(), kUsed)) == "?[...] host likely");
  CHECK(Text(IntDim(store.dims().Mul(store.dims().Const(2), n))) == "int 2*n");
  CHECK(Text(Float(0.5)) == "float 0.5");
  CHECK(Text(Of(Kind::kFloat)) == "float");
  CHECK(Text(Tuple(store, {Int(store, 3), Unknown()})) == "tuple(int 3, ?)");
  CHECK(Text(ContainerOf(store, Kind::kList, Arr({n}))) == "list(f64[n])");
  CHECK(Text(Of(Kind::kNone)) == "None");
  Value text = Of(Kind::kStr);
  text.constant = true;
  text.name = names.Intern("abc");
  CHECK(Text(text) == "str \"abc\"");
  Value api = Of(Kind::kApi);
  api.name = names.Intern("numpy.linalg");
  CHECK(Text(api) == "api numpy.linalg");
  // A value that shares its parts many times over prints in bounded space.
  Value wide = Arr({n});
  for (int i = 0; i < 10; ++i) wide = Tuple(store, std::vector<Value>(40, wide));
  CHECK(Text(wide).size() < 2'000);
}

TEST_CASE_METHOD(Fixture, "rank and volume", "[model][value]") {
  const ir::DimId n = Sym("n");
  CHECK(Rank(store, Arr({n, n})) == 2);
  CHECK(Rank(store, Int(store, 1)) == 0);
  CHECK(Rank(store, Unknown()) == -1);
  CHECK(Volume(store, Arr({n, n})) == store.dims().Mul(n, n));
  CHECK_FALSE(Volume(store, Arr({n, ir::DimId::None()})).valid());
}

TEST_CASE_METHOD(Fixture, "equal values of a table are one", "[model][value]") {
  constexpr std::size_t kOps = 5000;
  ValueTable table;
  table.Fill(kOps);
  CHECK(table.distinct() == 1);
  CHECK(table[ir::ValueId(7)] == Value());
  for (std::size_t i = 0; i < kOps; ++i) {
    Value value = Of(Kind::kInt);
    value.dim = store.dims().Const(static_cast<std::int64_t>(i / 2));
    table.Set(ir::ValueId(i), value);
  }
  CHECK(table.distinct() == 1 + kOps / 2);
  CHECK(table.IndexOf(ir::ValueId(8)) == table.IndexOf(ir::ValueId(9)));
  CHECK(table.IndexOf(ir::ValueId(8)) != table.IndexOf(ir::ValueId(10)));
  CHECK(table.IndexOf(ir::ValueId::None()) == 0);
  const Value& before = table[ir::ValueId(8)];
  table.Set(ir::ValueId(8), Of(Kind::kStr));
  CHECK(store.dims().AsConst(before.dim) == 4);
  CHECK(table[ir::ValueId(8)].kind == Kind::kStr);
  CHECK(table[ir::ValueId(9)].kind == Kind::kInt);
}

}  // namespace
}  // namespace cpnlint::analysis
