#include "rules/match/stand_in.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rules/match/device_call.h"
#include "rules/match/filled.h"
#include "rules/match/hot_site.h"
#include "rules/match/name_use.h"
#include "rules/match/random_draw.h"
#include "rules/match/rewrite.h"
#include "rules/match/same_expression.h"
#include "rules/match/strided_view.h"

namespace cpnlint::rules::match {

using ir::OpKind;

namespace {

// What the arguments of a missing function are called in the code that stands for it, in their order.
struct Names {
  std::string_view function;
  std::array<std::string_view, 6> arguments;
};
constexpr std::array<std::string_view, 6> kMoments = {"x", "axis", "dtype", "out", "ddof", "keepdims"};
constexpr Names kNames[] = {
    {"numpy.std", kMoments},
    {"numpy.nanstd", kMoments},
    {"numpy.nanvar", kMoments},
    {"numpy.ptp", {"x", "axis", "out", "keepdims"}},
    {"numpy.ndarray.std", kMoments},
    {"numpy.ndarray.ptp", {"x", "axis", "out", "keepdims"}},
    {"numpy.ndarray.repeat", {"x", "repeats", "axis"}},
    {"numpy.rollaxis", {"x", "axis"}},
    {"numpy.interp", {"x", "xp", "fp"}},
    {"numpy.trapezoid", {"y", "x", "dx", "axis"}},
    {"numpy.trapz", {"y", "x", "dx", "axis"}},
    {"numpy.kron", {"a", "b"}},
    {"numpy.sinc", {"x"}},
    {"numpy.heaviside", {"x", "h"}},
    {"numpy.geomspace", {"a", "b", "n"}},
    {"numpy.ediff1d", {"x"}},
    {"numpy.msort", {"x"}},
    {"numpy.size", {"x", "axis"}},
    {"numpy.corrcoef", {"x", "y", "rowvar"}},
    {"numpy.polyval", {"p", "x"}},
    {"numpy.intersect1d", {"a", "b"}},
    {"numpy.union1d", {"a", "b"}},
    {"numpy.setdiff1d", {"a", "b"}},
    {"numpy.array_equiv", {"a", "b"}},
    {"numpy.divmod", {"x", "y"}},
    {"numpy.fft.fftfreq", {"n", "d"}},
    {"numpy.fft.rfftfreq", {"n", "d"}},
    {"numpy.ufunc.outer", {"a", "b"}},
    {"numpy.fromfunction", {"f", "shape", "dtype"}},
    {"numpy.ufunc.accumulate", {"x", "axis"}},
    {"numpy.ufunc.at", {"h", "i", "w"}},
    {"numpy.linalg.lstsq", {"a", "b"}},
    {"numpy.linalg.diagonal", {"x", "offset"}},
    {"numpy.linalg.det", {"a"}},
    {"numpy.linalg.slogdet", {"a"}},
    {"numpy.random.standard_normal", {"size"}},
    {"numpy.random.Generator.standard_normal", {"size"}},
    {"numpy.random.RandomState.standard_normal", {"size"}},
    {"numpy.random.choice", {"a", "n", "replace", "p"}},
    {"numpy.random.Generator.choice", {"a", "n", "replace", "p"}},
    {"numpy.random.RandomState.choice", {"a", "n", "replace", "p"}},
    {"numpy.random.multivariate_normal", {"mean", "cov", "n"}},
    {"numpy.random.Generator.multivariate_normal", {"mean", "cov", "n"}},
    {"numpy.random.RandomState.multivariate_normal", {"mean", "cov", "n"}},
    {"numpy.random.permutation", {"x"}},
    {"numpy.random.Generator.permutation", {"x", "axis"}},
    {"numpy.random.RandomState.permutation", {"x"}},
    {"numpy.random.RandomState.shuffle", {"x"}},
    {"numpy.random.shuffle", {"x"}},
    {"numpy.random.Generator.shuffle", {"x"}},
    {"numpy.save", {"path", "x"}},
    {"numpy.savetxt", {"path", "x"}},
    {"numpy.loadtxt", {"path"}},
    {"numpy.genfromtxt", {"path"}},
};

// A call with its arguments under those names.
struct NamedCall {
  ir::ValueId call;
  ir::ValueId owner;  // `np.add` of `np.add.at`
  std::vector<Filling> fillings;
  std::vector<ir::ValueId> values;  // parallel; None() where the argument is not given

  [[nodiscard]] ir::ValueId Value(std::string_view name) const {
    for (std::size_t i = 0; i < fillings.size(); ++i) {
      if (fillings[i].name == name) return values[i];
    }
    return {};
  }
  [[nodiscard]] bool Has(std::string_view name) const { return Value(name).valid(); }
  void Set(std::string_view name, Span words) {
    for (Filling& filling : fillings) {
      if (filling.name == name) filling.words = words;
    }
  }
};

// How NumPy spells it, where the code has a shorter name for it.
std::string_view KeywordOf(const Names& names, std::string_view argument) {
  if (argument != "n") return argument;
  return names.function == "numpy.geomspace" ? "num" : "size";
}

// nullopt where the call has an argument without a name.
std::optional<NamedCall> WithNames(const Facts& facts, ir::ValueId op, ir::ValueId call, const Names& names,
                                   bool of_array) {
  const ir::Program& program = facts.program();
  const bool attribute = program.ops[op].kind == OpKind::kAttr;  // else imported as it is
  const Span owner = attribute ? program.OperandSpan(op, 0) : Span{};
  const ir::ValueId owned = attribute ? program.Operand(op, 0) : ir::ValueId::None();
  NamedCall named{call, owned, {{"rng", owner}, {"ufunc", owner}}, {owned, owned}};
  std::size_t given = 0;
  // A solution alone does not need the first, a Cholesky factor tests by itself what the others ask for.
  for (const std::string_view needless : {"rcond", "check_valid", "tol"})
    given += facts.KeywordSpan(call, needless).empty() ? 0 : 1;
  std::uint32_t position = 1;  // operand 0 is the callee
  for (const std::string_view name : names.arguments) {
    if (name.empty()) break;
    if (of_array && named.fillings.size() == 2) {
      named.fillings.push_back({name, owner});
      named.values.push_back(owned);
      continue;
    }
    const std::string_view keyword = KeywordOf(names, name);
    Span words = facts.KeywordSpan(call, keyword);
    ir::ValueId value = facts.KeywordArgument(call, keyword);
    if (words.empty() && position <= facts.PositionalCount(call)) {
      words = program.OperandSpan(call, position);
      value = program.Operand(call, position++);
    }
    given += words.empty() ? 0 : 1;
    named.fillings.push_back({name, words});
    named.values.push_back(value);
  }
  if (given + 1 != program.Operands(call).size()) return std::nullopt;
  return named;
}

// Code of the table's kind for one call. No code: the table's own words are all there is to say, unless `none`.
struct Draft {
  std::string code, when;
  bool none = false;
  std::string before = {};  // a statement in front of it
};

// As many new axes behind those of a as b has.
Draft Outer(const Facts& facts, const NamedCall& call) {
  const int left = facts.RankOf(call.Value("a")), right = facts.RankOf(call.Value("b"));
  if (right < 0 && !IsNumber(facts, call.Value("b"))) return {"ufunc(a.reshape(a.shape + (1,) * b.ndim), b)", ""};
  if (right <= 0) return {"ufunc(a, b)", ""};
  std::string axes = left == 1 ? "[:" : "[...";
  for (int axis = 0; axis < right; ++axis) axes += ", None";
  return {"ufunc(a" + axes + "], b)", ""};
}

Draft Accumulated(const Facts& facts, const NamedCall& call) {
  if (facts.ApiName(call.owner).ends_with("_xor")) {  // whether the count of true ones is odd
    const std::string axis = call.Has("axis") ? "axis" : "0";
    return {"np.cumsum(x != 0, axis=" + axis + ", dtype=int) % 2 == 1", ""};
  }
  const std::string code = facts.ApiName(call.owner) == "numpy.add" ? "np.cumsum(x, " : "np.cumprod(x, ";
  return {code + (call.Has("axis") ? "axis)" : "axis=0)"), ""};
}

// `i * h.shape[1] + j`, `(i * h.shape[1] + j) * h.shape[2] + k`: where an element lies in the flat array.
constexpr std::array<std::string_view, 4> kAxisNames = {"i", "j", "k", "l"};
std::string FlatPosition(std::size_t axes) {
  std::string position(kAxisNames[0]);
  for (std::size_t axis = 1; axis < axes; ++axis) {
    if (axis > 1) position = "(" + position + ")";
    position += " * h.shape[" + std::to_string(axis) + "] + " + std::string(kAxisNames[axis]);
  }
  return position;
}

// `np.add.at(force, node, part)` adds whole rows, one for each entry of a 1-D index.
bool AddsRows(const Facts& facts, ir::ValueId target, ir::ValueId index, ir::ValueId weight) {
  if (facts.RankOf(target) != 2 || facts.RankOf(index) != 1 || facts.RankOf(weight) != 2) return false;
  if (!facts.IsArray(index) || !facts.IsArray(weight)) return false;
  ir::DimStore& dims = facts.store().dims();
  return dims.KnownEqual(facts.ExtentOf(weight, 0), facts.ExtentOf(index, 0)) &&
         dims.KnownEqual(facts.ExtentOf(weight, 1), facts.ExtentOf(target, 1));
}

// `counts.ravel()`, `counts.T`: written out in the call, and nothing to assign to.
bool IsNoTarget(const Facts& facts, ir::ValueId target, ir::ValueId call) {
  const ir::Program& program = facts.program();
  if (!target.valid()) return true;
  const ir::Op& op = program.ops[target];
  const bool read_only = op.kind == OpKind::kCall || (op.kind == OpKind::kAttr && program.Name(op) == "T");
  return read_only && op.span == program.OperandSpan(call, 1);
}

// `+=` of int64 counts raises.
bool CannotTakeCounts(ir::DType sums) { return sums == ir::DType::kUnknown || ir::IsUnsigned(sums); }

// Of any ranks and any index: the index selects from the positions in the flat array what it selects from the array.
// The bincount takes views, which the histogram does not.
Draft AddedAnywhere(const Facts& facts, const NamedCall& call, std::string_view sign) {
  const ir::ValueId target = call.Value("h"), weight = call.Value("w");
  const ir::DType sums = facts.Of(target).dtype, parts = facts.Of(weight).dtype;
  if (ir::IsComplex(sums) || ir::IsComplex(parts) || sums == ir::DType::kBool) return {"", "", true};
  const bool one = facts.IntOf(weight) == 1, number = analysis::IsNumber(facts.Of(weight).kind);
  std::string code = "h" + std::string(sign) + (number && !one ? "w * " : "") + "np.bincount(at_.ravel(), ";
  if (!number) code += "weights=np.broadcast_to(w, at_.shape).ravel(), ";
  code += "minlength=h.size).reshape(h.shape)";
  if (number ? CannotTakeCounts(sums) : !ir::IsFloat(sums)) code += ".astype(h.dtype)";
  const bool real = number || parts != ir::DType::kUnknown;
  return {code, real ? "" : "real w", false, "at_ = np.arange(h.size).reshape(h.shape)[i]"};
}

// `np.add.at(h, i, w)`, `np.add.at(g, (i, j), w)`, or subtract.at. In a hot loop by the histogram of a fixed range, for
// which nothing waits as it does for a bincount.
Draft AddedAt(const Facts& facts, NamedCall& call) {
  const ir::Program& program = facts.program();
  const ir::ValueId target = call.Value("h"), weight = call.Value("w"), index = facts.Source(call.Value("i"));
  if (!weight.valid() || !index.valid()) return {"", "", true};
  if (IsNoTarget(facts, target, call.call)) return {};
  const std::string_view sign = facts.ApiName(call.owner) == "numpy.add" ? " += " : " -= ";
  const int rank = facts.RankOf(target);
  const auto is_vector = [&](ir::ValueId axis) {
    return facts.IsArray(axis) && facts.RankOf(axis) == 1 && facts.Of(axis).dtype != ir::DType::kBool;
  };
  const bool one = facts.IntOf(weight) == 1, number = analysis::IsNumber(facts.Of(weight).kind);
  const bool tuple = program.ops[index].kind == OpKind::kTuple;
  const bool rows = !tuple && AddsRows(facts, target, index, weight), flat = tuple || rows;
  const std::size_t axes = tuple ? program.Operands(index).size() : 1;
  const bool vector = facts.IsArray(weight) && facts.RankOf(weight) == 1 && ir::IsFloat(facts.Of(target).dtype);
  const bool plain = rows || (rank == static_cast<int>(axes) && (number || vector));
  if (!plain) return AddedAnywhere(facts, call, sign);
  if (tuple) {
    const bool written = program.ops[call.call].span.Contains(program.ops[index].span);
    if (axes < 2 || axes > kAxisNames.size() || !written || !std::ranges::all_of(program.Operands(index), is_vector))
      return AddedAnywhere(facts, call, sign);
    call.Set("i", program.OperandSpan(index, 0));
    for (std::size_t axis = 1; axis < axes; ++axis) {
      call.fillings.push_back({kAxisNames[axis], program.OperandSpan(index, static_cast<std::uint32_t>(axis))});
      call.values.push_back(program.Operands(index)[axis]);
    }
  } else if (!rows && !is_vector(index)) {
    return AddedAnywhere(facts, call, sign);
  }
  const std::string where = rows ? "(i[:, None] * h.shape[1] + np.arange(h.shape[1])).ravel()" : FlatPosition(axes);
  const std::string size = flat ? "h.size" : "h.shape[0]";
  // The histogram takes a column for an array without gaps, and ends the process.
  const bool hot = static_cast<bool>(HotSiteOf(facts, call.call));
  const std::string_view copied = hot && MayBeColumn(facts, weight) ? ".copy()" : "";
  const std::string weights = number ? "" : rows ? ", weights=w.ravel()" : ", weights=w" + std::string(copied);
  const bool column = hot && !flat && MayBeColumn(facts, index);
  std::string counts = hot ? "np.histogram(" + where + (column ? ".copy()" : "") + ", bins=" + size + ", range=(0, " +
                                 size + ")" + weights + ")[0]"
                           : "np.bincount(" + where + weights + ", minlength=" + size + ")";
  if (flat) counts += ".reshape(h.shape)";
  if (number && CannotTakeCounts(facts.Of(target).dtype)) counts += ".astype(h.dtype)";
  return {"h" + std::string(sign) + (number && !one ? "w * " : "") + counts, "no index below 0"};
}

// By Horner's rule, with the coefficients as numbers of the host.
Draft Polynomial(const Facts& facts, const NamedCall& call) {
  const bool array = facts.IsArray(call.Value("p"));
  return {std::string("for c_ in ") + (array ? "p.tolist()" : "p") + ": y_ = y_ * x + c_",
          "the result is in y_; few coefficients", false, "y_ = np.zeros_like(x)"};
}

// The sum of the trapezoids along the last axis of y, or the first of two.
Draft Trapezoids(const Facts& facts, const NamedCall& call) {
  const ir::ValueId y = call.Value("y"), x = call.Value("x");
  const int rank = facts.RankOf(y);
  const std::optional<std::int64_t> axis = call.Has("axis") ? facts.IntOf(call.Value("axis")) : -1;
  if (!axis || facts.RankOf(x) > 1) return {};
  const bool last = *axis == -1 || *axis == rank - 1;
  if (!last && !(*axis == 0 && rank == 2)) return {};
  std::string code = "np.sum(0.5 * ";
  code += rank == 1 || !last ? "(y[1:] + y[:-1])" : "(y[..., 1:] + y[..., :-1])";
  if (x.valid()) {
    code += last ? " * (x[1:] - x[:-1])" : " * (x[1:] - x[:-1])[:, None]";
  } else if (call.Has("dx")) {
    code += " * dx";
  }
  code += rank == 1 ? ")" : last ? ", axis=-1)" : ", axis=0)";
  return {code, x.valid() && facts.RankOf(x) < 0 ? "1-D x" : ""};
}

void ReplaceAll(std::string& words, std::string_view from, std::string_view to) {
  for (std::size_t at = words.find(from); at != std::string::npos; at = words.find(from, at + to.size()))
    words.replace(at, from.size(), to);
}

// The mean of squares, or with ddof= their sum by the number of values less ddof.
Draft Spread(const Facts& facts, const NamedCall& call, const Draft& table) {
  const auto given = [&](std::string_view name) { return call.Has(name) && !facts.IsNoneConstant(call.Value(name)); };
  if (given("dtype") || given("out")) return {};
  const ir::DType dtype = facts.Of(call.Value("x")).dtype;
  const bool real = dtype != ir::DType::kUnknown && !ir::IsComplex(dtype);
  const auto squares = [&](std::string code) {  // of real numbers: no absolute values
    if (real) ReplaceAll(code, "np.abs(x - np.mean(x, axis, keepdims=True))", "(x - np.mean(x, axis, keepdims=True))");
    return code;
  };
  if (!call.Has("ddof") || facts.IntOf(call.Value("ddof")) == 0) return {squares(table.code), ""};
  const bool number = facts.IntOf(call.Value("axis")).has_value();
  if (table.code.find("np.nan") != std::string::npos || (given("axis") && !number)) return {};
  const std::string count = number ? "x.shape[axis]" : "x.size";
  const bool literal = facts.program().ops[call.Value("ddof")].kind == OpKind::kInt;
  const std::string less = literal ? std::to_string(*facts.IntOf(call.Value("ddof"))) : "ddof";
  return {squares("np.sqrt(np.sum(np.abs(x - np.mean(x, axis, keepdims=True))**2, axis, keepdims=keepdims) / (" +
                  count + " - " + less + "))"),
          ""};
}

// A name for what a comprehension counts: none of those that the code around it has.
std::string FreeName(const Facts& facts, ir::ValueId op) {
  const ir::Program& program = facts.program();
  const auto is_taken = [&](std::string_view name) {
    for (ir::FunctionId f = program.FunctionOf(op); f.valid(); f = program.functions[f].parent) {
      const ir::Function& function = program.functions[f];
      const auto is_name = [&](const auto& bound) { return program.names.Text(bound.name) == name; };
      if (std::ranges::any_of(function.params, is_name) || std::ranges::any_of(function.bindings, is_name)) return true;
    }
    return false;
  };
  for (const std::string_view name : {"i", "k", "j", "m", "p", "q"}) {
    if (!is_taken(name)) return std::string(name);
  }
  return "i_";
}

// Items of a list in the order of draws: what the list holds needs no array.
std::string InOrder(const Facts& facts, ir::ValueId call, std::string_view draws) {
  const std::string name = FreeName(facts, call);
  return "[x[" + name + "] for " + name + " in " + std::string(draws) + "len(x))).tolist()]";
}

constexpr std::string_view kAsList = "it gives lists, since there are no arrays of texts on the device";

// A list of texts, of which there are no arrays on the device.
bool HoldsTexts(const Facts& facts, ir::ValueId list) {
  const analysis::Value& value = facts.Of(list);
  const analysis::ElementsId items = value.elements.valid() ? value.elements : value.item;
  return items.valid() && std::ranges::any_of(facts.store().Get(items), [](const analysis::Value& item) {
           return item.kind == analysis::Kind::kStr || item.kind == analysis::Kind::kBytes;
         });
}

// `np.random.choice(["a", "b"], n)`: nothing of it is for the device, and Python draws as well.
Draft ChosenTexts(const Facts& facts, const NamedCall& call) {
  const std::optional<bool> again = call.Has("replace") ? facts.BoolOf(call.Value("replace")) : true;
  const bool weighted = call.Has("p");
  const std::string_view when = "drawn on the host: nothing waits for it";
  if (!again || (weighted && (!*again || facts.IsDevice(call.Value("p"))))) return {"", "", true};
  if (!call.Has("n")) return {weighted ? "random.choices(a, p)[0]" : "random.choice(a)", std::string(when)};
  if (facts.Of(call.Value("n")).kind != analysis::Kind::kInt) return {"", "", true};
  const std::string code = !*again    ? "random.sample(a, n)"
                           : weighted ? "random.choices(a, p, k=n)"
                                      : "random.choices(a, k=n)";
  return {code, std::string(kAsList) + "; " + std::string(when)};
}

Draft Chosen(const Facts& facts, const NamedCall& call, std::string_view row) {
  const bool module = row == "numpy.random.choice", state = row == "numpy.random.RandomState.choice";
  const analysis::Kind kind = facts.Of(call.Value("a")).kind;
  const bool number = kind == analysis::Kind::kInt;
  const bool list = kind == analysis::Kind::kList || kind == analysis::Kind::kTuple;
  if (!number && !list && !facts.IsArray(call.Value("a"))) return {};  // a number, or items
  if (number && !call.Has("n") && !call.Has("p"))
    return {"random.randrange(a)", "one number, drawn on the host: nothing waits for it"};
  if (list && HoldsTexts(facts, call.Value("a"))) return ChosenTexts(facts, call);
  const std::optional<bool> again = call.Has("replace") ? facts.BoolOf(call.Value("replace")) : true;
  if (!again) return {};
  const std::string items = list ? "np.asarray(a)" : "a", count = number ? "a" : "len(a)";
  if (call.Has("p")) {
    if (!*again || !call.Has("n")) return {"", "", true};
    const std::string draw =
        "np.searchsorted(np.cumsum(p)[:-1], " + std::string(module ? "np.random.random(n)" : "rng.random(n)") + ")";
    return {number ? draw : items + "[" + draw + "]", "`np.cumsum` made once, before the loop"};
  }
  if (!*again && call.Has("n")) {
    if (facts.Of(call.Value("n")).kind == analysis::Kind::kTuple) return {};
    const std::string order =
        "np.argsort(" + std::string(module ? "np.random.random(" : "rng.random(") + count + "))[:n]";
    return {number ? order : items + "[" + order + "]", state ? "rng made by np.random.default_rng(seed)" : ""};
  }
  const std::string draw = (module ? "np.random.randint(0, " : "rng.integers(0, ") + count + ", n)";
  return {number ? draw : items + "[" + draw + "]", state ? "rng made by np.random.default_rng(seed)" : ""};
}

// `rng.permutation(n)`: the order of as many draws; of an array its rows in that order.
Draft Permuted(const Facts& facts, NamedCall& call, std::string_view row) {
  const ir::Program& program = facts.program();
  const ir::ValueId items = call.Value("x");
  if (!items.valid()) return {};  // `permutation()` raises in NumPy as well
  const analysis::Kind kind = facts.Of(items).kind;
  const bool range = kind == analysis::Kind::kRange, array = facts.IsDevice(items);
  const bool list = range || kind == analysis::Kind::kList || kind == analysis::Kind::kTuple;
  const bool module = row == "numpy.random.permutation";
  const std::string draws = module ? "np.argsort(np.random.random(" : "np.argsort(rng.random(";
  const std::string when =
      row.find("RandomState") == std::string_view::npos ? "" : "rng made by np.random.default_rng(seed)";
  if (call.Has("axis") && facts.IntOf(call.Value("axis")) != 0) {
    if (!array) return {};
    return {"np.take(x, " + draws + "x.shape[axis])), axis)", when};
  }
  const bool written = program.ops[call.call].span.Contains(program.ops[items].span);
  if (range && written && program.ops[items].kind == OpKind::kCall && program.Operands(items).size() == 2) {
    call.Set("x", program.OperandSpan(items, 1));
    return {draws + "x))", when};
  }
  if (list && HoldsTexts(facts, items)) {
    return {InOrder(facts, call.call, draws), when + (when.empty() ? "" : "; ") + std::string(kAsList)};
  }
  if (list || array) return {(list ? "np.asarray(x)[" : "x[") + draws + "len(x)))]", when};
  const bool number = kind == analysis::Kind::kInt;
  return {draws + "x))", number ? when : when + (when.empty() ? "" : "; ") + "x an integer; index an array with it"};
}

// Independent normal draws, turned by a root of the covariance.
Draft VectorDraws(const Facts& facts, NamedCall& call, std::string_view row, const std::string& when) {
  const std::string draws = row == "numpy.random.multivariate_normal" ? "np.random.normal" : "rng.normal";
  const bool list = facts.Of(call.Value("cov")).kind == analysis::Kind::kList;
  const std::string root = list ? "np.linalg.cholesky(np.asarray(cov, dtype=float))" : "np.linalg.cholesky(cov)";
  const ir::ValueId size = call.Value("n");
  if (!size.valid() || facts.IsNoneConstant(size))
    return {"mean + " + root + " @ " + draws + "(0.0, 1.0, len(mean))", when};
  const analysis::Kind kind = facts.Of(size).kind;
  if (kind != analysis::Kind::kInt && kind != analysis::Kind::kTuple) return {};
  std::string shape = kind == analysis::Kind::kTuple ? "(*n, len(mean))" : "(n, len(mean))";
  const ir::Program& program = facts.program();
  const bool written =
      program.ops[size].kind == OpKind::kTuple && program.ops[call.call].span.Contains(program.ops[size].span);
  if (const std::size_t axes = program.Operands(size).size(); written && axes <= kAxisNames.size()) {
    shape = "(";
    for (std::uint32_t axis = 0; axis < axes; ++axis) {
      call.fillings.push_back({kAxisNames[axis], program.OperandSpan(size, axis)});
      call.values.push_back(program.Operand(size, axis));
      shape.append(kAxisNames[axis]).append(", ");
    }
    shape += "len(mean))";
  }
  return {"mean + " + draws + "(0.0, 1.0, " + shape + ") @ " + root + ".T", when};
}

// What `np.size(x)` reads: of what may be no array, as NumPy does.
std::string SizeOf(const Facts& facts, ir::ValueId x) {
  const analysis::Value& known = facts.Of(x);
  if (known.kind == analysis::Kind::kArray && (known.evidence & analysis::kContradicted) == 0) return "x.size";
  const bool sequence = known.kind == analysis::Kind::kList || known.kind == analysis::Kind::kTuple;
  if (sequence || analysis::IsNumber(known.kind)) return "np.asarray(x).size";
  return "(x.size if hasattr(x, \"size\") else np.asarray(x).size)";
}

// The normal equations of real data; of `np.linalg.lstsq(w.T, b)` by w itself.
Draft LeastSquares(const Facts& facts, NamedCall& call, const std::string& when) {
  const ir::Program& program = facts.program();
  const auto words = std::ranges::find(call.fillings, "a", &Filling::name)->words;
  const Span untransposed = Untransposed(facts, call.Value("a"), words);
  if (untransposed.empty() || program.ops[call.call].kind != OpKind::kCall)
    return {"np.linalg.solve(a.T @ a, a.T @ b)", when};
  call.Set("a", untransposed);
  return {"np.linalg.solve(a @ a.T, a @ b)", when};
}

// Of the last two axes, which have to be told by numbers that are not negative.
Draft Diagonal(int rank) {
  if (rank < 0) return {};
  if (rank == 2) return {"np.diagonal(x, offset)", ""};
  return {"np.diagonal(x, offset, axis1=" + std::to_string(rank - 2) + ", axis2=" + std::to_string(rank - 1) + ")", ""};
}

// A list is no array to index: it stays the list that others hold, in another order.
Draft ShuffledList(const Facts& facts, const NamedCall& call, std::string_view row, const Draft& table) {
  const std::string_view draws =
      row == "numpy.random.shuffle" ? "np.argsort(np.random.random(" : "np.argsort(rng.random(";
  return {"x[:] = " + InOrder(facts, call.call, draws), table.when};
}

Draft DraftOf(const Facts& facts, NamedCall& call, std::string_view row, const api::Substitute& fix) {
  const Draft table{std::string(fix.text.empty() ? fix.to : fix.text), std::string(fix.when)};
  if (row.ends_with("std") || row == "numpy.nanvar") return Spread(facts, call, table);
  if (row == "numpy.fromfunction" && call.Has("dtype")) return {"f(*np.indices(shape, dtype=dtype))", table.when};
  if (row == "numpy.linalg.diagonal") return Diagonal(facts.RankOf(call.Value("x")));
  if (row == "numpy.size") return {call.Has("axis") ? "x.shape[axis]" : SizeOf(facts, call.Value("x")), ""};
  if (row.ends_with("multivariate_normal")) return VectorDraws(facts, call, row, table.when);
  if (row == "numpy.ndarray.repeat" && call.Has("axis")) return {"np.repeat(x, repeats, axis)", table.when};
  if (row == "numpy.ufunc.outer") return Outer(facts, call);
  if (row == "numpy.ufunc.accumulate") return Accumulated(facts, call);
  if (row == "numpy.ufunc.at") return AddedAt(facts, call);
  if (row == "numpy.trapezoid" || row == "numpy.trapz") return Trapezoids(facts, call);
  if (row.ends_with(".permutation")) return Permuted(facts, call, row);
  if (row.ends_with(".choice")) return Chosen(facts, call, row);
  if (row.ends_with(".shuffle") && facts.Of(call.Value("x")).kind == analysis::Kind::kList)
    return ShuffledList(facts, call, row, table);
  if (row == "numpy.corrcoef") {
    const bool two = call.Has("y");
    const std::string cov = two ? "np.cov(np.stack((x, y)))" : "np.cov(x, rowvar=rowvar)";
    return {"cov_ / np.sqrt(np.outer(np.diag(cov_), np.diag(cov_)))", two ? "x and y 1-D and real" : "2-D real x",
            false, "cov_ = " + cov};
  }
  if (row == "numpy.polyval") return Polynomial(facts, call);
  // A stack: its diagonals are not at hand on the device.
  if (row == "numpy.linalg.det" && facts.RankOf(call.Value("a")) > 2)
    return {"np.asarray(onp.linalg.det(onp.asarray(a)))", ""};
  const ir::DType dtype = facts.Of(call.Value("a")).dtype;
  if (row == "numpy.linalg.lstsq" && dtype != ir::DType::kUnknown && !ir::IsComplex(dtype))
    return LeastSquares(facts, call, table.when);
  if (row.ends_with(".ptp") && call.Has("out")) return {};
  return table;
}

// `np.random.RandomState(1)` of `np.random.RandomState(1).normal()`; None() where the state is a variable.
ir::ValueId MadeHere(const Facts& facts, ir::ValueId state, Span words) {
  const ir::Program& program = facts.program();
  if (!state.valid() || program.ops[state].kind != OpKind::kCall || program.ops[state].span != words) return {};
  return facts.CalleeOf(state).name == "numpy.random.RandomState" ? state : ir::ValueId::None();
}

}  // namespace

// `np.maximum.accumulate`, `np.multiply.at`: what the table has is for other ufuncs.
static bool IsOfOtherUfunc(const Facts& facts, ir::ValueId op, std::string_view row) {
  if (row != "numpy.ufunc.accumulate" && row != "numpy.ufunc.at") return false;
  if (facts.program().ops[op].kind != OpKind::kAttr) return false;
  const std::string_view ufunc = facts.ApiName(facts.program().Operand(op, 0));
  if (row == "numpy.ufunc.accumulate" && (ufunc == "numpy.logical_xor" || ufunc == "numpy.bitwise_xor")) {
    const ir::ValueId call = OnlyCall(facts, op);
    const bool of_bools = call.valid() && facts.Of(facts.Argument(call, 0, "array")).dtype == ir::DType::kBool;
    return ufunc == "numpy.bitwise_xor" && !of_bools;
  }
  return ufunc != "numpy.add" && ufunc != (row == "numpy.ufunc.at" ? "numpy.subtract" : "numpy.multiply");
}

static const Names* NamesOf(const api::Entry& row) {
  const auto* const names = std::ranges::find(kNames, row.name, &Names::function);
  return names == std::end(kNames) ? nullptr : names;
}

static bool Has(std::string_view words, std::string_view one) { return words.find(one) != std::string_view::npos; }

std::string_view KeywordWithoutPlace(const Facts& facts, ir::ValueId op, const api::Entry& row) {
  const ir::Program& program = facts.program();
  const Names* const names = NamesOf(row);
  const ir::ValueId call = OnlyCall(facts, op);
  if (names == nullptr || !call.valid() || facts.HasStarArguments(call)) return {};
  for (const Symbol keyword : program.Shape(program.ops[call]).keywords) {
    const std::string_view word = program.names.Text(keyword);
    const bool named = std::ranges::any_of(names->arguments, [&](std::string_view argument) {
      return KeywordOf(*names, argument) == word && Has(row.substitute.text, argument);
    });
    const bool told = Has(row.substitute.when, word);
    // What is unique stays so when it is made unique again.
    if (!named && !told && word != "assume_unique") return word;
  }
  return {};
}

std::optional<Text> AsFunction(const Facts& facts, ir::ValueId op, const api::Entry& row) {
  const ir::Program& program = facts.program();
  const Names* const names = NamesOf(row);
  const auto is_name = [&](std::string_view name) {
    return name.size() <= 2 || IsOneOf(name, {"axis", "keepdims"}) || !Has(row.substitute.text, name);
  };
  if (names == nullptr || row.substitute.text.empty() || !std::ranges::all_of(names->arguments, is_name)) return {};
  if (row.name == "numpy.polyval" || row.name == "numpy.corrcoef") return {};        // several statements
  if (row.name.rfind('.') != 5 || program.ops[op].kind != OpKind::kAttr) return {};  // `numpy.std` itself
  const auto hands_over = [&](ir::ValueId use) {
    const OpKind kind = program.ops[use].kind;
    return kind != OpKind::kAttr && (kind != OpKind::kCall || program.Operand(use, 0) != op);
  };
  const std::span<const ir::ValueId> uses = facts.UsesOf(op);
  if (uses.empty() || !std::ranges::all_of(uses, hands_over)) return {};
  std::string parameters;
  for (const std::string_view name : names->arguments) {
    if (name.empty() || !Has(row.substitute.text, name)) continue;
    parameters += (parameters.empty() ? "" : ", ") + std::string(name);
    if (name == "axis" && row.name != "numpy.rollaxis") parameters += "=None";
    if (name == "keepdims") parameters += "=False";
  }
  const std::string name(BaseName(row.name));
  return Text("def " + name + "(" + parameters + "): return " + std::string(row.substitute.text));
}

StandIn StandInFor(const Facts& facts, ir::ValueId op, const api::Entry& row, bool of_array) {
  if (IsOfOtherUfunc(facts, op, row.name)) return {std::nullopt, {}, {}, true};
  const Names* const names = NamesOf(row);
  const ir::ValueId call = OnlyCall(facts, op);
  if (names == nullptr || !call.valid() || facts.HasStarArguments(call)) return {};
  const ir::Program& program = facts.program();
  if (MadeHere(facts, program.Operand(op, 0), program.OperandSpan(op, 0)).valid()) return {};
  std::optional<NamedCall> named = WithNames(facts, op, call, *names, of_array);
  if (!named) return {};
  const Draft draft = DraftOf(facts, *named, row.name, row.substitute);
  if (draft.none) return {std::nullopt, {}, {}, true};
  if (draft.code.empty()) return {};
  const Text when = FilledWords(draft.when, named->fillings);
  constexpr char kBetween = '\n';
  std::string code = draft.code + kBetween + draft.before;
  Text bindings = NameLong(code, named->fillings);
  const std::size_t end = code.find(kBetween);
  if (const auto before = Filled(code.substr(end + 1), named->fillings); before && !before->empty())
    bindings.Add(bindings.empty() ? "`" : " and `").Add(*before).Add("`");
  return {Filled(code.substr(0, end), named->fillings), when, bindings, false};
}

StandIn OfGenerator(const Facts& facts, ir::ValueId op, const api::Entry& row) {
  constexpr std::string_view kState = "numpy.random.RandomState.";
  const ir::Program& program = facts.program();
  const ir::ValueId call = OnlyCall(facts, op);
  if (!row.name.starts_with(kState) || !call.valid() || facts.HasStarArguments(call)) return {};
  const std::string_view method = row.name.substr(kState.size());
  if (IsOneOf(method, {"choice", "permutation", "shuffle", "standard_normal", "multivariate_normal"})) return {};
  const std::array<Filling, 1> named = {{{"rng", program.OperandSpan(op, 0)}}};
  Text state(named[0].words), when = FilledWords(row.substitute.when, named);
  if (const ir::ValueId made = MadeHere(facts, program.Operand(op, 0), named[0].words); made.valid()) {
    state = Replace(program.ops[made].span, {{program.OperandSpan(made, 0), Text("np.random.default_rng")}});
    const std::optional<std::int64_t> seed = facts.IntOf(facts.Argument(made, 0, "seed"));
    when = program.Operands(made).size() == 1 || seed.value_or(0) != 0 ? "" : "a seed other than 0";
  }
  if (method == "rand" || method == "randn") {
    const std::size_t sizes = facts.PositionalCount(call);
    if (sizes == 0) return {};
    Text code = state.Add(method == "rand" ? ".random(" : ".normal(0.0, 1.0, ").Add(sizes > 1 ? "(" : "");
    for (std::uint32_t i = 1; i <= sizes; ++i) code.Add(i > 1 ? ", " : "").Add(program.OperandSpan(call, i));
    return {code.Add(sizes > 1 ? "))" : ")"), when, {}, false};
  }
  const bool uniform = method == "random" || method == "random_sample";
  const std::string_view name = uniform ? "random" : method == "randint" ? "integers" : method;
  return {Replace(program.ops[call].span, {{program.OperandSpan(call, 0), state.Add(".").Add(name)}}), when, {}, false};
}

}  // namespace cpnlint::rules::match
