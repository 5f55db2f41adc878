#include "cli/sources.h"

#include <algorithm>

namespace cpnlint::cli {

namespace {

// Of texts that were read again. To read most of them several times would cost more than to keep some.
constexpr std::size_t kMostBytesAgain = std::size_t{2} << 20;

}  // namespace

void Sources::Add(Input& input, std::uint32_t begin) {
  texts_.push_back({input.loaded.file.get(), input.given ? nullptr : &input, begin, {}});
}

void Sources::DropLast() {
  Text& text = texts_.back();
  if (text.input == nullptr) return;
  text.hash = HashBytes(text.file->text);
  text.file = nullptr;
  Drop(*text.input);
}

void Sources::Trim() const {
  if (bytes_again_ < kMostBytesAgain) return;
  for (const std::size_t module : again_) {
    texts_[module].file = nullptr;
    Drop(*texts_[module].input);
  }
  again_.clear();
  bytes_again_ = 0;
}

const source::SourceFile& Sources::File(std::size_t module) const {
  Text& text = texts_[module];
  if (text.file != nullptr) return *text.file;
  if (!ReadAgain(*text.input)) {
    Drop(*text.input);  // whoever tries next has to read it, too
    throw SourceChanged(text.input->path);
  }
  if (HashBytes(text.input->loaded.file->text) != text.hash) throw SourceChanged(text.input->path);
  text.file = text.input->loaded.file.get();
  again_.push_back(module);
  bytes_again_ += text.file->text.size();
  return *text.file;
}

std::size_t Sources::ModuleAt(std::uint32_t offset) const {
  const auto after = std::upper_bound(texts_.begin(), texts_.end(), offset,
                                      [](std::uint32_t at, const Text& text) { return at < text.begin; });
  return static_cast<std::size_t>(after - texts_.begin()) - (after == texts_.begin() ? 0 : 1);
}

report::Place Sources::PlaceOf(Span span) const {
  const std::size_t module = ModuleAt(span.begin);
  const std::uint32_t begin = texts_[module].begin;
  return cli::PlaceOf(File(module), {span.begin - begin, span.end - begin});
}

std::string_view Sources::Words(Span span) const {
  const std::size_t module = ModuleAt(span.begin);
  return std::string_view(File(module).text).substr(span.begin - texts_[module].begin, span.size());
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
