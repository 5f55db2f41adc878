#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "analyzer/syntax/parse.h"

struct TSTree;

namespace cpnlint::syntax {

// Turns tree-sitter's tree into ours. `taken_out` are the statements that were replaced before parsing: an expression
// statement at such a place becomes a kError node with the statement's span. In source order.
//
// Errors that are still in the tree cost the smallest statement around them: a compound statement goes as a whole only
// when the error is in a header of its, not when it is in a block.
struct TreeBuilder {
  // `stray_line_ends` gets the places where a string that is not triple-quoted goes on in the next line: the grammar
  // takes that, Python does not.
  // Nothing when a replaced statement is not where a statement can be, so that the tree would show what is not there;
  // never when nothing was replaced.
  static std::optional<Tree> Build(const TSTree* parsed, std::string_view text, std::vector<BrokenStatement> taken_out,
                                   std::vector<Span>& stray_line_ends);
  // A module without statements, for text whose parsing went over the budget.
  static Tree Empty(std::string_view text);
  // The same where all of the text has to count as one broken statement.
  static Tree Broken(std::string_view text);
  // Adds comments that the parser was not shown. When some of `runs` lie within strings, so that they are no comments,
  // adds nothing and returns those.
  static std::vector<Span> AddComments(Tree& tree, const std::vector<Span>& runs, const std::vector<Span>& comments);
};

}  // namespace cpnlint::syntax
