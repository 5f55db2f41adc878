# verdict: LIGHT REFACTOR
# gates: 4 pass
"""Poisson's equation on the unit square with linear triangles, assembled triangle by triangle into one matrix."""

import numpy as np


def mesh(n):
    x = np.linspace(0.0, 1.0, n + 1)
    grid = np.meshgrid(x, x, indexing="ij")
    nodes = np.column_stack([grid[0].ravel(), grid[1].ravel()])
    triangles = []
    for i in range(n):
        for j in range(n):
            a = i * (n + 1) + j
            b, c, d = a + 1, a + n + 1, a + n + 2
            triangles.append([a, c, b])
            triangles.append([c, d, b])
    return nodes, np.array(triangles)


def element_matrix(corners):
    edges = np.array([corners[1] - corners[2], corners[2] - corners[0], corners[0] - corners[1]])
    area = 0.5 * abs(edges[0, 0] * edges[1, 1] - edges[0, 1] * edges[1, 0])
    return edges @ edges.T / (4.0 * area), area


def assemble(nodes, triangles):
    matrix = np.zeros((len(nodes), len(nodes)))
    load = np.zeros(len(nodes))
    for triangle in triangles:
        part, area = element_matrix(nodes[triangle])
        for i in range(3):
            for j in range(3):
                matrix[triangle[i], triangle[j]] += part[i, j]
            load[triangle[i]] += area / 3.0
    return matrix, load


def main():
    nodes, triangles = mesh(64)
    matrix, load = assemble(nodes, triangles)
    edge = (nodes * (1.0 - nodes)).min(axis=1) < 1e-12
    matrix = np.where(edge[:, None], np.eye(len(nodes)), matrix)
    u = np.linalg.solve(matrix, np.where(edge, 0.0, load))
    print(u.max())


if __name__ == "__main__":
    main()
