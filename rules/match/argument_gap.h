#pragma once

// What in a call of an implemented function cuPyNumeric does not take: keywords that are absent, renamed, restricted to
// some values or ignored, and conditions on operands. The data is the API table; here is only how to test it.

#include <optional>
#include <string>

#include "rules/engine/text.h"
#include "rules/match/device_call.h"

namespace cpnlint::rules::match {

struct ArgumentGap {
  const api::Keyword* keyword = nullptr;  // the restricted keyword; null for a condition on operands
  const api::Limit* limit = nullptr;      // the condition on operands
  const api::DtypeGap* dtype_gap = nullptr;
  ir::DType dtype = ir::DType::kUnknown;  // with dtype_gap: the operand's
  ir::ValueId value;                      // the argument; None() where the call lacks one it needs
  Span span;                              // of the argument, or of the call
  bool by_position = false;
  bool possible = false;  // a run-time value decides
  analysis::EvidenceSet evidence = 0;

  [[nodiscard]] api::Raises raises() const;
  [[nodiscard]] bool ignored() const { return keyword != nullptr && keyword->behaviour == api::Behaviour::kIgnored; }
};

// The first gap of the call, keywords in the order of the call, then operands. `order=`, integer matrix products and
// names that other rules own are not looked at.
[[nodiscard]] std::optional<ArgumentGap> FindArgumentGap(const analysis::Facts& facts, const DeviceCall& call,
                                                         const api::Entry& row);

// Python's repr of a constant ("True", "-2", "'same'"), a dtype's name, or empty where the value is not known.
[[nodiscard]] std::string LiteralText(const analysis::Facts& facts, ir::ValueId value, bool is_dtype);

}  // namespace cpnlint::rules::match
