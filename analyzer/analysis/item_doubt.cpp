#include "analyzer/analysis/item_doubt.h"

#include <algorithm>
#include <array>
#include <unordered_set>
#include <vector>

#include "analyzer/analysis/call_path.h"
#include "analyzer/analysis/callee_names.h"
#include "analyzer/analysis/engine.h"
#include "analyzer/analysis/model.h"

namespace cpnlint::analysis {
namespace {

constexpr std::size_t kMostSeen = 200;
constexpr std::size_t kMostSites = 4;  // that hand over what a parameter holds

// Their result holds items of what they are given.
bool KeepsItems(std::string_view name) {
  constexpr auto kNames = std::to_array<std::string_view>({
      "append",      "array",      "asanyarray",   "asarray",     "ascontiguousarray",
      "atleast_1d",  "atleast_2d", "column_stack", "concatenate", "copy",
      "delete",      "flatten",    "flip",         "hstack",      "insert",
      "intersect1d", "ravel",      "repeat",       "reshape",     "roll",
      "setdiff1d",   "sort",       "squeeze",      "stack",       "take",
      "tile",        "transpose",  "union1d",      "unique",      "vstack",
  });
  return std::ranges::find(kNames, name) != kNames.end();
}

// What they are asked of any array, whatever it holds.
bool TakesAnything(std::string_view name) {
  constexpr auto kNames = std::to_array<std::string_view>({
      "argsort",   "argwhere", "array_equal", "asarray", "astype",     "broadcast_to", "empty_like", "flatnonzero",
      "full_like", "in1d",     "isin",        "lexsort", "ndim",       "nonzero",      "ones_like",  "searchsorted",
      "shape",     "size",     "tolist",      "where",   "zeros_like", "equal",        "not_equal",
  });
  return std::ranges::find(kNames, name) != kNames.end();
}

// Libraries with tables, whose columns hold numbers or texts.
bool IsOfTable(std::string_view dotted) {
  constexpr auto kLibraries = std::to_array<std::string_view>({"anndata", "geopandas", "pandas", "polars", "pyarrow"});
  return std::ranges::any_of(kLibraries, [&](std::string_view library) { return StartsWithModule(dotted, library); });
}

bool IsArithmetic(ir::BinaryOp op) { return op != ir::BinaryOp::kAdd && op != ir::BinaryOp::kMod; }

class ItemsSearch {
 public:
  // What makes the search doubt that the items are numbers.
  enum class Doubts : std::uint8_t { kAnythingUnknown, kKeys };

  ItemsSearch(const Facts& facts, Doubts doubts) : facts_(facts), program_(facts.program()), doubts_(doubts) {}

  bool MayBeText(ir::ValueId array) {
    Add(array);
    for (std::size_t i = 0; i < work_.size(); ++i) {
      if (work_.size() > kMostSeen) return false;
      const ir::ValueId id = work_[i];
      const Value& value = facts_.Of(id);
      if (IsOfRecords(id) || AnyItem(id, &ItemsSearch::IsKeyedByText)) return true;
      if (value.kind == Kind::kArray && ir::IsNumeric(value.dtype)) return false;  // some of them are numbers
      // `array_like` says nothing of what the items are.
      const bool said = value.kind == Kind::kArray && (value.evidence & (kAnnotated | kDocumented)) != 0 &&
                        (value.evidence & kContradicted) == 0;
      if ((said && doubts_ != Doubts::kKeys) || value.dtype != ir::DType::kUnknown) continue;
      if (!doubtful_) LookBehind(id);
    }
    if (!doubtful_) return false;
    work_.insert(work_.end(), readers_.begin(), readers_.end());
    return std::ranges::none_of(work_, [&](ir::ValueId id) { return UsedAsNumbers(id); });
  }

 private:
  void Add(ir::ValueId id) {
    if (!id.valid()) return;
    const ir::ValueId source = facts_.Source(id);
    if (source.valid()) id = source;
    if (seen_.insert(id).second) work_.push_back(id);
  }

  void AddAll(std::span<const ir::ValueId> ids) {
    for (const ir::ValueId id : ids) Add(id);
  }

  void DoubtIfUnknown(const Value& value) {
    if (doubts_ == Doubts::kKeys) return;
    const bool series = value.kind == Kind::kForeign && IsOfTable(program_.names.Text(value.name));
    const bool array_like =
        value.kind == Kind::kArray && value.dtype == ir::DType::kUnknown && (value.evidence & kContradicted) != 0;
    doubtful_ = doubtful_ || value.kind == Kind::kUnknown || value.kind == Kind::kStr || series || array_like;
  }

  // `packets["number"]` of an array of records, or the records themselves seen as something else.
  [[nodiscard]] bool IsOfRecords(ir::ValueId id) const {
    const ir::Op& op = program_.ops[id];
    const bool view = op.kind == ir::OpKind::kCall && facts_.CalleeOf(id).receiver.valid() &&
                      WithoutNamespace(facts_.CalleeOf(id).name) == "view";
    const bool field = op.kind == ir::OpKind::kSubscript && facts_.KeysOf(id).size() == 1 &&
                       facts_.Of(facts_.KeysOf(id)[0]).kind == Kind::kStr;
    if (!view && !field) return false;
    const Value& records = facts_.Of(view ? facts_.CalleeOf(id).receiver : program_.Operand(id, 0));
    return records.kind == Kind::kArray && records.dtype == ir::DType::kStructured;
  }

  // What the items of the value are made from; sets `doubtful_` where nobody knows that.
  void LookBehind(ir::ValueId id) {
    const Value& value = facts_.Of(id);
    const ir::Op& op = program_.ops[id];
    switch (op.kind) {
      case ir::OpKind::kPhi: return AddAll(program_.Operands(id));
      case ir::OpKind::kSubscript:
        if (facts_.Of(program_.Operand(id, 0)).kind == Kind::kDict) return;
        if (facts_.KeysOf(id).size() != 1) return;  // `points[:, 0]`: a table of numbers
        if (doubts_ == Doubts::kKeys && IsText(facts_.KeysOf(id)[0])) return;
        return Add(program_.Operand(id, 0));
      case ir::OpKind::kCall: return BehindCall(id, value);
      case ir::OpKind::kDict: doubtful_ = true; return;
      case ir::OpKind::kUnpackItem: return BehindPart(id, value);
      case ir::OpKind::kParam: return BehindParameter(id, value);
      case ir::OpKind::kAttr: return BehindAttribute(id, value);
      case ir::OpKind::kLoadCell: {
        const ir::Cell& cell = program_.cells[ir::CellId(op.payload)];
        for (const ir::ValueId store : cell.stores) Add(program_.Operand(store, 0));
        readers_.insert(readers_.end(), cell.loads.begin(), cell.loads.end());
        return;
      }
      case ir::OpKind::kList:
      case ir::OpKind::kTuple:
      case ir::OpKind::kCollection:
        if (CollectsKeys(id)) doubtful_ = true;
        return BehindContainer(value);
      default:
        return value.kind == Kind::kList || value.kind == Kind::kTuple ? BehindContainer(value) : DoubtIfUnknown(value);
    }
  }

  // `names = found()[1]`, written as `values, names = found()`: what the function of the program returns there.
  void BehindPart(ir::ValueId part, const Value& value) {
    DoubtIfUnknown(value);
    const ir::ValueId call = facts_.Source(program_.Operand(part, 0));
    if (!call.valid() || program_.ops[call].kind != ir::OpKind::kCall) return;
    const Callee& callee = facts_.CalleeOf(call);
    const std::uint32_t index = ir::ItemPosition::Unpack(program_.ops[part].payload).index;
    // `labels, counts = np.unique(x, return_counts=True)`
    if (callee.kind == Callee::Kind::kApi && index == 0 && WithoutNamespace(callee.name) == "unique")
      return Add(program_.Operand(call, 1));
    if (callee.kind != Callee::Kind::kLocal) return;
    for (const ir::ValueId leave : program_.functions[callee.function].returns) {
      const ir::ValueId returned = facts_.Source(program_.Operand(leave, 0));
      const bool counted = returned.valid() && program_.ops[returned].kind == ir::OpKind::kTuple &&
                           index < program_.ops[returned].operand_count;
      if (counted) Add(program_.Operand(returned, index));
    }
  }

  [[nodiscard]] bool IsMethodOfDict(ir::ValueId call, std::string_view name) const {
    if (!call.valid() || program_.ops[call].kind != ir::OpKind::kCall) return false;
    const ir::ValueId callee = program_.Operand(call, 0);
    if (!callee.valid() || program_.ops[callee].kind != ir::OpKind::kAttr ||
        program_.Name(program_.ops[callee]) != name)
      return false;
    const Kind object = facts_.Of(program_.Operand(callee, 0)).kind;
    return object == Kind::kDict || object == Kind::kUnknown;
  }

  // `[name for name, _ in sorted(codes.items())]`, `[name for name in codes]`
  [[nodiscard]] bool CollectsKeys(ir::ValueId collection) const {
    return std::ranges::any_of(facts_.UsesOf(collection), [&](ir::ValueId user) {
      const ir::Op& op = program_.ops[user];
      if (op.kind != ir::OpKind::kCollectItem || program_.Operand(user, 0) != collection) return false;
      ir::ValueId item = facts_.Source(program_.Operand(user, op.operand_count - 1));
      const bool part = item.valid() && program_.ops[item].kind == ir::OpKind::kUnpackItem;
      if (part) {
        if (ir::ItemPosition::Unpack(program_.ops[item].payload).index != 0) return false;
        item = program_.Operand(item, 0);
      }
      if (!item.valid() || program_.ops[item].kind != ir::OpKind::kLoopItem) return false;
      ir::ValueId walked = facts_.Source(program_.Operand(program_.Operand(item, 0), 0));
      const bool sorted =
          walked.valid() && program_.ops[walked].kind == ir::OpKind::kCall && facts_.CalleeOf(walked).name == "sorted";
      if (sorted) walked = facts_.Source(program_.Operand(walked, 1));
      if (!walked.valid()) return false;
      return part ? IsMethodOfDict(walked, "items")
                  : IsMethodOfDict(walked, "keys") || facts_.Of(walked).kind == Kind::kDict;
    });
  }

  void BehindContainer(const Value& value) {
    if (value.item.valid()) DoubtIfUnknown(facts_.store().Get(value.item).front());
    if (value.elements.valid()) {
      for (const Value& element : facts_.store().Get(value.elements)) DoubtIfUnknown(element);
    }
  }

  void BehindCall(ir::ValueId call, const Value& value) {
    if (IsMethodOfDict(call, "keys")) doubtful_ = true;
    const ir::ValueId called = program_.Operand(call, 0);
    const bool column =  // of a table: numbers or texts
        called.valid() && program_.ops[called].kind == ir::OpKind::kAttr &&
        program_.Name(program_.ops[called]) == "to_numpy";
    if (column && doubts_ != Doubts::kKeys) doubtful_ = true;
    const Callee& callee = facts_.CalleeOf(call);
    switch (callee.kind) {
      case Callee::Kind::kApi:
      case Callee::Kind::kMethod: {
        if (!KeepsItems(WithoutNamespace(callee.name)) || facts_.KeywordArgument(call, "dtype").valid()) return;
        const ir::ValueId given = callee.receiver.valid() ? callee.receiver : program_.Operand(call, 1);
        const ir::ValueId source = given.valid() ? facts_.Source(given) : given;
        if (!source.valid()) return;
        // Of `np.concatenate([a, b])` the items of what is joined.
        const ir::OpKind kind = program_.ops[source].kind;
        const bool display = kind == ir::OpKind::kList || kind == ir::OpKind::kTuple;
        // `np.array(entries)` of a list that is filled later: what is joined are arrays, what is converted is anything.
        const bool filled = program_.Operands(source).empty() &&
                            IsOneOf(WithoutNamespace(callee.name), {"array", "asanyarray", "asarray"});
        return display && !filled ? AddAll(program_.Operands(source)) : Add(source);
      }
      case Callee::Kind::kBuiltin:
        if (callee.name == "list" || callee.name == "tuple" || callee.name == "sorted" || callee.name == "set")
          return Add(program_.Operand(call, 1));
        return;
      case Callee::Kind::kLocal:
        if (IsTextType(facts_.KeywordArgument(call, "dtype"))) doubtful_ = true;
        for (const ir::ValueId leave : program_.functions[callee.function].returns) Add(program_.Operand(leave, 0));
        return;
      default: return DoubtIfUnknown(value);
    }
  }

  // `dtype="|S%d" % length`, handed to a function of the program.
  [[nodiscard]] bool IsTextType(ir::ValueId argument) const {
    if (!argument.valid()) return false;
    const ir::DType type = DTypeArgument(program_.names, facts_.Of(argument));
    return type == ir::DType::kBytes || type == ir::DType::kString;
  }

  void BehindParameter(ir::ValueId param, const Value& value) {
    if (value.kind == Kind::kList || value.kind == Kind::kIterator) {
      if (!value.item.valid() && !value.elements.valid() && doubts_ != Doubts::kKeys) doubtful_ = true;
      BehindContainer(value);
    } else {
      DoubtIfUnknown(value);
    }
    const ir::FunctionId function = program_.FunctionOf(param);
    const auto sites = facts_.CallSitesOf(function);
    if (sites.size() > kMostSites) return;
    for (const ir::ValueId site : sites) {
      if (program_.ops[site].kind != ir::OpKind::kCall) return;
      const ir::ValueId handed = HandedOver(facts_, site, function, program_.ops[param].detail).value;
      const ir::ValueId source = handed.valid() ? facts_.Source(handed) : handed;
      if (!source.valid() || program_.ops[source].kind != ir::OpKind::kCall) continue;
      const Callee& callee = facts_.CalleeOf(source);
      const bool kept = callee.kind == Callee::Kind::kApi && KeepsItems(WithoutNamespace(callee.name));
      if (callee.kind == Callee::Kind::kLocal || kept) Add(source);
    }
  }

  // The property of an object of the class, or of one that derives from ndarray: what it returns. None() for others.
  [[nodiscard]] ir::FunctionId PropertyNamed(ir::ClassId class_id, Symbol name) const {
    constexpr std::size_t kMostClasses = 16;
    std::vector<ir::ClassId> classes = {class_id};
    for (std::size_t i = 0; i < classes.size() && i < kMostClasses; ++i) {
      const ir::Class& record = program_.classes[classes[i]];
      for (const ir::FunctionId method : record.methods) {
        const ir::Function& function = program_.functions[method];
        const bool property = std::ranges::any_of(function.decorators, [&](ir::ValueId decorator) {
          return decorator.valid() && program_.ops[decorator].kind == ir::OpKind::kBuiltin &&
                 program_.Name(program_.ops[decorator]) == "property";
        });
        if (function.name == name && property) return method;
      }
      if (!record.made_by.valid()) continue;
      for (const ir::ValueId base : program_.Operands(record.made_by)) {
        if (base.valid() && facts_.Of(base).kind == Kind::kClass) classes.push_back(facts_.Of(base).class_id);
      }
    }
    return {};
  }

  void BehindAttribute(ir::ValueId id, const Value& value) {
    const ir::ValueId object = program_.Operand(id, 0);
    const std::string_view name = program_.Name(program_.ops[id]);
    const Value& known = facts_.Of(object);
    const bool of_ours = (known.kind == Kind::kInstance || known.kind == Kind::kArray) && known.class_id.valid();
    const ir::FunctionId property =
        of_ours ? PropertyNamed(known.class_id, program_.SymbolOf(program_.ops[id])) : ir::FunctionId::None();
    if (property.valid()) {  // `return self._names`
      for (const ir::ValueId leave : program_.functions[property].returns) {
        const ir::ValueId returned = program_.Operand(leave, 0);
        if (returned.valid() && program_.ops[returned].kind == ir::OpKind::kAttr) Add(returned);
      }
      return;
    }
    if (facts_.IsArray(object) && (!of_ours || NumpyHas("numpy.ndarray." + std::string(name)))) {
      if (name == "T") Add(object);
      return;
    }
    if (!of_ours) return DoubtIfUnknown(value);
    // Of an object of this module what is stored here.
    const ir::Module& module = program_.modules[program_.functions[program_.FunctionOf(id)].module];
    for (std::size_t f = module.first_function.index(); f < module.end_function.index(); ++f) {
      const ir::Function& function = program_.functions[ir::FunctionId(f)];
      if (program_.names.Text(function.name) == "__setstate__") continue;  // makes room for what is unpickled
      for (std::size_t i = function.first_op.index(); i < function.end_op.index(); ++i) {
        const ir::Op& op = program_.ops[ir::ValueId(i)];
        const bool store = op.kind == ir::OpKind::kStoreAttr;
        if (!store && op.kind != ir::OpKind::kAttr) continue;
        if (program_.SymbolOf(op) != program_.SymbolOf(program_.ops[id])) continue;
        const Value& owner = facts_.Of(program_.Operand(ir::ValueId(i), 0));
        if (owner.kind != known.kind || owner.class_id != known.class_id) continue;
        if (store)
          Add(program_.Operand(ir::ValueId(i), 1));
        else
          readers_.push_back(ir::ValueId(i));
      }
    }
  }

  using ItemTest = bool (ItemsSearch::*)(ir::ValueId) const;

  // The container, an item of it or a part of it takes part in what takes numbers.
  [[nodiscard]] bool UsedAsNumbers(ir::ValueId container) const {
    const auto takes = [&](ir::ValueId user) { return TakesNumbers(user, container, false); };
    return std::ranges::any_of(facts_.DeepUsesOf(container), takes) || AnyItem(container, &ItemsSearch::ItemTakesPart);
  }

  // An item of the container, taken by a subscript or a walk, passes the test.
  [[nodiscard]] bool AnyItem(ir::ValueId container, ItemTest passes) const {
    for (const ir::ValueId user : facts_.DeepUsesOf(container)) {
      const ir::Op& op = program_.ops[user];
      if (op.kind == ir::OpKind::kSubscript && program_.Operand(user, 0) == container && (this->*passes)(user))
        return true;
      if (op.kind == ir::OpKind::kIter && AnyWalked(user, -1, passes)) return true;
      if (op.kind != ir::OpKind::kCall || facts_.CalleeOf(user).kind != Callee::Kind::kBuiltin) continue;
      const std::string_view name = facts_.CalleeOf(user).name;
      if (name != "zip" && name != "enumerate") continue;
      const auto operands = program_.Operands(user);
      const auto at = std::find(operands.begin(), operands.end(), container) - operands.begin();
      const int position = name == "zip" ? static_cast<int>(at) - 1 : 1;
      for (const ir::ValueId walk : facts_.DeepUsesOf(user)) {
        if (program_.ops[walk].kind == ir::OpKind::kIter && AnyWalked(walk, position, passes)) return true;
      }
    }
    return false;
  }

  // The items of a walk; of pairs the part at the position.
  [[nodiscard]] bool AnyWalked(ir::ValueId iter, int position, ItemTest passes) const {
    for (const ir::ValueId item : facts_.UsesOf(iter)) {
      if (program_.ops[item].kind != ir::OpKind::kLoopItem) continue;
      if (position < 0) {
        if ((this->*passes)(item)) return true;
        continue;
      }
      for (const ir::ValueId part : facts_.UsesOf(item)) {
        const ir::Op& op = program_.ops[part];
        if (op.kind == ir::OpKind::kUnpackItem &&
            ir::ItemPosition::Unpack(op.payload).index == static_cast<std::uint32_t>(position) && (this->*passes)(part))
          return true;
      }
    }
    return false;
  }

  [[nodiscard]] bool ItemTakesPart(ir::ValueId item) const {
    return std::ranges::any_of(facts_.DeepUsesOf(item), [&](ir::ValueId user) {
      return TakesNumbers(user, item, true) || TakesPartInside(user);
    });
  }

  // `quad(lambda x: x - item, 0, 1) for item in items`: a function inside uses it.
  [[nodiscard]] bool TakesPartInside(ir::ValueId store) const {
    const ir::Op& op = program_.ops[store];
    if (op.kind != ir::OpKind::kStoreCell) return false;
    const List<ir::ValueId>& loads = program_.cells[ir::CellId(op.payload)].loads;
    return std::ranges::any_of(loads, [&](ir::ValueId load) {
      return std::ranges::any_of(facts_.DeepUsesOf(load),
                                 [&](ir::ValueId user) { return TakesNumbers(user, load, true); });
    });
  }

  // `orbital["spin"]`: a dictionary or a record.
  [[nodiscard]] bool IsKeyedByText(ir::ValueId item) const {
    return std::ranges::any_of(facts_.DeepUsesOf(item), [&](ir::ValueId user) {
      const ir::OpKind kind = program_.ops[user].kind;
      const bool keyed = kind == ir::OpKind::kSubscript || kind == ir::OpKind::kStoreSubscript;
      return keyed && program_.Operand(user, 0) == item && facts_.KeysOf(user).size() == 1 &&
             IsText(facts_.KeysOf(user)[0]);
    });
  }

  [[nodiscard]] bool IsText(ir::ValueId id) const { return id.valid() && facts_.Of(id).kind == Kind::kStr; }

  // The op is something that only numbers do.
  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] bool TakesNumbers(ir::ValueId user, ir::ValueId id, bool item) const {
    const ir::Op& op = program_.ops[user];
    const ir::ValueId left = program_.Operand(user, 0), right = program_.Operand(user, 1);
    const ir::ValueId other = left == id ? right : left;
    switch (op.kind) {
      case ir::OpKind::kUnary: return true;
      case ir::OpKind::kBinary:
      case ir::OpKind::kInplaceBinary: {
        if (IsText(left)) return FormatsNumber(left);
        if (IsArithmetic(static_cast<ir::BinaryOp>(op.detail))) return true;
        return other.valid() && IsNumeric(facts_.Of(other));
      }
      case ir::OpKind::kCompare: {
        const auto compare = static_cast<ir::CompareOp>(op.detail);
        if (compare == ir::CompareOp::kLt || compare == ir::CompareOp::kLe || compare == ir::CompareOp::kGt ||
            compare == ir::CompareOp::kGe)
          return !IsText(other);
        const bool equal = compare == ir::CompareOp::kEq || compare == ir::CompareOp::kNe;
        return equal && other.valid() && IsNumeric(facts_.Of(other));
      }
      case ir::OpKind::kSlice: return true;
      case ir::OpKind::kAttr: {  // `row.sum()`: no text has that
        const std::string_view name = program_.Name(op);
        if (IsGathered(id) && (TakesAnything(name) || KeepsItems(name))) return false;
        return item && !IsMethodOf(name, MethodOf::kText) && NumpyHas("numpy.ndarray." + std::string(name));
      }
      case ir::OpKind::kSubscript: return id != left && (op.operand_count > 2 || IsIndexed(left));
      case ir::OpKind::kStoreSubscript:
        if (id == right) return facts_.IsArray(left) && facts_.Of(left).dtype != ir::DType::kUnknown;
        return id != left && (op.operand_count > 3 || IsIndexed(left));
      case ir::OpKind::kCall: return CallTakesNumbers(user, id, item);
      default: return false;
    }
  }

  // `names[np.argmax(x, axis=1)]`: an array of items.
  [[nodiscard]] bool IsGathered(ir::ValueId id) const {
    if (program_.ops[id].kind != ir::OpKind::kSubscript || facts_.KeysOf(id).size() != 1) return false;
    const Value& key = facts_.Of(facts_.KeysOf(id)[0]);
    return key.kind == Kind::kArray && Rank(facts_.store(), key) != 0;
  }

  [[nodiscard]] bool IsIndexed(ir::ValueId base) const {
    const Kind kind = facts_.Of(base).kind;
    return kind == Kind::kArray || kind == Kind::kList || kind == Kind::kTuple || kind == Kind::kRange;
  }

  [[nodiscard]] static bool IsNumeric(const Value& value) {
    const bool array = value.kind == Kind::kArray || value.kind == Kind::kNumpyScalar;
    return IsNumber(value.kind) || (array && ir::IsNumeric(value.dtype));
  }

  // "%d" and the like.
  [[nodiscard]] bool FormatsNumber(ir::ValueId text) const {
    const auto format = facts_.TextOf(text);
    if (!format) return false;
    constexpr std::string_view kFlags = "0123456789.+- #", kNumberTypes = "dfegiFEGxX";
    for (std::size_t at = format->find('%'); at != std::string_view::npos; at = format->find('%', at + 1)) {
      const std::size_t type = format->find_first_not_of(kFlags, at + 1);
      if (type != std::string_view::npos && kNumberTypes.find((*format)[type]) != std::string_view::npos) return true;
    }
    return false;
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] bool CallTakesNumbers(ir::ValueId call, ir::ValueId id, bool item) const {
    const Callee& callee = facts_.CalleeOf(call);
    if (callee.kind == Callee::Kind::kBuiltin) {
      constexpr auto kNumbers = std::to_array<std::string_view>(
          {"abs", "bool", "complex", "divmod", "float", "int", "pow", "range", "round", "sum", "slice"});
      return std::ranges::find(kNumbers, callee.name) != kNumbers.end();
    }
    if (callee.kind == Callee::Kind::kForeign) return callee.name.starts_with("math.");
    if (callee.kind == Callee::Kind::kLocal) return ParameterTakesNumbers(call, callee, id);
    if (callee.kind != Callee::Kind::kApi && callee.kind != Callee::Kind::kMethod) return false;
    const std::string_view name = WithoutNamespace(callee.name);
    if (KeepsItems(name) || TakesAnything(name)) return false;
    // The array itself, be it as the object of a method: a sum, a mean, a sine. Of `x[item].sum()` the item is none.
    const auto operands = program_.Operands(call);
    const bool given = std::find(operands.begin(), operands.end(), id) != operands.end();
    return (given || callee.receiver == id) && !(item && name == "full");
  }

  // What the called function itself does with its parameter.
  // NOLINTNEXTLINE(misc-no-recursion): calls in it are not followed
  [[nodiscard]] bool ParameterTakesNumbers(ir::ValueId call, const Callee& callee, ir::ValueId argument) const {
    const std::size_t skipped = callee.receiver.valid() ? 1 : 0;
    const List<ir::Param> params = program_.functions[callee.function].params;
    for (std::size_t i = 0; i < facts_.PositionalCount(call); ++i) {
      if (program_.Operand(call, static_cast<std::uint32_t>(i + 1)) != argument || i + skipped >= params.size())
        continue;
      const ir::ValueId param = params[i + skipped].value;
      // NOLINTNEXTLINE(misc-no-recursion)
      return std::ranges::any_of(facts_.DeepUsesOf(param), [&](ir::ValueId user) {
        return program_.ops[user].kind != ir::OpKind::kCall && TakesNumbers(user, param, true);
      });
    }
    return false;
  }

  const Facts& facts_;
  const ir::Program& program_;
  Doubts doubts_;
  bool doubtful_ = false;
  std::vector<ir::ValueId> work_, readers_;  // ... of the variables and attributes on the way
  std::unordered_set<ir::ValueId> seen_;
};

// The list that `np.argsort(names)` numbers, what `labels, ids = np.unique(labels, return_index=True)` numbers: where
// those are texts, so no arrays of the device, neither are their numbers. None() where the array is nothing of the
// kind.
ir::ValueId OrderedBy(const Facts& facts, ir::ValueId array) {
  const ir::Program& program = facts.program();
  ir::ValueId source = facts.Source(array);
  const bool part = source.valid() && program.ops[source].kind == ir::OpKind::kUnpackItem;
  if (part) {
    if (ir::ItemPosition::Unpack(program.ops[source].payload).index == 0) return {};
    source = facts.Source(program.Operand(source, 0));
  }
  if (!source.valid() || program.ops[source].kind != ir::OpKind::kCall) return {};
  const Callee& callee = facts.CalleeOf(source);
  if (callee.kind != Callee::Kind::kApi) return {};
  const ir::ValueId given = facts.Argument(source, 0, part ? "ar" : "a");
  if (part) return callee.name == "numpy.unique" ? given : ir::ValueId::None();
  // An array of who knows what that is sorted holds numbers as a rule.
  const bool list = given.valid() && (facts.Of(given).kind == Kind::kList || facts.Of(given).kind == Kind::kTuple);
  return list && callee.name == "numpy.argsort" ? given : ir::ValueId::None();
}

}  // namespace

bool MayHoldText(const Facts& facts, ir::ValueId array) {
  constexpr auto kDoubts = ItemsSearch::Doubts::kAnythingUnknown;
  if (ItemsSearch(facts, kDoubts).MayBeText(array)) return true;
  const ir::ValueId ordered = OrderedBy(facts, array);
  return ordered.valid() && ItemsSearch(facts, kDoubts).MayBeText(ordered);
}

bool MayHoldKeys(const Facts& facts, ir::ValueId array) {
  return ItemsSearch(facts, ItemsSearch::Doubts::kKeys).MayBeText(array);
}

}  // namespace cpnlint::analysis
