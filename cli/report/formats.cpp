#include "cli/report/formats.h"

#include <algorithm>

#include "cli/report/prediction.h"
#include "cli/report/readiness.h"

namespace cpnlint::report {

const std::vector<Format>& Formats() {
  static const std::vector<Format> formats = {
      {"text", true, &WriteText},
      {"concise", true, &WriteConcise},
      {"json", false, [](const Document& document, const Style&) { return WriteJson(document); }},
      {"jsonl", false, &WriteJsonLines},
      {"sarif", false, [](const Document& document, const Style&) { return WriteSarif(document); }},
      {"github", false, &WriteGithub},
      {"gitlab", false, &WriteGitlab},
      {"junit", false, &WriteJunit},
      {"rdjson", false, &WriteRdjson},
      {"rdjsonl", false, &WriteRdjsonLines},
      {"azure", false, &WriteAzure},
      {"markdown", false, &WriteMarkdown},
      {"html", false, &WriteHtml},
  };
  return formats;
}

const std::vector<Format>& ReportFormats() {
  static const std::vector<Format> formats = {
      {"text", true, &WriteReadinessText},
      {"markdown", true, &WriteReadinessMarkdown},
      {"json", false, &WriteReadinessJson},
      {"html", false, &WriteHtml},
  };
  return formats;
}

const std::vector<Format>& PredictFormats() {
  static const std::vector<Format> formats = {
      {"text", true, &WritePredictionText},  {"markdown", true, &WritePredictionMarkdown},
      {"json", false, &WritePredictionJson}, {"svg", false, &WritePredictionSvg},
      {"html", false, &WriteHtml},
  };
  return formats;
}

const Format* FindFormat(std::string_view name, const std::vector<Format>& among) {
  const auto found =
      std::find_if(among.begin(), among.end(), [&](const Format& format) { return format.name == name; });
  return found == among.end() ? nullptr : &*found;
}

}  // namespace cpnlint::report
