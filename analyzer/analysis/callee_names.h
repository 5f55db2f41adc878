#pragma once

// Names of what calls run, as the tables of the analyses have them.

#include <algorithm>
#include <initializer_list>
#include <string_view>

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

[[nodiscard]] inline bool IsOneOf(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// "numpy.ndarray.copy" and "numpy.copy" -> "copy"
[[nodiscard]] inline std::string_view WithoutNamespace(std::string_view name) {
  for (const std::string_view prefix : {"numpy.ndarray.", "numpy."}) {
    if (name.starts_with(prefix)) return name.substr(prefix.size());
  }
  return name;
}

// The same of a call; empty for what no library has, such as a function of the program.
[[nodiscard]] inline std::string_view BareName(const Callee& callee) {
  const bool library = callee.kind == Callee::Kind::kApi || callee.kind == Callee::Kind::kMethod;
  return library ? WithoutNamespace(callee.name) : std::string_view();
}

[[nodiscard]] inline bool IsBuiltin(const Callee& callee, std::initializer_list<std::string_view> names) {
  return callee.kind == Callee::Kind::kBuiltin && IsOneOf(callee.name, names);
}

// `_name`, by which a module or a class says that it is nobody else's business; not `__name`.
[[nodiscard]] inline bool IsPrivateName(std::string_view name) {
  return name.starts_with('_') && !name.starts_with("__");
}

}  // namespace cpnlint::analysis
