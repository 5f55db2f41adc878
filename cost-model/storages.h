#pragma once

// Which storage an operand is: that of the caller behind a parameter, that of the function behind the result of a call.

#include <cstdint>

#include "analyzer/analysis/work.h"
#include "cost-model/course.h"

namespace cpnlint::cost {

// A storage as one call of its function has it.
struct Instance {
  ir::ValueId array;
  std::uint32_t call = analysis::kNoCall;

  bool operator==(const Instance&) const = default;
  [[nodiscard]] std::uint64_t Key() const { return std::uint64_t{call} << 32 | array.index(); }
};

class Storages {
 public:
  // All outlive it.
  Storages(const analysis::Facts& facts, const analysis::Work& work, const Course& course)
      : facts_(facts), work_(work), course_(course) {}

  // What `root` (Facts::DeviceRootOf) is where a step of `call` uses it. A Phi is a storage of its own.
  [[nodiscard]] Instance Of(ir::ValueId root, std::uint32_t call, std::uint32_t step) const;
  // An op of the program makes it. Else it is a parameter, an attribute, something that nothing is known of: somebody
  // else holds it.
  [[nodiscard]] bool IsMade(ir::ValueId array) const;
  // The array of its own that a followed call hands back, as the one `return` of its function tells.
  [[nodiscard]] ir::ValueId ReturnedBy(std::uint32_t call) const;
  // Work may be about storage that no op of the program makes.
  [[nodiscard]] ir::OpKind KindOf(ir::ValueId id) const {
    return id.index() < facts_.program().ops.size() ? facts_.program().ops[id].kind : ir::OpKind::kOpaque;
  }
  // Of a loop: what its variables hold when a pass begins.
  [[nodiscard]] bool IsHeaderPhi(ir::ValueId phi) const;

 private:
  [[nodiscard]] Instance SameAs(ir::ValueId root, std::uint32_t home, std::uint32_t step) const;
  [[nodiscard]] ir::ValueId StoredIn(ir::CellId cell, std::uint32_t home, std::uint32_t step) const;

  const analysis::Facts& facts_;
  const analysis::Work& work_;
  const Course& course_;
};

}  // namespace cpnlint::cost
