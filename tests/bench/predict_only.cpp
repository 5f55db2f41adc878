// How long a prediction takes once a file is analysed: predict_only FILE.py [PROFILE].

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "analyzer/analysis/facts.h"
#include "analyzer/analysis/work.h"
#include "analyzer/lower/lower.h"
#include "analyzer/source/file.h"
#include "analyzer/syntax/parse.h"
#include "cost-model/model.h"

namespace {

using Clock = std::chrono::steady_clock;

template <class Function>
double Milliseconds(const Function& function) {
  double best = 1e9, all = 0;
  for (int run = 0; run < 5 && all < 2000; ++run) {
    const auto begin = Clock::now();
    function();
    const double taken = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
    best = std::min(best, taken);
    all += taken;
  }
  return best;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace cpnlint;
  if (argc < 2) return 2;
  const auto loaded = source::Load(argv[1]);
  const auto profile = cost::LoadProfile(argc > 2 ? argv[2] : "h100-sxm");
  if (!loaded || !loaded->file || !profile) return 2;
  const syntax::Tree tree = syntax::Parse(loaded->file->text);
  ir::Program program;
  std::vector<lower::SyntaxNote> notes;
  lower::Lower(*loaded->file, tree, "m", program, notes);
  const analysis::Facts facts(program, program.names);
  const analysis::Work work = analysis::WorkOf(facts);
  cost::Options options;
  options.layouts = {{1, 1}, {4, 1}};
  const double all = Milliseconds([&] { (void)cost::Predict(cost::Sizes(facts, work), work, *profile, options); });
  std::printf("%zu tasks, %zu loops, %zu entries: Predict %.2f ms\n", work.tasks.size(), work.loops.size(),
              work.roots.size(), all);
  const cost::Sizes sizes(facts, work);
  for (const cost::Region& region : cost::RegionsOf(sizes, work)) {
    const double mid = Milliseconds([&] { (void)cost::MidTimeOf(sizes, work, region, *profile, {1, 1}); });
    std::printf("  region: MidTimeOf %.1f us\n", mid * 1e3);
  }
  return 0;
}
