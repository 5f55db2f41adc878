"""Runs cpnlint over trees of other people's code: no crash, no hang, no bug of ours, the same bytes each time.

    robustness.py PATH... [--timeout 600]

Without a path: the packages that fetch_packages.py fetches.
"""

from __future__ import annotations

import argparse
import collections
import json
import sys
import time

import common
import fetch_packages

EVERYTHING = ("--isolated", "--no-cache", "--include-tests", "--preview", "--select", "ALL")
OPTIONS = (*EVERYTHING, "--min-confidence", "possible", "--fail-on", "never", "--output-format", "json")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("paths", nargs="*")
    parser.add_argument("--timeout", type=float, default=600)
    args = parser.parse_args()
    failed = 0
    for path in args.paths or map(str, fetch_packages.folders()):
        outputs = set()
        seconds = []
        for jobs in ("1", "1", "2"):
            start = time.perf_counter()
            done = common.run("check", *OPTIONS, "--jobs", jobs, path, timeout=args.timeout)
            seconds.append(time.perf_counter() - start)
            outputs.add(done.stdout)
            if done.returncode != 0:
                print(f"{path}: --jobs {jobs} ended with {done.returncode}: {done.stderr.strip()[-2000:]}")
                failed += 1
        if len(outputs) != 1:
            print(f"{path}: the output differs between runs")
            failed += 1
        document = json.loads(outputs.pop())
        notes = collections.Counter(note["kind"] for note in document["notes"])
        failed += notes["internal-error"]
        for note in document["notes"]:
            if note["kind"] == "internal-error":
                print(f"{note['path']}: {note['message']}")
        files = document["files"]
        times = ", ".join(f"{value:.1f} s" for value in seconds)
        print(f"{path}: {files['analysed']} of {files['found']} files, {len(document['findings'])} findings, {times}")
        print("  notes: " + (", ".join(f"{count} {kind}" for kind, count in sorted(notes.items())) or "none"))
    print(f"robustness: {failed} failures")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
