// The tasks of operators, subscripts and attributes.

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>

#include "analyzer/analysis/work_impl.h"
#include "analyzer/api/launches.h"

namespace cpnlint::analysis {

using api::LaunchWord;

namespace {

constexpr std::size_t kMostBases = 32;    // classes that are looked through for a method
constexpr std::int64_t kUnknownItem = 8;  // bytes of an element of unknown type: float64 is what NumPy makes by default

std::string_view InplaceName(ir::BinaryOp op) {
  constexpr std::array<std::string_view, 13> kNames = {
      "+=", "-=", "*=", "/=", "//=", "%=", "**=", "@=", "<<=", ">>=", "&=", "|=", "^="};
  return kNames[static_cast<std::size_t>(op)];
}

std::string_view UnaryName(ir::UnaryOp op) {
  constexpr std::array<std::string_view, 3> kNames = {"unary -", "unary +", "unary ~"};
  return kNames[static_cast<std::size_t>(op)];
}

// An array of unknown type is taken for one of float64, which is what NumPy makes by default.
ir::DType PlainType(const Value& value) {
  switch (value.kind) {
    case Kind::kBool: return ir::DType::kBool;
    case Kind::kInt: return ir::DType::kInt64;
    case Kind::kFloat: return ir::DType::kFloat64;
    case Kind::kComplex: return ir::DType::kComplex128;
    case Kind::kArray: return value.dtype == ir::DType::kUnknown ? ir::DType::kFloat64 : value.dtype;
    case Kind::kNumpyScalar: return value.dtype;
    default: return ir::DType::kUnknown;
  }
}

// What both sides of a comparison are converted to.
ir::DType ComparedAs(const Value& a, const Value& b) {
  const auto weak = [](const Value& value) -> std::optional<ir::Weak> {
    switch (value.kind) {
      case Kind::kBool: return ir::Weak::kBool;
      case Kind::kInt: return ir::Weak::kInt;
      case Kind::kFloat: return ir::Weak::kFloat;
      case Kind::kComplex: return ir::Weak::kComplex;
      default: return std::nullopt;
    }
  };
  if (const auto w = weak(b)) return ir::PromoteWeak(PlainType(a), *w);
  if (const auto w = weak(a)) return ir::PromoteWeak(PlainType(b), *w);
  return ir::Promote(PlainType(a), PlainType(b));
}

}  // namespace

TaskMaker::TaskMaker(const Facts& facts, Work& work)
    : facts_(facts),
      program_(facts.program()),
      dims_(facts.store().dims()),
      work_(work),
      data_lengths_(facts),
      selections_(facts) {}

void TaskMaker::Begin(ir::FunctionId function) {
  // It goes over as many buckets as the largest function needed.
  if (!reads_.empty()) reads_.clear();
  if (!known_lengths_.empty()) known_lengths_.clear();
  first_task_ = std::ssize(work_.tasks);
  asked_before_.clear();
  for (const HostRead& read : facts_.HostReadsOf(function)) reads_[read.op].push_back(read);
}

void TaskMaker::See(ir::ValueId op, double share, Plan& plan) {
  plan_ = &plan;
  share_ = share;
  switch (program_.ops[op].kind) {
    case ir::OpKind::kBinary:
    case ir::OpKind::kUnary:
    case ir::OpKind::kCompare:
    case ir::OpKind::kInplaceBinary: SeeOperator(op); break;
    case ir::OpKind::kSubscript: SeeSubscript(op); break;
    case ir::OpKind::kStoreSubscript: SeeStore(op); break;
    case ir::OpKind::kLoopItem: SeeLoopItem(op); break;
    case ir::OpKind::kUnpackItem: SeeUnpack(op); break;
    case ir::OpKind::kAttr: SeeAttribute(op); break;
    case ir::OpKind::kCall: SeeCall(op); break;
    case ir::OpKind::kMakeClass: {
      const ir::FunctionId body = program_.classes[ir::ClassId(program_.ops[op].payload)].body;
      if (body.valid()) plan_->items.push_back({PlanItem::Kind::kCall, 0, share_, op, body});
      break;
    }
    default: break;
  }
  if (!reads_.empty() && reads_.contains(op)) SeeHostReads(op);
}

// --- making tasks ---

WorkTask TaskMaker::Start(ir::ValueId op, WorkKind kind, std::string_view name) const {
  WorkTask task;
  task.op = op;
  task.kind = kind;
  task.name = name;
  task.elements = dims_.Const(1);
  task.bytes_read = task.bytes_written = task.temporary = dims_.Const(0);
  task.to_host = task.from_host = dims_.Const(0);
  return task;
}

ir::DimId TaskMaker::Elements(ir::ValueId value) const {
  if (facts_.IsArray(value)) {
    const ShapeId shape = ShapeOf(value);
    if (!shape.valid()) return LengthOf(value);
    ir::DimId elements = dims_.Const(1);
    for (const ir::DimId extent : facts_.store().Get(shape)) elements = dims_.Mul(elements, extent);
    return elements.valid() ? elements : LengthOf(value);
  }
  const auto computed = value.valid() ? computed_.find(facts_.Source(value)) : computed_.end();
  return computed == computed_.end() ? dims_.Const(1) : computed->second;
}

ir::DimId TaskMaker::LengthOf(ir::ValueId value) const {
  const auto length = lengths_.find(facts_.Source(value));
  if (length != lengths_.end()) return length->second;
  return facts_.VolumeOf(value).valid() ? ir::DimId() : data_lengths_.Of(value);
}

ShapeId TaskMaker::ShapeOf(ir::ValueId value) const {
  if (!value.valid() || !facts_.IsArray(value)) return {};
  const ShapeId known = facts_.Of(value).shape;
  if (known.valid()) return known;
  const auto found = shapes_.find(facts_.Source(value));
  return found == shapes_.end() ? ShapeId() : found->second;
}

int TaskMaker::Rank(ir::ValueId value) const {
  const ShapeId shape = ShapeOf(value);
  return shape.valid() ? static_cast<int>(facts_.store().Get(shape).size()) : -1;
}

bool TaskMaker::IsOnDevice(ir::ValueId value) const {
  return value.valid() && (facts_.IsDevice(value) || computed_.contains(facts_.Source(value)));
}

ir::DimId TaskMaker::BytesOf(ir::DimId elements, ir::ValueId array) const {
  const Value& value = facts_.Of(array);
  return dims_.Mul(elements, dims_.Const(ir::ItemSize(value.dtype).value_or(kUnknownItem)));
}

ir::DimId TaskMaker::Bytes(ir::ValueId value) const { return BytesOf(Elements(value), value); }

// From the value through its slices to the whole: the constant at which each axis of the whole is entered.
std::optional<TaskMaker::Place> TaskMaker::PlaceOf(ir::ValueId value) const {
  const ir::ValueId root = facts_.DeviceRootOf(value);
  if (!root.valid()) return std::nullopt;
  std::vector<ir::ValueId> slices;
  ir::ValueId at = facts_.Source(value);
  for (int steps = 0; at.valid() && steps < 16; ++steps) {
    const ir::OpKind kind = program_.ops[at].kind;
    if (kind != ir::OpKind::kSubscript && kind != ir::OpKind::kInplaceBinary) break;
    if (kind == ir::OpKind::kSubscript) {
      if (facts_.SubscriptOf(at).selects != SubscriptResult::Selects::kView) break;
      slices.push_back(at);
    }
    at = facts_.Source(program_.Operand(at, 0));
  }
  // A parameter or an attribute that holds the whole is as good as the op that made it.
  if (!at.valid() || !facts_.IsArray(at) || !facts_.Of(at).shape.valid() || facts_.DeviceRootOf(at) != root) {
    return std::nullopt;
  }
  if (at != root && facts_.IsArray(root) && facts_.Of(root).shape != facts_.Of(at).shape) return std::nullopt;
  Place place;
  place.whole = at;
  place.shape = facts_.Of(at).shape;
  place.extents = facts_.store().Get(place.shape);
  place.offsets.assign(place.extents.size(), 0);
  place.axes.resize(place.extents.size());
  std::iota(place.axes.begin(), place.axes.end(), std::size_t{0});
  for (auto slice = slices.rbegin(); slice != slices.rend(); ++slice) {
    if (!Enter(place, *slice, facts_.Of(*slice).shape)) return std::nullopt;
  }
  return place;
}

// Goes on from a place into the view that the keys of `op` select; false where that is not at constants.
bool TaskMaker::Enter(Place& place, ir::ValueId op, ShapeId view) const {
  const std::vector<Key>& keys = facts_.SubscriptOf(op).keys;
  const std::span<const ir::ValueId> key_ops = facts_.KeysOf(op);
  std::vector<std::size_t> dropped;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const Key& key = keys[i];
    if (key.kind == KeyKind::kNewAxis) return false;
    if (key.kind == KeyKind::kEllipsis || (key.kind == KeyKind::kSlice && !key.lower_given)) continue;
    if (key.axis < 0 || key.axis >= static_cast<int>(place.axes.size()) || i >= key_ops.size()) return false;
    const std::optional<std::int64_t> start =
        key.kind == KeyKind::kSlice ? dims_.AsConst(key.lower) : facts_.IntOf(key_ops[i]);
    if (!start || *start < 0) return false;
    const std::size_t axis = place.axes[static_cast<std::size_t>(key.axis)];
    place.offsets[axis] += *start;
    if (key.kind == KeyKind::kSlice) continue;
    place.extents[axis] = dims_.Const(1);
    dropped.push_back(static_cast<std::size_t>(key.axis));
  }
  for (auto axis = dropped.rbegin(); axis != dropped.rend(); ++axis) {
    place.axes.erase(place.axes.begin() + static_cast<std::ptrdiff_t>(*axis));
  }
  if (!view.valid() || facts_.store().Get(view).size() != place.axes.size()) return false;
  for (std::size_t i = 0; i < place.axes.size(); ++i) {
    place.extents[place.axes[i]] = facts_.store().Get(view)[i];
  }
  return true;
}

// One array is written at one place and read at another that is partly the same: Legate is given a copy.
bool TaskMaker::Overlap(const Place& a, const Place& b) const {
  if (a.offsets.size() != b.offsets.size() || (a.offsets == b.offsets && a.extents == b.extents)) return false;
  for (std::size_t i = 0; i < a.offsets.size(); ++i) {
    const std::int64_t distance = std::abs(a.offsets[i] - b.offsets[i]);
    const ir::DimId extent = a.offsets[i] < b.offsets[i] ? a.extents[i] : b.extents[i];
    if (const auto known = dims_.AsConst(extent); known && distance >= *known) return false;
  }
  return true;
}

std::vector<std::int64_t> OffsetsOf(const Facts& facts, const WorkOperand& operand) {
  std::vector<std::int64_t> offsets;
  if (!operand.start.valid()) return offsets;
  for (const ir::DimId start : facts.store().Get(operand.start)) {
    offsets.push_back(facts.store().dims().AsConst(start).value_or(0));
  }
  return offsets;
}

ShapeId TaskMaker::StartOf(const Place& place) const {
  Shape start;
  for (const std::int64_t offset : place.offsets) start.push_back(dims_.Const(offset));
  return facts_.store().Intern(start);
}

WorkOperand TaskMaker::OperandOf(ir::ValueId value) const {
  WorkOperand operand;
  operand.root = facts_.DeviceRootOf(value);
  operand.shape = ShapeOf(value);
  operand.elements = Elements(value);
  operand.item = static_cast<std::uint8_t>(ir::ItemSize(facts_.Of(value).dtype).value_or(0));
  operand.root_shape = facts_.IsArray(operand.root) ? facts_.Of(operand.root).shape : operand.shape;
  const std::optional<Place> place = PlaceOf(value);
  if (place) {
    operand.root_shape = place->shape;
    if (operand.shape != place->shape) operand.start = StartOf(*place);
  }
  const bool is_whole = operand.root_shape == operand.shape;
  operand.shape = Completed(operand.shape, operand.elements);
  operand.root_shape = is_whole ? operand.shape : Completed(operand.root_shape, data_lengths_.Of(operand.root));
  operand.block = IsBlock(operand, place);
  operand.turned = IsTurned(value);
  return operand;
}

// `a.T`, `np.transpose(a)`, also parts of them: views whose tiles lie the other way round.
bool TaskMaker::IsTurned(ir::ValueId value) const {
  constexpr std::string_view kTurns[] = {"T", "mT", "matrix_transpose", "moveaxis", "swapaxes", "transpose"};
  const auto turns = [&](std::string_view name) { return std::ranges::find(kTurns, name) != std::end(kTurns); };
  bool turned = false;
  ir::ValueId at = facts_.Source(value);
  for (int steps = 0; at.valid() && steps < 16; ++steps) {
    const ir::Op& op = program_.ops[at];
    if (op.kind == ir::OpKind::kAttr && turns(program_.Name(op)) && Rank(at) >= 2) {
      turned = !turned;
      at = facts_.Source(program_.Operand(at, 0));
    } else if (op.kind == ir::OpKind::kCall && turns(ApiBaseName(facts_.CalleeOf(at).name)) && Rank(at) >= 2) {
      turned = !turned;
      at = facts_.Source(ArgumentOf(at, 0, "a"));
    } else if (op.kind == ir::OpKind::kSubscript && facts_.SubscriptOf(at).selects == SubscriptResult::Selects::kView) {
      at = facts_.Source(program_.Operand(at, 0));
    } else {
      break;
    }
  }
  return turned;
}

// In row-major order a part is one block if all axes behind its first real one are whole.
bool TaskMaker::IsBlock(const WorkOperand& operand, const std::optional<Place>& place) const {
  const ValueStore& store = facts_.store();
  if (place) {
    const Shape& whole = store.Get(place->shape);
    std::size_t axis = 0;
    while (axis < whole.size() && dims_.AsConst(place->extents[axis]) == 1) ++axis;
    for (++axis; axis < whole.size(); ++axis) {
      if (place->extents[axis] != whole[axis]) return false;
    }
    return true;
  }
  if (!operand.shape.valid() || !operand.root_shape.valid()) return true;
  const Shape& part = store.Get(operand.shape);
  const Shape& whole = store.Get(operand.root_shape);
  if (part.size() > whole.size()) return true;  // what new axes make of it is told by its shape
  for (std::size_t axis = 1; axis < part.size(); ++axis) {
    if (part[axis] != whole[whole.size() - part.size() + axis]) return false;
  }
  return true;
}

bool TaskMaker::Walks(const WorkTask& task, ir::ValueId result, std::span<const ir::ValueId> values) const {
  const ShapeId shape = result.valid() ? ShapeOf(result) : ShapeId();
  for (const ir::ValueId value : values) {
    if (!value.valid()) continue;
    if (!facts_.IsArray(value) || Rank(value) == 0) return true;  // a number
    if (shape.valid() && ShapeOf(value).valid() && ShapeOf(value) != shape) return true;
  }
  return std::any_of(task.operands.begin(), task.operands.end(),
                     [](const WorkOperand& operand) { return !operand.block; });
}

void TaskMaker::Read(WorkTask& task, ir::ValueId value, ir::DimId fallback) {
  if (!value.valid()) return;
  if (!facts_.IsDevice(value)) {
    // A list or an array of NumPy's is brought over each time.
    if (facts_.IsArray(value)) task.from_host = dims_.Add(task.from_host, Bytes(value));
    return;
  }
  const ir::DimId elements = Elements(value);
  task.bytes_read = dims_.Add(task.bytes_read, BytesOf(elements.valid() ? elements : fallback, value));
  task.operands.push_back(OperandOf(value));
  if (facts_.Of(value).unbounded) AskForLength(task, value);
}

// The length of a selection is asked for on the host, once. A task in a loop that the selection does not stand in comes
// by more often than that; then it is the selection that waits.
void TaskMaker::AskForLength(WorkTask& task, ir::ValueId value) {
  const ir::LoopId loop = program_.LoopOf(task.op);
  for (const ir::ValueId selection : selections_.Behind(value)) {
    if (!known_lengths_.insert(selection).second) continue;
    const ir::LoopId made_in = program_.LoopOf(selection);
    if (!loop.valid() || (made_in.valid() && facts_.LoopContains(loop, made_in))) {
      task.waits = true;
      continue;
    }
    const auto made = std::find_if(work_.tasks.begin() + first_task_, work_.tasks.end(),
                                   [&](const WorkTask& one) { return one.op == selection; });
    if (made == work_.tasks.end()) {
      asked_before_.insert(selection);
    } else {
      made->waits = true;
    }
  }
}

void TaskMaker::Write(WorkTask& task, ir::ValueId value, ir::DimId fallback) {
  if (!value.valid() || !facts_.IsArray(value)) return;
  const ir::DimId elements = Elements(value);
  task.bytes_written = dims_.Add(task.bytes_written, BytesOf(elements.valid() ? elements : fallback, value));
  task.operands.push_back(OperandOf(value));
  task.operands.back().written = true;
}

bool TaskMaker::Count(WorkTask& task, std::string_view name, std::uint64_t words, std::size_t operands) {
  const api::Launches* row = api::FindLaunches(name, words);
  if (row == nullptr) return false;
  task.launches = row->launches + row->each * static_cast<double>(operands);
  task.launches_divided = row->divided + row->each * static_cast<double>(operands);
  return true;
}

void TaskMaker::Add(WorkTask&& task) {
  if (asked_before_.erase(task.op) > 0) task.waits = true;
  work_.tasks.push_back(std::move(task));
  plan_->items.push_back({PlanItem::Kind::kTask, static_cast<std::uint32_t>(work_.tasks.size() - 1), share_, {}, {}});
}

void TaskMaker::Unpriced(ir::ValueId op, std::string_view name, std::string_view why) {
  WorkTask task = Start(op, WorkKind::kElementwise, name);
  task.launches = task.launches_divided = 0;
  task.unpriced = why;
  Add(std::move(task));
}

bool TaskMaker::NeedsCast(ir::ValueId value, ir::DType to) const {
  if (!value.valid() || to == ir::DType::kUnknown) return false;
  const ir::DType from = PlainType(facts_.Of(value));
  return from != ir::DType::kUnknown && from != to;
}

void TaskMaker::Convert(WorkTask& task, ir::ValueId value, ir::DType to) {
  if (!facts_.IsDevice(value) || Rank(value) == 0) return;
  const auto item = static_cast<std::int64_t>(ir::ItemSize(to).value_or(kUnknownItem));
  const ir::DimId bytes = dims_.Mul(Elements(value), dims_.Const(item));
  task.temporary = dims_.Add(task.temporary, bytes);
  task.bytes_read = dims_.Add(task.bytes_read, bytes);
  task.bytes_written = dims_.Add(task.bytes_written, bytes);
}

bool TaskMaker::OverlapsShifted(ir::ValueId a, ir::ValueId b) const {
  if (!facts_.IsDevice(a) || !facts_.IsDevice(b) || facts_.DeviceRootOf(a) != facts_.DeviceRootOf(b)) return false;
  const std::optional<Place> left = PlaceOf(a), right = PlaceOf(b);
  return left && right && Overlap(*left, *right);
}

// `u[1:] - u[:-1]`, `x * x`: what lies over a part that the same sweep has just read comes out of a cache.
bool TaskMaker::IsReadWith(std::span<const ir::ValueId> read, ir::ValueId value) const {
  if (!facts_.IsDevice(value)) return false;
  const std::optional<Place> place = PlaceOf(value);
  const auto is_turned = [&](ir::ValueId whole) {  // `a.T`, `a.reshape(...)`: walked in another order
    const ir::Op& made_by = program_.ops[whole];
    if (whole == facts_.DeviceRootOf(whole)) return false;
    return made_by.kind == ir::OpKind::kCall ||
           (made_by.kind == ir::OpKind::kAttr && facts_.IsArray(program_.Operand(whole, 0)));
  };
  return std::any_of(read.begin(), read.end(), [&](ir::ValueId other) {
    if (other == value) return true;
    if (!facts_.IsDevice(other) || facts_.DeviceRootOf(other) != facts_.DeviceRootOf(value)) return false;
    const std::optional<Place> there = PlaceOf(other);
    if (!place || !there || is_turned(place->whole) != is_turned(there->whole)) return false;
    return (place->offsets == there->offsets && place->extents == there->extents) || Overlap(*place, *there);
  });
}

// --- operators ---

void TaskMaker::SeeOperator(ir::ValueId op) {
  const ir::Op& record = program_.ops[op];
  const ir::ValueId left = program_.Operand(op, 0);
  const bool unary = record.kind == ir::OpKind::kUnary;
  const ir::ValueId right = unary ? ir::ValueId::None() : program_.Operand(op, 1);
  if (!IsOnDevice(left) && !IsOnDevice(right)) return;
  if (facts_.Of(left).kind == Kind::kStr) return;  // "%s" % a
  if (!facts_.IsArray(op)) {
    const ir::DimId a = Elements(left), b = right.valid() ? Elements(right) : a;
    const bool whole = facts_.IsDevice(left) && Rank(left) != 0;
    const bool other = right.valid() && facts_.IsDevice(right) && Rank(right) != 0;
    computed_[op] = whole ? a : other ? b : a.valid() && b.valid() ? dims_.Const(1) : ir::DimId();
  }

  if (record.kind == ir::OpKind::kCompare) {
    const auto compare = static_cast<ir::CompareOp>(record.detail);
    if (compare == ir::CompareOp::kIs || compare == ir::CompareOp::kIsNot) return;
    if (compare == ir::CompareOp::kIn || compare == ir::CompareOp::kNotIn) {
      if (!facts_.IsDevice(right)) return;
      WorkTask task = Start(op, WorkKind::kReduction, "in");
      task.elements = Elements(right);
      Read(task, right);
      Count(task, "in", 0);
      return Add(std::move(task));
    }
    WorkTask task = Start(op, WorkKind::kElementwise, ir::Spelling(compare));
    Elementwise(task, op);
    const ir::DType as = ComparedAs(facts_.Of(left), facts_.Of(right));
    const double casts = NeedsCast(left, as) + NeedsCast(right, as);
    task.launches = task.launches_divided = 1 + casts;
    for (const ir::ValueId operand : {left, right}) {
      if (NeedsCast(operand, as)) Convert(task, operand, as);
    }
    return Add(std::move(task));
  }
  if (unary) {
    WorkTask task = Start(op, WorkKind::kElementwise, UnaryName(static_cast<ir::UnaryOp>(record.detail)));
    Elementwise(task, op);
    return Add(std::move(task));
  }
  const auto binary = static_cast<ir::BinaryOp>(record.detail);
  const bool inplace = record.kind == ir::OpKind::kInplaceBinary && facts_.IsDevice(left);
  const std::string_view name = inplace ? InplaceName(binary) : ir::Spelling(binary);
  if (binary == ir::BinaryOp::kMatMul) {
    WorkTask task = Start(op, WorkKind::kProduct, "@");
    Product(task, op, left, right);
    return Add(std::move(task));
  }
  WorkTask task = Start(op, WorkKind::kElementwise, name);
  Elementwise(task, op);
  ir::DType as = PlainType(facts_.Of(op));
  if (as == ir::DType::kUnknown && !facts_.IsArray(op)) as = ir::DType::kFloat64;
  double casts = 0;
  // True division takes integers as they are.
  const bool integers = binary == ir::BinaryOp::kDiv && !ir::IsInexact(PlainType(facts_.Of(left))) &&
                        !ir::IsInexact(PlainType(facts_.Of(right)));
  if (!integers) casts += NeedsCast(left, as) + NeedsCast(right, as);
  if (inplace && OverlapsShifted(left, right)) casts += 1;  // a copy first
  task.launches = task.launches_divided = 1 + casts;
  task.operations = OperationsOf(name);
  // A converted array is a temporary of its size.
  for (const ir::ValueId operand : {left, right}) {
    if (!integers && NeedsCast(operand, as)) Convert(task, operand, as);
  }
  Add(std::move(task));
}

// Reads all operands once, those of one array together, writes the result once.
void TaskMaker::Elementwise(WorkTask& task, ir::ValueId op) {
  const ir::Op& record = program_.ops[op];
  const ir::ValueId result = record.kind == ir::OpKind::kInplaceBinary ? program_.Operand(op, 0) : op;
  const std::span<const ir::ValueId> operands = program_.Operands(op);
  task.elements = ElementsOfResult(result, operands);
  // What the library made of numbers is float64 as a rule.
  const auto bytes = [&](ir::ValueId value) { return dims_.Mul(Elements(value), dims_.Const(kUnknownItem)); };
  std::vector<ir::ValueId> read;
  for (const ir::ValueId operand : operands) {
    if (!operand.valid()) continue;
    if (facts_.IsArray(operand)) {
      const ir::DimId before = task.bytes_read;
      Read(task, operand, task.elements);
      if (IsReadWith(read, operand)) task.bytes_read = before;
    } else if (IsOnDevice(operand)) {
      task.bytes_read = dims_.Add(task.bytes_read, bytes(operand));
    }
    read.push_back(operand);
  }
  Write(task, result, task.elements);
  if (!facts_.IsArray(result)) task.bytes_written = bytes(result);
  task.walks = Walks(task, result, operands);
}

// Where the shape of the result is not known, because that of an operand is not, the known operand stands for it.
ir::DimId TaskMaker::ElementsOfResult(ir::ValueId result, std::span<const ir::ValueId> operands) {
  if (!result.valid() || !facts_.IsArray(result)) return Elements(result);
  if (const ir::DimId elements = Elements(result); elements.valid() || ShapeOf(result).valid()) {
    if (elements.valid()) return elements;
    for (const ir::ValueId operand : operands) {
      if (!operand.valid() || !facts_.IsDevice(operand) || !LengthOf(operand).valid()) continue;
      return lengths_[facts_.Source(result)] = LengthOf(operand);
    }
    return {};
  }
  for (const ir::ValueId operand : operands) {
    if (!operand.valid() || !facts_.IsDevice(operand) || Rank(operand) <= 0) continue;
    shapes_[result] = ShapeOf(operand);
    return Elements(operand);
  }
  // `k * q[j]`: what is not known to be an array is taken for a number beside elements.
  ir::ValueId element;
  for (const ir::ValueId operand : operands) {
    if (!operand.valid() || !facts_.IsDevice(operand)) continue;
    if (Rank(operand) != 0) return {};
    element = operand;
  }
  if (!element.valid()) return {};
  shapes_[result] = ShapeOf(element);
  return Elements(element);
}

// --- subscripts ---

namespace {

struct KeyWords {
  std::uint64_t words = 0;
  int index_arrays = 0;
};

KeyWords WordsOfKeys(const std::vector<Key>& keys, int base_rank) {
  KeyWords found;
  bool first_is_full = false, device_scalar = false;
  int masks = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i].kind == KeyKind::kIndexArray) ++found.index_arrays;
    if (keys[i].kind == KeyKind::kMask) ++masks;
    if (keys[i].device_scalar) device_scalar = true;
    if (i == 0 && keys[i].kind == KeyKind::kSlice) first_is_full = true;
  }
  if (masks > 0) {
    const int rank = keys.empty() ? -1 : keys.front().mask_rank;
    if (first_is_full) {
      found.words |= LaunchWord("column mask");
    } else if (base_rank > 1 && rank == 1) {
      found.words |= LaunchWord("row mask");
    } else {
      found.words |= LaunchWord("mask") | (base_rank > 1 ? LaunchWord("2d") : 0);
    }
  } else if (found.index_arrays > 1) {
    found.words |= LaunchWord("two indices");
  } else if (found.index_arrays == 1) {
    found.words |= LaunchWord("index");
    if (base_rank > 1) found.words |= first_is_full ? LaunchWord("second axis") : LaunchWord("2d");
  } else if (device_scalar) {
    found.words |= LaunchWord("device scalar");
  }
  return found;
}

// Of an array of unknown rank several integers select one element, as they do of a matrix.
SubscriptResult::Selects SelectedBy(const SubscriptResult& result) {
  const bool integers = result.keys.size() >= 2 &&
                        std::all_of(result.keys.begin(), result.keys.end(),
                                    [](const Key& key) { return key.kind == KeyKind::kInteger && !key.device_scalar; });
  return integers && result.selects == SubscriptResult::Selects::kUnknown ? SubscriptResult::Selects::kElement
                                                                          : result.selects;
}

bool IsPlainNumber(const Value& value) { return IsNumber(value.kind) || value.kind == Kind::kNumpyScalar; }

}  // namespace

void TaskMaker::SeeSubscript(ir::ValueId op) {
  const ir::ValueId base = program_.Operand(op, 0);
  if (!facts_.IsDevice(base)) {
    const std::string_view name = facts_.ApiName(base);
    if (name.empty() || !facts_.IsDevice(op)) return;
    WorkTask task = Start(op, WorkKind::kFill, name);  // np.mgrid[0:n, 0:m]
    task.elements = Elements(op);
    Write(task, op);
    if (!Count(task, name, 0)) return Unpriced(op, name, "its operations were not counted");
    return Add(std::move(task));
  }
  const SubscriptResult& result = facts_.SubscriptOf(op);
  const KeyWords keys = WordsOfKeys(result.keys, Rank(base));
  switch (SelectedBy(result)) {
    case SubscriptResult::Selects::kUnknown:
    case SubscriptResult::Selects::kView: return;
    case SubscriptResult::Selects::kElement: {
      const bool gather = (keys.words & LaunchWord("device scalar")) != 0;
      WorkTask task = Start(op, gather ? WorkKind::kGather : WorkKind::kElementAccess, "[]");
      task.bytes_read = task.bytes_written = BytesOf(dims_.Const(1), base);
      task.waits = gather;
      task.operands.push_back(OperandOf(base));
      if (!gather) task.operands.back().elements = dims_.Const(1);
      Count(task, "[]", gather ? keys.words : LaunchWord("element"));
      return Add(std::move(task));
    }
    case SubscriptResult::Selects::kGather: {
      WorkTask task = Start(op, WorkKind::kGather, "[]");
      task.elements = Elements(op);
      task.bytes_read = BytesOf(task.elements, base);
      for (const ir::ValueId key : facts_.KeysOf(op)) {
        if (facts_.IsArray(key)) Read(task, key);
      }
      Write(task, op);
      task.operands.push_back(OperandOf(base));
      task.temporary = dims_.Mul(task.elements, dims_.Const(8 * std::max(1, Rank(base))));
      task.waits = task.all_to_all = true;
      Count(task, "[]", keys.words);
      return Add(std::move(task));
    }
    case SubscriptResult::Selects::kMasked: {
      WorkTask task = Start(op, WorkKind::kMaskRead, "[]");
      task.elements = data_lengths_.Covered(op);
      Read(task, base);
      task.bytes_read = BytesOf(task.elements, base);
      for (const ir::ValueId key : facts_.KeysOf(op)) {
        if (facts_.IsArray(key)) Read(task, key);
      }
      task.bytes_written = BytesOf(task.elements, base);  // at most
      Count(task, "[]", keys.words);
      return Add(std::move(task));
    }
  }
}

void TaskMaker::SeeStore(ir::ValueId op) {
  const ir::ValueId base = program_.Operand(op, 0);
  const ir::ValueId value = program_.Operand(op, 1);
  if (!facts_.IsDevice(base)) return;
  const SubscriptResult& result = facts_.SubscriptOf(op);
  const Value& stored = facts_.Of(value);
  // What is not known to be an array is taken for a number.
  const bool number = IsPlainNumber(stored) || stored.kind == Kind::kUnknown;
  const bool scalar = number || facts_.IsZeroD(value);
  const ir::DType type = PlainType(facts_.Of(base));
  std::uint64_t words = 0;
  if (number) words |= LaunchWord("number");
  if (!number && facts_.IsZeroD(value)) words |= LaunchWord("0d");
  const double casts = NeedsCast(value, type) ? 1 : 0;

  const SubscriptResult::Selects selects = SelectedBy(result);
  if (selects == SubscriptResult::Selects::kElement) {
    WorkTask task = Start(op, WorkKind::kElementAccess, "[]=");
    task.bytes_read = task.bytes_written = BytesOf(dims_.Const(1), base);
    task.operands.push_back(OperandOf(base));
    task.operands.back().written = true;
    task.operands.back().elements = dims_.Const(1);
    Count(task, "[]=", words | LaunchWord("element"));
    task.launches += casts;
    task.launches_divided += casts;
    return Add(std::move(task));
  }
  const KeyWords keys = WordsOfKeys(result.keys, Rank(base));
  if (selects == SubscriptResult::Selects::kGather || selects == SubscriptResult::Selects::kMasked) {
    const bool masked = selects == SubscriptResult::Selects::kMasked;
    const bool whole = masked && (keys.words & LaunchWord("mask")) != 0;
    WorkTask task = Start(op, whole && scalar ? WorkKind::kElementwise : WorkKind::kScatter, "[]=");
    task.elements = masked ? Elements(base) : facts_.IsArray(value) && !scalar ? Elements(value) : ir::DimId::None();
    const ir::ValueId key = facts_.KeysOf(op).empty() ? ir::ValueId::None() : facts_.KeysOf(op).front();
    if (!masked && !task.elements.valid() && facts_.IsArray(key)) task.elements = Elements(key);
    if (facts_.IsArray(value)) Read(task, value);
    for (const ir::ValueId k : facts_.KeysOf(op)) {
      if (facts_.IsArray(k)) Read(task, k);
    }
    task.bytes_written = BytesOf(task.elements, base);
    task.operands.push_back(OperandOf(base));
    task.operands.back().written = true;
    if (task.kind == WorkKind::kScatter) {
      task.waits = task.all_to_all = true;
      task.temporary = dims_.Mul(task.elements, dims_.Const(8 * std::max(1, Rank(base))));
    }
    Count(task, "[]=", words | keys.words);
    task.launches += casts;
    task.launches_divided += casts;
    return Add(std::move(task));
  }

  // A view, or something that is taken for one. `a[i:j] += b` wrote through the view already.
  if ((program_.ops[op].flags & ir::kAugmented) != 0) return;
  WorkTask task = Start(op, scalar ? WorkKind::kFill : WorkKind::kCopy, "[]=");
  const Value& part = result.value;
  const bool known = part.kind == Kind::kArray;
  task.elements = known ? Volume(facts_.store(), part) : ir::DimId::None();
  if (!task.elements.valid() && facts_.IsDevice(value) && !scalar) task.elements = Elements(value);
  if (facts_.IsArray(value)) Read(task, value, task.elements);
  task.bytes_written = BytesOf(task.elements, base);
  if (casts > 0 && !scalar) Convert(task, value, type);
  WorkOperand target = OperandOf(base);
  target.written = true;
  target.elements = task.elements;
  if (known) target.shape = part.shape;
  double extra = casts;
  std::optional<Place> place = PlaceOf(base);
  const bool placed = place && known && Enter(*place, op, part.shape);
  target.block = IsBlock(target, placed ? place : std::nullopt);
  if (placed) {
    target.root_shape = place->shape;
    target.start = StartOf(*place);
    if (facts_.IsDevice(value) && !scalar && facts_.DeviceRootOf(value) == target.root) {
      const std::optional<Place> source = PlaceOf(value);
      if (source && Overlap(*place, *source)) extra += 1;
    }
  }
  task.operands.push_back(std::move(target));
  task.walks = std::any_of(task.operands.begin(), task.operands.end(),
                           [](const WorkOperand& operand) { return !operand.block; });
  task.launches = task.launches_divided = 1 + extra;
  Add(std::move(task));
}

namespace {

bool IsProperty(const ir::Program& program, const ir::Function& function) {
  return std::any_of(function.decorators.begin(), function.decorators.end(), [&](ir::ValueId decorator) {
    const ir::Op& op = program.ops[decorator];
    return op.kind == ir::OpKind::kBuiltin && program.Name(op) == "property";
  });
}

}  // namespace

// The method of the class or of the first base that has one; None() where none of the program's classes has.
ir::FunctionId TaskMaker::MethodOf(ir::ClassId class_id, std::string_view name) const {
  std::vector<ir::ClassId> open = {class_id};
  for (std::size_t i = 0; i < open.size() && i < kMostBases; ++i) {
    const ir::Class& record = program_.classes[open[i]];
    for (const ir::FunctionId method : record.methods) {
      if (program_.names.Text(program_.functions[method].name) == name) return method;
    }
    if (!record.made_by.valid()) continue;
    for (const ir::ValueId base : program_.Operands(record.made_by)) {
      if (base.valid() && facts_.Of(base).kind == Kind::kClass) open.push_back(facts_.Of(base).class_id);
    }
  }
  return {};
}

void TaskMaker::SeeAttribute(ir::ValueId op) {
  const ir::ValueId base = program_.Operand(op, 0);
  const std::string_view name = program_.Name(program_.ops[op]);
  if (facts_.Of(base).kind == Kind::kInstance && facts_.Of(base).class_id.valid()) {
    const ir::FunctionId getter = MethodOf(facts_.Of(base).class_id, name);
    const bool reads = getter.valid() && IsProperty(program_, program_.functions[getter]);
    if (reads) plan_->items.push_back({PlanItem::Kind::kCall, 0, share_, op, getter});
    return;
  }
  if (!facts_.IsDevice(base) || !ir::IsComplex(facts_.Of(base).dtype)) return;
  if (name != "real" && name != "imag") return;
  WorkTask task = Start(op, WorkKind::kCopy, name);
  Read(task, base);
  Write(task, op);
  task.elements = Elements(base);
  Add(std::move(task));
}

}  // namespace cpnlint::analysis
