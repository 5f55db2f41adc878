#include "cli/report/formats.h"

#include <algorithm>

namespace cpnlint::report {

const std::vector<Format>& Formats() {
  static const std::vector<Format> formats = {
      {"text", true, &WriteText},
      {"concise", true, &WriteConcise},
      {"json", false, [](const Document& document, const Style&) { return WriteJson(document); }},
      {"sarif", false, [](const Document& document, const Style&) { return WriteSarif(document); }},
  };
  return formats;
}

const Format* FindFormat(std::string_view name) {
  const std::vector<Format>& formats = Formats();
  const auto found =
      std::find_if(formats.begin(), formats.end(), [&](const Format& format) { return format.name == name; });
  return found == formats.end() ? nullptr : &*found;
}

}  // namespace cpnlint::report
