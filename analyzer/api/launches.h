#pragma once

// How many Legate operations a call is lowered to: rulesets/launches.json, counted in the runtime's own operation log
// by tests/oracle/launches.py (tasks, fills, copies and all-reduces; not what the runtime does for itself). A name may
// have several rows for calls of different kinds, told apart by words.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace cpnlint::api {

// The words of a row's `when`, and what must be so of a call for them to hold.
inline constexpr std::array<std::string_view, 63> kLaunchWords = {
    // arguments
    "axis",      // axis= is given
    "axes",      // and is a tuple
    "last",      // and is the last one
    "keepdims",  // keepdims=True
    "where",     // where= is given
    "out",       // out= is given
    "dtype",     // dtype= asks for another type than the operand has
    "weights",
    "ord",
    "inf",
    "decimals",
    "range",
    "minlength",
    "retstep",
    "sparse",
    "edge",
    // element types of the first operand; without a word it is float64
    "integer",
    "bool",
    "single",
    "complex",
    // ranks; of two operands "2d 1d"
    "0d",
    "all 0d",
    "1d",
    "2d",
    "3d",
    "1d 1d",
    "2d 1d",
    "1d 2d",
    "2d 2d",
    // other operands
    "number",       // a Python number
    "two numbers",  // two of them
    "only number",  // nothing else
    "cast",         // one operand has to be converted to another type
    "half",
    "three",
    "two",  // that number
    "array",
    "device",
    "host",
    "literal",
    "device scalars",
    "one",
    "float",
    "same",
    "flat",
    "unit",
    "filled",
    // of subscripts
    "element",
    "row",
    "view",
    "all",
    "broadcast",
    "overlap",
    "index",
    "second axis",
    "two indices",
    "mask",
    "row mask",
    "column mask",
    "device scalar",
    // of einsum
    "elementwise",
    "one operand",
    "diagonal",
};

// The bit of a word, at compile time.
consteval std::uint64_t LaunchWord(std::string_view word) {
  for (std::size_t i = 0; i < kLaunchWords.size(); ++i) {
    if (kLaunchWords[i] == word) return std::uint64_t{1} << i;
  }
  throw "no such word";  // NOLINT: it ends the compilation
}

struct Launches {
  std::string_view name;
  std::uint64_t when = 0;  // bits of the words that must hold
  double launches = 0;     // where one processor has all data
  double divided = 0;      // where the data is divided between several
  double each = 0;         // more for each operand beyond the second of a join, the first of a select
  std::string_view call;   // what was counted: "np.sum(a, axis=0)"
  std::string_view seen;   // the operations: "Fill UnaryRedTask"
};

// All rows, sorted by name.
[[nodiscard]] std::span<const Launches> LaunchTable();

// The row of the name whose words all hold and that has most of them; null where there is none. A method without a row
// has that of the function.
[[nodiscard]] const Launches* FindLaunches(std::string_view canonical_name, std::uint64_t words);

}  // namespace cpnlint::api
