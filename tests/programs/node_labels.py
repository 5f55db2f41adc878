"""Heat conductances of a network, solved densely, with the temperatures written out line by line.

The solve is the work; the labels are three hundred strings.
"""

# verdict: READY
# gates: 2 uncertain, 3 pass, 4 uncertain

import numpy as np


def conductances(nodes):
    links = np.random.rand(nodes, nodes)
    links = 0.5 * (links + links.T)
    return np.diag(links.sum(axis=1) + 1.0) - links


def temperatures(nodes):
    heat = np.ones(nodes)
    matrix = conductances(nodes)
    solution = np.linalg.solve(matrix, heat)
    residual = np.abs(matrix @ solution - heat).max()
    print("largest residual", residual)
    return solution


def labels(count):
    names = ["node_%d" % number for number in range(count)]
    for number in range(count):
        names[number] = names[number].upper().strip()
    return names


def main():
    solution = temperatures(30_000)
    hottest = float(solution.max())
    print(labels(300)[0], hottest)


if __name__ == "__main__":
    main()
