// R112 missing-name: an attribute of the array library, of an array or of a generator that cuPyNumeric does not have.

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rules/engine/rule.h"
#include "rules/match/array_class.h"
#include "rules/match/device_call.h"
#include "rules/match/host_call.h"
#include "rules/match/index_object.h"
#include "rules/match/name_use.h"
#include "rules/match/random_draw.h"
#include "rules/match/rewrite.h"
#include "rules/match/stand_in.h"

namespace cpnlint::rules::r112 {

using ir::OpKind;

// A name as the user asks for it: the canonical name, and where it is written.
struct Asked {
  std::string name;  // empty: nothing of the device library
  analysis::EvidenceSet evidence = 0;
  bool of_array = false;
  bool by_import = false;
};

static bool IsUfuncMethod(const api::Entry& row) { return row.name.starts_with("numpy.ufunc."); }

// `numpy.ma.masked_array` lies inside of a missing name: that one is reported, where it is written.
static const api::Entry* ExactRow(const std::string& name, std::string_view version) {
  const api::Entry* row = name.empty() ? nullptr : match::Row(name, version);
  if (row == nullptr) return nullptr;
  return row->name == name || IsUfuncMethod(*row) || row->name.substr(0, 12) == "cupynumeric." ? row : nullptr;
}

// `np.add if total else np.maximum`: a name of one of several functions that some of them have, else of the first.
static std::string NameOfSeveral(const Facts& facts, const analysis::Value& value, std::string_view version) {
  std::string asked;
  for (const analysis::Value& one : facts.store().Get(value.elements)) {
    if (one.kind != analysis::Kind::kApi) return {};
    const std::string name(facts.program().names.Text(one.name));
    const api::Entry* row = ExactRow(name, version);
    if (row == nullptr || row->status != api::Status::kMissing) return name;
    if (asked.empty()) asked = name;
  }
  return asked;
}

static Asked Ask(const Facts& facts, ir::ValueId op, std::string_view version) {
  const ir::Program& program = facts.program();
  const ir::Op& it = program.ops[op];
  const analysis::Value& value = facts.Of(op);
  if (it.kind == OpKind::kAttr) {
    const ir::ValueId object = program.Operand(op, 0);
    const std::string attribute(program.Name(it));
    if (value.kind == analysis::Kind::kMethod && value.function.valid()) return {};  // of the user's own array class
    if (facts.IsDevice(object)) return {"numpy.ndarray." + attribute, facts.Of(object).evidence, true, false};
    const analysis::Value& owner = facts.Of(object);
    if (owner.kind == analysis::Kind::kFunction && value.kind == owner.kind && value.elements.valid())
      return {NameOfSeveral(facts, value, version), owner.evidence, false, false};
    if (owner.library != analysis::Library::kDevice) return {};
    if (owner.kind == analysis::Kind::kGeneratorRng) {
      return {std::string(program.names.Text(owner.name)) + "." + attribute, owner.evidence, false, false};
    }
    if (owner.kind != analysis::Kind::kApi && owner.kind != analysis::Kind::kDType) return {};
  }
  if (value.library != analysis::Library::kDevice) return {};
  // `import numpy.matlib` binds `numpy` alone, yet it is the submodule that has to be there.
  if (it.kind == OpKind::kImport && program.imports[it.payload].root_only && facts.ApiName(op) == "numpy") {
    const std::string_view module = program.names.Text(program.imports[it.payload].module);
    const std::size_t first = std::min(module.find('.'), module.size());
    return {"numpy" + std::string(module.substr(first, module.find('.', first + 1) - first)), value.evidence, false,
            true};
  }
  // Taken out of a module of the program: where that takes it from NumPy is another place, and it may define its own.
  if (it.kind == OpKind::kImport && program.imports[it.payload].target.valid()) return {};
  return {std::string(facts.ApiName(op)), value.evidence, false, it.kind == OpKind::kImport};
}

// Imports of modules that are no part of the array interface stay with NumPy when the import line is swapped.
static bool StaysWithNumpy(const ir::Program& program, ir::ValueId op, std::string_view name) {
  if (program.ops[op].kind != OpKind::kImport) return false;
  const ir::ImportRecord& record = program.imports[program.ops[op].payload];
  const std::string_view module = program.names.Text(record.module);
  return match::IsOneOf(module, {"numpy.typing", "numpy.testing", "numpy.core", "numpy.exceptions", "numpy.dtypes"}) ||
         match::IsOneOf(name, {"numpy.typing", "numpy.testing", "numpy.exceptions", "numpy.dtypes"});
}

static bool OnlyInAnnotations(const Facts& facts, ir::ValueId op) {
  if (facts.program().ops[op].kind != OpKind::kImport) return false;
  const std::vector<ir::ValueId> uses = facts.DeepUsesOf(op);
  for (const ir::ValueId use : uses) {
    if ((facts.program().ops[use].flags & ir::kInAnnotation) == 0) return false;
  }
  return !uses.empty();
}

// A name that is no function: host NumPy has it, and hands it on as it is.
static bool StaysOnHost(const api::Entry& row) {
  switch (row.kind) {
    case api::Kind::kModule:
    case api::Kind::kConstant:
    case api::Kind::kClass:
    case api::Kind::kDtype:
    case api::Kind::kObject: return !row.name.starts_with("numpy.random.");
    default: return false;
  }
}

constexpr std::string_view kBackToDevice =
    "; `np.asarray` brings what it gives to the device, where that goes on with it";

// What only the generators of host NumPy have: their draws go to the device, their states and seeds do not.
static Text HelpForRandom(const Facts& facts, ir::ValueId op, const api::Entry& row) {
  if (row.kind == api::Kind::kClass)
    return "RR-api  it serves generators of host NumPy: a seed alone makes one of the device, "
           "`np.random.default_rng(seed)`";
  const std::string_view last = row.name.substr(row.name.rfind('.') + 1);
  if (match::IsOneOf(last, {"seed", "get_state", "set_state", "bit_generator", "spawn"}))
    return "RR-api  a generator of the device gets its seed once, `np.random.default_rng(seed)`, and shows no state";
  if (last == "random_integers") return "RR-api  draw with `integers`, whose upper end is left out: `high + 1`";
  const ir::ValueId call = match::OnlyCall(facts, op);
  return call.valid() ? Text("RR-api  ").Add(match::DrawOnHost(facts, call)) : Text();
}

// `a.resize(n)`, `a.__array_interface__`
static Text HelpForMethod(const Facts& facts, ir::ValueId op, const api::Entry& row) {
  if (row.name == "numpy.ndarray.resize")
    return "RR-api  make the array in its final length, or a new one that the name is bound to, by `np.concatenate`";
  if (row.name == "numpy.ndarray.__array_interface__" && facts.program().ops[op].kind == OpKind::kAttr) {
    return Text("RR-api  a copy on the host has it: `onp.asarray(")
        .Add(facts.program().OperandSpan(op, 0))
        .Add(").__array_interface__`");
  }
  return {};
}

// Host NumPy does it, as nothing on the device is known to.
static Text WithoutSubstitute(const Facts& facts, ir::ValueId op, const api::Entry& row, const Asked& asked) {
  if (StaysOnHost(row)) {
    if (asked.by_import) return "RR-api  import it from host NumPy as before, and hand it host data";
    Text help("RR-api  with host NumPy as `onp`, write `onp.");
    help.Add(match::BaseName(row.name)).Add("`");
    const bool takes_arrays = row.kind == api::Kind::kModule || row.kind == api::Kind::kClass;
    return takes_arrays ? help.Add(", with `onp.asarray` around device arrays that go into it") : help;
  }
  if (row.name.starts_with("numpy.random.")) return HelpForRandom(facts, op, row);
  if (asked.of_array) return HelpForMethod(facts, op, row);
  const bool function = row.kind == api::Kind::kFunction || row.kind == api::Kind::kUfunc;
  if (function && asked.by_import)
    return "RR-api  no substitute is known: import it from host NumPy as before, and hand it host data";
  if (!function || facts.program().ops[op].kind != OpKind::kAttr) return {};
  Text help("RR-api  no substitute is known: call host NumPy on host data, `");
  help.Add(match::OnHost(facts, op, row)).Add("`");
  if (match::GivesNoArray(row)) return help;
  return help.Add(kBackToDevice);
}

// A distribution of a RandomState, unlike `rand(n, m)` and what works on the items of an array.
static bool TakesParameters(std::string_view row) {
  constexpr std::string_view kState = "numpy.random.RandomState.";
  if (!row.starts_with(kState) || !match::IsDraw(row.substr(6))) return false;
  return !match::IsOneOf(row.substr(kState.size()),
                         {"rand", "randn", "choice", "permutation", "shuffle", "randint", "multivariate_normal"});
}

// `onp.polynomial.legendre.leggauss(16)`; `onp.polynomial` where it is called elsewhere or several times.
static Text OnHostNumpy(const Facts& facts, ir::ValueId op, const api::Entry& row, ir::ValueId call) {
  const ir::Program& program = facts.program();
  const Span name = program.ops[op].span;
  const Text own = Text("onp.").Add(match::BaseName(row.name));
  if (!call.valid() || !program.ops[call].span.Contains(name)) return own;
  return match::Replace(program.ops[call].span, {{name, own}});
}

// `np.ogrid` of `np.ogrid[:n, :m]`, where that is all that is done with it.
static std::optional<Text> InsteadOfSubscript(const Facts& facts, ir::ValueId op) {
  const auto uses = facts.UsesOf(op);
  if (uses.size() != 1 || facts.program().ops[op].kind != OpKind::kAttr) return std::nullopt;
  return match::WithoutIndexObject(facts, uses.front());
}

// `flag is np.True_`: only the object itself is it.
static bool IsComparedByIdentity(const Facts& facts, ir::ValueId op) {
  const ir::Program& program = facts.program();
  return std::ranges::any_of(facts.DeepUsesOf(op), [&](ir::ValueId use) {
    if (program.ops[use].kind != OpKind::kCompare) return false;
    const auto compare = static_cast<ir::CompareOp>(program.ops[use].detail);
    return compare == ir::CompareOp::kIs || compare == ir::CompareOp::kIsNot;
  });
}

// `np.asanyarray` hands on what derives from ndarray; what the library has in its place does not.
static Text LostByArray(const Facts& facts, ir::ValueId op, const api::Entry& row) {
  if (row.name != "numpy.asanyarray") return {};
  const ir::Program& program = facts.program();
  const ir::ValueId call = match::OnlyCall(facts, op);
  const ir::ValueId array = call.valid() ? facts.Argument(call, 0, "a") : ir::ValueId::None();
  const std::string_view name = match::ArrayClassOf(facts, array, program.functions[program.FunctionOf(op)].module);
  if (name.empty()) return {};
  return Text("; it makes a plain array of an object of a class derived from ndarray, as `")
      .Add(name)
      .Add("` is: what the class adds to the values is to be handed on beside them");
}

// `np.genfromtxt(path, names=True)`: what it gives has fields, and no array of the device has.
static Text WithFields(const Facts& facts, ir::ValueId op, const api::Entry& row) {
  const ir::ValueId call = match::OnlyCall(facts, op);
  if (row.name != "numpy.genfromtxt" || !call.valid()) return {};
  const ir::ValueId names = facts.KeywordArgument(call, "names"), dtype = facts.KeywordArgument(call, "dtype");
  const bool named = names.valid() && !facts.IsNoneConstant(names) && facts.BoolOf(names) != false;
  if (!named && !(dtype.valid() && facts.IsNoneConstant(dtype))) return {};
  return Text("with host NumPy as `onp`, write `")
      .Add(OnHostNumpy(facts, op, row, call))
      .Add("` and leave what it gives on the host, as ")
      .Add(named ? "it has fields: " : "it has fields where the columns differ: ")
      .Add("`np.asarray(raw[\"a\"])` brings a field of `raw` to the device");
}

static Text Instead(const Facts& facts, ir::ValueId op, const api::Entry& row, const Asked& asked) {
  const ir::Program& program = facts.program();
  const api::Substitute& fix = row.substitute;
  if (match::IsNeverUsed(facts, op)) return "RR-api  it is never used: delete the import";
  Text help("RR-api  ");
  if (const auto code = InsteadOfSubscript(facts, op)) return help.Add("write `").Add(*code).Add("`");
  if (const match::HostUse host = match::CalledOnHostData(facts, op, row); host.whole) {
    help.Add("nothing of the device is handed to it: ");
    if (asked.by_import) return help.Add("import it from host NumPy as before");
    return help.Add("with host NumPy as `onp`, write `").Add(OnHostNumpy(facts, op, row, host.call)).Add("`");
  }
  if (match::IsOneOf(row.name, {"numpy.True_", "numpy.False_"}) && IsComparedByIdentity(facts, op)) {
    const std::string_view own = match::BaseName(row.name);
    const Text why = Text("what is compared by `is` is host NumPy's own object, which `")
                         .Add(own.substr(0, own.size() - 1))
                         .Add("` is not");
    if (asked.by_import) return help.Add("import it from host NumPy as before: ").Add(why);
    return help.Add("with host NumPy as `onp`, write `onp.").Add(own).Add("`: ").Add(why);
  }
  if (match::HasNoSubstitute(row) && fix.fix == api::Fix::kNone) return WithoutSubstitute(facts, op, row, asked);
  if (!fix.to.empty() && program.ops[op].kind == OpKind::kAttr && !asked.of_array) {
    const std::string_view base = match::BaseName(fix.to);
    const std::string_view module = row.name.substr(0, row.name.rfind('.'));
    if (fix.to.substr(0, fix.to.rfind('.')) != module) return help.Add("write `np.").Add(base).Add("`");
    return help.Add("write `")
        .Add(program.OperandSpan(op, 0))
        .Add(".")
        .Add(base.substr(base.rfind('.') + 1))
        .Add("`")
        .Add(LostByArray(facts, op, row));
  }
  if (fix.fix == api::Fix::kStructural)
    return help.Add(fix.text.empty() ? "no substitute in one line is known" : fix.text);
  if (const Text fields = WithFields(facts, op, row); !fields.empty()) return help.Add(fields);
  if (fix.host) help.Add("with host NumPy as `onp`, ");
  const std::string_view code = fix.text.empty() ? fix.to : fix.text;
  // What a Generator has in its place takes no arrays either.
  if (const ir::ValueId call = match::OnlyCall(facts, op);
      TakesParameters(row.name) && call.valid() && match::DrawsByArrays(facts, call)) {
    return help.Add(match::DrawWithArrays(facts, call, Span{}));
  }
  match::StandIn own = match::OfGenerator(facts, op, row);
  if (!own.code) own = match::StandInFor(facts, op, row, asked.of_array);
  if (std::optional<Text> call = fix.host ? match::OnHost(facts, op, row, code) : std::nullopt)
    own = {std::move(call), own.code ? own.when : Text(fix.when), {}, false};
  if (own.none) return help.Add("no substitute in one line is known");
  const std::string_view beyond = own.code ? std::string_view() : match::KeywordWithoutPlace(facts, op, row);
  if (beyond.starts_with("return_")) {  // something else comes out
    help.Add("no substitute is known with `").Add(beyond).Add("=`: call host NumPy on host data, `");
    return help.Add(match::OnHost(facts, op, row)).Add("`").Add(kBackToDevice);
  }
  if (const std::optional<Text> function = match::AsFunction(facts, op, row))
    return help.Add("write a function, `").Add(*function).Add("`, and hand that over");
  help.Add("write `").Add(own.code.value_or(code)).Add("`");
  if (own.code && !own.names.empty()) help.Add(" after ").Add(own.names);
  const Text lost = LostByArray(facts, op, row);
  if (!lost.empty()) return help.Add(lost);
  const Text when = own.code ? own.when : Text(fix.when);
  if (!when.empty()) help.Add(" (").Add(when).Add(")");
  if (!beyond.empty()) help.Add("; what `").Add(beyond).Add("=` asks for is to be added");
  return help;
}

// Functions of one missing module are told apart where host NumPy does some of them.
static std::string KeyOf(const Facts& facts, ir::ValueId op, const api::Entry& row, const Asked& asked) {
  if (IsUfuncMethod(row)) return asked.name;  // np.maximum.at is another cause than np.add.at
  const ir::ValueId call = match::CalledOnHostData(facts, op, row).call;
  return std::string(call.valid() ? facts.CalleeOf(call).name : row.name);
}

// Fires when
//   1. the name resolves into the device namespace, or is an attribute of a device array or generator, or a ufunc
//   method,
//   2. the support table of the target version has the name as missing, and no other rule owns it.
// Quiet where (a) the table does not have the name, (b) the code asks first or catches the error, (d) an annotation is
// not evaluated, (g) an import only serves annotations or stays with NumPy, (h) the namespace is that of the array API
// standard, which may define the name itself.
static void OnOp(const Facts& facts, ir::ValueId op, Trial& trial) {
  const ir::Program& program = facts.program();
  const Asked asked = Ask(facts, op, trial.target().version);
  if (!trial.Holds(1, !asked.name.empty()) || asked.name.empty()) return;
  const api::Entry* row = ExactRow(asked.name, trial.target().version);
  if (trial.Quiet('a', row == nullptr) || row == nullptr) return;
  if (!trial.Holds(2, row->status == api::Status::kMissing && (row->owner == 0 || row->owner == 112))) return;
  if (trial.Quiet('b', facts.IsGuardedAgainstMissing(op))) return;
  if (trial.Quiet('d', (program.ops[op].flags & ir::kNotEvaluated) != 0)) return;
  if (trial.Quiet('h', (asked.evidence & analysis::kStandardNamespace) != 0)) return;
  if (trial.Quiet('g', StaysWithNumpy(program, op, asked.name) || OnlyInAnnotations(facts, op))) return;

  const char* error = asked.by_import                                    ? "ImportError"
                      : row->raises == api::Raises::kNotImplementedError ? "NotImplementedError"
                                                                         : "AttributeError";
  trial.ReportOp(op)
      .Arg("name", asked.by_import ? Text(asked.name) : Text(program.ops[op].span))
      .Arg("version", trial.target().version)
      .Key(KeyOf(facts, op, *row, asked))
      .Evidence(asked.evidence)
      .PrimaryLabel(std::string("raises ") + error)
      .Help(Instead(facts, op, *row, asked));
}

// Annotations that Python evaluates when the function is defined raise there; the runner leaves all annotations out.
static void OnFunction(const Facts& facts, ir::FunctionId function, Trial& trial) {
  const ir::Program& program = facts.program();
  for (const ir::BlockId block : program.functions[function].blocks) {
    for (const ir::ValueId op : program.blocks[block].ops) {
      const ir::Op& it = program.ops[op];
      if ((it.flags & ir::kInAnnotation) == 0 || it.kind != OpKind::kAttr) continue;
      trial.Considers(op);
      OnOp(facts, op, trial);
    }
  }
}

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 112,
    .slug = "missing-name",
    .family = Family::kBlocks,
    .severity = Severity::kError,
    .cold = Severity::kError,
    .summary = "a NumPy name that cuPyNumeric does not have",
    .message = "`{name}` does not exist in cuPyNumeric {version}",
    .why =
        "there is no fallback to host NumPy: a missing name is an AttributeError, a missing method of an "
        "array likewise, a missing name in a `from` import an ImportError",
    .details = R"md(
Fires on a name of NumPy, of a device array, of a generator or of a ufunc (`np.add.at`) that the support table of the
target version lists as missing, wherever the line can run. Names that only describe data (`np.intp`, `np.issubdtype`,
`np.errstate`) raise all the same and count.

Stays quiet on names that the table does not have, under `hasattr`, `getattr` with a default or `try ... except
AttributeError`, in annotations that Python does not evaluate, for host NumPy, and on attributes of objects that are not
known to be device arrays. An evaluated annotation such as `-> np.bool` raises when the function is defined, and fires.

Releases before 26.06 had a layer that passed missing names on to host NumPy. It is gone; texts that promise such a
fallback or a warning are out of date. The names that other rules own are theirs: `vectorize` (R102), object types
(R107), masked arrays, matrices, datetimes and iterators (R119).
)md",
    .bad = R"py(
import numpy as np

def spread(n):
    x = np.arange(n, dtype=np.float64)
    return np.std(x)
)py",
    .good = R"py(
import numpy as np

def spread(n):
    x = np.arange(n, dtype=np.float64)
    return np.sqrt(np.mean((x - x.mean()) ** 2))
)py",
    .recipe = "RR-api",
    .fix = FixClass::kUnsafe,
    .conditions = R"md(
1. the name resolves into the device namespace, or is an attribute of a device array or generator, or a ufunc method
2. the support table of the target version has the name as missing, and no other rule owns it
- (a) the table does not have the name
- (b) the code asks first (`hasattr`, `getattr` with a default) or catches the error
- (d) an annotation that Python does not evaluate
- (g) an import that only serves annotations or stays with NumPy
- (h) the namespace is that of the array API standard, which may define the name itself
)md",
    .ops = {OpKind::kAttr, OpKind::kImport, OpKind::kStarName},
    .on_op = &OnOp,
    .on_function = &OnFunction,
};

}  // namespace cpnlint::rules::r112
