#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include "cli/report/accuracy.h"
#include "cli/report/formats.h"
#include "cli/report/page.h"

using namespace cpnlint;
using namespace cpnlint::report;

namespace {

const rules::Rule* SomeRule() {
  for (const rules::Rule* rule : rules::AllRules()) {
    if (rule->family == rules::Family::kBlocks) return rule;
  }
  return nullptr;
}

Document OneFinding(std::string path = "src/a.py") {
  Finding finding;
  finding.rule = SomeRule();
  finding.severity = rules::Severity::kError;
  finding.place = {{2, 5, 5, 4}, {2, 8, 9, 7}};
  finding.function = "Grid.step";
  finding.message = "a message about `q[j](1)`";
  finding.why = "because";
  finding.related.push_back({{{1, 1, 1, 0}, {1, 2, 2, 1}}, "created here", 0, {}});
  File file;
  file.path = std::move(path);
  file.lines = 2;
  file.text = {{1, {"q = 1"}}, {2, {"    abc = q"}}};
  file.findings.push_back(finding);
  file.notes.push_back({"encoding", Point{1, 1, 1, 0}, "odd bytes", {}});
  SetFingerprints(file, {"abc"});
  Document document;
  document.target_version = "26.07";
  document.gpus = {1, 4};
  document.folder = "/home/user/project/sub";
  document.repository = "/home/user/project";
  document.exit_code = 1;
  document.files.push_back(file);
  return document;
}

}  // namespace

TEST_CASE("formats: text has header, frame, reason and counts") {
  REQUIRE(SomeRule() != nullptr);
  const std::string text = WriteText(OneFinding(), {});
  const std::string code = rules::CodeText(*SomeRule());
  CHECK(text.find(code + " a message about `q[j](1)`  src/a.py:2:5\n") == 0);
  CHECK(text.find("\n  | - created here\n") != std::string::npos);
  CHECK(text.find("\n  |     ^^^\n") != std::string::npos);
  CHECK(text.find("\n  = why: because\n") != std::string::npos);
  CHECK(text.find("src/a.py:1:1: note: odd bytes (encoding)\n") != std::string::npos);
  CHECK(text.find("Found 1 finding (1 error, 0 warnings, 0 info) in 1 file") != std::string::npos);
}

TEST_CASE("formats: the place stands at the right edge of a terminal") {
  Style style;
  style.width = 100;
  const std::string text = WriteText(OneFinding(), style);
  CHECK(text.find('\n') == 100);
  CHECK(text.substr(0, 100).ends_with(" src/a.py:2:5"));
}

TEST_CASE("formats: concise is a line per finding") {
  Style style;
  style.quiet = true;
  CHECK(WriteConcise(OneFinding(), style) ==
        "src/a.py:2:5: " + rules::CodeText(*SomeRule()) + " a message about `q[j](1)`\n");
}

TEST_CASE("formats: statistics count") {
  Style style;
  style.statistics = true;
  style.quiet = true;
  CHECK(WriteText(OneFinding(), style) == "     1  " + rules::CodeText(*SomeRule()) + "  " + SomeRule()->slug + "\n");
}

TEST_CASE("formats: JSON says what the finding says") {
  const auto json = nlohmann::json::parse(WriteJson(OneFinding()));
  CHECK(json["schema_version"] == 1);
  CHECK(json["files"]["found"] == 1);
  const auto& finding = json["findings"][0];
  CHECK(finding["rule"] == rules::CodeText(*SomeRule()));
  CHECK(finding["start"] == nlohmann::json({{"line", 2}, {"column", 5}}));
  CHECK(finding["end"]["column"] == 8);
  CHECK(finding["function"] == "Grid.step");
  CHECK(finding["fix"].is_null());
  CHECK(finding["related"][0]["message"] == "created here");
  CHECK(finding["related"][0]["rule"].is_null());
  CHECK(json["timing"].is_null());
  CHECK(json["notes"][0]["kind"] == "encoding");
}

TEST_CASE("formats: JSON is UTF-8 whatever the path is") {
  const auto json = nlohmann::json::parse(WriteJson(OneFinding("caf\xe9.py")));
  CHECK(json["findings"][0]["path"] == "caf\uFFFD.py");
}

TEST_CASE("formats: SARIF counts UTF-16, is relative to the repository, escapes links") {
  const auto json = nlohmann::json::parse(WriteSarif(OneFinding("a b/\xc3\xa9%.py")));
  const auto& run = json["runs"][0];
  CHECK(run["columnKind"] == "utf16CodeUnits");
  CHECK(run["originalUriBaseIds"]["SRCROOT"].is_object());
  CHECK(run["invocations"][0]["executionSuccessful"] == true);
  CHECK(run["invocations"][0]["exitCode"] == 1);
  CHECK(run["invocations"][0]["toolExecutionNotifications"][0]["descriptor"]["id"] == "encoding");
  const auto& result = run["results"][0];
  CHECK(result["level"] == "error");
  CHECK(
      result["message"]["text"].get<std::string>().starts_with("a message about `q[j\\](1)` (see [created here](1))."));
  const auto& physical = result["locations"][0]["physicalLocation"];
  CHECK(physical["artifactLocation"]["uri"] == "sub/a%20b/%C3%A9%25.py");
  CHECK(physical["artifactLocation"]["uriBaseId"] == "SRCROOT");
  CHECK(physical["region"]["endColumn"] == 9);
  CHECK(result["relatedLocations"][0]["id"] == 1);
  const auto& rules = run["tool"]["driver"]["rules"];
  CHECK(rules[result["ruleIndex"].get<std::size_t>()]["id"] == result["ruleId"]);
  for (const auto& rule : rules) {
    INFO(rule["id"]);
    CHECK(rule["id"] != "R001");
    CHECK(!rule["help"]["markdown"].get<std::string>().empty());
    CHECK(rule["shortDescription"]["text"].get<std::string>().size() <= 1024);
  }
}

TEST_CASE("formats: SARIF names what lies outside of the repository by the way to it") {
  const auto json = nlohmann::json::parse(WriteSarif(OneFinding("../../other/a.py")));
  const auto& artifact = json["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"];
  CHECK(artifact["uri"] == "../other/a.py");
  CHECK(!artifact.contains("uriBaseId"));
}

TEST_CASE("formats: fingerprints follow words, not lines") {
  Document document = OneFinding();
  File& file = document.files.front();
  const std::string before = file.findings.front().fingerprint;
  file.findings.front().place.start.line += 7;
  SetFingerprints(file, {"abc"});
  CHECK(file.findings.front().fingerprint == before);
  SetFingerprints(file, {"abd"});
  CHECK(file.findings.front().fingerprint != before);

  file.findings.push_back(file.findings.front());
  SetFingerprints(file, {"a  +\n  b", "a + b"});
  CHECK(file.findings[0].fingerprint != file.findings[1].fingerprint);
  const std::string first = file.findings[0].fingerprint;
  SetFingerprints(file, {"a + b", "a + b"});
  CHECK(file.findings[0].fingerprint == first);
}

TEST_CASE("accuracy: no number, no claim") {
  CHECK(PrecisionName(std::nullopt).empty());
  CHECK(PrecisionName(Accuracy{0, 0}).empty());
  CHECK(PrecisionName(Accuracy{20, 0}) == "very-high");
  CHECK(PrecisionName(Accuracy{19, 0}) == "high");
  CHECK(PrecisionName(Accuracy{45, 5}) == "high");
  CHECK(PrecisionName(Accuracy{8, 2}) == "medium");
  CHECK(PrecisionName(Accuracy{1, 1}) == "low");
}

TEST_CASE("page: Markdown holds the examples as code") {
  for (const rules::Rule* rule : rules::AllRules()) {
    const std::string page = PageMarkdown(*rule);
    INFO(rules::CodeText(*rule));
    CHECK(page.starts_with("# " + rules::CodeText(*rule) + " " + rule->slug + "\n"));
    std::size_t fences = 0;
    for (std::size_t at = page.find("\n```"); at != std::string::npos; at = page.find("\n```", at + 1)) ++fences;
    CHECK(fences % 2 == 0);
    CHECK(fences >= 4);
    CHECK(!PageText(*rule, {}).empty());
  }
  for (const std::string& recipe : Recipes()) {
    INFO(recipe);
    CHECK(!RecipePageText(recipe, {}).empty());
  }
}
