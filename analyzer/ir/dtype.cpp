#include "analyzer/ir/dtype.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace cpnlint::ir {

namespace {

struct Info {
  DType dtype;
  std::string_view name;
  std::string_view short_name;
  int size;  // bytes; 0 where it is not fixed
};

constexpr std::array kInfo = {
    Info{DType::kUnknown, "?", "?", 0},
    Info{DType::kBool, "bool", "bool", 1},
    Info{DType::kInt8, "int8", "i8", 1},
    Info{DType::kInt16, "int16", "i16", 2},
    Info{DType::kInt32, "int32", "i32", 4},
    Info{DType::kInt64, "int64", "i64", 8},
    Info{DType::kUInt8, "uint8", "u8", 1},
    Info{DType::kUInt16, "uint16", "u16", 2},
    Info{DType::kUInt32, "uint32", "u32", 4},
    Info{DType::kUInt64, "uint64", "u64", 8},
    Info{DType::kFloat16, "float16", "f16", 2},
    Info{DType::kFloat32, "float32", "f32", 4},
    Info{DType::kFloat64, "float64", "f64", 8},
    Info{DType::kComplex64, "complex64", "c64", 8},
    Info{DType::kComplex128, "complex128", "c128", 16},
    Info{DType::kLongDouble, "longdouble", "longdouble", 16},
    Info{DType::kComplexLongDouble, "clongdouble", "clongdouble", 32},
    Info{DType::kObject, "object", "object", 8},
    Info{DType::kString, "str", "str", 0},
    Info{DType::kBytes, "bytes", "bytes", 0},
    Info{DType::kDatetime, "datetime64", "datetime64", 8},
    Info{DType::kTimedelta, "timedelta64", "timedelta64", 8},
    Info{DType::kStructured, "structured", "structured", 0},
};

constexpr bool InOrder() {
  for (std::size_t i = 0; i < kInfo.size(); ++i) {
    if (static_cast<std::size_t>(kInfo[i].dtype) != i) return false;
  }
  return true;
}
static_assert(InOrder(), "kInfo is indexed by DType");

constexpr const Info& InfoOf(DType dtype) { return kInfo[static_cast<std::size_t>(dtype)]; }

constexpr bool IsNumber(DType d) { return d >= DType::kBool && d <= DType::kComplexLongDouble; }
constexpr bool IsLong(DType d) { return d == DType::kLongDouble || d == DType::kComplexLongDouble; }

constexpr DType SignedOf(int size) {
  return size == 1 ? DType::kInt8 : size == 2 ? DType::kInt16 : size == 4 ? DType::kInt32 : DType::kInt64;
}
constexpr DType FloatOf(int size) {
  return size <= 2 ? DType::kFloat16 : size == 4 ? DType::kFloat32 : size == 8 ? DType::kFloat64 : DType::kLongDouble;
}
// Size of the smallest float that holds the values: an integer needs twice its own width, at most 64 bits.
constexpr int FloatSize(DType d) {
  const int size = InfoOf(d).size;
  if (d == DType::kBool) return 2;
  if (IsInteger(d)) return std::min(2 * size, 8);
  return d == DType::kComplex64 || d == DType::kComplex128 || d == DType::kComplexLongDouble ? size / 2 : size;
}

constexpr DType PromoteNumbers(DType a, DType b) {
  if (a == b || b == DType::kBool) return a;
  if (a == DType::kBool) return b;
  if (IsInteger(a) && IsInteger(b)) {
    const int size_a = InfoOf(a).size, size_b = InfoOf(b).size;
    if (IsUnsigned(a) == IsUnsigned(b)) return size_a >= size_b ? a : b;
    const DType with_sign = IsUnsigned(a) ? b : a, without = IsUnsigned(a) ? a : b;
    if (InfoOf(with_sign).size > InfoOf(without).size) return with_sign;
    return InfoOf(without).size == 8 ? DType::kFloat64 : SignedOf(2 * InfoOf(without).size);
  }
  const int size = std::max(FloatSize(a), FloatSize(b));
  const bool complex = IsComplex(a) || IsComplex(b) || a == DType::kComplexLongDouble || b == DType::kComplexLongDouble;
  if (!complex) return FloatOf(size);
  return size <= 4 ? DType::kComplex64 : size == 8 ? DType::kComplex128 : DType::kComplexLongDouble;
}

constexpr std::size_t kNumbers = static_cast<std::size_t>(DType::kComplexLongDouble) + 1;

constexpr auto MakePromotions() {
  std::array<std::array<DType, kNumbers>, kNumbers> table{};
  for (std::size_t a = 1; a < kNumbers; ++a) {
    for (std::size_t b = 1; b < kNumbers; ++b) table[a][b] = PromoteNumbers(DType(a), DType(b));
  }
  return table;
}
constexpr auto kPromotions = MakePromotions();

// Names of numpy.dtype and of the scalar classes, on the platforms that cuPyNumeric runs on (64-bit Linux: long has 64
// bits).
struct Spelling {
  std::string_view text;
  DType dtype;
};
constexpr std::array kSpellings = {
    Spelling{"?", DType::kBool},
    Spelling{"B", DType::kUInt8},
    Spelling{"D", DType::kComplex128},
    Spelling{"F", DType::kComplex64},
    Spelling{"G", DType::kComplexLongDouble},
    Spelling{"H", DType::kUInt16},
    Spelling{"I", DType::kUInt32},
    Spelling{"L", DType::kUInt64},
    Spelling{"M", DType::kDatetime},
    Spelling{"N", DType::kUInt64},
    Spelling{"O", DType::kObject},
    Spelling{"O8", DType::kObject},
    Spelling{"P", DType::kUInt64},
    Spelling{"Q", DType::kUInt64},
    Spelling{"S", DType::kBytes},
    Spelling{"T", DType::kString},
    Spelling{"U", DType::kString},
    Spelling{"V", DType::kStructured},
    Spelling{"a", DType::kBytes},
    Spelling{"b", DType::kInt8},
    Spelling{"b1", DType::kBool},
    Spelling{"bool", DType::kBool},
    Spelling{"bool8", DType::kBool},
    Spelling{"bool_", DType::kBool},
    Spelling{"byte", DType::kInt8},
    Spelling{"bytes", DType::kBytes},
    Spelling{"bytes0", DType::kBytes},
    Spelling{"bytes_", DType::kBytes},
    Spelling{"c", DType::kBytes},
    Spelling{"c16", DType::kComplex128},
    Spelling{"c32", DType::kComplexLongDouble},
    Spelling{"c8", DType::kComplex64},
    Spelling{"cdouble", DType::kComplex128},
    Spelling{"cfloat", DType::kComplex128},
    Spelling{"clongdouble", DType::kComplexLongDouble},
    Spelling{"clongfloat", DType::kComplexLongDouble},
    Spelling{"complex", DType::kComplex128},
    Spelling{"complex128", DType::kComplex128},
    Spelling{"complex256", DType::kComplexLongDouble},
    Spelling{"complex64", DType::kComplex64},
    Spelling{"complex_", DType::kComplex128},
    Spelling{"csingle", DType::kComplex64},
    Spelling{"d", DType::kFloat64},
    Spelling{"datetime64", DType::kDatetime},
    Spelling{"double", DType::kFloat64},
    Spelling{"e", DType::kFloat16},
    Spelling{"f", DType::kFloat32},
    Spelling{"f16", DType::kLongDouble},
    Spelling{"f2", DType::kFloat16},
    Spelling{"f4", DType::kFloat32},
    Spelling{"f8", DType::kFloat64},
    Spelling{"float", DType::kFloat64},
    Spelling{"float128", DType::kLongDouble},
    Spelling{"float16", DType::kFloat16},
    Spelling{"float32", DType::kFloat32},
    Spelling{"float64", DType::kFloat64},
    Spelling{"float_", DType::kFloat64},
    Spelling{"g", DType::kLongDouble},
    Spelling{"h", DType::kInt16},
    Spelling{"half", DType::kFloat16},
    Spelling{"i", DType::kInt32},
    Spelling{"i1", DType::kInt8},
    Spelling{"i2", DType::kInt16},
    Spelling{"i4", DType::kInt32},
    Spelling{"i8", DType::kInt64},
    Spelling{"int", DType::kInt64},
    Spelling{"int16", DType::kInt16},
    Spelling{"int32", DType::kInt32},
    Spelling{"int64", DType::kInt64},
    Spelling{"int8", DType::kInt8},
    Spelling{"int_", DType::kInt64},
    Spelling{"intc", DType::kInt32},
    Spelling{"intp", DType::kInt64},
    Spelling{"l", DType::kInt64},
    Spelling{"long", DType::kInt64},
    Spelling{"longcomplex", DType::kComplexLongDouble},
    Spelling{"longdouble", DType::kLongDouble},
    Spelling{"longfloat", DType::kLongDouble},
    Spelling{"longlong", DType::kInt64},
    Spelling{"m", DType::kTimedelta},
    Spelling{"n", DType::kInt64},
    Spelling{"object", DType::kObject},
    Spelling{"object0", DType::kObject},
    Spelling{"object_", DType::kObject},
    Spelling{"p", DType::kInt64},
    Spelling{"q", DType::kInt64},
    Spelling{"record", DType::kStructured},
    Spelling{"short", DType::kInt16},
    Spelling{"single", DType::kFloat32},
    Spelling{"singlecomplex", DType::kComplex64},
    Spelling{"str", DType::kString},
    Spelling{"str0", DType::kString},
    Spelling{"str_", DType::kString},
    Spelling{"string_", DType::kBytes},
    Spelling{"timedelta64", DType::kTimedelta},
    Spelling{"u1", DType::kUInt8},
    Spelling{"u2", DType::kUInt16},
    Spelling{"u4", DType::kUInt32},
    Spelling{"u8", DType::kUInt64},
    Spelling{"ubyte", DType::kUInt8},
    Spelling{"uint", DType::kUInt64},
    Spelling{"uint16", DType::kUInt16},
    Spelling{"uint32", DType::kUInt32},
    Spelling{"uint64", DType::kUInt64},
    Spelling{"uint8", DType::kUInt8},
    Spelling{"uintc", DType::kUInt32},
    Spelling{"uintp", DType::kUInt64},
    Spelling{"ulong", DType::kUInt64},
    Spelling{"ulonglong", DType::kUInt64},
    Spelling{"unicode", DType::kString},
    Spelling{"unicode_", DType::kString},
    Spelling{"ushort", DType::kUInt16},
    Spelling{"void", DType::kStructured},
    Spelling{"void0", DType::kStructured},
};
static_assert(std::ranges::is_sorted(kSpellings, {}, &Spelling::text));

bool AllDigits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::string_view Name(DType dtype) { return InfoOf(dtype).name; }
std::string_view ShortName(DType dtype) { return InfoOf(dtype).short_name; }

std::optional<int> ItemSize(DType dtype) {
  const int size = InfoOf(dtype).size;
  return size == 0 ? std::nullopt : std::optional(size);
}

DType Promote(DType a, DType b) {
  if (a == DType::kUnknown || b == DType::kUnknown) return DType::kUnknown;
  if (a == b) return a;
  if (IsNumber(a) && IsNumber(b)) return kPromotions[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)];
  if (a == DType::kObject || b == DType::kObject) return DType::kObject;
  if (a > b) std::swap(a, b);
  if (b == DType::kString || b == DType::kBytes) {
    return IsNumber(a) || a == DType::kString ? (b == DType::kBytes && a == DType::kString ? a : b) : DType::kUnknown;
  }
  if (b == DType::kTimedelta) {
    if (a == DType::kDatetime) return DType::kDatetime;
    return a == DType::kBool || (IsInteger(a) && a != DType::kUInt64) ? b : DType::kUnknown;
  }
  return DType::kUnknown;
}

DType PromoteWeak(DType a, Weak b) {
  if (a == DType::kObject || a == DType::kUnknown) return a;
  if (a == DType::kTimedelta || a == DType::kDatetime) return b == Weak::kInt ? a : DType::kUnknown;
  if (!IsNumber(a)) return DType::kUnknown;
  const bool inexact = IsInexact(a) || IsLong(a);
  switch (b) {
    case Weak::kBool: return a;
    case Weak::kInt: return a == DType::kBool ? DType::kInt64 : a;
    case Weak::kFloat: return inexact ? a : DType::kFloat64;
    case Weak::kComplex:
      if (!inexact) return DType::kComplex128;
      return a == DType::kLongDouble ? DType::kComplexLongDouble : Promote(a, DType::kComplex64);
  }
  return DType::kUnknown;
}

DType TrueDivide(DType a, DType b) {
  if (a == DType::kTimedelta) return b == DType::kTimedelta ? DType::kFloat64 : b == DType::kUnknown ? b : a;
  const DType common = Promote(a, b);
  return common == DType::kBool || IsInteger(common) ? DType::kFloat64 : common;
}

DType FloatResult(DType a) { return a == DType::kBool || IsInteger(a) ? FloatOf(FloatSize(a)) : a; }

DType RealPart(DType a) {
  switch (a) {
    case DType::kComplex64: return DType::kFloat32;
    case DType::kComplex128: return DType::kFloat64;
    case DType::kComplexLongDouble: return DType::kLongDouble;
    default: return a;
  }
}

DType ParseDType(std::string_view text) {
  if (text.find(',') != std::string_view::npos) return DType::kStructured;
  if (!text.empty() && std::string_view("<>=|").find(text.front()) != std::string_view::npos) text.remove_prefix(1);
  const auto found = std::ranges::lower_bound(kSpellings, text, {}, &Spelling::text);
  if (found != kSpellings.end() && found->text == text) return found->dtype;
  if (text.starts_with("datetime64[") || text.starts_with("M8")) return DType::kDatetime;
  if (text.starts_with("timedelta64[") || text.starts_with("m8")) return DType::kTimedelta;
  if (text.size() < 2 || !AllDigits(text.substr(1))) return DType::kUnknown;
  switch (text.front()) {
    case 'S':
    case 'a': return DType::kBytes;
    case 'U': return DType::kString;
    case 'V': return DType::kStructured;
    default: return DType::kUnknown;
  }
}

}  // namespace cpnlint::ir
