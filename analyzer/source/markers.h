#pragma once

// What lies in a project beside the code and tells whether a port can be run, timed and checked: launch scripts,
// benchmarks, reference data, tests. Found by names and by a few words; nothing is parsed.

#include <string>
#include <vector>

namespace cpnlint::source {

// Paths as users see them, sorted, a few of each kind.
struct Markers {
  std::vector<std::string> launchers;        // start something with mpirun, srun or legate
  std::vector<std::string> benchmarks;       // files or folders
  std::vector<std::string> references;       // folders of expected results
  std::vector<std::string> tolerance_tests;  // tests that compare with tolerances
  std::vector<std::string> exact_tests;      // tests that hash the bytes of arrays
  std::vector<std::string> other_systems;    // CI configurations that name macOS or Windows
};

// Of the project that the paths belong to: the nearest folder upwards of the first one that holds a repository or a
// package, else the folder itself. Bounded in files and bytes; what cannot be read is left out.
[[nodiscard]] Markers FindMarkers(const std::vector<std::string>& paths);

}  // namespace cpnlint::source
