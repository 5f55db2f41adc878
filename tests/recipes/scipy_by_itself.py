# SciPy's own defaults and arguments: functions of the same name in NumPy give something else.
import numpy as np


def others(n: int):
    from scipy import linalg  # lacks: R301 "np.linalg"

    u = np.eye(n)
    upper = linalg.cholesky(u), linalg.eigh(u, u), linalg.eigvalsh(u, subset_by_index=[0, 1])
    solved = linalg.solve(u, u, assume_a="pos"), linalg.svd(u, compute_uv=False), linalg.norm(u, "nuc")
    return upper, solved, linalg.qr(u), linalg.pinv(u), linalg.inv(u), linalg.inv(u, overwrite_a=True), linalg.eig(u, u)
