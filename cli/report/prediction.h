#pragma once

// A predicted program as plain data, and its forms: text, Markdown, JSON, SVG.

#include <optional>
#include <string>
#include <vector>

#include "cli/report/document.h"
#include "cli/report/style.h"
#include "cost-model/price.h"

namespace cpnlint::report {

[[nodiscard]] std::string WritePredictionText(const Document& document, const Style& style);
[[nodiscard]] std::string WritePredictionMarkdown(const Document& document, const Style& style);
[[nodiscard]] std::string WritePredictionJson(const Document& document, const Style& style);
// Time per pass of the heaviest region against GPUs, with the band from P10 to P90 and the knee.
[[nodiscard]] std::string WritePredictionSvg(const Document& document, const Style& style);

// The sizes that prices rest on, as JSON. The findings of a program share them and follow one another.
class AssumptionsJson {
 public:
  [[nodiscard]] const std::string& Of(const cost::FindingCost& cost);

 private:
  const void* last_ = nullptr;
  std::string text_ = "[]";  // of the last ones
};

// Values of the members `cost` and `prediction` of docs/json.md.
[[nodiscard]] std::string CostJson(const Finding& finding, const Document& document, AssumptionsJson& assumptions);
[[nodiscard]] std::string PredictionJson(const Document& document);

// "about 2 ms per pass, 20 s in all: 7 launches of 285 us (profile h100-sxm, n = 1e4 (default))"; empty where there is
// nothing to tell.
[[nodiscard]] std::string CostLine(const Finding& finding, const Document& document);

// Seconds of all passes on the first layout; 0 for a region without a time.
[[nodiscard]] double TimeOf(const PredictedRegion& region);
// "more than 8 GPUs no longer pay (a further doubling returns less than 70 %); fastest with 64"
[[nodiscard]] std::string StopText(const PredictedRegion& region, bool gpu);
// "does not fit on 1 GPU (needs 96 GB of 79.7 GB), fits from 2 GPUs". `pool`: bytes for arrays of one processor.
[[nodiscard]] std::string FitText(const PredictedRegion& region, double pool, bool gpu);
// "name the sizes: --assume nx=... --assume ny=... (...)"; empty for a region that has a time.
[[nodiscard]] std::string SizesToName(const PredictedRegion& region);

// Four significant digits: the model is not better than that, and equal inputs give equal bytes everywhere.
[[nodiscard]] double Rounded(double value);

// What the heaviest region of a program takes on the machines that were asked for, as one line of the report.
[[nodiscard]] std::string TimeLine(const Document& document, const verdict::ProgramVerdict& program);

// "src/a.py:41 numpy.linalg.eig: its cost is not modelled"
[[nodiscard]] std::string UnpricedText(const UnpricedPlace& place);

}  // namespace cpnlint::report
