#include "analyzer/syntax/parse_table.h"

#include <cstdint>
#include <vector>

#include <src/language.h>

namespace cpnlint::syntax::internal {
namespace {

struct FullTable {
  std::vector<std::uint16_t> values;  // by state, then by symbol
  TSLanguage language;

  explicit FullTable(const TSLanguage& from) : language(from) {
    const std::size_t symbols = from.symbol_count;
    const std::uint16_t* const large = from.parse_table;
    values.assign(large, large + from.large_state_count * symbols);
    values.resize(from.state_count * symbols, 0);
    for (std::size_t state = from.large_state_count; state < from.state_count; ++state) {
      // The number of groups; then of each the value, the number of symbols, the symbols.
      const std::uint16_t* at = from.small_parse_table + from.small_parse_table_map[state - from.large_state_count];
      for (std::uint16_t groups = *at++; groups > 0; --groups) {
        const std::uint16_t value = *at++;
        for (std::uint16_t count = *at++; count > 0; --count) values[state * symbols + *at++] = value;
      }
    }
    language.parse_table = values.data();
    language.large_state_count = from.state_count;
  }
};

}  // namespace

const TSLanguage* WithFullTable(const TSLanguage* language) {
  static const FullTable table(*language);
  return &table.language;
}

}  // namespace cpnlint::syntax::internal
