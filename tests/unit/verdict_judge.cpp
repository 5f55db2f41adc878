// The ordered list of decisions (rules.md E.2), step by step.

#include <limits>

#include "tests/unit/verdict_support.h"

using namespace cpnlint;
using namespace cpnlint::verdict;

TEST_CASE("verdict: nothing found is ready") {
  const OneFile file;
  CHECK(file.Judged().tier == Tier::kReady);
  CHECK(file.Judged().gates.size() == 6);
  CHECK(file.Judged().fix_first.empty());
}

TEST_CASE("verdict: no file with arrays has no verdict") {
  const std::vector<Input> inputs = {{"a.py", "a.py", nullptr, false, 0}};
  CHECK(!Judge(inputs, {}));
}

TEST_CASE("verdict: code without work on arrays has no verdict, unless it cannot run") {
  Evidence evidence;
  std::vector<Input> inputs = {{"a.py", "a.py", &evidence, false, 10}};
  CHECK(!Judge(inputs, {}));
  Issue gap;
  gap.rule = RuleOf(112);
  gap.severity = Severity::kError;
  evidence.issues.push_back(gap);
  REQUIRE(Judge(inputs, {}));
  CHECK(Judge(inputs, {})->programs.front().tier == Tier::kLight);
}

TEST_CASE("verdict: one and two blocking units are light, three are significant") {
  OneFile file;
  file.Add(101);
  CHECK(file.Judged().tier == Tier::kLight);
  file.Add(104);
  CHECK(file.Judged().tier == Tier::kLight);
  CHECK(file.Judged().units.blocks == 2);
  file.Add(105);
  CHECK(file.Judged().tier == Tier::kSignificant);
}

TEST_CASE("verdict: a unit is a rule in a hot region") {
  OneFile file;
  for (int i = 0; i < 5; ++i) file.Add(101);
  CHECK(file.Judged().units.blocks == 1);
  file.AddRegion(8, Pattern::kElementwise, 10, 0);
  file.AddRegion(9, Pattern::kElementwise, 10, 0);
  file.Add(101, 8);
  file.Add(101, 9);
  CHECK(file.Judged().units.blocks == 3);
  CHECK(file.Judged().tier == Tier::kSignificant);
}

TEST_CASE("verdict: cold sites count for rules that raise, and are one unit of each") {
  OneFile file;
  file.Add(104, kNoRegion);
  file.Add(103, kNoRegion);
  CHECK(file.Judged().tier == Tier::kReady);
  for (int i = 0; i < 4; ++i) file.Add(106, kNoRegion);
  CHECK(file.Judged().units.blocks == 1);
  CHECK(file.Judged().tier == Tier::kLight);
}

TEST_CASE("verdict: structural units and mpi4py are significant by themselves") {
  OneFile data_model;
  data_model.Add(107, kNoRegion).structural = true;
  CHECK(data_model.Judged().tier == Tier::kSignificant);
  CHECK(data_model.Judged().units.structural == 1);
  OneFile local;
  local.Add(107, kNoRegion);
  CHECK(local.Judged().tier == Tier::kLight);
  OneFile mpi;
  mpi.Add(108, kNoRegion);
  CHECK(mpi.Judged().tier == Tier::kSignificant);
  CHECK(mpi.Judged().sentence.find("parallel design") != std::string::npos);
}

TEST_CASE("verdict: CuPy in one loop is a unit, in two it is structural") {
  OneFile file;
  file.Add(111);
  CHECK(file.Judged().tier == Tier::kLight);
  file.AddRegion(8, Pattern::kElementwise, 10, 0);
  file.Add(111, 8);
  CHECK(file.Judged().tier == Tier::kSignificant);
  CHECK(file.Judged().units.structural == 2);
}

TEST_CASE("verdict: rewrites of warning level make it light, information does not") {
  OneFile file;
  file.Add(203).severity = Severity::kInfo;
  CHECK(file.Judged().tier == Tier::kReady);
  file.Add(203);
  CHECK(file.Judged().tier == Tier::kLight);
  CHECK(file.Judged().units.refactor == 1);
  OneFile info;
  info.Add(301, kNoRegion).severity = Severity::kWarning;
  CHECK(info.Judged().tier == Tier::kReady);
}

TEST_CASE("verdict: gaps on a cold path make ready code light and no worse") {
  OneFile file;
  for (int i = 0; i < 6; ++i) file.Add(112, kNoRegion);
  CHECK(file.Judged().tier == Tier::kLight);
  CHECK(file.Judged().units.api_gaps == 6);
  CHECK(file.Judged().units.blocks == 0);
}

TEST_CASE("verdict: hot gaps demote once; with substitutes they stop at light") {
  OneFile ready;
  ready.Add(112);
  ready.Add(113);
  CHECK(ready.Judged().tier == Tier::kLight);
  OneFile light;
  light.Add(101);
  light.Add(112);
  CHECK(light.Judged().tier == Tier::kLight);
  light.Add(112).substitute = false;
  CHECK(light.Judged().tier == Tier::kSignificant);
  OneFile structural;
  structural.Add(112).structural = true;
  CHECK(structural.Judged().tier == Tier::kSignificant);
  CHECK(structural.Judged().units.structural == 1);
}

TEST_CASE("verdict: unreachable findings do not count") {
  OneFile file;
  for (const int code : {101, 104, 105}) file.Add(code).reachable = false;
  CHECK(file.Judged().tier == Tier::kReady);
}

TEST_CASE("verdict: possible findings widen the verdict into a range") {
  OneFile file;
  file.Add(101).confidence = Confidence::kPossible;
  CHECK(file.Judged().tier == Tier::kReady);
  CHECK(file.Judged().with_possible == Tier::kLight);
  CHECK(file.Judged().possible == 1);
  file.Add(104).confidence = Confidence::kPossible;
  file.Add(105).confidence = Confidence::kPossible;
  CHECK(file.Judged().with_possible == Tier::kSignificant);
}

TEST_CASE("verdict: a bad pattern that dominates comes before all findings") {
  OneFile file;
  file.evidence.regions.clear();
  file.AddRegion(7, Pattern::kSequential, 0, 1000);
  file.Add(101);
  const ProgramVerdict verdict = file.Judged();
  CHECK(verdict.tier == Tier::kNotRecommended);
  CHECK(verdict.decided_by_gate == 4);
  CHECK(verdict.fix_first.empty());
  CHECK(verdict.composite == Composite::kNoGo);
}

TEST_CASE("verdict: a dense module beside a bad pattern keeps gate 4 from failing") {
  OneFile file;
  file.AddRegion(8, Pattern::kGraph, 0, 1500);
  const ProgramVerdict verdict = file.Judged();
  CHECK(verdict.gates.at(3).status == Status::kUncertain);
  CHECK(verdict.tier == Tier::kReady);
}

TEST_CASE("verdict: array code that nobody here calls keeps gate 4 from failing") {
  OneFile file;
  file.evidence.regions.clear();
  file.AddRegion(7, Pattern::kSequential, 0, 1000);
  file.evidence.bad_statements = 4;
  file.evidence.open_operations = 1;
  CHECK(file.Judged().gates.at(3).status == Status::kFail);
  file.evidence.open_operations = 2;
  CHECK(file.Judged().gates.at(3).status == Status::kUncertain);
}

TEST_CASE("verdict: sweeps over lines of unknown length leave gate 4 open") {
  OneFile file;
  file.evidence.regions.front().thin = 200;
  CHECK(file.Judged().gates.at(3).status == Status::kPass);
  file.evidence.regions.front().thin = 400;
  CHECK(file.Judged().gates.at(3).status == Status::kUncertain);
  CHECK(file.Judged().tier == Tier::kReady);
}

TEST_CASE("verdict: small arrays fail gate 2, unless problems can be batched") {
  OneFile file;
  RegionPart& part = file.evidence.regions.front();
  part.sizes = {{1000, 100, Confidence::kCertain}};
  CHECK(file.Judged().decided_by_gate == 2);
  CHECK(file.Judged().tier == Tier::kNotRecommended);
  part.sizes.front().problems = 100;  // 1e5 elements in all
  CHECK(file.Judged().gates.at(1).status == Status::kUncertain);
  CHECK_THAT(file.Judged().gates.at(1).reason, Catch::Matchers::Contains("which makes 100000 elements"));
  CHECK(file.Judged().composite == Composite::kNoGo);
  part.sizes.front().problems = 20'000;
  CHECK(file.Judged().composite == Composite::kPilot);
  part.sizes.front().problems = std::numeric_limits<double>::infinity();
  CHECK(file.Judged().gates.at(1).status == Status::kUncertain);
  CHECK(!file.Judged().composite);
  part.sizes.front().problems = 20;  // 2e4: too small together, too
  CHECK(file.Judged().decided_by_gate == 2);
  // What is batched carries next to nothing.
  part.sizes = {{1000, 100, Confidence::kCertain}, {1000, 1, Confidence::kCertain, 1e6}};
  CHECK(file.Judged().decided_by_gate == 2);
  part.sizes = {{1000, 100, Confidence::kPossible}};
  CHECK(file.Judged().gates.at(1).status == Status::kUncertain);
  part.sizes = {{1000, 79, Confidence::kCertain}, {std::nullopt, 21, Confidence::kCertain}};
  CHECK(file.Judged().gates.at(1).status == Status::kUncertain);
}

TEST_CASE("verdict: the economic floor is per GPU, at the fewest GPUs") {
  OneFile file;
  file.evidence.regions.front().sizes = {{100'000, 100, Confidence::kCertain}};
  CHECK(file.Judged().gates.at(1).status == Status::kUncertain);
  file.settings.gpus = {4, 8};
  CHECK(file.Judged().gates.at(1).status == Status::kFail);
}

TEST_CASE("verdict: an array beyond the memory fails gate 1 and leaves the tier") {
  OneFile file;
  file.evidence.largest_bytes = 400'000'000'000;
  const ProgramVerdict verdict = file.Judged();
  CHECK(verdict.gates.at(0).status == Status::kFail);
  CHECK(verdict.tier == Tier::kReady);
  CHECK(verdict.composite == Composite::kNoGo);
}

TEST_CASE("verdict: the predicted peak decides gate 1, and leaves the tier") {
  OneFile file;
  std::optional<std::int64_t> unknown;
  file.settings.pool = 76e9;
  file.evidence.regions.front().sizes = {{100'000'000, 1000, Confidence::kCertain}};
  file.evidence.peaks = {20e9, 5e9};
  CHECK(file.Judged().gates.at(0).status == Status::kPass);
  CHECK(file.Judged().overfull.empty());
  // Where the sizes of most of the work are not known, the known part says nothing of the whole.
  std::swap(file.evidence.regions.front().sizes.front().volume, unknown);
  CHECK(file.Judged().gates.at(0).status == Status::kUncertain);
  std::swap(file.evidence.regions.front().sizes.front().volume, unknown);
  file.evidence.peaks = {65e9, 17e9};
  CHECK(file.Judged().gates.at(0).status == Status::kUncertain);
  file.evidence.peaks = {320e9, 80e9};
  file.evidence.fewest = 8;
  const ProgramVerdict verdict = file.Judged();
  CHECK(verdict.gates.at(0).status == Status::kFail);
  CHECK(verdict.tier == Tier::kReady);
  CHECK(verdict.overfull == std::vector<int>{1, 4});
  CHECK(verdict.holds == 8);
  CHECK_THAT(verdict.gates.at(0).reason,
             Catch::Matchers::Contains("320 GB on 1 GPU, 80 GB on each of 4 GPUs exceeds") &&
                 Catch::Matchers::Contains("8 GPUs would hold it"));
}

TEST_CASE("verdict: what some of the GPUs asked for hold is said beside the verdict") {
  OneFile file;
  file.settings.pool = 76e9;
  CHECK(file.Judged().sentence.find("memory") == std::string::npos);
  file.evidence.peaks = {240e9, 60e9};
  file.evidence.fewest = 4;
  const ProgramVerdict verdict = file.Judged();
  CHECK(verdict.gates.at(0).status == Status::kUncertain);
  CHECK(verdict.tier == Tier::kReady);
  CHECK(verdict.overfull == std::vector<int>{1});
  CHECK_THAT(verdict.sentence, Catch::Matchers::Contains("memory: the predicted peak of 240 GB on 1 GPU exceeds") &&
                                   Catch::Matchers::EndsWith("it fits with 60 GB on each of 4 GPUs"));
}

TEST_CASE("verdict: the cores of a process have one memory") {
  OneFile file;
  file.settings.pool = 76e9;
  file.settings.capability = 0;
  file.evidence.regions.front().sizes = {{100'000'000, 1000, Confidence::kCertain}};
  file.evidence.peaks = {20e9, 20e9};
  CHECK_THAT(file.Judged().gates.at(0).reason,
             Catch::Matchers::StartsWith("alive at once are at most 20 GB in each process ("));
}

TEST_CASE("verdict: several nodes take a check of their own") {
  OneFile file;
  const double low = file.Judged().effort.fixed.low, high = file.Judged().effort.fixed.high;
  file.settings.nodes = 2;
  CHECK(file.Judged().effort.fixed.low == low + 16);
  CHECK(file.Judged().effort.fixed.high == high + 40);
}

TEST_CASE("verdict: a GPU that the library does not support decides, and the sentence says what holds elsewhere") {
  OneFile file;
  file.settings.machine = "p100";
  file.settings.capability = 6.0;
  const ProgramVerdict verdict = file.Judged();
  CHECK(verdict.tier == Tier::kNotRecommended);
  CHECK(verdict.decided_by_gate == 1);
  CHECK(verdict.sentence.find("elsewhere the findings would make it READY") != std::string::npos);
  file.settings.capability = 7.0;
  CHECK(file.Judged().tier == Tier::kReady);
  file.settings.capability = 0;  // no GPU
  CHECK(file.Judged().tier == Tier::kReady);
}

TEST_CASE("verdict: the share of device work decides gate 5") {
  OneFile file;
  file.evidence.regions.front().host = 300;
  CHECK(file.Judged().gates.at(4).status == Status::kPass);
  file.evidence.regions.front().host = 1000;
  CHECK(file.Judged().gates.at(4).status == Status::kUncertain);
  file.evidence.regions.front().host = 5000;
  CHECK(file.Judged().gates.at(4).status == Status::kFail);
  CHECK(file.Judged().tier == Tier::kReady);
}

TEST_CASE("verdict: gate 6 wants a benchmark and a way to compare, and no bitwise comparison") {
  OneFile file;
  CHECK(file.Judged().gates.at(5).status == Status::kUncertain);
  Project project;
  file.settings.project = &project;
  CHECK(file.Judged().gates.at(5).status == Status::kUncertain);
  project.benchmarks = {"bench/run.py"};
  project.tolerance_tests = {"tests/test_a.py"};
  CHECK(file.Judged().gates.at(5).status == Status::kPass);
  project.exact_tests = {"tests/test_b.py"};
  CHECK(file.Judged().gates.at(5).status == Status::kFail);
}

TEST_CASE("verdict: the worst program speaks for the run") {
  OneFile good, bad;
  bad.Add(101);
  const std::vector<Input> inputs = {{"a.py", "a.py", &good.evidence, false, 10},
                                     {"b.py", "b.py", &bad.evidence, false, 10}};
  const auto verdict = Judge(inputs, {});
  REQUIRE(verdict);
  REQUIRE(verdict->programs.size() == 2);
  CHECK(verdict->worst == 1);
}

TEST_CASE("verdict: files of one program are judged together") {
  OneFile first, second;
  first.Add(101);
  second.Add(104);
  second.Add(105);
  const std::vector<Input> inputs = {{"a.py", "pkg", &first.evidence, false, 10},
                                     {"b.py", "pkg", &second.evidence, false, 10}};
  const auto verdict = Judge(inputs, {});
  REQUIRE(verdict->programs.size() == 1);
  CHECK(verdict->programs.front().tier == Tier::kSignificant);
}

TEST_CASE("verdict: a program of which much could not be read is provisional") {
  const OneFile file;
  const Evidence empty;
  const std::vector<Input> inputs = {{"a.py", "pkg", &file.evidence, false, 10}, {"b.py", "pkg", &empty, true, 90}};
  CHECK(Judge(inputs, {})->programs.front().provisional);
  CHECK(!file.Judged().provisional);
}

TEST_CASE("verdict: what to fix first follows the order of recipes") {
  OneFile file;
  file.Add(201);
  file.Add(104);
  file.Add(101);
  file.Add(112);
  file.Add(108, kNoRegion);
  std::vector<int> codes;
  for (const Fix& fix : file.Judged().fix_first) codes.push_back(file.evidence.issues[fix.issue.issue].rule->code);
  CHECK(codes == std::vector<int>{108, 112, 101, 104, 201});
}

TEST_CASE("verdict: what saves most for its effort comes first") {
  OneFile file;
  file.AddRegion(8, Pattern::kElementwise, 1000, 0);
  file.Add(201, 7).saves = 0.05;
  file.Add(104, 8).saves = 0.4;
  std::vector<int> codes;
  for (const Fix& fix : file.Judged().fix_first) codes.push_back(file.evidence.issues[fix.issue.issue].rule->code);
  CHECK(codes == std::vector<int>{104, 201});
  file.evidence.issues[0].saves = 0.4;
  file.evidence.issues[1].saves = 0.05;
  codes.clear();
  for (const Fix& fix : file.Judged().fix_first) codes.push_back(file.evidence.issues[fix.issue.issue].rule->code);
  CHECK(codes == std::vector<int>{201, 104});
}

TEST_CASE("verdict: nothing comes before what it presupposes") {
  OneFile file;
  file.Add(201).saves = 0.9;  // allocation, behind the wait of the same loop
  file.Add(104).saves = 0.01;
  file.Add(106);  // raises: nothing behind it runs
  const ProgramVerdict verdict = file.Judged();
  std::vector<int> codes;
  for (const Fix& fix : verdict.fix_first) codes.push_back(file.evidence.issues[fix.issue.issue].rule->code);
  CHECK(codes == std::vector<int>{106, 104, 201});
  CHECK(verdict.fix_first[0].unlocks.size() == 2);
  REQUIRE(verdict.fix_first[1].unlocks.size() == 1);
  CHECK(file.evidence.issues[verdict.fix_first[1].unlocks[0].issue].rule->code == 201);
  CHECK(verdict.fix_first[2].unlocks.empty());
}

TEST_CASE("verdict: a small fix in front of a large one is worth as much as both") {
  OneFile file;
  file.AddRegion(8, Pattern::kElementwise, 1000, 0);
  file.Add(104, 7).saves = 0.01;  // opens the way to the next
  file.Add(201, 7).saves = 0.8;
  file.Add(202, 8).saves = 0.1;
  std::vector<int> codes;
  for (const Fix& fix : file.Judged().fix_first) codes.push_back(file.evidence.issues[fix.issue.issue].rule->code);
  CHECK(codes == std::vector<int>{104, 201, 202});
}

TEST_CASE("verdict: what has no price beside others that have one is not worth the whole loop") {
  OneFile file;
  file.AddRegion(8, Pattern::kElementwise, 10, 0);
  file.Add(114, 7).saves = 0.01;
  file.Add(216, 7);  // of the heaviest region
  file.Add(101, 8).saves = 0.5;
  const auto codes = [&] {
    std::vector<int> codes;
    for (const Fix& fix : file.Judged().fix_first) codes.push_back(file.evidence.issues[fix.issue.issue].rule->code);
    return codes;
  };
  CHECK(codes() == std::vector<int>{101, 114, 216});
  file.evidence.issues[1].saves = 0;
  CHECK(codes() == std::vector<int>{101, 114, 216});
  file.evidence.issues[0].saves = file.evidence.issues[1].saves = std::nullopt;  // nothing is known of that region
  CHECK(codes() == std::vector<int>{114, 216, 101});
}

TEST_CASE("verdict: gates tell seconds with the machine, and what rests on assumed sizes") {
  OneFile file;
  file.settings.machine = "some-gpu";
  RegionTime time;
  time.region = 7;
  time.pass = 2e-3;
  time.device = 1;
  time.host = 3;
  time.bound_by = "wait";
  time.break_point = "launch-bound below 3.5e7 elements per GPU";
  time.sizes_known = true;
  file.evidence.times.push_back(time);
  const ProgramVerdict known = file.Judged();
  CHECK(known.gates[4].status == Status::kFail);  // a quarter is array work, though no statement is host work
  CHECK_THAT(known.gates[4].reason, Catch::Matchers::StartsWith("30 % of 4 s in hot loops on some-gpu"));
  CHECK_THAT(known.gates[1].reason, Catch::Matchers::Contains("on some-gpu the step loop is launch-bound below 3.5e7"));
  file.evidence.times[0].sizes_known = false;
  const ProgramVerdict assumed = file.Judged();
  CHECK(assumed.gates[4].status == Status::kUncertain);  // all of it by weight, a quarter in time
  CHECK_THAT(assumed.gates[4].reason, Catch::Matchers::Contains("provisional: sizes or passes are assumed"));
}

TEST_CASE("verdict: effort repeats at a fifth and grows with nesting") {
  OneFile once;
  Issue& loop = once.Add(101);
  const Hours plain = HoursOf(loop);
  CHECK(plain.low == Approx(0.5));
  CHECK(plain.high == Approx(4));
  loop.nesting = 1;
  CHECK(HoursOf(loop).high == Approx(6));
  loop.nesting = 0;
  loop.sites = 6;
  CHECK(HoursOf(loop).high == Approx(8));
}

TEST_CASE("verdict: two missing names are two pieces of work, a name missing twice is little more than one") {
  OneFile twice;
  for (int i = 0; i < 2; ++i) twice.Add(112, kNoRegion).message = "`np.unwrap` does not exist";
  OneFile two;
  two.Add(112, kNoRegion).message = "`np.unwrap` does not exist";
  two.Add(112, kNoRegion).message = "`np.spacing` does not exist";
  const double alone = HoursOf(two.evidence.issues.front()).high;
  CHECK(twice.Judged().effort.units.high == Approx(1.2 * alone));
  CHECK(two.Judged().effort.units.high == Approx(2 * alone));
}

TEST_CASE("verdict: the pattern that the user names wins") {
  OneFile file;
  file.settings.pattern = Pattern::kGraph;
  CHECK(file.Judged().tier == Tier::kNotRecommended);
  CHECK(file.Judged().patterns.front().pattern == Pattern::kGraph);
  file.settings.pattern = Pattern::kStencil;
  CHECK(file.Judged().tier == Tier::kReady);
  CHECK(file.Judged().gates[3].reason == "stencil (excellent), as --pattern says");
}

TEST_CASE("verdict: what to do says what the code and the machine are") {
  OneFile file;
  CHECK(Action(file.Judged()) == "swap the import and benchmark");
  file.evidence.ported = true;
  CHECK(Action(file.Judged()).starts_with("benchmark it"));
  file.settings.capability = 6.0;
  CHECK(Action(file.Judged()).starts_with("take GPUs"));
}

TEST_CASE("verdict: a machine without GPUs has cores") {
  OneFile file;
  file.evidence.regions.front().sizes = {{100'000'000, 1000, Confidence::kCertain}};
  file.evidence.peaks = {1e9, 1e9};
  CHECK_THAT(file.Judged().gates[0].reason, Catch::Matchers::Contains("on each of 4 GPUs"));
  CHECK_THAT(file.Judged().gates[1].reason, Catch::Matchers::Contains("on 1 GPU: enough work for several GPUs"));
  file.settings.capability = 0;
  CHECK_THAT(file.Judged().gates[0].reason, Catch::Matchers::Contains("in each process"));
  CHECK_THAT(file.Judged().gates[1].reason, Catch::Matchers::Contains("on 1 core: enough work for each core"));
}

TEST_CASE("verdict: less than 80 GB of GPU memory in all is said") {
  OneFile file;
  file.evidence.regions.front().sizes = {{100'000'000, 1000, Confidence::kCertain}};
  file.evidence.peaks = {1e9};
  file.settings.gpus = {1};
  CHECK_THAT(file.Judged().gates[0].reason, !Catch::Matchers::Contains("advised"));
  file.settings.memory = 16e9;
  CHECK_THAT(file.Judged().gates[0].reason, Catch::Matchers::Contains("80 GB of GPU memory in all are advised"));
  file.settings.gpus = {8};
  CHECK_THAT(file.Judged().gates[0].reason, !Catch::Matchers::Contains("advised"));
}
