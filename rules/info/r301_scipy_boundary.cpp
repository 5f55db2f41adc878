// R301 scipy-boundary: a library that works on host arrays, fed with device arrays.

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analyzer/analysis/foreign_looks.h"
#include "analyzer/analysis/sparse_tests.h"
#include "analyzer/api/api.h"
#include "rules/engine/rule.h"
#include "rules/match/device_call.h"
#include "rules/match/own_package.h"
#include "rules/match/story.h"

namespace cpnlint::rules::r301 {

using analysis::Callee;
using ir::OpKind;

constexpr std::size_t kMostLabels = 3;
constexpr std::size_t kMostResults = 16;  // values on the host that one result is followed through

// "scipy.ndimage" of "scipy.ndimage.zoom", "pandas" of "pandas.DataFrame"; empty for libraries that do not count.
static std::string_view LibraryOf(std::string_view dotted) {
  const std::size_t dot = dotted.find('.');
  const std::string_view root = dotted.substr(0, dot);
  if (!match::IsOneOf(root, {"scipy", "sklearn", "pandas", "cv2", "skimage", "xarray", "PIL", "statsmodels", "pywt"}))
    return {};
  if ((root != "scipy" && root != "skimage" && root != "sklearn") || dot == std::string_view::npos) return root;
  const std::string_view part = dotted.substr(dot + 1, dotted.find('.', dot + 1) - dot - 1);
  const bool function =
      (root == "scipy" && !match::IsOneOf(part, {"cluster", "differentiate", "fft", "fftpack", "integrate",
                                                 "interpolate", "io", "linalg", "misc", "ndimage", "optimize", "signal",
                                                 "sparse", "spatial", "special", "stats", "odr", "constants"})) ||
      (root == "skimage" && !match::IsOneOf(part, {"color", "data", "draw", "exposure", "feature", "filters", "future",
                                                   "graph", "io", "measure", "metrics", "morphology", "registration",
                                                   "restoration", "segmentation", "transform", "util"}));
  return function ? root : dotted.substr(0, dotted.find('.', dot + 1));
}

using analysis::EvidenceSet;

// What is weaker than proof in the firmest of several facts, each of which would do.
static void KeepFirmer(std::optional<EvidenceSet>& firmest, EvidenceSet evidence) {
  if (!firmest || std::popcount(evidence) < std::popcount(*firmest)) firmest = evidence;
}

// Where the op stands, the value is an array of the device, or a display that holds one: `{"u": u}`.
static std::optional<EvidenceSet> HoldsDevice(const Facts& facts, ir::ValueId value, ir::ValueId op) {
  std::optional<EvidenceSet> firmest;
  if (!value.valid()) return firmest;
  const auto is_device = [&](ir::ValueId id) { return facts.IsDevice(id) && !analysis::IsSparseAt(facts, id, op); };
  if (is_device(value)) return facts.Of(value).evidence;
  const OpKind kind = facts.program().ops[value].kind;
  if (kind != OpKind::kTuple && kind != OpKind::kList && kind != OpKind::kStarred && kind != OpKind::kDict)
    return firmest;
  for (const ir::ValueId element : facts.program().Operands(value)) {
    if (element.valid() && is_device(element)) KeepFirmer(firmest, facts.Of(element).evidence);
  }
  return firmest;
}

// Functions that work on arrays and nothing else, so that what they give is one.
static bool IsMadeOfArrays(std::string_view dotted) {
  return match::IsOneOf(LibraryOf(dotted), {"scipy.fft", "scipy.ndimage", "scipy.signal"});
}

// `np.where(abs(hilbert(trace)) == top)`: by way of what the host makes of it.
static bool ReachesDevice(const Facts& facts, ir::ValueId call) {
  std::vector<ir::ValueId> results = {call};
  for (std::size_t i = 0; i < results.size() && i < kMostResults; ++i) {
    for (const ir::ValueId use : facts.UsesOf(results[i])) {
      const OpKind kind = facts.program().ops[use].kind;
      const Callee& callee = facts.CalleeOf(kind == OpKind::kCall ? use : call);
      if (facts.IsDevice(use) || (kind == OpKind::kCall && match::AsDeviceCall(facts, use))) return true;
      const bool of_host = kind == OpKind::kBinary || kind == OpKind::kUnary || kind == OpKind::kCompare ||
                           (kind == OpKind::kCall && callee.kind == Callee::Kind::kBuiltin && callee.name == "abs");
      if (of_host) results.push_back(use);
    }
  }
  return false;
}

// `sparse.vstack([a, sparse.csr_array(b)])`: what is joined with a sparse matrix is one, unless it is an array for
// sure.
static bool JoinsSparse(const Facts& facts, std::string_view called, ir::ValueId parts) {
  if (!match::IsOneOf(called, {"scipy.sparse.block_array", "scipy.sparse.block_diag", "scipy.sparse.bmat",
                               "scipy.sparse.hstack", "scipy.sparse.vstack"}))
    return false;
  const OpKind kind = parts.valid() ? facts.program().ops[parts].kind : OpKind::kNone;
  if (kind != OpKind::kTuple && kind != OpKind::kList) return false;
  return std::ranges::any_of(facts.program().Operands(parts), [&](ir::ValueId part) {
    const analysis::Value& value = facts.Of(part);
    return value.kind == analysis::Kind::kForeign &&
           facts.program().names.Text(value.name).starts_with("scipy.sparse.");
  });
}

// `xr.DataArray(u, dims=..., coords=...)` keeps the array that it wraps as it is; coordinates become an index on the
// host.
static bool WrapsAsItIs(const Facts& facts, ir::ValueId call, ir::ValueId operand) {
  const std::string_view name = facts.CalleeOf(call).name;
  if (!name.starts_with("xarray.")) return false;
  const bool array = name.ends_with(".DataArray") && name.find('.') == name.rfind('.');
  if (array) return operand == facts.Argument(call, 0, "data");
  if (name.ends_with(".attrs.update")) return true;  // a dict of Python
  if (name.ends_with(".Variable")) return operand == facts.Argument(call, 1, "data");
  return name.ends_with(".Dataset") && operand == facts.Argument(call, 0, "data_vars");
}

static bool GivesToDevice(const Facts& facts, ir::ValueId call) {
  const bool gives_array = facts.IsArray(call) || IsMadeOfArrays(facts.CalleeOf(call).name);
  return gives_array && ReachesDevice(facts, call);
}

// Array data goes in, or comes out and meets device arrays: what that rests on.
static std::optional<EvidenceSet> Crosses(const Facts& facts, ir::ValueId call) {
  std::optional<EvidenceSet> firmest;
  for (const ir::ValueId operand : facts.program().Operands(call).subspan(1)) {
    if (WrapsAsItIs(facts, call, operand)) continue;
    const std::optional<EvidenceSet> evidence = HoldsDevice(facts, operand, call);
    if (!evidence || (*evidence != 0 && JoinsSparse(facts, facts.CalleeOf(call).name, operand))) continue;
    KeepFirmer(firmest, *evidence);
  }
  if (!firmest && GivesToDevice(facts, call)) firmest = EvidenceSet{0};
  return firmest;
}

// Device arrays are among what the call is given.
static bool TakesDevice(const Facts& facts, ir::ValueId call) {
  return std::ranges::any_of(facts.program().Operands(call).subspan(1), [&](ir::ValueId operand) {
    return !WrapsAsItIs(facts, call, operand) && HoldsDevice(facts, operand, call).has_value();
  });
}

// `np.asarray(Image.open(path))`, `np.array(frame["u"])`: what an object of the library holds becomes an array.
static std::string_view LibraryConverted(const Facts& facts, ir::ValueId op) {
  const match::DeviceCall call = match::AsDeviceCall(facts, op);
  if (call.method || !match::IsOneOf(call.base, {"array", "asanyarray", "asarray", "ascontiguousarray"})) return {};
  const ir::ValueId object = facts.Argument(op, 0, "object");
  if (!object.valid() || facts.Of(object).kind != analysis::Kind::kForeign) return {};
  const ir::ValueId made = facts.Source(object);  // a call that crosses is counted by itself
  const bool counted = made.valid() && facts.program().ops[made].kind == OpKind::kCall && Crosses(facts, made);
  return counted ? std::string_view() : LibraryOf(facts.program().names.Text(facts.Of(object).name));
}

// `frame["u"] = u`: an array goes into an object of the library.
static std::string_view LibraryFilled(const Facts& facts, ir::ValueId op) {
  const ir::Program& program = facts.program();
  if (program.ops[op].kind != OpKind::kStoreSubscript) return {};
  const analysis::Value& object = facts.Of(program.Operand(op, 0));
  if (object.kind != analysis::Kind::kForeign || !HoldsDevice(facts, program.Operand(op, 1), op)) return {};
  if (program.names.Text(object.name) == "xarray.Dataset") return {};  // wraps it as it is
  return LibraryOf(program.names.Text(object.name));
}

// What is called hot is known as firmly as that the call crosses.
static bool IsHotAsSurely(const Facts& facts, ir::ValueId call, EvidenceSet crosses) {
  const analysis::Heat& heat = facts.HeatOf(call);
  return heat.hot && analysis::ConfidenceOf(heat.evidence) >= analysis::ConfidenceOf(crosses);
}

// The calls that are known as firmly as the firmest one.
struct Crossings {
  std::vector<ir::ValueId> calls;
  std::size_t hot = 0;
  analysis::Confidence confidence = analysis::Confidence::kPossible;
  EvidenceSet evidence = 0;

  void Add(ir::ValueId call, EvidenceSet rests_on, bool is_hot) {
    const analysis::Confidence known = analysis::ConfidenceOf(rests_on);
    if (!calls.empty() && known < confidence) return;
    if (calls.empty() || known > confidence) {
      calls.clear();
      hot = 0;
      confidence = known;
      evidence = rests_on;
    }
    calls.push_back(call);
    if (is_hot) ++hot;
  }
};

static std::map<std::string_view, Crossings> FindCrossings(const Facts& facts, ir::ModuleId module) {
  const ir::Program& program = facts.program();
  std::map<std::string_view, Crossings> found;
  for (std::size_t f = program.modules[module].first_function.index(); f < program.modules[module].end_function.index();
       ++f) {
    for (const ir::ValueId call : program.functions[ir::FunctionId(f)].calls) {
      const Callee& callee = facts.CalleeOf(call);
      if (callee.kind != Callee::Kind::kForeign) continue;
      const std::string_view library = LibraryOf(callee.name);
      if (library.empty() || facts.IsDead(call) || analysis::ReadsNoItems(callee.name)) continue;
      const std::optional<EvidenceSet> evidence = Crosses(facts, call);
      if (!evidence || match::IsOwnPackage(facts, call, library)) continue;
      found[library].Add(call, *evidence, IsHotAsSurely(facts, call, *evidence));
    }
    const ir::Function& function = program.functions[ir::FunctionId(f)];
    for (std::size_t i = function.first_op.index(); i < function.end_op.index(); ++i) {
      const ir::ValueId op(i);
      const OpKind kind = program.ops[op].kind;
      if (kind != OpKind::kCall && kind != OpKind::kStoreSubscript) continue;
      const bool fills = kind == OpKind::kStoreSubscript;
      const std::string_view library = fills ? LibraryFilled(facts, op) : LibraryConverted(facts, op);
      if (library.empty() || facts.IsDead(op) || match::IsOwnPackage(facts, op, library)) continue;
      const EvidenceSet evidence =
          fills ? *HoldsDevice(facts, program.Operand(op, 1), op) : facts.Of(facts.Argument(op, 0, "object")).evidence;
      found[library].Add(op, evidence, IsHotAsSurely(facts, op, evidence));
    }
  }
  return found;
}

// What the calls hand over, to the host or back.
static std::string_view WhyOf(const Facts& facts, const Crossings& crossings) {
  bool into = false, back = false;
  for (const ir::ValueId op : crossings.calls) {
    if (facts.program().ops[op].kind == OpKind::kStoreSubscript) {
      into = true;
    } else if (facts.CalleeOf(op).kind == Callee::Kind::kForeign) {
      into = into || TakesDevice(facts, op);
      back = back || GivesToDevice(facts, op);
    } else {
      back = true;
    }
  }
  if (into && back) return {};
  if (into) return "what such a call is given is gathered to the host, and Python waits for that";
  return "what such a call gives is in host memory, and is copied to the device where that goes on with it";
}

// The first import of the library in the module that the calls can come from.
static ir::ValueId ImportOf(const Facts& facts, ir::ModuleId module, std::string_view library) {
  const ir::Program& program = facts.program();
  ir::ValueId whole;
  for (std::size_t f = program.modules[module].first_function.index(); f < program.modules[module].end_function.index();
       ++f) {
    const ir::Function& function = program.functions[ir::FunctionId(f)];
    for (const ir::BlockId block : function.blocks) {
      for (const ir::ValueId op : program.blocks[block].ops) {
        if (program.ops[op].kind != OpKind::kImport) continue;
        const ir::ImportRecord& record = program.imports[program.ops[op].payload];
        std::string dotted(program.names.Text(record.module));
        if (record.level != 0) continue;
        if (record.name.valid()) dotted.append(".").append(program.names.Text(record.name));
        if (LibraryOf(dotted) == library) return op;
        if (!whole.valid() && library.substr(0, dotted.size()) == dotted) whole = op;
      }
    }
  }
  return whole;
}

// It calls a function with one number after the other, between limits that are numbers as well.
static bool GoesNodeByNode(std::string_view dotted) {
  return match::IsOneOf(
      dotted, {"scipy.integrate.dblquad", "scipy.integrate.nquad", "scipy.integrate.quad", "scipy.integrate.tplquad",
               "scipy.optimize.bisect", "scipy.optimize.brent", "scipy.optimize.brenth", "scipy.optimize.brentq",
               "scipy.optimize.fminbound", "scipy.optimize.golden", "scipy.optimize.minimize_scalar",
               "scipy.optimize.ridder", "scipy.optimize.root_scalar", "scipy.optimize.toms748"});
}

// A call of `scipy.linalg` that NumPy's function of the same name answers alike: with so many positional arguments, and
// no keywords but these.
struct Alike {
  std::string_view name;
  std::size_t fewest, most;
  std::array<std::string_view, 2> keywords;
};
// `qr` has another default, `pinv` cuts off at another place, and `det` and `lstsq` are missing.
constexpr Alike kAlike[] = {
    {"inv", 1, 1, {}},
    {"solve", 2, 2, {}},
    {"norm", 1, 1, {"axis", "keepdims"}},
    {"eig", 1, 1, {}},
    {"eigvals", 1, 1, {}},
    {"eigh", 1, 1, {}},
    {"eigvalsh", 1, 1, {}},
    {"svd", 1, 2, {"full_matrices"}},
    {"cholesky", 1, 2, {"lower"}},
};

static bool IsAlike(const Facts& facts, ir::ValueId call, std::string_view function) {
  const auto* const alike = std::ranges::find(kAlike, function, &Alike::name);
  if (alike == std::end(kAlike) || facts.HasStarArguments(call)) return false;
  const std::size_t positions = facts.PositionalCount(call);
  if (positions < alike->fewest || positions > alike->most) return false;
  const ir::Program& program = facts.program();
  for (const Symbol keyword : program.Shape(program.ops[call]).keywords) {
    if (std::ranges::find(alike->keywords, program.names.Text(keyword)) == std::end(alike->keywords)) return false;
  }
  // SciPy gives the upper triangle where nothing is said, NumPy the lower one.
  return function != "cholesky" || facts.BoolOf(facts.Argument(call, 1, "lower")) == true;
}

// `scipy.linalg.inv` has its like in `numpy.linalg`, which runs on the device: the names that all their calls could go
// by.
static std::vector<std::string> NumpysOwn(const Facts& facts, const Crossings& crossings, std::string_view library) {
  std::vector<std::string> names;
  std::set<std::string> others;
  for (const ir::ValueId call : crossings.calls) {
    if (facts.program().ops[call].kind != OpKind::kCall) continue;
    const std::string_view name = facts.CalleeOf(call).name;
    if (!name.starts_with(library) || name.find('.', library.size() + 1) != std::string_view::npos) continue;
    std::string own = "np.linalg" + std::string(name.substr(library.size()));
    const api::Entry* entry = api::FindExact("numpy" + own.substr(2));
    const bool there = entry != nullptr && entry->status != api::Status::kMissing;
    if (!there || !IsAlike(facts, call, own.substr(own.rfind('.') + 1))) {
      others.insert(std::move(own));
    } else if (std::ranges::find(names, own) == names.end()) {
      names.push_back(std::move(own));
    }
  }
  std::erase_if(names, [&](const std::string& name) { return others.contains(name); });
  return names;
}

static Text Advice(const Facts& facts, const Crossings& crossings, std::string_view library) {
  constexpr std::size_t kMostNames = 4;
  if (library == "scipy.ndimage") {
    return "RR-host-boundary  `cupynumeric.ndimage.convolve` (from 26.07 on also `fourier_gaussian` and "
           "`fourier_uniform`) runs on the device; for the rest convert once with `onp.asarray` before a host phase "
           "and back with `np.asarray` after it";
  }
  if (library != "scipy.linalg")
    return "RR-host-boundary  convert once with `onp.asarray` before a host phase and back with `np.asarray` after it";
  Text advice("RR-host-boundary  ");
  const std::vector<std::string> own = NumpysOwn(facts, crossings, library);
  for (std::size_t i = 0; i < std::min(own.size(), kMostNames); ++i) {
    const bool last = i + 1 == std::min(own.size(), kMostNames);
    advice.Add(i == 0 ? "`" : last ? " and `" : ", `").Add(own[i]).Add("`");
  }
  if (!own.empty()) advice.Add(own.size() == 1 ? " runs on the device, and " : " run on the device, and ");
  return advice.Add(
      "`cupynumeric.linalg` has `cho_factor`, `cho_solve`, `solve_triangular`, `expm` and `tssvd`; for the rest "
      "convert once with `onp.asarray` before a host phase and back with `np.asarray` after it");
}

// Fires when
//   1. the module has device arrays,
//   2. a call of a library that works on host arrays takes array data or gives it back to device work, and
//   3. the library is imported in this module.
// Quiet: (a) never given arrays is condition 2, (b) TYPE_CHECKING imports do not run, (d) plotting is not in the list,
// (e) host-only modules are condition 1.
static void OnModule(const Facts& facts, ir::ModuleId module, Trial& trial) {
  const std::map<std::string_view, Crossings> found = FindCrossings(facts, module);
  if (!trial.Holds(2, !found.empty())) return;
  if (!trial.Holds(1, facts.HasDeviceArrays(module))) return;
  const ir::Program& program = facts.program();
  for (const auto& [library, crossings] : found) {
    const ir::ValueId import = ImportOf(facts, module, library);
    if (!trial.Holds(3, import.valid()) || !import.valid()) continue;
    const std::size_t count = crossings.calls.size();
    const auto goes_node_by_node = [&](ir::ValueId call) {
      return program.ops[call].kind == OpKind::kCall && GoesNodeByNode(facts.CalleeOf(call).name);
    };
    const bool numbers = std::ranges::all_of(crossings.calls, goes_node_by_node);
    Trial::Report report = trial.ReportOp(import);
    report.Arg("lib", library)
        .Arg("n", "at least " + std::to_string(count) + (count == 1 ? " call crosses" : " calls cross"))
        .Key(std::string(library))
        .Evidence(crossings.evidence)
        .Help(numbers
                  ? Text("RR-host-boundary  its function is called with one number after the other: hand over limits "
                         "as numbers of Python, `float(a)`, and keep what the function reads, also by `args=`, on the "
                         "host, as floats or arrays of `onp`")
                  : Advice(facts, crossings, library));
    if (const std::string_view why = WhyOf(facts, crossings); !numbers && !why.empty()) report.Why(why);
    if (numbers) {
      report.Why(
          "each number that goes to the host waits for what computes it, and so does each that the function hands "
          "back");
    }
    if (crossings.hot > 0) report.Arg("k", std::to_string(crossings.hot));
    for (std::size_t i = 0; i < std::min(kMostLabels, count); ++i) {
      const bool hot = IsHotAsSurely(facts, crossings.calls[i], crossings.evidence);
      const std::string what =
          goes_node_by_node(crossings.calls[i]) ? "device data goes to the host here" : "array data crosses here";
      report.Label(program.ops[crossings.calls[i]].span, what + (hot ? ", again and again" : ""));
    }
  }
}

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 301,
    .slug = "scipy-boundary",
    .family = Family::kInfo,
    .severity = Severity::kInfo,
    .cold = Severity::kInfo,
    .summary = "a library of host arrays called with device arrays",
    .message = "`{lib}` works on host arrays: {n} the boundary[[, {k} of them in hot loops]]",
    .why =
        "each call gathers its arguments to the host and waits for them; the result is a host array that is copied in "
        "again",
    .details = R"md(
Fires once per library and submodule, at its import, in modules with device arrays, where a call of SciPy, scikit-learn,
scikit-image, pandas, xarray, OpenCV, Pillow, statsmodels or PyWavelets takes array data or gives it to device work, and where
an object of theirs is filled with an array (`frame["u"] = u`) or becomes one (`np.asarray(Image.open(path))`).

Stays quiet on a library that never sees arrays (`scipy.constants`) or looks at their shapes alone
(`check_consistent_length`), on arrays that xarray wraps as they are (`xr.DataArray(u, dims=...)`; its coordinates and `.values`
are on the host), on plotting, on tests, and in modules without device
arrays. Hot calls are R117 besides.

`cupynumeric.ndimage.convolve`, from 26.07 on `fourier_gaussian` and `fourier_uniform`, and `cupynumeric.linalg.cho_factor`,
`cho_solve`, `solve_triangular`, `expm`, `tssvd` run on the device. `sparse`, `optimize`, `spatial`, `interpolate` and
`signal.lfilter` have no counterpart.
)md",
    .bad = R"py(
import numpy as np
from scipy import ndimage

def clean(n):
    u = np.zeros((n, n))
    return ndimage.median_filter(u, 3)
)py",
    .good = R"py(
import numpy as np
from scipy import constants

def weight(n):
    mass = np.ones(n)
    return mass * constants.g
)py",
    .recipe = "RR-host-boundary",
    .doctor = "whole-array gather",
    .conditions = R"md(
1. the module has device arrays
2. a call of a library that works on host arrays takes array data, or gives it back to device work
3. the library is imported in this module
)md",
    .on_module = &OnModule,
};

}  // namespace cpnlint::rules::r301
