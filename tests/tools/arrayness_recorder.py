"""Records what names are bound to while programs run; arrayness.py starts it inside the process of a test suite.

A module below one of the folders of ARRAYNESS_ROOTS is imported with a call behind each binding of a name or of an
attribute of `self`, and at the head of each function for its parameters. At the end, ARRAYNESS_OUT holds what was seen:
{file: [[line, byte column, name, [kinds]]]}. Kinds: `array`, `array0` (no dimension), `object array`, `scalar` of NumPy,
`None`, `other`, `container`.
"""

from __future__ import annotations

import ast
import atexit
import importlib.abc
import importlib.machinery
import json
import os
import sys
import threading
import time
from pathlib import Path
from typing import Any

RECORDER = "__cpnlint_seen__"
# Compiled by another tool: a call of ours would not compile. The analysis says nothing about them either.
COMPILERS = ("jit", "njit", "vectorize", "guvectorize", "stencil", "pjit", "script")

sites: list[tuple[str, int, int, str]] = []
seen: list[set[str]] = []


def kind_of(value: Any) -> str:
    numpy = sys.modules.get("numpy")
    if value is None:
        return "None"
    if numpy is None:
        return "other"
    if isinstance(value, numpy.ndarray):
        if value.dtype.kind in "OSUMmV":
            return "object array"
        return "array" if value.ndim else "array0"
    if isinstance(value, numpy.generic):
        return "scalar"
    return "container" if isinstance(value, (list, tuple)) else "other"


def record(number: int, value: Any, attribute: str = "") -> None:
    if attribute:  # out of the dictionary, since a property could do anything
        values = getattr(value, "__dict__", {})
        if attribute not in values:
            return
        value = values[attribute]
    seen[number].add(kind_of(value))


def dump() -> None:
    files: dict[str, list[Any]] = {}
    for (file, line, column, name), kinds in zip(list(sites), list(seen)):
        if kinds:
            files.setdefault(file, []).append([line, column, name, sorted(kinds)])
    out = Path(os.environ["ARRAYNESS_OUT"])
    out.with_name(f"{out.name}.{os.getpid()}").write_text(json.dumps(files))


def bound(target: ast.expr) -> list[ast.expr]:
    """Names, and attributes of names, that an assignment to `target` binds."""
    if isinstance(target, ast.Name):
        return [target]
    if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
        return [target]
    if isinstance(target, (ast.Tuple, ast.List)):
        return [name for part in target.elts for name in bound(part)]
    return bound(target.value) if isinstance(target, ast.Starred) else []


class Instrument(ast.NodeTransformer):
    def __init__(self, file: str) -> None:
        self.file = file

    def see(self, name: str, at: ast.AST, attribute: str = "") -> ast.stmt:
        sites.append((self.file, at.lineno, at.col_offset, name))
        seen.append(set())
        function = ast.Name(RECORDER, ast.Load())
        arguments = [ast.Constant(len(sites) - 1), ast.Name(name, ast.Load())]
        if attribute:
            sites[-1] = (self.file, at.lineno, at.col_offset, "." + attribute)
            arguments.append(ast.Constant(attribute))
        call = ast.Expr(ast.Call(function, arguments, []))
        for node in ast.walk(call):
            ast.copy_location(node, at)
            node.end_lineno, node.end_col_offset = at.lineno, at.col_offset
        return call

    def see_target(self, target: ast.expr) -> list[ast.stmt]:
        calls = []
        for name in bound(target):
            if isinstance(name, ast.Name):
                calls.append(self.see(name.id, name))
            elif name.value.id == "self":
                calls.append(self.see("self", name, name.attr))
        return calls

    def visit_Assign(self, node: ast.Assign) -> Any:
        return [node, *(call for target in node.targets for call in self.see_target(target))]

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        return [node, *self.see_target(node.target)]

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        return [node, *(self.see_target(node.target) if node.value else ())]

    def visit_For(self, node: ast.For) -> Any:
        self.generic_visit(node)
        node.body = [*self.see_target(node.target), *node.body]
        return node

    def visit_With(self, node: ast.With) -> Any:
        self.generic_visit(node)
        node.body = [
            c for item in node.items if item.optional_vars for c in self.see_target(item.optional_vars)
        ] + node.body
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> Any:
        # Names of a class body are members that tools such as dataclass read; only its methods are instrumented.
        node.body = [
            self.visit(part) if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef)) else part
            for part in node.body
        ]
        return node

    def visit_FunctionDef(self, node: Any) -> Any:
        words = {
            part.attr if isinstance(part, ast.Attribute) else getattr(part, "id", "")
            for decorator in node.decorator_list
            for part in ast.walk(decorator)
        }
        if words & set(COMPILERS):
            return node
        self.generic_visit(node)
        arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        calls = [self.see(a.arg, a) for a in arguments if a.arg not in ("self", "cls")]
        head = 1 if ast.get_docstring(node, clean=False) is not None else 0
        node.body = [*node.body[:head], *calls, *node.body[head:]]
        return node

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        return node


class Loader(importlib.machinery.SourceFileLoader):
    def get_code(self, fullname: str) -> Any:
        return self.source_to_code(self.get_data(self.path), self.path)  # never from a cache

    def source_to_code(self, data: Any, path: Any, **options: Any) -> Any:
        tree = ast.parse(data, filename=path)
        tree = ast.fix_missing_locations(Instrument(os.fspath(path)).visit(tree))
        return compile(tree, path, "exec", dont_inherit=True)

    def exec_module(self, module: Any) -> None:
        module.__dict__[RECORDER] = record
        super().exec_module(module)


class Finder(importlib.abc.MetaPathFinder):
    def __init__(self, roots: list[str]) -> None:
        self.roots = roots

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> Any:
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is None or type(spec.loader) is not importlib.machinery.SourceFileLoader:
            return None
        if not spec.origin or not spec.origin.startswith(tuple(self.roots)):
            return None
        if "/test" in spec.origin or "conftest" in spec.origin:
            return None  # the code under test, not the tests: pytest rewrites those itself
        spec.loader = Loader(fullname, spec.origin)
        return spec


def end_in_time() -> None:
    """A test suite may take an hour; what was seen in the given seconds of processor time is enough."""
    while time.process_time() < float(os.environ["ARRAYNESS_SECONDS"]):
        time.sleep(0.5)
    dump()
    os._exit(0)


def install() -> None:
    threading.Thread(target=end_in_time, daemon=True).start()
    sys.meta_path.insert(0, Finder(os.environ["ARRAYNESS_ROOTS"].split(os.pathsep)))
    atexit.register(dump)


install()
