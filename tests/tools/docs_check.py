"""Holds the documents against the program.

- docs/rules/RNNN.md and docs/rules/README.md are what the program says of its rules; `--update` rewrites them.
- The table of ops in docs/ir.md is what analyzer/ir/ops.def says; `--update` rewrites it.
- The table of shown rules in docs/accuracy.md is what the program says; likewise.
- The keys in docs/configuration.md and docs/schema/cpnlint-config.schema.json are those of the program; likewise.
- Every rule's bad example is found by that rule, and its good example is not.
- Code blocks: ```python and ```json must parse; in ```console blocks, each `$ ./dev run ...` or `$ cpnlint ...` is run
  and must print what stands below it (a line `...` stands for any lines).
- Every other command of cpnlint that a document names runs (docs_commands.py).
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import common
import docs_commands

RULES = common.ROOT / "docs" / "rules"
BLOCK = re.compile(r"^(?P<indent> *)```(?P<language>\w+)\n(?P<body>.*?)^(?P=indent)```$", re.DOTALL | re.MULTILINE)
CHECK = ("check", "--isolated", "--no-cache", "--preview", "--min-confidence", "possible", "--output-format", "json")
FAMILIES = {
    "scales": "What scales",
    "blocks": "What blocks",
    "refactor": "What is worth a rewrite",
    "info": "What to know",
    "memory": "What may not fit",
}


def index_page(rules: list[dict[str, Any]]) -> str:
    lines = ["# Rules", "", "Generated from the rules; `cpnlint explain CODE` shows the same pages in the terminal."]
    for family, title in FAMILIES.items():
        members = [rule for rule in rules if rule["family"] == family]
        if not members:
            continue
        lines += ["", f"## {title}", "", "| rule | name | severity | what it reports |", "|---|---|---|---|"]
        for rule in members:
            summary = rule["summary"].replace("|", "\\|")
            severity = rule["severity"] + (", preview" if rule.get("preview") else "")
            lines.append(f"| [{rule['code']}]({rule['code']}.md) | `{rule['slug']}` | {severity} | {summary} |")
    return "\n".join(lines) + "\n"


def rule_pages() -> dict[str, str]:
    rules = common.all_rules()
    pages = {"README.md": index_page(rules)}
    for rule in rules:
        done = common.run("explain", rule["code"], "--output-format", "markdown")
        if done.returncode != 0:
            sys.exit(f"cpnlint explain {rule['code']} ended with {done.returncode}: {done.stderr}")
        pages[f"{rule['code']}.md"] = done.stdout
    return pages


def check_pages(update: bool) -> Iterator[str]:
    pages = rule_pages()
    there = {path.name: path.read_text(encoding="utf-8") for path in RULES.glob("*.md")}
    for name in sorted(set(pages) | set(there)):
        if pages.get(name) == there.get(name):
            continue
        if not update:
            yield f"docs/rules/{name}: not what the program says; ./dev update rewrites it"
        elif name in pages:
            (RULES / name).write_text(pages[name], encoding="utf-8")
        else:
            (RULES / name).unlink()


OPS = re.compile(r'^CPNLINT_OP\((\w+), "([^"]+)", (\w+), "([^"]*)", "([^"]*)"\)$', re.MULTILINE)
OPS_BEGIN, OPS_END = "<!-- ops: generated -->\n", "<!-- end of ops -->\n"


def ops_table() -> str:
    """The op table as Markdown: a heading of ops.def becomes a heading row."""
    lines = ["| op | payload | operands | meaning |", "|---|---|---|---|"]
    for _, name, payload, operands, meaning in OPS.findall((common.ROOT / "analyzer/ir/ops.def").read_text(encoding="utf-8")):
        lines.append(f"| `{name}` | {'' if payload == 'Nothing' else payload} | {operands} | {meaning} |")
    return "\n".join(lines) + "\n"


def check_part(page: Path, begin: str, end: str, wanted: str, complaint: str, update: bool) -> Iterator[str]:
    """What stands between two marks of a page is what was made for it."""
    head, _, rest = page.read_text(encoding="utf-8").partition(begin)
    part, _, tail = rest.partition(end)
    if part == wanted:
        return
    if update:
        page.write_text(head + begin + wanted + end + tail, encoding="utf-8")
    else:
        yield f"{complaint}; ./dev update rewrites it"


def check_ops(update: bool) -> Iterator[str]:
    complaint = "docs/ir.md: the table of ops is not what analyzer/ir/ops.def says"
    yield from check_part(common.ROOT / "docs" / "ir.md", OPS_BEGIN, OPS_END, ops_table(), complaint, update)


KEYS_BEGIN, KEYS_END = "<!-- keys: generated -->\n", "<!-- end of keys -->\n"
CONFIG_SCHEMA = common.ROOT / "docs" / "schema" / "cpnlint-config.schema.json"


def keys_text() -> str:
    """The keys of the configuration as Markdown: an index, then each with its example."""
    keys = common.run_json("config", "explain", "--output-format", "json")
    lines, group = ["| key | type | default |", "|---|---|---|"], None
    for key in keys:
        cells = (f"[`{key['key']}`](#{key['key']})", key["type"], key["default"])
        lines.append(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |")
    for key in keys:
        if key["group"] != group:
            group = key["group"]
            lines += ["", f"### {group}"]
        beside = [f"`{key[name]}`" for name in ("option", "environment") if key[name]]
        holds = "each file" if key["holds_for"] == "file" else "the run of `check`" if key["check_only"] else "the run"
        meaning = key["meaning"][0].upper() + key["meaning"][1:]
        lines += ["", f"#### {key['key']}", "", f"{meaning}.", "", f"- Type: {key['type']}"]
        lines += [f"- Default: {key['default']}", f"- Holds for: {holds}"]
        if beside:
            lines.append(f"- Also: {', '.join(beside)}")
        lines += ["", "```toml", key["example"], "```"]
    return "\n".join(lines) + "\n"


def check_config(update: bool) -> Iterator[str]:
    page = common.ROOT / "docs" / "configuration.md"
    head, _, rest = page.read_text(encoding="utf-8").partition(KEYS_BEGIN)
    text, _, tail = rest.partition(KEYS_END)
    schema = common.run("config", "schema").stdout
    if update:
        page.write_text(head + KEYS_BEGIN + keys_text() + KEYS_END + tail, encoding="utf-8")
        CONFIG_SCHEMA.write_text(schema, encoding="utf-8")
        return
    if text != keys_text():
        yield "docs/configuration.md: the keys are not those of the program; ./dev update rewrites them"
    if not CONFIG_SCHEMA.exists() or CONFIG_SCHEMA.read_text(encoding="utf-8") != schema:
        yield f"docs/schema/{CONFIG_SCHEMA.name}: not what `cpnlint config schema` says; ./dev update rewrites it"


SHOWN_BEGIN, SHOWN_END = "<!-- shown: generated -->\n", "<!-- end of shown -->\n"
GOAL = 0.95


def shown_text() -> str:
    """Which rules a run shows by default, and what their precision says of that."""
    rules = [rule for rule in common.all_rules() if rule["family"] != "scales"]

    def share(rule: dict[str, Any]) -> float | None:
        measured = rule.get("measured")
        return measured["right"] / (measured["right"] + measured["wrong"]) if measured else None

    def told(rules: list[dict[str, Any]]) -> str:
        return ", ".join(rule["code"] for rule in rules) or "none"

    shown = [rule for rule in rules if not rule["preview"]]
    previews = [rule for rule in rules if rule["preview"]]
    below = [rule for rule in shown if (share(rule) or 0) < GOAL and share(rule) is not None]
    unread = [rule for rule in shown if share(rule) is None]
    return "\n".join((
        f"| of {len(rules)} rules beside R001 to R007 | |",
        "|---|---|",
        f"| shown, {100 * GOAL:.0f} % and more right | {len(shown) - len(below) - len(unread)} |",
        f"| shown with less | {len(below)}: {told(below)} |",
        f"| shown, not in these readings | {len(unread)}: {told(unread)} |",
        f"| previews, shown with `--preview` | {len(previews)}: {told(previews)} |",
    )) + "\n"


def check_shown(update: bool) -> Iterator[str]:
    complaint = "docs/accuracy.md: which rules are shown is not what the program says"
    yield from check_part(common.ROOT / "docs" / "accuracy.md", SHOWN_BEGIN, SHOWN_END, shown_text(), complaint, update)


def codes_found(source: str, code: str) -> set[str]:
    done = common.run(*CHECK, "--select", code, "-", "--stdin-filename", "example.py", input=source)
    try:
        document = json.loads(done.stdout)
    except json.JSONDecodeError:
        sys.exit(f"the example of {code} gave no JSON (exit code {done.returncode}): {done.stderr}")
    return {place["rule"] for place in document["findings"] + document["good"]}


def check_examples() -> Iterator[str]:
    for rule in common.all_rules():
        code = rule["code"]
        page = common.run_json("explain", code, "--output-format", "json")
        page = page[0] if isinstance(page, list) else page
        for kind in ("bad", "good"):
            example = page[kind]
            if not example.strip():
                yield f"{code}: has no {kind} example"
                continue
            try:
                compile(example, f"{code}.{kind}", "exec", dont_inherit=True)
            except SyntaxError as error:
                yield f"{code}: the {kind} example is no Python: {error}"
        if code not in codes_found(page["bad"], code):
            yield f"{code}: its bad example is not found"
        if code in codes_found(page["good"], code):
            yield f"{code}: its good example is found"


def documents() -> list[Path]:
    return [*sorted(common.ROOT.glob("*.md")), *sorted((common.ROOT / "docs").glob("*.md"))]


def matches(wanted: list[str], actual: list[str]) -> bool:
    pattern = "".join(r"(?:.*\n)*?" if line.strip() == "..." else re.escape(line.rstrip()) + r"\n" for line in wanted)
    return re.fullmatch(pattern, "".join(line.rstrip() + "\n" for line in actual)) is not None


def check_session(name: str, body: str) -> Iterator[str]:
    """Runs the commands of a console block that are cpnlint's."""
    parts = re.split(r"^\$ (.*)\n", body, flags=re.MULTILINE)
    for command, output in zip(parts[1::2], parts[2::2]):
        words = shlex.split(command.replace("./dev run", "cpnlint", 1), comments=True)
        if not words or words[0] != "cpnlint":
            continue
        done = subprocess.run(
            [common.program(), *words[1:]], cwd=common.ROOT, capture_output=True, encoding="utf-8", timeout=60,
            env={**os.environ, "NO_COLOR": "1"}, stdin=subprocess.DEVNULL,
        )
        wanted = output.rstrip("\n").split("\n") if output.strip() else []
        actual = (done.stdout + done.stderr).rstrip("\n").split("\n")
        if done.returncode not in (0, 1):
            yield f"{name}: `{command}` ended with {done.returncode}: {done.stderr.strip()}"
        elif wanted and not matches(wanted, actual):
            yield f"{name}: `{command}` prints something else now:\n    " + "\n    ".join(actual)


def check_blocks() -> Iterator[str]:
    for path in documents():
        name = str(path.relative_to(common.ROOT))
        for block in BLOCK.finditer(path.read_text(encoding="utf-8")):
            body = re.sub(rf"^{block['indent']}", "", block["body"], flags=re.MULTILINE)
            try:
                if block["language"] == "python":
                    compile(body, name, "exec", dont_inherit=True)
                elif block["language"] == "json":
                    json.loads(body)
            except (SyntaxError, json.JSONDecodeError) as error:
                yield f"{name}: a {block['language']} block does not parse: {error}"
            if block["language"] == "console":
                yield from check_session(name, body)


def check_links() -> Iterator[str]:
    for path in [*documents(), *sorted(RULES.glob("*.md"))]:
        text = BLOCK.sub("", path.read_text(encoding="utf-8"))
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
            if "://" not in target and not (path.parent / target).exists():
                yield f"{path.relative_to(common.ROOT)}: links to {target}, which is not there"


def main() -> int:
    update = sys.argv[1:] == ["--update"]
    if sys.argv[1:] and not update:
        print(__doc__)
        return 2
    failed = 0
    checks = {"rule pages": check_pages(update), "ops": check_ops(update), "configuration": check_config(update),
              "shown rules": check_shown(update)}
    if not update:
        checks |= {"examples of rules": check_examples(), "code blocks": check_blocks(), "links": check_links()}
        read = {str(path.relative_to(common.ROOT)): path.read_text(encoding="utf-8") for path in documents()}
        named = {name: text for name, text in read.items() if name != "CHANGELOG.md"}
        checks |= {"commands": docs_commands.check_commands(named), "scripts": docs_commands.check_scripts(named)}
    for what, errors in checks.items():
        found = list(errors)
        failed += bool(found)
        print(f"{what}: {'ok' if not found else len(found)}")
        print("".join(f"  {error}\n" for error in found), end="")
    print(f"docs: {len(checks) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
