"""Where an output says that findings are: each format as its readers take it, and all of them in one measure."""

from __future__ import annotations

import json
import re
import urllib.parse
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import format_checks
import page_support

# Formats that name the line of the file where it is a notebook; the others name the cell and the line in it.
OF_THE_FILE = ("sarif", "github", "gitlab", "rdjson", "rdjsonl", "azure", "junit")
# Formats that list all findings; github and markdown list no more than a reader takes in.
LISTING = tuple(name for name in format_checks.CHECKS if name not in ("github", "markdown"))
FOR_PEOPLE = {
    "concise": r"^(?P<path>.+?)(?::cell (?P<cell>\d+))?:(?P<line>\d+):(?P<column>\d+): (?P<rule>R\d+) ",
    "text": r"^(?P<rule>R\d+) .*  (?P<path>.+?)(?::cell (?P<cell>\d+))?:(?P<line>\d+):(?P<column>\d+)$",
    "markdown": r"^\| \w+ \| (?P<rule>R\d+) \| `(?P<path>.+?)(?::cell (?P<cell>\d+))?:(?P<line>\d+):(?P<column>\d+)` \|",
}


class Said(NamedTuple):
    """As the format has it: lines and columns from 1, columns in its own unit."""

    path: str
    rule: str
    cell: int | None
    unit: str  # "character", "utf-16" or "byte"
    line: int
    column: int
    last: int | None = None
    end: int | None = None


class Place(NamedTuple):
    """In one measure: bytes of the line, from 0."""

    path: str
    rule: str
    cell: int | None
    line: int
    begin: int
    end: int | None  # None where the format does not tell it


def offset(line: bytes, column: int, unit: str) -> int:
    """The byte of a line that a column from 1 means."""
    if unit == "byte":
        return column - 1
    text = line.decode()
    if unit == "utf-16":
        return len(text.encode("utf-16-le")[: 2 * (column - 1)].decode("utf-16-le").encode())
    return len(text[: column - 1].encode())


def lines_of(path: Path, cell: int | None) -> list[bytes]:
    """Of the file without its byte-order mark, or of one of a notebook's code cells."""
    data = path.read_bytes().removeprefix(b"\xef\xbb\xbf")
    if cell is None:
        return data.split(b"\n")
    codes = [one for one in json.loads(data)["cells"] if one["cell_type"] == "code"]
    source = codes[cell - 1]["source"]
    return "".join(source).encode().split(b"\n")


def said(output_format: str, text: str) -> Iterator[Said]:
    if output_format in ("json", "jsonl"):
        findings = json.loads(text)["findings"] if output_format == "json" else map(json.loads, text.splitlines())
        for f in findings:
            start, end = f["start"], f["end"]
            yield Said(f["path"], f["rule"], f["cell"], "character", start["line"], start["column"], end["line"], end["column"])
    elif output_format == "html":
        document, extra = page_support.islands(text)
        for f, more in zip(document["findings"], extra["texts"]):
            yield page_place(f, more["marks"][0], extra["sources"])
    elif output_format == "sarif":
        for result in json.loads(text)["runs"][0]["results"]:
            physical = result["locations"][0]["physicalLocation"]
            r, path = physical["region"], urllib.parse.unquote(physical["artifactLocation"]["uri"])
            yield Said(path, result["ruleId"], None, "utf-16", r["startLine"], r["startColumn"], r["endLine"], r["endColumn"])
    elif output_format == "github":
        for c in format_checks.parse_github(text):
            if "file" not in c:
                continue
            columns = (int(c["col"]), int(c["endLine"]), int(c["endColumn"])) if "col" in c else (0, None, None)
            yield Said(c["file"], c["title"].split()[0], None, "character", int(c["line"]), *columns)
    elif output_format == "gitlab":
        for issue in json.loads(text):
            p = issue["location"]["positions"]
            numbers = (p[which][key] for which in ("begin", "end") for key in ("line", "column"))
            yield Said(issue["location"]["path"], issue["check_name"], None, "character", *numbers)
    elif output_format in ("rdjson", "rdjsonl"):
        whole = output_format == "rdjson"
        for d in json.loads(text)["diagnostics"] if whole else map(json.loads, text.splitlines()):
            r = d["location"]["range"]
            numbers = (r[which][key] for which in ("start", "end") for key in ("line", "column"))
            yield Said(d["location"]["path"], d["code"]["value"], None, "byte", *numbers)
    elif output_format == "azure":
        for c in format_checks.parse_azure(text):
            yield Said(c["sourcepath"], c["code"], None, "character", int(c["linenumber"]), int(c["columnnumber"]))
    elif output_format == "junit":
        from lxml import etree

        for case in etree.fromstring(text.encode()).iter("testcase"):
            if case.find("failure") is not None:
                rule = case.get("name").removeprefix("cpnlint.")
                yield Said(case.getparent().get("name"), rule, None, "character", int(case.get("line")), int(case.get("column")))
    else:
        for found in re.finditer(FOR_PEOPLE[output_format], text, re.MULTILINE):
            if found["rule"].startswith("R0"):
                continue  # what scales, and no finding
            cell = int(found["cell"]) if found["cell"] else None
            yield Said(found["path"], found["rule"], cell, "character", int(found["line"]), int(found["column"]))


def page_place(finding: dict[str, Any], mark: list[Any], sources: list[dict[str, Any]]) -> Said:
    """The page marks lines of all cells together; the finding beside it says which cell they are of."""
    line, begin, end = mark[:3]
    if finding["cell"] is not None:
        line = finding["start"]["line"]
    return Said(finding["path"], finding["rule"], finding["cell"], "character", line, begin, line, end)


def places(output_format: str, text: str, root: Path) -> list[Place]:
    """Sorted. Without the end where the format has only the first line's part of several."""
    result = []
    for one in said(output_format, text):
        lines = lines_of(root / one.path, one.cell)
        begin = offset(lines[one.line - 1], one.column, one.unit) if one.column else -1
        end = None if one.end is None or one.last != one.line else offset(lines[one.line - 1], one.end, one.unit)
        result.append(Place(one.path, one.rule, one.cell, one.line, begin, end))
    return sorted(result, key=lambda place: (*place[:2], place.cell or 0, *place[3:5], place.end or 0))


def disagreements(texts: dict[str, str], root: Path) -> Iterator[str]:
    """Where formats that list all findings of one run do not say the same of them. `texts`: by format of LISTING."""
    found = {name: places(name, text, root) for name, text in texts.items()}
    wanted = {False: found["json"], True: found["rdjson"]}  # of the cells, of the file
    for one, other in zip(found["json"], found["rdjson"]):
        if one.cell is None and one != other:
            yield f"json has {one}, rdjson {other}"
    for name, there in found.items():
        best = wanted[name in OF_THE_FILE]
        if len(there) != len(best):
            yield f"{name} has {len(there)} findings, others {len(best)}"
        for one, other in zip(there, best):
            if one[:5] != other[:5] or (one.end is not None and other.end is not None and one.end != other.end):
                yield f"{name} has {one}, others {other}"
