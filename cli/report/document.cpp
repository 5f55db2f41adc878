#include "cli/report/document.h"

#include <algorithm>

#include "cli/report/ci.h"
#include "cli/report/width.h"

namespace cpnlint::report {

Counts Count(const Document& document) {
  Counts counts;
  for (const File& file : document.files) {
    if (file.state == File::State::kRead) continue;
    ++counts.found;
    switch (file.state) {
      case File::State::kAnalysed:
        ++counts.analysed;
        counts.lines += file.lines;
        break;
      case File::State::kForeign: ++counts.foreign; [[fallthrough]];
      case File::State::kSkipped: ++counts.skipped; break;
      case File::State::kFailed: ++counts.failed; break;
      case File::State::kRead: break;
    }
    counts.findings += file.findings.size();
    if (!file.findings.empty()) ++counts.files_with_findings;
    for (const Finding& finding : file.findings) {
      if (finding.severity == rules::Severity::kError) ++counts.errors;
      if (finding.severity == rules::Severity::kWarning) ++counts.warnings;
      if (finding.severity == rules::Severity::kInfo) ++counts.infos;
    }
  }
  return counts;
}

std::vector<verdict::Input> VerdictInputs(const Document& document) {
  std::vector<verdict::Input> inputs;
  for (const File& file : document.files) {
    verdict::Input input;
    input.path = ToUtf8(file.path);
    input.program = file.program.empty() ? input.path : file.program;
    const bool judged = file.state == File::State::kAnalysed || file.state == File::State::kRead;
    if (judged) input.evidence = &file.evidence;
    input.failed = file.state == File::State::kFailed;
    input.lines = file.lines;
    inputs.push_back(std::move(input));
  }
  return inputs;
}

std::vector<std::size_t> FindingsBefore(const Document& document) {
  std::vector<std::size_t> before;
  before.reserve(document.files.size());
  std::size_t count = 0;
  for (const File& file : document.files) {
    before.push_back(count);
    count += file.findings.size();
  }
  return before;
}

std::optional<std::size_t> FindingIndex(const Document& document, std::span<const std::size_t> before,
                                        verdict::IssueRef ref) {
  const std::optional<std::size_t> shown = document.files[ref.file].evidence.issues[ref.issue].shown;
  return shown ? std::optional(before[ref.file] + *shown) : std::nullopt;
}

std::string UnnamedText(const Document& document, const verdict::ProgramVerdict& program) {
  constexpr std::size_t kMostPaths = 3;
  std::size_t count = 0;
  std::vector<std::string> paths;
  for (const std::size_t index : program.files) {
    const File& file = document.files[index];
    if (file.state != File::State::kRead) continue;
    const std::size_t here = static_cast<std::size_t>(
        std::count_if(file.evidence.issues.begin(), file.evidence.issues.end(), verdict::Decides));
    count += here;
    if (here > 0) paths.push_back(ToUtf8(file.path));
  }
  if (count == 0) return "";
  std::string text = "counts " + Plural(count, "finding") + " in ";
  for (std::size_t i = 0; i < std::min(paths.size(), kMostPaths); ++i) text += (i == 0 ? "" : ", ") + paths[i];
  if (paths.size() > kMostPaths) text += " and " + std::to_string(paths.size() - kMostPaths) + " more";
  return text +
         (paths.size() == 1 ? ", which is only read here: name it to see "
                            : ", which are only read here: name them to see ") +
         (count == 1 ? "it" : "them");
}

NotShown CountNotShown(const Document& document, const verdict::ProgramVerdict& program) {
  NotShown count;
  for (const std::size_t index : program.files) {
    const File& file = document.files[index];
    if (file.state == File::State::kRead) continue;
    for (const verdict::Issue& issue : file.evidence.issues) {
      if (issue.shown || !verdict::Decides(issue)) continue;
      switch (issue.hidden) {
        case verdict::Hidden::kNot: ++count.other; break;
        case verdict::Hidden::kUnselected: ++count.unselected; break;
        case verdict::Hidden::kSilenced: ++count.ignored; break;
        case verdict::Hidden::kWithheld: ++count.preview; break;
      }
    }
  }
  return count;
}

std::string NotShownText(const Document& document, const verdict::ProgramVerdict& program) {
  const NotShown count = CountNotShown(document, program);
  const std::size_t all = count.ignored + count.unselected + count.preview + count.other;
  if (all == 0) return "";
  std::string parts;
  const auto add = [&](std::size_t number, std::string_view words) {
    if (number == 0) return;
    parts += (parts.empty() ? "" : ", ") + std::to_string(number) + ' ' + std::string(words);
  };
  add(count.ignored, "ignored by comments");
  add(count.unselected, "not selected");
  add(count.preview, "of previews (--preview shows them)");
  add(count.other, "hidden by --min-confidence, a baseline or --diff-base");
  return "counts " + Plural(all, "finding") + " that " + (all == 1 ? "is" : "are") + " not shown: " + parts;
}

std::string_view WhyHidden(const verdict::Issue& issue) {
  switch (issue.hidden) {
    case verdict::Hidden::kUnselected: return "not selected; the verdict counts it";
    case verdict::Hidden::kSilenced: return "ignored by a comment; the verdict counts it";
    case verdict::Hidden::kWithheld: return "of a preview, which --preview shows; the verdict counts it, as it raises";
    case verdict::Hidden::kNot: break;
  }
  return "hidden by --min-confidence, a baseline or --diff-base; the verdict counts it";
}

void Judge(Document& document, const verdict::Settings& settings) {
  document.verdict = verdict::Judge(VerdictInputs(document), settings);
}

namespace {

verdict::Spot SpotOf(const Point& point) { return {point.cell, ShownLine(point), point.column}; }

// False where no place is left.
bool Narrow(Finding& finding, const std::vector<bool>& keep) {
  std::vector<Place> places = {finding.place};
  places.insert(places.end(), finding.also.begin(), finding.also.end());
  std::vector<Place> kept;
  std::vector<std::string> code;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (!keep[i]) continue;
    kept.push_back(places[i]);
    if (i < finding.code.size()) code.push_back(finding.code[i]);
  }
  if (kept.empty()) return false;
  if (!keep.front()) {
    finding.extent = kept.front();
    // The message may quote what stands at the place that goes.
    if (!finding.code.empty() && !code.empty() && finding.code.front() != code.front()) {
      finding.message = "here `" + code.front() + "`, as on " + LinesText({finding.place}) + ": " + finding.message;
      finding.label.clear();
    }
  }
  finding.place = kept.front();
  finding.also.assign(kept.begin() + 1, kept.end());
  finding.code = std::move(code);
  return true;
}

}  // namespace

void KeepPlaces(Document& document, const std::vector<KeptPlaces>& keep) {
  for (std::size_t i = 0; i < document.files.size(); ++i) {
    File& file = document.files[i];
    std::vector<std::pair<Finding, std::size_t>> kept;  // and where it stood
    for (std::size_t finding = 0; finding < file.findings.size(); ++finding) {
      if (Narrow(file.findings[finding], keep[i][finding]))
        kept.emplace_back(std::move(file.findings[finding]), finding);
    }
    // Some stand further down than they did.
    std::stable_sort(kept.begin(), kept.end(),
                     [](const auto& a, const auto& b) { return a.first.place.start < b.first.place.start; });
    std::vector<std::optional<std::size_t>> position(file.findings.size());
    file.findings.clear();
    for (auto& [finding, before] : kept) {
      position[before] = file.findings.size();
      file.findings.push_back(std::move(finding));
    }
    for (verdict::Issue& issue : file.evidence.issues) {
      if (!issue.shown) continue;
      issue.shown = position[*issue.shown];
      if (issue.shown) issue.start = SpotOf(file.findings[*issue.shown].place.start);
    }
  }
}

bool IsNoteworthy(const Note& note) {
  // A file without arrays is no news; a part that was lost is.
  if (note.kind == "not-analysed") return note.start.has_value();
  return note.kind != "compiled-region" && note.kind != "unreached";
}

std::string HashText(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3;
  }
  std::string digits(16, '0');
  for (int i = 15; i >= 0; --i, hash >>= 4) digits[static_cast<std::size_t>(i)] = "0123456789abcdef"[hash & 15];
  return digits;
}

void SetFingerprints(File& file, const std::vector<std::string>& words) {
  std::map<std::string, int> seen;
  for (std::size_t i = 0; i < file.findings.size(); ++i) {
    Finding& finding = file.findings[i];
    std::string key = rules::CodeText(*finding.rule);
    key += '\0';
    key += finding.function;
    key += '\0';
    bool blank = false;
    for (const char c : words[i]) {
      const bool is_blank = c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\\';
      if (is_blank) {
        blank = true;
        continue;
      }
      if (blank) key += ' ';
      blank = false;
      key += c;
    }
    const int ordinal = seen[key]++;
    key += '\0';
    key += std::to_string(ordinal);
    finding.fingerprint = HashText(key);
  }
}

void PlaceFingerprints(Document& document) {
  for (File& file : document.files) {
    const std::string path = PathInRepository(document, file.path);
    for (Finding& finding : file.findings) finding.fingerprint = HashText(path + '\0' + finding.fingerprint);
  }
}

std::string LineText(const std::string& path, const std::optional<Point>& point) {
  std::string text = path;
  if (!point) return text;
  if (point->cell != 0) text += ":cell " + std::to_string(point->cell);
  return text + ':' + std::to_string(ShownLine(*point));
}

std::string ToUtf8(std::string_view bytes) {
  const bool plain =
      std::all_of(bytes.begin(), bytes.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  if (plain) return std::string(bytes);
  std::string out;
  out.reserve(bytes.size());
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t begin = at;
    if (NextCharacter(bytes, at) == 0xFFFD && at == begin + 1) {
      out += "\xEF\xBF\xBD";
    } else {
      out.append(bytes, begin, at - begin);
    }
  }
  return out;
}

}  // namespace cpnlint::report
