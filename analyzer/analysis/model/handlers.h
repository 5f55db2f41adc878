#pragma once

// The handlers that the tables name, by the file that defines them. Private to analyzer/analysis/model.

#include <optional>

#include "analyzer/analysis/model/support.h"

namespace cpnlint::analysis::model {

// ufunc.cpp; a: UfuncRule, b: inputs | outputs << 4
std::optional<Value> Ufunc(const Call& call);

// create.cpp
std::optional<Value> Zeros(const Call& call);  // a: position of dtype
std::optional<Value> Full(const Call& call);
std::optional<Value> Like(const Call& call);     // a: position of dtype, b: position of shape
std::optional<Value> Convert(const Call& call);  // array, asarray, ...; a: a ConvertKind
std::optional<Value> Arange(const Call& call);
std::optional<Value> Linspace(const Call& call);  // a: position of dtype, b: position of retstep (0 none)
std::optional<Value> Eye(const Call& call);
std::optional<Value> Identity(const Call& call);
std::optional<Value> Tri(const Call& call);
std::optional<Value> FromFunction(const Call& call);
std::optional<Value> FromData(
    const Call& call);  // fromiter, frombuffer, loadtxt: a: position of dtype, b: 1 one-dimensional
std::optional<Value> Meshgrid(const Call& call);
std::optional<Value> Indices(const Call& call);
std::optional<Value> Quadrature(const Call& call);  // leggauss and its like
std::optional<Value> Window(const Call& call);      // hanning, ...
std::optional<Value> Vander(const Call& call);
std::optional<Value> Diag(const Call& call);             // a: 0 diag, 1 diagflat
std::optional<Value> TriangleIndices(const Call& call);  // a: 0 (n, k, m), 1 (array)
std::optional<Value> DiagonalIndices(const Call& call);  // a: 0 (n, ndim), 1 (array)
std::optional<Value> OpenMesh(const Call& call);         // ix_
std::optional<Value> NdArray(const Call& call);          // numpy.ndarray(shape, dtype)
std::optional<Value> ScalarClass(const Call& call);      // numpy.float64(x)
std::optional<Value> DTypeClass(const Call& call);       // numpy.dtype(x)

// reshape.cpp
std::optional<Value> Reshape(const Call& call);
std::optional<Value> Ravel(const Call& call);  // a: 1 flatten
std::optional<Value> Transpose(const Call& call);
std::optional<Value> MatrixTranspose(const Call& call);
std::optional<Value> SwapAxes(const Call& call);
std::optional<Value> MoveAxis(const Call& call);
std::optional<Value> RollAxis(const Call& call);
std::optional<Value> Squeeze(const Call& call);
std::optional<Value> ExpandDims(const Call& call);
std::optional<Value> AtLeast(const Call& call);  // a: rank
std::optional<Value> BroadcastTo(const Call& call);
std::optional<Value> BroadcastArrays(const Call& call);
std::optional<Value> BroadcastShapes(const Call& call);
std::optional<Value> Flip(const Call& call);
std::optional<Value> Rot90(const Call& call);
std::optional<Value> Diagonal(const Call& call);
std::optional<Value> RealImag(const Call& call);  // a: 1 imag
std::optional<Value> AsType(const Call& call);
std::optional<Value> Copy(const Call& call);
std::optional<Value> ViewMethod(const Call& call);
std::optional<Value> ReshapeMethod(const Call& call);
std::optional<Value> TransposeMethod(const Call& call);
std::optional<Value> Conjugate(const Call& call);  // of an array: itself where it is real

// combine.cpp
std::optional<Value> Concatenate(const Call& call);
std::optional<Value> Stack(const Call& call);
std::optional<Value> StackRows(const Call& call);  // vstack, hstack, dstack, column_stack; a: a StackKind
std::optional<Value> Block(const Call& call);
std::optional<Value> Append(const Call& call);
std::optional<Value> Insert(const Call& call);
std::optional<Value> Delete(const Call& call);
std::optional<Value> Split(const Call& call);  // a: axis + 1; 0 where it is an argument
std::optional<Value> Unstack(const Call& call);
std::optional<Value> Tile(const Call& call);
std::optional<Value> Repeat(const Call& call);
std::optional<Value> Pad(const Call& call);
std::optional<Value> SameShape(const Call& call);  // roll, triu, fftshift: a: a DTypeOf
std::optional<Value> Resize(const Call& call);

// reduce.cpp
std::optional<Value> Reduce(const Call& call);  // a: a ReduceKind
std::optional<Value> Quantile(const Call& call);
std::optional<Value> Average(const Call& call);
std::optional<Value> Scan(const Call& call);  // cumsum and the like; a: 1 Array API spelling
std::optional<Value> Trace(const Call& call);
std::optional<Value> Diff(const Call& call);
std::optional<Value> EdiffOneD(const Call& call);
std::optional<Value> Gradient(const Call& call);
std::optional<Value> Trapezoid(const Call& call);
std::optional<Value> Covariance(const Call& call);
std::optional<Value> TruthOfAll(const Call& call);  // allclose, array_equal
std::optional<Value> Norm(const Call& call);        // a: 0 norm, 1 vector_norm, 2 matrix_norm

// elementwise.cpp
std::optional<Value> Clip(const Call& call);
std::optional<Value> Round(const Call& call);
std::optional<Value> OneInput(const Call& call);  // nan_to_num, angle, sinc: a: a UfuncRule
std::optional<Value> IsClose(const Call& call);
std::optional<Value> Interp(const Call& call);
std::optional<Value> PolyVal(const Call& call);
std::optional<Value> Piecewise(const Call& call);
std::optional<Value> Cross(const Call& call);
std::optional<Value> Convolve(const Call& call);  // a: 1 correlate
std::optional<Value> Fit(const Call& call);       // polyfit
std::optional<Value> Unwrap(const Call& call);

// select.cpp
std::optional<Value> Where(const Call& call);
std::optional<Value> Nonzero(const Call& call);
std::optional<Value> FlatNonzero(const Call& call);
std::optional<Value> ArgWhere(const Call& call);
std::optional<Value> Unique(const Call& call);  // a: 0 unique, else number of arrays of the unique_* function
std::optional<Value> SetOperation(const Call& call);
std::optional<Value> IsIn(const Call& call);
std::optional<Value> Extract(const Call& call);
std::optional<Value> Compress(const Call& call);
std::optional<Value> Take(const Call& call);
std::optional<Value> TakeAlongAxis(const Call& call);
std::optional<Value> Select(const Call& call);
std::optional<Value> Choose(const Call& call);
std::optional<Value> SearchSorted(const Call& call);  // a: 1 digitize
std::optional<Value> Sort(const Call& call);          // a: 1 gives indices
std::optional<Value> LexSort(const Call& call);
std::optional<Value> Histogram(const Call& call);  // a: 0 histogram, 1 histogram2d, 2 histogramdd
std::optional<Value> BinCount(const Call& call);
std::optional<Value> UnravelIndex(const Call& call);
std::optional<Value> RavelMultiIndex(const Call& call);
std::optional<Value> TrimZeros(const Call& call);
// An array of which nothing but that is known: `apply_along_axis`, `as_strided`.
std::optional<Value> SomeArray(const Call& call);
std::optional<Value> SlidingWindows(const Call& call);

// product.cpp, linalg.cpp
std::optional<Value> MatMulCall(const Call& call);
std::optional<Value> Dot(const Call& call);
std::optional<Value> Inner(const Call& call);
std::optional<Value> VDot(const Call& call);
std::optional<Value> VecDot(const Call& call);
std::optional<Value> MatVec(const Call& call);  // a: 0 matvec, 1 vecmat
std::optional<Value> Outer(const Call& call);
std::optional<Value> Kron(const Call& call);
std::optional<Value> TensorDot(const Call& call);
std::optional<Value> Einsum(const Call& call);

// about.cpp: values about arrays rather than arrays
std::optional<Value> OfKind(const Call& call);    // a: a Kind
std::optional<Value> TextWork(const Call& call);  // numpy.char.*
std::optional<Value> GivesDType(const Call& call);
std::optional<Value> NDimOf(const Call& call);
std::optional<Value> ShapeOf(const Call& call);
std::optional<Value> SizeOf(const Call& call);
std::optional<Value> NdIndex(const Call& call);
std::optional<Value> NdEnumerate(const Call& call);
std::optional<Value> Item(const Call& call);
std::optional<Value> ToList(const Call& call);

// random.cpp
std::optional<Value> RngClass(const Call& call);

enum class ConvertKind : std::uint8_t { kArray, kAsArray, kContiguous };
enum class StackKind : std::uint8_t { kRows, kColumns, kDepth, kColumnStack };
enum class DTypeOf : std::uint8_t { kSame, kBool, kInt64, kFloat };
enum class ReduceKind : std::uint8_t { kSum, kExtremum, kMean, kSpread, kTruth, kIndex, kCount, kMedian, kRange };

}  // namespace cpnlint::analysis::model
