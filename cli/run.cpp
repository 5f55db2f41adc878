#include "cli/run.h"

#include <csignal>
#include <exception>
#include <string>
#include <vector>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/watch.h"

namespace cpnlint::cli {

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
    case Command::kCacheDir: return RunCacheDir(options);
    case Command::kCacheClean: return RunCacheClean(options);
    case Command::kConfigShow: return RunConfigShow(options);
    case Command::kConfigSchema: return RunConfigSchema(options);
    case Command::kConfigExplain: return RunConfigExplain(options);
    case Command::kCompletions: return RunCompletions(options);
    case Command::kManual: return RunManual(options);
    case Command::kPrint: return PrintResult(options.text);
  }
  return kTrouble;
}

namespace {

// Programs are analysed one after the other, each in tables that come and go. What they free is kept for the next one
// rather than handed back to the system, which would give it page by page anew.
void KeepFreedMemory() {
#ifdef __GLIBC__
  mallopt(M_TRIM_THRESHOLD, 512 << 20);
  mallopt(M_MMAP_THRESHOLD, 2 << 20);
  mallopt(M_TOP_PAD, 1 << 20);
#endif
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
  KeepFreedMemory();
  // A reader that goes away shows as an error of write, so that files are still written and the exit code stands.
  std::signal(SIGPIPE, SIG_IGN);
  try {
    const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
    auto options = ParseCommandLine(arguments);
    if (!options) {
      Complain(options.error().message);
      return kTrouble;
    }
    return options->watch ? RunWatch(arguments) : RunCommand(*options);
  } catch (const std::exception& error) {
    Complain(std::string("internal error, which is our bug: ") + error.what());
    return kTrouble;
  }
}

}  // namespace cpnlint::cli
