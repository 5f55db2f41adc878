"""Writes rulesets/profiles/*.json, the machine profiles that come with cpnlint, from the tables below.

Each number stands here once, with the words that say where it comes from. `--check` compares instead of writing. What
nobody measured on the machine gets the spread of cost-model/parameters.def.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from dataclasses import dataclass
from typing import Any

import common

FOLDER = common.ROOT / "rulesets" / "profiles"
DEFINITIONS = common.ROOT / "cost-model" / "parameters.def"
GIB = 2.0**30
EXACT = {"window", "memory", "host_memory", "host_cores"}
OWN_UNITS = {"arithmetic_together", "part_factor", "product_together", "queued_factor"}  # exact where they are 1


@dataclass(frozen=True)
class Definition:
    name: str
    unit: str
    spread: float


def definitions() -> list[Definition]:
    pattern = re.compile(r'^CPNLINT_PARAMETER\(\w+, "([^"]+)", "([^"]+)", ([\d.]+), "', re.MULTILINE)
    return [Definition(name, unit, float(spread)) for name, unit, spread in pattern.findall(DEFINITIONS.read_text())]


@dataclass(frozen=True)
class Gpu:
    processor: str
    capability: float
    peak: float  # GB/s of memory, datasheet
    stream: float  # GB/s, copy and triad
    dot: float  # GB/s, reads only
    fill: float  # GB/s, writes only
    cache: float  # MB up to which the last cache serves
    cache_rate: float  # GB/s
    f64: float  # TFLOP/s of vector units
    f32: float
    product64: float  # TFLOP/s of matrix products: tensor cores where they do float64
    memory: float  # GiB
    host: float  # GiB of a node
    link: float  # GB/s between GPUs of a node, one direction, achieved
    network: float  # GB/s of one GPU's share of the node's adapters, achieved
    pcie: float  # GB/s
    all_to_all: float  # us, small messages over the GPUs of a node
    per_node: int = 8
    floor: float = 35.0  # us, shortest task
    stream_source: str = "literature"
    stream_method: str = ""
    link_method: str = "NVLink, about 80 % of the datasheet's rate per direction"
    note: str = ""


GPUS = {
    "p100": Gpu("Tesla P100-SXM2-16GB", 6.0, 732, 550, 590, 640, 2, 1500, 5.3, 10.6, 5.3, 16, 512, 60, 3.0, 12, 60,
                floor=57, stream_source="scaled", stream_method="75 % of the datasheet's 732 GB/s",
                note="compute capability 6.0: cuPyNumeric 26.07 needs 7.0, so nothing runs here"),
    "v100": Gpu("Tesla V100-SXM2-32GB", 7.0, 900, 795, 860, 890, 4, 2000, 7.8, 15.7, 7.8, 32, 512, 125, 6.0, 12, 60,
                floor=57, stream_method="RRZE gpu-benches: scale 809, triad 788, 3-point 804 GB/s",
                note="also sold with 16 GB: --fbmem 15000"),
    "a100-40": Gpu("NVIDIA A100-SXM4-40GB", 8.0, 1555, 1370, 1420, 1530, 23, 5400, 9.7, 19.5, 19.5, 40, 1024, 240,
                   23, 25, 45, stream_method="RRZE gpu-benches: scale 1382, triad 1358, 5-point 1368 GB/s"),
    "a100-80": Gpu("NVIDIA A100-SXM4-80GB", 8.0, 2039, 1700, 1750, 1890, 23, 5400, 9.7, 19.5, 19.5, 80, 2048, 240, 23,
                   25, 45, stream_method="BabelStream on Azure: triad 1.70, dot 1.75 TB/s"),
    "h100-sxm": Gpu("NVIDIA H100 80GB HBM3", 9.0, 3350, 2950, 3180, 3150, 30, 6000, 34, 67, 67, 80, 2048, 360, 47, 51,
                    30, stream_method="BabelStream on Azure: add 2.97, triad 2.97, dot 3.18 TB/s"),
    "h100-pcie": Gpu("NVIDIA H100 PCIe", 9.0, 2039, 1800, 1940, 2010, 30, 5500, 26, 51, 51, 80, 1024, 42, 12, 51, 45,
                     stream_method="RRZE gpu-benches: scale 1704, triad 1832, 3-point 1686 GB/s",
                     link_method="PCIe 5 x16 through the host's switch"),
    "h200": Gpu("NVIDIA H200", 9.0, 4800, 4100, 4480, 4500, 34, 9700, 34, 67, 67, 141, 2048, 360, 47, 52, 30,
                stream_method="BabelStream on Azure: copy 4.01, triad 4.15, dot 4.48 TB/s"),
    "b200": Gpu("NVIDIA B200", 10.0, 7700, 6700, 7000, 7200, 80, 16000, 37, 75, 37, 180, 2048, 740, 47, 52, 25,
                stream_source="scaled", stream_method="87 % of the datasheet's 7.7 TB/s, as on H200"),
    "l40s": Gpu("NVIDIA L40S", 8.9, 864, 768, 840, 845, 90, 5200, 1.43, 91.6, 1.43, 45, 512, 22, 6.0, 25, 60,
                stream_method="RRZE gpu-benches on the L40: triad 768, read 845 GB/s",
                link_method="PCIe 4 x16: no NVLink", note="float64 runs at a 64th of float32"),
    "gh200": Gpu("NVIDIA GH200 480GB", 9.0, 4000, 3500, 3800, 3750, 34, 7500, 34, 67, 67, 95, 480, 130, 24, 350, 30,
                 per_node=4, stream_source="scaled", stream_method="87 % of the datasheet's 4 TB/s, as on H200",
                 link_method="NVLink between the four superchips of a node, 150 GB/s per pair and direction",
                 note="a node has up to four superchips, each with its own Grace processor and 480 GB"),
}

Number = tuple[float, str, str]  # value, provenance, method


def literature(value: float, method: str) -> Number:
    return value, "literature", method


def datasheet(value: float, method: str) -> Number:
    return value, "datasheet", method


def scaled(value: float, method: str) -> Number:
    return value, "scaled", method


def default(value: float, method: str) -> Number:
    return value, "default", method


# Of the runtime, the same on every GPU until a calibration with the runtime measures them.
RUNTIME: dict[str, Number] = {
    "launch_base": literature(150e-6, "fit to Gray-Scott steps of 48 operations on 1 to 8 A100 (JuliaLegate, run B)"),
    "launch_per_processor": literature(135e-6, "same fit: slope over the GPUs of one process"),
    "launch_python": default(20e-6, "7 us of a Legion task launch and the Python layers above it"),
    "rank_factor": literature(1.8, "Navier-Stokes 128^3 on 2 x 4 V100 (Nuwest), time per operation over one process"),
    "window": datasheet(1024, "Legion's default number of outstanding operations"),
    "dependent_latency": literature(50e-6, "slope of a CFD step in the number of dependent tasks (barba)"),
    "scalar_latency": literature(0.6e-3, "residuals of conjugate gradients in the tutorial, 1 to 8 GPUs"),
    "scalar_latency_divided": default(0, "the residuals do not tell one GPU from eight"),
    "scalar_latency_per_doubling": literature(0.26e-3, "slope of conjugate gradients to 128 GPUs (Diffuse)"),
    "wait": literature(1e-3, "Jacobi with a test every pass against one every 100 (Legate NumPy, issue 29)"),
    "element_access": scaled(285e-6, "one operation on one GPU: launch_base + launch_per_processor"),
    "statement": default(0.1e-6, "CPython, one assignment or call of a builtin"),
    "copy_latency": literature(52e-6, "Legion copy between two GPUs of a node (Nuwest profile)"),
    "network_latency": literature(135e-6, "Legion copy between two nodes (Nuwest profile)"),
    "collective_per_doubling": literature(10e-6, "NCCL's tuner: two network hops of 5 us per doubling"),
    "host_latency": literature(55e-6, "Legion copy within a node (Nuwest profile)"),
    "memory_reserve": default(2e9, "CUDA context, NCCL and library workspaces outside the pool"),
}


def gpu_numbers(gpu: Gpu) -> dict[str, Number]:
    giga, tera = 1e9, 1e12
    stream = gpu.stream * giga
    per_a100 = gpu.stream / 1370
    numbers = dict(RUNTIME)
    numbers |= {
        "task_floor": literature(gpu.floor * 1e-6, "shortest tasks of the Nuwest profile on V100")
        if gpu.floor > 50
        else scaled(gpu.floor * 1e-6, "57 us on V100, less launch time since"),
        "bandwidth": (stream, gpu.stream_source, gpu.stream_method),
        "write_allocate": datasheet(0, "whole sectors are written without a look at them"),
        "bandwidth_shared": datasheet(0, "each GPU has its own memory"),
        "cache_bandwidth": literature(gpu.cache_rate * giga, "RRZE gpu-benches, level 2"),
        "cache_size": literature(gpu.cache * 1e6, "where level 2 bandwidth ends (RRZE gpu-benches)"),
        "fill_rate": literature(gpu.fill * giga, "write-only stream, about 94 % of the datasheet's rate"),
        "first_touch": scaled(gpu.fill * giga, "the pool is reserved at start: as any other write"),
        "reduction_rate": literature(gpu.dot * giga, "dot product stream"),
        "fold_rate": default(0, "as fast as the data is read"),
        "axis_reduction_rate": default(0.8 * gpu.dot * giga, "80 % of a full sum: strided axes reach 70 to 90 %"),
        "outer_reduction_rate": default(0.8 * gpu.dot * giga, "80 % of a full sum: strided axes reach 70 to 90 %"),
        "scan_rate": default(0.87 * stream, "device scans reach 85 to 90 % of a copy"),
        "random_rate": default(0.72 * gpu.peak * giga / 8, "72 % of memory bandwidth, as cuRAND's uniform float32"),
        "normal_rate": default(0.5 * gpu.peak * giga / 8, "half of memory bandwidth: Box-Muller beside the writes"),
        "sort_rate": scaled(8.3e9 * per_a100, "Onesweep on A100: 29.4e9 32-bit keys, 64-bit ones 0.28 of that; by bandwidth"),
        "merge_rate": default(stream / 16, "each key is read and written once per round"),
        "gather_rate": default(stream / 48, "a sector of 32 bytes per element, 8 of index, 8 written"),
        "scatter_rate": default(stream / 80, "two sectors of 32 bytes per element, 16 of index and value"),
        "gather_cached_rate": default(min(gpu.cache_rate * giga / 48, stream / 16),
                                      "sectors from level 2, index and result through memory"),
        "scatter_cached_rate": default(min(gpu.cache_rate * giga / 80, stream / 16),
                                       "sectors from level 2, index and value through memory"),
        "indexed_exchange_rate": datasheet(0, "NCCL moves them all to all"),
        "mask_rate": default(stream / 51, "three sweeps over 8 bytes read, 8 written and a byte of mask"),
        "choice_rate": default(0, "as fast as memory"),
        "histogram_rate": default(stream / 16, "value and weight are read; the bins stay in cache"),
        "walk_rate": default(0, "as fast as memory: many threads hide the arithmetic of the index"),
        "walk_axis_rate": default(0, "as fast as memory: many threads hide the arithmetic of the index"),
        "arithmetic_rate": datasheet(gpu.f64 * tera / 2, "float64 vector peak without fused multiply-add"),
        "division_rate": default(gpu.f64 * tera / 2 / 8, "float64 quotient as 8 additions"),
        "transcendental_rate": default(gpu.f64 * tera / 2 / 50, "float64 exp as 50 additions"),
        "product_rate_f64": scaled(0.9 * gpu.product64 * tera, "90 % of the datasheet's peak"),
        "product_rate_f32": scaled((0.95 if gpu.capability < 8.5 else 0.75) * gpu.f32 * tera,
                                   "95 % of the vector peak up to A100, 75 % of the larger ones since"),
        "product_half_size": default(500, "float16 on A100 reaches half its rate at order 1200; float64 needs less"),
        "arithmetic_together": datasheet(1, "each GPU has its own units"),
        "product_together": datasheet(1, "each GPU has its own units"),
        "factor_rate": default(0.6 * gpu.product64 * tera, "LU reaches 0.6 to 0.7 of matrix products at order 10000"),
        "factor_column": literature(0.85e-6, "cuSOLVER Cholesky of order 16 to 2048: 0.73 to 0.95 us per column"),
        "spectral_rate": default(0.06 * gpu.product64 * tera, "20 n^3 operations at 5 to 10 % of the peak"),
        "spectral_column": literature(85e-6, "cuSOLVER gesvd of order 256 to 1200"),
        "fft_rate": literature(0.65 * stream, "cuFFT 512^3 double on A100: 65 % of three sweeps at full bandwidth")
        if gpu.capability == 8.0
        else scaled(0.65 * stream, "cuFFT 512^3 double on A100: 65 % of three sweeps at full bandwidth"),
        "copy_bandwidth": literature(gpu.link * giga, gpu.link_method),
        "network_bandwidth": literature(gpu.network * giga, "one GPU's share of the node's adapters, 92 % of their rate"),
        "collective_latency": literature(gpu.all_to_all * 1e-6, "NCCL over 8 GPUs, small messages (Azure)"),
        "host_bandwidth": literature(gpu.pcie * giga, "NVLink-C2C" if gpu.pcie > 100 else "PCIe x16, pinned"),
        "memory": datasheet(gpu.memory * GIB, "datasheet"),
        "host_memory": datasheet(gpu.host * GIB, "usual size of such a node"),
        "runtime_work": default(0, "on cores of the host that nothing else needs"),
        "host_cores": default(0, "the processors are GPUs; Python and the runtime have the host to themselves"),
        "part_factor": default(1, "the programs that launches were measured on have both"),
        "queued_factor": default(1, "the processors are no cores that the runtime's threads need"),
    }
    return numbers


# Two AMD EPYC 7742: 128 cores, 2 x 205 GB/s. A processor of this profile is a core.
CPU_CORES = 128


def cpu_numbers() -> dict[str, Number]:
    numbers = dict(RUNTIME)
    peak = 2 * 205e9
    core = 2.25e9 * 16  # AVX2, two fused multiply-adds per cycle
    numbers |= {
        "launch_base": scaled(150e-6, "as on GPUs: the same runtime"),
        "launch_per_processor": default(10e-6, "no GPU driver between the task and its core"),
        "element_access": scaled(160e-6, "one operation on one core"),
        "task_floor": default(10e-6, "no kernel launch"),
        "dependent_latency": scaled(30e-6, "as on GPUs less the event of the GPU"),
        "scalar_latency": scaled(0.05e-3, "a task within the process"),
        "scalar_latency_divided": scaled(0.25e-3, "as on GPUs less two copies"),
        "wait": scaled(0.2e-3, "as on GPUs less the copy to the host"),
        "bandwidth": default(20e9, "one core of EPYC 7742, triad"),
        "write_allocate": default(1, "a line is read before a part of it is written"),
        "bandwidth_shared": scaled(0.8 * peak, "80 % of the datasheet's 2 x 205 GB/s"),
        "cache_bandwidth": default(60e9, "one core, level 3"),
        "cache_size": default(4e6, "one core's share of level 3"),
        "fill_rate": default(14e9, "one core, with the read for ownership"),
        "first_touch": default(3e9, "the system clears each page first"),
        "reduction_rate": default(18e9, "one core"),
        "fold_rate": default(0.7e9, "one core: each sum needs the one before"),
        "axis_reduction_rate": scaled(2.5e9, "cuPyNumeric's task for a CPU goes element by element: scorecard"),
        "outer_reduction_rate": scaled(4e9, "cuPyNumeric's task for a CPU goes element by element: scorecard"),
        "scan_rate": default(8e9, "one core: each sum needs the one before"),
        "random_rate": default(0.15e9, "Philox on one core"),
        "normal_rate": default(0.04e9, "Box-Muller on one core"),
        "sort_rate": default(12e6, "std::sort of doubles, one core"),
        "merge_rate": scaled(6e6, "two cores of another machine: scorecard"),
        "gather_rate": default(0.1e9, "one core, cache misses overlapped"),
        "scatter_rate": default(0.08e9, "one core"),
        "gather_cached_rate": default(0.2e9, "one core"),
        "scatter_cached_rate": default(0.15e9, "one core"),
        "indexed_exchange_rate": scaled(6e6, "Legion copies between two cores of another machine: scorecard"),
        "mask_rate": default(0.15e9, "one core, half of the branches foretold"),
        "choice_rate": default(0.3e9, "one core, half of the branches foretold"),
        "histogram_rate": scaled(0.024e9, "one core of another machine, a radix sort by digits of 4 bits: scorecard"),
        "walk_rate": default(0.7e9, "one core"),
        "walk_axis_rate": default(0.6e9, "one core: a division of integers per axis"),
        "arithmetic_rate": default(4.5e9, "one core, two AVX2 operations in flight, loads included"),
        "division_rate": default(0.4e9, "one core, one after the other"),
        "transcendental_rate": default(0.2e9, "exp of the C library, one core"),
        "product_rate_f64": scaled(0.8 * core, "80 % of 2.25 GHz times 16 operations"),
        "product_rate_f32": scaled(0.8 * 2 * core, "twice float64"),
        "product_half_size": default(60, "blocked product in cache"),
        "arithmetic_together": default(0.9, "clocks fall a little when all cores work"),
        "product_together": default(0.8, "clocks fall when all cores use their widest units"),
        "factor_rate": scaled(0.5 * core, "half of the peak"),
        "factor_column": default(0.5e-6, "LAPACK, one core"),
        "spectral_rate": scaled(0.1 * core, "a tenth of the peak"),
        "spectral_column": default(5e-6, "LAPACK, one core"),
        "fft_rate": default(4e9, "one core, out of cache"),
        "copy_latency": default(20e-6, "Legion copy within a process"),
        "copy_bandwidth": default(10e9, "memory to memory, one core"),
        "network_bandwidth": scaled(46e9 / CPU_CORES, "one NDR400 adapter, shared by the cores"),
        "collective_latency": default(30e-6, "barrier and exchange in shared memory"),
        "host_latency": default(5e-6, "a call within the process"),
        "host_bandwidth": default(10e9, "memory to memory"),
        "memory": datasheet(512 * GIB / CPU_CORES, "512 GiB, shared by the cores"),
        "host_memory": datasheet(512 * GIB, "usual size of such a node"),
        "memory_reserve": default(0.05e9, "process and libraries, per core"),
        "runtime_work": scaled(45e-6, "processor time of threads on two cores of another machine: scorecard"),
        "host_cores": datasheet(CPU_CORES, "2 x EPYC 7742: the processors are its cores"),
        "part_factor": default(1, "the programs that launches were measured on have both"),
        "queued_factor": default(1, "nobody measured it on this machine"),
    }
    return numbers


def rounded(value: float) -> float:
    return float(f"{value:.4g}")


def profile(name: str, machine: dict[str, Any], numbers: dict[str, Number]) -> dict[str, Any]:
    known = definitions()
    if set(numbers) != {definition.name for definition in known}:
        raise SystemExit(f"{name}: not the parameters of parameters.def: "
                         f"{sorted(set(numbers) ^ {definition.name for definition in known})}")
    parameters = {}
    for definition in known:
        value, provenance, method = numbers[definition.name]
        exact = definition.name in EXACT or value == 0 or (definition.name in OWN_UNITS and value == 1)
        reach = 1.0 if exact else definition.spread**1.96
        parameters[definition.name] = {
            "value": rounded(value),
            "unit": definition.unit,
            "range": [rounded(value / reach), rounded(value * reach)],
            "n": 0,
            "method": method,
            "provenance": provenance,
        }
    return {"schema": 1, "name": name, "machine": machine, "parameters": parameters, "curves": []}


def machine(processor: str, kind: str, capability: float, per_node: int, split: int, note: str) -> dict[str, Any]:
    return {
        "processor": processor,
        "kind": kind,
        "compute_capability": capability,
        "processors_per_node": per_node,
        "split": split,
        "driver": "",
        "date": "",
        "note": note,
    }


def profiles() -> dict[str, dict[str, Any]]:
    made = {
        name: profile(name, machine(gpu.processor, "gpu", gpu.capability, gpu.per_node, 1_048_576, gpu.note),
                      gpu_numbers(gpu))
        for name, gpu in GPUS.items()
    }
    made["cpu"] = profile("cpu", machine("2 x AMD EPYC 7742", "cpu", 0.0, CPU_CORES, 16_384,
                                         "a processor is a core; every number of the runtime is carried over from GPUs"),
                          cpu_numbers())
    return made


def text_of(made: dict[str, Any]) -> str:
    """One parameter per line: a diff then shows what changed."""
    lines = ["{", f'  "schema": {made["schema"]},', f'  "name": {json.dumps(made["name"])},']
    lines.append(f'  "machine": {json.dumps(made["machine"])},')
    lines.append('  "parameters": {')
    entries = [f"    {json.dumps(name)}: {json.dumps(number)}" for name, number in made["parameters"].items()]
    lines.append(",\n".join(entries))
    lines += ["  },", '  "curves": []', "}"]
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="exit code 1 where a file is not what this would write")
    arguments = parser.parse_args()
    texts = {f"{name}.json": text_of(made) for name, made in profiles().items()}
    if not arguments.check:
        FOLDER.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            (FOLDER / name).write_text(text)
        return 0
    stale = [name for name, text in texts.items() if not (FOLDER / name).is_file() or (FOLDER / name).read_text() != text]
    stale += [path.name for path in FOLDER.glob("*.json") if path.name not in texts]
    for name in stale:
        print(f"rulesets/profiles/{name} is not what tests/tools/make_profiles.py writes")
    print(f"{len(texts) - len(stale)} profiles as written, {len(stale)} not")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
