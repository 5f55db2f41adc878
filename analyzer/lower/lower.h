#pragma once

// From a syntax tree to the IR: names resolved, control flow and values made explicit. What Python can say and the IR
// cannot becomes an Opaque op; nothing is ever refused.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/span.h"
#include "analyzer/ir/program.h"
#include "analyzer/source/file.h"
#include "analyzer/syntax/parse.h"

namespace cpnlint::lower {

// A statement that the lowering lost, wholly or in part, beyond those that could not be parsed (syntax::Tree::broken()
// lists them, and they are not repeated here): nested too deeply, mostly.
struct SyntaxNote {
  Span span;            // the statement
  std::string message;  // lower-case, no full stop
};

// Appends the module to the program; its spans count from where the texts of the earlier modules end, its notes from
// the start of its own. Never fails: what is not modelled becomes an Opaque op.
ir::ModuleId Lower(const source::SourceFile& file, const syntax::Tree& tree, std::string module_name,
                   ir::Program& program, std::vector<SyntaxNote>& notes);

// Which module of the program an import of `importer` means: `spelled` is the dotted name as written, with the dots of
// a relative import in front. None() where it is none of them.
using Resolve = std::function<ir::ModuleId(ir::ModuleId importer, std::string_view spelled)>;

// Connects the imports of the modules. `package_of`: for each module the package (its __init__) that it lies in, or
// None(). Call it once, when all modules are lowered.
void Link(ir::Program& program, const Resolve& resolve, const std::vector<ir::ModuleId>& package_of);

}  // namespace cpnlint::lower
