#pragma once

// What a comparison says where it does not hold, the other way round, and of the number that is compared.

#include <cstdint>
#include <optional>

#include "analyzer/ir/program.h"

namespace cpnlint::analysis {

// `not a < b` is `a >= b`.
[[nodiscard]] constexpr ir::CompareOp Turned(ir::CompareOp compare) {
  switch (compare) {
    case ir::CompareOp::kEq: return ir::CompareOp::kNe;
    case ir::CompareOp::kNe: return ir::CompareOp::kEq;
    case ir::CompareOp::kLt: return ir::CompareOp::kGe;
    case ir::CompareOp::kLe: return ir::CompareOp::kGt;
    case ir::CompareOp::kGt: return ir::CompareOp::kLe;
    case ir::CompareOp::kGe: return ir::CompareOp::kLt;
    default: return compare;
  }
}

// `a < b` is `b > a`.
[[nodiscard]] constexpr ir::CompareOp Mirrored(ir::CompareOp compare) {
  switch (compare) {
    case ir::CompareOp::kLt: return ir::CompareOp::kGt;
    case ir::CompareOp::kLe: return ir::CompareOp::kGe;
    case ir::CompareOp::kGt: return ir::CompareOp::kLt;
    case ir::CompareOp::kGe: return ir::CompareOp::kLe;
    default: return compare;
  }
}

// The largest integer that compares so with the number, where the comparison holds or does not.
[[nodiscard]] constexpr std::optional<std::int64_t> MostAllowed(ir::CompareOp compare, bool holds,
                                                                std::int64_t number) {
  switch (holds ? compare : Turned(compare)) {
    case ir::CompareOp::kEq:
    case ir::CompareOp::kLe: return number;
    case ir::CompareOp::kLt: return number - 1;
    default: return std::nullopt;
  }
}

}  // namespace cpnlint::analysis
