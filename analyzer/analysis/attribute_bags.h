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

// `**options` of a function: a dictionary whose keys are what calls hand over by name. What is stored into it may be
// read or not: `options["x"] = np.asarray(options["x"])`.
[[nodiscard]] inline bool IsPacked(const ir::Program& program, ir::ValueId dict) {
  return dict.valid() && program.ops[dict].kind == ir::OpKind::kParam;
}

}  // namespace cpnlint::analysis
