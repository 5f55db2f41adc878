// numpy.linalg.

#include <algorithm>

#include "analyzer/analysis/model/handlers.h"
#include "analyzer/analysis/model/support.h"

namespace cpnlint::analysis::model {

namespace {

// A stack of matrices: leading extents, rows, columns.
struct Matrix {
  bool known = false;
  DimList lead;
  ir::DimId rows, columns;
  ir::DType dtype = ir::DType::kUnknown;  // of results: integers become float64
};

Matrix MatrixOf(const Call& call, std::string_view keyword = "a") {
  Matrix matrix;
  const Operand operand = OperandOf(call.context, call.Find(0, keyword));
  matrix.dtype = MeanDType(CommonDType(std::array{operand}));
  if (RankOf(call.store(), operand.shape) < 2) return matrix;
  const std::span<const ir::DimId> shape(call.store().Get(operand.shape));
  matrix.known = true;
  matrix.lead = DimList(shape.first(shape.size() - 2));
  matrix.rows = shape[shape.size() - 2];
  matrix.columns = shape.back();
  return matrix;
}

ShapeId Stacked(const Call& call, const Matrix& matrix, std::initializer_list<ir::DimId> extents) {
  if (!matrix.known) return ShapeId::None();
  DimList dims = matrix.lead;
  for (const ir::DimId extent : extents) dims.Push(extent);
  return dims.Intern(call.store());
}

std::optional<Value> SameMatrix(const Call& call) {
  const Matrix m = MatrixOf(call);
  return Fresh(call, m.dtype, Stacked(call, m, {m.rows, m.columns}));
}

std::optional<Value> PseudoInverse(const Call& call) {
  const Matrix m = MatrixOf(call);
  return Fresh(call, m.dtype, Stacked(call, m, {m.columns, m.rows}));
}

std::optional<Value> Determinant(const Call& call) {
  const Matrix m = MatrixOf(call);
  return Fresh(call, m.dtype, Stacked(call, m, {}));
}

std::optional<Value> SignAndLogDet(const Call& call) {
  const Matrix m = MatrixOf(call);
  return TupleOf(call,
                 {Part(call, m.dtype, Stacked(call, m, {})), Part(call, ir::RealPart(m.dtype), Stacked(call, m, {}))});
}

// A real number per matrix (cond), or an integer (matrix_rank; a: 1).
std::optional<Value> OnePerMatrix(const Call& call) {
  const Matrix m = MatrixOf(call, call.name == "cond" ? "x" : "A");
  return Fresh(call, call.a == 1 ? ir::DType::kInt64 : ir::RealPart(m.dtype), Stacked(call, m, {}));
}

std::optional<Value> Solve(const Call& call) {
  const Operand a = OperandOf(call.context, call.Find(0, "a"));
  const Operand b = OperandOf(call.context, call.Find(1, "b"));
  const ir::DType dtype = MeanDType(CommonDType(std::array{a, b}));
  if (RankOf(call.store(), a.shape) <= 2) return Fresh(call, dtype, b.shape);
  const Matrix m = MatrixOf(call);
  const int rank = RankOf(call.store(), b.shape);
  if (rank < 2) return Fresh(call, dtype, rank == 1 ? Stacked(call, m, {m.rows}) : ShapeId::None());
  return Fresh(call, dtype, Stacked(call, m, {m.rows, call.store().Get(b.shape).back()}));
}

std::optional<Value> LeastSquares(const Call& call) {
  const Matrix m = MatrixOf(call);
  const Operand b = OperandOf(call.context, call.Find(1, "b"));
  const ir::DType dtype = MeanDType(ir::Promote(m.dtype, MeanDType(b.dtype)));
  DimList dims;
  const int rank = RankOf(call.store(), b.shape);
  if (m.known && rank >= 1) {
    dims.Push(m.columns);
    if (rank == 2) dims.Push(call.store().Get(b.shape)[1]);
  }
  const ShapeId solution = m.known && rank >= 1 ? dims.Intern(call.store()) : ShapeId::None();
  const ShapeId singular = UnknownExtents(call.store(), 1);
  ShapeId values = singular;
  if (m.known) values = call.store().Intern(std::array{call.dims().Min(m.rows, m.columns)});
  const Value matrix_rank = Scalar(ir::DType::kInt32, call.library);  // a number, whatever the arguments are
  return TupleOf(call, {Part(call, dtype, solution), Part(call, ir::RealPart(dtype), singular, true), matrix_rank,
                        Part(call, ir::RealPart(dtype), values)});
}

std::optional<Value> Qr(const Call& call) {
  const Matrix m = MatrixOf(call);
  const Value* given = call.Given(1, "mode");
  const std::string_view mode = given == nullptr ? std::string_view("reduced") : call.Text(*given);
  const ir::DimId least = call.dims().Min(m.rows, m.columns);
  if (mode == "r") return Fresh(call, m.dtype, Stacked(call, m, {least, m.columns}));
  if (mode == "complete") {
    return TupleOf(call, {Part(call, m.dtype, Stacked(call, m, {m.rows, m.rows})),
                          Part(call, m.dtype, Stacked(call, m, {m.rows, m.columns}))});
  }
  if (mode != "reduced") return Unknown();
  return TupleOf(call, {Part(call, m.dtype, Stacked(call, m, {m.rows, least})),
                        Part(call, m.dtype, Stacked(call, m, {least, m.columns}))});
}

std::optional<Value> Svd(const Call& call) {
  const Matrix m = MatrixOf(call);
  const ir::DimId least = call.dims().Min(m.rows, m.columns);
  const ir::DType real = ir::RealPart(m.dtype);
  const Value* compute = call.a == 1 ? nullptr : call.Given(2, "compute_uv");
  const auto with_vectors = call.a == 1          ? std::optional(false)
                            : compute == nullptr ? std::optional(true)
                                                 : ConstantBool(compute);
  if (!with_vectors) return Unknown();
  if (!*with_vectors) return Fresh(call, real, Stacked(call, m, {least}));
  const Value* full = call.Given(1, "full_matrices");
  const auto square = full == nullptr ? std::optional(true) : ConstantBool(full);
  const ir::DimId left = !square ? ir::DimId::None() : *square ? m.rows : least;
  const ir::DimId right = !square ? ir::DimId::None() : *square ? m.columns : least;
  return TupleOf(call,
                 {Part(call, m.dtype, Stacked(call, m, {m.rows, left})), Part(call, real, Stacked(call, m, {least})),
                  Part(call, m.dtype, Stacked(call, m, {right, m.columns}))});
}

// a: 0 eig, 1 eigh, 2 eigvals, 3 eigvalsh. Whether real matrices have complex eigenvalues depends on the data.
std::optional<Value> Eigen(const Call& call) {
  const Matrix m = MatrixOf(call);
  const bool hermitian = call.a % 2 == 1;
  const ir::DType vectors = hermitian || ir::IsComplex(m.dtype) ? m.dtype : ir::DType::kUnknown;
  const ir::DType values = hermitian ? ir::RealPart(m.dtype) : vectors;
  if (call.a >= 2) return Fresh(call, values, Stacked(call, m, {m.rows}));
  return TupleOf(call, {Part(call, values, Stacked(call, m, {m.rows})),
                        Part(call, vectors, Stacked(call, m, {m.rows, m.columns}))});
}

std::optional<Value> MatrixPower(const Call& call) {
  const Operand operand = OperandOf(call.context, call.Find(0, "a"));
  const auto exponent = ConstantInt(call.store(), call.Find(1, "n"));
  ir::DType dtype = operand.dtype;
  if (!exponent) dtype = ir::IsInexact(dtype) ? dtype : ir::DType::kUnknown;
  if (exponent && *exponent < 0) dtype = MeanDType(dtype);
  return Fresh(call, dtype, operand.shape);
}

std::optional<Value> MultiDot(const Call& call) {
  const auto factors = ElementsOf(call, call.Find(0, "arrays"));
  if (!factors || factors->size() < 2) return Fresh(call, ir::DType::kUnknown, ShapeId::None());
  Value product = MatMul(call, (*factors)[0], (*factors)[1]);
  for (std::size_t i = 2; i < factors->size(); ++i) {
    product = MatMul(call, OperandOf(call.context, product), (*factors)[i]);
  }
  return product;
}

std::optional<Value> UnknownShape(const Call& call) {
  const Operand a = OperandOf(call.context, call.Find(0, "a"));
  return Fresh(call, MeanDType(a.dtype), ShapeId::None());
}

constexpr Entry kEntries[] = {
    {"cholesky", SameMatrix},
    {"cond", OnePerMatrix},
    {"cross", Cross},
    {"det", Determinant},
    {"diagonal", Diagonal, 0, 1},
    {"eig", Eigen, 0},
    {"eigh", Eigen, 1},
    {"eigvals", Eigen, 2},
    {"eigvalsh", Eigen, 3},
    {"expm", SameMatrix},
    {"inv", SameMatrix},
    {"lstsq", LeastSquares},
    {"matmul", MatMulCall},
    {"matrix_norm", Norm, 2},
    {"matrix_power", MatrixPower},
    {"matrix_rank", OnePerMatrix, 1},
    {"matrix_transpose", MatrixTranspose},
    {"multi_dot", MultiDot},
    {"norm", Norm, 0},
    {"outer", Outer},
    {"pinv", PseudoInverse},
    {"qr", Qr},
    {"slogdet", SignAndLogDet},
    {"solve", Solve},
    {"solve_triangular", Solve},
    {"svd", Svd},
    {"svdvals", Svd, 1},
    {"tensordot", TensorDot},
    {"tensorinv", UnknownShape},
    {"tensorsolve", UnknownShape},
    {"trace", Trace, 0, 1},
    {"vecdot", VecDot},
    {"vector_norm", Norm, 1},
};
static_assert(InOrder(kEntries));

}  // namespace

std::span<const Entry> LinalgFunctions() { return kEntries; }

}  // namespace cpnlint::analysis::model
