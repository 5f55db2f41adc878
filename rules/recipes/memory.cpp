#include <array>

#include "rules/recipes/recipe.h"

namespace cpnlint::rules::recipes {
namespace {

constexpr std::array kMemory = {
    Recipe{.name = "RR-fit",
           .title = "fit the memory pool",
           .advice =
               "give a larger pool (`--fbmem`), drop or reuse arrays that are not needed any more, work in place, "
               "take a narrower dtype, or more GPUs",
           .needs = "Nobody uses the old values. Flags are per process: with several processes on a node, all their "
                    "pools together have to fit.",
           .before = R"py(def power(raw, gain):
    clean = raw * gain
    square = clean * clean
    return square.sum()
)py",
           .after = R"py(def power(raw, gain):
    raw *= gain
    raw *= raw
    return raw.sum()
)py",
           .proof = "Identical bits; `raw` is changed, so it must be dead at every call."},
    Recipe{.name = "RR-release",
           .title = "let go of what is not used any more",
           .advice =
               "`del` the name before the next phase, compute in a function of its own, or reuse the array by `out=`",
           .needs = "The array is no parameter, no global and captured by nothing.",
           .before = R"py(def smooth(n, steps):
    raw = np.ones(n)
    power = raw * raw
    for _ in range(steps):
        power *= 0.5
    return power
)py",
           .after = R"py(def smooth(n, steps):
    raw = np.ones(n)
    power = raw * raw
    del raw
    for _ in range(steps):
        power *= 0.5
    return power
)py",
           .proof = "Identical bits."},
    Recipe{.name = "RR-offload",
           .title = "let an idle array wait in host memory",
           .advice = "`offload_to(array, target=StoreTarget.SYSMEM)` of `legate.core` before the phase; the next use "
                     "brings it back",
           .needs = "The host's pool has room, and the phase is long beside two copies over the host link.",
           .before = R"py(def both(u, table, steps):
    for _ in range(steps):
        u *= 0.5
    return u.sum() + table.sum()
)py",
           .after = R"py(def both(u, table, steps, offload):
    offload(table)
    for _ in range(steps):
        u *= 0.5
    return u.sum() + table.sum()
)py",
           .proof = "Identical bits; `offload` stands for the call of `offload_to`."},
    Recipe{.name = "RR-reduce-first",
           .title = "reduce on the device, then gather",
           .advice = "take means over blocks or a slice on the device and convert that",
           .needs = "The reader does with less: a picture has fewer points than the array.",
           .before = R"py(def picture(u):
    return u.tolist()
)py",
           .after = R"py(def picture(u):
    ny, nx = u.shape[0] // 8, u.shape[1] // 8
    blocks = u[: 8 * ny, : 8 * nx].reshape(ny, 8, nx, 8)
    return blocks.mean(axis=(1, 3)).tolist()
)py",
           .proof = "Other data on purpose: one mean for 64 values."},
};

}  // namespace

std::span<const Recipe> Memory() { return kMemory; }

}  // namespace cpnlint::rules::recipes
