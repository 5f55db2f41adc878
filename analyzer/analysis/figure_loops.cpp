#include "analyzer/analysis/figure_loops.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "analyzer/analysis/callee_names.h"

namespace cpnlint::analysis {
namespace {

constexpr int kMostSteps = 8;           // from panels to the call that makes them
constexpr std::size_t kMostParts = 32;  // of what is walked, or of a label

class FigureLoop {
 public:
  FigureLoop(const Facts& facts, ir::LoopId loop)
      : facts_(facts), program_(facts.program()), id_(loop), loop_(program_.loops[loop]) {}

  [[nodiscard]] bool Find() const {
    if (!loop_.iterable.valid() || !loop_.item.valid()) return false;
    if (WalksPanels(loop_.iterable)) return true;
    const bool only_draws = !Computes();
    for (const ir::BlockId id : program_.functions[loop_.function].blocks) {
      const ir::Block& block = program_.blocks[id];
      if (block.loop != id_) continue;
      const bool always = !(block.guard.valid() && program_.guards[block.guard].loop == id_);  // not `if i % 100 == 0:`
      for (const ir::ValueId op : block.ops) {
        if (PicksPanel(op) || (always && (MakesFigure(op) || (only_draws && HasOwnEntry(op))))) return true;
      }
    }
    return false;
  }

 private:
  [[nodiscard]] bool MakesFigure(ir::ValueId op) const {
    if (program_.ops[op].kind != ir::OpKind::kCall) return false;
    const std::string_view name = facts_.CalleeOf(op).name;
    return name == "matplotlib.pyplot.figure" || name == "matplotlib.pyplot.subplots";
  }

  // --- panels ---

  // The method that a call is of, whatever the object; empty for functions.
  [[nodiscard]] std::string_view MethodOf(ir::ValueId call) const {
    const ir::ValueId callee = program_.Operand(call, 0);
    if (!callee.valid() || program_.ops[callee].kind != ir::OpKind::kAttr) return {};
    return program_.Name(program_.ops[callee]);
  }

  // `plt.subplots(...)` and what leads back to it: `[1]`, `.flat`, `.ravel()`, `np.atleast_1d(axes)`.
  [[nodiscard]] bool ArePanels(ir::ValueId value) const {
    for (int steps = 0; steps < kMostSteps && value.valid(); ++steps) {
      value = facts_.Source(value);
      if (!value.valid()) return false;
      const ir::Op& op = program_.ops[value];
      if (op.kind == ir::OpKind::kSubscript || op.kind == ir::OpKind::kUnpackItem) {
        value = program_.Operand(value, 0);
        continue;
      }
      if (op.kind == ir::OpKind::kAttr) {
        if (!IsOneOf(program_.Name(op), {"T", "flat"})) return false;
        value = program_.Operand(value, 0);
        continue;
      }
      if (op.kind != ir::OpKind::kCall) return false;
      const std::string_view method = MethodOf(value);
      const std::string_view name = facts_.CalleeOf(value).name;
      if (method == "subplots" || name == "matplotlib.pyplot.subplots") return !AsManyAsGiven(value);
      if (IsOneOf(method, {"flatten", "ravel", "reshape"}) && facts_.CalleeOf(value).kind != Callee::Kind::kApi) {
        value = program_.Operand(program_.Operand(value, 0), 0);
        continue;
      }
      if (!IsOneOf(name, {"numpy.array", "numpy.asarray", "numpy.atleast_1d", "numpy.atleast_2d", "numpy.ravel"}))
        return false;
      value = program_.ops[value].operand_count > 1 ? program_.Operand(value, 1) : ir::ValueId::None();
    }
    return false;
  }

  // `plt.subplots(k, 1)`: k says how many.
  [[nodiscard]] bool AsManyAsGiven(ir::ValueId call) const {
    const auto is_open = [&](ir::ValueId count) { return count.valid() && !facts_.IntOf(count); };
    return is_open(facts_.Argument(call, 0, "nrows")) || is_open(facts_.Argument(call, 1, "ncols"));
  }

  // `for ax in axes`, `for i, (ax, y) in enumerate(zip(axes.flat, ys))`
  [[nodiscard]] bool WalksPanels(ir::ValueId iterable) const {
    std::vector<ir::ValueId> walked = {iterable};
    for (std::size_t i = 0; i < walked.size() && i < kMostParts; ++i) {
      if (ArePanels(walked[i])) return true;
      const ir::ValueId call = walked[i].valid() ? facts_.Source(walked[i]) : walked[i];
      if (!call.valid() || program_.ops[call].kind != ir::OpKind::kCall) continue;
      if (!IsBuiltin(facts_.CalleeOf(call), {"enumerate", "reversed", "zip"})) continue;
      const auto arguments = program_.Operands(call).subspan(1);
      walked.insert(walked.end(), arguments.begin(), arguments.end());
    }
    return false;
  }

  // `axes[i]`, `axes[i // 2, i % 2]`
  [[nodiscard]] bool PicksPanel(ir::ValueId op) const {
    if (program_.ops[op].kind != ir::OpKind::kSubscript || !ArePanels(program_.Operand(op, 0))) return false;
    const auto keys = program_.Operands(op).subspan(1);
    return std::ranges::any_of(keys, [&](ir::ValueId key) { return key.valid() && DependsOnItem(key); });
  }

  // --- legends ---

  // More than to pick what is drawn: `x[labels == k]`, `np.log(x[i])`.
  [[nodiscard]] bool Computes() const {
    const auto computes = [&](ir::ValueId op) {
      switch (program_.ops[op].kind) {
        case ir::OpKind::kBinary:
        case ir::OpKind::kInplaceBinary:
        case ir::OpKind::kUnary:
        case ir::OpKind::kCompare:
        case ir::OpKind::kStoreSubscript:
        case ir::OpKind::kCall: return facts_.IsDevice(op);
        default: return false;
      }
    };
    return std::ranges::any_of(program_.functions[loop_.function].blocks, [&](ir::BlockId id) {
      const ir::LoopId in = program_.blocks[id].loop;
      return in.valid() && facts_.LoopContains(id_, in) && std::ranges::any_of(program_.blocks[id].ops, computes);
    });
  }

  // `ax.plot(t, y, label=f"run {i}")`
  [[nodiscard]] bool HasOwnEntry(ir::ValueId op) const {
    if (program_.ops[op].kind != ir::OpKind::kCall) return false;
    const std::string_view method = MethodOf(op);
    const bool draws = IsOneOf(method, {"axhline", "axvline", "bar", "errorbar", "fill_between", "hist", "loglog",
                                        "plot", "scatter", "semilogx", "semilogy", "stairs", "stem", "step"});
    const ir::ValueId label = draws ? facts_.KeywordArgument(op, "label") : ir::ValueId::None();
    return label.valid() && DependsOnItem(label);
  }

  [[nodiscard]] bool DependsOnItem(ir::ValueId value) const {
    std::vector<ir::ValueId> parts = {value};
    for (std::size_t i = 0; i < parts.size() && i < kMostParts; ++i) {
      if (parts[i] == loop_.item) return true;
      const ir::ValueId part = facts_.Source(parts[i]);
      if (!part.valid() || !facts_.InLoop(part, id_)) continue;
      if (part == loop_.item) return true;
      // `label="data" if i == 0 else None`, `axes[i % 4]`: one for many of them
      const ir::Op& op = program_.ops[part];
      const bool again = op.kind == ir::OpKind::kBinary && static_cast<ir::BinaryOp>(op.detail) == ir::BinaryOp::kMod &&
                         facts_.Of(program_.Operand(part, 0)).kind != Kind::kStr;
      if (op.kind == ir::OpKind::kPhi || again) continue;
      for (const ir::ValueId operand : program_.Operands(part)) {
        if (operand.valid() && std::ranges::find(parts, operand) == parts.end()) parts.push_back(operand);
      }
    }
    return false;
  }

  const Facts& facts_;
  const ir::Program& program_;
  ir::LoopId id_;
  const ir::Loop& loop_;
};

}  // namespace

bool IsOfFigure(const Facts& facts, ir::LoopId loop) { return FigureLoop(facts, loop).Find(); }

}  // namespace cpnlint::analysis
