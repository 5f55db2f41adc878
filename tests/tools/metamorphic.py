"""Changes programs in ways that mean nothing and asks cpnlint again: the findings have to stay where they were.

    rename     local variables get other names
    comments   a comment and a blank line before every statement
    reorder    functions that follow each other stand in the opposite order
    main       the script's last statements stand in a function that is called once
    numpy      `import numpy as np` becomes `import numpy`
    tabs       indentation by tabs
    crlf       CRLF at the ends of the lines
    notebook   each top-level statement in a cell of its own

What is compared is rule and statement (its first line), with further places of merged findings; a variant that cannot be made for a
program is left out. Without paths: the fixtures and the examples. Every difference is a fact that the analysis took from
something that means nothing, and becomes a fixture.
"""

from __future__ import annotations

import argparse
import ast
import collections
import dataclasses
import io
import json
import re
import symtable
import sys
import tempfile
import tokenize
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import common

OPTIONS = (
    *("check", "--isolated", "--no-cache", "--include-tests", "--no-respect-gitignore"),
    *("--select", "ALL", "--preview", "--min-confidence", "possible", "--output-format", "json"),
)
MOST_BYTES = 300_000
TOLD_ONCE = {"R307"}  # speaks of the whole program, at the first place that it comes to


@dataclasses.dataclass
class Program:
    text: str
    tree: ast.Module
    lines: list[str] = dataclasses.field(init=False)
    # Lines (from 1) on which a logical line starts; of a line within a string or brackets nothing may be changed.
    starts: list[int] = dataclasses.field(init=False)

    def __post_init__(self) -> None:
        self.lines = self.text.split("\n")
        self.starts = []
        fresh = True
        for token in tokenize.generate_tokens(io.StringIO(self.text).readline):
            if token.type in (tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER):
                continue
            if fresh:
                self.starts.append(token.start[0])
            fresh = token.type == tokenize.NEWLINE


    def words(self, line: int) -> str:
        """A statement, wherever it stands: of several like it one may stand for all."""
        return self.lines[line - 1].strip() if line else ""


@dataclasses.dataclass
class Variant:
    text: str
    origin: list[int]  # for each line of the text the line that it was; 0 for one that is new
    name: str = ""  # of the file, where it has to be another one

    def line(self, place: dict[str, Any]) -> int:
        number = place["start"]["line"]
        return self.origin[number - 1] if number <= len(self.origin) else 0


class Cells(Variant):
    """`origin` by cell: (cell, line) is a line of the program."""

    def __init__(self, text: str, name: str, firsts: list[int]) -> None:
        super().__init__(text, [], name)
        self.firsts = firsts

    def line(self, place: dict[str, Any]) -> int:
        return self.firsts[place["cell"] - 1] + place["start"]["line"] - 1


def same_lines(text: str) -> Variant:
    return Variant(text, list(range(1, text.count("\n") + 2)))


def replace_names(program: Program, places: list[tuple[int, int, str, str]]) -> str:
    """Places are line, column in bytes, old, new."""
    lines = [line.encode() for line in program.lines]
    for line, column, old, new in sorted(set(places), reverse=True):
        text = lines[line - 1]
        assert text[column : column + len(old.encode())] == old.encode(), (line, column, old)
        lines[line - 1] = text[:column] + new.encode() + text[column + len(old.encode()) :]
    return b"\n".join(lines).decode()


def in_interpolations(tree: ast.AST) -> set[str]:
    """Names in f-strings: Python before 3.12 does not say where they stand."""
    return {
        name.id
        for string in ast.walk(tree) if isinstance(string, ast.JoinedStr)
        for name in ast.walk(string) if isinstance(name, ast.Name)
    }


FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
SCOPES = (*FUNCTIONS, ast.Lambda, ast.ClassDef, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def scope_nodes(function: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a function's own scope; nested scopes are given and not entered."""
    waiting = list(getattr(function, "body", []))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, SCOPES):
            waiting += ast.iter_child_nodes(node)


def rename(program: Program) -> Variant | None:
    places = []
    taken = {node.id for node in ast.walk(program.tree) if isinstance(node, ast.Name)}
    taken |= {word for word in re.findall(r"\w+", program.text)}
    for function in ast.walk(program.tree):
        if not isinstance(function, FUNCTIONS):
            continue
        own = list(scope_nodes(function))
        nested = [node for node in own if isinstance(node, SCOPES)]
        keep = {"locals", "vars", "eval", "exec"}
        if keep & {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}:
            continue
        keep = in_interpolations(function)
        arguments = function.args
        keep |= {a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
        keep |= {a.arg for a in (arguments.vararg, arguments.kwarg) if a}
        for node in nested:
            keep |= {name.id for name in ast.walk(node) if isinstance(name, ast.Name)}
            keep.add(getattr(node, "name", ""))
        for node in own:
            if isinstance(node, (ast.Global, ast.Nonlocal)):
                keep |= set(node.names)
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                keep |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ExceptHandler):
                keep.add(node.name or "")
            elif isinstance(node, (ast.MatchAs, ast.MatchStar)):
                keep.add(node.name or "")
            elif isinstance(node, ast.MatchMapping):
                keep.add(node.rest or "")
        names = [node for node in own if isinstance(node, ast.Name)]
        stored = {node.id for node in names if isinstance(node.ctx, ast.Store)} - keep
        new = {name: f"{name}_{len(name)}v" for name in stored}
        new = {old: name for old, name in new.items() if name not in taken}
        # A comment that says something of a variable would say it of nothing.
        places += [(n.lineno, n.col_offset, n.id, new[n.id]) for n in names if n.id in new]
    if not places or "cpnlint: assume" in program.text:
        return None
    return same_lines(replace_names(program, places))


def comments(program: Program) -> Variant | None:
    starts = set(program.starts)
    out: list[str] = []
    origin: list[int] = []
    for number, line in enumerate(program.lines, 1):
        if number in starts and "cpnlint:" not in program.lines[number - 2]:
            indent = line[: len(line) - len(line.lstrip())]
            out += ["", f"{indent}# says nothing"]
            origin += [0, 0]
        out.append(line)
        origin.append(number)
    return Variant("\n".join(out), origin)


def reorder(program: Program) -> Variant | None:
    body = program.tree.body
    order: list[tuple[int, int]] = []  # first and last line of each piece
    changed = False
    begin = 1
    i = 0
    while i < len(body):
        run = [body[i]]
        while i + len(run) < len(body) and isinstance(run[0], FUNCTIONS) and isinstance(body[i + len(run)], FUNCTIONS):
            run.append(body[i + len(run)])
        pieces = []
        for node in run:
            pieces.append((begin, node.end_lineno or node.lineno))
            begin = (node.end_lineno or node.lineno) + 1
        one_line_each = len({line for piece in pieces for line in piece[:1]}) == len(pieces)
        names = {node.name for node in run if isinstance(node, FUNCTIONS)}
        at_definition = {
            name.id
            for node in run if isinstance(node, FUNCTIONS)
            for part in (*node.decorator_list, node.args, *([node.returns] if node.returns else []))
            for name in ast.walk(part) if isinstance(name, ast.Name)
        }
        if len(run) > 1 and len(names) == len(run) and not names & at_definition and one_line_each:
            pieces.reverse()
            changed = True
        order += pieces
        i += len(run)
    if not changed or "cpnlint:" in program.text:
        return None
    order.append((begin, len(program.lines)))
    numbers = [number for first, last in order for number in range(first, last + 1)]
    if sorted(numbers) != list(range(1, len(program.lines) + 1)):
        return None
    return Variant("\n".join(program.lines[number - 1] for number in numbers), numbers)


def into_main(program: Program) -> Variant | None:
    body = program.tree.body
    fixed = (*FUNCTIONS, ast.ClassDef, ast.Import, ast.ImportFrom)
    count = 0
    while count < len(body) and not isinstance(body[-1 - count], fixed):
        count += 1
    suffix = body[len(body) - count :]
    if suffix and suffix[0] is body[0] and ast.get_docstring(program.tree) is not None:
        suffix = suffix[1:]
    if not suffix or re.search(r"\b(main|globals|locals|global|exec|eval|vars)\b|cpnlint:", program.text):
        return None
    rest = body[: body.index(suffix[0])]
    if any(isinstance(n, (*FUNCTIONS, ast.ClassDef, ast.Import, ast.ImportFrom)) for s in suffix for n in ast.walk(s)):
        return None
    bound = {
        node.id
        for statement in suffix for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del))
    }
    used = {node.id for statement in rest for node in ast.walk(statement) if isinstance(node, ast.Name)}
    if bound & used:
        return None  # a function may read it, or it is bound before
    first = suffix[0].lineno
    if rest and (rest[-1].end_lineno or 0) >= first:
        return None
    starts = set(program.starts)
    before = program.lines[: first - 1]
    inside = [f"    {line}" if number in starts else line for number, line in enumerate(program.lines[first - 1 :], first)]
    numbers = list(range(1, len(program.lines) + 1))
    text = [*before, "def main():", *inside, "", "main()", ""]
    return Variant("\n".join(text), [*numbers[: first - 1], 0, *numbers[first - 1 :], 0, 0, 0])


def full_name(program: Program) -> Variant | None:
    imports = [
        (node, alias)
        for node in program.tree.body if isinstance(node, ast.Import)
        for alias in node.names if alias.name == "numpy" and alias.asname == "np"
    ]
    if len(imports) != 1 or len(imports[0][0].names) != 1:
        return None
    table = symtable.symtable(program.text, "program", "exec")
    tables = [table]
    for one in tables:
        tables += one.get_children()
        names = {symbol.get_name(): symbol for symbol in one.get_symbols()}
        if "numpy" in names or (one is not table and "np" in names and not names["np"].is_global()):
            return None
    names = [node for node in ast.walk(program.tree) if isinstance(node, ast.Name) and node.id == "np"]
    if any(isinstance(node.ctx, ast.Store) for node in names) or "np" in in_interpolations(program.tree):
        return None
    if re.search(r"""["']np\.""", program.text):
        return None  # an annotation in quotes
    aliases = [node for node in ast.walk(program.tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
    if sum((alias.asname or alias.name) == "np" for node in aliases for alias in node.names) != 1:
        return None
    places = [(node.lineno, node.col_offset, "np", "numpy") for node in names]
    changed = Program.__new__(Program)
    changed.lines = replace_names(program, places).split("\n")
    line = imports[0][0].lineno - 1
    changed.lines[line] = re.sub(r"import\s+numpy\s+as\s+np", "import numpy", changed.lines[line])
    return same_lines("\n".join(changed.lines))


def tabs(program: Program) -> Variant | None:
    starts = set(program.starts)
    out = []
    for number, line in enumerate(program.lines, 1):
        code = line.lstrip(" ")
        indent = len(line) - len(code)
        if number in starts or code.startswith("#"):
            if number in starts and (indent % 4 or code.startswith("\t")):
                return None
            if indent % 4 == 0:
                line = "\t" * (indent // 4) + code
        out.append(line)
    return same_lines("\n".join(out)) if out != program.lines else None


def crlf(program: Program) -> Variant | None:
    return same_lines(program.text.replace("\n", "\r\n"))


def notebook(program: Program) -> Variant | None:
    if "cpnlint:" in program.text or "__file__" in program.text:
        return None
    firsts, cells = [], []
    begin = 1
    for node in program.tree.body:
        last = node.end_lineno or node.lineno
        if last < begin:
            continue  # `a = 1; b = 2`
        source = [line + "\n" for line in program.lines[begin - 1 : last]]
        if "".join(source).strip().startswith("%"):
            return None
        cells.append({"cell_type": "code", "metadata": {}, "outputs": [], "source": source, "execution_count": None})
        firsts.append(begin)
        begin = last + 1
    document = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    return Cells(json.dumps(document), "program.ipynb", firsts) if cells else None


CHANGES: dict[str, Callable[[Program], Variant | None]] = {
    "rename": rename,
    "comments": comments,
    "reorder": reorder,
    "main": into_main,
    "numpy": full_name,
    "tabs": tabs,
    "crlf": crlf,
    "notebook": notebook,
}


def read(path: Path) -> Program | None:
    data = path.read_bytes()
    if len(data) > MOST_BYTES or b"\r" in data or b"\f" in data:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            text = data.decode("utf-8")
            return Program(text, ast.parse(text))
    except (SyntaxError, ValueError, tokenize.TokenError, RecursionError):
        return None


def found(document: dict[str, Any]) -> dict[str, list[tuple[str, dict[str, Any]]]]:
    """Rules and places by file."""
    places = collections.defaultdict(list)
    for finding in document["findings"]:
        for place in (finding, *finding["also"]):
            places[place["path"]].append((finding["rule"], place))
    return places


def compare(paths: list[Path], wanted: list[str]) -> tuple[int, int, int, int]:
    """Programs, variants, findings looked for, differences. Prints the differences."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        programs: dict[str, tuple[Path, Program, dict[str, Variant]]] = {}
        for number, path in enumerate(paths):
            program = read(path)
            if program is None:
                continue
            variants = {"": same_lines(program.text)}
            for change in wanted:
                variant = CHANGES[change](program)
                if variant is None:
                    continue
                if not isinstance(variant, Cells):
                    compile(variant.text, str(path), "exec", dont_inherit=True, flags=ast.PyCF_ONLY_AST)
                variants[change] = variant
            programs[f"p{number}"] = (path, program, variants)
            for change, variant in variants.items():
                # Each alone in a folder, so that none of them is another's module; none is called `numpy`.
                target = folder / f"p{number}" / f"by-{change}" / (variant.name or "program.py")
                target.parent.mkdir(parents=True)
                target.write_bytes(variant.text.encode())
        places = found(common.run_json(*OPTIONS, ".", cwd=folder, timeout=1800))
        differences = variants_made = looked_for = 0
        for key, (path, program, variants) in programs.items():
            base = None
            for change, variant in variants.items():
                file = f"{key}/by-{change}/{variant.name or 'program.py'}"
                now = collections.Counter(
                    (rule, "" if rule in TOLD_ONCE else program.words(variant.line(place)))
                    for rule, place in places.get(file, [])
                )
                if base is None:
                    base = now
                    continue
                variants_made += 1
                looked_for += base.total()
                shown = path.relative_to(common.ROOT) if path.is_relative_to(common.ROOT) else path
                for sign, some in (("lost", base - now), ("new", now - base)):
                    for rule, words in sorted(some):
                        differences += 1
                        print(f"{shown}: {change}: {sign} {rule}  {words[:90]}")
    return len(programs), variants_made, looked_for, differences


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("paths", nargs="*", type=Path, help="programs or folders (fixtures and examples)")
    parser.add_argument("--only", choices=[*CHANGES], action="append", help="this change (all)")
    args = parser.parse_args()
    paths: list[Path] = []
    for path in args.paths or [common.ROOT / "tests" / "fixtures", common.ROOT / "docs" / "examples"]:
        paths += sorted(path.resolve().rglob("*.py")) if path.is_dir() else [path.resolve()]
    programs, variants, findings, differences = compare(paths, args.only or [*CHANGES])
    print(f"metamorphic: {programs} programs, {variants} variants, {findings} findings, {differences} differences")
    return 1 if differences or not findings else 0


if __name__ == "__main__":
    sys.exit(main())
