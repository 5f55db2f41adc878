#include "cli/report/style.h"

namespace cpnlint::report {
namespace {

const char* Escape(Paint paint) {
  switch (paint) {
    case Paint::kNone: return "";
    case Paint::kError: return "\x1b[1;91m";
    case Paint::kWarning: return "\x1b[1;33m";
    case Paint::kInfo:
    case Paint::kGutter: return "\x1b[1;94m";
    case Paint::kGood: return "\x1b[1;92m";
    case Paint::kHelp: return "\x1b[1;96m";
    case Paint::kPath:
    case Paint::kBold: return "\x1b[1m";
  }
  return "";
}

}  // namespace

Paint PaintOf(rules::Severity severity) {
  switch (severity) {
    case rules::Severity::kError: return Paint::kError;
    case rules::Severity::kWarning: return Paint::kWarning;
    case rules::Severity::kInfo: return Paint::kInfo;
    case rules::Severity::kGood: return Paint::kGood;
  }
  return Paint::kNone;
}

void Append(std::string& out, const Style& style, Paint paint, std::string_view text) {
  if (!style.color || paint == Paint::kNone || text.empty()) {
    out += text;
    return;
  }
  out += Escape(paint);
  out += text;
  out += "\x1b[0m";
}

}  // namespace cpnlint::report
