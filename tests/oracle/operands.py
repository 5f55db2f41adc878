"""How the programs of rules and recipes are called. A rule or recipe without an entry here is listed as not run."""

from __future__ import annotations

import dataclasses

# Names that calls may use; evaluated beside the program, with `np` as the library under test and `onp` as host NumPy.
# An array is made by host NumPy and handed over, so that both libraries start from the same bits.
SETUP = """
def _made(values, dtype=None):
    return np.array(onp.asarray(values, dtype=dtype))


def _ramp(*shape, dtype="float64", low=0.1, high=2.0):
    count = int(onp.prod(shape))
    return _made(onp.linspace(low, high, count).reshape(shape), dtype)


class _OneRank:
    rank, size = 0, 1

    def allreduce(self, value):
        return value


class _Pool:
    map = staticmethod(lambda work, items: list(map(work, items)))


class _cp:  # stands in for CuPy where only the values matter
    cumsum, asarray, asnumpy = staticmethod(onp.cumsum), staticmethod(onp.asarray), staticmethod(onp.asarray)
"""


@dataclasses.dataclass(frozen=True)
class Calls:
    """`bad` runs the finding's program, `good` the other (the same call where empty). `expect`: what the rule's text
    says of the bad program on cuPyNumeric: "raises", "ends" the process, "same" results, or "differs" silently."""

    bad: str
    good: str = ""  # "-": too large to run here
    expect: str = "same"
    comparable: bool = True  # `good` does the same job as `bad`
    random: bool = False  # only shapes and dtypes can agree
    tolerance: float = 1e-9  # between bad and good under NumPy


# Rules whose bad program cannot run here, and why.
NOT_RUN = {
    "R108": "needs an MPI library and a launcher",
    "R111": "needs CuPy and a GPU",
    "R118": "starts processes inside Legate",
    "R303": "cuPyNumeric transforms on a GPU only",
    **{f"R40{n}": "its arrays are larger than the memory of a machine that tests" for n in range(1, 6)},
}

RULES = {
    "R001": Calls("drag(40)", "drag([1.0, 2.0], [0.5, -0.5])", comparable=False),
    "R002": Calls("total_mass(40)", "total_mass([1.0, 2.0])", comparable=False),
    "R003": Calls("scores(12, 3)", "scores(12)", comparable=False),
    "R004": Calls("albedo(40)", "albedo([0.2, 0.7])", comparable=False),
    "R005": Calls("diffuse(40, 3)", "decay(40, 3)", comparable=False),
    "R006": Calls("damp(40)"),
    "R007": Calls("freeze(40)", "warm(40)", comparable=False),
    "R101": Calls("decay(40, 0.25)"),
    "R102": Calls("flux(40)", expect="raises"),
    "R103": Calls("peaks(20)"),
    "R104": Calls("relax(40, 20)"),
    "R105": Calls("solve(40, 1e-3)", "solve(40, 1e-3)"),
    "R106": Calls("coarse(20)", expect="raises"),
    "R107": Calls("totals([1.0, 2.0, 4.0])", expect="raises", comparable=False),
    "R109": Calls("table(4, 5)", expect="raises"),
    "R110": Calls("worst(40)"),
    "R112": Calls("spread(40)", expect="raises"),
    "R113": Calls("roots(40)", expect="raises"),
    "R114": Calls("settle(40, 5)"),
    "R115": Calls("step_all(0, 0, 0, 5)"),
    "R116": Calls("propagate(40, 5)"),
    "R117": Calls("smooth(12, 2)", comparable=False),
    "R119": Calls("wet_mean(40)", expect="raises"),
    "R120": Calls("share(40)", expect="ends"),
    "R201": Calls("smooth(40, 5)"),
    "R202": Calls("drift(40, 5)"),
    "R203": Calls("record(40, 5)"),
    "R204": Calls("dry_out(40)"),
    "R205": Calls("set_first(4, 5)", expect="differs"),
    "R206": Calls("energy(4, 5, 3)"),
    "R207": Calls("cap(0.5)[::100_000] if np is onp else np.array(onp.asarray(cap(0.5))[::100_000])"),
    "R208": Calls("weights(20)"),
    "R209": Calls("advance(40, 5)"),
    "R210": Calls("relax(8, 5)"),
    "R211": Calls("watch(40, 8)"),
    "R212": Calls("rain(40, 5)"),
    "R213": Calls("attenuate(40, 5)"),
    "R214": Calls("diffuse(40, 5)"),
    "R215": Calls("cool(40, 5)"),
    "R216": Calls("drive(40, 5)"),
    "R301": Calls("clean(8)", "weight(8)", comparable=False),
    "R302": Calls("modes(4)", "modes(2, 4)", comparable=False),
    "R304": Calls("noise(40)", "pick(40)", comparable=False, random=True),
    "R305": Calls("relax(6)", "relax(2, 6)", comparable=False),
    "R306": Calls("mirrored(4)"),
    "R307": Calls("diffuse(12, 3)", comparable=False),
    "R308": Calls("two_steps(4)", expect="raises", comparable=False),
    "R309": Calls("noise(40)", comparable=False, random=True),
    "R310": Calls("relax(3)", "-"),
    "R311": Calls("relax(1)[0, :5]", "-"),
    "R312": Calls("relax(1)[0, :5, 0]"),
    "R313": Calls("displacement(np.ones(600))", "displacements(np.ones((3, 600, 1)), 3)", comparable=False),
    "R314": Calls("positions([1.0, -1.0, 2.0, 3.0])", expect="differs"),
}


# Recipes whose two forms are not to be compared, and why.
NOT_COMPARED = {"RR-reduce-first": "it gives other data on purpose: one mean for 64 values"}


@dataclasses.dataclass(frozen=True)
class Cases:
    """Calls of a recipe's function; `after` where it takes other arguments than `before`."""

    calls: tuple[str, ...]
    after: tuple[str, ...] = ()
    ported: bool = False  # `after` is for cuPyNumeric alone, so both are compared there
    equal: str = "bits"  # "bits", "close", "policy" (the recipe changes what is computed; see `tolerance`), "shape"
    tolerance: float = 1e-9


RECIPES = {
    "RR-alloc": Cases(tuple(f"upwind(_ramp({n}), {k})" for n in (1, 2, 17, 64) for k in (0, 1, 4))),
    "RR-batch": Cases(
        tuple(
            f"solve_all(_ramp({m}, {n}, {n}) + _made(3 * onp.eye({n})), _ramp({m}, {n}))"
            for m in (1, 3)
            for n in (1, 2, 17)
        ),
        equal="close",
    ),
    "RR-bounds": Cases(tuple(f"look_up(_ramp(9, 2), _made(onp.arange({n}) % 9))" for n in (0, 1, 17))),
    "RR-broadcast": Cases(
        tuple(
            f"amplify(_ramp({c}, {n}, dtype={t!r}), _ramp({c}, dtype={t!r}))"
            for c in (1, 3)
            for n in (0, 1, 17)
            for t in ("float32", "float64")
        )
    ),
    "RR-builtin": Cases(tuple(f"worst(_ramp({n}), _ramp({n}) > 1)" for n in (1, 2, 17, 64))),
    "RR-chunk": Cases(
        tuple(f"cap(_ramp({n}), 1.0, 3)" for n in (0, 1, 2, 17)),
        tuple(f"cap(_ramp({n}), 1.0)" for n in (0, 1, 2, 17)),
    ),
    "RR-collect": Cases(
        tuple(
            f"means(_ramp({f}, {n}, 3, dtype={t!r}))"
            for f in (1, 2, 17)
            for n in (1, 3)
            for t in ("float32", "float64")
        ),
        equal="close",
        tolerance=1e-5,
    ),
    "RR-converge": Cases(("solve(_ramp(17), lambda x: 0.5 * x + 0.1, 1e-3)",), equal="policy", tolerance=1e-2),
    "RR-create": Cases(tuple(f"table({n})" for n in (0, 1, 17))),
    "RR-dtype": Cases(
        ("totals(['b', 'a', 'b', 'c'], _ramp(4))", "totals(['z'], _ramp(1))"),
        equal="close",
    ),
    "RR-extent": Cases(
        tuple(f"invert(_ramp({m}, 3, 3) + _made(3 * onp.eye(3)))" for m in (1, 4, 5)),
        tuple(f"invert(_ramp({m}, 3, 3) + _made(3 * onp.eye(3)), 4)" for m in (1, 4, 5)),
        equal="close",
    ),
    "RR-feature": Cases(tuple(f"smooth(_ramp(17), {w})" for w in (1, 3, 17)), equal="close"),
    "RR-fit": Cases(tuple(f"power(_ramp({n}), 0.5)" for n in (0, 1, 17)), equal="close"),
    "RR-fuse": Cases(tuple(f"step(_ramp({n}), 0.1, 0.3, 2.0)" for n in (0, 1, 17)), equal="close"),
    "RR-guard": Cases(("share(_made([7, 8, 9]), _made([2, 3, 4]))", "share(_made([7, 8, 9]), _made([2, 0, 4]))")),
    "RR-hint": Cases(tuple(f"smooth(_ramp({n}))" for n in (3, 17, 64)), ported=True),
    "RR-hoist": Cases(tuple(f"attenuate(_ramp({n}), _ramp({n}), {k})" for n in (0, 1, 17) for k in (0, 1, 3))),
    "RR-host-boundary": Cases(
        tuple(f"smooth(_ramp({n}), lambda h: np.asarray(onp.asarray(h) + 1), 3)" for n in (1, 17)),
        tuple(f"smooth(_ramp({n}), lambda h: onp.asarray(h) + 1, 3)" for n in (1, 17)),
    ),
    "RR-inplace": Cases(tuple(f"drift(_ramp({n}, 2), _ramp({n}, 2), 0.1, {k})" for n in (0, 1, 17) for k in (0, 1, 4))),
    "RR-intmm": Cases(
        tuple(
            f"counts(_made(onp.arange({n} * {n}).reshape({n}, {n})), _made(onp.ones(({n}, {n})), 'int64'))"
            for n in (1, 2, 17)
        )
    ),
    "RR-kwarg": Cases(tuple(f"roots(_made(onp.linspace(-1, 1, {n})), _ramp({n}))" for n in (1, 2, 17))),
    "RR-layout": Cases(tuple(f"weigh(_ramp(3, 4), _ramp(3), {k})" for k in (0, 1, 3))),
    "RR-log": Cases(tuple(f"run(_ramp(17), lambda u: u * 0.5 + 0.1, {n})" for n in (0, 1, 5))),
    "RR-loop": Cases(
        tuple(
            f"decay(_ramp({n}, dtype={t!r}), onp.dtype({t!r}).type(0.3), _ramp({n}, dtype={t!r}))"
            for n in (0, 1, 2, 17)
            for t in ("float32", "float64")
        )
    ),
    "RR-mask": Cases(
        (
            *(f"dry_out(_ramp({n}), _ramp({n}, low=3.0, high=5.0), _ramp({n}) > 1)" for n in (0, 1, 2, 17)),
            "dry_out(_ramp(4, 5), _ramp(4, 5, low=3.0, high=5.0), _ramp(4, 5) > 1)",
        )
    ),
    "RR-masked-reduce": Cases(tuple(f"above(_ramp({n}), 1.0)" for n in (1, 2, 17, 64)), equal="close"),
    "RR-masked-update": Cases(tuple(f"react(_ramp({n}), _ramp({n}) > 1, _ramp({n}))" for n in (0, 1, 17))),
    "RR-mpi": Cases(
        tuple(f"total(_OneRank(), {n}, np.sqrt)" for n in (1, 2, 17)),
        tuple(f"total({n}, np.sqrt)" for n in (1, 2, 17)),
        equal="close",
    ),
    "RR-order": Cases(tuple(f"fold(_ramp({m}, {n}), {n}, {m})" for m in (1, 2, 3) for n in (1, 4))),
    "RR-precision": Cases(("field(17)",)),
    "RR-range": Cases(tuple(f"count(_ramp(3, {n}), 3)" for n in (2, 17, 64))),
    "RR-reshape": Cases(tuple(f"weigh(_ramp(12), _ramp(3, 4), {k})" for k in (0, 1, 3))),
    "RR-runtime": Cases(
        ("scan(_ramp(17), _cp, 3)", "scan(_ramp(1), _cp, 3)"),
        ("scan(_ramp(17), 3)", "scan(_ramp(1), 3)"),
        equal="close",
    ),
    "RR-seed": Cases(("draw(17)",), equal="shape"),
    "RR-serial": Cases(
        ("run_all(_ramp(4, 3), lambda c: c * 2, _Pool)",), ("run_all(_ramp(4, 3), lambda c: c * 2)",), equal="close"
    ),
    "RR-offload": Cases(
        tuple(f"both(_ramp(17), _ramp({n}), 3)" for n in (1, 5)),
        tuple(f"both(_ramp(17), _ramp({n}), 3, lambda table: None)" for n in (1, 5)),
    ),
    "RR-release": Cases(tuple(f"smooth({n}, {k})" for n in (1, 17) for k in (0, 3))),
    "RR-shift": Cases(tuple(f"diffuse(_ramp({n}), 0.2, {k})" for n in (1, 2, 17) for k in (0, 1, 3))),
    "RR-size": Cases(("total([_ramp(5), _ramp(5), _ramp(5)])",), equal="close"),
    "RR-slice": Cases(tuple(f"thirds(_ramp({n}))" for n in (0, 1, 2, 3, 4, 5, 6, 17))),
    "RR-stack": Cases(tuple(f"track(_ramp({n}), _ramp({n}), 0.1, {k})" for n in (1, 17) for k in (0, 1, 4))),
    "RR-sync": Cases(tuple(f"run(_ramp(17), lambda u: u * 0.5 + 0.1, {n})" for n in (0, 1, 5))),
    "RR-ufunc": Cases(tuple(f"damp(_ramp({n}))" for n in (1, 2, 17)), equal="close"),
    "RR-view": Cases(tuple(f"poke(_ramp(3, 4), {k}, 9.0)" for k in (0, 5, -1))),
    "RR-where": Cases(
        tuple(f"flux(_made(onp.append(onp.linspace(0, 2, {n}), onp.nan)), 0.9)" for n in (0, 1, 17)), equal="close"
    ),
    "RR-api": Cases(tuple(f"spread(_ramp({n}, 3))" for n in (1, 2, 17)), equal="close"),
}
