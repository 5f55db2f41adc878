"""Validates cpnlint's output in every format.

As a module: `json_errors(document)`, `finding_errors(finding)` and `sarif_errors(document)`. As a test: runs all formats
over the examples, the fixtures and inputs that cannot be analysed, and validates what comes out, by its schema and by
what format_checks.py knows of its readers.

The published schema lets readers meet keys they do not know; here it is applied closed, so that a key which nobody
documented is an error.
"""

from __future__ import annotations

import functools
import json
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import common

JSON_SCHEMA = common.ROOT / "docs" / "schema" / "cpnlint-1.schema.json"
SARIF_SCHEMA = common.ROOT / "tests" / "schemas" / "sarif-schema-2.1.0.json"


def closed(schema: Any) -> Any:
    if isinstance(schema, list):
        return [closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    result = {key: closed(value) for key, value in schema.items()}
    if isinstance(schema.get("properties"), dict) and schema.get("type") == "object":
        result.setdefault("additionalProperties", False)
    return result


@functools.lru_cache
def finding_validator() -> Any:
    common.use_test_packages()
    import jsonschema

    ours = closed(json.loads(JSON_SCHEMA.read_text()))
    return jsonschema.Draft202012Validator({"$ref": "#/$defs/finding", "$defs": ours["$defs"]})


@functools.lru_cache
def validators() -> tuple[Any, Any]:
    common.use_test_packages()
    import jsonschema

    ours = closed(json.loads(JSON_SCHEMA.read_text()))
    jsonschema.Draft202012Validator.check_schema(ours)
    sarif = json.loads(SARIF_SCHEMA.read_text())
    return jsonschema.Draft202012Validator(ours), jsonschema.Draft4Validator(sarif)


def describe(validator: Any, document: Any) -> list[str]:
    errors = sorted(validator.iter_errors(document), key=lambda error: error.json_path)
    return [f"{error.json_path}: {error.message[:300]}" for error in errors]


def errors_by(schema: Any) -> Callable[[Any], list[str]]:
    """What a schema of draft 7 finds in a document."""
    common.use_test_packages()
    import jsonschema

    jsonschema.Draft7Validator.check_schema(schema)
    return functools.partial(describe, jsonschema.Draft7Validator(schema))


def json_errors(document: Any) -> list[str]:
    return describe(validators()[0], document) + order_errors(document)


def finding_errors(finding: Any) -> list[str]:
    return describe(finding_validator(), finding)


def order_errors(document: Any) -> list[str]:
    """What a schema cannot say: findings in order, paths in their form, ends not before starts."""
    errors = []
    keys = [
        (f["path"], f["cell"] or 0, f["start"]["line"], f["start"]["column"], f["rule"])
        for f in document.get("findings", [])
    ]
    if keys != sorted(keys):
        errors.append("findings are not sorted by path, cell, position and rule")
    for finding in document.get("findings", []):
        start, end = ((finding[k]["line"], finding[k]["column"]) for k in ("start", "end"))
        if end < start:
            errors.append(f"{finding['path']}:{start}: the end {end} is before the start")
        if "\\" in finding["path"] or finding["path"].startswith("./"):
            errors.append(f"{finding['path']}: not a relative path with forward slashes")
    return errors


def sarif_errors(document: Any) -> list[str]:
    errors = describe(validators()[1], document)
    for run in document.get("runs", []):
        rules = run["tool"]["driver"].get("rules", [])
        for result in run.get("results", []):
            index = result.get("ruleIndex")
            if index is not None and rules[index]["id"] != result["ruleId"]:
                errors.append(f"ruleIndex {index} is {rules[index]['id']}, the result says {result['ruleId']}")
            for location in result.get("locations", []):
                uri = location["physicalLocation"]["artifactLocation"]["uri"]
                if re.search(r"[\\ ]|^\./", uri):
                    errors.append(f"the URI {uri!r} is not percent-encoded and relative")
    return errors


def odd_inputs(folder: Path) -> list[Path]:
    """Files that give notes of every kind that a file can cause."""
    contents = {
        "broken.py": b"import numpy as np\ndef f(:\n    x = np.zeros(3\n",
        "python2.py": b"import numpy\nprint 'x'\nexec 'y'\n",
        "latin.py": b"# -*- coding: latin-1 -*-\nimport numpy as np\nx = '\xe9'\n",
        "invalid.py": b"import numpy as np\nx = '\xff\xfe'\n",
        "empty.py": b"",
        "a b\xc3\xa4.py": b"import numpy as np\nfor i in range(10):\n    np.zeros(10)[i] = 1  # cpnlint: ignore\n",
        "pragma.py": b"import numpy\nx = numpy.zeros(4)  # cpnlint: ignore[R101]\ny = 1  # cpnlint: ignore[R999] no\n",
    }
    paths = []
    for name, content in contents.items():
        path = folder / name.encode("latin-1").decode("utf-8")
        path.write_bytes(content)
        paths.append(path)
    return paths


def run_all(folder: Path, formats: list[str], *args: str | Path, command: str = "check") -> dict[str, str]:
    """One run that writes every format into a file; what they hold."""
    outputs = [word for name in formats for word in ("--output", f"{name}:{folder / name}")]
    printed = formats[-1]
    done = common.run(command, *args, *outputs, "--output-format", printed, cwd=common.ROOT, input="x = 1\n")
    if done.returncode not in (0, 1, 2) or not all((folder / name).exists() for name in formats):
        sys.exit(f"cpnlint {args} ended with {done.returncode}: {done.stderr}")
    texts = {name: (folder / name).read_bytes().decode("utf-8") for name in formats}
    for name in formats:
        (folder / name).unlink()
    if texts[printed] != done.stdout:
        sys.exit(f"cpnlint {args}: standard output and the file differ")
    return texts


OPTIONS = ("--isolated", "--no-cache", "--select", "ALL", "--preview", "--min-confidence", "possible")


def outputs(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """What is looked at, by name, with all that is wrong with it."""
    import format_checks
    import places

    everything = list(format_checks.CHECKS)

    def checked(name: str, paths: list[Any], formats: list[str], command: str = "check") -> Iterator[tuple[str, list[str]]]:
        texts = run_all(folder, formats, *OPTIONS, *paths, command=command)
        for output_format, text in texts.items():
            what = output_format if command == "check" else f"{command}-{output_format}"
            yield f"{name}: {what}", format_checks.errors(what, text, common.ROOT)
        if command == "check" and formats is everything and (common.ROOT / paths[0]).is_dir():
            listing = {name: texts[name] for name in places.LISTING}
            yield f"{name}: same places", list(places.disagreements(listing, common.ROOT))

    for name, paths in (("docs/examples", ["docs/examples"]), ("tests/fixtures", ["tests/fixtures", "--include-tests"])):
        yield from checked(name, paths, everything)
        yield from checked(name, paths, ["json", "html", "markdown", "text"], "report")
        yield from checked(name, paths, ["json", "html", "markdown", "svg", "text"], "predict")
    # These list some of the findings only: of each fixture by itself they list all.
    for path in sorted((common.ROOT / "tests" / "fixtures").rglob("*")):
        if path.suffix in (".py", ".ipynb"):
            yield from checked(path.name, [path.relative_to(common.ROOT)], ["github", "markdown", "concise"])
    with tempfile.TemporaryDirectory() as odd_folder:
        odd = odd_inputs(Path(odd_folder))
        yield from checked("odd files, together", [odd_folder], list(everything))
        for path in odd:
            yield from checked(f"{path.name}, alone", [path], everything)
    yield from checked("a file without arrays", ["-", "--stdin-filename", "plain.py"], everything)


def main() -> int:
    failures = checked = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, errors in outputs(Path(folder)):
            checked += 1
            if errors:
                failures += 1
                print(f"{name} is not valid")
                for error in errors[:20]:
                    print(f"  {error}")
    print(f"json_schema: {checked - failures} passed, {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
