#include <array>

#include "rules/recipes/recipe.h"

namespace cpnlint::rules::recipes {
namespace {

constexpr std::array kLoops = {
    Recipe{
        .name = "RR-loop",
        .title = "element loop to whole-array expression",
        .advice =
            "work on whole arrays: drop the index, tests become `np.where`, running sums `np.sum`, offsets slices",
        .needs =
            R"md(No trip needs another one, or it needs a sum, a product or a running sum of them; the indexed arrays have equal extents. A running
sum `s[j] = s[j-1] + d[j]` becomes `s[1:] = s[0] + np.cumsum(d[1:])`. Any other recurrence has no whole-array form: leave the loop and vectorise
another axis.)md",
        .before = R"py(def decay(q, k, e):
    for j in range(q.shape[0]):
        q[j] = q[j] - k * q[j] * e[j]
    return q
)py",
        .after = R"py(def decay(q, k, e):
    q -= k * q * e
    return q
)py",
        .proof = "Identical bits for one assignment without offsets; sums and running sums add in another order. The "
                 "target must not be read under another name."},
    Recipe{.name = "RR-broadcast",
           .title = "row loop to broadcasting",
           .advice =
               "give what there is one of per row a trailing unit axis (`gain[:, None]`) and work on all rows at once",
           .needs = "Row *i* uses only numbers or vectors that belong to row *i*.",
           .before = R"py(def amplify(spec, gain):
    for c in range(spec.shape[0]):
        spec[c, :] = spec[c, :] * gain[c]
    return spec
)py",
           .after = R"py(def amplify(spec, gain):
    spec *= gain[:, None]
    return spec
)py",
           .proof = "Identical bits where the product has the dtype of `spec`; `gain` must not be a view of `spec`."},
    Recipe{
        .name = "RR-where",
        .title = "callback or two-armed assignment to `where`",
        .advice = "write the function's tests as masks and its arms as `np.where` over whole arrays",
        .needs =
            R"md(The function is pure and each arm works element by element. Both arms are evaluated everywhere, so guard one against values outside its
domain by a first `where` inside it.)md",
        .before = R"py(def flux(depth, lim):
    f = np.vectorize(lambda d: 0.0 if d < lim else d**1.5, otypes=[float])
    return f(depth)
)py",
        .after = R"py(def flux(depth, lim):
    dry = depth < lim
    return np.where(dry, 0.0, np.where(dry, 0.0, depth) ** 1.5)
)py",
        .proof = "Equal up to rounding for float64; a callback computes float32 data in double. NaN must take the arm "
                 "that Python would take (`nan < lim` is false). On cuPyNumeric a Python number beside a float32 array "
                 "makes `np.where` give float64: write `np.float32(0)`."},
    Recipe{.name = "RR-builtin",
           .title = "NumPy function instead of a Python builtin",
           .advice = "use the NumPy function: `np.sum`, `np.max`, `np.min`, `np.any`, `np.all`, `np.sort`",
           .needs = "A 1-D array, no `key`, `default` or `start`.",
           .before = R"py(def worst(resid, mask):
    return max(resid), any(mask)
)py",
           .after = R"py(def worst(resid, mask):
    return np.max(resid), np.any(mask)
)py",
           .proof = "NaN differs (cuPyNumeric's `max` and `min` ignore it), sums add in another order; the result is a "
                    "0-d array, not a number."},
    Recipe{.name = "RR-chunk",
           .title = "one wide operation instead of many pieces",
           .advice = "drop the loop over pieces and work on the whole array",
           .needs = "Nothing is computed of a piece and used on that piece only (its mean, its largest value), and "
                    "there is memory for temporary arrays of the whole size.",
           .before = R"py(def cap(q, limit, c=4096):
    for s in range(0, q.shape[0], c):
        b = q[s:s + c]
        b[b > limit] = limit
    return q
)py",
           .after = R"py(def cap(q, limit):
    np.minimum(q, limit, out=q)
    return q
)py",
           .proof = "Identical bits; keep the array as the first operand of `minimum`, where a NaN in it stays."},
    Recipe{.name = "RR-fuse",
           .title = "fewer passes over the data",
           .advice = "fold the scalar factors first and let the outer operators write in place",
           .needs = "Changed rounding is acceptable; no integer arrays.",
           .before = R"py(def step(u, dt, dx, k):
    return u + u * dt * k / dx / dx
)py",
           .after = R"py(def step(u, dt, dx, k):
    w = u * (dt * k / dx / dx)
    w += u
    return w
)py",
           .proof = "Equal up to rounding."},
    Recipe{.name = "RR-hoist",
           .title = "compute once",
           .advice = "compute it once in front of the loop",
           .needs = "The expression is pure and reads nothing that the loop writes.",
           .before = R"py(def attenuate(u, depth, n):
    for _ in range(n):
        u = u * np.exp(-depth)
    return u
)py",
           .after = R"py(def attenuate(u, depth, n):
    att = np.exp(-depth)
    for _ in range(n):
        u = u * att
    return u
)py",
           .proof = "Identical bits; one more array stays alive."},
};

}  // namespace

std::span<const Recipe> Loops() { return kLoops; }

}  // namespace cpnlint::rules::recipes
