#pragma once

// How tightly a piece of Python holds together, by its words alone: what has to stand in parentheses where it is put
// into other code.

#include <cstdint>
#include <string_view>

namespace cpnlint::rules {

// Python's precedence, loosest first. As a demand it says what a place asks of the words that are put there: those that
// hold together less tightly get parentheses.
enum class Binding : std::uint8_t {
  kAnything,     // no demand; `a, b`, `x for x in y`, `a := b`, `yield`
  kConditional,  // an argument or a key: `a if b else c`, lambda
  kOr,
  kAnd,
  kNot,
  kComparison,
  kBitOr,  // beside a comparison
  kBitXor,
  kBitAnd,
  kShift,
  kSum,      // left of + and -
  kProduct,  // right of + and -, left of * / // % @
  kUnary,    // right of * / // % @
  kPower,
  kPrimary,  // before a dot, a bracket, `**`
};

// The loosest operator of the words outside of their brackets and strings.
[[nodiscard]] Binding BindingOf(std::string_view words);

}  // namespace cpnlint::rules
