#include "cli/ignores.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "analyzer/syntax/logical_lines.h"
#include "analyzer/syntax/parse.h"
#include "analyzer/syntax/pragmas.h"
#include "cli/coverage.h"
#include "cli/sources.h"

namespace cpnlint::cli {
namespace {

using syntax::Pragma;

// Options that change what is found.
constexpr auto kOfOneRun = std::to_array<const char*>(
    {"--assume", "--exclude", "--extend-exclude", "--gpus", "--nodes", "--profile", "--target-version"});

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\f' || c == '\r'; }
bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Where another tool's comment begins in what follows an ignore's bracket (`# type: ignore`, `# pragma: no cover`): at
// a
// `#` behind a blank, with a word behind it. `see #123` is none.
std::uint32_t ForeignComment(std::string_view text, std::uint32_t at, std::uint32_t end) {
  for (; at < end; ++at) {
    if (text[at] != '#' || at == 0 || !IsBlank(text[at - 1])) continue;
    std::uint32_t next = at + 1;
    while (next < end && IsBlank(text[next])) ++next;
    if (next < end && IsLetter(text[next])) return at;
  }
  return end;
}

std::uint32_t TrimmedEnd(std::string_view text, std::uint32_t begin, std::uint32_t end) {
  while (end > begin && IsBlank(text[end - 1])) --end;
  return end;
}

// One past the bracket behind an ignore's codes.
std::uint32_t BehindBracket(std::string_view text, const Pragma& pragma) {
  const std::size_t bracket = text.find(']', pragma.codes.back().span.end);
  return static_cast<std::uint32_t>(std::min<std::size_t>(bracket, pragma.span.end - 1) + 1);
}

// A file as it lies on the disk now, taken apart.
struct Page {
  Editable from;
  syntax::Tree tree;
  std::vector<Pragma> pragmas;
  std::vector<syntax::LogicalLine> lines;

  [[nodiscard]] std::string_view text() const { return from.file->text; }
  [[nodiscard]] const source::LineIndex& index() const { return from.file->lines; }
};

void TakeApart(Page& page) {
  page.tree = syntax::Parse(*page.from.file);
  page.pragmas = syntax::FindPragmas(page.tree);
  const std::string_view text = page.text();
  std::vector<Span> cells(page.tree.cells().begin(), page.tree.cells().end());
  if (cells.empty()) cells.push_back({0, static_cast<std::uint32_t>(text.size())});
  page.lines.clear();
  for (const Span cell : cells) {
    for (syntax::LogicalLine& line : syntax::FindLogicalLines(text.substr(cell.begin, cell.size()))) {
      line.span = {line.span.begin + cell.begin, line.span.end + cell.begin};
      page.lines.push_back(line);
    }
  }
}

Result<Page> Open(const report::File& file) {
  auto from = ReadToEdit(file.path);
  if (!from) return tl::make_unexpected(from.error());
  Page page;
  page.from = std::move(*from);
  bool same = page.index().line_count() == file.lines;
  for (const auto& [line, shown] : file.text) {
    same = same && line <= page.index().line_count() && page.from.file->LineText(line) == shown.text;
  }
  if (!same) return Fail("cannot change `" + file.path + "`: it changed while it was analysed; run it again");
  TakeApart(page);
  return page;
}

void Finish(Changes& changes, Page& page, std::vector<Edit> edits, std::size_t number) {
  auto raw = LocateEdits(page.from, std::move(edits));
  if (!raw) {
    changes.troubles.push_back("cannot change `" + page.from.path + "`: " + raw.error().message);
    return;
  }
  changes.number += number;
  changes.files.push_back({page.from.path, std::move(page.from.bytes), std::move(*raw)});
}

// --- taking out ---

bool IsPartlyAnalysed(const report::File& file) {
  if (file.state != report::File::State::kAnalysed) return true;
  return std::any_of(file.notes.begin(), file.notes.end(), [](const report::Note& note) {
    return note.kind == "syntax-error" || note.kind == "budget" || note.kind == "not-analysed" ||
           note.kind == "encoding" || note.kind == "internal-error";
  });
}

Edit WithoutPragma(const Page& page, const Pragma& pragma) {
  const std::string_view text = page.text();
  const Span line = page.index().LineSpan(page.index().LineOf(pragma.span.begin));
  const std::uint32_t end = ForeignComment(text, BehindBracket(text, pragma), pragma.span.end);
  return {{pragma.span.begin, std::min(end, line.end)}, ""};
}

// Takes the blanks along that nothing follows any more, and a line of which nothing is left.
std::vector<Edit> Tidied(const Page& page, std::vector<Edit> edits) {
  std::sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) { return a.span < b.span; });
  std::vector<Edit> tidy;
  for (Edit& edit : edits) {
    if (!tidy.empty() && edit.text.empty() && tidy.back().text.empty() && tidy.back().span.end == edit.span.begin) {
      tidy.back().span.end = edit.span.end;
    } else {
      tidy.push_back(std::move(edit));
    }
  }
  const std::string_view text = page.text();
  for (Edit& edit : tidy) {
    const Span line = page.index().LineSpan(page.index().LineOf(edit.span.begin));
    if (!edit.text.empty() || edit.span.end != line.end) continue;
    edit.span.begin = TrimmedEnd(text, line.begin, edit.span.begin);
    if (edit.span.begin > line.begin) continue;
    edit.span.end = static_cast<std::uint32_t>(std::min(text.find('\n', line.begin), text.size() - 1) + 1);
  }
  return tidy;
}

Edit WithoutCodes(const Pragma& pragma, const std::vector<std::string>& unused) {
  std::string kept;
  for (const syntax::PragmaCode& code : pragma.codes) {
    if (std::find(unused.begin(), unused.end(), code.text) != unused.end()) continue;
    kept += (kept.empty() ? "" : ", ") + code.text;
  }
  return {{pragma.codes.front().span.begin, pragma.codes.back().span.end}, kept};
}

// --- writing ---

// Where a comment for the place may be appended: the end of its line, or of its statement where the line ends within a
// string or in a backslash.
std::uint32_t CommentPlace(const Page& page, std::uint32_t offset) {
  const std::string_view text = page.text();
  const Span line = page.index().LineSpan(page.index().LineOf(offset));
  const auto ends_in_comment = [&](Span span) {
    const auto comments = page.tree.comments();
    return std::any_of(comments.begin(), comments.end(),
                       [&](Span comment) { return comment.begin < span.end && span.end <= comment.end; });
  };
  bool free = ends_in_comment(line);
  if (!free) {
    free = !(line.end > line.begin && text[line.end - 1] == '\\');
    const auto end = std::min(line.end + 1, static_cast<std::uint32_t>(text.size()));
    for (syntax::Node node = page.tree.Covering({line.end, end}); node && node != page.tree.root() && free;
         node = node.parent()) {
      free = !node.Is(syntax::Kind::kString);
    }
  }
  const std::size_t at = syntax::LineAt(page.lines, offset);
  if (free || at == page.lines.size()) return TrimmedEnd(text, line.begin, line.end);
  const Span last = page.index().LineSpan(page.index().LineOf(page.lines[at].span.end));
  return TrimmedEnd(text, last.begin, last.end);
}

std::string Joined(const std::set<std::string>& codes) {
  std::string text;
  for (const std::string& code : codes) text += (text.empty() ? "" : ", ") + code;
  return text;
}

// Adds codes and reason to an ignore that is there.
void Extend(const Page& page, const Pragma& pragma, std::set<std::string> codes, const std::string& reason,
            std::vector<Edit>& edits) {
  for (const syntax::PragmaCode& code : pragma.codes) codes.erase(code.text);
  const std::uint32_t last = pragma.codes.back().span.end;
  if (!codes.empty()) edits.push_back({{last, last}, ", " + Joined(codes)});
  const std::string_view text = page.text();
  const std::uint32_t bracket = BehindBracket(text, pragma);
  const std::uint32_t end = TrimmedEnd(text, bracket, ForeignComment(text, bracket, pragma.span.end));
  const std::string_view old = text.substr(bracket, end - bracket);
  if (old.find(reason) != std::string_view::npos) return;
  edits.push_back({{end, end}, (old.empty() ? " " : "; ") + reason});
}

struct Wanted {
  std::uint32_t offset;
  std::string code;
  report::Place place;
};

std::vector<Wanted> PlacesOf(const Page& page, const report::File& file) {
  // Back from what people count to the text: a notebook's columns count in its cell.
  const auto offset_of = [&](const report::Point& point) {
    const Span line = page.index().LineSpan(point.line);
    std::int64_t byte = point.byte;
    if (page.from.file->notebook != nullptr) byte -= page.from.file->notebook->lines[point.line - 1].shift;
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(line.begin + byte, line.begin, line.end));
  };
  std::vector<Wanted> wanted;
  for (const report::Finding& finding : file.findings) {
    const std::string code = rules::CodeText(*finding.rule);
    wanted.push_back({offset_of(finding.place.start), code, finding.place});
    for (const report::Place& place : finding.also) wanted.push_back({offset_of(place.start), code, place});
  }
  return wanted;
}

bool Covers(const Pragma& pragma, std::uint32_t offset) {
  return pragma.type == Pragma::Type::kIgnore && pragma.applies_to.begin <= offset && offset < pragma.applies_to.end;
}

// The part of a reason that is read back: dashes before it are punctuation.
std::string_view Said(std::string_view reason) {
  const std::size_t begin = std::min(reason.find_first_not_of(" \t-:"), reason.size());
  return reason.substr(begin, reason.find_last_not_of(" \t") + 1 - begin);
}

// Whether the written file silences what it should, and says why.
bool SilencesAll(const Page& page, const std::vector<Edit>& edits, const ChangedFile& changed,
                 const std::vector<Wanted>& wanted, const std::string& reason) {
  Page after;
  after.from.path = changed.path;
  source::LoadOutcome loaded = source::LoadBytes(changed.path, Applied(changed.bytes, changed.edits));
  if (loaded.file == nullptr) return false;
  after.from.file = std::move(loaded.file);
  TakeApart(after);
  return after.tree.size() == page.tree.size() && std::all_of(wanted.begin(), wanted.end(), [&](const Wanted& want) {
           std::uint32_t offset = want.offset;
           for (const Edit& edit : edits) {
             if (edit.span.begin <= want.offset) offset += static_cast<std::uint32_t>(edit.text.size());
           }
           return std::any_of(after.pragmas.begin(), after.pragmas.end(), [&](const Pragma& pragma) {
             return Covers(pragma, offset) && pragma.reason.find(Said(reason)) != std::string::npos &&
                    std::any_of(pragma.codes.begin(), pragma.codes.end(),
                                [&](const syntax::PragmaCode& code) { return code.text == want.code; });
           });
         });
}

// What is written at one place, and what it silences.
struct Addition {
  std::vector<Edit> edits;
  std::vector<Wanted> wanted;
};

std::vector<Addition> AdditionsTo(const Page& page, const report::File& file, const std::string& reason) {
  std::map<std::size_t, std::vector<Wanted>> extended;  // by pragma
  std::map<std::uint32_t, std::vector<Wanted>> added;   // by place of the comment
  for (Wanted& want : PlacesOf(page, file)) {
    const auto found = std::find_if(page.pragmas.begin(), page.pragmas.end(),
                                    [&](const Pragma& pragma) { return Covers(pragma, want.offset); });
    if (found != page.pragmas.end()) {
      extended[static_cast<std::size_t>(found - page.pragmas.begin())].push_back(std::move(want));
    } else {
      added[CommentPlace(page, want.offset)].push_back(std::move(want));
    }
  }
  const auto codes_of = [](const std::vector<Wanted>& wanted) {
    std::set<std::string> codes;
    for (const Wanted& want : wanted) codes.insert(want.code);
    return codes;
  };
  std::vector<Addition> additions;
  for (auto& [pragma, wanted] : extended) {
    Addition& addition = additions.emplace_back();
    Extend(page, page.pragmas[pragma], codes_of(wanted), reason, addition.edits);
    addition.wanted = std::move(wanted);
  }
  for (auto& [at, wanted] : added) {
    const std::string codes = Joined(codes_of(wanted));
    additions.push_back({{{{at, at}, "  # cpnlint: ignore[" + codes + "] " + reason}}, std::move(wanted)});
  }
  return additions;
}

Result<ChangedFile> Added(const Page& page, const std::vector<Addition>& additions, const std::string& reason) {
  std::vector<Edit> edits;
  std::vector<Wanted> wanted;
  for (const Addition& addition : additions) {
    edits.insert(edits.end(), addition.edits.begin(), addition.edits.end());
    wanted.insert(wanted.end(), addition.wanted.begin(), addition.wanted.end());
  }
  auto raw = LocateEdits(page.from, edits);
  if (!raw) return tl::make_unexpected(raw.error());
  ChangedFile changed = {page.from.path, page.from.bytes, std::move(*raw)};
  if (SilencesAll(page, edits, changed, wanted, reason)) return changed;
  return Fail("an ignore with this reason would not be read as one; write it by hand");
}

void AddTo(Changes& changes, const report::File& file, const std::string& reason) {
  auto page = Open(file);
  if (!page) {
    changes.troubles.push_back(page.error().message);
    return;
  }
  std::vector<Addition> additions = AdditionsTo(*page, file, reason);
  auto changed = Added(*page, additions, reason);
  if (!changed) {
    // One place where nothing can be written does not keep the others from it.
    std::vector<std::string> troubles;
    std::erase_if(additions, [&](const Addition& addition) {
      const auto alone = Added(*page, {addition}, reason);
      if (alone) return false;
      const std::string place = report::LineText(file.path, addition.wanted.front().place.start);
      troubles.push_back("cannot write an ignore at `" + place +
                         "`; write it by hand, on a line of its own above: " + alone.error().message);
      return true;
    });
    if (additions.empty() && troubles.size() > 1) {
      troubles = {"cannot change `" + file.path + "`: " + changed.error().message};
    }
    changes.troubles.insert(changes.troubles.end(), troubles.begin(), troubles.end());
    if (additions.empty()) return;
    changed = Added(*page, additions, reason);
  }
  if (!changed) {
    changes.troubles.push_back("cannot change `" + file.path + "`: " + changed.error().message);
    return;
  }
  changes.number += additions.size();
  changes.files.push_back(std::move(*changed));
}

}  // namespace

void ForgetUnsettled(report::File& file, const Options& options) {
  // These hold for one run; the next one may find what this one does not.
  const bool settled = std::none_of(kOfOneRun.begin(), kOfOneRun.end(),
                                    [&](const char* option) { return options.given.contains(option); });
  // Nothing imports a notebook: what it says of its functions is all there is.
  const bool alone = file.path.ends_with(".ipynb");
  if (settled && (alone || ReadsAllAround(options, file.path))) return;
  std::erase_if(file.notes, [](const report::Note& note) { return !note.codes.empty(); });
}

Changes RemoveUnusedIgnores(const report::Document& document) {
  Changes changes;
  for (const report::File& file : document.files) {
    const bool any =
        std::any_of(file.notes.begin(), file.notes.end(), [](const report::Note& note) { return !note.codes.empty(); });
    if (!any || IsPartlyAnalysed(file)) continue;
    auto page = Open(file);
    if (!page) {
      changes.troubles.push_back(page.error().message);
      continue;
    }
    std::vector<Edit> edits;
    std::size_t number = 0;
    for (const report::Note& note : file.notes) {
      if (note.codes.empty()) continue;
      for (const Pragma& pragma : page->pragmas) {
        if (PlaceOf(*page->from.file, pragma.span).start != note.start) continue;
        const bool all = note.codes.size() >= pragma.codes.size();
        edits.push_back(all ? WithoutPragma(*page, pragma) : WithoutCodes(pragma, note.codes));
        number += note.codes.size();
      }
    }
    Finish(changes, *page, Tidied(*page, std::move(edits)), number);
  }
  return changes;
}

Changes AddIgnores(const report::Document& document, const std::string& reason) {
  Changes changes;
  for (const report::File& file : document.files) {
    if (!file.findings.empty()) AddTo(changes, file, reason);
  }
  return changes;
}

}  // namespace cpnlint::cli
