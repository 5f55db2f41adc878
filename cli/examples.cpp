#include "cli/examples.h"

#include <algorithm>
#include <map>

namespace cpnlint::cli {
namespace {

const std::map<std::string, std::vector<Example>>& All() {
  static const std::map<std::string, std::vector<Example>> all = {
      {"",
       {{"cpnlint src/", "findings, the verdict, and what to fix first"},
        {"cpnlint report src/", "is it worth porting?"},
        {"cpnlint predict --gpus 1,4,8 --assume n=1e8 src/", "time of a pass, memory, scaling"},
        {"cpnlint explain R101", "why a rule exists, an example, and the cure"},
        {"cpnlint --output sarif:out.sarif --output-format github src/", "for a job on GitHub"}}},
      {"check",
       {{"cpnlint src/ notebooks/lecture.ipynb", "all findings of a folder and a notebook"},
        {"cpnlint --select R1 --fail-on error src/solver.py", "one family of rules; only errors fail"},
        {"cpnlint --write-baseline known.json src/", "freeze what is there, then:"},
        {"cpnlint --baseline known.json src/", "only what is new"},
        {"cpnlint --output sarif:out.sarif --output-format github src/", "for a job on GitHub"}}},
      {"report",
       {{"cpnlint report src/", "verdict, gates, and a plan"},
        {"cpnlint report --output-format markdown src/", "the same, to paste"},
        {"cpnlint report --output html:report.html src/", "a page to hand round, with sliders"}}},
      {"predict",
       {{"cpnlint predict src/solver.py", "1 and 4 GPUs of the default machine"},
        {"cpnlint predict --gpus 1,4,8 --profile a100-80 --assume n=1e8 src/", "another machine, and a size"},
        {"cpnlint predict --what-if fix=R101@src/solver.py:6 src/solver.py", "as if a finding were mended"},
        {"cpnlint predict --output svg:scaling.svg src/", "the curve as a picture"}}},
      {"explain",
       {{"cpnlint explain R101", "a rule by its code"},
        {"cpnlint explain element-loop RR-loop", "by its name, and a recipe"},
        {"cpnlint explain --all --output-format markdown", "all rules, to keep"}}},
      {"rules",
       {{"cpnlint rules", "codes, names, severities"}, {"cpnlint rules --output-format json", "for a script"}}},
      {"api",
       {{"cpnlint api np.linalg.qr", "is it there, does it distribute"},
        {"cpnlint api np.interp ndarray.std add.at", "several, with what to write instead"},
        {"cpnlint api --target-version 26.07 --output-format json np.fft.fft", "of one version, for a script"}}},
      {"calibrate",
       {{"cpnlint calibrate", "a minute; writes NAME.json"},
        {"cpnlint calibrate --standard --name node7 --output machines/node7.json", "five minutes, for good"},
        {"cpnlint calibrate --backend cpu --no-runtime", "the machine alone, without GPUs"}}},
      {"inspect ir", {{"cpnlint inspect ir src/solver.py", "how the program is understood"}}},
      {"inspect facts",
       {{"cpnlint inspect facts src/solver.py", "kind, shape and place of each value"},
        {"cpnlint inspect facts --assume n=4096 src/solver.py", "with a size that the source does not tell"}}},
      {"inspect work",
       {{"cpnlint inspect work src/solver.py", "launches, waits and bytes, step by step"},
        {"cpnlint inspect work --gpus 4 --assume n=1e8 src/solver.py", "for a machine and a size"}}},
      {"inspect why",
       {{"cpnlint inspect why src/solver.py:6 R101", "why it is found there"},
        {"cpnlint inspect why src/solver.py:8 element-loop", "or why it is not"}}},
      {"profile list", {{"cpnlint profile list", "names, processors, bandwidths"}}},
      {"profile show",
       {{"cpnlint profile show h100-sxm", "each number with its source"},
        {"cpnlint profile show --output-format json a100-80", "the file, to start your own from"}}},
      {"profile compare", {{"cpnlint profile compare h100-sxm a100-80", "two or more side by side"}}},
      {"cache dir", {{"cpnlint cache dir", "of the project here"}}},
      {"cache clean",
       {{"cpnlint cache clean", "of the project here"},
        {"cpnlint cache clean --cache-dir /tmp/cpnlint", "one that lies elsewhere"}}},
      {"config show",
       {{"cpnlint config show", "what holds here, and which file says so"},
        {"cpnlint config show src/", "for a folder"},
        {"cpnlint config show --isolated --select R1 --output-format json", "without files, for a script"}}},
      {"config schema", {{"cpnlint config schema", "for an editor that completes and checks"}}},
      {"config explain",
       {{"cpnlint config explain", "all keys"},
        {"cpnlint config explain per-file-ignores severity", "some of them, with an example"}}},
      {"completions",
       {{"cpnlint completions bash", "source it in ~/.bashrc"},
        {"cpnlint completions fish", "~/.config/fish/completions/cpnlint.fish"}}},
  };
  return all;
}

}  // namespace

const std::vector<Example>& ExamplesOf(const std::string& command) {
  static const std::vector<Example> none;
  const auto found = All().find(command);
  return found == All().end() ? none : found->second;
}

std::string ExamplesText(const std::string& command) {
  constexpr std::size_t kWidest = 52;
  const std::vector<Example>& examples = ExamplesOf(command);
  if (examples.empty()) return "";
  std::size_t column = 0;
  for (const Example& example : examples) {
    if (example.command.size() <= kWidest) column = std::max(column, example.command.size());
  }
  std::string text = "\nExamples:\n";
  for (const Example& example : examples) {
    std::string line = "  " + example.command;
    if (example.command.size() > kWidest) {
      text += line + '\n';
      line = "";
    }
    line.resize(column + 4, ' ');
    text += line + example.meaning + '\n';
  }
  return text;
}

}  // namespace cpnlint::cli
