// Tables and histories of scalars that a loop reads and writes beside its work on whole arrays (rules.md A.5).

#include "analyzer/analysis/loop_scalars.h"

#include <algorithm>

#include "analyzer/analysis/call_path.h"
#include "analyzer/analysis/impl.h"
#include "analyzer/analysis/keys.h"
#include "analyzer/analysis/loop_windows.h"
#include "analyzer/analysis/one_number.h"
#include "analyzer/api/api.h"

namespace cpnlint::analysis {
namespace {

constexpr std::size_t kMostUses = 64;  // of one scalar
constexpr int kDeepest = 3;            // calls that hand a scalar on

bool IsReduction(std::string_view name) {
  for (const std::string_view reduction :
       {"sum",    "mean",   "max",    "min",    "amax",    "amin",   "prod",    "any",           "all",
        "norm",   "dot",    "vdot",   "inner",  "trace",   "var",    "std",     "count_nonzero", "argmax",
        "argmin", "nansum", "nanmax", "nanmin", "nanmean", "median", "average", "allclose",      "array_equal"}) {
    if (name.ends_with(reduction) && name.size() > reduction.size() && name[name.size() - reduction.size() - 1] == '.')
      return true;
  }
  return false;
}

bool IsDisplay(ir::OpKind kind) { return kind == ir::OpKind::kTuple || kind == ir::OpKind::kList; }

bool IsMatrixProduct(const ir::Op& op) { return static_cast<ir::BinaryOp>(op.detail) == ir::BinaryOp::kMatMul; }

}  // namespace

bool LoopScalars::StoresReduction(ir::ValueId store) const {
  std::vector<ir::ValueId> work = {program_.Operand(store, 1)};
  for (std::size_t i = 0; i < work.size() && i < 16; ++i) {
    const ir::ValueId value = work[i].valid() ? facts_.Source(work[i]) : work[i];
    if (!value.valid()) continue;
    const ir::OpKind kind = program_.ops[value].kind;
    if (kind == ir::OpKind::kCall && IsReduction(facts_.CalleeOf(value).name)) return true;
    if (!IsDisplay(kind) && kind != ir::OpKind::kBinary && kind != ir::OpKind::kUnary) continue;
    for (const ir::ValueId operand : program_.Operands(value)) work.push_back(operand);
  }
  return false;
}

bool LoopScalars::StoresRow(ir::ValueId store) const {
  const ir::ValueId row = facts_.Source(program_.Operand(store, 1));
  if (!row.valid() || !IsDisplay(program_.ops[row].kind)) return false;
  const bool holds_arrays = std::ranges::any_of(program_.Operands(row), [&](ir::ValueId entry) {
    return entry.valid() && (facts_.HasAxis(entry) || program_.ops[entry].kind == ir::OpKind::kStarred);
  });
  return !holds_arrays && StoresReduction(store);
}

LoopScalars::Found LoopScalars::IsHistory(ir::ValueId op_id) const {
  const ir::Op& op = program_.ops[op_id];
  if (op.kind != ir::OpKind::kStoreSubscript) return Found::kNo;
  const ir::ValueId root = facts_.RootOf(program_.Operand(op_id, 0));
  // `x[i] = np.sqrt(A[i] @ x)` goes on with what it has written: that is a state and no record of one.
  const auto reads_own = [&](ir::ValueId made) {
    const auto operands = program_.Operands(made);
    return root.valid() && std::ranges::any_of(operands, [&](ir::ValueId operand) {
             return operand.valid() && facts_.HasAxis(operand) && facts_.RootOf(operand) == root;
           });
  };
  std::vector<ir::ValueId> work = {program_.Operand(op_id, 1)};
  std::unordered_set<ir::ValueId> seen(work.begin(), work.end());
  bool from_whole_arrays = false, from_unknown = false, from_entries = false, from_pieces = false;
  const auto has_unknown_operand = [&](ir::ValueId call) {
    const std::span<const ir::ValueId> operands = program_.Operands(call);
    const ir::ValueId receiver = facts_.CalleeOf(call).receiver;
    return (receiver.valid() && facts_.Of(receiver).kind == Kind::kUnknown) ||
           std::any_of(operands.begin() + 1, operands.end(),
                       [&](ir::ValueId id) { return id.valid() && facts_.Of(id).kind == Kind::kUnknown; });
  };
  for (std::size_t i = 0; i < work.size(); ++i) {
    const ir::ValueId value = work[i];
    if (!value.valid() || !facts_.InLoop(value, id_)) continue;
    const ir::Op& made = program_.ops[value];
    if (made.kind == ir::OpKind::kSubscript && facts_.IsArray(program_.Operand(value, 0))) {
      const bool entry = facts_.RankOf(value) == 0;
      for (const ir::ValueId key : facts_.KeysOf(value)) {
        from_entries = from_entries || (entry && facts_.DependsOnInduction(key, id_));
      }
      // `trace[t] = u[probe]` beside the work on u; what is stored there as one number is one, whatever the keys are.
      from_whole_arrays = from_whole_arrays || (facts_.RankOf(value) <= 0 && IsProbe(value));
      continue;
    }
    if (made.kind == ir::OpKind::kCall) {
      const Callee& callee = facts_.CalleeOf(value);
      if (IsReduction(callee.name)) {
        if (reads_own(value)) return Found::kNo;
        from_pieces = from_pieces || MeetsPieces(value);
        if (TakesPieces(value)) continue;
        from_whole_arrays = from_whole_arrays || WholeArrayOperand(value, callee);
        from_unknown = from_unknown || has_unknown_operand(value);
        continue;
      }
      // Functions of one number each: `math.exp(x)`, `scipy.special.gammaln(x)`.
      const bool elementwise = callee.name.starts_with("math.") || callee.name.starts_with("scipy.special.");
      // An object may have seen more than it is handed now: `model.fit(x, y[i])`, `model.predict(x)`.
      const bool function = facts_.Of(program_.Operand(value, 0)).kind == Kind::kApi;
      if (callee.kind == Callee::Kind::kForeign && function && !elementwise && FitsWhole(value)) {
        from_whole_arrays = true;
        continue;
      }
      if (callee.kind == Callee::Kind::kLocal || callee.kind == Callee::Kind::kUnknown) {
        if (TakesSlidingPieces(value)) continue;
        for (const ir::ValueId argument : program_.Operands(value).subspan(1)) {
          if (facts_.IsDevice(argument) && facts_.RankOf(argument) != 0) from_whole_arrays = true;
        }
        if (callee.kind == Callee::Kind::kLocal && WorksOnItsOwn(value, callee)) from_whole_arrays = true;
        if (MayWorkOnArrays(value, callee)) from_unknown = true;
        continue;
      }
    }
    if (made.kind == ir::OpKind::kBinary && IsMatrixProduct(made)) {
      if (reads_own(value)) return Found::kNo;
      from_pieces = from_pieces || MeetsPieces(value);
      from_whole_arrays = from_whole_arrays || !TakesPieces(value);
      continue;
    }
    for (const ir::ValueId operand : program_.Operands(value)) {
      if (operand.valid() && seen.insert(operand).second) work.push_back(operand);
    }
  }
  if (StoresOwnNumber(op_id) && ComputesOnCarried() && !ComputesOn(root)) return Found::kYes;
  // `residuals[k] = data[k] - u.mean()`, `energy[k] += u.sum()` beside work on u that goes on from trip to trip; what
  // is told of an array that stays is none, `x[k] - x.mean()`, nor is a filter: `x[k] - w @ x[k - m : k]`.
  if (from_entries && (from_pieces || !from_whole_arrays || !CarriesArrays())) return Found::kNo;
  return from_whole_arrays ? Found::kYes : from_unknown ? Found::kMaybe : Found::kNo;
}

// `calls[i] = count`, `calls[i] += count`: a number that Python has, and made of nothing that the loop selects.
bool LoopScalars::StoresOwnNumber(ir::ValueId store) const {
  ir::ValueId value = program_.Operand(store, 1);
  if ((program_.ops[store].flags & ir::kAugmented) != 0 && value.valid() &&
      program_.ops[value].kind == ir::OpKind::kInplaceBinary) {
    value = program_.Operand(value, 1);
  }
  if (!value.valid() || !IsNumber(facts_.Of(value).kind)) return false;
  std::vector<ir::ValueId> work = {value};
  for (std::size_t i = 0; i < work.size(); ++i) {
    if (i == kMostUses) return false;
    if (!facts_.InLoop(work[i], id_)) continue;
    const ir::OpKind kind = program_.ops[work[i]].kind;
    if (kind == ir::OpKind::kSubscript || kind == ir::OpKind::kLoopItem || kind == ir::OpKind::kCall) return false;
    for (const ir::ValueId operand : program_.Operands(work[i])) {
      if (operand.valid() && std::ranges::find(work, operand) == work.end()) work.push_back(operand);
    }
  }
  return true;
}

bool LoopScalars::IsReadToAdd(ir::ValueId read, ir::ValueId store) const {
  if ((program_.ops[store].flags & ir::kAugmented) == 0) return false;
  const ir::ValueId sum = program_.Operand(store, 1);
  return sum.valid() && program_.ops[sum].kind == ir::OpKind::kInplaceBinary && program_.Operand(sum, 0) == read;
}

// `a, b = beta.fit(sample)`, `minimize(cost, x0).fun`: a library makes numbers of arrays, and of nothing
// that the loop selects.
bool LoopScalars::FitsWhole(ir::ValueId call) const {
  // A sample that is drawn on each pass.
  const auto is_made_here = [&](ir::ValueId argument) {
    const ir::ValueId source = facts_.Source(argument);
    const Value& value = facts_.Of(argument);
    return value.kind == Kind::kForeign && program_.names.Text(value.name).starts_with("scipy.stats.") &&
           source.valid() && facts_.InLoop(source, id_) && program_.ops[source].kind == ir::OpKind::kCall;
  };
  const std::span<const ir::ValueId> arguments = program_.Operands(call).subspan(1);
  std::vector<ir::ValueId> work(arguments.begin(), arguments.end());
  bool whole = false;
  for (std::size_t i = 0; i < work.size(); ++i) {
    if (i == kMostUses) return false;
    const ir::ValueId value = work[i];
    if (!value.valid()) continue;
    const ir::Op& op = program_.ops[value];
    const bool is_handed_over = i < arguments.size();
    whole = whole || (is_handed_over && ((facts_.IsDevice(value) && facts_.RankOf(value) != 0) || is_made_here(value)));
    if (!facts_.InLoop(value, id_)) continue;
    const bool item = op.kind == ir::OpKind::kLoopItem && ir::LoopId(op.payload) == id_;
    if (item || facts_.DependsOnInduction(value, id_)) return false;
    for (const ir::ValueId operand : program_.Operands(value)) {
      if (std::find(work.begin(), work.end(), operand) == work.end()) work.push_back(operand);
    }
  }
  return whole;
}

// `energy[i] = model.energy()`: nothing that the loop counts is handed over, so what it works on is all that there is.
bool LoopScalars::WorksOnItsOwn(ir::ValueId call, const Callee& callee) const {
  const auto arguments = program_.Operands(call).subspan(1);
  const auto counted = [&](ir::ValueId argument) {
    return argument.valid() && facts_.DependsOnInduction(argument, id_);
  };
  const bool made_here = callee.receiver.valid() && facts_.InLoop(facts_.Source(callee.receiver), id_);
  return !made_here && facts_.FunctionHasArrayWork(callee.function) && std::ranges::none_of(arguments, counted);
}

// `line.split()` is no array work, nor is a function of the program that does none.
bool LoopScalars::MayWorkOnArrays(ir::ValueId call, const Callee& callee) const {
  if (callee.kind == Callee::Kind::kLocal) return facts_.FunctionHasArrayWork(callee.function);
  const ir::ValueId called = program_.Operand(call, 0);
  const bool method = called.valid() && program_.ops[called].kind == ir::OpKind::kAttr;
  return !method || !IsContainerMethod(program_.Name(program_.ops[called]));
}

// `phi.flat[which == n]`: whatever phi is, a mask over an array selects out of the whole.
bool LoopScalars::SelectedByMask(ir::ValueId value) const {
  const ir::ValueId source = value.valid() ? facts_.Source(value) : value;
  if (!source.valid() || program_.ops[source].kind != ir::OpKind::kSubscript) return false;
  const ir::ValueId key = program_.Operand(source, 1);
  return facts_.IsDevice(key) && facts_.Of(key).dtype == ir::DType::kBool && facts_.RankOf(key) != 0;
}

// `np.sum(kernel * x[i : i + k])`: one number out of a piece for each trip, beside no work on whole arrays that goes on
// from trip to trip.
bool LoopScalars::TakesPieces(ir::ValueId op) const {
  const ir::ValueId receiver =
      program_.ops[op].kind == ir::OpKind::kCall ? facts_.CalleeOf(op).receiver : ir::ValueId();
  return ((receiver.valid() && IsPiece(facts_, receiver, id_)) || MeetsPieces(op)) && !CarriesArrays();
}

bool LoopScalars::MeetsPieces(ir::ValueId op) const {
  const auto operands = program_.Operands(op);
  return std::any_of(operands.begin(), operands.end(),
                     [&](ir::ValueId operand) { return operand.valid() && IsPiece(facts_, operand, id_); });
}

bool LoopScalars::TakesSlidingPieces(ir::ValueId call) const {
  const auto arguments = program_.Operands(call).subspan(1);
  bool any = false;
  for (const ir::ValueId argument : arguments) {
    if (!argument.valid() || !facts_.IsDevice(argument) || facts_.RankOf(argument) == 0) continue;
    if (IsSlidingPiece(facts_, argument, id_)) {
      any = true;
    } else if (facts_.InLoop(facts_.Source(argument), id_)) {
      return false;
    }
  }
  return any && !CarriesArrays();
}

// Arrays change from trip to trip that no counter selects out of.
bool LoopScalars::CarriesArrays() const {
  for (const ir::ValueId op : program_.blocks[program_.loops[id_].header].ops) {
    if (program_.ops[op].kind != ir::OpKind::kPhi) break;
    if (!facts_.IsDevice(op) || facts_.RankOf(op) == 0) continue;
    // A name that nothing has bound before the loop is bound anew in each trip.
    const bool is_new = std::ranges::any_of(program_.Operands(op), [&](ir::ValueId one) {
      return one.valid() && program_.ops[one].kind == ir::OpKind::kUnbound;
    });
    if (!is_new) return true;
  }
  for (const ir::BlockId block : program_.functions[program_.loops[id_].function].blocks) {
    const ir::LoopId loop = program_.blocks[block].loop;
    if (!loop.valid() || !facts_.LoopContains(id_, loop)) continue;
    for (const ir::ValueId op : program_.blocks[block].ops) {
      if (program_.ops[op].kind != ir::OpKind::kInplaceBinary || !facts_.HasAxis(op)) continue;
      const ir::ValueId changed = facts_.Source(program_.Operand(op, 0));
      if (program_.ops[changed].kind == ir::OpKind::kSubscript && IsChosenByLoop(changed)) continue;  // its own row
      if (!facts_.InLoop(facts_.RootOf(op), id_) && facts_.RootOf(op).valid()) return true;
    }
  }
  return false;
}

// Its rank is known, or it began as what a function of the library makes: `np.ones(n)`.
bool LoopScalars::IsCarriedArray(ir::ValueId variable) const {
  if (!facts_.IsDevice(variable) || facts_.RankOf(variable) == 0) return false;
  if (facts_.RankOf(variable) > 0) return true;
  if (program_.ops[variable].kind != ir::OpKind::kPhi) return false;
  return std::ranges::any_of(program_.Operands(variable), [&](ir::ValueId start) {
    return start.valid() && facts_.CalleeOf(facts_.Source(start)).kind == Callee::Kind::kApi;
  });
}

// ... and more is done with one of them than to make it longer.
bool LoopScalars::ComputesOnCarried() const {
  const auto& head = program_.blocks[program_.loops[id_].header].ops;
  return std::ranges::any_of(head, [&](ir::ValueId op) {
    if (program_.ops[op].kind != ir::OpKind::kPhi || !IsCarriedArray(op)) return false;
    return std::ranges::any_of(facts_.DeepUsesOf(op), [&](ir::ValueId user) {
      const ir::OpKind kind = program_.ops[user].kind;
      const bool computes = kind == ir::OpKind::kBinary || kind == ir::OpKind::kInplaceBinary;
      return computes && facts_.InLoop(user, id_) && facts_.IsDevice(user) && facts_.RankOf(user) != 0;
    });
  });
}

bool LoopScalars::HandsOutNumbers() const {
  const ir::ValueId item = program_.loops[id_].item;
  if (!item.valid()) return false;
  std::vector<ir::ValueId> parts = {item};  // `for i, (t, w) in enumerate(zip(times, weights))`
  std::vector<ir::ValueId> numbers;
  for (std::size_t i = 0; i < parts.size() && i < kMostUses; ++i) {
    const std::span<const ir::ValueId> users = facts_.UsesOf(parts[i]);
    const auto is_part = [&](ir::ValueId user) { return program_.ops[user].kind == ir::OpKind::kUnpackItem; };
    if (facts_.IsDevice(parts[i]) && facts_.RankOf(parts[i]) == 0) {
      numbers.push_back(parts[i]);
      continue;
    }
    // `for y, x in centres:` takes rows apart, and nothing else is done with them.
    const bool row = facts_.RankOf(parts[i]) == 1 && !users.empty() && std::ranges::all_of(users, is_part);
    if (facts_.IsDevice(parts[i]) && !row) return false;
    std::ranges::copy_if(users, std::back_inserter(parts), is_part);
  }
  if (numbers.empty()) return false;
  bool whole = ComputesOnCarried();
  for (std::size_t i = 0; i < numbers.size() && i < kMostUses; ++i) {
    for (const ir::ValueId user : facts_.DeepUsesOf(numbers[i])) {
      const ir::OpKind kind = program_.ops[user].kind;
      const bool subscript = kind == ir::OpKind::kSubscript || kind == ir::OpKind::kStoreSubscript;
      // `for k in np.arange(n): x[k]`: it names items.
      if (subscript && std::ranges::count(facts_.KeysOf(user), numbers[i]) != 0) return false;
      if (IsCoefficient(user, numbers[i])) {
        whole = true;
      } else if (IsOneNumber(facts_, user) && kind != ir::OpKind::kPhi && std::ranges::count(numbers, user) == 0) {
        numbers.push_back(user);
      }
    }
  }
  return whole;
}

bool LoopScalars::WholeArrayOperand(ir::ValueId call, const Callee& callee) const {
  const auto whole = [&](ir::ValueId value) {
    if (SelectedByMask(value)) return true;
    if (!facts_.IsDevice(value) || facts_.RankOf(value) == 0) return false;
    // Selected by the induction value: a row of the loop, not the whole.
    const ir::ValueId source = facts_.Source(value);
    if (program_.ops[source].kind != ir::OpKind::kSubscript) return true;
    // A mask or index array made from it selects out of the whole: only integers and slices name rows.
    for (const ir::ValueId key : facts_.KeysOf(source)) {
      if (!facts_.IsArray(key) && (facts_.DependsOnInduction(key, id_) || SliceDepends(facts_, key, id_))) return false;
    }
    return true;
  };
  if (callee.kind == Callee::Kind::kMethod) return whole(callee.receiver);
  for (const ir::ValueId argument : program_.Operands(call).subspan(1)) {
    if (argument.valid() && whole(argument)) return true;
  }
  return false;
}

// Some operand is an array that no subscript takes an item of.
bool LoopScalars::HasWholeOperand(ir::ValueId op) const {
  const auto operands = program_.Operands(op);
  return std::any_of(operands.begin(), operands.end(), [&](ir::ValueId operand) {
    return operand.valid() && facts_.IsDevice(operand) && facts_.RankOf(operand) != 0 &&
           program_.ops[facts_.Source(operand)].kind != ir::OpKind::kSubscript;
  });
}

// ... nor is it made of items alone that the loop chooses: `x[i] + b[i]`, where nobody knows what rank `b` has.
bool LoopScalars::MeetsWhole(ir::ValueId op) const {
  if (!HasWholeOperand(op)) return false;
  std::vector<ir::ValueId> work = {op};
  for (std::size_t i = 0; i < work.size() && i < kMostUses; ++i) {
    for (const ir::ValueId operand : program_.Operands(work[i])) {
      if (!operand.valid() || !facts_.IsDevice(operand) || facts_.RankOf(operand) == 0) continue;
      const ir::ValueId made = facts_.Source(operand);
      if (IsItemChosen(made)) continue;
      const ir::Op& source = program_.ops[made];
      const bool product = source.kind == ir::OpKind::kBinary && IsMatrixProduct(source);
      if (!IsArithmetic(made) || product || facts_.HasAxis(made) || !facts_.InLoop(made, id_)) return true;
      if (std::ranges::find(work, made) == work.end()) work.push_back(made);
    }
  }
  return work.size() > kMostUses;
}

bool LoopScalars::IsArithmetic(ir::ValueId id) const {
  const ir::Op& op = program_.ops[id];
  return op.kind == ir::OpKind::kBinary || op.kind == ir::OpKind::kUnary || op.kind == ir::OpKind::kInplaceBinary ||
         (op.kind == ir::OpKind::kCall && api::IsUfunc(facts_.CalleeOf(id).name));
}

// `b[i]`, of whatever rank
bool LoopScalars::IsItemChosen(ir::ValueId made) const {
  return program_.ops[made].kind == ir::OpKind::kSubscript && facts_.IsArray(program_.Operand(made, 0)) &&
         !facts_.HasAxis(made) && IsChosenByLoop(made);
}

// ... or an item that the loop itself does not choose.
bool LoopScalars::HasOperandOfOwn(ir::ValueId op) const {
  const auto operands = program_.Operands(op);
  return std::any_of(operands.begin(), operands.end(), [&](ir::ValueId operand) {
    if (!operand.valid() || !facts_.IsDevice(operand) || facts_.RankOf(operand) == 0) return false;
    const ir::ValueId source = facts_.Source(operand);
    return program_.ops[source].kind != ir::OpKind::kSubscript || !IsChosenByLoop(source);
  });
}

bool LoopScalars::IsChosenByLoop(ir::ValueId subscript) const {
  return std::ranges::any_of(facts_.KeysOf(subscript), [&](ir::ValueId key) {
    return facts_.DependsOnInduction(key, id_) || SliceDepends(facts_, key, id_);
  });
}

// The op computes a whole array with the scalar.
bool LoopScalars::IsCoefficient(ir::ValueId user, ir::ValueId scalar) const {
  const ir::Op& use = program_.ops[user];
  switch (use.kind) {
    case ir::OpKind::kBinary:
      if (ScalesReduction(user, scalar)) return true;
      return facts_.IsDevice(user) && (facts_.RankOf(user) > 0 || (facts_.RankOf(user) < 0 && HasWholeOperand(user)));
    case ir::OpKind::kInplaceBinary: return IsCarriedArray(user) || IsCarriedArray(program_.Operand(user, 0));
    case ir::OpKind::kCompare: return facts_.HasAxis(user);
    case ir::OpKind::kUnary: return facts_.IsDevice(user) && facts_.RankOf(user) > 0;
    case ir::OpKind::kStoreSubscript:
      // `h[i] = np.sum(u[mask]) / d[i]`: a coefficient of what a history keeps.
      return IsFilledIn(user, scalar) || FeedsWhole(user) || IsHistory(user) == Found::kYes;
    case ir::OpKind::kCall: {
      if (IsOneNumber(facts_, user)) return false;  // np.sum(d[i]) is the scalar itself
      if (facts_.IsDevice(user) && facts_.RankOf(user) > 0) return true;
      const Callee::Kind callee = facts_.CalleeOf(user).kind;
      if (callee == Callee::Kind::kLocal) return HasOperandOfOwn(user);
      if (callee != Callee::Kind::kUnknown) return false;
      return HasWholeOperand(user) || (facts_.KeywordArgument(user, "out").valid() && HasOperandOfOwn(user));
    }
    default: return false;
  }
}

// `c[i] * f[i].sum()`: a coefficient of the number that work on a slab, or on what the trip computes, comes to.
bool LoopScalars::ScalesReduction(ir::ValueId user, ir::ValueId scalar) const {
  constexpr std::size_t kMostParts = 16;
  const auto operation = static_cast<ir::BinaryOp>(program_.ops[user].detail);
  if (operation != ir::BinaryOp::kMul && operation != ir::BinaryOp::kDiv) return false;
  const auto is_of_trip = [&](ir::ValueId array) {
    if (!array.valid() || !facts_.IsDevice(array) || facts_.RankOf(array) == 0) return false;
    const ir::ValueId source = facts_.Source(array);
    if (!source.valid() || !facts_.InLoop(source, id_)) return false;
    const ir::OpKind kind = program_.ops[source].kind;
    if (kind == ir::OpKind::kSubscript) {  // a slab, no window
      return facts_.HasAxis(source) && std::ranges::any_of(facts_.KeysOf(source), [&](ir::ValueId key) {
               return IsOnePosition(facts_, key) && facts_.DependsOnInduction(key, id_);
             });
    }
    return kind == ir::OpKind::kBinary || kind == ir::OpKind::kUnary || kind == ir::OpKind::kCall;
  };
  std::vector<ir::ValueId> work;
  for (const ir::ValueId operand : program_.Operands(user)) {
    if (operand.valid() && operand != scalar) work.push_back(operand);
  }
  for (std::size_t i = 0; i < work.size() && i < kMostParts; ++i) {
    const ir::ValueId number = facts_.Source(work[i]);
    if (!number.valid() || !facts_.InLoop(number, id_)) continue;
    const ir::OpKind kind = program_.ops[number].kind;
    if (kind == ir::OpKind::kCall && IsReduction(facts_.CalleeOf(number).name) && facts_.RankOf(number) == 0) {
      const ir::ValueId receiver = facts_.CalleeOf(number).receiver;
      if (is_of_trip(receiver.valid() ? receiver : program_.Operand(number, 1))) return true;
    }
    if (kind != ir::OpKind::kBinary && kind != ir::OpKind::kUnary) continue;
    for (const ir::ValueId operand : program_.Operands(number)) work.push_back(operand);
  }
  return false;
}

// `u[:, 0] = g[i]`, `u[mask, i] = g[i]`: many items get the value.
bool LoopScalars::IsFilledIn(ir::ValueId store, ir::ValueId scalar) const {
  if (program_.Operand(store, 1) != scalar || !facts_.IsArray(program_.Operand(store, 0))) return false;
  if (facts_.SubscriptOf(store).selects == SubscriptResult::Selects::kView) return true;
  const auto keys = facts_.KeysOf(store);
  return std::any_of(keys.begin(), keys.end(),
                     [&](ir::ValueId key) { return facts_.Of(key).kind == Kind::kSlice || facts_.HasAxis(key); });
}

// `u[source] += wavelet[i]`: an entry that the loop does not choose, of an array that it computes on as a whole.
bool LoopScalars::FeedsWhole(ir::ValueId store) const {
  const ir::ValueId base = program_.Operand(store, 0);
  if (!facts_.IsDevice(base) || facts_.RankOf(base) == 0 || IsChosenByLoop(store)) return false;
  return ComputesOn(facts_.RootOf(base));
}

// The op computes with all of the array, or with a part of it that is no entry.
bool LoopScalars::IsWorkOn(ir::ValueId op, ir::ValueId root) const {
  const ir::OpKind kind = program_.ops[op].kind;
  if (kind != ir::OpKind::kBinary && kind != ir::OpKind::kInplaceBinary) return false;
  if (!facts_.IsDevice(op) || facts_.RankOf(op) == 0) return false;
  return op == root || std::ranges::any_of(program_.Operands(op), [&](ir::ValueId operand) {
           if (!operand.valid() || !facts_.IsDevice(operand) || facts_.RankOf(operand) == 0) return false;
           if (facts_.RootOf(operand) != root) return false;
           return facts_.HasAxis(operand) || program_.ops[facts_.Source(operand)].kind != ir::OpKind::kSubscript;
         });
}

// ... by another name: `for f in fields.values(): f[1:-1] += ...`
bool LoopScalars::IsWorkOnItems(ir::ValueId op) const {
  const ir::OpKind kind = program_.ops[op].kind;
  if (kind != ir::OpKind::kBinary && kind != ir::OpKind::kInplaceBinary) return false;
  if (!facts_.IsDevice(op) || facts_.RankOf(op) == 0) return false;
  return std::ranges::any_of(program_.Operands(op), [&](ir::ValueId operand) {
    if (!operand.valid() || !facts_.IsDevice(operand) || !facts_.HasAxis(operand)) return false;
    const ir::ValueId source = facts_.Source(operand);
    const bool part = program_.ops[source].kind == ir::OpKind::kSubscript;
    const ir::ValueId whole = part ? facts_.Source(program_.Operand(source, 0)) : source;
    return program_.ops[whole].kind == ir::OpKind::kLoopItem && program_.LoopOf(whole) != id_;
  });
}

// The function that is called works on the array, which it is handed or knows as an attribute.
// NOLINTNEXTLINE(misc-no-recursion): `depth` bounds it
bool LoopScalars::ComputesOnIn(ir::ValueId call, ir::ValueId root, int depth) const {
  if (program_.ops[call].kind != ir::OpKind::kCall || depth >= kDeepest) return false;
  const Callee& callee = facts_.CalleeOf(call);
  if (callee.kind != Callee::Kind::kLocal) return false;
  const ir::Function& function = program_.functions[callee.function];
  std::vector<ir::ValueId> names = {root};
  for (std::size_t i = 0; i < function.params.size(); ++i) {
    const ir::ValueId over = HandedOver(facts_, call, callee.function, i).value;
    if (over.valid() && facts_.IsDevice(over) && facts_.RootOf(over) == root)
      names.push_back(facts_.RootOf(function.params[i].value));
  }
  for (std::uint32_t at = function.first_op.index(); at < function.end_op.index(); ++at) {
    for (const ir::ValueId name : names) {
      if (name.valid() && (IsWorkOn(ir::ValueId(at), name) || ComputesOnIn(ir::ValueId(at), name, depth + 1)))
        return true;
    }
  }
  return false;
}

// An entry that the loop does not choose, of an array that it works on as a whole and that goes on from trip to trip.
bool LoopScalars::IsProbe(ir::ValueId read) const {
  const ir::ValueId array = facts_.Source(program_.Operand(read, 0));
  const ir::ValueId root = facts_.RootOf(program_.Operand(read, 0));
  if (!root.valid() || !array.valid() || IsChosenByLoop(read)) return false;
  if (program_.ops[array].kind == ir::OpKind::kSubscript && IsChosenByLoop(array)) return false;
  return IsCarriedOver(array, root) && ComputesOn(root);
}

// What the array is depends on what it, or another one, was a trip before, and on nothing that the loop selects.
bool LoopScalars::IsCarriedOver(ir::ValueId array, ir::ValueId root) const {
  const auto is_kept = [&](ir::ValueId value) {
    const ir::Op& op = program_.ops[value];
    return op.kind == ir::OpKind::kAttr && facts_.IsDevice(value) &&
           facts_.AttributeStoredIn(program_.SymbolOf(op), id_);
  };
  if (!facts_.InLoop(root, id_) && facts_.MutatedIn(root, id_)) return true;
  std::vector<ir::ValueId> work = {array};
  bool carried = false;
  for (std::size_t i = 0; i < work.size(); ++i) {
    if (i == kMostUses) return false;
    if (!facts_.InLoop(work[i], id_)) continue;
    const ir::Op& op = program_.ops[work[i]];
    const bool variable = op.kind == ir::OpKind::kPhi && op.block == program_.loops[id_].header;
    if (variable || is_kept(work[i])) {
      carried = carried || !variable || (facts_.IsDevice(work[i]) && facts_.RankOf(work[i]) != 0);
      continue;
    }
    if (op.kind == ir::OpKind::kSubscript && IsChosenByLoop(work[i])) return false;
    for (const ir::ValueId operand : program_.Operands(op)) {
      if (operand.valid() && std::ranges::find(work, operand) == work.end()) work.push_back(operand);
    }
  }
  return carried;
}

// The loop works on the array as a whole, itself or in functions that it calls.
bool LoopScalars::ComputesOn(ir::ValueId root) const {
  if (!root.valid()) return false;
  const bool made_before = !facts_.InLoop(root, id_);
  return std::ranges::any_of(program_.functions[program_.loops[id_].function].blocks, [&](ir::BlockId block) {
    const ir::LoopId loop = program_.blocks[block].loop;
    if (!loop.valid() || !facts_.LoopContains(id_, loop)) return false;
    return std::ranges::any_of(program_.blocks[block].ops, [&](ir::ValueId op) {
      return IsWorkOn(op, root) || (made_before && IsWorkOnItems(op)) || ComputesOnIn(op, root, 0);
    });
  });
}

// `f(x, x[i])`: each item of the array with all of its items, which an axis more does at once. Two parameters are two
// arrays, be they made by the same line elsewhere.
bool LoopScalars::MeetsItsOwn(ir::ValueId scalar) const {
  const ir::ValueId array = facts_.Source(program_.Operand(scalar, 0));
  const ir::ValueId root = facts_.RootOf(program_.Operand(scalar, 0));
  if (!root.valid()) return false;
  const auto is_param = [&](ir::ValueId id) { return program_.ops[id].kind == ir::OpKind::kParam; };
  return std::ranges::any_of(facts_.DeepUsesOf(scalar), [&](ir::ValueId user) {
    const ir::OpKind kind = program_.ops[user].kind;
    if (kind != ir::OpKind::kBinary && kind != ir::OpKind::kCall) return false;
    return std::ranges::any_of(program_.Operands(user), [&](ir::ValueId operand) {
      if (!operand.valid() || operand == scalar || !facts_.HasAxis(operand) || facts_.RootOf(operand) != root)
        return false;
      const ir::ValueId source = facts_.Source(operand);
      if (is_param(array) && is_param(source)) return source == array;
      return program_.ops[source].kind != ir::OpKind::kSubscript || !IsChosenByLoop(source);
    });
  });
}

LoopScalars::Found LoopScalars::IsTable(ir::ValueId op_id) const {
  if (program_.ops[op_id].kind != ir::OpKind::kSubscript) return Found::kNo;
  Met met;
  if (MeetsItsOwn(op_id) || !OnlyScales(op_id, met)) return Found::kNo;
  return met.whole ? Found::kYes : met.unknown ? Found::kMaybe : Found::kNo;
}

bool LoopScalars::OnlyScales(ir::ValueId scalar, Met& met) const {
  std::vector<std::pair<ir::ValueId, ir::ValueId>> work;  // a use, and of what
  std::unordered_set<ir::ValueId> seen;
  const auto add_uses = [&](ir::ValueId of) {
    for (const ir::ValueId user : facts_.DeepUsesOf(of)) {
      if (seen.insert(user).second) work.emplace_back(user, of);
    }
  };
  add_uses(scalar);
  for (std::size_t i = 0; i < work.size(); ++i) {
    const auto [user, of] = work[i];
    const ir::Op& use = program_.ops[user];
    // Of an entry, what is made of items is one number, whatever nobody knows of their arrays.
    const bool of_items =
        facts_.RankOf(scalar) == 0 && facts_.RankOf(user) < 0 && IsArithmetic(user) && !MeetsWhole(user);
    if (!of_items && IsCoefficient(user, of)) {
      met.whole = true;
      continue;
    }
    // `energy = grid.advance(dt[i])`: what it gives is no matter where it only scales arrays on the way there.
    if (Met inside = met; use.kind == ir::OpKind::kCall && OnlyScalesIn(user, of, inside, 0) && inside.whole) {
      met = inside;
      continue;
    }
    const bool arithmetic =
        use.kind == ir::OpKind::kBinary || use.kind == ir::OpKind::kUnary || use.kind == ir::OpKind::kInplaceBinary;
    const bool scalar_again = arithmetic ? facts_.IsDevice(user) : IsOneNumber(facts_, user);
    if (scalar_again && (arithmetic || use.kind == ir::OpKind::kCall)) {
      add_uses(user);
      continue;
    }
    if (use.kind != ir::OpKind::kCall || !OnlyScalesIn(user, of, met, 0)) return false;
  }
  return true;
}

// The function that is called makes no more of the scalar, either.
// NOLINTNEXTLINE(misc-no-recursion): `depth` bounds it
bool LoopScalars::OnlyScalesIn(ir::ValueId call, ir::ValueId scalar, Met& met, int depth) const {
  const Callee& callee = facts_.CalleeOf(call);
  if (callee.kind != Callee::Kind::kLocal || depth >= kDeepest) return false;
  const ir::Function& function = program_.functions[callee.function];
  if (function.is_generator || function.is_async) return false;
  bool handed = false;
  for (std::size_t i = 0; i < function.params.size(); ++i) {
    const ir::ValueId over = HandedOver(facts_, call, callee.function, i).value;
    if (!over.valid() || facts_.Source(over) != facts_.Source(scalar)) continue;
    handed = true;
    if (!OnlyComputes(function.params[i].value, met, depth)) return false;
  }
  return handed && (met.whole || met.unknown);
}

// Arithmetic, and no test, conversion or subscript, is all that the function does with its parameter.
// NOLINTNEXTLINE(misc-no-recursion)
bool LoopScalars::OnlyComputes(ir::ValueId param, Met& met, int depth) const {
  std::vector<ir::ValueId> work = {param};
  std::unordered_set<ir::ValueId> seen(work.begin(), work.end());
  for (std::size_t i = 0; i < work.size(); ++i) {
    if (i > kMostUses) return false;
    for (const ir::ValueId user : facts_.DeepUsesOf(work[i])) {
      const ir::Op& use = program_.ops[user];
      if (use.kind == ir::OpKind::kReturn) continue;
      // `self.u = self.u * b`, `u[:] = b * u`: the array that it is a coefficient of is kept.
      const bool keeps = use.kind == ir::OpKind::kStoreAttr || use.kind == ir::OpKind::kStoreSubscript;
      if (keeps && program_.Operand(user, 1) == work[i] && facts_.HasAxis(work[i])) continue;
      const bool call = use.kind == ir::OpKind::kCall;
      const bool elementwise = (use.kind == ir::OpKind::kBinary && !IsMatrixProduct(use)) ||
                               use.kind == ir::OpKind::kUnary || use.kind == ir::OpKind::kInplaceBinary ||
                               (call && api::IsUfunc(facts_.CalleeOf(user).name));
      if (!elementwise && !(call && OnlyScalesIn(user, work[i], met, depth + 1))) return false;
      if (elementwise) {
        for (const ir::ValueId operand : program_.Operands(user).subspan(call ? 1 : 0)) {
          if (!operand.valid() || operand == work[i]) continue;
          met.whole = met.whole || (facts_.IsDevice(operand) && facts_.RankOf(operand) != 0);
          met.unknown = met.unknown || facts_.Of(operand).kind == Kind::kUnknown;
        }
      }
      if (seen.insert(user).second) work.push_back(user);
    }
  }
  return true;
}

}  // namespace cpnlint::analysis
