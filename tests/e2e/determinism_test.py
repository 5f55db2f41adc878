"""The same input gives the same bytes: from run to run, and whatever the number of threads."""

from __future__ import annotations

import harness
from harness import common


class Determinism(harness.ProgramTest):
    def output(self, output_format: str, *options: str) -> str:
        everything = ("--select", "ALL", "--preview", "--min-confidence", "possible", "--include-tests")
        paths = ("docs/examples", "tests/fixtures", "tests/golden")
        command = ("check", "--isolated", "--no-cache", *everything, "--output-format", output_format, *options, *paths)
        return self.run_program(*command, cwd=common.ROOT).stdout

    def test_formats(self) -> None:
        for output_format in ("json", "sarif", "text", "concise", "gitlab", "markdown"):
            first = self.output(output_format, "--jobs", "1")
            self.assertGreater(len(first), 1000)
            for jobs in ("1", "2", "7"):
                self.assertEqual(self.output(output_format, "--jobs", jobs), first, f"{output_format}, {jobs} jobs")

    def test_order_of_paths_does_not_matter(self) -> None:
        self.write("b.py", harness.ELEMENT_LOOP)
        self.write("a.py", harness.JOIN_IN_LOOP)
        self.assertEqual(self.check("a.py", "b.py"), self.check("b.py", "a.py"))

    def test_fingerprints_outlive_moved_lines(self) -> None:
        self.write("a.py", harness.ELEMENT_LOOP)
        before = self.check("a.py")["findings"][0]["fingerprint"]
        self.write("a.py", '"""Two more lines."""\n\n' + harness.ELEMENT_LOOP)
        self.assertEqual(self.check("a.py")["findings"][0]["fingerprint"], before)


if __name__ == "__main__":
    harness.main()
