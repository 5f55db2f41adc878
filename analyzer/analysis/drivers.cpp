#include "analyzer/analysis/drivers.h"

#include <algorithm>
#include <array>

#include "analyzer/analysis/engine.h"

namespace cpnlint::analysis {
namespace {

// By SciPy's documentation and sources (1.11 to 1.17), and those of samplers and fitters (cma 4.5, dynesty 3.1,
// emcee 3.1, lmfit 1.3, nestle 0.2, pymultinest 2.12, scikit-optimize 0.10, zeus 2.5). Of functions that are not listed
// nothing is known but that they are called with arrays of the host.
constexpr auto kDrivers = std::to_array<Driver>({
    {"cma.fmin", 0, "objective_function", "v"},
    {"cma.fmin2", 0, "objective_function", "v"},
    {"dynesty.DynamicNestedSampler", 0, "loglikelihood", "v"},
    {"dynesty.DynamicNestedSampler", 1, "prior_transform", "v"},
    {"dynesty.NestedSampler", 0, "loglikelihood", "v"},
    {"dynesty.NestedSampler", 1, "prior_transform", "v"},
    {"emcee.EnsembleSampler", 2, "log_prob_fn", "v", 5, "vectorize"},
    {"lmfit.Minimizer", 0, "userfcn", "o", 2, "", "fcn_args", "fcn_kws"},
    {"lmfit.minimize", 0, "fcn", "o", 3, "", "args", "kws"},
    {"matplotlib.animation.FuncAnimation", 1, "func", ""},
    {"nestle.sample", 0, "loglikelihood", "v"},
    {"nestle.sample", 1, "prior_transform", "v"},
    {"numpy.apply_along_axis", 0, "func1d", ""},
    {"numpy.apply_over_axes", 0, "func", ""},
    {"pymultinest.solve", 0, "LogLikelihood", "v"},
    {"pymultinest.solve", 1, "Prior", "v"},
    {"scipy.integrate.dblquad", 0, "func", "nn", 5},
    {"scipy.integrate.dblquad", 3, "gfun", "n"},
    {"scipy.integrate.dblquad", 4, "hfun", "n"},
    {"scipy.integrate.fixed_quad", 0, "func", "a", 3},
    {"scipy.integrate.nquad", 0, "func", "n+", 2},
    {"scipy.integrate.odeint", 0, "func", "vn", 3, "tfirst"},
    {"scipy.integrate.quad", 0, "func", "n", 3},
    {"scipy.integrate.quad_vec", 0, "f", "n"},
    {"scipy.integrate.romberg", 0, "function", "n", 3, "vec_func"},
    {"scipy.integrate.solve_ivp", 0, "fun", "nv", 8, "vectorized"},
    {"scipy.integrate.tplquad", 0, "func", "nnn", 7},
    {"scipy.integrate.tplquad", 3, "gfun", "n"},
    {"scipy.integrate.tplquad", 4, "hfun", "n"},
    {"scipy.integrate.tplquad", 5, "qfun", "nn"},
    {"scipy.integrate.tplquad", 6, "rfun", "nn"},
    {"scipy.optimize.basinhopping", 0, "func", "v"},
    {"scipy.optimize.bisect", 0, "f", "n", 3},
    {"scipy.optimize.bracket", 0, "func", "n", 3},
    {"scipy.optimize.brent", 0, "func", "n", 1},
    {"scipy.optimize.brenth", 0, "f", "n", 3},
    {"scipy.optimize.brentq", 0, "f", "n", 3},
    {"scipy.optimize.curve_fit", 0, "f", "an+"},
    {"scipy.optimize.differential_evolution", 0, "func", "v", 2},
    {"scipy.optimize.dual_annealing", 0, "func", "v", 2},
    {"scipy.optimize.fmin", 0, "func", "v", 2},
    {"scipy.optimize.fmin_bfgs", 0, "f", "v", 3},
    {"scipy.optimize.fmin_bfgs", 2, "fprime", "v", 3},
    {"scipy.optimize.fmin_cg", 0, "f", "v", 3},
    {"scipy.optimize.fmin_cg", 2, "fprime", "v", 3},
    {"scipy.optimize.fmin_l_bfgs_b", 0, "func", "v", 3},
    {"scipy.optimize.fmin_l_bfgs_b", 2, "fprime", "v", 3},
    {"scipy.optimize.fmin_ncg", 0, "f", "v", 5},
    {"scipy.optimize.fmin_ncg", 2, "fprime", "v", 5},
    {"scipy.optimize.fmin_powell", 0, "func", "v", 2},
    {"scipy.optimize.fminbound", 0, "func", "n", 3},
    {"scipy.optimize.fsolve", 0, "func", "v", 2},
    {"scipy.optimize.fsolve", 3, "fprime", "v", 2},
    {"scipy.optimize.golden", 0, "func", "n", 1},
    {"scipy.optimize.least_squares", 0, "fun", "v", 17},
    {"scipy.optimize.least_squares", 2, "jac", "v", 17},
    {"scipy.optimize.leastsq", 0, "func", "v", 2},
    {"scipy.optimize.leastsq", 3, "Dfun", "v", 2},
    {"scipy.optimize.minimize", 0, "fun", "v", 2},
    {"scipy.optimize.minimize", 4, "jac", "v", 2},
    {"scipy.optimize.minimize", 5, "hess", "v", 2},
    {"scipy.optimize.minimize_scalar", 0, "fun", "n", 3},
    {"scipy.optimize.newton", 0, "func", "n", 3},
    {"scipy.optimize.newton", 2, "fprime", "n", 3},
    {"scipy.optimize.newton", 6, "fprime2", "n", 3},
    {"scipy.optimize.ridder", 0, "f", "n", 3},
    {"scipy.optimize.root", 0, "fun", "a", 2},
    {"scipy.optimize.root_scalar", 0, "f", "n", 1},
    {"scipy.optimize.root_scalar", 4, "fprime", "n", 1},
    {"scipy.optimize.root_scalar", 5, "fprime2", "n", 1},
    {"scipy.optimize.toms748", 0, "f", "n", 3},
    {"scipy.sparse.linalg.LinearOperator", 1, "matvec", "a"},
    {"skopt.gp_minimize", 0, "func", ""},
    {"zeus.EnsembleSampler", 2, "logprob_fn", "v", 3, "vectorize"},
});

// Modules whose functions iterate over what they are given.
constexpr auto kDriverModules = std::to_array<std::string_view>({"scipy.integrate", "scipy.optimize"});
// Calls its function once, with an array of all places.
constexpr std::string_view kCallsOnce = "scipy.integrate.fixed_quad";

}  // namespace

const Driver* FindDriver(std::string_view name, std::uint32_t position, std::string_view keyword) {
  for (const Driver& driver : std::ranges::equal_range(kDrivers, name, {}, &Driver::name)) {
    if (keyword.empty() ? driver.at == position : driver.keyword == keyword) return &driver;
  }
  return nullptr;
}

bool HandsOnAsIs(std::string_view name, std::uint32_t position, std::string_view keyword) {
  return std::ranges::any_of(std::ranges::equal_range(kDrivers, name, {}, &Driver::name), [&](const Driver& driver) {
    if (driver.args_at == 0) return false;
    return keyword.empty() ? driver.args_at == position : keyword == driver.args || keyword == driver.kwargs;
  });
}

bool CallsRepeatedly(std::string_view name) {
  if (name == kCallsOnce) return false;
  if (std::ranges::binary_search(kDrivers, name, {}, &Driver::name)) return true;
  return std::ranges::any_of(kDriverModules,
                             [&](std::string_view module) { return name != module && StartsWithModule(name, module); });
}

// What a driver hands its functions, bound methods and partial() objects.
void Engine::PassToCallbacks(ir::ValueId call, std::string_view name) {
  const ir::Op& op = program_.ops[call];
  const ir::CallShape& shape = program_.Shape(op);
  const std::span<const ir::ValueId> arguments = program_.Operands(op).subspan(1);
  const auto keyword_at = [&](std::size_t i) -> std::string_view {
    const Symbol keyword = i < shape.positional ? Symbol::None() : shape.keywords[i - shape.positional];
    return keyword.valid() ? impl_.names.Text(keyword) : std::string_view();
  };
  HandedOn besides;
  for (std::uint32_t i = 0; i < arguments.size(); ++i) {
    const std::string_view keyword = keyword_at(i);
    if ((i >= shape.positional && keyword.empty()) || !HandsOnAsIs(name, i, keyword)) continue;
    const bool by_name = Of(arguments[i]).kind == Kind::kDict;
    (by_name ? besides.kwargs : besides.args) = arguments[i];
  }
  // `xr.apply_ufunc(function, a, b)`: what the arrays hold, each on the host.
  const bool of_arrays = name == "xarray.apply_ufunc" && shape.positional > 1;
  for (std::uint32_t i = 0; i < arguments.size(); ++i) {
    if (program_.ops[arguments[i]].kind == ir::OpKind::kStarred) return;
    if (of_arrays && i == 0) {
      PassTo(call, arguments[i], std::string(shape.positional - 1, 'a'), false, {});
      continue;
    }
    const std::string_view keyword = keyword_at(i);
    const Driver* driver = i < shape.positional || !keyword.empty() ? FindDriver(name, i, keyword) : nullptr;
    bool known = driver != nullptr && driver->hands.find_first_of("nvo") != std::string_view::npos;
    bool more = known && driver->hands.ends_with('+'), otherwise = false;
    for (std::size_t k = shape.positional; known && k < arguments.size(); ++k) {
      const std::string_view given = keyword_at(k);
      if (given == driver->unless && !given.empty()) otherwise = true;
      if (given.empty()) known = false;
      if (given == driver->args) more = false;
    }
    if (otherwise) continue;
    if (known && more && driver->args_at != 0 && shape.positional > driver->args_at) more = false;
    // newton() looks for several roots at once where it starts from several places.
    if (known && name == "scipy.optimize.newton") {
      const Kind start = shape.positional > 1 ? Of(arguments[1]).kind : Kind::kUnknown;
      known = IsNumber(start) || start == Kind::kNumpyScalar;
    }
    PassTo(call, arguments[i], known ? driver->hands : "a", known && more, known ? besides : HandedOn());
  }
}

void Engine::PassTo(ir::ValueId call, ir::ValueId argument, std::string_view hands, bool more,
                    const HandedOn& besides) {
  Value callback = Of(argument);
  std::size_t first = 0;  // parameter that the driver hands over something for
  const ir::Op& made = program_.ops[argument];
  const Value& maker = made.kind == ir::OpKind::kCall ? Of(program_.Operand(argument, 0)) : callback;
  if (maker.kind == Kind::kApi && impl_.names.Text(maker.name) == "functools.partial") {
    const std::uint32_t given = program_.Shape(made).positional;
    for (std::uint32_t i = 1; i <= given; ++i) {
      if (program_.ops[program_.Operand(argument, i)].kind == ir::OpKind::kStarred) return;
    }
    if (given == 0) return;
    callback = Of(program_.Operand(argument, 1));
    first = given - 1;
  }
  const bool plain = callback.kind == Kind::kFunction && first == 0;
  if ((callback.kind != Kind::kFunction && callback.kind != Kind::kMethod) || !callback.function.valid()) return;
  if (callback.kind == Kind::kMethod) {
    const Kind receiver = callback.receiver.valid() ? Of(callback.receiver).kind : Kind::kUnknown;
    if (receiver == Kind::kBottom) return;
    if (receiver != Kind::kClass && !impl_.functions[callback.function].is_static) ++first;
  }
  const auto params = program_.functions[callback.function].params;
  const auto takes = [&](std::size_t at) {
    return at < params.size() &&
           (params[at].kind == ir::ParamKind::kPositional || params[at].kind == ir::ParamKind::kPositionalOnly);
  };
  const Value number = analysis::Of(Kind::kFloat);
  const Value vector = Array(Library::kHost, ir::DType::kUnknown, store_.Intern(std::array{ir::DimId::None()}), 0);
  std::size_t at = first;
  for (const char one : hands) {
    if (one == '+' || !takes(at)) break;
    if (one == 'n') Pass(callback.function, at, number, kMostJoined);
    if (one == 'a' && plain)
      Pass(callback.function, at, Array(Library::kHost, ir::DType::kUnknown, ShapeId::None(), 0), kMostJoined);
    if (one == 'v') Pass(callback.function, at, vector, kMostJoined);
    ++at;
  }
  for (; more && takes(at) && !params[at].default_value.valid(); ++at) Pass(callback.function, at, number, kMostJoined);
  if (hands.ends_with('+')) return;
  if (besides.args.valid() && Of(besides.args).kind == Kind::kTuple && Of(besides.args).elements.valid()) {
    const std::vector<Value> elements = store_.Get(Of(besides.args).elements);
    for (std::size_t i = 0; i < elements.size() && takes(at); ++i, ++at)
      Pass(callback.function, at, elements[i], kMostJoined);
  }
  // What is left to its default counts as well, as far as it is known what the driver hands over.
  const bool all_known = hands.find_first_of("nvo") != std::string_view::npos;
  for (; at < params.size(); ++at) {
    if (params[at].kind != ir::ParamKind::kPositional && params[at].kind != ir::ParamKind::kKeywordOnly) continue;
    const Value handed = besides.kwargs.valid() ? ItemUnder(Of(besides.kwargs), params[at].name, call) : Value();
    if (handed.kind != Kind::kBottom) {
      Pass(callback.function, at, handed, kMostJoined);
    } else if (all_known && params[at].default_value.valid()) {
      Pass(callback.function, at, Of(params[at].default_value), kMostJoined);
    }
  }
}

}  // namespace cpnlint::analysis
