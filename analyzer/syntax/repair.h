#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/span.h"
#include "analyzer/syntax/parse.h"

namespace cpnlint::syntax {

// An ERROR or MISSING node of a parse.
struct ErrorSpot {
  Span span;
  std::string missing;  // the token that was missed there; empty for an ERROR
};

// Keeps the cost of a syntax error to its statement. Tree-sitter's own recovery may swallow what stands around an
// error: an unclosed bracket takes the functions below it. So the statement at fault is looked for, replaced in the
// text by a placeholder of the same length, and the rest is parsed again.
//
// Which line is at fault: within the range of an error each logical line is parsed by itself. Those that fail are
// broken. When none fails, the structure is (a stray indentation, an `else` without its `if`): then the first line of
// the first error goes, and in the next round the statement around it.
class Repair {
 public:
  // Parses a piece of text by itself and returns its errors.
  using ParsePiece = std::function<std::vector<ErrorSpot>(std::string_view)>;

  // `original` has to outlive this.
  Repair(std::string_view original, ParsePiece parse_piece);

  // Takes out what the errors of a parse of text() come from. False when nothing was changed.
  bool Round(const std::vector<ErrorSpot>& errors);

  // Replaces statements that are known to be broken.
  void TakeOut(std::vector<BrokenStatement> found);

  // The text to parse: as long as the original, line ends in the same places.
  [[nodiscard]] const std::string& text() const { return text_; }
  // In source order, none within another.
  [[nodiscard]] const std::vector<BrokenStatement>& taken_out() const { return taken_out_; }

 private:
  struct Lines;

  void CheckLine(const Lines& lines, std::size_t index, std::vector<BrokenStatement>& found);
  BrokenStatement Structural(const Lines& lines, const ErrorSpot& error) const;
  bool BlankTypeDefaults(Span line);

  std::string_view original_;
  ParsePiece parse_piece_;
  std::string text_;
  std::vector<BrokenStatement> taken_out_;
  int pieces_left_ = 2000;
};

}  // namespace cpnlint::syntax
