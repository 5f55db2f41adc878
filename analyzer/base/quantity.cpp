#include "analyzer/base/quantity.h"

#include <cstdio>
#include <iterator>

namespace cpnlint {
namespace {

std::string Printed(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::string Significant(double value) { return Printed(value >= 99.5 ? "%.0f" : "%.2g", value); }

}  // namespace

std::string SecondsText(double seconds) {
  constexpr double kMinute = 60, kHour = 3600, kDay = 24 * kHour, kYear = 365.25 * kDay;
  if (seconds >= 2 * kYear)
    return (seconds >= 1e6 * kYear ? CountText(seconds / kYear) : Significant(seconds / kYear)) + " years";
  if (seconds >= 3 * kDay) return Significant(seconds / kDay) + " days";
  if (seconds >= 2 * kHour) return Significant(seconds / kHour) + " h";
  if (seconds >= 10 * kMinute) return Significant(seconds / kMinute) + " min";
  if (seconds >= 1) return Significant(seconds) + " s";
  if (seconds >= 0.995e-3) return Significant(seconds * 1e3) + " ms";
  return Significant(seconds * 1e6) + " us";
}

std::string BytesText(double bytes) {
  constexpr const char* kUnits[] = {"B", "KB", "MB", "GB", "TB", "PB", "EB"};
  std::size_t unit = 0;
  for (; bytes >= 999.5 && unit + 1 < std::size(kUnits); ++unit) bytes /= 1000;
  return (unit == 0 ? Printed("%.0f", bytes) : Significant(bytes)) + ' ' + kUnits[unit];
}

std::string CountText(double count) {
  if (count < 999'999.5) return Printed(count < 100 ? "%.3g" : "%.0f", count);
  std::string text = Printed("%.1e", count);  // "4.0e+07"
  const std::size_t e = text.find('e');
  std::string mantissa = text.substr(0, e);
  if (mantissa.ends_with(".0")) mantissa.resize(mantissa.size() - 2);
  return mantissa + 'e' + std::to_string(std::stoi(text.substr(e + 1)));
}

}  // namespace cpnlint
