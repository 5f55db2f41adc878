#pragma once

// What `np.load` gives: an array, or an archive of arrays where the file is a .npz.

#include <string_view>

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

// The text that a path ends with, as far as it is written out: ".npz" of `os.path.join(folder, name + ".npz")` and of
// `Path(folder) / "table.npz"` at least. Empty where nothing of it is known.
[[nodiscard]] std::string_view EndOfPath(const ir::Program& program, ir::ValueId path);

// `file["u"]`, `file.files`, `file.items()`, `dict(file)`, `with file as members`: no array is used like that.
[[nodiscard]] bool UsesArchive(const ir::Program& program, ir::ValueId use);

// The result of this call of `load` is an array: its path ends in .npy, or something is done with it that raises with
// an archive. False where nobody knows.
[[nodiscard]] bool LoadsArray(const Facts::Impl& impl, ir::ValueId call);

}  // namespace cpnlint::analysis
