#include <unistd.h>

#include <cmath>
#include <string>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/targets.h"
#include "cli/terminal.h"
#include "runtime-kernels/calibrate.h"

namespace cpnlint::cli {
namespace {

std::string TimeLeft(double seconds) {
  const long whole = std::lround(seconds);
  if (whole < 90) return std::to_string(whole) + " s";
  return std::to_string((whole + 30) / 60) + " min";
}

// One line that overwrites itself; only ever on a terminal.
void Show(const std::string& line) {
  const std::string text = "\r\033[K" + line;
  // A terminal that takes no text is no reason to stop measuring.
  static_cast<void>(!write(STDERR_FILENO, text.data(), text.size()));
}

}  // namespace

int RunCalibrate(const Options& options) {
  for (const std::string* path : {&options.calibration.output, &options.picture}) {
    if (path->empty()) continue;
    if (auto good = CheckTarget("--output", *path); !good) {
      Complain(good.error().message);
      return kTrouble;
    }
  }
  const bool progress = !options.quiet && ErrorIsTerminal();
  const auto outcome = kernels::Calibrate(options.calibration, [&](const kernels::Progress& step) {
    if (!progress) return;
    Show("calibrating " + std::to_string(std::lround(step.done * 100)) + " %  " + step.words + ", about " +
         TimeLeft(step.left) + " left");
  });
  if (progress) Show("");
  if (!outcome) {
    Complain(outcome.error().message);
    return kTrouble;
  }
  if (outcome->interrupted) {
    Complain(outcome->partial.empty() ? "interrupted before anything was measured"
                                      : "interrupted; what is measured is kept in `" + outcome->partial +
                                            "`: `--resume` with the same options goes on");
    return kTrouble;
  }
  if (!options.picture.empty()) {
    if (auto written = WriteFiles({{options.picture, kernels::DrawCurves(outcome->profile)}}); !written) {
      Complain(written.error().message);
      return kTrouble;
    }
  }
  return options.quiet ? kOk : PrintResult(kernels::SummaryOf(*outcome));
}

int RunCalibrateWorker(const Options& options) { return kernels::RunCpuWorker(options.arguments); }

}  // namespace cpnlint::cli
