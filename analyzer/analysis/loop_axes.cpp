// Loops whose counter numbers the axes of an array: as many passes as arrays have dimensions.

#include <algorithm>
#include <array>
#include <unordered_set>

#include "analyzer/analysis/axis_use.h"
#include "analyzer/analysis/call_path.h"
#include "analyzer/analysis/dtype_tests.h"
#include "analyzer/analysis/impl.h"
#include "analyzer/analysis/shares.h"
#include "analyzer/analysis/way_tests.h"

namespace cpnlint::analysis {
namespace {

constexpr std::size_t kMostUses = 64;  // of one counter
constexpr int kDeepest = 2;            // calls that hand the counter on

struct AxisPlace {
  std::string_view name;
  std::size_t position;
};

// Positional arguments that number an axis, by function; a method's position is one less.
constexpr auto kAxisPlaces = std::to_array<AxisPlace>(
    {{"moveaxis", 1},    {"moveaxis", 2}, {"swapaxes", 1}, {"swapaxes", 2}, {"rollaxis", 1}, {"expand_dims", 1},
     {"take", 2},        {"roll", 2},     {"flip", 1},     {"diff", 2},     {"cumsum", 1},   {"concatenate", 1},
     {"stack", 1},       {"repeat", 2},   {"sum", 1},      {"mean", 1},     {"max", 1},      {"min", 1},
     {"argmax", 1},      {"argmin", 1},   {"sort", 1},     {"argsort", 1},  {"delete", 2},   {"insert", 3},
     {"array_split", 2}, {"split", 2},    {"size", 1},     {"any", 1},      {"all", 1},      {"trapz", 3},
     {"squeeze", 1}});

class AxisCounter {
 public:
  explicit AxisCounter(const Facts& facts) : facts_(facts), program_(facts.program()) {}

  // The number, moved by constants or not, is given where an axis is numbered.
  // NOLINTNEXTLINE(misc-no-recursion): `depth` bounds it
  [[nodiscard]] bool IsAxis(ir::ValueId number, int depth = 0) const {
    std::vector<ir::ValueId> work = {number};
    std::unordered_set<ir::ValueId> seen(work.begin(), work.end());
    for (std::size_t i = 0; i < work.size() && i < kMostUses; ++i) {
      for (const ir::ValueId user : facts_.DeepUsesOf(work[i])) {
        if (NumbersAxis(user, work[i], depth)) return true;
        if (IsMoved(user) && seen.insert(user).second) work.push_back(user);
      }
    }
    return false;
  }

 private:
  // `1 + axis`, `-axis`
  [[nodiscard]] bool IsMoved(ir::ValueId user) const {
    const ir::Op& op = program_.ops[user];
    if (op.kind == ir::OpKind::kUnary) return true;
    if (op.kind != ir::OpKind::kBinary) return false;
    const auto kind = static_cast<ir::BinaryOp>(op.detail);
    if (kind != ir::BinaryOp::kAdd && kind != ir::BinaryOp::kSub) return false;
    return facts_.IntOf(program_.Operand(user, 0)) || facts_.IntOf(program_.Operand(user, 1));
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] bool NumbersAxis(ir::ValueId user, ir::ValueId number, int depth) const {
    switch (program_.ops[user].kind) {
      case ir::OpKind::kSubscript: return program_.Operand(user, 0) != number && OfShape(user);
      case ir::OpKind::kStoreSubscript: return program_.Operand(user, 1) != number && OfKeys(user);
      case ir::OpKind::kBinary: return MakesKeys(user, number);
      case ir::OpKind::kCall: return IsAxisArgument(user, number) || HandsOnAxis(user, number, depth);
      default: return false;
    }
  }

  // `x.shape[i]`, or of `sizes = np.array(x.shape)`
  [[nodiscard]] bool OfShape(ir::ValueId subscript) const {
    if (program_.ops[subscript].operand_count != 2) return false;
    ir::ValueId base = facts_.Source(program_.Operand(subscript, 0));
    if (base.valid() && IsCopy(base)) base = facts_.Source(program_.Operand(base, 1));
    if (!base.valid() || program_.ops[base].kind != ir::OpKind::kAttr) return false;
    return program_.Name(program_.ops[base]) == "shape" || program_.Name(program_.ops[base]) == "strides";
  }

  // `(3,) * order` in a shape, `(slice(None),) * axis` in a key.
  [[nodiscard]] bool MakesKeys(ir::ValueId product, ir::ValueId number) const {
    if (static_cast<ir::BinaryOp>(program_.ops[product].detail) != ir::BinaryOp::kMul) return false;
    const ir::ValueId left = program_.Operand(product, 0);
    const ir::ValueId tuple = left == number ? program_.Operand(product, 1) : left;
    if (facts_.Of(tuple).kind != Kind::kTuple) return false;
    std::vector<ir::ValueId> joined = {product};
    for (std::size_t i = 0; i < joined.size() && i < kMostUses; ++i) {
      for (const ir::ValueId user : facts_.DeepUsesOf(joined[i])) {
        if (IsKeyOf(user, joined[i]) || IsShapeArgument(user, joined[i])) return true;
        const bool adds = program_.ops[user].kind == ir::OpKind::kBinary &&
                          static_cast<ir::BinaryOp>(program_.ops[user].detail) == ir::BinaryOp::kAdd;
        if (adds && std::ranges::find(joined, user) == joined.end()) joined.push_back(user);
      }
    }
    return false;
  }

  [[nodiscard]] bool IsShapeArgument(ir::ValueId call, ir::ValueId shape) const {
    if (program_.ops[call].kind != ir::OpKind::kCall) return false;
    const Callee& callee = facts_.CalleeOf(call);
    if (callee.kind != Callee::Kind::kApi && callee.kind != Callee::Kind::kMethod) return false;
    const std::string_view name = callee.name.substr(callee.name.rfind('.') + 1);
    constexpr auto kShaped = std::to_array<std::string_view>(
        {"broadcast_to", "empty", "full", "ones", "reshape", "resize", "tile", "transpose", "zeros"});
    const auto operands = program_.Operands(call).subspan(1);
    return std::ranges::find(kShaped, name) != kShaped.end() && std::ranges::any_of(operands, [&](ir::ValueId operand) {
             return operand.valid() && (operand == shape || facts_.Source(operand) == shape);
           });
  }

  [[nodiscard]] bool IsCopy(ir::ValueId call) const {
    if (program_.ops[call].kind != ir::OpKind::kCall || program_.ops[call].operand_count < 2) return false;
    const Callee& callee = facts_.CalleeOf(call);
    if (callee.kind == Callee::Kind::kBuiltin) return callee.name == "list" || callee.name == "tuple";
    return callee.kind == Callee::Kind::kApi && (callee.name == "numpy.array" || callee.name == "numpy.asarray");
  }

  // `keys[i] = ...` of a list that selects out of an array: `x[tuple(keys)]`.
  [[nodiscard]] bool OfKeys(ir::ValueId store) const {
    const ir::ValueId list = program_.Operand(store, 0);
    if (facts_.Of(list).kind != Kind::kList) return false;
    const std::vector<ir::ValueId> users = facts_.DeepUsesOf(facts_.Source(list));
    return std::any_of(users.begin(), users.end(), [&](ir::ValueId user) {
      if (program_.ops[user].kind != ir::OpKind::kCall) return false;
      const Callee& callee = facts_.CalleeOf(user);
      if (callee.kind != Callee::Kind::kBuiltin || callee.name != "tuple") return false;
      const std::vector<ir::ValueId> readers = facts_.DeepUsesOf(user);
      return std::any_of(readers.begin(), readers.end(), [&](ir::ValueId reader) { return IsKeyOf(reader, user); });
    });
  }

  [[nodiscard]] bool IsKeyOf(ir::ValueId subscript, ir::ValueId key) const {
    const ir::OpKind kind = program_.ops[subscript].kind;
    if (kind != ir::OpKind::kSubscript && kind != ir::OpKind::kStoreSubscript) return false;
    if (!facts_.IsArray(program_.Operand(subscript, 0))) return false;
    const auto keys = facts_.KeysOf(subscript);
    return std::any_of(keys.begin(), keys.end(),
                       [&](ir::ValueId one) { return one == key || facts_.Source(one) == key; });
  }

  [[nodiscard]] bool IsAxisArgument(ir::ValueId call, ir::ValueId number) const {
    const Callee& callee = facts_.CalleeOf(call);
    // What a function of the program or of a library of tables calls an axis need not be one.
    const bool arrays = callee.kind == Callee::Kind::kApi || callee.kind == Callee::Kind::kMethod;
    if (!arrays && !(callee.kind == Callee::Kind::kForeign && callee.name.starts_with("scipy."))) return false;
    const auto is = [&](ir::ValueId argument) {
      return argument.valid() && (argument == number || facts_.Source(argument) == number);
    };
    for (const std::string_view keyword : {"axis", "axis1", "axis2", "source", "destination"}) {
      if (is(facts_.KeywordArgument(call, keyword))) return true;
    }
    const bool method = callee.kind == Callee::Kind::kMethod;
    const std::string_view name = callee.name.substr(callee.name.rfind('.') + 1);
    return std::any_of(kAxisPlaces.begin(), kAxisPlaces.end(), [&](const AxisPlace& place) {
      return place.name == name && is(facts_.Argument(call, place.position - (method ? 1 : 0), ""));
    });
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] bool HandsOnAxis(ir::ValueId call, ir::ValueId number, int depth) const {
    const Callee& callee = facts_.CalleeOf(call);
    if (callee.kind != Callee::Kind::kLocal || depth >= kDeepest) return false;
    const ir::Function& function = program_.functions[callee.function];
    for (std::size_t i = 0; i < function.params.size(); ++i) {
      const ir::ValueId over = HandedOver(facts_, call, callee.function, i).value;
      if (over.valid() && (over == number || facts_.Source(over) == number) &&
          IsAxis(function.params[i].value, depth + 1))
        return true;
    }
    return false;
  }

  const Facts& facts_;
  const ir::Program& program_;
};

// The item, or what it is unpacked to, is read as a slice: `s.start`.
bool IsReadAsSlice(const Facts& facts, ir::ValueId item) {
  const ir::Program& program = facts.program();
  const auto is_bound = [&](ir::ValueId user) {
    const ir::Op& op = program.ops[user];
    return op.kind == ir::OpKind::kAttr && (program.Name(op) == "start" || program.Name(op) == "stop");
  };
  return std::ranges::any_of(facts.DeepUsesOf(item), [&](ir::ValueId user) {
    return is_bound(user) ||
           (program.ops[user].kind == ir::OpKind::kUnpackItem && std::ranges::any_of(facts.DeepUsesOf(user), is_bound));
  });
}

// `for s in roi` walks the slices of `image[roi]`: one per axis.
bool WalksSlicesOfKey(const Facts& facts, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  const ir::ValueId iterable = program.loops[loop].iterable;
  if (!iterable.valid()) return false;
  ir::ValueId walked = facts.Source(iterable);
  if (walked.valid() && program.ops[walked].kind == ir::OpKind::kCall &&
      facts.CalleeOf(walked).kind == Callee::Kind::kBuiltin && facts.CalleeOf(walked).name == "enumerate")
    walked = facts.Source(program.Operand(walked, 1));
  if (!walked.valid() || facts.IsArray(walked) || !IsReadAsSlice(facts, program.loops[loop].item)) return false;
  return std::ranges::any_of(facts.DeepUsesOf(walked), [&](ir::ValueId user) {
    if (program.ops[user].kind != ir::OpKind::kSubscript || !facts.IsArray(program.Operand(user, 0))) return false;
    const auto keys = facts.KeysOf(user);
    return keys.size() == 1 && facts.Source(keys[0]) == walked;
  });
}

}  // namespace

bool CountsAxesByName(const Facts& facts, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  const ir::ValueId item = program.loops[loop].item;
  if (!item.valid() || facts.Of(item).kind != Kind::kInt) return false;
  return std::ranges::any_of(facts.DeepUsesOf(item), [&](ir::ValueId user) {
    if (program.ops[user].kind != ir::OpKind::kSubscript || program.ops[user].operand_count != 2) return false;
    const ir::ValueId base = facts.Source(program.Operand(user, 0));
    return base.valid() && base != item && !facts.IsArray(base) && IsCalledShape(program, base);
  });
}

bool CountsChannels(const Facts& facts, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  const ir::ValueId range = RangeOf(facts, program.loops[loop].iterable);
  if (!range.valid() || facts.HasStarArguments(range) || facts.PositionalCount(range) != 1) return false;
  const ir::ValueId extent = facts.Source(program.Operand(range, 1));
  if (!extent.valid() || program.ops[extent].kind != ir::OpKind::kSubscript) return false;
  if (!ObjectOfAttribute(program, facts.Source(program.Operand(extent, 0)), "shape").valid()) return false;
  const auto names_channels = [&](ir::ValueId id) {
    if (!id.valid()) return false;
    const ir::Op& op = program.ops[id];
    const bool named = op.kind == ir::OpKind::kParam || op.kind == ir::OpKind::kPhi || op.kind == ir::OpKind::kAttr;
    return named && program.Name(op).find("channel") != std::string_view::npos;
  };
  return AnyTestAround(program, program.loops[loop].header, [&](const Test& test, ir::GuardId) {
    if (!test.holds) return false;
    if (program.ops[test.id].kind != ir::OpKind::kCompare) return names_channels(test.id);
    return std::ranges::any_of(program.Operands(test.id), names_channels);
  });
}

bool WalksFunctions(const Facts& facts, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  const ir::ValueId item = program.loops[loop].item;
  if (!item.valid()) return false;
  // Objects that can be called, as interpolators, may be one for each row of data.
  const auto may_be_function = [&](ir::ValueId id) {
    const Kind kind = facts.Of(id).kind;
    return kind == Kind::kUnknown || kind == Kind::kFunction || kind == Kind::kApi || kind == Kind::kMethod;
  };
  const auto is_called = [&](ir::ValueId id) {
    return may_be_function(id) && std::ranges::any_of(facts.DeepUsesOf(id), [&](ir::ValueId user) {
             return program.ops[user].kind == ir::OpKind::kCall && facts.Source(program.Operand(user, 0)) == id;
           });
  };
  const auto is_part_called = [&](ir::ValueId user) {  // `for i, function in enumerate(functions)`
    return program.ops[user].kind == ir::OpKind::kUnpackItem && is_called(user);
  };
  return is_called(item) || std::ranges::any_of(facts.DeepUsesOf(item), is_part_called);
}

bool CountsAxes(const Facts& facts, ir::LoopId loop) {
  const ir::Program& program = facts.program();
  const ir::ValueId item = program.loops[loop].item;
  if (!item.valid()) return false;
  if (WalksSlicesOfKey(facts, loop)) return true;
  const AxisCounter counter(facts);
  // `for axis in np.flatnonzero(periodic)` walks numbers of the device; what nobody knows is a number where it numbers
  // an axis.
  const auto may_number = [&](ir::ValueId id) {
    return facts.Of(id).kind == Kind::kUnknown || (facts.IsArray(id) && !facts.HasAxis(id));
  };
  const Kind kind = facts.Of(item).kind;
  if ((kind == Kind::kInt || may_number(item)) && counter.IsAxis(item)) return true;
  if (kind != Kind::kTuple && kind != Kind::kUnknown) return false;
  return std::ranges::any_of(facts.UsesOf(item), [&](ir::ValueId user) {
    if (program.ops[user].kind != ir::OpKind::kUnpackItem) return false;
    const bool counted = facts.Of(user).kind == Kind::kInt && facts.IsBareInduction(user, loop);
    return (counted || may_number(user)) && counter.IsAxis(user);
  });
}

}  // namespace cpnlint::analysis
