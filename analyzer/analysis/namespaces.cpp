#include <algorithm>
#include <array>

#include "analyzer/analysis/callee_names.h"
#include "analyzer/analysis/impl.h"

namespace cpnlint::analysis {
namespace {

// Libraries that take host data: their functions gather a device array, their results are host objects (rules.md R117,
// R301).
constexpr auto kForeignLibraries = std::to_array<std::string_view>({
    "PIL",        "anndata",  "astropy",      "bokeh",    "cffi",        "csv",     "ctypes", "cv2",
    "dask",       "h5netcdf", "h5py",         "healpy",   "imageio",     "joblib",  "json",   "lightgbm",
    "matplotlib", "meshio",   "mpl_toolkits", "netCDF4",  "networkx",    "numba",   "pandas", "pickle",
    "plotly",     "polars",   "pyarrow",      "pyfftw",   "pylab",       "pyvista", "scipy",  "seaborn",
    "shapely",    "skimage",  "sklearn",      "sksparse", "statsmodels", "sympy",   "tables", "tensorflow",
    "tifffile",   "tqdm",     "vtk",          "wandb",    "xarray",      "xgboost", "zarr",
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
  if (IsOneOf(dotted, {"scipy.spatial.distance.cdist", "scipy.spatial.distance.pdist",
                       "scipy.spatial.distance.squareform", "scipy.spatial.distance_matrix"}))
    return true;
  return std::ranges::any_of(kModules, [&](std::string_view module) {
    // A function of the module itself, not the method of an object that one gave.
    return StartsWithModule(dotted, module) && dotted.find('.', module.size() + 1) == std::string_view::npos;
  });
}

HostParts HostPartsGiven(const Interner& names, std::string_view dotted, const ir::CallShape& call) {
  struct Tuple {
    std::string_view name;
    HostParts parts;
  };
  constexpr auto kTuples = std::to_array<Tuple>({{"scipy.integrate.odeint", {1, 0}},
                                                 {"scipy.linalg.eig", {2, 0}},
                                                 {"scipy.linalg.eigh", {2, 0}},
                                                 {"scipy.linalg.ldl", {3, 0}},
                                                 {"scipy.linalg.lu", {3, 0}},
                                                 {"scipy.linalg.lu_factor", {2, 0}},
                                                 {"scipy.linalg.polar", {2, 0}},
                                                 {"scipy.linalg.qr", {2, 0}},
                                                 {"scipy.linalg.qz", {4, 0}},
                                                 {"scipy.linalg.rq", {2, 0}},
                                                 {"scipy.linalg.schur", {2, 0}},
                                                 {"scipy.linalg.svd", {3, 0}},
                                                 {"scipy.ndimage.label", {1, 1}},
                                                 {"scipy.optimize.curve_fit", {2, 0}},
                                                 {"scipy.optimize.fmin", {1, 0}},
                                                 {"scipy.optimize.fmin_bfgs", {1, 0}},
                                                 {"scipy.optimize.fmin_cg", {1, 0}},
                                                 {"scipy.optimize.fmin_ncg", {1, 0}},
                                                 {"scipy.optimize.fmin_powell", {1, 0}},
                                                 {"scipy.optimize.fsolve", {1, 0}},
                                                 {"scipy.optimize.leastsq", {1, 1}},
                                                 {"scipy.optimize.linear_sum_assignment", {2, 0}}});
  const auto found = std::ranges::find(kTuples, dotted, &Tuple::name);
  if (found == kTuples.end()) return {};
  // With `eigvals_only=True`, `pivoting=True` and the like there are fewer parts, or more.
  constexpr auto kForms =
      std::to_array<std::string_view>({"compute_uv", "eigvals_only", "full_output", "left", "mode", "output",
                                       "permute_l", "pivoting", "retall", "right", "sort"});
  const bool other = std::ranges::any_of(call.keywords, [&](Symbol keyword) {
    return !keyword.valid() || std::ranges::find(kForms, names.Text(keyword)) != kForms.end();
  });
  // label(u, structure, output) gives the number alone.
  constexpr std::uint32_t kBeforeOutput = 2;
  if (found->parts.numbers != 0 && call.positional > kBeforeOutput) return {};
  return other ? HostParts{} : found->parts;
}

bool IsWorkerLibrary(std::string_view dotted) {
  const std::string_view top = dotted.substr(0, dotted.find('.'));
  return std::binary_search(kWorkerLibraries.begin(), kWorkerLibraries.end(), top);
}

bool IsHostAlias(std::string_view name) { return std::binary_search(kHostAliases.begin(), kHostAliases.end(), name); }

// A module is of a ported program where it imports cuPyNumeric itself, or shares an importer with a module that does
// (each importer counts as its own importer): the script that imports both runs them together.
void ChooseModes(Facts::Impl& impl) {
  const ir::Program& program = impl.program;
  const std::size_t count = program.modules.size();
  impl.modes = IdVector<ir::ModuleId, Mode>(count, Mode::kPrePort);
  std::vector<std::vector<ir::ModuleId>> imports(count), importers(count);
  const auto link = [&](ir::ModuleId from, ir::ModuleId to) {
    if (!to.valid() || from == to) return;
    imports[from.index()].push_back(to);
    importers[to.index()].push_back(from);
  };
  std::vector<ir::ModuleId> above;  // modules from which one that imports cuPyNumeric is reached
  std::vector<bool> is_above(count, false);
  for (std::size_t i = 0; i < program.ops.size(); ++i) {
    const ir::Op& op = program.ops[ir::ValueId(i)];
    if (op.kind != ir::OpKind::kImport) continue;
    const ir::ImportRecord& record = program.imports[op.payload];
    const ir::ModuleId importer = program.functions[program.FunctionOf(ir::ValueId(i))].module;
    link(importer, record.target);
    link(importer, record.submodule);
    if (record.level != 0 || !IsPortedImport(program.names.Text(record.module)) || is_above[importer.index()]) continue;
    is_above[importer.index()] = true;
    above.push_back(importer);
  }
  if (above.empty()) return;
  for (std::size_t i = 0; i < count; ++i) {
    for (const ir::ModuleId star : program.modules[ir::ModuleId(i)].star_targets) link(ir::ModuleId(i), star);
    for (const auto& [name, module] : program.modules[ir::ModuleId(i)].imported) link(ir::ModuleId(i), module);
  }
  for (std::size_t i = 0; i < above.size(); ++i) {
    for (const ir::ModuleId importer : importers[above[i].index()]) {
      if (is_above[importer.index()]) continue;
      is_above[importer.index()] = true;
      above.push_back(importer);
    }
  }
  std::vector<ir::ModuleId> reached = std::move(above);
  for (const ir::ModuleId module : reached) impl.modes[module] = Mode::kPorted;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    for (const ir::ModuleId module : imports[reached[i].index()]) {
      if (impl.modes[module] == Mode::kPorted) continue;
      impl.modes[module] = Mode::kPorted;
      reached.push_back(module);
    }
  }
}

bool Facts::IsPorted(ir::ModuleId module) const { return impl_->modes[module] == Mode::kPorted; }

}  // namespace cpnlint::analysis
