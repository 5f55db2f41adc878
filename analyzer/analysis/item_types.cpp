// What the use of its items says of an array whose type is not known otherwise: `names[i] + " "` and `s == "H"` take
// strings, `p.charge` takes an object, `p["mass"]` a record. None has a counterpart on the device (rules.md A.3).

#include <algorithm>
#include <array>

#include "analyzer/analysis/engine.h"
#include "analyzer/analysis/item_types.h"

namespace cpnlint::analysis {
namespace {

// Attributes of NumPy's scalars and of arrays of other libraries, which arrays of NumPy do not have.
constexpr auto kNumberAttributes = std::to_array<std::string_view>({
    "as_integer_ratio",
    "bit_count",
    "compute",
    "cpu",
    "denominator",
    "detach",
    "device",
    "get",
    "hex",
    "is_integer",
    "mask",
    "mT",
    "numerator",
    "numpy",
    "T",
    "to_value",
    "unit",
    "units",
    "value",
    "values",
});

bool IsText(const ir::Program& program, ir::ValueId id) {
  return id.valid() && (program.ops[id].kind == ir::OpKind::kStr || program.ops[id].kind == ir::OpKind::kFormatString);
}

// The module or package that a name is bound to by its import, as it is written: `re`, `os`.
bool IsModule(const ir::Program& program, const Interner& names, ir::ValueId id, std::string_view module) {
  if (!id.valid()) return false;
  const ir::Op& op = program.ops[id];
  if (op.kind == ir::OpKind::kImport) return names.Text(program.imports[op.payload].module) == module;
  if (op.kind != ir::OpKind::kLoadCell) return false;
  const ir::Cell& cell = program.cells[ir::CellId(op.payload)];
  return cell.stores.size() == 1 && IsModule(program, names, program.Operand(cell.stores[0], 0), module);
}

// `re.sub(pattern, "", name)`, `getattr(model, name)`, `os.path.join(folder, name)`, `", ".join(names)`: the argument
// is a text, or holds some.
bool TakesText(const ir::Program& program, const Interner& names, ir::ValueId call, ir::ValueId argument) {
  const ir::ValueId callee = program.Operand(call, 0);
  if (!callee.valid() || callee == argument) return false;
  const ir::Op& op = program.ops[callee];
  if (op.kind == ir::OpKind::kBuiltin) {
    const std::string_view name = program.Name(op);
    if (name == "open") return program.Operand(call, 1) == argument;
    return (name == "getattr" || name == "setattr" || name == "hasattr") && program.Operand(call, 2) == argument;
  }
  if (op.kind != ir::OpKind::kAttr) return false;
  const ir::ValueId module = program.Operand(callee, 0);
  if (program.Name(op) == "join" && IsText(program, module)) return true;
  if (IsModule(program, names, module, "re")) return true;
  return module.valid() && program.ops[module].kind == ir::OpKind::kAttr &&
         program.Name(program.ops[module]) == "path" && IsModule(program, names, program.Operand(module, 0), "os");
}

// `getattr(axis, f"set_{side}label")`: nobody asks a number for what is only known as the program runs.
bool LooksUpAttribute(const ir::Program& program, ir::ValueId call, ir::ValueId item) {
  const ir::ValueId callee = program.Operand(call, 0), name = program.Operand(call, 2);
  if (!callee.valid() || program.ops[callee].kind != ir::OpKind::kBuiltin || program.Operand(call, 1) != item)
    return false;
  return program.Name(program.ops[callee]) == "getattr" && name.valid() &&
         program.ops[name].kind == ir::OpKind::kFormatString;
}

// `p["mass"]`: a field of a record; `p[["x", "y"]]`: some of them.
ir::DType NamesField(const ir::Program& program, ir::ValueId subscript, ir::ValueId base) {
  const ir::Op& op = program.ops[subscript];
  const std::uint32_t first = op.kind == ir::OpKind::kStoreSubscript ? 2 : 1;
  if (program.Operand(subscript, 0) != base || op.operand_count != first + 1) return ir::DType::kUnknown;
  const ir::ValueId key = program.Operand(subscript, first);
  const auto names = key.valid() && program.ops[key].kind == ir::OpKind::kList ? program.Operands(key)
                                                                               : std::span<const ir::ValueId>{};
  const bool several =
      !names.empty() && std::ranges::all_of(names, [&](ir::ValueId id) { return IsText(program, id); });
  return several || IsText(program, key) ? ir::DType::kStructured : ir::DType::kUnknown;
}

// `"co"`, `("left", "right")`
bool IsTextOrTexts(const ir::Program& program, ir::ValueId id) {
  if (!id.valid() || IsText(program, id)) return id.valid();
  const ir::OpKind kind = program.ops[id].kind;
  if (kind != ir::OpKind::kTuple && kind != ir::OpKind::kList && kind != ir::OpKind::kSet) return false;
  const std::span<const ir::ValueId> elements = program.Operands(id);
  return !elements.empty() && std::ranges::all_of(elements, [&](ir::ValueId at) { return IsText(program, at); });
}

// `kind in ("left", "right")` and `"." in name`: looked for among texts, or in one.
bool LooksAmongTexts(const ir::Program& program, ir::ValueId left, ir::ValueId right, ir::ValueId item) {
  return (left == item && IsTextOrTexts(program, right)) || (right == item && IsText(program, left));
}

// `spectrum.get("charge")`: an array of another library that is fetched with `get()` is not asked for anything.
bool LooksUpKey(const Facts::Impl& impl, ir::ValueId method) {
  const ir::Program& program = impl.program;
  return std::ranges::any_of(impl.UsesOf(method), [&](ir::ValueId user) {
    const ir::Op& op = program.ops[user];
    return op.kind == ir::OpKind::kCall && program.Operand(user, 0) == method && program.Shape(op).positional > 0;
  });
}

// What one use says of the item.
ir::DType TypeFromUse(const Facts::Impl& impl, ir::ValueId item, ir::ValueId user) {
  const ir::Program& program = impl.program;
  const ir::Op& op = program.ops[user];
  const ir::ValueId left = program.Operand(user, 0), right = program.Operand(user, 1);
  switch (op.kind) {
    case ir::OpKind::kBinary: {
      const bool joins = static_cast<ir::BinaryOp>(op.detail) == ir::BinaryOp::kAdd;
      return joins && IsText(program, left == item ? right : left) ? ir::DType::kString : ir::DType::kUnknown;
    }
    case ir::OpKind::kCompare: {
      const auto compare = static_cast<ir::CompareOp>(op.detail);
      const bool same = compare == ir::CompareOp::kIs || compare == ir::CompareOp::kIsNot;
      if (same && left == item && right.valid() && program.ops[right].kind == ir::OpKind::kNone)
        return ir::DType::kObject;  // numbers are never None
      const bool among = compare == ir::CompareOp::kIn || compare == ir::CompareOp::kNotIn;
      if (among && LooksAmongTexts(program, left, right, item)) return ir::DType::kString;
      const bool equal = compare == ir::CompareOp::kEq || compare == ir::CompareOp::kNe;
      return equal && IsText(program, left == item ? right : left) ? ir::DType::kString : ir::DType::kUnknown;
    }
    case ir::OpKind::kAttr: {
      const std::string_view name = program.Name(op);
      if (IsMethodOf(name, MethodOf::kText)) return ir::DType::kString;
      if (name == "get" && LooksUpKey(impl, user)) return ir::DType::kObject;
      const bool number =
          name.starts_with("__") || NumpyHas("numpy.ndarray." + std::string(name)) ||
          std::find(kNumberAttributes.begin(), kNumberAttributes.end(), name) != kNumberAttributes.end();
      return number ? ir::DType::kUnknown : ir::DType::kObject;
    }
    case ir::OpKind::kSubscript:
    case ir::OpKind::kStoreSubscript: return NamesField(program, user, item);
    case ir::OpKind::kCall:
      if (left == item || LooksUpAttribute(program, user, item)) return ir::DType::kObject;  // numbers are not called
      return TakesText(program, impl.names, user, item) ? ir::DType::kString : ir::DType::kUnknown;
    default: return ir::DType::kUnknown;
  }
}

// The function of the program that the call names, by the text alone: `prepare(s)`, `self.prepare(s)`.
ir::FunctionId FunctionNamed(const ir::Program& program, ir::ValueId callee) {
  if (!callee.valid()) return {};
  const ir::Op& op = program.ops[callee];
  ir::ValueId made = callee;
  if (op.kind == ir::OpKind::kLoadCell) {
    const ir::Cell& cell = program.cells[ir::CellId(op.payload)];
    made = cell.stores.size() == 1 ? program.Operand(cell.stores[0], 0) : ir::ValueId::None();
  }
  if (made.valid() && program.ops[made].kind == ir::OpKind::kMakeFunction)
    return ir::FunctionId(program.ops[made].payload);
  if (op.kind != ir::OpKind::kAttr) return {};
  const ir::Function& around = program.functions[program.FunctionOf(callee)];
  if (!around.owner.valid() || around.params.empty() || around.params[0].value != program.Operand(callee, 0)) return {};
  for (const ir::FunctionId method : program.classes[around.owner].methods) {
    if (program.functions[method].name == program.SymbolOf(op)) return method;
  }
  return {};
}

// What a function of the program that gets the item does with it in any case.
ir::DType TypeFromCallee(const Facts::Impl& impl, ir::ValueId item, ir::ValueId call) {
  const ir::Program& program = impl.program;
  const ir::ValueId callee = program.Operand(call, 0);
  const ir::FunctionId id = FunctionNamed(program, callee);
  if (!id.valid() || callee == item) return ir::DType::kUnknown;
  const ir::Function& function = program.functions[id];
  if (!function.decorators.empty() || function.kind != ir::Function::Kind::kDef) return ir::DType::kUnknown;
  const std::uint32_t self = program.ops[callee].kind == ir::OpKind::kAttr ? 1 : 0;
  for (std::uint32_t i = 0; i < program.Shape(program.ops[call]).positional; ++i) {
    const ir::ValueId argument = program.Operand(call, 1 + i);
    if (program.ops[argument].kind == ir::OpKind::kStarred || i + self >= function.params.size()) break;
    const ir::Param& param = function.params[i + self];
    if (argument != item || param.kind == ir::ParamKind::kVarPositional) continue;
    for (const ir::ValueId user : impl.UsesOf(param.value)) {
      // `x is None` asks whether the caller leaves it out.
      if (program.blocks[program.ops[user].block].guard.valid() || program.ops[user].kind == ir::OpKind::kCompare)
        continue;
      const ir::DType type = TypeFromUse(impl, param.value, user);
      if (type != ir::DType::kUnknown) return type;
    }
  }
  return ir::DType::kUnknown;
}

// What the loop of the item walks.
ir::ValueId WalkedBy(const ir::Program& program, ir::ValueId item) {
  ir::ValueId from = program.Operand(item, 0);
  if (from.valid() && program.ops[from].kind == ir::OpKind::kIter) from = program.Operand(from, 0);
  return from;
}

// The argument of `enumerate(x)` or `zip(x, y)` that gives the part of each item at the position.
ir::ValueId GivesPart(const ir::Program& program, ir::ValueId call, std::uint32_t position) {
  if (!call.valid() || program.ops[call].kind != ir::OpKind::kCall) return {};
  const ir::ValueId callee = program.Operand(call, 0);
  if (!callee.valid() || program.ops[callee].kind != ir::OpKind::kBuiltin) return {};
  const std::string_view name = program.Name(program.ops[callee]);
  if (name == "enumerate") return position == 1 ? program.Operand(call, 1) : ir::ValueId::None();
  const bool there = name == "zip" && position < program.Shape(program.ops[call]).positional;
  return there ? program.Operand(call, position + 1) : ir::ValueId::None();
}

}  // namespace

ir::ValueId ContainerOfItem(const ir::Program& program, ir::ValueId id) {
  const ir::Op& op = program.ops[id];
  if (op.kind == ir::OpKind::kSubscript) {  // also `axes[i, j]`
    const bool one = std::ranges::all_of(program.Operands(op).subspan(1), [&](ir::ValueId key) {
      if (!key.valid()) return false;
      const ir::OpKind kind = program.ops[key].kind;
      return kind != ir::OpKind::kSlice && kind != ir::OpKind::kEllipsis && kind != ir::OpKind::kNone;
    });
    return one ? program.Operand(id, 0) : ir::ValueId::None();
  }
  if (op.kind == ir::OpKind::kLoopItem) return WalkedBy(program, id);
  std::array<std::uint32_t, 2> positions = {};
  std::size_t parts = 0;
  ir::ValueId item = id;
  for (; item.valid() && program.ops[item].kind == ir::OpKind::kUnpackItem; item = program.Operand(item, 0)) {
    const auto position = ir::ItemPosition::Unpack(program.ops[item].payload);
    if (parts == positions.size() || position.star != ir::ItemPosition::kNoStar) return {};
    positions[parts++] = position.index;
  }
  if (parts == 0 || !item.valid() || program.ops[item].kind != ir::OpKind::kLoopItem) return {};
  ir::ValueId container = WalkedBy(program, item);
  while (parts > 0) container = GivesPart(program, container, positions[--parts]);
  return container;
}

namespace {

// `x` of `x[mask]`, `x.tolist()` and `x.flat`: what it holds is of the same type.
ir::ValueId WithTheSameItems(const ir::Program& program, ir::ValueId container) {
  const ir::Op& op = program.ops[container];
  if (op.kind == ir::OpKind::kSubscript) return program.Operand(container, 0);
  if (op.kind == ir::OpKind::kAttr)
    return program.Name(op) == "flat" || program.Name(op) == "T" ? program.Operand(container, 0) : ir::ValueId::None();
  if (op.kind != ir::OpKind::kCall) return {};
  const ir::ValueId callee = program.Operand(container, 0);
  if (!callee.valid() || program.ops[callee].kind != ir::OpKind::kAttr) return {};
  const std::string_view name = program.Name(program.ops[callee]);
  constexpr auto kSame = std::to_array<std::string_view>({"copy", "flatten", "ravel", "reshape", "squeeze", "tolist"});
  return std::ranges::find(kSame, name) != kSame.end() ? program.Operand(callee, 0) : ir::ValueId::None();
}

// `for name in A.dtype.names`, `zip(A.dtype.names, A)`, `name in A.dtype.names`
bool WalksNames(const ir::Program& program, ir::ValueId user, ir::ValueId names) {
  const ir::Op& op = program.ops[user];
  if (op.kind == ir::OpKind::kIter || op.kind == ir::OpKind::kStarred) return true;
  if (op.kind == ir::OpKind::kCompare) {
    const auto compare = static_cast<ir::CompareOp>(op.detail);
    return (compare == ir::CompareOp::kIn || compare == ir::CompareOp::kNotIn) && program.Operand(user, 1) == names;
  }
  if (op.kind != ir::OpKind::kCall) return false;
  const ir::ValueId callee = program.Operand(user, 0);
  if (!callee.valid() || program.ops[callee].kind != ir::OpKind::kBuiltin) return false;
  constexpr auto kWalk = std::to_array<std::string_view>({"enumerate", "len", "list", "set", "sorted", "tuple", "zip"});
  return std::ranges::find(kWalk, program.Name(program.ops[callee])) != kWalk.end();
}

// `A` of `A.dtype.fields.items()` and of `for name in A.dtype.names`, which only arrays of records have; None() of what
// only asks whether there are any.
ir::ValueId WithFields(const Facts::Impl& impl, ir::ValueId id) {
  const ir::Program& program = impl.program;
  if (program.ops[id].kind != ir::OpKind::kAttr) return {};
  const std::string_view name = program.Name(program.ops[id]);
  if (name != "fields" && name != "names") return {};
  const ir::ValueId dtype = program.Operand(id, 0);
  if (!dtype.valid() || program.ops[dtype].kind != ir::OpKind::kAttr || program.Name(program.ops[dtype]) != "dtype")
    return {};
  // A class that derives from ndarray may hold records at times: `for name in self.dtype.names`.
  const ir::ValueId array = program.Operand(dtype, 0);
  const ir::Function& function = program.functions[program.FunctionOf(id)];
  const bool self = function.owner.valid() && !function.params.empty() && function.params.front().value == array;
  if (self) return {};
  const bool used = std::ranges::any_of(impl.UsesOf(id), [&](ir::ValueId user) {
    return name == "names" ? WalksNames(program, user, id) : program.ops[user].kind == ir::OpKind::kAttr;
  });
  return used ? array : ir::ValueId::None();
}

// `"gx" in components`: no array of numbers is asked that.
bool LooksForText(const ir::Program& program, ir::ValueId compare) {
  const auto kind = static_cast<ir::CompareOp>(program.ops[compare].detail);
  const bool in = kind == ir::CompareOp::kIn || kind == ir::CompareOp::kNotIn;
  return in && program.Operand(compare, 1).valid() && IsText(program, program.Operand(compare, 0));
}

bool StandsUnder(const ir::Program& program, ir::ValueId op, ir::GuardId test) {
  constexpr int kMostTests = 32;
  ir::GuardId id = program.blocks[program.ops[op].block].guard;
  for (int tests = 0; id.valid() && tests < kMostTests; ++tests, id = program.guards[id].parent) {
    if (id == test) return true;
  }
  return false;
}

// Behind a test it is an array of records where the test holds alone: what is read of it there.
void SeeRecords(Facts::Impl& impl, ir::ValueId fields, ir::ValueId array) {
  const ir::Program& program = impl.program;
  const ir::GuardId test = program.blocks[program.ops[fields].block].guard;
  if (!test.valid()) impl.item_types.emplace(array, ir::DType::kStructured);
  for (const ir::ValueId user : impl.UsesOf(array)) {
    if (program.ops[user].kind == ir::OpKind::kSubscript && StandsUnder(program, user, test))
      impl.item_types.emplace(user, ir::DType::kStructured);
  }
}

void SeeItemType(Facts::Impl& impl, ir::ValueId container, ir::DType type) {
  for (int steps = 0; steps < 4 && container.valid(); ++steps) {
    impl.item_types.emplace(container, type);
    container = WithTheSameItems(impl.program, container);
  }
}

}  // namespace

void SeeItems(Facts::Impl& impl) {
  const ir::Program& program = impl.program;
  for (std::size_t i = 0; i < program.ops.size(); ++i) {
    const ir::ValueId item(i);
    const ir::OpKind kind = program.ops[item].kind;
    if (kind == ir::OpKind::kSubscript || kind == ir::OpKind::kStoreSubscript) {
      const ir::ValueId base = program.Operand(item, 0);
      if (NamesField(program, item, base) == ir::DType::kStructured)
        impl.item_types.emplace(base, ir::DType::kStructured);
    }
    if (const ir::ValueId array = WithFields(impl, item); array.valid()) SeeRecords(impl, item, array);
    if (kind == ir::OpKind::kCompare && LooksForText(program, item))
      impl.item_types.emplace(program.Operand(item, 1), ir::DType::kString);
    const ir::ValueId container = ContainerOfItem(program, item);
    if (!container.valid()) continue;
    for (const ir::ValueId user : impl.UsesOf(item)) {
      ir::DType type = TypeFromUse(impl, item, user);
      const bool always =
          program.blocks[program.ops[user].block].guard == program.blocks[program.ops[item].block].guard;
      if (type == ir::DType::kUnknown && always && program.ops[user].kind == ir::OpKind::kCall)
        type = TypeFromCallee(impl, item, user);
      if (type != ir::DType::kUnknown) SeeItemType(impl, container, type);
    }
  }
}

void SeeItemOfType(Facts::Impl& impl, ir::ValueId item, ir::DType type) {
  const ir::Program& program = impl.program;
  // `isinstance(x[0], str)` tells one kind of container from the other: both are handed over.
  const ir::ValueId key = program.ops[item].kind == ir::OpKind::kSubscript ? program.Operand(item, 1) : ir::ValueId();
  if (key.valid() && program.ops[key].kind == ir::OpKind::kInt) return;
  if (const ir::ValueId container = ContainerOfItem(program, item); container.valid())
    SeeItemType(impl, container, type);
}

}  // namespace cpnlint::analysis
