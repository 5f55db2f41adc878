"""The HTML page in a real browser: clicks, sliders, search, keys, both themes, print, phone, contrast, names, pictures.

Needs a Chromium (apt-get install chromium, or CPNLINT_BROWSER=/path); without one every test here is skipped and says so.
`CPNLINT_UPDATE=1` writes the reference of the pictures anew; `CPNLINT_PICTURES=FOLDER` keeps them for a person to look at.
"""

from __future__ import annotations

import base64
import json
import os
import sys
import unittest
from pathlib import Path
from typing import Any

import harness
from harness import common
from page_support import NAMED, SOLVER, Model, islands

SKIPPED = 77  # ctest's word for it (tests/CMakeLists.txt)
REFERENCE = Path(__file__).with_name("page_pictures.json")
COLUMNS, ROWS = 24, 16  # of a picture made small
FARTHEST = 24  # grey levels (of 256) that a small picture may be off on average: fonts differ from machine to machine

HOSTILE_NAME = "x<img src=y onerror=alert(1)>\u202e\"'.py"
HOSTILE = SOLVER.replace("# one by one", "# </script><img src=x onerror=alert(2)> \u202eevil\u2066 \x00").replace("\x00", "")

# Names of everything that can be used, as assistive technology finds them.
UNNAMED = """() => [...document.querySelectorAll("a, button, input, select, summary, [tabindex='0'], svg[role=img], [role=region]")]
  .filter((e) => e.offsetParent !== null || e instanceof SVGElement).filter((e) => {
    const label = e.labels && e.labels.length ? e.labels[0].textContent : "";
    const by = (e.getAttribute("aria-labelledby") || "").split(" ").map((id) => document.getElementById(id)?.textContent || "").join("");
    return !(e.getAttribute("aria-label") || by || label || (e.tagName === "INPUT" || e.tagName === "SELECT" ? "" : e.textContent) || "").trim();
  }).map((e) => e.outerHTML.slice(0, 200))"""

# Text whose contrast with what lies behind it is below 4.5 (3 where it is large), by the formula of WCAG 2.
CONTRAST = """() => {
  const parse = (c) => { const n = c.match(/[\\d.]+/g).map(Number); return { rgb: n.slice(0, 3), a: n.length > 3 ? n[3] : 1 }; };
  const luminance = ([r, g, b]) => [r, g, b].map((v) => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; })
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const bad = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const seen = new Set();
  for (let node; (node = walker.nextNode()); ) {
    const element = node.parentElement;
    if (!node.data.trim() || seen.has(element) || ["SCRIPT", "STYLE", "NOSCRIPT", "OPTION", "TITLE", "title"].includes(element.tagName)) continue;
    seen.add(element);
    if (!element.getClientRects().length || element.closest(".sr, .skip")) continue;
    const style = getComputedStyle(element);
    const svg = element instanceof SVGElement;
    const front = parse(svg ? style.fill : style.color).rgb;
    let behind = null;
    for (let up = element; up && !behind; up = up.parentElement) {
      const color = parse(getComputedStyle(up).backgroundColor);
      if (color.a === 1) behind = color.rgb;
      else if (color.a > 0) return ["a half-transparent background: " + up.className];
    }
    const [a, b] = [luminance(front), luminance(behind || [255, 255, 255])];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const size = parseFloat(style.fontSize), large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (contrast < (large ? 3 : 4.5)) bad.push(contrast.toFixed(2) + " " + element.tagName + "." + element.className + " " + node.data.slice(0, 40));
  }
  return bad;
}"""

# A picture of the page, small and grey, read by the browser itself.
SMALL = """async ([data, columns, rows]) => {
  const image = new Image();
  image.src = "data:image/png;base64," + data;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = columns; canvas.height = rows;
  const context = canvas.getContext("2d");
  context.imageSmoothingQuality = "high";
  context.drawImage(image, 0, 0, columns, rows);
  const pixels = context.getImageData(0, 0, columns, rows).data;
  return Array.from({ length: columns * rows }, (_, i) => Math.round(0.2126 * pixels[4 * i] + 0.7152 * pixels[4 * i + 1] + 0.0722 * pixels[4 * i + 2]));
}"""


@unittest.skipUnless(common.browser(), "no Chromium on this machine: apt-get install chromium, or name one in CPNLINT_BROWSER")
class Browser(harness.ProgramTest):
    playwright: Any = None
    chromium: Any = None

    @classmethod
    def setUpClass(cls) -> None:
        common.use_test_packages(common.BROWSER_PACKAGES)
        from playwright.sync_api import sync_playwright

        cls.playwright = sync_playwright().start()
        cls.chromium = cls.playwright.chromium.launch(executable_path=common.browser(), args=["--no-sandbox"])

    @classmethod
    def tearDownClass(cls) -> None:
        cls.chromium.close()
        cls.playwright.stop()

    def make(self, *arguments: str, command: str = "report") -> Path:
        self.run_program(command, "--isolated", "--no-cache", "--quiet", "--fail-on", "never", "--output", "html:page.html", *arguments)
        return self.folder / "page.html"

    def open(self, path: Path, anchor: str = "", **options: Any) -> Any:
        """The page in a window of its own, which may ask the network for nothing and has no word for the console."""
        context = self.chromium.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
        self.addCleanup(context.close)
        page = context.new_page()
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("dialog", lambda dialog: (said.append("dialog " + dialog.message), dialog.dismiss()))
        page.on("request", lambda request: said.append(request.url) if not request.url.startswith(("file:", "data:", "blob:")) else None)
        self.addCleanup(lambda: self.assertEqual(said, []))
        page.goto(path.as_uri() + anchor)
        return page

    def solver(self, **options: Any) -> Any:
        self.write("solver.py", SOLVER)
        return self.open(self.make("solver.py"), **options)

    def shown(self, page: Any) -> list[str]:
        return page.eval_on_selector_all("#finding-list > li:not([hidden])", "list => list.map(e => e.id)")

    def test_verdict_gates_and_fixes_are_there(self) -> None:
        page = self.solver()
        document, extra = islands((self.folder / "page.html").read_text(encoding="utf-8"))
        self.assertEqual(page.inner_text("#verdict h1"), document["verdict"]["name"])
        self.assertIn(document["verdict"]["name"], page.title())
        self.assertEqual(page.locator(".gate").count(), 6)
        self.assertEqual(page.locator(".gate .status").all_inner_texts(), [
            {"pass": "✔ pass", "fail": "✖ fail", "uncertain": "? uncertain"}[gate["status"]] for gate in document["verdict"]["gates"]])
        self.assertEqual(page.locator("#fix li").count(), len(document["verdict"]["fix_first"]))
        self.assertEqual(len(self.shown(page)), len(document["findings"]))
        self.assertEqual(page.locator("#report .sections > details").count(), len(extra["report"]["sections"]) - 2)

    def test_filters_and_search(self) -> None:
        page = self.solver()
        document, _ = islands((self.folder / "page.html").read_text(encoding="utf-8"))
        everything = len(document["findings"])
        errors = [finding for finding in document["findings"] if finding["severity"] == "error"]
        self.assertTrue(0 < len(errors) < everything)
        chip = page.locator("fieldset.chips").first.get_by_role("button", name="error")
        chip.click()
        self.assertEqual(chip.get_attribute("aria-pressed"), "true")
        self.assertEqual(self.shown(page), ["f-" + finding["fingerprint"] for finding in errors])
        self.assertIn(f"{len(errors)} of {everything}", page.inner_text("#finding-count"))
        chip.click()
        page.fill("#search", "element-loop edge")
        self.assertEqual(self.shown(page), ["f-" + f["fingerprint"] for f in document["findings"] if f["rule"] == "R101"])
        page.fill("#search", "no such words")
        self.assertEqual(self.shown(page), [])
        page.get_by_role("button", name="Show all").click()
        self.assertEqual(len(self.shown(page)), everything)
        page.select_option("#order", "severity")
        rank = {"error": 0, "warning": 1, "info": 2}
        severities = {"f-" + finding["fingerprint"]: rank[finding["severity"]] for finding in document["findings"]}
        order = [severities[one] for one in self.shown(page)]
        self.assertEqual(order, sorted(order))

    def test_keys_and_links(self) -> None:
        page = self.solver()
        all_ids = self.shown(page)
        page.keyboard.press("Tab")
        self.assertEqual(page.evaluate("document.activeElement.className"), "skip")
        page.keyboard.press("j")
        page.keyboard.press("j")
        self.assertEqual(page.evaluate("document.activeElement.id"), all_ids[1])
        page.keyboard.press("k")
        self.assertEqual(page.evaluate("document.activeElement.id"), all_ids[0])
        page.keyboard.press("o")
        page.wait_for_selector("tr.target")
        page.keyboard.press("o")
        page.wait_for_function("id => document.activeElement.id === id", arg=all_ids[0])
        page.keyboard.press("/")
        self.assertEqual(page.evaluate("document.activeElement.id"), "search")
        page.keyboard.type("jk/t")  # words, no commands
        self.assertEqual(page.input_value("#search"), "jk/t")
        page.keyboard.press("Escape")
        self.assertEqual(page.input_value("#search"), "")
        self.assertEqual(len(self.shown(page)), len(all_ids))
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("?")
        self.assertTrue(page.is_visible("#keys"))
        page.keyboard.press("Escape")
        self.assertFalse(page.is_visible("#keys"))
        linked = self.open(self.folder / "page.html", "#" + all_ids[-1])
        self.assertEqual(linked.evaluate("document.activeElement.id"), all_ids[-1])
        self.assertTrue(linked.locator("#" + all_ids[-1]).evaluate("e => { const r = e.getBoundingClientRect(); return r.top >= 0 && r.top < innerHeight; }"))

    def test_sliders_show_what_the_model_says(self) -> None:
        self.write("named.py", NAMED)
        path = self.make("named.py")
        model = Model(islands(path.read_text(encoding="utf-8"))[1]["models"][0])
        page = self.open(path)
        words = "value => { const s = (v) => v >= 99.5 ? v.toFixed(0) : String(Number(v.toPrecision(2))); return value >= 1 ? s(value) + ' s' : value >= 0.995e-3 ? s(value * 1e3) + ' ms' : s(value * 1e6) + ' µs'; }"

        def expect(setting: int, machine: int, gpus: int) -> None:
            point = model.point(setting, machine, 0, gpus)
            self.assertEqual(page.locator("#readout dd").first.evaluate("e => e.firstChild.data"), page.evaluate(words, point["time"]))
            largest = max(point["parts"], key=lambda part: point["parts"][part])
            self.assertEqual(page.locator("#readout .fact").last.locator("dd").evaluate("e => e.firstChild.data"), largest)

        chosen = model.model["machine"]
        expect(0, chosen, 4)
        page.focus("#gpus")
        page.keyboard.press("End")
        self.assertEqual(page.inner_text("#gpus-value"), "1024 on 128 nodes")
        expect(0, chosen, 1024)
        page.focus("#size")
        page.keyboard.press("Home")
        first = model.model["series"][0]["positions"][0]
        self.assertEqual(page.inner_text("#size-value"), first["values"][0])
        self.assertEqual(page.get_attribute("#size", "aria-valuetext"), first["values"][0])
        expect(first["setting"], chosen, 1024)
        self.assertIn(first["values"][0].replace(" ", ""), page.inner_text("#picture").replace(" ", "").replace("\u00a0", ""))
        page.select_option("#machine", label=next(text for text in page.locator("#machine option").all_inner_texts() if text.startswith("v100")))
        slow = next(i for i, machine in enumerate(model.model["machines"]) if machine["name"] == "v100")
        expect(first["setting"], slow, 1024)
        self.assertIn("--profile v100", page.inner_text("#command"))
        page.fill("#passes", "7")
        self.assertIn("7 passes", page.inner_text("#readout"))
        page.click("#reset")
        expect(0, chosen, 4)
        self.assertIn("--gpus 4 --profile h100-sxm named.py", page.inner_text("#command"))
        self.assertEqual(page.locator("#numbers tbody tr").count(), len(model.model["gpus"]))

    def test_source_has_findings_and_arrays(self) -> None:
        page = self.solver()
        _, extra = islands((self.folder / "page.html").read_text(encoding="utf-8"))
        lines = SOLVER.rstrip("\n").split("\n")
        self.assertEqual(page.locator("#source tbody tr[id]").count(), len(lines))
        loop = lines.index("    for i in range(n):") + 1
        row = page.locator(f"#s-0-{loop}")
        self.assertIn("hit", row.get_attribute("class"))
        self.assertIn("for i in range(n):", row.inner_text())
        self.assertEqual(row.locator("u.m").first.inner_text().strip(), "for i in range(n)"[: len(row.locator("u.m").first.inner_text().strip())])
        self.assertEqual(page.locator(f"#s-0-{loop} + tr.note a").get_attribute("href")[:3], "#f-")
        self.assertGreater(page.locator("#source .glyph.born").count(), 0)
        self.assertGreater(page.locator("#source .glyph.host").count(), 0)
        page.locator("#source .arrays summary").click()
        self.assertEqual(page.locator("#source .arrays tbody tr").count(), len(extra["sources"][0]["arrays"]))

    def test_long_files_are_folded(self) -> None:
        quiet = "".join(f"limit_{i} = {i}\n" for i in range(100))
        self.write("long.py", SOLVER + quiet + "\n\ndef more(n):\n    a = np.ones(n)\n    for i in range(n):\n        a[i] = 2.0 * a[i]\n    return a\n")
        path = self.make("long.py")
        page = self.open(path)
        middle = len(SOLVER.split("\n")) + 50
        self.assertFalse(page.is_visible(f"#s-0-{middle}"))
        self.assertTrue(page.is_visible("#source tr.note"))
        page.locator(".unfold").first.click()
        self.assertTrue(page.is_visible(f"#s-0-{middle}"))
        linked = self.open(path, f"#s-0-{middle}")
        self.assertTrue(linked.is_visible(f"#s-0-{middle}"))
        self.assertIn("target", linked.get_attribute(f"#s-0-{middle}", "class"))

    def test_many_findings(self) -> None:
        body = "".join(f"\n\ndef work_{i}(n):\n    a = np.ones(n)\n    for i in range(n):\n        a[i] = 2.0 * a[i]\n    return a\n" for i in range(400))
        self.write("many.py", "import numpy as np\n" + body)
        path = self.make("many.py")
        findings = islands(path.read_text(encoding="utf-8"))[0]["findings"]
        self.assertGreater(len(findings), 300)
        page = self.open(path)
        self.assertEqual(len(self.shown(page)), 300)
        page.click("#finding-more")
        self.assertEqual(len(self.shown(page)), len(findings))
        last = "f-" + findings[-1]["fingerprint"]
        linked = self.open(path, "#" + last)
        self.assertEqual(linked.evaluate("document.activeElement.id"), last)
        linked.fill("#search", "work_7 ")
        linked.evaluate("id => { location.hash = ''; location.hash = id; }", "#" + last)
        linked.wait_for_function("id => document.activeElement.id === id", arg=last)

    def test_themes(self) -> None:
        page = self.solver(color_scheme="dark")
        background = "getComputedStyle(document.body).backgroundColor"
        dark = page.evaluate(background)
        page.click("#theme-button")
        light = page.evaluate(background)
        self.assertNotEqual(dark, light)
        page.reload()
        self.assertEqual(page.evaluate(background), light)  # it is remembered
        bright = self.open(self.folder / "page.html", color_scheme="light")
        self.assertEqual(bright.evaluate(background), light)

    def test_contrast_names_and_no_doubled_ids(self) -> None:
        for scheme in ("light", "dark"):
            page = self.solver(color_scheme=scheme)
            page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
            page.keyboard.press("?")
            self.assertEqual(page.evaluate(CONTRAST), [], scheme)
            self.assertEqual(page.evaluate(UNNAMED), [])
            self.assertEqual(page.evaluate("[...document.querySelectorAll('[id]')].map(e => e.id).filter((id, i, all) => all.indexOf(id) !== i)"), [])
            levels = page.eval_on_selector_all("h1, h2, h3", "list => list.map(e => Number(e.tagName[1]))")
            self.assertEqual(levels.count(1), 1)
            self.assertTrue(all(b - a <= 1 for a, b in zip(levels, levels[1:], strict=False)), levels)

    def test_phone_and_print(self) -> None:
        page = self.solver(viewport={"width": 360, "height": 740}, device_scale_factor=2, is_mobile=True, has_touch=True)
        page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
        self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), 360)
        small = page.eval_on_selector_all("button, select, input", "list => list.filter(e => e.offsetParent && !e.classList.contains('link')).map(e => [e.textContent, e.getBoundingClientRect().height]).filter(([, h]) => h < 24)")
        self.assertEqual(small, [])
        wide = self.open(self.folder / "page.html", color_scheme="dark")
        wide.emulate_media(media="print")
        self.assertFalse(wide.is_visible("header.top"))
        self.assertFalse(wide.is_visible(".filters"))
        self.assertTrue(wide.is_visible("#verdict h1"))
        self.assertEqual(wide.evaluate("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)")
        self.assertGreater(len(wide.pdf()), 10_000)

    def test_hostile_text_stays_text(self) -> None:
        self.write(HOSTILE_NAME, HOSTILE)
        page = self.open(self.make(HOSTILE_NAME))
        self.assertEqual(page.locator("img").count(), 0)
        self.assertIn("</script><img src=x onerror=alert(2)> U+202Eevil", page.inner_text("#source"))
        self.assertNotRegex(page.inner_text("body"), "[\u202a-\u202e\u2066-\u2069]")
        self.assertIn("x<img src=y onerror=alert(1)>", page.inner_text("#source summary .name"))

    def test_without_scripts(self) -> None:
        self.write("solver.py", SOLVER)
        page = self.open(self.make("solver.py"), java_script_enabled=False)
        self.assertIn("R101", page.inner_text("noscript"))

    def test_nothing_found(self) -> None:
        self.write("clean.py", harness.CLEAN)
        page = self.open(self.make("clean.py"))
        self.assertEqual(page.inner_text("#verdict h1"), "READY")
        self.write("none.py", "print(1)\n")
        page = self.open(self.make("none.py"))
        self.assertEqual(page.inner_text("#verdict h1"), "NOTHING TO PORT")

    def test_pictures(self) -> None:
        made = {}
        for name, options in (
            ("desktop-light", {"color_scheme": "light"}),
            ("desktop-dark", {"color_scheme": "dark"}),
            ("phone-light", {"color_scheme": "light", "viewport": {"width": 390, "height": 844}}),
        ):
            page = self.solver(**options)
            page.add_style_tag(content=".top { position: static !important }")
            for part in ("verdict", "time", "findings", "source"):
                picture = page.locator("#" + part).screenshot()
                if folder := os.environ.get("CPNLINT_PICTURES"):
                    Path(folder, f"{name}-{part}.png").write_bytes(picture)
                made[f"{name} {part}"] = page.evaluate(SMALL, [base64.b64encode(picture).decode(), COLUMNS, ROWS])
        if os.environ.get("CPNLINT_UPDATE"):
            REFERENCE.write_text("{\n" + ",\n".join(f"  {json.dumps(name)}: {json.dumps(pixels, separators=(',', ':'))}" for name, pixels in made.items()) + "\n}\n")
        reference = json.loads(REFERENCE.read_text())
        self.assertEqual(made.keys(), reference.keys())
        for name, pixels in made.items():
            distance = sum(abs(a - b) for a, b in zip(pixels, reference[name], strict=True)) / len(pixels)
            self.assertLess(distance, FARTHEST, name)


if __name__ == "__main__":
    if not common.browser():
        print(Browser.__unittest_skip_why__)
        sys.exit(SKIPPED)
    harness.main()
