"""Compares cpnlint's output for *.py and *.ipynb with the file of the same stem in tests/golden/<kind>.

    ir      inspect ir FILE                 tests/golden/ir       FILE.ir
    facts   inspect facts FILE              tests/golden/facts    FILE.facts
    text    check FILE                      tests/golden/text     FILE.txt
    work    inspect work FILE               docs/examples         FILE.work

`--update` rewrites what differs; read the difference before it is committed.
"""

from __future__ import annotations

import difflib
import sys
from pathlib import Path

import common

GOLDEN = common.ROOT / "tests" / "golden"
CHECK = ("check", "--isolated", "--no-cache", "--preview", "--color", "never", "--jobs", "1")
KINDS = {
    "ir": (("inspect", "ir"), ".ir", GOLDEN / "ir"),
    "facts": (("inspect", "facts"), ".facts", GOLDEN / "facts"),
    "text": ((*CHECK, "--output-format", "text"), ".txt", GOLDEN / "text"),
    "work": (("inspect", "work"), ".work", common.ROOT / "docs" / "examples"),
}


def main() -> int:
    update = sys.argv[1:] == ["--update"]
    if sys.argv[1:] and not update:
        print(__doc__)
        return 2
    passed = failed = 0
    for kind, (command, suffix, sources) in KINDS.items():
        for source in sorted([*sources.glob("*.py"), *sources.glob("*.ipynb")]):
            done = common.run(*command, source.name, cwd=source.parent)
            actual = done.stdout if done.returncode in (0, 1) else f"exit code {done.returncode}\n{done.stderr}"
            wanted_path = GOLDEN / kind / f"{source.stem}{suffix}"
            wanted = wanted_path.read_text(encoding="utf-8") if wanted_path.exists() else ""
            if actual == wanted and wanted_path.exists():
                passed += 1
                continue
            name = str(wanted_path.relative_to(common.ROOT))
            if update and done.returncode in (0, 1):
                wanted_path.write_text(actual, encoding="utf-8")
                print(f"rewrote {name}")
                passed += 1
                continue
            failed += 1
            lines = difflib.unified_diff(wanted.splitlines(), actual.splitlines(), name, "now", lineterm="")
            print("\n".join(lines))
    stray = [
        path
        for kind, (_, suffix, sources) in KINDS.items()
        for path in sorted((GOLDEN / kind).glob(f"*{suffix}"))
        if not any((sources / f"{path.stem}{s}").exists() for s in (".py", ".ipynb"))
    ]
    for path in stray:
        print(f"{path.relative_to(common.ROOT)}: there is no source beside it")
    print(f"golden: {passed} passed, {failed + len(stray)} failed")
    return 1 if failed or stray or passed == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
