#include "cli/report/ci.h"
#include "cli/report/formats.h"
#include "cli/report/width.h"

namespace cpnlint::report {

std::string WriteConcise(const Document& document, const Style& style) {
  std::string out;
  for (const File& file : document.files) {
    if (style.statistics) break;
    for (const Finding& finding : file.findings) {
      AppendPlace(out, style, PlaceText(file, finding.place.start), file.path);
      out += ": ";
      Append(out, style, PaintOf(finding.severity), rules::CodeText(*finding.rule));
      out += ' ' + Printable(finding.message) + AlsoText(finding) + '\n';
    }
    if (!document.show_good) continue;
    for (const Good& good : file.good) {
      for (const Place& place : good.places) {
        AppendPlace(out, style, PlaceText(file, place.start), file.path);
        out += ": ";
        Append(out, style, Paint::kGood, rules::CodeText(*good.rule));
        out += std::string(" ") + good.rule->summary + '\n';
      }
    }
  }
  AppendEnd(out, document, style);
  return out;
}

}  // namespace cpnlint::report
