"""Tests of the test tools: a check that cannot fail checks nothing."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path, PurePosixPath

import common
import docs_check
import docs_commands
import fixtures
import json_schema
import recall
import structure


def finding(line: int, code: str, message: str = "element loop over `c`", **more: object) -> dict[str, object]:
    start, end = {"line": line, "column": 1}, {"line": line, "column": 9}
    place = {"path": "f.py", "cell": None, "start": start, "end": end}
    return {"rule": code, "message": message, **place, "also": [], **more}


class Fixtures(unittest.TestCase):
    def compare(self, text: str, *found: dict[str, object], good: tuple[dict[str, object], ...] = ()) -> list[str]:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "f.py"
            path.write_text(text)
            fixture = fixtures.parse(path)
        return fixture.errors + fixtures.compare(fixture, {"findings": list(found), "good": list(good)})

    def test_expectation_and_finding_need_each_other(self) -> None:
        self.assertEqual(self.compare("x  # expect: R101\n", finding(1, "R101")), [])
        self.assertEqual(len(self.compare("x  # expect: R101\n")), 1)
        self.assertEqual(len(self.compare("x\n", finding(1, "R101"))), 1)
        self.assertEqual(len(self.compare("x  # expect: R101\n", finding(2, "R101"))), 2)
        self.assertEqual(len(self.compare("x  # expect: R101\n", finding(1, "R101"), finding(1, "R101"))), 1)

    def test_message_is_part_of_the_expectation(self) -> None:
        text = 'x  # expect: R101 "over `c`", R205\n'
        self.assertEqual(self.compare(text, finding(1, "R101"), finding(1, "R205")), [])
        self.assertEqual(len(self.compare(text, finding(1, "R101", "over `d`"), finding(1, "R205"))), 2)
        both = 'x  # expect: R101, R101 "`d`"\n'
        self.assertEqual(self.compare(both, finding(1, "R101", "over `d`"), finding(1, "R101", "over `e`")), [])

    def test_own_line_speaks_of_the_next_code(self) -> None:
        text = "# expect: R101\n# more words\n\nx\n"
        self.assertEqual(self.compare(text, finding(4, "R101")), [])

    def test_ok_and_recorded_wrongness(self) -> None:
        self.assertEqual(self.compare("x  # ok: R101   may be a list\n"), [])
        self.assertEqual(len(self.compare("x  # ok: R101   may be a list\n", finding(1, "R101"))), 2)
        self.assertEqual(self.compare("x  # todo-expect: R101   needs aliasing\n"), [])
        self.assertEqual(len(self.compare("x  # todo-expect: R101\n", finding(1, "R101"))), 1)
        self.assertEqual(self.compare("x  # todo-ok: R101\n", finding(1, "R101")), [])
        self.assertEqual(len(self.compare("x  # todo-ok: R101\n")), 1)

    def test_evidence_is_compared_only_where_it_is_expected(self) -> None:
        good = ({"rule": "R001", "lines": [1, 2], "count": 2, "function": None},)
        self.assertEqual(self.compare("x\ny\n", good=good), [])
        self.assertEqual(len(self.compare("x  # expect: R001\ny\n", good=good)), 1)
        self.assertEqual(self.compare("x  # expect: R001\ny  # expect: R001\n", good=good), [])

    def test_a_mark_without_a_rule_is_an_error(self) -> None:
        self.assertEqual(len(self.compare("x  # expect: element-loop\n")), 1)

    def test_options_and_reveals(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "f.py"
            path.write_text("# cpnlint-test: assume n=1e6; gpus 4\nv = u[1:]  # reveal: v = f64[n-1]  # ok: R205 why\n")
            fixture = fixtures.parse(path)
        self.assertEqual(fixture.options, ["--assume", "n=1e6", "--gpus", "4"])
        self.assertEqual([str(mark) for mark in fixture.marks], ["2: reveal v = f64[n-1]", "2: ok R205"])

    def test_facts_are_read_by_line(self) -> None:
        facts = fixtures.facts_of("f.py\n  3: v  =  f64[n]\n  3: w = list\n12: x = i64\n")
        self.assertEqual(facts, {3: ["v = f64[n]", "w = list"], 12: ["x = i64"]})


class Recall(unittest.TestCase):
    SOURCE = "a = (1 +\n     2)\nfor i in a:\n    b = i\n    c = i\n"

    def states(self, expected: dict[str, object], *found: dict[str, object]) -> list[str]:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "f.py").write_text(self.SOURCE)
            program = object.__new__(recall.Program)
            program.programs, program.path, program.files = Path(folder), PurePosixPath("f.py"), {"f.py"}
            program.findings = [{"related": [], **one} for one in found]
            judged = {"rule": "R105", "line": 5, "judged": "right: so"}
            document = {"findings": [{"why": "", **expected}], "extra": [judged]}
            states = [state for state, _, _ in recall.compare(document, program)]
            recall.layouts.cache_clear()
        return states

    def test_within_the_statement(self) -> None:
        self.assertEqual(self.states({"rule": "R104", "line": 1}, finding(2, "R104")), ["found"])
        self.assertEqual(self.states({"rule": "R104", "line": 3}, finding(4, "R104")), ["missed", "extra-unread"])
        self.assertEqual(self.states({"rule": "R104", "line": 4}, finding(5, "R104")), ["missed", "extra-unread"])
        self.assertEqual(self.states({"rule": "R101", "line": 3}, finding(5, "R101")), ["found"])

    def test_further_sites_and_explained_findings(self) -> None:
        inner = {**finding(4, "R104"), "message": "in this loop"}
        wanted: dict[str, object] = {"rule": "R104", "line": 4}
        self.assertEqual(self.states(wanted, finding(3, "R101", related=[inner])), ["found", "extra-unread"])
        self.assertEqual(self.states(wanted, finding(1, "R104", also=[finding(4, "R104")])), ["found"])

    def test_second_reading(self) -> None:
        self.assertEqual(self.states({"rule": "R104", "line": 4, "judged": "cold"}), ["list-wrong"])
        self.assertEqual(self.states({"rule": "R104", "line": 4}, finding(5, "R105")), ["missed", "extra-right"])


class Structure(unittest.TestCase):
    def offences(self, name: str, text: str) -> int:
        return len(list(structure.check_file(name, text)))

    def test_include_table(self) -> None:
        base, ir = "analyzer/base/id.h", "analyzer/ir/program.h"
        self.assertTrue((common.ROOT / base).exists() and (common.ROOT / ir).exists())
        self.assertEqual(self.offences("analyzer/ir/a.cpp", f'#include "{base}"\n'), 0)
        self.assertEqual(self.offences("analyzer/base/a.cpp", f'#include "{ir}"\n'), 1)
        self.assertEqual(self.offences("rules/block/r101_a.cpp", f'#include "{ir}"\n'), 0)
        self.assertEqual(self.offences("rules/block/r101_a.cpp", '#include "analyzer/syntax/node.h"\n'), 1)
        self.assertEqual(self.offences("analyzer/ir/a.cpp", '#include "id.h"\n'), 1)
        self.assertEqual(self.offences("elsewhere/a.cpp", "int x;\n"), 1)

    def test_libraries_have_their_place(self) -> None:
        self.assertEqual(self.offences("analyzer/syntax/a.cpp", "#include <tree_sitter/api.h>\n"), 0)
        self.assertEqual(self.offences("analyzer/lower/a.cpp", "#include <tree_sitter/api.h>\n"), 1)
        self.assertEqual(self.offences("analyzer/lower/a.cpp", "#include <cuda_runtime.h>\n"), 1)
        self.assertEqual(self.offences("cli/report/a.cpp", "#include <nlohmann/json.hpp>\n"), 0)
        self.assertEqual(self.offences("cli/report/a.h", "#pragma once\n#include <nlohmann/json.hpp>\n"), 1)

    def test_length_and_headers(self) -> None:
        self.assertEqual(self.offences("analyzer/ir/a.cpp", "\n" * 800), 0)
        self.assertEqual(self.offences("analyzer/ir/a.cpp", "\n" * 801), 1)
        self.assertEqual(self.offences("analyzer/ir/a.h", "int x;\n"), 1)
        self.assertEqual(self.offences("rules/block/shared.h", "#pragma once\n"), 1)


class Documents(unittest.TestCase):
    def test_ellipsis_stands_for_lines(self) -> None:
        self.assertTrue(docs_check.matches(["a", "...", "d"], ["a", "b", "c", "d"]))
        self.assertTrue(docs_check.matches(["a", "...", "d"], ["a", "d"]))
        self.assertFalse(docs_check.matches(["a", "d"], ["a", "b", "d"]))


class Commands(unittest.TestCase):
    TEXT = """\
Say `cpnlint --nope
src/` or `cpnlint src/`; not `check` nor `cpnlint.toml`.

```yaml
- run: cpnlint --select R999 src/
- script: |
    pip install cpnlint
    cpnlint nowhere/
```

`./dev nothing`, `python3 tests/tools/nothing.py`
"""

    def test_those_that_do_not_run_are_told(self) -> None:
        found = list(docs_commands.commands(self.TEXT))
        self.assertEqual(found, [["cpnlint --select R999 src/", "cpnlint nowhere/"], ["cpnlint --nope src/"], ["cpnlint src/"]])
        errors = list(docs_commands.check_commands({"a.md": self.TEXT}))
        self.assertEqual([error.split("`")[1] for error in errors], [found[0][0], found[0][1], found[1][0]])
        self.assertTrue(all("ended with 2" in error for error in errors))

    def test_scripts_that_do_not_exist_are_told(self) -> None:
        errors = list(docs_commands.check_scripts({"a.md": self.TEXT, "b.md": "`./dev test`, `python3 tests/tools/golden.py`"}))
        self.assertEqual(errors, ["a.md: there is no `./dev nothing`", "a.md: there is no tests/tools/nothing.py"])


class Schemas(unittest.TestCase):
    def test_undocumented_and_missing_keys_are_errors(self) -> None:
        document = {
            "schema_version": 1,
            "tool": {"name": "cpnlint", "version": "0.1.0", "rules_version": "2026.1"},
            "target": {"library": "cupynumeric", "version": "26.07", "profile": None, "gpus": [1], "assumptions": []},
            "files": {"found": 0, "analysed": 0, "skipped": 0, "failed": 0, "lines": 0},
            **{"findings": [], "good": [], "verdict": None, "notes": [], "timing": None},
        }
        self.assertEqual(json_schema.json_errors(document), [])
        self.assertEqual(len(json_schema.json_errors({**document, "extra": 1})), 1)
        self.assertEqual(len(json_schema.json_errors({k: v for k, v in document.items() if k != "files"})), 1)

    def test_sarif_schema_is_applied(self) -> None:
        empty_run = {"tool": {"driver": {"name": "cpnlint"}}, "results": []}
        self.assertEqual(json_schema.sarif_errors({"version": "2.1.0", "runs": [empty_run]}), [])
        self.assertEqual(len(json_schema.sarif_errors({"version": "2.2.0", "runs": []})), 1)


if __name__ == "__main__":
    unittest.main()
