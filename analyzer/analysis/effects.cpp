// Where device values reach the host, and how.

#include <algorithm>
#include <array>

#include "analyzer/analysis/callee_names.h"
#include "analyzer/analysis/engine.h"
#include "analyzer/analysis/foreign_looks.h"
#include "analyzer/analysis/one_number.h"
#include "analyzer/analysis/progress_bars.h"
#include "analyzer/analysis/sparse_tests.h"
#include "analyzer/analysis/stored_tuples.h"

namespace cpnlint::analysis {
namespace {

using Read = HostRead::Kind;

bool Is(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Types that no array is of: the plain ones and the abstract numbers.
bool IsPlainType(const Facts& facts, ir::ValueId type) {
  const Value& value = facts.Of(type);
  if (value.kind == Kind::kTuple && value.elements.valid()) return false;
  const ir::Op& op = facts.program().ops[facts.Source(type)];
  if (op.kind == ir::OpKind::kBuiltin)
    return Is(facts.program().Name(op), {"bool", "complex", "dict", "float", "int", "list", "set", "str", "tuple"});
  return facts.ApiName(type).starts_with("numbers.");
}

// Under `if isinstance(x, numbers.Integral):` the value is no array.
bool IsPlainThere(const Facts& facts, ir::ValueId op, ir::ValueId value) {
  constexpr int kMostTests = 32;
  const ir::Program& program = facts.program();
  ir::GuardId id = program.blocks[program.ops[op].block].guard;
  for (int tests = 0; id.valid() && tests < kMostTests; ++tests, id = program.guards[id].parent) {
    const ir::Guard& guard = program.guards[id];
    if (guard.kind != ir::Guard::Kind::kTest || !guard.truth.valid() || !guard.holds) continue;
    const ir::ValueId test = facts.Source(guard.truth);
    if (!test.valid() || program.ops[test].kind != ir::OpKind::kCall || program.ops[test].operand_count != 3) continue;
    const Callee& callee = facts.CalleeOf(test);
    if (callee.kind != Callee::Kind::kBuiltin || callee.name != "isinstance") continue;
    if (facts.Source(program.Operand(test, 1)) == facts.Source(value) && IsPlainType(facts, program.Operand(test, 2)))
      return true;
  }
  return false;
}

// `np.array(names)[mask].tolist()`: made of who knows what, only to pick from it. Nothing tells of numbers.
bool OnlyPicks(const Facts& facts, ir::ValueId value) {
  constexpr int kMostSteps = 4;
  const ir::Program& program = facts.program();
  for (int steps = 0; steps < kMostSteps; ++steps) {
    value = facts.Source(value);
    if (!value.valid() || facts.Of(value).dtype != ir::DType::kUnknown || facts.DeepUsesOf(value).size() != 1)
      return false;
    const ir::Op& op = program.ops[value];
    if (op.kind == ir::OpKind::kSubscript) {
      value = program.Operand(value, 0);
      continue;
    }
    if (op.kind != ir::OpKind::kCall || steps == 0) return false;
    const bool made = facts.CallsDevice(value, "numpy.array") || facts.CallsDevice(value, "numpy.asarray");
    return made && facts.Of(facts.Argument(value, 0, "object")).kind == Kind::kUnknown;
  }
  return false;
}

// `rho.data.indptr`: the buffer of an array has nothing of that name, so this is no array.
bool IsOtherData(const Facts& facts, ir::ValueId data) {
  const ir::Program& program = facts.program();
  if (program.Name(program.ops[data]) != "data") return false;
  return std::ranges::any_of(facts.UsesOf(data), [&](ir::ValueId use) {
    return program.ops[use].kind == ir::OpKind::kAttr &&
           !Is(program.Name(program.ops[use]),
               {"c_contiguous", "cast", "contiguous", "f_contiguous", "format", "hex", "itemsize", "nbytes", "ndim",
                "obj", "readonly", "release", "shape", "strides", "suboffsets", "tobytes", "tolist", "toreadonly"});
  });
}

// `a[k::2]` of a device array raises before it looks at `k` (R106).
bool RaisesForStep(const Facts& facts, ir::ValueId slice) {
  const std::optional<std::int64_t> step = facts.IntOf(facts.program().Operand(slice, 2));
  if (!step || *step == 1) return false;
  return std::ranges::any_of(facts.UsesOf(slice), [&](ir::ValueId use) {
    return facts.program().ops[use].kind == ir::OpKind::kSubscript && facts.IsDevice(facts.program().Operand(use, 0));
  });
}

// An object of that name is a matrix or array of scipy.sparse: "scipy.sparse.csr_matrix", "scipy.sparse.eye.T".
bool IsSparseMatrix(std::string_view dotted) {
  constexpr std::string_view kModule = "scipy.sparse.";
  if (!dotted.starts_with(kModule)) return false;
  std::string_view rest = dotted.substr(kModule.size());
  if (StartsWithModule(rest, "linalg")) return rest == "linalg.LinearOperator" || rest == "linalg.aslinearoperator";
  if (StartsWithModule(rest, "csgraph")) return false;
  // What its methods and attributes give is another one: `A.T`, `A.tocsr().conj()`.
  constexpr auto kGiveMatrices =
      std::to_array<std::string_view>({"H", "T", "asformat", "astype", "conj", "conjugate", "copy", "getH", "power",
                                       "tobsr", "tocoo", "tocsc", "tocsr", "todia", "tolil", "transpose"});
  while (rest.find('.') != std::string_view::npos) {
    const std::size_t dot = rest.rfind('.');
    if (!std::ranges::binary_search(kGiveMatrices, rest.substr(dot + 1))) return false;
    rest.remove_suffix(rest.size() - dot);
  }
  return true;
}

// `A @ u` and `A * u` of a matrix of scipy.sparse, which takes `u` as a host array.
bool IsSparseProduct(const Facts& facts, const ir::Op& op) {
  const auto binary = static_cast<ir::BinaryOp>(op.detail);
  if (binary != ir::BinaryOp::kMatMul && binary != ir::BinaryOp::kMul) return false;
  const ir::ValueId left = facts.program().Operands(op)[0];
  return facts.Of(left).kind == Kind::kForeign && IsSparseMatrix(facts.program().names.Text(facts.Of(left).name));
}

// The value that a pass leaves in a variable for the test of the next one: `err` of `err = 10 * tol` before
// `while err > tol:`, whose body takes it from the device. What the variable is before the loop is not known.
ir::ValueId CarriedFromDevice(const Facts& facts, ir::ValueId tested) {
  constexpr std::size_t kMostSteps = 16;
  const ir::Program& program = facts.program();
  std::vector<ir::ValueId> pending = {tested};
  for (std::size_t i = 0; i < pending.size() && i < kMostSteps; ++i) {
    const ir::ValueId value = facts.Source(pending[i]);
    if (!value.valid() || facts.Of(value).kind != Kind::kUnknown) continue;
    const ir::Op& op = program.ops[value];
    if (op.kind == ir::OpKind::kPhi) {
      const ir::LoopId loop = program.blocks[op.block].loop;
      if (!loop.valid() || program.loops[loop].header != op.block || !facts.InLoop(tested, loop)) continue;
      for (const ir::ValueId operand : program.Operands(op)) {
        if (operand.valid() && facts.InLoop(operand, loop) && facts.IsDevice(operand) && facts.IsZeroD(operand))
          return operand;
      }
      continue;
    }
    const bool passes_on = op.kind == ir::OpKind::kCompare || op.kind == ir::OpKind::kUnary ||
                           op.kind == ir::OpKind::kBinary || op.kind == ir::OpKind::kNot;
    if (!passes_on) continue;
    for (const ir::ValueId operand : program.Operands(op)) pending.push_back(operand);
  }
  return {};
}

// `scipy.stats.norm._pdf(u)`: what is private may be plain arithmetic that the array does itself.
bool IsPrivate(std::string_view dotted) { return IsPrivateName(dotted.substr(dotted.rfind('.') + 1)); }

// Private functions that hand their arguments to scipy.special, by SciPy's sources (1.17).
bool ConvertsPrivately(std::string_view dotted) {
  constexpr auto kConvert = std::to_array<std::string_view>(
      {"scipy.stats.norm._cdf", "scipy.stats.norm._isf", "scipy.stats.norm._logcdf", "scipy.stats.norm._logsf",
       "scipy.stats.norm._ppf", "scipy.stats.norm._sf", "scipy.stats.poisson._cdf", "scipy.stats.poisson._logpmf",
       "scipy.stats.poisson._pmf", "scipy.stats.poisson._ppf", "scipy.stats.poisson._sf"});
  static_assert(std::ranges::is_sorted(kConvert));
  return std::ranges::binary_search(kConvert, dotted);
}

// `def __setitem__(self, key, value: np.ndarray): self.data[key] = value.data` of a class whose own objects have
// `data`: what is handed over may as well be one of them, whatever is said of the parameter.
bool MayBeOfItsOwnClass(const Facts& facts, const Facts::Impl& impl, ir::ValueId attribute) {
  const ir::Program& program = facts.program();
  const ir::ValueId object = facts.Source(program.Operand(attribute, 0));
  if (!object.valid() || program.ops[object].kind != ir::OpKind::kParam || facts.Of(object).evidence == 0) return false;
  const ir::ClassId owner = program.functions[program.FunctionOf(object)].owner;
  if (!owner.valid()) return false;
  const Symbol name = program.SymbolOf(program.ops[attribute]);
  return FindMethod(impl, owner, name).valid() || std::ranges::any_of(impl.kin[owner], [&](ir::ClassId kin) {
           return impl.slot_of.contains(SlotKey(kin, name));
         });
}

class Finder {
 public:
  Finder(const Facts& facts, const Facts::Impl& impl, ir::FunctionId function)
      : facts_(facts), impl_(impl), program_(facts.program()), function_(program_.functions[function]) {}

  std::vector<HostRead> Find() {
    for (std::uint32_t i = function_.first_op.index(); i < function_.end_op.index(); ++i) See(ir::ValueId(i));
    return std::move(reads_);
  }

 private:
  void Add(Read kind, ir::ValueId op, ir::ValueId value, std::uint32_t operand) {
    if (!value.valid() || !facts_.IsDevice(value)) return;
    if (IsPlainThere(facts_, op, value) || IsSparseAt(facts_, value, op)) return;
    const bool picks = kind == Read::kConversion && OnlyPicks(facts_, value);
    reads_.push_back({kind, op, value, operand, picks ? EvidenceSet{kContradicted} : EvidenceSet{0}});
  }

  void AddOperands(Read kind, ir::ValueId op, std::uint32_t from) {
    const ir::Op& record = program_.ops[op];
    for (std::uint32_t i = from; i < record.operand_count; ++i) {
      const ir::ValueId value = program_.Operand(op, i);
      Add(kind, op, value, i);
      // print(*a), "%s %s" % (a, b)
      if (!value.valid()) continue;
      const bool starred = program_.ops[value].kind == ir::OpKind::kStarred;
      if (starred) Add(kind, op, program_.Operand(value, 0), i);
      if (kind == Read::kFormat) AddParts(op, starred ? program_.Operand(value, 0) : value, i);
    }
  }

  // `"%d %g" % hist[-1]`, `print(*hist[-1])`: what the tuple holds. One that stands there itself is looked at by
  // others.
  void AddParts(ir::ValueId op, ir::ValueId tuple, std::uint32_t operand) {
    if (!tuple.valid() || program_.ops[tuple].kind == ir::OpKind::kTuple) return;
    for (const ir::ValueId part : DeviceParts(facts_, tuple)) Add(Read::kFormat, op, part, operand);
  }

  // What another library is handed: the arguments, and what stands in a display among them (`json.dump([u, v], f)`).
  void AddHandedOver(ir::ValueId call) {
    AddOperands(Read::kForeign, call, 1);
    for (std::uint32_t i = 1; i < program_.ops[call].operand_count; ++i) {
      const ir::ValueId argument = program_.Operand(call, i);
      if (!argument.valid() || !IsDisplay(program_.ops[argument].kind)) continue;
      for (const ir::ValueId element : program_.Operands(argument)) Add(Read::kForeign, call, element, i);
    }
  }

  static bool IsDisplay(ir::OpKind kind) {
    return kind == ir::OpKind::kTuple || kind == ir::OpKind::kList || kind == ir::OpKind::kDict;
  }

  void See(ir::ValueId id) {
    const ir::Op& op = program_.ops[id];
    if (!op.block.valid() || (op.flags & ir::kInAnnotation) != 0) return;
    switch (op.kind) {
      case ir::OpKind::kTruth: {
        const ir::ValueId tested = program_.Operand(id, 0);
        Add(Read::kTruth, id, facts_.IsDevice(tested) ? tested : CarriedFromDevice(facts_, tested), 0);
        break;
      }
      case ir::OpKind::kFormatString: AddOperands(Read::kFormat, id, 0); break;
      case ir::OpKind::kCollectItem: SeeCollected(id); break;
      case ir::OpKind::kIter: Add(Read::kIteration, id, program_.Operand(id, 0), 0); break;
      case ir::OpKind::kUnpackItem:
        if (ir::ItemPosition::Unpack(op.payload).index == 0) Add(Read::kIteration, id, program_.Operand(id, 0), 0);
        break;
      case ir::OpKind::kStarred: Add(Read::kIteration, id, program_.Operand(id, 0), 0); break;
      case ir::OpKind::kAttr:
        if (Is(program_.Name(op), {"flat", "data", "ctypes", "strides"}) && !IsOtherData(facts_, id)) SeeAttribute(id);
        if (!Is(program_.Name(op), {"writeable", "num"})) SeeFlag(id);
        break;
      case ir::OpKind::kCompare: {
        const auto compare = static_cast<ir::CompareOp>(op.detail);
        if (compare == ir::CompareOp::kIn || compare == ir::CompareOp::kNotIn)
          Add(Read::kContains, id, program_.Operand(id, 1), 1);
        break;
      }
      case ir::OpKind::kBinary:
        if (static_cast<ir::BinaryOp>(op.detail) == ir::BinaryOp::kMod &&
            facts_.Of(program_.Operand(id, 0)).kind == Kind::kStr) {
          SeePercentFormat(id);
        }
        if (IsSparseProduct(facts_, op)) Add(Read::kForeign, id, program_.Operand(id, 1), 1);
        break;
      case ir::OpKind::kSubscript:
        SeeSubscript(id, 1);
        if (const auto flag = facts_.TextOf(program_.Operand(id, 1)); flag && !Is(*flag, {"W", "WRITEABLE"}))
          SeeFlag(id);
        break;
      case ir::OpKind::kStoreSubscript:
        SeeSubscript(id, 2);
        // dataset[i] = u
        if (facts_.Of(program_.Operand(id, 0)).kind == Kind::kForeign)
          Add(Read::kForeign, id, program_.Operand(id, 1), 1);
        break;
      case ir::OpKind::kSlice:
        if (RaisesForStep(facts_, id)) break;
        for (std::uint32_t i = 0; i < op.operand_count; ++i) {
          const ir::ValueId bound = program_.Operand(id, i);
          if (!bound.valid() || !facts_.IsDevice(bound) || facts_.RankOf(bound) != 0) continue;
          Add(Read::kIndex, id, bound, i);
          break;  // one slice, one wait worth telling
        }
        break;
      case ir::OpKind::kCall: SeeCall(id); break;
      default: break;
    }
  }

  // `all(np.allclose(u, v) for u, v in pairs)` tests each item that the comprehension gives.
  void SeeCollected(ir::ValueId id) {
    const auto users = facts_.UsesOf(program_.Operand(id, 0));
    const bool tested = std::any_of(users.begin(), users.end(), [&](ir::ValueId user) {
      if (program_.ops[user].kind != ir::OpKind::kCall) return false;
      const Callee& callee = facts_.CalleeOf(user);
      return callee.kind == Callee::Kind::kBuiltin && Is(callee.name, {"any", "all"});
    });
    const ir::ValueId item = program_.Operand(id, 1);
    if (tested && facts_.IsZeroD(item)) Add(Read::kTruth, id, item, 1);
  }

  void SeeAttribute(ir::ValueId id) {
    const std::size_t before = reads_.size();
    Add(Read::kAttribute, id, program_.Operand(id, 0), 0);
    if (reads_.size() > before && MayBeOfItsOwnClass(facts_, impl_, id)) reads_.back().evidence |= kContradicted;
  }

  // `u.flags.c_contiguous` and `u.flags["C"]`: all flags but one are those of the array on the host.
  void SeeFlag(ir::ValueId id) {
    const ir::ValueId flags = program_.Operand(id, 0);
    if (!flags.valid() || program_.ops[flags].kind != ir::OpKind::kAttr) return;
    if (program_.Name(program_.ops[flags]) == "flags") Add(Read::kAttribute, id, program_.Operand(flags, 0), 0);
  }

  void SeePercentFormat(ir::ValueId id) {
    const ir::ValueId right = program_.Operand(id, 1);
    Add(Read::kFormat, id, right, 1);
    AddParts(id, right, 1);
    if (!right.valid() || program_.ops[right].kind != ir::OpKind::kTuple) return;
    for (const ir::ValueId part : program_.Operands(right)) {
      Add(Read::kFormat, id, part, 1);
      if (program_.ops[part].kind == ir::OpKind::kStarred) AddParts(id, program_.Operand(part, 0), 1);
    }
  }

  // A 0-d device value as the index of a list or tuple. As the index of an array it is a throwing gather (R116).
  void SeeSubscript(ir::ValueId id, std::uint32_t first) {
    const Kind base = facts_.Of(program_.Operand(id, 0)).kind;
    if (base != Kind::kList && base != Kind::kTuple) return;
    for (std::uint32_t i = first; i < program_.ops[id].operand_count; ++i)
      Add(Read::kIndex, id, program_.Operand(id, i), i);
  }

  void SeeCall(ir::ValueId id) {
    const Callee& callee = facts_.CalleeOf(id);
    switch (callee.kind) {
      case Callee::Kind::kBuiltin: SeeBuiltin(id, callee.name); break;
      case Callee::Kind::kMethod:
        if (Is(callee.name,
               {"numpy.ndarray.item", "numpy.ndarray.tolist", "numpy.ndarray.tobytes", "numpy.ndarray.tostring",
                "numpy.ndarray.tofile", "numpy.ndarray.dump", "numpy.ndarray.dumps"})) {
          Add(Read::kConversion, id, callee.receiver, 0);
        }
        break;
      case Callee::Kind::kApi: SeeApi(id, callee); break;
      case Callee::Kind::kForeign: SeeForeign(id, callee); break;
      case Callee::Kind::kContainerMethod:
        if (callee.name == "str.format" || callee.name == "str.join") AddOperands(Read::kFormat, id, 1);
        if (callee.name == "list.extend") Add(Read::kIteration, id, program_.Operand(id, 1), 1);
        break;
      case Callee::Kind::kLocal:
        if (facts_.IsCompiledElsewhere(callee.function)) AddHandedOver(id);
        break;
      case Callee::Kind::kUnknown: SeeLogger(id); break;
      default: break;
    }
  }

  void SeeBuiltin(ir::ValueId id, std::string_view name) {
    const ir::ValueId first = program_.Operand(id, 1);
    if (Is(name, {"float", "int", "complex", "bool"})) Add(Read::kConversion, id, first, 1);
    if (name == "range") AddOperands(Read::kIndex, id, 1);
    if (Is(name, {"print", "str", "repr", "format"})) AddOperands(Read::kFormat, id, 1);
    if (Is(name, {"list", "tuple", "set", "frozenset", "enumerate", "zip", "map", "iter", "filter"}))
      AddOperands(Read::kIteration, id, 1);
    if (Is(name, {"any", "all"}) && first.valid() && IsDisplay(program_.ops[first].kind))
      AddItems(Read::kTruth, id, first, 1);
    if (name == "map" && IsNumberType(first) && facts_.PositionalCount(id) == 2) {
      const ir::ValueId items = program_.Operand(id, 2);
      if (items.valid() && IsDisplay(program_.ops[items].kind)) AddItems(Read::kConversion, id, items, 2);
    }
    const bool several = program_.ops[id].operand_count > 2 && facts_.PositionalCount(id) >= 2;
    if ((name == "min" || name == "max") && several) {
      for (std::uint32_t i = 1; i < program_.ops[id].operand_count; ++i) {
        const ir::ValueId value = program_.Operand(id, i);
        if (!value.valid()) continue;
        if (facts_.RankOf(value) > 0 && !IsOneNumber(facts_, value)) continue;  // would raise
        const ir::ValueId source = facts_.Source(value);
        const bool told = program_.ops[source].kind == ir::OpKind::kCall &&
                          (facts_.CalleeOf(source).name == "min" || facts_.CalleeOf(source).name == "max");
        if (!told) Add(Read::kTruth, id, value, i);  // max(0, min(x, y)): the inner one waits first
      }
      return;
    }
    if (Is(name, {"sum", "min", "max", "any", "all", "sorted", "reversed"}) && first.valid() &&
        facts_.RankOf(first) != 0) {
      Add(Read::kBuiltinWalk, id, first, 1);
    }
    if (name == "round" && first.valid()) {  // divmod raises
      Add(facts_.RankOf(first) == 0 ? Read::kConversion : Read::kBuiltinWalk, id, first, 1);
    }
  }

  // The single values in a display that the call takes one by one.
  void AddItems(Read kind, ir::ValueId call, ir::ValueId display, std::uint32_t operand) {
    for (const ir::ValueId item : program_.Operands(display)) {
      if (facts_.IsZeroD(item)) Add(kind, call, item, operand);
    }
  }

  [[nodiscard]] bool IsNumberType(ir::ValueId id) const {
    if (!id.valid() || program_.ops[id].kind != ir::OpKind::kBuiltin) return false;
    return Is(program_.Name(program_.ops[id]), {"float", "int", "complex", "bool"});
  }

  void SeeApi(ir::ValueId id, const Callee& callee) {
    const ir::ValueId first = program_.Operand(id, 1);
    if (facts_.Of(program_.Operand(id, 0)).kind == Kind::kDType) Add(Read::kConversion, id, first, 1);  // np.float64(x)
    if (callee.library == Library::kHost &&
        Is(callee.name, {"numpy.asarray", "numpy.array", "numpy.ascontiguousarray", "numpy.asanyarray"})) {
      Add(Read::kConversion, id, first, 1);
    }
    if (callee.library == Library::kCupy) AddOperands(Read::kForeign, id, 1);
    if (callee.name.starts_with("numpy.testing.")) AddOperands(Read::kForeign, id, 1);  // host NumPy's in any case
  }

  void SeeForeign(ir::ValueId id, const Callee& callee) {
    if (Is(callee.name.substr(0, callee.name.find('.')), {"math", "cmath", "statistics", "decimal", "fractions"})) {
      AddOperands(Read::kMath, id, 1);
      return;
    }
    if (callee.name == "operator.index") Add(Read::kConversion, id, program_.Operand(id, 1), 1);
    if (callee.name == "itertools.chain") AddOperands(Read::kIteration, id, 1);
    if (callee.name.starts_with("logging.")) {
      AddOperands(Read::kFormat, id, 1);
      return;
    }
    if (IsPrivate(callee.name) && !ConvertsPrivately(callee.name)) return;
    if (ReadsNoItems(callee.name)) return;
    if (IsProgressBar(callee.name)) {
      if (facts_.PositionalCount(id) > 0) Add(Read::kIteration, id, program_.Operand(id, 1), 1);
      return;
    }
    if (IsForeignLibrary(callee.name) || Is(callee.name.substr(0, callee.name.find('.')), {"io", "struct"})) {
      AddHandedOver(id);
    }
  }

  // logger.info("... %s", u): a method of an unknown object under one of logging's names, with a text first.
  void SeeLogger(ir::ValueId id) {
    const ir::ValueId called = program_.Operand(id, 0);
    if (!called.valid() || program_.ops[called].kind != ir::OpKind::kAttr) return;
    const ir::ValueId first = program_.Operand(id, 1);
    if (!first.valid() || facts_.Of(first).kind != Kind::kStr) return;
    if (Is(program_.Name(program_.ops[called]),
           {"debug", "info", "warning", "error", "critical", "exception", "log"})) {
      AddOperands(Read::kFormat, id, 2);
    }
  }

  const Facts& facts_;
  const Facts::Impl& impl_;
  const ir::Program& program_;
  const ir::Function& function_;
  std::vector<HostRead> reads_;
};

}  // namespace

std::span<const HostRead> Facts::HostReadsOf(ir::FunctionId function) const {
  const auto found = impl_->host_reads.find(function);
  if (found != impl_->host_reads.end()) return found->second;
  return impl_->host_reads.emplace(function, Finder(*this, *impl_, function).Find()).first->second;
}

// --- guards against missing names (R112 quiet b) ---

namespace {

// Some handler under the guard names the errors of a missing name. A bare `except:` is no test for one.
bool CatchesMissing(const Facts& facts, ir::GuardId guard, ir::FunctionId function) {
  const ir::Program& program = facts.program();
  const auto catches = [&](ir::ValueId id) {
    if (!id.valid()) return false;
    const ir::Op& name = program.ops[id];
    return name.kind == ir::OpKind::kBuiltin &&
           Is(program.Name(name), {"AttributeError", "ImportError", "ModuleNotFoundError"});
  };
  for (const ir::BlockId block_id : program.functions[function].blocks) {
    const ir::Block& block = program.blocks[block_id];
    if (block.guard != guard) continue;
    for (const ir::ValueId op : block.ops) {
      if (program.ops[op].kind != ir::OpKind::kCaught) continue;
      const ir::ValueId type = program.Operand(op, 0);
      if (catches(type)) return true;
      if (!type.valid() || program.ops[type].kind != ir::OpKind::kTuple) continue;
      for (const ir::ValueId one : program.Operands(type)) {
        if (catches(one)) return true;
      }
    }
  }
  return false;
}

}  // namespace

bool Facts::IsGuardedAgainstMissing(ir::ValueId op) const {
  const ir::Block& block = program_.blocks[program_.ops[op].block];
  // `if hasattr(np, "trapezoid"):` around it.
  for (ir::GuardId guard = block.guard; guard.valid(); guard = program_.guards[guard].parent) {
    const ir::Guard& record = program_.guards[guard];
    if (record.kind != ir::Guard::Kind::kTest || !record.truth.valid()) continue;
    const ir::ValueId test = Source(record.truth);
    if (!test.valid() || program_.ops[test].kind != ir::OpKind::kCall) continue;
    const Callee& callee = CalleeOf(test);
    if (callee.kind == Callee::Kind::kBuiltin && callee.name == "hasattr") return true;
  }
  // Inside a try whose handler catches the error. Ops are numbered in source order: a try's body lies between the
  // branch that opens it (to the body or to its handlers) and the first op of the handlers.
  for (const ir::BlockId handler_id : program_.functions[block.function].blocks) {
    const ir::Block& handler = program_.blocks[handler_id];
    if (handler.ops.empty() || handler.preds.empty() || !handler.guard.valid()) continue;
    const ir::Guard& guard = program_.guards[handler.guard];
    if (guard.kind != ir::Guard::Kind::kExcept) continue;
    const ir::Block& opening = program_.blocks[handler.preds.front()];
    if (opening.guard == handler.guard || opening.ops.empty()) continue;  // not the handlers' first block
    const auto first = std::find_if(handler.ops.begin(), handler.ops.end(),
                                    [&](ir::ValueId id) { return program_.ops[id].kind != ir::OpKind::kPhi; });
    if (first == handler.ops.end() || op < opening.ops.back() || *first < op) continue;
    if (CatchesMissing(*this, handler.guard, block.function)) return true;
  }
  return false;
}

}  // namespace cpnlint::analysis
