"""The cache: it changes how long a run takes and nothing else, whatever happens to it."""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import time
import unittest
from pathlib import Path

import harness
from harness import CLEAN, ELEMENT_LOOP, FFT, JOIN_IN_LOOP, TROUBLE, common

# A program of three modules: what `make` returns decides what is found in the other two.
MAKER = "import numpy as np\n\n\ndef make(n):\n    return np.ones(n)\n"
USER = "from pkg.maker import make\n\n\ndef run(n):\n    a = make(n)\n    for i in range(n):\n        a[i] = 2.0 * a[i]\n"
LISTS = "def make(n):\n    return [1.0] * n  # numpy\n"


class CacheTest(harness.ProgramTest):
    def setUp(self) -> None:
        super().setUp()
        self.environment.pop("CPNLINT_NO_CACHE", None)
        self.environment.pop("CPNLINT_CACHE_DIR", None)
        self.cache = self.folder / ".cpnlint_cache"

    def write_project(self) -> None:
        """Three programs, one of them of several modules, and a file without arrays."""
        self.write("pkg/__init__.py", "")
        self.write("pkg/maker.py", MAKER)
        self.write("pkg/user.py", USER)
        self.write("loop.py", ELEMENT_LOOP)
        self.write("join.py", JOIN_IN_LOOP)
        self.write("plain.py", "import os\n\nprint(os.getcwd())\n")

    def lint(self, *arguments: str, command: str = "check", output: str = "json") -> tuple[int, str]:
        done = self.run_program(command, "--isolated", "--output-format", output, *arguments)
        return done.returncode, done.stdout

    def same(self, *arguments: str, **how: str) -> str:
        """Runs with the cache and without one, asserts that nothing differs, and returns what was printed."""
        with_cache = self.lint(*arguments, **how)
        self.assertEqual(with_cache, self.lint("--no-cache", *arguments, **how), arguments)
        return with_cache[1]

    def taken(self, *arguments: str) -> tuple[int, int, int, int]:
        """Of so many programs so many were taken from the cache, and so many of so many files were not read."""
        done = self.run_program("check", "--isolated", "--verbose", "--output-format", "json", *arguments)
        found = re.search(r"cache (\d+) of (\d+) programs, (\d+) of (\d+) files", done.stderr)
        self.assertIsNotNone(found, done.stderr)
        assert found is not None
        return tuple(map(int, found.groups()))  # type: ignore[return-value]

    def entries(self) -> list[Path]:
        """The files that hold results."""
        return sorted(path for path in self.cache.glob("*/??/*") if path.is_file())


class SameOutput(CacheTest):
    def outputs(self, command: str, paths: tuple[str, ...], *options: str) -> tuple[dict[str, bytes], str]:
        formats = {"check": ("json", "sarif", "text", "concise"), "report": ("json", "text", "markdown")}
        names = formats.get(command, ("json", "text", "markdown", "svg"))
        where = {name: self.folder / f"{command}.{name}" for name in names}
        outputs = [part for name, path in where.items() for part in ("--output", f"{name}:{path}")]
        everything = ("--preview", "--select", "ALL", "--min-confidence", "possible", "--include-tests", "--isolated")
        done = self.run_program(command, *everything, "--verbose", *outputs, *options, *paths, cwd=common.ROOT)
        text = {name: re.sub(rb'"timing":.*', b"", path.read_bytes()) for name, path in where.items()}
        return text, done.stderr

    def test_all_that_we_have(self) -> None:
        """Every field of every finding, note and piece of evidence survives the way to the disk and back."""
        some = ("docs/examples", "tests/programs", "tests/fixtures/notebooks")
        for command, paths in (("check", ("tests/fixtures", *some)), ("report", some), ("predict", some)):
            cache = ("--cache-dir", str(self.folder / "cache"))
            without, _ = self.outputs(command, paths, "--no-cache")
            cold, _ = self.outputs(command, paths, *cache)
            warm, told = self.outputs(command, paths, *cache)
            self.assertEqual(cold, without, command)
            self.assertEqual(warm, without, command)
            found = re.search(r"cache (\d+) of (\d+) programs, (\d+) of (\d+) files", told)
            assert found is not None
            self.assertEqual(found[1], found[2], told)
            self.assertGreater(int(found[1]), 20)

    def test_any_number_of_threads(self) -> None:
        self.write_project()
        first = self.same("--jobs", "1")
        for jobs in ("1", "2", "5"):
            self.assertEqual(self.same("--jobs", jobs), first)

    def test_settings_are_part_of_the_key(self) -> None:
        self.write_project()
        self.write("fft.py", FFT)
        seen = {self.same()}
        for options in (
            ("--min-confidence", "possible"), ("--select", "R101"), ("--ignore", "R101"), ("--preview", "--select", "ALL"),
            ("--assume", "n=1000000"), ("--assume", "n=1000"), ("--gpus", "8"), ("--nodes", "2"), ("--fbmem", "100"),
            ("--profile", "v100-sxm2-32"), ("--target-version", "26.06"),
        ):  # fmt: skip
            self.same(*options)
            seen.add(self.same(*options))
        self.assertGreater(len(seen), 8)

    def test_configured_settings_are_part_of_it(self) -> None:
        self.write_project()
        command = ("check", "--output-format", "json")
        seen = set()
        for text in ("", '[per-file-ignores]\n"loop.py" = ["R101"]\n', '[per-file-ignores]\n"join.py" = ["R203"]\n',
                     'assume = ["n=1000"]\n', ""):  # fmt: skip
            self.write("cpnlint.toml", text)
            outputs = [self.run_program(*command, *options).stdout for options in ((), (), ("--no-cache",))]
            self.assertEqual(outputs[0], outputs[2], text)
            self.assertEqual(outputs[1], outputs[2], text)
            seen.add(outputs[2])
        self.assertEqual(len(seen), 4)

    def test_commands_do_not_share_what_differs(self) -> None:
        self.write_project()
        for command in ("check", "report", "predict", "check"):
            self.same(command=command)
            self.same(command=command)

    def test_another_current_folder(self) -> None:
        self.write_project()
        self.same()
        done = [self.run_program("check", "--isolated", "--output-format", "json", *options, cwd=self.folder / "pkg")
                for options in ((), (), ("--no-cache",))]  # fmt: skip
        self.assertEqual(done[0].stdout, done[2].stdout)
        self.assertEqual(done[1].stdout, done[2].stdout)
        self.assertIn('"path":"user.py"', done[0].stdout)


class WhatIsDoneAgain(CacheTest):
    def test_nothing_where_nothing_changed(self) -> None:
        self.write_project()
        self.assertEqual(self.taken(), (0, 3, 0, 6))
        self.let_times_settle()
        self.taken()  # the files were too new to trust their times before
        before = {path: path.stat().st_mtime_ns for path in self.cache.rglob("*")}
        self.assertEqual(self.taken(), (3, 3, 6, 6))
        self.assertEqual({path: path.stat().st_mtime_ns for path in self.cache.rglob("*")}, before)

    def let_times_settle(self) -> None:
        time.sleep(3.2)

    def test_one_file_changed(self) -> None:
        self.write_project()
        self.taken()
        self.write("loop.py", ELEMENT_LOOP.replace("2.0", "3.0"))
        self.assertEqual(self.taken()[:2], (2, 3))
        self.same()

    def test_what_depends_on_it_is_done_again(self) -> None:
        self.write_project()
        self.assertIn('"path":"pkg/user.py"', self.same())
        self.write("pkg/maker.py", LISTS)
        self.assertEqual(self.taken()[:2], (2, 3))
        self.assertNotIn('"path":"pkg/user.py"', self.same())

    def test_a_file_that_was_not_asked_for(self) -> None:
        self.write_project()
        self.assertIn('"path":"pkg/user.py"', self.same("pkg/user.py"))
        self.write("pkg/maker.py", LISTS)
        self.assertNotIn('"path":"pkg/user.py"', self.same("pkg/user.py"))

    def test_content_that_was_there_before(self) -> None:
        self.write_project()
        self.taken()
        self.write("loop.py", CLEAN)
        self.assertEqual(self.taken()[:2], (2, 3))
        self.write("loop.py", ELEMENT_LOOP)
        self.assertEqual(self.taken()[:2], (3, 3))

    def test_files_come_and_go(self) -> None:
        self.write_project()
        self.same()
        self.write("pkg/third.py", "import numpy as np\nfrom pkg.maker import make\n\nx = np.fft.fft(make(1_000_000))\n")
        self.assertEqual(self.taken()[:2], (2, 3))
        self.same()
        (self.folder / "pkg" / "third.py").unlink()
        self.assertEqual(self.taken()[:2], (3, 3))
        self.same()

    def test_an_import_means_another_file(self) -> None:
        """No module of the program changes, and yet one of its names means something else."""
        self.write("app/main.py", "import numpy as np\nfrom maker import make\n\n" + USER.split("\n\n\n", 1)[1])
        self.write("maker.py", MAKER)
        self.write("pyproject.toml", "")
        self.assertIn('"path":"app/main.py"', self.same())
        self.write("app/maker.py", LISTS)  # nearer to the importer
        self.assertNotIn('"path":"app/main.py"', self.same())
        (self.folder / "app" / "maker.py").unlink()
        self.assertIn('"path":"app/main.py"', self.same())

    def test_an_import_means_nothing_any_more(self) -> None:
        """The program keeps its modules, which another import holds together."""
        self.write("pyproject.toml", "")
        self.write("maker.py", MAKER)
        self.write("other.py", "import numpy as np\nimport maker\n\n\ndef thing(n):\n    return maker.make(n)\n")
        self.write("app/user.py", "from maker import make\nfrom other import thing\n\n\n" + USER.split("\n\n\n", 1)[1])
        paths = ("app/user.py", "other.py", "maker.py")
        self.assertIn('"path":"app/user.py"', self.same(*paths))
        self.assertEqual(self.taken(*paths)[:2], (1, 1))
        self.write("app/maker.py", "make = None\n")
        self.assertEqual(self.taken(*paths)[:2], (0, 1))
        self.same(*paths)

    def test_same_size_and_time(self) -> None:
        """Two writes within one tick of the clock leave the same size and time."""
        path = self.write("loop.py", ELEMENT_LOOP)
        times = path.stat()
        first = self.same()
        for _ in range(3):
            self.write("loop.py", ELEMENT_LOOP.replace("np.ones(n)", "list([n ])"))
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
            self.assertNotEqual(self.same(), first)
            self.write("loop.py", ELEMENT_LOOP)
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
            self.assertEqual(self.same(), first)

    def test_times_set_by_hand(self) -> None:
        path = self.write("loop.py", ELEMENT_LOOP)
        os.utime(path, (1_000_000_000, 1_000_000_000))
        first = self.same()
        self.let_times_settle()
        self.assertEqual(self.same(), first)
        self.write("loop.py", ELEMENT_LOOP.replace("np.ones(n)", "list([n ])"))
        os.utime(path, (1_000_000_000, 1_000_000_000))
        self.assertNotEqual(self.same(), first)

    def test_a_clock_that_went_back(self) -> None:
        """To a run before its time, files and entries come from the future."""
        self.write_project()
        first = self.same()
        future = time.time() + 400 * 86400
        for path in [*self.cache.rglob("*"), *self.folder.rglob("*.py")]:
            os.utime(path, (future, future))
        for _ in range(2):
            self.assertEqual(self.same(), first)
        path = self.write("loop.py", CLEAN)
        os.utime(path, (future, future))
        self.assertNotEqual(self.same(), first)


class Place(CacheTest):
    def test_in_the_folder_of_the_project(self) -> None:
        self.write_project()
        self.write("pyproject.toml", "")
        self.run_program("check", "--isolated", cwd=self.folder / "pkg")
        self.assertTrue((self.cache / "CACHEDIR.TAG").is_file())
        self.assertEqual(self.run_program("cache", "dir", cwd=self.folder / "pkg").stdout, f"{self.cache}\n")
        tag = (self.cache / "CACHEDIR.TAG").read_text()
        self.assertTrue(tag.startswith("Signature: 8a477f597d28d172789f06886806bc55\n"))

    def test_git_and_discovery_pass_it_over(self) -> None:
        self.write_project()
        subprocess.run(["git", "init", "--quiet"], cwd=self.folder, check=True)
        self.run_program("check", "--isolated")
        self.assertTrue(self.entries())
        status = subprocess.run(
            ["git", "status", "--porcelain", "--untracked-files=all"], cwd=self.folder, capture_output=True, text=True
        )
        self.assertNotIn("cpnlint_cache", status.stdout)

    def test_option_and_environment(self) -> None:
        self.write_project()
        self.run_program("check", "--isolated", "--cache-dir", "mine/cache")
        self.assertTrue((self.folder / "mine" / "cache" / "CACHEDIR.TAG").is_file())
        self.environment["CPNLINT_CACHE_DIR"] = str(self.folder / "theirs")
        self.run_program("check", "--isolated")
        self.assertTrue((self.folder / "theirs" / "CACHEDIR.TAG").is_file())
        self.assertEqual(self.run_program("cache", "dir").stdout, f"{self.folder / 'theirs'}\n")
        self.assertEqual(self.run_program("cache", "dir", "--cache-dir", "mine").stdout, f"{self.folder / 'mine'}\n")
        self.assertFalse(self.cache.exists())

    def test_configured_folder(self) -> None:
        self.write_project()
        self.write("cpnlint.toml", 'cache-dir = "kept"\n')
        self.run_program("check")
        self.assertTrue((self.folder / "kept" / "CACHEDIR.TAG").is_file())
        self.assertFalse(self.cache.exists())
        self.assertEqual(self.run_program("cache", "dir").stdout, f"{self.folder / 'kept'}\n")
        self.assertEqual(self.run_program("cache", "clean").returncode, 0)
        self.assertFalse((self.folder / "kept").exists())

    def test_none_is_wanted(self) -> None:
        self.write_project()
        self.run_program("check", "--isolated", "--no-cache")
        self.environment["CPNLINT_NO_CACHE"] = "1"
        self.run_program("check", "--isolated")
        self.assertFalse(self.cache.exists())
        self.environment["CPNLINT_NO_CACHE"] = "0"
        self.run_program("check", "--isolated")
        self.assertTrue(self.cache.exists())

    def test_standard_input_leaves_nothing(self) -> None:
        self.run_program("check", "--isolated", "-", input=ELEMENT_LOOP)
        self.assertFalse(self.cache.exists())

    def test_clean(self) -> None:
        self.write_project()
        self.run_program("check", "--isolated")
        done = self.run_program("cache", "clean")
        self.assertEqual(done.returncode, 0)
        self.assertIn(str(self.cache), done.stdout)
        self.assertFalse(self.cache.exists())
        self.assertEqual(self.run_program("cache", "clean").returncode, 0)

    def test_a_folder_of_somebody_else_stays_as_it_is(self) -> None:
        self.write("src/a.py", ELEMENT_LOOP)
        self.write("other/CACHEDIR.TAG", "Signature: 8a477f597d28d172789f06886806bc55\n# made by a compiler\n")
        for name in ("src", "other", "src/a.py"):
            done = self.run_program("check", "--isolated", "--cache-dir", name, "src")
            self.assert_trouble(done, name, "folder of its own")
            self.assert_trouble(self.run_program("cache", "clean", "--cache-dir", name), name)
        self.assertEqual(sorted(path.name for path in self.folder.rglob("*")), ["CACHEDIR.TAG", "a.py", "other", "src"])

    def test_cache_needs_to_know_what(self) -> None:
        self.assert_trouble(self.run_program("cache"), "dir", "clean")
        self.assert_trouble(self.run_program("cache", "clear"), "clean")


class Faults(CacheTest):
    def test_two_runs_at_once(self) -> None:
        self.write_project()
        for i in range(20):
            self.write(f"more{i}.py", ELEMENT_LOOP.replace("2.0", f"{i}.5"))
        wanted = self.lint("--no-cache")[1]
        command = [common.program(), "check", "--isolated", "--output-format", "json"]
        for _ in range(3):
            runs = [
                subprocess.Popen(command, cwd=self.folder, env=self.environment, stdout=subprocess.PIPE, text=True)
                for _ in range(6)
            ]
            for run in runs:
                self.assertEqual(run.communicate()[0], wanted)
        self.assertEqual(self.taken()[:2], (23, 23))

    def test_cleaned_while_others_run(self) -> None:
        self.write_project()
        wanted = self.lint("--no-cache")[1]
        command = [common.program(), "check", "--isolated", "--output-format", "json"]
        for _ in range(5):
            runs = [
                subprocess.Popen(command, cwd=self.folder, env=self.environment, stdout=subprocess.PIPE, text=True)
                for _ in range(3)
            ]
            while any(run.poll() is None for run in runs):
                subprocess.run([common.program(), "cache", "clean"], cwd=self.folder, env=self.environment,
                               capture_output=True)  # fmt: skip
            for run in runs:
                self.assertEqual(run.communicate()[0], wanted)
        self.same()
        self.taken()
        self.assertEqual(self.taken()[:2], (3, 3), "what cleaning left can be used again")

    def test_killed_at_any_moment(self) -> None:
        self.write_project()
        for i in range(40):
            self.write(f"more{i}.py", ELEMENT_LOOP.replace("2.0", f"{i}.5"))
        wanted = self.lint("--no-cache")[1]
        command = [common.program(), "check", "--isolated", "--output", "json:out.json", "--output", "sarif:out.sarif"]
        started = time.monotonic()
        subprocess.run(command, cwd=self.folder, env=self.environment, capture_output=True)
        takes = time.monotonic() - started
        whole = (self.folder / "out.json").read_text(), (self.folder / "out.sarif").read_text()
        chance = random.Random(6)
        for _ in range(100 if os.environ.get("CPNLINT_SLOW_TESTS") == "1" else 8):
            shutil.rmtree(self.cache, ignore_errors=True)
            for name in ("out.json", "out.sarif"):
                (self.folder / name).unlink(missing_ok=True)
            for _ in range(2):
                run = subprocess.Popen(
                    command, cwd=self.folder, env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
                )
                time.sleep(chance.random() * takes)
                run.kill()
                run.wait()
                for name, content in zip(("out.json", "out.sarif"), whole):
                    path = self.folder / name
                    self.assertTrue(not path.exists() or path.read_text() == content, f"{name} is half-written")
            self.assertEqual(self.lint()[1], wanted)

    def test_broken_entries(self) -> None:
        self.write_project()
        wanted = self.same()
        chance = random.Random(6)
        damages = {
            "empty": lambda _: b"",
            "cut": lambda old: old[: len(old) // 2],
            "cut by one": lambda old: old[:-1],
            "longer": lambda old: old + b"x",
            "zeros": lambda old: bytes(len(old)),
            "another byte": lambda old: self.with_another_byte(old, chance),
            "random": lambda old: chance.randbytes(len(old)),
        }
        for name, damage in damages.items():
            for _ in range(5 if name == "another byte" else 1):
                for path in self.cache.rglob("*"):
                    if path.is_file() and path.name not in ("CACHEDIR.TAG", ".gitignore"):
                        path.write_bytes(damage(path.read_bytes()))
                self.assertEqual(self.lint()[1], wanted, name)
                self.assertEqual(self.lint()[1], wanted, name)
        one, two = self.entries()[:2]
        first, second = one.read_bytes(), two.read_bytes()
        one.write_bytes(second)
        two.write_bytes(first)
        self.assertEqual(self.lint()[1], wanted, "entries under each other's name")
        one.unlink()
        one.mkdir()
        self.assertEqual(self.lint()[1], wanted, "a folder in the place of an entry")

    def with_another_byte(self, old: bytes, chance: random.Random) -> bytes:
        at = chance.randrange(len(old))
        return old[:at] + bytes([old[at] ^ (1 << chance.randrange(8))]) + old[at + 1 :]

    def test_the_cache_of_another_version(self) -> None:
        self.write_project()
        wanted = self.same()
        part = next(path for path in self.cache.iterdir() if path.is_dir())
        part.rename(self.cache / "9.9.9-0123456789abcdef")
        self.assertEqual(self.taken()[:2], (0, 3))
        self.assertEqual(self.same(), wanted)
        self.assertTrue((self.cache / "9.9.9-0123456789abcdef").is_dir(), "it may be in use")
        old = time.time() - 40 * 86400
        os.utime(self.cache / "9.9.9-0123456789abcdef", (old, old))
        os.utime(part / "pruned", (old, old))
        self.write("loop.py", CLEAN)
        self.taken()
        self.assertFalse((self.cache / "9.9.9-0123456789abcdef").exists(), "nobody has used it for a month")

    def test_no_folder_to_write_in(self) -> None:
        self.write_project()
        wanted = self.lint("--no-cache")
        self.assertEqual(self.lint("--cache-dir", "/proc/cpnlint"), wanted)
        done = self.run_program("check", "--isolated", "--cache-dir", "/proc/cpnlint", "--verbose")
        self.assertIn("no cache: cannot write `/proc/cpnlint`", done.stderr)
        quiet = self.run_program("check", "--isolated", "--cache-dir", "/proc/cpnlint")
        self.assertEqual(quiet.stderr, "")

    def test_full_disk(self) -> None:
        self.write_project()
        wanted = self.lint("--no-cache")
        disk = self.folder / "disk"
        self.mount(disk, "-o", "size=64k")
        cache = ("--exclude", "disk", "--cache-dir", str(disk / "cache"))
        for room in (40000, 20000, 8192, 4096, 0):
            for path in (disk / "filling", disk / "cache"):
                shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
            try:
                (disk / "filling").write_bytes(bytes(64 * 1024 - room))
            except OSError:
                pass
            for _ in range(2):
                self.assertEqual(self.lint(*cache), wanted, f"{room} bytes free")
            self.assertEqual(list(disk.rglob("tmp-*")), [], "what could not be finished is taken away")
        done = self.run_program("check", "--isolated", "--verbose", *cache)
        self.assertIn("No space left", done.stderr)

    def test_read_only_tree(self) -> None:
        tree = self.folder / "tree"
        self.mount(tree)
        for name, text in (("loop.py", ELEMENT_LOOP), ("join.py", JOIN_IN_LOOP), ("pyproject.toml", "")):
            (tree / name).write_text(text)
        self.lint("loop.py", "--cache-dir", str(tree / "cache"), str(tree))
        subprocess.run(["mount", "-o", "remount,ro", tree], check=True)
        wanted = self.run_program("check", "--isolated", "--no-cache", cwd=tree)
        done = self.run_program("check", "--isolated", cwd=tree)
        self.assertEqual((done.stdout, done.stderr), (wanted.stdout, ""))
        told = self.run_program("check", "--isolated", "--verbose", cwd=tree)
        self.assertIn("Read-only file system", told.stderr)
        # One that was written before is still read.
        told = self.run_program("check", "--isolated", "--verbose", "--cache-dir", "cache", cwd=tree)
        self.assertIn("of 2 programs", told.stderr)


if __name__ == "__main__":
    harness.main()
