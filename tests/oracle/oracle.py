"""Asks the real cuPyNumeric, on CPU, whether what cpnlint says about it is so. `./dev oracle` runs it.

    oracle.py [--only rules|recipes|api] [--check]

- each rule's example programs, and each recipe's, under NumPy and under cuPyNumeric: raises or not, same results, what
  cuPyNumeric Doctor says;
- the table of the installed version: names, parameters, keywords, calls, element types.

The result is docs/oracle.md. The exit status is 1 where something contradicts cpnlint that `known.py` does not explain.
The environment (3 GB) is made once, in the user's cache folder.
"""

from __future__ import annotations

import argparse
import datetime
import json
import math
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
import api_oracle
import common
import environment
import known
import operands
import variants

PAGE = common.ROOT / "docs" / "oracle.md"
RUNNER = Path(__file__).with_name("runner.py")
LINES_APART = 200  # between the programs of one process: Doctor counts accesses by line number
DOCTOR_SAYS = {  # the check's name in a rule -> how Doctor's description begins
    "repeated scalar access": "multiple scalar item accesses",
    "repeated slice access": "repeated slice access",
    "whole-array gather": "entire cuPyNumeric array is being gathered",
    "repeated stacking": "hstack/vstack called repeatedly",
    "nonzero": "use of nonzero can be slow",
    "advanced indexing": "use of advanced indexing can be slow",
    "builtin on array": "Python built-in",
    "iteration": "iterating over a cuPyNumeric array",
    "mpi4py imported": "mpi4py is imported",
}


# ---------------------------------------------------------------------------------------------------------------------
# Running


def run_jobs(
    jobs: list[dict[str, Any]], what: str, with_doctor: bool = False
) -> tuple[dict[str, dict[str, Any]], list[dict[str, Any]]]:
    """What came of each job by its id, and Doctor's findings. A job that ended the process says `ends`: status."""
    folder = environment.make()
    results: dict[str, dict[str, Any]] = {}
    doctor: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as temporary:
        todo, done, said = (Path(temporary) / name for name in ("jobs", "results", "doctor.json"))
        rest = jobs
        while rest:
            print(f"oracle: {what}: {len(rest)} to run", file=sys.stderr, flush=True)
            todo.write_text("".join(json.dumps(job) + "\n" for job in rest), encoding="utf-8")
            done.write_text("")
            said.unlink(missing_ok=True)
            variables = environment.variables(folder) | {
                "CUPYNUMERIC_DOCTOR": "1" if with_doctor else "0",
                "CUPYNUMERIC_DOCTOR_FORMAT": "json",
                "CUPYNUMERIC_DOCTOR_TRACEBACK": "1",  # what a program makes SciPy do is said of SciPy's line
                "CUPYNUMERIC_DOCTOR_FILENAME": str(said),
            }
            command = [*environment.command(folder), str(RUNNER), str(todo), str(done)]
            ended = subprocess.run(command, env=variables, capture_output=True, encoding="utf-8", errors="replace")
            begun = ""
            for line in done.read_text(encoding="utf-8").splitlines():
                entry = json.loads(line)
                begun = entry.get("begins", begun)
                if "id" in entry:
                    results[entry["id"]] = entry
            if said.exists():
                doctor += json.loads(said.read_text(encoding="utf-8").splitlines()[-1])
            if not begun:
                sys.exit(f"cuPyNumeric did not start (exit status {ended.returncode}):\n{ended.stdout}{ended.stderr}")
            if begun not in results:
                results[begun] = {"id": begun, "ends": ended.returncode}
            rest = [job for job in rest if job["id"] not in results]
    return results, doctor


def versions() -> dict[str, str]:
    python = environment.make() / "bin" / "python"
    program = "import json, sys, importlib.metadata as m; print(json.dumps({n: m.version(n) for n in sys.argv[1:]}))"
    names = ("nvidia-cupynumeric", "legate", "numpy", "scipy")
    done = subprocess.run([python, "-c", program, *names], capture_output=True, text=True, check=True)
    return {**json.loads(done.stdout), "Python": sys.version.split()[0]}


# ---------------------------------------------------------------------------------------------------------------------
# Comparing


def close(a: Any, b: Any, tolerance: float) -> bool:
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(close(x, y, tolerance) for x, y in zip(a, b))
    if isinstance(a, (bool, int, float)) and isinstance(b, (bool, int, float)):
        if math.isnan(a) or math.isnan(b):
            return math.isnan(a) and math.isnan(b)
        return a == b or math.isclose(a, b, rel_tol=tolerance, abs_tol=tolerance)
    return a == b


def difference(a: dict[str, Any], b: dict[str, Any], tolerance: float = 1e-9, values: bool = True) -> str:
    """How result `b` differs from `a`; empty where it does not. A Python number and a 0-d array can be equal."""
    if "items" in a and "items" in b:
        if len(a["items"]) != len(b["items"]):
            return f"{len(b['items'])} items instead of {len(a['items'])}"
        pairs = zip(a["items"], b["items"])
        return next((d for x, y in pairs if (d := difference_of_item(x, y, tolerance, values))), "")
    if "array" in a and "array" in b:
        if a["shape"] != b["shape"]:
            return f"shape {tuple(b['shape'])} instead of {tuple(a['shape'])}"
        if a["dtype"] != b["dtype"]:
            return f"{b['dtype']} instead of {a['dtype']}"
        single = any(word in a["dtype"] for word in ("32", "complex64", "16"))
        same = close(a["array"], b["array"], max(tolerance, 1e-5 if single and tolerance else 0.0))
        return "" if same or not values else "other values"
    if "array" in a or "array" in b:
        numbers = [plain_numbers(side) for side in (a, b)]
        return "" if close(*numbers, tolerance) or not values else "other values"
    if "value" in a and "value" in b:
        return "" if close(a["value"], b["value"], tolerance) or not values else "other values"
    return "" if a == b else "another kind of result"


def plain_numbers(side: dict[str, Any]) -> list[Any]:
    """The elements of an array, of a list of 0-d arrays, or the one number."""
    if "items" in side:
        return [number for item in side["items"] if isinstance(item, dict) for number in plain_numbers(item)]
    return side["array"] if "array" in side else [side.get("value")]


def difference_of_item(a: Any, b: Any, tolerance: float, values: bool) -> str:
    if isinstance(a, list) and isinstance(b, list):  # a dictionary's entry
        return "other keys" if a[0] != b[0] else difference(a[1], b[1], tolerance, values)
    return difference(a, b, tolerance, values)


def word(outcome: dict[str, Any]) -> str:
    if "ends" in outcome:
        return f"ends the process ({outcome['ends']})"
    return outcome["raises"] if "raises" in outcome else "runs"


# ---------------------------------------------------------------------------------------------------------------------
# Rules


def program_jobs(rules: list[dict[str, Any]]) -> list[dict[str, Any]]:
    jobs = []
    for rule in rules:
        calls = operands.RULES.get(rule["code"])
        if calls is None:
            continue
        for version, call in (("bad", calls.bad), ("good", calls.good or calls.bad)):
            if call == "-":
                continue
            for library in ("numpy", "cupynumeric"):
                jobs.append(
                    {
                        "kind": "program",
                        "id": f"{rule['code']} {version} {library}",
                        "library": library,
                        "source": rule[version],
                        "setup": operands.SETUP,
                        "call": call,
                        "lines_before": LINES_APART * len(jobs),
                    }
                )
    return jobs


def run_programs(rules: list[dict[str, Any]]) -> tuple[dict[str, dict[str, Any]], list[dict[str, Any]]]:
    """A process that ends takes Doctor's findings with it, so what ends one has processes of its own."""
    results: dict[str, dict[str, Any]] = {}
    doctor: list[dict[str, Any]] = []
    jobs = program_jobs(rules)
    for ends in (False, True):
        some = [job for job in jobs if (operands.RULES[job["id"].split()[0]].expect == "ends") == ends]
        ran, said = run_jobs(some, "programs of rules", with_doctor=True)
        results |= ran
        doctor += said
    return results, doctor


def judge_rule(rule: dict[str, Any], results: dict[str, Any], doctor: Iterable[dict[str, Any]]) -> dict[str, Any]:
    code = rule["code"]
    if code not in operands.RULES:
        why = operands.NOT_RUN.get(code, "")
        contradictions = [] if why else ["no call is given in tests/oracle/operands.py"]
        return {"code": code, "not run": why or "no call", "contradictions": contradictions}
    calls = operands.RULES[code]
    ran = ("bad",) if calls.good == "-" else ("bad", "good")
    got = {(v, lib): results[f"{code} {v} {lib}"] for v in ran for lib in ("numpy", "cupynumeric")}
    words = {("good", "cupynumeric"): "too large to run here"} | {key: word(value) for key, value in got.items()}
    wrong = []
    for version in ran:
        if words[version, "numpy"] != "runs":
            wrong.append(f"{version} under NumPy: {words[version, 'numpy']}: {got[version, 'numpy'].get('text', '')}")
    if "good" not in ran:
        pass
    elif words["good", "cupynumeric"] != "runs":
        wrong.append(f"good: {words['good', 'cupynumeric']}: {got['good', 'cupynumeric'].get('text', '')}")
    elif words["good", "numpy"] == "runs":
        numpy, ours = (got["good", library]["result"] for library in ("numpy", "cupynumeric"))
        if found := difference(numpy, ours, values=not calls.random):
            wrong.append(f"good gives {found}")
        if calls.comparable and words["bad", "numpy"] == "runs":
            if found := difference(got["bad", "numpy"]["result"], got["good", "numpy"]["result"], calls.tolerance):
                wrong.append(f"good is not bad's job: {found}")
    bad = words["bad", "cupynumeric"]
    if bad == "runs" and words["bad", "numpy"] == "runs":
        found = difference(got["bad", "numpy"]["result"], got["bad", "cupynumeric"]["result"], values=not calls.random)
        bad = "differs" if found else "same"
    as_expected = {
        "raises": bad not in ("same", "differs") and "ends" not in got["bad", "cupynumeric"],
        "ends": "ends" in got["bad", "cupynumeric"],
        "same": bad == "same",
        "differs": bad == "differs",
    }
    if as_expected[calls.expect]:
        words["bad", "cupynumeric"] = (
            {"same": "same result", "differs": f"differs: {found}"}[bad] if bad in ("same", "differs") else bad
        )
    else:
        wrong.append(f"bad: {calls.expect} expected, but it {'is ' + bad if bad in ('same', 'differs') else bad}")
    said = {
        version: sorted(
            {check_of(d) for d in doctor if f"{code} {version} cupynumeric.py" in d["filename"] + d["traceback"]}
        )
        for version in ("bad", "good")
    }
    wanted = rule["doctor"]
    if wanted and not set(filter(None, map(str.strip, wanted.split(",")))) & set(said["bad"]):
        wrong.append(f"Doctor does not say `{wanted}` of bad, but {', '.join(said['bad']) or 'nothing'}")
    if not wanted and said["bad"] and bad in ("same", "differs"):
        wrong.append(f"the rule names no check, yet Doctor says {', '.join(said['bad'])} of bad")
    if said["good"]:
        wrong.append(f"Doctor says {', '.join(said['good'])} of good")
    return {"code": code, "words": words, "doctor": said, "contradictions": wrong}


def check_of(said: dict[str, Any]) -> str:
    description = said["description"]
    return next((name for name, begin in DOCTOR_SAYS.items() if description.startswith(begin)), description[:40])


# ---------------------------------------------------------------------------------------------------------------------
# Recipes


def recipe_jobs(recipes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    jobs = []
    for recipe in recipes:
        cases = operands.RECIPES.get(recipe["recipe"])
        if cases is None:
            continue
        for number, call in enumerate(cases.calls):
            after = cases.after[number] if cases.after else call
            for version, expression in (("before", call), ("after", after)):
                for library in ("numpy", "cupynumeric"):
                    jobs.append(
                        {
                            "kind": "program",
                            "id": f"{recipe['recipe']} {number} {version} {library}",
                            "library": library,
                            "source": recipe[version],
                            "setup": operands.SETUP,
                            "call": expression,
                            "lines_before": 0,
                        }
                    )
    return jobs


def judge_recipe(recipe: dict[str, Any], results: dict[str, Any]) -> dict[str, Any]:
    name = recipe["recipe"]
    if name not in operands.RECIPES:
        why = operands.NOT_COMPARED.get(name, "")
        contradictions = [] if why else ["no call is given in tests/oracle/operands.py"]
        return {"recipe": name, "cases": 0, "not compared": why, "contradictions": contradictions}
    cases = operands.RECIPES[name]
    wrong, before_words = [], set()
    for number, call in enumerate(cases.calls):
        got = {
            (v, lib): results[f"{name} {number} {v} {lib}"]
            for v in ("before", "after")
            for lib in ("numpy", "cupynumeric")
        }
        before_words.add(word(got["before", "cupynumeric"]))
        tolerance = {"bits": 0.0, "close": cases.tolerance, "policy": cases.tolerance, "shape": 0.0}[cases.equal]
        ours = got["after", "cupynumeric"]
        comparisons = [
            ("after under NumPy", got["before", "numpy"], got["after", "numpy"], tolerance),
            ("after under cuPyNumeric", got["after", "numpy"], ours, max(tolerance, 1e-9)),
        ]
        if cases.ported:
            comparisons = [("after under cuPyNumeric", got["before", "cupynumeric"], ours, tolerance)]
        for label, a, b, needed in comparisons:
            if "result" not in a or "result" not in b:
                lacking = a if "result" not in a else b
                wrong.append(f"`{call}`: {word(lacking)}: {lacking.get('text', '')}")
            elif found := difference(a["result"], b["result"], needed, cases.equal != "shape"):
                wrong.append(f"`{call}`: {label} gives {found}")
    return {
        "recipe": name,
        "cases": len(cases.calls),
        "equal": cases.equal,
        "before": sorted(before_words),
        "contradictions": wrong,
    }


# ---------------------------------------------------------------------------------------------------------------------
# The page


def listed(name: str, entry: dict[str, Any]) -> tuple[list[str], list[tuple[str, str]]]:
    """Contradictions that are open, and those with a reason."""
    pairs = [(text, entry.get("reason") or known.reason(name, text)) for text in entry["contradictions"]]
    return [text for text, why in pairs if not why], [(text, why) for text, why in pairs if why]


def cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def rule_part(judged: list[dict[str, Any]]) -> list[str]:
    lines = [
        "## Rules",
        "",
        "The example programs of each rule's page, called with small operands. *bad* and *good* are what they do on",
        "cuPyNumeric; under NumPy all of them run, and where they do the same job they give the same result.",
        "",
        "| rule | bad | Doctor of bad | good | open |",
        "|---|---|---|---|---|",
    ]
    for entry in judged:
        if "not run" in entry:
            lines.append(f"| {entry['code']} | not run: {entry['not run']} | | | {len(entry['open'])} |")
            continue
        words, said = entry["words"], entry["doctor"]
        lines.append(
            f"| {entry['code']} | {cell(words['bad', 'cupynumeric'])} | {', '.join(said['bad']) or '–'} "
            f"| {cell(words['good', 'cupynumeric'])} | {len(entry['open'])} |"
        )
    return lines


def recipe_part(judged: list[dict[str, Any]]) -> list[str]:
    lines = [
        "",
        "## Recipes",
        "",
        "*before* and *after* of each recipe's page: NumPy before, after, and cuPyNumeric after must agree. *equal* is",
        "what was asked between before and after: the same bits, rounding (close), another stopping rule (policy), or",
        "shapes alone.",
        "",
        "| recipe | cases | equal | before on cuPyNumeric | open |",
        "|---|---|---|---|---|",
    ]
    for entry in judged:
        before = entry.get("not compared") or ", ".join(entry.get("before", ()))
        lines.append(
            f"| {entry['recipe']} | {entry['cases']} | {entry.get('equal', '')} | {before} | {len(entry['open'])} |"
        )
    return lines


def details(title: str, judged: list[tuple[str, dict[str, Any]]]) -> list[str]:
    lines = []
    for heading, key in (("open", "open"), ("explained", "explained")):
        rows = [(name, item) for name, entry in judged for item in entry[key]]
        if not rows:
            continue
        lines += ["", f"{title}, {heading}:", ""]
        for name, item in rows:
            lines.append(f"- {name}: {item}" if isinstance(item, str) else f"- {name}: {item[0]}. {item[1]}")
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "--only", choices=("rules", "recipes", "api"), help="print one part, leave docs/oracle.md alone"
    )
    args = parser.parse_args()
    page: list[str] = []
    open_count = 0

    def settle(names_and_entries: list[tuple[str, dict[str, Any]]]) -> None:
        nonlocal open_count
        for name, entry in names_and_entries:
            entry["open"], entry["explained"] = listed(name, entry)
            open_count += len(entry["open"])

    if args.only in (None, "rules"):
        rules = common.run_json("explain", "--all", "--output-format", "json")
        results, doctor = run_programs(rules)
        judged = [judge_rule(rule, results, doctor) for rule in rules]
        pairs = [(entry["code"], entry) for entry in judged]
        settle(pairs)
        page += rule_part(judged) + details("Rules", pairs)
    if args.only in (None, "recipes"):
        names = common.run_json("rules", "--output-format", "json")["recipes"]
        recipes = common.run_json("explain", *names, "--output-format", "json")
        results, _ = run_jobs(recipe_jobs(recipes), "programs of recipes")
        judged = [judge_recipe(recipe, results) for recipe in recipes]
        pairs = [(entry["recipe"], entry) for entry in judged]
        settle(pairs)
        page += recipe_part(judged) + details("Recipes", pairs)
    if args.only in (None, "api"):
        table_version = ".".join(f"{int(part):02}" for part in environment.VERSION.split(".")[:2])
        entries = api_oracle.table(f"cupynumeric-{table_version}")
        results, _ = run_jobs(api_oracle.jobs(entries), "names and calls of the table")
        more, _ = run_jobs(api_oracle.variant_jobs(), "other calls of the same names")
        results |= more
        lines, pairs = api_part(table_version, entries, results)
        settle(pairs)
        page += lines + details("Table", pairs)
    said = ", ".join(f"{name} {version}" for name, version in versions().items())
    head = [
        "# What the running library says",
        "",
        "Written by `./dev oracle` (tests/oracle), which runs cuPyNumeric on CPU and compares; not by hand.",
        "",
        f"Run on {datetime.date.today().isoformat()} with {said}; 2 CPU cores, no GPU. "
        f"{open_count} contradictions are open.",
        "",
    ]
    text = "\n".join(head + page) + "\n"
    if args.only:
        print(text)
    else:
        PAGE.write_text(text, encoding="utf-8")
        print(f"{PAGE}: {open_count} contradictions are open")
    return 1 if open_count else 0


def api_part(
    version: str, entries: dict[str, dict[str, Any]], results: dict[str, Any]
) -> tuple[list[str], list[tuple[str, dict[str, Any]]]]:
    pairs, calls, same, called, signatures, keywords = [], 0, 0, 0, 0, 0
    numpy_rows = api_oracle.table("numpy-2.4")
    for name, row in entries.items():
        found = results[f"name {name}"]
        wrong = api_oracle.judge_name(name, row, numpy_rows.get(name, {}), found)
        signatures += bool(found.get("signature"))
        if "call" in row:
            wrong_calls, counts = api_oracle.judge_call(name, row, row["call"], results, difference)
            wrong += wrong_calls + api_oracle.judge_keywords(name, row, results)
            keywords += sum(1 for _ in api_oracle.keyword_calls(row))
            called += 1
            calls += counts["calls"]
            same += counts["same"]
        pairs.append((name, {"contradictions": wrong, "reason": row.get("disagreement", "")}))
    varied, varied_same = 0, 0
    for call in variants.calls():
        name = variants.name_of(call)
        wrong, counts = api_oracle.judge_call(name, entries[name], call, results, difference)
        varied += counts["calls"]
        varied_same += counts["same"]
        pairs.append((name, {"contradictions": wrong}))
    there = sum(results[f"name {name}"]["present"] for name in entries)
    lines = [
        "",
        f"## The table of {version}",
        "",
        "| what | number |",
        "|---|---|",
        f"| names looked up | {len(entries)}: {there} there, {len(entries) - there} not |",
        f"| signatures compared | {signatures} |",
        f"| names called | {called}, with {len(api_oracle.DTYPES)} element types each |",
        f"| keywords passed at NumPy's default | {keywords} |",
        f"| calls that NumPy accepts | {calls}, of which {same} run and give NumPy's result |",
        f"| other calls of these names | {varied}, of which {varied_same} run and give NumPy's result |",
    ]
    return lines, pairs


if __name__ == "__main__":
    sys.exit(main())
