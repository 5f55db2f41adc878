#pragma once

// What is made to hold attributes. `SimpleNamespace(x=u)` is a dictionary with a name (Value::name), whose attributes
// are its keys; a class that derives from `dict` has objects with attributes.

#include <string_view>

#include "analyzer/analysis/impl.h"

namespace cpnlint::analysis {

[[nodiscard]] constexpr bool HoldsAttributes(std::string_view dotted) {
  return dotted == "types.SimpleNamespace" || dotted == "argparse.Namespace";
}

// A dictionary whose entries are read as attributes: each keyword of its constructor may be one.
[[nodiscard]] bool TakesAnyField(const Facts::Impl& impl, ir::ClassId class_id);

}  // namespace cpnlint::analysis
