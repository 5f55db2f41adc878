#include <algorithm>
#include <cmath>
#include <cstdio>

#include "runtime-kernels/calibrate.h"

namespace cpnlint::kernels {
namespace {

// "152 us", "23.1 GB/s": three digits and the prefix that fits.
std::string Shown(double value, std::string_view unit) {
  struct Prefix {
    double factor;
    const char* letter;
  };
  static constexpr Prefix kPrefixes[] = {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}};
  static constexpr Prefix kSmall[] = {{1, ""}, {1e-3, "m"}, {1e-6, "u"}, {1e-9, "n"}};
  double factor = 1;
  std::string letter;
  const bool plain = unit == "1";
  if (!plain && unit == "s") {
    for (const Prefix& prefix : kSmall) {
      factor = prefix.factor;
      letter = prefix.letter;
      if (value >= prefix.factor) break;
    }
  } else if (!plain && value >= 1) {
    for (const Prefix& prefix : kPrefixes) {
      factor = prefix.factor;
      letter = prefix.letter;
      if (value >= prefix.factor) break;
    }
  }
  if (value == 0) factor = 1, letter.clear();
  const double scaled = value / factor;
  const int digits = scaled >= 100 || scaled == 0 ? 0 : scaled >= 10 ? 1 : 2;
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, scaled);
  std::string shown = text;
  if (plain) return shown;
  // "1/s" counts things: "120 M/s".
  return shown + " " + letter + std::string(unit == "1/s" ? "/s" : unit);
}

std::string Uncertainty(const cost::Number& number) {
  if (number.value <= 0 || number.low == number.high) return "";
  const double half = std::max(number.high - number.value, number.value - number.low) / number.value * 100;
  char text[32];
  std::snprintf(text, sizeof text, "+-%.*f %%", half < 9.5 ? 1 : 0, half);
  return text;
}

void Pad(std::string& line, std::size_t width) { line.resize(std::max(line.size() + 1, width), ' '); }

}  // namespace

std::string SummaryOf(const Outcome& outcome) {
  const cost::Machine& machine = outcome.profile.machine;
  std::string text = machine.processor + ", " + std::to_string(machine.processors_per_node) +
                     (machine.gpu ? " GPU" : " core") + (machine.processors_per_node == 1 ? "" : "s") + "\n\n";
  const auto parameters = cost::Parameters();
  std::string rest;
  std::size_t others = 0;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const cost::Number& number = outcome.profile.numbers[i];
    const std::string name(parameters[i].name);
    if (number.provenance != cost::Provenance::kMeasured) {
      rest += (rest.empty() ? "" : ", ") + name;
      ++others;
      continue;
    }
    std::string line = "  " + name;
    Pad(line, 26);
    std::string value = Shown(number.value, parameters[i].unit);
    if (value.size() < 11) value.insert(0, 11 - value.size(), ' ');
    line += value;
    Pad(line, 38);
    line += Uncertainty(number);
    Pad(line, 50);
    text += line + number.method + "\n";
  }
  if (others > 0) {
    text += "\nNot measured, taken from the profile `" + outcome.base + "` (" + std::to_string(others) + "): " + rest +
            "\n";
  }
  if (!outcome.notes.empty()) text += '\n';
  for (const std::string& note : outcome.notes) text += "note: " + note + "\n";
  text += "\nwrote " + outcome.path + " (profile `" + outcome.profile.name + "`): use it with --profile " +
          outcome.path + "\n";
  return text;
}

}  // namespace cpnlint::kernels
