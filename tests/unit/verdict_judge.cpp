// The ordered list of decisions (rules.md E.2), step by step.

#include <catch2/catch.hpp>

#include <limits>

#include "rules/verdict/verdict.h"

using namespace cpnlint;
using namespace cpnlint::verdict;
using rules::Confidence;
using rules::Severity;

namespace {

const rules::Rule* RuleOf(int code) {
  for (const rules::Rule* rule : rules::AllRules()) {
    if (rule->code == code) return rule;
  }
  return nullptr;
}

// A program of one file with one hot step loop of array work of unknown size.
struct OneFile {
  Evidence evidence;
  Settings settings;

  OneFile() { AddRegion(7, Pattern::kElementwise, 1000, 0); }

  RegionPart& AddRegion(RegionId id, Pattern pattern, double device, double host) {
    RegionPart part;
    part.region = id;
    part.hot = part.is_home = true;
    part.loop = "step";
    part.device = device;
    part.host = host;
    part.patterns[static_cast<std::size_t>(pattern)] = device + host;
    part.plain = part.patterns;
    part.sizes.push_back({std::nullopt, device, Confidence::kCertain});
    evidence.regions.push_back(part);
    evidence.has_array_work = true;
    return evidence.regions.back();
  }

  Issue& Add(int code, RegionId region = 7) {
    Issue issue;
    issue.rule = RuleOf(code);
    REQUIRE(issue.rule != nullptr);
    issue.severity = issue.rule->severity;
    issue.message = "message";
    issue.start = {0, static_cast<std::uint32_t>(evidence.issues.size() + 1), 1};
    issue.hot = region != kNoRegion;
    issue.region = region;
    issue.shown = evidence.issues.size();
    evidence.issues.push_back(issue);
    return evidence.issues.back();
  }

  ProgramVerdict Judged() const {
    const std::vector<Input> inputs = {{"a.py", "a.py", &evidence, false, 100}};
    const auto verdict = Judge(inputs, settings);
    REQUIRE(verdict);
    return verdict->programs.at(0);
  }
};

}  // namespace

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

TEST_CASE("verdict: what raises behind the loops does not hold them up") {
  OneFile file;
  file.Add(101).start.line = 5;
  file.Add(112, kNoRegion).start.line = 9;
  REQUIRE(file.Judged().fix_first.size() == 2);
  CHECK(file.Judged().fix_first.front().unlocks.empty());
  file.evidence.issues[1].start.line = 2;
  CHECK(file.Judged().fix_first.front().unlocks.size() == 1);
}

TEST_CASE("verdict: a pattern is that of a region, not of its operations") {
  OneFile stencil;
  RegionPart& part = stencil.evidence.regions.front();
  part.patterns[static_cast<std::size_t>(Pattern::kStencil)] = 200;
  REQUIRE(stencil.Judged().patterns.size() == 1);
  CHECK(stencil.Judged().patterns.front().pattern == Pattern::kStencil);
  part.patterns[static_cast<std::size_t>(Pattern::kStencil)] = 50;  // a remark in 1000 of operators
  CHECK(stencil.Judged().patterns.front().pattern == Pattern::kElementwise);
  OneFile draws;
  draws.evidence.regions.front().patterns[static_cast<std::size_t>(Pattern::kMonteCarlo)] = 200;
  draws.evidence.regions.front().patterns[static_cast<std::size_t>(Pattern::kReduction)] = 100;
  REQUIRE(draws.Judged().patterns.size() == 1);
  CHECK(draws.Judged().patterns.front().pattern == Pattern::kMonteCarlo);
}

TEST_CASE("verdict: a region tells its share of the time where every hot one has a time") {
  OneFile file;
  file.AddRegion(8, Pattern::kElementwise, 10, 0);
  RegionTime time;
  time.region = 7;
  time.all = 1;
  file.evidence.times.push_back(time);
  CHECK(!file.Judged().regions[0].time);
  CHECK(ShareText(file.Judged().regions[0]) == "95 % of the hot work");
  time.region = 8;
  time.all = 3;
  file.evidence.times.push_back(time);
  CHECK(ShareText(file.Judged().regions[0]) == "30 % of the predicted time");
  CHECK(ShareText(file.Judged().regions[1]) == "80 % of the predicted time");
}

TEST_CASE("verdict: what is fixed first is named first") {
  OneFile file;
  file.AddRegion(8, Pattern::kElementwise, 10, 0);
  file.Add(104, 7).saves = 0.05;
  file.Add(101, 8).saves = 0.9;
  file.Add(101, 8).saves = 0.01;
  const ProgramVerdict verdict = file.Judged();
  CHECK(verdict.fix_first.front().issue.issue == 1);
  REQUIRE(verdict.decided_by.size() == 2);
  CHECK(verdict.decided_by.front().issue == 1);
  CHECK_THAT(verdict.sentence, Catch::Matchers::Contains("first of all R101"));
}

TEST_CASE("verdict: what takes most of the time is named, whatever has to be mended before") {
  OneFile file;
  file.AddRegion(8, Pattern::kElementwise, 10, 0);
  file.Add(106, kNoRegion);
  file.Add(101, 8).saves = 0.9;
  CHECK_THAT(file.Judged().sentence, Catch::Matchers::Contains("first of all R101"));
  file.evidence.issues[1].saves = 0.2;
  CHECK_THAT(file.Judged().sentence, Catch::Matchers::Contains("first of all R106"));
}

TEST_CASE("verdict: a preview that takes most of the time is named, and counts for nothing") {
  OneFile file;
  file.Add(110).saves = 0.9;
  std::swap(file.evidence.previews, file.evidence.issues);
  const ProgramVerdict verdict = file.Judged();
  CHECK(verdict.tier == Tier::kReady);
  CHECK_THAT(verdict.sentence, Catch::Matchers::Contains("90 % of the predicted time") &&
                                   Catch::Matchers::Contains("--preview") && Catch::Matchers::Contains("R110"));
  file.evidence.previews[0].saves = 0.1;
  CHECK_THAT(file.Judged().sentence, !Catch::Matchers::Contains("R110"));
}

TEST_CASE("verdict: gaps in hot code are among what makes it light") {
  OneFile file;
  file.Add(203);
  file.Add(112);
  const ProgramVerdict verdict = file.Judged();
  CHECK(verdict.tier == Tier::kLight);
  CHECK(verdict.decided_by.size() == 2);
  CHECK_THAT(verdict.sentence, Catch::Matchers::Contains("first of all R112"));
}

TEST_CASE("verdict: rewrites that are worth a remark are optional") {
  OneFile file;
  CHECK(file.Judged().sentence == "nothing blocks and no rewrite is pending");
  file.Add(202).severity = Severity::kInfo;
  CHECK(file.Judged().sentence == "nothing blocks; 1 rewrite is optional");
  file.Add(209);
  CHECK(file.Judged().sentence == "nothing blocks; 2 rewrites are optional");
  CHECK(file.Judged().tier == Tier::kReady);
}

TEST_CASE("verdict: gates 4 and 5 measure the same where no loop is hot") {
  Evidence evidence;
  evidence.has_array_work = true;
  RegionPart part;
  part.region = 7;
  part.is_home = true;
  part.loop = "item";
  part.foreign = 400;
  part.plain[static_cast<std::size_t>(Pattern::kMl)] = 10;
  evidence.regions.push_back(part);
  evidence.cold.device = 40;
  evidence.cold.plain[static_cast<std::size_t>(Pattern::kElementwise)] = 1;
  const std::vector<Input> inputs = {{"a.py", "a.py", &evidence, false, 100}};
  const ProgramVerdict verdict = Judge(inputs, {})->programs.front();
  CHECK(verdict.gates[3].status == Status::kFail);
  CHECK(verdict.gates[4].status == Status::kFail);
  CHECK_THAT(verdict.gates[4].reason, Catch::Matchers::Contains("9 % of all work is array operations"));
}

TEST_CASE("verdict: a hot walk over objects says nothing of where arrays are worked on") {
  Evidence evidence;
  evidence.has_array_work = true;
  RegionPart part;
  part.region = 7;
  part.hot = part.is_home = true;
  part.loop = "item";
  part.host = 1;
  evidence.regions.push_back(part);
  evidence.cold.device = 40;
  evidence.cold.plain[static_cast<std::size_t>(Pattern::kDenseLinalg)] = 40;
  const std::vector<Input> inputs = {{"a.py", "a.py", &evidence, false, 100}};
  const Gate item = Judge(inputs, {})->programs.front().gates[4];
  CHECK(item.status == Status::kPass);
  CHECK_THAT(item.reason, Catch::Matchers::Contains("of all work is array operations"));
  evidence.regions.front().loop = "element";
  CHECK(Judge(inputs, {})->programs.front().gates[4].status == Status::kFail);
}

TEST_CASE("verdict: shares told side by side are no more than the whole") {
  CHECK(PercentBeside(0.75, 0.25) == "80 %");
  CHECK(PercentBeside(0.25, 0.75) == "20 %");
  CHECK(PercentBeside(0.5, 0.5) == "50 %");
  CHECK(PercentBeside(0.05, 0.95) == "5 %");
  CHECK(PercentBeside(0.004, 0.996) == "under 1 %");
}

TEST_CASE("verdict: shares are printed with one significant digit") {
  OneFile file;
  file.AddRegion(8, Pattern::kReduction, 500, 0);
  const ProgramVerdict verdict = file.Judged();
  REQUIRE(verdict.patterns.size() == 2);
  CHECK(Percent(verdict.patterns[0].share) == "70 %");
  CHECK(Percent(verdict.patterns[1].share) == "30 %");
  CHECK(Percent(1) == "100 %");
  CHECK(Percent(0.001) == "under 1 %");
}

TEST_CASE("verdict: what a comment ignores counts, and is no advice") {
  OneFile file;
  Issue& wait = file.Add(104);
  wait.shown.reset();
  wait.hidden = Hidden::kSilenced;
  CHECK(file.Judged().tier == Tier::kLight);
  CHECK(file.Judged().units.blocks == 1);
  CHECK(file.Judged().fix_first.empty());
  wait.hidden = Hidden::kUnselected;
  CHECK(file.Judged().fix_first.size() == 1);
}

TEST_CASE("verdict: a line that cannot run makes ready code light, whatever its rule is about") {
  OneFile file;
  Issue& difference = file.Add(314, kNoRegion);
  CHECK(file.Judged().tier == Tier::kReady);
  difference.raises = true;
  CHECK(file.Judged().tier == Tier::kLight);
  CHECK(file.Judged().units.api_gaps == 1);
  CHECK(file.Judged().gates[2].reason.find("LIGHT") != std::string::npos);
}

TEST_CASE("verdict: a toy beside real work does not speak for the run") {
  OneFile toy, real;
  real.AddRegion(8, Pattern::kElementwise, 1e6, 0);
  real.Add(104, 8);
  toy.evidence.regions.front().sizes = {{100, 1000, Confidence::kCertain}};
  const std::vector<Input> inputs = {{"real.py", "real.py", &real.evidence, false, 100},
                                     {"toy.py", "toy.py", &toy.evidence, false, 10}};
  const auto verdict = Judge(inputs, {});
  REQUIRE(verdict);
  CHECK(verdict->programs[1].tier == Tier::kNotRecommended);
  CHECK(verdict->programs[1].minor);
  CHECK(verdict->worst == 0);
  CHECK(verdict->fixed == 0);
  toy.evidence.regions.front().device = 1e5;
  CHECK(Judge(inputs, {})->worst == 1);
  CHECK(Judge(inputs, {})->fixed == 0);  // the worst has nothing to fix
  // What has to be designed anew is told, however little it works.
  toy.evidence.regions.front().device = 1000;
  toy.Add(108, kNoRegion);
  CHECK(Judge(inputs, {})->worst == 1);
}

TEST_CASE("verdict: a few numbers beside work on larger arrays make no sequential code") {
  OneFile file;
  RegionPart& part = file.evidence.regions.front();
  part.patterns = part.plain = {};
  part.patterns[static_cast<std::size_t>(Pattern::kSequential)] = part.small = 800;
  part.patterns[static_cast<std::size_t>(Pattern::kDenseLinalg)] = 200;
  part.plain = part.patterns;
  CHECK(file.Judged().gates[3].status == Status::kPass);
  part.patterns[static_cast<std::size_t>(Pattern::kDenseLinalg)] = 20;
  part.plain = part.patterns;
  CHECK(file.Judged().gates[3].status == Status::kFail);
  // Sequential otherwise: a recurrence, element by element.
  part.small = 0;
  part.patterns[static_cast<std::size_t>(Pattern::kDenseLinalg)] = 200;
  part.plain = part.patterns;
  CHECK(file.Judged().gates[3].status == Status::kFail);
}

TEST_CASE("verdict: gate 5 is open where weights and times speak against each other") {
  OneFile file;
  file.evidence.times.push_back({7, 1e-3, 10, 0.2, 9.8, "launch", "", false, true});
  CHECK(file.Judged().gates[4].status == Status::kUncertain);
  file.evidence.times.front() = {7, 1e-3, 10, 9, 1, "launch", "", false, true};
  CHECK(file.Judged().gates[4].status == Status::kPass);
}

TEST_CASE("verdict: a demo on small arrays says little of the library that it shows") {
  OneFile file;
  file.evidence.regions.front().sizes = {{50, 1000, Confidence::kCertain}};
  CHECK(file.Judged().tier == Tier::kNotRecommended);
  file.evidence.open_operations = 30;
  file.evidence.open_weight = 1200;
  CHECK(file.Judged().tier == Tier::kReady);
  CHECK(file.Judged().gates[1].status == Status::kUncertain);
  // Nor does the pattern of the demo.
  RegionPart& part = file.evidence.regions.front();
  part.patterns = part.plain = {};
  part.patterns[static_cast<std::size_t>(Pattern::kSequential)] = 1000;
  part.plain = part.patterns;
  CHECK(file.Judged().gates[3].status == Status::kUncertain);
  file.evidence.open_weight = 100;
  CHECK(file.Judged().tier == Tier::kNotRecommended);
}
