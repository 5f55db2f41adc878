import numpy as np


def subscripts(u, i, mask):
    u[1:-1, ::2] = u[:-2, ::2] - 2.0 * u[1:-1, ::2]
    u[i] += 1
    u[mask] = 0
    u[..., None, 3] = u[..., np.newaxis, -1]
    head, *tail = u
    return head, tail


def calls(u, *args, **options):
    v = np.sum(u, axis=0, keepdims=True)
    w = u.reshape(-1).copy()
    np.add(u, 1, out=u)
    f = np.vectorize(lambda x: x + 1)
    return f(w, *args, **options) @ v


def operators(a, b):
    c = a if a is not None else b
    d = 0 < a <= b and not (a in b or a == b)
    e = ~a | b ^ 3 << 2
    s = f"{a!r:>10} and {b + 1}"
    return -a ** b // 2 % 3, c, d, e, s
