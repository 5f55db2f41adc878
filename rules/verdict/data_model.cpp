#include "rules/verdict/data_model.h"

#include <algorithm>
#include <vector>

#include "rules/match/device_call.h"

namespace cpnlint::verdict {
namespace {

using analysis::Callee;
using analysis::Facts;
using ir::OpKind;
using ir::ValueId;
using rules::match::IsOneOf;

constexpr std::size_t kMostNames = 64;  // of one array; more are too many to follow

// Where the array goes on under another name, and whether all that is done with it a list of texts does as well.
class Labels {
 public:
  explicit Labels(const Facts& facts) : facts_(facts), program_(facts.program()) {}

  [[nodiscard]] bool AreOnlyLookedUp(ValueId array) {
    names_ = {array};
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (i == kMostNames) return false;
      const ValueId name = names_[i];
      const std::vector<ValueId> uses = facts_.DeepUsesOf(name);
      if (!std::ranges::all_of(uses, [&](ValueId use) { return Fits(use, name); })) return false;
    }
    return true;
  }

 private:
  [[nodiscard]] bool Fits(ValueId use, ValueId name) {
    const ir::Op& op = program_.ops[use];
    switch (op.kind) {
      case OpKind::kStoreAttr: return program_.Operand(use, 1) == name && AddAttributes(program_.SymbolOf(op));
      case OpKind::kStoreCell:
        for (const ValueId load : program_.cells[ir::CellId(op.payload)].loads) Add(load);
        return true;
      case OpKind::kSubscript: return program_.Operand(use, 0) == name && TakesOne(use);
      case OpKind::kIter:
      case OpKind::kFormatString: return true;
      case OpKind::kCall: return IsLookedAt(use, name);
      case OpKind::kAttr: return IsOneOf(program_.Name(op), {"shape", "size", "tolist"});
      default: return false;
    }
  }

  // All attributes of the name, be they of this object or not.
  bool AddAttributes(Symbol attribute) {
    for (std::size_t i = 0; i < program_.ops.size(); ++i) {
      const ir::Op& op = program_.ops[ValueId(i)];
      if (op.kind == OpKind::kAttr && program_.SymbolOf(op) == attribute) Add(ValueId(i));
    }
    return true;
  }

  void Add(ValueId name) {
    if (std::ranges::find(names_, name) == names_.end()) names_.push_back(name);
  }

  // `names[k]`: one text, which Python goes on with.
  [[nodiscard]] bool TakesOne(ValueId subscript) const {
    const auto keys = facts_.KeysOf(subscript);
    return keys.size() == 1 && facts_.Of(keys[0]).kind == analysis::Kind::kInt;
  }

  [[nodiscard]] bool IsLookedAt(ValueId call, ValueId name) const {
    const Callee& callee = facts_.CalleeOf(call);
    return callee.kind == Callee::Kind::kBuiltin && program_.Operand(call, 0) != name &&
           IsOneOf(callee.name, {"dict", "enumerate", "len", "list", "print", "str", "tuple", "zip"});
  }

  const Facts& facts_;
  const ir::Program& program_;
  std::vector<ValueId> names_;
};

}  // namespace

bool IsDataModel(const Facts& facts, const rules::Finding& finding) {
  if (!finding.site.valid() || !facts.Escapes(finding.site)) return false;
  const ir::DType dtype = facts.Of(finding.site).dtype;
  const bool texts = dtype == ir::DType::kString || dtype == ir::DType::kBytes;
  return !texts || !Labels(facts).AreOnlyLookedUp(finding.site);
}

}  // namespace cpnlint::verdict
