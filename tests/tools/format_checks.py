"""What consumers ask of cpnlint's output formats: their schemas, and the rules that no schema says.

`errors(output_format, text, root)` lists what is wrong with an output; `root` is the repository's folder, in which
paths are looked up. The rules for GitHub are those of its documentation of SARIF support and of its upload action; the
hash of lines is written here a second time, the slow and obvious way.
"""

from __future__ import annotations

import functools
import json
import re
import struct
import sys
import urllib.parse
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import common
import json_schema
import page_support

SCHEMAS = common.ROOT / "tests" / "schemas"
LEVELS = ("none", "note", "warning", "error")
COMMAND_CAP = 10
BUDGETS = r"(ratchet )?(max-blocks|max-waits-per-iteration|min-coverage)"


# --- GitHub's hash of lines -------------------------------------------------------------------------------------------


def line_hashes(text: str) -> list[str]:
    """What the upload action takes as primaryLocationLineHash, line by line."""
    data = text.encode("utf-16-le")
    units = struct.unpack(f"<{len(data) // 2}H", data)
    starts: list[int] = []  # for each line, the position of its first unit in `kept`
    kept: list[int] = []
    at_start, after_return = True, False
    for unit in [*units, 65535]:
        was_return, after_return = after_return, unit == 13
        if unit in (9, 32) or (was_return and unit == 10):
            continue
        if at_start:
            starts.append(len(kept))
        unit = 10 if unit == 13 else unit
        at_start = unit == 10
        kept.append(unit)
    seen: dict[str, int] = {}
    result = []
    for start in starts:
        window = (kept[start : start + 100] + [0] * 100)[:100]
        value = 0
        for unit in window:
            value = (37 * value + unit) % 2**64
        digits = f"{value:x}"
        seen[digits] = seen.get(digits, 0) + 1
        result.append(f"{digits}:{seen[digits]}")
    return result


@functools.lru_cache(maxsize=16)
def hashes_of_bytes(data: bytes) -> list[str] | None:
    try:
        return line_hashes(data.decode("utf-8"))
    except UnicodeDecodeError:
        return None


def hashes_of_file(path: Path) -> list[str] | None:
    return hashes_of_bytes(path.read_bytes()) if path.is_file() else None


# --- SARIF ------------------------------------------------------------------------------------------------------------


def sarif_errors(text: str, root: Path) -> Iterator[str]:
    document = json.loads(text)
    yield from json_schema.sarif_errors(document)
    yield from github_sarif_errors(document, root)
    if len(text) > 100_000_000:
        yield "more than GitHub takes, even packed"


def github_sarif_errors(document: dict[str, Any], root: Path) -> Iterator[str]:
    """What GitHub asks for beyond the schema, or drops without a word."""
    if not document.get("$schema") or document.get("version") != "2.1.0":
        yield "$schema or version is missing"
    if len(document["runs"]) != 1:
        yield "more than one run"
    for run in document["runs"]:
        rules = run["tool"]["driver"]["rules"]
        if not run["tool"]["driver"].get("semanticVersion"):
            yield "the driver has no semanticVersion"
        if run.get("columnKind") != "utf16CodeUnits":
            yield "columnKind is not said"
        if "automationDetails" in run:
            yield "automationDetails would override the category that the upload was given"
        if len(run["results"]) > 5000:
            yield f"{len(run['results'])} results: the site keeps 5000"
        if len({rule["id"] for rule in rules}) != len(rules):
            yield "a rule stands twice"
        for rule in rules:
            yield from rule_errors(rule)
        ranks = [LEVELS.index(result["level"]) for result in run["results"]]
        if ranks != sorted(ranks, reverse=True):
            yield "results are not in the order of their gravity"
        for number, result in enumerate(run["results"]):
            for error in result_errors(result, run, root):
                yield f"result {number} ({result['ruleId']}): {error}"


def rule_errors(rule: dict[str, Any]) -> Iterator[str]:
    name = rule["id"]
    for key in ("shortDescription", "fullDescription"):
        words = rule.get(key, {}).get("text", "")
        if not 0 < len(words) <= 1024:
            yield f"{name}: {key} has {len(words)} characters"
    for key in ("text", "markdown"):
        if not rule.get("help", {}).get(key):
            yield f"{name}: help.{key} is missing"
    if not re.fullmatch(r"([A-Z][a-z0-9]*)+", rule.get("name", "")) or len(rule["name"]) > 255:
        yield f"{name}: the name {rule.get('name')!r} is not in Pascal case"
    if rule.get("defaultConfiguration", {}).get("level") not in LEVELS:
        yield f"{name}: no default level"
    properties = rule.get("properties", {})
    if properties.get("problem.severity") not in ("error", "warning", "recommendation"):
        yield f"{name}: problem.severity is {properties.get('problem.severity')!r}"
    if properties.get("precision") not in (None, "very-high", "high", "medium", "low"):
        yield f"{name}: precision is {properties['precision']!r}"
    tags = properties.get("tags", [])
    if len(tags) > 20 or len(set(tags)) != len(tags) or "security" in tags or "security-severity" in properties:
        yield f"{name}: tags {tags} or a security severity, which would make findings security alerts"


def result_errors(result: dict[str, Any], run: dict[str, Any], root: Path) -> Iterator[str]:
    rules = run["tool"]["driver"]["rules"]
    if rules[result["ruleIndex"]]["id"] != result["ruleId"]:
        yield "ruleIndex points to another rule"
    if result.get("level") not in LEVELS:
        yield f"level {result.get('level')!r}"
    if not 0 <= result.get("rank", -1) <= 100:
        yield f"rank {result.get('rank')!r}"
    if len(result["locations"]) != 1:
        yield "not one location: the site looks at the first alone"
    physical = result["locations"][0]["physicalLocation"]
    related = result.get("relatedLocations", [])
    ids = [location["id"] for location in related]
    if len(set(ids)) != len(ids) or len(ids) > 100:
        yield f"relatedLocations have the ids {ids}"
    text = result["message"]["text"]
    for target in re.findall(r"(?<!\\)\]\((\d+)\)", text):
        if int(target) not in ids:
            yield f"the message links to {target}, which is no related location"
    if not text.endswith("."):
        yield f"the message ends without a full stop: {text!r}"
    steps = [step for flow in result.get("codeFlows", []) for thread in flow["threadFlows"] for step in thread["locations"]]
    if len(steps) > 1000 or any("location" not in step for step in steps):
        yield "a code flow has too many steps, or refers to some that stand elsewhere"
    if steps and not any(step["location"]["physicalLocation"]["region"] == physical["region"] for step in steps):
        yield "the code flow leaves the finding's own place out"
    places = [physical, *(location["physicalLocation"] for location in related)]
    places += [step["location"]["physicalLocation"] for step in steps]
    for place in places:
        yield from place_errors(place, run, root)
    region = physical["region"]
    prints = result.get("partialFingerprints", {})
    if not prints.get("cpnlint/v1"):
        yield "it has no fingerprint of ours"
    hashes = hashes_of_file(root / urllib.parse.unquote(physical["artifactLocation"]["uri"]))
    if hashes is not None and hashes[region["startLine"] - 1] != prints.get("primaryLocationLineHash"):
        yield f"primaryLocationLineHash is {prints.get('primaryLocationLineHash')}, the action says {hashes[region['startLine'] - 1]}"


def place_errors(place: dict[str, Any], run: dict[str, Any], root: Path) -> Iterator[str]:
    artifact, region = place["artifactLocation"], place["region"]
    uri = artifact["uri"]
    if not re.fullmatch(r"(?:[A-Za-z0-9._~/-]|%[0-9A-F]{2})+", uri) or uri.startswith(("/", "./")) or "//" in uri:
        yield f"the URI {uri!r} is not relative and percent-encoded"
    if uri.startswith("../") == ("uriBaseId" in artifact):
        yield f"the URI {uri!r} has the wrong base"
    if "uriBaseId" in artifact and artifact["uriBaseId"] not in run["originalUriBaseIds"]:
        yield f"the base {artifact['uriBaseId']!r} is not described"
    if "index" in artifact and run["artifacts"][artifact["index"]]["location"]["uri"] != uri:
        yield "artifacts has another file at that index"
    start, end = ((region[f"{which}Line"], region[f"{which}Column"]) for which in ("start", "end"))
    if min(*start, *end) < 1 or end < start:
        yield f"the region {region} is none"
    context = place.get("contextRegion")
    if context is None:
        return
    if not context["startLine"] <= start[0] <= end[0] <= context["endLine"]:
        yield "the context does not hold the region"
    snippet = context["snippet"]["text"].encode("utf-16-le")
    if len(snippet) // 2 < end[1] - 1:
        yield f"the line of the context is shorter than the region: {context}"


# --- the others -------------------------------------------------------------------------------------------------------


def json_errors(text: str, root: Path) -> Iterator[str]:
    yield from json_schema.json_errors(json.loads(text))


def jsonl_errors(text: str, root: Path) -> Iterator[str]:
    if text and not text.endswith("\n"):
        yield "the last line does not end"
    for line in text.splitlines():
        yield from json_schema.finding_errors(json.loads(line))


@functools.lru_cache
def validator(name: str) -> Any:
    common.use_test_packages()
    import jsonschema

    schema = json.loads((SCHEMAS / name).read_text(encoding="utf-8"))
    kind = jsonschema.validators.validator_for(schema, default=jsonschema.Draft7Validator)
    return kind(schema)


def gitlab_errors(text: str, root: Path) -> Iterator[str]:
    """GitLab stops reading at the first element that it does not like."""
    if text.startswith("\ufeff"):
        yield "it starts with a byte-order mark"
    issues = json.loads(text)
    if not isinstance(issues, list):
        yield "not an array"
        return
    fingerprints = [issue.get("fingerprint") for issue in issues]
    if len(set(fingerprints)) != len(fingerprints):
        yield "two elements have one fingerprint, and would be shown as one"
    for number, issue in enumerate(issues):
        for error in json_schema.describe(validator("gitlab-codequality-item-schema.json"), issue):
            yield f"element {number}: {error}"
        if issue["severity"] not in ("info", "minor", "major", "critical", "blocker"):
            yield f"element {number}: severity {issue['severity']!r}"
        path, lines = issue["location"]["path"], issue["location"]["lines"]
        if not path or path.startswith(("./", "/")):
            yield f"element {number}: the path {path!r} is not relative"
        if not 1 <= lines["begin"] <= lines["end"] or "\n" in issue["description"]:
            yield f"element {number}: {issue}"
        yield from text_errors(issue["description"], root)
        if not issue["description"].startswith(issue["check_name"]):
            yield f"element {number}: the description does not name the rule, and nothing else is shown"


def range_errors(diagnostic: dict[str, Any]) -> Iterator[str]:
    if re.fullmatch(BUDGETS, diagnostic["code"]["value"]):
        return  # of the whole file
    for location in (diagnostic["location"], *(other["location"] for other in diagnostic["related_locations"])):
        start, end = ((location["range"][key]["line"], location["range"][key]["column"]) for key in ("start", "end"))
        if min(*start, *end) < 1 or end < start:
            yield f"the range {location} is none"


def rdjson_errors(text: str, root: Path) -> Iterator[str]:
    document = json.loads(text)
    yield from json_schema.describe(validator("rdjson-DiagnosticResult.schema.json"), document)
    if set(document) != {"source", "severity", "diagnostics"}:
        yield f"keys {sorted(document)}"
    for diagnostic in document["diagnostics"]:
        yield from range_errors(diagnostic)


def rdjsonl_errors(text: str, root: Path) -> Iterator[str]:
    for line in text.splitlines():
        diagnostic = json.loads(line)
        yield from json_schema.describe(validator("rdjson-Diagnostic.schema.json"), diagnostic)
        yield from range_errors(diagnostic)
        if diagnostic["source"] != {"name": "cpnlint"}:
            yield f"source {diagnostic['source']}"


@functools.lru_cache
def junit_schema() -> Any:
    common.use_test_packages()
    from lxml import etree

    return etree.XMLSchema(etree.parse(SCHEMAS / "junit.xsd"))


def junit_errors(text: str, root: Path) -> Iterator[str]:
    schema = junit_schema()
    from lxml import etree

    try:
        tree = etree.fromstring(text.encode())
    except etree.XMLSyntaxError as error:
        yield f"no XML: {error}"
        return
    if not schema.validate(tree):
        yield from (str(error) for error in schema.error_log)
    for element in (tree, *tree.iter("testsuite")):
        for attribute, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error")):
            if int(element.get(attribute)) != len(list(element.iter(tag))):
                yield f"{element.get('name')}: {attribute} is {element.get(attribute)}"


def unescape(text: str, codes: dict[str, str]) -> str:
    for code, character in codes.items():
        text = text.replace(code, character)
    return text


GITHUB_DATA = {"%0D": "\r", "%0A": "\n"}
GITHUB_PROPERTY = {**GITHUB_DATA, "%3A": ":", "%2C": ","}


def parse_github(text: str) -> list[dict[str, str]]:
    """The commands as the runner reads them: `command`, its properties, `message`."""
    commands = []
    for line in text.splitlines():
        found = re.fullmatch(r"::(\w+) (.*?)::(.*)", line)
        if found is None:
            raise ValueError(f"not a command: {line!r}")
        properties = dict(pair.split("=", 1) for pair in found[2].split(","))
        values = {key: unescape(value, GITHUB_PROPERTY).replace("%25", "%") for key, value in properties.items()}
        commands.append({"command": found[1], **values, "message": unescape(found[3], GITHUB_DATA).replace("%25", "%")})
    return commands


def github_errors(text: str, root: Path) -> Iterator[str]:
    commands = parse_github(text)
    for name in ("error", "warning", "notice"):
        count = sum(command["command"] == name for command in commands)
        if count > COMMAND_CAP:
            yield f"{count} commands {name}: GitHub shows {COMMAND_CAP} of a step"
    if set(command["command"] for command in commands) - {"error", "warning", "notice"}:
        yield "a command that makes no annotation"
    for command in commands:
        if "file" not in command:
            continue
        if command["line"] != command["endLine"] and "col" in command:
            yield f"columns over several lines: {command}"
        if "col" in command and not 1 <= int(command["col"]) <= int(command["endColumn"]):
            yield f"columns: {command}"


def parse_azure(text: str) -> list[dict[str, str]]:
    commands = []
    for line in text.splitlines():
        found = re.fullmatch(r"##vso\[task\.logissue (.*?)\](.*)", line)
        if found is None:
            raise ValueError(f"not a command: {line!r}")
        properties = dict(pair.split("=", 1) for pair in found[1].removesuffix(";").split(";"))
        codes = {"%0D": "\r", "%0A": "\n", "%3B": ";", "%5D": "]", "%AZP25": "%"}
        values = {key: unescape(value, codes) for key, value in properties.items()}
        commands.append({**values, "message": unescape(found[2], {"%0D": "\r", "%0A": "\n", "%AZP25": "%"})})
    return commands


def azure_errors(text: str, root: Path) -> Iterator[str]:
    for command in parse_azure(text):
        if command["type"] not in ("error", "warning"):
            yield f"{command}"
        if re.fullmatch(BUDGETS, command["code"]):
            continue  # of no line
        if not re.fullmatch(r"R\d{3}", command["code"]):
            yield f"{command}"
        if int(command["linenumber"]) < 1 or int(command["columnnumber"]) < 1 or not command["sourcepath"]:
            yield f"{command}"


def markdown_errors(text: str, root: Path) -> Iterator[str]:
    if len(text) > 65_536:
        yield f"{len(text)} characters: a comment on GitHub has 65,536 at most"
    if text.count("<details>") != text.count("</details>") or not text.startswith("<!-- cpnlint -->\n## cpnlint"):
        yield "its frame is broken"
    for line in text.splitlines():
        if line.startswith("|") and len(re.findall(r"(?<!\\)\|", line)) != 7:
            yield f"a row with another number of cells: {line}"


def text_errors(text: str, root: Path) -> Iterator[str]:
    """For formats that people read: nothing that a terminal would obey."""
    for control in re.findall(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text):
        yield f"the control character {control!r}"


def html_errors(text: str, root: Path) -> Iterator[str]:
    yield from page_support.page_errors(text)


def svg_errors(text: str, root: Path) -> Iterator[str]:
    common.use_test_packages()
    from lxml import etree

    try:
        tree = etree.fromstring(text.encode())
    except etree.XMLSyntaxError as error:
        yield f"no XML: {error}"
        return
    if etree.QName(tree).localname != "svg" or tree.find("{*}title") is None:
        yield "no picture with a title"
    yield from text_errors(text, root)


CHECKS: dict[str, Callable[[str, Path], Iterator[str]]] = {
    "json": json_errors,
    "jsonl": jsonl_errors,
    "sarif": sarif_errors,
    "github": github_errors,
    "gitlab": gitlab_errors,
    "junit": junit_errors,
    "rdjson": rdjson_errors,
    "rdjsonl": rdjsonl_errors,
    "azure": azure_errors,
    "markdown": markdown_errors,
    "html": html_errors,
    "text": text_errors,
    "concise": text_errors,
}
# Those of the other commands; CHECKS has the formats of `check`.
OTHERS: dict[str, Callable[[str, Path], Iterator[str]]] = {
    "report-json": json_errors,
    "report-html": html_errors,
    "report-markdown": text_errors,
    "report-text": text_errors,
    "predict-json": json_errors,
    "predict-html": html_errors,
    "predict-markdown": text_errors,
    "predict-svg": svg_errors,
    "predict-text": text_errors,
}
PRINTABLE = ("github", "junit", "azure", "markdown", "html")


def errors(output_format: str, text: str, root: Path) -> list[str]:
    try:
        found = list((CHECKS | OTHERS)[output_format](text, root))
    except (KeyError, IndexError, TypeError, ValueError) as error:  # what a reader would stumble over as well
        return [f"cannot be read: {error!r}"]
    if output_format in PRINTABLE:
        found += text_errors(text, root)
    return found


if __name__ == "__main__":
    sys.exit("this is for json_schema.py and tests/e2e/formats_test.py")
