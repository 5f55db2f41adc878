#include <array>

#include "rules/recipes/recipe.h"

namespace cpnlint::rules::recipes {
namespace {

constexpr std::array kSpelling = {
    Recipe{.name = "RR-slice",
           .title = "no stepped slices",
           .advice = "split the axis by `reshape` and pick a position, write through a mask, turn round with `np.flip`",
           .needs = "The extent is a multiple of the step, or is padded to one; the slice is only read, since the "
                    "result is a copy.",
           .before = R"py(def thirds(tide):
    return tide[::3]
)py",
           .after = R"py(def thirds(tide):
    n = (tide.shape[0] + 2) // 3
    pad = np.concatenate([tide, np.zeros(3 * n - tide.shape[0], dtype=tide.dtype)])
    return pad.reshape(n, 3)[:, 0]
)py",
           .proof =
               "Identical bits. To write, use a mask: `z[np.arange(z.shape[0]) % 2 == 1] = 0.0` for `z[1::2] = 0.0`."},
    Recipe{
        .name = "RR-dtype",
        .title = "numbers instead of objects",
        .advice =
            "keep objects in a list, or in an array of host NumPy; replace labels by integer codes and a list to look "
            "them up, rows of different lengths by a padded matrix and lengths",
        .needs = "Objects go into no array work; there are finitely many labels, or rows whose lengths can be kept "
                 "beside them.",
        .before = R"py(def totals(labels, w):
    a = onp.array(labels, dtype=object)
    return {s: w[a == s].sum() for s in sorted(set(labels))}
)py",
        .after = R"py(def totals(labels, w):
    names = sorted(set(labels))
    code = np.array([names.index(s) for s in labels])
    tot = np.bincount(code, weights=w, minlength=len(names))
    return dict(zip(names, tot.tolist()))
)py",
        .proof = "Equal up to the order of additions; `bincount` adds in float64."},
    Recipe{.name = "RR-order",
           .title = "no memory order",
           .advice = "leave `order` out; `a.reshape(s, order='F')` is `a.T.reshape(s[::-1]).T`",
           .needs = "The order is an optimisation, or transposes express it.",
           .before = R"py(def fold(a, m, n):
    return a.reshape((m, n), order='F')
)py",
           .after = R"py(def fold(a, m, n):
    return a.T.reshape((n, m)).T
)py",
           .proof = "Identical values and shapes; strides and flags may differ."},
    Recipe{.name = "RR-api",
           .title = "substitutes for names that are missing",
           .advice = "express it by functions that are there; `cpnlint api NAME` tells what instead",
           .needs = "The substitute's side conditions hold; seldom run code on small data may call host NumPy instead.",
           .before = R"py(def spread(x):
    return np.std(x, axis=0)
)py",
           .after = R"py(def spread(x):
    return np.sqrt(np.mean((x - x.mean(axis=0)) ** 2, axis=0))
)py",
           .proof =
               "As the substitute's row in the table says: identical bits, up to rounding, or another random stream."},
    Recipe{.name = "RR-kwarg",
           .title = "a spelling that is supported",
           .advice = "drop the argument where it is the default, pass it by position, or spell the operation out",
           .needs = "The table says what the argument does on cuPyNumeric.",
           .before = R"py(def roots(p, r):
    return np.sqrt(p, where=p > 0, out=r)
)py",
           .after = R"py(def roots(p, r):
    m = p > 0
    np.copyto(r, np.sqrt(np.where(m, p, 0.0)), where=m)
    return r
)py",
           .proof = "Identical bits; what the mask leaves out keeps its values."},
    Recipe{.name = "RR-feature",
           .title = "replace a feature that raises",
           .advice = "reversed views by `np.flip`, masked arrays by data and mask, records by one array per field, "
                     "windows by sums of slices",
           .needs = "Feature by feature.",
           .before = R"py(def smooth(sig, w):
    v = np.lib.stride_tricks.sliding_window_view(sig, w)
    return v.mean(axis=-1)
)py",
           .after = R"py(def smooth(sig, w):
    m = sig.shape[0] - w + 1
    acc = np.zeros(m, dtype=sig.dtype)
    for k in range(w):
        acc += sig[k:k + m]
    return acc / w
)py",
           .proof = "Equal up to the order of additions; integer data needs a float accumulator."},
    Recipe{.name = "RR-intmm",
           .title = "integer product through floats",
           .advice = "convert to float64, multiply, convert back, where every dot product stays below 2**53",
           .needs = "A bound on each dot product: extent times the largest products, below 2**24 for float32 or 2**53 "
                    "for float64.",
           .before = R"py(def counts(a, b):
    return a @ b
)py",
           .after = R"py(def counts(a, b):
    return (a.astype(np.float64) @ b.astype(np.float64)).astype(np.int64)
)py",
           .proof = "Identical values under the bound; without one, do not."},
    Recipe{.name = "RR-guard",
           .title = "say what NumPy did implicitly",
           .advice = "state the dtype, guard the divisor, test for NaN explicitly",
           .needs = "Nothing: both forms give NumPy's result under NumPy. A guard adds one or two elementwise tasks.",
           .before = R"py(def share(a, d):
    return a // d
)py",
           .after = R"py(def share(a, d):
    return np.where(d == 0, 0, a // np.where(d == 0, 1, d))
)py",
           .proof = "NumPy's values and dtypes, also for zeros, NaN, extreme integers and empty arrays."},
    Recipe{.name = "RR-precision",
           .title = "a narrower type",
           .advice = "give `dtype=np.float32` where arrays are made and read, keep float64 where sums are accumulated",
           .needs = "An error budget that the user states; tolerances have to be looked at again. Never automatic.",
           .before = R"py(def field(n):
    u = np.zeros(n)
    return np.sum(u)
)py",
           .after = R"py(def field(n):
    u = np.zeros(n, dtype=np.float32)
    return np.sum(u, dtype=np.float64)
)py",
           .proof = "Other digits: 7 instead of 16. The sum in float64 costs a converted copy."},
    Recipe{.name = "RR-ufunc",
           .title = "NumPy functions for arrays, `math` for Python numbers",
           .advice =
               "use the NumPy function where the number is on the device: `np.exp(x)` stays there; use `math` where "
               "it is one of Python",
           .needs = "The result goes into arithmetic on the device.",
           .before = R"py(def damp(u):
    return u * math.exp(-u.mean())
)py",
           .after = R"py(def damp(u):
    return u * np.exp(-u.mean())
)py",
           .proof = "Equal up to rounding; outside of the domain `math` raises and NumPy gives NaN."},
};

}  // namespace

std::span<const Recipe> Spelling() { return kSpelling; }

}  // namespace cpnlint::rules::recipes
