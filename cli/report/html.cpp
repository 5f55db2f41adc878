// The page: one file that needs no network. Its form, looks and scripts are files in cli/report/html; what it shows
// goes in as two islands of JSON, in which no character is left that HTML could take for its own.

#include "cli/report/html.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include <nlohmann/json.hpp>

#include "cli/report/formats.h"
#include "cli/report/prediction.h"
#include "cli/report/readiness.h"
#include "cli/report/width.h"
#include "embedded/html_base_js.h"
#include "embedded/html_findings_js.h"
#include "embedded/html_main_js.h"
#include "embedded/html_model_js.h"
#include "embedded/html_page_css.h"
#include "embedded/html_page_html.h"
#include "embedded/html_report_js.h"
#include "embedded/html_source_js.h"
#include "embedded/html_verdict_js.h"

namespace cpnlint::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostText = 350'000;    // bytes of source: beyond it, functions with findings
constexpr std::size_t kMostModels = 300'000;  // bytes of predictions: beyond it, the heaviest programs
constexpr std::size_t kMostPlain = 60'000;    // bytes for readers without scripts
constexpr std::uint32_t kAround = 4;          // lines around a finding that stands in no function
constexpr std::size_t kLongestLine = 2000;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::string Dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

// Shows nothing, or turns the direction of what follows.
bool IsHidden(char32_t c) {
  return (c >= 0x7f && c < 0xa0) || c == 0xad || c == 0x61c || c == 0x180e || (c >= 0x200b && c <= 0x200f) ||
         (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x2069) || c == 0xfeff || (c >= 0xfff9 && c <= 0xfffb);
}

// JSON that a script element can hold, whatever is in its texts.
void AppendIsland(std::string& out, std::string_view json) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  for (std::size_t at = 0; at < json.size();) {
    const std::size_t begin = at;
    const char32_t c = NextCharacter(json, at);
    if (c != U'<' && c != U'>' && c != U'&' && !IsHidden(c)) {
      out.append(json, begin, at - begin);
      continue;
    }
    out += "\\u";
    for (int shift = 12; shift >= 0; shift -= 4) out += kDigits[(c >> shift) & 15];
  }
}

std::string Escaped(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const char32_t c = NextCharacter(text, at);
    switch (c) {
      case U'&': out += "&amp;"; break;
      case U'<': out += "&lt;"; break;
      case U'>': out += "&gt;"; break;
      case U'"': out += "&quot;"; break;
      default:
        if ((c < 0x20 && c != U'\n') || IsHidden(c) || c == 0xFFFD) {
          out += "\xEF\xBF\xBD";
        } else {
          out.append(text, begin, at - begin);
        }
    }
  }
  return out;
}

// --- findings ---

Json MarkJson(const Place& place, const char* kind, const std::string& text) {
  const bool one_line = place.end.line == place.start.line;
  return {place.start.line, place.start.column, one_line ? place.end.column : 0, kind, ToUtf8(text)};
}

// What the page tells of a finding beyond the JSON document. `source`: its file among the sources.
Json TextJson(const Finding& finding, const Json& source) {
  Json marks = Json::array({MarkJson(finding.place, "primary", finding.label)});
  for (const Place& place : finding.also) marks.push_back(MarkJson(place, "primary", ""));
  for (const Related& related : finding.related) {
    if (related.path.empty()) marks.push_back(MarkJson(related.place, "story", related.message));
  }
  return {{"source", source},           {"line", finding.place.start.line}, {"label", ToUtf8(finding.label)},
          {"why", ToUtf8(finding.why)}, {"help", ToUtf8(finding.help)},     {"marks", std::move(marks)}};
}

Json RulesJson(const Document& document) {
  std::map<std::string, const rules::Rule*> used;
  for (const File& file : document.files) {
    for (const Finding& finding : file.findings) used.emplace(rules::CodeText(*finding.rule), finding.rule);
  }
  Json json = Json::object();
  for (const auto& [code, rule] : used) {
    json[code] = {{"summary", rule->summary},
                  {"bad", rule->bad},
                  {"good", rule->good},
                  {"recipe", std::string(rules::RecipeText(rule->recipe))}};
  }
  return json;
}

// --- sources ---

// The lines that a file is shown with where there is no room for all: functions with findings, lines around others.
std::set<std::uint32_t> LinesOfInterest(const File& file, bool functions) {
  const auto count = static_cast<std::uint32_t>(file.page->lines.size());
  std::set<std::uint32_t> lines;
  const auto add = [&](std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t line = std::max(1U, first); line <= std::min(last, count); ++line) lines.insert(line);
  };
  for (const Finding& finding : file.findings) {
    const std::uint32_t at = finding.place.start.line;
    const PageFile::Scope* innermost = nullptr;
    for (const PageFile::Scope& scope : file.page->functions) {
      if (scope.first > at || scope.last < at) continue;
      if (innermost == nullptr || scope.last - scope.first < innermost->last - innermost->first) innermost = &scope;
    }
    if (functions && innermost != nullptr) {
      add(innermost->first, innermost->last);
    } else {
      add(at > kAround ? at - kAround : 1, at + kAround);
    }
  }
  return lines;
}

std::size_t SizeOf(const File& file, const std::set<std::uint32_t>& lines) {
  std::size_t size = 0;
  for (const std::uint32_t line : lines) size += std::min(file.page->lines[line - 1].text.size(), kLongestLine) + 4;
  return size;
}

// Which lines of each file the page holds: all of them, or as many as there is room for.
std::vector<std::pair<const File*, std::set<std::uint32_t>>> ChooseLines(const Document& document) {
  std::vector<std::pair<const File*, std::set<std::uint32_t>>> chosen;
  for (const int form : {0, 1, 2}) {
    std::size_t size = 0;
    chosen.clear();
    for (const File& file : document.files) {
      if (file.page == nullptr) continue;
      std::set<std::uint32_t>& lines = chosen.emplace_back(&file, std::set<std::uint32_t>()).second;
      if (form == 0) {
        for (std::uint32_t line = 1; line <= file.page->lines.size(); ++line) lines.insert(lines.end(), line);
      } else {
        lines = LinesOfInterest(file, form == 1);
      }
      size += SizeOf(file, lines);
    }
    if (size <= kMostText) break;
  }
  return chosen;
}

std::string LineText(const SourceLine& line) {
  std::string text = ToUtf8(line.text);
  if (text.size() <= kLongestLine) return text;
  std::size_t end = kLongestLine;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return text.substr(0, end) + "…";
}

Json ChunksJson(const File& file, const std::set<std::uint32_t>& lines) {
  Json chunks = Json::array();
  std::uint32_t last = 0;
  // The empty line behind the last line end is none that people count.
  const auto count = static_cast<std::uint32_t>(file.page->lines.size());
  for (const std::uint32_t line : lines) {
    const SourceLine& source = file.page->lines[line - 1];
    if (line == count && source.text.empty() && count > 1) break;
    if (chunks.empty() || line != last + 1) {
      chunks.push_back({{"first", line}, {"text", Json::array()}});
      if (source.cell != 0) chunks.back()["cells"] = Json::array();
    }
    std::string text = LineText(source);
    if (line == 1 && text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());  // no column counts it
    chunks.back()["text"].push_back(std::move(text));
    if (source.cell != 0) chunks.back()["cells"].push_back({source.cell, source.cell_line});
    last = line;
  }
  return chunks;
}

Json ArraysJson(const PageFile& file) {
  constexpr const char* kKinds[] = {"r", "w", "h"};
  Json json = Json::array();
  for (const PageArray& array : file.arrays) {
    Json events = Json::array();
    for (const PageArray::Event& event : array.events) {
      events.push_back({event.line, kKinds[static_cast<std::size_t>(event.kind)]});
    }
    json.push_back({{"name", ToUtf8(array.name)},
                    {"function", ToUtf8(array.function)},
                    {"line", array.line},
                    {"events", std::move(events)},
                    {"bytes", std::round(array.bytes)},
                    {"known", array.known}});
  }
  return json;
}

Json SourcesJson(const Document& document) {
  Json json = Json::array();
  for (const auto& [file, lines] : ChooseLines(document)) {
    const std::vector<SourceLine>& all = file->page->lines;
    const std::size_t count = all.size() - (all.size() > 1 && all.back().text.empty() ? 1 : 0);
    json.push_back({{"path", ToUtf8(file->path)},
                    {"lines", count},
                    {"chunks", ChunksJson(*file, lines)},
                    {"arrays", ArraysJson(*file->page)}});
  }
  return json;
}

// --- all together ---

// The models that fit, heaviest program first.
std::string ModelsJson(const Document& document) {
  std::vector<const PageModel*> models;
  const auto weight = [](const PageModel* model) {
    double sum = 0;
    for (const PredictedRegion& region : model->prediction.regions) sum += TimeOf(region);
    return sum;
  };
  for (const File& file : document.files) {
    if (file.model != nullptr) models.push_back(file.model.get());
  }
  std::stable_sort(models.begin(), models.end(),
                   [&](const PageModel* a, const PageModel* b) { return weight(a) > weight(b); });
  std::string out = "[";
  for (const PageModel* model : models) {
    std::string json = ModelJson(*model);
    if (out.size() > 1 && out.size() + json.size() > kMostModels) continue;
    out += (out.size() > 1 ? "," : "") + json;
  }
  return out + "]";
}

std::string PageJson(const Document& document) {
  Json texts = Json::array();
  std::size_t sources = 0;
  for (const File& file : document.files) {
    const Json source = file.page != nullptr ? Json(sources++) : Json(nullptr);
    for (const Finding& finding : file.findings) texts.push_back(TextJson(finding, source));
  }
  std::string program, action, wider;
  if (document.verdict) {
    const verdict::ProgramVerdict& worst = document.verdict->programs[document.verdict->worst];
    program = worst.root;
    action = verdict::Action(worst);
    wider = WiderText(document, worst);
  }
  const Json plain = {{"program", ToUtf8(program)},
                      {"action", ToUtf8(action)},
                      {"wider", wider},
                      {"profile_note", ToUtf8(document.profile_note)},
                      {"what_if", !document.what_if.empty()},
                      {"rules", RulesJson(document)}};
  std::string out = Dump(plain);
  out.pop_back();
  out += ",\n\"texts\":" + Dump(texts);
  out += ",\n\"sources\":" + Dump(SourcesJson(document));
  out += ",\n\"report\":" + ReadinessJson(document);
  return out + ",\n\"models\":" + ModelsJson(document) + "}";
}

std::string Title(const Document& document) {
  if (!document.verdict) return "cpnlint";
  const verdict::ProgramVerdict& worst = document.verdict->programs[document.verdict->worst];
  return std::string(verdict::Name(worst.tier)) + ": " + worst.root + " (cpnlint)";
}

std::string Plain(const Document& document) {
  std::string text;
  if (document.verdict) text = WriteReadinessText(document, Style{});
  text += "\n" + WriteConcise(document, Style{});
  if (text.size() <= kMostPlain) return text;
  const std::size_t end = text.rfind('\n', kMostPlain);
  return text.substr(0, end == std::string::npos ? kMostPlain : end) + "\n...\n";
}

std::string Script() {
  std::string out = "\"use strict\";\n(() => {\n";
  for (const std::string_view part :
       {embedded::html_base_js(), embedded::html_verdict_js(), embedded::html_model_js(), embedded::html_findings_js(),
        embedded::html_source_js(), embedded::html_report_js(), embedded::html_main_js()}) {
    out += part;
    out += '\n';
  }
  return out + "})();";
}

}  // namespace

std::string WriteHtml(const Document& document, const Style&) {
  std::map<std::string_view, std::string> parts;
  parts["title"] = Escaped(ToUtf8(Title(document)));
  parts["css"] = embedded::html_page_css();
  parts["text"] = Escaped(ToUtf8(Plain(document)));
  AppendIsland(parts["json"], PackedJson(WriteJson(document)));
  AppendIsland(parts["page"], PackedJson(PageJson(document)));
  parts["js"] = Script();
  std::string out;
  std::string_view form = embedded::html_page_html();
  while (true) {
    const std::size_t open = form.find('@');
    out += form.substr(0, open);
    if (open == std::string_view::npos) return out;
    const std::size_t close = form.find('@', open + 1);
    out += parts[form.substr(open + 1, close - open - 1)];
    form.remove_prefix(close + 1);
  }
}

}  // namespace cpnlint::report
