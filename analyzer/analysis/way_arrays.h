#pragma once

// What a place works on may be an array by one call of its function and a number by another.

#include "analyzer/analysis/engine.h"

namespace cpnlint::analysis {

// The parameter that all arrays of an op come from.
struct ArrayParam {
  std::uint32_t index = 0;
  // By way of `np.asarray(x)`, which makes an array of a number, too; of None and of texts it makes none that counts.
  bool converted = false;
};

// False where ArrayParamOf finds none for sure: a look at the op alone.
[[nodiscard]] bool MayWorkOnParam(const ir::Program& program, ir::ValueId op);

// Where a call hands over a number for the parameter, there is nothing for the op to wait for. nullopt where some array
// comes from elsewhere.
[[nodiscard]] std::optional<ArrayParam> ArrayParamOf(const Facts& facts, ir::ValueId op);

// A need of a way that no test asks for: that the parameter is an array.
[[nodiscard]] Way::Need NeedOfArray(ArrayParam param);
[[nodiscard]] bool IsNeedOfArray(const Way::Need& need);
[[nodiscard]] ArrayParam ParamOfNeed(const Way::Need& need);

// The way to the block, of calls that may hand over an array for the parameter.
[[nodiscard]] Way WayWithArray(const Facts& facts, Facts::Impl& impl, ir::BlockId block, ArrayParam param);

}  // namespace cpnlint::analysis
