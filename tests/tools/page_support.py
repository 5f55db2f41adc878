"""What the tests of the HTML page share: programs, the islands of a page, and its packed predictions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import json_schema

PARTS = ("launch", "memory", "compute", "communication", "wait", "host")
ALPHABET = [chr(code) for code in range(35, 127) if chr(code) not in "&'<>\\"]

SOLVER = '''\
"""Heat in a plate."""
import numpy as np


def laplace(u):
    return u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4.0 * u[1:-1, 1:-1]


def solve(n, steps):
    u = np.zeros((n, n))
    u[:, 0] = 100.0
    change = []
    for step in range(steps):
        delta = 0.2 * laplace(u)
        u[1:-1, 1:-1] += delta
        change.append(float(np.max(np.abs(delta))))
    return u, change


def profile(n):
    edge = np.linspace(0.0, 1.0, n)
    for i in range(n):
        edge[i] = 2.0 * edge[i]  # one by one
    return edge


plate, history = solve(4096, 500)
print(profile(1000).sum(), plate.mean())
'''
# Sizes that only --assume tells.
OPEN = """\
import numpy as np


def smooth(u, n, steps):
    v = np.zeros((n, n))
    for step in range(steps):
        v[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])
        u, v = v, u
    return u


def run(n, steps):
    return smooth(np.ones((n, n)), n, steps)
"""
# A size that the source says, by a name.
NAMED = """\
import numpy as np

n = 4096
u = np.random.rand(n, n)
v = np.zeros((n, n))
for step in range(500):
    v[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])
    u, v = v, u
print(u.sum())
"""


class Structure(HTMLParser):
    """The elements that a browser would see, and what their attributes name."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.scripts: list[str] = []
        self.title = ""
        self._inside = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        self._inside = tag
        if tag == "script":
            self.scripts.append("")

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside == "script":
            self.scripts[-1] += data
        elif self._inside == "title":
            self.title += data


def unpacked(island: dict[str, Any]) -> Any:
    """What a page's script makes of an island (cli/report/html_pack.cpp says how it is packed)."""

    def opened(value: Any) -> Any:
        if isinstance(value, str):
            if not value.startswith("~"):
                return value
            return value[1:] if value.startswith("~~") else island["strings"][int(value[1:])]
        if not isinstance(value, list):
            return value
        items = [opened(item) for item in value[1:]]
        return items if value[0] < 0 else dict(zip(island["shapes"][value[0]], items, strict=True))

    return opened(island["data"])


def islands(text: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The JSON document of a page, and what the page has besides."""
    scripts = Structure(text).scripts
    return unpacked(json.loads(scripts[0])), unpacked(json.loads(scripts[1]))


# Elements that a page has before its scripts run, and nothing else whatever a program's text says.
ELEMENTS = set(
    "html head meta link title style body a header span nav ul div button aside dl dt dd kbd main noscript section h1 p pre "
    "footer script".split()
)


def page_errors(text: str) -> Iterator[str]:
    """What is wrong with a page: its elements, its data, characters that must not stand in it."""
    structure = Structure(text)
    if strange := set(structure.tags) - ELEMENTS:
        yield f"has elements that it should not have: {sorted(strange)}"
    if structure.tags.count("script") != 3:
        yield f"has {structure.tags.count('script')} scripts"
        return
    document, extra = islands(text)
    yield from json_schema.json_errors(document)
    if len(extra["texts"]) != len(document["findings"]):
        yield "not every finding has its text"
    lines = {
        (index, chunk["first"] + i)
        for index, source in enumerate(extra["sources"])
        for chunk in source["chunks"]
        for i in range(len(chunk["text"]))
    }
    for finding, more in zip(document["findings"], extra["texts"], strict=True):
        if (more["source"], more["line"]) not in lines:
            yield f"line {more['line']} of {finding['path']}, which has {finding['rule']}, is not in the page"
    for one in extra["models"]:
        model = Model(one)
        if len(model.numbers) != model.expected:
            yield f"{len(model.numbers)} numbers in place of {model.expected}"


def unpack(data: str) -> list[float]:
    numbers, at = [], 0
    while at < len(data):
        if data[at] == "!":
            numbers.append(0.0)
            at += 1
            continue
        value = 0
        for sign in data[at : at + 3]:
            value = value * len(ALPHABET) + ALPHABET.index(sign)
        numbers.append(float(f"{value % 9000 + 1000}e{value // 9000 - 30}"))
        at += 3
    return numbers


class Model:
    """The predictions of one program, as the page looks them up."""

    def __init__(self, model: dict[str, Any]) -> None:
        self.model = model
        self.numbers = unpack(model["data"])
        settings, regions = len(model["edits"]), len(model["regions"])
        self.expected = settings * len(model["machines"]) * regions * len(model["gpus"]) * 8

    def point(self, setting: int, machine: int, region: int, gpus: int) -> dict[str, Any]:
        model = self.model
        at = ((setting * len(model["machines"]) + machine) * len(model["regions"]) + region) * len(model["gpus"])
        numbers = self.numbers[(at + model["gpus"].index(gpus)) * 8 :][:8]
        return {"time": numbers[0], "memory": numbers[1], "parts": dict(zip(PARTS, numbers[2:], strict=True))}

    def arguments(self, setting: int, machine: int, gpus: int, assume: list[str]) -> list[str]:
        """Those of the `predict` that says the same: what the page shows for a terminal."""
        chosen = self.model["machines"][machine]
        nodes = -(-gpus // chosen["per_node"])
        words = ["predict", "--gpus", str(gpus // nodes), "--nodes", str(nodes), "--profile", chosen["profile"]]
        edits = self.model["edits"][setting]["assume"]
        changed = {one.split("=")[0] for one in edits}
        for one in (*edits, *(one for one in assume if one.split("=")[0] not in changed)):
            words += ["--assume", one]
        return words + self.model["arguments"]


def edited(source: str, edits: list[dict[str, Any]]) -> str:
    """The source with other numbers where the page says."""
    lines = source.split("\n")
    for edit in sorted(edits, key=lambda edit: (edit["line"], edit["columns"]), reverse=True):
        line, (start, end) = lines[edit["line"] - 1], edit["columns"]
        int(line[start - 1 : end - 1], 0)  # there is a number, or this raises
        lines[edit["line"] - 1] = f"{line[: start - 1]}{edit['value']}{line[end - 1 :]}"
    return "\n".join(lines)


def rounded(value: Any) -> Any:
    """Four significant digits, which is all that JSON and page have."""
    if isinstance(value, dict):
        return {key: rounded(one) for key, one in value.items()}
    return float(f"{value:.4g}")
