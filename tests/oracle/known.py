"""Differences between cpnlint's words and the run that are no mistake of either, with their reason."""

from __future__ import annotations

import fnmatch

# Rule, recipe or API name; what the oracle complains of; why that is right. `*` in the first two stands for anything.
KNOWN: tuple[tuple[str, str, str], ...] = (
    (
        "R104",
        "Doctor says * of good",
        "`hist[it] = u.max()` is a write of one element, which Doctor counts from the eleventh on; it launches a task "
        "and waits for nothing. `tolist` gathers once, after the loop",
    ),
    (
        "R115",
        "*Doctor says whole-array gather of bad",
        "`clip` with arrays as bounds goes through the host; the other calls wait on the device, which Doctor has no "
        "check for",
    ),
    (
        "R117",
        "*Doctor says whole-array gather of bad",
        "The finding names the check where a whole array crosses; for a single value there is none",
    ),
    ("numpy.__array_namespace_info__", "*another kind of result*", "Each library answers with an object of its own"),
    ("numpy.ndarray.__array_namespace__", "*gives other values*", "Each library answers with its own name"),
    (
        "numpy.ndarray.__buffer__",
        "*raises TypeError*",
        "`memoryview` asks a Python class for a buffer from Python 3.12 on",
    ),
    (
        "numpy.ndarray.device",
        "*gives other values*",
        "NumPy says 'cpu', cuPyNumeric None; the row says that it returns none",
    ),
    (
        "numpy.histogram*",
        "*gives other values (bool)",
        "The operand holds True alone, and the row's limit says that equal values without `range=` are not counted",
    ),
    (
        "numpy.ufunc.reduce",
        "*multiply.reduce* raises ValueError*",
        "It is `np.prod`, whose row says that complex128 raises",
    ),
    (
        "numpy.tan",
        "*gives other values (complex64)",
        "Rounding: next to the pole at 11 the result is off by 3e-4 of its size",
    ),
)


def reason(name: str, complaint: str) -> str:
    """Why the complaint about the rule, recipe or name is right all the same; empty where nothing is known."""
    for of, saying, why in KNOWN:
        if fnmatch.fnmatchcase(name, of) and fnmatch.fnmatchcase(complaint, saying.replace("[", "[[]")):
            return why
    return ""
