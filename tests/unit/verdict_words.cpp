// What the verdict names and tells, and what it leaves out.

#include "tests/unit/verdict_support.h"

using namespace cpnlint;
using namespace cpnlint::verdict;

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
  CHECK_THAT(verdict.sentence, Catch::Matchers::Contains("above all R101"));
}

TEST_CASE("verdict: a unit saves what its findings save together") {
  OneFile file;
  file.AddRegion(8, Pattern::kElementwise, 10, 0);
  file.Add(101, 8).saves = 0.06;
  for (const double saves : {0.03, 0.05, 0.04}) file.Add(105, 7).saves = saves;
  const ProgramVerdict verdict = file.Judged();
  CHECK_THAT(verdict.sentence, Catch::Matchers::Contains("2 blocking units, above all R105"));
  CHECK(verdict.decided_by.front().issue == 2);  // the one of them that saves most
  CHECK(verdict.fix_first.front().issue.issue == 2);
  file.evidence.issues[0].saves = 0.2;
  CHECK_THAT(file.Judged().sentence, Catch::Matchers::Contains("above all R101"));
}

TEST_CASE("verdict: lines that raise do not fill the list of fixes") {
  OneFile file;
  for (int i = 0; i < 7; ++i) file.Add(112).message = "gap " + std::to_string(i);
  file.Add(106).message = "step";
  file.Add(101).saves = 0.3;
  file.Add(105).saves = 0.1;
  const ProgramVerdict verdict = file.Judged();
  REQUIRE(verdict.fix_first.size() == 3);
  CHECK(verdict.fix_first[0].along.size() == 7);
  CHECK(verdict.fix_first[0].hours.high == Catch::Detail::Approx(8.0 / 3));
  CHECK(verdict.fix_first[0].unlocks.size() == 2);
  CHECK(file.evidence.issues[verdict.fix_first[1].issue.issue].rule->code == 101);
  CHECK(file.evidence.issues[verdict.fix_first[2].issue.issue].rule->code == 105);
  CHECK(verdict.fix_first[1].along.empty());
  file.evidence.issues.erase(file.evidence.issues.begin(), file.evidence.issues.begin() + 5);  // room for each
  CHECK(file.Judged().fix_first.size() == 5);
  CHECK(file.Judged().fix_first[0].along.empty());
}

TEST_CASE("verdict: what stands in another function is not written twice") {
  OneFile file;
  file.Add(103).saves = 0.01;
  file.Add(104).saves = 0.4;
  CHECK(file.evidence.issues[file.Judged().fix_first.front().issue.issue].rule->code == 103);
  file.evidence.issues[1].function = "table";
  CHECK(file.evidence.issues[file.Judged().fix_first.front().issue.issue].rule->code == 104);
}

TEST_CASE("verdict: what takes most of the time is named, whatever has to be mended before") {
  OneFile file;
  file.AddRegion(8, Pattern::kElementwise, 10, 0);
  file.Add(106, kNoRegion);
  file.Add(101, 8).saves = 0.9;
  CHECK_THAT(file.Judged().sentence, Catch::Matchers::Contains("above all R101"));
  file.evidence.issues[1].saves = 0.2;
  CHECK_THAT(file.Judged().sentence, Catch::Matchers::Contains("above all R101"));
}

TEST_CASE("verdict: where nothing is hot, what is fixed first is named") {
  OneFile file;
  file.Add(106, kNoRegion);
  file.Add(107, kNoRegion);
  CHECK_THAT(file.Judged().sentence, Catch::Matchers::Contains("above all R106"));
}

TEST_CASE("verdict: a preview that takes most of the time is named, and counts for nothing") {
  OneFile file;
  file.Add(110).saves = 0.9;
  std::swap(file.evidence.previews, file.evidence.issues);
  const ProgramVerdict verdict = file.Judged();
  CHECK(verdict.tier == Tier::kReady);
  CHECK_THAT(verdict.sentence, Catch::Matchers::Contains("90 % of the predicted time") &&
                                   Catch::Matchers::Contains("--preview") && Catch::Matchers::Contains("R110"));
  file.evidence.previews[0].saves = 0.3;
  CHECK_THAT(file.Judged().sentence, Catch::Matchers::Contains("30 % of the predicted time"));
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
  CHECK_THAT(verdict.sentence, Catch::Matchers::Contains("above all R112"));
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
