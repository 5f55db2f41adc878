#include "cli/run.h"

#include <csignal>
#include <exception>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/output.h"

namespace cpnlint::cli {
namespace {

int RunCommand(const Options& options) {
  switch (options.command) {
    case Command::kCheck:
    case Command::kReport:
    case Command::kPredict: return RunCheck(options);
    case Command::kExplain: return RunExplain(options);
    case Command::kRules: return RunRules(options);
    case Command::kApi: return RunApi(options);
    case Command::kInspectIr: return RunInspectIr(options);
    case Command::kInspectFacts: return RunInspectFacts(options);
    case Command::kInspectWork: return RunInspectWork(options);
    case Command::kInspectWhy: return RunInspectWhy(options);
    case Command::kInspectParse: return RunInspectParse(options);
    case Command::kCalibrate: return RunCalibrate(options);
    case Command::kCalibrateWorker: return RunCalibrateWorker(options);
    case Command::kProfileList: return RunProfileList(options);
    case Command::kProfileShow: return RunProfileShow(options);
    case Command::kProfileCompare: return RunProfileCompare(options);
    case Command::kConfigShow: return RunConfigShow(options);
    case Command::kConfigSchema: return RunConfigSchema(options);
    case Command::kConfigExplain: return RunConfigExplain(options);
    case Command::kCompletions: return RunCompletions(options);
    case Command::kPrint: return PrintResult(options.text);
  }
  return kTrouble;
}

}  // namespace

int PrintResult(const std::string& text, int code) {
  if (auto written = WriteStandardOutput(text); !written) {
    Complain(written.error().message);
    return kTrouble;
  }
  return code;
}

int Main(int argc, char** argv) {
  // A reader that goes away shows as an error of write, so that files are still written and the exit code stands.
  std::signal(SIGPIPE, SIG_IGN);
  try {
    auto options = ParseCommandLine(std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc));
    if (!options) {
      Complain(options.error().message);
      return kTrouble;
    }
    return RunCommand(*options);
  } catch (const std::exception& error) {
    Complain(std::string("internal error, which is our bug: ") + error.what());
    return kTrouble;
  }
}

}  // namespace cpnlint::cli
