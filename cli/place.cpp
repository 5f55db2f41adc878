#include "cli/place.h"

#include <charconv>
#include <filesystem>

#include "cli/coverage.h"

namespace cpnlint::cli {
namespace {

// Takes a number from 1 on, and what stands before it, off the end of a text; false where there is none.
bool TakeNumber(std::string_view& text, std::string_view before, std::uint32_t& value) {
  const std::size_t at = text.rfind(before);
  if (at == std::string_view::npos) return false;
  const std::string_view digits = text.substr(at + before.size());
  std::uint32_t number = 0;
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || stop != digits.data() + digits.size() || number == 0) return false;
  text = text.substr(0, at);
  value = number;
  return true;
}

}  // namespace

std::optional<FilePlace> SplitPlace(std::string_view text) {
  FilePlace place;
  if (!TakeNumber(text, ":", place.line)) return std::nullopt;
  std::uint32_t before = 0;
  if (TakeNumber(text, ":", before)) place.line = before;  // what stood last was the column
  TakeNumber(text, ":cell ", place.cell);
  place.path = text;
  if (place.path.empty()) return std::nullopt;
  return place;
}

bool NamesFile(const std::string& written, const std::string& file) {
  const std::string end = std::filesystem::path(written).lexically_normal().generic_string();
  return file.ends_with("/" + end) || AbsolutePath(written) == AbsolutePath(file);
}

bool IsAt(const FilePlace& place, const report::Point& point) {
  return place.cell == point.cell && place.line == (point.cell == 0 ? point.line : point.cell_line);
}

}  // namespace cpnlint::cli
