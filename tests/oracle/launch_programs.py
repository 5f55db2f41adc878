"""Straight-line kernels whose operations are counted in the runtime and compared with what `cpnlint inspect work` says of
them. `call` runs the kernel once; the arguments are also the values of the names in its trip counts."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class Kernel:
    source: str
    function: str
    arguments: str  # of Python's dict(): what the function is called with
    differs: str = ""  # why the counts of divided data may differ
    assume: tuple[str, ...] = ()


KERNELS = {
    "jacobi": Kernel(
        """
import numpy as np


def jacobi(steps, a, b):
    # cpnlint: assume a=(n, n):float64, b=(n, n):float64
    for t in range(steps):
        b[1:-1, 1:-1] = 0.2 * (a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1] + a[:-2, 1:-1])
        a[1:-1, 1:-1] = 0.2 * (b[1:-1, 1:-1] + b[1:-1, :-2] + b[1:-1, 2:] + b[2:, 1:-1] + b[:-2, 1:-1])
""",
        "jacobi",
        "steps=3, a=_ramp(12, 12), b=_ramp(12, 12)",
    ),
    "heat": Kernel(
        """
import numpy as np


def heat(steps, u, dt):
    # cpnlint: assume u=(n, n, n):float64
    for step in range(steps):
        centre = u[1:-1, 1:-1, 1:-1]
        x = u[2:, 1:-1, 1:-1] - 2.0 * centre + u[:-2, 1:-1, 1:-1]
        y = u[1:-1, 2:, 1:-1] - 2.0 * centre + u[1:-1, :-2, 1:-1]
        z = u[1:-1, 1:-1, 2:] - 2.0 * centre + u[1:-1, 1:-1, :-2]
        u[1:-1, 1:-1, 1:-1] = centre + dt * (x + y + z)
    return u
""",
        "heat",
        "steps=2, u=_ramp(6, 6, 6), dt=0.1",
    ),
    "gray scott": Kernel(
        """
import numpy as np


def gray_scott(steps, u, v, feed, kill):
    # cpnlint: assume u=(n, n):float64, v=(n, n):float64
    for _ in range(steps):
        lu = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4 * u[1:-1, 1:-1]
        lv = v[:-2, 1:-1] + v[2:, 1:-1] + v[1:-1, :-2] + v[1:-1, 2:] - 4 * v[1:-1, 1:-1]
        uc, vc = u[1:-1, 1:-1], v[1:-1, 1:-1]
        reaction = uc * vc**2
        uc += 0.16 * lu - reaction + feed * (1 - uc)
        vc += 0.08 * lv + reaction - (feed + kill) * vc
        u[0, :] = u[-2, :]
        u[-1, :] = u[1, :]
        u[:, 0] = 0
""",
        "gray_scott",
        "steps=2, u=_ramp(10, 10), v=_ramp(10, 10), feed=0.04, kill=0.06",
    ),
    "softmax": Kernel(
        """
import numpy as np


def softmax(x):
    # cpnlint: assume x=(n, m):float64
    top = np.max(x, axis=-1, keepdims=True)
    scaled = np.exp(x - top)
    return scaled / np.sum(scaled, axis=-1, keepdims=True)
""",
        "softmax",
        "x=_ramp(6, 8)",
    ),
    "covariance": Kernel(
        """
import numpy as np


def covariance(data, n):
    # cpnlint: assume data=(rows, columns):float64
    mean = np.mean(data, axis=0)
    data -= mean
    return data.T @ data / (n - 1)
""",
        "covariance",
        "data=_ramp(12, 5), n=12.0",
    ),
    "regression": Kernel(
        """
import numpy as np


def descend(steps, x, y, w, rate):
    # cpnlint: assume x=(n, m):float64, y=(n,):float64, w=(m,):float64
    for _ in range(steps):
        error = x @ w - y
        gradient = x.T @ error / x.shape[0]
        w -= rate * gradient
    return w
""",
        "descend",
        "steps=3, x=_ramp(12, 5), y=_ramp(12), w=_ramp(5), rate=0.01",
    ),
    "conjugate gradient": Kernel(
        """
import numpy as np


def cg(matrix, b, limit):
    # cpnlint: assume matrix=(n, n):float64, b=(n,):float64
    x = np.zeros_like(b)
    r = b - matrix @ x
    p = r.copy()
    rr = r @ r
    for _ in range(limit):
        ap = matrix @ p
        alpha = rr / (p @ ap)
        x += alpha * p
        r -= alpha * ap
        new = r @ r
        p = r + (new / rr) * p
        rr = new
    return x
""",
        "cg",
        "matrix=_ramp(8, 8), b=_ramp(8), limit=3",
    ),
    "black scholes": Kernel(
        """
import numpy as np


def price(s, k, t, rate, vol):
    # cpnlint: assume s=(n,):float64, k=(n,):float64, t=(n,):float64
    root = vol * np.sqrt(t)
    d1 = (np.log(s / k) + (rate + 0.5 * vol**2) * t) / root
    d2 = d1 - root
    cdf = lambda z: 1.0 / (1.0 + np.exp(-1.702 * z))
    call = s * cdf(d1) - k * np.exp(-rate * t) * cdf(d2)
    return np.maximum(call, 0.0)
""",
        "price",
        "s=_ramp(12), k=_ramp(12), t=_ramp(12), rate=0.03, vol=0.2",
    ),
    "clusters": Kernel(
        """
import numpy as np


def assign(points, centres):
    # cpnlint: assume points=(n, 3):float64, centres=(m, 3):float64
    p2 = np.sum(points**2, axis=1)
    c2 = np.sum(centres**2, axis=1)
    distances = p2[:, np.newaxis] - 2.0 * points @ centres.T + c2[np.newaxis, :]
    return np.argmin(distances, axis=1)
""",
        "assign",
        "points=_ramp(12, 3), centres=_ramp(4, 3)",
    ),
    "masked update": Kernel(
        """
import numpy as np


def limit(u, top):
    # cpnlint: assume u=(n, m):float64
    hot = u > top
    u[hot] = top
    u[u < 0] = 0.0
    smooth = np.where(hot, 0.5 * u, u)
    return np.clip(smooth, 0.0, top).mean()
""",
        "limit",
        "u=_ramp(12, 5), top=1.5",
    ),
    "histories": Kernel(
        """
import numpy as np


def run(steps, u):
    # cpnlint: assume u=(n,):float64
    history = np.zeros(steps)
    for i in range(steps):
        u = 0.5 * (u + np.roll(u, 1))
        history[i] = u.max()
    return np.concatenate([u, history])
""",
        "run",
        "steps=4, u=_ramp(12)",
    ),
    "mixed types": Kernel(
        """
import numpy as np


def scale(counts, weights):
    # cpnlint: assume counts=(n,):int64, weights=(n,):float64
    share = counts / counts.sum()
    return (share * weights).astype(np.float32) * 2.0 + np.sqrt(counts)
""",
        "scale",
        "counts=_ramp(12).astype('i8'), weights=_ramp(12)",
    ),
    "columns": Kernel(
        """
import numpy as np


def columns(a, b, steps):
    # cpnlint: assume a=(n, m):float64, b=(n, m):float64
    for j in range(1, steps):
        a[:, j] = a[:, j - 1] * 0.5 + b[:, j]
        b[:, j] -= a[:, j].mean()
    rows = [np.linalg.norm(a[i]) for i in range(steps)]
    return np.stack([a, b]), rows
""",
        "columns",
        "a=_ramp(6, 6), b=_ramp(6, 6), steps=4",
        "a column lies in the tiles of one processor, so its sum is not divided",
    ),
    "lookups": Kernel(
        """
import numpy as np


def lookups(table, index, scores):
    # cpnlint: assume table=(n,):float64, index=(m,):int64, scores=(m,):float64
    picked = table[index]
    order = np.argsort(scores)
    best = picked[order]
    table[index] = best
    edges = np.searchsorted(table, scores)
    return np.cumsum(best), edges.astype(np.float64), float(picked.max())
""",
        "lookups",
        "table=_ramp(12), index=np.array([1, 3, 5, 7]), scores=_ramp(4)",
    ),
    "layers": Kernel(
        """
import numpy as np


def layers(x, w1, b1, w2, b2, labels):
    # cpnlint: assume x=(n, i):float64, w1=(i, h):float64, b1=(h,):float64, w2=(h, o):float64, b2=(o,):float64
    # cpnlint: assume labels=(n, o):float64
    hidden = np.maximum(x @ w1 + b1, 0.0)
    out = hidden @ w2 + b2
    delta = (out - labels) / len(x)
    grad2 = hidden.T @ delta
    back = (delta @ w2.T) * (hidden > 0)
    grad1 = x.T @ back
    return grad1, back.sum(axis=0), grad2, delta.sum(axis=0), np.mean(delta**2)
""",
        "layers",
        "x=_ramp(8, 3), w1=_ramp(3, 5), b1=_ramp(5), w2=_ramp(5, 2), b2=_ramp(2), labels=_ramp(8, 2)",
    ),
}
