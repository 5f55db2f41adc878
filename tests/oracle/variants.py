"""Calls beyond the one of each table row: other axes, ranks, operands and spellings. The oracle makes them under NumPy
and under cuPyNumeric with each element type; what differs has to stand in the table."""

from __future__ import annotations

import re

ALONG_AXES = (
    "sum prod max min mean var any all argmax argmin nansum nanprod nanmax nanmin nanmean nanargmax nanargmin "
    "count_nonzero median cumsum cumprod nancumsum nancumprod sort argsort diff flip average"
).split()
OPERANDS = (
    "t3", "t3, axis=0", "t3, axis=1", "t3, axis=-1", "t3, axis=(0, 2)", "t3, axis=(1, 2)", "t3, axis=1, keepdims=True",
    "a", "t3[0]", "t3[:, 1:]", "a.T", "t3.swapaxes(0, 2), axis=1",
)  # fmt: skip

# Four matrices, of which one processor gets several.
STACK = "np.array(onp.arange(36.0).reshape(4, 3, 3) / 9 + 3 * onp.eye(3)).astype(x.dtype)"

OTHERS = """
np.linalg.inv(STACK)
np.linalg.solve(STACK, STACK[:, :, :1])
np.linalg.cholesky(STACK + STACK.swapaxes(1, 2))
np.linalg.eigvalsh(STACK + STACK.swapaxes(1, 2))
np.linalg.matrix_power(STACK, 3)
np.linalg.norm(STACK)
np.linalg.norm(a, axis=0)
np.linalg.norm(a, 1)
np.linalg.norm(x, 1)
np.linalg.norm(x, np.inf)
np.linalg.norm(x, 0)
np.linalg.norm(x, 3)
np.linalg.multi_dot([sq, sq, sq])
np.linalg.svd(sq)[1]
np.linalg.pinv(sq)
np.matmul(t3, t3.swapaxes(1, 2))
np.matmul(t3, b)
np.dot(a, b)
np.dot(b, a.T)
np.dot(a, t3.swapaxes(1, 2))
np.tensordot(t3, a, axes=([1, 2], [0, 1]))
np.einsum('ij,jk', a, a.T)
np.einsum('ijk,ik->ij', t3, t3[:, 0])
np.einsum('ijk->k', t3)
np.einsum('ij->ji', a)
np.inner(a, a)
np.outer(b, b)
np.vdot(a, a)
np.cross(t3[0, :, :3], t3[1, :, :3])
np.where(a > 5, a, 0)
np.where(a > 5, 0, a)
np.where(a > 5)
np.where(x > 5, x, y)
np.clip(a, 2, 9)
np.clip(a, None, 9)
np.round(a / 3, 1)
np.searchsorted(x, y)
np.searchsorted(x, y, 'right')
np.histogram(x, 5)
np.histogram(x, bins=3, range=(0, 9))
np.histogram(x, bins=np.array([1, 4, 8]))
np.histogram(x, 3, density=True)
np.bincount(c % 3, weights=x)
np.digitize(x, np.array([2, 5, 9]))
np.convolve(x, b, 'same')
np.gradient(x)
np.gradient(a)
np.gradient(a, axis=0)
np.gradient(x, 0.5)
np.pad(a, 1)
np.pad(a, ((1, 2), (0, 1)), 'edge')
np.pad(x, 2, 'linear_ramp')
np.pad(x, 2, 'reflect')
np.pad(x, 2, 'wrap')
np.tile(a, (2, 1))
np.repeat(a, 2, axis=1)
np.repeat(x, c)
np.roll(a, 1)
np.roll(a, (1, 2), (0, 1))
np.flip(a, 1)
np.rot90(a)
np.stack([a, a], axis=-1)
np.concatenate([a, a], axis=None)
np.append(a, b)
np.insert(x, 2, 5)
np.delete(a, 1, axis=0)
np.array_split(x, 5)
np.block([[a, a], [a, a]])
np.take(a, i, axis=1)
np.take(a, i)
np.take_along_axis(a, np.argsort(a, axis=1), 1)
np.choose(i, [x[:3], x[3:6], x[6:9]])
np.compress(m, x)
np.diag(b)
np.diag(sq, 1)
np.diagonal(t3)
np.tril(a)
np.triu(a, 1)
np.trace(sq, 1)
np.percentile(x, 30)
np.percentile(a, [10, 50], axis=0)
np.quantile(x, 0.3)
np.cov(a)
np.cov(x, y)
np.average(x, weights=y)
np.average(a, axis=0, weights=np.array([1, 2, 3]))
np.var(a, axis=0)
np.var(a, ddof=1)
np.partition(x, 3)[3]
np.sort(a, axis=None)
np.argsort(a, axis=None)
np.sort(y, kind='stable')
np.lexsort((x, y))
np.isin(x, y[:3])
np.allclose(x, x + 1e-9)
np.isclose(x, y)
np.meshgrid(b, i)
np.linspace(b, b * 2, 3)
np.logspace(0, 2, 5)
np.ravel(a.T)
np.reshape(t3, (4, -1))
np.reshape(a.T, -1)
np.transpose(t3, (2, 0, 1))
np.moveaxis(t3, 0, -1)
np.squeeze(t3[:1])
np.broadcast_to(b, (3, 4))
np.vstack([x, y])
np.hstack([a, a])
np.dstack([a, a])
np.column_stack([x, y])
np.power(a, 3)
np.floor_divide(a, 2)
np.mod(a, 4)
np.arctan2(a, 2)
np.hypot(a, a)
np.exp(a / 9)
np.sign(-a)
np.rint(a / 4)
np.maximum(a, 5)
np.fmax(a, 3)
np.add.reduce(a)
np.add.reduce(a, axis=1)
np.multiply.reduce(x)
np.maximum.reduce(a, axis=None)
np.nan_to_num(a)
np.angle(a)
np.fill_diagonal(sq, 0); sq
np.put(x, i, b[:3]); x
np.putmask(x, m, y); x
np.copyto(x, y); x
"""

# What R113 and R119 say of common calls, and what becomes of them: an exception, "ends" the process, "differs".
SAID = {
    "np.ndarray.transpose(t3, 0, 2, 1)": "TypeError",
    "np.ndarray.__setitem__(a, a[:, 0] > 2, 0); a": "AssertionError",
    "np.ndarray.__setitem__(t3, t3[:, :, 0] > 2, 0); t3": "AssertionError",
    f"np.linalg.inv({STACK})": "differs",
    "np.histogram((a + a)[:, 1], 3)": "ends",
    "np.isin((a + a)[:, 1], i)": "ends",
    "np.searchsorted(np.array([2, 9, 15]), (a + a)[:, 1])": "differs",
    "np.digitize((a + a)[:, 1], np.array([2, 9, 15]))": "differs",
}
# Next to them, what the helps say in their place.
INSTEAD = f"""
np.ndarray.transpose(t3, (0, 2, 1))
np.ndarray.__setitem__(a, (a[:, 0] > 2, slice(None)), 0); a
np.ndarray.__setitem__(a, a[:, 0] > 2, b); a
np.linalg.solve({STACK}, np.tile(np.eye(3), (4, 1, 1)))
np.histogram((a + a)[:, 1].copy(), 3)
np.isin((a + a)[:, 1].copy(), i)
np.searchsorted(np.array([2, 9, 15]), (a + a)[:, 1].copy())
np.digitize((a + a)[:, 1].copy(), np.array([2, 9, 15]))
"""


def calls() -> list[str]:
    found = [f"np.{name}({operand})" for name in ALONG_AXES for operand in OPERANDS]
    others = [line.replace("STACK", STACK) for line in (OTHERS + INSTEAD).strip().splitlines() if line]
    return found + others + [call for call in SAID if call not in others]


def element_types(call: str) -> tuple[str, ...]:
    """Of a variant: one of each kind and width that behaves apart."""
    if call in SAID:
        return ("float64",)
    return ("bool", "int32", "int64", "float32", "float64", "complex128")


def name_of(call: str) -> str:
    """The row of the table that speaks about the call."""
    name = re.match(r"np\.([\w.]+)\(", call)[1]
    return "numpy.ufunc.reduce" if name.endswith(".reduce") else f"numpy.{name}"


def shown(call: str) -> str:
    return call.replace(STACK, "stack")
