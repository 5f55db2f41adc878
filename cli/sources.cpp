#include "cli/sources.h"

#include <algorithm>

namespace cpnlint::cli {

std::size_t Sources::ModuleAt(std::uint32_t offset) const {
  const auto after = std::upper_bound(files_.begin(), files_.end(), offset,
                                      [](std::uint32_t at, const Text& text) { return at < text.begin; });
  return static_cast<std::size_t>(after - files_.begin()) - (after == files_.begin() ? 0 : 1);
}

report::Place Sources::PlaceOf(Span span) const {
  const Text& text = files_[ModuleAt(span.begin)];
  return cli::PlaceOf(*text.file, {span.begin - text.begin, span.end - text.begin});
}

std::string_view Sources::Words(Span span) const {
  const Text& text = files_[ModuleAt(span.begin)];
  return std::string_view(text.file->text).substr(span.begin - text.begin, span.size());
}

std::string Sources::Render(const rules::Text& text) const {
  return rules::Render(text, [this](Span span) { return Words(span); });
}

report::Place PlaceOf(const source::SourceFile& source, Span span) {
  const auto point = [&](std::uint32_t offset) -> report::Point {
    if (source.notebook != nullptr) {
      const source::NotebookPlace at = source.notebook->Locate(source.lines, offset);
      return {source.lines.LineOf(offset),
              at.position.column,
              at.raw.utf16,
              at.byte,
              at.cell,
              at.position.line,
              at.raw.line,
              at.raw.column,
              at.raw.byte};
    }
    const source::Position position = source.lines.ToPosition(offset);
    return {position.line, position.column, source.lines.ToUtf16Position(offset).column,
            offset - source.lines.LineSpan(position.line).begin};
  };
  return {point(span.begin), point(std::max(span.begin, span.end))};
}

}  // namespace cpnlint::cli
