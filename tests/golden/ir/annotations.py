import numpy as np

limit: int
grid: np.ndarray = np.ones(3)


def step(u: np.ndarray | None, v: list[int, float], *shape: *Ts) -> None:
    w: np.ndarray = u
    u.field: int = 3
    return w


type Pair[T] = tuple[T, T]
