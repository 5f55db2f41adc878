// Names of methods that tell, or hide, what an object is: one list for all who ask.

#include <algorithm>
#include <array>

#include "analyzer/analysis/engine.h"

namespace cpnlint::analysis {
namespace {

struct MethodName {
  std::string_view name;
  unsigned whose;
};

constexpr unsigned kText = static_cast<unsigned>(MethodOf::kText);
constexpr unsigned kTextOnly = static_cast<unsigned>(MethodOf::kTextOnly) | kText;
constexpr unsigned kContainer = static_cast<unsigned>(MethodOf::kContainer);
constexpr unsigned kAnything = static_cast<unsigned>(MethodOf::kAnything);

constexpr auto kMethodNames = std::to_array<MethodName>({
    {"add", kContainer | kAnything},
    {"append", kContainer | kAnything},
    {"capitalize", kText},
    {"clear", kAnything},
    {"close", kAnything},
    {"copy", kAnything},
    {"count", kAnything},
    {"decode", kContainer},
    {"dot", kAnything},
    {"draw", kAnything},
    {"encode", kContainer | kText},
    {"endswith", kContainer | kText},
    {"evaluate", kAnything},
    {"extend", kContainer | kAnything},
    {"fill", kAnything},
    {"find", kContainer | kAnything},
    {"findall", kContainer},
    {"fit", kAnything},
    {"flush", kAnything},
    {"format", kContainer},
    {"get", kContainer | kAnything},
    {"group", kContainer},
    {"groups", kContainer},
    {"iloc", kContainer},
    {"index", kContainer | kAnything},
    {"insert", kAnything},
    {"integrate", kAnything},
    {"inverse_transform", kAnything},
    {"isdigit", kText},
    {"items", kContainer | kAnything},
    {"join", kContainer | kText | kAnything},
    {"keys", kContainer | kAnything},
    {"loc", kContainer},
    {"lower", kContainer | kTextOnly},
    {"lstrip", kText},
    {"max", kAnything},
    {"mean", kAnything},
    {"min", kAnything},
    {"open", kAnything},
    {"plot", kAnything},
    {"pop", kContainer | kAnything},
    {"popleft", kContainer},
    {"predict", kAnything},
    {"query", kAnything},
    {"read", kContainer | kAnything},
    {"readline", kContainer},
    {"readlines", kContainer},
    {"remove", kAnything},
    {"replace", kContainer | kAnything},
    {"reshape", kAnything},
    {"rsplit", kText},
    {"rstrip", kText},
    {"save", kAnything},
    {"score", kAnything},
    {"set", kAnything},
    {"setdefault", kContainer},
    {"show", kAnything},
    {"solve", kAnything},
    {"sort", kAnything},
    {"split", kContainer | kTextOnly | kAnything},
    {"splitlines", kContainer | kTextOnly},
    {"startswith", kContainer | kText},
    {"strip", kContainer | kTextOnly | kAnything},
    {"sum", kAnything},
    {"title", kText},
    {"transform", kAnything},
    {"transpose", kAnything},
    {"update", kContainer | kAnything},
    {"upper", kContainer | kTextOnly},
    {"values", kContainer | kAnything},
    {"view", kAnything},
    {"write", kContainer | kAnything},
});
static_assert(std::ranges::is_sorted(kMethodNames, {}, &MethodName::name));

}  // namespace

bool IsMethodOf(std::string_view name, MethodOf whose) {
  const auto found = std::ranges::lower_bound(kMethodNames, name, {}, &MethodName::name);
  return found != kMethodNames.end() && found->name == name && (found->whose & static_cast<unsigned>(whose)) != 0;
}

bool IsContainerMethod(std::string_view name) {
  return IsMethodOf(name, MethodOf::kContainer) && !NumpyHas("numpy.ndarray." + std::string(name));
}

}  // namespace cpnlint::analysis
