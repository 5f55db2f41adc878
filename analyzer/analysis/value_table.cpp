#include "analyzer/analysis/value_table.h"

#include <array>
#include <bit>

namespace cpnlint::analysis {
namespace {

using Words = std::array<std::uint64_t, 7>;
static_assert(sizeof(Value) == sizeof(Words), "equal values have equal bytes: Value has no padding");

std::uint32_t HashOf(const Words& words) {
  std::uint64_t hash = 0;
  for (const std::uint64_t word : words) hash = (std::rotl(hash, 23) ^ word) * 0x9e37'79b9'7f4a'7c15ULL;
  return static_cast<std::uint32_t>(hash >> 32);
}

}  // namespace

void ValueTable::Fill(std::size_t size) { index_.assign(size, Intern(Value())); }

void ValueTable::Settle() {
  table_ = {};
  constexpr std::uint32_t kDropped = 0xffff'ffff;
  std::vector<std::uint32_t> moved(count_, kDropped);
  if (count_ > 0) moved[kNothingKnown] = 0;
  for (const std::uint32_t index : index_) moved[index] = 0;
  std::uint32_t left = 0;
  for (std::uint32_t i = 0; i < count_; ++i) {
    if (moved[i] == kDropped) continue;
    if (left != i) chunks_[left / kChunk][left % kChunk] = At(i);
    moved[i] = left++;
  }
  for (std::uint32_t& index : index_) index = moved[index];
  count_ = left;
  chunks_.resize((left + kChunk - 1) / kChunk);
}

std::uint32_t ValueTable::Intern(const Value& value) {
  const auto words = std::bit_cast<Words>(value);
  const std::uint32_t hash = HashOf(words);
  const auto same = [&](std::uint32_t index) { return std::bit_cast<Words>(At(index)) == words; };
  if (const std::uint32_t found = table_.Find(hash, same); found != IndexTable::kFree) return found;
  if (count_ % kChunk == 0) chunks_.push_back(std::make_unique<Value[]>(kChunk));
  chunks_.back()[count_ % kChunk] = value;
  table_.Insert(hash, count_);
  return count_++;
}

}  // namespace cpnlint::analysis
