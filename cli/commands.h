#pragma once

// The commands. Each returns the exit code: 0, 1 (findings), 2 (trouble, told on standard error).

#include "cli/options.h"

namespace cpnlint::cli {

inline constexpr int kOk = 0;
inline constexpr int kFindings = 1;
inline constexpr int kTrouble = 2;

int RunCheck(const Options& options);  // report and predict, too: the same run in other formats
int RunExplain(const Options& options);
int RunRules(const Options& options);
int RunApi(const Options& options);
int RunInspectIr(const Options& options);
int RunInspectFacts(const Options& options);
int RunInspectWork(const Options& options);
int RunInspectWhy(const Options& options);
int RunInspectParse(const Options& options);
int RunCalibrate(const Options& options);
int RunCalibrateWorker(const Options& options);
int RunProfileList(const Options& options);
int RunProfileShow(const Options& options);
int RunProfileCompare(const Options& options);
int RunCacheDir(const Options& options);
int RunCacheClean(const Options& options);
int RunConfigShow(const Options& options);
int RunConfigSchema(const Options& options);
int RunConfigExplain(const Options& options);
int RunCompletions(const Options& options);
int RunManual(const Options& options);

// Any of them.
int RunCommand(const Options& options);

// Prints, and gives `code`, or 2 where the output cannot be written.
int PrintResult(const std::string& text, int code = kOk);

}  // namespace cpnlint::cli
