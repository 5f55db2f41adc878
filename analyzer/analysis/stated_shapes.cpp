#include "analyzer/analysis/stated_shapes.h"

#include "analyzer/analysis/docstrings.h"
#include "analyzer/analysis/engine.h"

namespace cpnlint::analysis {
namespace {

void ReadResults(Facts::Impl& impl) {
  for (std::size_t i = 0; i < impl.program.functions.size(); ++i) {
    const ir::Function& function = impl.program.functions[ir::FunctionId(i)];
    if (function.docstring.empty() || function.kind != ir::Function::Kind::kDef) continue;
    const bool alone = function.params.size() == (function.owner.valid() ? 1 : 0);
    std::optional<std::int64_t> items = NamedItems(function.docstring);
    if (!items) items = StatedSide(function.docstring, alone);
    if (items) impl.documented_items.emplace(ir::FunctionId(i), *items);
  }
}

// "axes : ndarray, shape=(3, 3)" in the docstring of the class or of one that it inherits from.
std::optional<std::vector<std::optional<std::int64_t>>> StatedInClass(const Facts::Impl& impl, ir::ClassId object,
                                                                      std::string_view attribute) {
  constexpr std::size_t kMostClasses = 8;
  std::vector<ir::ClassId> classes = {object};
  for (std::size_t i = 0; i < classes.size() && i < kMostClasses; ++i) {
    const std::string_view docstring = impl.program.functions[impl.program.classes[classes[i]].body].docstring;
    if (docstring.find(attribute) != std::string_view::npos) {
      const Documented said = DocumentedOf(docstring, attribute);
      if (!said.type.empty()) return StatedShape(said);
    }
    classes.insert(classes.end(), impl.bases[classes[i]].begin(), impl.bases[classes[i]].end());
  }
  return std::nullopt;
}

void ReadAttributes(Facts::Impl& impl) {
  const ir::Program& program = impl.program;
  for (std::size_t i = 0; i < program.ops.size(); ++i) {
    const ir::ValueId store(i);
    if (program.ops[store].kind != ir::OpKind::kStoreAttr) continue;
    const Value& object = impl.Of(program.Operand(store, 0));
    const ir::ValueId stored = program.Operand(store, 1);
    if (object.kind != Kind::kInstance || !stored.valid() || IsNumber(impl.Of(stored).kind)) continue;
    const auto shape = StatedInClass(impl, object.class_id, program.Name(program.ops[store]));
    if (shape && !shape->empty())
      impl.documented_extents.try_emplace(stored, std::array{shape->front(), shape->back()});
  }
}

}  // namespace

void ReadStatedShapes(Facts::Impl& impl) {
  ReadResults(impl);
  ReadAttributes(impl);
}

}  // namespace cpnlint::analysis
