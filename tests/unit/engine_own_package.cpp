#include "tests/unit/engine_run.h"

namespace {

const char* const kFiltering =
    "import numpy as np\n"
    "from skimage.filters import sobel\n"
    "def smooth(n, steps):\n"
    "    u = np.ones((n, n), dtype=np.float32)\n"
    "    for _ in range(steps):\n"
    "        u *= 0.9\n"
    "        edges = sobel(u)\n"
    "    return u, edges\n";

}  // namespace

TEST_CASE("another package's function takes arrays to the host") {
  const Snippet snippet(kFiltering, {}, "tools/smooth.py");
  CHECK(snippet.Findings() == std::vector<std::string>{"R301@2", "R117@7"});
}

TEST_CASE("a package that imports itself by its full name calls its own code") {
  const Snippet snippet(kFiltering, {}, "src/skimage/restoration/smooth.py");
  CHECK(snippet.Findings().empty());
}
