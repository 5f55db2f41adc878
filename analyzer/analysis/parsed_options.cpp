// `args = parser.parse_args()`: an object whose attributes are the options of the command line.

#include "analyzer/analysis/engine.h"
#include "analyzer/analysis/parser_defaults.h"

namespace cpnlint::analysis {

// Whichever parser it is: a program has one, and adds its options where it likes. Several options of one name may be
// those of several commands.
std::optional<Value> Engine::ParsedOptions(ir::ValueId call, std::string_view method) {
  if (method != "parse_args" && method != "parse_known_args") return std::nullopt;
  const ir::ModuleId module = program_.functions[program_.FunctionOf(call)].module;
  bool any = false;
  for (const ir::Function& function : program_.functions) {
    if (function.module != module) continue;
    for (const ir::ValueId added : function.calls) {
      if (!IsAddArgument(program_, added)) continue;
      any = true;
      const std::string name = OptionName(program_, added);
      const Kind kind = OptionKind(program_, added);
      if (name.empty() || kind == Kind::kUnknown) continue;
      Value option = analysis::Of(kind);
      if (kind == Kind::kInt) {
        const ir::DimId number = store_.dims().SymbolOf(impl_.names.Intern(name), added.index());
        const std::optional<std::int64_t> assumed = store_.dims().AsConst(number);
        option = assumed ? Int(store_, *assumed) : IntDim(number);
      }
      StoreKey(call, impl_.names.Intern(name), option);
    }
  }
  if (!any) return std::nullopt;
  Value bag = analysis::Of(Kind::kDict);  // see HoldsAttributes
  bag.root = call;
  bag.name = impl_.names.Intern("argparse.Namespace");
  return method == "parse_args" ? bag
                                : Tuple(store_, {bag, ContainerOf(store_, Kind::kList, analysis::Of(Kind::kStr))});
}

}  // namespace cpnlint::analysis
