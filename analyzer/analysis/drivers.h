#pragma once

// Functions of other libraries that call what they are given, and with what: one table for all who ask.

#include <cstdint>
#include <string_view>

namespace cpnlint::analysis {

// One function that a driver takes.
struct Driver {
  std::string_view name = {};
  std::uint32_t at = 0;           // the argument that is the function
  std::string_view keyword = {};  // and what it is called
  // What the driver hands over of its own, one letter each: `n` a Python number, `a` an array, `v` one with one axis,
  // `o` an object of its library. A `+` after the last one stands for as many more numbers as the function takes. Empty
  // where that is not known.
  std::string_view hands = {};
  std::uint32_t args_at = 0;     // where `args` stands: what its caller wants the function to have besides; 0: nowhere
  std::string_view unless = {};  // an argument that makes it hand over something else
  std::string_view args = "args";      // what the argument at `args_at` is called
  std::string_view kwargs = "kwargs";  // and that of the same by name, a dict
};

// What the table says of the argument of a call of that function; null for one that is not known to be a function.
// `keyword` is empty for the argument at `position`.
[[nodiscard]] const Driver* FindDriver(std::string_view name, std::uint32_t position, std::string_view keyword);
// `args` and `kwargs` of a driver: what the functions get besides, handed on as it is. `keyword` and `position` as
// above.
[[nodiscard]] bool HandsOnAsIs(std::string_view name, std::uint32_t position, std::string_view keyword);
// Calls what it is given again and again: the loop kind `callback`.
[[nodiscard]] bool CallsRepeatedly(std::string_view name);

}  // namespace cpnlint::analysis
