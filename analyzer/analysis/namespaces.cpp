#include <algorithm>
#include <array>

#include "analyzer/analysis/impl.h"

namespace cpnlint::analysis {
namespace {

// Libraries that take host data: their functions gather a device array, their results are host objects (rules.md R117,
// R301).
constexpr auto kForeignLibraries = std::to_array<std::string_view>({
    "PIL",      "astropy",      "bokeh",    "cffi",        "csv",     "ctypes", "cv2",        "dask",
    "h5netcdf", "h5py",         "healpy",   "imageio",     "joblib",  "json",   "lightgbm",   "matplotlib",
    "meshio",   "mpl_toolkits", "netCDF4",  "networkx",    "numba",   "pandas", "pickle",     "plotly",
    "polars",   "pyarrow",      "pyfftw",   "pylab",       "pyvista", "scipy",  "seaborn",    "shapely",
    "skimage",  "sklearn",      "sksparse", "statsmodels", "sympy",   "tables", "tensorflow", "tifffile",
    "tqdm",     "vtk",          "wandb",    "xarray",      "xgboost", "zarr",
});

// Libraries that run functions of the program in other processes or threads (rules.md R118). What they hand over are
// the program's own arrays.
constexpr auto kWorkerLibraries = std::to_array<std::string_view>({
    "concurrent",
    "dask",
    "distributed",
    "ipyparallel",
    "joblib",
    "multiprocess",
    "multiprocessing",
    "pathos",
    "ray",
    "threading",
});

// A.3: a second numpy binding under one of these names is the host namespace.
constexpr auto kHostAliases =
    std::to_array<std::string_view>({"_onp", "cpu_np", "hnp", "host_np", "numpy_host", "onp"});

bool IsPortedImport(std::string_view module) {
  return StartsWithModule(module, "cupynumeric") || StartsWithModule(module, "cunumeric") ||
         StartsWithModule(module, "legate.numpy");
}

}  // namespace

bool StartsWithModule(std::string_view dotted, std::string_view module) {
  return dotted.starts_with(module) && (dotted.size() == module.size() || dotted[module.size()] == '.');
}

bool IsForeignLibrary(std::string_view dotted) {
  const std::string_view top = dotted.substr(0, dotted.find('.'));
  return std::binary_search(kForeignLibraries.begin(), kForeignLibraries.end(), top);
}

bool GivesHostArray(std::string_view dotted) {
  constexpr auto kModules =
      std::to_array<std::string_view>({"scipy.fft", "scipy.ndimage", "scipy.signal", "scipy.special"});
  return std::ranges::any_of(kModules, [&](std::string_view module) {
    // A function of the module itself, not the method of an object that one gave.
    return StartsWithModule(dotted, module) && dotted.find('.', module.size() + 1) == std::string_view::npos;
  });
}

bool IsWorkerLibrary(std::string_view dotted) {
  const std::string_view top = dotted.substr(0, dotted.find('.'));
  return std::binary_search(kWorkerLibraries.begin(), kWorkerLibraries.end(), top);
}

bool IsHostAlias(std::string_view name) { return std::binary_search(kHostAliases.begin(), kHostAliases.end(), name); }

void ChooseModes(Facts::Impl& impl) {
  const ir::Program& program = impl.program;
  impl.modes = IdVector<ir::ModuleId, Mode>(program.modules.size(), Mode::kPrePort);
  for (std::size_t i = 0; i < program.ops.size(); ++i) {
    const ir::Op& op = program.ops[ir::ValueId(i)];
    if (op.kind != ir::OpKind::kImport) continue;
    const ir::ImportRecord& record = program.imports[op.payload];
    if (record.level != 0 || !IsPortedImport(program.names.Text(record.module))) continue;
    const ir::FunctionId function = program.FunctionOf(ir::ValueId(i));
    impl.modes[program.functions[function].module] = Mode::kPorted;
  }
}

bool Facts::IsPorted(ir::ModuleId module) const { return impl_->modes[module] == Mode::kPorted; }

}  // namespace cpnlint::analysis
