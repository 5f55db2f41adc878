// Where device values reach the host, and how.

#include <algorithm>
#include <array>

#include "analyzer/analysis/impl.h"

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

// `scipy.stats.norm._pdf(u)`: what is private may be plain arithmetic that the array does itself.
bool IsPrivate(std::string_view dotted) {
  const std::string_view last = dotted.substr(dotted.rfind('.') + 1);
  return last.starts_with('_') && !last.starts_with("__");
}

// Private functions that hand their arguments to scipy.special, by SciPy's sources (1.17).
bool ConvertsPrivately(std::string_view dotted) {
  constexpr auto kConvert = std::to_array<std::string_view>(
      {"scipy.stats.norm._cdf", "scipy.stats.norm._isf", "scipy.stats.norm._logcdf", "scipy.stats.norm._logsf",
       "scipy.stats.norm._ppf", "scipy.stats.norm._sf", "scipy.stats.poisson._cdf", "scipy.stats.poisson._logpmf",
       "scipy.stats.poisson._pmf", "scipy.stats.poisson._ppf", "scipy.stats.poisson._sf"});
  static_assert(std::ranges::is_sorted(kConvert));
  return std::ranges::binary_search(kConvert, dotted);
}

class Finder {
 public:
  Finder(const Facts& facts, ir::FunctionId function)
      : facts_(facts), program_(facts.program()), function_(program_.functions[function]) {}

  std::vector<HostRead> Find() {
    for (std::uint32_t i = function_.first_op.index(); i < function_.end_op.index(); ++i) See(ir::ValueId(i));
    return std::move(reads_);
  }

 private:
  void Add(Read kind, ir::ValueId op, ir::ValueId value, std::uint32_t operand) {
    if (!value.valid() || !facts_.IsDevice(value) || IsPlainThere(facts_, op, value)) return;
    const bool picks = kind == Read::kConversion && OnlyPicks(facts_, value);
    reads_.push_back({kind, op, value, operand, picks ? EvidenceSet{kContradicted} : EvidenceSet{0}});
  }

  void AddOperands(Read kind, ir::ValueId op, std::uint32_t from) {
    const ir::Op& record = program_.ops[op];
    for (std::uint32_t i = from; i < record.operand_count; ++i) {
      const ir::ValueId value = program_.Operand(op, i);
      Add(kind, op, value, i);
      // print(*a), "%s %s" % (a, b)
      if (value.valid() && program_.ops[value].kind == ir::OpKind::kStarred)
        Add(kind, op, program_.Operand(value, 0), i);
    }
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
      case ir::OpKind::kTruth: Add(Read::kTruth, id, program_.Operand(id, 0), 0); break;
      case ir::OpKind::kFormatString: AddOperands(Read::kFormat, id, 0); break;
      case ir::OpKind::kIter: Add(Read::kIteration, id, program_.Operand(id, 0), 0); break;
      case ir::OpKind::kUnpackItem:
        if (ir::ItemPosition::Unpack(op.payload).index == 0) Add(Read::kIteration, id, program_.Operand(id, 0), 0);
        break;
      case ir::OpKind::kStarred: Add(Read::kIteration, id, program_.Operand(id, 0), 0); break;
      case ir::OpKind::kAttr:
        if (Is(program_.Name(op), {"flat", "data", "ctypes", "strides"}) && !IsOtherData(facts_, id))
          Add(Read::kAttribute, id, program_.Operand(id, 0), 0);
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
        break;
      case ir::OpKind::kSubscript: SeeSubscript(id, 1); break;
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

  void SeePercentFormat(ir::ValueId id) {
    const ir::ValueId right = program_.Operand(id, 1);
    Add(Read::kFormat, id, right, 1);
    if (!right.valid() || program_.ops[right].kind != ir::OpKind::kTuple) return;
    for (const ir::ValueId part : program_.Operands(right)) Add(Read::kFormat, id, part, 1);
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
    const bool several = program_.ops[id].operand_count > 2 && facts_.PositionalCount(id) >= 2;
    if ((name == "min" || name == "max") && several) {
      for (std::uint32_t i = 1; i < program_.ops[id].operand_count; ++i) {
        const ir::ValueId value = program_.Operand(id, i);
        if (!value.valid() || facts_.RankOf(value) > 0) continue;  // would raise
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

  void SeeApi(ir::ValueId id, const Callee& callee) {
    const ir::ValueId first = program_.Operand(id, 1);
    if (facts_.Of(program_.Operand(id, 0)).kind == Kind::kDType) Add(Read::kConversion, id, first, 1);  // np.float64(x)
    if (callee.library == Library::kHost &&
        Is(callee.name, {"numpy.asarray", "numpy.array", "numpy.ascontiguousarray", "numpy.asanyarray"})) {
      Add(Read::kConversion, id, first, 1);
    }
    if (callee.library == Library::kCupy) AddOperands(Read::kForeign, id, 1);
    if (callee.library == Library::kHost && callee.name.starts_with("numpy.testing."))
      AddOperands(Read::kForeign, id, 1);
  }

  void SeeForeign(ir::ValueId id, const Callee& callee) {
    if (Is(callee.name.substr(0, callee.name.find('.')), {"math", "cmath", "statistics", "decimal", "fractions"})) {
      AddOperands(Read::kMath, id, 1);
      return;
    }
    if (callee.name.starts_with("logging.")) {
      AddOperands(Read::kFormat, id, 1);
      return;
    }
    if (IsPrivate(callee.name) && !ConvertsPrivately(callee.name)) return;
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
  const ir::Program& program_;
  const ir::Function& function_;
  std::vector<HostRead> reads_;
};

}  // namespace

std::span<const HostRead> Facts::HostReadsOf(ir::FunctionId function) const {
  const auto found = impl_->host_reads.find(function);
  if (found != impl_->host_reads.end()) return found->second;
  return impl_->host_reads.emplace(function, Finder(*this, function).Find()).first->second;
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
