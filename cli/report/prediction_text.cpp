// Predictions for people: a table over GPU counts, bars of what the time goes into, a curve.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analyzer/base/quantity.h"
#include "cli/report/formats.h"
#include "cli/report/prediction.h"
#include "cli/report/width.h"

namespace cpnlint::report {
namespace {

constexpr std::size_t kMostRegions = 5;
constexpr std::size_t kMostUnpriced = 8, kMostUntold = 8;
constexpr int kBarWidth = 40, kCurveHeight = 10;
// One sign per part, in their order: told apart without colours, too.
constexpr std::string_view kShades[cost::kParts] = {"█", "▓", "▒", "░", "▞", "·"};

std::string Gpus(const cost::Layout& layout) {
  std::string text = std::to_string(layout.processors);
  if (layout.nodes > 1) text += " on " + std::to_string(layout.nodes) + " nodes";
  return text;
}

std::string Percent(double share) { return verdict::Percent(share); }

std::string BoundText(const cost::Point& point) {
  return fmt::format("{} ({})", cost::BoundBy(point), Percent(point.probability));
}

std::string Heading(const PredictedRegion& region) {
  std::string text = Printable(LineText(region.path, region.start));
  if (!region.function.empty()) text += " in `" + Printable(region.function) + '`';
  if (!region.loop.empty()) text += ": `" + Printable(region.loop) + '`';
  return text;
}

std::string Passes(const PredictedRegion& region) {
  if (region.loop.empty() && region.number_of_passes <= 1) return "runs once";
  if (region.loop.empty()) return CountText(region.number_of_passes) + " calls (assumed)";
  const std::string passes = region.passes + (region.passes == "1" ? " pass" : " passes");
  if (region.passes_known) return passes;
  const std::string number = CountText(region.number_of_passes);
  return passes + (number == region.passes ? " (assumed)" : " (assumed: " + number + ")");
}

// Columns of cells, numbers to the right, the last one to the left.
std::string Table(const std::vector<std::vector<std::string>>& rows, std::string_view indent) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max<std::size_t>(widths[i], DisplayWidth(row[i]));
  }
  std::string out;
  for (const auto& row : rows) {
    out += indent;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i + 1 == row.size()) {
        out += row[i];
        continue;
      }
      out.append(widths[i] - DisplayWidth(row[i]), ' ');
      out += row[i] + "  ";
    }
    out += '\n';
  }
  return out;
}

// A profile of a machine without GPUs counts cores.
std::string_view Unit(const Document& document) { return document.gpu ? "GPU" : "core"; }

std::vector<std::string> Columns(const Document& document) {
  const std::string unit(Unit(document));
  return {unit + "s", "per pass", "P10", "P90", "speed-up", "per " + unit, "bound by"};
}

std::vector<std::string> Row(const cost::Point& point, double one) {
  const double speed_up = point.time.mid > 0 ? one / point.time.mid : 0;
  return {Gpus(point.layout),
          SecondsText(point.time.mid),
          SecondsText(point.time.low),
          SecondsText(point.time.high),
          speed_up < 99.5 ? fmt::format("{:.2g}", speed_up) : fmt::format("{:.0f}", speed_up),
          BytesText(point.memory.processor) + (point.memory.fits ? "" : ", too much"),
          BoundText(point)};
}

// `████▓▓░  launch 61 % · memory 30 % · wait 9 %`
std::string Bar(const cost::Parts& parts) {
  double sum = 0;
  for (const double part : parts) sum += part;
  if (sum <= 0) return "";
  std::string bar, words;
  int used = 0;
  double passed = 0;
  for (std::size_t i = 0; i < cost::kParts; ++i) {
    passed += parts[i];
    const int end = static_cast<int>(std::lround(passed / sum * kBarWidth));
    for (; used < end; ++used) bar += kShades[i];
    if (parts[i] / sum < 0.005) continue;
    words += fmt::format("{}{} {} {}", words.empty() ? "" : "  ", kShades[i], cost::Name(static_cast<cost::Part>(i)),
                         Percent(parts[i] / sum));
  }
  return bar + "  " + words;
}

// Time against GPUs, both on logarithmic axes; `o` where adding GPUs stops to pay.
std::string Curve(const PredictedRegion& region, const std::string& units) {
  double low = 0, high = 0;
  for (const cost::Point& point : region.strong) {
    if (point.time.mid <= 0) return "";
    const double y = std::log10(point.time.mid);
    low = &point == region.strong.data() ? y : std::min(low, y);
    high = &point == region.strong.data() ? y : std::max(high, y);
  }
  if (region.strong.size() < 2) return "";
  // At least one decade, so that a flat curve looks flat.
  if (high - low < 1) low = high - 1;
  constexpr std::size_t kStep = 6;
  std::vector<std::string> lines(kCurveHeight, std::string(region.strong.size() * kStep, ' '));
  for (std::size_t i = 0; i < region.strong.size(); ++i) {
    const double y = (std::log10(region.strong[i].time.mid) - low) / (high - low);
    const auto row = static_cast<std::size_t>(std::lround((1 - y) * (kCurveHeight - 1)));
    lines[row][i * kStep + 2] = region.strong[i].layout.processors == region.stop ? 'o' : '*';
  }
  std::string out;
  for (int i = 0; i < kCurveHeight; ++i) {
    std::string label;
    if (i == 0) label = SecondsText(std::pow(10, high));
    if (i + 1 == kCurveHeight) label = SecondsText(std::pow(10, low));
    std::string line = lines[static_cast<std::size_t>(i)];
    line.erase(line.find_last_not_of(' ') + 1);
    out += fmt::format("  {:>8} |{}\n", label, line);
  }
  out += fmt::format("  {:>8} +{:-<{}}\n  {:>8}  ", "", "", region.strong.size() * kStep, units);
  std::string axis;
  for (const cost::Point& point : region.strong) axis += fmt::format("{:^{}}", point.layout.processors, kStep);
  axis.erase(axis.find_last_not_of(' ') + 1);
  return out + axis + '\n';
}

void AppendList(std::string& out, const char* title, const std::vector<std::string>& items) {
  if (items.empty()) return;
  out += title;
  for (std::size_t i = 0; i < items.size(); ++i) out += (i == 0 ? " " : ", ") + Printable(items[i]);
  out += '\n';
}

// "3 lighter regions (2 % of the time) are left out"; empty where there are none.
std::string LeftOut(const Prediction& prediction) {
  if (prediction.left_out == 0) return "";
  return fmt::format("{} lighter region{} left out ({} of the time)\n", prediction.left_out,
                     prediction.left_out == 1 ? " is" : "s are", Percent(prediction.left_share));
}

std::vector<std::string> UnpricedLines(const Prediction& prediction) {
  std::vector<std::string> lines;
  for (const UnpricedPlace& place : prediction.unpriced) {
    if (lines.size() == kMostUnpriced) {
      lines.push_back(std::to_string(prediction.unpriced.size() - kMostUnpriced) + " more");
      break;
    }
    lines.push_back(Printable(UnpricedText(place)));
  }
  return lines;
}

// The regions with a time; they come first.
std::size_t Told(const Prediction& prediction) {
  return static_cast<std::size_t>(std::ranges::count_if(prediction.regions, &PredictedRegion::told));
}

// Those without a time, with what to do about it.
std::vector<std::string> UntoldLines(const Prediction& prediction) {
  std::vector<std::string> lines;
  for (const PredictedRegion& region : prediction.regions) {
    if (!region.told) lines.push_back(Heading(region) + ": " + Printable(SizesToName(region)));
  }
  if (lines.size() > kMostUntold) {
    const std::size_t more = lines.size() - kMostUntold;
    lines.resize(kMostUntold);
    lines.push_back(std::to_string(more) + " more regions without a time");
  }
  return lines;
}

// What was said to be so, then what nobody said.
std::vector<std::string> SizesOf(const Document& document) {
  std::vector<std::string> sizes;
  for (const std::string& text : document.assumptions) {
    const std::size_t equals = text.find('=');
    const std::vector<std::string>& idle = document.prediction->without_effect;
    const bool counts = std::ranges::find(idle, text) == idle.end();
    sizes.push_back(text.substr(0, equals) + " = " + text.substr(equals + 1) +
                    (counts ? " (assumed)" : " (assumed, without effect)"));
  }
  const std::vector<std::string>& others = document.prediction->assumptions;
  sizes.insert(sizes.end(), others.begin(), others.end());
  return sizes;
}

std::string ProfileText(const Document& document) {
  return document.profile + (document.profile_note.empty() ? "" : " (" + document.profile_note + ")");
}

}  // namespace

std::string UnpricedText(const UnpricedPlace& place) {
  return LineText(place.path, place.start) + ' ' + place.what + ": " + place.why;
}

// Two parts that make more than this of the whole overlap.
static constexpr double kAtOnce = 1.2;

std::string CostLine(const Finding& finding, const Document& document) {
  if (!finding.cost || !finding.cost->unpriced.empty() || finding.cost->terms.empty()) return "";
  const cost::FindingCost& cost = *finding.cost;
  std::string text = fmt::format("about {} per {}", SecondsText(cost.per_pass.mid), cost.per);
  if (cost.gain && cost.passes != "1") text += fmt::format(", {} in all", SecondsText(cost.gain->mid));
  if (cost.share > 0) text += ", " + Percent(cost.share) + " of the time";
  text += ": " + cost.terms.front().formula;
  if (cost.terms.size() > 1) {
    // What Python launches and what the device works on go on side by side.
    const bool overlap = cost.terms[0].seconds + cost.terms[1].seconds > kAtOnce * cost.per_pass.mid;
    text += (overlap ? " and meanwhile " : ", ") + cost.terms[1].formula;
  }
  text += " (profile " + document.profile;
  const std::size_t assumed = cost.assumptions == nullptr ? 0 : std::min<std::size_t>(cost.assumptions->size(), 2);
  for (std::size_t i = 0; i < assumed; ++i) text += ", " + (*cost.assumptions)[i];
  return text + ")";
}

std::string WritePredictionText(const Document& document, const Style& style) {
  std::string out;
  if (!document.prediction || document.prediction->regions.empty()) {
    out += "no work on arrays was found, so there is nothing to predict\n";
    if (!style.quiet) AppendEnd(out, document, style);
    return out;
  }
  const Prediction& prediction = *document.prediction;
  out += "target: " + ProfileText(document) + '\n';
  AppendList(out, "sizes:", SizesOf(document));
  AppendList(out, "as if mended:", document.what_if);
  out += '\n';
  const std::vector<std::string> columns = Columns(document);
  const std::string units(columns.front());
  const std::size_t told = Told(prediction);
  for (std::size_t i = 0; i < told && i < kMostRegions; ++i) {
    const PredictedRegion& region = prediction.regions[i];
    Append(out, style, Paint::kBold, Heading(region));
    out += fmt::format("\n  {}, {} of the time\n", Passes(region), Percent(region.share));
    if (!region.formula.empty()) out += "  " + region.formula + '\n';
    if (!region.break_point.empty()) out += "  " + region.break_point + '\n';
    out += '\n';
    std::vector<std::vector<std::string>> rows = {columns};
    for (const cost::Point& point : region.asked) rows.push_back(Row(point, region.one));
    out += Table(rows, "  ");
    for (const cost::Point& point : region.asked) {
      out += fmt::format("  {:>4} {}{} {}\n", Gpus(point.layout), Unit(document),
                         point.layout.processors == 1 ? " " : "s", Bar(point.parts));
    }
    if (i == 0) {
      out += "\n  the same problem on more " + units + "\n" + Curve(region, units) + '\n';
      std::vector<std::vector<std::string>> all = {columns};
      for (const cost::Point& point : region.strong) all.push_back(Row(point, region.one));
      out += Table(all, "  ");
    }
    out += "  " + StopText(region, document.gpu) + "\n  " + FitText(region, prediction.pool, document.gpu) + "\n\n";
  }
  if (told > kMostRegions) {
    out += fmt::format("{} lighter regions are in --output-format json\n\n", told - kMostRegions);
  }
  out += LeftOut(prediction);
  for (const std::string& line : UntoldLines(prediction)) out += line + '\n';
  AppendList(out, "not measured on this machine:", prediction.unmeasured);
  for (const std::string& line : UnpricedLines(prediction)) out += "unpriced: " + line + '\n';
  if (!style.quiet) AppendEnd(out, document, style);
  return out;
}

std::string WritePredictionMarkdown(const Document& document, const Style&) {
  std::string out = "# Predicted time and scaling\n\n";
  if (!document.prediction || document.prediction->regions.empty()) {
    return out + "No work on arrays was found, so there is nothing to predict.\n";
  }
  const Prediction& prediction = *document.prediction;
  out += "Target: " + ProfileText(document) + ".\n";
  AppendList(out, "\nSizes:", SizesOf(document));
  AppendList(out, "\nAs if mended:", document.what_if);
  const std::vector<std::string> columns = Columns(document);
  const auto table = [&](const std::vector<cost::Point>& points, double one) {
    const auto row = [&](const std::vector<std::string>& cells) {
      for (const std::string& cell : cells) out += "| " + cell + ' ';
      out += "|\n";
    };
    out += '\n';
    row(columns);
    row(std::vector<std::string>(columns.size(), "---"));
    for (const cost::Point& point : points) row(Row(point, one));
  };
  for (std::size_t i = 0; i < Told(prediction) && i < kMostRegions; ++i) {
    const PredictedRegion& region = prediction.regions[i];
    out += fmt::format("\n## {}\n\n{}, {} of the time. {}\n", Heading(region), Passes(region), Percent(region.share),
                       region.formula);
    if (!region.break_point.empty()) out += "\n" + region.break_point + '\n';
    table(i == 0 ? region.strong : region.asked, region.one);
    out += "\n" + StopText(region, document.gpu) + "; " + FitText(region, prediction.pool, document.gpu) + ".\n";
  }
  if (prediction.left_out > 0) out += "\n" + LeftOut(prediction);
  for (const std::string& line : UntoldLines(prediction)) out += "\n" + line + '\n';
  AppendList(out, "\nNot measured on this machine:", prediction.unmeasured);
  for (const std::string& line : UnpricedLines(prediction)) out += "\nUnpriced: " + line + '\n';
  return out;
}

}  // namespace cpnlint::report
