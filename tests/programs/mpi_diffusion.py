# verdict: SIGNIFICANT REFACTOR
# gates: 3 fail
"""Diffusion on a row of ranks: each keeps its slab and trades edge rows with its neighbours."""

import numpy as np
from mpi4py import MPI

COMM = MPI.COMM_WORLD


def trade(field):
    rank, size = COMM.Get_rank(), COMM.Get_size()
    above, below = rank - 1, rank + 1
    if above >= 0:
        COMM.Sendrecv(field[1], dest=above, recvbuf=field[0], source=above)
    if below < size:
        COMM.Sendrecv(field[-2], dest=below, recvbuf=field[-1], source=below)


def step(field, kappa):
    inner = field[1:-1, 1:-1]
    change = field[2:, 1:-1] + field[:-2, 1:-1] + field[1:-1, 2:] + field[1:-1, :-2] - 4.0 * inner
    field[1:-1, 1:-1] = inner + kappa * change


def main(rows, columns, steps):
    mine = rows // COMM.Get_size()
    field = np.zeros((mine + 2, columns))
    field[:, columns // 2] = 1.0
    for k in range(steps):
        trade(field)
        step(field, 0.2)
    total = COMM.allreduce(field[1:-1].sum(), op=MPI.SUM)
    if COMM.Get_rank() == 0:
        print("heat:", total)


if __name__ == "__main__":
    main(4096, 4096, 1000)
