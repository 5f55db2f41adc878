"""The HTML page without a browser: one file, nothing from outside, right numbers, hostile text that stays text.

page_browser_test.py looks at it in a browser.
"""

from __future__ import annotations

import json

import harness
from harness import CLEAN, ELEMENT_LOOP, OK, common, json_schema
from page_support import NAMED, OPEN, SOLVER, Model, Structure, edited, islands, rounded

HOSTILE = (
    "import numpy as np\n\n"
    "# </script><script>alert(1)</script> <!-- \u202e reversed \u2066 \u2028 & &amp; \" ' ]]>\n"
    "def work(n):\n"
    "    a = np.ones(n)\n"
    "    for i in range(n):  # </style><img src=x onerror=alert(2)>\u0085\n"
    "        a[i] = len('</script>') * a[i]\n"
    "    return a\n"
)


class Page(harness.ProgramTest):
    def page(self, *arguments: str, command: str = "report") -> str:
        done = self.run_program(command, "--isolated", "--no-cache", "--quiet", "--fail-on", "never", "--output", "html:page.html", *arguments)
        self.assertEqual((done.returncode, done.stderr), (OK, ""))
        return (self.folder / "page.html").read_text(encoding="utf-8")

    def test_one_file_and_nothing_from_outside(self) -> None:
        self.write("solver.py", SOLVER)
        structure = Structure(self.page("solver.py"))
        for name, value in structure.attributes:
            if name in ("src", "href", "action", "data", "poster", "srcset"):
                self.assertRegex(value, r"^(#|data:,$)", name)
        self.assertEqual(structure.tags.count("script"), 3)
        self.assertIn("SIGNIFICANT REFACTOR" if "SIGNIFICANT" in structure.title else "REFACTOR", structure.title)
        self.assertNotRegex(structure.scripts[2], r"\b(fetch|XMLHttpRequest|WebSocket|import|innerHTML|eval)\b\s*\(")
        for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write"):
            self.assertNotIn(word, structure.scripts[2])

    def test_has_the_document_and_the_report(self) -> None:
        self.write("solver.py", SOLVER)
        document, extra = islands(self.page("solver.py", command="check"))
        self.assertEqual(json_schema.json_errors(document), [])
        self.assertEqual(document, self.check("solver.py"))
        self.assertEqual(len(extra["texts"]), len(document["findings"]))
        self.assertEqual([section["title"] for section in extra["report"]["sections"]][0], "Verdict")
        self.assertEqual(len(extra["report"]["sections"]), 8)
        self.assertEqual(len({finding["fingerprint"] for finding in document["findings"]}), len(document["findings"]))
        (source,) = extra["sources"]
        self.assertEqual("\n".join(source["chunks"][0]["text"]) + "\n", SOLVER)
        self.assertEqual({finding["rule"] for finding in document["findings"]}, set(extra["rules"]))

    def test_all_commands_write_it_and_change_nothing_else(self) -> None:
        self.write("solver.py", SOLVER)
        for command in ("check", "report", "predict"):
            alone = self.run_program(command, "--isolated", "--no-cache", "--output-format", "json", "solver.py").stdout
            both = self.run_program(command, "--isolated", "--no-cache", "--output-format", "json", "--output", "html:page.html", "solver.py").stdout
            self.assertEqual(alone, both)
            self.assertIn("<!doctype html>", (self.folder / "page.html").read_text(encoding="utf-8"))
        printed = self.run_program("report", "--isolated", "--no-cache", "--output-format", "html", "solver.py").stdout
        self.assertTrue(printed.startswith("<!doctype html>") and printed.rstrip().endswith("</html>"))

    def test_same_input_same_bytes(self) -> None:
        for name in ("a.py", "b.py", "c.py"):
            self.write(name, SOLVER)
        self.assertEqual(self.page("--jobs", "1"), self.page("--jobs", "4"))

    def test_runs_that_know_the_files_already(self) -> None:
        """Whatever is kept from run to run, the page has all of it."""
        self.write("solver.py", SOLVER)
        kept = {name: value for name, value in self.environment.items() if name != "CPNLINT_NO_CACHE"}
        kept["XDG_CACHE_HOME"] = str(self.folder / "cache")
        pages = []
        for _ in range(2):
            self.run_program("report", "--isolated", "--output-format", "json", "solver.py", env=kept)
            pages.append(self.run_program("report", "--isolated", "--output-format", "html", "solver.py", env=kept).stdout)
        self.assertEqual(pages[0], pages[1])
        self.assertEqual(pages[0], self.run_program("report", "--isolated", "--no-cache", "--output-format", "html", "solver.py").stdout)
        self.assertTrue(islands(pages[0])[1]["models"] and islands(pages[0])[1]["sources"])

    def test_hostile_text_stays_text(self) -> None:
        plain = Structure(self.page(str(self.write("plain.py", ELEMENT_LOOP).name)))
        names = ("</script><img src=x onerror=alert(3)>.py".replace("/", "\u2215"), "a\"b'c&d<e>\u202ef.py", "@js@ @page@.py")
        for name in names:
            self.write(name, HOSTILE)
            text = self.page("./" + name)
            structure = Structure(text)
            self.assertEqual(structure.tags, plain.tags)
            for character in "\u202e\u2066\u2028\u0085\u0000":
                self.assertNotIn(character, text)
            document, extra = islands(text)
            self.assertEqual(document["findings"][0]["path"], name)
            self.assertEqual("\n".join(extra["sources"][0]["chunks"][0]["text"]) + "\n", HOSTILE)

    def test_bytes_that_are_no_text(self) -> None:
        self.write("latin.py", ELEMENT_LOOP.encode() + b"# caf\xe9 \x80\xff\n")
        self.write("nul.py", ELEMENT_LOOP.encode() + b"# \x00\n")
        self.write("bom.py", b"\xef\xbb\xbf" + ELEMENT_LOOP.replace("\n", "\r\n").encode())
        text = self.page("latin.py", "nul.py", "bom.py")
        document, extra = islands(text)
        self.assertIn("encoding", {note["kind"] for note in document["notes"]})
        bom = next(source for source in extra["sources"] if source["path"] == "bom.py")
        self.assertEqual(bom["chunks"][0]["text"], ELEMENT_LOOP.splitlines())
        self.assertNotIn("\x00", text)

    def test_notebook_lines_know_their_cells(self) -> None:
        cells = [{"cell_type": "code", "metadata": {}, "source": text, "outputs": [], "execution_count": None} for text in ("import numpy as np\n", ELEMENT_LOOP.split("\n\n\n")[1])]
        self.write("a.ipynb", json.dumps({"cells": cells, "metadata": {"kernelspec": {"language": "python", "name": "python3"}}, "nbformat": 4, "nbformat_minor": 5}))
        document, extra = islands(self.page("a.ipynb"))
        finding, more = document["findings"][0], extra["texts"][0]
        chunk = extra["sources"][0]["chunks"][0]
        at = more["line"] - chunk["first"]
        self.assertEqual(chunk["cells"][at], [finding["cell"], finding["start"]["line"]])
        self.assertIn("for i in range(n)", chunk["text"][at])

    def test_fifty_files_stay_below_a_megabyte(self) -> None:
        for i in range(50):
            body = SOLVER + "\n\n" + "\n\n\n".join(f"def helper_{i}_{j}(values):\n    total = 0.0\n    for value in values:\n        total += {j} * value  # plain Python, nothing to find\n    return total" for j in range(80))
            self.write(f"package/module_{i}.py", body)
        text = self.page("package")
        self.assertLess(len(text.encode()), 1_000_000)
        document, extra = islands(text)
        self.assertEqual(document["files"]["analysed"], 50)
        self.assertEqual(len(extra["sources"]), 50)
        shown = {(source["path"], chunk["first"] + i) for source in extra["sources"] for chunk in source["chunks"] for i in range(len(chunk["text"]))}
        for finding in document["findings"]:
            self.assertIn((finding["path"], finding["start"]["line"]), shown)

    def test_lives_of_arrays(self) -> None:
        self.write("solver.py", SOLVER)
        _, extra = islands(self.page("solver.py"))
        arrays = {(array["name"], array["function"]): array for array in extra["sources"][0]["arrays"]}
        lines = SOLVER.split("\n")
        plate = arrays["u", "solve"]
        self.assertEqual(lines[plate["line"] - 1].strip(), "u = np.zeros((n, n))")
        self.assertIn([lines.index("        u[1:-1, 1:-1] += delta") + 1, "w"], plate["events"])
        self.assertIn([lines.index("        u[1:-1, 1:-1] += delta") + 1, "r"], plate["events"])
        self.assertEqual((plate["bytes"], plate["known"]), (4096 * 4096 * 8, True))
        delta = arrays["delta", "solve"]
        crossing = lines.index("        change.append(float(np.max(np.abs(delta))))") + 1
        self.assertIn([crossing, "r"], delta["events"])
        self.assertNotIn([crossing, "h"], delta["events"])  # only its maximum crosses
        self.assertIn([crossing, "h"], [event for array in arrays.values() for event in array["events"]])

    def test_nothing_to_port(self) -> None:
        self.write("a.py", "print(1)\n")
        document, extra = islands(self.page("a.py"))
        self.assertEqual((document["verdict"], extra["models"], extra["report"]), (None, [], None))
        self.write("b.py", CLEAN)
        document, extra = islands(self.page("b.py"))
        self.assertEqual(document["verdict"]["name"], "READY")
        self.assertEqual(extra["sources"], [])

    def test_written_whole_or_not_at_all(self) -> None:
        self.write("solver.py", SOLVER)
        done = self.run_program("report", "--output", "html:page.html", "--output", "json:no/such/folder/a.json", "solver.py")
        self.assert_trouble(done, "no/such/folder")
        self.assertFalse((self.folder / "page.html").exists())


class Predictions(harness.ProgramTest):
    """Every position of the sliders is what `predict` says there."""

    def model(self, *arguments: str) -> Model:
        done = self.run_program("report", "--no-cache", "--quiet", "--output", "html:page.html", *arguments)
        self.assertEqual(done.returncode, OK, done.stderr)
        (only,) = islands((self.folder / "page.html").read_text(encoding="utf-8"))[1]["models"]
        model = Model(only)
        self.assertEqual(len(model.numbers), model.expected)
        return model

    def agrees(self, model: Model, setting: int, machine: int, gpus: int, assume: list[str]) -> None:
        done = self.run_program(*model.arguments(setting, machine, gpus, assume), "--isolated", "--no-cache", "--output-format", "json")
        self.assertEqual((done.returncode, done.stderr), (OK, ""))
        regions = json.loads(done.stdout)["prediction"]["regions"]
        passes = model.model["passes"][setting]
        whole = sum(times * model.point(setting, machine, region, gpus)["time"] for region, times in enumerate(passes))
        for index, region in enumerate(model.model["regions"]):
            if region.get("rest"):
                continue
            there = [one for one in regions if (one["path"], one["start"]["line"]) == (region["path"], region["start"]["line"])]
            self.assertEqual(len(there), 1)
            (asked,) = there[0]["asked"]
            point = model.point(setting, machine, index, gpus)
            self.assertEqual(rounded(point["time"]), rounded(asked["time"]["mid"]))
            self.assertEqual(rounded(point["memory"]), rounded(asked["memory"]["processor"]))
            self.assertEqual(rounded(point["parts"]), rounded(asked["parts"]))
            self.assertEqual(asked["gpus"], gpus)
            self.assertAlmostEqual(passes[index] * point["time"] / whole, there[0]["share"], delta=0.005)

    def corners(self, model: Model) -> list[tuple[int, int, int]]:
        last = len(model.model["edits"]) - 1
        machines = model.model["machines"]
        slow = next(i for i, machine in enumerate(machines) if machine["name"] == "v100")
        return [(0, model.model["machine"], 4), (1, slow, 1), (last, model.model["machine"], 64), (last // 2, len(machines) - 1, 1024)]

    def test_sizes_by_default(self) -> None:
        self.write("open.py", OPEN)
        model = self.model("open.py")
        self.assertEqual([series["label"] for series in model.model["series"]], ["n"])
        for setting, machine, gpus in self.corners(model):
            self.assertEqual(len(model.model["edits"][setting]["assume"]), setting > 0)
            self.agrees(model, setting, machine, gpus, [])

    def test_sizes_by_assumption(self) -> None:
        self.write("open.py", OPEN)
        model = self.model("--assume", "n=1e4", "--assume", "steps=300", "open.py")
        series = model.model["series"][0]
        self.assertEqual(series["positions"][series["at"]]["values"], ["n = 10 000"])
        for setting, machine, gpus in self.corners(model):
            self.agrees(model, setting, machine, gpus, ["n=1e4", "steps=300"])

    def test_sizes_that_a_configuration_or_a_comment_tells(self) -> None:
        self.write("open.py", OPEN)
        comment = OPEN.replace("import numpy as np\n", "import numpy as np  # cpnlint: assume steps=300, n=1e4\n")
        for text, settings in ((OPEN, "[assume]\nn = 1e4\nsteps = 300\n"), (comment, "[assume]\nn = 7\n"), (comment, "")):
            self.write("open.py", text)
            self.write("cpnlint.toml", settings)
            model = self.model("open.py")
            self.assertEqual([series["label"] for series in model.model["series"]], ["n"])
            series = model.model["series"][0]
            self.assertEqual(series["positions"][series["at"]]["values"], ["n = 10 000"])
            for setting, machine, gpus in self.corners(model):
                self.agrees(model, setting, machine, gpus, ["steps=300"] if setting else ["n=1e4", "steps=300"])

    def test_sizes_by_a_number_in_the_source(self) -> None:
        self.write("named.py", NAMED)
        model = self.model("named.py")
        self.assertEqual([series["label"] for series in model.model["series"]], ["n"])
        for setting, machine, gpus in self.corners(model):
            edits = model.model["edits"][setting]["source"]
            self.assertEqual([edit["line"] for edit in edits], [3] * (setting > 0))
            self.write("named.py", edited(NAMED, edits))
            self.agrees(model, setting, machine, gpus, [])

    def test_sizes_by_an_argument_in_the_source(self) -> None:
        self.write("solver.py", SOLVER)
        model = self.model("solver.py")
        self.assertEqual([series["label"] for series in model.model["series"]], ["all sizes together", "n of solve", "n of profile"])
        line = SOLVER.split("\n").index("plate, history = solve(4096, 500)") + 1
        for setting, machine, gpus in self.corners(model):
            edits = model.model["edits"][setting]["source"]
            self.assertTrue(setting == 0 or {edit["line"] for edit in edits} & {line, line + 1})
            self.write("solver.py", edited(SOLVER, edits))
            self.agrees(model, setting, machine, gpus, [])

    def test_curve_is_that_of_predict(self) -> None:
        self.write("named.py", NAMED)
        model = self.model("--profile", "a100-80", "named.py")
        done = self.run_program("predict", "--isolated", "--no-cache", "--profile", "a100-80", "--output-format", "json", "named.py")
        prediction = json.loads(done.stdout)["prediction"]
        chosen = model.model["machine"]
        self.assertEqual(model.model["machines"][chosen]["name"], "a100-80")
        for point, band in zip(prediction["scaling"], model.model["bands"][0], strict=True):
            here = model.point(0, chosen, 0, point["gpus"])
            self.assertEqual(rounded(here["parts"]), rounded(point["parts"]))
            self.assertEqual(rounded(here["time"]), rounded(point["time"]["mid"]))
            self.assertEqual(band, [point["time"]["low"], point["time"]["high"]])
        self.assertEqual((model.model["regions"][0]["stop"], model.model["regions"][0]["best"]), (prediction["stop"], prediction["best"]))

    def test_examples(self) -> None:
        for number, path in enumerate(sorted((common.ROOT / "docs" / "examples").glob("*.py"))):
            source = path.read_text(encoding="utf-8")
            self.write(path.name, source)
            model = self.model(path.name)
            setting = len(model.model["edits"]) // 2
            self.write(path.name, edited(source, model.model["edits"][setting]["source"]))
            self.agrees(model, setting, number % len(model.model["machines"]), 2**number, [])

    def test_own_machine(self) -> None:
        self.write("named.py", NAMED)
        shown = self.run_program("profile", "show", "h100-sxm", "--output-format", "json").stdout
        self.write("ours.json", shown.replace('"h100-sxm"', '"ours"'))
        model = self.model("--profile", "ours.json", "named.py")
        self.assertEqual(model.model["machines"][model.model["machine"]]["profile"], "ours.json")
        self.agrees(model, 0, model.model["machine"], 8, [])


if __name__ == "__main__":
    harness.main()
