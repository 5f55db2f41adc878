"""Our changes to the parser (third_party/core-*.patch, analyzer/syntax/parse_table) make it faster, and no tree another.

parse_only has tree-sitter as it comes, parse_quick what cpnlint has; both tell a sum over all nodes of all files.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
import common  # noqa: E402

BROKEN = 200  # files with an error each, at least: then the parser's stack splits


def sums(program: str, files: list[Path]) -> dict[str, int]:
    path = Path(common.program()).with_name(program)
    names = "".join(f"{name}\n" for name in files)
    done = subprocess.run([path], input=names, capture_output=True, encoding="utf-8", check=True, timeout=120)
    return json.loads(done.stdout)


class Trees(unittest.TestCase):
    def compare(self, files: list[Path]) -> None:
        bare = sums("parse_only", files)
        self.assertEqual(bare["files"], len(files))
        self.assertGreater(bare["nodes"], 20 * len(files))
        self.assertEqual(bare, sums("parse_quick", files))

    def test_our_own_python_files(self) -> None:
        files = sorted(path for path in (common.ROOT / "tests").rglob("*.py") if path.is_file())
        self.assertGreater(len(files), 100)
        self.compare(files)

    def test_the_standard_library(self) -> None:
        files = sorted(Path(os.__file__).parent.glob("*.py"))
        self.assertGreater(len(files), 100)
        self.compare(files)

    def test_files_cut_short_and_with_bytes_changed(self) -> None:
        draw = random.Random(7)
        sources = sorted(Path(os.__file__).parent.glob("*.py"))[:40]
        with tempfile.TemporaryDirectory() as folder:
            files = []
            for number in range(BROKEN):
                text = bytearray(sources[number % len(sources)].read_bytes()[:20_000])
                del text[draw.randrange(len(text) // 2, len(text)) :]
                for _ in range(number % 8):
                    text[draw.randrange(len(text))] = draw.choice(b"()[]{}:,'\"\\\t\r\n #\xc3\xe9\xff\0def0")
                files.append(Path(folder) / f"{number:03}.py")
                files[-1].write_bytes(bytes(text))
            self.compare(files)

    def test_a_byte_order_mark_and_letters_of_several_bytes(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "letters.py"
            lines = ["na\u00efve = '\u65e5\u672c' # \U0001f40d", "if na\u00efve:", "\tf'{na\u00efve!r:>{8}}'", ""] * 30
            file.write_bytes(b"\xef\xbb\xbf" + "\r\n".join(lines).encode())
            self.compare([file])


if __name__ == "__main__":
    unittest.main()
