#include <array>

#include "rules/recipes/recipe.h"

namespace cpnlint::rules::recipes {
namespace {

constexpr std::array kWaits = {
    Recipe{
        .name = "RR-sync",
        .title = "keep the values of each pass on the device",
        .advice = "store the value into a vector on the device and convert it once after the loop, or every k passes",
        .needs = "The host value is only recorded, and the number of passes is known before the loop; where the loop "
                 "ends early, return `hist[:it]`.",
        .before = R"py(def run(u, step, n):
    seen = []
    for it in range(n):
        u = step(u)
        seen.append(float(u.max()))
    return u, seen
)py",
        .after = R"py(def run(u, step, n):
    hist = np.zeros(n, dtype=u.dtype)
    for it in range(n):
        u = step(u)
        hist[it] = u.max()
    return u, hist.tolist()
)py",
        .proof = "Identical bits. The list must not be read inside the loop."},
    Recipe{
        .name = "RR-converge",
        .title = "test every k passes",
        .advice = "test for convergence every k passes only, and cap the number of passes",
        .needs = "A few passes more do no harm, and the loop has or gets a cap.",
        .before = R"py(def solve(x, relax, tol):
    r = np.inf
    while r > tol:
        y = relax(x)
        r = np.abs(y - x).max()
        x = y
    return x
)py",
        .after = R"py(def solve(x, relax, tol, k=25, cap=100_000):
    for it in range(1, cap + 1):
        y = relax(x)
        if it % k == 0 and np.abs(y - x).max() <= tol:
            return y
        x = y
    return x
)py",
        .proof =
            R"md(Up to k − 1 passes more; k = 1 gives the same bits. A NaN residual ends the first form at once and the second at the cap under NumPy; cuPyNumeric's
`max` ignores NaN and would report convergence, so test `np.isfinite(y).all()` as well.)md"},
    Recipe{.name = "RR-log",
           .title = "print seldom or late",
           .advice = "print every k passes (`if it % 100 == 0:`), or keep the values and print after the loop",
           .needs = "The message is not needed on each pass.",
           .before = R"py(def run(u, step, n):
    for it in range(n):
        u = step(u)
        print(f"{it} {u.max():.3e}")
    return u
)py",
           .after = R"py(def run(u, step, n):
    for it in range(n):
        u = step(u)
        if it % 100 == 0:
            print(f"{it} {float(u.max()):.3e}")
    return u
)py",
           .proof = "The same lines at the passes that are kept, and the same result."},
    Recipe{.name = "RR-range",
           .title = "give the call what it would ask the device for",
           .advice = "pass bounds, bins and parameters as host numbers that are computed once",
           .needs = "They are known on the host, or the data they come from does not change in the loop.",
           .before = R"py(def count(samples, n):
    tot = 0
    for i in range(n):
        tot = tot + np.histogram(samples[i], bins=64, range=(samples.min(), samples.max()))[0]
    return tot
)py",
           .after = R"py(def count(samples, n):
    lo, hi = float(samples.min()), float(samples.max())
    tot = 0
    for i in range(n):
        tot = tot + np.histogram(samples[i], bins=64, range=(lo, hi))[0]
    return tot
)py",
           .proof = "Identical bits; equal bounds must be guarded (NumPy widens the range, cuPyNumeric raises)."},
    Recipe{.name = "RR-bounds",
           .title = "gathers without a check, or without a gather",
           .advice = "use a slice for a contiguous index, `np.take(..., mode='clip')` where all indices are in range, "
                     "or gather once before the loop",
           .needs = "Indices that are proved to be in range and not negative, one stretch, or the same on every pass. "
                    "Last resort: after a checked run, `CUPYNUMERIC_DISABLE_BOUNDS_CHECKING=all`.",
           .before = R"py(def look_up(tab, idx):
    return tab[idx]
)py",
           .after = R"py(def look_up(tab, idx):
    return np.take(tab, idx, axis=0, mode='clip')
)py",
           .proof = "Identical bits for indices in range; negative ones and those beyond the end differ."},
    Recipe{.name = "RR-host-boundary",
           .title = "stage work of the host",
           .advice =
               "convert once before the host work and once after it (`onp.asarray(u)`, `np.asarray(h)`), not per call",
           .needs = "The host phase can be told apart from the device loop, or the library has a function that does "
                    "the same on the device.",
           .before = R"py(def smooth(u, host_filter, n):
    for _ in range(n):
        u = host_filter(u)
        u = u * 0.99
    return u
)py",
           .after = R"py(def smooth(u, host_filter, n):
    h = onp.asarray(u)
    for _ in range(n):
        h = host_filter(h)
        h = h * 0.99
    return np.asarray(h)
)py",
           .proof = "Identical bits under NumPy. Whether the work between belongs on the host is yours to judge."},
    Recipe{.name = "RR-runtime",
           .title = "one array runtime per loop",
           .advice = "replace the CuPy call by the cuPyNumeric one, or convert once before and once after the loop",
           .needs = "Each CuPy call of the loop has an equivalent, or the crossing can move out of the loop.",
           .before = R"py(def scan(x, cp, n):
    for _ in range(n):
        x = np.asarray(cp.asnumpy(cp.cumsum(cp.asarray(x)))) * 0.5
    return x
)py",
           .after = R"py(def scan(x, n):
    for _ in range(n):
        x = np.cumsum(x) * 0.5
    return x
)py",
           .proof = "Equal up to the order of additions."},
};

}  // namespace

std::span<const Recipe> Waits() { return kWaits; }

}  // namespace cpnlint::rules::recipes
