#include "analyzer/api/api.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <functional>
#include <vector>

#include "analyzer/api/tables.h"

namespace cpnlint::api {
namespace {

constexpr std::array kVersions = {Version::k26_06, Version::k26_07};
constexpr std::string_view kNumpy = "numpy.";
constexpr std::string_view kCupynumeric = "cupynumeric.";

Table TableOf(Version version) { return version == Version::k26_06 ? Table2606() : Table2607(); }

constexpr std::array<std::string_view, 14> kDtypeNames = {"bool",    "int8",    "int16",     "int32",     "int64",
                                                          "uint8",   "uint16",  "uint32",    "uint64",    "float16",
                                                          "float32", "float64", "complex64", "complex128"};

// A '|'-separated list has the item.
bool Lists(std::string_view list, std::string_view item) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find('|'), list.size());
    if (list.substr(0, end) == item) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

bool IsNegativeNumber(std::string_view literal) {
  return literal.size() > 1 && literal[0] == '-' && literal[1] >= '0' && literal[1] <= '9';
}

bool IsNumber(std::string_view literal) {
  return !literal.empty() && (IsNegativeNumber(literal) || (literal[0] >= '0' && literal[0] <= '9'));
}

// A Python literal and no name of a dtype: a number, a string, None, True, False.
bool IsLiteral(std::string_view text) {
  return IsNumber(text) || text.starts_with('\'') || text == "None" || text == "True" || text == "False";
}

std::string Joined(std::string_view first, std::string_view second) {
  std::string joined(first);
  return joined += second;
}

// "numpy.add.at" -> "numpy.ufunc.at"; empty where the name is not a method of a ufunc.
std::string UfuncMethod(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || !IsUfunc(name.substr(0, dot))) return "";
  return Joined("numpy.ufunc.", name.substr(dot + 1));
}

// The missing module or class that the name lies in.
const Entry* MissingParent(std::string_view name, Version version) {
  constexpr std::size_t kLongestName = 64;  // longer than any name of a table: a million dots hold no other
  name = name.substr(0, kLongestName + 1);
  for (std::size_t dot = name.rfind('.'); dot != std::string_view::npos; dot = name.rfind('.')) {
    name = name.substr(0, dot);
    const Entry* entry = FindExact(name, version);
    if (entry == nullptr) continue;
    const bool holds_names = entry->kind == Kind::kModule || entry->kind == Kind::kClass;
    return entry->status == Status::kMissing && holds_names ? entry : nullptr;
  }
  return nullptr;
}

}  // namespace

std::span<const Version> Versions() { return kVersions; }

std::string_view Name(Version version) { return version == Version::k26_06 ? "26.06" : "26.07"; }

std::optional<Version> ParseVersion(std::string_view text) {
  int parts[2] = {-1, -1};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (int& part : parts) {
    const auto [stop, error] = std::from_chars(at, end, part);
    if (error != std::errc() || part < 0) return std::nullopt;
    at = stop;
    if (&part == &parts[0]) {
      if (at == end || *at != '.') return std::nullopt;
      ++at;
    }
  }
  const bool patch_follows = at != end && *at == '.' && end - at > 1 &&
                             std::all_of(at + 1, end, [](char c) { return c == '.' || (c >= '0' && c <= '9'); });
  if ((at != end && !patch_follows) || parts[0] != 26) return std::nullopt;
  if (parts[1] == 6) return Version::k26_06;
  if (parts[1] == 7) return Version::k26_07;
  return std::nullopt;
}

std::string_view Provenance(Version version) { return TableOf(version).provenance; }

std::span<const Entry> Entries(Version version) { return TableOf(version).entries; }

namespace {

// Where each name stands in a version's table: open addressing. Rules ask for the name of every call.
class NameIndex {
 public:
  explicit NameIndex(std::span<const Entry> entries) : entries_(entries), slots_(4096, 0) {
    while (slots_.size() < 2 * entries.size()) slots_.resize(2 * slots_.size(), 0);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      std::uint16_t& slot = slots_[PlaceOf(entries[i].name)];
      if (slot == 0) slot = static_cast<std::uint16_t>(i + 1);
    }
  }

  [[nodiscard]] const Entry* Find(std::string_view name) const {
    const std::uint16_t found = slots_[PlaceOf(name)];
    return found == 0 ? nullptr : &entries_[found - 1U];
  }

 private:
  // Of the name, or the free one for it.
  [[nodiscard]] std::size_t PlaceOf(std::string_view name) const {
    std::size_t at = std::hash<std::string_view>()(name) & (slots_.size() - 1);
    while (slots_[at] != 0 && entries_[slots_[at] - 1U].name != name) at = (at + 1) & (slots_.size() - 1);
    return at;
  }

  std::span<const Entry> entries_;
  std::vector<std::uint16_t> slots_;  // index and 1; 0 where free
};

const NameIndex& NamesIn(Version version) {
  static const NameIndex older(Entries(Version::k26_06)), newer(Entries(Version::k26_07));
  return version == Version::k26_06 ? older : newer;
}

}  // namespace

const Entry* FindExact(std::string_view canonical_name, Version version) {
  return NamesIn(version).Find(canonical_name);
}

const Entry* Find(std::string_view canonical_name, Version version) {
  if (const Entry* entry = FindExact(canonical_name, version)) return entry;
  std::string name(canonical_name);
  if (canonical_name.starts_with(kCupynumeric)) {
    name = Joined(kNumpy, canonical_name.substr(kCupynumeric.size()));
    if (const Entry* entry = FindExact(name, version)) return entry;
  } else if (canonical_name.starts_with("numpy.ndarray.") || canonical_name.starts_with("numpy.random.Generator.")) {
    return FindExact(Joined(kCupynumeric, canonical_name.substr(kNumpy.size())), version);
  }
  if (const std::string method = UfuncMethod(name); !method.empty()) return FindExact(method, version);
  return MissingParent(name, version);
}

bool IsUfunc(std::string_view canonical_name) {
  // The kind is the same in every version; the newest table has the most names.
  const Entry* entry = FindExact(canonical_name, kLatest);
  if (entry == nullptr && canonical_name.starts_with(kCupynumeric)) {
    entry = FindExact(Joined(kNumpy, canonical_name.substr(kCupynumeric.size())), kLatest);
  }
  return entry != nullptr && entry->kind == Kind::kUfunc;
}

std::string_view FunctionOfMethod(std::string_view method_name, Version version) {
  constexpr std::string_view kMethods = "numpy.ndarray.";
  if (!method_name.starts_with(kMethods) || FindExact(method_name, version) == nullptr) return "";
  const Entry* function = FindExact(Joined(kNumpy, method_name.substr(kMethods.size())), version);
  if (function == nullptr) return "";
  return function->kind == Kind::kFunction || function->kind == Kind::kUfunc ? function->name : "";
}

const Keyword* FindKeyword(const Entry& entry, std::string_view keyword) {
  const auto found = std::ranges::find(entry.keywords, keyword, &Keyword::name);
  return found != entry.keywords.end() ? &*found : nullptr;
}

Verdict Judge(const Keyword& keyword, std::string_view literal) {
  switch (keyword.behaviour) {
    case Behaviour::kAbsent:
    case Behaviour::kRenamed:
    case Behaviour::kIgnored: return Verdict::kRestricted;
    case Behaviour::kValue:
    case Behaviour::kHost:
    case Behaviour::kDiffers: break;
  }
  if (keyword.rejected == "*") return Verdict::kRestricted;
  if (literal.empty()) return Verdict::kUnknown;
  if (Lists(keyword.rejected, literal)) return Verdict::kRestricted;
  if (keyword.rejected == "<0") {
    if (IsNegativeNumber(literal)) return Verdict::kRestricted;
    return IsNumber(literal) ? Verdict::kFine : Verdict::kUnknown;
  }
  if (Lists(keyword.accepted, literal)) return Verdict::kFine;
  if (keyword.behaviour != Behaviour::kValue) return Verdict::kUnknown;
  // Where only the accepted values are listed, every other one raises; where both are, the table does not decide.
  if (keyword.rejected.empty()) {
    const bool takes_dtypes = DtypeBit(keyword.accepted.substr(0, keyword.accepted.find('|'))) != 0;
    if (takes_dtypes) return DtypeBit(literal) != 0 ? Verdict::kRestricted : Verdict::kUnknown;
    return IsLiteral(literal) ? Verdict::kRestricted : Verdict::kUnknown;
  }
  return IsLiteral(literal) && keyword.accepted.empty() ? Verdict::kFine : Verdict::kUnknown;
}

std::string_view ParameterName(const Entry& entry, std::size_t position) {
  if (entry.kind == Kind::kUfunc) {
    constexpr std::array<std::string_view, 4> kInputs = {"x1", "x2", "x3", "x4"};
    if (position < entry.inputs) return position < kInputs.size() ? kInputs[position] : "";
    return entry.inputs > 0 && position == entry.inputs ? "out" : "";
  }
  if (position >= entry.numpy_parameters.size()) return "";
  const std::string_view name = entry.numpy_parameters[position];
  return name.starts_with('*') ? "" : name;
}

std::optional<std::size_t> ParameterPosition(const Entry& entry, std::string_view parameter) {
  const std::size_t count = entry.kind == Kind::kUfunc ? std::size_t{entry.inputs} + 1 : entry.numpy_parameters.size();
  for (std::size_t position = 0; position < count; ++position) {
    if (!parameter.empty() && ParameterName(entry, position) == parameter) return position;
    // What follows a variadic parameter can only be passed by name.
    if (entry.kind != Kind::kUfunc && entry.numpy_parameters[position].starts_with('*')) return std::nullopt;
  }
  return std::nullopt;
}

Dtypes DtypeBit(std::string_view name) {
  const auto found = std::ranges::find(kDtypeNames, name);
  return found == kDtypeNames.end() ? Dtypes{0} : static_cast<Dtypes>(1U << (found - kDtypeNames.begin()));
}

std::string DtypeNames(Dtypes set) {
  struct Group {
    std::size_t first, size;
    std::string_view name;
  };
  constexpr std::array<Group, 3> kGroups = {{{1, 8, "integers"}, {9, 3, "floats"}, {12, 2, "complex"}}};
  std::string names;
  const auto add = [&names](std::string_view name) {
    if (!names.empty()) names += ", ";
    names += name;
  };
  for (std::size_t bit = 0; bit < kDtypeNames.size();) {
    const auto group = std::ranges::find(kGroups, bit, &Group::first);
    const unsigned whole = group != kGroups.end() ? ((1U << group->size) - 1) << bit : 0;
    if (whole != 0 && (set & whole) == whole) {
      add(group->name);
      bit += group->size;
      continue;
    }
    if ((set & (1U << bit)) != 0) add(kDtypeNames[bit]);
    ++bit;
  }
  return names;
}

const DtypeGap* FindDtypeGap(const Entry& entry, std::string_view dtype, DtypeEffect effect) {
  const Dtypes bit = DtypeBit(dtype);
  const auto found = std::ranges::find_if(
      entry.dtypes, [&](const DtypeGap& gap) { return gap.effect == effect && (gap.dtypes & bit) != 0; });
  return found != entry.dtypes.end() ? &*found : nullptr;
}

const Limit* FindLimit(const Entry& entry, LimitKind kind) {
  const auto found = std::ranges::find(entry.limits, kind, &Limit::kind);
  return found != entry.limits.end() ? &*found : nullptr;
}

int RuleOf(const Keyword& keyword) { return keyword.name == "order" ? 109 : 113; }

int RuleOf(const Limit& limit) {
  switch (limit.kind) {
    case LimitKind::kUnitStep: return 106;
    case LimitKind::kNoArgument:
    case LimitKind::kNoAssignment:
    case LimitKind::kRealSteps:
    case LimitKind::kPlainFile: return 119;
    case LimitKind::kZeroDivisor: return 120;
    case LimitKind::kNeedsGpu: return 303;
    case LimitKind::kFloatMatrix: return 308;
    case LimitKind::kNoSampling:
    case LimitKind::kShapeOne:
    case LimitKind::kClockSeed:
    case LimitKind::kNoEffect: return 309;
    case LimitKind::kComplexKernel:
    case LimitKind::kIgnoresNan:
    case LimitKind::kLosesSecondNan:
    case LimitKind::kConstantData: return 314;
    default: return 113;
  }
}

int RuleOf(const Entry& entry, const DtypeGap& gap) {
  switch (gap.effect) {
    case DtypeEffect::kEndsProcess: return 120;
    case DtypeEffect::kOtherDtype:
    case DtypeEffect::kWrongValue: return 314;
    case DtypeEffect::kRaises: break;
  }
  return FindLimit(entry, LimitKind::kFloatMatrix) != nullptr ? 308 : 113;
}

int RuleOfOneDevice(const Entry& entry) {
  switch (entry.one_device) {
    case OneDevice::kNo: return 0;
    case OneDevice::kPerMatrix: return 302;
    case OneDevice::kTransformedAxes: return 303;
    case OneDevice::kBelowSize: return entry.name == "numpy.linalg.qr" ? 302 : 305;
    case OneDevice::kAlways:
    case OneDevice::kWrapMode: break;
  }
  if (entry.name.starts_with("numpy.fft.")) return 303;
  return entry.name.starts_with("numpy.linalg.") ? 302 : 306;
}

}  // namespace cpnlint::api
