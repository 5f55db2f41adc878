// The scaling curve as a picture: time per pass against GPUs on logarithmic axes, the band from P10 to P90, the knee.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analyzer/base/quantity.h"
#include "cli/report/prediction.h"

namespace cpnlint::report {
namespace {

constexpr double kWidth = 720, kHeight = 440, kLeft = 84, kRight = 24, kTop = 64, kBottom = 64;

std::string Escaped(std::string_view text) {
  std::string out;
  for (const char c : ToUtf8(text)) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default:
        if (static_cast<unsigned char>(c) >= 0x20) out += c;
    }
  }
  return out;
}

struct Axes {
  double x_low, x_high, y_low, y_high;  // logarithms to the base 10

  [[nodiscard]] double X(double gpus) const {
    return kLeft + (std::log10(gpus) - x_low) / (x_high - x_low) * (kWidth - kLeft - kRight);
  }
  [[nodiscard]] double Y(double seconds) const {
    return kTop + (y_high - std::log10(seconds)) / (y_high - y_low) * (kHeight - kTop - kBottom);
  }
};

Axes AxesOf(const std::vector<cost::Point>& points) {
  Axes axes{0, 0, 1e9, -1e9};
  for (const cost::Point& point : points) {
    axes.x_high = std::max(axes.x_high, std::log10(point.layout.processors));
    axes.y_low = std::min(axes.y_low, std::floor(std::log10(point.time.low)));
    axes.y_high = std::max(axes.y_high, std::ceil(std::log10(point.time.high)));
  }
  if (axes.x_high == axes.x_low) axes.x_high = 1;
  if (axes.y_high == axes.y_low) axes.y_high += 1;
  return axes;
}

std::string Text(double x, double y, const char* anchor, int size, std::string_view words) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" font-size=\"{}\">{}</text>\n", x, y, anchor,
                     size, Escaped(words));
}

std::string Grid(const Axes& axes, const std::vector<cost::Point>& points, bool gpu) {
  std::string out = "<g stroke=\"#8884\" fill=\"none\">\n";
  const auto line = [&](double x1, double y1, double x2, double y2) {
    out += fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", x1, y1, x2, y2);
  };
  for (double y = axes.y_low; y <= axes.y_high; ++y) {
    line(kLeft, axes.Y(std::pow(10, y)), kWidth - kRight, axes.Y(std::pow(10, y)));
  }
  for (const cost::Point& point : points) {
    const double x = axes.X(point.layout.processors);
    line(x, kTop, x, kHeight - kBottom);
  }
  out += "</g>\n";
  for (double y = axes.y_low; y <= axes.y_high; ++y) {
    out += Text(kLeft - 8, axes.Y(std::pow(10, y)) + 4, "end", 12, SecondsText(std::pow(10, y)));
  }
  for (const cost::Point& point : points) {
    out += Text(axes.X(point.layout.processors), kHeight - kBottom + 18, "middle", 12,
                std::to_string(point.layout.processors));
  }
  out += Text((kLeft + kWidth - kRight) / 2, kHeight - 20, "middle", 13, gpu ? "GPUs" : "cores");
  return out;
}

std::string Band(const Axes& axes, const std::vector<cost::Point>& points) {
  std::string path;
  for (const cost::Point& point : points) {
    path += fmt::format("{:.1f},{:.1f} ", axes.X(point.layout.processors), axes.Y(point.time.high));
  }
  for (auto it = points.rbegin(); it != points.rend(); ++it) {
    path += fmt::format("{:.1f},{:.1f} ", axes.X(it->layout.processors), axes.Y(it->time.low));
  }
  return "<polygon points=\"" + path + "\" fill=\"#3b82f6\" fill-opacity=\"0.2\"/>\n";
}

std::string Line(const Axes& axes, const std::vector<cost::Point>& points, int stop, bool gpu) {
  std::string path, dots;
  for (const cost::Point& point : points) {
    const double x = axes.X(point.layout.processors), y = axes.Y(point.time.mid);
    path += fmt::format("{:.1f},{:.1f} ", x, y);
    dots += fmt::format(
        "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"{}\" stroke=\"#1d4ed8\"><title>{}</title></circle>\n", x, y,
        point.memory.fits ? "#1d4ed8" : "#fff",
        Escaped(fmt::format("{}: {}, bound by {}{}", verdict::Processors(point.layout.processors, gpu),
                            SecondsText(point.time.mid), cost::BoundBy(point),
                            point.memory.fits ? "" : ", does not fit into memory")));
    if (point.layout.processors == stop) {
      dots += fmt::format(
          "<line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\" stroke=\"#b91c1c\" "
          "stroke-dasharray=\"5 4\"/>\n",
          x, kTop, kHeight - kBottom);
      dots += Text(x + 6, kTop + 14, "start", 12, "pays up to " + verdict::Processors(stop, gpu));
    }
  }
  return "<polyline points=\"" + path + "\" fill=\"none\" stroke=\"#1d4ed8\" stroke-width=\"2\"/>\n" + dots;
}

}  // namespace

std::string WritePredictionSvg(const Document& document, const Style&) {
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\" "
      "font-family=\"sans-serif\" fill=\"#111\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
      kWidth, kHeight);
  const bool some = document.prediction && !document.prediction->regions.empty() &&
                    !document.prediction->regions.front().strong.empty() &&
                    document.prediction->regions.front().strong.front().time.low > 0;
  if (!some) {
    return out + "<title>Nothing to predict</title>\n" +
           Text(kWidth / 2, kHeight / 2, "middle", 14, "no work on arrays was found") + "</svg>\n";
  }
  const PredictedRegion& region = document.prediction->regions.front();
  const std::string title = "Time per pass of " + LineText(region.path, region.start) + " on " + document.profile;
  out += "<title>" + Escaped(title) + "</title>\n" + Text(kLeft, 28, "start", 16, title);
  const bool all_fit = std::ranges::all_of(region.strong, [](const cost::Point& point) { return point.memory.fits; });
  out += Text(kLeft, 48, "start", 12,
              "median, and the band from P10 to P90; " + FitText(region, document.prediction->pool, document.gpu) +
                  (all_fit ? "" : " (hollow: does not fit)"));
  const Axes axes = AxesOf(region.strong);
  out += Grid(axes, region.strong, document.gpu) + Band(axes, region.strong) +
         Line(axes, region.strong, region.stop, document.gpu);
  return out + "</svg>\n";
}

}  // namespace cpnlint::report
