#include "analyzer/syntax/slow_runs.h"

#include <algorithm>

namespace cpnlint::syntax {
namespace {

constexpr std::size_t kLongRun = 64;  // lines

enum class LineKind { kOther, kBlank, kComment, kBackslash };

struct Line {
  std::size_t begin;
  std::size_t first;  // first character that is not blank
  std::size_t end;    // without the line end
  std::size_t next;
  LineKind kind;
};

Line LineFrom(std::string_view text, std::size_t begin) {
  Line line{begin, begin, text.find('\n', begin), 0, LineKind::kOther};
  if (line.end == std::string_view::npos) line.end = text.size();
  line.next = std::min(line.end + 1, text.size());
  if (line.end > begin && text[line.end - 1] == '\r') --line.end;
  while (line.first < line.end && (text[line.first] == ' ' || text[line.first] == '\t' || text[line.first] == '\f')) {
    ++line.first;
  }
  if (line.first == line.end) {
    line.kind = LineKind::kBlank;
  } else if (text[line.first] == '#') {
    line.kind = LineKind::kComment;
  } else if (text[line.first] == '\\' && line.first + 1 == line.end) {
    line.kind = LineKind::kBackslash;
  }
  return line;
}

}  // namespace

Smoothed SmoothSlowRuns(std::string_view text, const std::vector<Span>& keep) {
  Smoothed result;
  std::vector<Line> run;
  LineKind kind = LineKind::kOther;
  const auto finish = [&] {
    Span span;
    if (!run.empty()) {
      span = {static_cast<std::uint32_t>(run.front().first), static_cast<std::uint32_t>(run.back().end)};
    }
    if (run.size() >= kLongRun && !std::binary_search(keep.begin(), keep.end(), span)) {
      if (result.text.empty()) result.text = text;
      result.runs.push_back(span);
      for (const Line& line : run) {
        // A hidden line end must go too, or it would end the statement; the others stay where they are.
        const std::size_t behind = kind == LineKind::kBackslash ? line.next : line.end;
        std::fill(result.text.begin() + static_cast<std::ptrdiff_t>(line.first),
                  result.text.begin() + static_cast<std::ptrdiff_t>(behind), ' ');
        if (line.kind != LineKind::kComment) continue;
        result.comments.push_back({static_cast<std::uint32_t>(line.first), static_cast<std::uint32_t>(line.end)});
      }
    }
    run.clear();
  };
  for (std::size_t at = 0; at < text.size();) {
    const Line line = LineFrom(text, at);
    at = line.next;
    if (line.kind == LineKind::kComment || line.kind == LineKind::kBackslash) {
      if (!run.empty() && kind != line.kind) finish();
      kind = line.kind;
      run.push_back(line);
    } else if (line.kind == LineKind::kOther || kind == LineKind::kBackslash) {
      finish();
    }
  }
  finish();
  return result;
}

}  // namespace cpnlint::syntax
