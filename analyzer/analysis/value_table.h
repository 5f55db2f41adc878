#pragma once

// What is known of each value of a program. Most values are one of few (a module's name, a method, nothing known), so
// an op has an index, and equal values are one.

#include <cstdint>
#include <memory>
#include <vector>

#include "analyzer/analysis/value.h"
#include "analyzer/base/index_table.h"

namespace cpnlint::analysis {

class ValueTable {
 public:
  // So many values, nothing known of any.
  void Fill(std::size_t size);
  // Stays where it is, and what it is, as long as the table.
  [[nodiscard]] const Value& operator[](ir::ValueId id) const { return At(index_[id.index()]); }
  // Equal values have equal indices, below distinct(). None() is a value of which nothing is known.
  [[nodiscard]] std::uint32_t IndexOf(ir::ValueId id) const { return id.valid() ? index_[id.index()] : 0; }
  [[nodiscard]] std::uint32_t distinct() const { return count_; }
  void Set(ir::ValueId id, const Value& value) { index_[id.index()] = Intern(value); }

  // Until Settle, values of other things than ops may be kept here, too. kNothingKnown: of a Value as it is made.
  static constexpr std::uint32_t kNothingKnown = 0;
  [[nodiscard]] std::uint32_t Keep(const Value& value) { return Intern(value); }
  [[nodiscard]] const Value& Kept(std::uint32_t index) const { return At(index); }

  // No further value comes: gives back what only Set needs, and all values that no op has. Those that stay may move.
  void Settle();

 private:
  static constexpr std::uint32_t kChunk = 512;  // values; a power of two

  [[nodiscard]] const Value& At(std::uint32_t index) const { return chunks_[index / kChunk][index % kChunk]; }
  [[nodiscard]] std::uint32_t Intern(const Value& value);

  std::vector<std::uint32_t> index_;  // by value
  std::vector<std::unique_ptr<Value[]>> chunks_;
  std::uint32_t count_ = 0;
  IndexTable table_;
};

}  // namespace cpnlint::analysis
