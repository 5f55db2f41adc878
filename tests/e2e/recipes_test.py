"""tests/recipes/: programs are changed as the help of their findings says, and run both ways under NumPy.

A comment on the line of a finding says what is to be done with the code in its help:

    follow: R101 loop         it takes the place of the whole loop
    follow: R308 expression   of what the finding points at
    follow: R109 call         of the call around that
    follow: R302 outer        of the smallest call around the call that it points at
    follow: R302 product      of the chain of `@` around that
    follow: R212 statement    of this line's statement (the finding may be elsewhere in the function)
    follow: R112 subscript    of the subscript around that
    follow: R112 named        of the call, behind the names that the help gives to its arguments
    follow: R106 bound        of what the finding points at, behind the names that the help gives to parts of it
    follow: R106 named_part   of this line's statement, behind the name that the help gives to a part of it
    follow: R103 comprehension   of the comprehension around what the finding points at
    follow: R103 sums         its entries are what the loop appends to `out`, the last of them is `total`
    follow: R103 walk         it takes the place of what the loop on this line walks
    follow: R104 walks        it is what the loop or comprehension on this line walks
    follow: R213 hoist        it is computed before the loop, behind the statements that the help names
    follow: R116 stack        it is computed before the loop, and each pass takes what is its own
    follow: R104 before       what it assigns stands before the loop, and its last code takes the place of the expression
    follow: R105 fetch        it takes the place of the assignment to the same name
    follow: R104 pair         what it fetches takes the place of the two numbers in the list around
    follow: R104 history      three pieces: before the loop, instead of this statement, after the loop
    words: R101               the help has no such code
    says: R314 "uint64"       the help has these words
    lacks: R104 "hist"        it has not

`# with: ramp(9), 2` above a function gives the arguments of a call; each line is a call of its own.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import harness
from harness import common

PROGRAMS = common.ROOT / "tests" / "recipes"
RUNNER = Path(__file__).with_name("recipes_runner.py")
MARK = re.compile(r"# (follow|words|says|lacks): (R\d+)(?: (\w+|\".*\"))?")
CODE = re.compile(r"`([^`]+)`")
INSTEAD = {"R101": "instead of the loop"}  # how the help says that its code does what the program does


class Program:
    """A program with its marks, and the findings that they speak of."""

    def __init__(self, path: Path, findings: list[dict[str, Any]]) -> None:
        self.text = path.read_text(encoding="utf-8")
        self.lines = self.text.splitlines(keepends=True)
        self.tree = ast.parse(self.text)
        self.functions = [node for node in self.tree.body if isinstance(node, ast.FunctionDef)]
        self.findings = findings

    def marks(self) -> list[tuple[int, str, str, str]]:
        found = ((number, MARK.search(line)) for number, line in enumerate(self.lines, 1))
        return [(number, *map(str, mark.groups())) for number, mark in found if mark]

    def function_at(self, line: int) -> ast.FunctionDef:
        return next(f for f in self.functions if f.lineno <= line <= (f.end_lineno or 0))

    def finding(self, line: int, rule: str) -> dict[str, Any] | None:
        """The rule's finding on the line, else the one in the function."""
        function = self.function_at(line)
        lines = range(function.lineno, (function.end_lineno or 0) + 1)
        inside = [f for f in self.findings if f["rule"] == rule and f["start"]["line"] in lines]
        here = [f for f in inside if f["start"]["line"] == line]
        return (here or inside or [None])[0]

    def offset(self, line: int, column: int) -> int:
        return sum(map(len, self.lines[: line - 1])) + column

    def span(self, node: ast.AST) -> tuple[int, int]:
        return self.offset(node.lineno, node.col_offset), self.offset(node.end_lineno, node.end_col_offset)

    def primary(self, finding: dict[str, Any]) -> tuple[int, int]:
        start, end = finding["start"], finding["end"]
        return self.offset(start["line"], start["column"] - 1), self.offset(end["line"], end["column"] - 1)

    def smallest(self, kinds: tuple[type[ast.AST], ...], span: tuple[int, int], larger: bool = False) -> ast.AST:
        """The innermost node of these kinds around the span."""
        around = [
            node
            for node in ast.walk(self.tree)
            if isinstance(node, kinds) and self.span(node)[0] <= span[0] and span[1] <= self.span(node)[1]
        ]
        around = [node for node in around if not larger or self.span(node) != span]
        return min(around, key=lambda node: self.span(node)[1] - self.span(node)[0])

    def outer(self, span: tuple[int, int]) -> tuple[int, int]:
        inner = self.span(self.smallest((ast.Call,), span))
        return self.span(self.smallest((ast.Call,), inner, True))

    def chain(self, span: tuple[int, int]) -> ast.AST:
        """The longest product of matrices around the span that no other operator interrupts."""
        here = self.smallest((ast.BinOp,), span, True)
        around = [
            node
            for node in ast.walk(self.tree)
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult) and self.span(node)[0] == self.span(here)[0]
        ]
        return max([here, *around], key=lambda node: self.span(node)[1])

    def replaced(self, cuts: list[tuple[tuple[int, int], str]]) -> str:
        text = self.text
        for (begin, end), words in sorted(cuts, reverse=True):
            text = text[:begin] + words + text[end:]
        return text

    def follow(self, line: int, finding: dict[str, Any], how: str) -> str:
        """The program as the help of the finding wants it."""
        code = [words for words in CODE.findall(finding["help"]) if words != "onp"]  # "with host NumPy as `onp`"
        here = (self.offset(line, 0), self.offset(line, 0))
        mark = self.lines[line - 1]
        start = self.offset(line, len(mark) - len(mark.lstrip()))
        here = (start, start)
        loops = (ast.For, ast.While)
        if how == "loop":
            return self.replaced([(self.span(self.smallest(loops, here)), code[0])])
        if how == "expression":
            return self.replaced([(self.primary(finding), code[0])])
        if how == "call":
            return self.replaced([(self.span(self.smallest((ast.Call,), self.primary(finding), True)), code[0])])
        if how == "subscript":
            return self.replaced([(self.span(self.smallest((ast.Subscript,), self.primary(finding), True)), code[0])])
        if how == "named":
            indent = " " * (start - self.offset(line, 0))
            names = "".join(f"{name}\n{indent}" for name in code[1:] if " = " in name)
            call = self.span(self.smallest((ast.Call,), self.primary(finding)))
            return self.replaced([((start, start), names), (call, code[0])])
        if how == "outer":
            return self.replaced([(self.outer(self.primary(finding)), code[0])])
        if how == "product":
            return self.replaced([(self.span(self.chain(self.primary(finding))), code[0])])
        if how == "comprehension":
            comprehension = self.smallest((ast.ListComp,), self.primary(finding))
            return self.replaced([(self.span(comprehension), next(words for words in code if words.startswith("np.")))])
        if how == "sums":
            indent = " " * (start - self.offset(line, 0))
            lines = [f"sums = {code[0]}", "out, total = list(sums), sums[-1]"]
            if "a 0 in front" in finding["help"]:
                lines[1] = "out, total = [0, *sums[:-1]], sums[-1]"
            return self.replaced([(self.span(self.smallest(loops, here)), f"\n{indent}".join(lines))])
        if how == "walk":
            return self.replaced([self.walked(line, words) for words in code if words.endswith(".tolist()")])
        if how == "named_part":
            statement = self.smallest((ast.stmt,), here)
            indent = " " * statement.col_offset
            return self.replaced([(self.span(statement), f"{code[1]}\n{indent}{code[0]}")])
        if how == "walks":
            walking = [node for node in ast.walk(self.tree) if isinstance(node, (ast.For, ast.comprehension))]
            return self.replaced([(self.span(one.iter), code[0]) for one in walking if one.iter.lineno == line])
        if how == "bound":
            indent = " " * (start - self.offset(line, 0))
            names = "".join(f"{name}\n{indent}" for name in code[1:] if " = " in name)
            return self.replaced([((start, start), names), (self.primary(finding), code[0])])
        if how == "operator":
            return self.replaced([(self.span(self.smallest((ast.BinOp,), self.primary(finding), True)), code[0])])
        if how == "statement":
            return self.replaced([(self.span(self.smallest((ast.stmt,), here)), code[0])])
        if how == "hoist":
            return self.hoisted(finding, code)
        if how == "fetch":
            made = next(words for words in code if re.match(r"\w+ = ", words))
            assigned = [node for node in ast.walk(self.function_at(line)) if isinstance(node, ast.Assign)]
            same = next(node for node in assigned if ast.unparse(node.targets[0]) == made.partition(" = ")[0])
            return self.replaced([(self.span(same), made)])
        if how == "stack":
            loop, (begin, end) = self.smallest(loops, here), self.primary(finding)
            indent, at = " " * loop.col_offset, self.span(loop)[0]
            return self.replaced([((at, at), f"solved_ = {code[0]}\n{indent}"), ((begin, end), f"solved_[{loop.target.id}]")])
        if how == "pair":
            pair = self.smallest((ast.List,), self.primary(finding))
            names = next(words for words in code if words.startswith("np.stack"))
            return self.replaced([(self.span(pair), f"[int(one) for one in {names}]")])
        if how == "before":
            return self.fetched_before(finding, code)
        if how == "history":
            statement, loop = self.smallest((ast.stmt,), here), self.span(self.smallest(loops, here))
            indent = " " * (len(mark) - len(mark.lstrip()) - 4)
            before, within, after = code
            cuts = [
                ((loop[0], loop[0]), f"{before}\n{indent}"),
                (self.span(statement), within),
                ((loop[1], loop[1]), f"\n{indent}{after}"),
            ]
            return self.replaced(cuts)
        raise ValueError(how)

    def walked(self, line: int, words: str) -> tuple[tuple[int, int], str]:
        """Where the array of `array.tolist()` stands in what a loop on the line walks."""
        array = ast.unparse(ast.parse(words, mode="eval").body.func.value)
        loops = [node for node in ast.walk(self.tree) if isinstance(node, (ast.For, ast.comprehension))]
        inside = [node for loop in loops for node in ast.walk(loop.iter) if isinstance(node, ast.expr)]
        return next((self.span(n), words) for n in inside if n.lineno == line and ast.unparse(n) == array)

    def fetched_before(self, finding: dict[str, Any], code: list[str]) -> str:
        span = self.primary(finding)
        loop = self.smallest((ast.For, ast.While), span)
        indent, begin = " " * loop.col_offset, self.span(loop)[0]
        made = [words for words in code if re.match(r"\w+ = ", words)]
        cuts = [((begin, begin), "".join(f"{words}\n{indent}" for words in made))]
        if code[-1] not in made:
            cuts.append((span, code[-1]))
        return self.replaced(cuts)

    def hoisted(self, finding: dict[str, Any], code: list[str]) -> str:
        expression, names = code[0], code[1:]
        span = self.primary(finding)
        loop = self.smallest((ast.For, ast.While), span)
        indent = " " * loop.col_offset
        cuts, first = [], []
        for statement in loop.body:
            targets = statement.targets if isinstance(statement, ast.Assign) else []
            if any(isinstance(target, ast.Name) and target.id in names for target in targets):
                begin, end = self.span(statement)
                first.append(self.text[begin:end])
                cuts.append(((begin, end), "pass"))
        first.append(f"hoisted_ = {expression}")
        begin = self.span(loop)[0]
        cuts += [((begin, begin), "".join(f"{line}\n{indent}" for line in first)), (span, "hoisted_")]
        return self.replaced(cuts)

    def calls(self, function: ast.FunctionDef) -> list[str]:
        calls = []
        for line in reversed(self.lines[: function.lineno - 1]):
            if not line.startswith("# with:"):
                break
            calls.append(line.removeprefix("# with:").strip())
        return calls


class Recipes(harness.ProgramTest):
    def findings_of(self, path: Path) -> list[dict[str, Any]]:
        """Rule, place and help of each finding: rdjson has the help, which the JSON of a check leaves out."""
        options = ("--preview", "--min-confidence", "possible", "--output-format", "rdjson")
        done = self.run_program("check", "--isolated", "--no-cache", *options, str(path), cwd=common.ROOT)
        findings = []
        for diagnostic in json.loads(done.stdout)["diagnostics"]:
            at, said = diagnostic["location"]["range"], diagnostic["message"]
            help_text = said.partition("\nhelp: ")[2]
            findings.append({"rule": diagnostic["code"]["value"], "help": help_text, **at})
        return findings

    def compare(self, jobs: list[dict[str, Any]]) -> dict[str, str]:
        """How the result of each job's changed program differs; empty where it does not."""
        python = common.test_environment() / "bin" / "python"
        done = subprocess.run(
            [python, "-B", RUNNER], input=json.dumps(jobs), capture_output=True, encoding="utf-8", timeout=300
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def jobs_of(self, path: Path) -> list[dict[str, Any]]:
        program = Program(path, self.findings_of(path))
        jobs = []
        for line, verb, rule, how in program.marks():
            at = f"{path.name}:{line}"
            with self.subTest(at):
                finding = program.finding(line, rule)
                self.assertIsNotNone(finding, f"{at}: no {rule}")
                help_text = finding["help"]
                if verb in ("says", "lacks"):
                    (self.assertIn if verb == "says" else self.assertNotIn)(how.strip('"'), help_text, at)
                    continue
                if verb == "words":
                    self.assertNotIn(INSTEAD[rule], help_text, at)
                    continue
                if rule in INSTEAD:
                    self.assertIn(INSTEAD[rule], help_text, at)
                changed = program.follow(line, finding, how)
                function = program.function_at(line)
                calls = program.calls(function)
                self.assertTrue(calls, f"{at}: no `# with:`")
                jobs.append(
                    {"id": f"{at}: {help_text}", "before": program.text, "after": changed,
                     "calls": [f"{function.name}({arguments})" for arguments in calls]}
                )  # fmt: skip
        return jobs

    def test_what_the_help_says_gives_the_same(self) -> None:
        jobs = [job for path in sorted(PROGRAMS.glob("*.py")) for job in self.jobs_of(path)]
        self.assertGreater(len(jobs), 20)
        differences = {job: text for job, text in self.compare(jobs).items() if text}
        self.assertEqual(differences, {}, "\n" + "\n".join(f"{job}\n    {text}" for job, text in differences.items()))

    def test_a_wrong_recipe_is_noticed(self) -> None:
        before = "import numpy as np\n\n\ndef f(x):\n    return np.dot(x + 1.0, x)\n"
        wrong = {
            "another value": before.replace("np.dot(x + 1.0, x)", "x + 1.0 @ x"),
            "another type": before.replace("np.dot(x + 1.0, x)", "np.float32(np.dot(x + 1.0, x))"),
            "no name": before.replace("np.dot(x + 1.0, x)", "y"),
            "no code": before.replace("return", "return return"),
            "changed argument": before.replace("    return", "    x[0] = 7.0\n    x[0] = 8.0\n    return"),
        }
        pairs = [*wrong.items(), ("same", before)]
        jobs = [{"id": name, "before": before, "after": after, "calls": ["f(ramp(5))"]} for name, after in pairs]
        result = self.compare(jobs)
        self.assertEqual([name for name, text in result.items() if not text], ["same"], result)


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    harness.main()
