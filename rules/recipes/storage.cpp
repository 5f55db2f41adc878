#include <array>

#include "rules/recipes/recipe.h"

namespace cpnlint::rules::recipes {
namespace {

constexpr std::array kStorage = {
    Recipe{.name = "RR-alloc",
           .title = "one buffer outside of the loop",
           .advice = "make the buffer once in front of the loop and write into it (`out=`)",
           .needs = "Extents and dtype do not change, and each pass overwrites all that it reads. A buffer that is "
                    "returned or stored must not be shared.",
           .before = R"py(def upwind(u, n):
    for _ in range(n):
        flux = np.zeros_like(u)
        flux[1:] = u[1:] - u[:-1]
        u = u - 0.2 * flux
    return u
)py",
           .after = R"py(def upwind(u, n):
    flux = np.zeros_like(u)
    for _ in range(n):
        np.subtract(u[1:], u[:-1], out=flux[1:])
        u = u - 0.2 * flux
    return u
)py",
           .proof = "Identical bits."},
    Recipe{.name = "RR-inplace",
           .title = "update the array that is there",
           .advice = "update in place (`x += e`); start from a copy where the array came from outside",
           .needs = "No other name reaches the array, and the result has its shape and dtype.",
           .before = R"py(def drift(pos, vel, dt, n):
    for _ in range(n):
        pos = pos + dt * vel
    return pos
)py",
           .after = R"py(def drift(pos, vel, dt, n):
    pos = pos.copy()
    for _ in range(n):
        pos += dt * vel
    return pos
)py",
           .proof = "Identical bits; integer `pos` with float `dt`, and a `vel` that is a shifted view of `pos`, are "
                    "excluded."},
    Recipe{.name = "RR-stack",
           .title = "preallocate instead of joining",
           .advice =
               "make the final array once and write slot i of it; else collect in a list and join once after the loop",
           .needs = "The number of passes is known, the pieces have one shape, and nothing reads the growing array "
                    "inside of the loop.",
           .before = R"py(def track(p, v, dt, n):
    path = p[None, :]
    for _ in range(n):
        p = p + dt * v
        path = np.vstack([path, p])
    return path
)py",
           .after = R"py(def track(p, v, dt, n):
    path = np.zeros((n + 1, p.shape[0]), dtype=p.dtype)
    path[0] = p
    for i in range(n):
        p = p + dt * v
        path[i + 1] = p
    return path
)py",
           .proof = "Identical bits where the pieces have the dtype of the first."},
    Recipe{.name = "RR-collect",
           .title = "fill a vector instead of a list",
           .advice = "write the values into a vector by index instead of appending them to a list",
           .needs = "The number of passes is known before the loop.",
           .before = R"py(def means(frames):
    out = []
    for i in range(frames.shape[0]):
        out.append(frames[i].mean())
    return np.asarray(out)
)py",
           .after = R"py(def means(frames):
    return frames.reshape(frames.shape[0], -1).mean(axis=1)
)py",
           .proof = "Equal up to the order of additions; no frames at all must be handled apart."},
    Recipe{.name = "RR-mask",
           .title = "mask write instead of index write",
           .advice = "keep the mask: `x[mask] = s`, `np.putmask(x, mask, y)`, `np.count_nonzero(mask)`",
           .needs = "The positions are used for nothing but indexing arrays of the mask's shape.",
           .before = R"py(def dry_out(h, b, dry):
    i = np.nonzero(dry)
    h[i] = b[i]
    return h
)py",
           .after = R"py(def dry_out(h, b, dry):
    np.putmask(h, dry, b)
    return h
)py",
           .proof = "Identical bits for equal shapes (`putmask` repeats shorter values, so shapes must be equal)."},
    Recipe{
        .name = "RR-masked-reduce",
        .title = "reduce with `where=`",
        .advice = "hand the mask to the reduction: `np.sum(q, where=mask)`; `max` and `min` need `initial`",
        .needs = "The selection is only reduced.",
        .before = R"py(def above(q, lim):
    return q[q > lim].sum()
)py",
        .after = R"py(def above(q, lim):
    return np.sum(q, where=q > lim)
)py",
        .proof = "Equal up to the order of additions; an empty selection raises in `max` and gives `initial` with it."},
    Recipe{.name = "RR-masked-update",
           .title = "masked arithmetic without compaction",
           .advice = "compute on the whole array with a guarded operand and put the result through the mask",
           .needs = "The mask has the array's shape; the function is defined everywhere once its operand is guarded.",
           .before = R"py(def react(c, wet, src):
    c[wet] = np.log(c[wet]) + src[wet]
    return c
)py",
           .after = R"py(def react(c, wet, src):
    safe = np.where(wet, c, 1.0)
    np.putmask(c, wet, np.log(safe) + src)
    return c
)py",
           .proof = "Identical bits where the function is the same for each element."},
    Recipe{.name = "RR-reshape",
           .title = "reshape once",
           .advice = "reshape once in front of the loop, or keep the data in the shape in which it is worked on",
           .needs = "Neither the source nor the result is written in the loop, since cuPyNumeric's reshape may copy.",
           .before = R"py(def weigh(f, w, n):
    acc = 0.0
    for _ in range(n):
        acc = acc + (f.reshape(w.shape) * w).sum()
    return acc
)py",
           .after = R"py(def weigh(f, w, n):
    g = f.reshape(w.shape)
    acc = 0.0
    for _ in range(n):
        acc = acc + (g * w).sum()
    return acc
)py",
           .proof = "Identical bits."},
    Recipe{.name = "RR-view",
           .title = "write through the source",
           .advice = "write to the array itself, or assign the changed copy back",
           .needs = "How the view's positions map to the source's is known.",
           .before = R"py(def poke(m, k, v):
    m.ravel()[k] = v
    return m
)py",
           .after = R"py(def poke(m, k, v):
    m[k // m.shape[1], k % m.shape[1]] = v
    return m
)py",
           .proof = "Identical bits for a contiguous `m`."},
    Recipe{.name = "RR-create",
           .title = "the right dtype at birth",
           .advice = "ask for the dtype where the array is made: `np.ones(n, dtype=np.float32)`",
           .needs = "The function takes a dtype.",
           .before = R"py(def table(n):
    return np.ones((n, 3)).astype(np.float32)
)py",
           .after = R"py(def table(n):
    return np.ones((n, 3), dtype=np.float32)
)py",
           .proof = "Identical bits for constants; random draws differ."},
};

}  // namespace

std::span<const Recipe> Storage() { return kStorage; }

}  // namespace cpnlint::rules::recipes
