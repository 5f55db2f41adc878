# verdict: LIGHT REFACTOR
# gates: 4 pass
"""Lumped masses of linear triangles, as a script without functions."""

import numpy as np

n = 64
x = np.linspace(0.0, 1.0, n + 1)
grid = np.meshgrid(x, x, indexing="ij")
nodes = np.column_stack([grid[0].ravel(), grid[1].ravel()])
corners = []
for i in range(n):
    for j in range(n):
        a = i * (n + 1) + j
        corners.append([a, a + n + 1, a + 1])
        corners.append([a + n + 1, a + n + 2, a + 1])
triangles = np.array(corners)

mass = np.zeros(len(nodes))
for triangle in triangles:
    points = nodes[triangle]
    edges = np.array([points[1] - points[0], points[2] - points[0]])
    area = 0.5 * abs(edges[0, 0] * edges[1, 1] - edges[0, 1] * edges[1, 0])
    for k in range(3):
        mass[triangle[k]] += area / 3.0
print(mass.sum())
