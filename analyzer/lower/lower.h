#pragma once

// From a syntax tree to the IR: names resolved, control flow and values made explicit. What Python can say and the IR
// cannot becomes an Opaque op; nothing is ever refused.

#include <string>
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

// Appends the module to the program. Never fails: what is not modelled becomes an Opaque op.
ir::ModuleId Lower(const source::SourceFile& file, const syntax::Tree& tree, std::string module_name,
                   ir::Program& program, std::vector<SyntaxNote>& notes);

}  // namespace cpnlint::lower
