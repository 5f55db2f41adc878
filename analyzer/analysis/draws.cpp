// One draw that cuPyNumeric does not have is what NumPy gives: a number of Python, or an item of what is drawn from.

#include <algorithm>

#include "analyzer/analysis/call_keywords.h"
#include "analyzer/analysis/engine.h"
#include "analyzer/api/api.h"

namespace cpnlint::analysis {

// `row` is how the API table calls what `model` describes: the methods of Generator and RandomState are alike.
Value Engine::Drawn(ir::ValueId id, const ir::Op& op, std::string_view model, std::string_view row, Library library) {
  Value drawn = ModelCall(id, op, model, library, nullptr);
  if (drawn.kind != Kind::kArray) return drawn;
  const api::Entry* entry = api::FindExact(row);
  if (entry == nullptr || entry->status != api::Status::kMissing) return drawn;
  const Value one = ModelCall(id, op, model, Library::kHost, nullptr);
  if (IsNumber(one.kind) || one.kind == Kind::kNumpyScalar) return one;
  // `np.random.choice(items)` draws from one axis: without a size it gives one item of who knows what.
  const ir::CallShape& shape = program_.Shape(op);
  const bool sized = shape.positional > 1 || ArgumentNamed(program_, id, "size").valid() ||
                     std::ranges::any_of(shape.keywords, [](Symbol keyword) { return !keyword.valid(); });
  const bool of_axes = row == "numpy.random.Generator.choice";  // rows of a table, too
  if (sized || of_axes || !row.ends_with(".choice")) return drawn;
  const Value& items = Of(program_.Operand(id, 1));
  return ir::IsNumeric(items.dtype) ? analysis::Of(Kind::kNumber) : NamedInt(NameOrNone(id), id);
}

}  // namespace cpnlint::analysis
