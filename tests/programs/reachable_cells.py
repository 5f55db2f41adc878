# verdict: NOT RECOMMENDED
# gates: 4 fail
"""Which cells of a map can be reached: a breadth-first search with its frontier in a queue."""

from collections import deque

import numpy as np

STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))


def reach(walls, start):
    rows, columns = walls.shape
    distance = np.full((rows, columns), -1)
    distance[start] = 0
    queue = deque([start])
    while queue:
        i, j = queue.popleft()
        for di, dj in STEPS:
            a, b = i + di, j + dj
            if a < 0 or b < 0 or a >= rows or b >= columns:
                continue
            if walls[a, b] or distance[a, b] >= 0:
                continue
            distance[a, b] = distance[i, j] + 1
            queue.append((a, b))
    return distance


def main():
    walls = np.random.rand(500, 500) < 0.3
    walls[0, 0] = False
    distance = reach(walls, (0, 0))
    print("reached:", (distance >= 0).sum(), "farthest:", distance.max())


if __name__ == "__main__":
    main()
