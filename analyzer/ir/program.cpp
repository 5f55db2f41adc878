#include "analyzer/ir/program.h"

#include <utility>

namespace cpnlint::ir {

std::uint32_t Program::Intern(CallShape shape) {
  std::uint64_t hash = shape.positional;
  for (const Symbol keyword : shape.keywords) hash = Mix(hash, keyword.index());
  hash = Mix(hash, shape.keywords.size());
  const auto same = [&](std::uint32_t index) { return call_shapes[index] == shape; };
  if (const std::uint32_t found = shape_table_.Find(hash, same); found != IndexTable::kFree) return found;
  call_shapes.push_back(std::move(shape));
  const auto added = static_cast<std::uint32_t>(call_shapes.size() - 1);
  shape_table_.Insert(hash, added);
  return added;
}

void Program::ForgetDocstrings() {
  for (Function& function : functions) function.docstring = {};
  docstrings = {};
}

}  // namespace cpnlint::ir
