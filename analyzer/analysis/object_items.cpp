#include "analyzer/analysis/object_items.h"

#include <algorithm>
#include <array>
#include <vector>

namespace cpnlint::analysis {
namespace {

constexpr std::size_t kMostClasses = 20;  // of one line of inheritance
constexpr std::size_t kMostHeirs = 128;

constexpr auto kObjectClasses = std::to_array<std::string_view>({
    "networkx.DiGraph",
    "networkx.Graph",
    "networkx.MultiGraph",
    "scipy.interpolate.Akima1DInterpolator",
    "scipy.interpolate.BPoly",
    "scipy.interpolate.BSpline",
    "scipy.interpolate.BarycentricInterpolator",
    "scipy.interpolate.BivariateSpline",
    "scipy.interpolate.CloughTocher2DInterpolator",
    "scipy.interpolate.CubicHermiteSpline",
    "scipy.interpolate.CubicSpline",
    "scipy.interpolate.InterpolatedUnivariateSpline",
    "scipy.interpolate.KroghInterpolator",
    "scipy.interpolate.LSQBivariateSpline",
    "scipy.interpolate.LSQSphereBivariateSpline",
    "scipy.interpolate.LSQUnivariateSpline",
    "scipy.interpolate.LinearNDInterpolator",
    "scipy.interpolate.NearestNDInterpolator",
    "scipy.interpolate.PPoly",
    "scipy.interpolate.PchipInterpolator",
    "scipy.interpolate.RBFInterpolator",
    "scipy.interpolate.Rbf",
    "scipy.interpolate.RectBivariateSpline",
    "scipy.interpolate.RectSphereBivariateSpline",
    "scipy.interpolate.RegularGridInterpolator",
    "scipy.interpolate.SmoothBivariateSpline",
    "scipy.interpolate.UnivariateSpline",
    "scipy.interpolate.interp1d",
    "scipy.interpolate.interp2d",
    "scipy.spatial.ConvexHull",
    "scipy.spatial.Delaunay",
    "scipy.spatial.KDTree",
    "scipy.spatial.Voronoi",
    "scipy.spatial.cKDTree",
    "scipy.stats.gaussian_kde",
    "sympy.Dummy",
    "sympy.Float",
    "sympy.Integer",
    "sympy.Rational",
    "sympy.Symbol",
});
static_assert(std::ranges::is_sorted(kObjectClasses));

// Bases that say nothing of how an array is made of an object.
bool SaysNothing(std::string_view base) {
  return base == "object" || base == "abc.ABC" || base == "typing.Generic" || base == "typing.Protocol";
}

// `__new__` that makes an object of the class it is asked for: `return super().__new__(cls)`.
bool MakesItsOwn(const ir::Program& program, const ir::Function& make) {
  if (make.params.empty()) return false;
  const ir::ValueId asked = make.params[0].value;
  return std::ranges::all_of(make.returns, [&](ir::ValueId leave) {
    const ir::ValueId made = program.Operand(leave, 0);
    if (!made.valid() || program.ops[made].kind != ir::OpKind::kCall) return false;
    const ir::ValueId callee = program.Operand(made, 0);
    return callee.valid() && program.ops[callee].kind == ir::OpKind::kAttr &&
           program.Name(program.ops[callee]) == "__new__" && program.Operand(made, 1) == asked;
  });
}

// An instance counts as an object unless its class, or a base of it, says how to make an array of it, or makes
// something else when it is called. What a base of another file or of Python (`class Window(list)`) says is not known.
bool ConvertsItself(const ir::Program& program, const ValueOf& value_of, ir::ClassId class_id) {
  std::vector<ir::ClassId> classes = {class_id};
  for (std::size_t i = 0; i < classes.size(); ++i) {
    if (i == kMostClasses) return true;
    const ir::Class& record = program.classes[classes[i]];
    for (const ir::FunctionId method : record.methods) {
      const ir::Function& function = program.functions[method];
      const std::string_view name = program.names.Text(function.name);
      if (name.starts_with("__array") || name == "__len__" || name == "__float__") return true;
      if (name == "__new__" && !MakesItsOwn(program, function)) return true;
    }
    for (const ir::ValueId base : program.Operands(record.made_by)) {
      const Value& what = value_of(base);
      if (SaysNothing(program.names.Text(what.name))) continue;
      if (what.kind != Kind::kClass) return true;
      classes.push_back(what.class_id);
    }
  }
  return false;
}

// ... or a class that derives from it does: `self` may be of that one.
bool AnyConvertsItself(const ir::Program& program, const ValueOf& value_of, ir::ClassId class_id) {
  std::vector<ir::ClassId> classes = {class_id};
  for (std::size_t i = 0; i < classes.size(); ++i) {
    if (i == kMostHeirs || ConvertsItself(program, value_of, classes[i])) return true;
    for (std::size_t c = 0; c < program.classes.size(); ++c) {
      const ir::ClassId heir(c);
      if (!program.classes[heir].made_by.valid()) continue;
      const bool derives = std::ranges::any_of(program.Operands(program.classes[heir].made_by), [&](ir::ValueId base) {
        const Value& what = value_of(base);
        return what.kind == Kind::kClass && what.class_id == classes[i];
      });
      if (derives && std::ranges::find(classes, heir) == classes.end()) classes.push_back(heir);
    }
  }
  return false;
}

}  // namespace

bool IsObjectClass(std::string_view dotted) { return std::ranges::binary_search(kObjectClasses, dotted); }

bool IsPlainObject(const ir::Program& program, const ValueOf& value_of, const Value& value) {
  if (value.kind == Kind::kForeign) return IsObjectClass(program.names.Text(value.name));
  return value.kind == Kind::kInstance && !AnyConvertsItself(program, value_of, value.class_id);
}

bool HoldsPlainObjects(const ir::Program& program, const ValueStore& store, const ValueOf& value_of,
                       const Value& value) {
  if (value.kind != Kind::kList && value.kind != Kind::kTuple) return false;
  const ElementsId held = value.elements.valid() ? value.elements : value.item;
  if (!held.valid()) return false;
  const std::vector<Value>& items = store.Get(held);
  return std::ranges::any_of(items, [&](const Value& item) { return IsPlainObject(program, value_of, item); });
}

}  // namespace cpnlint::analysis
