#include <array>

#include "rules/recipes/recipe.h"

namespace cpnlint::rules::recipes {
namespace {

constexpr std::array kStructure = {
    Recipe{
        .name = "RR-mpi",
        .title = "rank code to one global array",
        .advice = "drop the rank arithmetic: allocate the global array, and write the collective as an array operation",
        .needs =
            R"md(The communication is scatter, gather, reduction or halo exchange of regular blocks. Halo exchanges become stencil slices, a gather to rank 0
becomes nothing, files are written once. Start with `legate --nodes N --gpus G --launcher mpirun script.py`.)md",
        .before = R"py(def total(comm, n, f):
    lo = comm.rank * n // comm.size
    hi = (comm.rank + 1) * n // comm.size
    x = np.linspace(0.0, 1.0, n)[lo:hi]
    return comm.allreduce(f(x).sum())
)py",
        .after = R"py(def total(n, f):
    return np.sum(f(np.linspace(0.0, 1.0, n)))
)py",
        .proof = "Equal up to the order of additions."},
    Recipe{
        .name = "RR-batch",
        .title = "many small problems as one",
        .advice =
            "stack the problems along a leading axis and call the function once; a small problem alone uses one device",
        .needs = "Independent problems of one size, and a batched form: `solve`, `cholesky`, `eig*`, `matmul`, "
                 "complex FFT; not QR, not SVD.",
        .before = R"py(def solve_all(A, b):
    return np.stack([np.linalg.solve(A[i], b[i]) for i in range(A.shape[0])])
)py",
        .after = R"py(def solve_all(A, b):
    return np.linalg.solve(A, b[..., None])[..., 0]
)py",
        .proof = "Equal up to rounding; all problems are in memory at once."},
    Recipe{.name = "RR-serial",
           .title = "the axis of the workers becomes an axis of the array",
           .advice =
               "drop the pool: stack the cases along a leading axis and call the function once, all processors of "
               "the run work on it",
           .needs = "The worker does the same to every case and can be written for arrays with one axis more.",
           .before = R"py(def run_all(cases, work, pool):
    return np.stack(pool.map(work, [c for c in cases]))
)py",
           .after = R"py(def run_all(cases, work):
    return work(cases)  # work takes a leading axis of cases
)py",
           .proof = "Equal up to rounding; all cases are in memory at once."},
    Recipe{
        .name = "RR-seed",
        .title = "draws that can be repeated",
        .advice =
            "make one `np.random.default_rng(seed)` and hand it down; record the number of processors with the results",
        .needs = "The program may draw other numbers than before.",
        .before = R"py(def draw(n):
    np.random.seed(42)
    return np.random.uniform(size=n)
)py",
        .after = R"py(def draw(n):
    rng = np.random.default_rng(42)
    return rng.uniform(size=n)
)py",
        .proof = "The same distribution, other values; values depend on how many processors draw them."},
    Recipe{
        .name = "RR-size",
        .title = "enough work per launch",
        .advice = "batch cases along a leading axis, merge arrays of one kind into one, run a larger problem, or use "
                  "fewer GPUs",
        .needs = "Cases of one shape that do not depend on each other. Where none of it applies, one GPU or NumPy is "
                 "the faster machine.",
        .before = R"py(def total(sources):
    result = 0.0
    for s in sources:
        result += np.sum(s)
    return result
)py",
        .after = R"py(def total(sources):
    return np.sum(np.stack(sources))
)py",
        .proof = "Identical bits where components are merged; sums differ in the order of additions."},
    Recipe{.name = "RR-extent",
           .title = "a batch that suits the number of GPUs",
           .advice = "pad the batch to a multiple of the number of GPUs and slice the rest off, or choose a number of "
                     "GPUs that divides it",
           .needs = "Members that can be added without harm: identity matrices, zero signals.",
           .before = R"py(def invert(stack):
    eye = np.zeros_like(stack)
    eye[:] = np.eye(stack.shape[1])
    return np.linalg.solve(stack, eye)
)py",
           .after = R"py(def invert(stack, gpus):
    m, n = stack.shape[0], stack.shape[1]
    padded = np.zeros((m + -m % gpus, n, n))
    padded[:] = np.eye(n)
    eye = padded.copy()
    padded[:m] = stack
    return np.linalg.solve(padded, eye)[:m]
)py",
           .proof = "The added members enter no reduction; equal up to rounding."},
    Recipe{.name = "RR-layout",
           .title = "one layout per phase",
           .advice =
               "choose the layout that is used most, transpose once before the phase, and say the rest by `axis=`, "
               "broadcasting or `einsum` letters",
           .needs = "The array does not change between the two uses, or the work along one axis can be done for all "
                    "passes before the work along the other.",
           .before = R"py(def weigh(u, w, n):
    for _ in range(n):
        u = (u.T * w).T
    return u
)py",
           .after = R"py(def weigh(u, w, n):
    col = w[:, None]
    for _ in range(n):
        u = u * col
    return u
)py",
           .proof = "Identical bits; strides of the result may differ."},
    Recipe{.name = "RR-shift",
           .title = "ghost cells instead of `roll`",
           .advice = "keep ghost layers, refresh them by two thin slice copies per pass, and use stencil slices",
           .needs = "Shifts by small constants with periodic ends.",
           .before = R"py(def diffuse(u, c, n):
    for _ in range(n):
        u = u + c * (np.roll(u, 1) - 2 * u + np.roll(u, -1))
    return u
)py",
           .after = R"py(def diffuse(u, c, n):
    g = np.zeros(u.shape[0] + 2, dtype=u.dtype)
    g[1:-1] = u
    for _ in range(n):
        g[:1] = g[-2:-1]
        g[-1:] = g[1:2]
        g[1:-1] = g[1:-1] + c * (g[:-2] - 2 * g[1:-1] + g[2:])
    return g[1:-1].copy()
)py",
           .proof = "Identical bits for float arrays; 2-D needs its corners."},
    Recipe{.name = "RR-hint",
           .title = "tell the runtime about ghost layers",
           .advice =
               "on cuPyNumeric, `a.stencil_hint(low, high)` before the first slice keeps neighbours in one allocation",
           .needs = "The program is ported: NumPy arrays have no such method.",
           .before = R"py(def smooth(a):
    return a[:-2] + a[1:-1] + a[2:]
)py",
           .after = R"py(def smooth(a):
    a.stencil_hint((1,), (1,))
    return a[:-2] + a[1:-1] + a[2:]
)py",
           .proof = "Changes where data lives, not what it is."},
};

}  // namespace

std::span<const Recipe> Structure() { return kStructure; }

}  // namespace cpnlint::rules::recipes
