#include <algorithm>
#include <cmath>
#include <cstdio>

#include "runtime-kernels/calibrate.h"

namespace cpnlint::kernels {
namespace {

constexpr double kWidth = 420, kHeight = 260, kLeft = 64, kRight = 16, kTop = 34, kBottom = 42;
constexpr int kColumns = 2;

std::string Format(double value) {
  char text[48];
  std::snprintf(text, sizeof text, "%.1f", value);
  return text;
}

std::string Short(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2g", value);
  return text;
}

std::string Escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '&') {
      out += "&amp;";
    } else {
      out += c;
    }
  }
  return out;
}

std::string Text(double x, double y, const char* anchor, std::string_view words, const char* more = "") {
  return "<text x=\"" + Format(x) + "\" y=\"" + Format(y) + "\" text-anchor=\"" + anchor + "\"" + more + ">" +
         Escaped(words) + "</text>\n";
}

struct Axis {
  double low = 0, high = 1;  // exponents of ten
  double begin = 0, end = 1;

  [[nodiscard]] double At(double value) const {
    return begin + (std::log10(value) - low) / (high - low) * (end - begin);
  }
};

Axis MakeAxis(double least, double most, double begin, double end) {
  Axis axis{std::log10(least), std::log10(most), begin, end};
  if (axis.high - axis.low < 0.5) {
    axis.low -= 0.25;
    axis.high += 0.25;
  }
  return axis;
}

// Powers of ten; where the axis spans none or one, its ends.
std::vector<double> TicksOf(const Axis& axis) {
  std::vector<double> ticks;
  for (double power = std::ceil(axis.low); power <= axis.high; ++power) ticks.push_back(std::pow(10, power));
  if (ticks.size() < 2) ticks = {std::pow(10, axis.low), std::pow(10, axis.high)};
  return ticks;
}

// One curve in a frame of its own, both axes logarithmic.
std::string Draw(const cost::Curve& curve, double x0, double y0) {
  std::vector<std::pair<double, double>> points;
  for (const auto& [x, y] : curve.points) {
    if (x > 0 && y > 0) points.emplace_back(x, y);
  }
  std::string out = Text(x0 + kWidth / 2, y0 + 18, "middle", curve.name, " font-weight=\"bold\"");
  if (points.empty()) return out;
  const auto [left, right] = std::minmax_element(points.begin(), points.end());
  const auto by_y = [](const auto& a, const auto& b) { return a.second < b.second; };
  const auto [low, high] = std::minmax_element(points.begin(), points.end(), by_y);
  const Axis x = MakeAxis(left->first, right->first, x0 + kLeft, x0 + kWidth - kRight);
  const Axis y = MakeAxis(low->second, high->second, y0 + kHeight - kBottom, y0 + kTop);
  out += "<rect x=\"" + Format(x.begin) + "\" y=\"" + Format(y.end) + "\" width=\"" + Format(x.end - x.begin) +
         "\" height=\"" + Format(y.begin - y.end) + "\" fill=\"none\" stroke=\"#888\"/>\n";
  for (const double tick : TicksOf(x)) out += Text(x.At(tick), y.begin + 14, "middle", Short(tick));
  for (const double tick : TicksOf(y)) out += Text(x.begin - 5, y.At(tick) + 4, "end", Short(tick));
  out += Text((x.begin + x.end) / 2, y.begin + 30, "middle", curve.x_unit);
  out += Text(x.begin, y.end - 4, "start", curve.y_unit);
  std::string path;
  for (const auto& [px, py] : points) {
    path += (path.empty() ? "" : " ") + Format(x.At(px)) + "," + Format(y.At(py));
    out += "<circle cx=\"" + Format(x.At(px)) + "\" cy=\"" + Format(y.At(py)) + "\" r=\"2.5\" fill=\"#2060a0\"/>\n";
  }
  return out + "<polyline points=\"" + path + "\" fill=\"none\" stroke=\"#2060a0\"/>\n";
}

}  // namespace

std::string DrawCurves(const cost::Profile& profile) {
  const auto rows = static_cast<double>((profile.curves.size() + kColumns - 1) / kColumns);
  const double height = rows * kHeight + 30;
  std::string out =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + Format(kColumns * kWidth) + "\" height=\"" +
      Format(height) + "\" font-family=\"sans-serif\" font-size=\"11\">\n" +
      "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n" +
      Text(kColumns * kWidth / 2, 20, "middle", profile.name + ": " + profile.machine.processor, " font-size=\"14\"");
  for (std::size_t i = 0; i < profile.curves.size(); ++i) {
    const auto column = static_cast<double>(i % kColumns);
    const auto row = static_cast<double>(i / kColumns);
    out += Draw(profile.curves[i], column * kWidth, row * kHeight + 30);
  }
  return out + "</svg>\n";
}

}  // namespace cpnlint::kernels
