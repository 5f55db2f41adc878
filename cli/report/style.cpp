#include "cli/report/style.h"

#include <cctype>
#include <filesystem>

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

std::string PercentEncode(std::string_view path) {
  std::string out;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || std::string_view("-._~/").find(c) != std::string_view::npos) {
      out += c;
    } else {
      out += '%';
      out += "0123456789ABCDEF"[byte >> 4];
      out += "0123456789ABCDEF"[byte & 15];
    }
  }
  return out;
}

void AppendPlace(std::string& out, const Style& style, std::string_view text, const std::string& path) {
  const bool link = !style.links.empty() && !path.empty() && !path.starts_with('<');  // "<stdin>" is no file
  if (link) {
    const std::filesystem::path file = (std::filesystem::path(style.links) / path).lexically_normal();
    out += "\x1b]8;;file://" + PercentEncode(file.string()) + "\x1b\\";
  }
  Append(out, style, Paint::kPath, text);
  if (link) out += "\x1b]8;;\x1b\\";
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
