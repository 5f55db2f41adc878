#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/base/span.h"
#include "analyzer/source/line_index.h"

namespace cpnlint::source {

// A place in the notebook's file, which is JSON. All count from 1; a byte-order mark counts as no column.
struct RawPosition {
  std::uint32_t line = 1;
  std::uint32_t column = 1;  // in code points
  std::uint32_t utf16 = 1;   // the same in UTF-16 units
  std::uint32_t byte = 1;    // the same in bytes of UTF-8
};

// Where a line of a notebook's program stands.
struct NotebookLine {
  std::uint32_t cell = 1;  // ordinal among the notebook's code cells, from 1
  std::uint32_t line = 1;  // within the cell, from 1
  std::int32_t shift = 0;  // what to add to a column of the program's text for the column in the cell
  RawPosition raw;         // of the cell line's first character
};

// Where an offset of the program's text stands.
struct NotebookPlace {
  std::uint32_t cell = 1;
  Position position;       // within the cell, columns in code points
  std::uint32_t byte = 0;  // offset in the cell's line
  RawPosition raw;
};

// How the text of a notebook's program, all its code cells one after another, relates to the notebook.
struct NotebookMap {
  // One for each line of the text, the empty last one included.
  std::vector<NotebookLine> lines;
  // The spans of the cells that hold Python, with their last line end, in order.
  std::vector<Span> cells;
  // Lines that the text has otherwise than the cell (`%magic`, a common indentation), as the cell has them.
  std::vector<std::pair<std::uint32_t, std::string>> written;
  // Characters of the text that take more room in JSON: where they stand, and how many UTF-16 units more.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> escapes;

  [[nodiscard]] NotebookPlace Locate(const LineIndex& text, std::uint32_t offset) const;
  // The line as the cell has it.
  [[nodiscard]] std::string_view LineText(const LineIndex& text, std::uint32_t line) const;
  // The line of the text for a line of a cell; 0 where there is none.
  [[nodiscard]] std::uint32_t LineOf(std::uint32_t cell, std::uint32_t line) const;
};

struct Notebook {
  std::string text;  // what Python sees of the code cells, in their order; each ends with a line end
  NotebookMap map;
  // Set where there is no text: the file is no notebook, or its language is not Python.
  std::string problem;
  bool foreign = false;  // a whole notebook of another language
};

// Files of this name are notebooks.
bool IsNotebookPath(std::string_view path);

// Reads a notebook of format 3 or 4. `json` in UTF-8, valid. Never fails: `problem` says what is wrong.
Notebook ReadNotebook(std::string_view json);

}  // namespace cpnlint::source
