#include "analyzer/ir/verify.h"

#include <algorithm>
#include <utility>

namespace cpnlint::ir {
namespace {

constexpr std::size_t kMostMessages = 100;
constexpr std::uint32_t kUnreached = 0xffff'ffff;

struct Arity {
  std::uint32_t least = 0, most = 0;
};
constexpr std::uint32_t kMany = 0xffff'ffff;

Arity ArityOf(OpKind kind) {
  switch (kind) {
    case OpKind::kStoreCell:
    case OpKind::kAttr:
    case OpKind::kUnary:
    case OpKind::kNot:
    case OpKind::kTruth:
    case OpKind::kStarred:
    case OpKind::kAwait:
    case OpKind::kIter:
    case OpKind::kLoopItem:
    case OpKind::kUnpackItem:
    case OpKind::kDelAttr:
    case OpKind::kWithEnter:
    case OpKind::kCaught:
    case OpKind::kMatchBind:
    case OpKind::kBranch:
    case OpKind::kForNext: return {1, 1};
    case OpKind::kAnnotate:
    case OpKind::kBinary:
    case OpKind::kInplaceBinary:
    case OpKind::kCompare:
    case OpKind::kStoreAttr: return {2, 2};
    case OpKind::kSlice: return {3, 3};
    case OpKind::kSubscript:
    case OpKind::kDelSubscript: return {2, kMany};
    case OpKind::kCollectItem: return {2, 3};
    case OpKind::kStoreSubscript: return {3, kMany};
    case OpKind::kCall:
    case OpKind::kMatchTest: return {1, kMany};
    case OpKind::kYield:
    case OpKind::kReturn: return {0, 1};
    case OpKind::kRaise: return {0, 2};
    case OpKind::kPhi:
    case OpKind::kFormatString:
    case OpKind::kTuple:
    case OpKind::kList:
    case OpKind::kSet:
    case OpKind::kDict:
    case OpKind::kMakeFunction:
    case OpKind::kMakeClass:
    case OpKind::kEither:
    case OpKind::kOpaque: return {0, kMany};
    default: return {0, 0};
  }
}

bool MayBeAbsent(OpKind kind, std::size_t operand) {
  switch (kind) {
    case OpKind::kAnnotate: return operand == 0;
    case OpKind::kSlice:
    case OpKind::kRaise:
    case OpKind::kReturn:
    case OpKind::kYield: return true;
    case OpKind::kDict: return operand % 2 == 0;
    default: return false;
  }
}

std::size_t SuccessorsOf(OpKind kind) {
  switch (kind) {
    case OpKind::kJump: return 1;
    case OpKind::kBranch:
    case OpKind::kForNext:
    case OpKind::kEither: return 2;
    default: return 0;
  }
}

class Verifier {
 public:
  Verifier(const Program& program, ModuleId module, std::size_t text_size)
      : program_(program), module_(module), text_size_(text_size) {}

  std::vector<std::string> Run() {
    const Module& module = program_.modules[module_];
    Check(module.body == module.first_function, "module: the body is not its first function");
    // Loops stand in the order of their functions.
    while (next_loop_ < program_.loops.size() && program_.loops[LoopId(next_loop_)].function < module.first_function) {
      ++next_loop_;
    }
    for (FunctionId f = module.first_function; f < module.end_function; f = FunctionId(f.index() + 1)) CheckFunction(f);
    for (std::size_t i = 0; i < program_.cells.size(); ++i) CheckCell(CellId(i));
    return std::move(messages_);
  }

 private:
  void Say(const std::string& what) {
    if (messages_.size() < kMostMessages) messages_.push_back(where_ + what);
  }
  bool Check(bool holds, const char* what) {
    if (!holds) Say(what);
    return holds;
  }
  bool CheckOp(bool holds, ValueId id, const char* what) {
    if (!holds) {
      Say("op " + std::to_string(id.index()) + " (" + std::string(Name(program_.ops[id].kind)) + "): " + what);
    }
    return holds;
  }
  void CheckSpan(Span span, const char* what) { Check(InText(span), what); }
  [[nodiscard]] bool InText(Span span) const {
    const std::uint32_t base = program_.modules[module_].text.begin;
    return base <= span.begin && span.begin <= span.end && span.end - base <= text_size_;
  }
  [[nodiscard]] bool Mine(ValueId id) const {
    return id.valid() && function_->first_op <= id && id < function_->end_op;
  }
  template <class IdType, class Table>
  [[nodiscard]] static bool InRange(IdType id, const Table& table) {
    return id.valid() && id.index() < table.size();
  }

  void CheckFunction(FunctionId id) {
    id_ = id;
    function_ = &program_.functions[id];
    where_ = "function `" + std::string(function_->qualified) + "`: ";
    Check(function_->module == module_, "belongs to another module");
    CheckSpan(function_->span, "span outside the text");
    CheckSpan(function_->name_span, "name span outside the text");
    if (!Check(!function_->blocks.empty(), "has no blocks")) return;
    if (!Check(function_->first_op.valid() && function_->first_op <= function_->end_op &&
                   function_->end_op.index() <= program_.ops.size(),
               "bad range of ops")) {
      return;
    }
    const std::size_t before = messages_.size();
    CheckBlocks();
    if (messages_.size() != before) return;
    OrderBlocks();
    FindDominators();
    for (const BlockId block : function_->blocks) {
      for (std::size_t i = 0; i < program_.blocks[block].ops.size(); ++i) CheckUses(block, i);
    }
    CheckLists();
  }

  void CheckBlocks() {
    position_.assign(function_->end_op.index() - function_->first_op.index(), kUnreached);
    edges_out_.assign(function_->blocks.size(), 0);
    std::size_t count = 0;
    for (std::size_t b = 0; b < function_->blocks.size(); ++b) {
      const BlockId id = function_->blocks[b];
      if (!Check(InRange(id, program_.blocks), "block out of range")) return;
      if (!Check(id.index() == function_->blocks[0].index() + b, "blocks are not numbered in order")) return;
      const Block& block = program_.blocks[id];
      Check(block.function == id_, "block of another function");
      if (!Check(!block.ops.empty(), "block without ops")) return;
      bool phis_end = false;
      for (std::size_t i = 0; i < block.ops.size(); ++i) {
        const ValueId op = block.ops[i];
        if (!Check(Mine(op), "op of a block outside the function's range")) return;
        CheckOp(program_.ops[op].block == id, op, "says another block");
        CheckOp(position_[op.index() - function_->first_op.index()] == kUnreached, op, "stands in two places");
        position_[op.index() - function_->first_op.index()] = static_cast<std::uint32_t>(i);
        ++count;
        const bool last = i + 1 == block.ops.size();
        CheckOp(IsControlFlow(program_.ops[op].kind) == last, op, "control flow is not the last op");
        const bool phi = program_.ops[op].kind == OpKind::kPhi;
        CheckOp(!phi || !phis_end, op, "phi behind other ops");
        phis_end = phis_end || !phi;
        CheckShape(op);
      }
      const OpKind end = program_.ops[block.ops.back()].kind;
      Check(block.succs.size() == SuccessorsOf(end), "successors do not match the control-flow op");
      Check(b == 0 ? block.preds.empty() : !block.preds.empty(), "entry has predecessors, or another block has none");
      CheckEdges(id);
      CheckPlace(block);
    }
    Check(count == position_.size(), "some ops stand in no block");
    for (std::size_t b = 0; b < function_->blocks.size(); ++b) {
      Check(edges_out_[b] == program_.blocks[function_->blocks[b]].preds.size(), "an edge is not known at both ends");
    }
  }

  // Each edge has to be known at both of its ends. Sums over all edges would say so at once, but not where it fails.
  void CheckEdges(BlockId id) {
    const Block& block = program_.blocks[id];
    for (std::size_t i = 0; i < block.succs.size(); ++i) {
      const BlockId succ = block.succs[i];
      if (!Check(InRange(succ, program_.blocks) && program_.blocks[succ].function == id_, "successor elsewhere"))
        continue;
      ++edges_out_[IndexOf(succ)];
    }
    for (const BlockId pred : block.preds) {
      if (!Check(InRange(pred, program_.blocks) && program_.blocks[pred].function == id_, "predecessor elsewhere"))
        continue;
      const std::span<const BlockId> succs = program_.blocks[pred].succs;
      Check(std::find(succs.begin(), succs.end(), id) != succs.end(), "a predecessor does not lead here");
    }
  }

  void CheckPlace(const Block& block) {
    if (block.loop.valid() && Check(InRange(block.loop, program_.loops), "loop of a block out of range")) {
      Check(program_.loops[block.loop].function == id_, "block in a loop of another function");
    }
    if (!block.guard.valid() || !Check(InRange(block.guard, program_.guards), "guard of a block out of range")) return;
    const Guard& guard = program_.guards[block.guard];
    Check(!guard.parent.valid() || guard.parent < block.guard, "guard older than its parent");
    const bool tested = guard.kind == Guard::Kind::kTest || guard.kind == Guard::Kind::kCompound;
    if (!Check(guard.truth.valid() == tested, "guard with a test it should not have, or without")) return;
    if (!tested || !Check(Mine(guard.truth), "guard by a test of another function")) return;
    const OpKind kind = program_.ops[guard.truth].kind;
    Check(kind == OpKind::kTruth || kind == OpKind::kMatchTest, "guard by something that is not a test");
  }

  void CheckShape(ValueId id) {
    const Op& op = program_.ops[id];
    CheckOp(InText(op.span), id, "span outside the text");
    if (CheckOp(InRange(op.statement, program_.statements), id, "has no statement")) {
      CheckOp(program_.statements[op.statement].function == id_, id, "statement of another function");
    }
    if (!CheckOp(std::size_t{op.first_operand} + op.operand_count <= program_.operands.size(), id,
                 "operands out of range")) {
      return;
    }
    const Arity arity = ArityOf(op.kind);
    CheckOp(arity.least <= op.operand_count && op.operand_count <= arity.most, id, "wrong number of operands");
    CheckPayload(id, op);
  }

  void CheckPayload(ValueId id, const Op& op) {
    const std::uint32_t at = op.payload;
    bool fine = true;
    switch (PayloadOf(op.kind)) {
      case Payload::kNothing: break;
      case Payload::kSymbol: fine = op.kind == OpKind::kPhi || !program_.names.Text(Symbol(at)).empty(); break;
      case Payload::kInt: fine = at < program_.ints.size(); break;
      case Payload::kFloat: fine = at < program_.floats.size(); break;
      case Payload::kString: fine = at < program_.strings.size(); break;
      case Payload::kCell: fine = at < program_.cells.size(); break;
      case Payload::kLoop: fine = at < program_.loops.size() && program_.loops[LoopId(at)].function == id_; break;
      case Payload::kFunction: fine = at < program_.functions.size(); break;
      case Payload::kClass: fine = at < program_.classes.size(); break;
      case Payload::kImport: fine = at < program_.imports.size(); break;
      case Payload::kItem: {
        const ItemPosition item = ItemPosition::Unpack(at);
        fine = item.index < item.count && (item.star == ItemPosition::kNoStar || item.star < item.count);
        break;
      }
      case Payload::kCall:
        fine = at < program_.call_shapes.size() &&
               op.operand_count == 1 + program_.call_shapes[at].positional + program_.call_shapes[at].keywords.size();
        break;
    }
    CheckOp(fine, id, "payload out of range");
  }

  // Depth-first pre-order of the reachable blocks, by an explicit stack.
  void OrderBlocks() {
    const std::size_t count = function_->blocks.size();
    number_.assign(count, kUnreached);
    order_.clear();
    parent_.clear();
    std::vector<std::pair<std::uint32_t, std::uint32_t>> stack = {{0, 0}};
    const auto reach = [&](std::uint32_t block, std::uint32_t parent) {
      number_[block] = static_cast<std::uint32_t>(order_.size());
      order_.push_back(block);
      parent_.push_back(parent);
    };
    reach(0, 0);
    while (!stack.empty()) {
      auto& [block, next] = stack.back();
      const std::span<const BlockId> succs = program_.blocks[function_->blocks[block]].succs;
      if (next == succs.size()) {
        stack.pop_back();
        continue;
      }
      const std::uint32_t succ = IndexOf(succs[next++]);
      if (number_[succ] != kUnreached) continue;
      reach(succ, number_[block]);
      stack.emplace_back(succ, 0);
    }
    Check(order_.size() == count, "a block cannot be reached from the entry");
  }

  [[nodiscard]] std::uint32_t IndexOf(BlockId block) const { return block.index() - function_->blocks[0].index(); }

  // Lengauer and Tarjan, "A Fast Algorithm for Finding Dominators in a Flowgraph", the simple variant; then an interval
  // per block in the dominator tree. All by place in order_.
  void FindDominators() {
    const auto count = static_cast<std::uint32_t>(order_.size());
    std::vector<std::uint32_t> idom(count, 0), bucket(count, kUnreached), next(count, kUnreached);
    ancestor_.assign(count, kUnreached);
    semi_.resize(count);
    best_.resize(count);
    for (std::uint32_t i = 0; i < count; ++i) semi_[i] = best_[i] = i;
    for (std::uint32_t i = count; i-- > 1;) {
      for (const BlockId pred : program_.blocks[function_->blocks[order_[i]]].preds) {
        const std::uint32_t p = number_[IndexOf(pred)];
        if (p != kUnreached) semi_[i] = std::min(semi_[i], semi_[Evaluate(p)]);
      }
      next[i] = bucket[semi_[i]];
      bucket[semi_[i]] = i;
      const std::uint32_t parent = parent_[i];
      ancestor_[i] = parent;
      for (std::uint32_t v = bucket[parent]; v != kUnreached; v = next[v]) {
        const std::uint32_t u = Evaluate(v);
        idom[v] = semi_[u] < semi_[v] ? u : parent;
      }
      bucket[parent] = kUnreached;
    }
    for (std::uint32_t i = 1; i < count; ++i) {
      if (idom[i] != semi_[i]) idom[i] = idom[idom[i]];
    }
    Intervals(idom);
  }

  // The ancestor of `v` in the forest built so far with the least semidominator; shortens the way to it.
  std::uint32_t Evaluate(std::uint32_t v) {
    if (ancestor_[v] == kUnreached) return v;
    walk_.clear();
    for (std::uint32_t at = v; ancestor_[ancestor_[at]] != kUnreached; at = ancestor_[at]) walk_.push_back(at);
    while (!walk_.empty()) {
      const std::uint32_t at = walk_.back();
      walk_.pop_back();
      const std::uint32_t above = ancestor_[at];
      if (semi_[best_[above]] < semi_[best_[at]]) best_[at] = best_[above];
      ancestor_[at] = ancestor_[above];
    }
    return best_[v];
  }

  void Intervals(const std::vector<std::uint32_t>& idom) {
    const std::size_t count = order_.size();
    std::vector<std::uint32_t> first(count, kUnreached), next(count, kUnreached);
    for (std::uint32_t i = static_cast<std::uint32_t>(count); i-- > 1;) {
      next[i] = first[idom[i]];
      first[idom[i]] = i;
    }
    enter_.assign(count, 0);
    leave_.assign(count, 0);
    std::uint32_t clock = 0;
    std::vector<std::uint32_t> stack = {0};
    while (!stack.empty()) {
      const std::uint32_t at = stack.back();
      if (enter_[at] == 0) enter_[at] = ++clock;
      if (first[at] == kUnreached) {
        leave_[at] = ++clock;
        stack.pop_back();
        continue;
      }
      stack.push_back(first[at]);
      first[at] = next[first[at]];
    }
  }

  [[nodiscard]] bool Dominates(BlockId a, BlockId b) const {
    const std::uint32_t x = number_[IndexOf(a)], y = number_[IndexOf(b)];
    if (x == kUnreached || y == kUnreached) return true;
    return enter_[x] <= enter_[y] && leave_[y] <= leave_[x];
  }

  void CheckUses(BlockId block, std::size_t at) {
    const ValueId id = program_.blocks[block].ops[at];
    const Op& op = program_.ops[id];
    const std::span<const ValueId> operands = program_.Operands(op);
    const bool phi = op.kind == OpKind::kPhi;
    const std::span<const BlockId> preds = program_.blocks[block].preds;
    if (phi && !CheckOp(operands.size() == preds.size(), id, "not one operand per predecessor")) return;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const ValueId operand = operands[i];
      if (!operand.valid()) {
        CheckOp(MayBeAbsent(op.kind, i), id, "operand is absent");
        continue;
      }
      if (!CheckOp(Mine(operand), id, "operand of another function")) continue;
      CheckOp(!IsControlFlow(program_.ops[operand].kind), id, "operand makes no value");
      const BlockId from = program_.ops[operand].block;
      if (phi) {
        CheckOp(Dominates(from, preds[i]), id, "operand does not dominate the predecessor");
      } else if (from == block) {
        CheckOp(position_[operand.index() - function_->first_op.index()] < at, id, "used before it is defined");
      } else {
        CheckOp(Dominates(from, block), id, "operand does not dominate its use");
      }
      const Span span = program_.operand_spans.Of(op.first_operand + i, op.span);
      CheckOp(InText(span), id, "operand span outside the text");
    }
    CheckMeaning(id, op, operands);
  }

  void CheckMeaning(ValueId id, const Op& op, std::span<const ValueId> operands) {
    const auto kind_of = [&](std::size_t i) { return program_.ops[operands[i]].kind; };
    switch (op.kind) {
      case OpKind::kNot: CheckOp(kind_of(0) == OpKind::kTruth, id, "not of something that is no test"); break;
      case OpKind::kBranch:
        CheckOp(kind_of(0) == OpKind::kTruth || kind_of(0) == OpKind::kMatchTest, id,
                "branch on something that is no test");
        break;
      case OpKind::kLoopItem:
      case OpKind::kForNext: CheckOp(kind_of(0) == OpKind::kIter, id, "operand is no iteration"); break;
      case OpKind::kCollectItem: CheckOp(kind_of(0) == OpKind::kCollection, id, "operand is no collection"); break;
      case OpKind::kDict: CheckOp(operands.size() % 2 == 0, id, "odd number of operands"); break;
      case OpKind::kParam: {
        const bool known = op.detail < function_->params.size() || function_->params.size() > 255;
        CheckOp(known, id, "is no parameter");
        break;
      }
      case OpKind::kMakeFunction:
        CheckOp(program_.functions[FunctionId(op.payload)].made_by == id, id, "the function says another maker");
        break;
      case OpKind::kMakeClass:
        CheckOp(program_.classes[ClassId(op.payload)].made_by == id, id, "the class says another maker");
        break;
      default: break;
    }
  }

  void CheckLists() {
    for (const ValueId id : function_->returns) {
      Check(Mine(id) && program_.ops[id].kind == OpKind::kReturn, "list of returns has something else");
    }
    for (const ValueId id : function_->calls) {
      Check(Mine(id) && program_.ops[id].kind == OpKind::kCall, "list of calls has something else");
    }
    std::size_t calls = 0, returns = 0;
    for (std::uint32_t i = function_->first_op.index(); i < function_->end_op.index(); ++i) {
      calls += program_.ops[ValueId(i)].kind == OpKind::kCall ? 1 : 0;
      returns += program_.ops[ValueId(i)].kind == OpKind::kReturn ? 1 : 0;
    }
    Check(calls == function_->calls.size(), "list of calls is not complete");
    Check(returns == function_->returns.size(), "list of returns is not complete");
    for (const Param& param : function_->params) {
      Check(Mine(param.value) && program_.ops[param.value].kind == OpKind::kParam, "parameter without its op");
      CheckParent(param.annotation, "annotation is no op of the enclosing function");
      CheckParent(param.default_value, "default is no op of the enclosing function");
    }
    CheckParent(function_->return_annotation, "return annotation is no op of the enclosing function");
    for (const ValueId id : function_->decorators) CheckParent(id, "decorator is no op of the enclosing function");
    for (; next_loop_ < program_.loops.size() && program_.loops[LoopId(next_loop_)].function == id_; ++next_loop_) {
      CheckLoop(LoopId(next_loop_));
    }
  }

  void CheckParent(ValueId id, const char* what) {
    if (!id.valid()) return;
    const Function& parent = program_.functions[function_->parent];
    Check(parent.first_op <= id && id < parent.end_op, what);
  }

  void CheckLoop(LoopId id) {
    const Loop& loop = program_.loops[id];
    const auto belongs = [&](BlockId block) {
      return InRange(block, program_.blocks) && program_.blocks[block].function == id_ &&
             Within(program_.blocks[block].loop, id);
    };
    Check(!loop.parent.valid() || loop.parent < id, "loop older than its parent");
    if (!Check(belongs(loop.header), "loop without its header")) return;
    Check(program_.blocks[loop.header].loop == id, "header belongs to another loop");
    if (loop.body.valid()) {
      Check(belongs(loop.body), "loop body elsewhere");
      Check(Dominates(loop.header, loop.body), "header does not dominate the body");
    }
    if (loop.kind == Loop::Kind::kWhile) {
      Check(!loop.truth.valid() || (Mine(loop.truth) && program_.ops[loop.truth].kind == OpKind::kTruth),
            "bad while test");
    } else {
      Check(Mine(loop.iterable), "loop without iterable");
      Check(Mine(loop.item) && program_.ops[loop.item].kind == OpKind::kLoopItem, "loop without item");
      Check(program_.ops[program_.blocks[loop.header].ops.back()].kind == OpKind::kForNext, "header without for-next");
    }
    CheckSpan(loop.span, "loop span outside the text");
    Check(loop.span.Contains(loop.header_span), "loop header span outside the loop");
    Check(loop.iterable_span.empty() || loop.header_span.Contains(loop.iterable_span),
          "iterable span outside the header");
    Check(loop.target_span.empty() || loop.header_span.Contains(loop.target_span), "target span outside the header");
  }

  [[nodiscard]] bool Within(LoopId inner, LoopId outer) const {
    while (inner.valid() && inner != outer) inner = program_.loops[inner].parent;
    return inner == outer;
  }

  void CheckCell(CellId id) {
    const Cell& cell = program_.cells[id];
    if (!InRange(cell.owner, program_.functions)) return Say("cell without owner");
    if (program_.functions[cell.owner].module != module_) return;
    where_ = "cell `" + std::string(program_.names.Text(cell.name)) + "`: ";
    for (const ValueId op : cell.stores) CheckCellOp(id, op, OpKind::kStoreCell);
    for (const ValueId op : cell.loads) CheckCellOp(id, op, OpKind::kLoadCell);
  }

  void CheckCellOp(CellId cell, ValueId op, OpKind kind) {
    Check(InRange(op, program_.ops) && program_.ops[op].kind == kind && program_.ops[op].payload == cell.index(),
          "list of its ops has something else");
  }

  const Program& program_;
  ModuleId module_;
  std::size_t text_size_;
  FunctionId id_;
  const Function* function_ = nullptr;
  std::size_t next_loop_ = 0;
  std::string where_;
  std::vector<std::string> messages_;
  std::vector<std::uint32_t> position_;                        // place within its block, by op
  std::vector<std::uint32_t> edges_out_;                       // edges that lead to a block, by its place
  std::vector<std::uint32_t> order_, number_, enter_, leave_;  // order_ and number_: depth first
  std::vector<std::uint32_t> parent_, semi_, best_, ancestor_, walk_;
};

}  // namespace

std::vector<std::string> Verify(const Program& program, ModuleId module, std::size_t text_size) {
  return Verifier(program, module, text_size).Run();
}

}  // namespace cpnlint::ir
