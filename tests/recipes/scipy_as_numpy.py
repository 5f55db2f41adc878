# Calls of SciPy that functions of NumPy answer alike.
import numpy as np


def plain(n: int):
    from scipy import linalg  # says: R301 "`np.linalg.inv`, `np.linalg.cholesky`, `np.linalg.svd` and `np.linalg.norm` run on the device, and"

    u = np.eye(n)
    low = linalg.inv(u), linalg.cholesky(u, lower=True), linalg.svd(u, full_matrices=False), linalg.norm(u, axis=0)
    return low, linalg.qr(u), linalg.pinv(u), linalg.eigh(u, u), linalg.solve(u, u, assume_a="pos")
