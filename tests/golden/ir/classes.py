from dataclasses import dataclass


@dataclass(frozen=True)
class Field(Base, metaclass=Meta, **options):
    """A field."""

    data: "np.ndarray"
    size: int = 0
    default = size

    def __init__(self, n):
        self.data = np.zeros(n)
        self.data[0] += 1
        self.size: int = n

    @property
    def T(self):
        return self.data.T

    class Inner:
        pass


class Box[T]:
    item: T
