"""Factorisations of matrices that are square by what they are made of, and of tall ones."""
import numpy as np


# with: ramp(7, 3) + np.eye(7, 3)
def projector(a: np.ndarray):
    return a @ np.linalg.pinv(a.T @ a) @ a.T  # follow: R302 product


# with: ramp(7, 3) + np.eye(7, 3), ramp(3)
def normal_equations(a: np.ndarray, b: np.ndarray):
    return np.linalg.pinv(a.T @ a) @ b  # follow: R302 product


# with: 4, ramp(4)
def square_by_shape(n: int, b: np.ndarray):
    a = np.eye(n) * 2.0 + np.ones((n, n))
    return np.linalg.pinv(a) @ (b + 1.0)  # follow: R302 product


# with: 4, ramp(4)
def ridge(n: int, b: np.ndarray):
    a = np.linspace(0.0, 1.0, n)[:, None] * np.ones((n, 12))
    gram = np.dot(a.T, a) + 0.1 * np.eye(12)
    return 2.0 + np.linalg.pinv(gram) @ a.T @ b  # says: R302 "`np.linalg.solve(gram, a.T)`"


# with: 9, ramp(9)
def tall(n: int, b: np.ndarray):
    a = np.linspace(0.0, 1.0, n)[:, None] ** np.arange(3)
    return np.linalg.pinv(a) @ b  # follow: R302 product


# with: 9, ramp(9)
def tall_of_a_sum(n: int, b: np.ndarray):
    a = np.linspace(0.0, 1.0, n)[:, None] ** np.arange(3)
    return np.linalg.pinv(a) @ (b - 1.0)  # follow: R302 product


# with: ramp(7, 3) + np.eye(7, 3), ramp(3)
def by_dot(a: np.ndarray, b: np.ndarray):
    return np.dot(np.linalg.pinv(a.T @ a), b)  # follow: R302 outer


# with: ramp(7, 3) + np.eye(7, 3), ramp(7)
def by_method(a: np.ndarray, b: np.ndarray):
    return np.linalg.pinv(a.T.dot(a)).dot(a.T)  # follow: R302 outer


# with: 9, ramp(9)
def tall_by_matmul(n: int, b: np.ndarray):
    a = np.linspace(0.0, 1.0, n)[:, None] ** np.arange(3)
    return np.matmul(np.linalg.pinv(a), b)  # follow: R302 outer


def into_buffer(a: np.ndarray, b: np.ndarray):
    return np.dot(np.linalg.pinv(a.T @ a), b, out=b)  # says: R302 "`np.linalg.solve(a.T @ a, b)`"


def inverse_kept(a: np.ndarray):
    inverse = np.linalg.pinv(a.T @ a)  # says: R302 "`np.linalg.solve(a.T @ a, b)`"
    return inverse @ a.T


def of_tall_matrix(n: int):
    a = np.ones((n, 3))
    inverse = np.linalg.pinv(a)  # says: R302 "`np.linalg.solve(a.T @ a, a.T @ b)`, at half the digits"
    return inverse


def of_a_stack(n: int):
    a, stack = np.eye(n), np.ones((n, n, n))
    return np.linalg.pinv(a) @ stack  # lacks: R302 "stack"


# with: ramp(7, 3) + np.eye(7, 3)
def spectrum(a: np.ndarray):
    a = a.astype(np.float64)
    return np.sort(np.linalg.svd(a.T @ a)[1])  # follow: R302 subscript


# with: ramp(7, 3) + np.eye(7, 3)
def spectrum_of_waves(a: np.ndarray):
    z = a * np.exp(1j * a)
    return np.sort(np.linalg.svd(z.conj().T @ z)[1])  # follow: R302 subscript


# with: ramp(7, 3) + np.eye(7, 3)
def modes(a: np.ndarray):
    a = a.astype(np.float64)
    vectors, values, _ = np.linalg.svd(np.dot(a.T, a))  # follow: R302 statement
    return vectors * np.sqrt(values) @ vectors.T


def modes_of_unknown(a: np.ndarray):
    return np.linalg.svd(a.T @ a)  # says: R302 "where the matrix is symmetric and has no negative eigenvalue"


def modes_of_square(n: int):
    a = np.ones((n, n))
    return np.linalg.svd(a)  # lacks: R302 "tall"


def modes_of_difference(cov_xx: np.ndarray, cov_zx: np.ndarray):
    rest = cov_xx - cov_zx.dot(cov_zx)
    u, s, vt = np.linalg.svd(rest)  # says: R302 "of a symmetric one without negative eigenvalues `np.linalg.eigh(rest)`"
    return u * np.sqrt(s)


def modes_of_data(x: np.ndarray):
    u, s, vt = np.linalg.svd(x)  # lacks: R302 "symmetric"
    return u * s @ vt


def modes_of_another(a: np.ndarray, b: np.ndarray):
    return np.linalg.svd(a.T @ b)  # says: R302 "of a tall matrix"


def modes_of_tall(n: int):
    a = np.ones((n, 3))
    return np.linalg.svd(a, full_matrices=False)  # lacks: R302 "symmetric"


def triangle_of_square(n: int):
    a = np.ones((n, n))
    return np.linalg.qr(a)[1]  # says: R302 "the triangle of a matrix of full rank is `np.linalg.cholesky(a.T @ a).T`"


# with: ramp(5, 3, 3), ramp(5, 3)
# with: ramp(3, 3, 3), ramp(3, 3)
def systems_of_vectors(a: np.ndarray, b: np.ndarray):
    x, eye = np.empty((len(b), 3)), np.eye(3)
    a, b = a.reshape(len(a), 3, 3) + 4.0 * eye, b.reshape(len(a), 3)
    for i in range(len(b)):
        x[i] = np.linalg.solve(a[i], b[i])  # follow: R116 stack
    return x


# with: ramp(5, 3, 3), ramp(5, 3, 2)
def systems_of_matrices(a: np.ndarray, b: np.ndarray):
    x, eye = np.empty((len(b), 3, 2)), np.eye(3)
    a, b = a.reshape(len(a), 3, 3) + 4.0 * eye, b.reshape(len(a), 3, 2)
    for i in range(len(b)):
        x[i] = np.linalg.solve(a[i], b[i])  # follow: R116 stack
    return x


def systems_made_here(n: int, steps: int):
    t = np.linspace(0.0, 1.0, n)
    out = []
    for i in range(steps):
        a, b = np.eye(n) * (t + i), t * i
        out.append(np.linalg.solve(a, b))  # says: R116 "are taken for one matrix: `np.linalg.solve(a, b[..., None])[..., 0]`"
    return out


def systems_with_matrices(n: int, steps: int):
    t = np.linspace(0.0, 1.0, n)
    out = []
    for i in range(steps):
        a, b = np.eye(n) * (t + i), np.eye(n) * i
        out.append(np.linalg.solve(a, b))  # lacks: R116 "None"
    return out


def systems_by_their_matrices(a: np.ndarray, t: np.ndarray):
    a, t = a.reshape(len(a), 3, 3), t.reshape(3)
    return np.stack([np.linalg.solve(a[i], t * i) for i in range(len(a))])  # says: R116 "as (m, n, 1), and take `[..., 0]` of what it gives"
