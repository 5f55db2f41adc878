#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cpnlint::source {

// A line of a cell as Python sees it.
struct CodeLine {
  std::string text;  // without its line end; a CR before it is kept
  // What to add to a column of `text` for the column in the cell: positive where something was taken off the front (a
  // common indentation, `%time`), negative where something was put there.
  std::int32_t shift = 0;
};

// What IPython makes of a code cell before Python sees it. Each line of the cell is one line here.
struct CellCode {
  bool python = true;  // false: `%%bash`, `%%cython`, `%%writefile`, ...: the cell is not part of the program
  std::vector<CodeLine> lines;
};

// Indentation that the cell's first line has goes from all lines. Then:
//   `%magic`, `!command`, `name?`     a comment, or in a block an expression without effect
//   `x = !command`, `x = %magic`      `x` becomes a name that nobody knows
//   `%time f(x)`, `%prun f(x)`        the statement
//   `%timeit f(x)`, `%%timeit` cells  the statements, which may run or not: what they bind is not bound afterwards
//   `%pylab`                          its imports
//   `%%time`, `%%capture`, ...        the cell without that line
CellCode ReadCell(std::string_view code);

}  // namespace cpnlint::source
