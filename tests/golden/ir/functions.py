import numpy as np


@np.vectorize
@cache(size=3)
def scale(x, /, factor: float = 2.0, *args: int, out=None, **kw) -> "np.ndarray":
    "Scales."
    return x * factor


def numbers():
    received = yield 1
    yield from numbers()
    yield


async def fetch(url):
    return await get(url)


def first[T: int](items: list[T]) -> T:
    return items[0]


twice = lambda f, *, n=2: f(f(n))
print(*twice, **options, sep="", end=twice)
