#include "analyzer/analysis/folder_loops.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "analyzer/analysis/callee_names.h"

namespace cpnlint::analysis {
namespace {

constexpr std::size_t kMostParts = 32;  // of a path
constexpr int kMostTests = 8;           // around a call

class FolderLoop {
 public:
  FolderLoop(const Facts& facts, ir::LoopId loop)
      : facts_(facts), program_(facts.program()), id_(loop), loop_(program_.loops[loop]) {}

  [[nodiscard]] bool Find() const {
    if (!loop_.iterable.valid() || !loop_.item.valid()) return false;
    for (const ir::BlockId block : program_.functions[loop_.function].blocks) {
      if (program_.blocks[block].loop != id_) continue;
      for (const ir::ValueId op : program_.blocks[block].ops) {
        const ir::ValueId path = PathOf(op);
        if (path.valid() && IsOfPass(path) && RunsAlways(block)) return true;
      }
    }
    return false;
  }

 private:
  // The method that a call is of, whatever the object; empty for functions.
  [[nodiscard]] std::string_view MethodOf(ir::ValueId call) const {
    const ir::ValueId callee = program_.Operand(call, 0);
    if (!callee.valid() || program_.ops[callee].kind != ir::OpKind::kAttr) return {};
    return program_.Name(program_.ops[callee]);
  }

  // What the op makes a folder of: `os.makedirs(path)`, `path.mkdir()`; None() where it makes none.
  [[nodiscard]] ir::ValueId PathOf(ir::ValueId op) const {
    if (program_.ops[op].kind != ir::OpKind::kCall) return {};
    if (IsOneOf(facts_.CalleeOf(op).name, {"os.mkdir", "os.makedirs"})) return facts_.Argument(op, 0, "name");
    return MethodOf(op) == "mkdir" ? program_.Operand(program_.Operand(op, 0), 0) : ir::ValueId::None();
  }

  // Behind no test, or behind one whether the folder is there.
  [[nodiscard]] bool RunsAlways(ir::BlockId block) const {
    ir::GuardId id = program_.blocks[block].guard;
    for (int tests = 0; id.valid() && program_.guards[id].loop == id_; id = program_.guards[id].parent) {
      const ir::ValueId truth = program_.guards[id].truth;
      if (++tests > kMostTests || !truth.valid() || !AsksForFolder(truth)) return false;
    }
    return true;
  }

  [[nodiscard]] bool AsksForFolder(ir::ValueId test) const {
    for (int layers = 0; layers < kMostTests && test.valid(); ++layers) {
      const ir::Op& op = program_.ops[test];
      if (op.kind == ir::OpKind::kCall) {
        return IsOneOf(facts_.CalleeOf(test).name, {"os.path.exists", "os.path.isdir"}) ||
               IsOneOf(MethodOf(test), {"exists", "is_dir"});
      }
      if (op.kind != ir::OpKind::kTruth && op.kind != ir::OpKind::kNot) return false;
      test = facts_.Source(program_.Operand(test, 0));
    }
    return false;
  }

  // The path is made of what the pass is about, also by way of an entry: `made["path"] = f"plane{j}"`.
  [[nodiscard]] bool IsOfPass(ir::ValueId path) const {
    std::vector<ir::ValueId> parts = {path};
    for (std::size_t i = 0; i < parts.size() && i < kMostParts; ++i) {
      const ir::ValueId part = parts[i].valid() ? facts_.Source(parts[i]) : parts[i];
      if (parts[i] == loop_.item || part == loop_.item) return true;
      if (!part.valid() || !facts_.InLoop(part, id_)) continue;
      const auto operands = program_.Operands(part);
      parts.insert(parts.end(), operands.begin(), operands.end());
      if (program_.ops[part].kind == ir::OpKind::kSubscript) AddStored(part, parts);
    }
    return false;
  }

  // What the pass stores in the entry of a dictionary that is read.
  void AddStored(ir::ValueId read, std::vector<ir::ValueId>& parts) const {
    const auto key = program_.ops[read].operand_count == 2 ? facts_.TextOf(program_.Operand(read, 1)) : std::nullopt;
    if (!key) return;
    const ir::ValueId dict = facts_.Source(program_.Operand(read, 0));
    for (const ir::ValueId use : facts_.DeepUsesOf(dict)) {
      const ir::Op& op = program_.ops[use];
      const bool stores = op.kind == ir::OpKind::kStoreSubscript && op.operand_count == 3 && use < read;
      if (stores && facts_.Source(program_.Operand(use, 0)) == dict && facts_.TextOf(program_.Operand(use, 2)) == key)
        parts.push_back(program_.Operand(use, 1));
    }
  }

  const Facts& facts_;
  const ir::Program& program_;
  ir::LoopId id_;
  const ir::Loop& loop_;
};

}  // namespace

bool MakesFolders(const Facts& facts, ir::LoopId loop) { return FolderLoop(facts, loop).Find(); }

}  // namespace cpnlint::analysis
