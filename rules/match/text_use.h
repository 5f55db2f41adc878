#pragma once

// What a program makes text for: a message on the way, or strings that are the product.

#include "rules/engine/rule.h"

namespace cpnlint::rules::match {

enum class TextUse : std::uint8_t {
  kMessage,  // printed, logged, drawn: seldom will do
  kProduct,  // stored, returned, yielded, written to a file, a key
  kUnknown,  // handed to other code
};
// Of what the op makes of a value: `print(u.max())`, f"{u.max()}", `"%g" % u.max()`, `str(u)`.
[[nodiscard]] TextUse UseOfText(const Facts& facts, ir::ValueId op);

// Where the values of a text that is a product come from at once: `pairs.tolist()` before the loop, where they are
// items of an array that the loop leaves as it is; else the values of all passes, after the loop.
[[nodiscard]] Text HelpForProduct(const Facts& facts, ir::ValueId op, ir::ValueId value, Span words);

}  // namespace cpnlint::rules::match
