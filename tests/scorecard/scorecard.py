"""Predictions held against the real cuPyNumeric on this machine's CPUs (not part of ./dev test).

usage: scorecard.py predict|measure|memory|table [--profile FILE] [--python ENVIRONMENT] [--rows FOLDER]

predict   asks cpnlint for every program and size, before anything is measured: rows/predicted.json
measure   runs the programs under legate with 1 and with 2 CPUs: rows/measured_1.jsonl, measured_2.jsonl
memory    runs some of them once and reads what the runtime says it used: rows/memory.jsonl
table     joins the two and prints the scorecard (Markdown)
"""

import argparse
import datetime
import itertools
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = HERE / "programs"
CPUS = (1, 2)
# Loops whose pass is bound by a processor's work rather than by launches and waits, as the prediction itself says.
DEVICE = {"memory", "compute"}


def programs():
    for path in sorted(PROGRAMS.glob("*.py")):
        text = path.read_text(encoding="utf-8")
        for n in map(int, re.search(r"(?m)^# sizes: (.*)$", text)[1].split()):
            yield path, text, n


def predict(options) -> None:
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for path, text, n in programs():
            program = pathlib.Path(folder) / path.name
            text = re.sub(r"(?m)^steps = .*$", "steps = 1000", text)  # a loop of few passes is no region
            program.write_text(re.sub(r"(?m)^n = .*$", f"n = {n}", text), encoding="utf-8")
            command = [os.environ["CPNLINT"], "predict", "--isolated", "--no-cache", "--profile", options.profile, "--gpus", "1,2"]
            run = subprocess.run([*command, "--output-format", "json", str(program)], capture_output=True, text=True, check=False)
            if run.returncode != 0:
                sys.exit(f"{path.name}: {run.stderr}")
            document = json.loads(run.stdout)
            loops = [r for r in document["prediction"]["regions"] if r["start"]]
            # The loop over steps is the last statement of each program.
            region = max(loops, key=lambda r: r["start"]["line"]) if loops else None
            for cpus, point in zip(CPUS, region["asked"] if region else (), strict=False):
                rows.append({"program": path.stem, "n": n, "cpus": cpus, **point["time"], "bound_by": point["bound_by"],
                             "memory": point["memory"]["processor"]})
    target = options.rows / "predicted.json"
    stamp = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")
    target.write_text(json.dumps({"date": stamp, "profile": pathlib.Path(options.profile).name, "rows": rows}, indent=0))
    print(f"{len(rows)} predictions in {target}")


def runtime_environment(options) -> dict:
    """A Legate processor is one core: its linear algebra library must not start threads of its own (docs/calibration.md)."""
    return dict(os.environ, PATH=f"{options.python}/bin:{os.environ['PATH']}", LD_LIBRARY_PATH=f"{options.python}/driver",
                OPENBLAS_NUM_THREADS="1")


def measure(options) -> None:
    environment = runtime_environment(options)
    outputs = {cpus: options.rows / f"measured_{cpus}.jsonl" for cpus in CPUS}
    for output in outputs.values():
        output.touch()
    # Program by program and the two CPU counts in turn, so that a slow hour of the machine hits both.
    names = sorted({path.stem for path, _, _ in programs()})
    size = 8
    for start in range(0, len(names), size):
        for cpus, output in outputs.items():
            for _ in range(4):  # a program that ends the process is left out of the next attempt
                run = subprocess.run(
                    ["legate", "--cpus", str(cpus), "--gpus", "0", "--sysmem", "6000", str(HERE / "measure.py"), str(PROGRAMS),
                     str(output), str(options.seconds), *names[start : start + size]],
                    env=environment, capture_output=True, text=True, check=False)
                if run.returncode == 0:
                    break
                print(run.stderr[-500:], file=sys.stderr)
        print(f"{min(start + size, len(names))} of {len(names)} programs", flush=True)


# One of each kind of life that an array has: chains, loops, slices, swaps, casts, joins.
MEMORY_PROGRAMS = ("add", "chain_of_five", "choose_by_mask", "stencil", "wave", "black_scholes", "conjugate_gradient", "column_sums",
                   "running_sum", "sort_keys", "random_reads", "masked_mean", "cast_after_fill", "join_every_pass", "square_product", "fill_every_pass", "reshape_every_pass")


def memory(options) -> None:
    environment = runtime_environment(options)
    with (options.rows / "memory.jsonl").open("w", encoding="utf-8") as out, tempfile.TemporaryDirectory() as folder:
        for path, text, n in programs():
            largest = max(int(size) for size in re.search(r"(?m)^# sizes: (.*)$", text)[1].split())
            if path.stem not in MEMORY_PROGRAMS or n != largest:
                continue
            program = pathlib.Path(folder) / path.name
            text = re.sub(r"(?m)^steps = .*$", "steps = 4", re.sub(r"(?m)^n = .*$", f"n = {n}", text))
            program.write_text(text.replace("import numpy as np", "import cupynumeric as np"), encoding="utf-8")
            command = ["legate", "--cpus", "1", "--gpus", "0", "--sysmem", "6000", "--show-memory-usage", str(program)]
            run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
            used = re.search(r"used (\d+) bytes of SYSTEM_MEM", run.stdout + run.stderr)
            print(json.dumps({"program": path.stem, "n": n, "bytes": int(used[1]) if used else None}), file=out, flush=True)


def memory_table(options) -> None:
    rows = options.rows / "memory.jsonl"
    if not rows.is_file():
        return
    predicted = json.loads((options.rows / "predicted.json").read_text())["rows"]
    by_key = {(r["program"], r["n"]): r["memory"] for r in predicted if r["cpus"] == 1}
    print("\n| program | n | predicted peak MB | used MB | ratio |\n|---|---|---|---|---|")
    for row in map(json.loads, rows.read_text().splitlines()):
        if row["bytes"]:
            mine = by_key[row["program"], row["n"]]
            print(f"| {row['program']} | {row['n']} | {mine / 1e6:.0f} | {row['bytes'] / 1e6:.0f} | {mine / row['bytes']:.2f} |")


def joined(options):
    predicted = json.loads((options.rows / "predicted.json").read_text())
    by_key = {(r["program"], r["n"], r["cpus"]): r for r in predicted["rows"]}
    for cpus in CPUS:
        for line in (options.rows / f"measured_{cpus}.jsonl").read_text().splitlines():
            row = json.loads(line)
            found = by_key.get((row["program"], row["n"], cpus))
            if row["seconds"] and row["seconds"] > 0 and found:
                yield {**row, "cpus": cpus, **{k: found[k] for k in ("low", "mid", "high", "bound_by")}}


def kendall(pairs) -> float:
    same = other = 0
    for (a, b), (c, d) in itertools.combinations(pairs, 2):
        product = (a - c) * (b - d)
        same += product > 0
        other += product < 0
    return (same - other) / max(1, same + other)


def is_kept_aside(name: str) -> bool:
    """Constants of the model may be fitted to every other program, a mended form with its slow one; the rest judges."""
    names = sorted({path.stem.removesuffix("_mended") for path in PROGRAMS.glob("*.py")})
    return names.index(name.removesuffix("_mended")) % 2 == 1


def quantile(values, share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def coverage_table(rows, factor) -> None:
    print("\n| programs | rows | P10 to P90 covers | median factor | 80 % of the rows within a factor of |\n|---|---|---|---|---|")
    for words, aside in (("that constants may be fitted to", False), ("kept aside", True)):
        group = [i for i, row in enumerate(rows) if is_kept_aside(row["program"]) == aside]
        if not group:
            continue
        covered = sum(rows[i]["low"] <= rows[i]["seconds"] <= rows[i]["high"] for i in group) / len(group)
        factors = [factor[i] for i in group]
        print(f"| {words} | {len(group)} | {covered:.0%} | {statistics.median(factors):.2f} | {quantile(factors, 0.8):.2f} |")


def micro(seconds: float) -> str:
    return f"{seconds * 1e6:.0f}" if seconds < 0.01 else f"{seconds * 1e3:.1f} ms"


def table(options) -> None:
    rows = list(joined(options))
    if not rows:
        sys.exit("nothing is measured yet")
    error = [abs(r["mid"] / r["seconds"] - 1) for r in rows]
    factor = [max(r["mid"] / r["seconds"], r["seconds"] / r["mid"]) for r in rows]
    device = [i for i, r in enumerate(rows) if r["bound_by"] in DEVICE]
    launch = [i for i, r in enumerate(rows) if r["bound_by"] not in DEVICE]
    covered = sum(r["low"] <= r["seconds"] <= r["high"] for r in rows) / len(rows)
    spread = statistics.median(r["mad"] / r["seconds"] for r in rows)
    print(f"{len({r['program'] for r in rows})} programs, {len(rows)} rows; the measurement's own median spread is {spread:.0%}.\n")
    print("| | rows | figure | goal |\n|---|---|---|---|")
    if device:
        print(f"| bound by memory or arithmetic: median error | {len(device)} | {statistics.median(error[i] for i in device):.0%} | 15 % |")
    if launch:
        within = sum(factor[i] <= 2.5 for i in launch) / len(launch)
        print(f"| bound by launches or waits: median factor | {len(launch)} | {statistics.median(factor[i] for i in launch):.2f} | 1.5 |")
        print(f"| the same, rows within a factor of 2.5 | {len(launch)} | {within:.0%} | all |")
    print(f"| P10 to P90 covers | {len(rows)} | {covered:.0%} | 70 to 90 % |")
    repeats = [r["mad"] <= 0.15 * r["seconds"] for r in rows]
    if steady := [i for i in device if repeats[i]]:
        print(f"| bound by memory or arithmetic, of rows that repeat within 15 %: median error | {len(steady)} | "
              f"{statistics.median(error[i] for i in steady):.0%} | 15 % |")
        print(f"| the same, rows within 30 % | {len(steady)} | {sum(error[i] <= 0.3 for i in steady) / len(steady):.0%} | 90 % |")
    if steady := [i for i in launch if repeats[i]]:
        within = sum(factor[i] <= 2.5 for i in steady) / len(steady)
        print(f"| bound by launches or waits, of rows that repeat within 15 %: rows within a factor of 2.5 | {len(steady)} | {within:.0%} | all |")

    for cpus in CPUS:
        for words, group in (("memory or arithmetic", device), ("launches or waits", launch)):
            if here := [factor[i] for i in group if rows[i]["cpus"] == cpus]:
                print(f"| on {cpus} CPU{'s'[: cpus - 1]}, bound by {words}: median factor | {len(here)} | {statistics.median(here):.2f} | |")

    by_key = {(r["program"], r["n"], r["cpus"]): r for r in rows}
    pairs, told, gains = [], [], []
    for path in sorted(PROGRAMS.glob("*.py")):
        mends = re.search(r"(?m)^# mends: (\S+) by (\S+)$", path.read_text(encoding="utf-8"))
        if not mends:
            continue
        for (name, n, cpus), after in by_key.items():
            before = by_key.get((mends[1], n, cpus))
            if name == path.stem and before:
                pairs.append((before["mid"] / after["mid"], before["seconds"] / after["seconds"]))
                if abs(before["seconds"] - after["seconds"]) > before["mad"] + after["mad"]:
                    told.append(pairs[-1])
                gains.append((mends[2], mends[1], n, cpus, *pairs[-1]))
    for which, group in (("", pairs), (", of pairs further apart than the measurement's spread", told)):
        ranked = sum((p > 1) == (m > 1) for p, m in group) / max(1, len(group))
        print(f"| slow against mended form{which}: the same one is faster | {len(group)} | {ranked:.0%} | |")
        print(f"| slow and mended form in the same order (Kendall, form by form){which} | {len(group)} | {2 * ranked - 1:.2f} | 0.9 |")
        print(f"| gains of recipes in the same order (Kendall, each gain against each){which} | {len(group)} | {kendall(group):.2f} | |")
    coverage_table(rows, factor)
    print("\n| recipe | program | n | CPUs | predicted gain | measured gain |\n|---|---|---|---|---|---|")
    for recipe, name, n, cpus, predicted, measured in gains:
        print(f"| {recipe} | {name} | {n} | {cpus} | {predicted:.1f} | {measured:.1f} |")
    memory_table(options)
    print("\n| program | n | CPUs | predicted us (P10 to P90) | measured us | +- | ratio | bound by |\n|---|---|---|---|---|---|---|---|")
    for r in sorted(rows, key=lambda r: (r["program"], r["n"], r["cpus"])):
        print(f"| {r['program']} | {r['n']} | {r['cpus']} | {micro(r['mid'])} ({micro(r['low'])} to {micro(r['high'])}) | "
              f"{micro(r['seconds'])} | {micro(r['mad'])} | {r['mid'] / r['seconds']:.2f} | {r['bound_by']} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("predict", "measure", "memory", "table"))
    parser.add_argument("--profile", default=str(HERE / "machine.json"))
    parser.add_argument("--python", default="", help="environment with cuPyNumeric (bin/, driver/)")
    parser.add_argument("--rows", type=pathlib.Path, default=HERE / "rows")
    parser.add_argument("--seconds", type=float, default=0.25, help="least time of a measurement")
    options = parser.parse_args()
    options.rows.mkdir(exist_ok=True)
    {"predict": predict, "measure": measure, "memory": memory, "table": table}[options.what](options)


main()
