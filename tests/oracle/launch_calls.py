"""The calls whose Legate operations launches.py counts, besides the one call that each row of the API table has.

A row: name | case | code [|| the same code with one operand more]. `case` is a set of words that say what is special about the call; cpnlint takes the row whose words
all hold of a call and that has most of them (analyzer/api/launches.h lists the words). `each` rows are measured with one
operand more as well, and what that adds is kept. Names are canonical, operators as they are spelled.
"""

from __future__ import annotations

# Made before anything is counted. Two axes unless the name says otherwise.
SETUP = """
def _made(values, dtype=None):
    return np.array(onp.asarray(values, dtype=dtype))

x, y, z = (_made(onp.linspace(low, 2.0, 12)) for low in (0.1, 0.2, 0.3))
a, a2, a3 = (_made(onp.linspace(low, 2.0, 12).reshape(3, 4)) for low in (0.1, 0.2, 0.3))
at = _made(onp.linspace(0.1, 2.0, 12).reshape(4, 3))
b, b3 = _made([1.0, 2.0, 3.0, 4.0]), _made([1.0, 2.0, 3.0])
sq, sq2 = _made(onp.eye(4) * 3 + 1), _made(onp.eye(4) * 4 + 1)
t3, t4 = _made(onp.arange(24.0).reshape(2, 3, 4)), _made(onp.arange(24.0).reshape(2, 4, 3))
stack = _made(onp.stack([onp.eye(4) * 3 + 1] * 3))
xf, yf, af = _made(onp.linspace(0.1, 2, 12), "f4"), _made(onp.linspace(0.2, 2, 12), "f4"), _made(onp.ones((3, 4)), "f4")
k, k2, ka = _made(onp.arange(1, 13)), _made(onp.arange(2, 14)), _made(onp.arange(1, 13).reshape(3, 4))
k32 = _made(onp.arange(1, 13), "i4")
xc, ac = _made(onp.linspace(0.1, 2, 12), "c16"), _made(onp.ones((3, 4)), "c16")
m, m2, ma = _made(onp.arange(12) > 5), _made(onp.arange(12) > 3), _made(onp.arange(12).reshape(3, 4) > 5)
i0 = np.array(2)
i, i4 = _made([2, 0, 1]), _made([[0, 1], [1, 2], [3, 0]])
s, s2 = x.sum(), y.sum()
rng = np.random.default_rng(3)
host = onp.linspace(0.0, 1.0, 12)
"""

# The same arrays as far as an analysis that runs nothing has to know them.
ARRAYS = """
import numpy as np
import numpy as onp
x, y, z = np.ones(12), np.ones(12), np.ones(12)
a, a2, a3 = np.ones((3, 4)), np.ones((3, 4)), np.ones((3, 4))
at, b, b3 = np.ones((4, 3)), np.ones(4), np.ones(3)
sq, sq2 = np.ones((4, 4)), np.ones((4, 4))
t3, t4, stack = np.ones((2, 3, 4)), np.ones((2, 4, 3)), np.ones((3, 4, 4))
xf, yf, af = np.ones(12, dtype="f4"), np.ones(12, dtype="f4"), np.ones((3, 4), dtype="f4")
k, k2, ka, k32 = np.ones(12, dtype="i8"), np.ones(12, dtype="i8"), np.ones((3, 4), dtype="i8"), np.ones(12, dtype="i4")
xc, ac = np.ones(12, dtype="c16"), np.ones((3, 4), dtype="c16")
m, m2, ma = np.ones(12, dtype=bool), np.ones(12, dtype=bool), np.ones((3, 4), dtype=bool)
i, i4 = np.ones(3, dtype="i8"), np.ones((3, 2), dtype="i8")
i0 = i.sum()
s, s2 = x.sum(), y.sum()
rng = np.random.default_rng(3)
"""

CALLS = """
+ | | x + y
+ | 0d | x + s
+ | all 0d | s + s2
+ | all 0d, number | s + 1.0
+ | number | x + 1.0
+ | cast | x + k
+ | number, cast | x + 1
+ | broadcast | a + b
+ | view | x[1:] + y[:-1]
- | | x - y
* | | x * y
* | number | x * 2.0
* | number, cast | xf * 2.0
/ | | x / y
/ | integer | k / k2
/ | integer, number | k / 2
// | | x // y
% | | x % y
** | | x ** y
** | number | x ** 2.0
** | number, cast | x ** 2
** | number, cast, three | x ** 3
** | number, half | x ** 0.5
** | integer, number | k ** 2
@ | 1d 1d | x @ y
@ | 2d 1d | sq @ b
@ | 1d 2d | b @ sq
@ | 2d 2d | sq @ sq2
@ | 3d | t3 @ t4
@ | cast, 2d 2d | af @ at
& | | m & m2
| | | m | m2
^ | | m ^ m2
unary - | | -x
unary + | | +x
unary ~ | | ~m
< | | x < y
< | number | x < 1.0
< | number, cast | x < 1
== | | x == y
+= | | x += y
+= | number | x += 1.0
+= | number, cast | x += 1
+= | cast | x += k
+= | overlap | x[1:] += x[:-1]
+= | view | x[1:] += y[1:]
**= | number, cast | y **= 2
in | | 3.0 in x
[] | element | a[1, 2]
[] | element, 1d | x[3]
[] | row | a[1]
[] | view | x[1:-1]
[] | index | x[i]
[] | index, 2d | a[i]
[] | index, second axis | a[:, i]
[] | two indices | a[i, i]
[] | mask | x[m]
[] | mask, 2d | a[ma]
[] | row mask | a[m[:3]]
[] | column mask | a[:, m[:4]]
[] | device scalar | x[i0]
[]= | element, number | a[1, 2] = 3.0
[]= | element, number, cast | a[1, 2] = 3
[]= | element, 0d | a[1, 2] = s
[]= | element, number, 1d | x[3] = 3.0
[]= | view | x[1:] = y[1:]
[]= | view, number | x[1:] = 1.0
[]= | view, number, cast | x[1:] = 1
[]= | view, 0d | x[1:] = s
[]= | view, cast | x[1:] = k[1:]
[]= | view, overlap | x[1:] = x[:-1]
[]= | view, broadcast | a[:] = b
[]= | view, all, number | x[:] = 1.0
[]= | index | x[i] = b3
[]= | index, number | x[i] = 1.0
[]= | index, 2d | a[i] = a2
[]= | index, second axis | a[:, i] = a2[:, :3]
[]= | two indices | a[i, i] = b3
[]= | two indices, number | a[i, i] = 1.0
[]= | mask, number | x[m] = 1.0
[]= | mask, number, cast | x[m] = 1
[]= | mask, 0d | x[m] = s
[]= | mask | x[m] = y[:6]
[]= | mask, 2d | a[ma] = y[:6]
[]= | mask, number, 2d | a[ma] = 1.0
[]= | row mask, number | a[m[:3]] = 1.0
[]= | column mask, number | a[:, m[:4]] = 1.0
numpy.sum | | np.sum(x)
numpy.sum | axis | np.sum(a, axis=0)
numpy.sum | axis, last | np.sum(a, axis=1)
numpy.sum | axes | np.sum(t3, axis=(0, 1))
numpy.sum | axis, keepdims | np.sum(a, axis=0, keepdims=True)
numpy.sum | integer | np.sum(k)
numpy.sum | bool | np.sum(m)
numpy.sum | bool, axis | np.sum(ma, axis=0)
numpy.sum | single | np.sum(xf)
numpy.sum | where | np.sum(x, where=m)
numpy.sum | axis, out | np.sum(a, axis=0, out=b)
numpy.sum | dtype | np.sum(xf, dtype='f8')
numpy.prod | axis | np.prod(a, axis=0)
numpy.mean | | np.mean(x)
numpy.mean | axis | np.mean(a, axis=0)
numpy.mean | integer | np.mean(k)
numpy.mean | integer, axis | np.mean(ka, axis=0)
numpy.mean | bool | np.mean(m)
numpy.mean | single | np.mean(xf)
numpy.mean | single, axis | np.mean(af, axis=0)
numpy.mean | axes | np.mean(t3, axis=(0, 1))
numpy.var | | np.var(x)
numpy.var | axis | np.var(a, axis=0)
numpy.max | axis | np.max(a, axis=0)
numpy.max | axes | np.max(t3, axis=(0, 1))
numpy.min | axis | np.min(a, axis=0)
numpy.amax | axis | np.amax(a, axis=0)
numpy.amin | axis | np.amin(a, axis=0)
numpy.argmax | axis | np.argmax(a, axis=0)
numpy.argmin | axis | np.argmin(a, axis=0)
numpy.any | axis | np.any(ma, axis=0)
numpy.all | axis | np.all(ma, axis=0)
numpy.any | | np.any(m)
numpy.all | | np.all(m)
numpy.count_nonzero | axis | np.count_nonzero(a, axis=0)
numpy.nansum | axis | np.nansum(a, axis=0)
numpy.nanmax | axis | np.nanmax(a, axis=0)
numpy.nanmin | axis | np.nanmin(a, axis=0)
numpy.nanmean | axis | np.nanmean(a, axis=0)
numpy.median | axis | np.median(a, axis=0)
numpy.percentile | | np.percentile(x, 50)
numpy.percentile | axis | np.percentile(a, 50, axis=0)
numpy.quantile | axis | np.quantile(a, 0.5, axis=0)
numpy.ndarray.sum | axis | a.sum(axis=0)
numpy.ndarray.sum | axis, last | a.sum(axis=1)
numpy.ndarray.sum | axes | t3.sum(axis=(0, 1))
numpy.ndarray.sum | bool | m.sum()
numpy.ndarray.sum | integer | k.sum()
numpy.ndarray.prod | axis | a.prod(axis=0)
numpy.ndarray.mean | axis | a.mean(axis=0)
numpy.ndarray.mean | integer | k.mean()
numpy.ndarray.mean | single | xf.mean()
numpy.ndarray.mean | single, axis | af.mean(axis=0)
numpy.ndarray.max | axis | a.max(axis=0)
numpy.ndarray.min | axis | a.min(axis=0)
numpy.ndarray.argmax | axis | a.argmax(axis=0)
numpy.ndarray.argmin | axis | a.argmin(axis=0)
numpy.ndarray.any | axis | ma.any(axis=0)
numpy.ndarray.all | axis | ma.all(axis=0)
numpy.ndarray.any | | m.any()
numpy.ndarray.all | | m.all()
numpy.ndarray.var | axis | a.var(axis=0)
numpy.ndarray.cumsum | axis | a.cumsum(axis=0)
numpy.cumsum | axis | np.cumsum(a, axis=0)
numpy.cumsum | axis, last | np.cumsum(a, axis=1)
numpy.cumsum | flat | np.cumsum(a)
numpy.diff | | np.diff(x)
numpy.diff | axis | np.diff(a, axis=0)
numpy.gradient | | np.gradient(x)
numpy.gradient | 2d | np.gradient(a)
numpy.gradient | 2d, axis | np.gradient(a, axis=0)
numpy.average | weights | np.average(x, weights=y)
numpy.dot | 1d 1d | np.dot(x, y)
numpy.dot | 2d 1d | np.dot(sq, b)
numpy.dot | 1d 2d | np.dot(b, sq)
numpy.dot | 2d 2d | np.dot(sq, sq2)
numpy.dot | 2d 2d, out | np.dot(sq, sq2, out=sq2)
numpy.dot | 0d | np.dot(x, s)
numpy.dot | number | np.dot(x, 2.0)
numpy.ndarray.dot | 1d 1d | x.dot(y)
numpy.ndarray.dot | 2d 1d | sq.dot(b)
numpy.ndarray.dot | 1d 2d | b.dot(sq)
numpy.ndarray.dot | 2d 2d | sq.dot(sq2)
numpy.matmul | 1d 1d | np.matmul(x, y)
numpy.matmul | 2d 1d | np.matmul(sq, b)
numpy.matmul | 1d 2d | np.matmul(b, sq)
numpy.matmul | 2d 2d | np.matmul(sq, sq2)
numpy.matmul | 3d | np.matmul(t3, t4)
numpy.vdot | | np.vdot(x, y)
numpy.inner | 1d 1d | np.inner(x, y)
numpy.inner | 2d 2d | np.inner(a, a2)
numpy.outer | | np.outer(b, b3)
numpy.tensordot | | np.tensordot(a, at, 1)
numpy.einsum | 2d 2d | np.einsum('ij,jk->ik', sq, sq2)
numpy.einsum | 2d 1d | np.einsum('ij,j->i', sq, b)
numpy.einsum | 1d 1d | np.einsum('i,i->', x, y)
numpy.einsum | elementwise | np.einsum('ij,ij->i', a, a2)
numpy.einsum | one operand | np.einsum('ij->i', a)
numpy.einsum | diagonal | np.einsum('ii->i', sq)
numpy.einsum | three | np.einsum('ij,jk,kl->il', sq, sq2, sq)
numpy.linalg.norm | | np.linalg.norm(x)
numpy.linalg.norm | 2d | np.linalg.norm(a)
numpy.linalg.norm | 2d, axis | np.linalg.norm(a, axis=1)
numpy.linalg.norm | ord | np.linalg.norm(x, 1)
numpy.linalg.norm | ord, inf | np.linalg.norm(x, np.inf)
numpy.linalg.norm | 2d, ord, axis | np.linalg.norm(a, 1, axis=1)
numpy.linalg.solve | | np.linalg.solve(sq, b)
numpy.linalg.solve | 2d 2d | np.linalg.solve(sq, sq2)
numpy.linalg.solve | 3d | np.linalg.solve(stack, stack)
numpy.linalg.inv | | np.linalg.inv(sq)
numpy.linalg.cholesky | | np.linalg.cholesky(sq)
numpy.linalg.qr | | np.linalg.qr(sq)
numpy.linalg.svd | | np.linalg.svd(sq)
numpy.linalg.eig | | np.linalg.eig(sq)
numpy.linalg.eigh | | np.linalg.eigh(sq)
numpy.linalg.eigvals | | np.linalg.eigvals(sq)
numpy.linalg.eigvalsh | | np.linalg.eigvalsh(sq)
numpy.linalg.pinv | | np.linalg.pinv(sq)
numpy.linalg.matrix_power | two | np.linalg.matrix_power(sq, 2)
numpy.linalg.matrix_power | | np.linalg.matrix_power(sq, 3)
numpy.zeros | | np.zeros(12)
numpy.zeros | filled | np.zeros(12) + x
numpy.ones | | np.ones(12)
numpy.empty | | np.empty(12)
numpy.full | | np.full(12, 3.0)
numpy.zeros_like | | np.zeros_like(x)
numpy.ones_like | | np.ones_like(x)
numpy.empty_like | | np.empty_like(x)
numpy.full_like | | np.full_like(x, 3.0)
numpy.eye | | np.eye(4)
numpy.identity | | np.identity(4)
numpy.arange | | np.arange(12)
numpy.arange | float | np.arange(12.0)
numpy.linspace | | np.linspace(0.0, 1.0, 12)
numpy.linspace | retstep | np.linspace(0.0, 1.0, 12, retstep=True)
numpy.logspace | | np.logspace(0.0, 1.0, 12)
numpy.meshgrid | two | np.meshgrid(x, y)
numpy.meshgrid | three | np.meshgrid(b, b3, b)
numpy.meshgrid | two, sparse | np.meshgrid(x, y, sparse=True)
numpy.mgrid | | np.mgrid[0:3, 0:4]
numpy.indices | | np.indices((3, 4))
numpy.array | device | np.array(x)
numpy.array | literal | np.array([1.0, 2.0, 3.0])
numpy.array | host | np.array(host)
numpy.array | device scalars | np.array([s, s2])
numpy.asarray | device | np.asarray(x)
numpy.asarray | literal | np.asarray([1.0, 2.0, 3.0])
numpy.asarray | host | np.asarray(host)
numpy.copy | | np.copy(x)
numpy.ndarray.copy | | x.copy()
numpy.ndarray.astype | | x.astype('f4')
numpy.ndarray.astype | same | x.astype('f8')
numpy.ndarray.fill | | x.fill(1.0)
numpy.ndarray.fill | cast | x.fill(1)
numpy.copyto | | np.copyto(x, y)
numpy.diag | 1d | np.diag(b)
numpy.diag | 2d | np.diag(sq)
numpy.ndarray.diagonal | | sq.diagonal()
numpy.trace | | np.trace(sq)
numpy.ndarray.trace | | sq.trace()
numpy.tril | | np.tril(sq)
numpy.triu | | np.triu(sq)
numpy.reshape | | np.reshape(x, (3, 4))
numpy.reshape | 2d | np.reshape(a, (4, 3))
numpy.reshape | 2d, flat | np.reshape(a, 12)
numpy.reshape | unit | np.reshape(x, (12, 1))
numpy.ndarray.reshape | | x.reshape(3, 4)
numpy.ndarray.reshape | 2d | a.reshape(4, 3)
numpy.ndarray.reshape | 2d, flat | a.reshape(12)
numpy.ndarray.reshape | unit | x.reshape(12, 1)
numpy.ndarray.reshape | 3d | t3.reshape(6, 4)
numpy.ravel | 2d | np.ravel(a)
numpy.ravel | unit | np.ravel(x)
numpy.ndarray.ravel | 2d | a.ravel()
numpy.ndarray.ravel | unit | x.ravel()
numpy.ndarray.flatten | 2d | a.flatten()
numpy.ndarray.flatten | 1d | x.flatten()
numpy.transpose | | np.transpose(a)
numpy.concatenate | each | np.concatenate([x, y]) || np.concatenate([x, y, z])
numpy.concatenate | each, axis | np.concatenate([a, a2], axis=1) || np.concatenate([a, a2, a3], axis=1)
numpy.concatenate | each, cast | np.concatenate([x, k]) || np.concatenate([x, k, k2])
numpy.stack | each | np.stack([x, y]) || np.stack([x, y, z])
numpy.vstack | each | np.vstack([x, y]) || np.vstack([x, y, z])
numpy.hstack | each | np.hstack([x, y]) || np.hstack([x, y, z])
numpy.dstack | each | np.dstack([a, a2]) || np.dstack([a, a2, a3])
numpy.column_stack | each | np.column_stack([x, y]) || np.column_stack([x, y, z])
numpy.append | | np.append(x, y)
numpy.append | number | np.append(x, 1.0)
numpy.block | each | np.block([[a, a2]]) || np.block([[a, a2, a3]])
numpy.split | | np.split(x, 3)
numpy.array_split | | np.array_split(x, 3)
numpy.repeat | | np.repeat(x, 3)
numpy.repeat | axis | np.repeat(a, 3, axis=0)
numpy.tile | | np.tile(x, 3)
numpy.tile | 2d | np.tile(a, (2, 2))
numpy.roll | | np.roll(x, 1)
numpy.roll | axis | np.roll(a, 1, axis=0)
numpy.roll | axis, last | np.roll(a, 1, axis=1)
numpy.roll | axes | np.roll(a, (1, 1), axis=(0, 1))
numpy.roll | flat | np.roll(a, 1)
numpy.flip | | np.flip(x)
numpy.pad | | np.pad(a, 1)
numpy.pad | edge | np.pad(a, 1, mode='edge')
numpy.pad | 1d | np.pad(x, 1)
numpy.insert | | np.insert(x, 2, 1.0)
numpy.delete | | np.delete(x, 2)
numpy.where | | np.where(m, x, y)
numpy.where | number | np.where(m, x, 0.0)
numpy.where | two numbers | np.where(m, 1.0, 0.0)
numpy.where | number, cast | np.where(m, x, 0)
numpy.where | one | np.where(m)
numpy.where | cast | np.where(m, x, k)
numpy.select | each | np.select([m], [x], 0.0) || np.select([m, m2], [x, y], 0.0)
numpy.putmask | | np.putmask(x, m, y)
numpy.clip | | np.clip(x, 0.2, 0.8)
numpy.clip | cast | np.clip(x, 0, 1)
numpy.clip | out | np.clip(x, 0.2, 0.8, out=x)
numpy.clip | array | np.clip(x, y, z)
numpy.ndarray.clip | | x.clip(0.2, 0.8)
numpy.nonzero | | np.nonzero(m)
numpy.flatnonzero | | np.flatnonzero(m)
numpy.argwhere | | np.argwhere(m)
numpy.take | | np.take(x, i)
numpy.take | axis | np.take(a, i, axis=0)
numpy.take_along_axis | | np.take_along_axis(a, i4, 1)
numpy.put_along_axis | | np.put_along_axis(a, i4, 1.0, 1)
numpy.put | | np.put(x, i, 1.0)
numpy.choose | | np.choose(i, [b3, b3, b3], mode='clip')
numpy.compress | | np.compress(m, x)
numpy.extract | | np.extract(m, x)
numpy.sort | | np.sort(x)
numpy.sort | 2d | np.sort(a)
numpy.sort | 2d, axis | np.sort(a, axis=0)
numpy.argsort | | np.argsort(x)
numpy.argsort | 2d, axis | np.argsort(a, axis=0)
numpy.ndarray.sort | | x.sort()
numpy.ndarray.argsort | | x.argsort()
numpy.unique | | np.unique(k)
numpy.searchsorted | | np.searchsorted(x, b)
numpy.isin | | np.isin(k, i)
numpy.bincount | | np.bincount(k)
numpy.bincount | weights | np.bincount(k, weights=x)
numpy.bincount | minlength | np.bincount(k, minlength=20)
numpy.histogram | | np.histogram(x, 4)
numpy.histogram | range | np.histogram(x, 4, range=(0.0, 2.0))
numpy.histogram | weights, range | np.histogram(x, 4, range=(0.0, 2.0), weights=y)
numpy.digitize | | np.digitize(x, b)
numpy.convolve | | np.convolve(x, b3, mode='same')
numpy.cross | | np.cross(at, at)
numpy.cov | | np.cov(a)
numpy.allclose | | np.allclose(x, y)
numpy.isclose | | np.isclose(x, y)
numpy.array_equal | | np.array_equal(x, y)
numpy.round | | np.round(x)
numpy.round | decimals | np.round(x, 2)
numpy.nan_to_num | | np.nan_to_num(x)
numpy.angle | | np.angle(xc)
numpy.real | complex | np.real(xc)
numpy.imag | complex | np.imag(xc)
numpy.ndarray.real | complex | xc.real
numpy.ndarray.imag | complex | xc.imag
numpy.conj | complex | np.conj(xc)
numpy.conj | | np.conj(x)
numpy.ndarray.conj | complex | xc.conj()
numpy.ndarray.conj | | x.conj()
numpy.abs | complex | np.abs(xc)
numpy.sqrt | integer | np.sqrt(k)
numpy.sqrt | out | np.sqrt(x, out=y)
numpy.sqrt | 0d | np.sqrt(s)
numpy.sqrt | only number | np.sqrt(2.0)
numpy.exp | | np.exp(x)
numpy.exp | out | np.exp(x, out=y)
numpy.add | | np.add(x, y)
numpy.add | out | np.add(x, y, out=z)
numpy.add | number | np.add(x, 1.0)
numpy.add | number, cast | np.add(x, 1)
numpy.add | cast | np.add(x, k)
numpy.add | out, overlap | np.add(x[:-1], y[1:], out=x[1:])
numpy.maximum | number, cast | np.maximum(x, 0)
numpy.maximum | number | np.maximum(x, 0.0)
numpy.power | number, cast | np.power(x, 2)
numpy.square | | np.square(x)
numpy.logical_and | | np.logical_and(m, m2)
numpy.logical_not | | np.logical_not(m)
numpy.modf | | np.modf(x)
numpy.fill_diagonal | | np.fill_diagonal(sq2, 0.0)
numpy.tril_indices | | np.tril_indices(4)
numpy.random.rand | | np.random.rand(12)
numpy.random.randn | | np.random.randn(12)
numpy.random.random | | np.random.random(12)
numpy.random.random_sample | | np.random.random_sample(12)
numpy.random.uniform | | np.random.uniform(0.0, 1.0, 12)
numpy.random.normal | | np.random.normal(0.0, 1.0, 12)
numpy.random.randint | | np.random.randint(0, 9, 12)
numpy.random.Generator.random | | rng.random(12)
numpy.random.Generator.normal | | rng.normal(0.0, 1.0, 12)
numpy.random.Generator.uniform | | rng.uniform(0.0, 1.0, 12)
numpy.random.Generator.integers | | rng.integers(0, 9, 12)
numpy.random.Generator.standard_normal | | rng.standard_normal(12)
numpy.random.Generator.exponential | | rng.exponential(1.0, 12)
float | | float(s)
iteration | | [item for item in b]
iteration | 2d | [row for row in a]
sum | | sum(b)
max | | max(b)
"""
