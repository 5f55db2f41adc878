#include <catch2/catch.hpp>

#include <set>

#include <nlohmann/json.hpp>

#include "cli/report/ci.h"
#include "cli/report/formats.h"
#include "cli/report/markdown.h"

using namespace cpnlint;
using namespace cpnlint::report;

namespace {

const rules::Rule* SomeRule() {
  for (const rules::Rule* rule : rules::AllRules()) {
    if (rule->family == rules::Family::kBlocks) return rule;
  }
  return nullptr;
}
std::string Code() { return rules::CodeText(*SomeRule()); }

Finding At(std::uint32_t line, rules::Severity severity, double seconds) {
  Finding finding;
  finding.rule = SomeRule();
  finding.severity = severity;
  finding.place = {{line, 5, 6, 8}, {line, 8, 9, 11}};
  finding.message = "about `q`";
  finding.fingerprint = HashText(std::to_string(line));
  finding.cost.emplace();
  finding.cost->per_pass = {seconds, seconds, seconds};
  finding.cost->gain = finding.cost->per_pass;
  finding.cost->terms.push_back({"launches", seconds, "1 launch"});
  return finding;
}

Document With(std::vector<Finding> findings, std::string path = "a.py") {
  File file;
  file.path = std::move(path);
  file.findings = std::move(findings);
  Document document;
  document.target_version = "26.07";
  document.folder = "/home/user/project/sub";
  document.repository = "/home/user/project";
  document.files.push_back(std::move(file));
  return document;
}

std::size_t CountOf(const std::string& text, std::string_view word) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
  return count;
}

// A comma, a percent sign, a colon, a semicolon, a bracket, a quote, a line end, a bell, ]]> and a byte that is no
// UTF-8.
const std::string kHostile = "a,b%41:c;d]\"e'<f>&\n\x07]]>\xFF.py";

}  // namespace

TEST_CASE("ci: the gravest first, then the dearest, then as they stand") {
  using rules::Severity;
  const Document document = With({At(1, Severity::kInfo, 9), At(2, Severity::kError, 1), At(3, Severity::kError, 5),
                                  At(4, Severity::kWarning, 2), At(5, Severity::kError, 1)});
  std::vector<std::uint32_t> lines;
  for (const Located& located : ByImpact(document)) lines.push_back(located.finding->place.start.line);
  CHECK(lines == std::vector<std::uint32_t>{3, 2, 5, 4, 1});
}

TEST_CASE("ci: paths start at the repository") {
  Document document;
  document.folder = "/home/user/project/sub";
  document.repository = "/home/user/project";
  CHECK(PathInRepository(document, "a.py") == "sub/a.py");
  CHECK(PathInRepository(document, "../b/a.py") == "b/a.py");
  CHECK(PathInRepository(document, "/home/user/project/x/../a.py") == "a.py");
  CHECK(PathInRepository(document, "../../other/a.py") == "../other/a.py");
}

TEST_CASE("github: the caps are kept and the rest is counted") {
  std::vector<Finding> findings;
  for (std::uint32_t i = 1; i <= 14; ++i) findings.push_back(At(i, rules::Severity::kError, i));
  for (std::uint32_t i = 21; i <= 30; ++i) findings.push_back(At(i, rules::Severity::kWarning, i));
  for (std::uint32_t i = 41; i <= 52; ++i) findings.push_back(At(i, rules::Severity::kInfo, i));
  Document document = With(findings);
  const std::string out = WriteGithub(document, {});
  CHECK(CountOf(out, "::error ") == 10);
  CHECK(CountOf(out, "::warning ") == 10);
  CHECK(CountOf(out, "::notice ") == 10);
  CHECK(out.find(",line=14,") < out.find(",line=13,"));
  CHECK(out.find(",line=4,") == std::string::npos);
  CHECK(out.find("::notice title=cpnlint::and 7 more; ") != std::string::npos);

  document.files.front().findings.resize(2);
  CHECK(WriteGithub(document, {}).find("more") == std::string::npos);
  document.files.emplace_back().state = File::State::kFailed;
  CHECK(WriteGithub(document, {}).find("::1 file could not be analysed\n") != std::string::npos);
  CHECK(WriteGithub(With({}), {}).empty());
}

TEST_CASE("github: ten notices need no last word, eleven do") {
  std::vector<Finding> findings;
  for (std::uint32_t i = 1; i <= 10; ++i) findings.push_back(At(i, rules::Severity::kInfo, 1));
  CHECK(CountOf(WriteGithub(With(findings), {}), "::notice ") == 10);
  findings.push_back(At(11, rules::Severity::kInfo, 1));
  const std::string out = WriteGithub(With(findings), {});
  CHECK(CountOf(out, "::notice ") == 10);
  CHECK(out.find("and 2 more; ") != std::string::npos);
}

TEST_CASE("github: what would end a property is escaped, columns of several lines are left out") {
  Finding finding = At(3, rules::Severity::kError, 1);
  finding.message = "50 % of `a:b,c`\r\n::error::no";
  const std::string out = WriteGithub(With({finding}, kHostile), {});
  CHECK(CountOf(out, "\n") == 1);
  CHECK(out.find(",file=sub/a%2Cb%2541%3Ac;d]\"e'<f>&\u240A\u2407]]>\uFFFD.py,line=3,endLine=3,col=5,endColumn=8::") !=
        std::string::npos);
  CHECK(out.find("50 %25 of `a:b,c`\u240D\u240A::error::no") != std::string::npos);
  finding.place.end.line = 4;
  CHECK(WriteGithub(With({finding}), {}).find("col=") == std::string::npos);
}

TEST_CASE("azure: two levels, and its own escapes") {
  Finding info = At(3, rules::Severity::kInfo, 1);
  info.message = "50 % [x];";
  const std::string out = WriteAzure(With({info}, kHostile), {});
  CHECK(CountOf(out, "\n") == 1);
  CHECK(out.starts_with(
      "##vso[task.logissue type=warning;sourcepath=sub/a,b%AZP2541:c%3Bd%5D\"e'<f>&\u240A\u2407%5D%5D>\uFFFD.py;"
      "linenumber=3;columnnumber=5;code=" +
      Code() + ";]50 %AZP25 [x]; (info)%0Acost: "));
}

TEST_CASE("gitlab: characters, whole lines, and a fingerprint for each") {
  Finding one = At(3, rules::Severity::kError, 1);
  Finding two = At(4, rules::Severity::kWarning, 1);
  two.fingerprint = one.fingerprint;
  Document document = With({one, two}, kHostile);
  document.files.push_back(document.files.front());
  document.files.back().path = "b.py";
  const auto json = nlohmann::json::parse(WriteGitlab(document, {}));
  REQUIRE(json.size() == 4);
  std::set<std::string> fingerprints;
  for (const auto& issue : json) fingerprints.insert(issue["fingerprint"].get<std::string>());
  CHECK(fingerprints.size() == 4);
  CHECK(json[0]["severity"] == "critical");
  CHECK(json[1]["severity"] == "major");
  CHECK(json[0]["description"].get<std::string>().starts_with(Code() + ": about `q`; about 1 s per pass"));
  CHECK(json[0]["location"]["lines"] == nlohmann::json({{"begin", 3}, {"end", 3}}));
  CHECK(json[0]["location"]["positions"]["begin"]["column"] == 5);
  CHECK(json[2]["location"]["path"] == "sub/b.py");
  CHECK(WriteGitlab(With({}), {}) == "[]\n");
}

TEST_CASE("rdjson: columns are bytes, severities stand at each diagnostic") {
  const auto json = nlohmann::json::parse(WriteRdjson(With({At(3, rules::Severity::kInfo, 1)}, kHostile), {}));
  const auto& diagnostic = json["diagnostics"][0];
  CHECK(diagnostic["location"]["range"]["start"] == nlohmann::json({{"line", 3}, {"column", 9}}));
  CHECK(diagnostic["location"]["range"]["end"]["column"] == 12);
  CHECK(diagnostic["severity"] == "INFO");
  CHECK(diagnostic["code"]["value"] == Code());
  const std::string lines =
      WriteRdjsonLines(With({At(3, rules::Severity::kInfo, 1), At(4, rules::Severity::kError, 1)}), {});
  CHECK(CountOf(lines, "\n") == 2);
  CHECK(nlohmann::json::parse(lines.substr(0, lines.find('\n')))["source"]["name"] == "cpnlint");
  CHECK(WriteRdjsonLines(With({}), {}).empty());
}

TEST_CASE("notebooks: sites get lines and columns of the file") {
  Finding finding = At(7, rules::Severity::kError, 1);
  finding.place.start = {7, 5, 40, 6, 2, 3, 90, 39, 44};
  finding.place.end = {7, 8, 43, 9, 2, 3, 90, 42, 47};
  const Document document = With({finding}, "n.ipynb");
  CHECK(WriteGithub(document, {}).find(",line=90,endLine=90,col=39,endColumn=42::n.ipynb:cell 2:3:5: ") !=
        std::string::npos);
  CHECK(WriteAzure(document, {}).find("linenumber=90;columnnumber=39;") != std::string::npos);
  const auto gitlab = nlohmann::json::parse(WriteGitlab(document, {}))[0];
  CHECK(gitlab["location"]["positions"]["begin"] == nlohmann::json({{"line", 90}, {"column", 39}}));
  CHECK(gitlab["description"].get<std::string>().starts_with(Code() + ": about `q` (cell 2, line 3); "));
  const auto rdjson = nlohmann::json::parse(WriteRdjson(document, {}))["diagnostics"][0];
  CHECK(rdjson["location"]["range"]["start"] == nlohmann::json({{"line", 90}, {"column", 44}}));
  const auto sarif = nlohmann::json::parse(WriteSarif(document))["runs"][0]["results"][0];
  CHECK(sarif["locations"][0]["physicalLocation"]["region"]["startColumn"] == 40);
  CHECK(WriteJunit(document, {}).find("line=\"90\" column=\"39\"") != std::string::npos);
}

TEST_CASE("junit: what XML does not allow is not in it, and no finding is a case that passes") {
  Finding finding = At(3, rules::Severity::kError, 1);
  finding.message = "`\"<a> & ']]>\x01\xEF\xBF\xBE`";
  const std::string out = WriteJunit(With({finding}, kHostile), {});
  CHECK(out.find("&quot;&lt;a&gt; &amp; &apos;]]&gt;\u2401`") != std::string::npos);
  CHECK(out.find("type=\"error\"") != std::string::npos);
  CHECK(out.find_first_of("\x01\x07") == std::string::npos);
  CHECK(out.find("tests=\"1\" failures=\"1\" errors=\"0\"") != std::string::npos);
  CHECK(WriteJunit(With({}), {}).find("<testcase name=\"No errors found\" classname=\"cpnlint\"/>") !=
        std::string::npos);
  Document failed = With({});
  failed.files.front().state = File::State::kFailed;
  failed.files.front().notes.push_back({"encoding", std::nullopt, "odd & even", {}});
  CHECK(WriteJunit(failed, {}).find("<error message=\"odd &amp; even\" type=\"not-analysed\"/>") != std::string::npos);
}

TEST_CASE("sarif: the flow goes through the source, other files first, and is linked from the message") {
  Finding finding = At(5, rules::Severity::kError, 1);
  finding.label = "waits here";
  finding.related.push_back({{{9, 1, 1, 0}, {9, 2, 2, 1}}, "used [again]", 0, {}});
  finding.related.push_back({{{2, 1, 1, 0}, {2, 2, 2, 1}}, "created here", 0, {}});
  finding.related.push_back({{{70, 1, 1, 0}, {70, 2, 2, 1}}, "called here", 0, "b.py"});
  Document document = With({finding});
  document.line_hashes["a.py"][5] = "abc:1";
  const auto run = nlohmann::json::parse(WriteSarif(document))["runs"][0];
  const auto& result = run["results"][0];
  std::vector<std::string> steps;
  for (const auto& step : result["codeFlows"][0]["threadFlows"][0]["locations"]) {
    steps.push_back(step["location"]["message"]["text"]);
  }
  CHECK(steps == std::vector<std::string>{"called here", "created here", "waits here", "used [again]"});
  CHECK(result["message"]["text"].get<std::string>().starts_with(
      "about `q` (see [used \\[again\\]](1), [created here](2), [called here](3)).\ncost: about 1 s per pass"));
  CHECK(result["message"]["markdown"].get<std::string>().find("\n\n**cost:** about 1 s") != std::string::npos);
  CHECK(result["properties"]["cost"]["perPass"]["mid"] == 1.0);
  CHECK(result["partialFingerprints"]["primaryLocationLineHash"] == "abc:1");
  CHECK(run["artifacts"][0]["location"]["uri"] == "sub/a.py");
  CHECK(result["rank"] == 70.0);
}

TEST_CASE("sarif: what sites do not keep is left out, and said") {
  std::vector<Finding> findings;
  for (std::uint32_t i = 1; i <= 5003; ++i) {
    findings.push_back(At(i, i <= 3 ? rules::Severity::kInfo : rules::Severity::kError, 1));
  }
  const auto run = nlohmann::json::parse(WriteSarif(With(findings)))["runs"][0];
  CHECK(run["results"].size() == 5000);
  for (const auto& result : run["results"]) REQUIRE(result["level"] == "error");
  const auto& note = run["invocations"][0]["toolExecutionNotifications"][0];
  CHECK(note["descriptor"]["id"] == "truncated");
  CHECK(note["message"]["text"].get<std::string>().find("3 more") != std::string::npos);
}

TEST_CASE("markdown: users' text stays text") {
  CHECK(MarkdownText("a `b<c>|d` <e> [f](g) @h #1 *i* & \\") ==
        "a `b<c>|d` &lt;e> \\[f\\](g) @\u200Bh #\u200B1 \\*i\\* &amp; \\\\");
  CHECK(MarkdownText("odd ` one") == "odd \\` one");
  CHECK(MarkdownCode("a`b|c") == "`` a`b|c ``");
  CHECK(TableCell("a|b") == "a\\|b");
  std::vector<Finding> findings;
  for (std::uint32_t i = 1; i <= 2000; ++i) findings.push_back(At(i, rules::Severity::kError, i));
  const std::string out = WriteMarkdown(With(findings), {});
  CHECK(out.size() < 65536);
  CHECK(out.starts_with("<!-- cpnlint -->\n## cpnlint\n\nFound 2000 findings"));
  CHECK(out.find(" more, which the other formats list\n") != std::string::npos);
}

TEST_CASE("jsonl: a line is what JSON has among its findings") {
  const Document document = With({At(3, rules::Severity::kInfo, 1), At(4, rules::Severity::kError, 1)});
  const std::string lines = WriteJsonLines(document, {});
  const auto findings = nlohmann::json::parse(WriteJson(document))["findings"];
  const std::size_t end = lines.find('\n');
  CHECK(nlohmann::json::parse(lines.substr(0, end)) == findings[0]);
  CHECK(nlohmann::json::parse(lines.substr(end + 1)) == findings[1]);
}

TEST_CASE("places: a finding stands at the first place that is kept, and the plan knows it") {
  Finding merged = At(3, rules::Severity::kError, 1);
  merged.also = {At(7, rules::Severity::kError, 1).place, At(9, rules::Severity::kError, 1).place};
  merged.code = {"three", "seven", "nine"};
  Document document = With({merged, At(5, rules::Severity::kError, 1)});
  for (const std::size_t shown : {0, 1}) {
    verdict::Issue& issue = document.files[0].evidence.issues.emplace_back();
    issue.rule = SomeRule();
    issue.shown = shown;
  }
  KeepPlaces(document, {{{false, true, true}, {true}}});
  const File& file = document.files[0];
  REQUIRE(file.findings.size() == 2);
  CHECK(file.findings[0].place.start.line == 5);
  CHECK(file.findings[1].place.start.line == 7);
  CHECK(file.findings[1].also.size() == 1);
  CHECK(file.findings[1].message == "here `seven`, as on line 3: about `q`");
  CHECK(file.findings[1].code == std::vector<std::string>{"seven", "nine"});
  CHECK(file.evidence.issues[0].shown == 1U);
  CHECK(file.evidence.issues[0].start.line == 7);
  CHECK(file.evidence.issues[1].shown == 0U);
  KeepPlaces(document, {{{true}, {false, false}}});
  CHECK(document.files[0].findings.size() == 1);
  CHECK(!document.files[0].evidence.issues[0].shown);
}
