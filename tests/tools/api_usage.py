#!/usr/bin/env python3
"""Ranks the names of the array library by how often the Python files of folders use them.

    api_usage.py [--top N] [--methods] FOLDER...

Names are canonical ("numpy.linalg.svd"); cupynumeric counts as numpy. With --methods, attribute calls on values that are
no module are counted as "numpy.ndarray.NAME" where an ndarray has that method: an upper bound, since the receiver is
not resolved. Columns: uses, files, name.
"""

import argparse
import ast
import collections
import pathlib
import sys
import warnings

ROOTS = {"numpy", "cupynumeric", "cunumeric", "legate.numpy"}
METHODS = set(
    "all any argmax argmin argpartition argsort astype byteswap choose clip compress conj conjugate copy cumprod cumsum "
    "diagonal dot dump dumps fill flatten item max mean min nonzero partition prod ptp put ravel repeat reshape resize "
    "round searchsorted setflags sort squeeze std sum swapaxes take tobytes tofile tolist trace transpose var view".split()
)


def canonical(module):
    """The dotted module under the name "numpy", or None where it is of another library."""
    for root in sorted(ROOTS, key=len, reverse=True):
        if module == root or module.startswith(root + "."):
            return "numpy" + module[len(root):]
    return None


def bindings(tree):
    names = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                module = canonical(alias.name)
                if module is None:
                    continue
                if alias.asname:
                    names[alias.asname] = module
                else:
                    names[alias.name.split(".")[0]] = "numpy"
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            module = canonical(node.module)
            if module is None:
                continue
            for alias in node.names:
                names[alias.asname or alias.name] = module + "." + alias.name
    return names


def dotted(node, names):
    chain = []
    while isinstance(node, ast.Attribute):
        chain.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name) or node.id not in names:
        return None
    return ".".join([names[node.id], *reversed(chain)])


def count_file(path, methods):
    found = collections.Counter()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return found
    names = bindings(tree)
    if not names:
        return found
    inner = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and id(node) not in inner or isinstance(node, ast.Name):
            name = dotted(node, names)
            if name and name != "numpy":
                found[name] += 1
        if methods and isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr in METHODS and dotted(node.func, names) is None:
                found["numpy.ndarray." + node.func.attr] += 1
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    parser.add_argument("--top", type=int, default=0, help="print only so many names")
    parser.add_argument("--methods", action="store_true", help="count methods of unresolved receivers, too")
    args = parser.parse_args()
    uses, files = collections.Counter(), collections.Counter()
    for folder in args.folders:
        for path in sorted(folder.rglob("*.py")):
            if not path.is_file():
                continue
            found = count_file(path, args.methods)
            uses.update(found)
            files.update(found.keys())
    ranking = sorted(uses, key=lambda name: (-uses[name], name))
    for name in ranking[: args.top or None]:
        print(f"{uses[name]:7d} {files[name]:6d} {name}")
    return 0 if uses else 1


if __name__ == "__main__":
    sys.exit(main())
