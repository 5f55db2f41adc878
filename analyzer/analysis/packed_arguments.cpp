#include "analyzer/analysis/packed_arguments.h"

#include <algorithm>
#include <utility>

namespace cpnlint::analysis {

std::vector<Value> ByParameter(ValueStore& store, const ir::Function& function, std::size_t first,
                               std::vector<Value> arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const ir::ParamKind kind =
        first + i < function.params.size() ? function.params[first + i].kind : ir::ParamKind::kKeywordOnly;
    if (kind == ir::ParamKind::kPositional || kind == ir::ParamKind::kPositionalOnly) continue;
    std::vector<Value> rest(arguments.begin() + static_cast<std::ptrdiff_t>(i), arguments.end());
    arguments.resize(i);
    // What is not known yet is waited for.
    const bool known = std::ranges::none_of(rest, [](const Value& value) { return value.kind == Kind::kBottom; });
    if (kind == ir::ParamKind::kVarPositional && known) arguments.push_back(Tuple(store, std::move(rest)));
    break;
  }
  return arguments;
}

}  // namespace cpnlint::analysis
